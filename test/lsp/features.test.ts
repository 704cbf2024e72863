import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type {
  ClientCapabilities,
  CodeAction,
  CodeActionContext,
  CompletionItem,
  Position,
  Range,
  SymbolInformation,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver'
import { type Analyser, Analysis } from '../../src/lsp/analysis.ts'
import type { Host } from '../../src/lsp/host.ts'
import { mainIn } from '../support/in-process.ts'
import { type Client, inProcess, uriOf } from './client.ts'

const reads = `name: reads
identities: ["urn:v1:eu:identity:user:ab12-svc/bob"]
resources: [{ urn: "urn:v1:eu:resource:vps:web-1" }]
permissions:
  allow:
    - action: vps:apisvc:gett
    - action: vps:apisvc:reboot
    - action: vps:apisvc:reboot
`
const world = `identities:
  - urn: urn:v1:eu:identity:user:ab12-svc/bob
    groups: []
`

const full: ClientCapabilities = {
  workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
  window: { showDocument: { support: true } },
  textDocument: { completion: { completionItem: { snippetSupport: true } } },
}

async function opened(files: Readonly<Record<string, string>>, capabilities: ClientCapabilities = full, settings?: unknown) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-features-')))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const client = inProcess(folder, () => Date.UTC(2026, 5, 1))
  await client.start([folder], { capabilities, settings })
  const open = async (name: string) => {
    const uri = uriOf(join(folder, name))
    await client.open(uri, readFileSync(join(folder, name), 'utf8'), name.endsWith('.md') ? 'markdown' : 'yaml')
    await client.settled()
    return uri
  }
  return { folder, client, open }
}

/** Where a text is in another one, its first or its second half. */
function at(text: string, part: string, into = 1): Position {
  const offset = text.indexOf(part) + into
  const before = text.slice(0, offset).split('\n')
  return { line: before.length - 1, character: (before.at(-1) as string).length }
}

function commit(folder: string): void {
  const git = (...given: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...given], { cwd: folder })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'first')
}

const ask = <T>(client: Client, method: string, params: unknown) => client.connection.sendRequest<T>(method, params)
const actionsAt = (client: Client, uri: string, position: Position, only?: readonly string[]) =>
  ask<CodeAction[]>(client, 'textDocument/codeAction', {
    textDocument: { uri },
    range: { start: position, end: position },
    context: { diagnostics: [], ...(only && { only }) },
  })

/** Where an action puts the cursor. */
function cursorOf(action: CodeAction | undefined): Position {
  const range: Range | undefined = action?.command?.arguments?.[1]
  if (!range) throw new Error('the cursor is put nowhere')
  return range.start
}

/** A text with the edits that a change has for it. */
function applied(text: string, edit: WorkspaceEdit | undefined, uri: string): string {
  const lists = edit?.documentChanges
    ? edit.documentChanges
        .filter((each): each is TextDocumentEdit => 'edits' in each && each.textDocument.uri === uri)
        .flatMap(({ edits }) => edits as TextEdit[])
    : (edit?.changes?.[uri] ?? [])
  const starts = [0]
  for (const line of text.split('\n')) starts.push((starts.at(-1) as number) + line.length + 1)
  const offset = ({ line, character }: Position) => (starts[line] as number) + character
  return lists
    .toSorted((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce((now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)), text)
}

test('a fix is offered at its finding, safe ones first choice, and says where it may change decisions', async () => {
  const { client, open } = await opened({ 'a.yaml': reads })
  const uri = await open('a.yaml')
  const [misspelt] = await actionsAt(client, uri, at(reads, 'gett'), ['quickfix'])
  expect([misspelt?.kind, misspelt?.isPreferred, misspelt?.diagnostics?.[0]?.code]).toEqual(['quickfix', undefined, 'unknown-action'])
  expect(misspelt?.title).toContain('may change who may do what')
  expect(applied(reads, misspelt?.edit, uri)).toBe(reads.replace('gett', 'get'))
  const second = at(reads, 'vps:apisvc:reboot\n    - action: vps:apisvc:reboot', 40)
  const [repeated] = await actionsAt(client, uri, second, ['quickfix'])
  expect([repeated?.isPreferred, repeated?.diagnostics?.[0]?.code]).toEqual([true, 'redundant-action'])
  await client.end()
})

test('pulled findings that have not changed are said to be unchanged, and those of a folder that was removed are gone', async () => {
  const pulling: ClientCapabilities = {
    textDocument: { diagnostic: {} },
    workspace: { diagnostics: { refreshSupport: true }, workspaceFolders: true },
  }
  const { client, open, folder } = await opened({ 'a.yaml': reads, 'b.yaml': reads.replace('name: reads', 'name: others') }, pulling)
  const uri = await open('a.yaml')
  const pull = (previousResultId?: string) =>
    ask<{ kind: string; resultId: string; items?: unknown[] }>(client, 'textDocument/diagnostic', {
      textDocument: { uri },
      previousResultId,
    })
  const first = await pull()
  expect([first.kind, (await pull(first.resultId)).kind]).toEqual(['full', 'unchanged'])
  await client.change(uri, [{ text: reads.replace('gett', 'get') }])
  await client.settled()
  const second = await pull(first.resultId)
  expect([second.kind, second.items?.length]).toEqual(['full', (first.items?.length ?? 0) - 1])
  const found = async () => {
    const { items } = await ask<{ items: { uri: string; items: unknown[] }[] }>(client, 'workspace/diagnostic', { previousResultIds: [] })
    return items.filter((each) => each.items.length > 0).map((each) => each.uri)
  }
  expect(await found()).toContain(uriOf(join(folder, 'b.yaml')))
  const removed = [{ uri: uriOf(folder), name: folder }]
  await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event: { added: [], removed } })
  await client.settled()
  expect(await found()).toEqual([uri])
  await client.end()
})

