import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { controlRows, riskCategories, sensitiveAmong, sensitiveRows } from '../../src/actions/sensitive.ts'
import { glob } from '../../src/glob.ts'
import type { Policy } from '../../src/policy.ts'
import { leakOf } from '../../src/rules/actions/except-is-not-deny.ts'
import { rules } from '../../src/rules/index.ts'
import { boxText, residuals } from '../../src/rules/support/residual.ts'
import { wholeSet } from '../../src/rules/support/whole-set.ts'
import { decide } from '../../src/simulate/decide.ts'
import { firstNewAccess } from '../../src/symbolic/covers.ts'
import { indexOf, sideOf } from '../../src/symbolic/side.ts'
import { effort } from '../support/effort.ts'
import { lintExample, readExample } from '../support/examples.ts'
import { catalogue, contextOf, found } from '../support/lint-world.ts'
import {
  generate,
  type Knobs,
  type PolicyJson,
  pick,
  questionOf,
  type Random,
  randomOf,
  shuffled,
  usualKnobs,
  worldOf,
} from '../support/worlds.ts'

describe('the table of sensitive actions', () => {
  const rows = sensitiveRows()
  const actions = catalogue.products.flatMap((product) => catalogue.actionsOf(product))

  it('has a row for each thing to be wary of, and a reason for each row', () => {
    expect(rows.length).toBeGreaterThan(effort(150, 30))
    expect(new Set(rows.map(({ category }) => category))).toEqual(new Set(riskCategories))
    for (const { reason } of rows) expect(reason).toMatch(/^[a-z][^.]*[a-z0-9]$/)
    const texts = rows.map(({ pattern }) => pattern.text)
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([])
  })

  it('names actions that there are', () => {
    expect(rows.filter(({ pattern }) => catalogue.expand(pattern).length === 0).map(({ pattern }) => pattern.text)).toEqual([])
  })

  it('knows with what a resource is taken over, by actions that there are', () => {
    for (const { pattern, reason } of controlRows()) {
      expect(catalogue.expand(pattern), pattern.text).not.toEqual([])
      expect(reason).toMatch(/^[a-z][^.]*[a-z0-9]$/)
    }
    expect(controlRows('acme').every(({ pattern }) => pattern.text.includes(':apiacme:'))).toBe(true)
  })

  it('speaks in the words of an installation', () => {
    const acme = loadCatalogue('acme')
    const own = sensitiveRows('acme')
    expect(own.filter(({ pattern }) => acme.expand(pattern).length === 0).map(({ pattern }) => pattern.text)).toEqual([])
    expect(own.some(({ pattern }) => pattern.text.includes('svc'))).toBe(false)
  })

  it('gives the rows of one product, and of every product, in the same order', () => {
    const about = (product: string) =>
      rows.filter(({ pattern }) => [product, '*'].includes(pattern.text.slice(0, pattern.text.indexOf(':'))))
    expect(about('vps').length).toBeGreaterThan(about('nothing').length)
    for (const product of ['vps', 'account', 'nothing']) expect(sensitiveRows('svc', product)).toEqual(about(product))
    for (const { pattern, reason } of rows) expect(reason.includes(pattern.text.slice(pattern.text.lastIndexOf(':')))).toBe(false)
  })

  it('takes a read for sensitive only where a row names a read', () => {
    const row = (pattern: string, category: 'audit' | 'spend') => ({ pattern: glob(pattern), category, reason: `by ${pattern}` })
    const table = [
      row('a:apisvc:key/*', 'audit'),
      row('a:apisvc:*/secret/get', 'spend'),
      row('a:apisvc:key/list', 'spend'),
      row('*', 'spend'),
    ]
    const asked = ['a:apisvc:key/secret/get', 'a:apisvc:key/get', 'a:apisvc:key/list', 'a:apisvc:edit']
    expect(sensitiveAmong(asked, table)).toEqual([
      { action: 'a:apisvc:key/secret/get', category: 'spend', reason: 'by a:apisvc:*/secret/get' },
      { action: 'a:apisvc:key/list', category: 'audit', reason: 'by a:apisvc:key/*' },
      { action: 'a:apisvc:edit', category: 'spend', reason: 'by *' },
    ])
  })

  it('takes no plain read for sensitive that no row names', () => {
    const reads = sensitiveAmong(actions, rows).filter(({ action }) => action.endsWith('/get'))
    const named = (action: string) =>
      rows.some(({ pattern }) => pattern.text.endsWith('/get') && catalogue.expand(pattern).includes(action))
    expect(reads.filter(({ action }) => !named(action))).toEqual([])
    expect(reads.length).toBeGreaterThan(effort(20, 30))
  })

  it.each([
    ['account:apisvc:iam/policy/create', 'escalation'],
    ['account:apisvc:me/identity/user/edit', 'escalation'],
    ['account:apisvc:me/identity/user/token/create', 'credentials'],
    ['publicCloudProject:apisvc:kube/kubeconfig/create', 'credentials'],
    ['account:apisvc:me/accessRestriction/ip/delete', 'audit'],
    ['ip:apisvc:firewall/rule/create', 'exposure'],
    ['vps:apisvc:snapshot/download/get', 'exfiltration'],
    ['account:apisvc:iam/resource/tag/add', 'tagging'],
    ['account:apisvc:me/order/pay', 'spend'],
    ['dedicatedServer:apisvc:terminate', 'destruction'],
    ['vps:apisvc:get', undefined],
    ['vps:apisvc:reboot', undefined],
  ])('%s: %s', (action, category) => {
    expect(sensitiveAmong([action], rows)[0]?.category).toBe(category)
  })
})

