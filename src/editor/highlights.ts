import { glob, isPattern, matches } from '../glob.ts'
import { touches } from '../source.ts'
import { hclNameAt, hclReferences } from './hcl-names.ts'
import type { EditorFile, Occurrence, Spot, Workspace } from './model.ts'
import { inner, nameAt } from './names.ts'
import { rangeInFile } from './parts.ts'
import { isPatternName } from './references.ts'
import type { Highlight } from './types.ts'

/**
 * The places in a file of the name or the action at an offset, and the patterns there that match it. Editors ask at each movement
 * of the cursor, so that only this file is looked at.
 */
export function highlights(workspace: Workspace, file: EditorFile, offset: number): readonly Highlight[] {
  const block = hclNameAt(file, offset)
  if (block)
    return hclReferences(workspace, file, block)
      .filter(({ path }) => path === file.path)
      .map(({ start, end }) => ({ start, end, kind: 'read' }))
  const name = nameAt(workspace, file, offset)
  if (name) return namesLike(workspace, file, name)
  const spots = file.spots(workspace.settings).filter(({ role, node }) => role === 'action' && !node.isExpression)
  const action = spots.find((spot) => touches(placeOf(spot), offset))
  if (!action) return []
  const same = isLike(action.node.value)
  return spots.filter(({ node }) => same(node.value)).map((spot) => ({ ...placeOf(spot), kind: 'read' }))
}

/** The places of a name in a file: written where it is described. */
function namesLike({ settings }: Workspace, file: EditorFile, name: Occurrence): readonly Highlight[] {
  const same = isPatternName(name) ? (text: string) => text === name.text : isLike(name.text, name.kind)
  return file
    .occurrences(settings)
    .filter(({ kind, text }) => kind === name.kind && same(text))
    .map(({ range: { start, end }, isDefinition }) => ({ start, end, kind: isDefinition ? 'write' : 'read' }))
}

/** Whether a string is the same, or a pattern that matches it. Names of some kinds have no patterns. */
function isLike(text: string, kind?: Occurrence['kind']): (other: string) => boolean {
  if (isPattern(glob(text))) return (other) => other === text
  return (other) =>
    other === text || (other.includes('*') && (kind === undefined || isPatternName({ kind, text: other })) && matches(glob(other), text))
}

/** A string in the file, without quotes. */
function placeOf({ part, node }: Spot) {
  return rangeInFile(part, inner(node))
}
