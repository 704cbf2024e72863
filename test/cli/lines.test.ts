import { expect, test } from 'vitest'
import { blocksOf, linesOf, longestLine, tooLong } from '../../src/cli/input/lines.ts'

/** The lines of a stream in chunks, each with its number. */
async function numbered(...chunks: readonly string[]): Promise<readonly string[]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1')
  }
  const out: string[] = []
  for await (const { bytes, first } of blocksOf(stream())) {
    const lines = bytes === undefined ? [{ fault: tooLong }] : linesOf(bytes)
    for (const [i, line] of lines.entries()) out.push(`${first + i}: ${typeof line === 'string' ? line.slice(0, 9) : line.fault}`)
  }
  return out
}

const long = 'x'.repeat(longestLine + 1)

test('lines have their numbers, however they come', async () => {
  for (const chunks of [['a\nb\n\nc'], ['a\n', 'b\n\n', 'c'], [...'a\nb\n\nc']])
    expect(await numbered(...chunks)).toEqual(['1: a', '2: b', '3: ', '4: c'])
  expect(await numbered('a\n')).toEqual(['1: a'])
})

test('a line that is too long is one of the lines, and hides none of the others', async () => {
  const expected = ['1: a', `2: ${tooLong}`, '3: b', '4: c']
  for (const chunks of [
    ['a\n', `${long}\nb\nc\n`],
    ['a\n', long, '\nb\nc\n'],
    ['a\n', long, long, 'x\nb\n', 'c'],
    ['a\n', long, 'x\n', 'b\nc'],
  ])
    expect(await numbered(...chunks)).toEqual(expected)
  expect(await numbered('a\n', long)).toEqual(['1: a', `2: ${tooLong}`])
})

test('a line that is not UTF-8 is named with the column', async () => {
  expect(await numbered('a\n\xc3\xa9\xff\nb\n')).toEqual(['1: a', '2: not UTF-8: column 2: save it as UTF-8', '3: b'])
})