test('fix all makes what `lint --fix` writes', async () => {
  const { client, open, folder } = await opened({ 'a.yaml': reads, 'b.json': '{"name": "b",}' })
  const uri = await open('a.yaml')
  const [all, ...others] = await actionsAt(client, uri, { line: 0, character: 0 }, ['source.fixAll'])
  expect([all?.kind, others.length]).toEqual(['source.fixAll.grantwise', 0])
  const text = applied(reads, all?.edit, uri)
  await mainIn(['lint', '--fix', 'a.yaml'], folder)
  expect(text).toBe(readFileSync(join(folder, 'a.yaml'), 'utf8'))
  expect(text).not.toBe(reads)
  await client.end()
})

const unformatted: Readonly<Record<string, string>> = {
  'a.yaml': `name:   reads # ü\nidentities: [ "urn:v1:eu:identity:user:ab12-svc/bob" ]\nresources:\n- urn: urn:v1:eu:resource:vps:*\npermissions:\n    allow: [{action: "vps:apisvc:get"}]   # look\n\n    deny:  []\n`,
  'b.json': '{"name": "b", "identities": ["urn:v1:eu:identity:user:ab12-svc/bob"],\r\n"resources": [], "permissions": {"allow": []}}',
  'main.tf': 'resource "svc_iam_policy" "x" {\n  name = "x"\n  identities = []\n  resources = []\n  allow = []\n}\n',
  'broken.json': '{"name": "b", "permissions": {"allow": []},}',
  'other.yaml': 'a:   1\n',
  'chart.yaml': `{{- if .Values.enabled }}\n${reads}{{- end }}\n`,
}

test.each(Object.keys(unformatted))('formatting %s gives what `fmt` prints of it', async (name) => {
  const { client, open, folder } = await opened(unformatted)
  const text = unformatted[name] as string
  const edits = await ask<TextEdit[] | null>(client, 'textDocument/formatting', { textDocument: { uri: await open(name) }, options: {} })
  const { stdout, exit } = await mainIn(['fmt', '-', '--stdin-filename', name], folder, {}, name)
  expect([edits === null, exit]).toEqual(['a.yaml', 'b.json', 'main.tf'].includes(name) ? [false, 0] : [true, 2])
  if (edits) expect(applied(text, { changes: { a: edits } }, 'a')).toBe(stdout)
  await client.end()
})

test('formatting a selection changes only its lines, and nothing where that would change what the file says', async () => {
  const { client, open } = await opened(unformatted)
  const format = async (name: string, from: string, to = from) => {
    const text = unformatted[name] as string
    const uri = await open(name)
    const range = { start: at(text, from), end: at(text, to) }
    const edits = await ask<TextEdit[]>(client, 'textDocument/rangeFormatting', { textDocument: { uri }, range, options: {} })
    return applied(text, { changes: { a: edits } }, 'a')
  }
  const { 'a.yaml': yaml = '', 'main.tf': hcl = '' } = unformatted
  expect(await format('a.yaml', 'urn: urn')).toBe(yaml.replace('- urn: urn', '  - urn: urn'))
  expect(await format('a.yaml', 'allow')).toBe(yaml)
  expect(await format('a.yaml', 'allow', 'deny')).toBe(
    yaml
      .replace('    allow: [{action: "vps:apisvc:get"}]   # look', '  allow: [{ action: "vps:apisvc:get" }] # look')
      .replace('    deny:  []', '  deny: []'),
  )
  expect(await format('main.tf', 'name')).toBe(hcl.replace('name =', 'name       ='))
  await client.end()
})

