import type { Rule } from './rule.ts'
import { isFaulty, judge } from './support/entries.ts'
import { replacement } from './support/fixes.ts'
import { namespaceFinding } from './support/namespace.ts'
import { everyEntry } from './support/sets.ts'
import { suggestion } from './support/suggest.ts'
import { didYouMean, quote } from './support/text.ts'

export const unknownAction: Rule = {
  code: 'unknown-action',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An allowed action that is not in the catalogue.',
  why:
    'An action that does not exist grants nothing, and the identity is refused later with no hint why. The catalogue is dated and the service ' +
    'may have newer actions, so this is never more than a warning. Only actions of the API itself can be judged; those of other namespaces ' +
    'are taken as written, unless the namespace itself is a slip, or the one of another brand.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vps:apisvc:reinstal" }]
#                   ^^^^^^^^^^^^^^^^^^^^^ unknown-action`,
      `
permissions:
  allow: [{ action: "vps:apiSvc:*" }]
#                        ^^^^^^ unknown-action`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:apisvc:reinstall" }, { action: "publicCloudProject:openstack:server/list" }]`,
    ],
  },
  check: everyEntry(
    function* (entry, _, context) {
      const fault = judge(entry, context)
      if (fault?.kind === 'wrong-namespace')
        yield namespaceFinding(entry, fault.namespace, context.settings.brand, 'this may grant nothing')
      if (fault?.kind !== 'unknown-action') return
      const near = suggestion(context, 'action', fault.action)
      yield {
        span: entry.span,
        message: `${quote(fault.action)} is not in the catalogue of ${context.catalogue.seen}: this may grant nothing`,
        ...(near !== undefined && { help: didYouMean(near) }),
        ...replacement(entry.span, near, false),
      }
    },
    ['allow'],
    isFaulty,
  ),
}
