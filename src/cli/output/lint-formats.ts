import { compactReport, jsonReport, type LintReport, ndjsonReport, suppressedText } from '../../report/lint.ts'
import { prettyReport } from '../../report/pretty.ts'
import { ruleExamples } from '../../rules/all-examples.ts'
import { examplesIn } from '../../rules/rule.ts'
import type { Options } from '../app/commands.ts'
import { type Io, wantsColour } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { outputsOf, writeOutput } from './outputs.ts'
import type { Writing } from './writing.ts'

type Write = (report: LintReport, inColour: boolean) => string | Promise<string>

/** The formats that are loaded immediately, and SARIF, which has the examples of rules. The others are in `src/report/formats.ts`. */
const formats = {
  pretty: prettyReport,
  compact: compactReport,
  json: jsonReport,
  ndjson: ndjsonReport,
  async sarif(report) {
    const examples = await ruleExamples()
    return later('sarif')({ ...report, rules: report.rules.map((rule) => ({ ...rule, examples: examplesIn(examples, rule.code) })) })
  },
} as const satisfies Partial<Record<Format, Write>>

/** The writer of a format that is loaded when it is asked for. */
function later(name: keyof typeof import('../../report/formats.ts').formats) {
  return async (report: LintReport) => (await import('../../report/formats.ts')).formats[name](report)
}

type Format = LintOutput['format']
export type LintOutput = Options<'lint'>['format'][number]

/** The formats for users who see standard error as well. */
const withStandardError: ReadonlySet<Format> = new Set(['pretty', 'compact'])

/** The formats that say how much is suppressed. */
const withSuppressed: ReadonlySet<Format> = new Set(['pretty', 'json', 'markdown'])

/** `--format FORMAT` or `FORMAT=FILE`, any number; by default for users on a terminal and in a hook, and for tools elsewhere. */
export function lintOutputs({ format }: Options<'lint'>, io: Io, diffOption?: string): readonly LintOutput[] {
  return outputsOf(format, io, io.stdout.isTerminal() || isInHook(io) ? 'pretty' : 'compact', diffOption)
}

/** Whether git or pre-commit runs the program before a commit: what it prints is read by the person who commits. */
function isInHook({ env }: Io): boolean {
  return Boolean(env.GIT_INDEX_FILE || env.PRE_COMMIT)
}

/** The formats with counts by rule: these two have them in place of the findings, and JSON in addition. */
const counting = {
  pretty: async (report, inColour) => (await import('../../report/pretty.ts')).statisticsText(report, inColour),
  compact: async (report) => (await import('../../report/pretty.ts')).statisticsLines(report),
  json: jsonReport,
} as const satisfies Partial<Record<Format, Write>>

/** The writer of a format. */
function writerOf(format: Format, { statistics }: LintReport): Write {
  const counts = statistics && (counting as Partial<Record<Format, Write>>)[format]
  return counts ?? (isLoaded(format) ? formats[format] : later(format))
}

const isLoaded = (format: Format): format is keyof typeof formats => format in formats

/** Refuse counts by rule where no output has room for them. */
export function checkStatistics(outputs: readonly LintOutput[]): void {
  if (!outputs.some(({ format }) => format in counting))
    throw new Refusal('--statistics: none of the formats has counts by rule', 'use `pretty`, `compact` or `json`')
}

/** Write a report in every format that is asked for. */
export async function writeReport(
  report: LintReport,
  outputs: readonly LintOutput[],
  { color }: Options<'lint'>,
  io: Io,
  writing: Writing,
): Promise<void> {
  for (const { format, file } of outputs) {
    // Standard error says what could not be read. Nothing found in no file would be a poor thing to say.
    const isWithStandardError = file === undefined && withStandardError.has(format)
    if (isWithStandardError && format === 'pretty' && report.files.length === 0) continue
    const part = isWithStandardError ? { ...report, unread: [] } : report
    await writeOutput({ format, file }, await writerOf(format, report)(part, file === undefined && wantsColour(io, color)), io, writing)
  }
  // Nothing is suppressed silently: not every format has a place for the number.
  if (report.suppressed.length > 0 && !outputs.some(({ format, file }) => file === undefined && withSuppressed.has(format)))
    io.stderr.write(`grantwise: ${suppressedText(report.suppressed)}\n`)
}