test('a text is formatted when it is saved, where the setting says so and it can be', async () => {
  const saved = async (name: string, formatOnSave?: boolean) => {
    const { client, open } = await opened(unformatted, full, formatOnSave === undefined ? undefined : { formatOnSave })
    const textDocument = { uri: await open(name) }
    const edits = await ask<TextEdit[]>(client, 'textDocument/willSaveWaitUntil', { textDocument, reason: 1 })
    const whole = await ask<TextEdit[] | null>(client, 'textDocument/formatting', { textDocument, options: {} })
    await client.end()
    return { edits, whole }
  }
  for (const name of ['a.yaml', 'b.json', 'main.tf']) {
    const { edits, whole } = await saved(name, true)
    expect(edits.length).toBeGreaterThan(0)
    expect(edits).toEqual(whole)
    expect((await saved(name, false)).edits).toEqual([])
    expect((await saved(name)).edits).toEqual([])
  }
  for (const name of ['broken.json', 'other.yaml', 'chart.yaml']) expect((await saved(name, true)).edits).toEqual([])
})

test.each([
  ['a.yaml', reads, 'gett', (name: string) => `# grantwise-ignore ${name}: `],
  ['how.md', `# x\n\n\`\`\`yaml\n${reads}\`\`\`\n`, 'gett', (name: string) => `<!-- grantwise-ignore ${name}:  -->`],
  [
    'main.tf',
    'resource "svc_iam_policy" "x" {\n  name = "x"\n  identities = ["urn:v1:eu:identity:user:ab12-svc/bob"]\n  resources = ["urn:v1:eu:resource:vps:web-1"]\n  allow = ["vps:apisvc:gett"]\n}\n',
    'gett',
    (name: string) => `# grantwise-ignore ${name}: `,
  ],
])('a finding in %s is ignored once a reason is written', async (name, text, place, comment) => {
  const { client, open } = await opened({ [name]: text })
  const uri = await open(name)
  const action = (await actionsAt(client, uri, at(text, place))).find(({ title }) => title === 'Ignore unknown-action here, with a reason')
  const next = applied(text, action?.edit, uri)
  expect(next).toContain(comment('unknown-action'))
  await client.change(uri, [{ text: next }])
  await client.settled()
  expect(client.published.get(uri)?.map(({ code }) => code)).toContain('ignore-without-reason')
  // Where the cursor is put, the reason is typed.
  const start = cursorOf(action)
  await client.change(uri, [{ range: { start, end: start }, text: 'soon' }])
  await client.settled()
  expect(client.published.get(uri)?.filter(({ code }) => code === 'unknown-action' || code === 'ignore-without-reason') ?? []).toEqual([])
  await client.end()
})

test('fixes that are asked for right after a change wait for what is found; the lamp of an editor does not', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-features-')))
  /** Takes its time from the second run on. */
  const slow = (host: Host): Analyser => {
    const analysis = new Analysis(host)
    let runs = 0
    const lint = async () => {
      if (runs++ > 0) await new Promise((done) => setTimeout(done, 200))
      return analysis.lint()
    }
    return Object.assign(Object.create(analysis), { lint })
  }
  const client = inProcess(folder, Date.now, slow)
  await client.start([folder], { capabilities: full })
  const uri = uriOf(join(folder, 'new.yaml'))
  const asked = (context: Partial<CodeActionContext>) =>
    ask<CodeAction[]>(client, 'textDocument/codeAction', {
      textDocument: { uri },
      range: { start: at(reads, 'gett'), end: at(reads, 'gett') },
      context: { diagnostics: [], ...context },
    })
  await client.open(uri, reads)
  expect(await asked({ triggerKind: 2 })).toEqual([])
  expect((await asked({ only: ['source.fixAll.grantwise'], triggerKind: 2 })).map(({ title }) => title)).toEqual(['Fix all (1)'])
  await client.change(uri, [{ text: reads.replace('gett', 'rebot') }])
  expect((await asked({})).map(({ title }) => title)).toContainEqual(expect.stringContaining('vps:apisvc:reboot'))
  await client.end()
})

