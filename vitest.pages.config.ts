import { defineConfig } from 'vitest/config'
import { patience } from './test/support/patience.ts'

/** Pages in a browser: `npm run test:pages`. Apart from the others, since not every machine has one. */
export default defineConfig({
  test: {
    include: ['test/pages/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    ...patience,
    // Each file has a browser of its own.
    maxWorkers: 2,
  },
})
