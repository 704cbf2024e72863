import type { Span } from '../source.ts'
import type { MapNode, Node } from '../tree.ts'
import { type Place, placeUnder, top } from './place.ts'

/** The parts of documents that are not wholly known, on which findings about them depend. */
export interface Openness {
  /** Places that hold nothing written: a finding there would be about what was assumed. */
  readonly holes: readonly Span[]
  /** Strings of which a part is not known and that are no names in a grammar: a finding about one may be about that part. */
  readonly texts: readonly Span[]
  /** Records that may not be there at all: what is found in them is found where they are. */
  readonly perhaps: readonly MapNode[]
  /** The files that something of them is written in. */
  readonly paths: ReadonlySet<string>
}

export function opennessOf(documents: readonly Node[]): Openness {
  const holes: Span[] = []
  const texts: Span[] = []
  const perhaps: MapNode[] = []
  const paths = new Set<string>()
  const collect = (node: Node, place: Place) => {
    paths.add(node.source.path)
    if (node.kind === 'unknown') {
      holes.push(...(node.holes ?? [node]))
      if (place.role === 'text' || place.role === 'instant') texts.push(node)
    } else if (node.kind === 'list') for (const item of node.items) collect(item, place)
    else if (node.kind === 'map') {
      if (node.perhaps) {
        perhaps.push(node)
        holes.push(...node.perhaps)
      }
      for (const { key, value } of node.entries) collect(value, placeUnder(key.value, place))
    }
  }
  for (const document of documents) collect(document, top)
  return { holes, texts, perhaps, paths }
}
