import { readActionPattern } from '../actions/action.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import type { Span } from '../source.ts'
import type { Entry, ListNode, MapNode, Node, TextNode, UnknownNode } from '../tree.ts'
import { readIdentity } from '../urn/identity.ts'
import { readPermissionsGroup, readResourceGroup, readResourcePattern } from '../urn/resource.ts'

/**
 * Trees in which something is not known, with values assumed for it, in three ways that differ in everything: as little as
 * it can be, something that nobody else names, and as much as it can be. What is found in a policy whichever way it turns
 * out is found; what is found in one way only would be a guess.
 */
export const ways = ['least', 'other', 'most'] as const
export type Way = (typeof ways)[number]

/** Whether something in the documents is not known. */
export function unknownsIn(documents: readonly Node[]): readonly UnknownNode[] {
  const found: UnknownNode[] = []
  const open: Node[] = [...documents]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'unknown') found.push(node)
    else if (node.kind === 'list') open.push(...node.items)
    else if (node.kind === 'map') {
      found.push(...(node.perhaps ?? []))
      open.push(...node.entries.map(({ value }) => value))
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

/** What findings about documents hang on that are not wholly known. */
export interface Openness {
  /** Places that hold nothing written: a finding there would be about what was assumed. */
  readonly holes: readonly Span[]
  /** Records that may not be there at all: what is found in them is found where they are. */
  readonly perhaps: readonly Span[]
}

/** What findings about some documents hang on. */
export function opennessOf(documents: readonly Node[], unknowns: readonly UnknownNode[]): Openness {
  const perhaps: Span[] = []
  const open: Node[] = [...documents]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'list') open.push(...node.items)
    else if (node.kind === 'map') {
      if (node.perhaps) perhaps.push(node)
      open.push(...node.entries.map(({ value }) => value))
    }
  }
  return { holes: unknowns.flatMap((node) => node.holes ?? [node]), perhaps }
}

/** The findings that hold whichever way it turns out: `found` has those of each way, in the order of `ways`. */
export function inEveryWay(found: readonly (readonly Diagnostic[])[], { holes, perhaps }: Openness): readonly Diagnostic[] {
  const keys = found.map((list) => new Set(list.map(keyOf)))
  const told = new Set<string>()
  return (found[ways.indexOf('other')] ?? []).filter((finding) => {
    const key = keyOf(finding)
    const same = `${key} ${finding.message}`
    if (told.has(same) || holes.some((hole) => isWithin(finding.span, hole))) return false
    told.add(same)
    const isIfThere = perhaps.some((record) => isWithin(finding.span, record))
    return keys.every((each, i) => each.has(key) || (isIfThere && ways[i] === 'least'))
  })
}

function keyOf({ code, span: { source, start, end } }: Diagnostic): string {
  return `${code} ${start} ${end} ${source.path}`
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.source.path === outer.source.path && inner.start >= outer.start && inner.end <= outer.end
}

/** What a text is the name of, by the field that holds it. */
type Role = 'identity' | 'resource' | 'resourceGroup' | 'permissionsGroup' | 'action' | 'instant' | 'text'

/** What stands below a field; a field that is not listed holds texts. */
interface Place {
  readonly role: Role
  /** What stands in its place as a whole. */
  readonly holds: 'text' | 'texts' | 'maps' | 'permissions' | 'condition'
  /** The field of its items that holds the name. */
  readonly key?: string
}

const text: Place = { role: 'text', holds: 'text' }
const places: Readonly<Record<string, Place>> = {
  identities: { role: 'identity', holds: 'texts' },
  groups: { role: 'identity', holds: 'texts' },
  resources: { role: 'resource', holds: 'maps', key: 'urn' },
  permissionsGroups: { role: 'permissionsGroup', holds: 'maps', key: 'urn' },
  resourceGroups: { role: 'resourceGroup', holds: 'maps', key: 'urn' },
  permissions: { role: 'action', holds: 'permissions' },
  allow: { role: 'action', holds: 'maps', key: 'action' },
  except: { role: 'action', holds: 'maps', key: 'action' },
  deny: { role: 'action', holds: 'maps', key: 'action' },
  action: { role: 'action', holds: 'text' },
  conditions: { role: 'text', holds: 'condition' },
  expiredAt: { role: 'instant', holds: 'text' },
}

