import { type ConditionKey, type KeyProblem, readConditionKey } from '../../conditions/test.ts'
import { type Fault, visible } from '../../names.ts'
import type { Policy } from '../../policy.ts'
import { inside, type Located, type Span } from '../../source.ts'
import { field, type MapNode, type TextNode } from '../../tree.ts'
import { Zones } from '../../zones.ts'
import type { Finding, RuleContext } from '../rule.ts'
import { replacement } from './fixes.ts'
import { didYouMean } from './text.ts'

/** One condition as written, and how many conditions enclose it. */
export interface WrittenCondition {
  readonly node: MapNode
  readonly depth: number
}

/** Every condition of a policy as written, outermost first, whether it could be understood or not. */
export function writtenConditions(policy: Policy): Iterable<WrittenCondition> {
  return policy.condition ? everyCondition(policy) : nothing
}

const nothing: readonly never[] = []

function* everyCondition({ node }: Policy): Iterable<WrittenCondition> {
  const top = field(node, 'conditions')
  const waiting: WrittenCondition[] = top?.kind === 'map' ? [{ node: top, depth: 0 }] : []
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    const children = field(next.node, 'conditions')
    if (children?.kind !== 'list') continue
    for (const child of children.items.toReversed()) if (child.kind === 'map') waiting.push({ node: child, depth: next.depth + 1 })
  }
}

/** One comparison as written: `key: value`. */
export interface WrittenTest {
  readonly key: TextNode
  readonly value: TextNode
  readonly read: { readonly value: ConditionKey } | { readonly problems: readonly KeyProblem[] }
}

/** Every comparison of a policy as written, with its key read. Values that are not strings are reported by the readers. */
export function writtenTests(policy: Policy, context: RuleContext): Iterable<WrittenTest> {
  return policy.condition ? everyTest(policy, context.once(zonesOf)) : nothing
}

/** The time zones of the run. */
export const zonesOf = ({ settings }: RuleContext) => settings.zones ?? new Zones()

function* everyTest(policy: Policy, zones: Zones): Iterable<WrittenTest> {
  for (const { node } of writtenConditions(policy)) {
    const values = field(node, 'values')
    if (values?.kind !== 'map') continue
    for (const { key, value } of values.entries) {
      if (value.kind !== 'text') continue
      const read = readConditionKey(key.value, zones)
      yield { key, value, read: read.faults ? { problems: read.faults } : { value: read.value } }
    }
  }
}

/** The findings for one part of the keys: the key, its operator or its time zone. */
export function keyFindings(part: KeyProblem['part']): (policy: Policy, context: RuleContext) => Iterable<Finding> {
  return function* (policy, context) {
    for (const { key, read } of writtenTests(policy, context)) {
      if ('value' in read) continue
      for (const problem of read.problems) if (problem.part === part) yield faultFinding(key, problem)
    }
  }
}

/** A fault inside a text, as a finding at its place. */
export function faultFinding(
  text: TextNode,
  { from, to, message, suggestion, help }: Pick<Fault, 'from' | 'to' | 'message' | 'suggestion' | 'help'>,
): Finding {
  // An empty part has no extent: then the whole string is shown.
  const span = from < to ? inside({ value: text.value, span: text }, from, to) : text
  const advice = suggestion === undefined ? help : didYouMean(suggestion)
  // A condition that is not understood is not known to hold or not: with another text it would be.
  return { span, message: visible(message), ...(advice !== undefined && { help: advice }), ...replacement(text, suggestion, false) }
}

/** The span of `from`–`to` in the text of a URN. */
export function insideUrn(urn: Located<{ readonly text: string }>, from: number, to: number): Span {
  return inside({ value: urn.value.text, span: urn.span }, from, to)
}
