import type { Catalogue } from '../../actions/catalogue.ts'
import { shown } from '../../report/safe.ts'
import { type AskedNames, unknownNames } from '../../report/unknown-names.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import type { Config } from './config.ts'
import { catalogueFor } from './known.ts'
import type { LoadedWorld } from './world.ts'

/**
 * Notes on the names in a question that neither the world nor the catalogue knows. `isDecided`: an entry decided the answer, so
 * that only certain typos are noted.
 */
export async function unknownNamesIn(
  asked: AskedNames,
  { short, config }: Pick<LoadedWorld, 'short' | 'config'>,
  isDecided: boolean,
  io: Io,
): Promise<readonly string[]> {
  const catalogue = await catalogueIfRead(config, io)
  return unknownNames(asked, { ...(catalogue && { catalogue }), brand: config.settings.brand, names: short, isDecided })
}

/** The same on standard error. */
export async function noteUnknownNames(...[asked, loaded, isDecided, io]: Parameters<typeof unknownNamesIn>): Promise<void> {
  for (const note of await unknownNamesIn(asked, loaded, isDecided, io)) io.stderr.write(`grantwise: note: ${shown(note)}\n`)
}

/** The catalogue; undefined if it cannot be read, which is no reason to refuse an answer that does not need it. */
export async function catalogueIfRead(config: Config, io: Io): Promise<Catalogue | undefined> {
  try {
    return await catalogueFor(config, io)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