/** A document as it would be if everything in it that is not known turned out in one way. Undefined: it would not be there. */
export function assumed(document: Node, way: Way, settings: Settings): Node | undefined {
  return filled(document, text)

  function filled(node: Node, place: Place): Node | undefined {
    switch (node.kind) {
      case 'unknown':
        return wholeOf(node, place)
      case 'list': {
        const items = node.items.flatMap((item) => itemOf(item, place) ?? [])
        return { ...node, items } satisfies ListNode
      }
      case 'map':
        return filledMap(node, place)
      default:
        return node
    }
  }

  /** An item of a list: one of which nothing is known may be missing. */
  function itemOf(item: Node, place: Place): Node | undefined {
    const inner: Place =
      place.holds === 'maps' ? { role: place.role, holds: 'text' } : place.holds === 'texts' ? { ...place, holds: 'text' } : place
    if (item.kind === 'unknown') {
      if (way === 'least' && mayBeMissing(item)) return undefined
      if (place.holds === 'condition') return wholeOf(item, place)
      const value = textOf(item, place.role)
      return place.key === undefined ? value : mapOf(item, place.key, value)
    }
    if (item.kind === 'map' && place.key !== undefined) {
      const name = item.entries.find(({ key }) => key.value === place.key)?.value
      if (name?.kind === 'unknown' && way === 'least' && mayBeMissing(name) && !name.isName) return undefined
    }
    return filled(item, inner)
  }

  function filledMap(node: MapNode, place: Place): MapNode | undefined {
    if (node.perhaps && way === 'least') return undefined
    const entries = node.entries.flatMap((entry): Entry[] => {
      const below =
        entry.key.value === 'urn'
          ? { role: place.role === 'text' ? 'resource' : place.role, holds: 'text' as const }
          : places[entry.key.value]
      const isCondition = place.holds === 'condition' && entry.key.value === 'conditions'
      const value = filled(entry.value, isCondition ? { ...place } : (below ?? { role: 'text', holds: 'text' }))
      return value ? [{ key: entry.key, value }] : []
    })
    const { perhaps: _, ...rest } = node
    return { ...rest, entries }
  }

  function wholeOf(node: UnknownNode, place: Place): Node | undefined {
    switch (place.holds) {
      case 'text':
        if (place.role === 'instant')
          return way === 'least' ? undefined : textNode(node, way === 'other' ? '2999-12-31T00:00:00Z' : '2000-01-01T00:00:00Z')
        return textOf(node, place.role)
      case 'texts':
        return listOf(node, way === 'least' ? [] : [textOf(node, place.role)])
      case 'maps':
        return listOf(node, way === 'least' ? [] : [mapOf(node, place.key as string, textOf(node, place.role))])
      case 'permissions':
        return way === 'least' ? mapOf(node) : mapOf(node, 'allow', listOf(node, [mapOf(node, 'action', textOf(node, 'action'))]))
      case 'condition':
        return way === 'least'
          ? undefined
          : mapOf(node, 'operator', textNode(node, 'MATCH'), 'values', mapOf(node, 'resource.Tag(unknown)', textOf(node, 'text')))
    }
  }

  function textOf(node: UnknownNode, role: Role): TextNode {
    if (isWhole(node)) return textNode(node, wholeName(node, role, node.isName ? 'other' : way, settings))
    const fills =
      way === 'most'
        ? ['*', ...settings.regions]
        : way === 'other'
          ? ['unknown', ...settings.regions]
          : ['none', ...settings.regions.toReversed()]
    const fits = (fill: string) => understood(node.pieces.join(fill), role, settings)
    return templateNode(node, fills.find(fits) ?? (fills[0] as string))
  }
}

