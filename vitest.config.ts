import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need a browser: `npm run test:pages`.
    exclude: ['test/pages/**'],
    setupFiles: ['test/support/seed.ts'],
    // The program that the command-line tests run is built once, before all of them.
    globalSetup: ['test/support/build.ts'],
    testTimeout: 60_000,
  },
})
