import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import * as library from '../../src/index.ts'
import { ioIn } from '../support/in-process.ts'

/** Texts and data of the library, against what the commands of the same names print. */

const { defaultSettings, loadCatalogue, readWorld } = library
const examples = resolve(import.meta.dirname, '../../examples')
const account = join(examples, 'acme')
const now = Date.parse('2026-11-02T10:00:00Z')
const catalogue = loadCatalogue(defaultSettings.brand)

/** The output of a command at `now`. */
async function said(args: readonly string[], cwd = account): Promise<string> {
  const { io, out } = ioIn(cwd, { NO_COLOR: '1' })
  await main(args, { ...io, now: () => now })
  return out.stdout
}

const sourcesIn = (cwd: string, paths: readonly string[]) => paths.map((path) => ({ path, text: readFileSync(join(cwd, path), 'utf8') }))

async function worldIn(cwd: string, paths: readonly string[]) {
  const { world, files, diagnostics } = await readWorld(sourcesIn(cwd, paths))
  if (!world) throw new Error(diagnostics[0]?.message)
  return { world, files }
}

const inAccount = ['world.yaml', ...readdirSync(join(account, 'policies')).map((name) => `policies/${name}`)].sort()
const { world, files } = await worldIn(account, inAccount)
const user = (name: string) => `urn:v1:eu:identity:user:acme-svc/${name}`
const resource = (name: string) => `urn:v1:eu:resource:${name}`

/** The time of a question: one instant, or all from `now` on. */
const times = [
  { name: 'at an instant', options: ['--at', new Date(now).toISOString()], time: { at: now } },
  { name: 'from now on', options: [], time: { from: now } },
] as const

describe.each(times)('$name', ({ options, time }) => {
  test.each([
    ['vps:apisvc:reboot', 'vps:web-1'],
    ['vps:apisvc:terminate', 'vps:db-1'],
    ['webHosting:apisvc:database/restore', 'webHosting:shop.acme.example'],
    ['vps:apisvc:get', 'vps:new-1'],
  ])('`who %s %s`', async (action, name) => {
    const question = { action, resource: resource(name), ...time }
    const answer = library.who(world, question)
    const args = ['who', action, resource(name), ...options]
    expect(library.whoText(world, question, answer)).toBe(await said(args))
    expect(library.whoText(world, question, answer, { fullUrns: true, all: true })).toBe(await said([...args, '--full-urns', '--all']))
    expect(JSON.parse(JSON.stringify(library.whoJson(answer)))).toEqual(JSON.parse(await said([...args, '--format', 'json'])))
  })

  test.each(['alice', 'bob', 'kim', 'unheard-of'])('`what %s`', async (name) => {
    const question = { identity: user(name), ...time }
    const answer = library.what(world, question, undefined, catalogue)
    const args = ['what', user(name), ...options]
    // A name that is not known is noted above the answer.
    expect(library.whatText(world, question, answer, catalogue)).toBe((await said(args)).replace(/^note: the identity .*\n\n/, ''))
    const { notes: _, ...printed } = JSON.parse(await said([...args, '--format', 'json']))
    expect(JSON.parse(JSON.stringify(library.whatJson(answer, catalogue)))).toEqual(printed)
  })

  test.each(['alice', 'dave', 'kim'])('`escalate %s`', async (name) => {
    const found = await library.escalate(world, user(name), time)
    const args = ['escalate', user(name), ...options]
    expect(library.escalationText(world, user(name), found, { ...time, catalogue })).toBe(await said(args))
    expect(JSON.parse(JSON.stringify(library.escalationJson(world, user(name), found, time)))).toEqual(
      JSON.parse(await said([...args, '--format', 'json'])),
    )
  })
})