test('where there are no comments, the configuration gets an entry, and is created where there is none', async () => {
  const json =
    '{ "name": "a", "identities": ["urn:v1:eu:identity:user:ab12-svc/bob"], "resources": [{ "urn": "urn:v1:eu:resource:vps:x" }], "permissions": { "allow": [{ "action": "vps:apisvc:gett" }] } }'
  for (const config of [undefined, 'rules: {}', 'ignores:\n  - files: x.json\n    codes: [file-name]\n    reason: x\nrules: {}\n']) {
    const { client, open, folder } = await opened({ 'a.json': json, ...(config !== undefined && { '.grantwise.yaml': config }) })
    const uri = await open('a.json')
    const [, ignore, ...others] = await actionsAt(client, uri, at(json, 'gett'))
    expect(others).toEqual([])
    const target = uriOf(join(folder, '.grantwise.yaml'))
    const isCreated = ignore?.edit?.documentChanges?.some((each) => 'kind' in each && each.kind === 'create')
    expect(isCreated).toBe(config === undefined)
    const start = cursorOf(ignore)
    const lines = applied(config ?? '', ignore?.edit, target).split('\n')
    const line = lines[start.line] as string
    lines[start.line] = `${line.slice(0, start.character)}announced${line.slice(start.character)}`
    writeFileSync(join(folder, '.grantwise.yaml'), lines.join('\n'))
    await client.outside(target)
    await client.settled()
    expect(client.published.get(uri)?.map(({ code }) => code) ?? []).not.toContain('unknown-action')
    await client.end()
  }
})

test('what is asked about a text is answered, in the encoding of the editor', async () => {
  const text = `# 🦊\n${reads}`
  const { client, open, folder } = await opened(
    { 'a.yaml': text, 'world.yaml': world, 'a.iamtest.yaml': 'policies: .\ntests: []\n' },
    { ...full, general: { positionEncodings: ['utf-8'] } },
  )
  const uri = await open('a.yaml')
  const textDocument = { uri }
  const on = (part: string) => ({ textDocument, position: at(text, part, 3) })
  expect(await ask(client, 'textDocument/hover', on('vps:apisvc:reboot'))).toMatchObject({ contents: { kind: 'markdown' } })
  const { items } = await ask<{ items: CompletionItem[] }>(client, 'textDocument/completion', {
    textDocument,
    position: at(text, 'vps:apisvc:gett', 'vps:apisvc:ge'.length),
  })
  expect(items.map(({ label, filterText = label }) => filterText)).toContain('vps:apisvc:get')
  expect(items.filter(({ label, filterText }) => filterText === label)).toEqual([])
  expect(items.every(({ documentation }) => documentation === undefined)).toBe(true)
  expect(await ask(client, 'completionItem/resolve', items[0])).toMatchObject({ label: items[0]?.label })
  const definitions = await ask<{ uri: string }[]>(client, 'textDocument/definition', on('identity:user:ab12-svc/bob'))
  expect(definitions.map((each) => each.uri)).toEqual([uriOf(join(folder, 'world.yaml'))])
  const found = await ask<{ uri: string }[]>(client, 'textDocument/references', {
    ...on('ab12-svc/bob'),
    context: { includeDeclaration: true },
  })
  expect(new Set(found.map((each) => each.uri))).toEqual(new Set([uri, uriOf(join(folder, 'world.yaml'))]))
  expect(await ask(client, 'textDocument/prepareRename', on('ab12-svc/bob'))).toMatchObject({ placeholder: 'bob' })
  const renamed = await ask<WorkspaceEdit>(client, 'textDocument/rename', { ...on('ab12-svc/bob'), newName: 'eve' })
  expect(applied(text, renamed, uri)).toBe(text.replace('svc/bob', 'svc/eve'))
  expect(applied(world, renamed, uriOf(join(folder, 'world.yaml')))).toBe(world.replace('svc/bob', 'svc/eve'))
  await expect(ask(client, 'textDocument/rename', { ...on('gett'), newName: 'x' })).rejects.toThrow(/renamed/)
  const lists = ['documentSymbol', 'foldingRange', 'documentLink', 'codeLens'] as const
  const all = await Promise.all(lists.map((each) => ask<unknown[]>(client, `textDocument/${each}`, { textDocument })))
  expect(all.map((each) => Array.isArray(each))).toEqual([true, true, true, true])
  expect(all[0]).toMatchObject([{ name: 'reads', selectionRange: { start: { line: 1 } } }])
  expect(await ask(client, 'workspace/symbol', { query: 'reads' })).toMatchObject([{ name: 'reads', location: { uri } }])
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }
  expect(await ask(client, 'textDocument/inlayHint', { textDocument, range })).toEqual(expect.any(Array))
  const [lens] = all[3] as { command: { command: string; arguments: unknown[] } }[]
  expect(
    await ask(client, 'workspace/executeCommand', { command: lens?.command.command, arguments: lens?.command.arguments }),
  ).toMatchObject({
    markdown: expect.stringMatching(/\S/),
  })
  await client.end()
})

