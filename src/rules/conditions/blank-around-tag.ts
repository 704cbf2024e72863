import { matchTypes } from '../../conditions/sets.ts'
import { inside } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { leavesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const blankAroundTag: Rule = {
  code: 'blank-around-tag',
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  summary: 'A space at the start or end of a tag key or value.',
  why:
    'Tags are compared exactly, including spaces, and the difference is easy to miss. Remove the space here, or from the tag if it is ' +
    'really there.',
  needs: 'condition',
  *policy({ condition }) {
    for (const leaf of leavesOf(condition)) {
      const { test, key, value } = leaf
      if (test.subject.kind !== 'tag') continue
      const name = test.subject.parameter
      const from = key.value.indexOf('(') + 1
      if (name.trim() !== name)
        yield {
          span: inside(key, from, from + name.length),
          message: `the tag key ${quote(name)} has a space at the start or end, which is compared too`,
          help: `write ${quote(name.trim())}`,
        }
      if (test.set.kind !== 'strings') continue
      const text = value.value
      // A space matters where tags start or end with the value.
      const pieces = matchTypes[test.set.matchType].pieces(text)
      const start = pieces[0] === text ? text.trimStart() : text
      const meant = pieces.at(-1) === text ? start.trimEnd() : start
      if (meant !== text)
        yield {
          span: value.span,
          message: `${quote(text)} has a space at the start or end, which is compared too`,
          help: `write ${quote(meant)}`,
        }
    }
  },
}
