import { defineConfig } from 'vitest/config'
import { patience } from './test/support/patience.ts'

/** The documentation site, as `npm run site` built it, in a browser: `npm run test:site`. */
export default defineConfig({
  test: {
    include: ['test/site/**/*.test.ts'],
    ...patience,
    fileParallelism: false,
  },
})
