import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { editorHost } from '../../src/cli/live/editor-host.ts'
import { Analysis } from '../../src/lsp/analysis.ts'
import { usualSettings } from '../../src/lsp/settings.ts'
import { ioIn, mainIn } from '../support/in-process.ts'

const folders: string[] = []
afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })))

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-guardrails-')))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

interface Found {
  readonly code: string
  readonly severity: string
  readonly file: string
  readonly line: number
  readonly message: string
}

const findingsIn = async (folder: string, args: readonly string[] = []): Promise<readonly Found[]> => {
  const { stdout, stderr } = await mainIn(['lint', '--format', 'json', ...args], folder)
  if (stderr.startsWith('grantwise:')) throw new Error(stderr)
  return JSON.parse(stdout).findings
}
const said = (found: readonly Found[]) =>
  found.filter(({ code }) => code.includes('/')).map(({ severity, file, line, message }) => `${file}:${line} ${severity} ${message}`)

/** Findings that an editor shows in the files of a folder. */
const shownIn = async (folder: string): Promise<readonly string[]> => {
  const analysis = new Analysis(editorHost(ioIn(folder, {}).io))
  analysis.setUp('utf-16', [{ root: folder, settings: usualSettings }])
  const report = await analysis.lint()
  return (report?.files ?? []).flatMap(({ uri, found }) =>
    found.map(({ code, shown }) => `${uri.slice(pathToFileURL(folder).href.length + 1)}:${shown.range.start.line + 1} ${code}`),
  )
}

const guardrail = (claim: string, severity = 'error') => `guardrails:
  - { code: acme/x, message: nobody terminates, severity: ${severity}, ${claim} }
`
const never = 'never: { actions: "vps:apisvc:terminate", resources: "urn:v1:eu:resource:vps:*" }'
const resource = (fields: Readonly<Record<string, string>>, name = 'ops') => {
  const all = {
    identities: '["urn:v1:eu:identity:user:ab12-svc/ann"]',
    resources: '["urn:v1:eu:resource:vps:a"]',
    allow: '["vps:apisvc:get"]',
    ...fields,
  }
  const lines = Object.entries(all).map(([key, value]) => `  ${key} = ${value}\n`)
  return `resource "svc_iam_policy" "${name}" {\n  name = "${name}"\n${lines.join('')}}\n`
}
const variable = 'variable "verb" { type = string }\nvariable "who" { type = string }\nvariable "many" { type = list(string) }\n'

describe('where values of Terraform are not known, a guardrail', () => {
  it.each<[string, Readonly<Record<string, string>>, string, readonly string[]]>([
    [
      'says what could break it',
      { allow: '["vps:apisvc:get", var.verb]' },
      never,
      ['main.tf:8 error nobody terminates: could break, since `var.verb` is unknown'],
    ],
    [
      'says it of part of a name',
      { allow: '["vps:apisvc:$' + '{var.verb}"]' },
      never,
      ['main.tf:8 error nobody terminates: could break, since `vps:apisvc:$' + '{var.verb}` is unknown'],
    ],
    [
      'says it of several',
      { allow: 'var.many', resources: '["urn:v1:eu:resource:vps:$' + '{var.who}"]' },
      never,
      ['main.tf:8 error nobody terminates: could break, since `urn:v1:eu:resource:vps:$' + '{var.who}` and `var.many` are unknown'],
    ],
    ['says nothing of what cannot break it', { allow: '["dns:apisvc:$' + '{var.verb}"]' }, never, []],
    [
      'says what breaks it in any case',
      { allow: '["vps:apisvc:terminate", var.verb]' },
      never,
      [
        'main.tf:8 error nobody terminates: `urn:v1:eu:identity:user:ab12-svc/ann` may `vps:apisvc:terminate` on `urn:v1:eu:resource:vps:a`',
        'main.tf:8 error nobody terminates: could break, since `var.verb` is unknown',
      ],
    ],
    [
      'asks who it is',
      { identities: '[var.who]', allow: '["vps:apisvc:terminate"]' },
      'only: { identities: "urn:v1:eu:identity:user:ab12-svc/ann", actions: "vps:apisvc:terminate", resources: "urn:v1:eu:resource:vps:*" }',
      ['main.tf:6 error nobody terminates: could break, since `var.who` is unknown'],
    ],
  ])('%s', async (_, fields, claim, expected) => {
    const folder = folderWith({ '.grantwise.yaml': guardrail(claim), 'main.tf': variable + resource(fields) })
    expect(said(await findingsIn(folder))).toEqual(expected)
  })

  it('takes the level that is set, a suppression and a value', async () => {
    const files = { 'main.tf': variable + resource({ allow: '["vps:apisvc:get", var.verb]' }) }
    const config = guardrail(never)
    const set = folderWith({ ...files, '.grantwise.yaml': `${config}rules: { acme/x: warning }\n` })
    expect(said(await findingsIn(set))).toEqual(['main.tf:8 warning nobody terminates: could break, since `var.verb` is unknown'])
    expect(said(await findingsIn(set, ['--rule', 'acme/x=off']))).toEqual([])
    const ignored = folderWith({ ...files, '.grantwise.yaml': `${config}ignores: [{ files: "*.tf", codes: acme/x, reason: known }]\n` })
    expect(await findingsIn(ignored)).toEqual([])
    expect(said(await findingsIn(set, ['--var', 'verb=vps:apisvc:reboot', '--var', 'who=x', '--var', 'many=[]']))).toEqual([])
  })
})

