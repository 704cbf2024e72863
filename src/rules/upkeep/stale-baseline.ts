import type { Rule } from '../rule.ts'

export const staleBaseline: Rule = {
  code: 'stale-baseline',
  section: 'upkeep',
  severity: 'warning',
  summary: 'A baseline entry whose finding no longer exists.',
  why:
    'A baseline (`--baseline FILE`) hides the findings that existed when it was written. The entry of a fixed finding would hide the ' +
    'same mistake if it is made again. Update the baseline with `--write-baseline FILE`.',
  upkeep: true,
}
