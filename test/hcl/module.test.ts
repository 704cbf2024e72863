import { describe, expect, test } from 'vitest'
import { position } from '../../src/source.ts'
import { type Node, plainValue } from '../../src/tree.ts'
import { configuration } from '../support/hcl.ts'

/** The records of a configuration as plain values, with the condition of each in `perhaps`. */
function records(files: Readonly<Record<string, string>>): readonly unknown[] {
  const { found, diagnostics } = configuration(files)
  expect(diagnostics.map(({ message }) => message)).toEqual([])
  return [...found.values()].flat().map(({ node }) => ({
    ...(JSON.parse(JSON.stringify(plainValue(node as Node))) as object),
    ...(node.perhaps && { perhaps: node.perhaps.map(({ expression }) => expression) }),
  }))
}

function problems(files: Readonly<Record<string, string>>): readonly string[] {
  return configuration(files).diagnostics.map(({ code, message, span }) => {
    const { line, column } = position(span.source, span.start)
    return `${span.source.path}:${line}:${column} ${code} ${message}`
  })
}

const policy = (rest: string, name = '"p"') =>
  `resource "svc_iam_policy" "p" {\n  name = ${name}\n  identities = []\n  resources = []\n  ${rest}\n}\n`
const bare = { identities: [], resources: [], permissions: {} }

describe('resources as records', () => {
  test('a policy', () => {
    const text = `resource "svc_iam_policy" "p" {
  name = "p"
  description = "d"
  identities = ["i"]
  resources = ["r", svc_iam_resource_group.g.urn]
  allow = ["a:*"]
  except = ["a:x"]
  deny = ["b"]
  permissions_groups = [svc_iam_permissions_group.g.urn]
  expired_at = "2030-01-01T00:00:00Z"
  conditions {
    operator = "AND"
    condition {
      operator = "MATCH"
      values = { "resource.Tag(env)" = "prod", "date().Hour" = 8 }
    }
  }
  lifecycle {
    prevent_destroy = true
  }
}
resource "svc_iam_resource_group" "g" {
  name = "g"
  resources = ["r"]
}
resource "svc_iam_permissions_group" "g" {
  name = "h"
  allow = ["c"]
}
resource "other" "x" {}
`
    expect(records({ 'main.tf': text })).toEqual([
      {
        name: 'p',
        description: 'd',
        identities: ['i'],
        resources: [{ urn: 'r' }, { urn: 'svc_iam_resource_group.g.urn' }],
        permissionsGroups: [{ urn: 'svc_iam_permissions_group.g.urn' }],
        expiredAt: '2030-01-01T00:00:00Z',
        conditions: {
          operator: 'AND',
          conditions: [{ operator: 'MATCH', values: { 'resource.Tag(env)': 'prod', 'date().Hour': '8' } }],
        },
        permissions: { allow: [{ action: 'a:*' }], except: [{ action: 'a:x' }], deny: [{ action: 'b' }] },
      },
      { urn: 'svc_iam_resource_group.g.urn', name: 'g', resources: [{ urn: 'r' }] },
      { urn: 'svc_iam_permissions_group.g.urn', name: 'h', permissions: { allow: [{ action: 'c' }] } },
    ])
  })

  test.each([
    ['alow = []', 'main.tf:5:3 shape `alow` is no attribute of `svc_iam_policy`'],
    ['id = "x"', 'main.tf:5:3 shape `id` is given by the service and cannot be written'],
    ['allow = "x"', 'main.tf:5:11 shape `allow` is a text, where a list of texts is expected'],
    ['allow = [["x"]]', 'main.tf:5:12 shape a list in `allow`, where a text is expected'],
    ['allow = [null]', 'main.tf:5:12 shape `null` in `allow`, where a text is expected'],
    ['description = []', 'main.tf:5:17 shape `description` is a list, where a text is expected'],
    ['allow {\n  }', 'main.tf:5:3 shape `allow` is no block of `svc_iam_policy`'],
    ['condition {\n  }', 'main.tf:5:3 shape `condition` is no block of `svc_iam_policy`'],
    ['for_each = ["a"]', 'main.tf:5:14 shape `for_each` does not go through a list, in which one item may appear twice'],
    ['count = "x"', 'main.tf:5:11 shape `count` is `"x"`, where a whole number is expected'],
  ])('%s', (rest, expected) => {
    expect(problems({ 'main.tf': policy(rest) })).toEqual([expected])
  })

  test('what is missing, and what is declared twice', () => {
    expect(problems({ 'main.tf': 'resource "svc_iam_policy" "p" {\n  name = "p"\n  identities = []\n}\n' })).toEqual([
      'main.tf:1:1 shape `resources` is missing: a resource of the type `svc_iam_policy` needs one',
    ])
    expect(problems({ 'a.tf': policy(''), 'b.tf': policy('') })).toEqual([
      'b.tf:1:1 syntax `svc_iam_policy.p` is declared twice: no such configuration is applied',
    ])
  })
})

