import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { patience } from './test/support/patience.ts'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

export default defineConfig({
  // As the build does.
  define: { __VERSION__: JSON.stringify(version) },
  test: {
    include: ['test/**/*.test.ts'],
    // These need a browser, `npm run test:pages` and `npm run test:site`, the packed package, `npm run test:package`, Coq or a solver.
    exclude: ['test/pages/**', 'test/site/**', 'test/package/**', 'test/oracle.test.ts', 'test/smt.test.ts'],
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
