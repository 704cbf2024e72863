import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { applyConfigurations } from '../../src/lint/apply-config.ts'
import type { Configuration } from '../../src/lint/config.ts'
import { lintFiles } from '../../src/lint/lint-files.ts'
import { readConfiguration } from '../../src/lint/read-configuration.ts'
import { defaultSettings } from '../../src/names.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import { rulePage } from '../../src/report/words.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { sourceOf } from '../../src/source.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { breachesOf } from '../../src/suite/breaches.ts'
import { proofContextOf, prove } from '../../src/suite/prove.ts'
import { notBefore } from '../../src/symbolic/formula.ts'
import { effort } from '../support/effort.ts'

const now = Date.UTC(2026, 5, 1)
const later = Date.UTC(2027, 5, 1)
const catalogue = loadCatalogue()
const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = 'urn:v1:eu:identity:group:ab12-svc/ops'
// No pattern over users matches it; a group may have it as a member.
const machine = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef'
const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`
const office = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '198.51.100.0/24' } }
const tagged = { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } }

async function configurationOf(guardrails: readonly object[], more: object = {}): Promise<Configuration> {
  const { configuration, diagnostics } = await readConfiguration(
    sourceOf('.grantwise.json', JSON.stringify({ guardrails, ...more }), 'json'),
  )
  expect(diagnostics).toEqual([])
  return configuration as Configuration
}

async function lintWith(policies: readonly object[], guardrails: readonly object[], more: object = {}, facts: object = {}) {
  const configuration = await configurationOf(guardrails, more)
  const source = sourceOf('p.json', JSON.stringify({ policies, ...facts }), 'json')
  const files = await readSources([{ source, isNamed: true }], defaultSettings, allReaders)
  const applied = await applyConfigurations({ all: () => [configuration], of: () => configuration }, files.files)
  const result = lintFiles({ files, catalogue, now, ...applied })
  const textOf = ({ source: { text }, start, end }: (typeof result.findings)[number]['span']) => text.slice(start, end)
  const found = result.findings.filter(({ code }) => code.includes('/'))
  return { configuration, result, found, marked: found.map(({ span }) => textOf(span)), world: buildWorld(files.facts).world }
}

const list = <T>(items: readonly T[]) => fc.subarray([...items], { minLength: 1, maxLength: 2 })
const identities = [user('ann'), user('bob'), group, user('*')]
const actions = ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:re*', '*']
const resources = [vps('a'), vps('b*'), vps('*')]
const conditions = [undefined, office, tagged]
const policy = fc
  .record({
    identities: list(identities),
    resources: list(resources),
    allow: fc.subarray(actions),
    except: fc.subarray(actions.slice(0, 2), { maxLength: 1 }),
    deny: fc.subarray(actions, { maxLength: 1 }),
    condition: fc.constantFrom(...conditions),
    expiry: fc.constantFrom(undefined, '2026-12-01T00:00:00Z'),
  })
  .map(({ identities, resources, allow, except, deny, condition, expiry }) => {
    const items = (some: readonly string[]) => some.map((action) => ({ action }))
    return {
      name: 'p',
      identities,
      resources: resources.map((urn) => ({ urn })),
      permissions: { allow: items(allow), ...(allow.length > 0 && { except: items(except) }), deny: items(deny) },
      ...(condition && { conditions: condition }),
      ...(expiry && { expiredAt: expiry }),
    }
  })
const worlds = fc.array(policy, { minLength: 1, maxLength: 3 }).map((some) => some.map((each, i) => ({ ...each, name: `p${i}` })))
const box = fc.record({ identities: list(identities.slice(0, 3)), actions: list(actions), resources: list(resources) })
const someCondition = fc.constantFrom(office, tagged)

interface BoxJson {
  readonly identities?: readonly string[]
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly when?: object
  readonly unless?: object
  readonly condition?: object
  readonly expiresWithin?: number
}
const claims: fc.Arbitrary<Readonly<Record<string, BoxJson>>> = fc.oneof(
  fc.record({ never: box }),
  fc.record({ never: fc.tuple(box, someCondition).map(([each, unless]) => ({ ...each, unless })) }),
  fc.record({ never: fc.tuple(box, someCondition).map(([{ identities: _, ...each }, unless]) => ({ ...each, unless })) }),
  fc.record({ never: fc.tuple(box, someCondition, someCondition).map(([each, when, unless]) => ({ ...each, when, unless })) }),
  fc.record({ only: box }),
  fc.record({ only: fc.tuple(box, someCondition).map(([each, when]) => ({ ...each, when })) }),
  fc.record({ always: box }),
  fc.record({ always: fc.tuple(box, someCondition).map(([each, when]) => ({ ...each, when })) }),
  fc.record({ requires: fc.tuple(box, someCondition).map(([each, condition]) => ({ ...each, condition })) }),
  fc.record({ requires: box.map((each) => ({ ...each, expiresWithin: 300 })) }),
)

/** Every question that these worlds distinguish. */
function* everyQuestion(): Iterable<Question> {
  for (const [identity, groups] of [
    [user('ann'), []],
    [user('bob'), []],
    [user('eve'), []],
    [user('ann'), [group]],
    [user('bob'), [group]],
    [user('eve'), [group]],
    [machine, []],
    [machine, [group]],
  ] as const)
    for (const action of ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:rex', 'vps:apisvc:other'])
      for (const name of ['a', 'b', 'c'])
        for (const ip of ['198.51.100.7', '192.0.2.1'])
          for (const env of ['prod', undefined])
            for (const at of [now, later])
              yield {
                identity,
                groups,
                action,
                resource: vps(name),
                at,
                ip: readAddress(ip) as NonNullable<Question['ip']>,
                tags: new Map(env === undefined ? [] : [['env', env]]),
              }
}

/** Whether a name is one of some patterns, whose only wildcard is their last character. */
function isOneOf(patterns: readonly string[], name: string): boolean {
  return patterns.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each))
}

/** Whether a question meets one of the conditions of this file, read from its facts alone. */
function meets({ ip, tags }: Question, condition: object): boolean {
  return condition === office ? ip !== undefined && ip.value >> 8n === 0xc63364n : tags?.get('env') === 'prod'
}

/** Whether a claim, as it is written, is about a question, for any identity. */
function isAbout(question: Question, { actions, resources, when, unless, condition, expiresWithin = 0 }: BoxJson): boolean {
  const exempt = unless ?? condition
  return (
    isOneOf(actions, question.action) &&
    isOneOf(resources, question.resource) &&
    !(when && !meets(question, when)) &&
    !(exempt && meets(question, exempt)) &&
    (question.at ?? now) >= now + expiresWithin * 86_400_000
  )
}

/** The entries by which some question is answered against a guardrail, by brute force over the text of the claim. */
function brokenBy(world: World, claim: Readonly<Record<string, BoxJson>>): { readonly entries: Set<string>; readonly isBroken: boolean } {
  const entries = new Set<string>()
  let isBroken = false
  const [kind, body] = Object.entries(claim)[0] as [string, BoxJson]
  for (const question of everyQuestion()) {
    const isNamed = !body.identities || [question.identity, ...question.groups].some((each) => isOneOf(body.identities ?? [], each))
    if (isNamed === (kind === 'only') || !isAbout(question, body)) continue
    const { verdict, clauses } = decide(world, question)
    if ((verdict === 'allow') === (kind === 'always')) continue
    isBroken = true
    if (kind === 'never' || kind === 'requires') for (const { entry } of clauses) entries.add(`${entry.span.start}`)
  }
  return { entries, isBroken }
}

describe('guardrails over small worlds', () => {
  it('are reported where, and only where, some request breaks them', async () => {
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(worlds, claims, async (policies, claim) => {
        const kind = Object.keys(claim)[0] as string
        const { found, world } = await lintWith(policies, [{ code: 'acme/x', message: 'no', ...claim }])
        const { entries, isBroken } = brokenBy(world, claim)
        seen.set(`${kind} ${isBroken}`, (seen.get(`${kind} ${isBroken}`) ?? 0) + 1)
        expect(found.filter(({ severity }) => severity === 'info')).toEqual([])
        expect(found.length > 0).toBe(isBroken)
        if (kind === 'never' || kind === 'requires') expect(new Set(found.map(({ span }) => `${span.start}`))).toEqual(entries)
      }),
      { numRuns: effort(600, 30), seed: 20261123 },
    )
    expect(seen.size).toBeGreaterThanOrEqual(7)
  })

  it('have witnesses that the simulator confirms, and agree with policy tests', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, claims, async (policies, claim) => {
        const { world, configuration } = await lintWith(policies, [{ code: 'acme/x', message: 'no', ...claim }])
        for (const each of configuration.guardrails?.[0]?.claims ?? []) {
          const asked = { ...each, context: notBefore(now) }
          const breaches = breachesOf(asked, proofContextOf(world))
          expect(breaches.length > 0 ? 'refuted' : 'proved').toBe(prove(asked, proofContextOf(world)).status)
          for (const { found } of breaches)
            if (found.kind === 'refuted') expect(decide(world, found.question).verdict === 'allow').toBe(each.kind !== 'always')
        }
      }),
      { numRuns: effort(300, 30), seed: 7 },
    )
  })
})

const grant = (more: object = {}) => ({
  name: 'ops',
  identities: [user('ann')],
  resources: [{ urn: vps('*') }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }, { action: 'vps:apisvc:terminate' }] },
  ...more,
})
const guard = { code: 'acme/terminates', message: 'nobody terminates', severity: 'warning', link: 'https://wiki.example.org/7' }
const never = { actions: 'vps:apisvc:terminate', resources: vps('*') }

describe('a guardrail', () => {
  it('is reported at the entry, with a witness, the condition and the link', async () => {
    const { found, marked } = await lintWith([grant({ conditions: office })], [{ ...guard, never }])
    expect(marked).toEqual(['"vps:apisvc:terminate"'])
    expect(found[0]).toMatchObject({ severity: 'warning', policy: 'ops', link: 'https://wiki.example.org/7' })
    expect(found[0]?.message).toBe(
      `nobody terminates: \`${user('ann')}\` may \`vps:apisvc:terminate\` on \`${vps('x')}\` from \`198.51.100.0\``,
    )
  })

  it('leads to its link, or to the page about guardrails', () => {
    const docs = 'https://docs.example.org'
    expect(rulePage('acme/terminates', docs)).toBe(`${docs}/guardrails.md`)
    expect(rulePage('unknown-action', docs)).toBe(`${docs}/rules/unknown-action.md`)
  })

  it('with `when` and `unless` is about requests that meet the first and not the second', async () => {
    const claim = { never: { ...never, when: office, unless: tagged } }
    const foundUnder = async (conditions: object) => (await lintWith([grant({ conditions })], [{ ...guard, ...claim }])).found.length
    expect(await foundUnder(office)).toBe(1)
    expect(await foundUnder({ operator: 'AND', conditions: [office, tagged] })).toBe(0)
    expect(await foundUnder({ operator: 'AND', conditions: [office, { operator: 'NOT', conditions: [tagged] }] })).toBe(1)
    expect(await foundUnder({ operator: 'NOT', conditions: [office] })).toBe(0)
  })

  it('is no longer about policies that have expired', async () => {
    const { found } = await lintWith([grant({ expiredAt: '2026-01-01T00:00:00Z' })], [{ ...guard, never }])
    expect(found).toEqual([])
  })

  it('about a group is broken by a grant to a user of whom no inventory says in which groups they are', async () => {
    const ofGroup = { ...never, identities: group }
    const { marked } = await lintWith([grant({ identities: [user('eve')] })], [{ ...guard, never: ofGroup }])
    expect(marked).toEqual(['"vps:apisvc:terminate"'])
    const described = await lintWith(
      [grant({ identities: [user('eve')] })],
      [{ ...guard, never: ofGroup }],
      {},
      { identities: [{ urn: user('eve'), groups: [] }] },
    )
    expect(described.found).toEqual([])
  })

  it('points at the permissions group that grants, and says what is not known of one', async () => {
    const reference = 'urn:v1:eu:permissionsGroup:ab12-svc:care'
    const { found, marked } = await lintWith(
      [grant({ permissions: { allow: [{ action: 'vps:apisvc:get' }] }, permissionsGroups: [{ urn: reference }] })],
      [{ ...guard, never }],
    )
    expect(marked).toEqual([`"${reference}"`])
    // A guardrail that is not known to hold does not count as held.
    expect(found[0]).toMatchObject({ severity: 'warning' })
    expect(found[0]?.message).toContain(`nobody terminates: not decided, as it depends on \`permissionsGroup:${reference} allows it\``)
  })

  it('points at the entry within a permissions group that is described', async () => {
    const reference = 'urn:v1:eu:permissionsGroup:ab12-svc:care'
    const { found, marked } = await lintWith(
      [grant({ permissions: { allow: [{ action: 'vps:apisvc:get' }] }, permissionsGroups: [{ urn: reference }] })],
      [{ ...guard, never }],
      {},
      { permissionsGroups: [{ urn: reference, name: 'care', permissions: { allow: [{ action: 'vps:apisvc:terminate' }] } }] },
    )
    expect(marked).toEqual([`"${reference}"`])
    expect(found[0]?.related?.map(({ span }) => span.source.text.slice(span.start, span.end))).toEqual([
      '"vps:apisvc:terminate"',
      '"acme/terminates"',
    ])
  })

  it('names each entry that denies what is always to be allowed, and that nothing grants it', async () => {
    const always = { identities: user('ann'), actions: 'vps:apisvc:get', resources: vps('*') }
    const deny = { name: 'no', identities: [user('*')], resources: [{ urn: vps('*') }] }
    const denied = await lintWith([grant(), { ...deny, permissions: { deny: [{ action: 'vps:apisvc:get' }] } }], [{ ...guard, always }])
    expect(denied.marked).toEqual(['"vps:apisvc:get"'])
    expect(denied.found[0]?.policy).toBe('no')
    const elsewhere = await lintWith(
      [grant(), { ...deny, permissions: { deny: [{ action: 'vps:apisvc:reboot' }] } }],
      [{ ...guard, always }],
    )
    expect(elsewhere.found).toEqual([])
    const nothing = await lintWith([{ ...grant(), identities: [user('bob')] }], [{ ...guard, always }])
    expect(nothing.found).toHaveLength(1)
  })

  it('about who alone may do something names the entry for a group by which an identity may', async () => {
    const only = { identities: user('bob'), actions: 'vps:apisvc:terminate', resources: vps('*') }
    const { marked } = await lintWith(
      [grant({ identities: [user('bob'), group] })],
      [{ ...guard, only }],
      {},
      {
        identities: [{ urn: user('ann'), groups: [group] }],
      },
    )
    expect(marked).toEqual([`"${group}"`])
    const twice = await lintWith(
      [grant({ identities: [user('ann'), group] })],
      [{ ...guard, only }],
      {},
      {
        identities: [{ urn: user('ann'), groups: [group] }],
      },
    )
    expect(twice.marked).toEqual([`"${user('ann')}"`, `"${group}"`])
  })

  it('takes levels, suppressions and the place of one that is extended', async () => {
    const off = await lintWith([grant()], [{ ...guard, never }], { rules: { 'acme/terminates': 'off' } })
    expect(off.found).toEqual([])
    const hushed = await lintWith([grant()], [{ ...guard, never }], {
      ignores: [{ files: 'p.json', codes: ['acme/terminates'], reason: 'agreed' }],
    })
    expect([hushed.found, hushed.result.suppressed.length]).toEqual([[], 1])
    const { configuration } = await readConfiguration(
      sourceOf('.grantwise.json', JSON.stringify({ extends: 'base.json', guardrails: [{ ...guard, message: 'new', never }] }), 'json'),
      { textOf: () => ({ source: sourceOf('base.json', JSON.stringify({ guardrails: [{ ...guard, never }] }), 'json') }) },
    )
    expect(configuration?.guardrails?.map(({ message }) => message)).toEqual(['new'])
  })

  it.each([
    [{ ...guard, never: { ...never, actions: 'vps:terminate' } }, 'vps:terminate'],
    [{ ...guard, never: { ...never, resources: 'urn:v2:x' } }, 'urn:v2:x'],
    [{ ...guard, never, only: { ...never, identities: group } }, '`never` and `only` in one guardrail'],
    [{ ...guard, requires: never }, 'says nothing that is required'],
    [{ ...guard, code: 'terminates', never }, 'code'],
    [{ ...guard, requires: { ...never, expiresWithin: -1 } }, 'at least 0'],
    [
      [
        { ...guard, never },
        { ...guard, never },
      ],
      'another guardrail has the code `acme/terminates`',
    ],
  ])('that cannot be understood is an error in the configuration', async (given, said) => {
    const { configuration, diagnostics } = await readConfiguration(
      sourceOf('c.json', JSON.stringify({ guardrails: [given].flat() }), 'json'),
    )
    expect(configuration).toBeUndefined()
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n')).toContain(said)
  })
})
