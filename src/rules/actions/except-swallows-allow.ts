import type { Rule } from '../rule.ts'
import { coverers } from '../support/cover.ts'
import { everySet } from '../support/sets.ts'
import { quote } from '../support/text.ts'

export const exceptSwallowsAllow: Rule = {
  code: 'except-swallows-allow',
  section: 'actions',
  severity: 'warning',
  summary: 'An `except` list that removes everything the `allow` list grants.',
  why:
    'Nothing remains of the grant. Either the `except` entry is too wide, or the actions should be denied: then use `deny`, which also ' +
    'applies to other policies.',
  needs: 'except',
  ...everySet(function* ({ permissions: { allow, except }, whole }) {
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
          ? `${quote(first.value.text)} removes everything that \`allow\` grants`
          : `${quote(first.value.text)} and ${others.length === 1 ? 'another entry' : `${others.length} other entries`} remove everything that \`allow\` grants`,
      help: 'narrow the entry, or use `deny` to deny the actions',
      ...(others.length > 0 && { related: others.map(({ span }) => ({ message: 'removes the rest', span })) }),
    }
  }),
}
