import { firstInvalidByte } from './read-file.ts'

/** The longest line that is read of a batch or of a record, in bytes. */
export const longestLine = 1 << 20

export const tooLong = `longer than ${longestLine} bytes: the line is not read`

/** Whole lines, or a line that was too long to be kept. */
export interface Block {
  /** Every line with its end, but perhaps the last; undefined: one line, too long. */
  readonly bytes: Uint8Array | undefined
  /** The number of its first line, from 1. */
  readonly first: number
}

/** Whole lines of a stream of bytes, as they come. Holds one line and one chunk at most. */
export async function* blocksOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Block, undefined> {
  let rest: Uint8Array[] = []
  let length = 0
  let isTooLong = false
  let first = 1
  for await (const chunk of chunks) {
    let from = 0
    const end = chunk.lastIndexOf(10) + 1
    if (isTooLong) {
      from = chunk.indexOf(10) + 1
      if (from === 0) continue
      yield { bytes: undefined, first: first++ }
      isTooLong = false
    }
    if (end > from) {
      const bytes = Buffer.concat([...rest, chunk.subarray(from, end)])
      yield { bytes, first }
      first += linesIn(bytes)
      rest = []
      length = 0
      from = end
    }
    if (from === chunk.length) continue
    length += chunk.length - from
    if (length > longestLine) {
      isTooLong = true
      rest = []
      length = 0
    } else rest.push(Buffer.from(chunk.subarray(from)))
  }
  if (isTooLong) yield { bytes: undefined, first }
  else if (length > 0) yield { bytes: Buffer.concat(rest), first }
}

function linesIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}

/** The lines of a block, or why one cannot be read. */
export function linesOf(bytes: Uint8Array): readonly (string | { readonly fault: string })[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const lines: (string | { readonly fault: string })[] = []
  for (let from = 0; from < buffer.length; ) {
    const end = buffer.indexOf(10, from)
    lines.push(textOfLine(buffer.subarray(from, end < 0 ? buffer.length : end)))
    from = end < 0 ? buffer.length : end + 1
  }
  return lines
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of a line, or why it cannot be read. */
export function textOfLine(line: Buffer): string | { readonly fault: string } {
  if (line.length > longestLine) return { fault: tooLong }
  try {
    return decoder.decode(line)
  } catch {
    const column = line.subarray(0, firstInvalidByte(line)).toString('utf8').length + 1
    return { fault: `not UTF-8: column ${column}: save it as UTF-8` }
  }
}
