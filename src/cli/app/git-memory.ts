/**
 * Answers of git, for a run during which nothing in the repository changes: each question starts a program, which takes longer than
 * most answers. Refusals are not remembered.
 */
export class GitMemory {
  private readonly answers = new Map<string, unknown>()

  /** The answer to a question, from before or from `ask`. `question`: its kind, such as `tree`; `about`: what else it depends on. */
  once<T>(question: string, about: readonly string[], ask: () => T): T {
    const key = JSON.stringify([question, ...about])
    if (!this.answers.has(key)) this.answers.set(key, ask())
    return this.answers.get(key) as T
  }
}
