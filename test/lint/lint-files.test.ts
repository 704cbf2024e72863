import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { discover } from '../../src/cli/input/files.ts'
import { foldersOf } from '../../src/cli/input/folders.ts'
import { diagnosticLines } from '../../src/cli/output/diagnostics.ts'
import {
  applyConfigurations,
  type Configuration,
  fixFiles,
  type LintRun,
  lintFiles,
  mayFix,
  readConfiguration,
  readSources,
  whyNotFixed,
} from '../../src/index.ts'
import { defaultSettings, type Settings } from '../../src/names.ts'
import { record } from '../../src/report/lint.ts'
import { sourceOf } from '../../src/source.ts'
import type { ReadFiles } from '../../src/sources/files.ts'
import { isDeep } from '../support/effort.ts'
import { ioIn, mainIn } from '../support/in-process.ts'
import { inventory, wellFormed, write } from '../support/well-formed.ts'
import { pick, randomOf } from '../support/worlds.ts'

const root = resolve(import.meta.dirname, '../..')
const now = '2026-11-20T00:00:00Z'
const operations = loadOperations(defaultSettings.brand)
const catalogue = loadCatalogue()
const scratch = mkdtempSync(join(tmpdir(), 'grantwise-lint-files-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** The texts of a folder, read by the public function. */
async function readFolder(cwd: string, settings: Settings = defaultSettings): Promise<ReadFiles> {
  const { candidates } = await discover({ paths: ['.'], fences: 'all' }, { cwd })
  const given = candidates.map(({ path, file, notation }) => ({
    source: sourceOf(path, readFileSync(file as string, 'utf8'), notation),
    file: file as string,
  }))
  return readSources(given, settings, { folders: foldersOf(ioIn(cwd, {}).io) })
}

const runOf = (files: ReadFiles): LintRun => ({ files, catalogue, operations: () => operations, now: Date.parse(now) })

/** The output of the program for a folder, and that of the public function for its texts. */
async function both(cwd: string, configuration?: Configuration) {
  const options = ['--format', 'json', '--show-suppressed', '--fences', '--at', now, ...(configuration ? [] : ['--no-config'])]
  const { stdout, stderr } = await mainIn(['lint', ...options, '.'], cwd)
  expect(stderr).not.toMatch(/cannot|error/)
  const printed = JSON.parse(stdout)
  const files = await readFolder(cwd, configuration?.settings)
  const applied = configuration && (await applyConfigurations({ all: () => [configuration], of: () => configuration }, files.files))
  const { findings, suppressed, unknown, uncreated } = lintFiles({
    ...runOf(files),
    ...(configuration && { settings: configuration.settings, catalogue: loadCatalogue(configuration.settings.brand) }),
    ...applied,
  })
  const strip = ({ url: _, ...rest }: Record<string, unknown>) => rest
  return {
    printed: [
      printed.files,
      printed.findings.map(strip),
      (printed.suppressed?.findings ?? []).map(strip),
      printed.unknown ?? [],
      (printed.uncreated ?? []).length,
    ],
    found: [
      files.files.length,
      findings.map((finding) => strip(record(finding))),
      suppressed.map(({ finding, by, reason }) => strip({ ...record(finding), by, reason })),
      unknown,
      uncreated.length,
    ],
    count: findings.length,
    findings,
  }
}

/** A project whose configuration says something of everything that matters for findings. */
const project = {
  '.grantwise.yaml': `
extends: [strict, shared/base.json]
brand: acme
regions: [eu]
rules:
  missing-description: off
  expires-too-late: [error, { days: 30 }]
overrides:
  - files: policies/web/**
    rules: { unknown-action: error }
  - files: '*.old.json'
    rules: { unknown-action: off }
ignores:
  - { files: policies/legacy.json, codes: unknown-action, reason: 'replaced soon' }
  - { files: policies/gone.json, codes: [unknown-action], reason: 'nothing there' }
  - { files: policies/legacy.json, codes: [unknown-action], reason: 'for a while', until: 2026-01-31 }
`,
  'shared/base.json': JSON.stringify({ rules: { 'unknown-region': 'info' }, docs: 'https://docs.example.org/' }),
  ...Object.fromEntries(
    ['policies/web/a.json', 'policies/b.json', 'policies/b.old.json', 'policies/legacy.json'].map((path) => [
      path,
      JSON.stringify({
        name: path,
        identities: [`urn:v1:ca:identity:user:ab12-acme/${path.replaceAll('/', '-')}`],
        resources: [{ urn: `urn:v1:eu:resource:vps:${path}` }],
        permissions: { allow: [{ action: 'vps:apiacme:rebooot' }] },
        expiredAt: '2027-11-20T00:00:00Z',
      }),
    ]),
  ),
}

/** The files of a project in a folder of its own. */
function projectIn(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(scratch, name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const textOf = (files: Readonly<Record<string, string>>) => (file: string) => {
  const text = files[file]
  return text === undefined ? { message: 'no such file or folder', isMissing: true } : { source: sourceOf(file, text) }
}

const configurationOf = (files: Readonly<Record<string, string>>) =>
  readConfiguration(sourceOf('.grantwise.yaml', files['.grantwise.yaml'] ?? ''), { textOf: textOf(files) })

describe('the public function reports exactly what `lint` prints', () => {
  const folders = [
    ['examples/mistakes', 30],
    ['examples/terraform', 1],
    ['examples', 80],
    ['test/corpus/shapes', 100],
  ] as const
  it.each(isDeep ? folders : folders.slice(0, 2))('for %s', async (folder, least) => {
    const { printed, found, count } = await both(join(root, folder))
    expect(found).toEqual(printed)
    expect(count).toBeGreaterThanOrEqual(least)
  })

  test.each([11, 12, 13])('for generated files with slips and comments (seed %i)', async (seed) => {
    const random = randomOf(seed)
    const folder = join(scratch, `seed-${seed}`)
    mkdirSync(join(folder, 'policies'), { recursive: true })
    writeFileSync(join(folder, 'world.json'), JSON.stringify(inventory(40)))
    for (let i = 0; i < 60; i++) {
      const { path, text } = write(random, wellFormed(random, i), i)
      const slipped = random() < 0.5 ? pick(random, slips)(text) : text
      writeFileSync(join(folder, path), slipped)
    }
    const { printed, found, count } = await both(folder)
    expect(found).toEqual(printed)
    expect(count).toBeGreaterThan(5)
  })
})

describe('the text of a configuration', () => {
  it('gives the findings that the program gives', async () => {
    const { configuration, diagnostics } = await configurationOf(project)
    expect(diagnostics).toEqual([])
    const { printed, found, findings } = await both(projectIn('project', project), configuration)
    expect(found).toEqual(printed)
    const levels = findings.map(({ code, severity, span }) => `${code} ${severity} ${span.source.path}`)
    expect(levels).toContain('unknown-action error policies/web/a.json')
    expect(levels).toContain('unknown-action warning policies/b.json')
    expect(levels).toContain('expires-too-late error policies/b.json')
    expect(levels.filter((each) => /^missing-description|unknown-action .*(?:old|legacy)/.test(each))).toEqual([])
    expect(levels).toContain('expired-ignore warning .grantwise.yaml')
  })

  it('says where everything is, from the folder of the configuration', async () => {
    const text = 'policies: [p/, ../q]\nworld: w.yaml\ncatalogue: /c.json\nextends: base.yaml\nfailOn: error\n'
    const { configuration } = await readConfiguration(sourceOf('.grantwise.yaml', text), {
      file: '/a/b/.grantwise.yaml',
      textOf: (file) => ({ source: sourceOf(file, 'failOn: never\nheaderPrefix: Acme\n') }),
    })
    expect(configuration).toMatchObject({
      folder: '/a/b',
      files: ['/a/b/base.yaml', '.grantwise.yaml'],
      policies: ['/a/b/p', '/a/q'],
      world: ['/a/b/w.yaml'],
      catalogue: { value: '/c.json' },
      failOn: 'error',
      settings: { ...defaultSettings, headerPrefix: 'Acme' },
    })
  })

  it.each([
    ['of the wrong shape', { '.grantwise.yaml': 'rules: { unknown-action: loud }\n' }],
    ['with an unknown rule', { '.grantwise.yaml': 'rules: { unknown-acton: off }\n' }],
    ['with an option that a rule has not', { '.grantwise.yaml': 'rules: { expired: [error, { days: 3 }] }\n' }],
    ['with a pattern that matches nothing', { '.grantwise.yaml': 'overrides: [{ files: "!p", rules: {} }]\n' }],
    ['that extends itself', { '.grantwise.yaml': 'extends: a.yaml\n', 'a.yaml': 'extends: .grantwise.yaml\n' }],
    ['that extends what is not there', { '.grantwise.yaml': 'extends: [nowhere.yaml, auditer]\n' }],
    ['that extends what is wrong', { '.grantwise.yaml': 'extends: [b.json]\nfailOn: no\n', 'b.json': '{"extends": 3}' }],
    ['of two documents', { '.grantwise.yaml': 'failOn: error\n---\nfailOn: never\n' }],
  ])('is refused where the program refuses it: one %s', async (name, files) => {
    const { configuration, diagnostics } = await configurationOf(files as Readonly<Record<string, string>>)
    expect(configuration).toBeUndefined()
    const { stderr } = await mainIn(['lint', '.'], projectIn(name.replaceAll(' ', '-'), files as Readonly<Record<string, string>>))
    expect(stderr).toBe(`grantwise: the configuration cannot be used\n${diagnosticLines(diagnostics)}`)
  })
})

/** Mistakes of users in a text. */
const slips: readonly ((text: string) => string)[] = [
  (text) => text.replace(/(apisvc:\w)/, '$1x'),
  (text) => text.replace('urn:v1:eu:identity:user', 'urn:v1:eu:identity:usr'),
  (text) => text.replace('identities', 'identitys'),
  (text) => text.slice(0, text.length * 0.8),
  (text) => text.replace(/^(\s*-? ?"?action"?: .*apisvc:\w+)/m, '# grantwise-ignore unknown-action: announced\n$1x'),
]

test('an example in a document has the rules and the levels of its document', async () => {
  const example = `name: x
identities: [urn:v1:eu:identity:user:ab12-svc/ann]
resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]
permissions: { allow: [{ action: vps:apisvc:rebooot }] }
`
  const texts = {
    '.grantwise.yaml': `rules: { missing-description: off }
overrides:
  - { files: strict/**, rules: { unknown-action: error, missing-description: error } }
  - { files: drafts/**, rules: { unknown-action: off } }
`,
    ...Object.fromEntries(['a.md', 'strict/a.md', 'drafts/a.md'].map((path) => [path, `# Example\n\n\`\`\`yaml\n${example}\`\`\`\n`])),
  }
  const { configuration } = await configurationOf(texts)
  const { printed, found, findings } = await both(projectIn('documents', texts), configuration)
  expect(found).toEqual(printed)
  expect(findings.map(({ code, severity, span }) => `${span.source.path} ${code} ${severity}`).sort()).toEqual([
    'a.md unknown-action warning',
    'strict/a.md missing-description error',
    'strict/a.md unknown-action error',
  ])
})

describe('fixing', () => {
  it('has a row in the documentation for each reason why not', () => {
    const rows = [...readFileSync(join(root, 'docs/fixes.md'), 'utf8').matchAll(/^\| `([a-z][a-z-]+)` \|/gm)].map((match) => match[1])
    expect(rows).toEqual(Object.keys(whyNotFixed))
  })

  it('writes what `lint --fix` writes', async () => {
    const folder = join(scratch, 'fixed')
    cpSync(join(root, 'examples/mistakes'), folder, { recursive: true })
    const { changed, count } = await fixFiles(runOf(await readFolder(folder)), 'suggested', {
      folders: foldersOf(ioIn(folder, {}).io),
    })
    const { stderr } = await mainIn(['lint', '--fix', '--fix-level', 'suggested', '--no-config', '--fences', '--at', now, '.'], folder)
    expect(stderr).toContain(`fixed ${count} problems in ${changed.length} files`)
    expect(changed.length).toBeGreaterThan(30)
    for (const { after } of changed)
      expect(readFileSync(join(folder, after.source.path), 'utf8'), after.source.path).toBe(after.source.text)
  })

  it.each([
    [
      'no-fix',
      'p.yaml',
      'name: x\nidentities: [urn:v1:eu:identity:user:ab/a]\nresources: []\npermissions: { allow: [{ action: "vps:*" }] }\n',
    ],
    [
      'json-configuration',
      'main.tf.json',
      JSON.stringify({
        resource: {
          svc_iam_policy: {
            p: {
              name: 'p',
              identities: ['urn:v1:eu:identity:user:ab/a'],
              resources: ['urn:v1:eu:resource:vps:x'],
              allow: ['vps:apisvc:rebooot'],
            },
          },
        },
      }),
    ],
  ] as const)('says why not: %s', async (why, path, text) => {
    const files = await readSources([{ source: sourceOf(path, text) }], defaultSettings)
    const { findings } = lintFiles(runOf(files))
    expect(findings.length).toBeGreaterThan(0)
    const fixable = { ...findings[0], ...(why !== 'no-fix' && { fix: { description: 'x', edits: [], safe: true } }) }
    const fixing = { fileOf: () => files.each[0], uncreated: [] }
    expect(mayFix(fixable as (typeof findings)[number], fixing)).toBe(why)
    expect(whyNotFixed[why]).toMatch(/^[a-z].*[^.]$/)
  })
})
