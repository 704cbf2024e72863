import { covers, type Glob } from '../../glob.ts'
import { firstGain, indexOf } from '../../symbolic/gained.ts'
import type { Rule } from '../rule.ts'
import { boxText } from '../support/residual.ts'
import { quote } from '../support/text.ts'
import { meeting, nearby, speakOfTheSame, statementsOfVariant, wholeSet } from '../support/whole-set.ts'

export const denyExpires: Rule = {
  code: 'deny-expires',
  section: 'expiry',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  precision: 'very-high',
  summary: 'A deny that expires, and opens access when it does.',
  why:
    'After its expiry a policy denies nothing, and on that day something that is closed now opens by itself, with nobody watching. For a freeze over ' +
    'the holidays that is what is wanted; otherwise give the expiry to the grant, not to the deny. A deny whose end opens nothing, since no policy grants ' +
    'what it forbids or another denies it too, is not reported.',
  examples: {
    bad: [
      `
- name: no reinstalls
  identities: ["urn:v1:eu:identity:user:ab12-svc/*"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { deny: [{ action: "vps:apisvc:reinstall" }] }
  expiredAt: "2027-01-31T23:59:59Z"
#            ^^^^^^^^^^^^^^^^^^^^^^ deny-expires
- name: ann runs servers
  identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { allow: [{ action: "vps:*" }] }`,
    ],
    good: [
      `
- name: no reinstalls
  identities: ["urn:v1:eu:identity:user:ab12-svc/*"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { deny: [{ action: "vps:apisvc:reinstall" }] }
  expiredAt: "2027-01-31T23:59:59Z"
- name: ann restarts servers
  identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { allow: [{ action: "vps:apisvc:reboot" }] }`,
      `
- name: no reinstalls
  identities: ["urn:v1:eu:identity:user:ab12-svc/*"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { deny: [{ action: "vps:apisvc:reinstall" }] }
  expiredAt: "2027-01-31T23:59:59Z"
- name: ann runs servers
  identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { allow: [{ action: "vps:*" }] }
  expiredAt: "2026-12-31T23:59:59Z"`,
    ],
  },
  check: {
    *policy(policy, context) {
      const { expiresAt, permissions, permissionsGroups } = policy
      if (!expiresAt || expiresAt.value < context.now || permissions.deny.length + permissionsGroups.length === 0) return
      const set = wholeSet(context)
      if (!set || (set.own.get(policy)?.denies ?? []).length === 0) return
      const { expiresAt: _, ...lasting } = policy
      const denies = (statementsOfVariant(lasting, context) ?? []).filter(({ effect }) => effect === 'deny')
      const known = nearby(denies, set.allows, set, () => false)
      // A pattern over identities speaks to everybody it matches.
      const others = denies.some(({ identities }) => identities.some(({ value }) => value.glob.pieces.length > 1)) ? set.allows.all : []
      const touched = [...new Set([...known, ...others])].filter((allow) =>
        denies.some((deny) => meeting(allow, deny) ?? known.includes(allow)),
      )
      if (touched.length === 0) return
      const present = set.side.denies.all.filter((deny) => denies.some((own) => speakOfTheSame(own, deny)))
      const allows = indexOf(touched)
      const outcome = firstGain(
        { ...set.side, allows, denies: indexOf(present) },
        { ...set.side, allows, denies: indexOf([...present, ...denies]) },
        { budget: 20_000 },
      )
      if (outcome.kind !== 'new') return
      const { region, statement } = outcome.gain
      const who = region.caller.self ?? region.caller.groups[0]
      const entry = statement.actions.find(({ value }) => covers(value, region.action))
      const denied = denies.flatMap(({ actions }) => actions).find(({ value }) => covers(value, region.action))
      const on = new Date(expiresAt.value).toISOString().slice(0, 10)
      yield {
        span: expiresAt.span,
        message: `after this deny expires on ${on}, ${quote(who?.text ?? '')} may ${quote(narrower(entry?.value, denied?.value, region.action))} on ${quote(boxText(region.box))}, for example`,
        help: 'let the grant expire instead of the deny, if that is not what is meant',
        related: [{ message: 'this grants it', span: entry?.span ?? statement.policy.name.span }],
      }
    },
  },
}

function narrower(granted: Glob | undefined, denied: Glob | undefined, both: Glob): string {
  if (!granted || !denied) return both.text
  return covers(granted, denied) ? denied.text : covers(denied, granted) ? granted.text : both.text
}
