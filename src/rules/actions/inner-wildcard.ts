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
  summary: 'A `*` in the middle of an action, where its meaning is not documented.',
  why:
    'The service documents `*` at the start or end of an action only. Here, a `*` in the middle matches any characters, and every ' +
    'decision based on such an entry says so. Write the actions out, or move the wildcard to the end.',
  needs: 'actionPattern',
  ...everyEntry(
    function* ({ value, span }, list, context) {
      const { settings, catalogue } = context
      if (!hasInnerWildcard(value) || (list === 'allow' && covers(value, glob(`*:api${settings.brand}:*`)))) return
      const inner = /(?<=[^*])\*+(?=[^*])/.exec(value.text)
      if (!inner) return
      const [one, another] = value.text.startsWith('*') ? [] : catalogue.expand(value).slice(0, 2)
      const only = another === undefined ? one : undefined
      yield {
        span: inside({ value: value.text, span }, inner.index, inner.index + inner[0].length),
        message: 'the meaning of a `*` inside an action is not documented: it is assumed to match any characters',
        help:
          only === undefined
            ? 'write the actions out, or move the wildcard to the end'
            : `write ${quote(only)}, the only known action that it matches`,
        ...replacement(span, only, false),
      }
    },
    undefined,
    ({ value }) => hasInnerWildcard(value),
  ),
}
