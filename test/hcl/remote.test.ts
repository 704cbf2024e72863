import { describe, expect, test } from 'vitest'
import type { Settings } from '../../src/hcl/module.ts'
import { isExact, isUnpackedOf, meets } from '../../src/hcl/remote.ts'
import { configuration } from '../support/hcl.ts'

describe('a version', () => {
  test.each<[string, string, boolean | undefined]>([
    ['1.2.3', '1.2.3', true],
    ['1.2.3', '= 1.2.3', true],
    ['1.2.3', '1.2.4', false],
    ['1.2.3', '!= 1.2.3', false],
    ['1.2.3', '>= 1.2, < 2', true],
    ['2.0.0', '>= 1.2, < 2', false],
    ['1.3.0', '~> 1.2', true],
    ['2.0.0', '~> 1.2', false],
    ['1.2.9', '~> 1.2.3', true],
    ['1.3.0', '~> 1.2.3', false],
    ['1.2.2', '~> 1.2.3', false],
    ['1.10.0', '> 1.9.0', true],
    ['1.2.3-beta', '>= 1.0', false],
    ['1.2.3-beta', '1.2.3-beta', true],
    ['1.2.3', 'latest', undefined],
    ['main', '1.0', undefined],
  ])('%s is within %s: %s', (version, constraint, is) => expect(meets(version, constraint)).toBe(is))

  test.each<[string, string | undefined, boolean]>([
    ['acme/iam/svc', '1.2.3', true],
    ['acme/iam/svc', '= 1.2.3', true],
    ['acme/iam/svc', '~> 1.2', false],
    ['acme/iam/svc', undefined, false],
    ['git::https://example.org/iam.git?ref=v1.2.0', undefined, true],
    ['git::https://example.org/iam.git?ref=main', undefined, false],
    ['git::https://example.org/iam.git?ref=51d462976d84fdea54b47d80dcabbf680badcdb8', undefined, true],
    ['git::https://example.org/iam.git', undefined, false],
    ['https://example.org/iam.zip', undefined, false],
  ])('of %s %s is exact: %s', (source, version, is) => expect(isExact(source, version)).toBe(is))

  test.each<[string, string, string | undefined, boolean]>([
    ['registry.terraform.io/acme/iam/svc', 'acme/iam/svc', '1.2.0', true],
    ['registry.opentofu.org/acme/iam/svc', 'acme/iam/svc', '~> 1.0', true],
    ['registry.terraform.io/acme/iam/svc', 'acme/iam/svc', '1.3.0', false],
    ['registry.terraform.io/evil/iam/svc', 'acme/iam/svc', '1.2.0', false],
    ['git::https://github.com/acme/iam.git?ref=v1', 'github.com/acme/iam?ref=v1', undefined, true],
    ['git::https://github.com/acme/iam.git?ref=v1', 'github.com/acme/iam?ref=v2', undefined, false],
    ['git::ssh://git@github.com/acme/iam.git', 'git@github.com:acme/iam.git', undefined, true],
  ])('that is unpacked from %s is that of %s %s: %s', (source, written, constraint, is) =>
    expect(isUnpackedOf({ source, version: '1.2.0', path: 'x' }, written, constraint)).toBe(is),
  )
})

