import { readAction } from '../../actions/action.ts'
import { longestName, type Settings } from '../../names.ts'
import { keysIn, notJson, strictFault } from '../../parser/json-line.ts'
import type { World } from '../../policy.ts'
import { clauseJson, decisionJson, decisionLine } from '../../report/decision.ts'
import { json, shown } from '../../report/safe.ts'
import { ByteNames } from '../../simulate/byte-names.ts'
import type { Clause, Decision, Question, Verdict } from '../../simulate/decision.ts'
import { Tables } from '../../simulate/engine.ts'
import { type BatchQuestion, type Context, readBatchQuestion, withKnownTags } from '../../simulate/question.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import { readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Block, textOfLine, tooLong } from '../input/lines.ts'
import { PlainLines, plainQuestion } from '../input/plain-line.ts'
import { type Answered, afterId, Repeated } from './repeated.ts'

export interface Answers {
  /** An answer a line, in order. */
  readonly output: string
  /** The worst of them. */
  readonly code: ExitCode
}

export const batchFormats = ['ndjson', 'compact', 'verdict'] as const
export type BatchFormat = (typeof batchFormats)[number]

/** The parts of a question that its answer repeats. */
interface Asked {
  readonly id: unknown
  readonly expect?: string | undefined
}

/** How a format asks and writes. */
interface Judge<T> {
  /** The answer by the places of the names in the tables of the engine. */
  readonly decideAt: (question: Question, identity: number, resource: number, action: number) => T
  readonly decide: (question: Question) => T
  readonly verdictOf: (answer: T) => Verdict
  readonly write: (asked: Asked, answer: T, expected: boolean | undefined) => string
  /**
   * The start of an answer, up to the end of the id: the rest is the same for every id. Undefined where answering anew takes no longer
   * than to remember.
   */
  readonly writeId?: (id: number) => string
  readonly writeError: (line: number, error: string) => string
}

const jsonError = (line: number, error: string) => `${json({ id: null, line, error })}\n`

/** The decision of each question, with everything that it rests on. */
const decisions = (engine: Tables, writing: Pick<Judge<Decision>, 'write' | 'writeId'>): Judge<Decision> => ({
  decideAt: (question, identity, resource, action) => engine.decideAt(question, identity, resource, action),
  decide: (question) => engine.decide(question),
  verdictOf: ({ verdict }) => verdict,
  ...writing,
  writeError: jsonError,
})

/** The verdict of each question and nothing else, a word a line: it takes a part of the time. */
const verdicts = (engine: Tables): Judge<Verdict> => ({
  decideAt: (question, identity, resource, action) => engine.verdictAt(question, identity, resource, action),
  decide: (question) => engine.verdict(question),
  verdictOf: (verdict) => verdict,
  write: ({ expect }, verdict, expected) => (expected === false ? `${verdict} · expected ${expect}\n` : `${verdict}\n`),
  writeError: (line, error) => `error · line ${line}: ${shown(error)}\n`,
})

/** A function that answers blocks of questions over one world. `context` has the facts that the lines do not give. */
export function answerer(world: World, settings: Settings, context: Context, format: BatchFormat): (block: Block) => Answers {
  const engine = new Tables(world)
  const reader = new Reader(world, engine, settings, context)
  if (format === 'verdict') return blockAnswerer(verdicts(engine), reader)
  return blockAnswerer(decisions(engine, format === 'compact' ? compact : asJson), reader)
}

function blockAnswerer<T>(judge: Judge<T>, reader: Reader): (block: Block) => Answers {
  const repeated = new Repeated()
  const { writeId } = judge
  const { lines, known } = reader
  return ({ bytes, first }) => {
    let code: ExitCode = exit.success
    let output = ''
    let number = first
    const bad = (error: string) => {
      code = exit.error
      output += judge.writeError(number, error)
    }
    const answered = (asked: Asked, answer: T): Answered => {
      const expected = asked.expect === undefined ? undefined : asked.expect === judge.verdictOf(answer)
      return { text: judge.write(asked, answer, expected), isUnexpected: expected === false }
    }
    const add = ({ text, isUnexpected }: Answered) => {
      if (isUnexpected && code === exit.success) code = exit.failure
      output += text
    }
    if (bytes === undefined) {
      bad(tooLong)
      return { output, code }
    }
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    lines.open(buffer)
    // Each byte a character: equal where the bytes are.
    const text = writeId ? buffer.toString('latin1') : ''
    for (let from = 0, end = 0; from < buffer.length; from = end + 1, number++) {
      const after = writeId && repeated.isOn() ? afterId(text, from) : undefined
      if (writeId && after) {
        end = lineEnd(buffer, from)
        const repeatedAnswer = repeated.get(text.slice(after.rest, end))
        if (repeatedAnswer) {
          output += writeId(after.id)
          add(repeatedAnswer)
          continue
        }
      }
      let made: Answered | undefined
      if (reader.find(from)) {
        made = answered(lines, judge.decideAt(reader.question(), known.identity, known.resource, known.action))
        ;({ end } = lines)
      } else {
        end = lineEnd(buffer, from)
        const read = reader.read(buffer.subarray(from, end))
        if (typeof read === 'string') bad(read)
        if (typeof read !== 'object') continue
        made = answered(read, judge.decide(read.question))
      }
      add(made)
      if (writeId && after && repeated.hasRoom())
        repeated.keep(buffer.toString('latin1', after.rest, end), { ...made, text: made.text.slice(writeId(after.id).length) })
    }
    return { output, code }
  }
}

