import { expect, test } from 'vitest'
import { overlapAnswer, policiesAnswer } from '../../src/answers/policies.ts'
import type { Policy, World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { concerning, type Subject } from '../../src/symbolic/concerning.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { always } from '../../src/symbolic/formula.ts'
import { overlapOf } from '../../src/symbolic/overlap.ts'
import { Windows } from '../../src/symbolic/windows.ts'
import { accounts, contextsFor, fewActions, lineOf, machine, printed, unknownGroup } from '../support/claims.ts'
import { effort, untilSeen } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { worldOf } from '../support/worlds.ts'

/** The counts of `policies` and of `policies --overlap`, against their rows and against what each policy decides by itself. */

const times = { at: undefined, from: Date.UTC(2026, 0), time: always, windows: new Windows() }

/** Questions about everything that is described, with actions of each type and all that the conditions look at. */
function* questionsIn(world: World, { identities = knownNamesIn([world]).identities, resources = knownNamesIn([world]).resources } = {}) {
  for (const identity of identities)
    for (const resource of resources)
      for (const action of fewActions.of(resource.split(':')[4] as string))
        for (const context of contextsFor(world, resource)) yield { identity, resource, action, groups: [], ...context }
}

/** A policy by itself, in an account that owns nothing. */
const alone = (world: World, policy: Policy): World => ({ ...world, account: 'other', policies: [policy] })

interface PoliciesJson {
  readonly total: number
  readonly policies: readonly {
    readonly policy: string
    readonly effect: 'denies' | 'grants' | 'neither'
    readonly state: string
    readonly certain: boolean
    readonly permissions: readonly { readonly known: boolean; readonly allow: readonly string[]; readonly deny: readonly string[] }[]
  }[]
}

test('of `policies`', () => {
  const seen = { denying: 0, granting: 0, perhaps: 0, 'not applying': 0, neither: 0, unlisted: 0 }
  for (const { world, question } of accounts(41, effort(500, 20))) {
    const { identities } = knownNamesIn([world])
    const [identity = ''] = identities
    for (const subject of [
      { kind: 'identity', urn: identity },
      { kind: 'resource', urn: question.resource },
    ] satisfies Subject[]) {
      const answer = policiesAnswer(concerning(world, subject, { actions: fewActions, from: times.from }), { world, subject, times })
      const text = printed(answer)
      const json = machine<PoliciesJson>(answer)
      const [, found, total] = /^\S+ {2}(\d+) of (\d+) polic(?:y|ies)/.exec(text) ?? []
      expect([found, total].map(Number), text).toEqual([json.policies.length, world.policies.length])
      const counts = Object.fromEntries(
        [...text.matchAll(/^(denying|granting|perhaps|not applying) \((\d+)\)$/gm)].map(([, name = '', count]) => [name, Number(count)]),
      )
      const neither = Number(/(\d+) polic(?:y|ies) about it without/.exec(text)?.[1] ?? 0)
      expect(Object.values(counts).reduce((sum, count) => sum + count, neither)).toBe(json.policies.length)
      const own = (isIn: (each: PoliciesJson['policies'][number]) => boolean) => json.policies.filter(isIn)
      const isSure = ({ effect, permissions }: PoliciesJson['policies'][number]) =>
        permissions.some(({ allow, deny }) => (effect === 'denies' ? deny : allow).length > 0)
      expect(counts['not applying'] ?? 0).toBe(own(({ state, effect }) => state !== 'applies' && effect !== 'neither').length)
      expect(neither).toBe(own(({ effect }) => effect === 'neither').length)
      // Of a permissions group that is not described it is not known what it grants.
      for (const { certain, permissions } of json.policies) if (permissions.some(({ known }) => !known)) expect(certain, text).toBe(false)
      // A policy that is certain by all that it says is listed as such; with a permissions group that is not described, it may be.
      for (const [name, effect] of [
        ['denying', 'denies'],
        ['granting', 'grants'],
      ] as const) {
        const sure = own((each) => each.effect === effect && each.state === 'applies' && isSure(each))
        const isWhole = ({ permissions }: PoliciesJson['policies'][number]) => permissions.every(({ known }) => known)
        const least = sure.filter(({ certain }) => certain).length
        expect(counts[name] ?? 0, text).toBeGreaterThanOrEqual(least)
        expect(counts[name] ?? 0, text).toBeLessThanOrEqual(least + sure.filter((each) => !isWhole(each)).length)
      }
      for (const [kind, count] of Object.entries({ ...counts, neither })) if (count > 0) seen[kind as keyof typeof seen]++
      // By itself, a policy that is not listed decides nothing about the subject, nor one that does not apply, and what grants never denies.
      const asked = subject.kind === 'identity' ? { identities: [subject.urn] } : { resources: [subject.urn] }
      for (const policy of world.policies) {
        const row = json.policies.find((each) => each.policy === policy.name.value)
        if (!row) seen.unlisted++
        const mayDeny = row?.effect === 'denies' || row?.permissions.some(({ known }) => !known)
        for (const each of questionsIn(world, asked)) {
          const { verdict, clauses } = decide(alone(world, policy), { ...each, owner: 'other' })
          if (row?.state !== 'applies' || row.effect === 'neither') expectSame([verdict, clauses], ['deny', []], () => text)
          else if (!mayDeny)
            expectSame(
              clauses.filter(({ list }) => list === 'deny'),
              [],
              () => text,
            )
        }
      }
    }
  }
  for (const [kind, count] of Object.entries(seen)) if (kind !== 'not applying') expect(count, kind).toBeGreaterThan(0)
})

test('a policy that has ended, and one whose condition never holds, are listed as not applying', () => {
  const policy = (name: string, rest: object) => ({
    name,
    identities: ['urn:v1:eu:identity:user:ab/ann'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    ...rest,
  })
  const over = { operator: 'MATCH', values: { 'date(UTC).Hour.GE': '5', 'date(UTC).Hour.LT': '5' } }
  const world = worldOf({
    policies: [policy('ended', { expiredAt: '2025-12-31T00:00:00Z' }), policy('never', { conditions: over }), policy('now', {})],
  })
  const subject = { kind: 'identity', urn: 'urn:v1:eu:identity:user:ab/ann' } as const
  const text = printed(policiesAnswer(concerning(world, subject, { actions: fewActions, from: times.from }), { world, subject, times }))
  expect(text).toMatch(/^granting \(1\)$/m)
  expect(text).toMatch(/^not applying \(2\)$/m)
})

test('a policy over a group that is not described may grant, and is not said to', () => {
  const policy = {
    name: 'p',
    identities: ['urn:v1:eu:identity:user:ab/ann'],
    resources: [{ urn: 'urn:v1:eu:resourceGroup:0f1e' }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
  }
  const world = worldOf({ policies: [policy] })
  const subject = { kind: 'resource', urn: 'urn:v1:eu:resource:vps:web-1' } as const
  const text = printed(policiesAnswer(concerning(world, subject, { actions: fewActions, from: times.from }), { world, subject, times }))
  expect(text).toMatch(/^perhaps \(1\)$/m)
  expect(text).not.toMatch(/^granting/m)
})

test('a covered policy with a permissions group that is not described may deny something as well', () => {
  const policy = (name: string, rest: object = {}) => ({
    name,
    identities: ['urn:v1:eu:identity:user:ab/ann'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    ...rest,
  })
  const described = {
    identities: [{ urn: 'urn:v1:eu:identity:user:ab/ann', groups: [] }],
    resources: [{ urn: 'urn:v1:eu:resource:vps:web-1', tags: {} }],
    permissionsGroups: [{ urn: unknownGroup, name: 'g', permissions: { deny: [{ action: 'domain:apisvc:get' }] } }],
  }
  const world = worldOf({ ...described, policies: [policy('a'), policy('b', { permissionsGroups: [{ urn: unknownGroup }] })] })
  const found = overlapOf(world, knownNamesIn([world]), { actionsOf: (type) => fewActions.of(type), isKnown: () => true })
  const { covered } = machine<{ readonly covered: readonly { readonly policy: string; readonly denies: boolean }[] }>(
    overlapAnswer(found, world, times),
  )
  expect(covered.map(({ policy: name, denies }) => [name, denies])).toEqual([
    ['a', false],
    ['b', true],
  ])
})

interface OverlapJson {
  readonly covered: readonly { readonly policy: string; readonly by: readonly { readonly policy: string }[] }[]
  readonly overlaps: readonly { readonly policies: readonly { readonly policy: string }[]; readonly certain: boolean }[]
}

/** The account with what its unknown permissions group may hold: nothing, or an allow or a deny of everything. */
function completionsOf(world: World): readonly World[] {
  const all = [{ action: '*' }]
  return [{ deny: [] }, { allow: all }, { deny: all }].map((permissions) => {
    const { permissionsGroups } = worldOf({ policies: [], permissionsGroups: [{ urn: unknownGroup, name: 'g', permissions }] })
    return { ...world, account: 'other', permissionsGroups }
  })
}

/** The account in which the other policies only deny. */
function kept(world: World, isIn: (policy: Policy) => boolean): World {
  const policies = world.policies.map((policy) => {
    if (isIn(policy)) return policy
    const sets = [
      policy.permissions,
      ...policy.permissionsGroups.flatMap(({ value }) => world.permissionsGroups.get(value.text)?.permissions ?? []),
    ]
    return { ...policy, permissionsGroups: [], permissions: { allow: [], except: [], deny: sets.flatMap(({ deny }) => deny) } }
  })
  return { ...world, policies }
}

test('of `policies --overlap`', () => {
  const seen = { none: 0, sure: 0, perhaps: 0, covered: 0 }
  for (const { world } of untilSeen(seen, 600, (count) => accounts(42, count))) {
    const found = overlapOf(world, knownNamesIn([world]), { actionsOf: (type) => fewActions.of(type), isKnown: () => true })
    const answer = overlapAnswer(found, world, times)
    const text = printed(answer)
    const json = machine<OverlapJson>(answer)
    const [, sure, total, perhaps = '0'] =
      /^(\d+) of (\d+) polic(?:y|ies) grants? something that another one grants as well(?:, (\d+) more perhaps)?/.exec(text) ?? []
    const namesIn = (isCertain: boolean) =>
      new Set(json.overlaps.flatMap(({ policies, certain }) => (certain === isCertain ? policies.map(({ policy }) => policy) : [])))
    expect([sure, total].map(Number), text).toEqual([namesIn(true).size, world.policies.length])
    expect(Number(perhaps)).toBe([...namesIn(false)].filter((each) => !namesIn(true).has(each)).length)
    // Each row names all that grant it, also where it is not known what.
    for (const { policies } of json.overlaps) expect(policies.length, text).toBeGreaterThan(1)
    if (namesIn(true).size > 0) seen.sure++
    if (Number(perhaps) > 0) seen.perhaps++
    const isNone = lineOf(text, 'no two policies grant the same') !== undefined
    if (isNone) seen.none++
    const covered = new Set(json.covered.map(({ policy }) => policy))
    if (lineOf(text, 'over what is described, others grant all')) seen.covered++
    const isOpen =
      world.resourceGroups.size === 0 && world.policies.some(({ resources }) => resources.some(({ value }) => value.kind === 'group'))
    if (isOpen || (!isNone && covered.size === 0)) continue
    for (const whole of completionsOf(world)) {
      const ones = whole.policies.map((policy) => kept(whole, (each) => each === policy))
      const others = whole.policies.map((policy) => (covered.has(policy.name.value) ? kept(whole, (each) => each !== policy) : undefined))
      for (const question of questionsIn(whole)) {
        const isAllowed = (of: World) => decide(of, { ...question, owner: 'other' }).verdict === 'allow'
        const granting = ones.map(isAllowed)
        if (isNone) expectSame(granting.filter(Boolean).length < 2, true, () => text)
        for (const [k, without] of others.entries()) if (without && granting[k]) expectSame(isAllowed(without), true, () => text)
      }
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
