/** A commit, as users refer to it. */
export interface Commit {
  readonly id: string
  /** The start of its id, by which no other of the commits that are looked at is meant. */
  readonly short: string
  readonly parents: readonly string[]
  readonly author: string
  /** When it was committed, with the offset of its time zone: `2026-03-02T10:00:00+01:00`. */
  readonly date: string
  readonly subject: string
}

/** Where the subjects of hosts name the request by which a branch was merged. */
const requests = [/^Merge pull request (#\d+)\b/, /\(([#!]\d+)\)$/, /^Merged in .* \(pull request (#\d+)\)$/]

/** The number of the pull request or merge request that a subject names, as it is written: `#142`, `!142`. */
export function requestIn({ subject }: Pick<Commit, 'subject'>): string | undefined {
  for (const pattern of requests) {
    const [, number] = pattern.exec(subject) ?? []
    if (number !== undefined) return number
  }
  return undefined
}
