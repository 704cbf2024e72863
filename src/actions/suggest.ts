import { isSlip, nearest } from '../nearest.ts'
import type { Catalogue } from './catalogue.ts'
import { namespacesOf } from './namespaces.ts'

type Known = Pick<Catalogue, 'products' | 'types' | 'typesOf'>

/** The path of a known action: its words, their letters without what separates them, and the key of the words from each one on. */
export interface KnownPath {
  readonly words: readonly string[]
  readonly letters: string
  readonly endings: readonly string[]
}

/** The last words that most actions have. One is never suggested for another: reading is not a typo of deleting. */
const verbs: readonly string[] = ['create', 'delete', 'edit', 'get']

/** Verbs that users write for those of actions: methods of the API, and words of other providers. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ...['list', 'read', 'view', 'describe', 'show'].map((word) => [word, 'get'] as const),
  ...['update', 'modify', 'change', 'write', 'put', 'patch', 'set'].map((word) => [word, 'edit'] as const),
  ...['add', 'new', 'post', 'insert'].map((word) => [word, 'create'] as const),
  ...['remove', 'del', 'destroy', 'drop'].map((word) => [word, 'delete'] as const),
])

/** See `Catalogue.nearestProduct`. */
export function nearestProduct(text: string, known: Known): string | undefined {
  const server = known.types.includes(text) ? known.products.filter((product) => known.typesOf(product).includes(text)) : []
  return sameLetters(text, known.products) ?? (server.length === 1 ? server[0] : undefined) ?? nearest(text, known.products)
}

/** See `Catalogue.nearestType`. */
export function nearestType(text: string, known: Known): string | undefined {
  return sameLetters(text, known.types) ?? known.typesOf(text).find((type) => type !== text) ?? nearest(text, known.types)
}

/**
 * The known action that a misspelt one probably means; of the URN of a resource, the one with the type that is probably meant. Undefined
 * for a known name, and where that cannot be said.
 */
export function intendedBy(
  catalogue: Known & Pick<Catalogue, 'has' | 'nearestAction' | 'nearestType'>,
): (text: string) => string | undefined {
  return (text) => {
    const [, before = '', type = '', name = ''] = /^(urn:v1:[^:]*:resource:)([^:*]+)(:.*)$/.exec(text) ?? []
    if (type === '') return catalogue.has(withoutParameter(text)) ? undefined : catalogue.nearestAction(text)
    // A product without known types has the type of its name.
    const isKnown = catalogue.types.includes(type) || (catalogue.products.includes(type) && catalogue.typesOf(type).length === 0)
    const meant = isKnown ? undefined : catalogue.nearestType(type)
    return meant === undefined ? undefined : `${before}${meant}${name}`
  }
}

/** See `Catalogue.nearestAction`. `pathsOf` gives `pathsByNamespace` of a product's actions. */
export function nearestAction(
  text: string,
  knownNames: Known & { readonly pathsOf: (product: string) => ReadonlyMap<string, readonly KnownPath[]> },
): string | undefined {
  const [product = '', ...others] = withoutParameter(text).split(':')
  const meant = knownNames.products.includes(product) ? product : nearestProduct(product, knownNames)
  const path = others.pop()
  if (meant === undefined || !path) return undefined
  const namespace = others.pop()
  if (others.length > 0) return undefined
  const open = path === '*' || path.endsWith('/*')
  const words = path.split('/')
  if (open) words.pop()
  if (words.some((word) => word.includes('*'))) return undefined
  if (words.length === 0 && namespace === undefined) return different(`${meant}:*`, text)
  for (const [start, paths] of knownNames.pathsOf(meant)) {
    // Actions that a program of the product checks are suggested only for names in their namespace.
    const isNear =
      namespace === undefined ||
      (namespacesOf(meant).includes(start) ? isSlip(namespace, start) : sameNamespace(namespace, start, words, paths))
    if (!isNear) continue
    const suggestion = open ? nearestBranch(words, paths) : nearestPath(words, paths, meant)
    if (suggestion) return different(`${meant}:${start}:${[...suggestion, ...(open ? ['*'] : [])].join('/')}`, text)
  }
  return undefined
}

/**
 * Whether an unknown action, or a pattern of one, is certainly a typo of a known one: each word differs at most in a letter,
 * in case or in wording, or the last word is missing. Anything else may as well be newer than the catalogue:
 * most of what the service adds is near to something that it had before.
 */
export function isSlipForAction(written: string, meant: string): boolean {
  const [product = '', namespace = '', path = ''] = withoutParameter(written).split(':')
  const [product2 = '', namespace2 = '', path2 = ''] = meant.split(':')
  if (!isSlip(product, product2) || !isSlip(namespace, namespace2)) return false
  const words = path.split('/')
  const words2 = path2.split('/')
  if (lettersOf(path) === lettersOf(path2)) return true
  if (same([...words, 'get'], words2)) return true
  return (
    words.length === words2.length &&
    words.every((word, i) => isSlip(word, words2[i] as string) || otherWords.get(word.toLowerCase()) === words2[i])
  )
}

function withoutParameter(text: string): string {
  const question = text.indexOf('?')
  return question < 0 ? text : text.slice(0, question)
}

