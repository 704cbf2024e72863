import { printSubject } from '../../conditions/test.ts'
import { inside } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { itemsOf, type Leaf, leavesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const wildcardAsText: Rule = {
  code: 'wildcard-as-text',
  section: 'conditions',
  severity: 'warning',
  precision: 'very-high',
  summary: 'A `*` in a condition value, where it is not a wildcard.',
  why:
    'Condition values are compared as strings: `prod*` only equals a name that ends with an asterisk. The condition never holds or, ' +
    'under `NOT`, always. Use `STARTS_WITH` or `ENDS_WITH` with the text before or after the `*`.',
  needs: 'condition',
  *policy({ condition }) {
    for (const leaf of leavesOf(condition)) {
      if (leaf.test.set.kind !== 'strings') continue
      for (const item of itemsOf(leaf)) {
        const wildcardIndex = item.value.indexOf('*')
        if (wildcardIndex < 0) continue
        yield {
          span: item.span === leaf.value.span ? inside(leaf.value, wildcardIndex, wildcardIndex + 1) : starIn(item, wildcardIndex),
          message: `the \`*\` in ${quote(item.value)} is not a wildcard: values are compared as strings`,
          help: helpFor(leaf, item.value),
        }
      }
    }
  },
}

function starIn(item: ReturnType<typeof itemsOf>[number], at: number) {
  const { source, start, end } = item.span
  return end - start === item.value.length ? { source, start: start + at, end: start + at + 1 } : item.span
}

function helpFor({ test }: Leaf, value: string): string {
  const subject = printSubject(test.subject)
  const rest = value.replaceAll('*', '')
  const single = value.length - rest.length === 1
  if (rest === '') return `name the intended values, or remove \`${subject}\` from the condition`
  if (single && value.endsWith('*')) return `write ${quote(`${subject}.STARTS_WITH`)} with ${quote(rest)}`
  if (single && value.startsWith('*')) return `write ${quote(`${subject}.ENDS_WITH`)} with ${quote(rest)}`
  return `use \`${subject}.STARTS_WITH\` or \`${subject}.ENDS_WITH\``
}
