import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { complete } from '../../src/editor/completion/complete.ts'
import { folding } from '../../src/editor/folding.ts'
import { hover } from '../../src/editor/hover.ts'
import { inlays } from '../../src/editor/inlays.ts'
import { lenses, resolveLens } from '../../src/editor/lenses.ts'
import { links } from '../../src/editor/links.ts'
import type { EditorFile, Workspace } from '../../src/editor/model.ts'
import { definition, references } from '../../src/editor/references.ts'
import { prepareRename, rename } from '../../src/editor/rename.ts'
import { documentSymbols, workspaceSymbols } from '../../src/editor/symbols.ts'
import type { DocumentSymbol, Place } from '../../src/editor/types.ts'
import { edited, inserted, marked, workspaceFrom } from '../support/editing.ts'

/** Each feature in each notation. A `|` in a text is the cursor. */

const world = readFileSync(new URL('../../examples/team/world.yaml', import.meta.url), 'utf8')
const guard = `name: guard
identities: [urn:v1:eu:identity:group:ab12-svc/*]
resources: [{urn: "urn:v1:eu:resource:*"}]
permissions: {deny: [{action: "vps:apisvc:terminate"}]}
`
const otherFiles = { 'world.yaml': world, 'guard.yaml': guard }
const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const everything = { start: 0, end: 1_000_000 }

/** The text after a completion, its places left empty. */
async function completed(path: string, text: string, label: string, fill = '') {
  const { workspace, file, offset } = await marked(path, text, otherFiles)
  const found = complete(workspace, file, offset)
  const chosen = found.find((each) => each.label === label)
  expect(chosen, `${label} among ${found.map((each) => each.label).slice(0, 12)}`).toBeDefined()
  return inserted(file.source.text, chosen as (typeof found)[number], fill).text
}

async function labels(path: string, text: string, others: Readonly<Record<string, string>> = otherFiles) {
  const { workspace, file, offset } = await marked(path, text, others)
  return complete(workspace, file, offset).map(({ label }) => label)
}

