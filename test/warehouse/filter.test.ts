import { DuckDBInstance } from '@duckdb/node-api'
import { PGlite } from '@electric-sql/pglite'
import { describe, expect, test } from 'vitest'
import { glob, matches } from '../../src/glob.ts'
import { decide } from '../../src/simulate/decide.ts'
import { readResource, typeAndName } from '../../src/urn/resource.ts'
import { rowFilter } from '../../src/warehouse/filter.ts'
import { filterSql } from '../../src/warehouse/filter-sql.ts'
import { type DialectName, sqlTexts } from '../../src/warehouse/sql-text.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { cases, pick, randomOf, shown, usualKnobs } from '../support/worlds.ts'

const seed = Number(process.env.SEED ?? 20261128)

type Ask = (sql: string) => Promise<unknown[][]>

async function duckdb(): Promise<Ask> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  return async (sql) => (await connection.runAndReadAll(sql)).getRows() as unknown[][]
}

async function postgres(): Promise<Ask> {
  const client = new PGlite()
  return async (sql) => (await client.query<unknown[]>(sql, [], { rowMode: 'array' })).rows
}

const isName = (urn: string) => readResource(urn, { pattern: false }).value !== undefined

interface Row {
  readonly urn: string | null
  readonly tags: Readonly<Record<string, string>> | null
  readonly owner: string | null
}

const urns = ['eu', 'ca'].flatMap((region) =>
  ['t', 't/s', 'u'].flatMap((type) => ['a', 'ab', 'b', 'b:a', 'a/b', 'c'].map((name) => `urn:v1:${region}:resource:${type}:${name}`)),
)
/** No names of resources: `can` refuses them. */
const malformed = [
  'urn:v1:eu:resource:t:',
  'urn:v1:eu:resource:t: a',
  'urn:v1:eu:resource:t:a ',
  'urn:v1:eu:resource:t:*',
  'urn:v1:eu:resource:t:a\n',
  'urn:v1:eu:resource:t:é',
  'urn:v1:eu:resource:',
  'urn:v1:eu:resource:1:a',
  'urn:v1:eu:resource::a',
  'urn:v1:eu:resource:t t:a',
  'a',
  '',
  `urn:v1:eu:resource:t:${'a'.repeat(2048)}`,
]
const tags = [null, {}, { k: 'a' }, { k: 'b' }, { k: 'ab', env: 'ba' }, { env: '' }, { k: '', env: 'a' }, { k: 'ba', env: 'b' }]
const rows: readonly Row[] = [null, ...malformed, ...urns].flatMap((urn) =>
  tags.flatMap((each) => [null, 'ab', 'ba'].map((owner) => ({ urn, tags: each, owner }))),
)

const wellFormed = rows.flatMap(({ urn }, id) => (urn !== null && isName(urn) ? [id] : []))
const patterns = [
  'urn:v1:eu:resource:*',
  'urn:v1:eu:resource:t:*',
  'urn:v1:eu:resource:t:a*',
  'urn:v1:eu:resource:t:a',
  'urn:v1:ca:resource:*:b',
]

async function withRows(ask: Ask, name: DialectName): Promise<Ask> {
  const { literal } = sqlTexts[name]
  const text = (value: string | null) => (value === null ? 'NULL' : literal(value))
  await ask('CREATE TABLE r (id INTEGER, urn VARCHAR, tags VARCHAR, owner VARCHAR, name VARCHAR, type VARCHAR)')
  const values = rows.map(({ urn, tags, owner }, id) => {
    const parts = urn !== null && isName(urn) && id % 2 === 0 ? typeAndName(urn) : { name: null, type: null }
    return `(${[id, ...[urn, tags && JSON.stringify(tags), owner, parts.name, parts.type].map(text)].join(', ')})`
  })
  await ask(`INSERT INTO r VALUES ${values.join(', ')}`)
  return ask
}

describe.each([
  ['duckdb', duckdb],
  ['postgres', postgres],
] as const)('%s', (name, open) => {
  test('keeps the rows on which `can` allows, and those of which it does not know', async () => {
    const ask = await withRows(await open(), name)
    const random = randomOf(seed)
    const seen = { allow: 0, deny: 0, unknown: 0, refused: 0, approximate: 0 }
    let left = counted(effort(10_000, 20))
    for (const c of cases(seed, { ...usualKnobs, missing: 0.5 }, 2)) {
      if (left-- === 0) break
      const { world, question } = c
      const has = { tags: random() < 0.8, owner: random() < 0.5 }
      const { resource: _, tags: __, owner: ___, ip, ...rest } = question
      const on = random() < 0.3 ? glob(pick(random, patterns)) : undefined
      const asked = { ...rest, on, ...(ip && random() < 0.7 && { ip }) }
      const verdictOf = ({ urn, tags, owner }: Row) => {
        if (urn === null || !isName(urn) || (on && !matches(on, urn))) return 'refused'
        const given = { ...(has.tags && tags && { tags: new Map(Object.entries(tags)) }), ...(has.owner && owner !== null && { owner }) }
        return decide(world, { ...asked, ...given, resource: urn }).verdict
      }
      const filter = rowFilter(world, asked, has)
      const columns = {
        urn: 'r.urn',
        ...(has.tags && { tags: 'r.tags' }),
        ...(has.owner && { owner: 'r.owner' }),
        ...(random() < 0.3 && { name: 'r.name', type: 'r.type' }),
      }
      const isWellFormed = random() < 0.3
      const { allowed, perhaps } = filterSql(filter, sqlTexts[name], columns, { isWellFormed })
      const among = isWellFormed ? wellFormed : rows.map((_, id) => id)
      const ids = Array.from({ length: 40 }, () => pick(random, among))
      const answers = await ask(`SELECT id, ${allowed}, ${perhaps} FROM r WHERE id IN (${ids.join()})`)
      expect(answers.length).toBe(new Set(ids).size)
      for (const [id, isAllowed, isOpen] of answers) {
        const row = rows[id as number] as Row
        const verdict = verdictOf(row)
        seen[verdict]++
        if (filter.isApproximate) seen.approximate++
        else if (isAllowed !== (verdict === 'allow') || isOpen !== (verdict === 'unknown'))
          throw new Error(
            `${verdict}: ${isAllowed}, ${isOpen} (seed ${seed})\n${JSON.stringify({ row, has, on: on?.text, ip: asked.ip !== undefined })}\n${allowed}\n${perhaps}\n${shown(c)}`,
          )
      }
    }
    expect(Math.min(seen.allow, seen.deny, seen.unknown, seen.refused)).toBeGreaterThan(100)
    expect(seen.approximate).toBe(0)
  })
})
