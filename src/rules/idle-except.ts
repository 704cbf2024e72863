import { overlaps } from '../glob.ts'
import type { Rule } from './rule.ts'
import { everySet } from './support/sets.ts'
import { quote } from './support/text.ts'

export const idleExcept: Rule = {
  code: 'idle-except',
  section: 'actions',
  severity: 'warning',
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
  check: everySet(function* ({ permissions: { allow, except, deny }, whole }) {
    // Without any allow or deny the whole policy is idle, and `no-permissions` says so.
    if (!whole || allow.length + deny.length === 0) return
    for (const entry of except) {
      if (allow.some((a) => overlaps(a.value, entry.value))) continue
      yield {
        span: entry.span,
        message: `${quote(entry.value.text)} takes nothing away: no allow entry matches it`,
        help: 'use `deny` to forbid it whatever other policies say, or remove the entry',
      }
    }
  }),
}
