import { isAscii } from 'node:buffer'
import type { Settings } from '../../names.ts'
import { keysIn, notJson, strictFault } from '../../parser/json-line.ts'
import type { World } from '../../policy.ts'
import { clauseJson, decisionJson, decisionLine } from '../../report/decision.ts'
import { json, shown } from '../../report/safe.ts'
import type { Clause, Decision, Question, Verdict } from '../../simulate/decision.ts'
import { compile, type Engine } from '../../simulate/engine.ts'
import { type BatchQuestion, type Context, readBatchQuestion, withKnownTags } from '../../simulate/question.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Block, linesOf, longestLine, tooLong } from '../input/lines.ts'
import { type Answered, afterId, Repeated } from './repeated.ts'

export interface Answers {
  /** An answer a line, in order. */
  readonly output: string
  /** The worst of them. */
  readonly code: ExitCode
}

export const batchFormats = ['ndjson', 'compact', 'verdict'] as const
export type BatchFormat = (typeof batchFormats)[number]

/** How a format asks and writes. `known`: the answer where all names were asked about before. */
interface Judge<T> {
  readonly known: (question: Question) => T | undefined
  readonly decide: (question: Question) => T
  readonly verdictOf: (answer: T) => Verdict
  readonly write: (question: BatchQuestion, answer: T, expected: boolean | undefined) => string
  /**
   * The start of an answer, up to the end of the id: the rest is the same for every id. Undefined where answering anew takes no longer
   * than to remember.
   */
  readonly writeId?: (id: number) => string
  readonly writeError: (line: number, error: string) => string
}

const jsonError = (line: number, error: string) => `${json({ id: null, line, error })}\n`

/** The decision of each question, with everything that it rests on. */
const decisions = (engine: Engine, writing: Pick<Judge<Decision>, 'write' | 'writeId'>): Judge<Decision> => ({
  known: (question) => engine.decideKnown(question),
  decide: (question) => engine.decide(question),
  verdictOf: ({ verdict }) => verdict,
  ...writing,
  writeError: jsonError,
})

/** The verdict of each question and nothing else, a word a line: it takes a part of the time. */
const verdicts = (engine: Engine): Judge<Verdict> => ({
  known: (question) => engine.verdictKnown(question),
  decide: (question) => engine.verdict(question),
  verdictOf: (verdict) => verdict,
  write: ({ expect }, verdict, expected) => (expected === false ? `${verdict} · expected ${expect}\n` : `${verdict}\n`),
  writeError: (line, error) => `error · line ${line}: ${shown(error)}\n`,
})

/** A function that answers blocks of questions over one world. `context` has the facts that the lines do not give. */
export function answerer(world: World, settings: Settings, context: Context, format: BatchFormat): (block: Block) => Answers {
  const engine = compile(world)
  if (format === 'verdict') return blockAnswerer(verdicts(engine), world, settings, context)
  return blockAnswerer(decisions(engine, format === 'compact' ? compact : asJson), world, settings, context)
}

function blockAnswerer<T>(judge: Judge<T>, world: World, settings: Settings, context: Context): (block: Block) => Answers {
  const names = new ShortNames(world)
  // Tags that options give add to what the world says, as in a single question; those of a line are all that there are.
  const asGiven = (question: Question) =>
    context.tags !== undefined && question.tags === context.tags ? withKnownTags(question, world) : question
  const ask = asker(context)
  const repeated = new Repeated()
  const { writeId } = judge
  return ({ bytes, first }) => {
    let code: ExitCode = exit.success
    let output = ''
    let number = first
    const bad = (error: string) => {
      code = exit.error
      output += judge.writeError(number, error)
    }
    const answered = (question: BatchQuestion, answer: T): Answered => {
      const expected = question.expect === undefined ? undefined : question.expect === judge.verdictOf(answer)
      return { text: judge.write(question, answer, expected), isUnexpected: expected === false }
    }
    const add = ({ text, isUnexpected }: Answered) => {
      if (isUnexpected && code === exit.success) code = exit.failure
      output += text
    }
    const answer = (line: string): Answered | undefined => {
      const read = readLine(line, context, settings, names)
      if (typeof read === 'string') bad(read)
      return typeof read === 'object' ? answered(read, judge.decide(asGiven(read.question))) : undefined
    }
    const text = bytes && plainText(bytes)
    if (bytes === undefined) bad(tooLong)
    else if (text === undefined) {
      for (const line of linesOf(bytes)) {
        if (typeof line === 'string') {
          const made = answer(line)
          if (made) add(made)
        } else bad(line.fault)
        number++
      }
    } else {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      for (let from = 0, end = 0; from < text.length; from = end + 1, number++) {
        end = text.indexOf('\n', from)
        if (end < 0) end = text.length
        if (end - from > longestLine) {
          bad(tooLong)
          continue
        }
        const after = writeId && repeated.isOn() ? afterId(text, from) : undefined
        const repeatedAnswer = after && repeated.get(text.slice(after.rest, end))
        if (writeId && after && repeatedAnswer) {
          output += writeId(after.id)
          add(repeatedAnswer)
          continue
        }
        const plain = plainQuestion(text, from, end, ask)
        // Names that were decided about before are well-formed.
        const decided = plain && judge.known(asGiven(plain.question))
        const made = decided ? answered(plain, decided) : answer(text.slice(from, end))
        if (!made) continue
        add(made)
        if (writeId && after && repeated.hasRoom())
          repeated.keep(buffer.toString('latin1', after.rest, end), { ...made, text: made.text.slice(writeId(after.id).length) })
      }
    }
    return { output, code }
  }
}

