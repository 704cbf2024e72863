import type { Diagnostic } from '../diagnostic.ts'
import { readHclJson } from '../hcl/json.ts'
import { type Configuration, type Folder, readConfiguration } from '../hcl/module.ts'
import { readHcl } from '../hcl/parse.ts'
import { folderOf } from '../hcl/paths.ts'
import { readingOf } from '../hcl/read.ts'
import type { HclFile } from '../hcl/syntax.ts'
import { commentsIn } from '../parser/comments.ts'
import { isCredential } from '../parser/credential.ts'
import { kindOf } from '../parser/policy.ts'
import type { Reading } from '../parser/reading.ts'
import { treeOf } from '../parser/tree.ts'
import { isExampleNotation, isHcl, type Source, type Span, sourceOf } from '../source.ts'
import type { Node } from '../tree.ts'
import { converted, simplestNotation, type Target } from './convert.ts'
import { cannotExpress } from './findings.ts'
import { beyondLiteral } from './literal.ts'

/** How sources are converted. */
export interface ConvertOptions {
  /** The word that types of resources begin with: `svc` for `svc_iam_policy`. */
  readonly prefix: string
  /** The URNs that the service gave to groups of a configuration, by their addresses: `svc_iam_permissions_group.readers`. */
  readonly urns?: ReadonlyMap<string, string>
}

/** Sources in another notation. */
export interface Conversion {
  /** Undefined where something cannot be converted: `refused` says why, or nothing does where the meaning would change. */
  readonly text: string | undefined
  readonly refused: readonly Diagnostic[]
  /** Parts that are omitted, and parts that have another name in the target notation. */
  readonly notes: readonly Diagnostic[]
  /** How many comments are omitted: JSON has none. */
  readonly comments: number
  /** The addresses in `urns` that no group has. */
  readonly unused: readonly string[]
}

/** Write the policies, groups and inventory of sources, which must be without errors, together in another notation. */
export async function convertSources(sources: readonly Source[], target: Target, options: ConvertOptions): Promise<Conversion> {
  const { prefix, urns = new Map() } = options
  const configurations = configurationsOf(
    sources.filter(({ notation }) => isHcl(notation)),
    prefix,
  )
  const { documents, comments, refused, notes } = await literalOf(sources, configurations, urns, prefix)
  const unused = [...urns.keys()].filter((address) => ![...configurations.values()].some(({ file }) => addressed(file, address)))
  const result = refused.length === 0 ? converted({ documents, comments }, target, prefix) : undefined
  const problems = [...refused, ...(result?.refused ?? [])]
  const text = problems.length === 0 ? result?.text : undefined
  const read = text === undefined ? undefined : await again(text, target, prefix)
  const [unread] = read?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
  const [first] = sources
  if (unread && first)
    problems.push(cannotExpress({ source: first, start: 0, end: 0 }, `converted, this could not be read: ${unread.message}`, unread.help))
  return {
    text: read && problems.length === 0 && result?.isRight(read.documents) ? text : undefined,
    refused: problems,
    notes: [...notes, ...(result?.notes ?? [])],
    comments: result?.comments ?? 0,
    unused,
  }
}

/** The documents of the files, what cannot be converted, and what is lost. */
async function literalOf(
  files: readonly Source[],
  configurations: ReadonlyMap<Source, Part>,
  urns: ReadonlyMap<string, string>,
  prefix: string,
) {
  const [documents, comments]: [Node[], Span[]] = [[], []]
  const [refused, notes]: [Diagnostic[], Diagnostic[]] = [[], []]
  for (const source of files) {
    const configuration = configurations.get(source)
    if (configuration) {
      const beyond = beyondLiteral(configuration.file, prefix)
      refused.push(...beyond.refused)
      notes.push(...beyond.notes)
      documents.push(...readingOf(configuration.file, [configuration.whole]).documents.map((each) => simplestNotation(each, urns)))
      comments.push(...configuration.file.comments)
      continue
    }
    if (isExampleNotation(source.notation)) {
      const span = { source, start: 0, end: 0 }
      refused.push(
        cannotExpress(
          span,
          `${source.notation === 'markdown' ? 'Markdown' : 'a script'} is not converted`,
          'copy the policy to a separate file',
        ),
      )
      continue
    }
    const reading = await treeOf(source)
    refused.push(...reading.documents.flatMap(notOurs))
    documents.push(...reading.documents)
    comments.push(...(source.notation === 'yaml' ? commentsIn(source, reading.documents) : (reading.comments ?? [])))
  }
  return { documents, comments, refused, notes }
}

/** Plans, manifests and the like say what policies are, and are none themselves. */
function notOurs(document: Node): readonly Diagnostic[] {
  if (kindOf(document) !== undefined || isCredential(document)) return []
  const { source, start } = document
  const span = { source, start, end: start + 1 }
  return [{ code: 'convert', severity: 'error', message: 'not a policy, a list of policies or a world: only these are converted', span }]
}

interface Part {
  readonly file: HclFile
  readonly whole: Configuration
}

/** Files of configurations, those of a folder together: other files are not asked, since what is in them is not literal here. */
function configurationsOf(sources: readonly Source[], prefix: string): ReadonlyMap<Source, Part> {
  const parts = new Map<Source, Part>()
  if (sources.length === 0) return parts
  for (const name of new Set(sources.map(({ path }) => folderOf(path)))) {
    const files = sources
      .filter(({ path }) => folderOf(path) === name)
      .map((source) =>
        source.notation === 'hcl-json' ? readHclJson(source, /\.tfvars\.json$/i.test(source.path)) : readHcl(source, `${prefix}_iam_`),
      )
    const folder: Folder = { path: name, name, files, values: [] }
    const whole = readConfiguration(folder, new Map([[name, folder]]), { prefix })
    for (const file of files) parts.set(file.source, { file, whole })
  }
  return parts
}

function addressed({ body }: HclFile, address: string): boolean {
  return body?.blocks.some(({ type, labels }) => type === 'resource' && labels.join('.') === address) === true
}

/** The converted text, read again. */
async function again(text: string, target: Target, prefix: string): Promise<Pick<Reading, 'documents' | 'diagnostics'>> {
  const source = sourceOf(target === 'hcl' ? 'main.tf' : `out.${target}`, text)
  if (target !== 'hcl') return treeOf(source)
  const part = configurationsOf([source], prefix).get(source)
  if (!part) return { documents: [], diagnostics: [] }
  return part.file.diagnostics.length > 0 ? { documents: [], diagnostics: part.file.diagnostics } : readingOf(part.file, [part.whole])
}
