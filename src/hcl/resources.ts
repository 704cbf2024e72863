import type { ResourceChange } from '../declared/changes.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { longestName } from '../names.ts'
import type { Node } from '../tree.ts'
import { type Declarations, declarationsIn, type Folder } from './declarations.ts'
import { joinPath } from './paths.ts'
import { type InstalledModule, isLocalSource, isUnpackedOf, keyOfCall } from './remote.ts'
import type { Block, Body, Expression } from './syntax.ts'
import { mapAt, numberAt, textNode, unknownAt } from './values.ts'

/** The resources of one provider that a configuration describes, each with all that may be done with it. */
export interface WrittenResources {
  readonly changes: readonly ResourceChange[]
  /** Calls of modules whose files are not here: what they need is not known. */
  readonly modules: readonly { readonly address: string }[]
  /** The number of resources of other providers. */
  readonly others: number
  readonly diagnostics: readonly Diagnostic[]
}

/** The most modules that are followed; the others are not known. */
const mostModules = 1000

/** The parts of the life of a resource: a configuration does not say which comes next. */
const life = ['create', 'update', 'delete'] as const

/**
 * The resources of a module and of the modules that it calls: local ones, and those that are unpacked for it (`unpacked`, by their keys).
 * Attributes that are written as strings and numbers, or as a local value that is, are known, and no others: nothing is evaluated.
 */
export function writtenResources(
  root: Folder,
  folderAt: (path: string) => Folder | undefined,
  prefix: string,
  unpacked?: ReadonlyMap<string, InstalledModule>,
): WrittenResources {
  const changes: ResourceChange[] = []
  const modules: { address: string }[] = []
  const diagnostics: Diagnostic[] = []
  let others = 0
  const open = [{ folder: root, within: '', key: '', above: [root.path] }]
  let followed = 0
  for (let here = open.shift(); here; here = open.shift()) {
    const { folder, within, key, above } = here
    const declarations = declarationsIn(folder)
    diagnostics.push(...folder.files.flatMap((file) => file.diagnostics), ...declarations.diagnostics)
    const blocks = [...[...declarations.resources.values()].map((block) => ({ block, isData: false })), ...dataOf(declarations)]
    for (const { block, isData } of blocks) {
      const [type = '', name = ''] = block.labels
      if (!type.startsWith(`${prefix}_`)) {
        others++
        continue
      }
      const address = `${within}${isData ? 'data.' : ''}${type}.${name}`
      const value = writtenAttributes(block, declarations)
      changes.push({ address, type, isData, actions: isData ? ['read'] : life, before: value, after: value, isWritten: true })
    }
    for (const [name, { body }] of declarations.modules) {
      const address = `${within}module.${name}`
      const callKey = keyOfCall(key, name)
      const path = folderOfCall(body, folder, unpacked?.get(callKey))
      const next = path === undefined || above.includes(path) || followed >= mostModules ? undefined : folderAt(path)
      if (!next || path === undefined) modules.push({ address })
      else {
        followed++
        open.push({ folder: next, within: `${address}.`, key: callKey, above: [...above, path] })
      }
    }
  }
  return { changes, modules, others, diagnostics }
}

/** The folder of the module that a call names; undefined where it is not written plainly, or comes from elsewhere and is not unpacked. */
function folderOfCall({ attributes }: Body, folder: Folder, unpacked: InstalledModule | undefined): string | undefined {
  const written = (name: string) => attributes.find((each) => each.name === name)
  const source = textIn(written('source')?.value)
  if (source === undefined) return undefined
  if (isLocalSource(source)) return joinPath(folder.path, source)
  const [attribute, version] = [written('version'), textIn(written('version')?.value)]
  if (!unpacked || (attribute && version === undefined)) return undefined
  return isUnpackedOf(unpacked, source, version) ? unpacked.path : undefined
}

const dataOf = ({ data }: Declarations) => [...data.values()].map((block) => ({ block, isData: true }))

/** The attributes of a resource: unknown values where they are not simply written. */
function writtenAttributes({ body, head }: Block, { locals }: Declarations): Node {
  return mapAt(
    head,
    body.attributes.map(({ name, nameSpan, value }) => ({ key: textNode(nameSpan, name), value: nodeOf(value, locals) })),
  )
}

function nodeOf(value: Expression, locals: Declarations['locals']): Node {
  // A local value may be another one; a circle of them ends here.
  let written: Expression | undefined = value
  for (let i = 0; i < 8 && written?.kind === 'attribute' && written.of.kind === 'name' && written.of.name === 'local'; i++)
    written = locals.get(written.name)?.value
  const text = textIn(written)
  if (text !== undefined && text.length <= longestName) return textNode(value, text)
  if (written?.kind === 'literal' && typeof written.value === 'number') return numberAt(value, written.value)
  return unknownAt(value, 'a value', '')
}

/** A string without expressions. */
function textIn(value: Expression | undefined): string | undefined {
  if (value?.kind !== 'template') return undefined
  const texts = value.parts.flatMap((part) => (part.kind === 'text' ? [part.value] : []))
  return texts.length === value.parts.length ? texts.join('') : undefined
}
