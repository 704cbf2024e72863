import { defineConfig } from 'vitest/config'
import { patience } from './test/support/patience.ts'

/** What is published, as users have it: `npm run test:package`. Apart from the others, since it builds, packs and installs. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: ['test/support/temporary.ts', 'test/package/packed.ts'],
    ...patience,
  },
})
