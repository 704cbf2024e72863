import type { RuleFacts } from '../rules/rule.ts'
import type { GuardrailText } from './config.ts'

/** The facts of a guardrail as a rule. */
export function factsOf({ code, message, severity, help, link, kind }: GuardrailText): RuleFacts {
  const claims = {
    never: 'Nothing may allow what this guardrail names',
    only: 'Nobody but those whom this guardrail names may be allowed this',
    always: 'Nothing may take away what this guardrail always allows',
    separate: 'No identity may hold two of the duties of this guardrail',
    requires: 'What this guardrail names may only be allowed under its condition',
  } as const
  return {
    code: code.value,
    section: 'whole set',
    severity,
    summary: `${message.replace(/\.$/, '')}.`,
    why: `${claims[kind]}: it is decided over all requests. ${help === undefined ? '' : `${help}.`}`.trim(),
    ...(link !== undefined && { link }),
  }
}
