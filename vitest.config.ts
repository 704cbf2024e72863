import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'
import { faults } from './test/faults/faults.mjs'
import { asCompiled, modules } from './test/support/compiled.ts'
import { patience } from './test/support/patience.ts'

/** All runs of tests, one for each mode: `vitest run --mode deep`. Without a mode, the tests of `npm test`. */

const root = new URL('./', import.meta.url)
const folder = new URL('test/', root)
const textOf = (name: string) => readFileSync(new URL(name, root), 'utf8')
const { version } = JSON.parse(textOf('package.json'))

/** Tests that need what not every machine has: a browser, the site, the packed package, Coq, a solver, SQL engines. */
const isApart = (name: string) => /^test\/(?:pages|site|package)\/|[/.]oracle\.test\.ts$|\/smt\.test\.ts$|\.engines\.test\.ts$/.test(name)

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => !isApart(name))
  .sort()

/** Tests that take long, such as those that start hundreds of programs: a deep run has them, and so each build, but not `npm test`. */
const longFiles = files.filter((name) => name.endsWith('.deep.test.ts'))
const usualFiles = files.filter((name) => !longFiles.includes(name))

const temporary = 'test/support/temporary.ts'
const compile = 'test/support/compiled.ts'

const usual: ViteUserConfig['test'] = {
  setupFiles: ['test/support/seed.ts'],
  // The program that the command-line tests run is built once, before all of them.
  globalSetup: ['test/support/build.ts', compile, temporary],
  // Modules are loaded once in a worker, not once for each file: they keep nothing that a test could notice.
  isolate: false,
  // By default one core stays idle, which is half of a machine that has two.
  maxWorkers: '100%',
}

/** A run with modules that are compiled for it, which Node loads. */
const ofCompiled = (test: ViteUserConfig['test']): ViteUserConfig => ({
  plugins: [asCompiled()],
  test: { ...usual, server: { deps: { external: [modules] } }, ...test },
})

/** Tests that start other programs, by themselves or by what they call, and the names of those that start one after the other. */
const startsPrograms = /child_process|gate-cases|\bgit:|runBinary|'git'/
const startsMany = /^test\/(?:deployment\/bypass|net\/|cli\/(?:git|injection|permission|pull-request)|project\/(?:changes|integrations))/

/**
 * The tests in three parts, which begin in the order of their names. To start a program takes the longer the more memory the
 * process has that starts it: those that start many come first, and each part has workers of its own.
 */
function parts(files: readonly string[]): TestProjectInlineConfiguration[] {
  const partOf = (name: string) => (startsMany.test(name) ? 'git' : startsPrograms.test(textOf(name)) ? 'programs' : 'within')
  return ['git', 'programs', 'within'].map((name) => ({
    extends: true,
    test: { name, include: files.filter((file) => partOf(file) === name) },
  }))
}

/** `scripts/turn.mjs`. */
interface Turns {
  readonly turnOf: (list: readonly string[], share: number) => readonly string[]
}

const turns = (): Promise<Turns> => import(new URL('scripts/turn.mjs', root).href)

const oracles = ['test/simulate/oracle.test.ts', 'test/unknown/sides.oracle.test.ts']

/** One argument of a call, with calls in it. */
const argument = String.raw`(?:[^(),]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+`
/** Of how many cases `npm test` tries one, where a test says so: one in sixty is usual. */
const triedShares = new RegExp(String.raw`(?<![.\w])(?:(?:effort|some)\(${argument},|shareOf\()\s*(\d+),?\s*\)`, 'g')

/**
 * Whether a test tries what `npm test` does not, where a deep run tries one case in so many: other cases, or at least twice as many. One that
 * only runs the built program in deep runs is no such test: `test/cli/cli.test.ts` runs enough of it.
 */
function triesMore(text: string, share: number): boolean {
  return /\bisDeep\b/.test(text) || [...text.matchAll(triedShares)].some(([, tried]) => Number(tried) >= 2 * share)
}

/** Tests that take longest of those that seldom change and that the gate does not rest on: where a deep run leaves something out, half of them. */
const inTurns =
  /^test\/(?:mcp\/mcp|cli\/(?:history-laws|since-laws|permission|serve|pull|report-growth|merge-driver|propose)|project\/(?:integrations-review|schemas|library|cookbook)|answers\/claims[\w-]*|fmt\/laws|suite\/separate|lint\/library|hcl\/unknown-fixes|history\/proposed-tests|parser\/any-text|editor\/editor-laws|library\/as-commands)\.deep\./

