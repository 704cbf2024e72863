import { readConditionKey, type Subject, subjects } from '../../conditions/test.ts'
import { glob, overlaps } from '../../glob.ts'
import type { Condition } from '../../policy.ts'
import type { Zones } from '../../zones.ts'
import type { Rule } from '../rule.ts'
import { zonesOf } from '../support/conditions.ts'
import { textsOption } from '../support/options.ts'
import { quote, some } from '../support/text.ts'
import { expansion } from '../support/verbs.ts'

const code = 'required-condition'

export const requiredCondition: Rule = {
  code,
  section: 'conditions',
  severity: 'warning',
  preset: 'auditor',
  security: 5,
  summary: 'A grant without a required condition.',
  why:
    'An action that is only allowed from the office network or in office hours needs that condition in every policy that grants it: a ' +
    'single grant without it bypasses all others. Set which actions require which condition with the options. With `OR`, every branch ' +
    'needs it.',
  options: [
    { name: 'actions', type: 'texts', text: 'patterns of the actions that require the condition, such as `*/delete`', required: true },
    {
      name: 'keys',
      type: 'texts',
      text: 'keys that the condition must use, such as `request.IP` or `resource.Tag(env)`; one is enough',
      required: true,
    },
  ],
  *policy({ permissions: { allow, except, deny }, condition, readOnly }, context) {
    const actions = textsOption(context, code, 'actions')?.map(glob)
    const keys = textsOption(context, code, 'keys')
    if (!actions || !keys || readOnly) return
    const zones = context.once(zonesOf)
    if (
      condition &&
      isBound(
        condition,
        keys.flatMap((key) => subjectOf(key, zones)),
      )
    )
      return
    const taken = [...except, ...deny].map((entry) => entry.value)
    for (const { value, span } of allow) {
      const wanted = actions.filter((pattern) => overlaps(pattern, value))
      if (wanted.length === 0) continue
      // Only known actions that are not excepted or denied count.
      const actionTexts = value.pieces.length === 1 ? [value.text] : expansion(context, value)
      const unconditioned = actionTexts.filter(
        (action) => wanted.some((pattern) => overlaps(pattern, glob(action))) && !taken.some((pattern) => overlaps(pattern, glob(action))),
      )
      if (unconditioned.length === 0) continue
      yield {
        span,
        message: `${quote(value.text)} is granted without a condition on ${keys.length === 1 ? '' : 'any of '}${some(keys)}${value.pieces.length > 1 ? `: it allows ${some(unconditioned, 2)}` : ''}`,
        help: `add a condition on ${keys.length === 1 ? quote(keys[0] as string) : 'one of them'}, in each branch of an \`OR\``,
      }
    }
  },
}

type Wanted = Pick<Subject, 'kind'> & { readonly parameter: string | undefined }

/** The subject of a key; a clock key without a zone is any zone. */
function subjectOf(key: string, zones: Zones): readonly Wanted[] {
  const read = readConditionKey(key, zones).value?.subject
  if (!read) return []
  const isClock = subjects[read.kind].text.startsWith('date')
  return [{ kind: read.kind, parameter: isClock && !key.includes('(') ? undefined : read.parameter }]
}

/** Whether every branch of the condition compares one of the subjects. */
function isBound(condition: Condition, wanted: readonly Wanted[]): boolean {
  switch (condition.kind) {
    case 'opaque':
      return false
    case 'match': {
      const { subject } = condition.test
      return wanted.some(({ kind, parameter }) => kind === subject.kind && (parameter === undefined || parameter === subject.parameter))
    }
    case 'or':
      return condition.operands.length > 0 && condition.operands.every((operand) => isBound(operand, wanted))
    default:
      return condition.operands.some((operand) => isBound(operand, wanted))
  }
}
