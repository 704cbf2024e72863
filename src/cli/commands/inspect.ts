import { compareText, place } from '../../diagnostic.ts'
import { applyConfigurations } from '../../lint/apply-config.ts'
import type { Configuration } from '../../lint/config.ts'
import type { GivenLevels } from '../../lint/profile.ts'
import { guardNotation, json, shown } from '../../report/safe.ts'
import { rules } from '../../rules/index.ts'
import type { Span } from '../../source.ts'
import type { ReadFiles } from '../../sources/files.ts'
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
export async function printConfig(path: string, configs: Configs, givenLevels: GivenLevels, io: Io): Promise<ExitCode> {
  await configs.load([path])
  checkCodes(configs.all())
  const config = configs.of(path)
  const { profileOf, ownRules } = await applyConfigurations(configs, [path], { cwd: portable(io.cwd), given: givenLevels })
  const { levels, options, places } = profileOf(path)
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
    origins: originsOf(config, configs.main, places, givenLevels),
  }
  io.stdout.write(`${laidOut(record)}\n`, guardNotation)
  return exit.success
}

/** Fields that hold for all files as the working folder's configuration has them. */
const ofMain = ['policies', 'world', 'catalogue', 'brand', 'headerPrefix', 'regions', 'terraform', 'deployment', 'approvers', 'docs']

/** Where each value comes from that is no default: `FILE:LINE:COLUMN`, or the option of the command line. */
function originsOf(
  config: Configuration,
  main: Configuration,
  places: ReadonlyMap<string, Span> | undefined,
  { preset, rules, options = new Map() }: GivenLevels,
): Readonly<Record<string, string>> {
  const fields = [...ofMain.map((name) => [name, main.places.get(name)] as const), ['failOn', config.places.get('failOn')] as const]
  const chosen = config.layers.findLast((layer) => layer.preset !== undefined)
  return Object.fromEntries([
    ...fields.flatMap(([name, span]) => (span ? [[name, place(span)]] : [])),
    ...(preset !== undefined ? [['preset', '--preset']] : chosen?.span ? [['preset', place(chosen.span)]] : []),
    ...[...(places ?? [])].sort(([a], [b]) => compareText(a, b)).map(([code, span]) => [`rules.${code}`, place(span)]),
    ...[...rules.keys()].map((code) => [`rules.${code}`, '--rule']),
    ...[...options.keys()].filter((code) => !rules.has(code)).map((code) => [`rules.${code}`, '--rule-option']),
    ...(config.guardrails ?? []).map(({ code }) => [`guardrails.${code.value}`, place(code.span)]),
    ...config.ruleModules.map(({ name }) => [`ruleModules.${name.value}`, place(name.span)]),
    ...config.ignores.map(({ span }, i) => [`ignores.${i + 1}`, place(span)]),
  ])
}

/** JSON with a line for each key, and for each key of `rules` and each entry of `ignores`. */
function laidOut(record: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(record).map(([key, value]) => {
    if (Array.isArray(value) && typeof value[0] === 'object')
      return `"${key}": [\n${value.map((each) => `    ${json(each)}`).join(',\n')}\n  ]`
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return `"${key}": ${json(value)}`
    if (Object.keys(value).length === 0) return `"${key}": {}`
    const inner = Object.entries(value).map(([name, each]) => `    ${json(name)}: ${json(each)}`)
    return `"${key}": {\n${inner.join(',\n')}\n  }`
  })
  return `{\n${lines.map((line) => `  ${line}`).join(',\n')}\n}`
}
