import { describe, expect, it } from 'vitest'
import { decide } from '../src/simulate/decide.ts'
import { compile, type Engine } from '../src/simulate/engine.ts'
import { cases, shown, take } from './support/worlds.ts'

/** How many decisions are compared whole: verdict, reason, entries, missing facts, caveats. */
const count = 200_000

describe('what the engine forgets', () => {
  it('changes no answer: strangers, their groups, texts', () => {
    const [c] = take(1, cases(3))
    if (!c) throw new Error('no case')
    const engine = compile(c.world)
    const expected = decide(c.world, c.question)
    const ask = (i: number) =>
      engine.verdict({
        ...c.question,
        identity: `urn:v1:eu:identity:user:zz${i}-svc/nobody`,
        groups: [`urn:v1:eu:identity:group:zz${i}-svc/none`],
        resource: `urn:v1:eu:resource:vps:${i}`,
      })
    // More than is remembered at once, of each kind: what is forgotten on the way must not change an answer.
    for (let i = 0; i < 140_000; i++) ask(i)
    expect(plain(engine.decide(c.question))).toEqual(plain(expected))
    expect(engine.verdict(c.question)).toBe(expected.verdict)
  })
})

describe('the engine and the reference', () => {
  // Half of the worlds with tables that identities share, which ordinary worlds of this size are too small for.
  it(`agree on ${count} aimed random decisions, compared whole`, { timeout: 600_000 }, () => {
    const engines = new WeakMap<object, Engine>()
    let differences = 0
    let first: string | undefined
    let worlds = 0
    for (const c of take(count, cases(20261120))) {
      let engine = engines.get(c.world)
      if (!engine) {
        engine = compile(c.world, worlds++ % 2 === 0 ? {} : { mostCopied: worlds % 4 })
        engines.set(c.world, engine)
      }
      const expected = decide(c.world, c.question)
      const actual = engine.decide(c.question)
      if (JSON.stringify(plain(actual)) === JSON.stringify(plain(expected)) && engine.verdict(c.question) === expected.verdict) continue
      differences++
      first ??= `${shown(c)}\nexpected ${JSON.stringify(plain(expected))}\nactual ${JSON.stringify(plain(actual))}`
    }
    expect(first ?? '').toBe('')
    expect(differences).toBe(0)
  })
})

function plain({ verdict, reason, clauses, missing, caveats }: ReturnType<typeof decide>) {
  return {
    verdict,
    reason,
    clauses: clauses.map(({ policy, list, entry, group }) => [policy.name.span.start, list, entry.span.start, group ?? null]),
    missing: missing.map(({ fact, allows, denies }) => [fact, [...allows], [...denies]]),
    caveats,
  }
}
