import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations, type Operation } from '../../src/actions/operations.ts'
import { isParameter } from '../../src/actions/paths.ts'
import { accessGate } from '../../src/calls/access.ts'
import { readForbidden } from '../../src/calls/forbidden.ts'
import { grantFor, refusedCall } from '../../src/calls/grant.ts'
import { answerCall, type CallContext } from '../../src/calls/judge.ts'
import { type Call, callMethods, matchCall, readCall, routesOf } from '../../src/calls/match.ts'
import { defaultSettings } from '../../src/names.ts'
import { readCredential } from '../../src/parser/credential.ts'
import { readTree } from '../../src/parser/tree.ts'
import type { PermissionSet } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { compile } from '../../src/simulate/engine.ts'
import { readQuestion } from '../../src/simulate/question.ts'
import { sourceOf } from '../../src/source.ts'
import type { MapNode, Node } from '../../src/tree.ts'
import { emptyWorld } from '../../src/world.ts'
import '../support/seed.ts'
import { effort, some } from '../support/effort.ts'
import { generate, type PolicyJson, pick, type QuestionJson, questionOf, type Random, randomOf, worldOf } from '../support/worlds.ts'

const operations = loadOperations()
const routes = routesOf(operations)
const catalogue = loadCatalogue()
const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'

function callOf(method: string, path: string): Call {
  const { call, problems } = readCall(method, path)
  if (!call) throw new Error(problems.map(({ message }) => message).join('; '))
  return call
}

/** The path of an operation with values in place of its parameters. */
function filledPath({ path }: Operation, value: (i: number) => string): string {
  let i = 0
  return path
    .split('/')
    .map((word) => (isParameter(word) ? encodeURIComponent(value(i++)) : word))
    .join('/')
}

function rulesOf(...written: readonly (readonly [method: string, path: string])[]) {
  const text = JSON.stringify({ accessRules: written.map(([method, path]) => ({ method, path })) })
  return readCredential(readTree(sourceOf('r.json', text)).documents[0] as MapNode).request.rules
}

const about = (change: Partial<CallContext> = {}): CallContext => ({
  identity: ann,
  context: { at: 0, groups: [] },
  resources: [],
  actions: [],
  ...change,
})
const ask = (method: string, path: string, change: Partial<CallContext> = {}, world = emptyWorld) =>
  answerCall(world, routes, catalogue, callOf(method, path), about(change))