test('`diff`, without described names and with them', async () => {
  const cwd = join(examples, 'review')
  const [before, after] = await Promise.all(['before.yaml', 'after.yaml'].map((path) => worldIn(cwd, [path])))
  const worlds = [before, after].flatMap((each) => each?.world ?? [])
  const [first, second] = worlds
  if (!first || !second) throw new Error('two worlds')
  const difference = library.diff(first, second, { catalogue })
  expect(library.differenceText(difference, { worlds, catalogue })).toBe(await said(['diff', 'before.yaml', 'after.yaml'], cwd))
  expect(JSON.parse(JSON.stringify(library.differenceJson(difference)))).toEqual(
    JSON.parse(await said(['diff', 'before.yaml', 'after.yaml', '--format', 'json'], cwd)),
  )
})

test('the condition of a row is put into the words of the command', async () => {
  const question = { identity: user('alice'), at: now }
  const words = library.what(world, question, undefined, catalogue).what.map(({ condition }) => library.conditionText(condition) ?? null)
  const { what } = JSON.parse(await said(['what', user('alice'), '--at', new Date(now).toISOString(), '--format', 'json']))
  expect(words.length).toBeGreaterThan(0)
  expect(words).toEqual(what.map(({ condition }: { condition: string | null }) => condition))
})

test.each([
  ['erin', 'vps:apisvc:reboot', 'vps:web-1'],
  ['bob', 'vps:apisvc:reboot', 'vps:web-1'],
  ['kim', 'vps:apisvc:get', 'vps:web-1'],
])('`suggest %s %s %s`', async (name, action, on) => {
  const { question } = library.readQuestion(user(name), action, resource(on), { at: now })
  if (!question) throw new Error('a question')
  const suggested = await library.suggest(world, files, question)
  const args = ['suggest', user(name), action, resource(on), '--at', new Date(now).toISOString()]
  expect(JSON.parse(JSON.stringify(library.suggestJson(question, suggested, world)))).toEqual(
    JSON.parse(await said([...args, '--format', 'json'])),
  )
  expect(library.suggestionsText(world, question, suggested)).toBe(await said(args))
  expect(suggested.suggestions.slice(0, 1).map(library.suggestionDiff).join('')).toBe(await said([...args, '--format', 'diff']))
})

test('`suggest` corrects a misspelt action, as the command does', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'grantwise-library-'))
  const policy = { name: 'restarts', identities: [user('ann')], resources: [{ urn: resource('vps:web-1') }] }
  writeFileSync(join(cwd, 'p.json'), JSON.stringify({ ...policy, permissions: { allow: [{ action: 'vps:apisvc:rebot' }] } }))
  const misspelt = await worldIn(cwd, ['p.json'])
  const { question } = library.readQuestion(user('ann'), 'vps:apisvc:reboot', resource('vps:web-1'), { at: now })
  if (!question) throw new Error('a question')
  const suggested = await library.suggest(misspelt.world, misspelt.files, question)
  const args = ['suggest', user('ann'), 'vps:apisvc:reboot', resource('vps:web-1'), '-p', 'p.json', '--at', new Date(now).toISOString()]
  const text = library.suggestionsText(misspelt.world, question, suggested)
  expect(text).toContain('1. correct allow `vps:apisvc:rebot`')
  expect(text).toBe(await said(args, cwd))
  rmSync(cwd, { recursive: true })
})

test('`minimise`', async () => {
  const minimised = await library.minimise(world, files, { from: now })
  expect(JSON.parse(JSON.stringify(library.minimiseJson(minimised)))).toEqual(JSON.parse(await said(['minimise', '--format', 'json'])))
  expect(library.minimiseDiff(minimised)).toBe(await said(['minimise', '--format', 'diff']))
})

