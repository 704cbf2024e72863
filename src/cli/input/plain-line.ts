import { hashed, hashedWord, type Span } from '../../simulate/byte-names.ts'
import type { Question, Verdict } from '../../simulate/decision.ts'
import type { Context } from '../../simulate/question.ts'

class MutableSpan implements Span {
  from = 0
  to = 0
  hash = 0
}

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text))
const idField = bytesOf('id":')
const identityField = bytesOf('identity":')
const actionField = bytesOf('action":')
const resourceField = bytesOf('resource":')
const expectField = bytesOf('expect":')
const verdictBytes = (['allow', 'deny', 'unknown'] as const).map((verdict) => ({ verdict, bytes: bytesOf(`${verdict}"`) }))

const code = { newline: 10, space: 32, quote: 34, comma: 44, zero: 48, a: 97, e: 101, i: 105, r: 114, open: 123, close: 125 } as const

/**
 * Lines of a batch as programs write them, an object of the plain fields, each once, with a whole number as id, read as bytes: it takes a
 * part of the time of a reader of all JSON. Names are spans of bytes and may be anything, also what JSON does not allow in a text:
 * only those that are equal to a name that was read from JSON can be relied on. One line at a time: each is read over the last.
 */
export class PlainLines {
  /** The end of the line: its newline, or the end of the block. */
  end = 0
  id: number | null = null
  expect: Verdict | undefined
  readonly identity = new MutableSpan()
  readonly action = new MutableSpan()
  readonly resource = new MutableSpan()
  /** The block. */
  bytes: Buffer = Buffer.alloc(0)
  /** The same, for words of several bytes. */
  view: DataView = new DataView(new ArrayBuffer(0))

  /** Read lines of another block. */
  open(bytes: Buffer): void {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** Read the line that starts there; false where it is no plain one, and the results are nothing to rely on. */
  read(from: number): boolean {
    const { bytes, identity, action, resource } = this
    this.id = null
    this.expect = undefined
    identity.to = action.to = resource.to = 0
    if (bytes[from] !== code.open) return false
    for (let index = from + 1; ; ) {
      if (bytes[index] === code.space) index++
      if (bytes[index] !== code.quote) return false
      index = this.field(index + 1)
      if (index < 0) return false
      const next = bytes[index++]
      if (next === code.comma) continue
      this.end = index
      return (
        next === code.close &&
        (index === bytes.length || bytes[index] === code.newline) &&
        identity.to > 0 &&
        action.to > 0 &&
        resource.to > 0
      )
    }
  }

  /** A span as a string, each byte a character. */
  textOf({ from, to }: Span): string {
    return this.bytes.toString('latin1', from, to)
  }

  /** Read a field, behind the quote of its name, and its value: the index after it, or -1. */
  private field(index: number): number {
    switch (this.bytes[index]) {
      case code.i:
        return this.bytes[index + 2] === code.quote ? this.number(index) : this.name(index, identityField, this.identity)
      case code.a:
        return this.name(index, actionField, this.action)
      case code.r:
        return this.name(index, resourceField, this.resource)
      case code.e:
        return this.verdict(index)
      default:
        return -1
    }
  }

  private number(from: number): number {
    const { bytes } = this
    if (this.id !== null || !startsWith(bytes, from, idField)) return -1
    const start = bytes[from + idField.length] === code.space ? from + idField.length + 1 : from + idField.length
    let index = start
    let id = 0
    for (let digit = (bytes[index] ?? 0) - code.zero; digit >= 0 && digit <= 9; digit = (bytes[++index] ?? 0) - code.zero)
      id = id * 10 + digit
    // As JSON writes numbers, and none that is not exact.
    if (index === start || index - start > 15 || (index - start > 1 && bytes[start] === code.zero)) return -1
    this.id = id
    return index
  }

  private name(from: number, field: Uint8Array, span: MutableSpan): number {
    const { bytes, view } = this
    if (span.to > 0 || !startsWith(bytes, from, field)) return -1
    let index = from + field.length
    if (bytes[index] === code.space) index++
    if (bytes[index] !== code.quote) return -1
    span.from = ++index
    let hash = 0
    const { length } = bytes
    for (; index + 4 <= length; index += 4) {
      const word = view.getInt32(index, true)
      if (hasQuote(word)) break
      hash = hashedWord(hash, word)
    }
    for (let byte = bytes[index]; byte !== code.quote; byte = bytes[++index]) {
      if (index >= length) return -1
      hash = hashed(hash, byte as number)
    }
    span.to = index
    span.hash = hash
    return index + 1
  }

  private verdict(from: number): number {
    const { bytes } = this
    if (this.expect !== undefined || !startsWith(bytes, from, expectField)) return -1
    let index = from + expectField.length
    if (bytes[index] === code.space) index++
    if (bytes[index++] !== code.quote) return -1
    for (const each of verdictBytes) {
      if (!startsWith(bytes, index, each.bytes)) continue
      this.expect = each.verdict
      return index + each.bytes.length
    }
    return -1
  }
}

/** Whether one of the four bytes of a word is a quote: subtracting 1 borrows from the top bit of a byte only where that is 0. */
function hasQuote(word: number): boolean {
  const others = word ^ 0x22222222
  return ((others - 0x01010101) & ~others & 0x80808080) !== 0
}

function startsWith(bytes: Uint8Array, from: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[from + i] !== expected[i]) return false
  return true
}

/**
 * The question of the line that was read last, in a context: its names become strings when they are asked for. They are properties of the
 * object itself, so that a copy of it has them.
 */
export function plainQuestion(lines: PlainLines, context: Context): Question {
  return {
    ...context,
    get identity() {
      return lines.textOf(lines.identity)
    },
    get action() {
      return lines.textOf(lines.action)
    },
    get resource() {
      return lines.textOf(lines.resource)
    },
  }
}
