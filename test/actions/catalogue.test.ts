import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readAction } from '../../src/actions/action.ts'
import { expandPatterns } from '../../src/actions/expand.ts'
import { catalogueOf, loadCatalogue } from '../../src/actions/load.ts'
import { deprecationsOf } from '../../src/actions/merge.ts'
import { namespacesOf, programActionsOf, programProducts } from '../../src/actions/namespaces.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { branded, unfold } from '../../src/actions/unfold.ts'
import { glob, matches } from '../../src/glob.ts'
import { effort } from '../support/effort.ts'

const catalogue = loadCatalogue()
const acme = loadCatalogue('acme')
const operations = loadOperations()
const everything = catalogue.expand(glob('*'))

/** The hash of lines, each with its line end: what `sha256sum` says of a file of them. */
const hash = (lines: readonly string[]) =>
  createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
const sorted = (list: readonly string[]) => [...list].sort()

describe('the tables hold the source facts', () => {
  test('every operation, printed as the source has it, sorted bytewise', () => {
    const lines = operations.map(({ branch, method, path, actions, seen, noAuthentication }) =>
      JSON.stringify({
        branch,
        method,
        path,
        actions: actions.map(({ name, required }) => (required ? name : { name, required })),
        seen,
        ...(noAuthentication && { noAuthentication }),
      }),
    )
    const more = readFileSync(new URL('../../data/more-operations.ndjson', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
    const isMore = (line: string) => more.includes(line)
    expect(lines).toHaveLength(7407)
    expect(hash(lines.filter((line) => !isMore(line)).sort())).toBe('b6a196d248bd1c612fc22cd0d6ae1801f15b5efbf3e8b1fd7501012219e2788d')
    expect(lines.filter(isMore).sort()).toEqual(more.sort())
  })

  test('every action: those that an operation needs, and those that programs check', () => {
    expect(everything).toHaveLength(4971)
    expect(catalogue.size).toBe(4971)
    const ofProducts = everything.filter((action) => !/^okms:|^[^:]+:(?!apisvc:)/.test(action))
    expect(hash(ofProducts)).toBe('75e54f141884b47eb479a4bd9fe76a286567105878e02938296872b5ff510a4a')
    const needed = new Set(operations.flatMap(({ actions }) => actions.map(({ name }) => name)))
    const ofPrograms = programProducts().flatMap(programActionsOf)
    expect(needed.size + ofPrograms.length).toBe(everything.length)
    expect(sorted([...needed, ...ofPrograms])).toEqual(everything)
  })

  test('actions that only some calls need: 30, mentioned 48 times', () => {
    const optional = operations.flatMap(({ actions }) => actions.filter(({ required }) => !required).map(({ name }) => name))
    expect(optional).toHaveLength(48)
    expect(new Set(optional).size).toBe(30)
  })

  test('every resource type', () => {
    expect(catalogue.types).toHaveLength(101)
    expect(hash(catalogue.types)).toBe('bc03de44b48f21dc7d675d30f56922cbee0051090510a1db00fa5acf7deccf16')
  })

  test('79 products, and when they were seen', () => {
    expect(catalogue.products).toHaveLength(79)
    expect(catalogue.seen).toBe('2025-10')
    expect(catalogue.seenOf('vps')).toBe('2026-05')
    expect(catalogue.seenOf('sms')).toBe('2025-10')
    expect(catalogue.seenOf('alldom')).toBe('2024-07')
    expect(catalogue.seenOf('nothing')).toBeUndefined()
  })

  test('below 300 kB together', () => {
    const bytes = (file: string) => readFileSync(new URL(`../../src/actions/${file}`, import.meta.url)).length
    expect(bytes('catalogue-table.ts') + bytes('operations-table.ts')).toBeLessThan(300_000)
    expect(bytes('catalogue-table.ts')).toBeLessThan(52_000)
  })
})

describe('deprecations', () => {
  const rows = parse(readFileSync(new URL('../../data/deprecated-operations.yaml', import.meta.url), 'utf8'))
  const named = ({ branch, method, path }: (typeof operations)[number]) => `${method} ${branch === 'v1' ? '' : `/${branch}`}${path}`

  test('every operation of the file is a known one, once', () => {
    const names = [...Object.keys(rows.dated), ...rows.undated]
    expect(new Set(names).size).toBe(names.length)
    const deprecated = operations.filter((operation) => operation.deprecated)
    expect(sorted(deprecated.map(named))).toEqual(sorted(names))
    for (const operation of deprecated) expect(operation.deprecated).toEqual(rows.dated[named(operation)] ?? {})
  })

  test('the actions are those that an import derives: none that another operation needs', () => {
    for (const brand of ['svc', 'acme']) {
      const known = loadCatalogue(brand)
      const derived = deprecationsOf(loadOperations(brand))
      expect(known.deprecated).toEqual(sorted([...derived.keys()]))
      expect(known.deprecated).toHaveLength(262)
      for (const [action, deprecation] of derived) expect(known.deprecationOf(action), action).toEqual(deprecation)
    }
    const alive = new Set(operations.flatMap(({ deprecated, actions }) => (deprecated ? [] : actions.map(({ name }) => name))))
    expect(catalogue.deprecated.filter((action) => alive.has(action) || !catalogue.has(action))).toEqual([])
  })

  test.each([
    ['vps:apisvc:activeOptions/get', { from: '2013-10-23', until: '2013-11-23', replacedBy: ['vps:apisvc:option/get'] }],
    // The one that the description names was deprecated later.
    ['vps:apisvc:use/get', { from: '2023-07-31', until: '2023-10-01', replacedBy: [] }],
    // Deprecated calls need them, and others that are not.
    ['vps:apisvc:option/get', undefined],
    ['dedicatedServer:apisvc:vrack/attach', undefined],
    ['account:apisvc:order/license/directadmin/new/get', undefined],
    // Another method on the named path.
    ['pccVMware:apisvc:put', { from: '2019-01-10', until: '2019-03-10', replacedBy: ['pccVMware:apisvc:changeProperties'] }],
    // The description names a day that no year has.
    ['dedicatedServer:apisvc:log/get', { replacedBy: [] }],
    // A list takes the place of lists and their members, but not of what changes one of them.
    [
      'account:apisvc:me/paymentMean/paypal/get',
      { from: '2023-03-07', until: '2023-09-07', replacedBy: ['account:apisvc:me/payment/method/get'] },
    ],
    ['account:apisvc:me/paymentMean/paypal/delete', { from: '2023-03-07', until: '2023-09-07', replacedBy: [] }],
    // Removed before it was deprecated, as the description has it.
    [
      'voip:apisvc:line/phoneCanBeAssociable/get',
      { from: '2017-05-09', until: '2016-11-09', replacedBy: ['voip:apisvc:line/listAssociablePhones/get'] },
    ],
    [
      'publicCloudProject:apisvc:database/postgresql/ipRestriction/get',
      { from: '2022-12-15', until: '2023-03-15', replacedBy: ['publicCloudProject:apisvc:database/postgresql/get'] },
    ],
    // The path that the description names creates a cluster.
    ['publicCloudProject:apisvc:database/postgresql/ipRestriction/create', { from: '2022-12-15', until: '2023-03-15', replacedBy: [] }],
    [
      'publicCloudProject:apisvc:database/kafka/acl/create',
      { from: '2022-07-13', until: '2023-10-13', replacedBy: ['publicCloudProject:apisvc:database/kafka/topicAcl/create'] },
    ],
  ])('%s: %j', (action, deprecation) => {
    expect(catalogue.deprecationOf(action)).toEqual(deprecation)
  })
})

describe('what is in it', () => {
  test('every action is a legal action of its product', () => {
    for (const action of everything) expect(readAction(action).faults, action).toBeUndefined()
    for (const product of catalogue.products) {
      expect(catalogue.actionsOf(product)).not.toHaveLength(0)
      for (const action of catalogue.actionsOf(product))
        expect(action.split(':').slice(0, 2), action).toSatisfy(
          ([own, namespace]) => own === product && (namespace === 'apisvc' || namespacesOf(product).includes(namespace)),
        )
    }
  })

  test('lists are sorted and without repetition, under any brand', () => {
    for (const known of [catalogue, acme, loadCatalogue('zz9')]) {
      for (const list of [known.products, known.types, known.expand(glob('*')), ...known.products.map(known.actionsOf)]) {
        expect(list).toEqual(sorted([...new Set(list)]))
      }
      expect(known.products.flatMap(known.actionsOf)).toHaveLength(known.size)
    }
  })

  test('operations are sorted by branch, path and method, and none comes twice', () => {
    const keys = operations.map(({ branch, path, method }) => `${branch} ${path} ${method}`)
    expect(keys).toEqual(sorted([...new Set(keys)]))
  })

  test('an operation with needs, with optional ones, without any', () => {
    const find = (method: string, path: string) => operations.find((operation) => operation.method === method && operation.path === path)
    expect(find('GET', '/license/virtuozzo/{serviceName}')).toEqual({
      branch: 'v1',
      method: 'GET',
      path: '/license/virtuozzo/{serviceName}',
      actions: [{ name: 'licenseVirtuozzo:apisvc:get', required: true }],
      seen: '2024-07',
      noAuthentication: false,
    })
    expect(find('GET', '/vrackServices/resource/{vrackServicesId}/eligibleManagedService')).toEqual({
      branch: 'v2',
      method: 'GET',
      path: '/vrackServices/resource/{vrackServicesId}/eligibleManagedService',
      actions: [
        { name: 'vrackServices:apisvc:resource/eligibleManagedService/get', required: true },
        { name: 'vrackServices:apisvc:storageNetApp/attach', required: false },
        { name: 'storageNetApp:apisvc:vrackServices/attach', required: false },
      ],
      seen: '2025-10',
      noAuthentication: false,
    })
    expect(find('GET', '/newAccount/area')).toMatchObject({ actions: [], noAuthentication: true })
  })
})

describe('has and expand', () => {
  test.each([
    ['vps:apisvc:reinstall', true],
    ['vps:apisvc:reinstal', false],
    ['vps:apisvc:Reinstall', false],
    ['vps:openstack:reinstall', false],
    ['vps:apisvc:reinstall?x', false],
    ['vps:*', false],
    ['vps', false],
    ['', false],
    ['__proto__:apisvc:get', false],
  ])('has %s: %s', (action, known) => {
    expect(catalogue.has(action)).toBe(known)
  })

  test.each([
    ['webHosting:*', 160],
    ['*', 4971],
    ['**', 4971],
    ['okms:*', 47],
    ['okms:apikms:*', 11],
    ['publicCloudProject:openstack:*', 9],
    ['vps:apisvc:reinstall', 1],
    ['vps:apisvc:reinstal', 0],
    ['nothing:*', 0],
    ['ip:*', 72],
    ['ip*', 73], // and ipLoadbalancing
  ])('expand %s: %i', (pattern, count) => {
    expect(catalogue.expand(glob(pattern))).toHaveLength(count)
  })

  // covers: M50
  test('a pattern expands to exactly the actions that it matches', () => {
    const piece = fc.constantFrom('*', '*', 'vps', 'ip', 'voip:', ':apisvc:', 'webHosting:apisvc:', 'get', '/get', 'svc', 'e', 'Line', '/')
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
        const pattern = glob(pieces.join(''))
        expect(catalogue.expand(pattern)).toEqual(everything.filter((action) => matches(pattern, action)))
      }),
      { numRuns: effort(1000) },
    )
  })

  test('expandPatterns groups by product, pattern by pattern', () => {
    const [first, second, none] = expandPatterns([glob('ip*:apisvc:vrack/attach'), glob('webHosting:*'), glob('nothing:*')], catalogue)
    expect(first).toEqual({
      pattern: 'ip*:apisvc:vrack/attach',
      count: 2,
      byProduct: [
        { product: 'ip', actions: ['ip:apisvc:vrack/attach'] },
        { product: 'ipLoadbalancing', actions: ['ipLoadbalancing:apisvc:vrack/attach'] },
      ],
    })
    expect(second).toEqual({
      pattern: 'webHosting:*',
      count: 160,
      byProduct: [{ product: 'webHosting', actions: catalogue.actionsOf('webHosting') }],
    })
    expect(none).toEqual({ pattern: 'nothing:*', count: 0, byProduct: [] })
  })

  test('products are in order even where a digit makes one sort before the colon of another', () => {
    const facts = { seen: '2025-01', size: 2, types: () => [], serves: () => new Map() }
    const product = (name: string) => [name, { seen: '2025-01', actions: () => [`${name}:api:get`] }] as const
    const known = catalogueOf({ ...facts, products: new Map([product('nas'), product('nas2')]) })
    expect(known.expand(glob('*'))).toEqual(['nas2:api:get', 'nas:api:get'])
    expect(expandPatterns([glob('*')], known)[0]?.byProduct.map(({ product }) => product)).toEqual(['nas', 'nas2'])
  })
})

