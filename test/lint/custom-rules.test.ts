import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, test } from 'vitest'
import { editorHost } from '../../src/cli/live/editor-host.ts'
import { checkExamples } from '../../src/lint/rule-examples.ts'
import { Analysis, type Report } from '../../src/lsp/analysis.ts'
import { usualSettings } from '../../src/lsp/settings.ts'
import type { Rule } from '../../src/rules/rule.ts'
import { ioIn, mainIn } from '../support/in-process.ts'

const root = resolve(import.meta.dirname, '../..')
const example = join(root, 'examples/custom-rules')
const folders: string[] = []
afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })))

/** A new folder with files; names that end in ` -> TARGET` are symbolic links. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-rules-')))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), join(folder, name))
    else writeFileSync(join(folder, name), text)
  }
  return folder
}

const policy = (name: string, more = '') => `name: ${name}
identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
resources: [{ urn: "urn:v1:eu:resource:vps:${name}" }]
permissions: { allow: [{ action: "vps:apisvc:reboot" }] }
${more}`
/** A rule that reports the name of each policy. */
const ruleText = (more = '', check = '*policy({ name }) { yield { span: name.span, message: `named ${name.value}` } }') => `{
  code: 'acme/no-names', section: 'document', severity: 'error', summary: 'A policy has a name.', why: 'Names tell too much.', ${more}
  ${check},
}`
const moduleOf = (rule: string, more = '') =>
  `globalThis.rulesRun = (globalThis.rulesRun ?? 0) + 1\n${more}\nexport const rules = [${rule}]\n`
const configuration = 'policies: policies\nruleModules: acme\n'

/** A repository whose configuration names a module, and that module in a folder outside of it. */
const withModule = (module: string, config = configuration, more: Readonly<Record<string, string>> = {}) =>
  folderWith({
    'rules/acme.mjs': module,
    'repository/.git/HEAD': 'ref: refs/heads/main\n',
    'repository/.grantwise.yaml': config,
    'repository/policies/a.yaml': policy('a'),
    ...more,
  })
const lintIn = (folder: string, args: readonly string[] = [], env = {}) => mainIn(['lint', ...args], join(folder, 'repository'), env)
const allow = ['--allow-rules-from', '../rules']
const codesOf = (stdout: string): readonly string[] =>
  (JSON.parse(stdout) as { readonly findings: readonly { readonly code: string; readonly file: string }[] }).findings.map(
    ({ code, file }) => `${file} ${code}`,
  )

