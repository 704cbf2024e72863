import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import '../support/seed.ts'
import { groupedBy } from '../../src/collections.ts'
import type { Condition, Policy } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { Conditions } from '../../src/warehouse/conditions.ts'
import { leftOpen } from '../../src/warehouse/readme.ts'
import { sqlExport } from '../../src/warehouse/script.ts'
import { residueRow } from '../../src/warehouse/settle.ts'
import { callColumns } from '../../src/warehouse/steps.ts'
import { worldTables } from '../../src/warehouse/tables.ts'
import { testOf } from '../support/condition-tests.ts'
import { effort } from '../support/effort.ts'
import { generate, questionOf, randomOf, worldOf } from '../support/worlds.ts'

const span = { start: 0, end: 0 } as Policy['span']

describe('conditions as clauses', () => {
  const letters = ['a', 'b', 'c']
  const leaf = fc.constantFrom(...letters, 'open').map((letter): Condition => {
    if (letter === 'open') return { kind: 'opaque', text: 'x', span }
    const located = { value: letter, span }
    return { kind: 'match', key: located, value: located, test: testOf('resource.Name', letter), span }
  })
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaf,
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const, 'not' as const),
        operands: fc.array(tie('condition'), { maxLength: 3 }),
        span: fc.constant(span),
      }),
    ),
  }))

  /** The truth of a condition in Kleene's logic, 0 to 2, from that of each letter. */
  const truth = (of: Condition, letterTruths: Readonly<Record<string, number>>): number => {
    if (of.kind === 'opaque') return 1
    if (of.kind === 'match') return letterTruths[of.value.value] as number
    const all = of.operands.map((operand) => truth(operand, letterTruths))
    if (of.kind === 'and') return Math.min(2, ...all)
    return of.kind === 'or' ? Math.max(0, ...all) : 2 - Math.max(0, ...all)
  }

  test('have the same truth, for known and unknown comparisons', () => {
    fc.assert(
      fc.property(condition, fc.tuple(...letters.map(() => fc.integer({ min: 0, max: 2 }))), (of, values) => {
        const letterTruths = Object.fromEntries(letters.map((letter, i) => [letter, values[i] as number]))
        const conditions = new Conditions()
        const number = conditions.numberOf({ condition: of } as Policy)
        const atoms = new Map(
          conditions.atoms.map(([atom, kind, , , text]) => [atom, kind === 'open' ? 1 : (letterTruths[text as string] as number)]),
        )
        const clauses = new Map<number, number>()
        for (const [, clause, atom, negated] of conditions.literals as [number, number, number, number][]) {
          const plain = atom === 0 ? 0 : (atoms.get(atom) as number)
          clauses.set(clause, Math.min(clauses.get(clause) ?? 2, negated === 1 ? 2 - plain : plain))
        }
        expect(number === 0 ? 2 : Math.max(...clauses.values())).toBe(truth(of, letterTruths))
      }),
      { numRuns: effort(20_000) },
    )
  })

  test('of too many clauses are left to the engine, and counted', () => {
    const pair = (i: number): Condition => ({
      kind: 'or',
      span,
      operands: ['x', 'y'].map((side) => ({
        kind: 'match',
        key: { value: '', span },
        value: { value: '', span },
        test: testOf('resource.Name', `${side}${i}`),
        span,
      })),
    })
    const conditions = new Conditions()
    conditions.numberOf({ condition: { kind: 'and', operands: Array.from({ length: 13 }, (_, i) => pair(i)), span } } as unknown as Policy)
    expect(conditions.left()).toEqual(['1 condition of more than 5000 clauses'])
    expect(conditions.literals).toHaveLength(1)
  })
})

