import { addTo } from '../../collections.ts'
import { isEnumerated } from '../../conditions/sets.ts'
import { holdsText } from '../../conditions/test.ts'
import { nearest } from '../../nearest.ts'
import type { World } from '../../policy.ts'
import type { Rule } from '../rule.ts'
import { leavesOf } from '../support/tests.ts'
import { didYouMean, quote } from '../support/text.ts'

export const unusedTag: Rule = {
  code: 'unused-tag',
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  precision: 'medium',
  summary: 'A condition on a tag or tag value that no resource in the inventory has.',
  why:
    'Tag keys and values are case-sensitive and compared exactly: `Env` is not `env`, and `production` is not `prod`. A grant with such ' +
    'a condition gives nothing, and a deny has no effect. Only reported if the inventory has tags.',
  *world({ world }) {
    const used = tagsOf(world)
    if (used.size === 0) return
    for (const { condition } of world.policies) {
      for (const { test, key, value } of leavesOf(condition)) {
        if (test.subject.kind !== 'tag') continue
        const name = test.subject.parameter
        const values = used.get(name)
        if (!values) {
          const suggested = nearest(name, used.keys())
          yield {
            span: key.span,
            message: `no resource in the inventory has the tag ${quote(name)}`,
            help:
              suggested === undefined
                ? 'correct the key, or tag the resources'
                : didYouMean(key.value.replace(`(${name})`, () => `(${suggested})`)),
          }
        } else if (![...values].some((actual) => holdsText(test, actual))) {
          const suggested = isEnumerated(test.set) ? nearest(value.value, values) : undefined
          yield {
            span: value.span,
            message: `no resource in the inventory has a tag ${quote(name)} that matches ${quote(value.value)}`,
            help: suggested === undefined ? 'correct the value, or tag the resources' : didYouMean(suggested),
          }
        }
      }
    }
  },
}

/** The values that each tag key has on some resource. */
function tagsOf({ resources }: World): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>()
  for (const { tags } of resources.values()) {
    for (const [key, value] of tags ?? []) {
      addTo(used, key, value)
    }
  }
  return used
}
