/** Names of service accounts where there is little room: they differ at their ends. */

/** A name with its middle left out, since service accounts differ at their ends: `oauth2-30c1…a9f2`. */
export function endsOf(name: string, room = 18): string {
  if (name.length <= room) return name
  const end = Math.floor((room - 1) / 3)
  return `${name.slice(0, room - 1 - end)}…${name.slice(-end)}`
}

/** Words with the middle of each name of a service account left out. */
export const withEnds = (words: string): string =>
  words.replace(/(\bcredential\/|:credential:[^\s/,]+\/)([^\s,]+)/g, (_, kind: string, name: string) => `${kind}${endsOf(name)}`)
