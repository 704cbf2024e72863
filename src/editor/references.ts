import { compareText } from '../diagnostic.ts'
import { glob, isPattern, matches } from '../glob.ts'
import { folderOf, pathFrom } from '../hcl/paths.ts'
import { isExampleNotation } from '../source.ts'
import { partAt } from './cursor.ts'
import { hclDefinitions, hclNameAt, hclReferences } from './hcl-names.ts'
import type { EditorFile, Occurrence, Workspace } from './model.ts'
import { nameAt, occurrencesOf } from './names.ts'
import { holds } from './spots.ts'
import type { Place } from './types.ts'

/** Where what is named at an offset is described; where it is described itself, that place. */
export function definition(workspace: Workspace, file: EditorFile, offset: number): readonly Place[] {
  const block = hclNameAt(file, offset)
  if (block) return hclDefinitions(workspace, file, block)
  const name = nameAt(workspace, file, offset)
  if (!name) return fileAt(workspace, file, offset)
  const occurrences = isPatternName(name) ? matching(workspace, name) : occurrencesOf(workspace, name)
  const definitions = nearest(
    workspace,
    file,
    occurrences.filter(({ isDefinition }) => isDefinition),
  )
  if (definitions.length > 0) return definitions.map(placeOf)
  // A group is described by those who are in it.
  const members = name.kind === 'identity' ? occurrences.filter(({ spot }) => spot?.role === 'group') : []
  return nearest(workspace, file, members).map(placeOf)
}

/**
 * The definitions to show. Examples in documents are separate worlds: those in the same document come first, those in other
 * documents are used last.
 */
function nearest({ files }: Workspace, file: EditorFile, occurrences: readonly Occurrence[]): readonly Occurrence[] {
  const isExample = ({ path }: Occurrence) => isExampleNotation(files.get(path)?.source.notation)
  const inFile = occurrences.filter((each) => each.path === file.path && isExample(each))
  const others = occurrences.filter((each) => !isExample(each))
  return inFile.length > 0 ? inFile : others.length > 0 ? others : occurrences
}

/** Where what is named at an offset is written, its descriptions among them, and the patterns that it matches. */
export function references(workspace: Workspace, file: EditorFile, offset: number): readonly Place[] {
  const block = hclNameAt(file, offset)
  if (block) return hclReferences(workspace, file, block)
  const name = nameAt(workspace, file, offset)
  if (!name) return []
  const occurrences = occurrencesOf(workspace, name)
  return [...occurrences, ...(isPatternName(name) ? [] : patternsOver(workspace, name))].map(placeOf)
}

function placeOf({ path, range }: Occurrence): Place {
  return { path, ...range }
}

const withPatterns: ReadonlySet<string> = new Set(['identity', 'resource', 'resourceGroup'])

/** Whether a name is a pattern: names of the other kinds have no wildcards. */
export function isPatternName({ kind, text }: Pick<Occurrence, 'kind' | 'text'>): boolean {
  return withPatterns.has(kind) && isPattern(glob(text))
}

/** The places of all names of its kind that a pattern matches. */
function matching(workspace: Workspace, { kind, text }: Occurrence): readonly Occurrence[] {
  const pattern = glob(text)
  return [...workspace.names(kind)]
    .filter((each) => !each.includes('*') && matches(pattern, each))
    .sort(compareText)
    .flatMap((each) => occurrencesOf(workspace, { kind, text: each }))
}

/** The places of patterns that match a name. */
export function patternsOver(workspace: Workspace, { kind, text }: Pick<Occurrence, 'kind' | 'text'>): readonly Occurrence[] {
  if (!withPatterns.has(kind)) return []
  return [...workspace.names(kind)]
    .filter((each) => each.includes('*') && matches(glob(each), text))
    .sort(compareText)
    .flatMap((each) => occurrencesOf(workspace, { kind, text: each }))
}

/** The file whose path is at an offset. */
function fileAt(workspace: Workspace, file: EditorFile, offset: number): readonly Place[] {
  const partAround = partAt(file, offset)
  const spot = partAround && file.spots(workspace.settings).find(({ part, node }) => part === partAround.part && holds(node, partAround.at))
  if (!spot) return []
  const target = pathFrom(folderOf(file.path), spot.node.value)
  if (spot.role === 'module') {
    const inside = [...workspace.files.keys()].filter((path) => folderOf(path) === target && /\.(?:tf|tofu)$/.test(path)).sort()
    const main = inside.find((path) => path.endsWith('/main.tf')) ?? inside[0]
    return main === undefined ? [] : [{ path: main, start: 0, end: 0 }]
  }
  if (spot.role !== 'path' && spot.role !== 'extends') return []
  return workspace.files.has(target) ? [{ path: target, start: 0, end: 0 }] : []
}
