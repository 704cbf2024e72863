import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { defaultSettings } from '../../src/names.ts'
import { readJson } from '../../src/parser/json.ts'
import { jsonSuite, junitSuite, prettySuite, type SuiteReport } from '../../src/report/suite.ts'
import { sourceOf } from '../../src/source.ts'
import { percent, tally } from '../../src/suite/coverage.ts'
import { notesOn } from '../../src/suite/notes.ts'
import { readSuite } from '../../src/suite/read.ts'
import { runSuite } from '../../src/suite/run.ts'
import { junitFaults } from '../support/junit.ts'
import { binary, cleanUp, prepare } from '../support/scenario.ts'
import { worldOf } from '../support/worlds.ts'
import { type Element, parseXml } from '../support/xml.ts'

const catalogue = loadCatalogue()
const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const actions = (...names: string[]) => names.map((action) => ({ action }))

const written = {
  policies: [
    {
      name: 'web',
      identities: [group('web')],
      resources: [{ urn: 'urn:v1:eu:resource:webHosting:*' }],
      permissions: { allow: actions('webHosting:*'), except: actions('webHosting:apisvc:terminate') },
    },
    {
      name: 'freeze',
      identities: [group('web')],
      resources: [{ urn: 'urn:v1:eu:resource:webHosting:*' }],
      permissions: { deny: actions('webHosting:apisvc:database/restore') },
      conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } },
    },
    {
      name: 'eve',
      identities: [user('eve')],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: {},
      permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:care' }],
    },
  ],
  permissionsGroups: [
    {
      urn: 'urn:v1:eu:permissionsGroup:ab12-svc:care',
      name: 'care',
      permissions: { allow: actions('vps:apisvc:reboot', 'vps:apisvc:get') },
    },
  ],
  identities: [{ urn: user('bob'), groups: [group('web')] }],
  resources: [
    { urn: 'urn:v1:eu:resource:webHosting:prod.example.org', tags: { env: 'prod' } },
    { urn: 'urn:v1:eu:resource:webHosting:old.example.org', tags: {} },
  ],
}
const world = worldOf(written)

function suiteOf(suite: object) {
  const { documents } = readJson(sourceOf('x.iamtest.json', JSON.stringify(suite)))
  return readSuite(documents[0] as (typeof documents)[number], Date.UTC(2026, 0, 15), defaultSettings)
}

/** Run a suite that must be without fault: how each check comes out. */
function results(suite: object) {
  const { value, diagnostics } = suiteOf(suite)
  expect(diagnostics.map(({ message }) => message)).toEqual([])
  return runSuite(value, world, catalogue)
}

const statuses = (suite: object) => results(suite).map(({ status }) => status)
const row = (identities: string, action: string, resources: string, more: object = {}) => ({
  identities,
  actions: action,
  resources,
  ...more,
})
const web = 'urn:v1:eu:resource:webHosting:*'

