import { numbersIn, stringsIn } from '../../conditions/sets.ts'
import { operators } from '../../conditions/test.ts'
import type { Condition } from '../../policy.ts'
import type { MapNode } from '../../tree.ts'
import type { Finding, Rule } from '../rule.ts'
import { removalOfCondition, removalOfItems } from '../support/fixes.ts'
import { implies, itemsOf, type Joined, joinsOf, type Leaf, leavesOf, printCondition, sameSubject } from '../support/tests.ts'
import { quote } from '../support/text.ts'
import { isImpossible } from '../support/verdicts.ts'

/** How many pairs are compared in one join. */
const mostPairs = 10_000

export const redundantCondition: Rule = {
  code: 'redundant-condition',
  section: 'conditions',
  severity: 'info',
  precision: 'very-high',
  fixes: ['safe'],
  summary: 'A value, bound or branch of a condition that has no effect.',
  why:
    'With `AND`, the wider of two bounds never decides; with `OR`, the narrower one. Such a part looks like a limit and misleads ' +
    'whoever edits it. Remove it, or correct the part that should have been stricter. For addresses, see `redundant-range`.',
  needs: 'condition',
  *policy(policy, context) {
    const { condition, node } = policy
    const findings = [
      ...leavesOf(condition).flatMap((leaf) => [...repeatedItems(leaf)]),
      ...joinsOf(condition).flatMap((join) => [...needlessParts(join, node)]),
    ]
    // Another rule reports a condition that never holds.
    if (findings.length > 0 && isImpossible(policy, context) !== true) yield* findings
  },
}

/** Items of a list with the same meaning as an earlier one. */
function* repeatedItems(leaf: Leaf): Iterable<Finding> {
  const { operator, set } = leaf.test
  if (!operators[operator].isList || set.kind === 'addresses') return
  const meant: readonly unknown[] = [...stringsIn(set), ...numbersIn(set)]
  const items = itemsOf(leaf)
  const repeated = items.filter((_, i) => meant.indexOf(meant[i]) < i)
  for (const item of repeated) {
    yield {
      span: item.span,
      message: `${quote(item.value)} is listed twice`,
      help: 'remove it: it has no effect',
      ...removalOfItems(leaf, (i) => meant.indexOf(meant[i]) === i),
    }
  }
}

function* needlessParts({ by, parts }: Joined, node: MapNode): Iterable<Finding> {
  if (parts.length * parts.length > mostPairs) return
  const texts = parts.map(printCondition)
  const removable = new Set<number>()
  // Of two with the same meaning, the later one is reported.
  for (const [i, part] of parts.entries()) {
    if (part.kind === 'match' && part.test.subject.kind === 'ip') continue
    const other = parts.findIndex((each, j) => j !== i && !removable.has(j) && makesNeedless(each, part, by, texts[j] === texts[i], j < i))
    const reason = parts[other]
    if (!reason) continue
    removable.add(i)
    yield {
      span: part.span,
      message:
        texts[other] === texts[i]
          ? 'this condition is repeated'
          : by === 'and'
            ? 'this has no effect: another part of the `AND` is stricter'
            : 'this has no effect: another part of the `OR` is wider',
      help: 'remove it, or correct the wrong one',
      related: [{ message: texts[other] === texts[i] ? 'the first one' : 'this decides', span: reason.span }],
      ...removalOfCondition(node, part.span),
    }
  }
}

function makesNeedless(other: Condition, part: Condition, by: Joined['by'], same: boolean, isBefore: boolean): boolean {
  if (same) return isBefore
  if (other.kind !== 'match' || part.kind !== 'match' || !sameSubject(other.test, part.test)) return false
  const [narrow, wide] = by === 'and' ? [other.test, part.test] : [part.test, other.test]
  return implies(narrow, wide) && (isBefore || !implies(wide, narrow))
}
