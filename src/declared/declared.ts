import type { Diagnostic } from '../diagnostic.ts'
import type { AdjacentFiles } from '../names.ts'
import type { Span } from '../source.ts'
import type { Node } from '../tree.ts'
import { holdsManifest, isManifest, readManifests } from './manifest.ts'
import { isPlan, readPlan, type Side } from './plan.ts'
import { isPreview, readPreview } from './preview.ts'
import { isProgram, readProgram } from './program.ts'
import { type Declaration, type Declared, type DeclaredMember, shapeProblem, spanOf, worldOf } from './record.ts'

export { isPlan, type Side } from './plan.ts'
export { isPreview } from './preview.ts'

export interface Address {
  readonly address: string
  readonly span: Span
}

/** Records that tools declare in the documents of one source. */
export interface DeclaredDocuments {
  /** As the service would hold it. */
  readonly documents: readonly Node[]
  /** Users, and what puts them into groups. */
  readonly members: readonly DeclaredMember[]
  readonly diagnostics: readonly Diagnostic[]
  readonly addresses: readonly Address[]
  /** The ids of what is declared, where the service has given them. */
  readonly ids: ReadonlySet<string>
  /** A tool wrote it: what is wrong in it is fixed elsewhere. */
  readonly isOutput: boolean
}

/** Policies in the documents of tools; undefined where no document is one. `side`: which of the two states of a plan. */
export function readDeclared(
  documents: readonly Node[],
  prefix: string,
  side: Side,
  adjacent?: AdjacentFiles,
): DeclaredDocuments | undefined {
  if (!documents.some((document) => readerOf(document, prefix) !== undefined)) return undefined
  const others: Node[] = []
  const records: Declared[] = []
  const members: DeclaredMember[] = []
  const diagnostics: Diagnostic[] = []
  let isOutput = false
  for (const document of documents) {
    const reader = readerOf(document, prefix)
    // Manifests without policies may be next to ours, as in every file of a cluster.
    if (!reader && !isManifest(document)) others.push(document)
    if (!reader) continue
    const declaration = reader.read(document, side, prefix, adjacent)
    records.push(...declaration.records)
    members.push(...(declaration.members ?? []))
    diagnostics.push(...declaration.diagnostics)
    isOutput ||= reader.isOutput
  }
  const world = worldOf(records, documents[0] as Node)
  return {
    documents: [...world.documents, ...others],
    members,
    diagnostics: [...diagnostics, ...world.diagnostics, ...marksOf(documents, prefix)],
    addresses: records.map(({ address, span }) => ({ address, span: spanOf(span) })),
    ids: new Set(records.flatMap(({ id }) => id ?? [])),
    isOutput,
  }
}

/** A mark between documents behind which `kubectl` reads nothing: `...`, and `---` with something on its line. */
const oddMark = /^(?:\.\.\.[ \t]*$(?=\n(?!---|\s*$))|---[ \t]+(?=[^\s#]))/m

function marksOf(documents: readonly Node[], prefix: string): readonly Diagnostic[] {
  const [first] = documents
  if (!first || documents.length < 2 || first.source.notation !== 'yaml' || !documents.some((each) => holdsManifest(each, prefix)))
    return []
  const { source } = first
  const oddSign = oddMark.exec(source.text)
  if (!oddSign) return []
  const span = { source, start: oddSign.index, end: oddSign.index + 3 }
  return [
    shapeProblem(
      span,
      `\`${oddSign[0].trim()}\` before a document: not every tool that reads manifests applies what follows`,
      'write `---` on a separate line before each document',
    ),
  ]
}

interface Reader {
  readonly is: (document: Node, prefix: string) => boolean
  readonly read: (document: Node, side: Side, prefix: string, adjacent: AdjacentFiles | undefined) => Declaration
  readonly isOutput: boolean
}

const readers: readonly Reader[] = [
  { is: isPlan, read: readPlan, isOutput: true },
  { is: isPreview, read: readPreview, isOutput: true },
  { is: isProgram, read: (document, _, prefix, adjacent) => readProgram(document, prefix, adjacent), isOutput: false },
  { is: holdsManifest, read: (document, _, prefix) => readManifests(document, prefix), isOutput: false },
]

function readerOf(document: Node, prefix: string): Reader | undefined {
  return document.kind === 'map' ? readers.find(({ is }) => is(document, prefix)) : undefined
}
