import { closeSync, openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { compareDiagnostics, type Diagnostic } from '../diagnostic.ts'
import { lint } from '../lint.ts'
import { buildWorld } from '../parser/world.ts'
import { compactReport, jsonReport, type LintReport, ndjsonReport, severities } from '../report/lint.ts'
import { prettyReport } from '../report/pretty.ts'
import { guard, guardAnnotations } from '../report/safe.ts'
import { rules } from '../rules/index.ts'
import { ruleContext } from '../rules/rule.ts'
import type { Run } from './commands.ts'
import { catalogueFor, checkCode, checkCodes, type FailOn, failLevels, type Level, levels, loadConfig } from './config.ts'
import { exit } from './exit.ts'
import { type Io, wantsColour } from './io.ts'
import { applyIgnores, applyOverrides } from './levels.ts'
import { choice, type Options, pair } from './options.ts'
import { readAt } from './question.ts'
import { Refusal } from './refusal.ts'
import { version } from './version.ts'
import { pathsOf, problemLines, readFiles } from './world.ts'

type Write = (report: LintReport, inColour: boolean) => string | Promise<string>

/** A format that is not for every day is loaded when it is asked for. */
function later(name: keyof typeof import('../report/formats.ts').formats): Write {
  return async (report) => (await import('../report/formats.ts')).formats[name](report)
}

const formats = {
  pretty: prettyReport,
  compact: compactReport,
  json: jsonReport,
  ndjson: ndjsonReport,
  sarif: later('sarif'),
  github: later('github'),
  gitlab: later('gitlab'),
  junit: later('junit'),
  checkstyle: later('checkstyle'),
  markdown: later('markdown'),
  agent: later('agent'),
} as const satisfies Record<string, Write>

/** `lint [PATH…]`: findings on policy files. */
export const run: Run = async (paths, options, io) => {
  const outputs = outputsOf(options, io)
  const now = readAt(options, io)
  const given = new Map(options.list('rule').map((text) => ruleLevel(text)))
  const config = await loadConfig(options, io)
  checkCodes(config, rules)
  const failOn = options.text('fail-on') === undefined ? config.failOn : choice('--fail-on', options.text('fail-on') as string, failLevels)

  const read = await readFiles(pathsOf(paths, config), config.settings, io)
  const built = buildWorld(read.facts)
  const catalogue = catalogueFor(config)
  const levelled = await applyOverrides(rules, config, given, io.cwd, (base) =>
    lint(
      rules,
      ruleContext({ world: built.world, catalogue, settings: config.settings, now }),
      [...read.diagnostics, ...built.diagnostics],
      base,
    ),
  )
  const { findings, ignored } = await applyIgnores(levelled, rules, config, read.files, now, io.cwd)
  const sorted = [...findings].sort(compareDiagnostics)

  const visible = options.flag('quiet') ? sorted.filter((finding) => finding.severity === 'error') : sorted
  const report: LintReport = {
    files: read.files,
    findings: visible,
    ignored,
    hidden: sorted.length - visible.length,
    rules,
    version,
  }
  for (const { format, file } of outputs) {
    // Nothing found in no file would be a poor thing to tell people.
    if (format === 'pretty' && read.files.length === 0) continue
    const text = await formats[format](report, file === undefined && wantsColour(io, options.flag('color')))
    const care = format === 'github' ? guardAnnotations : guard
    if (file === undefined) io.stdout.write(text, care)
    else writeFile(file, care(text))
  }
  io.stderr.write(problemLines(read.problems))
  return read.isPartial ? exit.noAnswer : fails(sorted, failOn) ? exit.bad : exit.good
}

function fails(findings: readonly Diagnostic[], failOn: FailOn): boolean {
  const failing = failOn === 'never' ? [] : severities.slice(0, severities.indexOf(failOn) + 1)
  return findings.some((finding) => failing.includes(finding.severity))
}

interface Output {
  readonly format: keyof typeof formats
  /** Absolute; undefined for standard output. */
  readonly file: string | undefined
}

/** `--format FORMAT` or `FORMAT=FILE`, any number; without it, for people on a terminal and for tools elsewhere. */
function outputsOf(options: Options, io: Io): readonly Output[] {
  const given = options.list('format')
  if (given.length === 0) return [{ format: io.stdout.isTerminal() ? 'pretty' : 'compact', file: undefined }]
  const outputs = given.map((text): Output => {
    const at = text.indexOf('=')
    const format = choice('--format', at < 0 ? text : text.slice(0, at), Object.keys(formats) as (keyof typeof formats)[])
    if (at >= 0 && at === text.length - 1) throw new Refusal(`--format \`${text}\`: a file name is missing after \`=\``)
    return { format, file: at < 0 ? undefined : resolve(io.cwd, text.slice(at + 1)) }
  })
  if (outputs.filter((output) => output.file === undefined).length > 1)
    throw new Refusal('--format: two formats for standard output', 'write one of them to a file: --format FORMAT=FILE')
  return outputs
}

function writeFile(file: string, text: string): void {
  try {
    const fd = openSync(file, 'w')
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    closeSync(fd)
  } catch (error) {
    throw new Refusal(`${file}: cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

function ruleLevel(text: string): readonly [string, Level] {
  const [code, level] = pair('--rule', text, 'CODE=LEVEL')
  checkCode('--rule', code, rules)
  return [code, choice('--rule', level, levels)]
}
