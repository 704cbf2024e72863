import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { decide } from '../../src/simulate/decide.ts'
import { questionOf, worldOf } from '../support/worlds.ts'

/** The parts of the benchmark, at a size that costs nothing. How fast anything is, is not tested. */
interface Workload {
  readonly policies: readonly object[]
  readonly identities: readonly object[]
  readonly questions: readonly { readonly identity: string; readonly action: string; readonly resource: string; readonly expect: string }[]
}
const { workload } = (await import(new URL('../../bench/workload.mjs', import.meta.url).href)) as {
  readonly workload: (size: number, count: number, seed: number) => Workload
}
const { writeFiles } = (await import(new URL('../../bench/files.mjs', import.meta.url).href)) as {
  readonly writeFiles: (top: string, count: number) => number
}
const program = (name: string) => fileURLToPath(new URL(`../../bench/${name}`, import.meta.url))

test('the worlds are as large as asked, the same for the same seed, and the answers are ours', () => {
  for (const [size, seed] of [
    [1, 1],
    [60, 1],
    [200, 2],
  ] as const) {
    const { questions, ...written } = workload(size, 400, seed)
    expect(workload(size, 400, seed)).toEqual({ questions, ...written })
    expect(written.policies.length).toBe(size)
    const world = worldOf(written)
    const wrong = questions.filter(({ expect: answer, ...question }) => {
      const { verdict } = decide(world, questionOf({ ...question, at: '2026-01-01T00:00:00Z' }))
      return verdict !== answer
    })
    expect(wrong).toEqual([])
    if (size > 1) expect(questions.filter((question) => question.expect === 'allow').length).toBe(200)
  }
})

test('an engine is measured, and its answers are held to those expected', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-bench-test-'))
  const measure = (engine: string, answers: (answer: string) => string) => {
    const { questions, ...written } = workload(60, 400, 1)
    writeFileSync(join(folder, 'world.json'), JSON.stringify(written))
    writeFileSync(
      join(folder, 'questions.ndjson'),
      questions.map((question) => `${JSON.stringify({ ...question, expect: answers(question.expect) })}\n`).join(''),
    )
    const { stdout, stderr } = spawnSync(process.execPath, [program('engine.mjs'), engine, folder, '0.1'], { encoding: 'utf8' })
    expect(stderr).toBe('')
    return JSON.parse(stdout) as Record<string, unknown>
  }
  try {
    const figures = {
      decisionsPerSecond: expect.any(Number),
      p99us: expect.any(Number),
      loadMs: expect.any(Number),
      rssMB: expect.any(Number),
    }
    expect(measure('grantwise', (answer) => answer)).toEqual({ engine: 'grantwise', ...figures, agrees: true })
    expect(measure('map', (answer) => answer)).toEqual({ engine: 'map', ...figures, agrees: true })
    expect(measure('grantwise', () => 'allow')).toMatchObject({ agrees: false })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the files that are linted are parsed by the bare program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-bench-test-'))
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  try {
    const size = writeFiles(folder, 3)
    const files = readdirSync(join(folder, 'policies', 'team-000')).map((name) => join(folder, 'policies', 'team-000', name))
    const written = files.map((file) => readFileSync(file, 'utf8'))
    expect(written.join('').length).toBe(size)
    const resources = written.reduce((sum, text) => sum + (JSON.parse(text) as { resources: unknown[] }).resources.length, 0)
    expect(run('bare.mjs').stdout).toBe(`${resources}\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('lint takes no more steps per policy, where policies grow, than is recorded', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program('cost.mjs'), '--check', '--only', 'lint'], { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: '1 commands grow as recorded\n' })
})

test('wrong options are reported', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [program('run.mjs'), ...args], { encoding: 'utf8' })
  for (const args of [['--sizes', '10,0'], ['--engines', 'casbn'], ['--seconds', 'x'], ['--fast']]) {
    const { status, stdout, stderr } = run(...args)
    expect([args, status, stdout, stderr.startsWith('bench: ')]).toEqual([args, 2, '', true])
  }
})
