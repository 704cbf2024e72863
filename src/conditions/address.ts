/** An IP address as a number within its family. IPv4 written inside IPv6 (`::ffff:a.b.c.d`) is the IPv4 address. */
export interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

/** The addresses from `first` to `last`, both included, of one family. */
export interface AddressRange {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
  /** The text has an address inside the range, not its first one. */
  readonly hostBits: boolean
}

const mappedPrefix = 0xffffn

/** Read an address strictly: no leading zeros, no short, octal or hexadecimal forms, no zone, no spaces. */
export function readAddress(text: string): Address | undefined {
  if (text.includes(':')) {
    const value = readV6(text)
    if (value === undefined) return undefined
    return value >> 32n === mappedPrefix ? { family: 4, value: value & 0xffffffffn } : { family: 6, value }
  }
  const value = readV4(text)
  return value === undefined ? undefined : { family: 4, value }
}

/** Read a range `address/length`. A range of mapped addresses (`::ffff:a.b.c.d/96` and longer) is an IPv4 range. */
export function readRange(text: string): AddressRange | undefined {
  const [, start = '', length] = /^(.+)\/(0|[1-9][0-9]{0,2})$/.exec(text) ?? []
  const six = start.includes(':')
  const base = six ? readV6(start) : readV4(start)
  const bits = Number(length)
  if (base === undefined || bits > (six ? 128 : 32)) return undefined
  const mapped = bits >= 96 && base >> 32n === mappedPrefix
  const rest = BigInt((six ? 128 : 32) - bits)
  const address = mapped ? base & 0xffffffffn : base
  const first = (address >> rest) << rest
  return { family: six && !mapped ? 6 : 4, first, last: first + (1n << rest) - 1n, hostBits: first !== address }
}

/** The range of one address. */
export function single({ family, value }: Address): AddressRange {
  return { family, first: value, last: value, hostBits: false }
}

export function inRange(range: AddressRange, address: Address): boolean {
  return range.family === address.family && address.value >= range.first && address.value <= range.last
}

export function inRanges(ranges: readonly AddressRange[], address: Address): boolean {
  return ranges.some((range) => inRange(range, address))
}

export function printAddress({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))
  const text = groups.join(':')
  const runs = [...text.matchAll(/(?:^|:)(?:0(?::|$)){2,}/g)].map((m) => m[0])
  // A run at an end has a colon less: only its zeros count.
  const zeros = (run: string) => run.replaceAll(':', '').length
  const longest = runs.reduce((a, b) => (zeros(b) > zeros(a) ? b : a), '')
  return longest === '' ? text : text.replace(longest, '::')
}

/** `192.0.2.0/24` if the range has a prefix length, otherwise `first-last`. */
export function printRange({ family, first, last }: Pick<AddressRange, 'family' | 'first' | 'last'>): string {
  const size = last - first + 1n
  const isBlock = (size & (size - 1n)) === 0n && first % size === 0n
  if (!isBlock) return `${printAddress({ family, value: first })}-${printAddress({ family, value: last })}`
  return `${printAddress({ family, value: first })}/${(family === 4 ? 32 : 128) - (size.toString(2).length - 1)}`
}

/** The fewest ranges with a prefix length that make up a range, in order. */
export function* blocksOf({
  family,
  first,
  last,
}: Pick<AddressRange, 'family' | 'first' | 'last'>): Generator<Omit<AddressRange, 'hostBits'>> {
  const bits = family === 4 ? 32n : 128n
  for (let blockStart = first; blockStart <= last; ) {
    let size = 1n
    while (size < 1n << bits && blockStart % (size * 2n) === 0n && blockStart + size * 2n - 1n <= last) size *= 2n
    yield { family, first: blockStart, last: blockStart + size - 1n }
    blockStart += size
  }
}

function readV4(text: string): bigint | undefined {
  const match = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(text)
  if (!match) return undefined
  let value = 0n
  for (let i = 1; i <= 4; i++) {
    const part = Number(match[i])
    if (part > 255) return undefined
    value = value * 256n + BigInt(part)
  }
  return value
}

function readV6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const left = groupsOf(halves[0] as string, halves.length === 1)
  const right = halves.length === 2 ? groupsOf(halves[1] as string, true) : []
  if (!left || !right) return undefined
  const gap = 8 - left.length - right.length
  if (halves.length === 1 ? gap !== 0 : gap < 1) return undefined
  return [...left, ...Array<bigint>(gap).fill(0n), ...right].reduce((value, group) => (value << 16n) | group, 0n)
}

function groupsOf(text: string, mayEndInV4: boolean): bigint[] | undefined {
  if (text === '') return []
  const groups: bigint[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (mayEndInV4 && i === parts.length - 1 && part.includes('.')) {
      const v4 = readV4(part)
      if (v4 === undefined) return undefined
      groups.push(v4 >> 16n, v4 & 0xffffn)
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`))
    else return undefined
  }
  return groups
}
