import { covers, type Glob } from '../../glob.ts'
import { firstNewAccess } from '../../symbolic/covers.ts'
import { indexOf } from '../../symbolic/side.ts'
import type { Rule } from '../rule.ts'
import { boxText } from '../support/residual.ts'
import { quote } from '../support/text.ts'
import { haveSameSubject, meeting, nearby, statementsOfVariant, wholeSet } from '../support/whole-set.ts'

export const denyExpires: Rule = {
  code: 'deny-expires',
  section: 'expiry',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  precision: 'very-high',
  summary: 'A deny that expires, and then opens access.',
  why:
    'When the policy expires, something that is denied now becomes possible without anyone noticing. That is right for a holiday ' +
    'freeze; otherwise let the grant expire instead. Not reported if nothing becomes possible, because no policy grants what it denies ' +
    'or another one also denies it.',
  needs: 'expiry',
  *policy(policy, context) {
    const { expiresAt, permissions, permissionsGroups } = policy
    if (!expiresAt || context.clock.isAfter(expiresAt.value) || permissions.deny.length + permissionsGroups.length === 0) return
    const set = wholeSet(context)
    if (!set || (set.own.get(policy)?.denies ?? []).length === 0) return
    const { expiresAt: _, ...lasting } = policy
    const denies = (statementsOfVariant(lasting, context) ?? []).filter(({ effect }) => effect === 'deny')
    const nearbyAllows = nearby(denies, set.allows, set, () => false)
    // A pattern over identities applies to everybody it matches.
    const others = denies.some(({ identities }) => identities.some(({ value }) => value.glob.pieces.length > 1))
      ? set.allows.statements
      : []
    const touched = [...new Set([...nearbyAllows, ...others])].filter((allow) =>
      denies.some((deny) => meeting(allow, deny) ?? nearbyAllows.includes(allow)),
    )
    if (touched.length === 0) return
    const present = set.side.denies.statements.filter((deny) => denies.some((own) => haveSameSubject(own, deny)))
    const allows = indexOf(touched)
    const outcome = firstNewAccess(
      { ...set.side, allows, denies: indexOf(present) },
      { ...set.side, allows, denies: indexOf([...present, ...denies]) },
      { budget: 20_000 },
    )
    if (outcome.kind !== 'new') return
    const { region, statement } = outcome.newAccess
    const who = region.caller.self ?? region.caller.groups[0]
    const entry = statement.actions.find(({ value }) => covers(value, region.action))
    const denied = denies.flatMap(({ actions }) => actions).find(({ value }) => covers(value, region.action))
    const on = new Date(expiresAt.value).toISOString().slice(0, 10)
    yield {
      span: expiresAt.span,
      message: `after this deny expires on ${on}, ${quote(who?.text ?? '')} may ${quote(narrower(entry?.value, denied?.value, region.action))} on ${quote(boxText(region.box))}, for example`,
      help: 'let the grant expire instead of the deny, unless this is intended',
      related: [{ message: 'this grants it', span: entry?.span ?? statement.policy.name.span }],
    }
  },
}

function narrower(granted: Glob | undefined, denied: Glob | undefined, both: Glob): string {
  if (!granted || !denied) return both.text
  return covers(granted, denied) ? denied.text : covers(denied, granted) ? granted.text : both.text
}
