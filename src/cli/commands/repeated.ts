/** The answer to a question, without its id. */
export interface Answered {
  readonly text: string
  /** Whether the question expects another verdict, which the text says, too. */
  readonly isUnexpected: boolean
}

/** How much is kept, in characters of lines and answers; what a map needs for each line counts as some characters, too. */
const mostKept = { characters: 1 << 26, ofLine: 64 }
/** After so many lines it is decided whether to look up the next ones. */
const window = 1 << 10
/** Looking a line up and keeping it takes an eighth of the time of answering it. */
const leastShare = 1 / 8
/**
 * After a window in which too few lines were known, some are passed over: one, then twice as many each time up to these. The lines
 * looked up between are a sample.
 */
const longestPause = 32

/**
 * The answers to lines of a batch by all of the line that follows the id: logs ask the same again and again. Lines are looked up as
 * long as that saves time.
 */
export class Repeated {
  private readonly answers = new Map<string, Answered>()
  /** Each distinct answer once. */
  private readonly texts = new Map<string, Answered>()
  private room: number
  private count = 0
  private found = 0
  private paused = 0
  private pause = 1

  constructor(characters: number = mostKept.characters) {
    this.room = characters
  }

  /** Whether the next line is to be looked up. */
  isOn(): boolean {
    if (++this.count === window) {
      if (this.paused > 0) this.paused--
      else if (this.found >= window * leastShare) this.pause = 1
      else {
        this.paused = this.pause
        this.pause = Math.min(2 * this.pause, longestPause)
      }
      this.count = 0
      this.found = 0
    }
    return this.paused === 0
  }

  get(line: string): Answered | undefined {
    const answer = this.answers.get(line)
    if (answer !== undefined) this.found++
    return answer
  }

  hasRoom(): boolean {
    return this.room > 0
  }

  /** Keep an answer. `line`: no part of a larger string, which would be kept with it. */
  keep(line: string, answer: Answered): void {
    let stored = this.texts.get(answer.text)
    if (stored === undefined) {
      stored = answer
      this.texts.set(stored.text, stored)
      this.room -= stored.text.length + mostKept.ofLine
    }
    this.answers.set(line, stored)
    this.room -= line.length + mostKept.ofLine
  }
}

/** A line that starts with its id, a whole number: the id, and where the rest starts. Undefined for any other. */
export function afterId(text: string, from: number): { readonly id: number; readonly rest: number } | undefined {
  if (!text.startsWith('{"id":', from)) return undefined
  let index = from + 6
  if (text.charCodeAt(index) === 32) index++
  const start = index
  let id = 0
  for (let digit = text.charCodeAt(index) - 48; digit >= 0 && digit <= 9; digit = text.charCodeAt(++index) - 48) id = id * 10 + digit
  // As JSON writes numbers, and none that is not exact.
  if (index === start || index - start > 15 || (index - start > 1 && text.charCodeAt(start) === 48)) return undefined
  return text.charCodeAt(index) === 44 ? { id, rest: index + 1 } : undefined
}
