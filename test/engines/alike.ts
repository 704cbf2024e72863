import { expect } from 'vitest'
import type { Case } from './cases.ts'
import { differences } from './decided.ts'
import { type EngineName, open } from './engine.ts'

/** Hold an engine to the simulator in some cases. Returns how many calls its SQL left open. */
export async function expectAlike(name: EngineName, cases: readonly Case[]): Promise<number> {
  const engine = await open(name)
  let left = 0
  for (const each of cases) {
    const found = await differences(engine, each)
    expect(found.wrong.slice(0, 20), each.name).toEqual([])
    left += found.left
  }
  await engine.close()
  return left
}
