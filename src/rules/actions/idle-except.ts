import { overlaps } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { coverers } from '../support/cover.ts'
import { judge } from '../support/entries.ts'
import { removalFromSet } from '../support/fixes.ts'
import { everySet } from '../support/sets.ts'
import { quote } from '../support/text.ts'

/** How many pairs of entries are compared in one set. */
const mostComparisons = 1_000_000

export const idleExcept: Rule = {
  code: 'idle-except',
  section: 'actions',
  severity: 'warning',
  fixes: ['safe'],
  summary: 'An `except` entry that removes nothing.',
  why:
    '`except` only subtracts from the `allow` list beside it. If no `allow` entry matches the same action, it has no effect; `deny` may ' +
    'be intended, which denies the action regardless of other policies.',
  needs: 'except',
  ...everySet(function* ({ permissions: { allow, except, deny }, written, whole }, context) {
    // `no-permissions` reports a set without any allow or deny.
    if (!whole || except.length === 0 || allow.length + deny.length === 0) return
    const allowed = allow.map((a) => a.value)
    const taken = except.map((e) => e.value)
    const within = coverers(taken, allowed)
    const around = new Set(coverers(allowed, taken))
    let comparisons = mostComparisons
    const idle: (typeof except)[number][] = []
    for (const [i, entry] of except.entries()) {
      if (within[i] !== undefined || around.has(i)) continue
      // Only lists of thousands of entries reach the limit; the rest is then not checked.
      const touched = allowed.findIndex((a) => overlaps(a, entry.value))
      comparisons -= touched < 0 ? allowed.length : touched
      if (comparisons < 0) break
      if (touched < 0) idle.push(entry)
    }
    for (const entry of idle) {
      // An unknown name may be a typo of an allowed one: removing it would be the wrong fix.
      const isSure = judge(entry, context) === undefined
      const places = idle.length === except.length ? idle.map(({ span }) => span) : [entry.span]
      yield {
        span: entry.span,
        message: `${quote(entry.value.text)} has no effect: no \`allow\` entry matches it`,
        help: 'use `deny` to deny it regardless of other policies, or remove the entry',
        ...removalFromSet(
          written,
          'except',
          places,
          isSure && (places.length === 1 || idle.every((each) => judge(each, context) === undefined)),
        ),
      }
    }
  }),
}