describe('matching', () => {
  it('brings every operation of the catalogue back from real values, and its values with it', () => {
    let literal = 0
    for (const operation of operations) {
      for (const head of ['', `/${operation.branch}`, ...(operation.branch === 'v1' ? ['/1.0'] : [])]) {
        const values = (i: number) => `a b/${i}%é`
        const matched = matchCall(routes, callOf(operation.method, head + filledPath(operation, values)))
        // Without its branch, a path may be one of both.
        if (matched.kind === 'several' && head === '' && new Set(matched.operations.map(({ branch }) => branch)).size > 1) continue
        if (matched.kind !== 'one') throw new Error(`${operation.method} ${operation.path}: ${matched.kind}`)
        if (matched.match.operation !== operation) throw new Error(`${operation.path} is taken for ${matched.match.operation.path}`)
        if (!matched.match.values.every((value, i) => value === values(i))) throw new Error(`${operation.path}: ${matched.match.values}`)
        if (matched.match.others.length > 0) literal++
      }
    }
    expect(operations.length).toBe(7407)
    // Words that fit a template with a parameter too, and are literal where that has the parameter.
    expect(literal).toBeGreaterThan(effort(50))
  })

  it('goes through all operations once for each first word that templates have, however many calls are matched', () => {
    let times = 0
    const counted = new Proxy(operations, {
      get(list, name) {
        if (name === 'length') times++
        return Reflect.get(list, name)
      },
    })
    const index = routesOf(counted)
    const calls = (name: string) => Array.from({ length: 100 }, (_, i) => callOf('GET', `/v1/${name}${i}/a`))
    matchCall(index, callOf('GET', '/v1/vps/a'))
    expect(times).toBeGreaterThan(0)
    for (const call of [...calls('vps/'), ...calls('none')]) matchCall(index, call)
    expect(times).toBeLessThan(10)
  })

  it.each([
    ['get', '/v1/hosting/web/example.org', '/hosting/web/{serviceName}', ['example.org']],
    ['GET', '/1.0/hosting/web/example.org/', '/hosting/web/{serviceName}', ['example.org']],
    ['GET', 'https://api.example/1.0/hosting/web/example.org?x=/y#z', '/hosting/web/{serviceName}', ['example.org']],
    ['GET', '/ip/192.0.2.0%2F24/move', '/ip/{ip}/move', ['192.0.2.0/24']],
    ['GET', '/hosting/web/{serviceName}', '/hosting/web/{serviceName}', [undefined]],
    ['GET', '/v2/iam/policy', '/iam/policy', []],
  ])('%s %s is %s', (method, path, template, values) => {
    const matched = matchCall(routes, callOf(method, path))
    expect(matched).toMatchObject({ kind: 'one', match: { operation: { path: template } } })
    expect(matched.kind === 'one' && matched.match.values).toEqual(values)
  })

  it.each([
    ['FETCH', '/me', /^method `FETCH`: expected one of/],
    ['GET', 'me', /does not start with/],
    ['GET', '/hosting/web/%zz', /percent-encoding/],
    ['GET', '/hosting/web/\ud800', /percent-encoding/],
    ['GET', '/hosting/../me', /another path/],
    ['GET', '/hosting/%2e%2e/me', /another path/],
    ['GET', '/hosting/web/*', /not to a pattern/],
    ['GET', '/hosting\\web/a', /programs disagree/],
    ['GET', '/hosting/web/a\t', /programs disagree/],
    ['GET', '/hosting/web/a ', /programs disagree/],
  ])('%s %s is refused', (method, path, message) => {
    expect(readCall(method, path).problems?.map((problem) => problem.message)).toEqual([expect.stringMatching(message)])
  })

  it('says what was probably meant', () => {
    const none = (method: string, path: string) => matchCall(routes, callOf(method, path))
    expect(none('GET', '/hosting/wbe/example.org')).toEqual({ kind: 'none', methods: [], near: '/hosting/web/example.org' })
    expect(none('GET', '/v1/hositng/web/a%2Fb')).toEqual({ kind: 'none', methods: [], near: '/v1/hosting/web/a%2Fb' })
    expect(none('GET', '/hosting//web')).toEqual({ kind: 'none', methods: [], near: '/hosting/web' })
    expect(none('GET', '/ip/192.0.2.0/24')).toEqual({ kind: 'none', methods: [], near: '/ip/192.0.2.0%2F24' })
    expect(none('POST', '/v1/vps/a/rebot')).toEqual({ kind: 'none', methods: [], near: '/v1/vps/a/reboot' })
    expect(none('GET', '/vps/web-1/rebot')).toEqual({ kind: 'none', methods: [], near: '/vps/web-1/reboot' })
    expect(none('GET', '/hosting/web/x/foo')).toEqual({ kind: 'none', methods: [] })
    expect(none('DELETE', '/hosting/web/x')).toEqual({ kind: 'none', methods: ['GET', 'PUT'] })
    expect(none('GET', '/v2/hosting/web/x')).toMatchObject({ kind: 'none', methods: [] })
    expect(none('GET', '/xyzzy/plugh')).toEqual({ kind: 'none', methods: [] })
  })

  it('begin with a parameter: a call with the name of it fits once', () => {
    const own = { branch: 'v1', method: 'GET', path: '/{x}/own', actions: [], seen: '2026-01', noAuthentication: false } as const
    const matched = matchCall(routesOf([own]), callOf('GET', '/v1/{x}/own'))
    expect(matched).toEqual({ kind: 'one', match: { operation: own, values: [undefined], others: [] } })
  })

  it('means an operation of the method of the call, where one is as near', () => {
    const of = (method: Call['method'], path: string) => ({
      ...(operations[0] as (typeof operations)[number]),
      branch: 'v1' as const,
      method,
      path,
    })
    const few = routesOf([of('GET', '/a/open'), of('POST', '/a/opem'), of('GET', '/ip/{ip}')])
    const near = (method: string, path: string) => matchCall(few, callOf(method, path))
    expect(near('GET', '/a/opec')).toMatchObject({ near: '/a/open' })
    expect(near('POST', '/a/opec')).toMatchObject({ near: '/a/opem' })
    expect(near('PUT', '/a/opec')).toMatchObject({ near: '/a/open' })
    expect(near('GET', '/ip/192.0.2.0/24')).toMatchObject({ near: '/ip/192.0.2.0%2F24' })
    expect(near('PUT', '/ip/192.0.2.0/24')).toEqual({ kind: 'none', methods: [] })
  })

  it('finds what looking at every template finds, for every operation with literal words as values', () => {
    const all = operations.map((operation) => ({ operation, words: operation.path.slice(1).split('/') }))
    const byLength = Array.from({ length: 20 }, (_, length) => all.filter(({ words }) => words.length === length))
    const literals = ({ words }: (typeof all)[number]) => words.filter((word) => !isParameter(word)).length
    // Words where a parameter may be: a fork of templates is met only with the words of the other branch.
    const alternatives = new Map<string, Set<string>>()
    for (const { words } of all)
      for (const [i, word] of words.entries()) {
        const key = words
          .slice(0, i)
          .join('/')
          .replace(/\{[^}]*\}/g, '{}')
        if (!isParameter(word)) alternatives.set(key, (alternatives.get(key) ?? new Set()).add(word))
      }
    const random = randomOf(6607)
    const plainly = (call: Call) => {
      const fitting = (byLength[call.words.length] ?? []).filter(
        ({ operation, words }) =>
          (call.branch === undefined || operation.branch === call.branch) &&
          words.every((word, i) => (isParameter(word) ? call.words[i] !== '' : word === call.words[i])),
      )
      const rightMethod = fitting.filter(({ operation }) => operation.method === call.method).sort((a, b) => literals(b) - literals(a))
      const [best, ...rest] = rightMethod
      if (!best)
        return { kind: 'none', methods: callMethods.filter((method) => fitting.some(({ operation }) => operation.method === method)) }
      const rivals = rest.filter((each) => each.operation.branch !== best.operation.branch || literals(each) === literals(best))
      if (rivals.length > 0) return { kind: 'several', operations: [best, ...rivals].map(({ operation }) => operation) }
      const values = best.words.flatMap((word, i) => (isParameter(word) ? [call.words[i] === word ? undefined : call.words[i]] : []))
      return { kind: 'one', match: { operation: best.operation, values, others: rest.map(({ operation }) => operation) } }
    }
    const met = { one: 0, several: 0, none: 0, others: 0 }
    for (const { operation, words } of some(all, 16)) {
      const filled = words.map((word, i) => {
        if (!isParameter(word) || random() < 0.1) return word
        const literal = [
          ...(alternatives.get(
            words
              .slice(0, i)
              .join('/')
              .replace(/\{[^}]*\}/g, '{}'),
          ) ?? []),
        ]
        return literal.length > 0 && random() < 0.7 ? pick(random, literal) : 'x y'
      })
      const path = `${random() < 0.4 ? '' : `/${operation.branch}`}/${filled.map((word) => encodeURIComponent(word)).join('/')}`
      const call = callOf(random() < 0.8 ? operation.method : pick(random, callMethods), path)
      const expected = plainly(call)
      // Looking for what was meant has a test of its own below, and is slow.
      if (expected.kind === 'none' && expected.methods?.length === 0) continue
      const matched = matchCall(routes, call)
      expect(matched, `${call.method} ${path}`).toEqual(expected)
      met[matched.kind]++
      if (matched.kind === 'one' && matched.match.others.length > 0) met.others++
    }
    expect(met.one).toBeGreaterThan(effort(5000))
    expect(met.none).toBeGreaterThan(effort(200))
    expect(met.others).toBeGreaterThan(effort(100))
  })

  it('distinguishes several operations by literal words only, and says where that does not decide', () => {
    const operation = (branch: 'v1' | 'v2', path: string): Operation => ({
      branch,
      method: 'GET',
      path,
      actions: [],
      seen: '2025-01',
      noAuthentication: false,
    })
    const small = routesOf([operation('v1', '/a/{x}/c'), operation('v1', '/a/b/{y}'), operation('v1', '/a/b/d'), operation('v2', '/a/b/e')])
    const kinds = (path: string) => {
      const matched = matchCall(small, callOf('GET', path))
      if (matched.kind === 'one') return [matched.match.operation.path, ...matched.match.others.map(({ path }) => path)]
      return matched.kind === 'several' ? matched.operations.map(({ branch, path }) => `several ${branch}${path}`) : ['none']
    }
    expect(kinds('/a/b/d')).toEqual(['/a/b/d', '/a/b/{y}'])
    expect(kinds('/a/b/c')).toEqual(['several v1/a/{x}/c', 'several v1/a/b/{y}'])
    expect(kinds('/a/b/e')).toEqual(['several v2/a/b/e', 'several v1/a/b/{y}'])
    expect(kinds('/v2/a/b/e')).toEqual(['/a/b/e'])
    expect(kinds('/a//c')).toEqual(['none'])
  })
})