describe('tables', () => {
  test('a pattern of actions is proved in the context of the table, with the tags that the world gives', () => {
    const restore = 'webHosting:apisvc:database/restor*'
    const on = (name: string, more: object = {}) => row(user('bob'), restore, `urn:v1:eu:resource:webHosting:${name}`, more)
    expect(statuses({ allow: [on('old.example.org')] })).toEqual(['passed'])
    expect(statuses({ allow: [on('prod.example.org')] })).toEqual(['failed'])
    expect(statuses({ allow: [on('prod.example.org', { tags: { env: 'test' } })] })).toEqual(['passed'])
    expect(statuses({ allow: [on('prod.example.org', { tags: {} })] })).toEqual(['passed'])
    expect(statuses({ allow: [on('else.example.org')] })).toEqual(['failed'])
    expect(statuses({ allow: [row(user('bob'), 'webHosting:apisvc:database/restore', web, { tags: { env: 'test' } })] })).toEqual([
      'passed',
    ])
  })

  test('a single identity is in the groups that it is given, and in no others', () => {
    const get = 'webHosting:apisvc:get'
    expect(statuses({ deny: [row(user('ann'), get, web)] })).toEqual(['passed'])
    expect(statuses({ allow: [row(user('ann'), get, web, { groups: [group('web')] })] })).toEqual(['passed'])
    expect(statuses({ deny: [row(`${user('')}*`, get, web)] })).toEqual(['failed'])
  })

  test('a check fails where anything of it is refuted, whatever else is undecided', () => {
    const check = (...actions: readonly string[]) => ({ deny: [{ identities: user('bob'), actions, resources: web, over: 'catalogue' }] })
    expect(statuses(check('webHosting:apisvc:hushhush/*'))).toEqual(['undecided'])
    expect(statuses(check('webHosting:apisvc:hushhush/*', 'webHosting:apisvc:g*'))).toEqual(['failed'])
  })

  test('one question for each single name, and one claim for each that is none', () => {
    const [result] = results({
      deny: [
        {
          identities: [user('eve'), user('ann')],
          actions: ['webHosting:apisvc:get', '*'],
          resources: [web, 'urn:v1:eu:resource:webHosting:a'],
        },
      ],
    })
    expect(result).toMatchObject({ status: 'passed', questions: 2, claims: 6, known: catalogue.size })
  })
})

test('a question fails for another reason than is expected, and for a policy more or less than decides it', () => {
  const asked = { name: 'x', action: 'webHosting:apisvc:get', resource: 'urn:v1:eu:resource:webHosting:a', expect: 'allow' }
  const statusOf = (more: object, identity = user('bob')) => statuses({ tests: [{ ...asked, identity, ...more }] })
  expect(statusOf({ reason: 'granted', because: ['web'] })).toEqual(['passed'])
  expect(statusOf({ reason: 'root' })).toEqual(['failed'])
  expect(statusOf({ because: ['web', 'freeze'] })).toEqual(['failed'])
  expect(statusOf({ because: [] })).toEqual(['failed'])
  expect(statusOf({ expect: 'deny', reason: 'default' }, user('ann'))).toEqual(['passed'])
  expect(statusOf({ expect: 'deny', reason: 'denied' }, user('ann'))).toEqual(['failed'])
})

