import { expect, test } from 'vitest'
import { isOpenBlame } from '../../src/answers/blame.ts'

/** Whether an answer of `blame` is complete. */

type Report = Parameters<typeof isOpenBlame>[0]

const commit = { id: 'a', short: 'a', author: 'ann', date: '2026-01-01T00:00:00Z', subject: 's' }
const blamed = (more: object) =>
  [
    { entry: {}, effect: { kind: 'effective' }, since: commit, isNever: false, isCut: false, unread: [], between: [], ...more },
  ] as unknown as Report['blamed']
const unread = [{ commit, why: 'syntax' }] as unknown as Report['unread']

test.each([
  ['every effect and its beginning are known', { blamed: blamed({}), unread: [] }, false],
  ['an entry without effect is known', { blamed: blamed({ effect: { kind: 'none' } }), unread: [] }, false],
  ['an effect is not decided', { blamed: blamed({ effect: { kind: 'undecided', culprits: [] } }), unread: [] }, true],
  ['an effect may have begun earlier', { blamed: blamed({ isCut: true }), unread: [] }, true],
  ['the commits before it could not be read', { blamed: blamed({ unread }), unread: [] }, true],
  ['commits since then could not be read', { blamed: blamed({ between: unread }), unread: [] }, true],
  ['the last commits could not be read', { blamed: blamed({}), unread }, true],
] satisfies readonly (readonly [string, Report, boolean])[])('%s', (_, report, isOpen) => {
  expect(isOpenBlame(report)).toBe(isOpen)
})
