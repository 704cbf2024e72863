import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CachedRun } from '../../src/cli/input/lint-cache.ts'
import { mainIn } from '../support/in-process.ts'

let work: string
let elsewhere: string
const answers = vi.spyOn(CachedRun.prototype, 'again')
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-cache-'))
  elsewhere = mkdtempSync(join(tmpdir(), 'grantwise-elsewhere-'))
  writeFileSync(join(work, 'p.yaml'), policy('vps:apisvc:rebooot'))
  answers.mockClear()
})
afterEach(() => {
  rmSync(work, { recursive: true, force: true })
  rmSync(elsewhere, { recursive: true, force: true })
})

const policy = (action: string) =>
  `name: p\nidentities: ["urn:v1:eu:identity:user:ab12-svc/ann"]\nresources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]\npermissions: { allow: [{ action: "${action}" }] }\n`

const lint = (...args: readonly string[]) => mainIn(['lint', ...args], work)
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: work, stdio: 'pipe' })

/** Whether the last run was answered from the cache. */
const isAnswered = async () => (await answers.mock.results.at(-1)?.value) !== undefined

const folder = () => join(work, '.grantwise_cache')
const entries = (at = folder()) => (existsSync(at) ? readdirSync(at).filter((name) => name.startsWith('lint-')) : [])
const entry = () => join(folder(), entries()[0] as string)
const kept = () => readFileSync(entry(), 'utf8').slice(65)
/** Write an entry as the program does. */
const keep = (text: string) => writeFileSync(entry(), `${hash('sha256', text)}\n${text}`, { mode: 0o600 })

/** An entry that hides all findings: what an attacker would like to be taken for the result. */
const hiding = () => JSON.stringify({ ...JSON.parse(kept()), written: [], code: 0 })

it('gives no result of an earlier run where a variable of the environment has another value', async () => {
  writeFileSync(
    join(work, 'main.tf'),
    'variable "x" { type = string }\nresource "svc_iam_policy" "p" {\n  name       = "p"\n  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]\n  resources  = ["urn:v1:eu:resource:vps:vps-1"]\n  allow      = [var.x]\n}\n',
  )
  const lintWith = (value: string) => mainIn(['lint', '--cache', '--var-env', 'main.tf'], work, { TF_VAR_x: value })
  expect(await lintWith('vps:apisvc:reboot')).toMatchObject({ exit: 0 })
  expect(await lintWith('vps:apisvc:rebooot')).toMatchObject({ exit: 1, stdout: expect.stringContaining('unknown-action') })
  expect(await lintWith('vps:apisvc:reboot')).toMatchObject({ exit: 0 })
})

it('prints the result of an earlier run again', async () => {
  const expected = await lint('p.yaml')
  expect(expected).toMatchObject({ exit: 1, stdout: expect.stringContaining('unknown-action') })
  expect(await lint('--cache', 'p.yaml')).toEqual(expected)
  expect(await isAnswered()).toBe(false)
  expect(await lint('--cache', 'p.yaml')).toEqual(expected)
  expect(await isAnswered()).toBe(true)
  // It is what the entry says.
  keep(hiding())
  expect(await lint('--cache', 'p.yaml')).toEqual({ exit: 0, stdout: '', stderr: '' })
  writeFileSync(join(work, 'p.yaml'), policy('vps:apisvc:reboot'))
  expect(await lint('--cache', 'p.yaml')).toEqual({ exit: 0, stdout: '', stderr: '' })
  expect(await isAnswered()).toBe(false)
})

it('writes reports to files again, and refuses to replace what is read', async () => {
  const args = ['--cache', '--format', 'json=out.json', 'p.yaml']
  const expected = await lint(...args)
  const report = readFileSync(join(work, 'out.json'), 'utf8')
  rmSync(join(work, 'out.json'))
  expect(await lint(...args)).toEqual(expected)
  expect(await isAnswered()).toBe(true)
  expect(readFileSync(join(work, 'out.json'), 'utf8')).toBe(report)
  // Under any name.
  await lint('--cache', '-o', 'other.json', 'p.yaml')
  expect(await isAnswered()).toBe(true)
  expect(readFileSync(join(work, 'other.json'), 'utf8')).toBe(report)
  rmSync(join(work, 'other.json'))
  writeFileSync(join(work, 'out.json'), JSON.stringify({ name: 'x', identities: [], resources: [], permissions: { allow: [] } }))
  expect(await lint(...args)).toMatchObject({ exit: 2, stderr: expect.stringContaining('contains policies, and is not overwritten') })
})