test('comparisons with the hour beyond the first 250 are left to the engine, and counted', () => {
  const conditions = new Conditions()
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 26)
  const hours = zones.flatMap((zone) => Array.from({ length: 10 }, (_, hour) => [`date(${zone}).Hour.EQ`, String(hour)] as const))
  const numberOf = ([key, value]: readonly [string, string]) => {
    const located = { value: '', span }
    return conditions.numberOf({ condition: { kind: 'match', key: located, value: located, test: testOf(key, value), span } } as Policy)
  }
  for (const each of hours) numberOf(each)
  expect(conditions.clockTests).toHaveLength(250)
  expect(conditions.left()).toEqual(['10 comparisons with the hour or the weekday in addition to the first 250'])
  // One that is known already is decided in SQL as before.
  expect(numberOf(hours[3] as [string, string])).toBe(4)
})

test('many expiries are all in the tables, whose rows are some for each', () => {
  const expiring = Array.from({ length: 3000 }, (_, i) => ({
    name: `policy-${i}`,
    identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
    resources: [{ urn: `urn:v1:eu:resource:vps:vps-${i}` }],
    permissions: { allow: [{ action: 'vps:*' }] },
    expiredAt: new Date(Date.UTC(2027, 0, 1) + i * 3_600_000).toISOString(),
  }))
  const { tables, left } = worldTables(worldOf({ policies: expiring }), '!')
  expect(left).toEqual([])
  const count = (name: 'age' | 'age_holds' | 'age_group' | 'instant_holds') => tables.get(name)?.rows.length
  expect([count('age'), count('age_holds'), count('age_group'), count('instant_holds')]).toEqual([3001, 3000, 55, 0])
})