test('`least`', async () => {
  const calls = library.readCalls(readFileSync(join(examples, 'usage/calls.ndjson'), 'utf8'))
  expect(calls.faults).toEqual([])
  const proposed = await library.least(calls, { now })
  const args = ['least', '--from', 'usage/calls.ndjson']
  expect(library.policiesText(proposed.policies)).toBe(await said(args, examples))
  expect(JSON.parse(JSON.stringify(library.leastJson(calls, proposed)))).toEqual(
    JSON.parse(await said([...args, '--format', 'json'], examples)),
  )
  const pretty = await said([...args, '--format', 'pretty'], examples)
  expect(`${library.leastText(calls, proposed)}\n${library.policiesText(proposed.policies)}`).toBe(pretty)
})

test('a line of recorded calls that cannot be read is a fault with its number, and the others count', () => {
  const text = readFileSync(join(examples, 'usage/calls.ndjson'), 'utf8')
  const { tally, faults } = library.readCalls(`{}\n\u0000\n${text}`)
  expect(faults.map(({ line }) => line)).toEqual([1, 2])
  expect(tally).toEqual(library.readCalls(text).tally)
})

test.each(['json', 'yaml', 'hcl'] as const)('`convert --to %s`', async (to) => {
  const [source] = sourcesIn(join(examples, 'convert'), ['policy.yaml'])
  if (!source) throw new Error('a source')
  const { text, diagnostics } = await library.convert([source], { to })
  expect(diagnostics).toEqual([])
  expect(text).toBe(await said(['convert', '--to', to, 'policy.yaml'], join(examples, 'convert')))
})

test('`convert` gives no text of what it cannot read or write, and says where', async () => {
  const converted = async (path: string, text: string) => {
    const { text: written, diagnostics } = await library.convert([{ path, text }], { to: 'json' })
    return [written, diagnostics.length > 0, diagnostics.every(({ span }) => span.source.path === path)]
  }
  expect(await converted('p.json', '{ "name": ')).toEqual([undefined, true, true])
  for (const text of ['', 'locals {}', '\u0000\r', '['.repeat(1000)])
    expect(await converted('main.tf', text)).toEqual([undefined, true, true])
  expect(await converted('main.tf', 'resource "svc_iam_policy" "p" {\n  name = var.name\n}\n')).toEqual([undefined, true, true])
})

test('what makes no sense is refused by name, whatever the types let through', async () => {
  const policy = { path: 'p.json', text: '{}' }
  await expect(library.convert([], { to: 'json' })).rejects.toThrow('convert: no source is given')
  await expect(library.convert([policy], { to: 'xml' as 'json' })).rejects.toThrow('`to` is one of json, yaml, hcl, not `xml`')
  const [source] = sourcesIn(join(examples, 'convert'), ['policy.yaml'])
  const urns = new Map([['svc_iam_policy.none', 'urn:x']])
  await expect(library.convert(source ? [source] : [], { to: 'json', urns })).rejects.toThrow('`svc_iam_policy.none`')
  const { question } = library.readQuestion(user('kim'), 'vps:apisvc:get', resource('vps:web-1'), { at: now })
  await expect(library.suggest(world, [], question as library.Question)).rejects.toThrow('none to edit')
})

test('`test`, with coverage', async () => {
  const cwd = join(examples, 'acme')
  const [tests] = sourcesIn(cwd, ['acme.iamtest.yaml'])
  if (!tests) throw new Error('a file of tests')
  const { report, diagnostics } = await library.runPolicyTests(tests, sourcesIn(cwd, inAccount), { now })
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  if (!report) throw new Error('a report')
  const args = ['test', '--coverage', 'acme.iamtest.yaml', '-p', 'policies']
  // Below the report, the command lists what it read.
  expect(library.policyTestsText(report)).toBe((await said(args, cwd)).replace(/\nread \d+ files.*$/s, ''))
  expect(library.policyTestsJunit(report)).toBe(await said([...args, '--format', 'junit'], cwd))
  const { coverage, ...printed } = JSON.parse(await said([...args, '--format', 'json'], cwd))
  expect(coverage).not.toBeNull()
  expect(JSON.parse(library.policyTestsJson(report))).toMatchObject(printed)
})

