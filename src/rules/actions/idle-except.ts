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
  summary: 'An `except` entry that takes nothing away.',
  why:
    '`except` only subtracts from the `allow` list beside it. When no `allow` entry can match the same action the entry has no effect, and its ' +
    'author probably meant `deny`, which forbids an action whatever other policies say.',
  examples: {
    bad: [
      `
permissions:
  allow:  [{ action: "vps:apisvc:ips/get" }]
  except: [{ action: "dnsZone:apisvc:record/delete" }]
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ idle-except`,
      `
permissions:
  except: [{ action: "vps:apisvc:reinstall" }]
#                    ^^^^^^^^^^^^^^^^^^^^^^ idle-except
  deny:   [{ action: "vps:apisvc:terminate" }]`,
    ],
    good: [
      `
permissions:
  allow:  [{ action: "vps:apisvc:*" }]
  except: [{ action: "vps:apisvc:reinstall" }]`,
    ],
  },
  check: everySet(function* ({ permissions: { allow, except, deny }, written, whole }, context) {
    // Without any allow or deny the whole policy is idle, and `no-permissions` says so.
    if (!whole || except.length === 0 || allow.length + deny.length === 0) return
    const allowed = allow.map((a) => a.value)
    const taken = except.map((e) => e.value)
    const within = coverers(taken, allowed)
    const around = new Set(coverers(allowed, taken))
    let comparisons = mostComparisons
    const idle: (typeof except)[number][] = []
    for (const [i, entry] of except.entries()) {
      if (within[i] !== undefined || around.has(i)) continue
      // Each pair costs, and only lists of thousands of entries come near the limit: then the rest is not judged.
      const touched = allowed.findIndex((a) => overlaps(a, entry.value))
      comparisons -= touched < 0 ? allowed.length : touched
      if (comparisons < 0) break
      if (touched < 0) idle.push(entry)
    }
    for (const entry of idle) {
      // A name that is not known may be a slip for one that is allowed: that is not mended by taking it away.
      const isSure = judge(entry, context) === undefined
      const places = idle.length === except.length ? idle.map(({ span }) => span) : [entry.span]
      yield {
        span: entry.span,
        message: `${quote(entry.value.text)} takes nothing away: no allow entry matches it`,
        help: 'use `deny` to forbid it whatever other policies say, or remove the entry',
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
