import type { Catalogue } from '../../actions/catalogue.ts'
import { namespacesOf } from '../../actions/namespaces.ts'
import { type Glob, glob } from '../../glob.ts'
import { isSlip } from '../../nearest.ts'
import { inside, type Located } from '../../source.ts'
import type { Finding } from '../rule.ts'
import { replacement } from './fixes.ts'
import { didYouMean, quote } from './text.ts'

/** A namespace that is neither that of the API nor a known one of its product. */
export interface OddNamespace {
  readonly namespace: string
  /** What it was surely meant as: a slip for it, or the namespace of another brand. Without it, it may be a new one. */
  readonly meant: string | undefined
}

/**
 * What is odd about the namespace of an action pattern. Products have namespaces of their own besides that of the API; what
 * lies in them is not known, and one that is not known either is taken as written unless it looks like that of the API.
 */
export function oddNamespace(pattern: string, brand: string, catalogue: Catalogue): OddNamespace | undefined {
  const [product = '', namespace = '', path] = pattern.split('?', 1)[0]?.split(':') ?? []
  const own = `api${brand}`
  if (path === undefined || namespace === own || namespace.includes('*')) return undefined
  const others = namespacesOf(product)
  if (others.includes(namespace)) return undefined
  const meant = [own, ...others].find((known) => isSlip(namespace, known))
  if (meant !== undefined) return { namespace, meant }
  if (!/^api/i.test(namespace)) return undefined
  const isOfAnotherBrand = catalogue.expand(glob(`${product}:${own}:${path}`)).length > 0
  return { namespace, meant: isOfAnotherBrand ? own : undefined }
}

/** What to say of it; `so` is what follows from it. The namespace alone is to be replaced. */
export function namespaceFinding(
  { value, span }: Located<Glob>,
  { namespace, meant }: OddNamespace,
  catalogue: Catalogue,
  so: string,
): Finding {
  const product = value.text.slice(0, value.text.indexOf(':'))
  const start = product.length + 1
  const place = inside({ value: value.text, span }, start, start + namespace.length)
  if (meant === undefined)
    return {
      span: place,
      severity: 'info',
      message: `${quote(namespace)} is not a namespace of ${quote(product)} in the catalogue of ${catalogue.seen}`,
      help: 'compare it with the API console',
    }
  return {
    span: place,
    message: `${quote(namespace)} is not a namespace of ${quote(product)}: ${so}`,
    help: didYouMean(meant),
    ...replacement(place, meant, false),
  }
}
