import { describe, expect, test } from 'vitest'
import { readAddress } from '../../src/conditions/address.ts'
import { glob } from '../../src/glob.ts'
import { type FilterAsked, rowFilter } from '../../src/warehouse/filter.ts'
import { Formulas } from '../../src/warehouse/filter-formula.ts'
import { type FilterColumns, filterSql } from '../../src/warehouse/filter-sql.ts'
import { type DialectName, sqlTexts } from '../../src/warehouse/sql-text.ts'
import { worldOf } from '../support/worlds.ts'

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`
const reboot = 'vps:apisvc:reboot'

interface Written {
  readonly on: readonly string[]
  readonly effect?: 'allow' | 'deny'
  readonly when?: object
  readonly group?: string
}

const policy = ({ on, effect = 'allow', when, group }: Written, i: number) => ({
  name: `p${i}`,
  identities: [ann],
  resources: on.map((urn) => ({ urn })),
  permissions: group === undefined ? { [effect]: [{ action: 'vps:*' }] } : {},
  ...(group !== undefined && { permissionsGroups: [{ urn: group }] }),
  ...(when && { conditions: when }),
})

const match = (values: Readonly<Record<string, string>>) => ({ operator: 'MATCH', values })
const joined = (operator: string, ...conditions: object[]) => ({ operator, conditions })

interface Also {
  readonly asked?: Partial<FilterAsked>
  readonly world?: object
  readonly columns?: Partial<FilterColumns>
  readonly dialect?: DialectName
}

function filterOf(policies: readonly Written[], { asked, world, columns, dialect = 'duckdb' }: Also = {}) {
  const read = worldOf({ policies: policies.map(policy), ...world })
  const has = { tags: columns === undefined || columns.tags !== undefined, owner: columns?.owner !== undefined }
  const filter = rowFilter(read, { identity: ann, action: reboot, groups: [], at: 0, ...asked }, has)
  const sql = filterSql(filter, sqlTexts[dialect], { urn: 'urn', tags: 'tags', ...columns }, { isWellFormed: true })
  return { ...sql, missing: filter.missing, isApproximate: filter.isApproximate }
}

const of = (...args: Parameters<typeof filterOf>) => {
  const { kind, allowed, perhaps } = filterOf(...args)
  return [kind, allowed, perhaps]
}

const env = "TRY_CAST(TRY_CAST(tags AS JSON) AS MAP(VARCHAR, VARCHAR))['env']"
const hasTags = '(TRY_CAST(TRY_CAST(tags AS JSON) AS MAP(VARCHAR, VARCHAR)) IS NOT NULL)'
const never = ['always_denied', 'FALSE', 'FALSE']
const conditional = (allowed: string, perhaps = 'FALSE') => ['conditional', allowed, perhaps]
const anyServer = "starts_with(urn, 'urn:v1:eu:resource:vps:')"

describe('the words of a filter', () => {
  test('entries that others cover are left out, and names are a list', () => {
    expect(of([{ on: [vps('a'), vps('b')] }, { on: [vps('c')] }])).toEqual(
      conditional(`urn IN ('${vps('a')}', '${vps('b')}', '${vps('c')}')`),
    )
    expect(of([{ on: [vps('a'), vps('web-*')] }, { on: [vps('*')] }])).toEqual(conditional(anyServer))
    expect(of([{ on: [vps('*')] }, { on: [vps('a')], when: match({ 'request.IP': '192.0.2.1' }) }])).toEqual(conditional(anyServer))
    expect(of([{ on: [vps('a*'), vps('*z'), vps('a*b')] }])).toEqual(
      conditional("(starts_with(urn, 'urn:v1:eu:resource:vps:a') OR urn LIKE 'urn:v1:eu:resource:vps:%z' ESCAPE '!')"),
    )
  })

  test('beginnings of one length are a list', () => {
    expect(of([{ on: [vps('a*'), vps('bc*'), vps('d*')] }])).toEqual(
      conditional(
        "(substr(urn, 1, 24) IN ('urn:v1:eu:resource:vps:a', 'urn:v1:eu:resource:vps:d') OR starts_with(urn, 'urn:v1:eu:resource:vps:bc'))",
      ),
    )
  })

  test('denials count only where something is granted', () => {
    expect(of([{ on: [vps('*')] }, { on: ['urn:v1:eu:resource:dnsZone:*', vps('a')], effect: 'deny' }])).toEqual(
      conditional(`(${anyServer} AND NOT (urn = '${vps('a')}'))`),
    )
    expect(of([{ on: [vps('a')] }, { on: [vps('*')], effect: 'deny' }])).toEqual(never)
    expect(of([])).toEqual(never)
    expect(of([{ on: [vps('*')] }], { asked: { action: 'dnsZone:apisvc:get' } })).toEqual(never)
  })

  test('only rows of the pattern that is asked about', () => {
    const policies: Written[] = [{ on: [vps('a*'), 'urn:v1:eu:resource:dnsZone:*'] }, { on: [vps('ab')], effect: 'deny' }]
    expect(of(policies, { asked: { on: glob(vps('b*')) } })).toEqual(never)
    expect(of([{ on: [vps('ab'), vps('b')] }], { asked: { on: glob(vps('a*')) } })).toEqual(conditional(`urn = '${vps('ab')}'`))
    expect(of(policies, { asked: { on: glob(vps('ac')) } })).toEqual(conditional(`urn = '${vps('ac')}'`))
  })

  test('names and types are parts of the URN, or columns', () => {
    const policies: Written[] = [
      { on: ['urn:v1:eu:resource:*'], when: match({ 'resource.Type.IN': 'vps, dnsZone', 'resource.Name.STARTS_WITH': 'a' }) },
    ]
    expect(of(policies)).toEqual(
      conditional(
        "(starts_with(urn, 'urn:v1:eu:resource:') AND split_part(urn, ':', 5) IN ('vps', 'dnsZone') AND starts_with(regexp_replace(urn, '^([^:]*:){5}', ''), 'a'))",
      ),
    )
    expect(of(policies, { columns: { type: 'kind' } })[1]).toContain("COALESCE(kind, split_part(urn, ':', 5)) IN ('vps', 'dnsZone')")
  })

  test('an account that owns all is always allowed', () => {
    const asked = { identity: 'urn:v1:eu:identity:account:ab12-svc' }
    const world = { account: 'ab12-svc', resources: [{ urn: vps('x'), owner: 'other' }] }
    expect(of([], { asked, world: { account: 'ab12-svc' } })).toEqual(['always_allowed', 'TRUE', 'FALSE'])
    expect(of([], { asked, world })).toEqual(conditional(`NOT (urn = '${vps('x')}')`))
    expect(of([], { asked, world, columns: { owner: 'o' } })).toEqual(
      conditional(`(COALESCE(o = 'ab12-svc', FALSE) OR (NOT (urn = '${vps('x')}') AND o IS NULL))`),
    )
  })
})

test('a list may have more names than a call takes arguments', () => {
  const formulas = new Formulas()
  const names = (start: string) => formulas.urn(Array.from({ length: 130_000 }, (_, i) => glob(vps(`${start}${i}`))))
  expect(formulas.boundOf(formulas.or([names('a'), names('b')]))?.globs.length).toBe(260_000)
})

describe('what no row gives', () => {
  test('is unknown, and known where it makes no difference', () => {
    const from = (ip: string) => match({ 'request.IP.IN_RANGE': ip })
    expect(of([{ on: [vps('a')], when: from('192.0.2.0/24') }])).toEqual(conditional('FALSE', `urn = '${vps('a')}'`))
    expect(of([{ on: [vps('a')], when: from('192.0.2.0/24') }], { asked: { ip: readAddress('192.0.2.9') as never } })).toEqual(
      conditional(`urn = '${vps('a')}'`),
    )
    // From each address one of the two policies grants it.
    const either = [from('192.0.2.0/24'), joined('NOT', from('192.0.2.0/25'))].map((when) => ({ on: [vps('a')], when }))
    expect(of(either)).toEqual(conditional(`urn = '${vps('a')}'`))
    // From no address do both hold.
    expect(of([{ on: [vps('a')], when: joined('AND', from('192.0.2.0/25'), from('198.51.100.0/24')) }])).toEqual(never)
  })

  test('a group that a wider entry names, too, cannot be granted and not denied', () => {
    const named = 'urn:v1:eu:resourceGroup:h9'
    const wide = 'urn:v1:eu:resourceGroup:*'
    expect(of([{ on: [named] }])).toEqual(conditional('FALSE', 'TRUE'))
    expect(of([{ on: [named] }, { on: [wide], effect: 'deny' }])).toEqual(never)
    expect(of([{ on: [wide] }, { on: [named], effect: 'deny' }])).toEqual(conditional('FALSE', 'TRUE'))
  })

  test('a permissions group that is not described may allow or deny', () => {
    const group = 'urn:v1:eu:permissionsGroup:ab12-svc:x'
    expect(of([{ on: [vps('*')] }, { on: [vps('a')], group }])).toEqual(
      conditional(`(${anyServer} AND NOT (urn = '${vps('a')}'))`, `urn = '${vps('a')}'`),
    )
  })

  test('tags that the row lacks are those of the world, else each value is tried', () => {
    const policies: Written[] = [{ on: [vps('*')], when: match({ 'resource.Tag(env)': 'dev' }) }]
    expect(of(policies)).toEqual(conditional(`(${anyServer} AND COALESCE(${env} = 'dev', FALSE))`, `(${anyServer} AND NOT ${hasTags})`))
    expect(of(policies, { world: { resources: [{ urn: vps('a'), tags: { env: 'dev' } }] } })).toEqual(
      conditional(
        `(${anyServer} AND ((urn = '${vps('a')}' AND NOT ${hasTags}) OR COALESCE(${env} = 'dev', FALSE)))`,
        `(${anyServer} AND NOT ${hasTags} AND NOT (urn = '${vps('a')}'))`,
      ),
    )
    const guarded: Written[] = [{ on: [vps('*')] }, { on: [vps('*')], effect: 'deny', when: match({ 'resource.Tag(env)': 'prod' }) }]
    expect(of(guarded)).toEqual(
      conditional(`(${anyServer} AND ${hasTags} AND NOT COALESCE(${env} = 'prod', FALSE))`, `(${anyServer} AND NOT ${hasTags})`),
    )
    expect(of(guarded, { columns: { tags: undefined } })).toEqual(conditional('FALSE', anyServer))
    expect(of([...policies, { on: [vps('*')], when: joined('NOT', match({ 'resource.Tag(env)': 'dev' })) }])).toEqual(
      conditional(anyServer),
    )
  })

  test('too many values are not tried: what may be allowed is then wider, and said to be', () => {
    const some = (key: string, from: number) =>
      joined(
        'OR',
        ...Array.from({ length: 400 }, (_, i) =>
          match({ [`resource.Tag(${key}).STARTS_WITH`]: `${from}${i}x`, [`resource.Tag(${key}).ENDS_WITH`]: `y${i}` }),
        ),
      )
    const { allowed, perhaps, isApproximate } = filterOf([{ on: [vps('*')], when: joined('AND', some('env', 1), some('env', 2)) }], {
      columns: { tags: undefined },
    })
    expect([allowed, perhaps, isApproximate]).toEqual(['FALSE', anyServer, true])
  })
})

describe('strings of policies', () => {
  test('that no row of a dialect can hold match none', () => {
    const world = [{ on: [vps('*')], when: joined('OR', match({ 'resource.Tag(env)': 'a\0' }), match({ 'resource.Tag(env)': "b'" })) }]
    expect(filterOf(world, { dialect: 'postgres' }).allowed).toContain("COALESCE((CAST(tags AS jsonb) ->> 'env') = 'b''', FALSE)")
    expect(filterOf(world, { dialect: 'postgres' }).allowed).not.toContain("'a")
    expect(filterOf(world).allowed).toContain("('' || 'a' || chr(0))")
  })
})
