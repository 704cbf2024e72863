import { expect, test } from 'vitest'

const { faults, misplaced } = (await import(new URL('../faults/faults.mjs', import.meta.url).href)) as {
  readonly faults: readonly object[]
  readonly misplaced: (fault: object) => string | undefined
}

// `npm run test:faults` plants them, which takes minutes. Where code changes, `from` of its faults may have to change, too.
test('every fault to plant has its place in the code as it is', () => {
  expect(faults.flatMap((fault) => misplaced(fault) ?? [])).toEqual([])
})
