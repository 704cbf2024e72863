import { describe, expect, test } from 'vitest'
import { decide } from '../../src/simulate/decide.ts'
import type { FactValue } from '../../src/simulate/decision.ts'
import { factText, valueText } from '../../src/simulate/facts.ts'
import { completed } from '../support/complete.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { type Known, type MissingFact, plainMatch, plainMissing, plainVerdict } from '../support/plain-evaluator.ts'
import { type ConditionJson, forAll, type Knobs, type Law, questionOf, usualKnobs, worldOf } from '../support/worlds.ts'

/** Small worlds in which much is missing. */
const gappy: Knobs = { ...usualKnobs, policies: 4, missing: 0.65, groups: 0.35 }
/** More completions than this are not tried: the case is left to the others. */
const mostCompletions = 600

/** Every way to complete the facts. */
function* completions(facts: readonly MissingFact[]): Generator<Known> {
  const [first, ...rest] = facts
  if (!first) yield new Map()
  else for (const value of first.values) for (const known of completions(rest)) yield new Map([[first.name, value], ...known])
}

/** The facts on which the verdict depends: those that alone can turn it, the others being as they may be. */
function turning(facts: readonly MissingFact[], verdicts: ReadonlyMap<Known, string>): string[] {
  return facts
    .filter(({ name }) => {
      const byOthers = new Map<string, string>()
      for (const [known, verdict] of verdicts) {
        const others = JSON.stringify([...known].filter(([fact]) => fact !== name))
        if ((byOthers.get(others) ?? verdict) !== verdict) return true
        byOthers.set(others, verdict)
      }
      return false
    })
    .map(({ name }) => name)
    .sort()
}

function isGroup(fact: string): boolean {
  return fact.startsWith('resourceGroup:')
}

describe('where nothing is missing', () => {
  // covers: P1
  test('the verdict is that of a second evaluator', () => {
    const law: Law = ({ world, question, written }) => {
      if (plainMissing(written.world, written.question).length > 0) return undefined
      const plain = plainVerdict(written.world, written.question, new Map())
      const { verdict } = decide(world, question)
      return verdict === plain ? '' : `${verdict}, and by the second evaluator ${plain}`
    }
    expect(counted(forAll(effort(10_000), 1, law, { ...usualKnobs, missing: 0 }))).toBeGreaterThan(effort(8000))
  })
})