test('policy tests over a text with an error are not run', async () => {
  const tests = { path: 't.iamtest.yaml', text: 'tests: []' }
  const { report, diagnostics } = await library.runPolicyTests(tests, [{ path: 'p.json', text: '{' }], { now })
  expect(report).toBeUndefined()
  expect(new Set(diagnostics.map(({ span }) => span.source.path))).toEqual(new Set(['t.iamtest.yaml', 'p.json']))
})

test('`lint --format sarif`', async () => {
  const cwd = join(examples, 'mistakes')
  const [path] = ['trailing-comma.json']
  const findings = await library.lintText(readFileSync(join(cwd, path), 'utf8'), { path, now })
  const results = (text: string) =>
    JSON.parse(text).runs[0].results.map(({ locations, ...result }: { locations: object }) => JSON.stringify({ ...result, locations }))
  const own = library.sarif(findings)
  expect(results(own).length).toBeGreaterThan(0)
  expect(results(own)).toEqual(results(await said(['lint', path, '--no-config', '--format', 'sarif'], cwd)))
})

test('`sarif` describes the rules that the findings are of, and those alone', async () => {
  const rule: library.Rule = {
    code: 'acme/describe',
    section: 'document',
    severity: 'warning',
    summary: 'A policy has no description.',
    why: 'A review asks what a policy is for.',
    *policy({ name, description }) {
      if (!description) yield { span: name.span, message: 'no description', help: 'write one' }
    },
  }
  const text = readFileSync(join(examples, 'quickstart/policy.json'), 'utf8').replace(/"description": "[^"]*",/, '')
  const findings = await library.lintText(text, { path: 'policy.json', rules: [rule], now })
  expect(findings.map(({ code }) => code)).toEqual(['acme/describe'])
  const { rules } = JSON.parse(library.sarif(findings, { rules: [rule] })).runs[0].tool.driver
  expect(rules.map(({ id }: { id: string }) => id)).toEqual(['acme/describe'])
})

test('a rule of a text counts from its preset on', async () => {
  const rule: library.Rule = {
    code: 'acme/never',
    section: 'document',
    severity: 'info',
    preset: 'strict',
    summary: 'A policy is there.',
    why: 'It is a test.',
    *policy({ name }) {
      yield { span: name.span, message: 'a policy', help: 'remove it' }
    },
  }
  const text = readFileSync(join(examples, 'quickstart/policy.json'), 'utf8')
  const codes = async (preset: 'recommended' | 'strict') =>
    (await library.lintText(text, { path: 'policy.json', rules: [rule], preset, now })).map(({ code }) => code)
  expect(await codes('recommended')).not.toContain('acme/never')
  expect(await codes('strict')).toContain('acme/never')
})

test('a question without groups is the one with none', () => {
  const asked = { action: 'vps:apisvc:reboot', resource: resource('vps:web-1'), at: now }
  for (const name of ['alice', 'bob', 'unheard-of']) {
    const question = { ...asked, identity: user(name) }
    const whole = { ...question, groups: [] }
    const engine = library.compile(world)
    expect(library.decide(world, question)).toEqual(library.decide(world, whole))
    expect(library.explain(world, question)).toEqual(library.explain(world, whole))
    expect([engine.decideKnown(question), engine.verdictKnown(question)]).toEqual([undefined, undefined])
    expect(engine.decide(question)).toEqual(library.decide(world, whole))
    expect([engine.verdict(question), engine.verdictKnown(question)]).toEqual(Array(2).fill(engine.verdict(whole)))
    expect(engine.decideKnown(question)).toEqual(engine.decide(whole))
    expect(library.exportCedar(world).request(question)).toEqual(library.exportCedar(world).request(whole))
  }
  const groups = ['urn:v1:eu:identity:group:acme-svc/ops']
  expect(library.decide(world, { ...asked, identity: user('unheard-of'), groups }).verdict).toBe('allow')
})
