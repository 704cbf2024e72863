/**
 * `node scripts/figures.mjs [FILE…]`: run the tests that cover claims, on as many cases as the deep run has, and write what they
 * reached to figures/claims.json, which `scripts/assurance.mjs` adds to figures.json. With files, only those. `--shard I/N`: the I-th of
 * N parts of the files, to figures/claims-I.json, so that several machines share a run.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collect } from './assurance/collect.mjs'
import { scenarioRunner } from './assurance/page.mjs'

const root = new URL('..', import.meta.url)
const here = fileURLToPath(root)
const coversNow = () => collect(root).filter(({ file }) => file.startsWith('test/'))
let covers = coversNow()
const runnerOf = (file) => (file.endsWith('.scenario') ? scenarioRunner : file)
const { shard, wanted } = asked(process.argv.slice(2))
const files = [...new Set(covers.map(({ file }) => runnerOf(file)))]
  .filter((file) => wanted.length === 0 || wanted.includes(file))
  .filter((_, i) => shard === undefined || i % shard.of === shard.part - 1)

const scratch = mkdtempSync(join(tmpdir(), 'grantwise-figures-'))
const target = new URL(shard === undefined ? 'figures/claims.json' : `figures/claims-${shard.part}.json`, root)
let failed = false
try {
  // The packed package has tests of its own; each file by itself, so that what was measured is kept whatever comes after.
  for (const file of files) {
    const mode = file.startsWith('test/package/') ? 'package' : /(?:\.deep|oracle)\.test\.ts$/.test(file) ? 'deep' : 'test'
    console.log(file)
    covers = coversNow()
    const out = join(scratch, 'results.json')
    const args = [
      'vitest',
      'run',
      '--mode',
      mode,
      '--includeTaskLocation',
      '--testTimeout=600000',
      '--reporter=json',
      `--outputFile=${out}`,
      file,
    ]
    spawnSync('npx', args, { cwd: here, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, GRANTWISE_DEEP: '1' } })
    const { testResults } = JSON.parse(readFileSync(out, 'utf8'))
    const reached = reachedBy(file, testResults)
    failed ||= Object.values(reached).some(({ passed, of }) => passed < of) || Object.keys(reached).length === 0
    write(file, reached)
  }
} finally {
  rmSync(scratch, { recursive: true })
}
process.exit(failed ? 1 : 0)

/** The files that are asked for, and which part of them. */
function asked([first, ...others]) {
  if (first !== '--shard') return { shard: undefined, wanted: first === undefined ? [] : [first, ...others] }
  const [part, of] = (others[0] ?? '').split('/').map(Number)
  if (!(Number.isInteger(part) && Number.isInteger(of) && part >= 1 && part <= of))
    throw new Error(`--shard ${others[0]}: expected a part of several, such as 1/8`)
  return { shard: { part, of }, wanted: others.slice(1) }
}

/** For each claim: how many of its tests in this file passed, of how many, and the cases that they tried. */
function reachedBy(file, testResults) {
  const reached = {}
  for (const { name, assertionResults } of testResults) {
    if (relative(here, name).replaceAll('\\', '/') !== file) continue
    for (const test of assertionResults) {
      for (const id of idsOf(file, test)) {
        reached[id] ??= { passed: 0, of: 0 }
        const figure = reached[id]
        figure.of++
        if (test.status !== 'passed') continue
        figure.passed++
        if (test.meta?.cases) figure.cases = (figure.cases ?? 0) + test.meta.cases
      }
    }
  }
  return reached
}

/** The claims that a test covers; one whose title begins with a claim covers that one of those around it. */
function idsOf(file, { location, ancestorTitles, title }) {
  const around = covers.filter((cover) =>
    cover.file.endsWith('.scenario')
      ? runnerOf(cover.file) === file && ancestorTitles.includes(cover.file.split('/').pop())
      : cover.file === file && location && cover.line < location.line && location.line <= cover.end,
  )
  const ids = new Set(around.flatMap((cover) => cover.ids))
  const [own] = /^[TMP]\d+[bc]?(?= )/.exec(title) ?? []
  return own !== undefined && ids.has(own) ? [own] : [...ids]
}

/** Put what a file reached next to what others did, in the order of their names. */
function write(file, reached) {
  const all = readOr(target, {})
  all[file] = {
    at: new Date().toISOString().slice(0, 10),
    ...Object.fromEntries(Object.entries(reached).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
  mkdirSync(new URL('.', target), { recursive: true })
  writeFileSync(target, `${JSON.stringify(sorted, null, 2)}\n`)
}

function readOr(url, otherwise) {
  try {
    return JSON.parse(readFileSync(url, 'utf8'))
  } catch {
    return otherwise
  }
}
