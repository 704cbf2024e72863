import { csvLine } from '../report/csv.ts'
import { codeSpan, prose } from '../report/markdown.ts'
import { json, shown } from '../report/safe.ts'
import { firstFew, plural } from '../report/words.ts'
import { dayOf, endOf } from './ends.ts'
import { evidenceFacts } from './evidence.ts'
import { byKind } from './kinds.ts'
import { certaintyOf } from './reach.ts'
import { allSheets, fieldText, type Sheet, type SheetInput } from './sheets.ts'
import { certaintyWords, noIdentityCan, riskOrder, riskWords, sentenceCase } from './words.ts'

/** A page as a file for archives and other programs: CSV, JSON, Markdown. */

/** One table as CSV (RFC 4180). */
export function* csvParts({ columns, rows }: Sheet): Iterable<string> {
  yield csvLine(columns.map(([, title]) => title))
  for (const row of rows()) yield csvLine(row.map(fieldText))
}

/** Everything as one JSON object: `report.schema.json`. */
export function* jsonParts(input: SheetInput): Iterable<string> {
  const { version, title, made, at, ip, tags = [], tagged = null, evidence, reasons, beyond = [], difference } = input.data
  const head = {
    version,
    title,
    made: new Date(made).toISOString(),
    at: at === null ? null : new Date(at).toISOString(),
    ip,
    tags,
    withTag: tagged,
    ...(evidence && {
      evidence: {
        accounts: evidence.accounts,
        commit: evidence.commit ? { ...evidence.commit, at: new Date(evidence.commit.at).toISOString() } : null,
        why: evidence.why ?? null,
        inputs: evidence.inputs,
      },
    }),
    comparedWith: difference?.before ?? null,
    complete: reasons.length === 0 && !difference?.isOpen,
    reasons,
    notes: beyond,
  }
  yield json(head).slice(0, -1)
  for (const { name, columns, rows } of allSheets(input)) {
    yield `,"${name}":[`
    let isFirst = true
    for (const row of rows()) {
      yield `${isFirst ? '\n' : ',\n'}${json(Object.fromEntries(columns.map(([key], i) => [key, row[i]])))}`
      isFirst = false
    }
    yield ']'
  }
  yield '}\n'
}

/** How many rows of a table are in Markdown: JSON and CSV have all. */
const most = { names: 12, rows: 500 } as const

/** A document to read: the state, what changes, who has sensitive access, what ends, findings, and the access. */
export function markdownDocument(input: SheetInput): string {
  const { data, reaches } = input
  const short = (identity: number) => data.identities[identity]?.short ?? ''
  const named = (identities: readonly number[]) => codeSpan(firstFew(byKind(data, identities).map(short), most.names))
  const risks = riskOrder.map((risk) => {
    const { identities, perhaps, of } = reaches.of(risk)
    const [can, title] = riskWords[risk]
    const who = identities.length === 0 ? prose(noIdentityCan(can, perhaps.length)) : named(identities)
    const certainties = new Set(identities.map((identity) => certaintyWords[certaintyOf(of(identity))]))
    return [title, who, [...certainties].join('; '), perhaps.length === 0 ? '' : named(perhaps)]
  })
  const now = data.at ?? data.made
  const ends = data.policies.flatMap((policy) => {
    const end = endOf(policy)
    return end && end.at >= now ? [{ at: end.at, cells: [dayOf(end.at), codeSpan(policy.name)] }] : []
  })
  const sheets = allSheets(input).filter(({ name }) => name !== 'sensitive' && name !== 'files')
  return [
    `# ${prose(data.title)}\n`,
    `${evidenceFacts(data)
      .map(([term, value]) => `- **${term}**: ${prose(value)}`)
      .join('\n')}\n`,
    ...[...data.reasons, ...(data.beyond ?? [])].map((reason) => `${prose(sentenceCase(reason))}.\n`),
    '## Sensitive access\n',
    table(['Category', 'Who', 'When', 'Unknown'], risks),
    ...(ends.length === 0
      ? []
      : [
          '## What ends next\n',
          table(
            ['Day', 'Policy'],
            ends.sort((a, b) => a.at - b.at).map(({ cells }) => cells),
          ),
        ]),
    ...sheets.flatMap((sheet) => [`## ${sheet.title}\n`, sheetTable(sheet)]),
  ].join('\n')
}

function sheetTable({ columns, rows }: Sheet): string {
  const lines: string[][] = []
  let count = 0
  for (const row of rows()) {
    if (++count <= most.rows)
      lines.push(row.map((field) => (typeof field === 'object' ? codeSpan(firstFew(field, most.names)) : codeSpan(shown(String(field))))))
  }
  if (count === 0) return 'None.\n'
  const left = count > most.rows ? `\n${plural(count - most.rows, 'more row')}: \`--format csv\` and \`--format json\` have all.\n` : ''
  return `${table(
    columns.map(([, title]) => title),
    lines,
  )}${left}`
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
