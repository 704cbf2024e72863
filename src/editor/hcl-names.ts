import { folderOf, pathFrom } from '../hcl/paths.ts'
import { type Range, touches } from '../source.ts'
import type { LooseEntry, LooseText } from './loose/nodes.ts'
import type { EditorFile, Workspace } from './model.ts'
import { inner } from './names.ts'
import type { Place } from './types.ts'

/** Names of blocks in a configuration, and references to them in expressions: names hold within a folder. */

export interface HclName {
  /** `local.account`, `var.site`, `module.team`, `svc_iam_resource_group.web`. */
  readonly text: string
  /** Of a module, what it gives. */
  readonly output: string | undefined
}

const word = /[\p{ID_Start}_][\p{ID_Continue}-]*/u

/** The name of a block at an offset: in an expression, or where the block begins. */
export function hclNameAt(file: EditorFile, offset: number): HclName | undefined {
  if (file.source.notation !== 'hcl') return undefined
  const head = declarationsIn(file).find(({ range }) => touches(range, offset))
  if (head) return { text: head.name, output: undefined }
  const { text } = file.source
  let start = offset
  while (start > 0 && /[\p{ID_Continue}.-]/u.test(text[start - 1] as string)) start--
  let end = offset
  while (end < text.length && /[\p{ID_Continue}-]/u.test(text[end] as string)) end++
  const parts = text.slice(start, end).split('.')
  return isInExpression(file, start) ? nameOfParts(parts) : undefined
}

function nameOfParts(parts: readonly string[]): HclName | undefined {
  if (parts.some((part) => !word.test(part))) return undefined
  const [first = '', second, third] = parts
  if (second === undefined) return undefined
  return { text: `${first}.${second}`, output: first === 'module' ? third : undefined }
}

/** Whether an offset is in an expression: not in the plain text of a string, nor in a comment. */
function isInExpression(file: EditorFile, offset: number): boolean {
  return expressionsIn(file).some(({ start, end }) => start <= offset && offset < end)
}

function expressionsIn(file: EditorFile): readonly Range[] {
  const ranges: Range[] = []
  const { text } = file.source
  const add = (node: LooseEntry['value'] | LooseText): void => {
    if (node.kind === 'list') for (const item of node.items) add(item)
    else if (node.kind === 'map') for (const { value } of node.entries) add(value)
    else if (node.kind === 'text' && node.isExpression) {
      if (node.quote === '') ranges.push(node)
      // Of a string, its interpolated expressions.
      else
        for (const { index, 0: hole } of text.slice(node.start, node.end).matchAll(/[$%]\{[^{}]*\}/g))
          ranges.push({ start: node.start + index, end: node.start + index + hole.length })
    }
  }
  for (const { documents } of file.parts) for (const document of documents) add(document)
  return ranges
}

interface Declaration {
  readonly name: string
  readonly range: Range
}

/** The blocks of a file that others may refer to, by their names. */
export function declarationsIn(file: EditorFile): readonly Declaration[] {
  const [root] = file.parts[0]?.documents ?? []
  if (root?.kind !== 'map' || root.style !== 'hcl') return []
  return root.entries.flatMap(({ key, labels = [], value }): readonly Declaration[] => {
    const [first, second] = labels
    const rangeOf = (label: LooseText) => inner(label)
    if (key.value === 'locals' && value.kind === 'map')
      return value.entries.map((entry) => ({ name: `local.${entry.key.value}`, range: rangeOf(entry.key) }))
    if (key.value === 'variable' && first) return [{ name: `var.${first.value}`, range: rangeOf(first) }]
    if (key.value === 'module' && first) return [{ name: `module.${first.value}`, range: rangeOf(first) }]
    if (key.value === 'output' && first) return [{ name: `output.${first.value}`, range: rangeOf(first) }]
    if (key.value === 'resource' && first && second) return [{ name: `${first.value}.${second.value}`, range: rangeOf(second) }]
    return []
  })
}

function filesIn({ files }: Workspace, folder: string): readonly EditorFile[] {
  return [...files.values()].filter(({ path, source }) => source.notation === 'hcl' && folderOf(path) === folder)
}

/** Where a block is declared. */
export function hclDefinitions(workspace: Workspace, file: EditorFile, { text, output }: HclName): readonly Place[] {
  const folder = folderOf(file.path)
  const declared = (name: string, where: string) =>
    filesIn(workspace, where).flatMap((each) =>
      declarationsIn(each).flatMap(({ name: own, range }) => (own === name ? [{ path: each.path, ...range }] : [])),
    )
  const target = output === undefined ? undefined : moduleFolder(workspace, folder, text)
  const outputs = target === undefined ? [] : declared(`output.${output}`, target)
  return outputs.length > 0 ? outputs : declared(text, folder)
}

/** The folder that a module is in. */
function moduleFolder(workspace: Workspace, folder: string, name: string): string | undefined {
  for (const { path, parts } of filesIn(workspace, folder)) {
    const [root] = parts[0]?.documents ?? []
    if (root?.kind !== 'map') continue
    const block = root.entries.find(({ key, labels }) => key.value === 'module' && `module.${labels?.[0]?.value}` === name)
    const source = block?.value.kind === 'map' ? block.value.entries.find(({ key }) => key.value === 'source')?.value : undefined
    if (source?.kind === 'text') return pathFrom(folderOf(path), source.value)
  }
  return undefined
}

/** The references to a block in its folder, its declaration first. */
export function hclReferences(workspace: Workspace, file: EditorFile, name: HclName): readonly Place[] {
  const used = filesIn(workspace, folderOf(file.path)).flatMap((each) => {
    const { text } = each.source
    return expressionsIn(each).flatMap(({ start, end }): readonly Place[] => {
      const places: Place[] = []
      for (let index = text.indexOf(name.text, start); index >= 0 && index < end; index = text.indexOf(name.text, index + 1)) {
        const isWhole =
          !/[\p{ID_Continue}.-]/u.test(text[index - 1] ?? ' ') && !/[\p{ID_Continue}-]/u.test(text[index + name.text.length] ?? ' ')
        if (isWhole) places.push({ path: each.path, start: index, end: index + name.text.length })
      }
      return places
    })
  })
  return [...hclDefinitions(workspace, file, { ...name, output: undefined }), ...used]
}
