import { describe, expect, test } from 'vitest'
import type { Folder } from '../../src/hcl/declarations.ts'
import { readHcl } from '../../src/hcl/parse.ts'
import { installedModules } from '../../src/hcl/remote.ts'
import { writtenResources } from '../../src/hcl/resources.ts'
import { longestName } from '../../src/names.ts'
import { sourceOf } from '../../src/source.ts'
import { plainValue } from '../../src/tree.ts'

/** The resources that a configuration describes, with what is written of them. */

function written(folders: Readonly<Record<string, string>>, root = '/a', manifest = '') {
  const folderAt = (path: string): Folder | undefined => {
    const text = folders[path]
    return text === undefined
      ? undefined
      : { path, name: path, files: [readHcl(sourceOf(`${path}/main.tf`, text, 'hcl'), undefined)], values: [] }
  }
  const { changes, modules, others, diagnostics } = writtenResources(
    folderAt(root) as Folder,
    folderAt,
    'svc',
    installedModules(manifest, root),
  )
  return {
    changes: changes.map(({ address, actions }) => `${address} ${actions.join(' ')}`),
    values: Object.fromEntries(
      changes.map(({ address, before, after }) => [address, [before, after].map((each) => each && plainValue(each))]),
    ),
    modules: modules.map(({ address }) => address),
    others,
    diagnostics,
  }
}

/** The value of `service_name` of a resource. */
function nameIn(value: string, others = ''): unknown {
  const { values } = written({ '/a': `resource "svc_vps" "one" {\n  service_name = ${value}\n}\n${others}` })
  const [before, after] = values['svc_vps.one'] as [{ service_name: unknown }, { service_name: unknown }]
  expect(before).toEqual(after)
  return before.service_name
}

test('resources have all of their life, data sources are read, and those of other providers are counted', () => {
  const found = written({
    '/a': 'resource "svc_vps" "one" {}\ndata "svc_vps" "two" {}\nresource "other_vps" "three" {}\ndata "other_vps" "four" {}\nresource "svcs_vps" "five" {}\n',
  })
  expect(found).toMatchObject({
    changes: ['svc_vps.one create update delete', 'data.svc_vps.two read'],
    others: 3,
    modules: [],
    diagnostics: [],
  })
})

describe('a value', () => {
  const unknown = nameIn('var.name')
  test.each([
    ['a string', '"vps-1"', '', 'vps-1'],
    ['a number', '42', '', 42],
    ['a local value', 'local.name', 'locals {\n  name = "vps-2"\n}\n', 'vps-2'],
    ['a local value that is a number', 'local.name', 'locals {\n  name = 7\n}\n', 7],
    ['the longest name', `"${'x'.repeat(longestName)}"`, '', 'x'.repeat(longestName)],
    ['a local value through eight', 'local.n0', locals(7), 'end'],
  ])('%s is known', (_, value, others, expected) => {
    expect(nameIn(value, others)).toBe(expected)
  })

  test.each([
    ['a string with an expression', '"vps-${var.name}"', ''],
    ['a truth', 'true', ''],
    ['nothing', 'null', ''],
    ['a list', '["vps-1"]', ''],
    ['a name that is too long', `"${'x'.repeat(longestName + 1)}"`, ''],
    ['a local value that is not there', 'local.other', 'locals {\n  name = "vps-2"\n}\n'],
    ['an attribute of another object of that name', 'each.name', 'locals {\n  name = "vps-2"\n}\n'],
    ['an attribute of a call', 'one(var.all).name', 'locals {\n  name = "vps-2"\n}\n'],
    ['a local value through nine', 'local.n0', locals(8)],
    ['a circle of local values', 'local.a', 'locals {\n  a = local.b\n  b = local.a\n}\n'],
  ])('%s is not known', (_, value, others) => {
    expect(nameIn(value, others)).toEqual(unknown)
  })

  /** Local values that lead from `n0` to a string. */
  function locals(last: number): string {
    const lines = Array.from({ length: last }, (_, i) => `  n${i} = local.n${i + 1}\n`)
    return `locals {\n${lines.join('')}  n${last} = "end"\n}\n`
  }
})

describe('modules', () => {
  const one = 'resource "svc_vps" "one" {}\n'

  test('local ones are followed, with their addresses, and those from elsewhere are not known', () => {
    const found = written({
      '/a': 'module "near" {\n  count = 1\n  source = "./near"\n}\nmodule "far" {\n  source = "registry/far"\n}\nmodule "none" {\n}\nmodule "gone" {\n  source = "./gone"\n}\nmodule "open" {\n  source = var.source\n}\n',
      '/a/near': `${one}module "up" {\n  source = "../up"\n}\n`,
      '/a/up': one,
      '/a/registry/far': one,
    })
    expect(found.changes).toEqual([
      'module.near.svc_vps.one create update delete',
      'module.near.module.up.svc_vps.one create update delete',
    ])
    expect(found.modules).toEqual(['module.far', 'module.none', 'module.gone', 'module.open'])
  })

  test('unpacked ones are followed where source and version are those of the call', () => {
    const entry = (Key: string, Source: string, Version: string, Dir: string) => ({ Key, Source, Version, Dir })
    const manifest = {
      Modules: [
        entry('far', 'registry.terraform.io/x/far', '1.4.0', 'm/far'),
        entry('far.in', 'registry.terraform.io/x/in', '2.0.0', 'm/in'),
        entry('old', 'registry.terraform.io/x/far', '0.9.0', 'm/far'),
        entry('open', 'registry.terraform.io/x/far', '1.4.0', 'm/far'),
        entry('other', 'registry.terraform.io/x/else', '1.4.0', 'm/far'),
        entry('self', 'registry.terraform.io/x/self', '1.0.0', '.'),
      ],
    }
    const call = (name: string, source: string, version = '"~> 1.0"') =>
      `module "${name}" {\n  source = "${source}"\n  version = ${version}\n}\n`
    const folders = {
      '/a': [
        call('far', 'x/far'),
        call('old', 'x/far'),
        call('open', 'x/far', 'var.v'),
        call('other', 'x/far'),
        call('self', 'x/self'),
      ].join(''),
      '/a/m/far': `${one}module "in" {\n  source = "x/in"\n}\n`,
      '/a/m/in': one,
    }
    const found = written(folders, '/a', JSON.stringify(manifest))
    expect(found.changes).toEqual(['module.far.svc_vps.one create update delete', 'module.far.module.in.svc_vps.one create update delete'])
    expect(found.modules).toEqual(['module.old', 'module.open', 'module.other', 'module.self'])
    expect(written(folders, '/a', '{"Modules": [').modules).toHaveLength(5)
  })

  test('a module that calls itself ends', () => {
    const { changes, modules } = written({ '/a': `${one}module "again" {\n  source = "../a"\n}\n` })
    expect([changes.length, modules]).toEqual([1, ['module.again']])
  })

  test('after a thousand, modules are not known', () => {
    const calls = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => `module "m${from + i}" {\n  source = "./m"\n}\n`).join('')
    const { changes, modules } = written({ '/a': calls(0, 1001), '/a/m': one })
    expect([changes.length, modules]).toEqual([1000, ['module.m1000']])
  })

  test('mistakes of each file are reported', () => {
    expect(
      written({ '/a': 'module "near" {\n  source = "./near"\n}\n', '/a/near': 'resource "svc_vps" {\n' }).diagnostics.length,
    ).toBeGreaterThan(0)
  })
})