describe('a rule module', () => {
  // covers: T27, P7
  it('is not run unless a folder is allowed, and then lint ends with the name of the option', async () => {
    const folder = withModule(moduleOf(ruleText()))
    const before = Reflect.get(globalThis, 'rulesRun')
    expect(await lintIn(folder)).toEqual({
      stdout: '',
      stderr: `grantwise: the configuration cannot be used
.grantwise.yaml:2:14: error config: \`acme\` is a rule module, which is code, and nothing allows running it
  help: \`--allow-rules-from FOLDER\` or GRANTWISE_RULES_FROM names the folder whose rule modules may be run
`,
      exit: 2,
    })
    expect(Reflect.get(globalThis, 'rulesRun')).toBe(before)
  })

  it.each([
    ['the option', allow, () => ({})],
    ['the environment', [], (folder: string) => ({ GRANTWISE_RULES_FROM: `${folder}:${join(folder, 'rules')}` })],
  ])('is run with leave by %s', async (_, args, env) => {
    const folder = withModule(moduleOf(ruleText("link: 'https://wiki.example.org/names',")))
    const { stdout, stderr, exit } = await lintIn(folder, ['--format', 'json', ...args], env(folder))
    expect([stderr, exit]).toEqual(['', 1])
    expect(JSON.parse(stdout).findings).toMatchObject([
      {
        code: 'acme/no-names',
        severity: 'error',
        message: 'named a',
        line: 1,
        column: 7,
        policy: 'a',
        url: 'https://wiki.example.org/names',
      },
    ])
  })

  it('counts for no command that lints nothing', async () => {
    const folder = withModule(moduleOf(ruleText()))
    const question = ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:a']
    expect(await mainIn(question, join(folder, 'repository'))).toMatchObject({ exit: 0, stderr: '' })
  })

  it('is found by its path, its name, the name of its package, and among packages that are installed', async () => {
    const text = moduleOf(ruleText())
    const folder = folderWith({
      'rules/one.mjs': text,
      'rules/two/package.json': '{"exports":{".":{"types":"./x.d.ts","import":"./lib/main.mjs"}}}',
      'rules/two/lib/main.mjs': text,
      'rules/node_modules/@acme/three/index.mjs': text,
      'rules/package.json': '{"name":"four","main":"one.mjs"}',
      'repository/policies/a.yaml': policy('a'),
    })
    for (const name of ['../rules/one.mjs', 'one', 'two', '"@acme/three"', 'four', '../rules/two']) {
      writeFileSync(join(folder, 'repository/.grantwise.yaml'), `ruleModules: [${name}]\n`)
      const { stdout, stderr } = await lintIn(folder, ['--format', 'json', ...allow])
      expect([name, stderr, stderr === '' && codesOf(stdout)]).toEqual([name, '', ['policies/a.yaml acme/no-names']])
    }
  })

  it.each<[string, Readonly<Record<string, string>>, readonly string[], string]>([
    [
      'a link out of the folder',
      { 'rules/acme.mjs': '-> ../elsewhere/acme.mjs', 'elsewhere/acme.mjs': moduleOf(ruleText()) },
      allow,
      'is `../elsewhere/acme.mjs`, which is not in `../rules`',
    ],
    [
      'a file of the repository, where a folder around it is allowed',
      { 'repository/acme.mjs': moduleOf(ruleText()), 'repository/.grantwise.yaml': 'policies: policies\nruleModules: ./acme.mjs\n' },
      ['--allow-rules-from', '..'],
      'is `acme.mjs`, in the repository itself, and the folder that is allowed is around it',
    ],
    [
      'a file of the repository, where another folder is allowed',
      { 'repository/acme.mjs': moduleOf(ruleText()), 'repository/.grantwise.yaml': 'policies: policies\nruleModules: ./acme.mjs\n' },
      allow,
      'is `acme.mjs`, which is not in `../rules`',
    ],
    [
      'a link in the folder to the repository',
      { 'rules/acme.mjs': '-> ../repository/acme.mjs', 'repository/acme.mjs': moduleOf(ruleText()) },
      allow,
      'which is not in `../rules`',
    ],
    ['a name that is not there', { 'repository/.grantwise.yaml': 'ruleModules: acne\n' }, allow, '`acne`: no such module in `../rules`'],
    ['a path that is not there', { 'repository/.grantwise.yaml': 'ruleModules: ./acne.mjs\n' }, allow, '`./acne.mjs`: no such file'],
    ['a folder that is not there', {}, ['--allow-rules-from', '../acme'], '--allow-rules-from: `../acme`: no such folder'],
    ['a file instead of a folder', {}, ['--allow-rules-from', '../rules/acme.mjs'], 'is not a folder'],
  ])('is not run: %s', async (_, files, args, message) => {
    const { 'rules/acme.mjs': link, ...others } = files
    const folder = withModule(moduleOf(ruleText()), configuration, {})
    if (link) rmSync(join(folder, 'rules/acme.mjs'))
    for (const [name, text] of Object.entries({ ...others, ...(link && { 'rules/acme.mjs': link }) })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      if (text.startsWith('-> ')) symlinkSync(text.slice(3), join(folder, name))
      else writeFileSync(join(folder, name), text)
    }
    const before = Reflect.get(globalThis, 'rulesRun')
    const { stdout, stderr, exit } = await lintIn(folder, args)
    expect([stdout, exit]).toEqual(['', 2])
    expect(stderr).toContain(message)
    expect(Reflect.get(globalThis, 'rulesRun')).toBe(before)
  })

  it('is run from within the repository where that very folder is allowed', async () => {
    const files = { 'repository/lint/acme.mjs': moduleOf(ruleText()) }
    const folder = withModule('', 'policies: policies\nruleModules: ./lint/acme.mjs\n', files)
    expect(codesOf((await lintIn(folder, ['--format', 'json', '--allow-rules-from', 'lint'])).stdout)).toEqual([
      'policies/a.yaml acme/no-names',
    ])
  })

  it('is not looked for in a relative folder of the environment', async () => {
    const folder = withModule(moduleOf(ruleText()))
    const { stderr, exit } = await lintIn(folder, [], { GRANTWISE_RULES_FROM: '../rules' })
    expect([exit, stderr.split('\n')[0]]).toEqual([2, 'grantwise: GRANTWISE_RULES_FROM: `../rules` is not an absolute path'])
  })
})

