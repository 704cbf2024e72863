import { resolve } from 'node:path'
import { treeOf } from '../../parser/tree.ts'
import { type Notation, notationOf } from '../../source.ts'
import type { Node } from '../../tree.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import { readCandidate } from './files.ts'

/** A document that an option names, and the name of its file. */
export interface NamedDocument {
  readonly name: string
  /** Undefined: the file holds none, or several. */
  readonly document: Node | undefined
}

/**
 * Read the one document of the file that an option names, or of standard input for `-`. Without `notation` the name of the file
 * decides, else its first character. All errors in the file are refused together.
 */
export async function readDocument(
  option: string,
  path: string,
  policies: readonly string[],
  io: Io,
  notation?: Notation,
): Promise<NamedDocument> {
  if (path === '-' && policies.includes('-')) throw new Refusal(`standard input cannot hold both what ${option} names and the policies`)
  const file = path === '-' ? undefined : resolve(io.cwd, path)
  const name = file === undefined ? '-' : displayPath(file, io.cwd)
  const knownNotation = notation ?? (file === undefined ? undefined : notationOf(file))
  const read = await readCandidate({ path: name, file, notation: knownNotation, isNamed: true }, io, 'settings')
  if (read.source === undefined) throw new Refusal(`${option} ${name}: ${read.message}`)
  const reading = await treeOf(read.source)
  refuseErrors(reading.diagnostics)
  return { name, document: reading.documents.length === 1 ? reading.documents[0] : undefined }
}
