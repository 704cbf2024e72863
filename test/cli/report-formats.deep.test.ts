import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { evidenceFacts } from '../../src/page/evidence.ts'
import { ioIn, mainIn } from '../support/in-process.ts'

/** `report` as a file for archives, and the state that it says it is of. */

const policies = `- name: ops
  identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources: [{ urn: "urn:v1:eu:resource:vps:web-1" }]
  permissions: { allow: [{ action: "vps:apisvc:terminate" }] }
`
const world = `identities: [{ urn: "urn:v1:eu:identity:user:ab12-svc/ann" }]
resources: [{ urn: "urn:v1:eu:resource:vps:web-1" }]
`

function folderWith(files: Readonly<Record<string, string>> = { 'policies/ops.yaml': policies, 'world.yaml': world }): string {
  const folder = mkdtempSync(join(tmpdir(), 'report-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Carol', '-c', 'user.email=c@x', ...args], { cwd: folder, encoding: 'utf8' }).trim()

function repository(): string {
  const folder = folderWith()
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'Add ops')
  return folder
}

const paths = ['policies', 'world.yaml']
const jsonOf = async (folder: string, args: readonly string[] = paths) =>
  JSON.parse((await mainIn(['report', '--format', 'json', '-o', '-', ...args], folder)).stdout)

describe('the formats', () => {
  test.each([
    ['report.md', '# Access report\n'],
    ['report.csv', 'Identity,Kind,Resource,Type,Level,Allowed,When,Actions,Sensitive,Granted by,Limited by\n'],
    ['report.json', '{"version":'],
    ['report.xlsx', 'PK'],
    ['report.html', '<!doctype html>'],
  ])('the ending of %s names one', async (file, start) => {
    const folder = folderWith()
    const { exit, stderr } = await mainIn(['report', ...paths, '-o', file], folder)
    expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining(`${file}: 1 policy, 1 identity, 1 resource`) })
    expect(readFileSync(join(folder, file), 'latin1').slice(0, start.length)).toBe(start)
  })

  test('a format without a file is written to a file with its ending', async () => {
    const folder = folderWith()
    await mainIn(['report', ...paths, '--format', 'md'], folder)
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('| Delete | `user/ann` | without conditions |')
  })

  test('JSON is as its schema says, with a comparison and without one', async () => {
    const folder = repository()
    writeFileSync(join(folder, 'policies/ops.yaml'), policies.replace('terminate', 'reboot'))
    const schema = JSON.parse(readFileSync(new URL('../../schemas/report.schema.json', import.meta.url), 'utf8'))
    const validate = new Ajv({ strict: false }).compile(schema)
    for (const more of [[], ['--before', 'main']]) {
      const report = await jsonOf(folder, [...paths, ...more])
      validate(report)
      expect(validate.errors).toBeNull()
      expect('changes' in report).toBe(more.length > 0)
    }
  })

  test('every format but CSV says which resources it keeps to', async () => {
    const tagged = world.replace('web-1" }', 'web-1", tags: { env: prod } }')
    const folder = folderWith({ 'policies/ops.yaml': policies, 'world.yaml': tagged })
    const args = [...paths, '--with-tag', 'env=prod']
    expect(await jsonOf(folder, args)).toMatchObject({ withTag: 'tag env = prod' })
    await mainIn(['report', ...args, '-o', 'a.md'], folder)
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toMatch(/- \*\*Resources\*\*: only those that are described with .*env/)
    await mainIn(['report', ...args, '-o', 'a.xlsx'], folder)
    const sheet = strFromU8(unzipSync(readFileSync(join(folder, 'a.xlsx')))['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect(sheet).toMatch(/Resources<.*only those that are described with/)
  })

  test.each([
    [['--format', 'xlsx', '-o', '-'], '`-o -`: a workbook is no text for standard output'],
    [['--table', 'policies'], '`--table` chooses the table of a CSV file'],
    [['--format', 'csv', '--table', 'changes'], '`--table changes`: nothing is compared'],
    [['--format', 'csv', '--table', 'review'], '`--table review`: no review is given'],
    [['-o', 'report.pdf'], '`report` cannot write `.pdf`'],
  ])('%j is refused, and nothing is written', async (args, message) => {
    const { exit, stdout, stderr } = await mainIn(['report', ...paths, ...args], folderWith())
    expect({ exit, stdout, stderr }).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(message) })
  })
})

test('every format has the review, where one is given', async () => {
  const folder = folderWith({ 'policies/ops.yaml': policies, 'world.yaml': world })
  await mainIn(['review', '-p', 'policies/ops.yaml', '--no-config'], folder)
  const open = readFileSync(join(folder, 'review.yaml'), 'utf8')
  writeFileSync(join(folder, 'review.yaml'), open.replace('decision:\n    by:', 'decision: remove\n    by: kim\n    date: 2026-06-01'))
  const args = [...paths, '--review', 'review.yaml']
  const report = await jsonOf(folder, args)
  expect(report.review.map(({ status }: { status: string }) => status)).toContain('not-removed')
  const schema = JSON.parse(readFileSync(new URL('../../schemas/report.schema.json', import.meta.url), 'utf8'))
  const validate = new Ajv({ strict: false }).compile(schema)
  validate(report)
  expect(validate.errors).toBeNull()
  await mainIn(['report', ...args, '-o', 'a.xlsx'], folder)
  const [row] = report.review.filter(({ status }: { status: string }) => status === 'not-removed')
  const { stdout } = await mainIn(['report', ...args, '--format', 'csv', '--table', 'review', '-o', '-'], folder)
  const { stdout: markdown } = await mainIn(['report', ...args, '--format', 'md', '-o', '-'], folder)
  const parts = unzipSync(readFileSync(join(folder, 'a.xlsx')))
  const sheets = Object.keys(parts).flatMap((name) => (name.includes('worksheets/') ? [strFromU8(parts[name] as Uint8Array)] : []))
  for (const text of [stdout, markdown.slice(markdown.indexOf('## Review of access')), sheets.join('')])
    for (const words of [row.identity, row.access[0], 'decided to be removed, and still granted', 'remove by kim on 2026-06-01'])
      expect(text).toContain(words)
})

