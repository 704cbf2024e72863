import type { Catalogue } from '../../actions/catalogue.ts'
import { loadCatalogue } from '../../actions/load.ts'
import type { Operation } from '../../actions/operations.ts'
import { memo } from '../../memo.ts'
import type { Io } from '../app/io.ts'
import type { CatalogueFile } from './catalogue-file.ts'
import type { Config } from './config.ts'

/** The catalogue that a configuration names, read once; undefined where it names none. Throws a refusal where it cannot be read. */
async function catalogueFileOf({ catalogue, catalogues, settings: { brand } }: Config, io: Io): Promise<CatalogueFile | undefined> {
  if (catalogue === undefined) return undefined
  const read = catalogues.get(brand) ?? import('./catalogue-file.ts').then(({ pinnedCatalogue }) => pinnedCatalogue(catalogue, brand, io))
  catalogues.set(brand, read)
  return read
}

/** The actions that hold for a run: of the catalogue that the configuration names, else of the one that is built in. */
export async function catalogueFor(config: Config, io: Io): Promise<Catalogue> {
  return (await catalogueFileOf(config, io))?.catalogue ?? shipped(config)
}

const shipped = memo(({ settings }: Config) => loadCatalogue(settings.brand))

/** The operations of the API that hold for a run, of the same catalogue. */
export async function operationsFor(config: Config, io: Io): Promise<readonly Operation[]> {
  const file = await catalogueFileOf(config, io)
  return file ? file.record.operations : (await import('../../actions/operations.ts')).loadOperations(config.settings.brand)
}
