import { conditionPhrase } from '../report/conditions.ts'
import { said, some } from '../report/words.ts'
import { type Answer, type Detail, isOwner, type Row, type Wording } from './model.ts'
import { Gravity, inOrder, reasonLine, rowWords } from './wording.ts'

/** One line for each row, with whole names: to search, to sort and to count. */
export function answerLines(answer: Pick<Answer, 'sections' | 'given' | 'rest'>, wording: Wording, all = false): string {
  const gravity = new Gravity()
  const most = all ? Number.POSITIVE_INFINITY : mostItems
  const lines = answer.sections.flatMap(({ rows, name, heading, isOrdered }) =>
    (isOrdered ? rows : inOrder(rows, gravity))
      .flatMap((row) => row.expanded?.map((action) => ({ ...row, actions: [action] })) ?? [row])
      .map((row) => `${heading ? `${heading[0]} · ` : ''}${lineOf(row, name, answer, wording, most)}`),
  )
  return [...lines, ...(answer.rest ?? [])].map((line) => `${line}\n`).join('')
}

/** How many items of a list a line has. */
const mostItems = 8

function lineOf(row: Row, name: string | undefined, { given }: Pick<Answer, 'given'>, wording: Wording, most: number): string {
  const { verdict, who, actions, on, when, details, by } = rowWords(row, wording)
  const cells = { who, actions, on }
  const isSaid = ({ isAside, label }: Detail) => !isAside && !(row.expanded && label === 'except')
  return said(
    name === undefined ? verdict : `${name}${verdict === 'unknown' ? ' perhaps' : ''}`,
    (['who', 'actions', 'on'] as const).map((cell) => !given.includes(cell) && cells[cell].length > 0 && some(cells[cell], most)),
    isOwner(row) && 'owner',
    when !== undefined && conditionPhrase(when),
    details.filter(isSaid).map(({ label, items }) => [label, items.join(', ')].filter((text) => text !== '').join(' ')),
    by.length > 0 && !isOwner(row) && `by ${by.map((each) => reasonLine(each).replace('  ', ' ')).join(', ')}`,
  ).join(' · ')
}
