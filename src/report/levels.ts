import type { Level } from '../actions/reads.ts'
import type { Surety } from '../symbolic/matrix.ts'

/** How levels of access are written where there is little room: in terminals and on pages. */
export const letters = { none: '·', read: 'R', write: 'W', all: 'A' } as const satisfies Record<Level, string>

/** How sure an access is, after its level. */
export const marks = { always: '', sometimes: '*', perhaps: '?' } as const satisfies Record<Surety, string>
