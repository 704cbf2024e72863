import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { configurationReader } from '../../src/lint/read-config.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { mainIn } from '../support/in-process.ts'

const folders: string[] = []
afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })))

/** A new repository with files; a text that starts with `-> ` is the target of a symbolic link. */
function repositoryWith(files: Readonly<Record<string, string>>): string {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-shared-'))), 'repository')
  folders.push(dirname(folder))
  for (const [name, text] of Object.entries({ '.git/HEAD': 'ref: refs/heads/main\n', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), join(folder, name))
    else writeFileSync(join(folder, name), text)
  }
  return folder
}

const printed = async (folder: string, file = 'policies/a.yaml') => {
  const { stdout, stderr } = await mainIn(['lint', '--print-config', file], folder)
  if (stderr !== '') throw new Error(stderr)
  return JSON.parse(stdout)
}
const shared = 'rules: { unknown-action: error }\n'

describe('a package', () => {
  it.each([
    ['acme-lint', 'node_modules/acme-lint/grantwise.yaml'],
    ['acme-lint', 'node_modules/acme-lint/grantwise.json'],
    ['"@acme/lint"', 'node_modules/@acme/lint/grantwise.yml'],
    ['acme-lint/strict.yaml', 'node_modules/acme-lint/strict.yaml'],
    ['"@acme/lint/sub/strict.json"', 'node_modules/@acme/lint/sub/strict.json'],
  ])('`%s` is found at %s, in the folder or above it', async (name, file) => {
    const text = file.endsWith('.json') ? '{"rules": {"unknown-action": "error"}}' : shared
    for (const home of ['', 'services/shop/']) {
      const folder = repositoryWith({ [file]: text, [`${home}.grantwise.yaml`]: `extends: ${name}\n` })
      const config = await printed(join(folder, home))
      expect([config.rules['unknown-action'], config.origins['rules.unknown-action']]).toEqual([
        'error',
        expect.stringMatching(new RegExp(`^(../../)?${file}:1:\\d+$`)),
      ])
    }
  })

  it('is what it was: a file of the repository comes before one of a package', async () => {
    const folder = repositoryWith({
      'acme-lint/strict.yaml': 'rules: { unknown-action: info }\n',
      'node_modules/acme-lint/strict.yaml': shared,
      '.grantwise.yaml': 'extends: acme-lint/strict.yaml\n',
    })
    expect((await printed(folder)).configurations).toEqual(['acme-lint/strict.yaml', '.grantwise.yaml'])
  })

  it('is about the files of its user, and names its own world and catalogue', async () => {
    const folder = repositoryWith({
      'node_modules/acme-lint/grantwise.yaml': `extends: ./base.yaml
world: world.yaml
ignores: [{ files: old/**, codes: unknown-action, reason: old }]
`,
      'node_modules/acme-lint/base.yaml': 'policies: iam\noverrides: [{ files: sandbox/**, rules: { unknown-action: info } }]\n',
      'node_modules/acme-lint/world.yaml': 'identities: [{ urn: "urn:v1:eu:identity:user:ab12-svc/ann", groups: [] }]\n',
      'services/shop/.grantwise.yaml': 'extends: acme-lint\n',
    })
    const shop = join(folder, 'services/shop')
    for (const [path, name] of Object.entries({ 'iam/a.yaml': 'a', 'iam/old/b.yaml': 'b', 'iam/sandbox/c.yaml': 'c' })) {
      mkdirSync(dirname(join(shop, path)), { recursive: true })
      const text = `name: ${name}
identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
resources: [{ urn: "urn:v1:eu:resource:vps:${name}" }]
permissions: { allow: [{ action: "vps:apisvc:rebooot" }] }
`
      writeFileSync(join(shop, path), text)
    }
    const lint = async () => {
      const { stdout, stderr } = await mainIn(['lint', '--format', 'json'], shop)
      return {
        stderr,
        found:
          stderr === '' && JSON.parse(stdout).findings.map((each: Readonly<Record<string, string>>) => `${each.file} ${each.severity}`),
      }
    }
    // The patterns are relative to `services/shop`: none of them matches a file of `iam`.
    expect(await lint()).toEqual({ stderr: '', found: ['iam/a.yaml warning', 'iam/old/b.yaml warning', 'iam/sandbox/c.yaml warning'] })
    writeFileSync(
      join(folder, 'node_modules/acme-lint/base.yaml'),
      'policies: iam\noverrides: [{ files: iam/sandbox/**, rules: { unknown-action: info } }]\n',
    )
    writeFileSync(
      join(folder, 'node_modules/acme-lint/grantwise.yaml'),
      'extends: ./base.yaml\nignores: [{ files: iam/old/**, codes: unknown-action, reason: old }, { files: iam/x/**, codes: expired, reason: x }]\n',
    )
    expect(await lint()).toEqual({ stderr: '', found: ['iam/a.yaml warning', 'iam/sandbox/c.yaml info'] })
  })

  it('suppresses in each folder that uses it', async () => {
    const policy =
      'name: a\nidentities: [urn:v1:eu:identity:user:ab12-svc/ann]\nresources: [{ urn: urn:v1:eu:resource:vps:a }]\npermissions: { allow: [{ action: vps:apisvc:rebooot }] }\n'
    const folder = repositoryWith({
      'node_modules/acme-lint/grantwise.yaml': 'ignores: [{ files: old/*, codes: unknown-action, reason: old }]\n',
      'one/.grantwise.yaml': 'extends: acme-lint\n',
      'two/.grantwise.yaml': 'extends: acme-lint\n',
      'one/old/a.yaml': policy,
      'two/old/b.yaml': policy.replace('name: a', 'name: b').replace('vps:a', 'vps:b'),
    })
    expect(JSON.parse((await mainIn(['lint', '--format', 'json'], folder)).stdout).findings).toEqual([])
  })

  it('is read through a link within the repository, and not through one that leads out of it', async () => {
    const files = { '.grantwise.yaml': 'extends: acme-lint\n', 'packages/lint/grantwise.yaml': shared, '../lint/grantwise.yaml': shared }
    const inside = repositoryWith({ ...files, 'node_modules/acme-lint': '-> ../packages/lint' })
    expect((await printed(inside)).rules['unknown-action']).toBe('error')
    const outside = repositoryWith({ ...files, 'node_modules/acme-lint': '-> ../../lint' })
    expect(await mainIn(['lint', '--print-config', 'x.yaml'], outside)).toEqual({
      stdout: '',
      stderr: `grantwise: the configuration cannot be used
.grantwise.yaml:1:10: error config: \`acme-lint\` cannot be extended: a symbolic link on the way to it leads out of the repository
`,
      exit: 2,
    })
  })

  it.each([
    [
      'acme-lnt',
      '`acme-lnt` is neither a preset nor a configuration file, and no such package is installed\n  help: did you mean `acme-lint`?',
    ],
    [
      '"@acme/rule"',
      '`@acme/rule` is neither a preset nor a configuration file, and no such package is installed\n  help: did you mean `@acme/rules`?',
    ],
    ['auditer', '`auditer` is neither a preset nor a configuration file\n  help: did you mean `auditor`?'],
    ['acme-lint/none.yaml', '`acme-lint/none.yaml` cannot be extended: no such file or folder'],
    ['./strct.yaml', '`./strct.yaml` cannot be extended: no such file or folder\n  help: did you mean `./strict.yaml`?'],
    ['"@acme/empty"', 'the package `@acme/empty` has no `grantwise.yaml`'],
    ['acme-lint/index.js', '`acme-lint/index.js` is neither a preset nor a configuration file\n  help: write `recommended`'],
  ])('%s that is not there is reported with what is near', async (name, message) => {
    const folder = repositoryWith({
      '.grantwise.yaml': `extends: ${name}\n`,
      'strict.yaml': '',
      'node_modules/acme-lint/grantwise.yaml': shared,
      'node_modules/@acme/rules/grantwise.yaml': shared,
      'node_modules/@acme/empty/package.json': '{}',
    })
    const { stdout, stderr, exit } = await mainIn(['lint', '--print-config', 'x.yaml'], folder)
    expect([stdout, exit]).toEqual(['', 2])
    expect(stderr).toContain(`.grantwise.yaml:1:10: error config: ${message}`)
  })

  it('is reported at its own places, and where packages extend one another', async () => {
    const folder = repositoryWith({
      '.grantwise.yaml': 'extends: acme-lint\n',
      'node_modules/acme-lint/grantwise.yaml': 'rules:\n  unknown-acton: error\n',
    })
    const lint = async () => (await mainIn(['lint', '--print-config', 'x.yaml'], folder)).stderr
    expect(await lint()).toContain('node_modules/acme-lint/grantwise.yaml:2:3: error config: unknown rule `unknown-acton`')
    mkdirSync(join(folder, 'node_modules/other'))
    writeFileSync(join(folder, 'node_modules/acme-lint/grantwise.yaml'), 'extends: other\n')
    writeFileSync(join(folder, 'node_modules/other/grantwise.yaml'), 'extends: acme-lint\n')
    expect(await lint()).toContain(
      '`acme-lint` extends itself: .grantwise.yaml → node_modules/acme-lint/grantwise.yaml → node_modules/other/grantwise.yaml → node_modules/acme-lint/grantwise.yaml',
    )
  })
})

