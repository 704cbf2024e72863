import { pushTo } from '../../collections.ts'
import { isPattern, matches } from '../../glob.ts'
import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { quote } from '../support/text.ts'

/** With fewer resources, a pattern that matches them all means little. */
const leastKnown = 3

export const effectivelyEverything: Rule = {
  code: 'effectively-everything',
  section: 'resources',
  severity: 'warning',
  preset: 'strict',
  security: 4,
  precision: 'medium',
  summary: 'Resource patterns that together match every known resource of a type.',
  why:
    'The entries look like a selection, but include every resource of the type in the inventory. Write `*` if that is intended; ' +
    'otherwise one of the patterns is too wide. Only types with at least three resources in the inventory are checked.',
  *world(context) {
    const { world } = context
    if (world.resources.size === 0) return
    const byType = new Map<string, string[]>()
    for (const [urn, { mentioned }] of world.resources) {
      if (mentioned) continue
      const key = urn.split(':', 5).join(':')
      pushTo(byType, key, urn)
    }
    for (const policy of world.policies) {
      if (!mayGrant(policy, world)) continue
      const patterns = new Map<string, (typeof policy.resources)[number][]>()
      for (const entry of policy.resources) {
        const { value } = entry
        if (value.kind === 'group' || !isPattern(value.glob) || value.type.includes('*') || value.name === '') continue
        const key = `urn:v1:${value.region}:resource:${value.type}`
        pushTo(patterns, key, entry)
      }
      for (const [key, entries] of patterns) {
        const knownUrns = byType.get(key) ?? []
        const [first, ...others] = entries
        // A plain `*` is intended.
        if (!first || knownUrns.length < leastKnown || entries.some(({ value }) => value.text === `${key}:*`)) continue
        if (!spend(context, 'effectively-everything', knownUrns.length * entries.length, 5_000_000)) return
        if (!knownUrns.every((urn) => entries.some(({ value }) => matches(value.glob, urn)))) continue
        yield {
          span: first.span,
          message: `${others.length === 0 ? 'this matches' : `this and ${others.length === 1 ? 'another entry' : `${others.length} other entries`} match`} all ${knownUrns.length} resources of type ${quote(key.slice(key.lastIndexOf(':') + 1))} in the inventory`,
          help: `write ${quote(`${key}:*`)} if every resource is intended, otherwise narrow the pattern`,
          ...(others.length > 0 && { related: others.map(({ span }) => ({ message: 'matches some of them', span })) }),
        }
      }
    }
  },
}
