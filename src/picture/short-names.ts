import { cut } from '../report/safe.ts'

/** Names where there is little room: many differ only at their ends. */

/** A name with its middle left out, since names differ at their ends: `oauth2-30c1…a9f2`. No pair of surrogates is parted. */
export function endsOf(name: string, room = 18): string {
  if (name.length <= room) return name
  const end = Math.floor((room - 1) / 3)
  const last = name.slice(-end).replace(/^[\uDC00-\uDFFF]/, '')
  return `${cut(name, room - end)}${last}`
}

/** Words with the middle of each name of a service account left out. */
export const withEnds = (words: string): string =>
  words.replace(/(\bcredential\/|:credential:[^\s/,]+\/)([^\s,]+)/g, (_, kind: string, name: string) => `${kind}${endsOf(name)}`)
