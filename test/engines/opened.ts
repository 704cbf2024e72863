import { afterAll, beforeAll } from 'vitest'
import { type Engine, type EngineName, open } from './engine.ts'

/** An engine that the tests of a group share: some take ten seconds to start. Gives it once they run. */
export function opened(name: EngineName): () => Engine {
  let engine: Engine
  beforeAll(async () => {
    engine = await open(name)
  })
  afterAll(() => engine.close())
  return () => engine
}
