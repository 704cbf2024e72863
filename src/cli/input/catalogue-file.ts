import type { Catalogue } from '../../actions/catalogue.ts'
import { type CatalogueRecord, catalogueOfRecord, readRecord } from '../../actions/record.ts'
import type { Diagnostic } from '../../diagnostic.ts'
import { limits } from '../../parser/limits.ts'
import { shapeProblems } from '../../parser/shape.ts'
import { treeOf } from '../../parser/tree.ts'
import { type Located, sourceOf } from '../../source.ts'
import type { MapNode } from '../../tree.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseAll } from '../output/diagnostics.ts'
import { bytesAt, sniff, textAt, withoutMark } from './read-file.ts'

/** A catalogue file that was read. */
export interface CatalogueFile {
  readonly record: CatalogueRecord
  readonly catalogue: Catalogue
}

/** The catalogue that a configuration names, in the words of a brand. Throws a refusal at what is wrong, there or in the file. */
export async function pinnedCatalogue({ value: file, span }: Located<string>, brand: string, io: Io): Promise<CatalogueFile> {
  const { bytes, message } = bytesAt(file, 'settings', io)
  if (bytes) return readCatalogueFile(file, brand, io)
  refuseAll([
    {
      code: 'config',
      severity: 'error',
      message: `the catalogue \`${displayPath(file, io.cwd)}\` cannot be read: ${message}`,
      span,
      help: 'write it with `grantwise catalogue import FILE… -o FILE`, or remove the key to use the built-in catalogue',
    },
  ])
  throw new Error('not reached')
}

/** Read a catalogue file (`schemas/catalogue.schema.json`), in the words of a brand. Throws a refusal at what is wrong with it. */
export async function readCatalogueFile(file: string, brand: string, io: Io): Promise<CatalogueFile> {
  const path = displayPath(file, io.cwd)
  const { text, message } = textAt(file, 'settings', io)
  if (text === undefined) throw new Refusal(`${path}: ${message}`)
  const source = sourceOf(path, withoutMark(text), sniff(text) === 'json' ? 'json' : 'yaml')
  const reading = await treeOf(source)
  refuseAll(reading.diagnostics, 'catalogue')
  const [node] = reading.documents
  if (!node || reading.documents.length > 1) throw new Refusal(`${path}: expected one catalogue`)
  refuseAll(shapeProblems({ shape: 'catalogue', node }), 'catalogue')
  const { record, problems } = readRecord(node as MapNode, brand)
  refuseAll(
    problems.slice(0, limits.problems).map((problem): Diagnostic => ({ code: 'catalogue', severity: 'error', ...problem })),
    'catalogue',
  )
  return { record, catalogue: catalogueOfRecord(record) }
}
