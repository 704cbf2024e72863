import { describe, expect, test } from 'vitest'
import type { Settings } from '../../src/hcl/module.ts'
import { symbolOf, unknownsIn } from '../../src/tree.ts'
import { configuration, toolsWith } from '../support/hcl.ts'

const policy = (identity: string) => `resource "svc_iam_policy" "a" {
  name       = "a"
  identities = [${identity}]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:get"]
}
`

/** The symbols of what is not known in the identities of a configuration's policies. */
function symbols(files: Readonly<Record<string, string>>, more: Partial<Settings> = {}, beside: Readonly<Record<string, string>> = {}) {
  const { found } = configuration(files, 'svc', toolsWith(beside), more)
  const nodes = [...found.values()].flat().map(({ node }) => node)
  return [
    ...new Set(
      unknownsIn(nodes)
        .filter(({ isName }) => !isName)
        .map(symbolOf),
    ),
  ].sort()
}

const http = (url: string) => `data "http" "a" {\n  url = ${url}\n}\n`
const fromHttp = policy('jsondecode(data.http.a.response_body)')

/** What two configurations share: pairs of files of which only those on the right differ from those on the left. */
const same: readonly [string, Record<string, string>, Record<string, string>][] = [
  ['a comment in a data source', { 'main.tf': http('"x"') + fromHttp }, { 'main.tf': `# who\n${http('"x" # where')}${fromHttp}` }],
  ['a text that is put together', { 'main.tf': http('"x/y"') + fromHttp }, { 'main.tf': http('"x/${"y"}"') + fromHttp }],
  [
    'another data source',
    { 'main.tf': http('"x"') + fromHttp },
    { 'main.tf': `${http('"x"')}data "http" "b" {\n  url = "y"\n}\n${fromHttp}` },
  ],
  [
    'how a data source is applied',
    { 'main.tf': http('"x"') + fromHttp },
    { 'main.tf': `data "http" "a" {\n  url = "x"\n  lifecycle {\n    postcondition {\n      condition = true\n    }\n  }\n}\n${fromHttp}` },
  ],
  [
    'a value that nobody gives',
    { 'main.tf': `variable "x" {}\n${policy('var.x')}` },
    { 'main.tf': `variable "x" {\n  type = string\n}\n${policy('var.x')}` },
  ],
  [
    'what changes of a resource in place',
    { 'main.tf': `resource "svc_me_identity_group" "g" {\n  name = "g"\n  description = "x"\n}\n${policy('svc_me_identity_group.g.urn')}` },
    { 'main.tf': `resource "svc_me_identity_group" "g" {\n  name = "g"\n}\n${policy('svc_me_identity_group.g.urn')}` },
  ],
  [
    'data sources in a circle',
    { 'main.tf': `data "x" "a" {\n  of = data.x.b.id\n}\ndata "x" "b" {\n  of = data.x.a.id\n}\n${policy('data.x.a.id')}` },
    { 'main.tf': `data "x" "a" {\n  of = data.x.b.id\n}\ndata "x" "b" {\n  of = data.x.a.id\n}\n${policy('data.x.a.id')}` },
  ],
]
test.each(same)('is one value: %s', (_, before, after) => {
  expect(symbols(before)).not.toEqual([])
  expect(symbols(after)).toEqual(symbols(before))
})

const provider = (endpoint: string) => `provider "svc" {\n  endpoint = "${endpoint}"\n}\n`
const two = 'provider "svc" {\n  alias = "dev"\n  endpoint = "eu"\n}\nprovider "svc" {\n  alias = "prod"\n  endpoint = "ca"\n}\n'
const remote = (rest: string) => `module "m" {\n  source = "acme/m/svc"\n${rest}}\n${policy('module.m.who')}`
const child = { 'm/main.tf': 'variable "who" {}\noutput "group" {\n  value = data.x.a.id\n}\ndata "x" "a" {\n  of = var.who\n}\n' }

