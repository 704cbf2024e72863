import { inRange, printAddress, readAddress, readRange } from '../../conditions/address.ts'
import type { Span } from '../../source.ts'
import { stringType, type Value } from '../types.ts'
import { booleanAt, listOf, textNode } from '../values.ts'
import { type Builtin, ofTexts, type Result, text, whole, withReaders } from './support.ts'

/** A block of addresses: its first address, the bits that are given, and those there are. */
interface Block {
  readonly family: 4 | 6
  readonly first: bigint
  readonly length: number
  readonly bits: number
}

/** A block of addresses as it is written; `odd` where the language does not read it as usual, or may not. */
function blockOf(written: string): Block | 'odd' | undefined {
  // Leading zeros, and the mapped addresses of IPv4.
  if (/(^|\.)0\d/.test(written) || (written.includes(':') && written.includes('.')) || /^[0:]*:ffff:/i.test(written)) return 'odd'
  const range = readRange(written)
  if (!range) return undefined
  const length = Number(written.slice(written.indexOf('/') + 1))
  return { family: range.family, first: range.first, length, bits: range.family === 4 ? 32 : 128 }
}

function shownBlock({ family }: Block, first: bigint, length: number): string {
  return `${printAddress({ family, value: first })}/${length}`
}

function ofBlock(give: (block: Block, rest: readonly Value[], span: Span) => Result): Builtin {
  return withReaders([text], ([written], { span }, [, ...rest]) => {
    const block = blockOf(written)
    return block === 'odd' ? 'unknown' : block && give(block, rest, span)
  })
}

export const networkFunctions: Readonly<Record<string, Builtin>> = {
  cidrhost: ofBlock((block, [number], span) => {
    const host = whole(number)
    const count = 1n << BigInt(block.bits - block.length)
    if (host === undefined || !Number.isSafeInteger(host)) return host === undefined ? undefined : 'unknown'
    // A negative number counts from the end.
    const place = host < 0 ? count + BigInt(host) : BigInt(host)
    return place < 0n || place >= count ? undefined : textNode(span, printAddress({ family: block.family, value: block.first + place }))
  }),
  cidrnetmask: ofBlock(({ family, length }, _, span) => {
    if (family === 6) return undefined
    const value = (0xffffffffn << BigInt(32 - length)) & 0xffffffffn
    return textNode(span, printAddress({ family, value }))
  }),
  cidrsubnet: ofBlock((block, [more, number], span) => {
    const [extra, net] = [whole(more), whole(number)]
    if (extra === undefined || net === undefined) return undefined
    if (extra < 0 || net < 0 || !Number.isSafeInteger(net)) return 'unknown'
    const length = block.length + extra
    if (length > block.bits || BigInt(net) >= 1n << BigInt(extra)) return undefined
    return textNode(span, shownBlock(block, block.first + (BigInt(net) << BigInt(block.bits - length)), length))
  }),
  cidrsubnets: ofBlock((block, lengths, span) => {
    const end = block.first + (1n << BigInt(block.bits - block.length))
    const subnets: Value[] = []
    let next = block.first
    for (const each of lengths) {
      const extra = whole(each)
      if (extra === undefined || extra < 1 || extra > 32) return undefined
      const length = block.length + extra
      if (length > block.bits) return undefined
      const size = 1n << BigInt(block.bits - length)
      const first = ((next + size - 1n) / size) * size
      if (first >= end) return undefined
      // The library behind it takes a start at zero for an overflow.
      if (first === 0n) return 'unknown'
      subnets.push(textNode(span, shownBlock(block, first, length)))
      next = first + size
    }
    return listOf(span, stringType, subnets)
  }),
  // Of OpenTofu alone.
  cidrcontains: ofTexts(([written = '', inner = ''], { span }) => {
    const outer = blockOf(written)
    if (outer === 'odd' || blockOf(inner) === 'odd') return 'unknown'
    const range = outer && readRange(written)
    if (!range) return undefined
    const address = readAddress(inner)
    const part = address ? { family: address.family, first: address.value, last: address.value } : readRange(inner)
    if (!part || part.family !== range.family) return undefined
    const holds = (value: bigint) => inRange(range, { family: part.family, value })
    return booleanAt(span, holds(part.first) && holds(part.last))
  }),
}
