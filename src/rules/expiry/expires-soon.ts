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
  summary: 'A policy that expires in a few days.',
  why:
    'After its `expiredAt` a policy neither grants nor denies, and nobody is asked before. Decide now whether the access is still needed, or the ' +
    'denied actions are to be open.',
  options: [{ name: 'days', type: 'number', text: 'how many days before its expiry a policy is reported', required: true }],
  examples: {
    bad: [
      {
        options: { days: 30 },
        text: `
expiredAt: "2026-02-01T00:00:00Z"
#          ^^^^^^^^^^^^^^^^^^^^^^ expires-soon`,
      },
    ],
    good: [{ options: { days: 10 }, text: '\nexpiredAt: "2026-02-01T00:00:00Z"' }],
  },
  check: {
    *policy({ expiresAt, permissions }, context) {
      const days = numberOption(context, code, 'days')
      // What has expired is the matter of another rule.
      if (days === undefined || !expiresAt || expiresAt.value < context.now || expiresAt.value > context.now + days * day) return
      const left = Math.floor((expiresAt.value - context.now) / day)
      const opens = permissions.deny.length > 0 ? ', and what it denies is open again' : ''
      yield {
        span: expiresAt.span,
        message: `expires ${left === 0 ? 'within a day' : `in ${counted(left, 'day')}`}: then the policy has no effect${opens}`,
        help: 'give it a later date if it is still needed, or plan for its end',
      }
    },
  },
}
