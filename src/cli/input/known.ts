import type { Catalogue } from '../../actions/catalogue.ts'
import { loadCatalogue } from '../../actions/load.ts'
import type { Operation } from '../../actions/operations.ts'
import type { Io } from '../app/io.ts'
import type { CatalogueFile } from './catalogue-file.ts'
import type { Config } from './config.ts'

/** What was read for a configuration: a catalogue file is read once, whoever asks. */
const pinned = new WeakMap<Config, Promise<CatalogueFile>>()

/** The catalogue that a configuration pins; undefined where it names none. Throws a refusal where it cannot be read. */
export async function pinnedFor(config: Config, io: Io): Promise<CatalogueFile | undefined> {
  if (config.catalogue === undefined) return undefined
  const known = pinned.get(config) ?? (await import('./catalogue-file.ts')).pinnedCatalogue(config.catalogue, config.settings.brand, io)
  pinned.set(config, known)
  return known
}

/** The actions that hold for a run: of the catalogue that the configuration names, else of the one that is built in. */
export async function catalogueFor(config: Config, io: Io): Promise<Catalogue> {
  return (await pinnedFor(config, io))?.catalogue ?? loadCatalogue(config.settings.brand)
}

/** The operations of the API that hold for a run, of the same catalogue. */
export async function operationsFor(config: Config, io: Io): Promise<readonly Operation[]> {
  const file = await pinnedFor(config, io)
  return file ? file.record.operations : (await import('../../actions/operations.ts')).loadOperations(config.settings.brand)
}
