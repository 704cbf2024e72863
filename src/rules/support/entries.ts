import { colonInPath } from '../../actions/action.ts'
import { type Catalogue, isListed } from '../../actions/catalogue.ts'
import { isSlipForAction } from '../../actions/suggest.ts'
import { type Glob, glob, hasInnerWildcard, overlaps } from '../../glob.ts'
import { isSlip } from '../../nearest.ts'
import type { Located } from '../../source.ts'
import type { RuleContext } from '../rule.ts'
import { type OddNamespace, oddNamespace } from './namespace.ts'
import { suggestion } from './suggest.ts'

/** The catalogue's objection to one entry: only the most specific. */
export type EntryFault =
  | { readonly kind: 'unknown-product'; readonly product: string; readonly nearest: string | undefined }
  | { readonly kind: 'unknown-action'; readonly action: string }
  /** More than three segments, which no action has. */
  | { readonly kind: 'colon-in-path'; readonly nearest: string | undefined }
  | ({ readonly kind: 'odd-namespace' } & OddNamespace)
  | {
      readonly kind: 'wildcard-without-action'
      readonly nearest: string | undefined
      /** Why it certainly matches nothing that is meant; without it, the entry may be newer than the catalogue. */
      readonly because?: 'slip' | 'no namespace' | 'colon' | 'nowhere'
    }
  | { readonly kind: 'wildcard-in-product'; readonly start: string; readonly products: readonly string[] }
  | { readonly kind: 'wildcard-for-one-action'; readonly action: string }

interface Judged {
  readonly faults: Map<string, EntryFault | 'none'>
  /** How many patterns over several products may still be expanded: each is held against the whole catalogue. */
  expansions: number
}

const mostExpansions = 2000
const nothingJudged = (): Judged => ({ faults: new Map(), expansions: mostExpansions })

/**
 * Hold an entry against the catalogue. What the catalogue cannot know is not judged: actions in other namespaces than
 * the API's own, and products of which it has a resource type but no action.
 */
export function judge(entry: Located<Glob>, context: RuleContext): EntryFault | undefined {
  const key = entry.value.text
  // Nearly all entries: nothing is spent on them, so that what rules find in them can be kept.
  if (isListed(key, context.catalogue, context.settings.brand)) return undefined
  const judgements = context.once(nothingJudged)
  let fault = judgements.faults.get(key)
  if (fault === undefined) {
    fault = judgeText(key, context, judgements) ?? 'none'
    judgements.faults.set(key, fault)
  }
  return fault === 'none' ? undefined : fault
}

/** Whether the catalogue has something to say about an entry. */
export function isFaulty(entry: Located<Glob>, context: RuleContext): boolean {
  return judge(entry, context) !== undefined
}

function judgeText(written: string, context: RuleContext, judged: Judged): EntryFault | undefined {
  const { catalogue, settings } = context
  // The parameter after `?` is free text and no part of the catalogue's names.
  const text = written.split('?', 1)[0] as string
  const colon = text.indexOf(':')
  const star = text.indexOf('*')
  const strayColon = colonInPath(text)
  if (strayColon >= 0) {
    const meant = text.slice(0, strayColon) + text.slice(strayColon).replaceAll(':', '/')
    const nearest = catalogue.expand(glob(meant)).length > 0 ? meant : star < 0 ? suggestion(context, 'action', meant) : undefined
    return star < 0 ? { kind: 'colon-in-path', nearest } : { kind: 'wildcard-without-action', nearest, because: 'colon' }
  }
  const isOfApi = colon < 0 || overlaps(glob(text.slice(colon + 1)), glob(`api${settings.brand}:*`))
  const product = colon > 0 && (star < 0 || star > colon) ? text.slice(0, colon) : undefined
  const oddity = oddNamespace(text, settings.brand, catalogue)
  const misplaced = oddity && ({ kind: 'odd-namespace', ...oddity } as const)
  if (product !== undefined && catalogue.actionsOf(product).length === 0) return judgeProduct(product, isOfApi, context) ?? misplaced
  if (misplaced) return misplaced
  if (!isOfApi) {
    // With the namespace put in, `vps:reinstall*` matches something: then it was left out by mistake.
    const meant = `${product}:api${settings.brand}:${text.slice(colon + 1)}`
    const forgotten = product !== undefined && !text.includes(':', colon + 1) && catalogue.expand(glob(meant)).length > 0
    return forgotten ? { kind: 'wildcard-without-action', nearest: meant, because: 'no namespace' } : undefined
  }
  if (star < 0) return catalogue.has(text) ? undefined : { kind: 'unknown-action', action: text }

  const pattern = glob(text)
  const start = product === undefined ? text.slice(0, star) : ''
  const inner = hasInnerWildcard(pattern)
  if (product !== undefined && (text === `${product}:*` || text === `${product}:api${settings.brand}:*`)) return undefined
  if (product === undefined && judged.expansions-- <= 0) return undefined
  const actions = catalogue.expand(pattern)
  if (start !== '' && actions.length > 0) {
    return { kind: 'wildcard-in-product', start, products: [...new Set(actions.map((a) => a.slice(0, a.indexOf(':'))))] }
  }
  if (inner && actions.length > 0) return undefined
  // An entry that matches nothing under an undocumented meaning matches nothing under any.
  if (actions.length === 0)
    return product === undefined || inner
      ? { kind: 'wildcard-without-action', nearest: undefined, because: 'nowhere' }
      : judgeBranch(text, context)
  return actions.length === 1 ? { kind: 'wildcard-for-one-action', action: actions[0] as string } : undefined
}

/** A pattern of a known product that matches no known action. */
function judgeBranch(text: string, context: RuleContext): EntryFault {
  const suggested = suggestion(context, 'action', text) ?? nearestStem(text, context.catalogue)
  const because = suggested !== undefined && (isSlipForAction(text, suggested) || !text.endsWith('/*')) ? 'slip' : undefined
  return { kind: 'wildcard-without-action', nearest: suggested, ...(because && { because }) }
}

/** Of `vps:apisvc:reinstalls*` the same with the last word as a known action begins, where one letter is what differs. */
function nearestStem(text: string, { actionsOf }: Catalogue): string | undefined {
  if (text.indexOf('*') !== text.length - 1 || text.endsWith('/*')) return undefined
  const from = Math.max(text.lastIndexOf('/'), text.lastIndexOf(':')) + 1
  const [head, stem] = [text.slice(0, from), text.slice(from, -1)]
  for (const action of actionsOf(text.slice(0, text.indexOf(':')))) {
    if (!action.startsWith(head)) continue
    const starts = [0, -1, 1].map((more) => action.slice(from, from + stem.length + more))
    const meant = starts.find((start) => !start.includes('/') && isSlip(stem, start))
    if (meant !== undefined) return `${head}${meant}*`
  }
  return undefined
}

function judgeProduct(product: string, isOwn: boolean, context: RuleContext): EntryFault | undefined {
  const { catalogue } = context
  if (catalogue.types.includes(product) && !catalogue.products.some((p) => catalogue.typesOf(p).includes(product))) return undefined
  const suggested = suggestion(context, 'product', product)
  return isOwn || suggested !== undefined ? { kind: 'unknown-product', product, nearest: suggested } : undefined
}