test('access that is lost with its resource type is as sensitive as it was', async () => {
  const other = policies.replace('vps:web-1', 'domain:a.example').replace('vps:apisvc:terminate', 'domain:apisvc:get')
  const folder = folderWith({ 'old/ops.yaml': policies, 'old/world.yaml': world, 'new/ops.yaml': other })
  const { changes } = await jsonOf(folder, ['new', '--before', 'old'])
  const lost = changes.filter(({ change }: { change: string }) => change === 'lost')
  expect(lost).toMatchObject([{ actions: ['vps:apisvc:terminate'], sensitive: ['destruction'] }])
})

test('a report that leaves identities out says so at its head, in every format', async () => {
  const over = async (format: string) => {
    const { io, out } = ioIn(fileURLToPath(new URL('../../examples/acme', import.meta.url)), {})
    const exit = await main(['report', '--format', format, '-o', '-'], { ...io, budget: 5000 })
    return { exit, text: out.stdout }
  }
  const [page, json, markdown] = [await over('html'), await over('json'), await over('md')]
  expect([page.exit, json.exit, markdown.exit]).toEqual([3, 3, 3])
  const { complete, reasons } = JSON.parse(json.text)
  expect([complete, reasons[0]]).toEqual([false, expect.stringContaining('8 of 12 identities not looked at')])
  const [, data = ''] = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(page.text) ?? []
  expect(
    evidenceFacts(JSON.parse(data))
      .filter(([term]) => term === 'Limits')
      .map(([, words]) => words),
  ).toEqual(reasons)
  expect(markdown.text).toContain('- **Limits**: ')
})

describe('the state', () => {
  test('is the commit where all files are as in it', async () => {
    const folder = repository()
    const { evidence } = await jsonOf(folder)
    expect(evidence).toMatchObject({
      accounts: ['ab12-svc'],
      commit: { id: git(folder, 'rev-parse', 'HEAD'), branch: 'main', subject: 'Add ops', author: 'Carol', changed: 0 },
      why: null,
    })
  })

  test.each([
    ['an edited file', (folder: string) => writeFileSync(join(folder, 'policies/ops.yaml'), `${policies}# more\n`)],
    [
      'a staged file',
      (folder: string) => {
        writeFileSync(join(folder, 'policies/ops.yaml'), `${policies}# more\n`)
        git(folder, 'add', '-A')
      },
    ],
    ['a new file', (folder: string) => writeFileSync(join(folder, 'policies/new.yaml'), policies.replace('ops', 'new'))],
    [
      'an ignored file',
      (folder: string) => {
        writeFileSync(join(folder, '.gitignore'), 'other.yaml\n')
        git(folder, 'add', '-A')
        git(folder, 'commit', '-q', '-m', 'Ignore')
        writeFileSync(join(folder, 'other.yaml'), policies.replace('ops', 'other'))
      },
    ],
  ])('counts %s as changed', async (what, change) => {
    const folder = repository()
    change(folder)
    const { evidence } = await jsonOf(folder, what === 'an ignored file' ? [...paths, 'other.yaml'] : paths)
    expect(evidence.commit.changed).toBe(1)
  })

  test.each([[paths], [['git:main:policies', 'git:main:world.yaml']]])('counts settings that are not committed, for %j', async (args) => {
    const folder = repository()
    writeFileSync(join(folder, '.grantwise.yaml'), 'regions: [eu]\n')
    const { evidence } = await jsonOf(folder, args)
    expect(evidence.commit).toMatchObject({ id: git(folder, 'rev-parse', 'main'), changed: 1 })
  })

  test('of files of a commit is this commit, whatever is on the disk', async () => {
    const folder = repository()
    writeFileSync(join(folder, 'policies/ops.yaml'), 'broken: [')
    const { evidence } = await jsonOf(folder, ['git:main:policies', 'git:main:world.yaml'])
    expect(evidence.commit).toMatchObject({ id: git(folder, 'rev-parse', 'main'), branch: 'main', changed: 0 })
  })

  test.each([
    ['outside of a repository', folderWith, paths, 'not a git repository'],
    [
      'before the first commit',
      () => {
        const folder = folderWith()
        git(folder, 'init', '-q')
        return folder
      },
      paths,
      'the last commit: no such commit',
    ],
    ['for files of a commit and of the disk', repository, ['git:main:policies', 'world.yaml'], 'files from git:main and the disk'],
  ])('is no commit %s', async (_, make, args, why) => {
    const { evidence } = await jsonOf(make(), args)
    expect(evidence).toMatchObject({ commit: null, why })
  })

  test.each(['main', 'old'])('has the digest of what sha256sum prints, of the files of the state and not of %s', async (before) => {
    const folder = repository()
    mkdirSync(join(folder, 'old'))
    writeFileSync(join(folder, 'old/ops.yaml'), policies)
    writeFileSync(join(folder, 'policies/ops.yaml'), policies.replace('terminate', 'reboot'))
    const { evidence } = await jsonOf(folder, [...paths, '--before', before])
    const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
    const lines = ['policies/ops.yaml', 'world.yaml'].map((path) => `${hash(readFileSync(join(folder, path)))}  ${path}\n`)
    expect(evidence.inputs).toEqual({ files: 2, others: 0, sha256: hash(lines.join('')) })
  })
})
