import type { PagePolicy } from './data.ts'

/** When a policy ends: with its expiry, or with the last day of its condition. */
export function endOf({
  expires,
  last,
}: Pick<PagePolicy, 'expires' | 'last'>): { readonly at: number; readonly words: string } | undefined {
  if (last) return { at: last[0], words: last[1] }
  return expires === undefined ? undefined : { at: expires, words: dayOf(expires) }
}

/** The day of an instant in UTC: `2026-11-30`. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
