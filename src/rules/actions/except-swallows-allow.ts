import type { Rule } from '../rule.ts'
import { coverers } from '../support/cover.ts'
import { everySet } from '../support/sets.ts'
import { quote } from '../support/text.ts'

export const exceptSwallowsAllow: Rule = {
  code: 'except-swallows-allow',
  section: 'actions',
  severity: 'warning',
  summary: 'An `except` list that takes away everything the `allow` list beside it grants.',
  why:
    'Nothing is left of the grant. Either the `except` entry is wider than meant, or the actions were meant to be forbidden: then use `deny`, ' +
    'which holds against every other policy too.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vps:apisvc:reinstall" }, { action: "vps:apisvc:reboot" }]
  except:
    - action: vps:*
#             ^^^^^ except-swallows-allow`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:*" }]
  except: [{ action: "vps:apisvc:reinstall" }]`,
    ],
  },
  check: everySet(function* ({ permissions: { allow, except }, whole }) {
    if (except.length === 0) return
    const by = coverers(
      allow.map((a) => a.value),
      except.map((e) => e.value),
    )
    const swallowing = by.map((index) => (index === undefined ? undefined : except[index]))
    const [first] = swallowing
    if (!whole || !first || swallowing.includes(undefined)) return
    const others = [...new Set(swallowing)].flatMap((entry) => (entry && entry !== first ? [entry] : []))
    yield {
      span: first.span,
      message:
        others.length === 0
          ? `${quote(first.value.text)} takes away everything that is allowed beside it`
          : `${quote(first.value.text)} and ${others.length === 1 ? 'another entry' : `${others.length} other entries`} take away everything that is allowed beside them`,
      help: 'narrow the entry, or use `deny` if the actions are to be forbidden',
      ...(others.length > 0 && { related: others.map(({ span }) => ({ message: 'takes away the rest', span })) }),
    }
  }),
}