describe('what is left of a grant', () => {
  const types = ['vps', 'account', 'dnsZone']
  const users = ['ann', 'bob']
  const names = ['a1', 'a2', 'b1']
  const user = (login: string) => `urn:v1:eu:identity:user:ab/${login}`
  const sensitive = sensitiveAmong(
    types.flatMap((product) => catalogue.actionsOf(product)),
    sensitiveRows(),
  )

  function entry(random: Random): { action: string } {
    const { action } = pick(random, sensitive)
    const roll = random()
    const product = action.slice(0, action.indexOf(':'))
    if (roll < 0.15) return { action: '*' }
    if (roll < 0.35) return { action: `${product}:*` }
    if (roll < 0.6) return { action: `${action.slice(0, action.lastIndexOf('/') + 1)}*` }
    return { action: roll < 0.7 ? `*${action.slice(action.lastIndexOf(':'))}` : action }
  }
  const resource = (random: Random) => {
    const roll = random()
    if (roll < 0.2) return { urn: 'urn:v1:eu:resource:*' }
    const type = pick(random, types)
    return { urn: `urn:v1:eu:resource:${type}:${roll < 0.5 ? '*' : roll < 0.7 ? 'a*' : pick(random, names)}` }
  }
  const some = <T>(random: Random, most: number, make: () => T) => Array.from({ length: 1 + Math.floor(random() * most) }, make)
  const base = (random: Random, name: string): Omit<PolicyJson, 'permissions'> => ({
    name,
    identities: shuffled(random, users)
      .slice(0, 1 + Math.floor(random() * 2))
      .map(user),
    resources: some(random, 2, () => resource(random)),
  })

  it('is what is allowed to an identity on a resource, and nothing else', () => {
    const random = randomOf(11)
    let reported = 0
    let withheld = 0
    for (let i = 0; i < effort(300, 30); i++) {
      const target: PolicyJson = {
        ...base(random, 'target'),
        permissions: {
          allow: some(random, 3, () => entry(random)),
          ...(random() < 0.5 && { except: some(random, 2, () => entry(random)) }),
        },
      }
      const denies = some(random, 2, () => ({ ...base(random, 'deny'), permissions: { deny: some(random, 2, () => entry(random)) } }))
      const world = worldOf({ policies: [target, ...denies.map((deny, n) => ({ ...deny, name: `deny ${n}` }))] })
      const left = new Set(
        residuals(world.policies[0] as Policy, contextOf(world)).flatMap(({ actions }) => actions.map(({ action }) => action)),
      )
      for (const { action } of sensitive) {
        const product = action.slice(0, action.indexOf(':'))
        const isAllowed = users.some((login) =>
          [...names, 'c'].some((name) => {
            const question = {
              identity: user(login),
              action,
              resource: `urn:v1:eu:resource:${product}:${name}`,
              at: '2026-01-01T00:00:00Z',
              ip: '192.0.2.1',
              tags: {},
            }
            return decide(world, questionOf(question)).verdict === 'allow'
          }),
        )
        // Where denies on single resources add up to all there are, something is left by name only.
        if (isAllowed && !left.has(action)) throw new Error(`${action} is granted and not reported: ${JSON.stringify([target, denies])}`)
        if (!isAllowed && left.has(action)) throw new Error(`${action} is reported and not granted: ${JSON.stringify([target, denies])}`)
        if (isAllowed) reported++
        else withheld++
      }
    }
    expect(reported).toBeGreaterThan(effort(1000, 30))
    expect(withheld).toBeGreaterThan(effort(1000, 30))
  })

  it('is on every resource that is named, in whatever order, and of every identity', () => {
    const lists = [
      ['vps:a1', 'vps:*'],
      ['vps:*', 'vps:a1'],
      ['vps:a1', 'dnsZone:b1', 'vps:a2', 'vps:b*'],
    ]
    for (const resources of lists)
      for (const denies of [
        [],
        [{ ...base(randomOf(1), 'deny'), identities: users.map(user), resources: [{ urn: 'urn:v1:eu:resource:vps:a2' }] }],
      ]) {
        const names = resources.map((name) => `urn:v1:eu:resource:${name}`)
        const target: PolicyJson = {
          name: 'target',
          identities: users.map(user),
          resources: names.map((urn) => ({ urn })),
          permissions: { allow: [{ action: 'vps:apisvc:terminate' }] },
        }
        const world = worldOf({ policies: [target, ...denies.map((deny) => ({ ...deny, permissions: { deny: [{ action: 'vps:*' }] } }))] })
        const [left, ...others] = residuals(world.policies[0] as Policy, contextOf(world))
        expect(others).toEqual([])
        expect(left?.identities.map(({ text }) => text).sort()).toEqual(users.map(user))
        expect(left?.boxes.map(boxText).sort()).toEqual(
          names.filter((name) => name.includes('vps') && (denies.length === 0 || !name.endsWith('a2'))).sort(),
        )
      }
  })
})

