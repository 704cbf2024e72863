import type { Catalogue } from '../../actions/catalogue.ts'
import { loadCatalogue } from '../../actions/load.ts'
import type { Operation } from '../../actions/operations.ts'
import type { Located } from '../../source.ts'
import type { Io } from '../app/io.ts'
import type { Config, KnownActions } from './config.ts'

/** The catalogue that a configuration names, else the one that is built in; read once. Throws a refusal where it cannot be read. */
async function knownTo({ catalogue, catalogues, settings: { brand } }: Config, io: Io): Promise<KnownActions> {
  const read = catalogues.get(brand) ?? (catalogue === undefined ? builtIn(brand) : inFile(catalogue, brand, io))
  catalogues.set(brand, read)
  return read
}

async function builtIn(brand: string): Promise<KnownActions> {
  const operations = async () => (await import('../../actions/operations.ts')).loadOperations(brand)
  return { catalogue: loadCatalogue(brand), operations }
}

async function inFile(file: Located<string>, brand: string, io: Io): Promise<KnownActions> {
  const { catalogue, record } = await (await import('./catalogue-file.ts')).pinnedCatalogue(file, brand, io)
  return { catalogue, operations: async () => record.operations }
}

/** The actions that hold for a run: of the catalogue that the configuration names, else of the one that is built in. */
export async function catalogueFor(config: Config, io: Io): Promise<Catalogue> {
  const { catalogue } = await knownTo(config, io)
  io.record?.assume([
    {
      kind: 'catalogue',
      what: `the catalogue of actions (${catalogue.seen})`,
      why: 'an action that it does not have may exist',
      matters: false,
    },
  ])
  return catalogue
}

/** The operations of the API that hold for a run, of the same catalogue. */
export async function operationsFor(config: Config, io: Io): Promise<readonly Operation[]> {
  return (await knownTo(config, io)).operations()
}
