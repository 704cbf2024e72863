/**
 * What git has answered, for a run that looks at a repository while nothing in it changes: each question starts a program, which takes
 * longer than most answers do. What git refuses is asked for again.
 */
export class GitMemory {
  private readonly answers = new Map<string, unknown>()

  /** The answer to a question, as it was given before or is now. `question`: of one kind, such as `tree`; `about`: what tells one from another. */
  once<T>(question: string, about: readonly string[], ask: () => T): T {
    const key = JSON.stringify([question, ...about])
    if (!this.answers.has(key)) this.answers.set(key, ask())
    return this.answers.get(key) as T
  }
}