describe('completion', () => {
  test('of the head of a resource is found by an editor that filters by what is typed, behind its quote as well', async () => {
    for (const typed of ['res', 'resource "', 'resource "svc_iam']) {
      const { workspace, file, offset } = await marked('main.tf', `${typed}|`, otherFiles)
      const heads = complete(workspace, file, offset).filter(({ detail }) => detail === 'a new resource')
      expect(heads.map(({ filterText, range }) => [filterText.startsWith(typed), range])).toEqual(
        ['policy', 'permissions_group', 'resource_group'].map(() => [true, { start: 0, end: typed.length }]),
      )
    }
  })

  test.each([
    ['p.json', '{\n  "name": "x",\n  |\n}', 'identities', '{\n  "name": "x",\n  "identities": [\n    ""\n  ]\n}'],
    [
      'p.json',
      '{\n  "name": "x"\n  "id|"\n  "resources": []\n}',
      'description',
      '{\n  "name": "x",\n  "description": "",\n  "resources": []\n}',
    ],
    ['p.json', '{"identities": ["a" "urn|"]}', ann, `{"identities": ["a", "${ann}"]}`],
    ['p.json', '{"identities": [|"a"]}', ann, `{"identities": ["${ann}","a"]}`],
    ['p.json', '{"identities": ["ann|', ann, `{"identities": ["${ann}"`],
    ['p.json', '{"permissions": {"allow": [|]}}', 'vps:*', '{"permissions": {"allow": [{ "action": "vps:*" }]}}'],
    ['p.json', '{"permissions": {"allow": ["vps:|"]}}', 'vps:*', '{"permissions": {"allow": [{ "action": "vps:*" }]}}'],
    ['p.json', '{"name":|}', 'name', undefined],
    ['p.json', '{"conditions": {"operator":|}}', 'MATCH', '{"conditions": {"operator": "MATCH"}}'],
    ['p.json', '{"permissions": {"allow": [{"action": "vp|"}]}}', 'vps:apisvc:', '{"permissions": {"allow": [{"action": "vps:apisvc:"}]}}'],
    ['p.yaml', 'name: x\nid|\nresources: []\n', 'identities', 'name: x\nidentities:\n  - \nresources: []\n'],
    ['p.yaml', 'name: x\nidentities:\n  - |\nresources: []\n', ann, `name: x\nidentities:\n  - ${ann}\nresources: []\n`],
    ['p.yaml', 'name: x\nidentities:\n  |\n', ann, `name: x\nidentities:\n  - ${ann}\n`],
    ['p.yaml', 'name: x\nidentities: [a, an|]\n', ann, `name: x\nidentities: [a, ${ann}]\n`],
    ['p.yaml', 'name: x\npermissions:\n  |\n', 'deny', 'name: x\npermissions:\n  deny:\n    - action: \n'],
    ['p.yaml', 'name: x\npermissions:\n  allow:\n    - |\n', 'vps:*', 'name: x\npermissions:\n  allow:\n    - action: vps:*\n'],
    [
      'p.yaml',
      'name: x\npermissions:\n  allow:\n    - action: "vps:apisvc:sn|"\n',
      'vps:apisvc:snapshot/get',
      'name: x\npermissions:\n  allow:\n    - action: "vps:apisvc:snapshot/get"\n',
    ],
    ['p.yaml', 'name: x\nresources:\n  - urn: a\n  |\n', '- urn', 'name: x\nresources:\n  - urn: a\n  - urn: \n'],
    ['p.yaml', 'name: x\nexpiredAt: |\n', '2026-12-23T23:59:59Z', 'name: x\nexpiredAt: "2026-12-23T23:59:59Z"\n'],
    [
      'p.yaml',
      'conditions:\n  operator: MATCH\n  values:\n    |\n',
      'resource.Tag(env)',
      'conditions:\n  operator: MATCH\n  values:\n    resource.Tag(env): \n',
    ],
    [
      'p.yaml',
      'conditions:\n  operator: MATCH\n  values:\n    date.WeekDay.IN: Monday, |\n',
      'Tuesday',
      'conditions:\n  operator: MATCH\n  values:\n    date.WeekDay.IN: Monday, Tuesday\n',
    ],
    [
      'p.yaml',
      'conditions: {operator: MATCH, values: {resource.Tag(env): |}}\n',
      'prod',
      'conditions: {operator: MATCH, values: {resource.Tag(env): prod}}\n',
    ],
    [
      'p.yaml',
      'policies:\n  - name: a\n    |\n  - name: b\n',
      'resources',
      'policies:\n  - name: a\n    resources:\n      - urn: \n  - name: b\n',
    ],
    [
      'w.yaml',
      'resources:\n  - urn: urn:v1:eu:resource:vps:a\n    tags: {|}\n',
      'env',
      'resources:\n  - urn: urn:v1:eu:resource:vps:a\n    tags: {env: }\n',
    ],
    [
      'w.yaml',
      'identities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/zoe\n    groups: [|]\n',
      'urn:v1:eu:identity:group:ab12-svc/web',
      'identities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/zoe\n    groups: [urn:v1:eu:identity:group:ab12-svc/web]\n',
    ],
    ['main.tf', 'resource "svc_iam_policy" "a" {\n  |\n}\n', 'allow', 'resource "svc_iam_policy" "a" {\n  allow = [""]\n}\n'],
    [
      'main.tf',
      'resource "svc_iam_policy" "a" {\n  allow = ["vps:|"]\n}\n',
      'vps:*',
      'resource "svc_iam_policy" "a" {\n  allow = ["vps:*"]\n}\n',
    ],
    [
      'main.tf',
      'resource "svc_iam_policy" "a" {\n  identities = [|]\n}\n',
      ann,
      `resource "svc_iam_policy" "a" {\n  identities = ["${ann}"]\n}\n`,
    ],
    [
      'main.tf',
      'resource "svc_iam_policy" "a" {\n  conditions {\n    |\n  }\n}\n',
      'operator',
      'resource "svc_iam_policy" "a" {\n  conditions {\n    operator = "MATCH"\n  }\n}\n',
    ],
    [
      'main.tf',
      'res|',
      'resource "svc_iam_resource_group"',
      'resource "svc_iam_resource_group" "" {\n  name      = ""\n  resources = [""]\n}',
    ],
    [
      'main.tf',
      'resource "svc_iam|',
      'resource "svc_iam_resource_group"',
      'resource "svc_iam_resource_group" "" {\n  name      = ""\n  resources = [""]\n}',
    ],
    ['.grantwise.yaml', 'rules:\n  |\n', 'expires-soon', 'rules:\n  expires-soon: off\n'],
    ['.grantwise.yaml', 'rules:\n  expires-soon: |\n', 'error', 'rules:\n  expires-soon: error\n'],
    ['.grantwise.yaml', 'rules:\n  expires-soon: [warning, {|}]\n', 'days', 'rules:\n  expires-soon: [warning, {days: }]\n'],
    ['.grantwise.json', '{"failOn": "|"}', 'never', '{"failOn": "never"}'],
    ['.grantwise.yaml', 'ignores:\n  - policy: |\n', 'guard', 'ignores:\n  - policy: guard\n'],
    ['.grantwise.yaml', 'world: |\n', 'world.yaml', 'world: world.yaml\n'],
    ['a.iamtest.yaml', 'tests:\n  - name: x\n    expect: |\n', 'deny', 'tests:\n  - name: x\n    expect: deny\n'],
    ['a.iamtest.yaml', 'tests:\n  - name: x\n    because: [|]\n', 'guard', 'tests:\n  - name: x\n    because: [guard]\n'],
    ['a.iamtest.yaml', 'allow:\n  - identities: |\n', ann, `allow:\n  - identities: ${ann}\n`],
    ['doc.md', '> ```yaml\n> name: x\n> |\n> ```\n', 'resources', '> ```yaml\n> name: x\n> resources:\n>   - urn: \n> ```\n'],
    [
      'doc.md',
      '```json\n{"permissions": {"deny": [{"action": "|"}]}}\n```\n',
      'vps:*',
      '```json\n{"permissions": {"deny": [{"action": "vps:*"}]}}\n```\n',
    ],
    ['p.yaml', 'name: x\nidentities:\n  - urn:v1:|\n', ann, `name: x\nidentities:\n  - ${ann}\n`],
    ['p.yaml', 'name: x\nidentities:\n  - urn:v1:|\n  - a\n', ann, `name: x\nidentities:\n  - ${ann}\n  - a\n`],
    ['p.yaml', 'name: x\nresources:\n  - urn: urn:v1:|\n', 'urn:v1:ca:resource:', 'name: x\nresources:\n  - urn: urn:v1:ca:resource:\n'],
    ['main.tf.json', '{"resource": {"svc_iam_policy": {"a": {"|"}}}}', 'name', '{"resource": {"svc_iam_policy": {"a": {"name": ""}}}}'],
    [
      'main.tf.json',
      '{"resource": {"svc_iam_policy": {"a": [{"allow": ["vps:|"]}]}}}',
      'vps:*',
      '{"resource": {"svc_iam_policy": {"a": [{"allow": ["vps:*"]}]}}}',
    ],
    [
      'main.tf.json',
      '{"resource": {"svc_iam_policy": {"a": {"conditions": [{"condition": {"operator": "|"}}]}}}}',
      'OR',
      '{"resource": {"svc_iam_policy": {"a": {"conditions": [{"condition": {"operator": "OR"}}]}}}}',
    ],
    ['used.actions', 'vps:apisvc:get\nvps:snapget|\n', 'vps:apisvc:snapshot/get', 'vps:apisvc:get\nvps:apisvc:snapshot/get\n'],
    ['access-rules', '# mine\n|', 'DELETE', '# mine\nDELETE '],
    ['access-rules', 'GET /vps/order|/x\n', '/vps/*', 'GET /vps/*\n'],
    ['access-rules', 'GET /vps/*/auto|\n', '/vps/*/automatedBackup', 'GET /vps/*/automatedBackup\n'],
    [
      'key.json',
      '{"accessRules": [{"path": "/vps/vps-1/|", "method": "POST"}]}',
      '/vps/vps-1/reboot',
      '{"accessRules": [{"path": "/vps/vps-1/reboot", "method": "POST"}]}',
    ],
    ['key.json', '{"accessRules": [{"path": "/vps/vps-1/|", "method": "GET"}]}', '/vps/vps-1/reboot', undefined],
    [
      'key.json',
      '{"accessRules": [{"method": "POST", "path": "/vps/*/re|"}]}',
      '/vps/*/reboot',
      '{"accessRules": [{"method": "POST", "path": "/vps/*/reboot"}]}',
    ],
    ['doc.md', '<!-- grantwise-ignore expires-so| -->\n', 'expires-soon', '<!-- grantwise-ignore expires-soon: reason -->\n'],
    ['.grantwise.yaml', 'ignores:\n  - files: |\n', 'guard.yaml', 'ignores:\n  - files: guard.yaml\n'],
    ['p.yaml', 'conditions:\n  operator: MATCH\n  values:\n    |\n', 'policy', undefined],
    ['p.yaml', '# grantwise-ignore expires-so|\nname: x\n', 'expires-soon', '# grantwise-ignore expires-soon: reason\nname: x\n'],
  ])('%s %j: %s', async (path, text, label, after) => {
    if (after === undefined) expect(await labels(path, text)).not.toContain(label)
    else expect(await completed(path, text, label)).toBe(after)
  })

  test('a whole policy, where a file or an item begins', async () => {
    const policy = await completed('p.json', '|', 'policy', 'x')
    expect(JSON.parse(policy)).toEqual({
      name: 'x',
      identities: ['x'],
      resources: [{ urn: 'x' }],
      permissions: { allow: [{ action: 'x' }] },
    })
    expect(await completed('p.yaml', '|', 'policy', 'x')).toBe(
      'name: x\nidentities:\n  - x\nresources:\n  - urn: x\npermissions:\n  allow:\n    - action: x',
    )
    expect(await completed('p.yaml', 'policies:\n  - |\n', 'policy', 'x')).toBe(
      'policies:\n  - name: x\n    identities:\n      - x\n    resources:\n      - urn: x\n    permissions:\n      allow:\n        - action: x\n',
    )
  })

  test('required fields come first, and none that is there, or that the service writes', async () => {
    const found = await labels('p.yaml', 'name: x\n|')
    expect(found.slice(0, 2)).toEqual(['identities', 'resources'])
    for (const field of ['name', 'readOnly', '$schema']) expect(found).not.toContain(field)
  })

  test('actions by product, by segment and by letters', async () => {
    const line = (typed: string) => `permissions:\n  allow:\n    - action: ${typed}|\n`
    expect(await labels('p.yaml', line(''))).toContain('vps:apisvc:')
    const segments = await labels('p.yaml', line('vps:apisvc:'))
    expect(segments).toEqual(
      expect.arrayContaining(['vps:apisvc:*', 'vps:apisvc:reboot', 'vps:apisvc:snapshot/*', 'vps:apisvc:snapshot/get']),
    )
    expect(await labels('p.yaml', line('vpsreb'))).toContain('vps:apisvc:reboot')
    expect(await labels('p.yaml', line('vps:snapget'))).toContain('vps:apisvc:snapshot/get')
  })

  test('no fields in comments, descriptions, expressions and files of others', async () => {
    expect(await labels('p.yaml', '# a |\nname: x\n')).toEqual([])
    expect(await labels('p.yaml', 'name: x\ndescription: a |\n')).toEqual([])
    expect(await labels('main.tf', 'resource "svc_iam_policy" "a" {\n  name = "${var.|}"\n}\n')).toEqual([])
    expect(await labels('main.tf', 'resource "other" "a" {\n  |\n}\n')).toEqual([])
    expect(await labels('crossplane.yaml', 'apiVersion: iam.svc.example/v1\nkind: Policy\n|')).toEqual([])
  })
})

