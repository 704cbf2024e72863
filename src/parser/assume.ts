import { readActionPattern } from '../actions/action.ts'
import { readInstant } from '../conditions/time.ts'
import type { Settings } from '../names.ts'
import type { Span } from '../source.ts'
import { digest, type Entry, type ListNode, type MapNode, type Node, symbolOf, type TextNode, type UnknownNode } from '../tree.ts'
import { readIdentity } from '../urn/identity.ts'
import { readPermissionsGroup, readResourceGroup, readResourcePattern } from '../urn/resource.ts'

/**
 * Assignments: values chosen for the unknowns. A value that is not known is a symbol: the same symbol gets the same value. What is
 * found in a policy for every assignment is a finding (see `certain.ts`).
 *
 * The first assignment has a name of its own for each symbol, the second other names, of another kind, length and order, so that no
 * finding rests on the names. The others make symbols absent, equal to one another, or equal to what is written nearby.
 */
export type Assignment = 'first' | 'second' | 'least' | 'most' | 'granted' | 'refused' | 'alike' | number

/** How many assignments choose for each symbol by itself. */
const mixtures = 12
/** As many again where records may not be there, so that of any two there is an assignment with only the one, and another with only the other. */
const separations = 12
/** Whether an assignment only distinguishes records that may not be there. */
export const isSeparation = (assignment: Assignment): boolean => typeof assignment === 'number' && assignment >= mixtures
export const assignments: readonly Assignment[] = [
  'first',
  'second',
  'least',
  'most',
  'granted',
  'refused',
  'alike',
  ...Array.from({ length: mixtures + separations }, (_, i) => i),
]

/** What one entry is in an assignment. */
type Choice = 'first' | 'second' | 'absent' | 'most' | 'alike' | { readonly written: string }

/** What a text is the name of, by the field that holds it. */
type Role = 'identity' | 'resource' | 'resourceGroup' | 'permissionsGroup' | 'action' | 'instant' | 'text'

/** What stands below a field; a field that is not listed holds texts. */
interface Place {
  readonly role: Role
  /** What stands in its place as a whole. */
  readonly holds: 'text' | 'texts' | 'maps' | 'permissions' | 'condition'
  /** The field of its items that holds the name. */
  readonly key?: string
  /** The list or field that it is in. */
  readonly field: string
}