test('what an edit of a module grants is what the configurations that call it make of it', async () => {
  const main = 'module "team" {\n  source = "./team"\n  verbs  = ["get"]\n}\n'
  const team =
    'variable "verbs" { type = list(string) }\nresource "svc_iam_policy" "team" {\n  name       = "team"\n  identities = ["urn:v1:eu:identity:user:ab12-svc/bob"]\n  resources  = ["urn:v1:eu:resource:vps:*"]\n  allow      = [for verb in var.verbs : "vps:apisvc:${verb}"]\n}\n'
  const { client, open, folder } = await opened({ 'main.tf': main, 'team/main.tf': team })
  commit(folder)
  const grants = async (uri: string, text: string) => {
    await client.change(uri, [{ text }])
    const found = await ask<{ command: { command: string; arguments: unknown[] } }[]>(client, 'textDocument/codeLens', {
      textDocument: { uri },
    })
    const lens = found.find(({ command }) => JSON.stringify(command.arguments).includes('"grants"'))
    return lens && ask<{ markdown: string }>(client, 'workspace/executeCommand', { ...lens.command })
  }
  const uri = await open('team/main.tf')
  expect(await grants(uri, team)).toBeUndefined()
  expect((await grants(uri, `${team}# a comment\n`))?.markdown).toMatch(/^the same access/)
  expect((await grants(uri, team.replace('apisvc:$', 'apisvc:ips/$')))?.markdown).toMatch(
    /grants: .*vps:apisvc:ips\/get[\s\S]*takes away: .*vps:apisvc:get/,
  )
  await client.end()
})

