import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { flagOption, numberOption } from '../support/options.ts'
import { counted } from '../support/words.ts'
import { nodeAt } from '../support/written.ts'

const code = 'expires-too-late'
const day = 86_400_000

export const expiresTooLate: Rule = {
  code,
  section: 'expiry',
  severity: 'warning',
  preset: 'auditor',
  summary: 'A grant that expires later than allowed.',
  why:
    'A grant that ends soon is reviewed; one that ends in ten years is in effect permanent. Set the maximum duration with the option ' +
    '`days`.',
  options: [
    { name: 'days', type: 'number', text: 'the maximum number of days from now until a grant expires', required: true },
    { name: 'always', type: 'flag', text: 'also report grants without an expiry' },
  ],
  *policy(policy, context) {
    const days = numberOption(context, code, 'days')
    if (days === undefined || policy.readOnly || !mayGrant(policy, context.world)) return
    const { expiresAt, name, node } = policy
    const help = `set an expiry within ${counted(days, 'day')}`
    if (expiresAt) {
      if (context.clock.isAfter(expiresAt.value - days * day - 1)) return
      const ahead = context.clock.daysUntil(expiresAt.value)
      yield { span: expiresAt.span, message: `the grant expires in ${counted(ahead, 'day')}: the limit is ${days}`, help }
    } else if (flagOption(context, code, 'always') && !hasExpiry(node)) {
      yield { span: name.span, message: `the grant never expires: the limit is ${counted(days, 'day')}`, help }
    }
  },
}

/** Whether there is an expiry, understood or not. */
function hasExpiry(node: Parameters<typeof nodeAt>[0]): boolean {
  const written = nodeAt(node, 'expiredAt')
  return written !== undefined && written.kind !== 'null'
}