describe('a damaged entry is ignored and written again', () => {
  const damages: Readonly<Record<string, () => void>> = {
    empty: () => writeFileSync(entry(), ''),
    'cut off': () => writeFileSync(entry(), readFileSync(entry()).subarray(0, -1)),
    'changed in one place': () => writeFileSync(entry(), readFileSync(entry(), 'utf8').replace('"code":1', '"code":0')),
    'no JSON': () => keep('{'),
    'JSON of another shape': () => keep('null'),
    'without a field': () => keep(hiding().replace('"files":', '"file":')),
    'with a field of another type': () => keep(hiding().replace('"written":[]', '"written":{}')),
    'of an error': () => keep(hiding().replace('"code":0', '"code":2')),
    'that writes a file which is not asked for': () => keep(JSON.stringify({ ...JSON.parse(hiding()), written: [['file', 'text', 0]] })),
    'a symbolic link': () => {
      writeFileSync(join(elsewhere, 'entry'), `${hash('sha256', hiding())}\n${hiding()}`, { mode: 0o600 })
      rmSync(entry())
      symlinkSync(join(elsewhere, 'entry'), join(folder(), name))
    },
    'a pipe': () => {
      rmSync(join(folder(), name))
      execFileSync('mkfifo', [join(folder(), name)])
    },
    'that others may write': () => {
      keep(hiding())
      chmodSync(entry(), 0o666)
    },
    'of another user': () => {
      keep(hiding())
      vi.spyOn(process, 'getuid').mockReturnValueOnce(lstatSync(entry()).uid + 1)
    },
  }
  let name = ''

  it.each(Object.keys(damages))('%s', async (damage) => {
    const expected = await lint('--cache', 'p.yaml')
    name = entries()[0] as string
    const before = kept()
    damages[damage]?.()
    expect(await lint('--cache', 'p.yaml')).toEqual(expected)
    expect(await isAnswered()).toBe(false)
    expect(readdirSync(elsewhere).filter((each) => each !== 'entry')).toEqual([])
    expect(lstatSync(entry())).toMatchObject({ mode: 0o100600 })
    expect(kept()).toBe(before)
    expect(await lint('--cache', 'p.yaml')).toEqual(expected)
    expect(await isAnswered()).toBe(true)
  })
})

const noted = (why: string) => expect.stringMatching(new RegExp(`^grantwise: note: no cache is used: [^\\n]*: ${why}\\n$`))

