import type { Rule } from '../rule.ts'
import { numberOption } from '../support/options.ts'
import { counted } from '../support/words.ts'

const code = 'expires-soon'
const day = 86_400_000

export const expiresSoon: Rule = {
  code,
  section: 'expiry',
  severity: 'warning',
  preset: 'auditor',
  summary: 'A policy that expires soon.',
  why: 'After `expiredAt`, a policy neither grants nor denies, and nobody is asked beforehand. Decide now whether it is still needed.',
  options: [{ name: 'days', type: 'number', text: 'report a policy this many days before it expires', required: true }],
  needs: 'expiry',
  *policy({ expiresAt, permissions }, context) {
    const days = numberOption(context, code, 'days')
    // Another rule reports expired policies.
    if (days === undefined || !expiresAt || context.clock.isAfter(expiresAt.value)) return
    if (!context.clock.isAfter(expiresAt.value - days * day - 1)) return
    const daysLeft = context.clock.daysUntil(expiresAt.value)
    const opens = permissions.deny.length > 0 ? ', and what it denies is possible again' : ''
    yield {
      span: expiresAt.span,
      message: `expires ${daysLeft === 0 ? 'within a day' : `in ${counted(daysLeft, 'day')}`}: then the policy has no effect${opens}`,
      help: 'set a later date if it is still needed',
    }
  },
}
