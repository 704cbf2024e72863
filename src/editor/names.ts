import { pushTo } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import type { Facts } from '../parser/policy.ts'
import { isInRange, type Located, type Range, touches } from '../source.ts'
import type { LooseText } from './loose/nodes.ts'
import type { EditorFile, Name, NameKind, NamesByKind, Occurrence, Spot, Workspace } from './model.ts'
import { rangeInFile } from './parts.ts'

/** Names across the files of a workspace, and their places. */

/** The name in a string; undefined for strings that are none. */
export function nameOf(role: Spot['role'], text: string): Name | undefined {
  if (text === '') return undefined
  if (role === 'policyName') return { kind: 'policy', text }
  if (role === 'permissionsGroup') return { kind: 'permissionsGroup', text }
  if (role === 'resourceGroupId') return { kind: 'resourceGroup', text }
  if (role === 'identity' || role === 'group') return { kind: 'identity', text }
  if (role !== 'resource') return undefined
  const id = text.includes(':resourceGroup:') ? /^urn:v1:[^:]*:resourceGroup:(.*)$/s.exec(text)?.[1] : undefined
  return id === undefined ? { kind: 'resource', text } : { kind: 'resourceGroup', text: id }
}

export function byKind(occurrences: readonly Occurrence[]): NamesByKind {
  const out = new Map<NameKind, Map<string, Occurrence[]>>()
  for (const each of occurrences) {
    const names = out.get(each.kind) ?? new Map<string, Occurrence[]>()
    out.set(each.kind, names)
    pushTo(names, each.text, each)
  }
  return out
}

/** Where names are written in a file, in written order. */
export function occurrencesIn(file: EditorFile, settings: Settings): readonly Occurrence[] {
  const occurrences: Occurrence[] = []
  const expressions: Range[] = []
  for (const spot of file.spots(settings)) {
    const { node, role, part } = spot
    if (node.isExpression) {
      expressions.push(rangeInFile(part, node))
      continue
    }
    const name = nameOf(role, node.value)
    if (name)
      occurrences.push({
        kind: name.kind,
        text: name.text,
        path: file.path,
        range: rangeInFile(part, inner(node)),
        isDefinition: spot.isDefinition,
        written: undefined,
        spot,
      })
  }
  // Without expressions they are in order already.
  if (expressions.length === 0 || !file.read) return occurrences
  return [...occurrences, ...evaluated(file, file.read.facts, expressions)].sort((a, b) => a.range.start - b.range.start)
}

/** A text without its quotes. */
export function inner({ start, end, quote, isClosed }: LooseText): Range {
  if (quote !== '"' && quote !== "'") return { start, end }
  return { start: start + 1, end: isClosed ? end - 1 : end }
}

/** The names that expressions of a configuration give. */
function evaluated({ path, source }: EditorFile, facts: Facts, expressions: readonly Range[]): readonly Occurrence[] {
  const texts: readonly (readonly [Spot['role'], Located<string>])[] = [
    ...facts.policies.flatMap(({ name, identities, resources, permissionsGroups }) => [
      ['policyName', name] as const,
      ...identities.map(({ value, span }) => ['identity', { value: value.text, span }] as const),
      ...resources.map(({ value, span }) => ['resource', { value: value.text, span }] as const),
      ...permissionsGroups.map(({ value, span }) => ['permissionsGroup', { value: value.text, span }] as const),
    ]),
  ]
  return texts.flatMap(([role, written]): readonly Occurrence[] => {
    const { span, value } = written
    const isHere = span.source === source && expressions.some((expression) => isInRange(span, expression))
    const name = isHere ? nameOf(role, value) : undefined
    return name
      ? [{ ...name, path, range: { start: span.start, end: span.end }, isDefinition: role === 'policyName', written, spot: undefined }]
      : []
  })
}

/** The name at an offset of a file. */
export function nameAt(workspace: Workspace, file: EditorFile, offset: number): Occurrence | undefined {
  return file.occurrences(workspace.settings).find(({ range }) => touches(range, offset))
}

/** All places where a name is written: definitions first, then by path. */
export function occurrencesOf({ filesOf, settings }: Workspace, name: Name): readonly Occurrence[] {
  const occurrences = [...filesOf(name)].flatMap((file) => file.byName(settings).get(name.kind)?.get(name.text) ?? [])
  return occurrences.sort(
    (a, b) => Number(b.isDefinition) - Number(a.isDefinition) || compareText(a.path, b.path) || a.range.start - b.range.start,
  )
}