test('a file with nothing but comments says nothing, and many blank lines and comments above its fields are read past', async () => {
  const read = (source: Source, file: string) => configurationReader({ textOf: () => ({ message: 'there is none' }) })(source, file)
  const problemsOf = async (text: string) => (await read(sourceOf('.grantwise.yaml', text), '/.grantwise.yaml')).diagnostics
  const above = '\n'.repeat(1000) + '  # a comment\r\n \n'.repeat(1000)
  expect(await problemsOf(above)).toEqual([])
  expect(await problemsOf(`${above}#`)).toEqual([])
  expect(await problemsOf(`${above}ignore: [x]`)).not.toEqual([])
  // A line of YAML ends at a carriage return, too.
  expect(await problemsOf('# a comment\rignore: [x]')).not.toEqual([])
})

test('the example says the same from a file and from a package', async () => {
  const example = resolve(import.meta.dirname, '../../examples/shared-config')
  const folder = repositoryWith({})
  cpSync(example, folder, { recursive: true })
  const lint = async () => (await mainIn(['lint', '--format', 'compact'], folder)).stdout
  const before = await lint()
  cpSync(join(folder, 'acme-lint'), join(folder, 'node_modules/acme-lint'), { recursive: true })
  rmSync(join(folder, 'acme-lint'), { recursive: true })
  const own = 'extends: acme-lint\npolicies: policies\nregions: [eu]\nrules:\n  missing-description: info\n'
  writeFileSync(join(folder, '.grantwise.yaml'), own)
  expect(before).toContain('acme/nobody-terminates')
  expect(await lint()).toBe(before)
})