const several: readonly { readonly name: string; readonly knobs: Knobs; readonly seed: number }[] = [
  { name: 'every language feature', knobs: { ...usualKnobs, conditions: 1 }, seed: 21 },
  { name: 'few facts missing', knobs: { policies: 8, conditions: 0.6, missing: 0, groups: 0.1 }, seed: 22 },
]

describe.each(several)('conditions in worlds with $name', ({ knobs, seed }) => {
  it('an impossible one never holds, and one that is always met can be taken away', () => {
    const random = randomOf(seed)
    const spoken = { impossible: 0, vacuous: 0 }
    for (let i = 0; i < effort(1000, 30); i++) {
      const { world: written, questions } = generate(random, 6, knobs)
      const world = worldOf(written)
      const impossible = found(world, 'impossible-condition').map(({ policy }) => policy)
      spoken.impossible += impossible.length
      const named = { ...world, policies: world.policies.filter(({ name }) => impossible.includes(name.value)) }
      const none = { ...world, policies: [] }
      for (const question of questions) {
        const [one, other] = [named, none].map((w) => decide(w, questionOf(question)))
        expect(one?.verdict).toBe(other?.verdict)
      }
      const vacuous = found(world, 'vacuous-condition').map(({ policy }) => policy)
      if (vacuous.length === 0) continue
      spoken.vacuous += vacuous.length
      const policies = world.policies.map((policy) => {
        const { condition, ...free } = policy
        return condition && vacuous.includes(policy.name.value) ? free : policy
      })
      const [a, b] = [sideOf(world, { ...world, policies }), sideOf({ ...world, policies }, world)]
      for (const outcome of [firstNewAccess(a, b), firstNewAccess(b, a)]) {
        if (outcome.kind === 'new') throw new Error(`${vacuous}: ${JSON.stringify(written)}`)
      }
    }
    expect(spoken.impossible).toBeGreaterThan(effort(20, 30))
    expect(spoken.vacuous).toBeGreaterThan(effort(20, 30))
  })

  it('what an exception is reported not to exclude is granted by others', () => {
    const random = randomOf(seed + 100)
    let leaks = 0
    for (let i = 0; i < effort(1000, 30); i++) {
      const { world: written } = generate(random, 1, { ...knobs, conditions: 0.2 })
      const world = worldOf(written)
      const set = wholeSet(contextOf(world))
      if (!set) continue
      for (const policy of world.policies) {
        for (const entry of policy.permissions.except) {
          const leak = leakOf(policy, entry, set)
          if (!leak) continue
          leaks++
          const side = sideOf(world)
          const others = side.allows.statements.filter((statement) => !(statement.policy === policy && statement.group === undefined))
          const none = indexOf([])
          const outcome = firstNewAccess(
            { ...side, allows: indexOf([leak.part]), denies: none },
            { ...side, allows: indexOf(others), denies: none },
          )
          expect(outcome.kind).toBe('none')
        }
      }
    }
    expect(leaks).toBeGreaterThan(effort(20, 30))
  })

  it('a condition that is bypassed changes nothing for what is bypassed: without the others it does', () => {
    const random = randomOf(seed + 200)
    let bypassed = 0
    for (let i = 0; i < effort(1000, 20); i++) {
      const { world: written } = generate(random, 1, { ...knobs, conditions: 0.4 })
      const world = worldOf(written)
      for (const { policy: name } of found(world, 'condition-bypassed')) {
        bypassed++
        const policy = world.policies.find((one) => one.name.value === name) as Policy
        const { condition: _, ...free } = policy
        const alone = { ...world, policies: [policy] }
        const unbound = { ...world, policies: [free] }
        // The condition does withhold something, which the others give back.
        if (firstNewAccess(sideOf(unbound, alone), sideOf(alone, unbound)).kind === 'none')
          throw new Error(`${name}: ${JSON.stringify(written)}`)
      }
    }
    expect(bypassed).toBeGreaterThan(effort(60, 20))
  })
})

