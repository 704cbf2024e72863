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
  /** The intended namespace: after a typo, or that of another brand. Undefined: it may be a new one. */
  readonly meant: string | undefined
}

/**
 * The oddity in the namespace of an action pattern. Products have namespaces other than that of the API; the actions in them are
 * not known, and an unknown namespace is accepted unless it looks like that of the API.
 */
export function oddNamespace(pattern: string, brand: string, catalogue: Catalogue): OddNamespace | undefined {
  const [product = '', namespace = '', path] = pattern.split('?', 1)[0]?.split(':') ?? []
  const ownNamespace = `api${brand}`
  if (path === undefined || namespace === ownNamespace || namespace.includes('*')) return undefined
  const others = namespacesOf(product)
  if (others.includes(namespace)) return undefined
  const meant = [ownNamespace, ...others].find((known) => isSlip(namespace, known))
  if (meant !== undefined) return { namespace, meant }
  if (!/^api/i.test(namespace)) return undefined
  const isOfAnotherBrand = catalogue.expand(glob(`${product}:${ownNamespace}:${path}`)).length > 0
  return { namespace, meant: isOfAnotherBrand ? ownNamespace : undefined }
}

/** The finding for it; `so` is the consequence. Only the namespace is replaced. */
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
