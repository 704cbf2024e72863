import { Lexer } from 'yaml'
import { limits } from './limits.ts'

/**
 * The offset at which the tokens of the package pass a limit, or -1. Quick: short texts cannot hold so many, and the lexer only
 * counts, since handing each token out through all of its generators takes most of its time. Stops where brackets do not match,
 * as the full reader does afterwards.
 */
export function tooManyTokens(text: string, mostTokens: number = limits.yamlTokens): number {
  if (text.length * 2 < mostTokens) return -1
  const lexer = new Lexer() as unknown as Steps
  let tokens = 0
  let depth = 0
  /** The iterable that a step of the lexer delegates to: it yields nothing, and returns the length of the step. */
  const end = { done: true as const, value: 0 }
  const nothing = { [Symbol.iterator]: () => nothing, next: () => end }
  const passed = (length: number) => {
    end.value = length
    return nothing
  }
  const count = () => {
    if (++tokens > mostTokens) throw new End(lexer.pos)
  }
  lexer.pushCount = (length) => {
    if (length <= 0) return passed(0)
    count()
    const c = length === 1 ? text[lexer.pos] : undefined
    if (c === '[' || c === '{') depth++
    else if (c === ']' || c === '}') depth--
    if (depth < 0 || depth > limits.depth) throw new End(-1)
    lexer.pos += length
    return passed(length)
  }
  lexer.pushSpaces = (withTabs) => {
    let end = lexer.pos
    while (text[end] === ' ' || (withTabs && text[end] === '\t')) end++
    return lexer.pushCount(end - lexer.pos)
  }
  lexer.pushToIndex = (end, isEmptyToo) => {
    const length = Math.max(0, Math.min(end, text.length) - lexer.pos)
    if (length > 0 || isEmptyToo) count()
    lexer.pos += length
    return passed(length)
  }
  try {
    for (const mark of lexer.lex(text)) {
      count()
      if (mark === '\x18') depth = 0
    }
    return -1
  } catch (error) {
    if (error instanceof End) return error.at
    throw error
  }
}

/** The lexer's methods that yield tokens, and its position. It delegates to these, and uses only their lengths. */
interface Steps {
  pos: number
  lex(text: string): Iterable<string>
  pushCount(length: number): Iterable<string>
  pushSpaces(withTabs: boolean): Iterable<string>
  pushToIndex(end: number, isEmptyToo: boolean): Iterable<string>
}

/** Thrown through the lexer and caught here. `at`: the answer. */
class End extends Error {
  readonly at: number

  constructor(at: number) {
    super()
    this.at = at
  }
}
