import { differenceWords, type Over, rowSentence, sectionsOf, viewWording } from '../answers/difference.ts'
import { answerRows } from '../answers/order.ts'
import type { RowWords } from '../answers/wording.ts'
import type { Difference } from '../diff/diff.ts'
import type { Names } from '../report/names.ts'

/** A difference in words. */
export interface ChangeWords {
  readonly verdict: Difference['verdict']
  readonly summary: string
  readonly gained: readonly RowWords[]
  readonly lost: readonly RowWords[]
}

/** What is listed: what is described, or where nothing of that changes, every region. */
function overOf({ described }: Difference): Over {
  return described && described.gained.length + described.lost.length > 0 ? 'known' : 'everything'
}

/** The sections of a difference, its summary, and the wording of both. */
function summarised(difference: Difference, names: Names) {
  const report = { difference, beyond: undefined }
  const wording = viewWording({ names }, difference.described?.from)
  const summary = differenceWords(report, difference.described ? 'known' : 'everything', wording)
  return { sections: sectionsOf(report, overOf(difference)), summary, wording }
}

/** What a change gives and takes, for what is described; without that, by regions. */
export function changeWords(difference: Difference, names: Names): ChangeWords {
  const { sections, summary, wording } = summarised(difference, names)
  const rowsOf = (side: 'gained' | 'lost') => answerRows({ sections: sections.filter(({ name }) => name === side) }, wording)
  return { verdict: difference.verdict, summary, gained: rowsOf('gained'), lost: rowsOf('lost') }
}

/** The same as a list: the summary, and a sentence for each row. */
export function changeLines(difference: Difference, names: Names): readonly string[] {
  const { sections, summary, wording } = summarised(difference, names)
  const rows = sections.flatMap(({ name, may, rows: own }) =>
    own.map((row) => `${name === 'gained' ? 'grants' : 'takes away'}: ${rowSentence(row, may, wording, 8)}`),
  )
  return [summary, ...rows]
}