function lineEnd(buffer: Buffer, from: number): number {
  const end = buffer.indexOf(10, from)
  return end < 0 ? buffer.length : end
}

/** The kinds of names in a question, each with its grammar. */
const grammars = {
  identity: (name: string) => readIdentity(name, { pattern: false }),
  resource: (name: string) => readResource(name, { pattern: false }),
  action: (name: string, { brand }: Settings) => readAction(name, brand),
} as const
type NameKind = keyof typeof grammars

/** Reads the lines of a batch, and finds the names of plain ones in the tables of the engine. */
class Reader {
  readonly lines = new PlainLines()
  /** The places of the names of the line that was found last. */
  readonly known: Record<NameKind, number> = { identity: -1, resource: -1, action: -1 }
  private readonly names: Readonly<Record<NameKind, ByteNames>> = {
    identity: new ByteNames(),
    resource: new ByteNames(),
    action: new ByteNames(),
  }
  private epoch = 0
  private readonly plain: Question
  private readonly shortNames: ShortNames
  private readonly world: World
  private readonly engine: Tables
  private readonly settings: Settings
  private readonly context: Context

  constructor(world: World, engine: Tables, settings: Settings, context: Context) {
    this.shortNames = new ShortNames(world)
    this.plain = plainQuestion(this.lines, context)
    this.world = world
    this.engine = engine
    this.settings = settings
    this.context = context
  }

  /** Whether a line is a plain one with three whole names that are well-formed. */
  find(from: number): boolean {
    const { lines, known, names, engine } = this
    if (!lines.read(from) || engine.isFull()) return false
    if (this.epoch !== engine.epoch) this.forget()
    const { view, identity, resource, action } = lines
    known.identity = names.identity.get(view, identity)
    known.resource = names.resource.get(view, resource)
    known.action = names.action.get(view, action)
    if (known.identity >= 0 && known.resource >= 0 && known.action >= 0) return true
    return this.learn('identity') && this.learn('resource') && this.learn('action') && this.epoch === engine.epoch
  }

  /** The question of the line that was found. */
  question(): Question {
    return this.withTags(this.plain)
  }

  /** Read the bytes of a line: a question, what is wrong with one in words, or undefined for an empty line. */
  read(bytes: Buffer): BatchQuestion | string | undefined {
    const line = textOfLine(bytes)
    if (typeof line === 'object') return line.fault
    const read = readLine(line, this.context, this.settings, this.shortNames)
    return typeof read === 'object' ? { ...read, question: this.withTags(read.question) } : read
  }

  /** Find a name of the line that was read last by its grammar, and keep its place. False: the line has to be read as JSON. */
  private learn(kind: NameKind): boolean {
    const { lines, known, engine } = this
    if (known[kind] >= 0) return true
    const span = lines[kind]
    if (span.to - span.from > longestName) return false
    const name = lines.textOf(span)
    // Short names depend on the world, and escapes and other characters than ASCII on JSON.
    const isWhole = plainName.test(name) && (kind === 'action' || name.startsWith('urn:'))
    if (!isWhole || grammars[kind](name, this.settings).faults) return false
    known[kind] = engine.placeOf(kind, name)
    this.names[kind].set(lines.view, span, known[kind])
    return true
  }

  private forget(): void {
    for (const each of Object.values(this.names)) each.clear()
    this.epoch = this.engine.epoch
  }

  /** Tags that options give add to what the world says, as in a single question; those of a line are all that there are. */
  private withTags(question: Question): Question {
    const { tags } = this.context
    if (tags === undefined || question.tags !== tags) return question
    const { identity, action, resource } = question
    return withKnownTags({ ...question, identity, action, resource }, this.world)
  }
}

/** A name that is the same in JSON as its bytes: no escape, no control character, nothing but ASCII. */
const plainName = /^[\x20-\x5b\x5d-\x7e]+$/

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

const compact = { write: compactAnswer, writeId: String }
const asJson = { write: jsonAnswer, writeId: (id: number) => `{"id":${id}` }

function compactAnswer({ id, expect }: Asked, decision: Decision, expected: boolean | undefined): string {
  return `${json(id)} ${decisionLine(decision)}${expected === false ? ` · expected ${expect}` : ''}\n`
}

/** An entry with what it is as JSON, written when it first decides: as many are kept as the world has entries. */
type Written = Clause & { json?: string }

function clauseText(clause: Written): string {
  clause.json ??= json(clauseJson(clause))
  return clause.json
}

function jsonAnswer({ id }: Asked, decision: Decision, expected: boolean | undefined): string {
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
