import type { Rule } from './rule.ts'
import { judge } from './support/entries.ts'
import { replacement } from './support/fixes.ts'
import { namespaceFinding } from './support/namespace.ts'
import { everyEntry } from './support/sets.ts'
import { suggestion } from './support/suggest.ts'
import { didYouMean, quote } from './support/text.ts'

export const unknownProtectedAction: Rule = {
  code: 'unknown-protected-action',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An action in `deny` or `except` that is not in the catalogue: the protection may be absent.',
  why:
    'A misspelt `deny` or `except` entry takes nothing away, and nothing shows it: everything goes on working, only the protection is not ' +
    'there. Check the name, and the namespace in it. The catalogue is dated and the service may have newer actions, so this is never more than a warning.',
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
      if (fault?.kind === 'wrong-namespace')
        yield namespaceFinding(entry, fault.namespace, context.settings.brand, 'the protection may be silently absent')
      if (fault?.kind !== 'unknown-action') return
      const near = suggestion(context, 'action', fault.action)
      yield {
        span: entry.span,
        message: `${quote(fault.action)} is not in the catalogue of ${context.catalogue.seen}: the protection may be silently absent`,
        ...(near !== undefined && { help: didYouMean(near) }),
        ...replacement(entry.span, near, false),
      }
    },
    ['except', 'deny'],
  ),
}
