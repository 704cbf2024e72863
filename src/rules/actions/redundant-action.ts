import { hasInnerWildcard } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { coverers } from '../support/cover.ts'
import { removalFromSet } from '../support/fixes.ts'
import { listNames } from '../support/lists.ts'
import { everySet } from '../support/sets.ts'
import { quote } from '../support/text.ts'

export const redundantAction: Rule = {
  code: 'redundant-action',
  section: 'actions',
  severity: 'info',
  fixes: ['safe'],
  summary: 'An action that another entry of the same list covers.',
  why:
    'The entry changes nothing, and removing it later will not take the access away: the other entry still gives it. Remove it, or narrow the ' +
    'wider one if it is wider than meant.',
  examples: {
    bad: [
      `
permissions:
  allow:
    - action: vps:apisvc:ips/get
#             ^^^^^^^^^^^^^^^^^^ redundant-action
    - action: vps:apisvc:*`,
      `
permissions:
  allow: [{ action: "vps:*" }]
  deny: [{ action: "vps:apisvc:reinstall" }, { action: "vps:apisvc:reinstall" }]
#                                                      ^^^^^^^^^^^^^^^^^^^^^^ redundant-action`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:apisvc:ips/*" }, { action: "vps:apisvc:get" }]
  except: [{ action: "vps:apisvc:ips/delete" }]`,
    ],
  },
  check: everySet(function* ({ permissions, written }) {
    for (const list of listNames) {
      const entries = permissions[list]
      const by = coverers(entries.map((entry) => entry.value))
      if (by.length === 0) continue
      for (const [i, entry] of entries.entries()) {
        const other = entries[by[i] ?? -1]
        if (!other) continue
        const same = other.value.text === entry.value.text
        // The meaning of a wildcard inside an action is not published: what is plain must not come to rest on it.
        const isSure = same || !hasInnerWildcard(other.value)
        yield {
          span: entry.span,
          message: same
            ? `${quote(entry.value.text)} is listed twice`
            : `${quote(entry.value.text)} is covered by ${quote(other.value.text)}`,
          help: 'remove it: it changes nothing',
          related: [{ message: same ? 'the first one' : 'the wider entry', span: other.span }],
          ...removalFromSet(written, list, [entry.span], isSure),
        }
      }
    }
  }),
}