describe('hover', () => {
  const policy = (rest: string) => `name: x\nidentities: [${ann}]\nresources: [{urn: "urn:v1:eu:resource:vps:vps-1.example.net"}]\n${rest}`
  test.each([
    [
      'p.yaml',
      policy('permissions:\n  allow:\n    - action: vps|:*\n'),
      [/\*\*79 actions\*\*/, /\*\*Sensitive\*\* \(\d+\)[\s\S]*password[\s\S]*\*\*Others\*\*/],
    ],
    [
      'p.yaml',
      policy('permissions:\n  allow:\n    - action: vps:apisvc:term|inate\n'),
      [/destruction/, /\*\*Denied\*\* by `guard`/, /POST \/v1\/vps\/\{serviceName\}\/terminate/],
    ],
    ['p.json', '{"permissions": {"allow": [{"action": "vps:apisvc:re|bot"}]}}', [/did you mean `vps:apisvc:reboot`/]],
    [
      'p.yaml',
      policy('').replace('/ann', '/a|nn'),
      [/\*\*User\*\* `user\/ann`/, /In `group\/leads`, `group\/web`/, /guard\*\*: is denied/],
    ],
    ['p.yaml', `identities: [urn:v1:eu:identity:group:ab12-svc/w|eb]`, [/Members \(2\): `user\/ann`, `user\/bob`/]],
    ['p.yaml', policy('').replace('vps-1', 'vps|-1'), [/\*\*Resource\*\* `vps:vps-1\.example\.net`/, /Tags not described/]],
    ['p.yaml', 'resources: [{urn: "urn:v1:eu:resource:web|Hosting:*"}]', [/Pattern over resources: 3 described resources/]],
    [
      'p.yaml',
      'name: x\nresources:\n  - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d|2c11\n',
      [/`customer websites`/, /Members \(3\)/],
    ],
    [
      'p.yaml',
      'name: x\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:server|-care\n',
      [/allow: `vps:\*` \(79 actions\)/],
    ],
    ['p.yaml', policy('expiredAt: "2026-12-05T|00:00:00Z"'), [/expires in 12 days, Sat 2026-12-05 00:00 UTC/]],
    ['p.yaml', policy('expiredAt: "2026-11-20T|00:00:00Z"'), [/expired 3 days ago, Fri 2026-11-20 00:00 UTC/]],
    [
      'p.yaml',
      policy(
        'permissions: {}\nconditions:\n  operator: MATCH\n  values:\n    date(Europe/Paris).Hour.GE: "|8"\n    date(Europe/Paris).Hour.LT: "18"\n',
      ),
      [/daily 08:00–18:00 Europe\/Paris/],
    ],
    ['p.yaml', 'iden|tities: []\nname: x', [/\*\*identities\*\* \(required\)/]],
    ['p.yaml', '# grantwise-ignore expires-|soon: later\nname: x', [/A policy that expires soon/]],
    [
      'main.tf',
      'locals {\n  account = "ab12-svc"\n}\nresource "svc_iam_policy" "a" {\n  name       = "a"\n  identities = ["urn:v1:eu:identity:user:${local.account}/a|nn"]\n  resources  = ["urn:v1:eu:resource:vps:*"]\n  allow      = ["vps:*"]\n}\n',
      [/user:ab12-svc\/ann/, /group\/leads/],
    ],
    ['main.tf', 'resource "svc_iam_policy" "a" {\n  allow = ["vps|:*"]\n}\n', [/\*\*79 actions\*\*/]],
    [
      '.grantwise.yaml',
      'rules:\n  expires-soon: war|ning\n',
      [/A policy that expires soon/, /https:\/\/docs\.example\/rules\/expires-soon\.md/],
    ],
    ['a.iamtest.yaml', 'tests:\n  - because: [gu|ard]\n', [/\*\*Policy\*\*/, /denies `vps:apisvc:terminate`/]],
    ['doc.md', 'text\n\n```yaml\nidentities: [urn:v1:eu:identity:group:ab12-svc/w|eb]\n```\n', [/\*\*Group\*\*/]],
    ['doc.md', 'text\n\n<!-- grantwise-ignore expires-|soon: later -->\n\n```yaml\nname: x\n```\n', [/A policy that expires soon/]],
    [
      'main.tf.json',
      '{"resource": {"svc_iam_policy": {"a": {"name": "a", "identities": ["urn:v1:eu:identity:user:ab12-svc/a|nn"], "resources": ["urn:v1:eu:resource:vps:*"], "allow": ["vps:*"]}}}}',
      [/user\/ann/, /group\/leads/, /\*\*a\*\*: may/],
    ],
    ['main.tf.json', '{"resource": {"svc_iam_policy": {"a": {"allow": ["vps|:*"]}}}}', [/\*\*79 actions\*\*/]],
    ['used.actions', 'vps|:*\n', [/\*\*79 actions\*\*/]],
    [
      'access-rules',
      'POST /vps/*/reb|oot # nightly\n',
      [/Opens 1 operation\*\*[\s\S]*POST \/v1\/vps\/\{serviceName\}\/reboot/, /too: `vps:apisvc:reboot`/],
    ],
    ['key.yaml', 'accessRules:\n  - method: POST\n    path: /vps/*/reb|oot\n', [/Opens 1 operation\*\*/]],
    ['key.json', '{"accessRules": [{"method": "GET", "path": "/no|thing"}]}', [/Opens no known operation/]],
  ])('%s %j', async (path, text, patterns) => {
    const { workspace, file, offset } = await marked(path, text, otherFiles)
    const found = hover(workspace, file, offset)
    for (const pattern of patterns) expect(found?.markdown).toMatch(pattern)
    expect(found && found.range.start <= offset && offset <= found.range.end).toBe(true)
  })

  test('nothing is said of nothing', async () => {
    for (const text of ['name: x\n\n|', 'description: te|xt\nname: x', '|']) {
      const { workspace, file, offset } = await marked('p.yaml', text)
      expect(hover(workspace, file, offset)).toBeUndefined()
    }
  })

  test('names of the user cannot write Markdown', async () => {
    const name = '**[x](https://evil.example)** `y`'
    const { workspace, file, offset } = await marked(
      'p.yaml',
      `name: ${JSON.stringify(name)}\nidentities: [${ann.replace('ann', 'an|n')}]\nresources: []\npermissions: {allow: []}\n`,
    )
    expect(hover(workspace, file, offset)?.markdown).not.toContain('](https')
  })
})

