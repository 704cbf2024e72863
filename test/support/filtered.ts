import { expect } from 'vitest'
import { glob, matches } from '../../src/glob.ts'
import { decide } from '../../src/simulate/decide.ts'
import { readResource, typeAndName } from '../../src/urn/resource.ts'
import { rowFilter } from '../../src/warehouse/filter.ts'
import { filterSql } from '../../src/warehouse/filter-sql.ts'
import { type DialectName, sqlTexts } from '../../src/warehouse/sql-text.ts'
import type { Engine } from '../engines/engine.ts'
import { hostileTexts } from './sql-texts.ts'
import { cases, pick, randomOf, shown, usualKnobs, worldOf } from './worlds.ts'

/** Filters of generated worlds over a table of resources, held to decisions of each of its rows. */

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
  `urn:v1:eu:resource:t${'/t'.repeat(5_000)}:a`,
]
const tags = [null, {}, { k: 'a' }, { k: 'b' }, { k: 'ab', env: 'ba' }, { env: '' }, { k: '', env: 'a' }, { k: 'ba', env: 'b' }]
const rows: readonly Row[] = [null, ...malformed, ...urns].flatMap((urn) =>
  tags.flatMap((each) => [null, 'ab', 'ba'].map((owner) => ({ urn, tags: each, owner }))),
)
const isName = (urn: string) => readResource(urn, { pattern: false }).value !== undefined
const wellFormed = rows.flatMap(({ urn }, id) => (urn !== null && isName(urn) ? [id] : []))
const patterns = [
  'urn:v1:eu:resource:*',
  'urn:v1:eu:resource:t:*',
  'urn:v1:eu:resource:t:a*',
  'urn:v1:eu:resource:t:a',
  'urn:v1:ca:resource:*:b',
]

/** Questions of generated worlds, each with its filter over a table of some of the columns. */
export function* filters(dialect: DialectName, seed: number, count: number) {
  const random = randomOf(seed)
  let left = count
  for (const c of cases(seed, { ...usualKnobs, missing: 0.5 }, 2)) {
    if (left-- === 0) return
    const has = { tags: random() < 0.8, owner: random() < 0.5 }
    const { resource: _, tags: __, owner: ___, ip, ...rest } = c.question
    const on = random() < 0.3 ? glob(pick(random, patterns)) : undefined
    const asked = { ...rest, on, ...(ip && random() < 0.7 && { ip }) }
    const columns = {
      urn: 'r.urn',
      ...(has.tags && { tags: 'r.tags' }),
      ...(has.owner && { owner: 'r.owner' }),
      ...(random() < 0.3 && { name: 'r.name', type: 'r.type' }),
    }
    const isWellFormed = random() < 0.3
    const filter = rowFilter(c.world, asked, has)
    yield { c, has, asked, isWellFormed, filter, ...filterSql(filter, sqlTexts[dialect], columns, { isWellFormed }) }
  }
}

async function load(engine: Engine): Promise<void> {
  const columns = ['urn', 'tags', 'owner', 'name', 'type'] as const
  await engine.load(
    'r',
    [['id', 'int'], ...columns.map((column) => [column, 'text'] as const)],
    rows.map(({ urn, tags, owner }, id) => {
      const parts = urn !== null && isName(urn) && id % 2 === 0 ? typeAndName(urn) : { name: null, type: null }
      return { id, urn, tags: tags && JSON.stringify(tags), owner, ...parts }
    }),
    { nullable: columns },
  )
}

/** How many queries go into one statement: some engines take most of a second for each. */
const queriesAtOnce = 20

/** The rows of several queries, asked in as few statements as that takes. `from`: a table, with the rows of each. */
async function rowsOf(
  engine: Engine,
  queries: readonly { readonly allowed: string; readonly perhaps: string; readonly from: string }[],
): Promise<readonly (readonly { readonly id: number; readonly a: unknown; readonly p: unknown }[])[]> {
  const found: { id: number; a: unknown; p: unknown }[][] = queries.map(() => [])
  for (let first = 0; first < queries.length; first += queriesAtOnce) {
    const selects = queries
      .slice(first, first + queriesAtOnce)
      .map(({ allowed, perhaps, from }, i) => `SELECT ${first + i} AS k, id, ${allowed} AS a, ${perhaps} AS p FROM ${from}`)
    for (const { k, id, a, p } of await engine.all(selects.join(' UNION ALL '))) found[k as number]?.push({ id: id as number, a, p })
  }
  return found
}