describe('invariants', () => {
  const never = (body: object) => ({ invariants: [{ name: 'x', never: body }] })

  test('a counterexample is an action of the catalogue, where one speaks against the claim', () => {
    const [result] = results(never({ actions: 'vps:*', resources: 'urn:v1:eu:resource:vps:*' }))
    const [failure] = result?.failures ?? []
    if (failure?.kind !== 'refuted') return expect.unreachable()
    expect(catalogue.has(failure.question.action)).toBe(true)
    expect(failure.onlyUnknown).toBe(false)
  })

  test('over the catalogue, an action that there might be is none', () => {
    const claim = { identities: group('web'), actions: 'webHosting:apisvc:terminat*', resources: web }
    const [open] = results(never(claim))
    expect(open).toMatchObject({ status: 'failed', failures: [{ kind: 'refuted', onlyUnknown: true }] })
    expect(statuses(never({ ...claim, over: 'catalogue' }))).toEqual(['passed'])
    expect(results(never({ ...claim, actions: 'nosuchproduct:*', over: 'catalogue' }))).toMatchObject([{ status: 'undecided', known: 0 }])
  })

  test('an identity that is described is in no further groups; any other may be in any', () => {
    const claim = { actions: 'webHosting:apisvc:get', resources: web }
    const described = worldOf({ ...written, identities: [{ urn: user('dan'), groups: [group('finance')] }] })
    const { value } = suiteOf(never({ ...claim, identities: user('dan') }))
    expect(runSuite(value, described, catalogue)[0]?.status).toBe('passed')
    expect(runSuite(value, world, catalogue)[0]).toMatchObject({ status: 'failed', failures: [{ question: { groups: [group('web')] } }] })
    expect(statuses(never({ ...claim, identities: user('bob') }))).toEqual(['failed'])
  })

  test('only those that are named may: anybody else is looked for, also where each of these is described', () => {
    const only = (identities: string | readonly string[]) => ({
      invariants: [{ name: 'x', only: { identities, actions: 'webHosting:apisvc:get', resources: web } }],
    })
    const [result] = results(only(user('bob')))
    // An identity that is not described may be in the group.
    const [failure] = result?.failures ?? []
    if (failure?.kind !== 'refuted') return expect.unreachable()
    expect([failure.question.identity, ...failure.question.groups]).toContain(group('web'))
    expect(failure.question.identity).not.toBe(user('bob'))
    expect(statuses(only(group('web')))).toEqual(['passed'])
    expect(statuses(only([user('bob'), group('web')]))).toEqual(['passed'])
    // Another identity that is described, by its own name and by a group.
    const granted = (identity: string, identities: object[]) =>
      worldOf({ policies: [{ ...written.policies[0], identities: [identity] }], identities })
    const dan = { urn: user('dan'), groups: [group('finance')] }
    const bob = { urn: user('bob'), groups: [] }
    const run = (suite: object, on: ReturnType<typeof worldOf>) => runSuite(suiteOf(suite).value, on, catalogue)[0]
    const ofDan = granted(user('dan'), [bob, dan])
    expect(run(only(user('bob')), ofDan)).toMatchObject({ status: 'failed', failures: [{ question: { identity: user('dan') } }] })
    expect(run(only([user('bob'), user('dan')]), ofDan)?.status).toBe('passed')
    expect(run(only([user('bob'), group('finance')]), ofDan)?.status).toBe('passed')
    expect(run(only(user('bob')), granted(user('bob'), [bob, dan]))?.status).toBe('passed')
    expect(run(only(user('bob')), granted(user('*'), [bob]))).toMatchObject({ status: 'failed', failures: [{ kind: 'refuted' }] })
  })

  test('a condition limits the claim', () => {
    const claim = (value: string) =>
      never({
        identities: group('web'),
        actions: 'webHosting:apisvc:database/restore',
        resources: web,
        when: { operator: 'MATCH', values: { 'resource.Tag(env)': value } },
      })
    expect(statuses(claim('prod'))).toEqual(['passed'])
    expect(statuses(claim('test'))).toEqual(['failed'])
  })
})

describe('a file of tests with harm done to it', () => {
  const whole = {
    policies: ['p.json'],
    account: 'ab12-svc',
    identities: [{ urn: user('bob'), groups: [group('web')] }],
    resourceGroups: [{ urn: 'urn:v1:eu:resourceGroup:g', resources: [{ urn: 'urn:v1:eu:resource:webHosting:a' }] }],
    context: { at: '2026-01-15T12:00:00Z', ip: '192.0.2.1', groups: [], tags: { env: 'prod' }, owner: 'ab12-svc' },
    tests: [
      {
        name: 'x',
        identity: user('bob'),
        action: 'webHosting:apisvc:get',
        resource: 'urn:v1:eu:resource:webHosting:a',
        expect: 'unknown',
        because: [],
        missing: ['request.IP'],
      },
    ],
    allow: [{ ...row(user('bob'), 'webHosting:*', web), over: 'catalogue' }],
    invariants: [
      {
        name: 'y',
        never: {
          actions: ['*:terminate'],
          resources: ['urn:v1:eu:resourceGroup:g'],
          when: { operator: 'AND', conditions: [{ operator: 'MATCH', values: { 'request.IP': '192.0.2.1' } }] },
        },
      },
    ],
  }
  const values: readonly unknown[] = [null, 0, true, '', 'x', '*', [], {}, ['x'], { urn: 'x' }, [null], '\u0000', '__proto__']

  /** The value with each part replaced by each of the values, or left out. */
  function* harmed(value: unknown): Iterable<unknown> {
    yield* values
    const isList = Array.isArray(value)
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      const rest = Object.fromEntries(Object.entries(value).filter(([each]) => each !== key))
      yield isList ? Object.values(rest) : rest
      for (const part of harmed((value as Record<string, unknown>)[key])) {
        const copy = Object.entries({ ...value, [key]: part })
        yield isList ? copy.map(([, each]) => each) : Object.fromEntries(copy)
      }
    }
  }

  test('is refused with located problems, or run', () => {
    let refused = 0
    let run = 0
    for (const each of harmed(whole)) {
      const { value, diagnostics } = suiteOf(each as object)
      if (diagnostics.length === 0) {
        run += runSuite(value, world, catalogue).length > 0 ? 1 : 0
        continue
      }
      refused++
      for (const { message, span, severity } of diagnostics) {
        if (message === '' || severity !== 'error' || span.source.path !== 'x.iamtest.json' || span.start > span.end)
          expect.unreachable(JSON.stringify(each))
      }
    }
    expect(refused).toBeGreaterThan(500)
    expect(run).toBeGreaterThan(20)
  })
})

