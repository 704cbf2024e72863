import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Io, Sink } from '../../src/cli/app/io.ts'
import { readFiles } from '../../src/cli/input/world.ts'
import { main } from '../../src/cli/main.ts'
import { defaultSettings } from '../../src/names.ts'

/**
 * Files as users write them, and what is found in them, judged one by one: see `test/corpus/README.md`. A finding that the
 * table does not judge fails here, and so does one that it judges and that is no more found.
 */

const folder = fileURLToPath(new URL('../corpus/', import.meta.url))
const shapesFolder = `${folder}shapes`

interface Judgement {
  /** `FILE:LINE`, or the line alone where the shape is one file. */
  readonly at: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly code: string
  /** How often on the line; once where it is not said. */
  readonly times?: number
  readonly judged: 'true' | 'false'
  readonly why: string
}

interface Shape {
  readonly shape: string
  /** Policies and groups, requests for access and lists of actions: what is to be read. None in what is not meant to be. */
  readonly holds: number
  /** How many of them are read, where not all are. */
  readonly read?: number
  /** Why not, where not all are. */
  readonly unread?: string
  readonly findings?: readonly Judgement[]
}

const table = parse(readFileSync(`${folder}judgements.yaml`, 'utf8')) as {
  readonly shapes: readonly Shape[]
  readonly heldOut: readonly Shape[]
}
const all = [...table.shapes, ...table.heldOut]

interface Finding {
  readonly at: string
  readonly severity: string
  readonly code: string
}

function io(out: string[]): Io {
  const sink = (write: (text: string) => void): Sink => ({
    write: (text) => {
      write(text)
      return true
    },
    isTerminal: () => false,
  })
  return {
    stdin: async function* () {},
    stdout: sink((text) => out.push(text)),
    stderr: sink(() => {}),
    env: {},
    cwd: shapesFolder,
    now: () => Date.UTC(2026, 10, 22),
  }
}

async function findingsIn(shape: string): Promise<readonly Finding[]> {
  const out: string[] = []
  await main(['lint', shape, '--format', 'json'], io(out))
  const { findings } = JSON.parse(out.join('') || '{"findings":[]}') as {
    findings: readonly { code: string; severity: string; file: string; line: number }[]
  }
  return findings.map(({ file, line, severity, code }) => ({
    at: `${file === shape ? '' : `${file.slice(shape.length + 1)}:`}${line}`,
    severity,
    code,
  }))
}

/** How many things a shape is read to hold. */
async function readIn(shape: string): Promise<number> {
  const read = await readFiles({ paths: [shape], fences: 'named', actionLists: true, mayBeEmpty: true }, defaultSettings, io([]))
  const things = read.each.map(({ source: { notation }, read: { facts } }) => {
    const { policies, permissionsGroups, resourceGroups, resources, credentials = [] } = facts
    const records = policies.length + permissionsGroups.length + resourceGroups.length + credentials.length
    return notation === 'actions' || records > 0 ? Math.max(records, 1) : Math.sign(resources.length)
  })
  return things.reduce((sum, count) => sum + count, 0)
}

const lines = (findings: readonly Finding[]) => findings.map(({ at, severity, code }) => `${at} ${severity} ${code}`).sort()
const judgedLines = ({ findings = [] }: Shape) =>
  findings.flatMap(({ times = 1, ...finding }) => lines(Array<Finding>(times).fill(finding))).sort()

describe('the table of the corpus', () => {
  it('has 100 shapes or more that hold something, and 25 that were held out', () => {
    expect(table.shapes.filter(({ holds }) => holds > 0).length).toBeGreaterThanOrEqual(100)
    expect(table.heldOut.filter(({ holds }) => holds > 0).length).toBeGreaterThanOrEqual(25)
  })

  it('names every shape once', () => {
    const there = readdirSync(shapesFolder).flatMap((group) => readdirSync(`${shapesFolder}/${group}`).map((name) => `${group}/${name}`))
    expect(all.map(({ shape }) => shape).sort()).toEqual(there.sort())
  })

  it('says of every finding why it is judged as it is', () => {
    const wordless = all.flatMap(({ shape, findings = [] }) =>
      findings.filter(({ why, judged }) => !why?.trim() || !/^(true|false)$/.test(`${judged}`)).map(({ at }) => `${shape} ${at}`),
    )
    expect(wordless).toEqual([])
  })

  it.each([
    ['shapes', table.shapes],
    ['held out', table.heldOut],
  ] as const)('%s: fewer than 5 of 100 warnings are false, and no error', (_, shapes) => {
    const judged = shapes.flatMap(({ shape, findings = [] }) =>
      findings.flatMap((each) => Array(each.times ?? 1).fill({ shape, ...each }) as (Judgement & { shape: string })[]),
    )
    const isFalse = ({ judged: verdict }: Judgement) => `${verdict}` === 'false'
    const warnings = judged.filter(({ severity }) => severity === 'warning')
    expect(judged.filter((each) => each.severity === 'error' && isFalse(each))).toEqual([])
    expect(warnings.filter(isFalse).length / warnings.length, JSON.stringify(warnings.filter(isFalse))).toBeLessThan(0.05)
  })

  it.each([
    ['shapes', table.shapes],
    ['held out', table.heldOut],
  ] as const)('%s: of 100 with something in them 95 or more are read to the end', (_, shapes) => {
    const holding = shapes.filter(({ holds }) => holds > 0)
    const unread = holding.filter(({ read, holds }) => read !== undefined && read < holds)
    expect(unread.filter(({ unread: why }) => !why)).toEqual([])
    expect((holding.length - unread.length) / holding.length).toBeGreaterThanOrEqual(0.95)
  })
})

describe('what is read and found is what the table says', () => {
  it.each(all.map((shape) => [shape.shape, shape] as const))('%s', async (name, shape) => {
    expect(await readIn(name)).toBe(shape.read ?? shape.holds)
    expect(lines(await findingsIn(name))).toEqual(judgedLines(shape))
  })
})
