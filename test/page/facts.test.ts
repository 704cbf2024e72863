import { describe, expect, test } from 'vitest'
import { riskCategories } from '../../src/actions/sensitive.ts'
import type { PageData } from '../../src/page/data.ts'
import { endOf } from '../../src/page/ends.ts'
import { evidenceFacts } from '../../src/page/evidence.ts'
import { mostPoints, sampled } from '../../src/page/growth.ts'
import { ReachIndex } from '../../src/page/reach.ts'
import { accessSheet } from '../../src/page/sheets.ts'
import { Tables } from '../../src/page/tables.ts'
import { jsonParts, markdownDocument } from '../../src/page/written.ts'
import { about, cases } from '../support/claims-page.ts'
import { pageOf } from '../support/page.ts'
import { worldOf } from '../support/worlds.ts'

/** Numbers and sentences of a page that are not looked up in its tables. */

const inputOf = (data: PageData) => {
  const tables = new Tables(data)
  return { data, tables, reaches: new ReachIndex(tables) }
}

const policy = (name: string, more: object = {}) => ({
  name,
  identities: ['urn:v1:eu:identity:user:ab/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
  ...more,
})

const pageWith = (...policies: readonly object[]) => pageOf(worldOf({ policies } as Parameters<typeof worldOf>[0]), about)

test('who reaches something, who perhaps does, and on how many resources', () => {
  let unknown = 0
  for (const { data } of cases(311, 40)) {
    const { reaches } = inputOf(data)
    for (const target of ['change', ...riskCategories] as const) {
      const { identities, perhaps, always, resources, of } = reaches.of(target)
      const sureOf = (identity: number) =>
        of(identity)
          .on()
          .filter(({ confidence }) => confidence !== 'perhaps')
      const all = [...data.identities.keys()].filter((identity) => of(identity).on().length > 0)
      expect(identities).toEqual(all.filter((identity) => sureOf(identity).length > 0))
      expect(perhaps).toEqual(all.filter((identity) => sureOf(identity).length === 0))
      expect(always).toEqual(all.filter((identity) => sureOf(identity).some(({ confidence }) => confidence === 'always')))
      expect(resources).toBe(new Set(identities.flatMap((identity) => sureOf(identity).map(({ resource }) => resource))).size)
      unknown += perhaps.length
    }
  }
  expect(unknown).toBeGreaterThan(0)
})

test('the access with one action has all rows that have it', () => {
  for (const { data } of cases(97, 6)) {
    const input = inputOf(data)
    data.actions.forEach((name, action) => {
      const wanted = [...accessSheet(input).rows()].filter(([, , , , , , , actions]) => (actions as readonly string[]).includes(name))
      expect([...accessSheet(input, { action }).rows()]).toEqual(wanted)
    })
  }
})

describe('the state of a page', () => {
  const data = pageWith(policy('readers'))
  const commit = { id: 'ab', short: 'ab', at: Date.UTC(2026, 0), author: 'kim', subject: 'Widen', changed: 0 }
  const facts = (changed: number, others = 0, more: Partial<PageData> = {}) => {
    const evidence = { accounts: [], commit: { ...commit, changed }, inputs: { files: 2, others, sha256: '00' } }
    return Object.fromEntries(evidenceFacts({ ...data, evidence, ...more } as PageData))
  }

  test('is a commit only where no file differs from it', () => {
    expect(facts(0).State).toMatch(/^commit ab: Widen/)
    expect(facts(1).State).toMatch(/^working tree, uncommitted changes: 1 file that is not as in commit ab/)
    expect(facts(2).State).toMatch(/: 2 files that are not as in /)
  })

  test('says which files have no hash, and what is supposed of resources', () => {
    expect([facts(0).Files, facts(0, 3).Files]).toEqual([
      '2 files of this state, SHA-256 00',
      '2 files of this state, SHA-256 00; 3 more without',
    ])
    expect([facts(0).Supposed, facts(0, 0, { tags: ['env=prod'] }).Supposed]).toEqual([undefined, 'every resource has the tags env=prod'])
  })

  test('is complete only where everything was looked at and compared', () => {
    const isComplete = (more: object) => JSON.parse([...jsonParts(inputOf({ ...data, ...more } as PageData))].join('')).complete
    const difference = { before: 'main', gained: [], lost: [], beyond: { gained: 0, lost: 0 }, isOpen: false }
    expect([{}, { difference }].map(isComplete)).toEqual([true, true])
    expect([{ reasons: ['too much'] }, { difference: { ...difference, isOpen: true } }].map(isComplete)).toEqual([false, false])
  })
})

describe('the document', () => {
  test('names what ends from now on, soonest first', () => {
    const data = pageWith(
      policy('gone', { expiredAt: '2026-01-01T00:00:00Z' }),
      policy('later', { expiredAt: '2026-09-01T00:00:00Z' }),
      policy('now', { expiredAt: '2026-03-01T00:00:00Z' }),
    )
    const text = markdownDocument(inputOf({ ...data, at: Date.UTC(2026, 2) }))
    const [, ends = ''] = /## What ends next\n([\s\S]*?)\n## /.exec(text) ?? []
    expect([...ends.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(['now', 'later'])
  })

  test('has as many rows as it may, and says how many more there are', () => {
    const rowsOf = (count: number) => {
      const [data] = [pageWith(policy('readers'))]
      const [first] = data.policies
      const text = markdownDocument(inputOf({ ...data, policies: Array.from({ length: count }, () => first) } as PageData))
      const [, table = ''] = /## Policies\n([\s\S]*?)(?:\n## |$)/.exec(text) ?? []
      return [table.split('\n').filter((line) => line.startsWith('| `readers`')).length, /(\d+) more row/.exec(table)?.[1]]
    }
    expect([rowsOf(500), rowsOf(501)]).toEqual([
      [500, undefined],
      [500, '1'],
    ])
  })
})

test('a policy ends with the last day of its condition, else with its expiry', () => {
  expect([endOf({ expires: 5, last: [3, 'Monday'] }), endOf({ expires: 0 })?.at, endOf({})]).toEqual([
    { at: 3, words: 'Monday' },
    0,
    undefined,
  ])
})

test('some of many states are in order, with the first and the last', () => {
  for (let last = 100; last < 400; last++) {
    const states = Array.from({ length: 60 }, (_, i) => ({ at: i === 59 ? last / 7 : i / 9 }))
    const some = sampled(states)
    expect([some[0], some.at(-1)]).toEqual([states[0], states.at(-1)])
    expect(some.length).toBeLessThanOrEqual(mostPoints)
    expect(some).toEqual(states.filter((state) => some.includes(state)))
  }
})