const other: readonly [string, Record<string, string>, Record<string, string>][] = [
  ['an argument of a data source', { 'main.tf': http('"x"') + fromHttp }, { 'main.tf': http('"y"') + fromHttp }],
  [
    'an argument through a local',
    { 'main.tf': `${http('local.u')}locals {\n  u = "x"\n}\n${fromHttp}` },
    { 'main.tf': `${http('local.u')}locals {\n  u = "y"\n}\n${fromHttp}` },
  ],
  [
    'an argument through a default',
    { 'main.tf': `${http('var.u')}variable "u" {\n  default = "x"\n}\n${fromHttp}` },
    { 'main.tf': `${http('var.u')}variable "u" {\n  default = "y"\n}\n${fromHttp}` },
  ],
  [
    'an argument through values',
    { 'main.tf': `${http('var.u')}variable "u" {}\n${fromHttp}`, 'terraform.tfvars': 'u = "x"\n' },
    { 'main.tf': `${http('var.u')}variable "u" {}\n${fromHttp}`, 'terraform.tfvars': 'u = "y"\n' },
  ],
  [
    'a block in a data source',
    { 'main.tf': `data "x" "a" {\n  f {\n    v = 1\n  }\n}\n${policy('data.x.a.id')}` },
    { 'main.tf': `data "x" "a" {\n  f {\n    v = 2\n  }\n}\n${policy('data.x.a.id')}` },
  ],
  [
    'a data source behind another',
    { 'main.tf': `data "x" "a" {\n  of = data.http.a.body\n}\n${http('"x"')}${policy('data.x.a.id')}` },
    { 'main.tf': `data "x" "a" {\n  of = data.http.a.body\n}\n${http('"y"')}${policy('data.x.a.id')}` },
  ],
  [
    'what a group is called',
    { 'main.tf': `resource "svc_me_identity_group" "g" {\n  name = "g"\n}\n${policy('svc_me_identity_group.g.urn')}` },
    { 'main.tf': `resource "svc_me_identity_group" "g" {\n  name = "h"\n}\n${policy('svc_me_identity_group.g.urn')}` },
  ],
  [
    'the description, where it is asked for',
    { 'main.tf': `resource "svc_vps" "v" {\n  description = "g"\n}\n${policy('svc_vps.v.description')}` },
    { 'main.tf': `resource "svc_vps" "v" {\n  description = "h"\n}\n${policy('svc_vps.v.description')}` },
  ],
  [
    'the default of a secret',
    { 'main.tf': `variable "x" {\n  sensitive = true\n  default = "a"\n}\n${policy('var.x')}` },
    { 'main.tf': `variable "x" {\n  sensitive = true\n  default = "b"\n}\n${policy('var.x')}` },
  ],
  [
    'the configuration of a provider',
    { 'main.tf': `${provider('eu')}data "svc_x" "a" {}\n${policy('data.svc_x.a.id')}` },
    { 'main.tf': `${provider('ca')}data "svc_x" "a" {}\n${policy('data.svc_x.a.id')}` },
  ],
  [
    'the provider of a data source',
    { 'main.tf': `${two}data "svc_x" "a" {\n  provider = svc.dev\n}\n${policy('data.svc_x.a.id')}` },
    { 'main.tf': `${two}data "svc_x" "a" {\n  provider = svc.prod\n}\n${policy('data.svc_x.a.id')}` },
  ],
  ['the version of a module', { 'main.tf': remote('  version = "1.0.0"\n') }, { 'main.tf': remote('  version = "1.0.1"\n') }],
  [
    'what a module is given',
    { 'main.tf': remote('  x = local.x\n') + 'locals {\n  x = 1\n}\n' },
    { 'main.tf': remote('  x = local.x\n') + 'locals {\n  x = 2\n}\n' },
  ],
  [
    'the providers of a module',
    { 'main.tf': two + remote('  providers = { svc = svc.dev }\n') },
    { 'main.tf': two + remote('  providers = { svc = svc.prod }\n') },
  ],
  [
    'the configuration of a provider of a module',
    { 'main.tf': two + remote('  providers = { svc = svc.dev }\n') },
    { 'main.tf': two.replace('"eu"', '"us"') + remote('  providers = { svc = svc.dev }\n') },
  ],
  [
    'what a local module is given',
    { ...child, 'main.tf': `module "m" {\n  source = "./m"\n  who = "a"\n}\n${policy('module.m.group')}` },
    { ...child, 'main.tf': `module "m" {\n  source = "./m"\n  who = "b"\n}\n${policy('module.m.group')}` },
  ],
]
test.each(other)('is another value: %s', (_, before, after) => {
  expect(symbols(before)).not.toEqual([])
  for (const symbol of symbols(after)) expect(symbols(before)).not.toContain(symbol)
})

describe('what functions read of files', () => {
  const main = { 'main.tf': policy('file("long.txt")') }
  const long = (end: string) => ({ 'long.txt': 'x'.repeat(300_000) + end })
  test('is one value where the file is the same, and another where it is not', () => {
    expect(symbols(main, {}, long('a'))).toHaveLength(1)
    expect(symbols(main, {}, long('a'))).toEqual(symbols(main, {}, long('a')))
    expect(symbols(main, {}, long('a'))).not.toEqual(symbols(main, {}, long('b')))
  })

  test('counts where a data source is asked with it', () => {
    const files = { 'main.tf': http('file("${path.module}/u.txt")') + fromHttp }
    expect(symbols(files, {}, { 'u.txt': 'a' })).not.toEqual(symbols(files, {}, { 'u.txt': 'b' }))
    expect(symbols(files, {}, { 'u.txt': 'a', 'v.txt': '' })).toEqual(symbols(files, {}, { 'u.txt': 'a' }))
  })
})