/** A world as the generator makes it, with the names of a call in place of its own. */
function worldAbout(random: Random, identity: string, questions: readonly { readonly action: string; readonly resource: string }[]) {
  const { world } = generate(random, 1)
  const policies: PolicyJson[] = world.policies.map((policy, i) => {
    const { action, resource } = pick(random, questions)
    const roll = random()
    const entry = () => ({ action: roll < 0.5 ? action : `${action.slice(0, action.indexOf(':') + 1)}*` })
    const { allow, except, deny } = policy.permissions
    return {
      ...policy,
      name: `p${i}`,
      identities: random() < 0.8 ? [identity] : policy.identities,
      resources:
        random() < 0.7 ? [{ urn: random() < 0.7 ? resource : `${resource.slice(0, resource.lastIndexOf(':') + 1)}*` }] : policy.resources,
      permissions: {
        ...(allow && { allow: random() < 0.8 ? [entry()] : allow }),
        ...(except && { except: random() < 0.3 ? [entry()] : except }),
        ...(deny && { deny: random() < 0.6 ? [entry()] : deny }),
      },
    }
  })
  return worldOf({ ...world, policies })
}

describe('judging', () => {
  it('decides each requirement as `can` does, and the call by all that are required', () => {
    const counts = { allow: 0, deny: 0, unknown: 0 }
    const needing = operations.filter(({ actions }) => actions.length > 0)
    const several = needing.filter(({ actions }) => actions.length > 1)
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = randomOf(seed)
        const operation = pick(random, random() < 0.3 ? several : needing)
        const call = callOf(operation.method, `/${operation.branch}${filledPath(operation, () => pick(random, ['a', 'b', 'ab', 'a/b']))}`)
        const types = operation.actions.map(({ name }) => catalogue.typesOf(name.slice(0, name.indexOf(':')))[0] ?? 't')
        const resources = random() < 0.5 ? [...new Set(types)].map((type) => `urn:v1:eu:resource:${type}:given`) : []
        // Time, groups and address as the generator has them, since its worlds depend on them.
        const { at, groups, ip } = questionOf(generate(random, 1).questions[0] as QuestionJson)
        const context = about({ resources: random() < 0.7 ? [] : resources, context: { at, groups, ...(ip && { ip }) } })
        const needed = answerCall(emptyWorld, routes, catalogue, call, context).requirements
        const questions = needed.flatMap(({ action, resource }) => (resource === undefined ? [] : [{ action, resource }]))
        const world = questions.length > 0 ? worldAbout(random, ann, questions) : emptyWorld
        const answer = answerCall(world, routes, catalogue, call, context)
        expect(answerCall(world, routes, catalogue, call, context, compile(world).decide)).toEqual(answer)
        expect(answer.operation).toBe(operation)
        expect(answer.requirements.map(({ action }) => action)).toEqual(operation.actions.map(({ name }) => name))
        for (const { action, resource, verdict, asked, from } of answer.requirements) {
          if (resource === undefined) expect([asked, verdict]).toEqual([undefined, from === 'listing' ? 'allow' : 'unknown'])
          else {
            const { question } = readQuestion(ann, action, resource, context.context, defaultSettings)
            expect(asked?.decision).toEqual(question && decide(world, question))
            expect(verdict).toBe(asked?.decision.verdict)
          }
        }
        const required = answer.requirements.filter((each) => each.required).map(({ verdict }) => verdict)
        const expected = required.every((each) => each === 'allow') ? 'allow' : required.includes('deny') ? 'deny' : 'unknown'
        expect(answer.verdict).toBe(expected)
        expect(answer.missing.length > 0).toBe(expected === 'unknown')
        counts[expected]++
      }),
      { numRuns: effort(1200) },
    )
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(effort(100))
  })
})