describe('a place that is not its own is said, and not used', () => {
  const refused = async (why: string, ...args: readonly string[]) => {
    const expected = await lint('p.yaml')
    answers.mockClear()
    expect(await lint('--cache', ...args, 'p.yaml')).toEqual({ ...expected, stderr: noted(why) })
    expect(answers).not.toHaveBeenCalled()
  }

  it('what git tracks: a change of the repository may hide findings', async () => {
    git('init', '-q')
    await lint('--cache', 'p.yaml')
    keep(hiding())
    expect(await lint('--cache', 'p.yaml')).toMatchObject({ exit: 0 })
    git('add', '--force', '.grantwise_cache')
    await refused('git tracks files in it, which a change of the repository may have written')
    git('rm', '-q', '-r', '--cached', '.grantwise_cache')
    git('add', '--force', 'p.yaml')
    expect(await lint('--cache', 'p.yaml')).toMatchObject({ exit: 0 })
  })

  it('an index that cannot be read', async () => {
    git('init', '-q')
    writeFileSync(join(work, '.git/index'), 'no index')
    await refused('what git tracks is not known: .*')
  })

  it('a symbolic link', async () => {
    symlinkSync(elsewhere, folder())
    await refused('a symbolic link')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('a folder behind a symbolic link', async () => {
    symlinkSync(elsewhere, join(work, 'tools'))
    await refused('`.*tools` is a symbolic link', '--cache-location', 'tools/cache')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('a folder under another name where several spellings are one name', async () => {
    const native = realpathSync.native
    const spelt = vi.spyOn(realpathSync, 'native').mockImplementation((path) => {
      const real = native(path as string)
      return real.replace('.grantwise_cache', '.Grantwise_Cache')
    })
    await refused('a folder whose name is spelt otherwise')
    spelt.mockRestore()
    expect(entries()).toEqual([])
  })

  it('a file', async () => {
    writeFileSync(folder(), '')
    await refused('not a folder')
  })

  it('a folder that cannot be made', async () => {
    await refused('.*', '--cache-location', '/proc/none/cache')
  })
})

it('says that an entry cannot be written, and does not fail', async () => {
  const expected = await lint('--cache', 'p.yaml')
  const name = entries()[0] as string
  rmSync(entry())
  mkdirSync(join(folder(), name, 'full'), { recursive: true })
  expect(await lint('--cache', 'p.yaml')).toEqual({ ...expected, stderr: noted('.*') })
  expect(readdirSync(folder()).sort()).toEqual(['.gitignore', name])
})

it('leaves no folder whose content git would not ignore', async () => {
  // In this folder there is room in a path for the name of no file.
  const deepest = join(elsewhere, ...Array.from({ length: 20 }, () => 'd'.repeat(190)))
  const location = join(deepest, 'e'.repeat(4090 - deepest.length - 1))
  const expected = await lint('p.yaml')
  expect(await lint('--cache', '--cache-location', location, 'p.yaml')).toEqual({ ...expected, stderr: noted('.*') })
  expect(readdirSync(deepest)).toEqual([])
})

it('is with the installed packages where they are, and else in a folder that git ignores', async () => {
  await lint('--cache', 'p.yaml')
  expect(readFileSync(join(folder(), '.gitignore'), 'utf8')).toBe('*\n')
  mkdirSync(join(work, 'node_modules'))
  await lint('--cache', 'p.yaml')
  expect(entries(join(work, 'node_modules/.cache/grantwise'))).toHaveLength(1)
  await lint('--cache', '--cache-location', join(elsewhere, 'own'), 'p.yaml')
  expect(entries(join(elsewhere, 'own'))).toHaveLength(1)
})

it('is not searched for policies, unless git tracks it', async () => {
  await lint('--cache')
  writeFileSync(join(folder(), 'hidden.yaml'), policy('vps:apisvc:gett'))
  expect((await lint('--list-files')).stdout).toBe('p.yaml: linted\n')
  rmSync(join(folder(), '.gitignore'))
  git('init', '-q')
  git('add', '--force', '.grantwise_cache/hidden.yaml')
  expect((await lint('--list-files')).stdout).toContain('.grantwise_cache/hidden.yaml: linted\n')
})

it('keeps results of the latest command lines, and no other files of its folder go', async () => {
  await lint('--cache', 'p.yaml')
  const left = `.${entries()[0]}.00000000-0000-4000-8000-000000000000`
  for (const name of [left, '.other', 'lint-notes']) {
    writeFileSync(join(folder(), name), '')
    utimesSync(join(folder(), name), 1, 1)
  }
  for (let i = 0; i < 30; i++) await lint('--cache', '--max-warnings', `${i}`, 'p.yaml')
  expect(entries().filter((name) => name !== 'lint-notes')).toHaveLength(24)
  expect(readdirSync(folder())).toEqual(expect.arrayContaining(['.other', 'lint-notes']))
  expect(existsSync(join(folder(), left))).toBe(false)
  await lint('--cache', '--max-warnings', '29', 'p.yaml')
  expect(await isAnswered()).toBe(true)
})

it('does not keep a result of files that change while it runs', async () => {
  answers.mockImplementationOnce(async () => {
    writeFileSync(join(work, 'p.yaml'), policy('vps:apisvc:reboot'))
    return undefined
  })
  expect(await lint('--cache', 'p.yaml')).toMatchObject({ exit: 0 })
  expect(entries()).toEqual([])
})

it('is written by several runs at the same time', async () => {
  const expected = await lint('p.yaml')
  const runs = await Promise.all(Array.from({ length: 8 }, () => lint('--cache', 'p.yaml')))
  expect(runs).toEqual(runs.map(() => expected))
  expect(await lint('--cache', 'p.yaml')).toEqual(expected)
  expect(await isAnswered()).toBe(true)
})

it.each([
  ['fixes', ['--fix']],
  ['a dry run of fixes', ['--fix-dry-run']],
  ['a diff of what is written', ['--format', 'json=out.json', '--diff']],
  ['a new baseline', ['--write-baseline', 'base.json']],
  ['a list of files', ['--list-files']],
  ['standard input', ['-']],
  ['a file that is missing', ['gone.yaml']],
])('does not keep %s', async (_, args) => {
  const input = args.includes('-') ? 'p.yaml' : undefined
  const expected = await mainIn(['lint', ...args], work, {}, input)
  rmSync(join(work, 'base.json'), { force: true })
  expect(await mainIn(['lint', '--cache', ...args], work, {}, input)).toEqual(expected)
  expect(entries()).toEqual([])
})

it('does not keep what rules of an organisation find: they are code, which may look at anything', async () => {
  cpSync(join(import.meta.dirname, '../../examples/custom-rules'), work, { recursive: true })
  const args = ['--allow-rules-from', 'acme-rules']
  const expected = await lint(...args)
  expect(expected.exit).toBe(1)
  expect(await lint('--cache', ...args)).toEqual(expected)
  expect(entries()).toEqual([])
})
