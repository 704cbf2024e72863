import type { PagePolicy } from '../../page/data.ts'
import { dayWords } from './words.ts'

/** When a policy ends: with its expiry, or with the last day of its condition. */
export function endOf({
  expires,
  last,
}: Pick<PagePolicy, 'expires' | 'last'>): { readonly at: number; readonly words: string } | undefined {
  if (last) return { at: last[0], words: last[1] }
  return expires === undefined ? undefined : { at: expires, words: dayWords(expires) }
}