const fields: Readonly<Record<string, Omit<Place, 'field'>>> = {
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

const top: Place = { role: 'text', holds: 'text', field: '' }

function placeUnder(key: string, place: Place): Place {
  if (key === 'urn') return { role: place.role === 'text' ? 'resource' : place.role, holds: 'text', field: place.field }
  const known = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (!known) return { role: 'text', holds: 'text', field: key }
  return { ...known, field: key === 'action' ? place.field : key }
}

/** By each name that is made up the texts that hold it, and what stands for each in messages. */
export type Words = Map<string, Map<string, string>>

/** Letters that nobody writes, before every name that is made up; the first sort before most names, the second behind. */
const signs = { first: 'aaxq', second: 'zzxq' } as const
/** What all symbols are called in the assignment in which they are the same. */
const alike = `${signs.first}alike`
/** Names that are made up, in a text. */
export const madeUp = /(?:aaxq|zzxq)[0-9a-z]{16}/g
/** A part of one at least. */
export const madeUpPart = /aaxq|zzxq/

/** Values that are taken for those that are not known, as they are written in the same documents, by field. */
type Written = ReadonlyMap<string, readonly string[]>

/** How many of the written values an unknown one is held against. */
const mostWritten = 8

/** The texts in documents by the fields they are in. */
export function writtenIn(documents: readonly Node[]): Written {
  const found = new Map<string, Set<string>>()
  const collect = (node: Node, place: Place) => {
    if (node.kind === 'list') for (const item of node.items) collect(item, place)
    else if (node.kind === 'map') for (const { key, value } of node.entries) collect(value, placeUnder(key.value, place))
    else if (node.kind === 'text') {
      const key = keyOf(place)
      const known = found.get(key) ?? new Set()
      found.set(key, known.add(node.value))
    }
  }
  for (const document of documents) collect(document, top)
  return new Map([...found].map(([key, texts]) => [key, [...texts]]))
}

/** Names of one kind may be the same wherever they stand; other texts where they are in the same field. */
function keyOf({ role, field }: Place): string {
  return role === 'text' ? `text ${field}` : role
}

/** Whether a record that may not be there is there in an assignment. */
export function isThere({ perhaps = [] }: MapNode, assignment: Assignment): boolean {
  if (perhaps.length === 0) return true
  if (assignment === 'least') return false
  if (typeof assignment !== 'number') return true
  // Each two assignments look at a digit of their own and take its two values for present: records of other symbols are not always together.
  return ((numberOf(perhaps.map(symbolOf).join(' ')) >>> (assignment >>> 1)) & 1) === (assignment & 1)
}

/** A document as it would be if everything in it that is not known were as one assignment says. Undefined: it would not be there. */
export function assumed(document: Node, assignment: Assignment, settings: Settings, written: Written, words?: Words): Node | undefined {
  return filled(document, top)

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
    if (item.kind === 'unknown') {
      if (mayBeMissing(item) && choiceFor(item, place) === 'absent') return undefined
      if (place.holds === 'condition') return wholeOf(item, place)
      const value = textOf(item, place)
      return place.key === undefined ? value : mapOf(item, place.key, value)
    }
    if (item.kind === 'map') {
      const name = item.entries.find(({ key }) => key.value === place.key)?.value
      if (name?.kind === 'unknown' && mayBeMissing(name) && choiceFor(name, place) === 'absent') return undefined
    }
    return filled(item, place)
  }

  function filledMap(node: MapNode, place: Place): MapNode | undefined {
    if (!isThere(node, assignment)) return undefined
    const entries = node.entries.flatMap((entry): Entry[] => {
      const value = filled(entry.value, placeUnder(entry.key.value, place))
      return value ? [{ key: entry.key, value }] : []
    })
    const { perhaps: _, unread: __, ...rest } = node
    return { ...rest, entries }
  }

  function wholeOf(node: UnknownNode, place: Place): Node | undefined {
    const isAbsent = choiceFor(node, place) === 'absent'
    switch (place.holds) {
      case 'text':
        return isAbsent && place.role === 'instant' ? undefined : textOf(node, place)
      case 'texts':
        return listOf(node, isAbsent ? [] : [textOf(node, place)])
      case 'maps':
        return listOf(node, isAbsent ? [] : [mapOf(node, place.key as string, textOf(node, place))])
      case 'permissions':
        return permissionsOf(node, place)
      case 'condition':
        return isAbsent
          ? undefined
          : mapOf(node, 'operator', textNode(node, 'MATCH'), 'values', mapOf(node, `resource.Tag(${signs.first})`, textOf(node, place)))
    }
  }

  function permissionsOf(node: UnknownNode, place: Place): MapNode {
    const list = assignment === 'refused' ? 'deny' : 'allow'
    if (choiceFor(node, { ...place, field: list }) === 'absent') return mapOf(node)
    return mapOf(node, list, listOf(node, [mapOf(node, 'action', textOf(node, { ...place, field: list }))]))
  }

  function choiceFor(node: UnknownNode, place: Place): Choice {
    if (node.isName) return assignment === 'second' ? 'second' : 'first'
    const isAgainst = place.field === 'except' || place.field === 'deny'
    if (assignment === 'least') return 'absent'
    if (assignment === 'granted') return isAgainst ? 'absent' : 'most'
    if (assignment === 'refused') return isAgainst ? 'most' : 'absent'
    if (typeof assignment !== 'number') return assignment
    const candidates = (written.get(keyOf(place)) ?? []).filter((text) => fillsOf(node.shape ?? node.pieces, text) !== undefined)
    const symbol = numberOf(symbolOf(node))
    // Of many those that are not the same for every value.
    const near = candidates.slice((symbol >>> 3) % Math.max(candidates.length - mostWritten + 1, 1)).slice(0, mostWritten)
    const choices: readonly Choice[] = [...near.map((text) => ({ written: text })), 'absent', 'most', 'alike', 'second']
    return choices[(symbol + assignment) % choices.length] as Choice
  }

  function textOf(node: UnknownNode, place: Place): TextNode {
    const { role } = place
    const choice = choiceFor(node, place)
    if (typeof choice === 'object') return templateNode(node, fillsOf(node.pieces, choice.written) as readonly string[])
    const name = choice === 'absent' ? 'second' : choice
    if (isWhole(node) || (role === 'instant' && !fitting(node, role, name))) {
      const text = wholeName(node, role, name, settings)
      note(node, name, 0, text, node.expression)
      return textNode(node, text)
    }
    const fills = fitting(node, role, name) ?? node.pieces.slice(1).map((_, i) => tokenOf(node, i, name))
    const text = joinedBy(node.pieces, fills)
    for (const i of fills.keys()) note(node, name, i, text, node.expression)
    return templateNode(node, fills)
  }

  /** Texts for the holes of a template with which it is legal; undefined where none are found. */
  function fitting(node: UnknownNode, role: Role, choice: Exclude<Choice, object | 'absent'>): readonly string[] | undefined {
    const holes = node.pieces.slice(1)
    if (holes.length === 0) return []
    const tokens = holes.map((_, i) => tokenOf(node, i, choice, role))
    const last = holes.length - 1
    const attempts: (readonly string[])[] = []
    if (choice === 'most')
      attempts.push(
        holes.map(() => '*'),
        tokens.with(last, '*'),
      )
    attempts.push(tokens)
    const options = [...(role === 'instant' ? instantParts : role === 'identity' ? kinds : []), ...settings.regions]
    const turned = choice === 'second' || choice === 'alike' ? options.toReversed() : options
    for (const i of holes.keys()) for (const option of turned) attempts.push(tokens.with(i, option))
    for (const option of turned) attempts.push(holes.map(() => option))
    return attempts.find((fills) => understood(joinedBy(node.pieces, fills), role, settings))
  }

  function note(node: UnknownNode, choice: Choice, hole: number, text: string, expression: string): void {
    if (!words || (choice !== 'first' && choice !== 'second')) return
    const token = bareToken(node, hole, choice)
    const known = words.get(token) ?? new Map<string, string>()
    words.set(token, known.set(text, expression))
    // Of a value that is not known at all no part is anything that was written.
    if (!isWhole(node)) known.set(token, holeWords(node, hole))
  }
}

