import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { flagOption, numberOption } from '../support/options.ts'
import { quote } from '../support/text.ts'
import { counted } from '../support/words.ts'

const code = 'identity-mix'

export const identityMix: Rule = {
  code,
  section: 'identities',
  severity: 'info',
  preset: 'auditor',
  summary: 'A grant to too many identities, or to people and service accounts together.',
  why:
    'A long list of people should be a group. People and programs seldom need the same permissions; in a shared policy, each gets those ' +
    'of the other. Without options, nothing is reported.',
  options: [
    { name: 'most', type: 'number', text: 'the maximum number of identities in a policy that grants' },
    { name: 'separate', type: 'flag', text: 'people and service accounts must be in separate policies' },
  ],
  *policy(policy, context) {
    const { identities } = policy
    if (!mayGrant(policy, context.world)) return
    const most = numberOption(context, code, 'most')
    const surplus = most === undefined ? undefined : identities[most]
    if (surplus)
      yield {
        span: surplus.span,
        message: `the policy grants to ${counted(identities.length, 'identity')}: the limit is ${most}`,
        help: 'grant to a group',
      }
    if (!flagOption(context, code, 'separate')) return
    const isProgram = (identity: (typeof identities)[number]) => identity.value.kind === 'credential'
    const [first] = identities
    const other = first && identities.find((identity) => isProgram(identity) !== isProgram(first))
    if (other)
      yield {
        span: other.span,
        message: `${quote(other.value.text)} is ${isProgram(other) ? 'a service account among people' : 'not a service account, unlike others here'}`,
        help: 'split the policy, and give each part only the permissions it needs',
      }
  },
}