describe('coverage', () => {
  const idle = (suite: object) => {
    const { value } = suiteOf(suite)
    const counter = tally()
    counter.hold(world, new Set())
    runSuite(value, world, catalogue, counter.add)
    const { idleEntries, idlePolicies, entries } = counter.coverage()
    return {
      entries: idleEntries.map(({ list, entry }) => `${list} ${entry.value.text}`),
      policies: idlePolicies.map(({ value: name }) => name),
      percent: percent(entries),
    }
  }
  const ask = (identity: string, action: string, resource: string, more: object = {}) => ({
    tests: [{ name: 'x', identity, action, resource, expect: 'allow', ...more }],
  })
  const all = [
    'allow webHosting:*',
    'except webHosting:apisvc:terminate',
    'deny webHosting:apisvc:database/restore',
    'allow vps:apisvc:reboot',
    'allow vps:apisvc:get',
  ]
  const without = (...entries: string[]) => all.filter((entry) => !entries.includes(entry))
  const site = 'urn:v1:eu:resource:webHosting:prod.example.org'

  test('an entry is exercised when an answer rests on it', () => {
    expect(idle(ask(user('bob'), 'webHosting:apisvc:get', site))).toEqual({
      entries: without(all[0] as string),
      policies: ['freeze', 'eve'],
      percent: 20,
    })
    // The allow does not decide where a deny does.
    expect(idle(ask(user('bob'), 'webHosting:apisvc:database/restore', site)).entries).toEqual(without(all[2] as string))
    expect(idle(ask(user('bob'), 'webHosting:apisvc:terminate', site)).entries).toEqual(without(all[1] as string))
    expect(idle(ask(user('ann'), 'webHosting:apisvc:get', site))).toMatchObject({ entries: all, percent: 0 })
    // Where it depends on both, both.
    const open = idle(ask(user('bob'), 'webHosting:apisvc:database/restore', 'urn:v1:eu:resource:webHosting:x'))
    expect(open.entries).toEqual(without(all[0] as string, all[2] as string))
  })

  test('an entry of a permissions group exercises the policy that names the group', () => {
    expect(idle(ask(user('eve'), 'vps:apisvc:get', 'urn:v1:eu:resource:vps:a'))).toMatchObject({
      entries: without(all[4] as string),
      policies: ['web', 'freeze'],
    })
  })

  test('a claim that is proved has an example, and one that is refuted its counterexample', () => {
    const claim = { identities: user('eve'), actions: 'vps:apisvc:reboot', resources: 'urn:v1:eu:resource:vps:*' }
    expect(idle({ invariants: [{ name: 'x', always: claim }] }).entries).toEqual(without(all[3] as string))
    expect(idle({ invariants: [{ name: 'x', never: claim }] }).entries).toEqual(without(all[3] as string))
  })
})

