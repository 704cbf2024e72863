import type { Catalogue } from '../actions/catalogue.ts'
import { addTo, groupedBy } from '../collections.ts'
import { covers, glob, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { printResource, readResource } from '../urn/resource.ts'
import type { AccessTriple } from './cover.ts'

type Step = 'known-actions' | 'sibling-actions' | 'common-names' | 'whole-types'

/** The levels of `--generalise`, each with its steps and a sentence for users. */
export const levels = {
  none: { steps: [], text: 'exactly what was used' },
  known: {
    steps: ['known-actions'],
    text: 'a pattern in place of actions where every action that the catalogue knows under it was used: adds only what is not known yet',
  },
  actions: {
    steps: ['sibling-actions'],
    text: '`product:namespace:path/*` where two or more actions under that path were used on the same resource',
  },
  resources: {
    steps: ['common-names'],
    text: 'a common beginning of names with `*` where two or more resources of one type were used with the same action',
  },
  types: { steps: ['whole-types'], text: 'every resource of a type of which two or more were used with the same action' },
  all: { steps: ['sibling-actions', 'whole-types'], text: '`actions` and `types` together' },
} as const satisfies Readonly<Record<string, { readonly steps: readonly Step[]; readonly text: string }>>

export type Level = keyof typeof levels

/** A pattern in a proposal, and what it grants beyond what was used. */
export interface Widening {
  readonly identities: readonly string[]
  readonly kind: 'action' | 'resource'
  readonly pattern: string
  /** The used names that it matches, sorted. */
  readonly used: readonly string[]
  /** For actions: those that the catalogue knows, that it designates and that were not used, sorted. */
  readonly adds: readonly string[] | undefined
}

export interface Generalised {
  readonly triples: readonly AccessTriple[]
  readonly widened: readonly Widening[]
}

/** Each identity is looked at by itself: nothing is granted of a product, or on a type of resource, of which it used nothing. */
export function generalise(used: readonly AccessTriple[], level: Level, catalogue: Pick<Catalogue, 'expand'>): Generalised {
  let triples = used
  const widened = new Map<string, { pattern: string; kind: Widening['kind']; identities: Set<string>; used: Set<string> }>()
  const note = (kind: Widening['kind'], identity: string, pattern: string, name: string) => {
    const key = keyOf(kind, pattern)
    const widening = widened.get(key) ?? { pattern, kind, identities: new Set<string>(), used: new Set<string>() }
    widening.identities.add(identity)
    widening.used.add(name)
    widened.set(key, widening)
  }
  for (const step of levels[level].steps) triples = steps[step](triples, note, catalogue)
  return {
    triples: withoutCovered(triples),
    widened: [...widened.values()]
      .sort((a, b) => (a.pattern < b.pattern ? -1 : 1))
      .map(({ pattern, kind, identities, used }) => ({
        identities: [...identities].sort(),
        kind,
        pattern,
        used: [...used].sort(),
        adds: kind === 'action' ? catalogue.expand(glob(pattern)).filter((action) => !used.has(action)) : undefined,
      })),
  }
}

type Note = (kind: Widening['kind'], identity: string, pattern: string, name: string) => void
type Widen = (triples: readonly AccessTriple[], note: Note, catalogue: Pick<Catalogue, 'expand'>) => readonly AccessTriple[]

const steps: Readonly<Record<Step, Widen>> = {
  'known-actions': (triples, note, catalogue) =>
    widenActions(triples, note, (action, together) =>
      [...foldersOf(action), productOf(action)].reverse().find((pattern) => {
        const known = catalogue.expand(glob(pattern))
        return known.length > 1 && known.every((each) => together.has(each))
      }),
    ),
  'sibling-actions': (triples, note) =>
    widenActions(triples, note, (action, together) => {
      const siblings = (pattern: string) => [...together].filter((each) => matches(glob(pattern), each)).length
      return foldersOf(action).find((pattern) => siblings(pattern) > 1)
    }),
  'common-names': (triples, note) => widenResources(triples, note, commonName),
  'whole-types': (triples, note) => widenResources(triples, note, () => '*'),
}

/** The patterns over an action's neighbours, the nearest first: `p:n:a/b/*` and `p:n:a/*` of `p:n:a/b/c`. */
function foldersOf(action: string): readonly string[] {
  const question = action.indexOf('?')
  const path = question < 0 ? action : action.slice(0, question)
  const out: string[] = []
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) out.push(`${path.slice(0, slash)}/*`)
  return out
}

