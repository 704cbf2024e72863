import { rangesIn } from '../../conditions/sets.ts'
import { operators } from '../../conditions/test.ts'
import type { Rule } from '../rule.ts'
import { removalOfCondition, removalOfItems } from '../support/fixes.ts'
import { implies, joinsOf, type Leaf, leavesOf, rangesOf, rangeText } from '../support/tests.ts'
import { quote } from '../support/text.ts'

/** How many pairs of ranges are compared in one list or join. */
const mostPairs = 250_000

export const redundantRange: Rule = {
  code: 'redundant-range',
  section: 'conditions',
  severity: 'info',
  precision: 'very-high',
  fixes: ['safe'],
  summary: 'An address or address range that another one makes redundant.',
  why:
    'Two address ranges are either disjoint or nested. With `OR`, the inner one adds nothing, and removing it later removes no address; ' +
    'with `AND`, the outer one limits nothing. Remove it, or narrow the range that is too wide.',
  needs: 'condition',
  *policy({ condition, node }) {
    for (const leaf of leavesOf(condition)) {
      if (!operators[leaf.test.operator].isList) continue
      const seen = new Map<string, string>()
      const texts = rangesIn(leaf.test.set).map(rangeText)
      for (const { range, text, span } of rangesOf(leaf)) {
        const sameRange = seen.get(rangeText(range))
        if (sameRange !== undefined)
          yield {
            span,
            message: sameRange === text ? `${quote(text)} is listed twice` : `${quote(text)} is the same address as ${quote(sameRange)}`,
            help: 'remove it: it has no effect',
            ...removalOfItems(leaf, (i) => texts.indexOf(texts[i] as string) === i),
          }
        seen.set(rangeText(range), sameRange ?? text)
      }
    }
    for (const { by, parts } of joinsOf(condition)) {
      const leaves = parts.filter((part): part is Leaf => part.kind === 'match' && part.test.subject.kind === 'ip')
      if (leaves.length < 2 || leaves.length * leaves.length > mostPairs) continue
      for (const [i, leaf] of leaves.entries()) {
        const other = leaves.find((each, j) => {
          if (i === j) return false
          const [narrow, wide] = by === 'and' ? [each, leaf] : [leaf, each]
          return implies(narrow.test, wide.test) && (j < i || !implies(wide.test, narrow.test))
        })
        if (!other) continue
        const same = implies(leaf.test, other.test) && implies(other.test, leaf.test)
        yield {
          span: leaf.value.span,
          message: same
            ? `${quote(leaf.value.value)} is repeated`
            : by === 'and'
              ? `${quote(leaf.value.value)} limits nothing: ${quote(other.value.value)}, which must hold too, is inside it`
              : `${quote(leaf.value.value)} adds nothing: it is inside ${quote(other.value.value)}`,
          help: 'remove it, or narrow the wider one',
          related: [{ message: same ? 'the first one' : by === 'and' ? 'the narrower one' : 'the wider one', span: other.value.span }],
          ...removalOfCondition(node, leaf.span),
        }
      }
    }
  },
}