describe('careful silence', () => {
  const strict = rules
    .filter(({ section }) => section === 'risk' || section === 'whole set' || section === 'expiry' || section === 'conditions')
    .map(({ code }) => code)
  async function codes(text: string): Promise<string[]> {
    const out = new Set<string>()
    for (const code of strict) for (const one of await lintExample(readExample(text), code)) if (one.code === code) out.add(code)
    return [...out].sort()
  }
  const policy = (name: string, resource: string, permissions: string, more = '') =>
    `- name: ${name}\n  description: what the team needs\n  identities: ["urn:v1:eu:identity:group:ab12-svc/ops"]\n  resources: [{ urn: "urn:v1:eu:resource:${resource}" }]\n  permissions: ${permissions}\n${more}`
  const silent: readonly (readonly [string, string])[] = [
    ['reads', policy('a', 'vps:*', '{ allow: [{ action: "vps:apisvc:get" }, { action: "vps:apisvc:ips/get" }] }')],
    ['sensitive actions of another product', policy('a', 'dnsZone:example.net', '{ allow: [{ action: "vps:apisvc:setPassword" }] }')],
    [
      'sensitive actions that are denied',
      policy('a', 'vps:vps-1.example', '{ allow: [{ action: "vps:apisvc:setPassword" }] }') +
        policy('b', 'vps:*', '{ deny: [{ action: "vps:apisvc:setPassword" }, { action: "vps:apisvc:terminate" }] }'),
    ],
    ['a deny of everything', policy('a', '*', '{ deny: [{ action: "*" }] }')],
    [
      'a policy that is over',
      policy('a', 'vps:*', '{ allow: [{ action: "vps:apisvc:setPassword" }] }', '  expiredAt: "2020-01-01T00:00:00Z"\n'),
    ],
    ['an expiry of a grant', policy('a', 'vps:*', '{ allow: [{ action: "vps:apisvc:get" }] }', '  expiredAt: "2090-01-01T00:00:00Z"\n')],
    [
      'a deny under NOT of a tag',
      policy(
        'a',
        'vps:*',
        '{ deny: [{ action: "vps:apisvc:get" }] }',
        '  conditions: { operator: NOT, conditions: [{ operator: MATCH, values: { resource.Tag(env): prod } }] }\n',
      ),
    ],
  ]
  it.each(silent)('%s', async (_, text) => {
    const loud = ['expired', 'overridden-policy', 'expires-too-late', 'idle-deny', 'allow-meets-deny', 'unused-tag', 'allow-under-deny']
    expect((await codes(text)).filter((code) => !loud.includes(code))).toEqual([])
  })
})
