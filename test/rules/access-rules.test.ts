import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { accessGate } from '../../src/calls/access.ts'
import { type Call, matchCall, readCall, routesOf } from '../../src/calls/match.ts'
import { type RuleLevel, ruleLevels, rulesForCall } from '../../src/calls/rule-set.ts'
import { glob, matches } from '../../src/glob.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { operationsOf } from '../../src/rules/support/access.ts'
import { decide } from '../../src/simulate/decide.ts'
import { readBatchQuestion } from '../../src/simulate/question.ts'
import { sourceOf } from '../../src/source.ts'
import { emptyWorld } from '../../src/world.ts'
import { effort } from '../support/effort.ts'
import { exampleTime, lintExample, markOf, readExample } from '../support/examples.ts'
import { pick, randomOf } from '../support/worlds.ts'

const accessCodes = rules.filter((rule) => 'credential' in rule).map((rule) => rule.code)
const catalogue = loadCatalogue()
const settings = defaultSettings
const operations = loadOperations()
const contextOf = (world = emptyWorld) => ruleContext({ world, catalogue, settings, now: exampleTime, operations: () => operations })

const request = (...list: readonly (readonly [string, string])[]) =>
  JSON.stringify({ accessRules: list.map(([method, path]) => ({ method, path })), redirection: 'https://app.example/back' })

const isText = (item: unknown, key: string) => typeof (item as Record<string, unknown> | null)?.[key] === 'string'

async function read(text: string) {
  const { facts, diagnostics, holdsPolicies } = await readSource(sourceOf('request.json', text), settings)
  return { ...buildWorld([facts]), found: diagnostics, holdsPolicies }
}

/** Findings of all rules about access rules for a request. */
async function said(text: string): Promise<string[]> {
  const { world } = await read(text)
  const on = rules.filter((rule) => accessCodes.includes(rule.code))
  return lint(on, contextOf(world), [], new Map(on.map((rule) => [rule.code, rule.severity]))).map(({ code }) => code)
}

describe('reading a request', () => {
  it('keeps each rule and its places', async () => {
    const { world, found, holdsPolicies } = await read(request(['GET', '/me'], ['POST', '/vps/*']))
    expect([found, holdsPolicies]).toEqual([[], true])
    const [credential] = world.credentials ?? []
    expect(credential?.rules.map(({ method, path }) => [method.value, path.value])).toEqual([
      ['GET', '/me'],
      ['POST', '/vps/*'],
    ])
    const { span } = credential?.rules[1]?.path ?? { span: undefined }
    expect(span?.source.text.slice(span.start, span.end)).toBe('"/vps/*"')
    expect(credential?.redirection?.value).toBe('https://app.example/back')
  })

  it('understands what the service says of a credential', async () => {
    const text = JSON.stringify({
      credentialId: 7,
      status: 'validated',
      applicationId: 3,
      rules: [{ method: 'GET', path: '/*' }],
      svcSupport: false,
    })
    const { world, found } = await read(text)
    expect(found).toEqual([])
    expect(world.credentials?.map(({ rules: list }) => list.length)).toEqual([1])
  })

  it('reads YAML too', async () => {
    const text = 'accessRules:\n  - { method: GET, path: /me }\n'
    const { facts, diagnostics } = await readSource(sourceOf('request.yaml', text), settings)
    expect([facts.credentials?.length, diagnostics]).toEqual([1, []])
  })

  it.each([
    ['a list that is none', '{ "accessRules": "GET /me" }', ['1:18-27 shape']],
    ['a rule that is none', '{ "accessRules": ["GET /me"] }', ['1:19-28 shape']],
    ['a missing path', '{ "accessRules": [{ "method": "GET" }] }', ['1:21-29 shape']],
    ['a missing method', '{ "accessRules": [{ "path": "/me" }] }', ['1:21-27 shape']],
    ['a number for a text', '{ "accessRules": [{ "method": "GET", "path": 7 }] }', ['1:46-47 shape']],
    [
      'an unknown field',
      '{ "accesRules": [], "accessRules": [{ "method": "GET", "pth": "/me", "path": "/me" }] }',
      ['1:3-15 shape', '1:56-61 shape'],
    ],
    ['a redirection that is no text', '{ "accessRules": [], "redirection": ["x"] }', ['1:37-42 shape']],
  ])('says where the shape is wrong: %s', async (_, text, expected) => {
    const { found, world } = await read(text)
    expect(found.map(markOf)).toEqual(expected)
    expect(world.policies).toEqual([])
  })

  it.each([
    ['a policy', '{ "name": "x", "identities": [], "resources": [], "permissions": {}, "accessRules": [] }'],
    ['rules of something else', '{ "rules": [{ "id": 1 }] }'],
    ['rules that are no list', '{ "rules": { "expired": "off" } }'],
  ])('takes no other document for a request: %s', async (_, text) => {
    expect((await read(text)).world.credentials).toBeUndefined()
  })

  it('never throws, and reads every rule of the right shape', async () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean(), fc.constant([]), fc.constant({}))
    const rule = fc.dictionary(fc.constantFrom('method', 'path', 'x'), value)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(rule, value), { maxLength: 5 }), value, async (list, redirection) => {
        const { world, found } = await read(JSON.stringify({ accessRules: list, redirection }))
        const whole = list.filter((item) => isText(item, 'method') && isText(item, 'path'))
        expect(world.credentials?.[0]?.rules.length).toBe(whole.length)
        if (whole.length < list.length) expect(found.length).toBeGreaterThan(0)
      }),
      { numRuns: effort(1000) },
    )
  })
})