describe('where facts are missing', () => {
  // covers: M28
  test('the verdict is unknown exactly when two ways to complete them differ', () => {
    let unknown = 0
    let settled = 0
    const law: Law = ({ world, question, written }) => {
      const facts = plainMissing(written.world, written.question)
      const count = facts.reduce((product, { values }) => product * values.length, 1)
      if (facts.length === 0 || count > mostCompletions) return undefined
      const found = new Set<string>()
      for (const known of completions(facts)) {
        found.add(plainVerdict(written.world, written.question, known))
        if (found.size > 1) break
      }
      const demanded = found.size > 1 ? 'unknown' : [...found][0]
      const { verdict } = decide(world, question)
      if (verdict === 'unknown') unknown++
      else settled++
      return verdict === demanded ? '' : `${verdict}, and by trying every completion ${demanded}`
    }
    expect(counted(forAll(effort(6000), 2, law, gappy))).toBeGreaterThan(effort(3300))
    expect(unknown).toBeGreaterThan(effort(1200))
    expect(settled).toBeGreaterThan(effort(1500))
  })

  test('it names just the facts that can turn the verdict', () => {
    const law: Law = ({ world, question, written }) => {
      const { verdict, missing } = decide(world, question)
      const facts = plainMissing(written.world, written.question)
      const count = facts.reduce((product, { values }) => product * values.length, 1)
      if (verdict !== 'unknown' || count > 100) return undefined
      const verdicts = new Map([...completions(facts)].map((known) => [known, plainVerdict(written.world, written.question, known)]))
      const demanded = turning(facts, verdicts)
      const named = missing.map(({ fact }) => factText(fact))
      // A group that an entry with a wildcard takes in need not be named in addition to that entry.
      const left = demanded.filter((fact) => !named.some((wider) => isGroup(wider) && plainMatch(wider, fact)))
      const exact = named.every((fact) => demanded.includes(fact)) && left.every((fact) => named.includes(fact))
      return exact ? '' : `names ${named.join(', ')}, and the verdict turns on ${demanded.join(', ')}`
    }
    expect(forAll(effort(6000), 3, law, gappy)).toBeGreaterThan(effort(1100))
  })

  // covers: M28
  test('each completion it shows gives the verdict it says', () => {
    const law: Law = ({ world, question, written }) => {
      const { missing } = decide(world, question)
      for (const { fact, allows, denies } of missing) {
        for (const [demanded, completion] of [
          ['allow', allows],
          ['deny', denies],
        ] as const) {
          const full = completed(written, completion)
          const { verdict } = decide(full.world, full.question)
          if (verdict !== demanded)
            return `${factText(fact)}: with ${completion.map((value) => `${factText(value)} ${valueText(value)}`).join(', ')} the verdict is ${verdict}, not ${demanded}`
        }
        const words = (value: FactValue) => `${factText(value)} ${valueText(value)}`
        const differ = allows.filter((value) => !denies.some((other) => words(other) === words(value))).map(factText)
        if (differ.join() !== factText(fact)) return `the completions for ${factText(fact)} differ in ${differ.join(', ')}`
      }
      return missing.length > 0 ? '' : undefined
    }
    expect(forAll(effort(5000), 4, law, gappy)).toBeGreaterThan(effort(900))
  })

  test('an address that is the only one between blocks is among those that are tried', () => {
    const after = Array.from(
      { length: 29 },
      (_, i) =>
        `${128 + ((2 ** (i + 2)) >>> 24)}.${((2 ** (i + 2)) >>> 16) & 255}.${((2 ** (i + 2)) >>> 8) & 255}.${(2 ** (i + 2)) & 255}/${30 - i}`,
    )
    const blocks = ['0.0.0.0/1', '128.0.0.0/31', '128.0.0.3/32', ...after, '192.0.0.0/2', '::/0']
    const match = (value: string): ConditionJson => ({ operator: 'MATCH', values: { 'request.IP.IN_RANGE': value } })
    const asked = {
      identity: 'urn:v1:eu:identity:user:ab/a',
      action: 'p:apisvc:a',
      resource: 'urn:v1:eu:resource:t:a',
      at: '2026-07-01T12:00:00Z',
    }
    const granting = (conditions: readonly ConditionJson[]) =>
      worldOf({
        name: 'p',
        identities: [asked.identity],
        resources: [{ urn: asked.resource }],
        permissions: { allow: [{ action: '*' }] },
        conditions: { operator: 'NOT', conditions: [...conditions] },
      })
    const given = decide(granting(blocks.map(match)), questionOf(asked))
    expect([given.verdict, given.missing.map(({ allows }) => allows.map(valueText))]).toEqual(['unknown', [['128.0.0.2']]])
    expect(decide(granting([...blocks, '128.0.0.2/32'].map(match)), questionOf(asked)).verdict).toBe('deny')
  })

  test('a world made to be tried for ever is given up, and says so', () => {
    const match = (key: string, value: string): ConditionJson => ({ operator: 'MATCH', values: { [key]: value } })
    // Each of them always holds, but only looking at every completion would show it.
    const always = (i: number): ConditionJson => {
      const test = match(`resource.Tag(k${i})`, 'a')
      return { operator: 'OR', conditions: [test, { operator: 'NOT', conditions: [test] }] }
    }
    const question = {
      identity: 'urn:v1:eu:identity:user:ab/a',
      action: 'p:apisvc:a',
      resource: 'urn:v1:eu:resource:t:a',
      at: '2026-07-01T12:00:00Z',
    }
    const granting = (...conditions: ConditionJson[]) =>
      worldOf({
        name: 'p',
        identities: [question.identity],
        resources: [{ urn: question.resource }],
        permissions: { allow: [{ action: '*' }] },
        conditions: { operator: 'AND', conditions },
      })
    const many = Array.from({ length: 100 }, (_, i) => always(i))
    const given = decide(granting(...many), questionOf(question))
    expect([given.verdict, given.missing, given.caveats]).toEqual(['unknown', [], ['approximate']])
    const some = decide(granting(match('request.IP', '192.0.2.1'), ...many.slice(0, 20)), questionOf(question))
    expect(some.verdict).toBe('unknown')
    expect(some.missing.map(({ fact }) => factText(fact))).toEqual(['request.IP'])
    expect(some.caveats).toEqual(['approximate'])
    expect(decide(granting(...many.slice(0, 6)), questionOf(question))).toMatchObject({ verdict: 'allow', caveats: [] })
  })
})
