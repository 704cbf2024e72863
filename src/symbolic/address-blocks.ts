import { blocksOf } from '../conditions/address.ts'
import { addressesBeyond, type Block, blockAround, gaps } from './situation.ts'

/** A set of addresses as blocks, with the blocks of them that are left out. */
export interface AddressBlocks {
  readonly held: readonly Block[]
  readonly except: readonly Block[]
}

/** Of how many runs blocks with exceptions are looked for: the ways to choose them grow with the square. */
const mostRuns = 40

const countOf = ({ held, except }: AddressBlocks) => held.length + except.length

/** The blocks, those that are left out (`isComplement`), or larger blocks with exceptions: the fewest, in this order where as many. */
export function fewestBlocks(addresses: readonly Block[]): AddressBlocks & { readonly isComplement: boolean } {
  const plain: AddressBlocks = { held: addresses.flatMap(blocksIn), except: [] }
  const complement: AddressBlocks = { held: addressesBeyond(addresses).flatMap(blocksIn), except: [] }
  const best = [withExceptions(addresses), complement].reduce((least, each) => (countOf(each) < countOf(least) ? each : least), plain)
  return { ...best, isComplement: best === complement }
}

/** Neighbouring runs as one block with exceptions, wherever that takes fewer blocks. */
function withExceptions(runs: readonly Block[]): AddressBlocks {
  if (runs.length > mostRuns) return { held: runs.flatMap(blocksIn), except: [] }
  // For each number of runs, the fewest blocks for so many of the first ones.
  const best: AddressBlocks[] = [{ held: [], except: [] }]
  for (let end = 1; end <= runs.length; end++) {
    const candidates = best.flatMap(({ held, except }, start): readonly AddressBlocks[] => {
      const own = inOneBlock(runs.slice(start, end))
      return own ? [{ held: [...held, ...own.held], except: [...except, ...own.except] }] : []
    })
    best.push(candidates.reduceRight((least, each) => (countOf(each) < countOf(least) ? each : least)))
  }
  return best.at(-1) as AddressBlocks
}

/** Runs as one block around them with exceptions, or a single one by itself; undefined where no block is around only them. */
function inOneBlock(runs: readonly Block[]): AddressBlocks | undefined {
  const [first, last] = [runs[0] as Block, runs.at(-1) as Block]
  if (first.family !== last.family) return undefined
  const plain = runs.length === 1 ? { held: blocksIn(first), except: [] } : undefined
  const hull = blockAround(first, last)
  const around = { held: [hull], except: gaps(hull, runs).flatMap(blocksIn) }
  return plain && countOf(plain) <= countOf(around) ? plain : around
}

/** A run of addresses as the fewest blocks, or as it is where these would be many. */
function blocksIn(run: Block): readonly Block[] {
  const blocks: Block[] = []
  for (const block of blocksOf(run)) {
    blocks.push(block)
    if (blocks.length > 4) return [run]
  }
  return blocks
}