describe('a module from elsewhere', () => {
  const call = (name: string, rest: string) => `module "${name}" {\n${rest}\n}\n`
  const iam = 'source = "acme/iam/svc"\nversion = "1.2.0"'
  const unpacked = new Map([
    ['iam', { source: 'registry.terraform.io/acme/iam/svc', version: '1.2.0', path: 'unpacked' }],
    ['team.iam', { source: 'registry.terraform.io/acme/iam/svc', version: '1.2.0', path: 'unpacked' }],
  ])
  const read = (files: Readonly<Record<string, string>>, more: Partial<Settings> = {}) => {
    const { found, assumptions, unread } = configuration(files, 'svc', undefined, more)
    return {
      parts: [...found.values()].flat().map(({ address, head }) => `${address} at ${head.source.text.slice(head.start, head.end)}`),
      assumed: assumptions.map(({ what, why, matters }) => `${what}: ${why}${matters ? '' : ' (certain)'}`),
      unread: unread.length,
    }
  }

  test('may allow and deny anything', () => {
    expect(read({ 'main.tf': call('iam', iam) })).toEqual({
      parts: ['module.iam (acme/iam/svc 1.2.0) at "acme/iam/svc"'],
      assumed: ['module.iam (acme/iam/svc 1.2.0): its files are not here: it may allow or deny anything'],
      unread: 0,
    })
  })

  test('is taken to be the same where its version is not exact, and the record says so', () => {
    const { assumed } = read({ 'main.tf': call('iam', 'source = "acme/iam/svc"\nversion = "~> 1.0"') })
    expect(assumed).toEqual([expect.stringContaining('its version is not exact, and is taken to be the same')])
  })

  test.each(['count = 0', 'for_each = {}', 'for_each = toset([])'])('is nothing with %s', (never) =>
    expect(read({ 'main.tf': call('iam', `${iam}\n${never}`) })).toEqual({ parts: [], assumed: [], unread: 0 }),
  )

  test.each(['count = 3', 'count = var.n', 'for_each = toset(["a", "b"])'])('is one part with %s', (many) =>
    expect(read({ 'main.tf': call('iam', `${iam}\n${many}`) }).parts).toHaveLength(1),
  )

  test('counts where a local module calls it, for each of its instances', () => {
    const files = { 'main.tf': call('team', 'source = "./team"\nfor_each = toset(["a", "b"])'), 'team/main.tf': call('iam', iam) }
    expect(read(files).parts.map((part) => part.split(' (')[0])).toEqual(['module.team["a"].module.iam', 'module.team["b"].module.iam'])
    expect(read({ ...files, 'main.tf': call('team', 'source = "./team"\ncount = 0') }).parts).toEqual([])
  })

  test('is read where it is unpacked, with what it calls in turn', () => {
    const own = {
      'unpacked/main.tf': `resource "svc_iam_resource_group" "g" {\n  name = "g"\n}\n${call('sub', 'source = "./sub"')}`,
      'unpacked/sub/main.tf': 'resource "svc_iam_resource_group" "h" {\n  name = "h"\n}\n',
    }
    expect(read({ 'main.tf': call('iam', iam), ...own }, { unpacked })).toEqual({
      parts: expect.arrayContaining([
        expect.stringContaining('module.iam.svc_iam_resource_group.g'),
        expect.stringContaining('module.iam.module.sub.svc_iam_resource_group.h'),
      ]),
      assumed: ['module.iam (acme/iam/svc 1.2.0): it is read as it is unpacked under `.terraform/modules` (certain)'],
      unread: 0,
    })
    const nested = { 'main.tf': call('team', 'source = "./team"'), 'team/main.tf': call('iam', iam), ...own }
    expect(read(nested, { unpacked }).parts).toHaveLength(2)
  })

  test('is not read where another version is unpacked', () => {
    const { parts, assumed } = read({ 'main.tf': call('iam', iam.replace('1.2.0', '1.3.0')), 'unpacked/main.tf': '' }, { unpacked })
    expect(parts).toHaveLength(1)
    expect(assumed[0]).toContain('another version')
  })

  test('is not read where its folder is missing, and the record says so', () => {
    const { parts, assumed } = read({ 'main.tf': call('iam', iam) }, { unpacked })
    expect(parts).toHaveLength(1)
    expect(assumed[0]).toContain('its files are not here: `.terraform/modules/modules.json` names a folder for it that cannot be read')
  })

  test('is nothing where the user says so', () => {
    const holdsNone = (source: string) => source === 'acme/iam/svc'
    expect(read({ 'main.tf': call('iam', iam) }, { holdsNone })).toEqual({
      parts: [],
      assumed: ['module.iam (acme/iam/svc 1.2.0): the configuration says that such modules hold no policies (certain)'],
      unread: 0,
    })
  })

  test('whose source is worked out goes by what is known of it', () => {
    const locals = 'locals {\n  from = "acme/iam/svc"\n}\n'
    expect(read({ 'main.tf': call('iam', 'source = local.from') + locals }).parts).toEqual(['module.iam (acme/iam/svc) at local.from'])
    expect(read({ 'main.tf': `${call('iam', 'source = var.from')}variable "from" {}\n` }).parts).toEqual([
      'module.iam (var.from) at var.from',
    ])
  })
})