describe('what a call needs', () => {
  const needs = (method: string, path: string, change: Partial<CallContext> = {}, world = emptyWorld) =>
    ask(method, path, change, world).requirements.map(({ action, resource, from, why, required }) => [
      `${action}${required ? '' : '?'}`,
      resource ?? why ?? from,
    ])

  it('is about the first path parameter, for actions of a product', () => {
    expect(needs('GET', '/v1/hosting/web/example.org')).toEqual([['webHosting:apisvc:get', 'urn:v1:eu:resource:webHosting:example.org']])
    expect(needs('GET', '/hosting/web/x', { region: 'ca' })).toEqual([['webHosting:apisvc:get', 'urn:v1:ca:resource:webHosting:x']])
    expect(needs('GET', '/ip/192.0.2.0%2F24')).toEqual([['ip:apisvc:get', 'urn:v1:eu:resource:ip:192.0.2.0/24']])
    // The product is not a type of its own: it serves one other.
    expect(needs('GET', '/caas/registry/x')).toEqual([['caasRegistry:apisvc:get', 'urn:v1:eu:resource:dockerRegistry:x']])
  })

  it('is about the account, for account actions', () => {
    const resource = (account: string, region = 'eu') => [['account:apisvc:me/get', `urn:v1:${region}:resource:account:${account}`]]
    const world = worldOf({ account: 'cd34-svc', policies: [] })
    expect(needs('GET', '/me')).toEqual(resource('ab12-svc'))
    expect(needs('GET', '/me', {}, world)).toEqual(resource('cd34-svc'))
    expect(needs('GET', '/me', { context: { at: 0, groups: [], owner: 'ef56-svc' } }, world)).toEqual(resource('ef56-svc'))
    expect(needs('GET', '/me', { identity: 'urn:v1:ca:identity:account:ab12-svc' })).toEqual(resource('ab12-svc', 'ca'))
  })

  it('is not known where the path does not name it', () => {
    expect(needs('POST', '/vrack/pn-1/ip')).toEqual([
      ['vrack:apisvc:ip/attach', 'urn:v1:eu:resource:vrack:pn-1'],
      ['ip:apisvc:vrack/attach', 'the path does not name it'],
    ])
    expect(needs('GET', '/webPaaS/capabilities')).toEqual([['webPaaS:apisvc:capabilities/get', 'the path names no resource']])
    expect(needs('GET', '/hosting/web/{serviceName}')).toEqual([['webHosting:apisvc:get', 'the path has a placeholder in its place']])
    expect(needs('GET', '/email/exchange/x/service/y')[0]).toEqual([expect.any(String), 'no resource type is known for `emailExchange`'])
    expect(needs('GET', '/hosting/web/%20x')).toEqual([['webHosting:apisvc:get', 'the value in the path is no name of a resource']])
  })

  it('is about what is given, where its type is one that the product serves', () => {
    const resources = ['urn:v1:eu:resource:ip:192.0.2.1']
    expect(needs('POST', '/vrack/pn-1/ip', { resources })).toEqual([
      ['vrack:apisvc:ip/attach', 'urn:v1:eu:resource:vrack:pn-1'],
      ['ip:apisvc:vrack/attach', 'urn:v1:eu:resource:ip:192.0.2.1'],
    ])
    const two = [...resources, 'urn:v1:eu:resource:ipService:a']
    expect(needs('POST', '/vrack/pn-1/ip', { resources: two })[1]).toEqual([
      'ip:apisvc:vrack/attach',
      '2 of the given resources may be meant',
    ])
  })

  it('has the tags that are given, of the first resource alone', () => {
    const prod = { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } }
    const world = worldOf({
      policies: [
        {
          name: 'p',
          identities: [ann],
          resources: [{ urn: 'urn:v1:eu:resource:*' }],
          permissions: { allow: [{ action: '*' }] },
          conditions: prod,
        },
      ],
      resources: [{ urn: 'urn:v1:eu:resource:vrack:pn-1', tags: { env: 'test', team: 'a' } }],
    })
    const resources = ['urn:v1:eu:resource:ip:192.0.2.1']
    const verdicts = (env?: string) => {
      const tags = env === undefined ? {} : { tags: new Map([['env', env]]) }
      return ask('POST', '/vrack/pn-1/ip', { resources, context: { at: 0, groups: [], ...tags } }, world).requirements.map(
        ({ verdict }) => verdict,
      )
    }
    expect(verdicts()).toEqual(['deny', 'unknown'])
    expect(verdicts('prod')).toEqual(['allow', 'unknown'])
  })

  it('says which are not always needed, and lets them not decide', () => {
    const found = needs('GET', '/ip/192.0.2.1/move')
    expect(found[0]).toEqual(['ip:apisvc:move/get', 'urn:v1:eu:resource:ip:192.0.2.1'])
    expect(found.slice(1).every(([action, why]) => action?.endsWith('?') && why === 'the path does not name it')).toBe(true)
    const world = worldOf({
      name: 'p',
      identities: [ann],
      resources: [{ urn: 'urn:v1:eu:resource:ip:*' }],
      permissions: { allow: [{ action: 'ip:*' }] },
    })
    expect(ask('GET', '/ip/192.0.2.1/move', {}, world).verdict).toBe('allow')
  })

  it('is a session, or not even that', () => {
    expect(ask('GET', '/auth/details')).toMatchObject({ basis: 'session', verdict: 'allow', requirements: [] })
    expect(ask('GET', '/auth/time')).toMatchObject({ basis: 'open', verdict: 'allow', requirements: [] })
    expect(ask('GET', '/auth/time', { rules: rulesOf() })).toMatchObject({ verdict: 'allow', credential: { verdict: 'allow' } })
    expect(ask('GET', '/auth/details', { rules: rulesOf() })).toMatchObject({ policies: 'allow', verdict: 'deny' })
  })

  it('is never a refusal for a list', () => {
    expect(ask('GET', '/vps')).toMatchObject({ verdict: 'allow', requirements: [{ from: 'listing', required: true, verdict: 'allow' }] })
    expect(ask('GET', '/email/exchange')).toMatchObject({ verdict: 'allow', requirements: [{ from: 'listing' }] })
  })

  it('is not known for an unknown operation, unless actions are given', () => {
    expect(ask('GET', '/v1/new/thing')).toMatchObject({
      basis: 'nothing',
      verdict: 'unknown',
      missing: [{ kind: 'actions', method: 'GET', path: '/v1/new/thing' }],
    })
    const given = { actions: ['account:apisvc:me/get'] }
    expect(ask('GET', '/v1/new/thing', given)).toMatchObject({ basis: 'actions', verdict: 'deny' })
    const product = { actions: ['vps:apisvc:new'] }
    expect(ask('GET', '/v1/new/thing', product)).toMatchObject({
      verdict: 'unknown',
      missing: [{ kind: 'resource', action: 'vps:apisvc:new' }],
    })
    expect(ask('GET', '/v1/new/thing', { ...product, resources: ['urn:v1:eu:resource:vps:a'] })).toMatchObject({ verdict: 'deny' })
  })
})

