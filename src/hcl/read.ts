import { worldLists } from '../declared/attributes.ts'
import { strayCharacters } from '../parser/characters.ts'
import type { Reading } from '../parser/reading.ts'
import type { Source } from '../source.ts'
import { type Entry, type Node, unknownsIn } from '../tree.ts'
import type { Configuration, UncreatedResource } from './module.ts'
import type { FoundResource } from './policies.ts'
import type { HclFile } from './syntax.ts'
import { limits } from './tokens.ts'
import { mapAt, textNode, tupleNode } from './values.ts'

/** The reading of a file: one world, or nothing. `configurations`: all that it is part of. */
export function readingOf(file: HclFile, configurations: readonly Configuration[]): Reading {
  const { source, comments } = file
  const resources = configurations.flatMap((each) => each.found.get(source) ?? [])
  const documents = resources.length > 0 ? [worldOf(resources)] : []
  const diagnostics = [
    ...strayCharacters(source, { controls: true }),
    ...file.diagnostics,
    ...configurations.flatMap((each) => each.diagnostics.filter(({ span }) => span.source === source)),
  ]
  return { documents, diagnostics, refused: source.text.length > limits.length, unknowns: unknownsIn(documents), comments }
}

/** The same for what it describes and makes none of: what would be wrong with it if there were any. */
export function uncreatedReadingOf(
  { source }: HclFile,
  configurations: readonly Configuration[],
): Reading & { readonly each: readonly UncreatedResource[] } {
  const each = configurations.flatMap(({ uncreated }) => uncreated.get(source) ?? [])
  const documents = each.length > 0 ? [worldOf(each)] : []
  return { documents, diagnostics: [], refused: false, unknowns: unknownsIn(documents), comments: [], each }
}

function worldOf(resources: readonly FoundResource[]): Node {
  const [first] = resources as readonly [FoundResource]
  const lists = [...worldLists, ['resources', 'resource'] as const]
  const entries = lists.flatMap(([key, kind]): readonly Entry[] => {
    const records = resources.filter((each) => each.kind === kind).map(({ node }) => node)
    return records[0] ? [{ key: textNode(records[0], key), value: tupleNode(records[0], records) }] : []
  })
  return mapAt(first.node, entries)
}

/** The files in which the values of resources are written, including those in other files than the resources. */
export function sourcesOf(configuration: Configuration): ReadonlySet<Source> {
  const sources = new Set<Source>()
  for (const each of [...configuration.memberships.values()].flat()) sources.add(each.span.source)
  const open: Node[] = [...configuration.found.values(), ...configuration.uncreated.values()].flat().map(({ node }) => node)
  for (let node = open.pop(); node; node = open.pop()) {
    sources.add(node.source)
    if (node.kind === 'list') open.push(...node.items)
    else if (node.kind === 'map') for (const { value } of node.entries) open.push(value)
  }
  return sources
}