test('since when entries have their effect is what `blame` says, as hints where they are wanted and behind a line', async () => {
  const first = reads.replaceAll('    - action: vps:apisvc:reboot\n', '')
  const settings = { inlayHints: false, blame: true }
  const { client, open, folder } = await opened({ 'a.yaml': first, 'world.yaml': world }, full, settings)
  commit(folder)
  const twice = `${first}    - action: vps:apisvc:reboot\n    - action: vps:apisvc:reboot\n`
  writeFileSync(join(folder, 'a.yaml'), twice)
  commit(folder)
  const uri = await open('a.yaml')
  interface Hint {
    readonly position: Position
    readonly label: string
    readonly tooltip: { readonly value: string }
  }
  const all = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } }
  const hints = () => ask<Hint[]>(client, 'textDocument/inlayHint', { textDocument: { uri }, range: all })
  interface Entry {
    readonly line: number
    readonly effect: string
    readonly since: { readonly id: string; readonly author: string; readonly date: string }
  }
  const agree = async () => {
    const { stdout } = await mainIn(['blame', 'a.yaml', '--format', 'json'], folder)
    const { entries } = JSON.parse(stdout) as { entries: Entry[] }
    const words = { effective: 'since', none: 'no effect since', never: 'never any effect, since' } as Readonly<Record<string, string>>
    const expected = entries.map(({ line, effect, since }) => [
      line - 1,
      `${words[effect]} ${since.date.slice(0, 10)}, ${since.author}`,
      since.id.slice(0, 7),
    ])
    const found = await hints()
    expect(found.map(({ position, label, tooltip }) => [position.line, label, /[0-9a-f]{7}/.exec(tooltip.value)?.[0]])).toEqual(expected)
    return entries.map(({ effect }) => effect)
  }
  // One of two equal entries is enough: neither has an effect.
  expect(await agree()).toEqual(['effective', 'effective', 'effective', 'never', 'never'])
  const lenses = await ask<{ command: { title: string; command: string; arguments: unknown[] } }[]>(client, 'textDocument/codeLens', {
    textDocument: { uri },
  })
  const lens = lenses.find(({ command }) => command.title === 'since when its entries have an effect')
  expect((await ask<{ markdown: string }>(client, 'workspace/executeCommand', { ...lens?.command })).markdown).toMatch(
    /^```text\nblame {2}a\.yaml\n5 entries, 2 without effect, in 2 commits of HEAD/,
  )
  // An entry that is not committed has no hint, and the others keep theirs.
  await client.change(uri, [{ text: `${twice}    - action: vps:apisvc:stop\n` }])
  expect(await hints()).toHaveLength(5)
  writeFileSync(join(folder, 'a.yaml'), reads.replace('    - action: vps:apisvc:reboot\n', ''))
  commit(folder)
  await client.change(uri, [{ text: readFileSync(join(folder, 'a.yaml'), 'utf8') }])
  await client.outside(uri)
  await client.settled()
  expect(await agree()).toEqual(['effective', 'effective', 'effective', 'effective'])
  await client.end()
})

test('why it is not known since when entries have an effect is said behind the line', async () => {
  const { client, open, folder } = await opened({ 'a.yaml': reads, '.grantwise.yaml': 'policies: [policies]\n', 'policies/b.yaml': reads })
  commit(folder)
  const uri = await open('a.yaml')
  const lenses = await ask<{ command: { title: string; command: string; arguments: unknown[] } }[]>(client, 'textDocument/codeLens', {
    textDocument: { uri },
  })
  const lens = lenses.find(({ command }) => command.title === 'since when its entries have an effect')
  expect((await ask<{ markdown: string }>(client, 'workspace/executeCommand', { ...lens?.command })).markdown).toMatch(
    /a\.yaml: the last commit of `HEAD` has no policy there/,
  )
  await client.end()
})

test('a text that was just edited is answered about as it is now, in files that are not saved too', async () => {
  const { client, open } = await opened({ 'a.yaml': reads, 'world.yaml': world })
  const uri = await open('a.yaml')
  const added = `${reads}`.replace('name: reads', 'name: looks')
  await client.change(uri, [{ text: added }])
  expect(await ask(client, 'textDocument/documentSymbol', { textDocument: { uri } })).toMatchObject([{ name: 'looks' }])
  expect(await ask(client, 'workspace/symbol', { query: 'looks' })).toMatchObject([{ name: 'looks' }])
  await client.end()
})

test('after files changed elsewhere, requests are answered at once, and from what is there now as soon as it is read', async () => {
  const { client, open, folder } = await opened({ 'a.yaml': reads, 'world.yaml': world })
  const uri = await open('a.yaml')
  const on = { textDocument: { uri }, position: at(reads, 'svc/bob') }
  const hovered = async () => (await ask<{ contents: { value: string } } | null>(client, 'textDocument/hover', on))?.contents.value
  expect(await hovered()).not.toContain('group/web')
  writeFileSync(join(folder, 'world.yaml'), world.replace('[]', '[urn:v1:eu:identity:group:ab12-svc/web]'))
  await client.outside(uriOf(join(folder, 'world.yaml')))
  expect(await hovered()).toContain('user/bob')
  await client.settled()
  expect(await hovered()).toContain('group/web')
  await client.end()
})

test('a request about a text that is not open, or at a place that is not there, is answered all the same', async () => {
  const { client, open } = await opened({ 'a.yaml': reads })
  const uri = await open('a.yaml')
  const far = { line: 1e9, character: 1e9 }
  for (const [document, position] of [
    ['file:///nowhere/x.yaml', { line: 0, character: 0 }],
    ['no uri at all', far],
    [uri, far],
  ] as const) {
    expect(await ask(client, 'textDocument/hover', { textDocument: { uri: document }, position })).toBeNull()
    await ask(client, 'textDocument/completion', { textDocument: { uri: document }, position })
    await actionsAt(client, document, position)
  }
  await client.change('file:///never/opened.yaml', [{ text: 'x' }])
  await client.close('file:///never/opened.yaml')
  await client.settled()
  expect(client.messages).toEqual([])
  await client.end()
})

test('documents without a URI or a text are not opened, and a URI may hold anything', async () => {
  const { client, open } = await opened({ 'a.yaml': reads })
  const text = reads.replace('gett', 'get')
  const strange = ['', 'x', 'file:', 'file://%', 'file:///%00/a.yaml', 'file:///a\0b.yaml', 'http://[', 'untitled:\0', 'untitled:\ud800']
  const documents: readonly Record<string, unknown>[] = [
    {},
    { text },
    { uri: null, text },
    { uri: 7, text },
    { uri: ['file:///a'], text },
    { uri: 'untitled:none' },
    { uri: 'untitled:number', text: 1 },
    ...strange.map((uri) => ({ uri, text })),
  ]
  for (const document of documents) {
    await client.connection.sendNotification('textDocument/didOpen', { textDocument: { languageId: 'yaml', version: 1, ...document } })
    await client.settled()
  }
  for (const uri of strange) {
    await client.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text: 1 }] })
    await ask(client, 'textDocument/codeLens', { textDocument: { uri } })
    await ask(client, 'textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 0 } })
  }
  const uri = await open('a.yaml')
  expect(client.published.get(uri)?.map(({ code }) => code)).toContain('unknown-action')
  expect([client.messages, [...client.published.keys()].filter((key) => typeof key !== 'string')]).toEqual([[], []])
  await client.end()
})

test('settings that cannot be used are reported in one message each, and the others hold', async () => {
  const { client, open } = await opened({ 'a.yaml': reads.replace('gett', 'get') }, full, {
    preset: 'none',
    rules: { 'redundant-action': 'off' },
    baseline: 'missing.json',
  })
  const uri = await open('a.yaml')
  expect(client.published.get(uri)).toBeUndefined()
  expect(client.messages).toEqual([
    expect.stringContaining('`grantwise.preset` is not used'),
    expect.stringContaining('missing.json: no such file'),
  ])
  await client.end()
})

test('configurations that are side by side in a folder below are reported, and the other folders are linted', async () => {
  const { client, open } = await opened({ 'a.yaml': reads, 'team/b.yaml': reads, 'team/.grantwise.yaml': '', 'team/.grantwise.yml': '' })
  const uri = await open('a.yaml')
  expect(client.published.get(uri)?.map(({ code }) => code)).toContain('unknown-action')
  expect(client.messages).toEqual([expect.stringContaining('two configurations side by side')])
  await client.end()
})

test('capabilities that an editor has not are not used', async () => {
  const json =
    '{ "name": "a", "identities": ["urn:v1:eu:identity:user:ab12-svc/bob"], "resources": [{ "urn": "urn:v1:eu:resource:vps:x" }], "permissions": { "allow": [{ "action": "vps:apisvc:gett" }] } }'
  const { client, open } = await opened({ 'a.json': json }, {})
  const uri = await open('a.json')
  const actions = await actionsAt(client, uri, at(json, 'gett'))
  // No configuration is there, and none can be created.
  expect(actions.map(({ edit, command }) => [edit?.changes !== undefined, edit?.documentChanges, command])).toEqual([
    [true, undefined, undefined],
  ])
  const { items } = await ask<{ items: CompletionItem[] }>(client, 'textDocument/completion', {
    textDocument: { uri },
    position: at(json, '"name"', 1),
  })
  expect(items.every(({ textEdit, insertTextFormat }) => insertTextFormat === undefined && !textEdit?.newText.includes('${'))).toBe(true)
  await client.end()
})

test('places of a name are highlighted, ranges are selected in steps, and strings have tokens', async () => {
  const { client, open } = await opened({ 'a.yaml': reads, 'world.yaml': world })
  const uri = await open('a.yaml')
  const textDocument = { uri }
  const position = at(reads, 'ab12-svc/bob')
  expect(client.started?.capabilities).toMatchObject({ documentHighlightProvider: true, selectionRangeProvider: true })
  const places = await ask<{ range: Range; kind: number }[]>(client, 'textDocument/documentHighlight', { textDocument, position })
  expect(places.map(({ range, kind }) => [range.start.line, kind])).toEqual([[1, 2]])
  const [selected] = await ask<{ range: Range; parent: { range: Range } }[]>(client, 'textDocument/selectionRange', {
    textDocument,
    positions: [position],
  })
  expect(selected?.range).toMatchObject({ start: { line: 1 }, end: { line: 1 } })
  expect(selected?.parent.range.end.character).toBeGreaterThan(selected?.range.end.character ?? 0)
  const legend = client.started?.capabilities.semanticTokensProvider?.legend.tokenTypes ?? []
  const { data } = await ask<{ data: number[] }>(client, 'textDocument/semanticTokens/full', { textDocument })
  const kinds = Array.from({ length: data.length / 5 }, (_, i) => legend[data[i * 5 + 3] as number])
  expect(kinds.slice(0, 4)).toEqual(['class', 'keyword', 'type', 'variable'])
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 99 } }
  const part = await ask<{ data: number[] }>(client, 'textDocument/semanticTokens/range', { textDocument, range })
  expect(part.data).toHaveLength(15)
  const unknown = { textDocument: { uri: 'untitled:none' } }
  expect(await ask(client, 'textDocument/semanticTokens/full', unknown)).toEqual({ data: [] })
  await client.end()
})

test('a configuration that is in no file yet is linted, and one of another prefix is named', async () => {
  const policy = (prefix: string) =>
    `resource "${prefix}_iam_policy" "p" {\n  name       = "p"\n  identities = ["urn:v1:eu:identity:user:ab12-svc/bob"]\n  resources  = ["urn:v1:eu:resource:vps:web-1"]\n  allow      = ["vps:apisvc:gett"]\n}\n`
  const { client, folder } = await opened({ 'main.tf': policy('acme') })
  await client.open('untitled:Untitled-1', policy('svc'), 'terraform')
  await client.settled()
  expect(client.published.get('untitled:Untitled-1')?.map(({ code }) => code)).toEqual(['unknown-action'])
  const uri = uriOf(join(folder, 'main.tf'))
  await client.open(uri, policy('acme'), 'terraform')
  await client.settled()
  expect(client.published.get(uri)).toMatchObject([{ severity: 3, message: expect.stringContaining('`acme_iam_…`') }])
  await client.end()
})

test('JSON in no file yet may have comments where the editor says so', async () => {
  const text = `{
  // may be more later
  "name": "p",
  "identities": ["urn:v1:eu:identity:user:ab12-svc/bob"],
  "resources": [{ "urn": "urn:v1:eu:resource:vps:web-1" }],
  "permissions": { "allow": [{ "action": "vps:apisvc:gett" },] },
}
`
  const { client } = await opened({})
  const languages = {
    'untitled:Untitled-1': 'jsonc',
    'untitled:p.jsonc': 'json',
    'untitled:Untitled-2': 'json',
    'untitled:p.json': 'jsonc',
  }
  for (const [uri, language] of Object.entries(languages)) await client.open(uri, text, language)
  await client.settled()
  const isStrict = (uri: string) => client.published.get(uri)?.some(({ code }) => code === 'syntax')
  expect(Object.keys(languages).map(isStrict)).toEqual([false, false, true, true])
  const uri = 'untitled:Untitled-1'
  const textDocument = { uri }
  const [fix] = await actionsAt(client, uri, at(text, 'gett'))
  expect(applied(text, fix?.edit, uri)).toBe(text.replace('gett', 'get'))
  const symbols = await ask<SymbolInformation[]>(client, 'workspace/symbol', { query: '' })
  expect(symbols.map(({ location }) => location.uri)).toContain(uri)
  await client.change(uri, [{ text: text.replace('gett', 'get') }])
  await client.settled()
  expect(client.published.get(uri)).toBeUndefined()
  expect(await ask(client, 'textDocument/hover', { textDocument, position: at(text, 'vps:apisvc') })).not.toBeNull()
  await client.end()
})

test('a configuration that is in no file yet changes nothing that is shown of one with values and modules', async () => {
  const main = `module "team" {
  source = "../modules/team"
  verbs  = var.verbs
}

variable "verbs" {
  type = list(string)
}

resource "svc_iam_policy" "main" {
  name       = "main"
  identities = ["urn:v1:eu:identity:user:ab12-svc/bob"]
  resources  = ["urn:v1:eu:resource:vps:web-1"]
  allow      = [for verb in var.verbs : "vps:apisvc:\${verb}"]
}
`
  const files = {
    '.grantwise.yaml': 'policies: prod\n',
    'prod/main.tf': main,
    'prod/terraform.tfvars': 'verbs = ["get", "reboot"]\n',
    'modules/team/main.tf': main.slice(main.indexOf('variable')).replaceAll('main', 'team'),
  }
  const { client, open } = await opened(files)
  const uri = await open('prod/main.tf')
  const hovers = async () => {
    await client.settled()
    const all: unknown[] = []
    for (const [line, text] of main.split('\n').entries())
      for (let character = 0; character < text.length; character += 4)
        all.push(await ask(client, 'textDocument/hover', { textDocument: { uri }, position: { line, character } }))
    return all
  }
  const saved = await hovers()
  expect(JSON.stringify(saved)).toContain('`vps:apisvc:get`, `vps:apisvc:reboot`')
  const unsaved = `resource "svc_iam_policy" "main" {
  name       = "new"
  identities = ["urn:v1:eu:identity:user:ab12-svc/eve"]
  resources  = ["urn:v1:eu:resource:vps:web-2"]
  allow      = ["vps:*"]
}
`
  await client.open('untitled:Untitled-1', unsaved, 'terraform')
  expect(await hovers()).toEqual(saved)
  await client.end()
})

test('configurations that are in no file yet are each read by themselves', async () => {
  const policy = (name: string) =>
    `resource "svc_iam_policy" "p" {\n  name = "${name}"\n  identities = ["urn:v1:eu:identity:user:ab12-svc/bob"]\n  resources = ["urn:v1:eu:resource:vps:web-1"]\n  allow = ["vps:apisvc:gett"]\n}\n`
  const { client, open } = await opened({ 'main.tf': policy('saved') })
  const uris = ['untitled:Untitled-1', 'untitled:Untitled-2', 'untitled:Untitled-3']
  for (const [i, uri] of uris.entries()) await client.open(uri, policy(`unsaved ${i}`), 'terraform')
  uris.push(await open('main.tf'))
  for (const uri of uris) {
    const textDocument = { uri }
    const edits = await ask<TextEdit[] | null>(client, 'textDocument/formatting', { textDocument, options: {} })
    expect(edits?.map(({ newText }) => newText.trim().split(' ')[0])).toEqual(['name', 'resources'])
    const actions = await actionsAt(client, uri, at(policy('x'), 'gett'))
    expect(actions[0]?.title).toContain('vps:apisvc:get')
  }
  await client.end()
})
