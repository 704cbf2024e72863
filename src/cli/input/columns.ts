import type { Settings } from '../../names.ts'
import { type Mapping, readColumns, readMapping } from '../../warehouse/mapping.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import { readDocument } from './document.ts'

/** The mapping of `--columns`: columns as they are given, or those of a file. Its errors are refused together. */
export async function mappingOf(given: string, settings: Settings, io: Io): Promise<Mapping> {
  const read = given.includes('=') ? readColumns(given, settings) : await mappingIn(given, settings, io)
  if (!read.mapping) refuseErrors(read.diagnostics)
  return read.mapping as Mapping
}

async function mappingIn(file: string, settings: Settings, io: Io) {
  const { name, document } = await readDocument('--columns', file, [], io)
  if (!document)
    throw new Refusal(`--columns ${name}: one mapping is expected in the file`, 'write `columns: {identity: …, action: …, resource: …}`')
  return readMapping(document, settings)
}
