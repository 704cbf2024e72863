import type { Diagnostic } from '../diagnostic.ts'
import { folderOf, joinPath, nameIn } from '../hcl/paths.ts'
import { holdsPolicyText } from '../hidden.ts'
import { visible } from '../names.ts'
import { plainTreeOf } from '../parser/plain-tree.ts'
import { shapeErrorAt, shortened } from '../parser/reading.ts'
import { notationOf, type Source } from '../source.ts'
import { field, type MapNode, type Node } from '../tree.ts'

/** A kustomization, by the name of its file or by what it says of itself. */
export function isKustomization({ path, text, notation }: Source): boolean {
  if (notation !== 'yaml' && notation !== 'json') return false
  return /^kustomization\.ya?ml$/.test(nameIn(path)) || text.includes('kustomize.config.k8s.io')
}

/** The kinds of the manifests in a text, by a glance; undefined where one may be hidden. */
export function kindsIn(text: string): ReadonlySet<string> | undefined {
  if (/\\[ux]/i.test(text)) return undefined
  const kinds = [...text.matchAll(/(?:^|[{,\s])["']?kind["']?\s{0,20}:\s{0,20}["']?([^"'\s,}]{0,200})/g)].map((match) => match[1] as string)
  return new Set(kinds)
}

/** The files next to a kustomization. */
export interface KustomizationFiles {
  /** The kinds of the manifests with policies that are read. */
  readonly ours: ReadonlySet<string>
  /** The kinds of the manifests in a file, by its whole path; undefined where that is not known. */
  readonly kindsOf: (path: string) => ReadonlySet<string> | undefined
  /** The text of a file that is read for nothing else. */
  readonly textOf: (path: string) => string | undefined
}

/**
 * Problems of a kustomization that changes policies which are read without it, or adds others from files whose names are not
 * read: it is then not known what is deployed. `file`: its absolute path.
 */
export async function kustomizationProblems(source: Source, file: string | undefined, around: KustomizationFiles): Promise<Diagnostic[]> {
  const { documents } = await plainTreeOf(source)
  return documents.flatMap((document) => (document.kind === 'map' ? problemsIn(document, file && folderOf(file), around) : []))
}

function problemsIn(document: MapNode, folder: string | undefined, { ours, kindsOf, textOf }: KustomizationFiles): readonly Diagnostic[] {
  const concerns = (kinds: ReadonlySet<string> | undefined) =>
    ours.size > 0 && (kinds === undefined || kinds.size === 0 || [...kinds].some((kind) => ours.has(kind) || !/^\w+$/.test(kind)))
  const place = (path: string | undefined) => (path === undefined || folder === undefined ? undefined : joinPath(folder, path))
  const inFile = (path: string | undefined) => {
    const whole = place(path)
    return whole === undefined ? undefined : kindsOf(whole)
  }
  const kindsOfPart = (part: Node): ReadonlySet<string> | undefined => {
    // A patch in a list of files, or written there.
    if (part.kind === 'text') return part.value.includes('\n') || part.value.includes(':') ? kindsIn(part.value) : inFile(part.value)
    if (part.kind !== 'map') return undefined
    const target = field(part, 'target') ?? field(part, 'select')
    const kind = target?.kind === 'map' ? textOfNode(field(target, 'kind')) : undefined
    if (kind !== undefined) return new Set([kind])
    const patch = textOfNode(field(part, 'patch'))
    // Operations without a kind are applied to any target.
    if (patch !== undefined) return target ? undefined : kindsIn(patch)
    return target ? undefined : inFile(textOfNode(field(part, 'path')))
  }
  const changed = ['patches', 'patchesStrategicMerge', 'patchesJson6902', 'replacements', 'transformers'].flatMap((word) =>
    itemsOf(field(document, word)).flatMap((part) => {
      const all = word === 'replacements' && part.kind === 'map' ? itemsOf(field(part, 'targets')) : [part]
      return all.some((each) => concerns(kindsOfPart(each)))
        ? [problem(part, `\`${word}\` may change policies that are read as they are without it`)]
        : []
    }),
  )
  const made = ['configMapGenerator', 'secretGenerator'].flatMap((word) =>
    itemsOf(field(document, word)).flatMap((generator) =>
      generator.kind !== 'map'
        ? []
        : ['files', 'envs', 'env'].flatMap((key) =>
            itemsOf(field(generator, key)).flatMap((entry) => {
              const path = textOfNode(entry)?.replace(/^[^=]*=/, '')
              const whole = path === undefined || notationOf(path) !== undefined ? undefined : place(path)
              const text = whole === undefined ? undefined : textOf(whole)
              if (text === undefined || !holdsPolicyText(text, true)) return []
              return [problem(entry, `\`${visible(shortened(path ?? ''))}\` holds a policy, and files of such a name are not read`)]
            }),
          ),
    ),
  )
  return [...changed, ...made]
}

function problem(node: Node, what: string): Diagnostic {
  return shapeErrorAt(
    { ...node, end: Math.min(node.end, node.start + 1) },
    `${what}: what is deployed is not known here`,
    'lint what it renders: `kustomize build FOLDER | grantwise lint -`',
  )
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : node === undefined ? [] : [node]
}

function textOfNode(node: Node | undefined): string | undefined {
  return node?.kind === 'text' ? node.value : undefined
}