const textAt = ({ files }: Workspace, { path, start, end }: Place) => files.get(path)?.source.text.slice(start, end)

describe('definition and references', () => {
  test.each([
    ['p.yaml', `identities: [${ann.replace('ann', 'a|nn')}]`, ['world.yaml']],
    ['p.json', `{"identities": ["${ann.replace('ann', 'a|nn')}"]}`, ['world.yaml']],
    ['p.yaml', 'identities: [urn:v1:eu:identity:group:ab12-svc/w|eb]', ['world.yaml', 'world.yaml']],
    ['p.yaml', 'resources: [{urn: "urn:v1:eu:resource:web|Hosting:*"}]', ['world.yaml', 'world.yaml', 'world.yaml']],
    ['p.yaml', 'name: x\nresources: [{urn: "urn:v1:eu:resourceGroup:4f0c|8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11"}]', ['world.yaml']],
    ['p.yaml', 'name: x\npermissionsGroups: [{urn: "urn:v1:eu:permissionsGroup:ab12-svc:ser|ver-care"}]', ['world.yaml']],
    ['a.iamtest.yaml', 'tests:\n  - because: [gu|ard]', ['guard.yaml']],
    ['.grantwise.yaml', 'ignores:\n  - policy: gu|ard', ['guard.yaml']],
    ['.grantwise.yaml', 'world: [world|.yaml]', ['world.yaml']],
    ['main.tf', 'resource "svc_iam_policy" "a" {\n  identities = ["urn:v1:eu:identity:user:ab12-svc/a|nn"]\n}\n', ['world.yaml']],
    ['main.tf', 'locals {\n  account = "x"\n}\nresource "svc_iam_policy" "a" {\n  name = "${local.acc|ount}"\n}\n', ['main.tf']],
    ['main.tf', 'variable "group" {}\nresource "svc_iam_policy" "a" {\n  identities = [var.gro|up]\n}\n', ['main.tf']],
    [
      'main.tf',
      'resource "svc_iam_resource_group" "web" {\n  name = "web"\n}\nresource "svc_iam_policy" "a" {\n  resources = [svc_iam_resource_group.w|eb.urn]\n}\n',
      ['main.tf'],
    ],
  ])('%s %j', async (path, text, paths) => {
    const { workspace, file, offset } = await marked(path, text, otherFiles)
    const found = definition(workspace, file, offset)
    expect(found.map((each) => each.path)).toEqual(paths)
    for (const place of found) {
      if (place.end === 0) continue
      const own = workspace.files.get(place.path) as EditorFile
      expect(
        references(workspace, own, place.start).some(({ path: at, start, end }) => at === path && start <= offset && offset <= end),
      ).toBe(true)
    }
  })

  test('modules lead to their folders, and what they give to their outputs', async () => {
    const files = { 'modules/team/main.tf': 'output "urn" {\n  value = 1\n}\n', 'modules/team/variables.tf': '' }
    const call = 'module "team" {\n  source = "./modules/team"\n}\nresource "svc_iam_policy" "a" {\n  resources = [module.team.urn]\n}\n'
    const at = async (mark: string) => {
      const { workspace, file, offset } = await marked('main.tf', call.replace(mark, `${mark}|`), files)
      return definition(workspace, file, offset).map((place) => [place.path, textAt(workspace, place)])
    }
    expect(await at('./modules')).toEqual([['modules/team/main.tf', '']])
    expect(await at('module.team.u')).toEqual([['modules/team/main.tf', 'urn']])
  })

  test('patterns that match it are references', async () => {
    const text = world.replace('ab12-svc/operations', 'ab12-svc/oper|ations')
    const { workspace, file, offset } = await marked('world.yaml', text, { 'guard.yaml': guard })
    expect(references(workspace, file, offset).map((place) => textAt(workspace, place))).toEqual([
      'urn:v1:eu:identity:group:ab12-svc/operations',
      'urn:v1:eu:identity:group:ab12-svc/*',
    ])
  })
})

