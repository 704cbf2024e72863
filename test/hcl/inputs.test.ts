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
function symbols(files: Readonly<Record<string, string>>, more: Partial<Settings> = {}, otherFiles: Readonly<Record<string, string>> = {}) {
  const { found } = configuration(files, 'svc', toolsWith(otherFiles), more)
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

/** Files that two configurations share: pairs of files of which only those on the right differ from those on the left. */
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
    { 'main.tf': `${remote('  x = local.x\n')}locals {\n  x = 1\n}\n` },
    { 'main.tf': `${remote('  x = local.x\n')}locals {\n  x = 2\n}\n` },
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

  test.each([
    ['its own', 'filename = "u.txt"', ''],
    ['of a local', 'filename = local.u', 'locals {\n  u = "u.txt"\n}\n'],
    ['of a default', 'filename = var.u', 'variable "u" {\n  default = "u.txt"\n}\n'],
    ['of a list of a local', 'filename = local.u[0]', 'locals {\n  u = ["u.txt"]\n}\n'],
  ])('counts where a data source reads it by a text: %s', (_, argument, more) => {
    const files = { 'main.tf': `data "local_file" "a" {\n  ${argument}\n}\n${more}${policy('data.local_file.a.content')}` }
    expect(symbols(files, {}, { 'u.txt': 'a' })).not.toEqual([])
    expect(symbols(files, {}, { 'u.txt': 'a' })).not.toEqual(symbols(files, {}, { 'u.txt': 'b' }))
    expect(symbols(files, {}, { 'u.txt': 'a', 'v.txt': '' })).toEqual(symbols(files, {}, { 'u.txt': 'a' }))
  })
})

describe('a value that only a file gives which no option names', () => {
  const asks = { 'main.tf': `variable "x" {}\n${policy('var.x')}` }
  const symbol = (otherFiles: Record<string, string>, files: Record<string, string> = asks) => symbols(files, {}, otherFiles)

  test.each(['prod.tfvars', 'vars/prod.tfvars', 'prod.tfvars.json', 'terragrunt.hcl', 'prod/terragrunt.hcl'])(
    'is another one with it: %s',
    (name) => {
      const text = (value: string) =>
        name.endsWith('.json') ? `{"x": "${value}"}` : name.endsWith('.hcl') ? `inputs = { x = "${value}" }` : `x = "${value}"`
      expect(symbol({ [name]: text('a') })).not.toEqual(symbol({ [name]: text('b') }))
      expect(symbol({ [name]: text('a') })).not.toEqual(symbol({}))
    },
  )

  test('is the same one where the file says something else of others, or is elsewhere', () => {
    expect(symbol({ 'prod.tfvars': 'x = "a"' })).toEqual(symbol({ 'prod.tfvars': '# who\nx = "a"\nsize = 3\n' }))
    expect(symbol({ 'prod.tfvars': 'size = 3' })).toEqual(symbol({}))
    expect(symbol({ 'prod.txt': 'x = "a"' })).toEqual(symbol({}))
    // A file that is read as it is counts by its values.
    expect(symbol({ 'terraform.tfvars': 'x = "a"', 'a.auto.tfvars': 'x = "b"' })).toEqual(symbol({}))
  })

  test('is another one with the data that inputs of Terragrunt read, next to its file or above it', () => {
    const read = { 'live/prod/terragrunt.hcl': 'inputs = { x = yamldecode(file(find_in_parent_folders("team.yaml"))).x }' }
    for (const path of ['live/prod/team.yaml', 'live/team.yaml', 'team.yaml'])
      expect(symbol({ ...read, [path]: 'x: a' })).not.toEqual(symbol({ ...read, [path]: 'x: b' }))
    expect(symbol({ ...read, 'other/team.yaml': 'x: a' })).toEqual(symbol({ ...read, 'other/team.yaml': 'x: b' }))
  })

  test('is another one with a file that cannot be understood', () =>
    expect(symbol({ 'prod.tfvars': 'x = [' })).not.toEqual(symbol({ 'prod.tfvars': 'x = ]' })))
})

describe('a list of which changes are not applied', () => {
  const kept = (lifecycle: string, identity = '"urn:v1:eu:identity:user:ab12-svc/ann"') =>
    symbols({ 'main.tf': policy(identity).replace('}\n', `  lifecycle {\n    ${lifecycle}\n  }\n}\n`) })

  test.each(['ignore_changes = [identities]', 'ignore_changes = [name, identities[0]]', 'ignore_changes = ["identities"]'])(
    'is not known: %s',
    (text) => {
      expect(kept(text)).toEqual([expect.stringContaining('svc_iam_policy.a.identities')])
      expect(kept(text, '"urn:v1:eu:identity:user:ab12-svc/bob"')).toEqual(kept(text))
    },
  )

  test('is every one with `all`, and none where others are named', () => {
    expect(kept('ignore_changes = all')).toHaveLength(3)
    expect(kept('ignore_changes = [name, description]')).toEqual([])
    expect(kept('prevent_destroy = true')).toEqual([])
  })

  test('is not known in JSON as well', () => {
    const body = {
      name: 'a',
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [],
      lifecycle: { ignore_changes: ['identities'] },
    }
    expect(symbols({ 'main.tf.json': JSON.stringify({ resource: { svc_iam_policy: { a: body } } }) })).toEqual([
      expect.stringContaining('svc_iam_policy.a.identities'),
    ])
  })
})

test('a resource that is made where a value of OpenTofu says so is made perhaps', () => {
  const text = `variable "on" {}\n${policy('').replace('}\n', '  lifecycle {\n    enabled = var.on\n  }\n}\n')}`
  const [found] = [...configuration({ 'main.tf': text }).found.values()].flat()
  expect(found?.node.perhaps?.map(({ expression }) => expression)).toEqual(['var.on'])
})

test.each([
  ['variable "x" {\n  default = 1\n}\n', 1],
  ['locals {\n  x = 1\n}\n', 0],
])('where not all files were looked for that may give values, claims depend on it: %s', (text, count) => {
  const tools = toolsWith()
  const around = () => ({ files: [], configured: new Set<string>(), isCut: true as const })
  const cut = { ...tools, ...(tools.files && { files: { ...tools.files, around } }) }
  const { assumptions } = configuration({ 'main.tf': text }, 'svc', cut)
  expect(assumptions.filter(({ kind, matters }) => kind === 'search' && matters)).toHaveLength(count)
})
