import type { Catalogue } from '../../actions/catalogue.ts'
import { type Glob, glob, hasInnerWildcard, overlaps } from '../../glob.ts'
import type { ListName } from '../../policy.ts'
import type { Located } from '../../source.ts'
import type { RuleContext } from '../rule.ts'

/** What the catalogue has to say about one entry: at most one thing, the most specific. */
export type EntryFault =
  | { readonly kind: 'unknown-product'; readonly product: string; readonly nearest: string | undefined }
  | { readonly kind: 'unknown-action'; readonly action: string }
  | { readonly kind: 'wildcard-without-action'; readonly nearest: string | undefined }
  | { readonly kind: 'wildcard-in-product'; readonly start: string; readonly products: readonly string[] }
  | { readonly kind: 'wildcard-for-one-action'; readonly action: string }

const judged = new WeakMap<RuleContext, Map<string, EntryFault | undefined>>()

/**
 * Hold an entry against the catalogue. What the catalogue cannot know is not judged: actions in other namespaces than
 * the API's own, and products of which it has a resource type but no action.
 */
export function judge(entry: Located<Glob>, list: ListName, context: RuleContext): EntryFault | undefined {
  const known = judged.get(context) ?? new Map<string, EntryFault | undefined>()
  judged.set(context, known)
  const key = `${list} ${entry.value.text}`
  if (!known.has(key)) known.set(key, judgeText(entry.value.text, list, context))
  return known.get(key)
}

function judgeText(written: string, list: ListName, { catalogue, settings }: RuleContext): EntryFault | undefined {
  // The parameter after `?` is free text and no part of the catalogue's names.
  const text = written.split('?', 1)[0] as string
  const colon = text.indexOf(':')
  const star = text.indexOf('*')
  const own = colon < 0 || overlaps(glob(text.slice(colon + 1)), glob(`api${settings.brand}:*`))
  const product = colon > 0 && (star < 0 || star > colon) ? text.slice(0, colon) : undefined
  if (product !== undefined && catalogue.actionsOf(product).length === 0) return judgeProduct(product, own, catalogue)
  if (!own) {
    // With the namespace put in, `vps:reinstall*` matches something: then it was left out by mistake.
    const meant = `${product}:api${settings.brand}:${text.slice(colon + 1)}`
    const forgotten = product !== undefined && !text.includes(':', colon + 1) && catalogue.expand(glob(meant)).length > 0
    return forgotten ? { kind: 'wildcard-without-action', nearest: meant } : undefined
  }
  if (star < 0) return catalogue.has(text) ? undefined : { kind: 'unknown-action', action: text }

  const pattern = glob(text)
  const start = product === undefined ? text.slice(0, star) : ''
  const inner = hasInnerWildcard(pattern)
  if (inner && start === '') return undefined
  if (product !== undefined && (text === `${product}:*` || text === `${product}:api${settings.brand}:*`)) return undefined
  const actions = catalogue.expand(pattern)
  if (start !== '' && list === 'allow' && actions.length > 0) {
    return { kind: 'wildcard-in-product', start, products: [...new Set(actions.map((a) => a.slice(0, a.indexOf(':'))))] }
  }
  if (inner) return undefined
  if (actions.length === 0) return { kind: 'wildcard-without-action', nearest: catalogue.nearestAction(text) }
  // In `except` and `deny` a wildcard rightly takes in what will come later.
  return list === 'allow' && actions.length === 1 ? { kind: 'wildcard-for-one-action', action: actions[0] as string } : undefined
}

function judgeProduct(product: string, own: boolean, catalogue: Catalogue): EntryFault | undefined {
  if (catalogue.types.includes(product) && !catalogue.products.some((p) => catalogue.typesOf(p).includes(product))) return undefined
  const near = catalogue.nearestProduct(product)
  return own || near !== undefined ? { kind: 'unknown-product', product, nearest: near } : undefined
}
