import type { Rule } from '../rule.ts'
import { judge } from '../support/entries.ts'
import { namespaceFinding } from '../support/namespace.ts'
import { everyEntry } from '../support/sets.ts'
import { unknownActionFinding } from '../support/unknown.ts'

export const unknownProtectedAction: Rule = {
  code: 'unknown-protected-action',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An action in `deny` or `except` that is not in the catalogue: the protection may be absent.',
  why:
    'A misspelt `deny` or `except` entry takes nothing away, and nothing shows it: everything goes on working, only the protection is not ' +
    'there. Check the name, and the namespace in it. The catalogue is dated and the service has newer actions: only a name that is one slip ' +
    'away from a known one is a warning, any other is information.',
  examples: {
    bad: [
      `
permissions:
  deny: [{ action: "vps:apisvc:reinstal" }]
#                  ^^^^^^^^^^^^^^^^^^^^^ unknown-protected-action`,
      `
permissions:
  allow: [{ action: "dnsZone:*" }]
  except:
    - action: dnsZone:apisvc:zone/delete
#             ^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-protected-action
    - action: dnsZone:apisvc:record/delete`,
      `
permissions:
  deny: [{ action: "vps:apiscv:terminate" }]
#                       ^^^^^^ unknown-protected-action`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "dnsZone:*" }]
  except: [{ action: "dnsZone:apisvc:record/delete" }]
  deny: [{ action: "vps:apisvc:reinstall" }]`,
    ],
  },
  check: everyEntry(
    function* (entry, _, context) {
      const fault = judge(entry, context)
      const so = 'the protection may be silently absent'
      if (fault?.kind === 'odd-namespace') yield namespaceFinding(entry, fault, context.catalogue, so)
      if (fault?.kind === 'unknown-action') yield unknownActionFinding({ value: fault.action, span: entry.span }, context, so)
    },
    ['except', 'deny'],
  ),
}
