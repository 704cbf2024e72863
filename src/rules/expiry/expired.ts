import type { Rule } from '../rule.ts'

export const expired: Rule = {
  code: 'expired',
  section: 'expiry',
  severity: 'warning',
  summary: 'A policy that has expired.',
  why:
    'After `expiredAt`, a policy neither grants nor denies: its grants are gone, and what it denied is possible again. Delete it, or ' +
    'set a later date.',
  needs: 'expiry',
  *policy({ expiresAt, permissions }, { clock }) {
    // It still applies at that instant.
    if (!expiresAt || !clock.isAfter(expiresAt.value)) return
    const on = new Date(expiresAt.value).toISOString().slice(0, 10)
    yield {
      span: expiresAt.span,
      message: `expired on ${on}: the policy has no effect${permissions.deny.length > 0 ? ', and what it denied is possible again' : ''}`,
      help: 'delete the policy, or set a later date',
    }
  },
}
