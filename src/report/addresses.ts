import { blocksOf, printAddress, printRange } from '../conditions/address.ts'
import type { AddressVerdict } from '../simulate/decision.ts'
import { addressesBeyond, type Block, blockAround, gaps } from '../symbolic/situation.ts'
import { orList } from './words.ts'

/** Sets of addresses in words: `from 203.0.113.0/24 except 203.0.113.10`. */

/** How many blocks are named before the others are counted. */
const mostBlocks = 12
/** Of how many runs blocks with exceptions are looked for: the ways to choose them grow with the square. */
const mostRuns = 40

/** The blocks of a set, with what of them is left out. */
interface Named {
  readonly held: readonly string[]
  readonly except: readonly string[]
}

/** The blocks, those that are left out, or larger blocks with exceptions: the fewest names, in this order where as many. */
export function addressWords(addresses: readonly Block[]): string {
  const plain: Named = { held: addresses.flatMap(blockWords), except: [] }
  const left: Named = { held: addressesBeyond(addresses).flatMap(blockWords), except: [] }
  const best = [withExceptions(addresses), left].reduce((found, each) => (countOf(each) < countOf(found) ? each : found), plain)
  const except = best.except.length > 0 ? ` except ${orList(best.except, mostBlocks)}` : ''
  return `${best === left ? 'not ' : ''}from ${orList(best.held, mostBlocks)}${except}`
}

const countOf = ({ held, except }: Named) => held.length + except.length

/** Neighbouring runs as one block with exceptions, wherever that takes fewer names. */
function withExceptions(runs: readonly Block[]): Named {
  if (runs.length > mostRuns) return { held: runs.flatMap(blockWords), except: [] }
  // For each number of runs, the fewest names for so many of the first ones.
  const best: Named[] = [{ held: [], except: [] }]
  for (let end = 1; end <= runs.length; end++) {
    const ways = best.flatMap(({ held, except }, start): readonly Named[] => {
      const own = namedTogether(runs.slice(start, end))
      return own ? [{ held: [...held, ...own.held], except: [...except, ...own.except] }] : []
    })
    best.push(ways.reduceRight((found, each) => (countOf(each) < countOf(found) ? each : found)))
  }
  return best.at(-1) as Named
}

/** Runs as one block around them with exceptions, or a single one by itself; undefined where no block is around only them. */
function namedTogether(runs: readonly Block[]): Named | undefined {
  const [first, last] = [runs[0] as Block, runs.at(-1) as Block]
  if (first.family !== last.family) return undefined
  const plain = runs.length === 1 ? { held: blockWords(first), except: [] } : undefined
  const hull = blockAround(first, last)
  const except = gaps(hull, runs).flatMap(blockWords)
  const around = { held: blockWords(hull), except }
  return plain && countOf(plain) <= countOf(around) ? plain : around
}

/** A run of addresses as the fewest blocks, or as its first and last one where these would be many. */
function blockWords(run: Block): readonly string[] {
  const { family, first, last } = run
  const blocks: string[] = []
  for (const block of blocksOf(run)) {
    blocks.push(block.first === block.last ? printAddress({ family, value: block.first }) : printRange(block))
    if (blocks.length > 4) return [`${printAddress({ family, value: first })}–${printAddress({ family, value: last })}`]
  }
  return blocks
}

/** From where a request is allowed and denied: `allowed from 203.0.113.0/24; denied from anywhere else`. `others`: what decides besides. */
export function byAddressWords(answers: readonly AddressVerdict[], others: string): string {
  const parts = (['allow', 'deny', 'unknown'] as const).flatMap((verdict) => {
    const blocks = answers.filter((each) => each.verdict === verdict)
    return blocks.length > 0 ? [{ verdict, from: addressWords(blocks) }] : []
  })
  // The part that takes the most words becomes "anywhere else", and comes last.
  const cost = ({ from }: (typeof parts)[number]) => (from.startsWith('not ') ? Number.POSITIVE_INFINITY : from.length)
  const rest = parts.reduce((found, each) => (cost(each) > cost(found) ? each : found))
  const ordered = [...parts.filter((each) => each !== rest), { ...rest, from: parts.length > 1 ? 'from anywhere else' : 'from anywhere' }]
  const open = `it depends${others === '' ? '' : ` on ${others}`}`
  return ordered
    .map(({ verdict, from }) => (verdict === 'unknown' ? `${from} ${open}` : `${verdict === 'allow' ? 'allowed' : 'denied'} ${from}`))
    .join('; ')
}