describe('no decision rests on a request', () => {
  it('a world with one decides like a world without', async () => {
    const { world } = await read(request(['GET', '/*']))
    const given = { identity: 'urn:v1:eu:identity:user:ab12-svc/ann', action: 'vps:apisvc:get', resource: 'urn:v1:eu:resource:vps:x' }
    const question = readBatchQuestion(given, { at: exampleTime, groups: [] }, settings)
    if (typeof question === 'string') throw new Error(question)
    expect(decide(world, question.question)).toEqual(decide(emptyWorld, question.question))
  })
})

describe('findings in access rules', () => {
  it.each<readonly [string, readonly (readonly [string, string])[], string[]]>([
    [
      'a modest request',
      [
        ['GET', '/me'],
        ['GET', '/vps'],
        ['GET', '/vps/*'],
        ['POST', '/vps/*/reboot'],
      ],
      [],
    ],
    [
      'everything, spelt `*`',
      [
        ['GET', '*'],
        ['POST', '*'],
        ['PUT', '*'],
        ['DELETE', '*'],
      ],
      ['whole-api'],
    ],
    [
      'everything, spelt in two ways',
      [
        ['GET', '/*'],
        ['POST', '*'],
        ['PUT', '/*'],
        ['DELETE', '**'],
      ],
      ['whole-api'],
    ],
    [
      'everything but deletion',
      [
        ['GET', '/*'],
        ['POST', '/*'],
        ['PUT', '/*'],
        ['PATCH', '/*'],
      ],
      ['whole-api-method', 'whole-api-method', 'whole-api-method', 'whole-api-method'],
    ],
    [
      'one path, and its own list',
      [
        ['GET', '/dedicated/server/*'],
        ['GET', '/dedicated/server'],
      ],
      [],
    ],
    ['what is below one service, without the service', [['GET', '/vps/my-server/*']], ['missing-list-call']],
    ['what is below something that is no call', [['GET', '/order/cart/*']], ['missing-list-call']],
    ['what is below nothing known', [['POST', '/dedicated/*']], []],
    [
      'a covered rule of another method',
      [
        ['GET', '/vps'],
        ['GET', '/vps/*'],
        ['PUT', '/vps/my-server'],
      ],
      [],
    ],
    [
      'the same twice',
      [
        ['GET', '/me'],
        ['GET', '/me'],
      ],
      ['redundant-access-rule'],
    ],
    ['a trailing slash alone', [['GET', '/me/']], ['trailing-slash']],
    [
      'a path of a branch',
      [
        ['GET', '/1.0/vps'],
        ['GET', '/v1/me'],
        ['GET', '/v2/iam/policy'],
      ],
      [],
    ],
    ['a v2 path under the old branch', [['GET', '/1.0/iam/policy']], ['unknown-access-path']],
    ['a wildcard in the middle', [['GET', '/vps/*/ips']], []],
    ['a wildcard in the middle that leads nowhere', [['GET', '/vps/*/nothing/of/this']], ['unknown-access-path']],
    ['a name that starts with the same letters', [['GET', '/vps/prod-*']], []],
    ['a method in lower case', [['get', '/vps']], ['unknown-method']],
    ['a method that the path does not have', [['PUT', '/vps']], ['unknown-access-path']],
    ['nothing at all', [], []],
  ])('%s', async (_, list, expected) => {
    expect(await said(request(...list))).toEqual(expected)
  })

  it('every path of the API is known, with any names in it', () => {
    const context = contextOf()
    for (const { path, method, branch } of operations) {
      const written = path.replace(/\{[^}]*\}/g, 'x1')
      const found = operationsOf(`/${branch === 'v1' ? '1.0' : 'v2'}${written}`, context)
      expect(found?.some((operation) => operation.path === path && operation.method === method)).toBe(true)
    }
  })

  it('no path is called unknown that some operation matches with names filled in', () => {
    const words = ['x', 'ips', 'vps', 'me']
    const some = operations.filter((_, i) => i % 61 === 0)
    const piece = fc.constantFrom('/vps', '/me', '/dedicated', '/server', '/ips', '/x', '*', '/*', '/bill', 'ps')
    const context = contextOf()
    let matched = 0
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
        const path = pieces.join('').startsWith('/') ? pieces.join('') : `/${pieces.join('')}`
        const pattern = glob(path)
        const found = operationsOf(path, context)
        for (const operation of some) {
          const isMatched = words.some((word) => matches(pattern, operation.path.replace(/\{[^}]*\}/g, word)))
          if (!isMatched) continue
          matched++
          expect(found).toContain(operation)
        }
      }),
      { numRuns: effort(1000) },
    )
    expect(matched).toBeGreaterThan(effort(1000))
  })

  it('does not say what it cannot know without the operations', async () => {
    const { world } = await read(request(['GET', '/nothing/of/this'], ['GET', '/me*'], ['GET', '/vps/*']))
    const context = ruleContext({ world, catalogue, settings, now: exampleTime })
    expect(lint(rules, context)).toEqual([])
  })

  it('the operations are not asked for when there is no request', async () => {
    const { facts } = await readSource(readExample('name: x').exampleSet, settings)
    const { world } = buildWorld([facts])
    const context = ruleContext({
      world,
      catalogue,
      settings,
      now: exampleTime,
      operations: () => {
        throw new Error('asked for')
      },
    })
    expect(() => lint(rules, context, [], new Map(rules.map((rule) => [rule.code, rule.severity])))).not.toThrow()
  })

  it('a request next to policies is linted, and the policies too', async () => {
    const found = await lintExample(readExample('{ "accessRules": [{ "method": "GET", "path": "me" }] }'))
    expect(found.map(({ code }) => code)).toEqual(['access-path-start'])
  })

  it('thousands of rules are read in a moment', async () => {
    const list = Array.from({ length: 5000 }, (_, i) => [i % 2 ? 'GET' : 'POST', `/vps/v${i}/${i % 3 ? '*' : 'ips'}`] as const)
    expect((await said(request(...list))).filter((code) => code !== 'missing-list-call' && code !== 'unknown-access-path')).toEqual([])
  })
})