describe('rename', () => {
  test('an identity in all files and notations, with the layout of each', async () => {
    const others = {
      'p.json': `{"identities": ["${ann}"]}`,
      'a.iamtest.yaml': `tests:\n  - identity: '${ann}' # who\n`,
      'main.tf':
        'locals {\n  account = "ab12-svc"\n}\nresource "svc_iam_policy" "a" {\n  name       = "a"\n  identities = ["urn:v1:eu:identity:user:${local.account}/ann", "urn:v1:eu:identity:user:ab12-svc/ann"]\n  resources  = ["urn:v1:eu:resource:vps:*"]\n  allow      = ["vps:*"]\n}\n',
      'doc.md': `\`\`\`yaml\nidentities: [${ann}]\n\`\`\`\n`,
    }
    const { workspace, file, offset } = await marked('world.yaml', world.replace('/ann', '/an|n'), others)
    expect(prepareRename(workspace, file, offset)).toEqual({ name: 'ann', range: expect.anything() })
    const { edits } = rename(workspace, file, offset, 'anna')
    expect([...(edits ?? [])].map(([path]) => path).sort()).toEqual(['a.iamtest.yaml', 'main.tf', 'p.json', 'world.yaml'])
    const result = (path: string) => edited(workspace.files.get(path)?.source.text as string, edits?.get(path) ?? [])
    expect(result('p.json')).toBe(`{"identities": ["${ann}a"]}`)
    expect(result('a.iamtest.yaml')).toBe(`tests:\n  - identity: '${ann}a' # who\n`)
    expect(result('main.tf')).toBe(others['main.tf'].replaceAll('/ann', '/anna'))
  })

  test.each([
    ['guard', 'the guard', { 'guard.yaml': 'name: the guard\n', 'a.iamtest.yaml': 'because: [the guard]' }],
    ['server-care', 'care', { 'world.yaml': 'permissionsGroup:ab12-svc:care\n' }],
    ['4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11', 'websites', { 'world.yaml': 'resourceGroup:websites\n' }],
    ['ab12-svc/web', 'developers', { 'world.yaml': 'ab12-svc/leads, urn:v1:eu:identity:group:ab12-svc/developers]' }],
  ])('%s becomes %s', async (name, to, expected) => {
    const files = { ...otherFiles, 'a.iamtest.yaml': 'tests:\n  - name: t\n    because: [guard]\n' }
    const workspace = await workspaceFrom(files)
    const file = [...workspace.files.values()].find(({ source }) => source.text.includes(name)) as EditorFile
    const { edits, error } = rename(workspace, file, file.source.text.indexOf(name) + 1, to)
    expect(error).toBeUndefined()
    for (const [path, part] of Object.entries(expected))
      expect(edited(workspace.files.get(path)?.source.text as string, edits?.get(path) ?? [])).toContain(part)
  })

  test.each([
    ['urn:v1:eu:identity:user:ab12-svc/an|n', 'bob', /already exists/],
    ['urn:v1:eu:identity:user:ab12-svc/an|n', 'a*', /is not a name/],
    ['urn:v1:eu:identity:user:ab12-svc/an|n', '', /is not a name/],
    ['urn:v1:eu:identity:user:ab12-svc/an|n', 'x\u202e', /not seen/],
    ['urn:v1:eu:identity:user:ab12-svc/an|n', 'urn:v1:eu:identity:user:cd34-svc/ann', /another region or account/],
    ['urn:v1:eu:identity:user:ab12-svc/an|n', 'ann', /its name already/],
    ['urn:v1:eu:identity:account:ab12|-svc', 'other', /an account is part/],
    ['urn:v1:eu:identity:credential:ab12-svc/oauth|2-0123456789abcdef', 'robot', /is not a service account/],
    ['urn:v1:eu:identity:group:ab12-svc/te|am-a', 'others', /no longer match/],
    ['urn:v1:eu:identity:group:ab12-svc/w|eb', 'team-web', /would match it/],
    ['urn:v1:eu:identity:group:ab12-svc/team-|*', 'x', /a pattern/],
  ])('%s to %j is refused', async (urn, to, reason) => {
    const text = `name: x\nidentities:\n  - ${urn}\n  - urn:v1:eu:identity:group:ab12-svc/team-*\n`
    const { workspace, file, offset } = await marked('p.yaml', text, { 'world.yaml': world })
    expect(rename(workspace, file, offset, to).error).toMatch(reason)
  })

  test('a name in a page is renamed only in that page: its policies are a world of their own', async () => {
    const page = `\`\`\`yaml\nidentities: [${ann}]\n\`\`\`\n`
    const { workspace, file, offset } = await marked('doc.md', page.replace('/ann', '/an|n'), { 'world.yaml': world, 'other.md': page })
    const { edits, error } = rename(workspace, file, offset, 'anna')
    expect(error).toBeUndefined()
    expect([...(edits?.keys() ?? [])]).toEqual(['doc.md'])
  })

  test('a file that may name it and was not wholly read is in the way', async () => {
    const { workspace, file, offset } = await marked('world.yaml', world.replace('/ann', '/an|n'), {
      'p.json': `{"identities": ["${ann}",`,
    })
    expect(rename(workspace, file, offset, 'anna').error).toMatch(/^p\.json may name it, and was read only in part/)
  })

  test('resources and actions keep their names', async () => {
    const { workspace, file, offset } = await marked('p.yaml', 'resources: [{urn: "urn:v1:eu:resource:vps:vp|s-1"}]')
    expect(prepareRename(workspace, file, offset).error).toMatch(/resource keeps the name/)
  })
})

