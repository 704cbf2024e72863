import { describe, expect, test } from 'vitest'
import { Budget, Undecided } from '../../src/budget.ts'
import { Memo } from '../../src/memo.ts'
import type { World } from '../../src/policy.ts'
import { covers } from '../../src/symbolic/covers.ts'
import { plainOutcome } from '../../src/symbolic/plain.ts'
import { callerOf } from '../../src/symbolic/search.ts'
import { indexOf, type Side, sideOf } from '../../src/symbolic/side.ts'
import type { Statement } from '../../src/symbolic/statements.ts'
import { families } from '../support/analysis-oracle.ts'
import { match, type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'
import { randomOf, take, worldOf } from '../support/worlds.ts'

/** Of a statement, whether others grant all of it, where the same denies hold for both. */
function plainIn(statement: Statement, side: Side, run = new Budget()) {
  const glances = { callerOf: (identity: Parameters<typeof callerOf>[0]) => callerOf(identity, side, side), keep: new Memo().keep, run }
  return plainOutcome(statement, side.denies, (members) => side.allows.about(members), glances)
}

function* statements(seed: number) {
  for (const { worlds } of families(randomOf(seed), { policies: 4, unknown: seed % 3 === 0 ? 0.15 : 0 }, 6)) {
    const read = worlds.map((world) => worldOf(world))
    for (const [i, a] of read.entries()) {
      const b = read[(i + 1) % read.length] as World
      const [one, other] = [sideOf(a, b), sideOf(b, a)]
      for (const statement of one.allows.statements) yield { statement, side: { ...other, groups: one.groups } }
    }
  }
}

test('what is plain to see is what a search finds', () => {
  const hit = { new: 0, none: 0, undefined: 0 }
  for (let seed = 1; seed <= 6; seed++) {
    for (const { statement, side } of take(80, statements(seed))) {
      const plain = plainIn(statement, side)
      hit[`${plain}`]++
      if (plain !== undefined) expect([statement.key, covers(side, [statement]).kind]).toEqual([statement.key, plain])
    }
  }
  expect(hit.new).toBeGreaterThan(60)
  expect(hit.none).toBeGreaterThan(5)
  expect(hit.undefined).toBeGreaterThan(5)
})

describe('of one statement', () => {
  const tagged = match({ 'resource.Tag(k)': 'x' })
  const plainOf = (policy: ShortPolicy, others: readonly ShortPolicy[], more: ShortWorld = {}) => {
    const [one, other] = [shortWorld([policy], more), shortWorld(others, more)]
    const [statement] = sideOf(one, other).allows.statements
    return plainIn(statement as Statement, sideOf(other, one))
  }
  test.each<[string, ShortPolicy, readonly ShortPolicy[], 'new' | 'none' | undefined]>([
    ['that another one covers', { allow: ['p:x:a'] }, [{ allow: ['p:*'] }], 'none'],
    ['each of whose actions another one covers', { allow: ['p:x:a', 'p:x:b'] }, [{ allow: ['p:x:a'] }, { allow: ['p:x:b'] }], 'none'],
    ['of which one action is in no other', { allow: ['p:x:a', 'p:x:b'] }, [{ allow: ['p:x:a'] }], 'new'],
    [
      'of which one caller is in no other',
      { allow: ['p:x:a'], who: ['user:a/u', 'user:a/v'] },
      [{ allow: ['p:*'], who: ['user:a/u'] }],
      'new',
    ],
    ['that another one covers on a condition', { allow: ['p:x:a'] }, [{ allow: ['p:*'], when: tagged }], undefined],
    ['that another one covers on the same condition', { allow: ['p:x:a'], when: tagged }, [{ allow: ['p:*'], when: tagged }], 'none'],
    ['with a condition that is in no other', { allow: ['p:x:a'], when: tagged }, [{ allow: ['p:x:b'] }], 'new'],
    ['that another one covers but for what it leaves out', { allow: ['p:*'] }, [{ allow: ['*'], except: ['p:x:a'] }], undefined],
    ['that leaves out as much', { allow: ['p:*'], except: ['p:*'] }, [], 'none'],
    ['that leaves out what the other one does', { allow: ['p:*'], except: ['p:x:*'] }, [{ allow: ['*'], except: ['p:x:a'] }], 'none'],
    ['that is denied', { allow: ['p:x:a'] }, [{ deny: ['p:*'] }], undefined],
    ['some of which is denied', { allow: ['p:*'] }, [{ deny: ['p:x:a'] }], 'new'],
  ])('%s', (_, policy, others, expected) => {
    expect(plainOf(policy, others)).toBe(expected)
  })

  test('without steps that are left: undecided', () => {
    const [statement] = sideOf(shortWorld([{ allow: ['p:x:a'] }], {})).allows.statements
    expect(() => plainIn(statement as Statement, { allows: indexOf([]), denies: indexOf([]), groups: new Map() }, new Budget(0))).toThrow(
      Undecided,
    )
  })
})
