import type { DescribedChange } from '../diff/described.ts'
import type { Difference } from '../diff/diff.ts'
import { conditionTexts } from '../report/conditions.ts'
import { kindWords } from '../report/described.ts'
import { causeWords, regionWords, verdictWords } from '../report/difference.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import type { AnswerRow } from './rows.ts'

/** A difference in words. */
export interface ChangeWords {
  readonly verdict: Difference['verdict']
  readonly summary: string
  readonly gained: readonly AnswerRow[]
  readonly lost: readonly AnswerRow[]
  /** Where nothing is described, regions: each in a line, and a line for each exception. */
  readonly regions: readonly (readonly [side: 'gained' | 'lost', lines: readonly string[]])[]
}

/** What a change gives and takes, for what is described; without that, by regions. */
export function changeWords(difference: Difference, names: Names): ChangeWords {
  const { described, verdict } = difference
  const texts = conditionTexts({ from: described?.from })
  const rowsOf = (side: 'gained' | 'lost', changes: readonly DescribedChange[] = []) =>
    changes.map(({ identities, actions, resources, condition, certain, causes }): AnswerRow => {
      const when = texts(condition)
      return {
        verdict: certain ? (side === 'gained' ? 'allow' : 'deny') : 'unknown',
        who: names.people(identities),
        actions: actions.map(shown),
        on: resources.map((each) => names.resource(each)),
        ...(when !== undefined && { when }),
        more: [],
        by: causes.map((cause) => {
          const [at = '', ...words] = causeWords(side, cause).split('  ')
          return [at, words.join('  ')] as const
        }),
      }
    })
  const has = described && described.gained.length + described.lost.length > 0
  return {
    verdict,
    summary: described ? kindWords(difference) : verdictWords({ difference, beyond: undefined }),
    gained: rowsOf('gained', described?.gained),
    lost: rowsOf('lost', described?.lost),
    regions: has
      ? []
      : (['gained', 'lost'] as const).flatMap((side) =>
          difference[side].map((region) => [side, regionWords(side, region, texts)] as const),
        ),
  }
}