const policy = (more: string) => `name: ops
identities: ["urn:v1:eu:identity:group:ab12-svc/operators"]
resources: [{ urn: "urn:v1:eu:resource:vps:a" }]
${more}`
const terminates = policy(`permissions: { allow: [{ action: "vps:apisvc:terminate" }] }
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 198.51.100.0/24 } }
`)

describe('guardrails', () => {
  it('are said in an editor as `lint` says them, with the condition', async () => {
    const folder = folderWith({ '.grantwise.yaml': guardrail(never), 'p.yaml': terminates })
    const [found] = await findingsIn(folder)
    expect(found?.message).toContain('from 198.51.100.0/24')
    const analysis = new Analysis(editorHost(ioIn(folder, {}).io))
    analysis.setUp('utf-16', [{ root: folder, settings: usualSettings }])
    expect((await analysis.lint())?.files.flatMap(({ found }) => found.map(({ message }) => message))).toEqual([found?.message])
  })

  it.each([
    ['an action', never.replace('terminate', 'terminat'), '`vps:apisvc:terminat` is not in the catalogue'],
    [
      'a group',
      'never: { identities: "urn:v1:eu:identity:group:ab12-svc/operatrs", actions: "*", resources: "urn:v1:eu:resource:vps:*" }',
      'the inventory has no `urn:v1:eu:identity:group:ab12-svc/operatrs`\n  help: did you mean `urn:v1:eu:identity:group:ab12-svc/operators`?',
    ],
  ])('that misspell %s are errors for `lint`, `report` and editors', async (_, claim, message) => {
    const folder = folderWith({
      '.grantwise.yaml': `world: world.yaml\n${guardrail(claim)}`,
      'world.yaml':
        'identities: [{ urn: "urn:v1:eu:identity:user:ab12-svc/ann", groups: ["urn:v1:eu:identity:group:ab12-svc/operators"] }]\n',
      'p.yaml': terminates,
    })
    for (const args of [['lint'], ['report', '-o', '-']]) {
      const { stdout, stderr, exit } = await mainIn(args, folder)
      expect([stdout, exit]).toEqual(['', 2])
      expect(stderr).toContain(`.grantwise.yaml:3:`)
      expect(stderr).toContain(message)
    }
    expect(await shownIn(folder)).toContain('.grantwise.yaml:3 config')
  })

  it.each([
    ['is like no group of the inventory', 'auditors'],
    ['policies name', 'operator'],
  ])('may name a group that %s', async (_, name) => {
    const folder = folderWith({
      '.grantwise.yaml': `world: world.yaml\n${guardrail(never.replace('{ ', `{ identities: "urn:v1:eu:identity:group:ab12-svc/${name}", `))}`,
      'world.yaml':
        'identities: [{ urn: "urn:v1:eu:identity:user:ab12-svc/ann", groups: ["urn:v1:eu:identity:group:ab12-svc/operators"] }]\n',
      'p.yaml': policy('permissions: { allow: [{ action: "vps:apisvc:get" }] }\n').replace('operators', 'operator'),
    })
    expect(said(await findingsIn(folder))).toEqual([])
  })

  it('that always allow say that they are not decided where only some policies are linted', async () => {
    const always =
      'always: { identities: "urn:v1:eu:identity:user:ab12-svc/glass", actions: "vps:apisvc:get", resources: "urn:v1:eu:resource:vps:*" }'
    const folder = folderWith({
      '.grantwise.yaml': guardrail(always),
      'a.yaml': terminates,
      'b.yaml': policy('permissions: { allow: [{ action: "vps:apisvc:get" }] }\n')
        .replace('group:ab12-svc/operators', 'user:ab12-svc/glass')
        .replace('vps:a"', 'vps:*"')
        .replace('name: ops', 'name: glass'),
    })
    expect(said(await findingsIn(folder))).toEqual([])
    expect(said(await findingsIn(folder, ['b.yaml']))).toEqual([])
    expect(said(await findingsIn(folder, ['a.yaml']))).toEqual([
      '.grantwise.yaml:2 info nobody terminates: not decided, as not all policies are linted: none of these grants it',
    ])
  })
})