describe('the rules of a consumer key', () => {
  const gate = (method: string, path: string, ...written: readonly (readonly [string, string])[]) => {
    const call = callOf(method, path)
    const matched = matchCall(routes, call)
    const branch = matched.kind === 'one' ? matched.match.operation.branch : call.branch
    const { verdict, rule } = accessGate(rulesOf(...written), call, branch)
    return rule ? `${verdict} ${rule.path.value}` : verdict
  }

  it.each([
    ['GET', '/me', [['GET', '/me']], 'allow /me'],
    ['GET', '/v1/me', [['GET', '/me']], 'allow /me'],
    ['GET', '/me', [['GET', '/1.0/me']], 'allow /1.0/me'],
    ['GET', '/1.0/me', [['GET', '/v1/*']], 'allow /v1/*'],
    ['GET', '/me', [['GET', '/v2/*']], 'deny'],
    ['GET', '/v2/iam/policy', [['GET', '/v2/*']], 'allow /v2/*'],
    ['GET', '/v2/iam/policy', [['GET', '/v1/*']], 'deny'],
    // A wildcard does not reach into the branch: this is `/vps` and the like.
    ['GET', '/v1/me', [['GET', '/v*']], 'deny'],
    ['GET', '/me', [['POST', '/me']], 'deny'],
    ['GET', '/me', [['get', '/me']], 'deny'],
    ['GET', '/me/bill', [['GET', '/me']], 'deny'],
    ['GET', '/sms', [['GET', '/sms/*']], 'deny'],
    ['GET', '/sms/a/jobs', [['GET', '/sms/*']], 'allow /sms/*'],
    ['GET', '/me', [['GET', '/*']], 'allow /*'],
    ['GET', '/me', [['GET', '*']], 'allow *'],
    [
      'GET',
      '/me',
      [
        ['POST', '/*'],
        ['GET', '/me'],
        ['GET', '/*'],
      ],
      'allow /me',
    ],
    ['GET', '/me?x=/bill', [['GET', '/me']], 'allow /me'],
    // How the service changes these forms before it compares is not published.
    ['GET', '/sms/', [['GET', '/sms/*']], 'unknown /sms/*'],
    ['GET', '/ip/192.0.2.0%2F24', [['GET', '/ip/192.0.2.0/24']], 'unknown /ip/192.0.2.0/24'],
    ['GET', '/ip/192.0.2.0%2F24', [['GET', '/ip/*']], 'allow /ip/*'],
    ['GET', '/new/thing', [['GET', '/v1/*']], 'unknown /v1/*'],
  ] as const)('%s %s under %j: %s', (method, path, written, expected) => {
    expect(gate(method, path, ...written)).toBe(expected)
  })

  it('is a second gate: both must let the call through', () => {
    const world = worldOf({
      name: 'p',
      identities: [ann],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    })
    const verdicts = (path: string, rules: CallContext['rules']) => {
      const { policies, credential, verdict } = ask('GET', path, rules ? { rules } : {}, world)
      return [policies, credential?.verdict, verdict]
    }
    expect(verdicts('/vps/a', rulesOf(['GET', '/vps/*']))).toEqual(['allow', 'allow', 'allow'])
    expect(verdicts('/vps/a', rulesOf(['GET', '/me']))).toEqual(['allow', 'deny', 'deny'])
    expect(verdicts('/vps/a', undefined)).toEqual(['allow', undefined, 'allow'])
    expect(verdicts('/me', rulesOf(['GET', '/*']))).toEqual(['deny', 'allow', 'deny'])
    expect(verdicts('/new/thing', rulesOf(['GET', '/me']))).toEqual(['unknown', 'deny', 'deny'])
  })
})

