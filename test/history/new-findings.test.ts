import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/diagnostic.ts'
import type { NewAccess, Novelty } from '../../src/history/new-access.ts'
import { type NewFindingsInput, newFindings } from '../../src/history/new-findings.ts'
import type { Policy } from '../../src/policy.ts'
import { rules } from '../../src/rules/index.ts'
import { sourceOf } from '../../src/source.ts'
import { questionOf, worldOf } from '../support/worlds.ts'

/** The reason for which a finding is new, by what is known of its file, its policies and the others that it rests on. */

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const server = 'urn:v1:eu:resource:vps:one'
const written = (name: string) => ({
  name,
  identities: [ann],
  resources: [{ urn: server }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
})
const world = worldOf({ policies: [written('own'), written('other')] })
const [own, other] = world.policies as [Policy, Policy]
const question = questionOf({ identity: ann, action: 'vps:apisvc:get', resource: server, at: '2026-03-01T00:00:00Z' })
const [isNew, isOld, isOpen]: readonly Novelty[] = [{ kind: 'new', question }, { kind: 'old' }, { kind: 'undecided' }]

/** Of rules about access, about access that rests on other policies, and about texts. */
const [access, resting, text] = ['whole-product', 'self-service-tag', 'unknown-action'] as const

function findingOf(code: Diagnostic['code'], name = 'own'): Diagnostic {
  const source = sourceOf('a.json', JSON.stringify(name))
  const span = { source, start: 0, end: source.text.length }
  const related = [{ message: 'this one too', span: other.span }]
  return { code, severity: 'warning', message: 'a message', span, policy: name, related }
}

interface Facts {
  readonly isKnown?: boolean
  readonly isSame?: boolean
  readonly wasRead?: boolean
  readonly parts?: readonly Policy[]
  readonly group?: readonly Policy[]
  /** Undefined: the policies are not understood. */
  readonly novelties?: ReadonlyMap<Policy, Novelty> | undefined
}

/** The reason for which a finding is new; undefined where it is old. */
function reasonOf(code: Diagnostic['code'], facts: Facts) {
  const { isKnown = false, isSame = false, wasRead = true, parts = [own], group = [], novelties } = facts
  const finding = findingOf(code)
  const input: NewFindingsInput = {
    rules,
    guardrails: new Set(),
    before: isKnown ? [finding] : [],
    access: novelties && ({ of: (part: Policy) => novelties.get(part) ?? { kind: 'old' } } as NewAccess),
    partsOf: () => parts,
    policiesAt: (span) => world.policies.filter((policy) => policy.span === span),
    byGroup: () => group,
    fileOf: () => ({ isSame, wasRead }),
  }
  const [found] = newFindings([finding], input)
  return found && (found.question ? [found.reason, found.question] : found.reason)
}

const none: ReadonlyMap<Policy, Novelty> = new Map()
const novelties = (...pairs: readonly (readonly [Policy, Novelty | undefined])[]) => new Map(pairs) as ReadonlyMap<Policy, Novelty>

describe('a finding about a text', () => {
  test('is old where it was there, or where its file is as it was and was not read', () => {
    expect(reasonOf(text, { isKnown: true, novelties: none })).toBeUndefined()
    expect(reasonOf(text, { wasRead: false, isSame: true, novelties: none })).toBeUndefined()
  })
  test('is new in a file that was not read and has another text, and in one that was read', () => {
    expect(reasonOf(text, { wasRead: false, isSame: false, novelties: none })).toBe('text')
    expect(reasonOf(text, { wasRead: true, isSame: true, novelties: none })).toBe('text')
    expect(reasonOf(text, { wasRead: true, isSame: false, novelties: none })).toBe('text')
  })
})

describe('a finding about access', () => {
  test('is not decided where the policies are not understood, also where it was there', () => {
    expect(reasonOf(access, { isKnown: true, isSame: true })).toBe('undecided')
    expect(reasonOf(access, { isKnown: false })).toBe('undecided')
  })
  test('is as new as what its policy grants, whether or not it was there', () => {
    for (const isKnown of [true, false]) {
      expect(reasonOf(access, { isKnown, novelties: novelties([own, isNew]) })).toEqual(['access', question])
      expect(reasonOf(access, { isKnown, novelties: novelties([own, isOld]) })).toBeUndefined()
      expect(reasonOf(access, { isKnown, novelties: novelties([own, isOpen]) })).toBe('undecided')
      expect(reasonOf(access, { isKnown, parts: [own, other], novelties: novelties([own, isOpen], [other, isNew]) })).toEqual([
        'access',
        question,
      ])
    }
  })
  test('does not depend on what other policies grant, unless it rests on them', () => {
    expect(reasonOf(access, { novelties: novelties([other, isNew]) })).toBeUndefined()
    expect(reasonOf(resting, { isKnown: true, novelties: novelties([other, isNew]) })).toEqual(['access', question])
    expect(reasonOf(resting, { isKnown: true, novelties: novelties([other, isOpen]) })).toBe('undecided')
    expect(reasonOf(resting, { isKnown: true, novelties: none })).toBeUndefined()
  })
  test('is new where it rests on other policies and was not there', () => {
    expect(reasonOf(resting, { isKnown: false, novelties: none })).toBe('access')
  })
  test('is about what policies grant by a permissions group where it is in one', () => {
    expect(reasonOf(access, { parts: [], group: [other], novelties: novelties([other, isNew]) })).toEqual(['access', question])
    expect(reasonOf(access, { parts: [], group: [other], novelties: none })).toBeUndefined()
  })
  test('in a file of which no policy is decided, is old only where that is as it was', () => {
    const inDocument = (facts: Facts) => reasonOf(access, { parts: [], novelties: none, ...facts })
    expect(inDocument({ isSame: true, isKnown: true })).toBeUndefined()
    expect(inDocument({ isSame: true, wasRead: false })).toBeUndefined()
    expect(inDocument({ isSame: true, wasRead: true, isKnown: false })).toBe('undecided')
    expect(inDocument({ isSame: false, wasRead: false })).toBe('undecided')
    expect(inDocument({ isSame: false, isKnown: true })).toBe('undecided')
  })
})
