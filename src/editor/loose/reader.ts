import type { Source } from '../../source.ts'

/** A reader of a text from its start to its end, with the current position. */
export abstract class Reader {
  protected readonly source: Source
  protected readonly text: string
  /** The current position. */
  at: number

  constructor(source: Source, at = 0) {
    this.source = source
    this.text = source.text
    this.at = at
  }

  /** Pass over what means nothing: blanks, and comments where there are any. */
  protected abstract skip(): void

  /**
   * Reads items between brackets and commas, from the opening bracket on; returns whether it is closed. `enders`: brackets that
   * show that it is not. `item` reads the one that begins at a unit, and says whether it is still within the brackets.
   */
  protected inBrackets(closer: string, enders: string, item: (unit: string) => boolean): boolean {
    const { text } = this
    this.at++
    for (this.skip(); this.at < text.length; this.skip()) {
      const c = text[this.at] as string
      if (c === closer) {
        this.at++
        return true
      }
      if (c === ',') this.at++
      else if (enders.includes(c) || !item(c)) return false
    }
    return false
  }
}
