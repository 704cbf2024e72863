import { readJson } from '../parser/json.ts'
import { decisionJson, decisionLine } from '../report/decision.ts'
import { json } from '../report/safe.ts'
import { decide } from '../simulate/decide.ts'
import { readBatchQuestion } from '../simulate/question.ts'
import { field, type Node } from '../tree.ts'
import { type ExitCode, exit } from './exit.ts'
import { firstWrongByte, openBytes } from './files.ts'
import type { Io } from './io.ts'
import { choice, type Options } from './options.ts'
import type { ReadContext } from './question.ts'
import { Refusal } from './refusal.ts'
import { loadWorld } from './world.ts'

/** The longest line of a batch that is read, in bytes. */
const longestLine = 1 << 20
/** Answers are written together once they come to this many characters. */
const outputBlock = 1 << 16

/**
 * `can --batch FILE|-`: a question a line in, an answer a line out, in the same order (spec: command line). Memory does
 * not grow with the number of questions. What the lines do not give comes from the context flags.
 */
export async function runBatch(file: string, { context, problems }: ReadContext, options: Options, io: Io): Promise<ExitCode> {
  const format = choice('--format', options.text('format') ?? 'ndjson', ['ndjson', 'json', 'compact'])
  if (file === '-' && options.list('policies').includes('-'))
    throw new Refusal('standard input cannot hold both the questions and the policies')
  const input = openBytes(file, io)
  const loaded = await loadWorld(options, io, () => problems)
  if (!loaded) return exit.noAnswer
  const { world, settings } = loaded

  let code: ExitCode = exit.good
  let number = 0
  let output = ''
  const bad = (error: string) => {
    code = exit.noAnswer
    output += `${json({ id: null, line: number, error })}\n`
  }
  const answer = (line: Line) => {
    number++
    if (typeof line !== 'string') return bad(line.fault)
    if (line.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return bad(notJson(line))
    }
    const loss = lossIn(line, value)
    if (loss !== undefined) return bad(loss)
    const read = readBatchQuestion(value, context, settings)
    if (typeof read === 'string') return bad(read)
    const decision = decide(world, read.question)
    const expected = read.expect === undefined ? undefined : read.expect === decision.verdict
    if (expected === false && code === exit.good) code = exit.bad
    output +=
      format === 'compact'
        ? `${json(read.id)} ${decisionLine(decision)}${expected === false ? ` · expected ${read.expect}` : ''}\n`
        : `${json({ id: read.id, ...decisionJson(decision), ...(expected !== undefined && { expected }) })}\n`
  }

  for await (const lines of linesOf(input)) {
    for (const line of lines) {
      answer(line)
      if (output.length < outputBlock) continue
      if (!io.stdout.write(output)) return exit.noAnswer
      output = ''
    }
    // Whoever asks may wait for this answer before the next question. Without a reader not every question is answered.
    if (output !== '' && !io.stdout.write(output)) return exit.noAnswer
    output = ''
  }
  return code
}

/**
 * What is lost when a line of JSON is parsed: a key given twice, of which the last would win, or a number in the id that
 * comes out as another. The strict reader is asked only where a count or the id's kind makes it possible.
 */
function lossIn(line: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id, tags } = value as Readonly<Record<string, unknown>>
  const isPlainId = typeof id === 'number' ? Number.isSafeInteger(id) : typeof id !== 'object' || id === null
  const keys = Object.keys(value).length + (typeof tags === 'object' && tags !== null ? Object.keys(tags).length : 0)
  if (isPlainId && keysIn(line) === keys) return undefined
  const { documents, diagnostics } = readJson({ path: '', text: line })
  const wrong = diagnostics.find(({ severity }) => severity === 'error')
  if (wrong) return wrong.message
  const root = documents[0]
  const node = root?.kind === 'map' ? field(root, 'id') : undefined
  return node && isAltered(node, line) ? '`id` holds a number that would not come back as it is: write it as a text' : undefined
}

/** How many keys stand in a line of JSON at most: quotes with a colon after them. A text may look so too. */
function keysIn(line: string): number {
  let count = 0
  for (let at = line.indexOf(':'); at >= 0; at = line.indexOf(':', at + 1)) {
    let before = at - 1
    while (line.charCodeAt(before) <= 32) before--
    if (line.charCodeAt(before) === 34) count++
  }
  return count
}

/** Whether a number in a value is another one once it is parsed and written again. */
function isAltered(node: Node, text: string): boolean {
  const open: Node[] = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.kind === 'list') for (const item of next.items) open.push(item)
    else if (next.kind === 'map') for (const { value } of next.entries) open.push(value)
    else if (next.kind === 'number' && !Number.isSafeInteger(next.value) && String(next.value) !== text.slice(next.start, next.end))
      return true
  }
  return false
}

/** What is wrong with a line that is no JSON, and where, by the strict reader. */
function notJson(line: string): string {
  const { diagnostics } = readJson({ path: '', text: line })
  const first = diagnostics.find(({ severity }) => severity === 'error')
  return first ? `not JSON: column ${first.span.start + 1}: ${first.message}` : 'not JSON'
}

/** A line of the input, or why there is none. */
type Line = string | { readonly fault: string }

const tooLong: Line = { fault: `longer than ${longestLine} bytes: the line is not read` }

/**
 * The lines of a stream of bytes, those that end in a chunk together. Holds one line and one chunk at most.
 */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncIterable<readonly Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest: Buffer = Buffer.alloc(0)
  let isTooLong = false
  const decode = (bytes: Buffer): Line => {
    if (bytes.length > longestLine) return tooLong
    try {
      return decoder.decode(bytes)
    } catch {
      const column = bytes.subarray(0, firstWrongByte(bytes)).toString('utf8').length + 1
      return { fault: `not UTF-8: column ${column}: save the questions as UTF-8` }
    }
  }
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    const lines: Line[] = []
    let from = 0
    for (let end = bytes.indexOf(10, from); end >= 0; end = bytes.indexOf(10, from)) {
      lines.push(isTooLong ? tooLong : decode(bytes.subarray(from, end)))
      isTooLong = false
      from = end + 1
    }
    yield lines
    rest = bytes.subarray(from)
    if (rest.length > longestLine) {
      isTooLong = true
      rest = Buffer.alloc(0)
    }
  }
  if (rest.length > 0 || isTooLong) yield [isTooLong ? tooLong : decode(rest)]
}