test('notes name what the catalogue does not contain, and questions that are asked twice', () => {
  const one = { identity: user('bob'), action: 'webHosting:apisvc:gett', resource: 'urn:v1:eu:resource:webhosting:a' }
  const { value } = suiteOf({
    tests: [
      { ...one, name: 'first', expect: 'allow' },
      { ...one, name: 'FIXME', expect: 'allow', groups: [] },
      { ...one, name: 'first', expect: 'deny' },
      { ...one, name: 'other', expect: 'deny', tags: {} },
    ],
    deny: [
      {
        identities: user('bob'),
        actions: ['vps:apisvc:nosuch/*', 'vps:openstack:own/*', 'kms:kmip:own'],
        resources: 'urn:v1:eu:resource:vps:*',
      },
    ],
  })
  const notes = notesOn(value, catalogue, 'svc')
  expect(notes.map(({ code }) => code)).toEqual([
    'unknown-action',
    'unknown-type',
    'duplicate-test',
    'unfinished-test',
    'contradictory-test',
    'duplicate-test',
    'unknown-action',
  ])
  expect(notes[0]?.help).toBe('did you mean `webHosting:apisvc:get`?')
})

/** A report with one of each outcome, and texts that could break a document or a terminal. */
function report(): SuiteReport {
  const evil = 'a <b> & "c" ]]> \u001b[31m ##[error] \u0007 \ufffe'
  const opaque = worldOf({
    ...written,
    policies: [
      { ...(written.policies[0] as object), name: evil },
      { ...(written.policies[2] as object), permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:svc:far' }] },
    ],
  })
  const { value } = suiteOf({
    tests: [
      {
        name: `passes ${evil}`,
        identity: user('bob'),
        action: 'webHosting:apisvc:get',
        resource: 'urn:v1:eu:resource:webHosting:a',
        expect: 'allow',
      },
      {
        name: `fails ${evil}`,
        identity: user('bob'),
        action: 'webHosting:apisvc:get',
        resource: 'urn:v1:eu:resource:webHosting:a',
        expect: 'deny',
        because: [evil],
      },
    ],
    invariants: [{ name: 'open', never: { actions: 'vps:*', resources: 'urn:v1:eu:resource:vps:*' } }],
  })
  const counter = tally()
  counter.hold(opaque, new Set())
  const files = [{ path: 'evil "<&>.iamtest.yaml', world: opaque, results: runSuite(value, opaque, catalogue, counter.add) }]
  return { files, notes: notesOn(value, catalogue, 'svc'), coverage: counter.coverage(), leastCoverage: 100, left: 1 }
}

describe('reports', () => {
  test('junit has a suite for each file, a case for each test, and numbers that add up', () => {
    const root = parseXml(junitSuite(report()))
    const count = (element: Element, name: string): number =>
      element.children.reduce((sum, child) => sum + (child.name === name ? 1 : 0) + count(child, name), 0)
    expect(root).toMatchObject({ name: 'testsuites', attributes: { tests: '4', failures: '3', errors: '0' } })
    expect(junitFaults(root)).toEqual([])
    for (const suite of root.children) {
      expect(Object.keys(suite.attributes)).toEqual(['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'file'])
      expect(Number(suite.attributes.tests)).toBe(count(suite, 'testcase'))
      expect(Number(suite.attributes.failures)).toBe(count(suite, 'failure'))
      for (const each of suite.children) {
        expect(each.name).toBe('testcase')
        expect(Object.keys(each.attributes)).toEqual(['name', 'classname', 'time'])
      }
    }
    const types = root.children.flatMap((suite) => suite.children.flatMap((each) => each.children.map((child) => child.attributes.type)))
    expect(types).toEqual(['failed', 'undecided', 'coverage'])
    const first = root.children[0]?.children[1]?.children[0]
    expect(first?.attributes.message).toBe('expected deny, got allow')
  })

  test('json is one object, whose questions can be asked again', () => {
    const text = jsonSuite(report())
    const parsed = JSON.parse(text)
    expect(text).toMatch(/^[^\n]*\n$/)
    expect(parsed.summary).toEqual({ passed: 1, failed: 1, undecided: 1, left: 1 })
    expect(Object.keys(parsed)).toEqual(['version', 'files', 'summary', 'tests', 'notes', 'coverage'])
    expect(parsed.tests[1].failures[0]).toMatchObject({ expected: { verdict: 'deny' }, got: { verdict: 'allow', reason: 'granted' } })
    const { question, expected } = parsed.tests[1].failures[0]
    expect(statuses({ tests: [{ ...question, name: 'again', expect: parsed.tests[1].failures[0].got.verdict }] })).toEqual(['passed'])
    expect(statuses({ tests: [{ ...question, name: 'again', expect: expected.verdict }] })).toEqual(['failed'])
    expect(parsed.coverage.entries).toEqual({ total: 4, exercised: 1, percent: 25 })
  })

  test('nothing of the input acts on a terminal or a build server', () => {
    for (const text of [prettySuite(report()), jsonSuite(report()), junitSuite(report())]) {
      expect(text).not.toMatch(/[\u001b\u0007\ufffe]/)
      expect(text).not.toContain('##[')
    }
  })
})

test('--watch runs again when a file changes, and ends with the code of the last run', async () => {
  const suite = (verdict: string) =>
    JSON.stringify({
      policies: 'p.json',
      tests: [{ name: 'eve', identity: user('eve'), action: 'vps:apisvc:get', resource: 'urn:v1:eu:resource:vps:a', expect: verdict }],
    })
  const policy = (list: string) =>
    JSON.stringify({
      name: 'p',
      identities: [user('eve')],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { [list]: actions('vps:apisvc:get') },
    })
  const work = prepare(
    Object.entries({ 'a.iamtest.json': suite('allow'), 'p.json': policy('allow') }).map(([name, content]) => ({
      kind: 'file',
      name,
      argument: '',
      content,
    })),
  )
  const child = spawn(process.execPath, [binary, 'test', '--watch', '--format', 'json=out.json', '--format', 'pretty'], {
    cwd: work,
    env: {},
  })
  let output = ''
  let stderr = ''
  const waiting: { readonly until: () => boolean; readonly done: () => void }[] = []
  const look = () => {
    for (const each of [...waiting]) if (each.until()) each.done()
  }
  child.stdout.on('data', (chunk) => {
    output += chunk
    look()
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
    look()
  })
  const rounds = (text: string, part: string) => text.split(part).length - 1
  const watching = (count: number) =>
    new Promise<void>((done) => {
      waiting.push({ until: () => rounds(stderr, 'watching') >= count, done })
      look()
    })
  const ended = new Promise<number | null>((done) => void child.on('close', done))
  try {
    await watching(1)
    expect(output).toContain('1 passed in 1 file')
    writeFileSync(join(work, 'p.json'), policy('deny'))
    await watching(2)
    expect(output).toContain('0 passed, 1 failed in 1 file')
    expect(JSON.parse(readFileSync(join(work, 'out.json'), 'utf8')).summary.failed).toBe(1)
    // A file that cannot be read is reported, and watched.
    writeFileSync(join(work, 'a.iamtest.json'), '{')
    await watching(3)
    expect(stderr).toContain('a.iamtest.json')
    writeFileSync(join(work, 'a.iamtest.json'), suite('allow'))
    await watching(4)
    child.kill('SIGINT')
    expect(await ended).toBe(1)
    // Files that the runs write are no reason for another.
    expect(rounds(stderr, 'watching')).toBe(4)
  } finally {
    child.kill('SIGKILL')
    cleanUp(work)
  }
})
