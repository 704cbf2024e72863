import { covers, glob, hasInnerWildcard } from '../../glob.ts'
import { inside } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { replacement } from '../support/fixes.ts'
import { everyEntry } from '../support/sets.ts'
import { quote } from '../support/text.ts'

export const innerWildcard: Rule = {
  code: 'inner-wildcard',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  yieldsToOuter: ['wildcard-without-action'],
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
    function* ({ value, span }, list, context) {
      const { settings, catalogue } = context
      if (!hasInnerWildcard(value) || (list === 'allow' && covers(value, glob(`*:api${settings.brand}:*`)))) return
      const inner = /(?<=[^*])\*+(?=[^*])/.exec(value.text)
      if (!inner) return
      const [one, another] = value.text.startsWith('*') ? [] : catalogue.expand(value).slice(0, 2)
      const only = another === undefined ? one : undefined
      yield {
        span: inside({ value: value.text, span }, inner.index, inner.index + inner[0].length),
        message: 'the meaning of a `*` inside an action is not published: it is taken here for any run of characters',
        help:
          only === undefined
            ? 'write the actions out, or let the wildcard end the pattern'
            : `write ${quote(only)}, the one known action that it matches`,
        ...replacement(span, only, false),
      }
    },
    undefined,
    ({ value }) => hasInnerWildcard(value),
  ),
}