/** Whether nothing may stand in the place of an entry. */
function mayBeMissing(node: UnknownNode): boolean {
  return node.isSpread === true || (isWhole(node) && node.shape === undefined)
}

function isWhole({ pieces }: UnknownNode): boolean {
  return pieces.every((piece) => piece === '')
}

/** A name for what is not known at all; the same one for the same expression, so that what refers to a thing still does. */
function wholeName({ expression, scope, shape }: UnknownNode, role: Role, way: Way, { brand, regions }: Settings): string {
  const region = regions[0] ?? 'eu'
  const word = `${way === 'least' ? 'none' : 'unknown'}-${mark(`${scope} ${expression}`)}`
  if (shape && named.has(role)) {
    const [head = '', ...rest] = shape
    return `${head}${region}${rest.join(way === 'most' && role !== 'permissionsGroup' ? '*' : word)}`
  }
  const names: Readonly<Record<Role, readonly [one: string, most: string]>> = {
    identity: [`urn:v1:${region}:identity:user:${word}/${word}`, `urn:v1:${region}:identity:user:*`],
    resource: [`urn:v1:${region}:resource:${word}:${word}`, `urn:v1:${region}:resource:*`],
    resourceGroup: [`urn:v1:${region}:resourceGroup:${word}`, `urn:v1:${region}:resourceGroup:*`],
    permissionsGroup: [`urn:v1:${region}:permissionsGroup:${word}:${word}`, `urn:v1:${region}:permissionsGroup:${word}:${word}`],
    action: [`unknown:api${brand}:${word}`, '*'],
    instant: ['2999-12-31T00:00:00Z', '2000-01-01T00:00:00Z'],
    text: [word, word],
  }
  return names[role][way === 'most' ? 1 : 0]
}

/** What has a URN for its name. */
const named: ReadonlySet<Role> = new Set<Role>(['identity', 'resource', 'resourceGroup', 'permissionsGroup'])

/** A few letters that tell expressions apart. */
function mark(expression: string): string {
  let hash = 2166136261
  for (let i = 0; i < expression.length; i++) hash = Math.imul(hash ^ expression.charCodeAt(i), 16777619)
  return (hash >>> 0).toString(36)
}

function understood(name: string, role: Role, { brand }: Settings): boolean {
  switch (role) {
    case 'identity':
      return readIdentity(name, { pattern: true }).faults === undefined
    case 'resource':
      return readResourcePattern(name).faults === undefined
    case 'resourceGroup':
      return readResourceGroup(name, { pattern: true }).faults === undefined
    case 'permissionsGroup':
      return readPermissionsGroup(name).faults === undefined
    case 'action':
      return readActionPattern(name, brand).faults === undefined
    default:
      return !name.includes('*')
  }
}

function textNode(at: UnknownNode, value: string): TextNode {
  return { kind: 'text', value, source: at.source, start: at.start, end: at.end }
}

/** A template with a text in its holes: what is written of it stays where it is. */
function templateNode({ source, start, end, pieces, offsets, holes }: UnknownNode, fill: string): TextNode {
  const value = pieces.join(fill)
  if (!offsets || !holes) return { kind: 'text', value, source, start, end }
  const at: number[] = []
  let written = 0
  for (const [i, piece] of pieces.entries()) {
    for (let unit = 0; unit < piece.length; unit++) at.push(offsets[written++] as number)
    const hole = holes[i]
    if (hole && i < pieces.length - 1) for (let unit = 0; unit < fill.length; unit++) at.push(unit === 0 ? hole.start : hole.end)
  }
  at.push((at.at(-1) ?? start) + 1)
  return { kind: 'text', value, source, start, end, offsets: at }
}

function listOf({ source, start, end }: UnknownNode, items: readonly Node[]): ListNode {
  return { kind: 'list', source, start, end, items }
}

function mapOf(at: UnknownNode, ...fields: (string | Node)[]): MapNode {
  const { source, start, end } = at
  const entries: Entry[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) entries.push({ key: textNode(at, fields[i] as string), value: fields[i + 1] as Node })
  return { kind: 'map', source, start, end, entries }
}
