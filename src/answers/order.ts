import { type SensitiveRow, sensitiveRows } from '../actions/sensitive.ts'
import { matches } from '../glob.ts'
import { listed, plural } from '../report/words.ts'
import { type Answer, type CellName, isOwner, type Row, type Wording } from './model.ts'
import { type RowWords, rowWords } from './wording.ts'

/** In which order people read rows: the gravest first, people before programs, owners last. */

/** How grave actions are, lowest first: wide patterns, then by the category of the risk, then what changes something, then what reads. */
export class Gravity {
  private readonly known = new Map<string, number>()
  private readonly tables = new Map<string, readonly SensitiveRow[]>()

  of(action: string): number {
    const known = this.known.get(action)
    if (known !== undefined) return known
    const found = this.find(action)
    this.known.set(action, found)
    return found
  }

  /** The actions, the gravest first; those alike as they were. */
  ordered(actions: readonly string[]): readonly string[] {
    return actions.length < 2 ? actions : actions.toSorted((a, b) => this.of(a) - this.of(b))
  }

  /** That of the gravest. */
  ofAll(actions: readonly string[]): number {
    return actions.reduce((least, action) => Math.min(least, this.of(action)), reading)
  }

  private find(action: string): number {
    if (/(?:^|:)\*$/.test(action)) return 0
    if (action.endsWith('/get')) return reading
    const brand = /:api(\w+):/.exec(action)?.[1]
    if (brand === undefined) return changing
    const table = this.tables.get(brand) ?? sensitiveRows(brand)
    this.tables.set(brand, table)
    const row = table.findIndex(({ pattern }) => matches(pattern, action))
    return row < 0 ? changing : 1 + row / table.length
  }
}

const [changing, reading] = [2, 3]

/** Kinds of identities, in the order in which they are listed, with the nouns for one and for several. */
const kinds: readonly (readonly [kind: string, one: string, several: string])[] = [
  ['user', 'person', 'people'],
  ['group', 'group', 'groups'],
  ['pattern', 'pattern', 'patterns'],
  ['credential', 'service account', 'service accounts'],
  ['account', 'account', 'accounts'],
]

function kindOf(urn: string): number {
  const kind = urn.includes('*') ? 'pattern' : (urn.split(':')[4] ?? '')
  const found = kinds.findIndex(([each]) => each === kind)
  return found < 0 ? kinds.length : found
}

/** Identities with people first and owning accounts last; those of a kind as they were. */
export const peopleFirst = (urns: readonly string[]): readonly string[] => urns.toSorted((a, b) => kindOf(a) - kindOf(b))

/** Rows in the order in which people read them. */
export function inOrder(rows: readonly Row[], gravity: Gravity): readonly Row[] {
  const rank = (row: Row) => [Number(isOwner(row)), gravity.ofAll(row.actions), Math.min(...row.who.map(kindOf), kinds.length)] as const
  return rows
    .map((row) => [row, rank(row)] as const)
    .sort(([, a], [, b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    .map(([row]) => row)
}

/** The rows of an answer in words, in the order in which people read them: for pages, which lay them out themselves. */
export function answerRows({ sections }: Pick<Answer, 'sections'>, wording: Wording): readonly RowWords[] {
  const gravity = new Gravity()
  return sections.flatMap(({ rows }) =>
    inOrder(rows, gravity).map((row) => rowWords({ ...row, actions: gravity.ordered(row.actions) }, wording)),
  )
}

/** `3 people, 1 group and 1 service account`: how many identities of each kind rows are about. */
export function peopleWords(rows: readonly Pick<Row, 'who'>[]): string {
  const counts = new Map<number, number>()
  for (const urn of new Set(rows.flatMap(({ who }) => who))) counts.set(kindOf(urn), (counts.get(kindOf(urn)) ?? 0) + 1)
  const parts = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([kind, count]) => {
      const [, one, several] = kinds[kind] ?? ['', 'identity', 'identities']
      return `${count} ${count === 1 ? one : several}`
    })
  return listed(parts)
}

/** What is left out: how many rows, and about identities of which kinds. */
export const restWords = (rows: readonly Pick<Row, 'who'>[], lead: CellName) =>
  `${plural(rows.length, lead === 'by' ? 'more policy' : 'more row')}${lead === 'who' ? `, about ${peopleWords(rows)}` : ''}`
