import { RiskRanking } from '../actions/risk-ranking.ts'
import { codeSpan, mostBytes, prose, utf8Length } from '../report/markdown.ts'
import { cut } from '../report/safe.ts'
import { firstFew, linesText, plural, presentParts } from '../report/words.ts'
import { type Answer, type CellName, type Section, say, type Wording } from './model.ts'
import type { TextStyle } from './text.ts'
import { joinedLines, type RowWords, readRows, reasonLine, restWords, rowWords, summaryOf, titleIn } from './wording.ts'

/** Answers as Markdown: for comments on pull requests and summaries of jobs. */

/** `title`: the command, for the heading. */
type MarkdownStyle = Pick<TextStyle, 'wording' | 'all'> & { readonly title: string }

const [longest, mostItems, mostRows] = [300, 8, 40]

export function answerMarkdown(answer: Answer, { title, wording, all = false }: MarkdownStyle): string {
  const paragraph = (text: string) => `${prose(cut(text, 4 * longest))}\n`
  return linesText(
    `## ${title}\n`,
    [answer.subject(wording).join('  '), ...summaryOf(answer, wording).map(({ text }) => text)].map(paragraph),
    sectionsMarkdown(answer, wording, all),
    answer.rest?.map(paragraph),
    answer.notes.map((note) => paragraph(`note: ${note}`)),
  )
}

/** For each section a table, and under it what a table has no room for, folded away. Rows for which there is no room are counted. */
function sectionsMarkdown({ sections, lead = 'who', given = [], seeAll }: Answer, wording: Wording, all: boolean): readonly string[] {
  const ranking = new RiskRanking()
  let bytes = 0
  return sections.flatMap((section, i) => {
    const { heading } = section
    if (section.rows.length === 0) return []
    const rows = readRows(section, ranking)
    const written: { readonly line: string; readonly details: string }[] = []
    const columns = columnsOf(section, lead, given)
    for (const row of all ? rows : rows.slice(0, mostRows)) {
      const words = rowWords(row, wording)
      const line = `| ${columns.map(([, cell]) => cell(words)).join(' | ')} |`
      const details = detailsOf(words, section)
      bytes += utf8Length(line) + utf8Length(details)
      if (bytes > mostBytes) break
      written.push({ line, details })
    }
    const unwritten = rows.slice(written.length)
    const text = titleIn(section, wording)
    return presentParts(
      heading && sections[i - 1]?.heading !== heading && `### ${codeSpan(heading[0])}: ${prose(heading[1])}\n`,
      text !== '' && `${heading ? '####' : '###'} ${prose(text.charAt(0).toUpperCase() + text.slice(1))}\n`,
      `| ${columns.map(([name]) => name).join(' | ')} |\n|${columns.map(() => '---').join('|')}|`,
      written.map(({ line }) => line),
      '',
      unwritten.length > 0 && `${restWords(unwritten, lead)}: ${say.listAll(seeAll)}.\n`,
      written.map(({ details }) => details !== '' && details),
    )
  })
}

type Column = readonly [title: string, cell: (words: RowWords) => string]

function columnsOf({ may, rows }: Section, lead: CellName, sharedCells: readonly CellName[]): readonly Column[] {
  const isColumn = (cell: CellName) => cell === lead || !sharedCells.includes(cell)
  const hasWhen = rows.some(({ details, condition }) => details !== undefined || condition.kind !== 'and' || condition.operands.length > 0)
  const columns: readonly (readonly [isShown: boolean, ...Column])[] = [
    [isColumn('who'), 'who', ({ who }) => list(who)],
    [isColumn('actions') && rows.some(({ actions }) => actions.length > 0), `${may} do`, actionsCell],
    [isColumn('on'), 'on', ({ on, details }) => presentParts(list(on), itemsOf(details, 'though')).join('<br>')],
    [hasWhen, 'when', whenCell],
    [true, 'because of', ({ by }) => by.slice(0, 3).map(reasonCell).join('<br>') + more(by.length - 3)],
  ]
  return columns.flatMap(([isShown, ...column]) => (isShown ? [column] : []))
}

const actionsCell = ({ actions, verdict }: RowWords) => `${verdict === 'unknown' ? 'perhaps ' : ''}${list(actions)}`

const itemsOf = (details: RowWords['details'], of: string) =>
  details.filter(({ label }) => label === of).flatMap(({ items }) => items.map((item) => prose(cut(item, longest))))

const more = (left: number) => (left > 0 ? `<br>and ${left} more` : '')

const list = (items: readonly string[]) => {
  const shownOnes = items.slice(0, mostItems).map((each) => codeSpan(cut(each, longest)))
  return `${shownOnes.join('<br>')}${more(items.length - mostItems)}`
}

const reasonCell = (reason: RowWords['by'][number]) => prose(cut(reasonLine(reason), longest))

function whenCell({ when, details }: RowWords): string {
  const except = details.filter(({ label }) => label === 'except' || label === 'but not').flatMap(({ items }) => items)
  return presentParts(
    when !== undefined && prose(cut(when, longest)),
    itemsOf(details, ''),
    except.length > 0 && `with ${plural(except.length, 'exception')}`,
  ).join('<br>')
}

function detailsOf({ who, details }: RowWords, { name }: Section): string {
  const ownDetails = details.filter(({ label, isWhole }) => isWhole || !['', 'though', 'such as', 'try'].includes(label))
  if (ownDetails.length === 0) return ''
  const head = `<details><summary>${name === undefined ? '' : `${name}: `}${prose(cut(who.slice(0, 2).join(', '), longest))}, in detail</summary>\n`
  const lines = ownDetails.map(({ label, items, isWhole }) => {
    const words = items.map((each) => prose(cut(each, longest)))
    return `- ${label} ${isWhole ? codeSpan(cut(joinedLines({ items }), 4 * longest)) : firstFew(words, mostItems)}`
  })
  return [head, ...lines, '\n</details>\n'].join('\n')
}