test('a name that is not there is shown without what hides in it', async () => {
  const read = configurationReader({ textOf: () => ({ message: 'no such file', isMissing: true }) })
  const { diagnostics } = await read(sourceOf('.grantwise.yaml', 'extends: "d\\ufeff"\n'), '/a/.grantwise.yaml')
  expect(diagnostics.map(({ message }) => message)).toEqual(['`d\\u{feff}` is neither a preset nor a configuration file'])
})

test.each(['recommended', 'strict', 'auditor'])(
  'the preset of a configuration, %s, gives way to that of the command line',
  async (written) => {
    const configured = repositoryWith({ '.grantwise.yaml': `extends: ${written}\nrules: { unknown-action: info }\n` })
    const bare = repositoryWith({ '.grantwise.yaml': 'rules: { unknown-action: info }\n' })
    for (const preset of ['recommended', 'strict', 'auditor']) {
      const [own, other] = await Promise.all(
        [configured, bare].map(async (folder) => {
          const { stdout } = await mainIn(['lint', '--print-config', 'policies/a.yaml', '--preset', preset], folder)
          return JSON.parse(stdout).rules
        }),
      )
      expect(own, preset).toEqual(other)
    }
    // Without one, that of the configuration holds.
    expect((await printed(configured)).rules).toEqual(
      JSON.parse((await mainIn(['lint', '--print-config', 'policies/a.yaml', '--preset', written], bare)).stdout).rules,
    )
  },
)