/** A block as a string, if it is ASCII without escapes, so that each byte is one character. */
function plainText(bytes: Uint8Array): string | undefined {
  if (!isAscii(bytes)) return undefined
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return text.includes('\\') ? undefined : text
}

/** Read a line: a question, what is wrong with one in words, or undefined for an empty line. */
function readLine(line: string, context: Context, settings: Settings, names: ShortNames): BatchQuestion | string | undefined {
  if (line.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return notJson(line)
  }
  return lossIn(line, value) ?? readBatchQuestion(value, context, settings, names)
}

type Ask = (identity: string, action: string, resource: string) => Question

/** Questions in a context. Where it says little, as mostly, they are written out: that takes a tenth of the time of copying it. */
function asker(context: Context): Ask {
  const { at, groups, ip, tags, owner } = context
  return ip === undefined && tags === undefined && owner === undefined
    ? (identity, action, resource) => ({ identity, action, resource, at, groups })
    : (identity, action, resource) => ({ ...context, identity, action, resource })
}

/** The fields of a plain line by the character they start with; `id` and `identity` differ in length. */
const fieldStarts: ReadonlyMap<number, 'identity":' | 'action":' | 'resource":' | 'expect":'> = new Map([
  [105, 'identity":'],
  [97, 'action":'],
  [114, 'resource":'],
  [101, 'expect":'],
])

/**
 * A line of a text without escapes as programs write it: an object of the plain fields, each once, a whole number as id.
 * Undefined for any other, which a reader of all JSON is for. It takes a part of the time of that.
 */
function plainQuestion(text: string, from: number, to: number, ask: Ask): BatchQuestion | undefined {
  if (text.charCodeAt(from) !== 123) return undefined
  let id: number | undefined
  let identity: string | undefined
  let action: string | undefined
  let resource: string | undefined
  let expect: string | undefined
  let index = from + 1
  for (;;) {
    if (text.charCodeAt(index) === 32) index++
    if (text.charCodeAt(index) !== 34) return undefined
    const first = text.charCodeAt(++index)
    if (first === 105 && text.startsWith('id":', index)) {
      index += 4
      if (text.charCodeAt(index) === 32) index++
      const start = index
      let number = 0
      for (let digit = text.charCodeAt(index) - 48; digit >= 0 && digit <= 9; digit = text.charCodeAt(++index) - 48)
        number = number * 10 + digit
      // As JSON writes numbers, and none that is not exact.
      if (id !== undefined || index === start || index - start > 15 || (index - start > 1 && text.charCodeAt(start) === 48))
        return undefined
      id = number
    } else {
      const field = fieldStarts.get(first)
      if (field === undefined || !text.startsWith(field, index)) return undefined
      index += field.length
      if (text.charCodeAt(index) === 32) index++
      const end = text.charCodeAt(index) === 34 ? text.indexOf('"', index + 1) : -1
      if (end < 0 || end >= to) return undefined
      const value = text.slice(index + 1, end)
      index = end + 1
      if (first === 105 && identity === undefined) identity = value
      else if (first === 97 && action === undefined) action = value
      else if (first === 114 && resource === undefined) resource = value
      else if (first === 101 && expect === undefined && (value === 'allow' || value === 'deny' || value === 'unknown')) expect = value
      else return undefined
    }
    const next = text.charCodeAt(index++)
    if (next === 44) continue
    if (next !== 125 || index !== to) return undefined
    if (identity === undefined || action === undefined || resource === undefined) return undefined
    const question = ask(identity, action, resource)
    return expect === undefined ? { id: id ?? null, question } : { id: id ?? null, question, expect }
  }
}

const compact = { write: compactAnswer, writeId: String }
const asJson = { write: jsonAnswer, writeId: (id: number) => `{"id":${id}` }

function compactAnswer({ id, expect }: BatchQuestion, decision: Decision, expected: boolean | undefined): string {
  return `${json(id)} ${decisionLine(decision)}${expected === false ? ` · expected ${expect}` : ''}\n`
}

/** An entry with what it is as JSON, written when it first decides: as many are kept as the world has entries. */
type Written = Clause & { json?: string }

function clauseText(clause: Written): string {
  clause.json ??= json(clauseJson(clause))
  return clause.json
}

function jsonAnswer({ id }: BatchQuestion, decision: Decision, expected: boolean | undefined): string {
  const { verdict, reason, caveats } = decision
  const tail = expected === undefined ? '}\n' : `,"expected":${expected}}\n`
  if (decision.missing.length > 0) return `${json({ id, ...decisionJson(decision) }).slice(0, -1)}${tail}`
  let entries = ''
  for (const clause of decision.clauses) entries += entries === '' ? clauseText(clause) : `,${clauseText(clause)}`
  const names = caveats.length === 0 ? '' : `"${caveats.join('","')}"`
  return `{"id":${typeof id === 'number' ? id : json(id)},"verdict":"${verdict}","reason":"${reason}","clauses":[${entries}],"missing":[],"caveats":[${names}]${tail}`
}

/**
 * The loss when a line of JSON is parsed: a key given twice, of which the last would win, or a number in the id that changes its
 * value. The strict reader is only used where the number of keys or the type of the id makes it possible.
 */
function lossIn(line: string, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id, tags } = value as Readonly<Record<string, unknown>>
  const isPlainId = typeof id === 'number' ? Number.isSafeInteger(id) : typeof id !== 'object' || id === null
  const keys = Object.keys(value).length + (typeof tags === 'object' && tags !== null ? Object.keys(tags).length : 0)
  if (isPlainId && keysIn(line) === keys) return undefined
  return strictFault(line)
}