describe('types of a product', () => {
  test.each([
    ['vps', ['vps']],
    ['account', ['account']],
    ['order', []],
    ['nothing', []],
    ['caasRegistry', ['dockerRegistry']],
    ['clusterHadoop', ['hadoopClusterAccount']],
    ['dedicatedHousing', ['housing']],
    ['dedicatedNas', ['nas']],
    ['ip', ['ip', 'ipService', 'ipUnshielded']],
    ['ipLoadbalancing', ['loadbalancer']],
    ['ldp', ['ldp', 'ldp/alias', 'ldp/dashboard', 'ldp/index', 'ldp/osd', 'ldp/stream', 'ldp/tenant']],
    ['okms', ['okms', 'okms/kmip', 'okms/secret', 'okms/serviceKey']],
    ['pccVMware', ['pccVMware', 'pccVMware/sapPreInstallation']],
    ['publicCloudProject', ['publicCloudProject', 'publicCloudProject/managedRegistry']],
    ['smsVirtualNumbers', ['voipSmsvn']],
    ['vip', ['supportVIP']],
    ['vmwareCloudDirector', ['vmwareCloudDirector', 'vmwareCloudDirector/virtualDataCenter']],
    ['voip', ['voip', 'voipAlias', 'voipLine', 'voipTrunk']],
    ['zimbraPlatform', ['zimbraPlatform', 'zimbraPlatform/account', 'zimbraPlatform/organization']],
  ])('%s: %j', (product, types) => {
    expect(catalogue.typesOf(product)).toEqual(types)
    for (const type of types) expect(catalogue.types).toContain(type)
  })
})