describe('what a file shows by itself', () => {
  const policy = `name: x
identities: [urn:v1:eu:identity:group:ab12-svc/web]
resources: [{urn: "urn:v1:eu:resource:vps:vps-1.example.net"}]
permissions:
  allow:
    - action: vps:apisvc:terminate
    - action: vps:*
expiredAt: "2026-12-05T00:00:00Z"
`
  const outline = (symbols: readonly DocumentSymbol[]): unknown =>
    symbols.map(({ name, kind, children }) => [`${kind} ${name}`, ...(children.length > 0 ? [outline(children)] : [])])

  test('inlays', async () => {
    const workspace = await workspaceFrom({ ...otherFiles, 'p.yaml': policy })
    const file = workspace.files.get('p.yaml') as EditorFile
    const found = inlays(workspace, file, everything)
    expect(found.map(({ at, text }) => [policy.slice(policy.lastIndexOf('\n', at - 1) + 1, at).trim(), text])).toEqual([
      ['- action: vps:apisvc:terminate', 'denied by guard'],
      ['- action: vps:*', '79 actions'],
      ['expiredAt: "2026-12-05T00:00:00Z"', 'expires in 12 days'],
    ])
    expect(inlays(workspace, file, { start: 0, end: 10 })).toEqual([])
  })

  test('an allow is denied only by what denies all of it', async () => {
    const inlayed = async (other: string) => {
      const workspace = await workspaceFrom({ ...otherFiles, 'guard.yaml': other, 'p.yaml': policy })
      return inlays(workspace, workspace.files.get('p.yaml') as EditorFile, everything).some(({ text }) => text.includes('denied'))
    }
    expect(await inlayed(guard)).toBe(true)
    expect(await inlayed(guard.replace('ab12-svc/*', 'ab12-svc/other'))).toBe(false)
    expect(await inlayed(guard.replace('eu:resource:*', 'eu:resource:vps:vps-2.example.net'))).toBe(false)
    expect(await inlayed(`${guard}expiredAt: "2026-12-01T00:00:00Z"\n`)).toBe(false)
    expect(await inlayed(`${guard}conditions: {operator: MATCH, values: {date.WeekDay: Monday}}\n`)).toBe(false)
  })

  test('lenses: who can use it, and what the edit grants', async () => {
    const workspace = await workspaceFrom({ ...otherFiles, 'p.yaml': policy }, { 'p.yaml': policy.replace('    - action: vps:*\n', '') })
    const file = workspace.files.get('p.yaml') as EditorFile
    const found = lenses(workspace, file)
    expect(found.map(({ title }) => title)).toEqual(['what this edit grants', 'who can use this: 1 group (2 described members)'])
    const [grants, who] = await Promise.all(found.map((lens) => resolveLens(workspace, file, lens)))
    expect(grants?.markdown).toMatch(/gained[\s\S]*group\/web|web[\s\S]*vps/)
    expect(who?.markdown).toMatch(/user\/ann, user\/bob/)
    const same = await workspaceFrom({ 'p.yaml': policy }, { 'p.yaml': policy })
    expect(lenses(same, same.files.get('p.yaml') as EditorFile).map(({ kind }) => kind)).toEqual(['who'])
  })

  test('links to pages of rules and to files', async () => {
    const workspace = await workspaceFrom({
      ...otherFiles,
      '.grantwise.yaml': 'world: world.yaml\nrules:\n  expires-soon: off\n  nonsense: off\n',
      'p.yaml': `# grantwise-ignore expires-soon, unknown-action: later\n${policy}`,
    })
    const linked = (path: string) =>
      links(workspace, workspace.files.get(path) as EditorFile).map(({ range, target }) => [
        workspace.files.get(path)?.source.text.slice(range.start, range.end),
        target,
      ])
    expect(linked('.grantwise.yaml')).toEqual([
      ['world.yaml', { path: 'world.yaml' }],
      ['expires-soon', { url: 'https://docs.example/rules/expires-soon.md' }],
    ])
    expect(linked('p.yaml').map(([code]) => code)).toEqual(['expires-soon', 'unknown-action'])
  })

  test('outlines', async () => {
    const workspace = await workspaceFrom({
      ...otherFiles,
      'list.json': '[{"name": "a", "identities": []}, {"name": "b", "identities": []}]',
      'main.tf': 'resource "svc_iam_policy" "a" {\n  name = "x"\n}\nmodule "m" {\n  source = "./m"\n}\n',
      'a.iamtest.yaml': 'tests:\n  - name: t\n    expect: allow\n',
    })
    const of = (path: string) => outline(documentSymbols(workspace.files.get(path) as EditorFile))
    expect(of('list.json')).toEqual([
      ['policy a', [['field name'], ['list identities']]],
      ['policy b', [['field name'], ['list identities']]],
    ])
    expect(of('main.tf')).toEqual([
      ['policy svc_iam_policy.a', [['field name']]],
      ['module m', [['field source']]],
    ])
    expect(of('a.iamtest.yaml')).toEqual([['list tests', [['test t', [['field name'], ['field expect']]]]]])
    expect(of('guard.yaml')).toMatchObject([
      ['policy guard', [['field name'], ['list identities', [['text urn:v1:eu:identity:group:ab12-svc/*']]], {}, {}]],
    ])
    expect(workspaceSymbols(workspace, 'grd').map(({ name, place }) => [name, place.path])).toEqual([['guard', 'guard.yaml']])
    expect(workspaceSymbols(workspace, 'vps-1').map(({ name }) => name)).toEqual(['urn:v1:eu:resource:vps:vps-1.example.net'])
  })

  test('folds', async () => {
    const text = '# one\n# two\nname: x\npermissions:\n  allow:\n    - action: a\n    - action: b\ndescription: one line\n'
    const workspace = await workspaceFrom({ 'p.yaml': text })
    const file = workspace.files.get('p.yaml') as EditorFile
    expect(folding(file).map(({ start, end, kind }) => [kind, text.slice(start, end).split('\n')[0]])).toEqual([
      ['region', 'name: x'],
      ['region', 'permissions:'],
      ['region', 'allow:'],
      ['comment', '# one'],
    ])
  })
})
