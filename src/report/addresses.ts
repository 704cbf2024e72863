import { printAddress, printRange } from '../conditions/address.ts'
import type { AddressVerdict } from '../simulate/decision.ts'
import { fewestBlocks } from '../symbolic/address-blocks.ts'
import type { Block } from '../symbolic/situation.ts'
import { orList } from './lists.ts'

/** Sets of addresses in words: `from 203.0.113.0/24 except 203.0.113.10`. */

/** How many blocks are named before the others are counted. */
const mostBlocks = 12

export function addressWords(addresses: readonly Block[]): string {
  const { held, except, isComplement } = fewestBlocks(addresses)
  const [from, without] = [held, except].map((blocks) => orList(blocks.map(blockWords), mostBlocks))
  return `${isComplement ? 'not ' : ''}from ${from}${except.length > 0 ? ` except ${without}` : ''}`
}

const blockWords = (block: Block) =>
  block.first === block.last ? printAddress({ ...block, value: block.first }) : printRange(block).replace('-', '–')

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