describe('instances', () => {
  test.each([
    ['a map', 'for_each = { b = 1, a = 2 }', '"${each.key}${each.value}"', ['a2', 'b1']],
    ['a set', 'for_each = toset(["y", "x"])', 'each.key', ['x', 'y']],
    ['a count', 'count = 2', '"p${count.index}"', ['p0', 'p1']],
    ['none', 'count = 0', '"p"', []],
    ['an empty map', 'for_each = {}', '"p"', []],
  ])('%s', (_, rest, name, expected) => {
    expect(records({ 'main.tf': policy(rest, name) })).toEqual(expected.map((each) => ({ ...bare, name: each })))
  })

  test('one that may exist, where it is not known for what', () => {
    expect(records({ 'main.tf': policy('for_each = var.teams', '"t-${each.key}"') })).toEqual([
      { ...bare, name: 't-${each.key}', perhaps: ['var.teams'] },
    ])
    expect(records({ 'main.tf': policy('count = var.on ? 1 : 0', '"p${count.index}"') })).toEqual([
      { ...bare, name: 'p0', perhaps: ['var.on ? 1 : 0'] },
    ])
    expect(records({ 'main.tf': policy('for_each = toset(["a", var.b])', 'each.key') })).toEqual([
      { ...bare, name: 'each.key', perhaps: ['var.b'] },
      { ...bare, name: 'a' },
    ])
  })

  test('are called by their keys', () => {
    const group = (how: string) => `resource "svc_iam_resource_group" "g" {\n  ${how}\n  name = "g"\n}\n`
    const use = (what: string) => `resource "svc_iam_policy" "p" {\n  name = "p"\n  identities = []\n  resources = ${what}\n}\n`
    const urns = (how: string, what: string) => {
      const { found } = configuration({ 'main.tf': group(how) + use(what) })
      return [...found.values()].flat().map(({ kind, node }) => {
        const value = plainValue(node) as { urn?: string; resources: { urn: string }[] }
        return kind === 'policy' ? value.resources.map(({ urn }) => urn) : value.urn
      })
    }
    expect(urns('', '[svc_iam_resource_group.g.urn]')).toEqual(['svc_iam_resource_group.g.urn', ['svc_iam_resource_group.g.urn']])
    expect(urns('for_each = { a = 1, b = 2 }', '[svc_iam_resource_group.g["b"].urn]')).toEqual([
      'svc_iam_resource_group.g["a"].urn',
      'svc_iam_resource_group.g["b"].urn',
      ['svc_iam_resource_group.g["b"].urn'],
    ])
    expect(urns('for_each = { a = 1, b = 2 }', 'values(svc_iam_resource_group.g)[*].urn').at(-1)).toEqual([
      'svc_iam_resource_group.g["a"].urn',
      'svc_iam_resource_group.g["b"].urn',
    ])
    expect(urns('count = 2', 'svc_iam_resource_group.g[*].urn').at(-1)).toEqual([
      'svc_iam_resource_group.g[0].urn',
      'svc_iam_resource_group.g[1].urn',
    ])
    expect(urns('count = var.on ? 1 : 0', '[svc_iam_resource_group.g[0].urn]')).toEqual([
      'svc_iam_resource_group.g[0].urn',
      ['svc_iam_resource_group.g[0].urn'],
    ])
  })
})

describe('variables', () => {
  const use = policy('', 'var.x')
  test.each([
    ['a default', { 'main.tf': `variable "x" {\n  default = "d"\n}\n${use}` }, 'd'],
    ['no default', { 'main.tf': `variable "x" {}\n${use}` }, 'var.x'],
    ['a secret', { 'main.tf': `variable "x" {\n  default = "d"\n  sensitive = true\n}\n${use}` }, 'var.x'],
    ['a value', { 'main.tf': `variable "x" {\n  default = "d"\n}\n${use}`, 'terraform.tfvars': 'x = "v"' }, 'v'],
    ['a later value', { 'main.tf': `variable "x" {}\n${use}`, 'terraform.tfvars': 'x = "v"', 'z.auto.tfvars': 'x = "w"' }, 'w'],
    ['a number as a text', { 'main.tf': `variable "x" {\n  type = string\n  default = 1\n}\n${use}` }, '1'],
    [
      'an override',
      { 'main.tf': `variable "x" {\n  default = "d"\n}\n${use}`, 'main_override.tf': 'variable "x" {\n  default = "o"\n}' },
      'o',
    ],
  ])('%s', (_, files, expected) => {
    expect(records(files)).toEqual([{ ...bare, name: expected }])
  })

  test('a set of a list, and what is optional in an object', () => {
    const text = `variable "t" {
  type = map(object({ n = string, on = optional(bool, true), l = optional(list(string), []) }))
  default = { a = { n = "x" } }
}
variable "s" {
  type = set(string)
  default = ["b", "a"]
}
${policy('for_each = var.s\n  allow = var.t.a.l', '"${each.key}${var.t.a.on}"')}`
    expect(records({ 'main.tf': text })).toEqual(['atrue', 'btrue'].map((name) => ({ ...bare, name })))
  })
})