test.each<[string, string, string]>([
  ['no `rules`', 'export const rule = 1', '`acme`: exports no `rules`: it exports `rule`'],
  ['nothing', '', '`acme`: exports no `rules`: it exports nothing'],
  ['no list', 'export const rules = {}', '`acme`: `rules` is not a list'],
  ['an empty list', 'export const rules = []', '`acme`: `rules` is empty'],
  ['no rule', 'export const rules = [3]', '`acme`: rule 1: expected a rule: an object with `code`, `summary` and a check'],
  ['a syntax error', 'export const = 3', '`acme` cannot be loaded: '],
  ['an error at its start', 'throw new TypeError("not\\nnow")', '`acme` cannot be loaded: TypeError: not now'],
  ['the code of a built-in rule', moduleOf(ruleText("code: 'syntax',")), '`acme`: `syntax`: the code of a built-in rule'],
  [
    'a code without a name',
    moduleOf(ruleText("code: 'no-names',")),
    '`acme`: `no-names`: expected the name of the organisation, `/` and what is wrong',
  ],
  ['a reserved name', moduleOf(ruleText("code: 'grantwise/x',")), '`grantwise/` is not for other rules'],
  ['a missing field', moduleOf(ruleText('why: undefined,')), '`acme`: `acme/no-names`: has no `why`'],
  [
    'a wrong value',
    moduleOf(ruleText("severity: 'fatal',")),
    '`acme`: `acme/no-names`: `severity`: expected one of `error`, `warning` and `info`',
  ],
  ['a flag that is false', moduleOf(ruleText('whole: false,')), '`acme`: `acme/no-names`: `whole`: expected `true`'],
  ['a misspelt field', moduleOf(ruleText("sevrity: 'info',")), 'unknown field `sevrity`\n  help: did you mean `severity`?'],
  ['no check', moduleOf(ruleText('', 'whole: true')), '`acme`: `acme/no-names`: has no check'],
  ['two checks', moduleOf(ruleText('world: () => [],')), '`acme`: `acme/no-names`: has 2 checks'],
  ['a check of readers', moduleOf(ruleText('', 'reader: true')), '`acme`: `acme/no-names`: only built-in rules have `reader`'],
  ['one code twice', moduleOf(`${ruleText()},${ruleText()}`), '`acme`: a rule of `acme` has the code `acme/no-names`, too'],
])('a module with %s is refused at its place', async (_, module, message) => {
  const { stdout, stderr, exit } = await lintIn(withModule(module), allow)
  expect([stdout, exit]).toEqual(['', 2])
  expect(stderr).toContain('.grantwise.yaml:2:14: error config: ')
  expect(stderr).toContain(message)
})

test('a rule with the code of a guardrail is refused', async () => {
  const guardrail = `guardrails:
  - { code: acme/no-names, message: x, never: { actions: ["dns:*"], resources: ["urn:v1:eu:resource:*"] } }
`
  const { stderr, exit } = await lintIn(withModule(moduleOf(ruleText()), configuration + guardrail), allow)
  expect([exit, stderr]).toEqual([2, expect.stringContaining('`acme`: a guardrail has the code `acme/no-names`, too')])
})

test.each<[string, string, string]>([
  [
    'throws',
    'policy() { return undefined.length }',
    "failed: TypeError: Cannot read properties of undefined (reading 'length') at `policies/a.yaml:1:1`\n  help: thrown at acme.mjs:",
  ],
  ['throws late', '*policy() { throw new RangeError("late") }', 'failed: RangeError: late at `policies/a.yaml:1:1`'],
  ['throws what is no error', 'policy() { throw null }', 'failed: threw a object at `policies/a.yaml:1:1`'],
  ['throws over all policies', 'world() { throw new Error("all") }', 'failed: Error: all\n'],
  ['is asynchronous', 'async policy() { return [] }', 'gives a promise: rules are synchronous at'],
  ['gives nothing', 'policy() {}', 'gives no findings at'],
  ['gives a text', 'policy() { return "x" }', 'reports something that is no finding: expected an object'],
  ['gives no message', 'policy({ span }) { return [{ span }] }', 'reports something that is no finding: `message` is not a text'],
  [
    'gives no place',
    'policy() { return [{ message: "x" }] }',
    'reports something that is no finding: `span` is not a place in what was read',
  ],
  ['gives a place past the end', 'policy({ span }) { return [{ message: "x", span: { ...span, end: 1e9 } }] }', '`span` is not a place'],
  [
    'gives a place elsewhere',
    'policy() { return [{ message: "x", span: { source: { path: "x", text: "x" }, start: 0, end: 1 } }] }',
    '`span` is not a place',
  ],
  ['gives a wrong severity', 'policy({ span }) { return [{ message: "x", span, severity: "fatal" }] }', '`severity` is not one of'],
  ['gives a wrong link', 'policy({ span }) { return [{ message: "x", span, link: "javascript:x" }] }', '`link` is not an absolute address'],
  ['gives a wrong fix', 'policy({ span }) { return [{ message: "x", span, fix: {} }] }', '`fix` is not'],
  ['gives wrong related places', 'policy({ span }) { return [{ message: "x", span, related: [span] }] }', '`related` is not'],
])('where a rule %s, there is an error at its module and no answer', async (_, check, message) => {
  const { stdout, stderr, exit } = await lintIn(withModule(moduleOf(ruleText('', check))), [
    ...allow,
    '--format',
    'json',
    '--fail-on',
    'never',
  ])
  expect([stdout, exit]).toEqual(['', 2])
  expect(stderr).toContain('.grantwise.yaml:2:14: error config: rule `acme/no-names` of `acme` ')
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('    at ')
})