describe('lint, `call` and `from-operations` say the same of a slash at the end', () => {
  const routes = routesOf(operations)
  const callOf = (method: string, path: string) => readCall(method, path).call as Call
  const findings = async (list: readonly (readonly [string, string])[], codes: readonly string[]) => {
    const { world } = await read(request(...list))
    const on = rules.filter(({ code }) => codes.includes(code))
    const found = lint(on, contextOf(world), [], new Map(on.map((rule) => [rule.code, rule.severity])))
    const written = world.credentials?.[0]?.rules ?? []
    return { written, at: written.map(({ path }) => found.filter(({ span }) => span.start === path.span.start)) }
  }
  const valued = (path: string) => path.replace(/\{[^}]*\}/g, 'x1')

  it.each(Object.keys(ruleLevels) as RuleLevel[])('rules for a call let it through and nothing is wrong with them: %s', async (level) => {
    const some = operations.filter(({ noAuthentication }, i) => !noAuthentication && i % 23 === 0)
    const calls = some.flatMap(({ method, branch, path }) => ['', '/'].map((slash) => callOf(method, `/${branch}${valued(path)}${slash}`)))
    expect(calls.length).toBeGreaterThan(effort(350))
    const proposed = calls.map((call) => {
      const matched = matchCall(routes, call)
      return rulesForCall(call, matched.kind === 'one' ? matched.match.operation : undefined, level)
    })
    const all = proposed.flat().map(({ method, path }) => [method, path] as const)
    const { written, at } = await findings(all, ['trailing-slash', 'unknown-access-path'])
    expect(at.flat().map(({ message }) => message)).toEqual([])
    let done = 0
    for (const [i, call] of calls.entries()) {
      const own = written.slice(done, done + (proposed[i]?.length ?? 0))
      done += own.length
      expect(accessGate(own, call, call.branch).verdict, call.sent).toBe('allow')
    }
  })

  it('a rule is reported to grant nothing only where no call of an operation passes it, and a path without wildcard exactly there', async () => {
    const seed = 20261122
    const random = randomOf(seed)
    const some = operations.filter(({ noAuthentication }) => !noAuthentication)
    const rule = (): readonly [string, string] => {
      const { method, branch, path } = pick(random, some)
      const base = pick(random, [path, valued(path), valued(path), path.replace(/\{[^}]*\}/g, '*')])
      const words = base.split('/')
      const changed = pick(random, [
        base,
        base,
        base.slice(0, -1),
        `${words.slice(0, -1).join('/')}/*`,
        base.replace(/(.)\//, '$1//'),
        `${base}x`,
      ])
      return [pick(random, [method, method, 'GET']), pick(random, ['', '', `/${branch}`]) + changed + pick(random, ['', '/', '/', '//'])]
    }
    const met = { nothing: 0, granting: 0, slash: 0 }
    for (let i = 0; i < 10; i++) {
      const list = Array.from({ length: 120 }, rule).filter(([, path]) => !path.includes('{'))
      const { written, at } = await findings(list, ['trailing-slash', 'unknown-access-path'])
      for (const [j, each] of written.entries()) {
        const said = at[j] ?? []
        const isNothing = said.some(({ severity }) => severity === 'warning')
        const path = each.path.value
        const where = `seed ${seed}: ${each.method.value} ${path}: ${said.map(({ message }) => message).join()}`
        const filled = path.replace(/\*/g, 'x1')
        const read = readCall(each.method.value, filled).call
        const passes =
          read !== undefined && matchCall(routes, read).kind !== 'none' && accessGate([each], read, read.branch).verdict !== 'deny'
        if (passes) expect(isNothing, where).toBe(false)
        if (!path.includes('*')) expect(isNothing, where).toBe(!passes)
        if (said.some(({ severity }) => severity === 'info') && !path.includes('*')) {
          // It lets the call with the slash through as far as is known, and not the one without.
          const bare = readCall(each.method.value, filled.slice(0, -1)).call as Call
          expect([accessGate([each], bare, bare.branch).verdict, passes], where).toEqual(['deny', true])
          met.slash++
        }
        if (isNothing) met.nothing++
        else met.granting++
      }
    }
    expect(Math.min(met.nothing, met.granting, met.slash), JSON.stringify(met)).toBeGreaterThan(effort(20))
  })

  it.each<readonly [shows: string, list: readonly (readonly [string, string])[], codes: readonly string[]]>([
    [
      'with its other form',
      [
        ['GET', '/domain/zone'],
        ['GET', '/domain/zone/'],
      ],
      [],
    ],
    [
      'with what lies below, for a client that calls the list so',
      [
        ['GET', '/domain/zone/'],
        ['GET', '/domain/zone/*'],
      ],
      ['redundant-access-rule'],
    ],
    [
      'covered in the other form',
      [
        ['GET', '/domain/zone/'],
        ['GET', '/domain/*'],
      ],
      ['redundant-access-rule', 'missing-list-call'],
    ],
    ['of a path that is none', [['GET', '/vsp/']], ['unknown-access-path']],
    ['of the whole', [['GET', '/']], ['unknown-access-path']],
    ['with a method that the path does not have', [['PUT', '/vps/']], ['unknown-access-path']],
    ['behind a wildcard', [['GET', '/domain/zone/*/']], ['trailing-slash']],
    ['two of them', [['GET', '/domain/zone//']], ['trailing-slash']],
  ])('%s', async (_, list, codes) => {
    expect(await said(request(...list))).toEqual(codes)
  })
})
