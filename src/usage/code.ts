import type { CodeNeed } from '../code/needs.ts'
import type { Tally } from './tally.ts'

/** The calls of a program as uses of one identity: as many as there are places that make them. */
export function tallyOfCode(needs: readonly CodeNeed[], identity: string, calls: number): Tally {
  return {
    records: calls,
    letThrough: calls,
    uses: needs.map(({ action, resource, uses }) => ({
      account: undefined,
      identity,
      action,
      resource,
      count: uses.length,
      first: undefined,
      last: undefined,
      ip: undefined,
      memberships: new Set(),
    })),
    alsoRefused: [],
    left: { refused: [], undecided: [], 'unknown-resource': [], root: [] },
    groups: new Map(),
  }
}
