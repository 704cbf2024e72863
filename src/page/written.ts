import { csvLine } from '../report/csv.ts'
import { codeSpan, prose } from '../report/markdown.ts'
import { json, shown } from '../report/safe.ts'
import { firstFew, plural } from '../report/words.ts'
import { dayOf, endOf } from './ends.ts'
import { evidenceFacts } from './evidence.ts'
import { byKind } from './kinds.ts'
import { type Certainty, certaintyOf } from './reach.ts'
import { allSheets, fieldText, type Sheet, type SheetColumn, type SheetField, type SheetInput } from './sheets.ts'
import { noIdentityCan, riskOrder, riskWords, sentenceCase } from './words.ts'

/** A page as a file for archives and other programs: CSV, JSON, Markdown. */

/** One table as CSV (RFC 4180). */
export function* csvParts({ columns, rows }: Sheet): Iterable<string> {
  yield csvLine(columns.map(([, title]) => title))
  for (const row of rows()) yield csvLine(row.map((field, i) => fieldText(columns[i] as SheetColumn, field)))
}

/** The parts of a text of at most so many characters; undefined where it has more. */
export function boundedParts(parts: Iterable<string>, most: number): readonly string[] | undefined {
  const all: string[] = []
  let size = 0
  for (const part of parts) {
    size += part.length
    if (size > most) return undefined
    all.push(part)
  }
  return all
}

/** Everything as one JSON object: `report.schema.json`. */
export function* jsonParts(input: SheetInput): Iterable<string> {
  const { version, title, made, at, ip, tags = [], tagged = null, evidence, reasons, beyond = [], difference, calls } = input.data
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
    ...(calls && { calls }),
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
  const risks = riskOrder.flatMap((risk): readonly (readonly string[])[] => {
    const { identities, perhaps, of } = reaches.of(risk)
    const [can, title] = riskWords[risk]
    if (identities.length === 0 && perhaps.length === 0) return [[title, prose(noIdentityCan(can, 0, data)), '']]
    return certainties.flatMap(([certainty, words]) => {
      const who = [...identities, ...perhaps].filter((identity) => certaintyOf(of(identity)) === certainty)
      return who.length === 0 ? [] : [[title, named(who), words]]
    })
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
    ...(data.beyond ?? []).map((reason) => `${prose(sentenceCase(reason))}.\n`),
    '## Sensitive access\n',
    table(['Category', 'Who', 'When'], risks),
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

/** How sure it is of identities, in the words of the summary. */
const certainties: readonly (readonly [certainty: Certainty, words: string])[] = [
  ['always', 'without conditions'],
  ['mixed', 'on some resources without conditions'],
  ['sometimes', 'only under conditions'],
  ['perhaps', 'unknown: it depends on facts that are not known'],
]

function sheetTable({ columns, rows }: Sheet): string {
  const lines: string[][] = []
  let count = 0
  for (const row of rows()) {
    if (++count <= most.rows) lines.push(row.map((field, i) => codeSpan(shortText(columns[i] as SheetColumn, field))))
  }
  if (count === 0) return 'None.\n'
  const remainder =
    count > most.rows ? `\n${plural(count - most.rows, 'more row')}: \`--format csv\` and \`--format json\` have all.\n` : ''
  return `${table(
    columns.map(([, title]) => title),
    lines,
  )}${remainder}`
}

/** A field as one text that names the first few items of a list. */
function shortText(column: SheetColumn, field: SheetField): string {
  if (typeof field !== 'object') return shown(String(fieldText(column, field)))
  return firstFew(
    field.map((item) => String(fieldText(column, item))),
    most.names,
  )
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
