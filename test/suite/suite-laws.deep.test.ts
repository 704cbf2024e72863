import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { fillWildcards, glob, matches } from '../../src/glob.ts'
import { defaultSettings } from '../../src/names.ts'
import { readJson } from '../../src/parser/json.ts'
import type { Policy, World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { sourceOf } from '../../src/source.ts'
import { type Proof, proofContextOf, prove } from '../../src/suite/prove.ts'
import { readSuite } from '../../src/suite/read.ts'
import { runSuite } from '../../src/suite/run.ts'
import type { InvariantCheck, Suite } from '../../src/suite/suite.ts'
import { effort } from '../support/effort.ts'
import {
  type ConditionJson,
  generate,
  pick,
  type QuestionJson,
  questionOf,
  type Random,
  randomOf,
  usualKnobs,
  type WorldJson,
  worldOf,
} from '../support/worlds.ts'

const catalogue = loadCatalogue()

/** Read a suite that must be without fault. */
function suiteOf(written: object): Suite {
  const { documents } = readJson(sourceOf('x.iamtest.json', JSON.stringify(written)))
  const { value, diagnostics } = readSuite(documents[0] as (typeof documents)[number], 0, defaultSettings)
  if (diagnostics.length > 0)
    throw new Error(diagnostics.map(({ message, help }) => `${message} ${help ?? ''}`).join('\n') + JSON.stringify(written))
  return value
}

const isUnderstood = (condition: ConditionJson): boolean => {
  try {
    suiteOf({ invariants: [{ name: 'x', never: { actions: '*', resources: 'urn:v1:eu:resource:*', when: condition } }] })
    return true
  } catch {
    return false
  }
}

/** An invariant around what the policies of a world name. */
function someInvariant(random: Random, world: WorldJson, questions: readonly QuestionJson[]): object {
  const policy = pick(random, world.policies)
  const other = pick(random, world.policies)
  const question = pick(random, questions)
  const entries = [policy, other].flatMap(({ permissions }) => Object.values(permissions).flat()).map(({ action }) => action as string)
  const identities = [
    ...new Set([pick(random, [...policy.identities, question.identity]), pick(random, [question.identity, ...other.identities])]),
  ]
  const resources = [pick(random, [...policy.resources.map(({ urn }) => urn), question.resource, 'urn:v1:eu:resource:*'])]
  const actions = [pick(random, [...entries, question.action, question.action])]
  const when = random() < 0.35 ? [policy, other].map((each) => each.conditions).find((each) => each && isUnderstood(each)) : undefined
  const kind = pick(random, ['never', 'only', 'always'])
  return {
    name: 'claim',
    [kind]: { ...((kind !== 'never' || random() < 0.8) && { identities }), actions, resources, ...(when && { when }) },
  }
}

/** Names to ask about: those of the questions, and each pattern of the world and of the claim with something in place of its wildcards. */
function namesFor(world: World, questions: readonly Question[], box: Policy) {
  const fill = (text: string) => (text.includes('*') ? ['', 'a', 'x', 'b/a'].map((letter) => fillWildcards(glob(text), letter)) : [text])
  const policies = [...world.policies, box]
  return {
    identities: [
      ...questions.map(({ identity }) => identity),
      ...policies.flatMap((p) => p.identities.flatMap(({ value }) => fill(value.text))),
    ].filter((text) => /^urn:v1:[a-z]+:identity:(user|credential|group):[^/]+\/./.test(text)),
    groups: policies
      .flatMap((p) => p.identities.flatMap(({ value }) => (value.kind === 'group' ? fill(value.text) : [])))
      .filter((text) => /:group:[^/]+\/./.test(text)),
    actions: [
      ...questions.map(({ action }) => action),
      ...policies.flatMap((p) =>
        [p.permissions.allow, p.permissions.except, p.permissions.deny].flatMap((list) => list.flatMap(({ value }) => fill(value.text))),
      ),
    ].filter((text) => /^[a-z]+:[a-z]+:[a-z/]*[a-z]$/.test(text)),
    resources: [
      ...questions.map(({ resource }) => resource),
      ...policies.flatMap((p) => p.resources.flatMap(({ value }) => fill(value.text))),
    ].filter((text) => /^urn:v1:[a-z]+:resource:[a-z/]*[a-z]:./.test(text)),
  }
}

/** A question with every fact given. */
function someQuestion(
  random: Random,
  world: World,
  questions: readonly Question[],
  names: ReturnType<typeof namesFor>,
): Question | undefined {
  const base = pick(random, questions)
  const identity = pick(random, names.identities)
  const [action, resource] = [pick(random, names.actions), pick(random, names.resources)]
  if (!identity || !action || !resource) return undefined
  const groups = world.identities.has(identity) || names.groups.length === 0 || random() < 0.4 ? [] : [pick(random, names.groups)]
  const { ip, tags } = pick(random, questions)
  return { ...base, identity, action, resource, groups, ip: ip ?? { family: 4, value: 0xc0000205n }, tags: tags ?? new Map() }
}

function inBox(question: Question, { kind, box }: InvariantCheck, world: World): boolean {
  const identities =
    kind === 'only'
      ? world.policies
          .flatMap((p) => p.identities)
          .slice(0, 1)
          .map((each) => ({ ...each, value: { ...each.value, glob: glob('*') } }))
      : box.identities
  return decide({ ...world, policies: [{ ...box, identities }] }, question).verdict === 'allow'
}

function isOneOfThem({ identity, groups }: Question, { box }: InvariantCheck, world: World): boolean {
  const members = [identity, ...groups, ...(world.identities.get(identity)?.groups ?? [])]
  return box.identities.some(({ value }) => members.some((member) => matches(value.glob, member)))
}

/** Why a question speaks against a claim, or undefined. */
function against(question: Question, check: InvariantCheck, world: World): string | undefined {
  if (!inBox(question, check, world)) return undefined
  const { verdict } = decide(world, question)
  if (check.kind === 'always') return verdict === 'allow' ? undefined : verdict
  if (check.kind === 'only' && isOneOfThem(question, check, world)) return undefined
  return verdict === 'deny' ? undefined : verdict
}

describe('invariants over random worlds', () => {
  test.each([
    ['where facts are missing', usualKnobs, effort(600, 8)],
    ['where every fact is known', { ...usualKnobs, missing: 0 }, effort(600, 8)],
  ] as const)('%s: what is refuted has a witness, what is proved has no counterexample', (_, knobs, count) => {
    const random = randomOf(20261121)
    const seen: Record<Proof['status'], number> = { proved: 0, refuted: 0, undecided: 0 }
    const kinds = new Set<string>()
    let samples = 0
    for (let i = 0; i < count; i++) {
      const { world: written, questions: asked } = generate(random, 4, knobs)
      const world = worldOf(written)
      const questions = asked.map(questionOf)
      const { checks } = suiteOf({ invariants: [someInvariant(random, written, asked)] })
      const check = checks[0] as InvariantCheck
      const proof = prove(check, proofContextOf(world))
      seen[proof.status]++
      kinds.add(`${check.kind} ${proof.status}`)
      const described = () =>
        JSON.stringify({
          i,
          kind: check.kind,
          identities: check.box.identities.map((x) => x.value.text),
          actions: check.box.permissions.allow.map((x) => x.value.text),
          resources: check.box.resources.map((x) => x.value.text),
          written,
        })
      if (proof.status === 'refuted') {
        if (proof.question.ip === undefined || proof.question.tags === undefined) expect.unreachable(described())
        if (against(proof.question, check, world) !== (check.kind === 'always' ? 'deny' : 'allow'))
          expect.unreachable(`does not replay: ${described()}`)
        // No identity whose groups are known is put into others.
        if (world.identities.has(proof.question.identity) && proof.question.groups.length > 0) expect.unreachable(described())
      }
      if (knobs.missing === 0 && proof.status === 'undecided') expect.unreachable(`undecided: ${proof.culprits} ${described()}`)
      if (proof.status !== 'proved') continue
      const names = namesFor(world, questions, check.box)
      for (let j = 0; j < 40; j++) {
        const question = someQuestion(random, world, questions, names)
        if (!question || !inBox(question, check, world)) continue
        samples++
        const said = against(question, check, world)
        if (said !== undefined)
          expect.unreachable(
            `${said}: ${JSON.stringify(question, (_k, v) => (typeof v === 'bigint' ? `${v}` : v instanceof Map ? [...v] : v))} ${described()}`,
          )
      }
    }
    expect(kinds.size).toBeGreaterThanOrEqual(6)
    expect(seen.proved).toBeGreaterThan(count / 10)
    expect(seen.refuted).toBeGreaterThan(count / 10)
    expect(samples).toBeGreaterThan(count / 2)
  })
})

describe('patterns in tables', () => {
  test('are proved of every action in the context that is given, over 800 worlds', () => {
    const random = randomOf(20261122)
    const seen = new Map<string, number>()
    let samples = 0
    for (let i = 0; i < effort(800, 30); i++) {
      const { world: written, questions } = generate(random, 4)
      const world = worldOf(written)
      const asked = pick(random, questions)
      const { identity, action, resource, ...context } = asked
      if (identity.includes(':account:')) continue
      const pattern = pick(random, [`${action.slice(0, action.indexOf(':'))}:*`, `${action}*`, `*${action.slice(1)}`, '*'])
      const kind = pick(random, ['allow', 'deny'] as const)
      const suite = suiteOf({ [kind]: [{ identities: identity, actions: pattern, resources: resource, ...context }] })
      const [result] = runSuite(suite, world, catalogue)
      const [failure] = result?.failures ?? []
      seen.set(`${kind} ${result?.status}`, (seen.get(`${kind} ${result?.status}`) ?? 0) + 1)
      const described = () => JSON.stringify({ i, kind, pattern, asked, written })
      const question = questionOf(asked)
      if (failure?.kind === 'refuted') {
        const { question: witness, explanation } = failure
        if (witness.at !== question.at || witness.resource !== resource || witness.identity !== identity) expect.unreachable(described())
        if (question.ip && !sameJson(witness.ip, question.ip)) expect.unreachable(`other address: ${described()}`)
        const tags = question.tags ?? world.resources.get(resource)?.tags
        // Tags that no condition looks at need not be repeated.
        if (tags && [...(witness.tags ?? [])].some(([key, value]) => tags.get(key) !== value))
          expect.unreachable(`other tags: ${described()}`)
        if (!sameJson(witness.groups, question.groups) || (explanation.decision.verdict === 'allow') === (kind === 'allow'))
          expect.unreachable(described())
        // The same question with what the table gives, and no more, is not answered as the table says either.
        if (decide(world, { ...question, action: witness.action }).verdict === kind) expect.unreachable(`no counterexample: ${described()}`)
      }
      if (result?.status !== 'passed') continue
      const names = new Set([
        action,
        ...written.policies.flatMap((p) =>
          Object.values(p.permissions)
            .flat()
            .map((entry) => (entry as { action: string }).action.replaceAll('*', 'b')),
        ),
      ])
      for (const name of names) {
        if (!matches(glob(pattern), name) || !/^[a-z]+:[a-z]+:[a-z/]*[a-z]$/.test(name)) continue
        samples++
        if (decide(world, { ...question, action: name }).verdict !== kind) expect.unreachable(`${name}: ${described()}`)
      }
    }
    expect([...seen.keys()].sort()).toEqual([
      'allow failed',
      'allow passed',
      'allow undecided',
      'deny failed',
      'deny passed',
      'deny undecided',
    ])
    expect(samples).toBeGreaterThan(effort(200, 30))
  })
})

function sameJson(a: unknown, b: unknown): boolean {
  const text = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))
  return text(a) === text(b)
}

describe('single tests', () => {
  test('come out as the simulator answers, for every question of 500 worlds', () => {
    const random = randomOf(7)
    const seen = { passed: 0, failed: 0, undecided: 0 }
    for (let i = 0; i < effort(500, 30); i++) {
      const { world: written, questions } = generate(random, 4)
      const world = worldOf(written)
      const expected = questions.map(() => pick(random, ['allow', 'deny', 'unknown'] as const))
      const suite = suiteOf({ tests: questions.map((question, n) => ({ ...question, name: `q${n}`, expect: expected[n] })) })
      for (const [n, { status, check }] of runSuite(suite, world, catalogue).entries()) {
        const { verdict, reason, clauses } = decide(world, questionOf(questions[n] as QuestionJson))
        seen[status]++
        expect(status).toBe(verdict === expected[n] ? 'passed' : 'failed')
        const because = clauses.map(({ policy }) => policy.name.value)
        const again = suiteOf({ tests: [{ ...questions[n], name: check.name, expect: verdict, reason, because }] })
        expect(runSuite(again, world, catalogue)[0]?.status).toBe('passed')
      }
    }
    expect(Math.min(seen.passed, seen.failed)).toBeGreaterThan(effort(300, 30))
  })
})
