import type { Diagnostic } from '../../src/diagnostic.ts'
import { visible } from '../../src/names.ts'
import type { Span } from '../../src/source.ts'

/** The result of a reader for a text. */
export interface Outcome {
  /** The facts that were understood: whatever two readings of the same text must agree on. */
  readonly value: unknown
  readonly diagnostics: readonly Diagnostic[]
}

/** A reader, and what it is tried with. */
export interface Target {
  readonly name: string
  /** The files of this repository that its texts begin with, by their paths. */
  readonly files: RegExp
  /** More texts to begin with, of which there are no files. */
  readonly texts?: readonly string[]
  /** Words and signs of its notation. */
  readonly words: readonly string[]
  /** The modules whose literals are words of it. */
  readonly modules: RegExp
  /** Never throws, whatever the text. */
  readonly read: (text: string) => Outcome | Promise<Outcome>
  /** Where a reference reader that accepts the text as well reads something else: what each reads. */
  readonly disagreement?: (text: string, outcome: Outcome) => string | undefined
}

/** A fault of a reading. `kind` distinguishes faults: those of one kind in one reader are taken for the same. */
export interface Fault {
  readonly kind: string
  readonly message: string
}

/** Reads a text and holds the reading to everything that holds for each. Without `thorough`, but for what takes another reading. */
export async function faultOf(target: Target, text: string, thorough = true): Promise<Fault | undefined> {
  try {
    const outcome = await target.read(text)
    const fault = faultIn(outcome) ?? pollution()
    if (fault || !thorough) return fault
    const [first, second] = [outcomeText(outcome), outcomeText(await target.read(text))]
    if (first !== second) return { kind: 'two answers', message: difference(first, second) }
    const said = target.disagreement?.(text, outcome)
    return said === undefined ? undefined : { kind: 'disagreement', message: said }
  } catch (error) {
    const { name, message, stack = '' } = error as Error
    const place = /\((?:[^()]*\/)?([\w.-]+:\d+)/.exec(stack)?.[1] ?? ''
    return { kind: `throws ${name} at ${place}`, message: `${message}\n${stack.split('\n').slice(1, 6).join('\n')}` }
  }
}

function faultIn({ diagnostics }: Outcome): Fault | undefined {
  for (const { message, help = '', span, related = [], fix } of diagnostics) {
    const spans = [span, ...related.map((each) => each.span), ...(fix?.edits.map((each) => each.span) ?? [])]
    for (const each of spans) {
      const wrong = faultOfSpan(each)
      if (wrong !== undefined) return { kind: `a place that is ${wrong}`, message: `${each.start}–${each.end}: ${message}` }
    }
    const said = `${message} ${help}${related.map((each) => each.message).join('')}`
    // No line break, control or invisible character of a text gets into what is said of it.
    if (visible(said) !== said) return { kind: 'a message with a hidden character', message: JSON.stringify(said) }
  }
  return undefined
}

function faultOfSpan({ source: { text }, start, end }: Span): string | undefined {
  if (!(Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= text.length)) return 'outside of the text'
  return isWithinPair(text, start) || isWithinPair(text, end) ? 'within a code point' : undefined
}

function isWithinPair(text: string, at: number): boolean {
  return at > 0 && /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '')
}

const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Map.prototype]
const own = prototypes.map((each) => Reflect.ownKeys(each).length)

function pollution(): Fault | undefined {
  const wrong = prototypes.findIndex((each, i) => Reflect.ownKeys(each).length !== own[i])
  return wrong < 0 ? undefined : { kind: 'a changed prototype', message: `of ${prototypes[wrong]?.constructor.name}` }
}

/** A reading as a text: the same for the same. */
function outcomeText(outcome: Outcome): string {
  return JSON.stringify([outcome.value, outcome.diagnostics], (key, value) => {
    if (key === 'source') return undefined
    if (value instanceof Map) return [...value]
    if (value instanceof Set) return [...value]
    return typeof value === 'function' ? undefined : typeof value === 'bigint' ? `${value}n` : value
  })
}

export function difference(first: string, second: string): string {
  let at = 0
  while (at < first.length && first[at] === second[at]) at++
  const from = Math.max(0, at - 60)
  return `${first.slice(from, at + 100)}\n${second.slice(from, at + 100)}`
}
