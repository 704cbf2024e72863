import { factText } from '../simulate/facts.ts'
import type { AccessRow, DescribedAccess } from '../symbolic/described-access.ts'
import { type AccessStyle, atWords, compactEntry, notLooked, onlyOwners } from './access.ts'
import { conditionPhrase, conditionTexts, formulaWords } from './conditions.ts'
import { clauseJson } from './decision.ts'
import { endItems } from './ends.ts'
import { shown } from './safe.ts'
import { placedEntry, plural, some } from './words.ts'

/** Reports of `who` and `what` where they ask about patterns: described identities, resources and catalogue actions. */

/** How many identities, actions and resources rows are about, and how many combinations of them. */
function countsOf(rows: readonly AccessRow[]) {
  const distinct = (of: (row: AccessRow) => readonly string[]) => new Set([...new Set(rows.map(of))].flat()).size
  return {
    combinations: rows.reduce((sum, { identities, actions, resources }) => sum + identities.length * actions.length * resources.length, 0),
    identities: distinct(({ identities }) => identities),
    actions: distinct(({ actions }) => actions),
    resources: distinct(({ resources }) => resources),
  }
}

const ofVerdict = ({ rows }: DescribedAccess, verdict: AccessRow['verdict']) => rows.filter((row) => row.verdict === verdict)

function rowJson({ identities, actions, resources, verdict, reason, condition, missing, clauses }: AccessRow) {
  return {
    identities,
    actions,
    resources,
    verdict,
    reason,
    condition: formulaWords(condition) ?? null,
    missing: missing.map(factText),
    clauses: clauses.map(clauseJson),
  }
}

function answerJson(answer: DescribedAccess) {
  const [allowed, unknown, denied] = (['allow', 'unknown', 'deny'] as const).map((verdict) => countsOf(ofVerdict(answer, verdict)))
  return { counts: { allowed, unknown, denied }, complete: answer.complete, reasons: answer.reasons }
}

/** The answer of `who` as machines read it: its rows name identities, actions and resources. */
export function describedWhoJson(answer: DescribedAccess) {
  return {
    who: ofVerdict(answer, 'allow').map(rowJson),
    unknown: ofVerdict(answer, 'unknown').map(rowJson),
    denied: ofVerdict(answer, 'deny').map(rowJson),
    ...answerJson(answer),
  }
}

/** The answer of `what` as machines read it. */
export function describedWhatJson(answer: DescribedAccess) {
  return {
    what: answer.rows.filter(({ verdict }) => verdict !== 'deny').map(rowJson),
    denied: ofVerdict(answer, 'deny').map(rowJson),
    ...answerJson(answer),
  }
}

/** One line for each row, with whole URNs. */
export function describedLines(answer: DescribedAccess, from?: number): string {
  const when = conditionTexts({ from })
  return (['allow', 'unknown', 'deny'] as const)
    .flatMap((verdict) => ofVerdict(answer, verdict))
    .map(({ identities, actions, resources, verdict, reason, condition, clauses }) => {
      const words = when(condition)
      return [
        verdict,
        some(identities.map(shown)),
        some(actions.map(shown)),
        some(resources.map(shown)),
        ...(reason === 'root' ? ['owner'] : []),
        ...(words === undefined ? [] : [conditionPhrase(words)]),
        ...(clauses.length > 0 ? [`by ${clauses.map(compactEntry).join(', ')}`] : []),
      ].join(' · ')
    })
    .map((text) => `${text}\n`)
    .join('')
}

/** How many lines an answer has at most, how many items a list, and how many entries a row. */
const [mostLines, mostItems, mostEntries] = [40, 4, 3]

/** What grants it before what denies it at some times. */
const grantsFirst = (clauses: AccessRow['clauses']) => [...clauses].sort((a, b) => Number(a.list === 'deny') - Number(b.list === 'deny'))

const field = (label: string, text: string) => `    ${label.padEnd(8)}${text}`

/** The answer for people: the rows of each verdict, counted exactly. `nothing`: the line where no row allows anything, if any could. */
export function describedText(
  heading: string,
  answer: DescribedAccess,
  nothing: string | undefined,
  { paint, names, at, from }: AccessStyle,
): string {
  const when = conditionTexts({ from })
  const rowLines = ({ identities, actions, resources, verdict, reason, condition, clauses }: AccessRow): readonly string[] => {
    const words = when(condition)
    const list = (items: readonly string[]) =>
      items.length > mostItems + 1 ? `${some(items, mostItems)} (${items.length} in all)` : items.join(', ')
    return [
      `  ${paint.bold(list(identities.map((each) => names.identity(each))))}`,
      field(verdict === 'allow' ? 'may' : verdict === 'deny' ? 'denied' : 'perhaps', list(actions.map(shown))),
      field('on', list(resources.map((each) => names.resource(each)))),
      ...(words === undefined ? [] : [field('when', words)]),
      ...endItems(condition, from).map((ends) => field('ends', ends)),
      ...(reason === 'root' ? [field('by', 'owning the resource: the owning account cannot be restricted')] : []),
      ...grantsFirst(clauses)
        .slice(0, mostEntries)
        .map((clause, i) => field(i === 0 ? 'by' : '', placedEntry(clause, names))),
      ...(clauses.length > mostEntries ? [field('', `and ${clauses.length - mostEntries} more`)] : []),
    ]
  }
  const lines = [`${heading}${atWords(at)}`]
  const notes = answer.reasons.map((reason) => `${paint.warning('note:')} ${shown(reason)}`)
  const [allowed, perhaps] = [ofVerdict(answer, 'allow'), ofVerdict(answer, 'unknown')]
  const isOwnersOnly = !answer.isCut && perhaps.length === 0 && allowed.every(({ reason }) => reason === 'root')
  const sections = [
    [paint.good('allowed'), allowed],
    [paint.warning('perhaps'), perhaps],
    [paint.error('explicitly denied'), ofVerdict(answer, 'deny')],
  ] as const
  if (nothing !== undefined && allowed.length + perhaps.length === 0)
    lines.push(answer.isCut ? paint.warning(notLooked) : paint.error(nothing))
  let isFull = false
  for (const [title, rows] of sections) {
    if (rows.length === 0) continue
    const { combinations, identities, actions, resources } = countsOf(rows)
    const parts = [plural(identities, 'identity'), plural(actions, 'action'), plural(resources, 'resource')]
    const counts = `(${plural(combinations, 'combination')}: ${parts.join(', ')})`
    lines.push(rows === allowed && isOwnersOnly ? paint.error(onlyOwners) : `${title} ${counts}`)
    for (const [i, row] of rows.entries()) {
      const own = rowLines(row)
      isFull ||= lines.length + own.length + notes.length > mostLines - 3
      if (isFull) {
        const rest = countsOf(rows.slice(i)).combinations
        lines.push(
          `  ${paint.dim(`${i > 0 ? 'and ' : ''}${plural(rows.length - i, i > 0 ? 'more row' : 'row')}, ${plural(rest, 'combination')}: \`--format json\` lists all`)}`,
        )
        break
      }
      lines.push(...own)
    }
  }
  return `${[...lines, ...notes].join('\n')}\n`
}
