import type { Rule } from '../rule.ts'
import { isFaulty, judge } from '../support/entries.ts'
import { namespaceFinding } from '../support/namespace.ts'
import { everyEntry } from '../support/sets.ts'
import { unknownActionFinding } from '../support/unknown.ts'

export const unknownAction: Rule = {
  code: 'unknown-action',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An allowed action that is not in the catalogue.',
  why:
    'An action that does not exist grants nothing, and the identity is refused later with no hint why. The catalogue is dated and the service ' +
    'has newer actions: only a name that is one slip away from a known one is a warning, any other is information. Only actions of the API ' +
    'itself can be judged; those of other namespaces are taken as written, unless the namespace itself is a slip, or the one of another brand.',
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
      `
permissions:
  allow: [{ action: "vps:apisvc:backup/plan/get" }]
#                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-action`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:apisvc:reinstall" }, { action: "publicCloudProject:openstack:computeOperator" }, { action: "okms:apikms:*" }]`,
    ],
  },
  check: everyEntry(
    function* (entry, _, context) {
      const fault = judge(entry, context)
      const so = 'this may grant nothing'
      if (fault?.kind === 'odd-namespace') yield namespaceFinding(entry, fault, context.catalogue, so)
      if (fault?.kind === 'unknown-action') yield unknownActionFinding({ value: fault.action, span: entry.span }, context, so)
    },
    ['allow'],
    isFaulty,
  ),
}
