import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { loadCatalogue } from '../src/actions/load.ts'
import { loadOperations } from '../src/actions/operations.ts'
import { discover } from '../src/cli/input/files.ts'
import { foldersOf } from '../src/cli/input/folders.ts'
import { fixFiles, type LintRun, lintFiles, mayFix, readSources, whyNotFixed } from '../src/index.ts'
import type { ReadFiles } from '../src/lint/read.ts'
import { defaultSettings } from '../src/names.ts'
import { record } from '../src/report/lint.ts'
import { sourceOf } from '../src/source.ts'
import { ioIn, mainIn } from './support/in-process.ts'
import { inventory, wellFormed, write } from './support/well-formed.ts'
import { pick, randomOf } from './support/worlds.ts'

const root = resolve(import.meta.dirname, '..')
const now = '2026-11-20T00:00:00Z'
const operations = loadOperations(defaultSettings.brand)
const catalogue = loadCatalogue()
const scratch = mkdtempSync(join(tmpdir(), 'grantwise-lint-files-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** The texts of a folder, read by the public function. */
async function readFolder(cwd: string): Promise<ReadFiles> {
  const { candidates } = await discover({ paths: ['.'], fences: 'all' }, cwd)
  const given = candidates.map(({ path, file, notation }) => ({
    source: sourceOf(path, readFileSync(file as string, 'utf8'), notation),
    file: file as string,
  }))
  return readSources(given, defaultSettings, { folders: foldersOf(ioIn(cwd, {}).io) })
}

const runOf = (files: ReadFiles): LintRun => ({ files, catalogue, operations: () => operations, now: Date.parse(now) })

/** What the program prints for a folder, and what the public function says of its texts. */
async function both(cwd: string) {
  const options = ['--format', 'json', '--show-suppressed', '--no-config', '--fences', '--at', now]
  const { stdout, stderr } = await mainIn(['lint', ...options, '.'], cwd)
  expect(stderr).not.toMatch(/cannot|error/)
  const printed = JSON.parse(stdout)
  const files = await readFolder(cwd)
  const { findings, suppressed, unknown, uncreated } = lintFiles(runOf(files))
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
  }
}

describe('the public function reports exactly what `lint` prints', () => {
  it.each([
    ['examples', 80],
    ['examples/terraform', 1],
    ['test/corpus/shapes', 100],
  ])('for %s', async (folder, least) => {
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

/** What people get wrong in a text. */
const slips: readonly ((text: string) => string)[] = [
  (text) => text.replace(/(apisvc:\w)/, '$1x'),
  (text) => text.replace('urn:v1:eu:identity:user', 'urn:v1:eu:identity:usr'),
  (text) => text.replace('identities', 'identitys'),
  (text) => text.slice(0, text.length * 0.8),
  (text) => text.replace(/^(\s*-? ?"?action"?: .*apisvc:\w+)/m, '# grantwise-ignore unknown-action: announced\n$1x'),
]

describe('fixing', () => {
  it('has a row in the documentation for each reason why not', () => {
    const rows = [...readFileSync(join(root, 'docs/fixes.md'), 'utf8').matchAll(/^\| `([a-z][a-z-]+)` \|/gm)].map((match) => match[1])
    expect(rows).toEqual(Object.keys(whyNotFixed))
  })

  it('writes what `lint --fix` writes', async () => {
    const folder = join(scratch, 'fixed')
    cpSync(join(root, 'examples/mistakes'), folder, { recursive: true })
    const { changed, count } = await fixFiles(runOf(await readFolder(folder)), 'suggested', { folders: foldersOf(ioIn(folder, {}).io) })
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
