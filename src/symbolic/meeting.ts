import { madeIn, pushTo } from '../collections.ts'
import { type Glob, isPattern, matches, overlaps } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { memoizeByText } from '../memo.ts'
import { type Box, boxText } from './boxes.ts'
import type { Caller } from './search.ts'
import type { Statement } from './statements.ts'

/** Who asks for what: the parts of a region that statements are compared with, conditions and exclusions aside. */
export interface Asked {
  readonly callers: readonly Pick<Caller, 'self'>[]
  readonly actions: readonly Glob[]
  readonly boxes: readonly Box[]
}

/** A set of places in a list, a bit for each. */
type Places = Uint32Array

/** Patterns that occur in statements, each once, with the places of these: names apart from those with a wildcard. */
class Named {
  private readonly names = new Map<string, number[]>()
  private readonly patterns = new Map<string, { readonly pattern: Glob; readonly places: number[] }>()

  put(pattern: Glob, place: number): void {
    if (isPattern(pattern)) madeIn(this.patterns, pattern.text, () => ({ pattern, places: [] })).places.push(place)
    else pushTo(this.names, pattern.text, place)
  }

  /** The places of each pattern that may match the same as one. */
  *overlapping(pattern: Glob): Iterable<readonly number[]> {
    if (!isPattern(pattern)) yield this.names.get(pattern.text) ?? []
    else for (const [name, places] of this.names) if (matches(pattern, name)) yield places
    for (const { pattern: other, places } of this.patterns.values()) if (overlaps(other, pattern)) yield places
  }
}

/**
 * Statements by what they are about, asked which may be about some of what is asked. Who, what and on what are looked up each by
 * itself, once for each pattern, since many regions share these.
 */
export class Meeting {
  private readonly statements: readonly Statement[]
  private readonly actions = new Named()
  private readonly identities = new Named()
  /** By region and type, then by name. */
  private readonly boxes = new Map<string, { readonly box: Box; readonly names: Named }>()
  /** The statements about groups: any may be added to who asks. */
  private readonly ofGroups: Places
  private readonly ofAll: Places

  constructor(statements: readonly Statement[]) {
    this.statements = statements
    this.ofAll = this.placesOf([statements.keys()])
    this.ofGroups = this.placesOf([
      [...statements.keys()].filter((place) => statements[place]?.identities.some(({ value }) => value.kind === 'group')),
    ])
    for (const [place, { identities, actions, boxes }] of statements.entries()) {
      for (const { value } of identities) this.identities.put(value.glob, place)
      for (const { value } of actions) this.actions.put(value, place)
      for (const box of boxes) {
        const { names } = madeIn(this.boxes, typeText(box), () => ({ box, names: new Named() }))
        names.put(box.name, place)
      }
    }
  }

  /** The statements that may be about some of what is asked, in their order. */
  of({ callers, actions, boxes }: Asked): readonly Statement[] {
    const byCaller = this.united(callers, this.ofCaller)
    const byAction = this.united(actions, this.ofAction)
    const byBox = this.united(boxes, this.ofBox)
    const statements: Statement[] = []
    for (let word = 0; word < this.ofAll.length; word++) {
      let bits = (byCaller[word] as number) & (byAction[word] as number) & (byBox[word] as number)
      for (; bits !== 0; bits &= bits - 1) statements.push(this.statements[word * 32 + 31 - Math.clz32(bits & -bits)] as Statement)
    }
    return statements
  }

  private readonly ofAction = memoizeByText(patternText, (action: Glob) => this.placesOf(this.actions.overlapping(action)))

  private readonly ofSelf = memoizeByText(patternText, (self: Glob) => {
    return this.union([this.ofGroups, this.placesOf(this.identities.overlapping(self))])
  })

  private readonly ofCaller = ({ self }: Asked['callers'][number]): Places => (self ? this.ofSelf(self) : this.ofAll)

  private readonly ofBox = memoizeByText(boxText, (box: Box) =>
    this.placesOf(this.ofType(box).flatMap(({ names }) => [...names.overlapping(box.name)])),
  )

  /** Those of a region and type, which many names are asked with. */
  private readonly ofType = memoizeByText(typeText, ({ region, type }: Box) =>
    [...this.boxes.values()].filter(({ box }) => overlaps(box.region, region) && overlaps(box.type, type)),
  )

  private united<T>(items: readonly T[], placesOf: (item: T) => Places): Places {
    return items.length === 1 ? placesOf(items[0] as T) : this.union(items.map(placesOf))
  }

  private union(sets: readonly Places[]): Places {
    const all = this.placesOf([])
    for (const set of sets) for (let word = 0; word < all.length; word++) all[word] = (all[word] as number) | (set[word] as number)
    return all
  }

  private placesOf(lists: Iterable<Iterable<number>>): Places {
    const set = new Uint32Array(Math.ceil(this.statements.length / 32))
    for (const places of lists) for (const place of places) set[place >> 5] = (set[place >> 5] as number) | (1 << (place & 31))
    return set
  }
}

/** A pattern as a text that no other has: a name may hold a `*`, too. */
function patternText(pattern: Glob): string {
  return `${isPattern(pattern) ? '*' : '='}${pattern.text}`
}

function typeText({ region, type }: Box): string {
  return keyOf(patternText(region), patternText(type))
}