describe('its rules', () => {
  const three = {
    'repository/policies/a.yaml': policy('a'),
    'repository/policies/b.yaml': `# grantwise-ignore acme/no-names: a good name\n${policy('b')}`,
    'repository/policies/old/c.yaml': policy('c'),
  }

  it('obey levels, overrides, comments, `ignores`, presets and the command line as built-in ones do', async () => {
    const lint = async (config: string, rule: string, ...args: readonly string[]) => {
      const folder = withModule(moduleOf(rule), configuration + config, three)
      const { stdout, stderr } = await lintIn(folder, ['--format', 'json', ...allow, ...args])
      if (stderr !== '') throw new Error(stderr)
      const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly file: string; readonly severity: string }[] }
      return findings.map(({ file, severity }) => `${file.slice('policies/'.length, -'.yaml'.length)} ${severity}`)
    }
    const rule = ruleText()
    expect(await lint('', rule)).toEqual(['a error', 'old/c error'])
    expect(await lint('', rule, '--no-suppressions')).toEqual(['a error', 'b error', 'old/c error'])
    expect(await lint('rules: { acme/no-names: info }\n', rule)).toEqual(['a info', 'old/c info'])
    expect(await lint('overrides: [{ files: policies/old/*, rules: { acme/no-names: "off" } }]\n', rule)).toEqual(['a error'])
    expect(await lint('ignores: [{ files: policies/old/*, codes: acme/no-names, reason: old }]\n', rule)).toEqual(['a error'])
    expect(await lint('', rule, '--rule', 'acme/no-names=warning')).toEqual(['a warning', 'old/c warning'])
    expect(await lint('', ruleText("preset: 'strict',"))).toEqual([])
    expect(await lint('', ruleText("preset: 'strict',"), '--preset', 'strict')).toEqual(['a error', 'old/c error'])
    expect(await lint('extends: strict\n', ruleText("preset: 'strict',"))).toEqual(['a error', 'old/c error'])
  })

  it('take options, which are checked', async () => {
    const check =
      '*policy({ name }, { options }) { if (options("acme/no-names").but !== name.value) yield { span: name.span, message: "x" } }'
    const rule = ruleText("options: [{ name: 'but', type: 'text', text: 'the one good name' }],", check)
    const lint = (config: string, ...args: readonly string[]) =>
      lintIn(withModule(moduleOf(rule), configuration + config, three), ['--format', 'compact', ...allow, ...args])
    expect((await lint('rules: { acme/no-names: [error, { but: a }] }\n')).stdout).toMatch(/^policies\/old\/c.yaml:1:7: .*\n$/)
    expect((await lint('', '--rule-option', 'acme/no-names.but=c')).stdout).toMatch(/^policies\/a.yaml:1:7: .*\n$/)
    const wrong = await lint('rules: { acme/no-names: [error, { bit: a }] }\n')
    expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('has no option `bit`\n  help: did you mean `but`?')])
    const misspelt = await lint('rules: { acme/no-name: error }\n')
    expect([misspelt.exit, misspelt.stderr]).toEqual([
      2,
      expect.stringContaining('unknown rule `acme/no-name`\n  help: did you mean `acme/no-names`?'),
    ])
  })

  it('are about the files whose configuration names their module', async () => {
    for (const check of [
      undefined,
      '*world({ world }) { for (const { name } of world.policies) yield { span: name.span, message: "x" } }',
    ]) {
      const folder = withModule(moduleOf(ruleText('', check)), 'policies: policies\n', {
        ...three,
        'repository/policies/b.yaml': policy('b'),
        'repository/policies/old/.grantwise.yaml': 'ruleModules: acme\n',
      })
      expect(codesOf((await lintIn(folder, ['--format', 'json', ...allow])).stdout)).toEqual(['policies/old/c.yaml acme/no-names'])
    }
  })

  it('are in baselines', async () => {
    const folder = withModule(moduleOf(ruleText()), configuration, three)
    await lintIn(folder, [...allow, '--write-baseline', 'baseline.json'])
    expect(readFileSync(join(folder, 'repository/baseline.json'), 'utf8')).toContain('acme/no-names')
    expect((await lintIn(folder, [...allow, '--baseline', 'baseline.json', '--format', 'json'])).exit).toBe(0)
  })

  it('are described in every format that describes rules, and by `rules`', async () => {
    const folder = withModule(moduleOf(ruleText("link: 'https://wiki.example.org/names', security: 7,")), configuration, three)
    const sarif = JSON.parse((await lintIn(folder, [...allow, '--format', 'sarif'])).stdout)
    expect(sarif.runs[0].tool.driver.rules.filter(({ id }: { readonly id: string }) => id.includes('/'))).toMatchObject([
      {
        id: 'acme/no-names',
        helpUri: 'https://wiki.example.org/names',
        shortDescription: { text: 'A policy has a name.' },
        properties: { 'security-severity': '7.0' },
      },
    ])
    for (const format of ['pretty', 'compact', 'ndjson', 'github', 'gitlab', 'junit', 'checkstyle', 'markdown', 'agent'])
      expect([format, (await lintIn(folder, [...allow, '--format', format])).stdout]).toEqual([format, expect.stringContaining('no-names')])
    const repository = join(folder, 'repository')
    const list = await mainIn(['rules', ...allow], repository)
    expect(list.stdout).toMatch(/^acme\/no-names +error +A policy has a name\.$/m)
    const one = await mainIn(['rules', 'acme/no-names', ...allow], repository)
    expect(one).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(
        'Group: document; on in recommended, strict and auditor\n\nWhy\n\n  Names tell too much.\n\nSee https://wiki.example.org/names',
      ),
    })
    // The list lacks the rules of the module: what reads it must notice.
    expect(await mainIn(['rules'], repository)).toMatchObject({ exit: 2, stderr: expect.stringContaining('--allow-rules-from FOLDER') })
    const printed = JSON.parse((await lintIn(folder, [...allow, '--print-config', 'policies/a.yaml'])).stdout)
    expect(printed.rules['acme/no-names']).toBe('error')
  })

  it('report nothing besides the fields of a finding, on one line', async () => {
    const check = 'policy({ name }) { return [{ span: name.span, message: "a\\nb", code: "syntax", policy: "x", help: " c " }] }'
    const { stdout } = await lintIn(withModule(moduleOf(ruleText('', check))), [...allow, '--format', 'json'])
    expect(JSON.parse(stdout).findings).toMatchObject([{ code: 'acme/no-names', message: 'a b', help: 'c', policy: 'a' }])
  })

  it('make safe fixes only where these are proved to be safe', async () => {
    const check = `*policy({ name, resources: [resource] }) {
      const fix = (span, text) => ({ description: 'fix it', safe: true, edits: [{ span, text }] })
      yield { span: name.span, message: 'named', fix: fix(name.span, 'renamed') }
      yield { span: resource.span, message: 'narrow', fix: fix(resource.span, '"urn:v1:eu:resource:vps:*"') }
    }`
    const folder = withModule(moduleOf(ruleText("fixes: ['safe'],", check)))
    await lintIn(folder, [...allow, '--fix'])
    expect(readFileSync(join(folder, 'repository/policies/a.yaml'), 'utf8')).toBe(policy('a').replace('name: a', 'name: renamed'))
  })
})

