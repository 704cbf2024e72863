import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nextChange } from '../../src/cli/live/watch.ts'
import { main } from '../../src/cli/main.ts'
import { ioIn } from '../support/in-process.ts'

let work: string
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-watch-'))
})
afterEach(() => rmSync(work, { recursive: true, force: true }))

const policy = (action: string) =>
  `name: p\nidentities: ["urn:v1:eu:identity:user:ab12-svc/ann"]\nresources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]\npermissions: { allow: [{ action: "${action}" }] }\n`
const good = policy('vps:apisvc:reboot')
const bad = policy('vps:apisvc:rebooot')

/** Lint with `--watch` while changes are made: each gives what the runs that follow it print. */
async function watching(args: readonly string[], steps: (turn: (change: () => void) => Promise<string>) => Promise<void>): Promise<number> {
  let end = () => {}
  const { io, out } = ioIn(work, {}, new Promise<void>((done) => (end = done)))
  const rounds = () => out.stderr.split('grantwise: watching; Ctrl-C ends\n').length - 1
  const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))
  const until = async (count: number) => {
    while (rounds() < count) await pause(10)
  }
  const code = main(['lint', '--watch', ...args], io)
  await Promise.race([until(1), code])
  await steps(async (change) => {
    const [before, length] = [rounds(), out.stdout.length]
    change()
    await until(before + 1)
    return out.stdout.slice(length)
  })
  // Nothing changes any more: no further run begins.
  const done = rounds()
  await pause(300)
  expect(rounds()).toBe(done)
  end()
  return await code
}

test('lint --watch runs again after each kind of change, and ends with the code of the last run', async () => {
  mkdirSync(join(work, 'policies'))
  const file = join(work, 'policies/a.yaml')
  writeFileSync(file, good)
  const code = await watching(['policies'], async (turn) => {
    expect(await turn(() => writeFileSync(file, bad))).toMatch(/^policies\/a\.yaml:4:34: warning unknown-action/)
    // As editors save: next to it, then in its place.
    writeFileSync(join(work, 'a.tmp'), good)
    expect(await turn(() => renameSync(join(work, 'a.tmp'), file))).toBe('')
    expect(await turn(() => writeFileSync(join(work, 'policies/b.yaml'), bad))).toContain('policies/b.yaml:4:34')
    expect(await turn(() => renameSync(join(work, 'policies/b.yaml'), join(work, 'policies/c.yaml')))).toContain('policies/c.yaml:4:34')
    expect(await turn(() => rmSync(join(work, 'policies/c.yaml')))).not.toContain('c.yaml')
    expect(await turn(() => writeFileSync(file, bad))).toContain('policies/a.yaml:4:34')
  })
  expect(code).toBe(1)
})

test('lint --watch sees new folders and configurations, and no time in the future', async () => {
  writeFileSync(join(work, '.grantwise.yaml'), 'policies: .\n')
  writeFileSync(join(work, 'a.yaml'), bad)
  const future = new Date(Date.now() + 86_400_000)
  utimesSync(join(work, 'a.yaml'), future, future)
  const code = await watching([], async (turn) => {
    expect(await turn(() => writeFileSync(join(work, '.grantwise.yaml'), 'policies: .\nrules: { unknown-action: "off" }\n'))).toBe('')
    await turn(() => mkdirSync(join(work, 'new')))
    expect(await turn(() => writeFileSync(join(work, 'new/b.yaml'), good.replace('identities', 'identites')))).toContain(
      'new/b.yaml:2:1: error shape',
    )
  })
  expect(code).toBe(1)
})

test.each([
  [['-'], 'standard input can be read once, and `--watch` reads again'],
  [['--files-from', '-'], 'standard input can be read once, and `--watch` reads again'],
  [['--staged'], '--watch and --staged cannot be combined'],
  [['--write-baseline', 'b.json'], '--watch and --write-baseline cannot be combined'],
  [['--list-files'], '--watch and --list-files cannot be combined'],
])('lint --watch %j is refused', async (args, message) => {
  const { io, out } = ioIn(work, {})
  expect(await main(['lint', '--watch', ...args], io)).toBe(2)
  expect(out.stderr).toContain(`grantwise: ${message}\n`)
})

test('lint --watch is refused on build servers, and warns of their formats', async () => {
  writeFileSync(join(work, 'a.yaml'), good)
  const { io, out } = ioIn(work, { CI: 'true' })
  expect(await main(['lint', '--watch', '--format', 'azure', 'a.yaml'], io)).toBe(2)
  expect(out.stderr).toBe(
    'grantwise: warning: `azure` is for tools that read it once, and --watch prints it again and again\n' +
      'grantwise: --watch goes on until a user ends it, and no user does on a build server\n  help: leave `--watch` out\n',
  )
})

/** Whether a change is noticed, with the time that a slow machine takes; of what must not be noticed, within less. */
async function isNoticed(change: ReturnType<typeof nextChange>, most = 20_000): Promise<boolean> {
  const seen = await Promise.race([change.happened.then(() => true), new Promise<boolean>((done) => setTimeout(() => done(false), most))])
  change.stop()
  return seen
}

test('what a run writes, files of other kinds and folders of tools are no changes', async () => {
  const [file, written] = [join(work, 'a.yaml'), join(work, 'out.json')]
  writeFileSync(file, good)
  // Systems note times to a part of a millisecond, and may note this one after the start.
  utimesSync(file, 0, 0)
  const next = (start = Date.now()) => nextChange({ files: [file], folders: [work] }, new Set([written]), start, new Set())
  const change = next()
  writeFileSync(written, '[]')
  writeFileSync(join(work, 'note.txt'), '')
  mkdirSync(join(work, 'node_modules'))
  mkdirSync(join(work, '.cache'))
  expect(await isNoticed(change, 400)).toBe(false)
  const another = next()
  writeFileSync(join(work, 'b.yaml'), good)
  expect(await isNoticed(another)).toBe(true)
  const appeared = new Set<string>()
  const third = nextChange({ files: [file], folders: [work] }, new Set(), Date.now(), appeared)
  mkdirSync(join(work, 'new'))
  expect(await isNoticed(third)).toBe(true)
  expect([...appeared]).toEqual([join(work, 'new')])
})

test('a file that changed since the run began is a change, and a folder into which the run wrote is none', async () => {
  const [file, written] = [join(work, 'a.yaml'), join(work, 'out.json')]
  writeFileSync(file, good)
  const start = Date.now()
  const past = new Date(start - 10_000)
  for (const path of [file, work]) utimesSync(path, past, past)
  await new Promise((done) => setTimeout(done, 20))
  writeFileSync(written, '[]')
  const next = (names: readonly string[]) => nextChange({ files: [file], folders: [work] }, new Set(names), start, new Set())
  expect(await isNoticed(next([written]), 400)).toBe(false)
  expect(await isNoticed(next([]))).toBe(true)
  writeFileSync(file, bad)
  expect(await isNoticed(next([written]))).toBe(true)
})
