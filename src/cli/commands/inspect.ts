import { compareText } from '../../diagnostic.ts'
import { applyConfigurations } from '../../lint/apply-config.ts'
import type { GivenLevels } from '../../lint/profile.ts'
import type { ReadFiles } from '../../lint/read.ts'
import { json, shown } from '../../report/safe.ts'
import { rules } from '../../rules/index.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { portable } from '../app/paths.ts'
import type { Configs } from '../input/config.ts'
import { checkCodes } from '../input/levels.ts'
import { problemLines } from '../input/world.ts'

/** `lint --list-files`: every file that was found, whether it is linted, and why not. */
export function listFiles(read: ReadFiles, io: Io): ExitCode {
  const lines = [
    ...read.files.map((path) => ({ path, text: 'linted' })),
    ...read.passed.map(({ path, reason }) => ({ path, text: `skipped: ${reason}` })),
  ]
  lines.sort((a, b) => compareText(a.path, b.path) || compareText(a.text, b.text))
  io.stdout.write(lines.map(({ path, text }) => `${shown(path)}: ${shown(text)}\n`).join(''))
  io.stderr.write(problemLines(read.problems))
  return read.problems.length > 0 ? exit.error : exit.success
}

/** `lint --print-config FILE`: what holds for a file, whether or not it is there, as JSON. */
export async function printConfig(path: string, configs: Configs, given: GivenLevels, io: Io): Promise<ExitCode> {
  await configs.load([path])
  checkCodes(configs.all())
  const config = configs.of(path)
  const { profileOf, ownRules } = await applyConfigurations(configs, [path], { cwd: portable(io.cwd), given })
  const { levels, options } = profileOf(path)
  const entries = [...rules, ...ownRules].map((rule): readonly [string, unknown] => {
    const level = 'reader' in rule ? rule.severity : (levels.get(rule.code) ?? rule.severity)
    const own = options.get(rule.code)
    return [rule.code, own ? [level, own] : level]
  })
  const record = {
    file: path,
    configurations: config.files,
    brand: configs.main.settings.brand,
    regions: configs.main.settings.regions,
    failOn: config.failOn ?? 'warning',
    ignores: config.ignores.map(({ files, codes, policy, reason, until }) => ({
      files: files.patterns,
      codes: codes.map((code) => code.value),
      ...(policy !== undefined && { policy }),
      reason,
      ...(until && { until: new Date(until.value).toISOString().slice(0, 10) }),
    })),
    rules: Object.fromEntries(entries),
  }
  io.stdout.write(`${laidOut(record)}\n`)
  return exit.success
}

/** JSON with a line for each key, and for each key of `rules` and each entry of `ignores`. */
function laidOut(record: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(record).map(([key, value]) => {
    if (Array.isArray(value) && typeof value[0] === 'object')
      return `"${key}": [\n${value.map((each) => `    ${json(each)}`).join(',\n')}\n  ]`
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return `"${key}": ${json(value)}`
    const inner = Object.entries(value).map(([name, each]) => `    ${json(name)}: ${json(each)}`)
    return `"${key}": {\n${inner.join(',\n')}\n  }`
  })
  return `{\n${lines.map((line) => `  ${line}`).join(',\n')}\n}`
}
