import { readStandalone } from '../../src/hcl/alone.ts'
import { defaultSettings } from '../../src/names.ts'
import type { IgnoreComment } from '../../src/parser/comments.ts'
import { type Fence, fencesIn, outsideOfFences, readFence, textOfFence } from '../../src/parser/markdown.ts'
import { MarkdownBlocks } from '../../src/parser/markdown-blocks.ts'
import { sourceOf } from '../../src/source.ts'
import { factLines, placeText, problemLines } from './read-lines.ts'

/** The contents of a text of Markdown, in lines: its fences, the comments about them, what is read of each. */

function ignoreText({ codes, line, lastLine, reason, span }: IgnoreComment): string {
  const names = codes.map(({ value, span: at }) => `${value}@${placeText(at)}`)
  return [
    `ignore@${placeText(span)}`,
    ...names,
    `line ${line}${lastLine === undefined ? '' : ` to ${lastLine}`}`,
    JSON.stringify(reason),
  ].join(' ')
}

async function fenceLines(fence: Fence): Promise<readonly string[]> {
  const { opening, isClosed, notation, lines, ignore } = fence
  const { source } = opening
  const { text, at, endAt } = textOfFence(fence)
  const read = await readFence(fence, defaultSettings, (inner) => readStandalone(inner, defaultSettings))
  const { facts, diagnostics, ignores, open, holdsPolicies, resemblesPolicies } = read.read
  const what = [
    holdsPolicies && 'holds policies',
    resemblesPolicies && 'resembles policies',
    read.isSketch && 'a sketch',
    read.isFragment && 'a fragment',
    open && 'open',
    read.text !== text && 'another text',
  ].filter(Boolean)
  return [
    `${notation}@${placeText(opening)} ${isClosed ? 'closed' : 'open'}${'ignore' in fence ? ` with ${ignore && ignoreText(ignore)}` : ''}${what.length > 0 ? `: ${what.join(', ')}` : ''}`,
    `  to ${lines.at(-1)?.end ?? '-'}: ${lines.map(({ start, end }) => JSON.stringify(source.text.slice(start, end))).join(' ')}`,
    // The first unit and the last, where they are.
    ...(text === ''
      ? []
      : [
          `  from ${placeText({ source, start: at(0), end: endAt(1) })} to ${placeText({ source, start: at(text.length - 1), end: endAt(text.length) })}`,
        ]),
    ...[...factLines(facts), ...diagnostics.flatMap(problemLines), ...ignores.map(ignoreText)].map((line) => `  ${line}`),
  ]
}

/** The kind of each line for the reader of fences, where the text of it begins, and with how many signs a fence opens. */
function blocksOf(text: string): string {
  const blocks = new MarkdownBlocks(text)
  const found: string[] = []
  for (const { index, 0: line } of text.matchAll(/[^\n\r]*(?:\r\n|[\n\r]|$)/g)) {
    if (line === '') break
    const read = blocks.read(index, index + line.replace(/[\n\r]+$/, '').length)
    found.push(read.kind === 'close' ? read.kind : `${read.kind}@${read.at - index}${read.kind === 'open' ? `+${read.length}` : ''}`)
  }
  return found.join(' ')
}

export async function markdownLines(text: string): Promise<readonly string[]> {
  const source = sourceOf('r.md', text)
  const { fences, ignores } = fencesIn(source)
  const read = await Promise.all(fences.map(fenceLines))
  return [`lines ${blocksOf(text)}`, ...read.flat(), ...ignores.map(ignoreText), `outside ${JSON.stringify(outsideOfFences(source))}`]
}
