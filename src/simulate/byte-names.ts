/** How much is kept: names, the bytes of all of them, and of one. */
export interface NameLimits {
  readonly names: number
  readonly bytes: number
  readonly ofName: number
}

const usualLimits: NameLimits = { names: 1 << 17, bytes: 1 << 24, ofName: 1 << 10 }

/** A part of a text in bytes, and its hash by `hashed` and `hashedWord`. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly hash: number
}

/** Names whose hashes collide cannot make a look-up long: more of them than this are not kept. */
const mostProbes = 16

/** The numbers of a slot: the hash of its name, where that starts in `bytes`, its length, and its value. Length 0: free. */
const slot = { hash: 0, start: 1, length: 2, value: 3, size: 4 } as const

/**
 * Numbers for names that are found by the bytes of a larger text: neither a string is made of them, nor one kept. Drops all of them
 * when they are too many.
 */
export class ByteNames {
  private slots = new Int32Array(slot.size << 8)
  private bytes = viewOf(1 << 12)
  private end = 0
  private size = 0
  private readonly limits: NameLimits

  constructor(limits: NameLimits = usualLimits) {
    this.limits = limits
  }

  /** The number of the name that a span of a text is; -1 where there is none. */
  get(text: DataView, span: Span): number {
    const index = this.place(text, span)
    return index >= 0 && (this.slots[index + slot.length] as number) > 0 ? (this.slots[index + slot.value] as number) : -1
  }

  /** Keep a number, from 0, of a name. Names that are empty or very long, and those without a place, are not kept. */
  set(text: DataView, span: Span, value: number): void {
    const { from, to, hash } = span
    const length = to - from
    if (length < 1 || length > this.limits.ofName) return
    if (this.size >= this.limits.names || this.end + length > this.limits.bytes) this.clear()
    if (2 * slot.size * (this.size + 1) > this.slots.length) this.grow()
    const index = this.place(text, span)
    if (index < 0) return
    const { slots } = this
    if (slots[index + slot.length] === 0) {
      if (this.end + length > this.bytes.byteLength) {
        const grown = viewOf(2 * Math.max(this.bytes.byteLength, length))
        bytesOf(grown).set(bytesOf(this.bytes))
        this.bytes = grown
      }
      bytesOf(this.bytes).set(bytesOf(text).subarray(from, to), this.end)
      slots[index + slot.hash] = hash
      slots[index + slot.start] = this.end
      slots[index + slot.length] = length
      this.end += length
      this.size++
    }
    slots[index + slot.value] = value
  }

  /** Drop all names. */
  clear(): void {
    this.slots = new Int32Array(slot.size << 8)
    this.bytes = viewOf(1 << 12)
    this.end = 0
    this.size = 0
  }

  /** The slot of a name, or the free one where it belongs; -1 where neither is near. */
  private place(text: DataView, { from, to, hash }: Span): number {
    const { slots, bytes } = this
    const length = to - from
    const mask = slots.length - 1
    for (let probe = 0, index = this.first(hash); probe < mostProbes; probe++, index = (index + slot.size) & mask) {
      const knownLength = slots[index + slot.length] as number
      if (knownLength === 0) return index
      if (slots[index + slot.hash] !== hash || knownLength !== length) continue
      if (areSame(bytes, slots[index + slot.start] as number, text, from, length)) return index
    }
    return -1
  }

  /** The slot where to look first. */
  private first(hash: number): number {
    const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
    return ((mixed ^ (mixed >>> 15)) & (this.slots.length / slot.size - 1)) * slot.size
  }

  private grow(): void {
    const old = this.slots
    this.slots = new Int32Array(2 * old.length)
    for (let from = 0; from < old.length; from += slot.size) {
      if (old[from + slot.length] === 0) continue
      let index = this.first(old[from + slot.hash] as number)
      while (this.slots[index + slot.length] !== 0) index = (index + slot.size) % this.slots.length
      for (let i = 0; i < slot.size; i++) this.slots[index + i] = old[from + i] as number
    }
  }
}

/** The hash of what `hash` is of and one more byte; of nothing it is 0. */
export function hashed(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0
}

/**
 * The hash of what `hash` is of and four more bytes, the first of them lowest in `word`. A name is hashed by words as far as there are
 * whole ones, then by bytes: four bytes take as long as one.
 */
export function hashedWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

/** Whether two strings have the same bytes, `length` of them, from some place of each. */
function areSame(one: DataView, oneFrom: number, other: DataView, otherFrom: number, length: number): boolean {
  let i = 0
  for (; i + 4 <= length; i += 4) if (one.getInt32(oneFrom + i, true) !== other.getInt32(otherFrom + i, true)) return false
  for (; i < length; i++) if (one.getUint8(oneFrom + i) !== other.getUint8(otherFrom + i)) return false
  return true
}

const viewOf = (length: number) => new DataView(new ArrayBuffer(length))
const bytesOf = ({ buffer, byteOffset, byteLength }: DataView) => new Uint8Array(buffer, byteOffset, byteLength)