describe('the brand word', () => {
  test.each([
    ['svcCloudConnect', 'acmeCloudConnect'],
    ['svcPabx/dialplan/get', 'acmePabx/dialplan/get'],
    ['vendor/svcId/create', 'vendor/acmeId/create'],
    ['/me/svcAccount/{svcAccountId}', '/me/acmeAccount/{acmeAccountId}'],
    ['svc', 'svc'],
    ['svcs/get', 'svcs/get'],
    ['ipsvcBlock', 'ipsvcBlock'],
    ['openSvcBlock', 'openSvcBlock'],
  ])('%s becomes %s', (name, mapped) => {
    expect(branded(name, 'acme')).toBe(mapped)
    expect(branded(name, 'svc')).toBe(name)
  })

  test('a brand is put in as it is written', () => {
    expect(branded('svcId', '$&$1')).toBe('$&$1Id')
  })

  test('names, namespace, types and operations all carry it', () => {
    expect(acme.has('voip:apiacme:acmePabx/dialplan/get')).toBe(true)
    expect(acme.has('voip:apisvc:svcPabx/dialplan/get')).toBe(false)
    expect(acme.has('voip:apiacme:svcPabx/dialplan/get')).toBe(false)
    expect(acme.has('acmeCloudConnect:apiacme:get')).toBe(true)
    expect(acme.products).toContain('acmeCloudConnect')
    expect(acme.typesOf('acmeCloudConnect')).toEqual(['acmeCloudConnect'])
    const everywhere = [...acme.expand(glob('*')), ...acme.types, ...loadOperations('acme').map(({ path }) => path)]
    expect(everywhere.filter((name) => name.toLowerCase().includes('svc'))).toEqual([])
  })

  test('another brand changes nothing but the word', () => {
    const back = (name: string) => name.replaceAll('acme', 'svc')
    expect(sorted(acme.expand(glob('*')).map(back))).toEqual(everything)
    expect(sorted(acme.types.map(back))).toEqual(catalogue.types)
    const printed = (list: typeof operations) => list.map((operation) => JSON.stringify(operation))
    expect(sorted(printed(loadOperations('acme')).map(back))).toEqual(sorted(printed(operations)))
  })
})

