import { covers, glob, hasInnerWildcard } from '../glob.ts'
import { inside } from '../source.ts'
import type { Rule } from './rule.ts'
import { everyEntry } from './support/sets.ts'

export const innerWildcard: Rule = {
  code: 'inner-wildcard',
  section: 'actions',
  severity: 'warning',
  summary: 'A `*` in the middle of an action, where its meaning is not published.',
  why:
    'The service documents a `*` at the start or at the end of an action. What it makes of one in between is not published: it is evaluated ' +
    'here as any run of characters, and every decision that rests on such an entry says so. Write the actions out, or let the wildcard end the pattern.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vps:apisvc:*/get" }]
#                               ^ inner-wildcard`,
      `
permissions:
  deny: [{ action: "vps:*:reinstall" }]
#                       ^ inner-wildcard`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:apisvc:*" }, { action: "*/get" }]`,
    ],
  },
  check: everyEntry(
    function* ({ value, span }, list, { settings }) {
      if (!hasInnerWildcard(value) || (list === 'allow' && covers(value, glob(`*:api${settings.brand}:*`)))) return
      const inner = /(?<=[^*])\*+(?=[^*])/.exec(value.text)
      if (!inner) return
      yield {
        span: inside({ value: value.text, span }, inner.index, inner.index + inner[0].length),
        message: 'the meaning of a `*` inside an action is not published: it is taken here for any run of characters',
        help: 'write the actions out, or let the wildcard end the pattern',
      }
    },
    undefined,
    ({ value }) => hasInnerWildcard(value),
  ),
}