/** Kinds that may stand in a hole of an identity, and parts of instants. */
const kinds = ['user', 'credential', 'account', 'group']
const instantParts = ['2999-12-31T00:00:00Z', '2999-12-31', '00:00:00Z', 'T00:00:00Z', 'Z', '2999', '12', '01', '00', '+00:00']

function numberOf(text: string): number {
  return Number.parseInt(digest(text).slice(-6), 36)
}

function joinedBy(pieces: readonly string[], fills: readonly string[]): string {
  return pieces.map((piece, i) => (i === 0 ? piece : `${fills[i - 1]}${piece}`)).join('')
}

/** A name for a hole: of one symbol, and of nothing else. */
function bareToken(node: UnknownNode, hole: number, choice: 'first' | 'second'): string {
  return `${signs[choice]}${digest(`${hole} ${symbolOf(node)}`)
    .padEnd(16, 'x')
    .slice(0, 16)}`
}

function tokenOf(node: UnknownNode, hole: number, choice: Exclude<Choice, object | 'absent'>, role: Role = 'text'): string {
  if (choice === 'alike') return alike
  if (choice === 'most') return bareToken(node, hole, 'second')
  const token = bareToken(node, hole, choice)
  // What a service account is called is not known either.
  return choice === 'second' && role === 'identity' && (node.pieces[hole] ?? '').endsWith('/') ? `oauth2-${token}` : token
}

/** Whether nothing may stand in the place of an entry. */
function mayBeMissing(node: UnknownNode): boolean {
  return node.isSpread === true || (isWhole(node) && node.shape === undefined)
}

function isWhole({ pieces }: UnknownNode): boolean {
  return pieces.every((piece) => piece === '')
}

/** A name for what is not known at all; the same one for the same symbol, so that what refers to a thing still does. */
function wholeName(node: UnknownNode, role: Role, choice: Exclude<Choice, object | 'absent'>, settings: Settings): string {
  const { brand, regions } = settings
  const isSecond = choice === 'second'
  const region = (isSecond ? regions.at(-1) : regions[0]) ?? 'eu'
  const word = choice === 'alike' ? alike : bareToken(node, 0, choice === 'most' ? 'first' : choice)
  if (node.shape && named.has(role)) {
    const [head = '', ...rest] = node.shape
    // What begins so, whatever follows: a pattern of more than one wildcard is no identity.
    if (choice === 'most' && role !== 'permissionsGroup') return `${head}${region}${rest[0]}*`
    return `${head}${region}${rest.join(word)}`
  }
  const kind = isSecond ? 'group' : 'user'
  const names: Readonly<Record<Role, readonly [one: string, most: string]>> = {
    identity: [`urn:v1:${region}:identity:${kind}:${word}/${word}`, `urn:v1:${region}:identity:user:*`],
    resource: [`urn:v1:${region}:resource:${word}:${word}`, `urn:v1:${region}:resource:*`],
    resourceGroup: [`urn:v1:${region}:resourceGroup:${word}`, `urn:v1:${region}:resourceGroup:*`],
    permissionsGroup: [`urn:v1:${region}:permissionsGroup:${word}:${word}`, `urn:v1:${region}:permissionsGroup:${word}:${word}`],
    action: [`${word}:api${brand}:${word}`, '*'],
    instant: [isSecond ? '2998-06-30T12:00:00Z' : '2999-12-31T00:00:00Z', '2000-01-01T00:00:00Z'],
    text: [word, word],
  }
  return names[role][choice === 'most' ? 1 : 0]
}

