import { type Address, type AddressRange, printRange, readAddress, readRange } from '../conditions/address.ts'
import type { Question } from '../simulate/decision.ts'

/**
 * Other addresses for addresses and blocks: those reserved for documentation. Of two blocks, one is within the other, next to it or before
 * it exactly where it was so.
 */

export type RenameRange = (range: AddressRange) => AddressRange

/** A block with those within it. `length`: of its prefix. */
interface Tree {
  readonly family: 4 | 6
  readonly first: bigint
  readonly length: number
  /** False of one that only holds two others, which begin alike so far. */
  readonly isNamed: boolean
  readonly halves: readonly Tree[]
}

const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)

/** Blocks that replacements are taken from: those for documentation, the one for tests of networks, and a private one. */
const places: Readonly<Record<4 | 6, readonly string[]>> = {
  4: ['192.0.2.0/24', '198.18.0.0/15', '10.0.0.0/8'],
  6: ['2001:db8::/32'],
}

/** How the bits between a block and one within it are replaced: by as few as keep their relation, or by as many. */
export type Length = 'short' | 'same'

/** Replacements of some blocks and addresses. */
export function renamedRanges(ranges: readonly AddressRange[], length: Length): RenameRange {
  const renamed = new Map<string, AddressRange>()
  for (const family of [4, 6] as const) {
    // All addresses of a family are named for what they are.
    const familyRanges = ranges.filter((range) => range.family === family && lengthOf(range) > 0)
    const tree = treeOf(familyRanges)
    if (tree) place(tree, length, renamed)
  }
  return (range) => renamed.get(keyOfRange(range)) ?? range
}

/** The address of a question with another name. */
export function renamedAddress({ family, value }: NonNullable<Question['ip']>, rename: RenameRange): Address {
  return { family, value: rename({ family, first: value, last: value, hostBits: false }).first }
}

const keyOfRange = (range: Pick<AddressRange, 'family' | 'first' | 'last'>): string => printRange(range)

function lengthOf({ family, first, last }: AddressRange): number {
  return bitsOf(family) - ((last - first + 1n).toString(2).length - 1)
}

/** The smallest tree that holds blocks of one family. */
function treeOf(ranges: readonly AddressRange[]): Tree | undefined {
  const sorted = [...new Map(ranges.map((range) => [keyOfRange(range), range])).values()].sort(
    (a, b) => lengthOf(a) - lengthOf(b) || (a.first < b.first ? -1 : 1),
  )
  return sorted.reduce<Tree | undefined>((tree, range) => {
    const leaf: Tree = { family: range.family, first: range.first, length: lengthOf(range), isNamed: true, halves: [] }
    return tree ? joined(tree, leaf) : leaf
  }, undefined)
}

/** A tree with a further block, which is no larger than those in it. */
function joined(tree: Tree, leaf: Tree): Tree {
  const shared = sharedLength(tree, leaf)
  if (shared < tree.length) {
    const halves = [tree, leaf].sort((a, b) => (a.first < b.first ? -1 : 1))
    const rest = BigInt(bitsOf(tree.family) - shared)
    return { family: tree.family, first: (tree.first >> rest) << rest, length: shared, isNamed: false, halves }
  }
  if (leaf.length === tree.length) return { ...tree, isNamed: true }
  const side = (half: Tree) => bitAt(half, tree.length)
  const same = tree.halves.find((half) => side(half) === side(leaf))
  const halves = [...tree.halves.filter((half) => half !== same), same ? joined(same, leaf) : leaf]
  return { ...tree, halves: halves.sort((a, b) => (a.first < b.first ? -1 : 1)) }
}

/** How many bits two blocks begin alike with. */
function sharedLength(a: Tree, b: Tree): number {
  const difference = a.first ^ b.first
  const alike = difference === 0n ? bitsOf(a.family) : bitsOf(a.family) - difference.toString(2).length
  return Math.min(alike, a.length, b.length)
}

function bitAt({ family, first }: Tree, place: number): string {
  return ((first >> BigInt(bitsOf(family) - 1 - place)) & 1n).toString()
}

/** The bits from one length of a prefix to another. */
function bitsBetween({ family, first, length }: Tree, from: number): string {
  return first.toString(2).padStart(bitsOf(family), '0').slice(from, length)
}

/** The bits in the place of those from a block to one within it: at its beginning, at its end, or between. */
function replacedBits(bits: string, length: Length): string {
  const [first = '', rest = ''] = [bits.slice(0, 1), bits.slice(1)]
  if (length === 'same') return first + (/^0*$|^1*$/.test(rest) ? rest : '01'.padEnd(rest.length, '0').slice(0, rest.length))
  if (rest === '') return first
  return first + (/^0+$/.test(rest) ? '0' : /^1+$/.test(rest) ? '1' : '01')
}

function place(tree: Tree, length: Length, renamed: Map<string, AddressRange>): void {
  const { family } = tree
  const bits = bitsOf(family)
  const needed = depthOf(tree, length)
  const fitting = length === 'short' ? places[family].map(readRange).find((range) => range && bits - lengthOf(range) >= needed) : undefined
  const start = fitting?.first ?? (readAddress(family === 4 ? '10.0.0.0' : '2001:db8::') as Address).value
  const prefix = start
    .toString(2)
    .padStart(bits, '0')
    .slice(0, fitting ? lengthOf(fitting) : tree.length)
  const open = [{ tree, prefix, path: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { tree: here, prefix: begin, path } = next
    const filled = (fill: '0' | '1') => BigInt(`0b${begin.padEnd(bits, fill).slice(0, bits)}`)
    if (here.isNamed) {
      const last = here.first + (1n << BigInt(bits - here.length)) - 1n
      const one = isSingle(here) ? singleIn(filled('0'), filled('1'), path) : undefined
      const [renamedFirst, renamedLast] = [one ?? filled('0'), one ?? filled('1')]
      renamed.set(keyOfRange({ family, first: here.first, last }), { family, first: renamedFirst, last: renamedLast, hostBits: false })
    }
    for (const half of here.halves) {
      const between = bitsBetween(half, here.length)
      open.push({ tree: half, prefix: begin + replacedBits(between, length), path: between })
    }
  }
}

const isSingle = ({ family, length }: Tree): boolean => length === bitsOf(family)

/** The address in the place of one, in a block: its first or last one if it was that of the block around it. `path`: the bits from there. */
function singleIn(first: bigint, last: bigint, path: string): bigint {
  if (/^0+$/.test(path)) return first
  return /^1+$/.test(path) || last - first < 2n ? last : first + 1n
}

/** How many bits the replacements of a tree take. */
function depthOf(tree: Tree, length: Length): number {
  return Math.max(0, ...tree.halves.map((half) => replacedBits(bitsBetween(half, tree.length), length).length + depthOf(half, length)))
}
