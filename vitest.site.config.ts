import { defineConfig } from 'vitest/config'

/** The documentation site, as `npm run site` built it, in a browser: `npm run test:site`. */
export default defineConfig({
  test: {
    include: ['test/site/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
})