function different(suggestion: string, text: string): string | undefined {
  return suggestion === text ? undefined : suggestion
}

/** The paths of a product's actions, in their order, by namespace. */
export function pathsByNamespace(actions: readonly string[]): ReadonlyMap<string, readonly KnownPath[]> {
  const out = new Map<string, KnownPath[]>()
  for (const action of actions) {
    const [, namespace = '', path = ''] = action.split(':')
    const paths = out.get(namespace) ?? []
    const words = path.split('/')
    paths.push({ words, letters: lettersOf(path), endings: words.map((_, i) => partsOf(words.slice(i)).join(' ')) })
    out.set(namespace, paths)
  }
  return out
}

/**
 * Whether a written namespace may be a typo of a known one: a typo, another brand's, or one under which the same path is known. A
 * separate namespace (`openstack`) is not a typo, and its actions are unknown.
 */
function sameNamespace(written: string, known: string, words: readonly string[], paths: readonly KnownPath[]): boolean {
  if (written === known || nearest(written, [known]) !== undefined) return true
  if (written.startsWith('api') && known.startsWith('api')) return true
  return paths.some((path) => same(path.words, words))
}

/** The path probably intended: first with another wording, then with a typo in each word, then with a missing or additional first word. */
function nearestPath(words: readonly string[], paths: readonly KnownPath[], product: string): readonly string[] | undefined {
  const last = words.at(-1) ?? ''
  const rest = words.slice(0, -1)
  const verb = otherWords.get(last.toLowerCase())
  const respelt = [words, ...(verb ? [[...rest, verb]] : []), ...(verb || verbs.includes(last) ? [rest] : []), [...words, 'get']]
  for (const candidate of respelt) {
    const match = paths.find((path) => same(path.words, candidate))
    if (match) return match.words
  }
  const letters = lettersOf(words.join(''))
  const respaced = paths.find((path) => path.letters === letters)
  if (respaced) return respaced.words
  // The path of a call may repeat the product, and the calls of actions without a verb are made with POST.
  for (const dropped of [[], partsOf([product]), ['create']]) {
    const parts = partsOf(words).filter((part) => !dropped.includes(part))
    const reordered = alike(parts.join(' '), paths)
    if (reordered) return reordered.words
  }
  const all = paths.map((path) => path.words)
  const sameLength = all.filter((path) => path.length === words.length)
  const typo = walk(words, sameLength)
  if (typo && !(verbs.includes(last) && typo.at(-1) !== last)) return typo
  if (verb) {
    const respeltSlip = walk([...rest, verb], sameLength)
    if (respeltSlip?.at(-1) === verb) return respeltSlip
  }
  return only(all.filter((path) => path.at(-1) === last && (oneMore(path, words) || same(path, words.slice(1)))))
}

/** The only path that has these parts, or further words before them; of a few such paths, the only one without further words. */
function alike(parts: string, paths: readonly KnownPath[]): KnownPath | undefined {
  const found = paths.filter(({ endings }) => endings.includes(parts))
  return only(found) ?? only(found.filter(({ endings }) => endings[0] === parts && found.length <= mostAlike))
}

/** Parts with which more actions end say too little of the one that was meant. */
const mostAlike = 4

/**
 * The parts of words in one order, with the verbs of actions: those of `createSnapshot` and `post/snapshots`, as calls of the API are
 * named, are those of `snapshot/create`.
 */
function partsOf(words: readonly string[]): readonly string[] {
  return words
    .join('/')
    .split(/[/._-]|(?<=[a-z\d])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .map((word) => otherWords.get(word) ?? word.replace(/(?<=..)s$/, ''))
    .sort()
}

/** The start of paths probably intended. */
function nearestBranch(words: readonly string[], paths: readonly KnownPath[]): readonly string[] | undefined {
  const branches = paths.filter((path) => path.words.length > words.length).map((path) => path.words.slice(0, words.length))
  const letters = lettersOf(words.join('/'))
  return branches.find((branch) => lettersOf(branch.join('/')) === letters) ?? walk(words, branches)
}

/** Word by word, each the same or the nearest among those that may follow; none where one has no near word. */
function walk(words: readonly string[], paths: readonly (readonly string[])[]): readonly string[] | undefined {
  let remaining = paths
  for (const [i, word] of words.entries()) {
    const next = new Set(remaining.map((path) => path[i] as string))
    const chosen = next.has(word) ? word : nearest(word, next)
    remaining = remaining.filter((path) => path[i] === chosen)
  }
  return remaining[0]
}

/** Whether the longer list is the shorter one with one word put in. */
function oneMore(longer: readonly string[], shorter: readonly string[]): boolean {
  return longer.some((_, i) => same(longer.toSpliced(i, 1), shorter))
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i])
}

/** The letters alone: `attached_domain/get`, `AttachedDomain/Get` and `attached/domain/get` are one. */
function lettersOf(text: string): string {
  return text.replace(/[/._-]/g, '').toLowerCase()
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined
}

function sameLetters(text: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(text)
  return names.find((name) => name !== text && lettersOf(name) === letters)
}
