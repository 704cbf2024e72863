import type { Glob } from '../../glob.ts'
import { nearest } from '../../nearest.ts'
import { inside, type Located } from '../../source.ts'
import type { Finding } from '../rule.ts'
import { replacement } from './fixes.ts'
import { didYouMean, quote } from './text.ts'

/**
 * The namespace of an action pattern that is surely meant as that of the API and is not: another brand's, or a slip.
 * Namespaces of their own (`openstack`, `kmip`) are not judged: what lies in them is not known.
 */
export function wrongNamespace(pattern: string, brand: string): string | undefined {
  const [, namespace = '', path] = pattern.split('?', 1)[0]?.split(':') ?? []
  const own = `api${brand}`
  if (path === undefined || namespace === own || namespace.includes('*')) return undefined
  return /^api/i.test(namespace) || nearest(namespace, [own]) !== undefined ? namespace : undefined
}

/** What to say of it; `so` is what follows from it. The namespace alone is to be replaced. */
export function namespaceFinding({ value, span }: Located<Glob>, namespace: string, brand: string, so: string): Finding {
  const start = value.text.indexOf(':') + 1
  const own = `api${brand}`
  const place = inside({ value: value.text, span }, start, start + namespace.length)
  return {
    span: place,
    message: `${quote(namespace)} is not the namespace of the API: ${so}`,
    help: didYouMean(own),
    ...replacement(place, own, false),
  }
}