/** Hold an engine to `decide` in some cases, each with 40 rows. Returns how many rows were of each verdict. */
export async function expectFiltered(engine: Engine, seed: number, count: number) {
  await load(engine)
  const random = randomOf(seed + 1)
  const seen = { allow: 0, deny: 0, unknown: 0, refused: 0 }
  const asked = [...filters(engine.dialect, seed, count)].map((each) => {
    const among = each.isWellFormed ? wellFormed : rows.map((_, id) => id)
    const ids = new Set(Array.from({ length: 40 }, () => pick(random, among)))
    return { ...each, ids, from: `r WHERE id IN (${[...ids].join()})` }
  })
  const answers = await rowsOf(engine, asked)
  for (const [i, { c, has, asked: question, filter, allowed, perhaps, ids }] of asked.entries()) {
    expect(filter.isApproximate).toBe(false)
    const { on } = question
    const verdictOf = ({ urn, tags, owner }: Row) => {
      if (urn === null || !isName(urn) || (on && !matches(on, urn))) return 'refused'
      const given = { ...(has.tags && tags && { tags: new Map(Object.entries(tags)) }), ...(has.owner && owner !== null && { owner }) }
      return decide(c.world, { ...question, ...given, resource: urn }).verdict
    }
    expect(answers[i]?.length).toBe(ids.size)
    for (const { id, a, p } of answers[i] ?? []) {
      const row = rows[id] as Row
      const verdict = verdictOf(row)
      seen[verdict]++
      // ClickHouse has numbers for truth. Neither is ever `NULL`.
      const isWrong = Number(a ?? Number.NaN) !== Number(verdict === 'allow') || Number(p ?? Number.NaN) !== Number(verdict === 'unknown')
      if (isWrong)
        throw new Error(
          `${engine.name}: ${verdict}, but ${a}, ${p} (seed ${seed})\n${JSON.stringify({ row, has, on: on?.text, ip: 'ip' in question })}\n${allowed}\n${perhaps}\n${shown(c)}`,
        )
    }
  }
  return seen
}

/** Names that mean something to SQL, to a pattern of `LIKE` or to a template, as far as a URN may have them. */
const hostileNames = [
  "it's",
  "' OR 1=1 --",
  'a\\b',
  '100%',
  'a_b',
  '!x',
  '"q"',
  '`q`',
  '${env:HOME}',
  '&x',
  '<% x %>',
  '##vso[x]',
  '#{x}',
  'a;b',
  'a#',
]

/** Templates and characters that are not seen: files with them are not decided over. */
const isRefused = /\{[{%#]|[\u202e\u{e0001}]/u

/** Hold an engine to `decide` where names, keys and values of tags are hostile. Returns how many rows are allowed. */
export async function expectHostile(engine: Engine): Promise<number> {
  const vps = (each: string) => `urn:v1:eu:resource:vps:${each}`
  const strings = [...hostileNames, 'é😀', ...hostileTexts].filter((text) => sqlTexts[engine.dialect].holds(text) && !isRefused.test(text))
  const table = [
    ...hostileNames
      .flatMap((each) => [each, `${each}z`, `z${each}`, `${each}z${each}`, 'z'])
      .map((each) => ({ urn: vps(each), tags: null })),
    ...strings.flatMap((each) =>
      [{ [each || 'k']: 'z' }, { k: each }, { k: `${each}z` }, { k: `z${each}` }].map((tags) => ({ urn: vps('t'), tags })),
    ),
  ]
  await engine.load(
    'h',
    [
      ['id', 'int'],
      ['urn', 'text'],
      ['tags', 'text'],
    ],
    table.map(({ urn, tags }, id) => ({ id, urn, tags: tags && JSON.stringify(tags) })),
    { nullable: ['tags'] },
  )
  const identity = 'urn:v1:eu:identity:user:ab12-svc/ann'
  const action = 'vps:apisvc:reboot'
  const policyOf = (urn: string, values?: Readonly<Record<string, string>>) => ({
    name: 'p',
    identities: [identity],
    resources: [{ urn }],
    permissions: { allow: [{ action }] },
    ...(values && { conditions: { operator: 'MATCH', values } }),
  })
  const policies = [
    ...hostileNames.flatMap((each) => [each, `${each}*`, `*${each}`, `${each}*${each}`].map((pattern) => policyOf(vps(pattern)))),
    ...strings.flatMap((each) => [
      policyOf(vps('t'), { [`resource.Tag(${each || 'k'})`]: 'z' }),
      policyOf(vps('t'), { 'resource.Tag(k)': each }),
      policyOf(vps('t'), { 'resource.Tag(k).STARTS_WITH': each }),
      policyOf(vps('t'), { 'resource.Tag(k).ENDS_WITH': each }),
    ]),
  ]
  const asked = { identity, action, groups: [], at: 0 }
  const filtered = policies.map((policy) => {
    const world = worldOf({ policies: [policy] })
    const filter = rowFilter(world, asked, { tags: true, owner: false })
    return { world, from: 'h', ...filterSql(filter, sqlTexts[engine.dialect], { urn: 'urn', tags: 'tags' }, { isWellFormed: false }) }
  })
  let allowedRows = 0
  const answers = await rowsOf(engine, filtered)
  for (const [i, { world, allowed, perhaps }] of filtered.entries()) {
    const verdicts = table.map(
      ({ urn, tags }) => decide(world, { ...asked, resource: urn, ...(tags && { tags: new Map(Object.entries(tags)) }) }).verdict,
    )
    const found = table.map(() => 'none')
    for (const { id, a, p } of answers[i] ?? []) found[id] = Number(a) === 1 ? 'allow' : Number(p) === 1 ? 'unknown' : 'deny'
    expect(found, `${JSON.stringify(policies[i])}\n${allowed}\n${perhaps}`).toEqual(verdicts)
    allowedRows += found.filter((verdict) => verdict === 'allow').length
  }
  return allowedRows
}