describe('a refusal', () => {
  const read = (body: string) => readForbidden(readTree(sourceOf('b.json', body)).documents[0] as Node, 'svc')
  const forbidden = (body: object) => {
    const { forbidden, problem } = read(JSON.stringify(body))
    if (!forbidden) throw new Error(problem.message)
    return forbidden
  }
  const byPolicies = { class: 'Client::Forbidden', message: 'User not granted for this request' }
  const byRules = { message: 'This call has not been granted' }
  const naming = (iam: string, authentication = '') => ({
    ...byPolicies,
    details: { unauthorizedActionsByAuthentication: authentication, unauthorizedActionsByIAM: iam },
  })

  it('is understood in the shapes that are documented, with what it names', () => {
    expect(forbidden(byPolicies)).toEqual({ gate: 'policies', message: byPolicies.message, actions: [], byAuthentication: [] })
    expect(forbidden({ ...byPolicies, message: 'The user is not granted for this request.' }).gate).toBe('policies')
    expect(forbidden(byRules).gate).toBe('credential')
    expect(forbidden({ ...byRules, class: 'Client::Forbidden', httpCode: '403 Forbidden' }).gate).toBe('credential')
    expect(forbidden(naming('vps:apisvc:reboot, vps:apisvc:stop'))).toMatchObject({
      gate: 'policies',
      actions: ['vps:apisvc:reboot', 'vps:apisvc:stop'],
    })
    expect(forbidden(naming('', 'vps:apisvc:reboot'))).toMatchObject({ gate: 'authentication', byAuthentication: ['vps:apisvc:reboot'] })
  })

  it.each([
    ['[]', /not an object/],
    ['{}', /`message` is missing/],
    ['{"message":7}', /`message` is missing, or not a text/],
    ['{"class":"Client::Forbidden","message":"no"}', /no refusal that is known: class `Client::Forbidden`, message `no`/],
    ['{"class":"Client::NotFound","message":"User not granted for this request"}', /no refusal that is known/],
    ['{"class":"Client::NotFound","message":"This call has not been granted"}', /no refusal that is known/],
    ['{"message":"User not granted for this request"}', /no refusal that is known/],
    ['{"class":"Client::Forbidden","message":"User not granted for this request","details":"x"}', /`details` is not an object/],
    [JSON.stringify(naming('vps:*')), /`details.unauthorizedActionsByIAM`: `vps:\*` is no action/],
    [JSON.stringify(naming('vps reboot')), /is no action/],
    [JSON.stringify({ ...byPolicies, details: { unauthorizedActionsByIAM: ['vps:apisvc:get'] } }), /is not a text/],
  ])('%s is not guessed at', (body, message) => {
    expect(read(body).problem?.message).toMatch(message)
  })

  const grant = (body: object, call: string | undefined, change: Partial<CallContext> = {}, world = emptyWorld) => {
    const [method = '', path = ''] = call?.split(' ') ?? []
    const refusal = forbidden(body)
    const context = about(change)
    const refused = refusedCall(refusal, world, routes, catalogue, call === undefined ? undefined : callOf(method, path), context)
    return grantFor(refusal, refused, context.identity, world, world !== emptyWorld, defaultSettings)
  }

  it('by the policies asks for what the call needs, on what it is about', () => {
    expect(grant(byPolicies, 'GET /v1/hosting/web/example.org').policies).toEqual([
      {
        name: 'needed for webHosting:apisvc:get',
        description: 'For GET /v1/hosting/web/{serviceName}',
        identities: [ann],
        resources: [{ urn: 'urn:v1:eu:resource:webHosting:example.org' }],
        permissions: { allow: [{ action: 'webHosting:apisvc:get' }] },
      },
    ])
    const half = grant(byPolicies, 'POST /vrack/pn-1/ip')
    expect(half.policies.map(({ resources }) => resources)).toEqual([[{ urn: 'urn:v1:eu:resource:vrack:pn-1' }]])
    expect(half.missing).toEqual([{ kind: 'resource', action: 'ip:apisvc:vrack/attach' }])
    const both = grant(byPolicies, 'POST /vrack/pn-1/ip', { resources: ['urn:v1:eu:resource:ip:192.0.2.1'] })
    expect([both.policies.length, both.missing]).toEqual([2, []])
  })

  it('takes the word of the service for what is missing', () => {
    const named = naming('ip:apisvc:vrack/attach')
    expect(grant(named, 'POST /vrack/pn-1/ip', { resources: ['urn:v1:eu:resource:ip:192.0.2.1'] }).policies).toMatchObject([
      { resources: [{ urn: 'urn:v1:eu:resource:ip:192.0.2.1' }], permissions: { allow: [{ action: 'ip:apisvc:vrack/attach' }] } },
    ])
    expect(grant(named, undefined)).toMatchObject({ policies: [], missing: [{ kind: 'resource', action: 'ip:apisvc:vrack/attach' }] })
    expect(grant(naming('account:apisvc:me/get'), undefined).policies[0]?.resources).toEqual([
      { urn: 'urn:v1:eu:resource:account:ab12-svc' },
    ])
    expect(grant(byPolicies, undefined)).toMatchObject({ policies: [], missing: [{ kind: 'call' }] })
    expect(grant(byPolicies, 'GET /v1/new/thing')).toMatchObject({
      policies: [],
      missing: [{ kind: 'actions', method: 'GET', path: '/v1/new/thing' }],
    })
    expect(grant(byPolicies, 'GET /auth/details')).toMatchObject({ policies: [], notes: [expect.stringMatching(/not known to need/)] })
  })

  it('of named actions without a call is judged with the tags that are given', () => {
    const world = worldOf({
      name: 'p',
      identities: [ann],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
      conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } },
    })
    const tagged = (env: string) => {
      const { context } = about({})
      return grant(
        naming('vps:apisvc:get'),
        undefined,
        { resources: ['urn:v1:eu:resource:vps:a'], context: { ...context, tags: new Map([['env', env]]) } },
        world,
      ).notes
    }
    expect(tagged('dev')).toEqual([expect.stringMatching(/^the policies that were given allow it/)])
    expect(tagged('prod')).toEqual([])
  })

  it('by the rules asks for a rule that lets this call through, and no other', () => {
    const rule = (call: string) => grant(byRules, call).accessRules[0] ?? { method: '', path: '' }
    expect(rule('GET /v1/vps/vps-1/')).toEqual({ method: 'GET', path: '/vps/vps-1' })
    expect(rule('POST /v2/iam/policy')).toEqual({ method: 'POST', path: '/v2/iam/policy' })
    for (const call of ['GET /v1/vps/vps-1', 'POST /v2/iam/policy', 'GET /ip/192.0.2.0%2F24']) {
      const { method, path } = rule(call)
      const [called = '', to = ''] = call.split(' ')
      expect(ask(called, to, { rules: rulesOf([method, path]) }).credential?.rule?.path.value).toBe(path)
      expect(ask(called, '/vps/vps-2', { rules: rulesOf([method, path]) }).credential?.verdict).toBe('deny')
    }
    expect(grant(byRules, undefined)).toMatchObject({ accessRules: [], missing: [{ kind: 'call' }] })
  })

  it('by the authentication is lifted by no policy', () => {
    expect(grant(naming('', 'vps:apisvc:get'), 'GET /vps/a')).toMatchObject({
      policies: [],
      notes: [expect.stringMatching(/no policy grants/)],
    })
    const both = grant(naming('vps:apisvc:get', 'vps:apisvc:get'), 'GET /vps/a')
    expect([both.policies.length, both.notes.length]).toEqual([1, 1])
  })

  it('says so where the policies at hand do not agree with it', () => {
    const world = worldOf({
      name: 'p',
      identities: [ann],
      resources: [{ urn: 'urn:v1:eu:resource:*' }],
      permissions: { allow: [{ action: '*' }] },
    })
    const { policies, notes } = grant(byPolicies, 'GET /vps/a', {}, world)
    expect([policies.length, notes]).toEqual([1, [expect.stringMatching(/the policies that were given allow it/)]])
  })

  it('of a call that lists is not said to contradict the policies: what it lists is what the caller may see', () => {
    const world = worldOf({
      name: 'p',
      identities: [ann],
      resources: [{ urn: 'urn:v1:eu:resource:vps:a' }],
      permissions: { allow: [{ action: '*' }] },
    })
    expect(ask('GET', '/vps').requirements).toMatchObject([{ from: 'listing', verdict: 'allow' }])
    expect(grant(byPolicies, 'GET /vps', {}, world)).toMatchObject({ policies: [], notes: [], suffices: false })
    expect(grant(byPolicies, 'GET /vps/a', {}, world).notes).toEqual([expect.stringMatching(/the policies that were given allow it/)])
  })

  it('is lifted by what is asked for, unless a deny or a missing fact prevents it, and asks for no more', () => {
    const counts = { enough: 0, obstacle: 0, missing: 0 }
    const needing = operations.filter(({ actions }) => actions.length > 0)
    const several = needing.filter(({ actions }) => actions.filter(({ required }) => required).length > 1)
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = randomOf(seed)
        const operation = pick(random, random() < 0.4 ? several : needing)
        const call = callOf(operation.method, `/${operation.branch}${filledPath(operation, () => pick(random, ['a', 'b', 'ab']))}`)
        const products = new Set(operation.actions.map(({ name }) => name.slice(0, name.indexOf(':'))))
        const resources = [...products]
          .flatMap((product) => catalogue.typesOf(product).slice(0, 1))
          .map((type) => `urn:v1:eu:resource:${type}:b`)
        const context = about({ resources })
        const questions = answerCall(emptyWorld, routes, catalogue, call, context).requirements.flatMap(({ action, resource }) =>
          resource === undefined ? [] : [{ action, resource }],
        )
        fc.pre(questions.length > 0)
        const world = worldAbout(random, ann, questions)
        const refusal = forbidden(random() < 0.5 ? byPolicies : naming(questions.map(({ action }) => action).join(',')))
        const refused = refusedCall(refusal, world, routes, catalogue, call, context)
        const found = grantFor(refusal, refused, ann, world, true, defaultSettings)
        // Through the reader and the evaluator, as the service and `can` have it.
        const more = found.policies.length === 0 ? [] : worldOf({ policies: found.policies }).policies
        const asRead = { ...world, policies: [...world.policies, ...more] }
        const needed = found.policies.flatMap(({ resources, permissions }) =>
          permissions.allow.map(({ action }) =>
            decide(asRead, { identity: ann, action, resource: resources[0]?.urn ?? '', at: 0, groups: [] }),
          ),
        )
        // Nothing is asked for that is granted already, where the service names no action.
        if (refusal.actions.length === 0 && found.notes.length === 0)
          for (const { verdict, action } of refused.requirements)
            expect(
              found.policies.some(({ permissions }) => permissions.allow.some((entry) => entry.action === action)) && verdict,
            ).not.toBe('allow')
        if (found.suffices) {
          counts.enough++
          expect(needed.map(({ verdict }) => verdict)).toEqual(needed.map(() => 'allow'))
          expect(answerCall(asRead, routes, catalogue, call, context).verdict).not.toBe('deny')
        } else if (found.obstacles.length > 0) {
          counts.obstacle++
          // Without these entries, and with what is asked for, nothing is denied any more.
          const gone = new Set(found.obstacles.map(({ entry }) => entry))
          const bare = (set: PermissionSet) => ({ ...set, deny: set.deny.filter((entry) => !gone.has(entry)) })
          const without = {
            ...asRead,
            policies: asRead.policies.map((policy) => ({ ...policy, permissions: bare(policy.permissions) })),
            permissionsGroups: new Map(
              [...asRead.permissionsGroups].map(([urn, group]) => [urn, { ...group, permissions: bare(group.permissions) }]),
            ),
          }
          expect(answerCall(without, routes, catalogue, call, context).verdict).not.toBe('deny')
        } else {
          counts.missing++
          expect(found.missing.length > 0 || found.policies.length === 0).toBe(true)
        }
      }),
      { numRuns: effort(600), seed: 3 },
    )
    expect(counts.enough).toBeGreaterThan(effort(150))
    expect(counts.obstacle).toBeGreaterThan(effort(20))
  })
})