/** What has a URN for its name. */
const named: ReadonlySet<Role> = new Set<Role>(['identity', 'resource', 'resourceGroup', 'permissionsGroup'])

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
    case 'instant':
      return readInstant(name) !== undefined
    default:
      return !name.includes('*')
  }
}

/** The texts with which a template gives a text, each as short as it can be; undefined where it cannot, and where it has no holes. */
function fillsOf(pieces: readonly string[], text: string): readonly string[] | undefined {
  const [first = '', ...rest] = pieces
  const last = rest.at(-1)
  if (last === undefined) return undefined
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined
  const end = text.length - last.length
  const fills: string[] = []
  let at = first.length
  for (const piece of rest.slice(0, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return undefined
    fills.push(text.slice(at, found))
    at = found + piece.length
  }
  return [...fills, text.slice(at, end)]
}

/** What stands in a hole, as people wrote it. */
function holeWords({ expression, pieces, holes }: UnknownNode, hole: number): string {
  const span = holes?.[hole]
  const written = span?.source.text.slice(span.start, span.end) ?? ''
  if (/^\$\{[^{}]*\}$/.test(written)) return written
  const [head = '', tail = ''] = [pieces[0], pieces.at(-1)]
  const isOnly = pieces.length === 2 && expression.startsWith(head) && expression.endsWith(tail)
  return isOnly ? expression.slice(head.length, expression.length - tail.length) : `\${${expression}}`
}

function textNode(at: UnknownNode, value: string): TextNode {
  return { kind: 'text', value, source: at.source, start: at.start, end: at.end }
}

/** A template with texts in its holes: what is written of it stays where it is. */
function templateNode({ source, start, end, pieces, offsets, holes }: UnknownNode, fills: readonly string[]): TextNode {
  const value = joinedBy(pieces, fills)
  if (!offsets || !holes) return { kind: 'text', value, source, start, end }
  const at: number[] = []
  let written = 0
  for (const [i, piece] of pieces.entries()) {
    for (let unit = 0; unit < piece.length; unit++) at.push(offsets[written++] as number)
    const hole = holes[i]
    const { length = 0 } = fills[i] ?? ''
    if (hole) for (let unit = 0; unit < length; unit++) at.push(unit === 0 ? hole.start : hole.end)
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

/** What findings about documents hang on that are not wholly known. */
export interface Openness {
  /** Places that hold nothing written: a finding there would be about what was assumed. */
  readonly holes: readonly Span[]
  /** Texts of which a part is not known and that are no names in a grammar: what is found of one by itself may be about that part. */
  readonly texts: readonly Span[]
  /** Records that may not be there at all: what is found in them is found where they are. */
  readonly perhaps: readonly MapNode[]
  /** The files that something of them is written in. */
  readonly paths: ReadonlySet<string>
}

/** What findings about some documents hang on. */
export function opennessOf(documents: readonly Node[]): Openness {
  const holes: Span[] = []
  const texts: Span[] = []
  const perhaps: MapNode[] = []
  const paths = new Set<string>()
  const collect = (node: Node, place: Place) => {
    paths.add(node.source.path)
    if (node.kind === 'unknown') {
      holes.push(...(node.holes ?? [node]))
      if (place.role === 'text' || place.role === 'instant') texts.push(node)
    } else if (node.kind === 'list') for (const item of node.items) collect(item, place)
    else if (node.kind === 'map') {
      if (node.perhaps) {
        perhaps.push(node)
        holes.push(...node.perhaps)
      }
      for (const { key, value } of node.entries) collect(value, placeUnder(key.value, place))
    }
  }
  for (const document of documents) collect(document, top)
  return { holes, texts, perhaps, paths }
}