const productOf = (action: string) => `${action.slice(0, action.indexOf(':'))}:*`

/** Actions are put together that one identity used on one resource. */
function widenActions(
  triples: readonly AccessTriple[],
  note: Note,
  patternFor: (action: string, together: ReadonlySet<string>) => string | undefined,
): readonly AccessTriple[] {
  const together = new Map<string, Set<string>>()
  const key = ({ identity, resource }: AccessTriple) => keyOf(identity, resource)
  for (const triple of triples) put(together, key(triple), triple.action)
  return triples.map((triple) => {
    const pattern = patternFor(triple.action, together.get(key(triple)) ?? new Set())
    if (pattern === undefined) return triple
    note('action', triple.identity, pattern, triple.action)
    return { ...triple, action: pattern }
  })
}

/** Resources of one type are put together on which one identity used one action. */
function widenResources(
  triples: readonly AccessTriple[],
  note: Note,
  nameFor: (name: string, names: readonly string[]) => string | undefined,
): readonly AccessTriple[] {
  const together = new Map<string, Set<string>>()
  const parts = (resource: string) => readResource(resource, { pattern: false }).value
  const key = ({ identity, action }: AccessTriple, { region, type }: { readonly region: string; readonly type: string }) =>
    keyOf(identity, action, region, type)
  for (const triple of triples) {
    const resource = parts(triple.resource)
    if (resource) put(together, key(triple, resource), resource.name)
  }
  return triples.map((triple) => {
    const resource = parts(triple.resource)
    const names = resource ? [...(together.get(key(triple, resource)) ?? [])] : []
    const name = resource && names.length > 1 ? nameFor(resource.name, names) : undefined
    if (!resource || name === undefined) return triple
    const pattern = printResource({ ...resource, name })
    note('resource', triple.identity, pattern, triple.resource)
    return { ...triple, resource: pattern }
  })
}

const separators = /[-._/:]/

/** The longest beginning, up to a separator, that the name shares with another one, followed by `*`. */
function commonName(name: string, names: readonly string[]): string | undefined {
  let longest = 0
  for (const other of names) {
    if (other === name) continue
    let same = 0
    while (same < name.length && name[same] === other[same]) same++
    while (same > 0 && !separators.test(name[same - 1] as string)) same--
    longest = Math.max(longest, same)
  }
  return longest === 0 ? undefined : `${name.slice(0, longest)}*`
}

/** Each triple once, and none that another one covers. */
function withoutCovered(triples: readonly AccessTriple[]): readonly AccessTriple[] {
  return [...groupedBy(triples, ({ identity }) => identity).values()].flatMap((all) => {
    const tripleByKey = new Map(all.map((triple) => [keyOf(triple.action, triple.resource), triple]))
    const wide = [...tripleByKey.values()].filter(({ action, resource }) => action.includes('*') || resource.includes('*'))
    const isWithin = (a: AccessTriple, b: AccessTriple) =>
      a !== b && covers(glob(b.action), glob(a.action)) && covers(glob(b.resource), glob(a.resource))
    return [...tripleByKey.values()].filter((triple) => !wide.some((other) => isWithin(triple, other)))
  })
}

function put(map: Map<string, Set<string>>, key: string, value: string): void {
  addTo(map, key, value)
}
