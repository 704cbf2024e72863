/**
 * The limit of work for the analysis of one run, in steps: comparisons, statements and names, each about as slow as the others.
 * Steps and not time, so that every machine gives the same answer; it takes a slow machine some seconds. A run makes one budget
 * and hands it down: later analyses have the rest. When it is used up, an answer is undecided.
 */
export class Budget {
  /** Below nought once it is used up. */
  left: number
  /** How many steps it began with. */
  readonly of: number

  constructor(steps: number = usualSteps) {
    this.of = steps
    this.left = steps
  }

  get isSpent(): boolean {
    return this.left < 0
  }

  /** Count steps. Throws `Undecided`, naming what they were spent on, where there were not as many left. */
  spend(steps: number, culprits: () => readonly string[]): void {
    this.left -= steps
    if (this.left < 0) throw new Undecided(culprits())
  }

  /** Count what is of use and can be done without: false, and nothing counted, where it takes more than half of what is left. */
  affords(steps: number): boolean {
    if (steps > this.left / 2) return false
    this.left -= steps
    return true
  }

  /** An allowance for one search: at most so many steps, and no more than the run has left. */
  share(most: number): Allowance {
    return { left: most, run: this }
  }
}

/** The steps of one run. */
export const usualSteps = 20_000_000

/** How many steps searches may still take together, and the budget of the run that they belong to. */
export interface Allowance {
  left: number
  readonly run?: Budget
}

/** Count one step of a search that looks at `work` things, of which the run has to pay for each: false where it is one too many. */
export function take(allowance: Allowance, work: number): boolean {
  return spend(allowance, 1, work)
}

/** Count some steps, and what the run has to pay for them: false where they are too many. */
export function spend(allowance: Allowance, steps: number, work: number = steps): boolean {
  allowance.left -= steps
  if (allowance.run) allowance.run.left -= work
  return !isExceeded(allowance)
}

/** Whether a search took more than it may. */
export function isExceeded({ left, run }: Allowance): boolean {
  return left < 0 || run?.isSpent === true
}

/** The analysis gave up, inside its budget: a stack of inner wildcards, or too many facts. Names the patterns at fault. */
export class Undecided extends Error {
  readonly culprits: readonly string[]

  constructor(culprits: readonly string[]) {
    super(`too many combinations: ${culprits.join(', ')}`)
    this.culprits = culprits
  }
}

/** The results for items searched in order, and the items that were not reached before the budget was used up. */
export interface Searched<T, U> {
  readonly found: readonly U[]
  readonly left: readonly T[]
  /** The names that the item at the end of the budget is about. */
  readonly culprits: readonly string[]
}

/**
 * The result of `find` for each item while the budget lasts; the item at which it ends has none. `culprits` names what an item is
 * about. `kept`: steps that are reserved for later work.
 */
export function withinBudget<T, U>(
  items: readonly T[],
  run: Budget,
  find: (item: T) => U,
  culprits: (item: T) => readonly string[],
  reserve = 0,
): Searched<T, U> {
  const results: U[] = []
  for (const [i, item] of items.entries()) {
    const stopped = (names: readonly string[]) => ({ found: results, left: items.slice(i), culprits: [...new Set(names)].slice(0, 8) })
    if (run.left < reserve) return stopped(culprits(items[Math.max(0, i - 1)] as T))
    try {
      results.push(find(item))
    } catch (error) {
      if (error instanceof Undecided) return stopped(error.culprits)
      throw error
    }
  }
  return { found: results, left: [], culprits: [] }
}

/** Notes on an incomplete search; none where everything was searched. */
export function notSearched({ found, left, culprits }: Searched<unknown, unknown>, things: string): readonly string[] {
  if (left.length === 0) return []
  const culpritWords = culprits.length === 0 ? '' : `; it ended at ${culprits.map((name) => `\`${name}\``).join(', ')}`
  const count = `${left.length} of ${found.length + left.length} ${things}`
  return [
    `there is too much to look at in one run: ${count} not looked at${culpritWords}; names in the place of patterns, or fewer policies, take less`,
  ]
}

/** The result of `find`, or of `otherwise` where the analysis gives up. */
export function unlessUndecided<T, U>(find: () => T, otherwise: (culprits: readonly string[]) => U): T | U {
  try {
    return find()
  } catch (error) {
    if (error instanceof Undecided) return otherwise(error.culprits)
    throw error
  }
}
