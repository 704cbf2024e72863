import { expect, test } from 'vitest'
import type { Choice, Decision } from '../../src/review/model.ts'
import { limitingDecisions, restoredBy } from '../../src/review/restored.ts'

/** A decision that restores access needs a reason, however many other decisions are between the two. */

type Step = readonly [choice: Choice, until?: string, reason?: string]

const decisionOf = ([decision, until, reason]: Step, identity = 'ann'): Decision => ({
  policy: 'readers',
  identity,
  access: [],
  decision,
  ...(until && { until }),
  by: 'kim',
  date: '2026-06-01',
  ...(reason !== undefined && { reason }),
  hash: '',
})

const unexplained = (...steps: readonly Step[]) => [...limitingDecisions(steps.map((step) => decisionOf(step))).unexplained]

test.each<readonly [string, readonly Step[], readonly number[]]>([
  ['keep after remove', [['remove'], ['keep']], [1]],
  ['keep after remove, with a blank reason', [['remove'], ['keep', '', ' ']], [1]],
  ['keep after remove, with a reason', [['remove'], ['keep', '', 'on call again']], []],
  ['shorten after remove', [['remove'], ['shorten', '2026-12-31']], [1]],
  ['keep after shorten', [['shorten', '2026-12-31'], ['keep']], [1]],
  [
    'a later day',
    [
      ['shorten', '2026-12-31'],
      ['shorten', '2027-01-01'],
    ],
    [1],
  ],
  [
    'an earlier day',
    [
      ['shorten', '2026-12-31'],
      ['shorten', '2026-11-30'],
    ],
    [],
  ],
  ['remove after keep', [['keep'], ['remove']], []],
  ['the same again', [['remove'], ['remove'], ['keep', '', 'needed'], ['keep']], []],
  ['a question in between', [['remove'], ['ask'], ['keep']], [2]],
  ['a question after keep', [['keep'], ['ask'], ['keep']], []],
  ['a question between two of one day', [['shorten', '2026-12-31'], ['ask'], ['shorten', '2026-12-31']], []],
  ['the same decision repeated', [['remove'], ['keep'], ['keep']], [1, 2]],
  ['removed again after it', [['remove'], ['keep'], ['remove'], ['keep', '', 'needed']], [1]],
])('%s', (_, steps, expected) => expect(unexplained(...steps)).toEqual(expected))

test('a decision about another identity restores nothing', () => {
  const limiting = limitingDecisions([decisionOf(['remove']), decisionOf(['keep'], 'bob')])
  expect([...limiting.unexplained]).toEqual([])
  expect(restoredBy(limiting, { policy: 'readers', identity: 'ann' }, { decision: 'keep' })?.decision).toBe('remove')
  expect(restoredBy(limiting, { policy: 'readers', identity: 'ann' }, { decision: 'ask' })).toBeUndefined()
})