describe('tables of a world', () => {
  test('number each entry that decides, by file and line', () => {
    const random = randomOf(7)
    let met = 0
    for (let i = 0; i < effort(400); i++) {
      const { world: written, questions } = generate(random, 5)
      const world = worldOf(written)
      const tables = worldTables(world, '!')
      for (const question of questions)
        for (const clause of decide(world, questionOf(question)).clauses) {
          const row = tables.tables.get('entry')?.rows[tables.entryNumber(clause) - 1]
          expect(row?.slice(0, 4)).toEqual([tables.entryNumber(clause), clause.policy.name.value, clause.list, clause.entry.value.text])
          met++
        }
    }
    expect(met).toBeGreaterThan(10)
  })

  test('are the same bytes for the same world, in each dialect', () => {
    const { world: written } = generate(randomOf(3), 1)
    const options = { prefix: 'gw_', calls: 'gw_call', given: new Set(callColumns), asInserts: false } as const
    for (const dialect of ['duckdb', 'postgres', 'clickhouse', 'spark', 'trino', 'bigquery', 'snowflake'] as const) {
      const [one, other] = [1, 2].map(() => sqlExport(worldOf(written), { ...options, dialect }).files)
      expect(one).toEqual(other)
      expect(one?.map(({ path }) => path)).toContain('README.md')
    }
  })

  // The page is what users read first, and README.md goes with the export.
  test('leave open what their documentation lists', () => {
    const page = readFileSync(new URL('../../docs/warehouse.md', import.meta.url), 'utf8')
    const [, section = ''] = page.split('\n## What SQL leaves open\n')
    const listed = (section.split('\n## ')[0] as string).split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []))
    expect(listed).toEqual(leftOpen)
  })

  test('as models of dbt are the steps of the script, which refer to each other', () => {
    const { world: written } = generate(randomOf(5), 1)
    const options = { prefix: 'gw_', calls: 'gw_call', given: new Set(callColumns), asInserts: false, dialect: 'duckdb' } as const
    const textOf = (path: string, asDbt: boolean) => {
      const { files } = sqlExport(worldOf(written), { ...options, asDbt })
      return { files, text: String(files.find((file) => file.path === path)?.content) }
    }
    const { files } = textOf('', true)
    const models = files.flatMap(({ path, content }) => /^models\/(\w+)\.sql$/.exec(path)?.[1]?.concat('\n', String(content)) ?? [])
    const names = new Set(models.map((each) => each.split('\n')[0]))
    const script = textOf('decide.sql', false).text
    for (const each of models) {
      const [name, , ...query] = each.split('\n')
      for (const [, to] of each.matchAll(/\bref\('(\w+)'\)/g)) expect(names).toContain(to)
      const plain = query
        .join('\n')
        .replaceAll(/\{\{ (?:ref\('|source\('grantwise', ')(\w+)'\) \}\}/g, '$1')
        .trim()
      expect(script).toMatch(new RegExp(`CREATE OR REPLACE (TABLE|VIEW) ${name} AS\n`))
      expect(script).toContain(`${plain};`)
    }
    expect(names).toContain('gw_decision')
    expect(textOf('models/sources.yml', true).text).toContain('- name: gw_settled_missing\n')
  })

  test('hold the gates of identities that many permission sets name apart', () => {
    const policy = (name: string, ...names: readonly string[]) => ({
      name,
      identities: names.map((each) => `urn:v1:eu:identity:user:ab12-svc/${each}`),
      resources: [{ urn: 'urn:v1:eu:resource:vps:a' }, { urn: 'urn:v1:eu:resource:vps:b' }],
      permissions: { allow: [{ action: 'vps:*' }] },
    })
    const world = worldOf({ policies: [policy('one', 'a', 'b'), policy('two', 'a')] })
    const gatesFrom = (wideFrom: number) => {
      const { tables, gates } = worldTables(world, '!', wideFrom)
      return [tables.get('gate')?.rows.length, tables.get('wide_gate')?.rows.length, gates]
    }
    expect([1, 2, 3].map(gatesFrom)).toEqual([
      [0, 6, 6],
      [2, 4, 6],
      [6, 0, 6],
    ])
  })

  test('give each unit of wide gates a bit of its own, in blocks of one condition', () => {
    const policies = Array.from({ length: 240 }, (_, i) => ({
      name: `policy-${i}`,
      identities: ['urn:v1:eu:identity:user:ab12-svc/a'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:a' }],
      permissions: { allow: [{ action: 'vps:*' }] },
      ...(i % 3 === 0 && { conditions: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': `10.0.0.${i % 2}/32` } } }),
    }))
    const { tables } = worldTables(worldOf({ policies }), '!', 1)
    const rows = tables.get('wide_unit')?.rows ?? []
    expect(rows.map(([unit, cond]) => [unit, cond])).toEqual(tables.get('unit')?.rows)
    const blocks = groupedBy(rows, ([, , block]) => block)
    expect([...blocks.values()].map((block) => block.length).sort((a, b) => a - b)).toEqual([10, 40, 40, 50, 50, 50])
    for (const block of blocks.values()) {
      expect(new Set(block.map(([, cond]) => cond)).size).toBe(1)
      expect(block.map(([, , , bit]) => bit)).toEqual(block.map((_, i) => 2 ** i))
    }
  })

  test('refuse more gates than a database should hold', () => {
    const identities = Array.from({ length: 8000 }, (_, i) => `urn:v1:eu:identity:user:ab12-svc/u${i}`)
    const resources = Array.from({ length: 8000 }, (_, i) => ({ urn: `urn:v1:eu:resource:vps:v${i}` }))
    const world = worldOf({ name: 'wide', identities, resources, permissions: { allow: [{ action: 'vps:*' }] } })
    expect(() => worldTables(world, '!')).toThrow('policy `wide` brings the table of gates')
  })
})

describe('rows of a residue', () => {
  const row = { q: 1, s: 2, identity: 'i', action: 'a', resource: 'r', grps: null, at_ms: 5, ip: null, tags: null, owner: null }

  test('are read as engines write them: with names in capitals, numbers as strings, without NULL', () => {
    expect(residueRow(row)).toEqual(row)
    expect(residueRow({ Q: '1', S: '2', IDENTITY: 'i', ACTION: 'a', RESOURCE: 'r', AT_MS: '5' })).toEqual(row)
  })

  test.each([
    [[], 'not an object'],
    [{ ...row, q: 'x' }, '`q` or `s` is not a number'],
    [{ ...row, at_ms: '5.5' }, '`at_ms` is not a number'],
    [{ ...row, identity: 5 }, 'a name is not a string'],
    [{ ...row, tags: {} }, '`grps`, `ip`, `tags` or `owner` is not a string'],
  ])('are refused otherwise: %j', (value, problem) => {
    expect(residueRow(value)).toBe(problem)
  })
})
