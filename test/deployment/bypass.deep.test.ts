import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isDeep, isWhole, shareOf, some } from '../support/effort.ts'
import { writeFigures } from '../support/figures.ts'
import { type GateCase, gateCases, gitEnvironment, makeRepository } from '../support/gate-cases.ts'
import { mainIn } from '../support/in-process.ts'
import { binary, type Outcome, wordsOf } from '../support/scenario.ts'

/**
 * Pull requests written to get past the gate, and some that only look like it: each ends with the exit code that it must. One in
 * thirty-two, and all of them in a whole deep run, which also has the built program try what is published of them.
 */

const files = gateCases()

for (const [file, cases] of files)
  describe(file, () => {
    for (const each of some(cases, 32)) test(each.title, () => tried(each))
  })

async function tried(each: GateCase): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  try {
    makeRepository(each, folder)
    for (const { run, exit, says = [], never = [] } of each.commands) {
      const outcome = await outcomeOf(run, folder)
      const printed = outcome.stdout + outcome.stderr
      expect(outcome.exit, `${run}\n${printed}`).toBe(exit)
      for (const words of says) expect(printed, run).toContain(words)
      for (const words of never) expect(printed, run).not.toContain(words)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A command of the program, with `NAME=VALUE` before it, or a line for the shell. */
function outcomeOf(line: string, folder: string): Promise<Outcome> | Outcome {
  const env = { PATH: process.env.PATH ?? '', ...gitEnvironment }
  const words = wordsOf(line)
  const start = words.indexOf('grantwise')
  if (start >= 0 && words.slice(0, start).every((word) => /^[A-Z_]+=/.test(word))) {
    const given = Object.fromEntries(words.slice(0, start).map((word) => word.split(/=(.*)/s, 2)))
    return mainIn(words.slice(start + 1), folder, { ...env, ...given })
  }
  const shell = { ...env, GRANTWISE_BIN: binary, ROOT: dirname(dirname(binary)), TMPDIR: tmpdir() }
  const { stdout, stderr, status } = spawnSync('bash', ['-c', line], { cwd: folder, env: shell, encoding: 'utf8' })
  return { stdout, stderr, exit: status }
}

test('each case says what it changes and has a title of its own; what changes access does not end with 0', () => {
  const all = [...files.values()].flat()
  const titles = all.map(({ title }) => title)
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
  for (const { title, access, commands } of all) {
    expect(commands.length, title).toBeGreaterThan(0)
    expect(['gained', 'lost', 'same', 'unclear'], title).toContain(access)
    for (const { run, exit } of commands)
      if (['gained', 'unclear'].includes(access) && run.includes('grantwise diff')) expect(exit, `${title}: ${run}`).not.toBe(0)
      // The gate is expected to give none of what the published cases call a false alarm.
      else if (access === 'same' && /^grantwise diff git:main (?:\.|git:HEAD)$/.test(run)) expect(exit, `${title}: ${run}`).toBe(0)
  }
})

/** The runner of the published cases, on some of them, with a command. */
function published(options: readonly string[], ...command: readonly string[]) {
  const runner = new URL('../../conformance/gate/run.mjs', import.meta.url).pathname
  const { stdout, stderr, status } = spawnSync(process.execPath, [runner, ...options, ...command], { encoding: 'utf8' })
  return { lines: stdout.trimEnd().split('\n'), stderr, status }
}

test('the published cases can be run with another tool: what it lets through, and what it stops without need', () => {
  const all = 'policy moves to another file and gets a comment'
  expect(published(['--only', all], 'true')).toMatchObject({
    status: 0,
    lines: [expect.stringContaining('1 cases, 1 as they should be, 0 passed')],
  })
  expect(published(['--only', all], 'false').lines).toEqual([
    expect.stringContaining('stopped, and nothing changes: a policy moves'),
    expect.stringContaining('0 passed the gate, 1 false alarms'),
  ])
  const passed = published(['--only', 'a policy in a hidden file'], 'true')
  expect(passed).toMatchObject({
    status: 1,
    lines: [expect.stringMatching(/^passed the gate: a policy in a hidden file/), expect.anything()],
  })
  expect(published(['--only', 'a policy in a hidden file'], 'false').status).toBe(0)
  expect(published(['--only', 'a policy in a hidden file'], 'no-such-program')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('cannot run'),
  })
  expect(published([]).status).toBe(2)
  // A script of the folder that it is started in, as the README has it: the command runs in another one.
  const words = ['--only', all, 'sh', 'conformance/adapters/gate-grantwise.sh']
  const { stdout, status } = spawnSync(process.execPath, ['conformance/gate/run.mjs', ...words], {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([0, expect.stringContaining('1 as they should be, 0 passed the gate, 0 false alarms')])
})

if (isDeep)
  test('no published case passes the example adapter', () => {
    const adapter = new URL('../../conformance/adapters/gate-grantwise.sh', import.meta.url).pathname
    const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
    const summary = join(folder, 'summary.json')
    const { lines, status } = published(['--share', String(Math.round(shareOf(60))), '--summary', summary], 'sh', adapter)
    const { version: _, ...reached } = JSON.parse(readFileSync(summary, 'utf8'))
    rmSync(folder, { recursive: true, force: true })
    if (isWhole)
      writeFigures('gate', {
        claim: 'a public suite of repositories with changes that a check of pull requests must stop, or must not',
        wanted: { cases: 150, passedTheGate: 0, falseAlarms: 0 },
        reached,
        seed: 0,
        command: 'node conformance/gate/run.mjs sh conformance/adapters/gate-grantwise.sh',
      })
    expect(lines.slice(0, -1)).toEqual([])
    expect(reached).toMatchObject({ passedTheGate: 0, falseAlarms: 0, asTheyShould: reached.cases })
    expect(status).toBe(0)
  })
