import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations, type Operation } from '../../src/actions/operations.ts'
import { isParameter } from '../../src/actions/paths.ts'
import { planCall } from '../../src/calls/judge.ts'
import { readCall, routesOf } from '../../src/calls/match.ts'
import { Operations } from '../../src/code/lookup.ts'
import { needsOfCode } from '../../src/code/needs.ts'
import { placeOf, readCode } from '../../src/code/read.ts'
import { defaultSettings } from '../../src/names.ts'
import { compile } from '../../src/simulate/engine.ts'
import { sourceOf } from '../../src/source.ts'
import { tallyOfCode } from '../../src/usage/code.ts'
import { type Level, levels } from '../../src/usage/generalise.ts'
import { least, questionOf } from '../../src/usage/least.ts'
import { type CallRecord, recordReader } from '../../src/usage/record.ts'
import { recordCounter, type Tally } from '../../src/usage/tally.ts'
import { effort } from '../support/effort.ts'
import { isWritable, type MadeCall, type PathPart, programLanguages, programNames, programOf } from '../support/programs.ts'
import { pick, type Random, randomOf } from '../support/worlds.ts'

const catalogue = loadCatalogue()
const all = loadOperations()
const routes = routesOf(all)
const operations = new Operations(routes, catalogue)
const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const about = { identity: ann, context: { at: 0, groups: [] }, resources: [], actions: [] }
const now = Date.UTC(2026, 10, 1)

/** A call that a program makes, and what is sent when it runs. */
interface Ran extends MadeCall {
  readonly sent: string
  readonly operation: Operation
}

const values = ['web-1.example', 'b2', '192.0.2.0%2F24', 'n_3']

/** A call of an operation, with names that are written out, or in variables where `puts`. */
function ranOf(operation: Operation, random: Random, puts: boolean): Ran {
  const branch = operation.branch === 'v2' ? '/v2' : random() < 0.3 ? '/v1' : ''
  const parts: PathPart[] = []
  let sent = branch
  let text = branch
  for (const word of operation.path.slice(1).split('/')) {
    text += '/'
    const value = isParameter(word) ? pick(random, values) : word
    sent += `/${value}`
    if (isParameter(word) && puts && random() < 0.7) {
      parts.push(text, { variable: pick(random, ['name', 'id']) })
      text = ''
    } else text += value
  }
  return { method: operation.method, parts: text === '' ? parts : [...parts, text], sent, operation }
}

/** The line that the service records of a call, where all its actions are allowed; undefined where it does not say on what. */
function recordOf({ method, sent, operation }: Ran, i: number): CallRecord | undefined {
  const { call } = readCall(method, sent)
  if (!call) return undefined
  const plan = planCall({}, routes, catalogue, { ...call, branch: operation.branch }, about)
  if (plan.operation !== operation || plan.requirements.some(({ from }) => from === 'unknown')) return undefined
  return {
    at: new Date(now + i * 1000).toISOString(),
    account: 'ab12-svc',
    identity: ann,
    method,
    path: `/${operation.branch}${sent.replace(/^\/v[12](?=\/)/, '')}`,
    ip: '192.0.2.7',
    operation: `/${operation.branch}${operation.path}`,
    actions: plan.requirements.map(({ action, resource, required }) => ({
      action,
      resource: resource ?? null,
      required,
      verdict: 'allow',
    })),
    verdict: 'allow',
    credential: null,
    status: 200,
  }
}

function tallyOf(records: readonly CallRecord[]): Tally {
  const reader = recordReader(defaultSettings)
  const counter = recordCounter()
  for (const record of records) {
    const read = reader.read(JSON.stringify(record))
    if (read.kind !== 'records') throw new Error(JSON.stringify(read))
    for (const each of read.records) counter.add(each)
  }
  return counter.end()
}

function proposed(tally: Tally, level: Level) {
  return least(tally, { level, catalogue, settings: defaultSettings, now })
}

/** The contents of policies, without their names. */
const contents = ({ policies }: ReturnType<typeof least>) =>
  policies.map(({ identities, resources, permissions }) => JSON.stringify({ identities, resources, permissions })).sort()

/** A program with the calls that it makes, and the log of running it. */
function ranProgram(random: Random, puts: boolean) {
  const language = pick(random, programLanguages)
  const ran: Ran[] = []
  const records: CallRecord[] = []
  while (ran.length < 8) {
    const made = ranOf(pick(random, all), random, puts)
    const record = recordOf(made, ran.length)
    if (!record || !isWritable(language, made.sent)) continue
    ran.push(made)
    records.push(record)
  }
  const text = programOf(language, ran, random)
  const { calls, gaps } = readCode([{ source: sourceOf(programNames[language], text, 'json'), language }], operations, 'svc')
  const needed = needsOfCode(calls, routes, catalogue, about)
  const problems = [...gaps, ...needed.gaps].map(({ at, shown, why }) => `${placeOf(at)} ${shown}: ${why}`)
  expect(problems, text).toEqual([])
  return { text, language, ran, records, tally: tallyOfCode(needed.needs, ann, calls.length), needed }
}

test('a program with names that are written out needs what its log used, in every language', () => {
  const languages = new Set<string>()
  for (let seed = 0; seed < effort(1500, 60); seed++) {
    const random = randomOf(seed)
    const { text, language, records, tally, ran, needed } = ranProgram(random, false)
    languages.add(language)
    const found = new Set(needed.uses.map(({ operation }) => operation))
    expect(found.size, text).toBe(new Set(ran.map(({ operation }) => `${operation.branch} ${operation.method} ${operation.path}`)).size)
    const level = pick(random, Object.keys(levels) as Level[])
    expect(contents(proposed(tally, level)), `${level}, seed ${seed}\n${text}`).toEqual(contents(proposed(tallyOf(records), level)))
  }
  expect(languages.size).toBe(programLanguages.length)
})

test('a program with names in variables needs what its log used, on every name in their place', () => {
  for (let seed = 0; seed < effort(1500, 60); seed++) {
    const random = randomOf(100_000 + seed)
    const { text, records, tally, ran } = ranProgram(random, true)
    const { world } = proposed(tally, 'none')
    const log = tallyOf(records)
    const engine = compile(world)
    for (const use of log.uses) expect(engine.verdict(questionOf(use, now)), `${use.action} on ${use.resource}\n${text}`).toBe('allow')
    // The first name of a path is that of the resource: where it is a variable, every name of the type.
    const widened = records.map((record, i) => {
      const { parts, operation } = ran[i] as Ran
      const before = parts[0] as string
      const first = operation.path.split('/').findIndex(isParameter)
      const isPut = parts.length > 1 && before.replace(/^\/v[12](?=\/)/, '').split('/').length - 1 === first
      const actions = record.actions.map((each) =>
        isPut && each.resource !== null && !each.resource.includes(':account:')
          ? { ...each, resource: each.resource.replace(/[^:]*$/, 'any') }
          : each,
      )
      return { ...record, actions }
    })
    const { uses, ...rest } = tallyOf(widened)
    const star = uses.map((use) => ({ ...use, resource: use.resource.replace(/:any$/, ':*') }))
    expect(contents(proposed(tally, 'none')), `seed ${seed}\n${text}`).toEqual(contents(proposed({ ...rest, uses: star }, 'none')))
  }
})
