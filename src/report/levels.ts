import type { Level } from '../actions/reads.ts'
import type { MatrixCell, Surety } from '../symbolic/matrix.ts'

/** How levels of access are written where there is little room: in terminals and on pages. */
export const letters = { none: '·', read: 'R', write: 'W', all: 'A' } as const satisfies Record<Level, string>

/** How sure an access is, after its level. */
export const marks = { always: '', sometimes: '*', perhaps: '?' } as const satisfies Record<Surety, string>

/** The levels of a cell, with their mark: the one that needs no condition before a higher one that does. */
export function levelsText(
  { level, surety, surer }: Pick<MatrixCell, 'level' | 'surety' | 'surer'>,
  of: Readonly<Record<Level, string>>,
): string {
  if (level === 'none') return of.none
  const sure = surer?.always ?? 'none'
  return `${surety === 'always' || sure === 'none' || sure === level ? '' : `${of[sure]}; `}${of[level]}${marks[surety]}`
}
