import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { patience } from './test/support/patience.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const folder = new URL('test/', import.meta.url)

/** What all runs of tests have in common. */
const base = defineConfig({
  // As the build does.
  define: { __VERSION__: JSON.stringify(version) },
  test: {
    include: ['test/**/*.test.ts'],
    // These need a browser, `npm run test:pages` and `npm run test:site`, the packed package, `npm run test:package`, Coq or a solver.
    exclude: ['test/pages/**', 'test/site/**', 'test/package/**', 'test/simulate/oracle.test.ts', 'test/symbolic/smt.test.ts'],
    // Style sheets are part of what is written.
    css: true,
    setupFiles: ['test/support/seed.ts'],
    // The program that the command-line tests run is built once, before all of them.
    globalSetup: ['test/support/build.ts', 'test/support/temporary.ts'],
    // Modules are loaded once in a worker, not once for each file: they keep nothing that a test could notice.
    isolate: false,
    // By default one core stays idle, which is half of a machine that has two.
    maxWorkers: '100%',
    ...patience,
  },
})

export default base

/** The files of tests, as paths from the root. */
export const testFiles: readonly string[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name}`)
  .sort()

/** Where a test starts other programs, by itself or by what it calls. */
const starting = /child_process|gate-cases|\bgit:|runBinary|'git'/

/**
 * The tests in two parts. To start a program takes the longer the more memory the process has that starts it, so that those which
 * start many do so from workers that have run nothing else.
 */
export function parts(files: readonly string[]): TestProjectInlineConfiguration[] {
  const startsPrograms = (name: string) => starting.test(readFileSync(new URL(name, import.meta.url), 'utf8'))
  return [
    { extends: true, test: { name: 'within', include: files.filter((name) => !startsPrograms(name)) } },
    { extends: true, test: { name: 'programs', include: files.filter(startsPrograms) } },
  ]
}
