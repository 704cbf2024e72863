import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { faults } from './test/faults/faults.mjs'
import base from './vitest.base.ts'

const fault = faults.find(({ id }) => id === process.env.GRANTWISE_FAULT)
if (!fault) throw new Error('GRANTWISE_FAULT names no fault: run `npm run test:faults`')
const file = fileURLToPath(new URL(fault.file, import.meta.url))

/** Plants the fault that GRANTWISE_FAULT names, in what is loaded and not in the file. */
const plant = {
  name: 'plant',
  enforce: 'pre' as const,
  load(id: string) {
    if (id.split('?')[0] !== file) return null
    return readFileSync(file, 'utf8').replace(fault.from, () => fault.to)
  },
}

export default {
  ...base,
  plugins: [plant],
  // The program is not built: what is planted counts in what is loaded here.
  test: { ...base.test, include: [...fault.tests], globalSetup: ['test/support/temporary.ts'], maxWorkers: 1, bail: 1 },
}