describe('in an editor', () => {
  const foundIn = async (folder: string, allowed: readonly string[]) => {
    const repository = join(folder, 'repository')
    const analysis = new Analysis(editorHost(ioIn(repository, {}).io, allowed))
    analysis.setUp('utf-16', [{ root: repository, settings: usualSettings }])
    const { files } = (await analysis.lint()) as Report
    const nameOf = (uri: string) => uri.slice(pathToFileURL(repository).href.length + 1)
    return files
      .flatMap(({ uri, found, unread }) => [
        ...found.map(({ code, message }) => `${nameOf(uri)} ${code}: ${message}`),
        ...unread.map(({ message }) => `${nameOf(uri)}: ${message}`),
      ])
      .sort()
  }
  const broken = policy('b').replace('reboot', 'rebooot')

  it('they are run with leave, and without it all other findings remain', async () => {
    const config = `${configuration}rules: { acme/no-names: warning }\n`
    const folder = withModule(moduleOf(ruleText()), config, {
      'repository/policies/b.yaml': `# grantwise-ignore acme/no-names: x\n${broken}`,
    })
    expect(await foundIn(folder, ['../rules'])).toEqual([
      'policies/a.yaml acme/no-names: named a',
      expect.stringContaining('policies/b.yaml unknown-action: '),
    ])
    expect(await foundIn(folder, [])).toEqual([
      expect.stringContaining('.grantwise.yaml config: `acme` is a rule module, which is code, and nothing allows running it'),
      expect.stringContaining('policies/b.yaml unknown-action: '),
    ])
  })

  it('one that throws is reported, and all other findings remain', async () => {
    const folder = withModule(moduleOf(ruleText('', 'policy() { throw new Error("no") }')), configuration, {
      'repository/policies/b.yaml': broken,
    })
    expect(await foundIn(folder, ['../rules'])).toEqual([
      expect.stringContaining('.grantwise.yaml config: rule `acme/no-names` of `acme` failed: Error: no'),
      expect.stringContaining('policies/b.yaml unknown-action: '),
    ])
  })
})

