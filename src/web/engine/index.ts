import type { Given } from '../../page/given.ts'
import { Engine } from './engine.ts'
import { type Tables, useTables } from './tables.ts'

export type { Edits, Outcome } from './engine.ts'
export { Engine }

/** The engine over what a page was given. `tables`: what the asset `catalogue` exports. */
export function open(given: Given, tables: Tables): Engine {
  useTables(tables)
  return new Engine(given)
}
