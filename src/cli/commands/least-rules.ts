import { routesOf } from '../../calls/match.ts'
import { type PlainRule, type RuleLevel, ruleLevels, rulesAsAddress, rulesAsList, rulesAsRequest } from '../../calls/rule-set.ts'
import type { Glob } from '../../glob.ts'
import { matches } from '../../glob.ts'
import { leastRulesJson, leastRulesText } from '../../report/access-rules.ts'
import { guardNotation, json } from '../../report/safe.ts'
import { type LeastRulesVerdict, leastRules, leastRulesVerdict, tallyingCalls } from '../../usage/rules.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { choice } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { readRules } from '../input/credential.ts'
import { operationsFor } from '../input/known.ts'
import { readRecords } from '../input/records.ts'

const exits: Readonly<Record<LeastRulesVerdict, ExitCode>> = {
  proposed: exit.success,
  within: exit.success,
  none: exit.failure,
  beyond: exit.failure,
}

/** `least --access-rules --from FILE...`: the fewest access rules that let through what was called. Writes no file. */
export async function leastRulesCommand(
  files: readonly string[],
  wanted: readonly Glob[] | undefined,
  options: Options<'least'>,
  io: Io,
): Promise<ExitCode> {
  const format = choice('--format', options.format ?? 'request', ['request', 'list', 'url', 'pretty', 'json'])
  const level = choice('--generalise', options.generalise, Object.keys(ruleLevels) as RuleLevel[])
  if (options.policies.length > 0)
    throw new Refusal('`--access-rules` and `--policies` cannot be combined', 'pass the current rules with `--credential`')
  const base = format === 'url' ? baseOf(options) : ''
  const { rules: current } = await readRules(options, io)
  const config = await loadConfig(options, io)
  const tallies = tallyingCalls(wanted && ((identity) => wanted.some((pattern) => matches(pattern, identity))))
  const passed = await readRecords(files, options, config.settings, io, tallies.add)
  const tally = tallies.end()
  const least = leastRules(tally, routesOf(await operationsFor(config, io)), level, current)
  const report = { tally, least, level, ...passed }
  const plain = least.rules.map(({ method, path }) => ({ method, path }))
  if (format === 'json') io.stdout.write(`${json(leastRulesJson(report))}\n`)
  else if (format === 'pretty') io.stdout.write(`${leastRulesText(report)}${plain.length > 0 ? `\n${listOf(plain)}` : ''}`)
  else {
    if (plain.length > 0) io.stdout.write(written(plain, format, base), guardNotation)
    io.stderr.write(leastRulesText(report))
  }
  return exits[leastRulesVerdict(least)]
}

/** Rules in one of their forms. */
export function written(rules: readonly PlainRule[], form: 'request' | 'list' | 'url', base: string): string {
  if (form === 'list') return listOf(rules)
  return form === 'url' ? rulesAsAddress(rules, base) : rulesAsRequest(rules)
}

function listOf(rules: readonly PlainRule[]): string {
  const list = rulesAsList(rules)
  if (list === undefined)
    throw new Refusal('a path with a blank or a sign that does not show cannot be in a list', 'choose another `--format`')
  return list
}

/** The URL of the API. */
export function baseOf({ baseUrl: base }: Pick<Options<'least'>, 'baseUrl'>): string {
  if (base === undefined)
    throw new Refusal('`--base-url URL` is missing: the host of the API', 'for example `--base-url https://api.example.net`')
  if (!/^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/i.test(base))
    throw new Refusal(`--base-url \`${base}\`: expected \`https://host\`, or with a path, and nothing behind it`)
  return base
}