/** The tests that try more cases, or run the built program, in a deep run. */
async function deepFiles(): Promise<readonly string[]> {
  const share = Number(process.env.GRANTWISE_DEEP_SHARE ?? '1')
  const isDeepFile = (text: string) => (share >= 20 ? triesMore(text, share) : /\/effort\.ts'|\brunProgram\b/.test(text))
  // The evaluator extracted from the proofs is asked where it was built: `make -C proofs oracle`.
  const isBuilt = existsSync(new URL('proofs/oracle/oracle', root))
  if (!isBuilt) console.warn(`proofs/oracle/oracle is not built: ${oracles.join(' and ')} are left out`)
  const { turnOf } = await turns()
  const turn = turnOf(
    longFiles.filter((name) => inTurns.test(name)),
    share >= 20 ? 2 : 1,
  )
  const long = longFiles.filter((name) => !inTurns.test(name) || turn.includes(name))
  return [...long, ...usualFiles.filter((name) => isDeepFile(textOf(name))), ...(isBuilt ? oracles : [])]
}

/** What a test has that asks something of a system: others start shells and git, and are not run on every one. */
const asksTheSystem = /from 'node:(?!assert)|import\.meta|\bprocess\.(?!env)|\?raw/

function isPortable(file: URL): boolean {
  const text = readFileSync(file, 'utf8')
  if (asksTheSystem.test(text)) return false
  const modules = [...text.matchAll(/from '(\.\.?\/[^']+\.ts)'/g)].map(([, name = '']) => new URL(name, file))
  return modules.filter(({ href }) => href.startsWith(folder.href)).every(isPortable)
}

/** What is loaded, with the fault of an id planted in it; the file stays as it is. */
function planted(id: string | undefined): ViteUserConfig {
  const fault = faults.find((each) => each.id === id)
  if (!fault) throw new Error('GRANTWISE_FAULT names no fault: run `npm run test:faults`')
  const file = fileURLToPath(new URL(fault.file, root))
  const plant = {
    name: 'plant',
    enforce: 'pre' as const,
    load: (loaded: string) => (loaded.split('?')[0] === file ? readFileSync(file, 'utf8').replace(fault.from, () => fault.to) : null),
  }
  // Nothing is built or compiled: what is planted counts in what is loaded here.
  return { plugins: [plant], test: { ...usual, include: [...fault.tests], globalSetup: [temporary], maxWorkers: 1, bail: 1 } }
}

/** The engines. One in three takes part in a build where `GRANTWISE_ENGINES_SHARE` is 3: at most one of those in Java, which take longest. */
const engineNames = ['spark', 'trino', 'clickhouse', 'postgres', 'duckdb', 'pglite', 'parser']

/** The engines in two parts, of which that with those in Java begins. */
async function engineParts(): Promise<TestProjectInlineConfiguration[]> {
  const turn = (await turns()).turnOf(engineNames, Number(process.env.GRANTWISE_ENGINES_SHARE ?? '1'))
  const isJava = (name: string) => name === 'spark' || name === 'trino'
  const part = (name: string, engines: readonly string[]) => ({
    extends: true as const,
    test: { name, include: engines.map((each) => `test/engines/${each}.engines.test.ts`) },
  })
  const parts = [
    part('java', turn.filter(isJava)),
    part(
      'other',
      turn.filter((each) => !isJava(each)),
    ),
  ]
  return parts.filter(({ test }) => test.include.length > 0)
}

/** The pages in a browser. One in two is looked at in a build where `GRANTWISE_PAGES_SHARE` is 2: the list is in pairs that take as long. */
const pages = ['pages', 'report', 'report-views', 'pictures', 'ask', 'evidence', 'engine', 'explore']

async function pageFiles(): Promise<string[]> {
  const turn = (await turns()).turnOf(pages, Number(process.env.GRANTWISE_PAGES_SHARE ?? '1'))
  return turn.map((each) => `test/pages/${each}.test.ts`)
}

/** What each mode runs. */
const runs: Readonly<Record<string, () => ViteUserConfig | Promise<ViteUserConfig>>> = {
  test: () => ofCompiled({ projects: parts(usualFiles) }),
  deep: async () => ofCompiled({ env: { GRANTWISE_DEEP: '1' }, projects: parts(await deepFiles()) }),
  faults: () => planted(process.env.GRANTWISE_FAULT),
  smt: () => ofCompiled({ include: ['test/symbolic/smt.test.ts'] }),
  portable: () => ofCompiled({ globalSetup: [compile], include: usualFiles.filter((name) => isPortable(new URL(name, root))) }),
  // Each file has a browser of its own, and waits for it half of the time.
  pages: async () => ({ test: { include: await pageFiles(), globalSetup: ['test/support/build.ts'], maxWorkers: 3 } }),
  engines: async () => ofCompiled({ globalSetup: [compile, temporary], projects: await engineParts() }),
  package: () => ({ test: { include: ['test/package/**/*.test.ts'], globalSetup: [temporary, 'test/package/packed.ts'] } }),
  site: () => ({ test: { include: ['test/site/**/*.test.ts'], maxWorkers: 3 } }),
}

export default defineConfig(async ({ mode }) => {
  const run = runs[mode]
  if (!run) throw new Error(`--mode ${mode}: expected one of ${Object.keys(runs).join(', ')}`)
  const { test, ...config } = await run()
  // The version as the build gives it; style sheets, which are part of what is written.
  return { ...config, define: { __VERSION__: JSON.stringify(version) }, test: { css: true, ...patience, ...test } }
})