describe('examples as tests', () => {
  const rule: Rule = {
    code: 'acme/no-names',
    section: 'document',
    severity: 'error',
    summary: 'A policy has a name.',
    why: 'Names tell too much.',
    *policy({ name }) {
      if (name.value !== 'good') yield { span: name.span, message: 'named' }
    },
  }
  const bad = 'name: bad\n#     ^^^ acme/no-names'

  it('hold for a rule that finds what they show', async () => {
    expect(await checkExamples(rule, { bad: [bad], good: ['name: good'] })).toEqual([])
    expect(await checkExamples(rule, `bad:\n  - |\n    ${bad.replace('\n', '\n    ')}\ngood: ["name: good"]\n`)).toEqual([])
  })

  it.each<[string, Parameters<typeof checkExamples>[1], readonly string[]]>([
    [
      'a missed place',
      { bad: ['name: good\n#     ^^^^ acme/no-names'], good: ['name: good'] },
      ['bad 1: expected `1:7-11 acme/no-names`, which is not found'],
    ],
    [
      'a finding that is not expected',
      { bad: [bad], good: ['name: other'] },
      ['good 1: found `1:7-12 acme/no-names`, which is not expected: named'],
    ],
    ['no carets', { bad: ['name: good'], good: ['name: good'] }, ['bad 1: no line of carets shows what the rule finds']],
    ['no examples', { bad: [bad], good: [] }, ['good 0: there is no good example']],
    [
      'another error',
      { bad: [bad], good: ['name: good\nidentities: [x]'] },
      ['good 1: the example has another error, `2:14-15 identity-urn`: '],
    ],
    [
      'options that it has not',
      { bad: [bad], good: [{ text: 'name: good', options: { x: 1 } }] },
      ['good 1: `acme/no-names` has no options'],
    ],
    ['a text that is no YAML', 'bad: [', ['bad 0: the examples cannot be read: line 1: ']],
    ['a text of another form', 'bad: 3', ['bad 0: `bad` is not a list of examples']],
    ['a misspelt list', 'god: []', ['bad 0: expected `bad` and `good`, and not `god`']],
  ])('say %s', async (_, examples, expected) => {
    const problems = await checkExamples(rule, examples)
    expect(problems.map(({ kind, number, message }) => `${kind} ${number}: ${message}`)).toEqual(
      expected.map((text) => expect.stringContaining(text)),
    )
  })

  test('the package of the example passes its own tests', async () => {
    const folder = folderWith({ 'node_modules/grantwise': `-> ${root}` })
    cpSync(join(example, 'acme-rules'), folder, { recursive: true })
    const { stdout } = await promisify(execFile)(process.execPath, ['--test'], { cwd: folder, encoding: 'utf8' })
    expect(stdout).toMatch(/^# pass 2$/m)
  })
})
