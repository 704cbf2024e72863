import type { Answer, Wording } from './model.ts'
import { Gravity, inOrder } from './order.ts'
import { type RowWords, rowWords } from './wording.ts'

/** The rows of an answer in words, in the order in which people read them: for pages, which lay them out themselves. */
export function answerRows(answer: Pick<Answer, 'sections'>, wording: Wording): readonly RowWords[] {
  const gravity = new Gravity()
  return answer.sections.flatMap(({ rows }) =>
    inOrder(rows, gravity).map((row) => rowWords({ ...row, actions: gravity.ordered(row.actions) }, wording)),
  )
}
