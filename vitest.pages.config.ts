import { defineConfig } from 'vitest/config'

/** Pages in a browser: `npm run test:pages`. Apart from the others, since not every machine has one. */
export default defineConfig({
  test: {
    include: ['test/pages/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
})