describe('what was probably meant', () => {
  // A new catalogue for each question, because one keeps its answers.
  const nearestAction = (written: string) => loadCatalogue().nearestAction(written)

  test.each([
    ['vps:apisvc:reinstal', 'vps:apisvc:reinstall'],
    ['vps:apisvc:Reinstall', 'vps:apisvc:reinstall'],
    ['vps:apisvc:reinstall?now', 'vps:apisvc:reinstall'],
    ['vpss:apisvc:reinstal', 'vps:apisvc:reinstall'],
    ['webhosting:apisvc:get', 'webHosting:apisvc:get'],
    ['WEBHOSTING:apisvc:get', 'webHosting:apisvc:get'],
    ['dockerRegistry:apisvc:get', 'caasRegistry:apisvc:get'],
    ['vps:apiscv:get', 'vps:apisvc:get'],
    ['vps:apiacme:get', 'vps:apisvc:get'],
    ['vps:openstack:get', 'vps:apisvc:get'],
    ['vps:reinstall', 'vps:apisvc:reinstall'],
    ['okms:apisvc:post/secret', 'okms:apisvc:secret/create'],
    ['okms:apiacme:secret/get', 'okms:apisvc:secret/get'],
    ['okms:apikms:secret/gett', 'okms:apikms:secret/get'],
    ['publicCloudProject:openstak:computeOperater', 'publicCloudProject:openstack:computeOperator'],
    ['vps:apisvc:ips', 'vps:apisvc:ips/get'],
    ['vps:apisvc:ips/list', 'vps:apisvc:ips/get'],
    ['vps:apisvc:reboot/create', 'vps:apisvc:reboot'],
    ['account:apisvc:iam/policy/update', 'account:apisvc:iam/policy/edit'],
    ['account:apisvc:iam/policys/remove', 'account:apisvc:iam/policy/delete'],
    ['account:apisvc:iam_policy/edit', 'account:apisvc:iam/policy/edit'],
    ['account:apisvc:policy/get', 'account:apisvc:iam/policy/get'],
    ['account:apisvc:me/iam/policy/get', 'account:apisvc:iam/policy/get'],
    ['dnsZone:apisvc:records/creat', 'dnsZone:apisvc:record/create'],
    ['webHostng:*', 'webHosting:*'],
    ['webHostng:apisvc:*', 'webHosting:apisvc:*'],
    ['webHosting:apisvc:attachedDomains/*', 'webHosting:apisvc:attachedDomain/*'],
  ])('%s: %s', (written, meant) => {
    expect(nearestAction(written)).toBe(meant)
  })

  test.each([
    ['nothing like it', 'nonsense:apisvc:get'],
    ['a known product, and nothing like the path', 'vps:apisvc:zzz/qqq'],
    ['a verb is no slip for another', 'vps:apisvc:models/delete'],
    ['nor is a known word, where the verb does not go with it', 'account:apisvc:me/debtAccount/create'],
    ['a word left out that might be one of several', 'account:apisvc:cloud/order/rule/get'],
    ['a namespace of its own', 'publicCloudProject:openstack:servers/get'],
    ['a wildcard elsewhere than at the end', 'vps:apisvc:*gett'],
    ['a known pattern', 'webHosting:apisvc:attachedDomain/*'],
    ['a product alone', 'vps'],
    ['a product with a wildcard', 'vps*'],
    ['no path', 'vps:apisvc:'],
    ['too many parts', 'vps:apisvc:ips:get'],
    ['nothing at all', ''],
  ])('no suggestion: %s', (_, written) => {
    expect(nearestAction(written)).toBeUndefined()
  })

  test('reading is no slip for setting, though one letter apart', () => {
    const products = new Map([['nas', { seen: '2025-01', actions: () => ['nas:api:quota/set', 'nas:api:quota/resets'] }]])
    const known = catalogueOf({ seen: '2025-01', size: 2, types: () => [], serves: () => new Map(), products })
    expect(known.nearestAction('nas:api:quota/get')).toBeUndefined()
    expect(known.nearestAction('nas:api:quota/sett')).toBe('nas:api:quota/set')
  })

  test('a suggestion is always something else, and known', () => {
    const slip = fc.tuple(fc.constantFrom(...everything), fc.nat(80), fc.constantFrom('', 'x', 'E', '/', ':', '*', '/*'))
    let suggested = 0
    fc.assert(
      fc.property(slip, ([action, at, put]) => {
        const written = put === '/*' ? action.replace(/\w\/[^/]*$/, put) : action.slice(0, at) + put + action.slice(at + 1)
        const meant = catalogue.nearestAction(written)
        if (meant === undefined) return
        suggested++
        expect(meant).not.toBe(written)
        expect(catalogue.expand(glob(meant)).length, `${written}: ${meant}`).toBeGreaterThan(0)
      }),
      { numRuns: effort(2000), seed: 1 },
    )
    expect(suggested).toBeGreaterThan(effort(1000))
  })

  test('products and types', () => {
    expect(catalogue.nearestProduct('webhosting')).toBe('webHosting')
    expect(catalogue.nearestProduct('housing')).toBe('dedicatedHousing')
    expect(catalogue.nearestProduct('quite different')).toBeUndefined()
    expect(catalogue.nearestType('ipLoadbalancing')).toBe('loadbalancer')
    expect(catalogue.nearestType('DNSZONE')).toBe('dnsZone')
    expect(catalogue.nearestType('ldp/streams')).toBe('ldp/stream')
    expect(catalogue.nearestType('quite different')).toBeUndefined()
    expect(acme.nearestAction('acmeCloudConect:apisvc:get')).toBe('acmeCloudConnect:apiacme:get')
  })
})

describe('the notation of the tables', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a,b/c', ['a', 'b/c']],
    ['a(b,c),d', ['a/b', 'a/c', 'd']],
    ['a,a(b(c,d),e/f)', ['a', 'a/b/c', 'a/b/d', 'a/e/f']],
    ['a(b(c,d))', ['a/b/c', 'a/b/d']],
  ])('%s', (folded, paths) => {
    expect(unfold(folded)).toEqual(paths)
  })
})
