import { beforeAll, describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations, type Operation } from '../../src/actions/operations.ts'
import { isParameter } from '../../src/actions/paths.ts'
import { planCall } from '../../src/calls/judge.ts'
import { readCall, routesOf } from '../../src/calls/match.ts'
import { readInstant } from '../../src/conditions/time.ts'
import { defaultSettings } from '../../src/names.ts'
import { readPlainTree } from '../../src/parser/plain-tree.ts'
import { sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'
import { callInput } from '../../src/warehouse/call-input.ts'
import { dialects } from '../../src/warehouse/dialects.ts'
import { type Mapping, readColumns, readMapping } from '../../src/warehouse/mapping.ts'
import { operationColumns, operationTables } from '../../src/warehouse/operations.ts'
import { spellings } from '../../src/warehouse/spellings.ts'
import type { Engine, Row } from '../engines/engine.ts'
import { effort } from './effort.ts'
import { pick, type Random, randomOf } from './worlds.ts'

function mappingOf(text: string) {
  const read = readColumns(text, defaultSettings)
  if (!read.mapping) throw new Error(read.diagnostics.map(({ message }) => message).join('; '))
  return read.mapping
}

export const yaml = (text: string) => readMapping(readPlainTree(sourceOf('map.yaml', text, 'yaml')).documents[0] as Node, defaultSettings)

interface Read {
  readonly calls: readonly Row[]
  readonly refused: readonly (readonly unknown[])[]
  readonly free: readonly (readonly unknown[])[]
}

export const table = (name: string) => `gw_${name}`

/** The results of the rows of `gw_log`. */
async function read(engine: Engine, mapping: Mapping, account?: string): Promise<Read> {
  const input = callInput(mapping, dialects[engine.dialect], { table, calls: 'gw_call', account })
  for (const { sql } of input.statements) await engine.run(sql)
  const listed = (rows: readonly Row[], columns: readonly string[]) => rows.map((row) => columns.map((column) => row[column]))
  const refused = await engine.all('SELECT id, column_name, given_value, why FROM gw_refused ORDER BY id, column_name')
  return {
    calls: await engine.all('SELECT * FROM gw_call ORDER BY id'),
    refused: listed(refused, ['id', 'column_name', 'given_value', 'why']),
    free: input.needsOperations ? listed(await engine.all('SELECT id, action, why FROM gw_free ORDER BY id'), ['id', 'action', 'why']) : [],
  }
}

/** Make a log of texts, with a number for each row as `no`. */
async function log(engine: Engine, columns: readonly string[], rows: readonly (readonly (string | null)[])[]): Promise<void> {
  if (engine.dialect === 'postgres') await engine.run('DROP VIEW IF EXISTS gw_input_view')
  await engine.load(
    'gw_log',
    [['no', 'int'], ...columns.map((column) => [column, 'text'] as const)],
    rows.map((row, no) => ({ no, ...Object.fromEntries(row.map((value, i) => [columns[i], value])) })),
    { nullable: columns },
  )
}

const who = 'urn:v1:eu:identity:user:aa1-svc/u'
const asked = [who, 'vps:apisvc:get', 'urn:v1:eu:resource:vps:a'] as const

const two = (random: Random, most: number) => String(Math.floor(random() * most)).padStart(2, '0')

/** A date and time, often right, or not quite. */
function dateText(random: Random): string {
  const year = pick(random, ['2024', '2026', '1900', '2000', '1969', '0000', '0004', '9999', '2100'])
  const date = `${year}-${random() < 0.3 ? '02' : two(random, 14)}-${random() < 0.4 ? pick(random, ['28', '29', '30', '31']) : two(random, 33)}`
  const time =
    random() < 0.2 ? pick(random, ['23:59:60', '00:00:60', '22:59:60']) : `${two(random, 25)}:${two(random, 62)}:${two(random, 62)}`
  const fraction = pick(random, ['', '', '.5', '.123456789', '.', '.0004', ',5'])
  const zone = pick(random, ['Z', 'z', '+00:00', '-00:00', '+01:00', '-23:59', '+05:45', '', '+0100', ' Z', '+24:00', '+01:60'])
  return `${date}${pick(random, ['T', 'T', 'T', 't', ' '])}${time}${fraction}${zone}${random() < 0.02 ? '\n' : ''}`
}

const operation = (branch: 'v1' | 'v2', method: Operation['method'], path: string, ...actions: string[]): Operation => ({
  branch,
  method,
  path,
  actions: actions.map((action) => ({ name: action.replace('?', ''), required: !action.endsWith('?') })),
  seen: '2026-01',
  noAuthentication: false,
})

/** Templates that fit the same paths. */
const crossing = [
  operation('v1', 'GET', '/cross/{x}', 'vps:apisvc:get'),
  operation('v1', 'GET', '/cross/own', 'vps:apisvc:get', 'account:apisvc:me/get'),
  operation('v1', 'GET', '/{x}/own', 'vps:apisvc:get'),
  operation('v1', 'GET', '/{x}/{y}', 'ip:apisvc:get?'),
  operation('v1', 'GET', '/cross/{x}/{y}', 'vps:apisvc:get'),
  operation('v1', 'GET', '/cross/{y}/own', 'vps:apisvc:get', 'ip:apisvc:get'),
  operation('v2', 'GET', '/cross/own', 'vps:apisvc:get'),
  operation('v2', 'GET', '/cross/{x}/two'),
]

const valuesOfPaths = [
  'example.org',
  'a',
  'own',
  'two',
  '192.0.2.0%2F24',
  'a%20b',
  '%41',
  '%7e',
  'a%2525',
  '%25',
  '%2541',
  'a:b',
  'caf%C3%A9',
  '%FF',
  '%00',
  '',
  'a*',
  '%2A',
  '.',
  '%2e%2E',
  '..a',
  '%',
  '%4',
  '%2F',
  '%20',
  'a+b',
  '{x}',
  '%7Bx%7D',
  "it's",
  'x'.repeat(2050),
]

function pathText(random: Random, operations: readonly Operation[]): readonly [string, string] {
  const { branch, method, path } = pick(random, operations)
  const words = path
    .slice(1)
    .split('/')
    .map((word) => {
      if (isParameter(word)) return random() < 0.05 ? word : random() < 0.5 ? 'name-1' : pick(random, valuesOfPaths)
      if (random() < 0.03) return pick(random, valuesOfPaths)
      return random() < 0.03 ? `%${word.charCodeAt(0).toString(16)}${word.slice(1)}` : word
    })
  if (random() < 0.05) words.push(pick(random, valuesOfPaths))
  const head =
    random() < 0.8 ? (branch === 'v2' ? '/v2' : pick(random, ['/v1', '/1.0'])) : pick(random, ['', '', '/v2', '/v1', '/v3', '/V1'])
  const host = random() < 0.1 ? pick(random, ['https://api.example.com', 'HTTP://x', 'https://x?y', 'ftp://x', 'x']) : ''
  const end = random() < 0.3 ? pick(random, ['/', '//', '?a=/b#c', '#c?d', '/?', ' ', '?é', '\\', '?a=\\', '?a=%', '\n']) : ''
  const verb = random() < 0.05 ? pick(random, ['get', 'Post', 'HEAD', 'GETS', '']) : method
  return [verb, `${random() < 0.02 ? ' ' : ''}${host}${head}/${words.join('/')}${end}`]
}

const asFound = ({ id, at_ms: at }: Row) => [id, at]

/** Logs that become calls as each engine reads them. */
export function callInputTests(engineOf: () => Engine): void {
  let engine: Engine
  beforeAll(() => {
    engine = engineOf()
  })

  test('dates and times are read as everywhere else, and others refused', async () => {
    const random = randomOf(1)
    const texts = Array.from({ length: effort(4000, 30) }, () => dateText(random))
    await log(
      engine,
      ['who', 'what', 'target', 'moment'],
      texts.map((text) => [...asked, text]),
    )
    const { calls, refused } = await read(engine, mappingOf('id=no,identity=who,action=what,resource=target,at=moment'))
    const instants = texts.map(readInstant)
    expect(calls.map(asFound)).toEqual(instants.flatMap((at, id) => (at === undefined ? [] : [[id, at]])))
    expect(refused).toEqual(
      texts.flatMap((text, id) => (instants[id] === undefined ? [[id, 'at', text, 'not an instant as rfc3339']] : [])),
    )
    for (const list of [calls, refused]) expect(list.length).toBeGreaterThan(texts.length / 10)
  })

  test('numbers of seconds and milliseconds', async () => {
    const wrong = ['', '1e', 'abc', ' 1', '1e99', '99999999999999999999']
    const texts = ['1767225600', '1767225600.5', '1767225600.1239', '1767225600.0005', '1.7672256E9', '-1', null, ...wrong]
    await log(
      engine,
      ['who', 'what', 'target', 'moment'],
      texts.map((text) => [...asked, text]),
    )
    const columns = 'id=no,identity=who,action=what,resource=target,at=moment'
    const seconds = await read(engine, mappingOf(`${columns}:epoch_s`))
    expect(seconds.calls.map(asFound)).toEqual([
      [0, 1767225600000],
      [1, 1767225600500],
      [2, 1767225600124],
      [3, 1767225600001],
      [4, 1767225600000],
      [5, -1000],
      [6, null],
    ])
    expect(seconds.refused).toEqual(wrong.map((text, i) => [i + 7, 'at', text, 'not an instant as epoch_s']))
    const milliseconds = await read(engine, mappingOf(`${columns}:epoch_ms`))
    expect(milliseconds.calls.map(asFound).slice(1, 4)).toEqual([1, 2, 3].map((id) => [id, 1767225600]))
    expect(milliseconds.refused.map(([id]) => id)).toEqual(seconds.refused.map(([id]) => id))
  })

  test('instants and lists of the engine itself', async () => {
    const { listOf, instant, newline, source, empty } = own[engine.dialect]
    const { quote } = dialects[engine.dialect]
    const rows = [
      [instant('2026-01-01 00:00:00.123'), listOf("'a'", "'b'")],
      [instant('1969-12-31 23:59:59.999'), listOf(`concat('a', ${newline}, 'b')`)],
      [instant('2026-01-01 00:00:00'), listOf("''")],
      [instant('2026-01-01 00:00:00'), listOf(`CAST(NULL AS ${spellings[engine.dialect].text})`)],
      [instant('2026-01-01 00:00:00'), listOf("'a'", "''")],
      [instant('2026-01-01 00:00:00'), empty],
    ].map(([at, groups], no) => `SELECT ${no} AS no, ${at} AS ${quote}at${quote}, ${groups} AS ${quote}groups${quote}`)
    const columnNames = ['user', 'a b', 'on'].map((column) => quote + column + quote)
    const names = asked.map((text, i) => `'${text}' AS ${columnNames[i]}`)
    for (const sql of dialects[engine.dialect].createTable(
      quote + source + quote,
      `SELECT z.*, ${names.join(', ')}, 7 AS ${quote}select${quote} FROM (${rows.join(' UNION ALL ')}) z`,
    ))
      await engine.run(sql)
    const { mapping } = yaml(
      `source: ${source}\ncolumns:\n  id: no\n  identity: user\n  action: a b\n  resource: on\n  at: {column: at, format: timestamp}\n  groups: {column: groups, format: array}\n  ip: {value: 192.0.2.1}\nkeep: [select]\n`,
    )
    const { calls, refused } = await read(engine, mapping as Mapping)
    expect(calls.map((row) => [...asFound(row), row.ip, row.grps, row.select])).toEqual([
      [0, 1767225600123, '192.0.2.1', 'a\nb', 7],
      [3, 1767225600000, '192.0.2.1', 'null', 7],
      [4, 1767225600000, '192.0.2.1', 'a\n', 7],
      [5, 1767225600000, '192.0.2.1', null, 7],
    ])
    expect(refused).toEqual([
      [1, 'groups', 'a\nb', 'a group is empty, or has a line break'],
      [2, 'groups', '', 'a group is empty, or has a line break'],
    ])
  })

  test('a row without a name is listed with what it lacks, and each row becomes a call or is listed', async () => {
    const random = randomOf(2)
    const rows = Array.from({ length: 300 }, () => asked.map((text) => pick(random, [text, text, text, '', null, "x'; --"])))
    await log(engine, ['who', 'what', 'target'], rows)
    const { calls, refused } = await read(engine, mappingOf('id=no,identity=who,action=what,resource=target'))
    const isWhole = (row: readonly (string | null)[]) => row.every((text) => text !== null && text !== '')
    expect(calls.map(({ id, identity, action, resource, at_ms: at }) => [id, identity, action, resource, at])).toEqual(
      rows.flatMap((row, id) => (isWhole(row) ? [[id, ...row, null]] : [])),
    )
    const lacking = rows.flatMap((row, id) =>
      ['identity', 'action', 'resource'].flatMap((column, i) => (row[i] ? [] : [[id, column, '', 'missing']])),
    )
    const sorted = (list: readonly unknown[]) => list.map((each) => JSON.stringify(each)).sort()
    expect(sorted(refused)).toEqual(sorted(lacking))
  })

  describe('calls with paths', () => {
    const catalogue = loadCatalogue()
    const all = [...loadOperations(), ...crossing]
    const routes = routesOf(all)
    beforeAll(async () => {
      for (const { name: of, rows } of operationTables(all, catalogue)) {
        const columns = operationColumns[of]
        await engine.load(
          table(of),
          columns,
          rows.map((row) => Object.fromEntries(columns.map(([column], i) => [column, row[i]]))),
        )
      }
    })

    test.each([undefined, 'owner-svc'])('become the actions and resources that `call` finds, with the account %s', async (account) => {
      const random = randomOf(account === undefined ? 3 : 4)
      const identities = [who, 'urn:v1:ca:identity:credential:bb2-svc/oauth2-x', 'urn:v1:eu:identity:account:cc3-svc']
      const rows = Array.from({ length: effort(6000, 3) }, () => [
        pick(random, identities),
        ...pathText(random, random() < 0.3 ? crossing : all),
      ])
      await log(engine, ['who', 'verb', 'route'], rows)
      const found = await read(engine, mappingOf('id=no,identity=who,method=verb,path=route'), account)
      const got = rows.map((): string[] => [])
      for (const { id, identity, action, resource, operation: template, required } of found.calls)
        got[id as number]?.push(`${identity} ${action} ${resource} ${template} ${required}`)
      for (const [id, column, , why] of found.refused)
        got[id as number]?.push(column === 'resource' ? `unknown ${why}` : `refused ${column}: ${why}`)
      for (const [id, action, why] of found.free) got[id as number]?.push(`free ${action} ${why}`)
      const kinds = new Map<string, number>()
      for (const [id, [identity, verb, path]] of (rows as [string, string, string][]).entries()) {
        const { call } = verb === '' ? {} : readCall(verb, path)
        const about = { identity, context: { at: 0, groups: [] }, resources: [], actions: [] }
        const plan = call && planCall(account === undefined ? {} : { account }, routes, catalogue, call, about)
        const isRefused = got[id]?.length === 1 && got[id]?.[0]?.startsWith('refused')
        const kind = isRefused ? String(got[id]?.[0]) : (plan?.basis ?? '')
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        // Such a path is left to `call`, which can read it.
        if (isRefused && /percent-encoding that|belong percent-encoded/.test(kind) && /%(?!2[013-9bcf]|3[abdf]|40|5[bd])|é/i.test(path))
          continue
        if (plan === undefined || plan.basis === 'nothing') {
          expect([rows[id], isRefused]).toEqual([rows[id], true])
          continue
        }
        const template = `/${plan.operation?.branch}${plan.operation?.path}`
        const expected =
          plan.basis !== 'actions'
            ? [`free  ${plan.basis}`]
            : plan.requirements.map(({ action, resource, required, from, why }) =>
                from === 'listing'
                  ? `free ${action} listing`
                  : resource === undefined
                    ? `unknown ${why}`
                    : `${identity} ${action} ${resource} ${template} ${required ? 1 : 0}`,
              )
        // Of two reasons that hold, either may be given.
        const reasons = (list: readonly string[]) =>
          list
            .map((each) => each.replace(/^unknown (the path has a placeholder|no resource type is known).*/, 'unknown type or name'))
            .sort()
        expect([rows[id], reasons(got[id] ?? [])]).toEqual([rows[id], reasons(expected)])
      }
      expect(kindsOfCalls.filter((kind) => (kinds.get(kind) ?? 0) < 1)).toEqual([])
    })

    test('rows with an action are taken as they are, next to those with a path', async () => {
      await log(
        engine,
        ['who', 'verb', 'route', 'what', 'target', 'fault'],
        [
          [who, 'GET', '/v1/vps/a', null, null, 'f'],
          [who, 'GET', '/v1/vps/a', 'vps:apisvc:delete', 'urn:v1:eu:resource:vps:b', 'f'],
          [who, null, null, null, 'urn:v1:eu:resource:vps:b', 'f'],
          [who, 'GET', null, '', null, 'f'],
          ['nobody', 'GET', '/v1/vps/a', null, null, 'f'],
          ['nobody', null, null, 'vps:apisvc:delete', 'urn:v1:eu:resource:vps:b', 'f'],
        ],
      )
      // A column of the log has the name of one that is made on the way.
      const { mapping } = yaml('columns: {id: no, identity: who, method: verb, path: route, action: what, resource: target}\nkeep: [fault]')
      const { calls, refused } = await read(engine, mapping as Mapping)
      expect(calls.map(({ fault }) => fault)).toEqual(['f', 'f', 'f'])
      expect(calls.map((row) => ['id', 'identity', 'action', 'resource', 'operation', 'required'].map((column) => row[column]))).toEqual([
        [0, who, 'vps:apisvc:get', 'urn:v1:eu:resource:vps:a', '/v1/vps/{serviceName}', 1],
        [1, who, 'vps:apisvc:delete', 'urn:v1:eu:resource:vps:b', '', 1],
        [5, 'nobody', 'vps:apisvc:delete', 'urn:v1:eu:resource:vps:b', '', 1],
      ])
      expect(refused).toEqual([
        [2, 'action', '', 'missing'],
        [3, 'path', '', 'missing'],
        [4, 'identity', 'nobody', 'not the URN of an identity'],
      ])
    })
  })
}

const kindsOfCalls = [
  'actions',
  'session',
  'open',
  'refused path: several operations may be meant',
  'refused path: no operation is known for it',
  'refused path: a pattern, not a path',
  'refused path: . or .. as a segment',
  'refused path: does not start with /',
]

const instantLiteral = (text: string) => `TIMESTAMP '${text}'`

/** How dialects write instants and lists. */
const own = {
  duckdb: {
    empty: 'CAST([] AS VARCHAR[])',
    instant: instantLiteral,
    listOf: (...items: string[]) => `[${items.join(', ')}]`,
    newline: 'chr(10)',
    source: 'a log',
  },
  postgres: {
    empty: 'CAST(ARRAY[] AS TEXT[])',
    instant: instantLiteral,
    listOf: (...items: string[]) => `ARRAY[${items.join(', ')}]`,
    newline: 'chr(10)',
    source: 'a log',
  },
  clickhouse: {
    empty: 'CAST([] AS Array(Nullable(String)))',
    instant: (text: string) => `toDateTime64('${text}', 6, 'UTC')`,
    listOf: (...items: string[]) => `CAST([${items.join(', ')}] AS Array(Nullable(String)))`,
    newline: 'char(10)',
    source: 'a_log',
  },
  spark: {
    empty: 'CAST(array() AS ARRAY<STRING>)',
    instant: (text: string) => `TIMESTAMP '${text}Z'`,
    listOf: (...items: string[]) => `array(${items.join(', ')})`,
    newline: 'chr(10)',
    source: 'a_log',
  },
  trino: {
    empty: 'CAST(ARRAY[] AS ARRAY(VARCHAR))',
    instant: instantLiteral,
    listOf: (...items: string[]) => `ARRAY[${items.join(', ')}]`,
    newline: 'chr(10)',
    source: 'a_log',
  },
} as const
