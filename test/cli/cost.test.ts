import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../bin/grantwise.js', import.meta.url))
const policy = (name: string) => ({
  name,
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
})

function run(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  const [steps = Number.NaN, calls = Number.NaN, turns = Number.NaN] = (
    /^grantwise: cost: ([\d,]+) steps \(([\d,]+) calls, ([\d,]+) further turns of loops\)$/m.exec(stderr)?.slice(1) ?? []
  ).map((text) => Number(text.replaceAll(',', '')))
  return { stdout, stderr, status, steps, calls, turns }
}

describe('--cost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-cost-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (count: number) => {
    const name = `${count}.json`
    writeFileSync(
      join(folder, name),
      JSON.stringify(Array.from({ length: count }, (_, i) => policy(`policy ${String(i).padStart(4, '0')}`))),
    )
    return name
  }

  it('gives the same number for the same input, and leaves the answer as it is', () => {
    const args = ['lint', file(20), '--format', 'json']
    const [without, first, second] = [run(folder, args), run(folder, [...args, '--cost']), run(folder, [...args, '--cost'])]
    expect(first.steps).toBeGreaterThan(10_000)
    expect(first.calls + first.turns).toBe(first.steps)
    expect(second).toEqual(first)
    expect([first.stdout, first.status]).toEqual([without.stdout, without.status])
    expect(without.stderr).toBe('')
  })

  it('counts what more policies take, and what was spent of the budget', () => {
    const what = (count: number) => run(folder, ['what', 'urn:v1:eu:identity:user:ab12-svc/ann', '-p', file(count), '--cost'])
    const [few, many] = [what(10), what(200)]
    expect(many.steps).toBeGreaterThan(few.steps + 190 * 50)
    expect(many.stderr).toMatch(/^grantwise: cost: [\d,]+ of 20,000,000 spent of the budget of the analysis$/m)
  })

  it('counts where the input is refused, and refuses where it cannot count', () => {
    const missing = run(folder, ['lint', 'missing.json', '--cost'])
    expect([missing.status, missing.steps > 1000]).toEqual([2, true])
    const cached = run(folder, ['lint', file(1), '--cost'], { NODE_COMPILE_CACHE: join(folder, 'cache') })
    expect(cached).toMatchObject({ status: 2, stdout: '' })
    expect(cached.stderr).toContain('steps cannot be counted in this process')
  })

  it('counts loops that call nothing: a quadratic loop has the exponent 2', async () => {
    const { exponent, larger } = (await import(new URL('../../bench/exponents.mjs', import.meta.url).href)) as {
      readonly exponent: (from: object, to: object) => number | null
      readonly larger: (recorded: object, measured: object) => readonly string[]
    }
    mkdirSync(join(folder, 'planted'))
    writeFileSync(
      join(folder, 'planted/loop.cjs'),
      'exports.pairs = (n) => { let sum = 0; for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) sum += j; return sum }',
    )
    const cost = fileURLToPath(new URL('../../dist/program/cost.cjs', import.meta.url))
    const stepsAt = (size: number) => {
      const code = `const counter = require(${JSON.stringify(cost)}).counterOf(${JSON.stringify(join(folder, 'planted'))})
        require(${JSON.stringify(join(folder, 'planted/loop.cjs'))}).pairs(${size})
        console.log(JSON.stringify(counter.steps()))`
      const { calls, turns } = JSON.parse(spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' }).stdout)
      return { size, steps: calls + turns }
    }
    const found = exponent(stepsAt(100), stepsAt(400))
    expect(found).toBeCloseTo(2, 1)
    const recorded = { sizes: [100, 400], tolerance: 0.05, exponents: { planted: 1.1, other: 1 } }
    expect(larger(recorded, { planted: 1.1, other: 1.05 })).toEqual([])
    expect(larger(recorded, { planted: found, other: null, third: 1 }).map((problem) => /`(.*?)`/.exec(problem)?.[1])).toEqual([
      'planted',
      'other',
      'third',
    ])
  })
})