describe('modules', () => {
  const child = `variable "name" {}
variable "who" {
  default = []
}
resource "svc_iam_policy" "p" {
  name = var.name
  identities = var.who
  resources = []
}
output "again" {
  value = "\${var.name}-again"
}
`
  test('get their values where they are called, and give theirs', () => {
    const main = `module "a" {
  source = "./iam"
  name = "x"
  who = [var.u]
}
module "b" {
  for_each = toset(["k"])
  source = "./iam"
  name = module.a.again
  who = [module.c.urn]
}
module "c" {
  source = "somewhere/else"
}
`
    expect(records({ 'main.tf': main, 'iam/main.tf': child })).toEqual([
      { ...bare, name: 'x', identities: ['var.u'] },
      { ...bare, name: 'x-again', identities: ['module.c.urn'] },
      expect.objectContaining({ name: 'module.c (somewhere/else)', identities: 'module.c (somewhere/else)' }),
    ])
  })

  test('name what is not known in them by where they are called', () => {
    const main = 'module "a" {\n  source = "./iam"\n  name = "x"\n}\n'
    const inner = `${child}resource "svc_iam_resource_group" "g" {\n  name = data.x.y.z\n}\n`
    expect(records({ 'main.tf': main, 'iam/main.tf': inner })).toEqual([
      { ...bare, name: 'x' },
      { urn: 'module.a.svc_iam_resource_group.g.urn', name: 'module.a.data.x.y.z' },
    ])
  })

  test('end where they call one another, and where values are made from themselves', () => {
    expect(problems({ 'main.tf': 'module "a" {\n  source = "./b"\n}', 'b/main.tf': 'module "c" {\n  source = "../b"\n}' })).toEqual([
      'b/main.tf:2:12 syntax this module calls itself',
    ])
    expect(problems({ 'main.tf': `locals {\n  a = local.b\n  b = local.a\n}\n${policy('', 'local.a')}` })).toEqual([
      'main.tf:2:3 syntax `local.a` is made from itself',
    ])
  })
})

test('conditions that are made by `dynamic`', () => {
  const dynamic = (collection: string) =>
    policy(`dynamic "conditions" {
    for_each = ${collection}
    content {
      operator = "MATCH"
      values = { "resource.Name" = conditions.value }
    }
  }`)
  const conditions = { operator: 'MATCH', values: { 'resource.Name': 'a' } }
  expect(records({ 'main.tf': dynamic('["a"]') })).toEqual([{ ...bare, name: 'p', conditions }])
  expect(records({ 'main.tf': dynamic('toset(["a"])').replaceAll('conditions.value', 'conditions.key') })).toEqual([
    { ...bare, name: 'p', conditions },
  ])
  expect(records({ 'main.tf': dynamic('[]') })).toEqual([{ ...bare, name: 'p' }])
  expect(records({ 'main.tf': dynamic('var.when') })).toEqual([{ ...bare, name: 'p', conditions: 'var.when' }])
})

describe('the same in JSON', () => {
  const json = {
    variable: { env: { type: 'set(string)', default: ['b', 'a'] } },
    locals: { who: 'ann' },
    resource: {
      svc_iam_policy: {
        p: {
          for_each: '${var.env}',
          name: 'p-${each.key} "x"',
          identities: ['urn:${local.who}', '${data.u.v}'],
          resources: [],
          conditions: [{ operator: 'MATCH', values: { 'resource.Name': '${each.key}' } }],
        },
      },
      other: { x: { a: 1 } },
    },
  }

  test('says the same', () => {
    const record = (key: string) => ({
      name: `p-${key} "x"`,
      identities: ['urn:ann', 'data.u.v'],
      resources: [],
      conditions: { operator: 'MATCH', values: { 'resource.Name': key } },
      permissions: {},
    })
    expect(records({ 'main.tf.json': JSON.stringify(json) })).toEqual([record('a'), record('b')])
  })

  test('where it is written', () => {
    const text = JSON.stringify(json, null, 2)
    const { found } = configuration({ 'main.tf.json': text })
    const [first] = [...found.values()].flat()
    const identities = first?.node.entries.find(({ key }) => key.value === 'identities')?.value
    const [one, other] = identities?.kind === 'list' ? identities.items : []
    const offsets = (one?.kind === 'text' && one.offsets) || []
    expect([...offsets.slice(0, 4)].map((at) => text[at]).join('')).toBe('urn:')
    expect(other && text.slice(other.start, other.end)).toBe('"${data.u.v}"')
    const name = first?.node.entries.find(({ key }) => key.value === 'name')?.value
    const places = (name?.kind === 'text' && name.offsets) || []
    expect(text.slice(places[5], (places[5] ?? 0) + 2)).toBe('x\\')
  })
})
