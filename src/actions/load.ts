import { type Glob, glob, matches } from '../glob.ts'
import { defaultSettings } from '../names.ts'
import type { Catalogue, Deprecation } from './catalogue.ts'
import { catalogueTable } from './catalogue-table.ts'
import { deprecatedActions } from './deprecated.ts'
import { programActionsOf, programProducts } from './namespaces.ts'
import { type KnownPath, nearestAction, nearestProduct, nearestType, pathsByNamespace } from './suggest.ts'
import { branded, unfold } from './unfold.ts'

/** The content of a catalogue. Functions are called once, when the value is first needed. */
export interface CatalogueFacts {
  /** `YYYY-MM`. */
  readonly seen: string
  /** How many actions all products have together. */
  readonly size: number
  /** By product, whole action names in any order, without repetition. */
  readonly products: ReadonlyMap<string, ProductFacts>
  readonly types: () => readonly string[]
  /** Products whose actions are also about other resource types than the one named after them. */
  readonly serves: () => ReadonlyMap<string, readonly string[]>
  /** Actions that are on their way out; none when not given. `about`: at least those of this product. */
  readonly deprecated?: (about?: string) => ReadonlyMap<string, Deprecation>
  /** The month some actions were first seen, `YYYY-MM`; of none when not given. */
  readonly since?: ReadonlyMap<string, string>
  /** By branch, the month as of which every operation is known; of none when not given. */
  readonly complete?: Catalogue['complete']
}

/** Of the built-in catalogue (docs/catalogue.md, What the built-in catalogue holds). */
const complete = { v1: '2026-05' }

export interface ProductFacts {
  /** `YYYY-MM`. */
  readonly seen: string
  readonly actions: () => readonly string[]
}

/**
 * The catalogue of the package, for a brand word. Cheap: only the offset of each product in the table is read; a product is
 * parsed when it is first asked about.
 */
export function loadCatalogue(brand = defaultSettings.brand): Catalogue {
  const facts = tableFacts(catalogueTable, brand)
  const products = new Map(facts.products)
  let more = 0
  for (const product of programProducts()) {
    const { seen, actions } = facts.products.get(product) ?? { seen: facts.seen, actions: () => [] }
    const others = programActionsOf(product)
    products.set(product, { seen, actions: () => [...actions(), ...others] })
    more += others.length
  }
  return catalogueOf({ ...facts, size: facts.size + more, products, deprecated: (about) => deprecatedActions(brand, about), complete })
}

/**
 * The facts in a table as `scripts/catalogue.mjs` writes it: a head, products, types, and what products serve. The head has the month, how
 * many actions there are, and groups of words, each behind the character that products have in its place.
 */
export function tableFacts(table: string, brand: string): CatalogueFacts {
  const [head = '', productPart = '', typePart = '', servesPart = ''] = table.split('\n\n')
  const [seen = '', size = '', ...groups] = head.split(' ')
  const whole = (line: string) => groups.reduce((text, group) => text.replaceAll(group.charAt(0), group.slice(1)), line)
  const products = new Map<string, ProductFacts>()
  for (const line of productPart.split('\n')) {
    const end = line.indexOf(' ')
    const product = branded(line.slice(0, end), brand)
    const actions = () => unfold(whole(line.slice(end + 9))).map((path) => `${product}:api${brand}:${branded(path, brand)}`)
    products.set(product, { seen: line.slice(end + 1, end + 8), actions })
  }
  const names = (folded: string) => unfold(folded).map((name) => branded(name, brand))
  const serves = () =>
    new Map(
      servesPart
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ') as [string, string])
        .map(([product, types]) => [branded(product, brand), names(types)]),
    )
  return { seen, size: Number(size), products, types: () => names(typePart), serves }
}

/** A catalogue over the given facts. */
export function catalogueOf(facts: CatalogueFacts): Catalogue {
  const lists = new Map<string, readonly string[]>()
  const sets = new Map<string, ReadonlySet<string>>()
  const paths = new Map<string, ReadonlyMap<string, readonly KnownPath[]>>()
  const products = once(() => [...facts.products.keys()].sort())
  const types = once(() => [...facts.types()].sort())
  const typeSet = once(() => new Set(types()))
  const serves = once(facts.serves)
  const deprecated = facts.deprecated ?? (() => new Map<string, Deprecation>())
  const deprecatedNames = once(() => [...deprecated().keys()].sort())
  const deprecatedIn = keeping(deprecated)

  const actionsOf = (product: string): readonly string[] => {
    const cached = lists.get(product)
    if (cached) return cached
    const list = [...(facts.products.get(product)?.actions() ?? [])].sort()
    if (list.length > 0) lists.set(product, list)
    return list
  }

  const has = (action: string): boolean => {
    const product = action.slice(0, action.indexOf(':'))
    if (!facts.products.has(product)) return false
    let set = sets.get(product)
    if (!set) {
      set = new Set(actionsOf(product))
      sets.set(product, set)
    }
    return set.has(action)
  }

  const expand = (pattern: Glob): readonly string[] => {
    if (pattern.pieces.length === 1) return has(pattern.text) ? [pattern.text] : []
    return expanded(pattern.text)
  }

  // Large sets of policies have the same patterns again and again.
  const expanded = keeping((text): readonly string[] => {
    const pattern = glob(text)
    const head = pattern.pieces[0] as string
    const colon = head.indexOf(':')
    const designated = (product: string) => actionsOf(product).filter((action) => matches(pattern, action))
    if (colon >= 0) return designated(head.slice(0, colon))
    // Sorted again at the end: a product's name may be the start of another's, and `:` sorts after digits.
    return products()
      .filter((product) => product.startsWith(head))
      .flatMap(designated)
      .sort()
  }, mostExpanded)

  const typesOf = (product: string): readonly string[] => {
    const served = serves().get(product)
    return served ? [...served].sort() : typeSet().has(product) ? [product] : []
  }

  const pathsOf = (product: string): ReadonlyMap<string, readonly KnownPath[]> => {
    const known = paths.get(product) ?? pathsByNamespace(actionsOf(product))
    paths.set(product, known)
    return known
  }
  const catalogue = {
    get products() {
      return products()
    },
    get types() {
      return types()
    },
    typesOf,
    pathsOf,
  }

  return {
    seen: facts.seen,
    complete: facts.complete,
    size: facts.size,
    get products() {
      return products()
    },
    get types() {
      return types()
    },
    seenOf: (product) => facts.products.get(product)?.seen,
    has,
    actionsOf,
    expand,
    typesOf,
    get deprecated() {
      return deprecatedNames()
    },
    deprecationOf: (action) => deprecatedIn(action.slice(0, action.indexOf(':'))).get(action),
    sinceOf: (action) => facts.since?.get(action),
    nearestAction: keeping((action) => nearestAction(action, catalogue)),
    nearestProduct: (product) => nearestProduct(product, catalogue),
    nearestType: keeping((type) => nearestType(type, catalogue)),
  }
}

/** So many answers are kept in mind: a script may ask about the same names again and again. Those to patterns may be long lists. */
const [mostKept, mostExpanded] = [10_000, 500]

function keeping<T>(find: (text: string) => T, most = mostKept): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const result = results.has(text) ? (results.get(text) as T) : find(text)
    if (results.size >= most) results.clear()
    results.set(text, result)
    return result
  }
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
