import { type Assumption, type Coverage, type FileCovered, type FileUse, isOpen, type Skipped } from '../coverage.ts'
import { codeSpan, prose } from './markdown.ts'
import { cut, json, shown } from './safe.ts'
import { firstFew, linesText, placeJson, placeWords, plural, presentParts, quoted } from './words.ts'

/** How many of a kind are named in the one line, and how many are listed in Markdown, which may become a comment. */
const most = { named: 3, listed: 50 } as const

const uses: Readonly<Record<FileUse, string>> = {
  policies: 'policies',
  part: 'part of a configuration',
  none: 'holds no policy',
  settings: 'settings',
}

/** The record in one line: `read 12 files; passed over 1: old/ (named by .gitignore); assumes: module.iam (its files are not here)`. */
export function coverageLine({ read, passed, assumptions }: Coverage): string {
  const idle = read.filter(({ as }) => as === 'none').length
  const without = idle === 0 ? '' : `, ${idle} of them without policies`
  const named = passed.filter(({ count }) => count === undefined)
  const over = named.length === 0 ? '' : `: ${few(named.map(({ path, reason }) => `${shown(path)} (${shown(reason)})`))}`
  const serious = assumptions.filter(({ matters }) => matters)
  const assumes = serious.length > 0 && `assumes: ${few(serious.map(assumedWords))}`
  return presentParts(`read ${plural(read.length, 'file')}${without}`, `passed over ${named.length}${over}`, assumes).join('; ')
}

const few = (items: readonly string[]) => firstFew(items, most.named)

export const assumedWords = ({ what, why }: Pick<Assumption, 'what' | 'why'>): string => `${shown(what)} (${shown(why)})`

/** The effect of an assumption on answers, where it may make them wrong. */
function weight(assumption: Assumption): string {
  if (!assumption.matters) return ''
  return isOpen(assumption) ? '; the answer may be wrong' : '; what depends on it is unknown'
}

const reasonWords = ({ reason, count }: Skipped): string => (count === undefined ? reason : `${reason}, ${plural(count, 'file')}`)

export function coverageText(coverage: Coverage): string {
  const { searched, read, passed, assumptions } = coverage
  const details = ({ from, as, blob }: FileCovered) => presentParts(from !== undefined && `from ${shown(from)}`, uses[as], blob).join(', ')
  return linesText(
    coverageLine(coverage),
    searched.map((folder) => `  searched ${shown(folder)}`),
    read.map((file) => `  read ${shown(file.path)} (${details(file)})`),
    passed.map((each) => `  passed over ${shown(each.path)}: ${shown(reasonWords(each))}`),
    assumptions.map((each) => [
      `  assumes ${shown(each.what)}: ${shown(each.why)}${weight(each)}`,
      each.help !== undefined && `    help: ${shown(each.help)}`,
    ]),
  )
}

/** The same for a job summary or a comment: one line, and all of it folded away. */
export function coverageMarkdown(coverage: Coverage): string {
  const { read, passed, assumptions } = coverage
  const [code, words] = [(text: string) => codeSpan(cut(text, 200)), (text: string) => prose(cut(text, 500))]
  const lists = [
    assumptions.map((each) => `- assumes ${code(each.what)}: ${words(each.why)}${weight(each)}`),
    passed.map((each) => `- passed over ${code(each.path)}: ${words(reasonWords(each))}`),
    read.map(({ path, as, from }) => `- read ${code(path)}${from === undefined ? '' : ` from ${code(from)}`}: ${uses[as]}`),
  ].map((list) => presentParts(list.slice(0, most.listed), list.length > most.listed && `- and ${list.length - most.listed} more`))
  const line = `Coverage: ${prose(cut(coverageLine(coverage), 1000))}.\n`
  return `\n${line}\n<details><summary>What was read, passed over and assumed</summary>\n\n${lists.flat().join('\n')}\n\n</details>\n`
}

export function coverageJson(coverage: Coverage) {
  const { searched, read, passed, assumptions } = coverage
  return {
    summary: coverageLine(coverage),
    searched,
    read,
    passed: passed.map(({ path, reason, count }) => ({ path, reason, ...(count !== undefined && { count }) })),
    assumptions: assumptions.map(({ kind, what, why, help, span, matters, inWorld }) => ({
      kind,
      what,
      why,
      ...(help !== undefined && { help }),
      ...(span && placeJson(span)),
      matters,
      inWorld: inWorld === true,
    })),
  }
}

/** An answer in JSON, one object, with the record in it; a record of something else under that name keeps its fields. */
export function withCoverageJson(text: string, coverage: Coverage): string {
  const answer = JSON.parse(text) as Readonly<Record<string, unknown>>
  const existing = answer['coverage']
  const fields = typeof existing === 'object' && existing !== null ? existing : {}
  return `${json({ ...answer, coverage: { ...fields, ...coverageJson(coverage) } })}\n`
}

/** The record behind a report in one of the formats that have room for it; undefined for the others. */
export function withCoverage(format: string, text: string, coverage: Coverage): string | undefined {
  if (format === 'json') return withCoverageJson(text, coverage)
  const behind = coverageTrailer(format, coverage)
  return behind === undefined ? undefined : text + behind
}

/** The text after an answer that is written as it is found. */
export function coverageTrailer(format: string, coverage: Coverage): string | undefined {
  if (format === 'ndjson') return `${json({ coverage: coverageJson(coverage) })}\n`
  if (format === 'markdown') return coverageMarkdown(coverage)
  return format === 'pretty' || format === 'compact' || format === 'agent' ? `\n${coverageText(coverage)}` : undefined
}

/** The lines that a run prints without being asked: what is assumed and may change the answer. */
export function assumptionNotes(assumptions: readonly Assumption[]): readonly string[] {
  const serious = assumptions.filter(({ matters }) => matters)
  const named = serious.slice(0, most.named)
  const notes = named.flatMap(({ what, why, help, span }, i) => [
    `grantwise: note: ${quoted(what)}${span ? ` at ${placeWords(span)}` : ''}: ${shown(why)}\n`,
    // The same help for several notes in a row is printed once, after them.
    ...(help === undefined || named[i + 1]?.help === help ? [] : [`  help: ${shown(help)}\n`]),
  ])
  const unnamedCount = serious.length - most.named
  return unnamedCount > 0 ? [...notes, `grantwise: note: assumed besides: ${unnamedCount} more, which \`--coverage\` lists\n`] : notes
}
