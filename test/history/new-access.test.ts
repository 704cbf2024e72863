import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { Budget } from '../../src/budget.ts'
import { diff } from '../../src/diff/diff.ts'
import { partOf } from '../../src/history/finding-parts.ts'
import { NewAccess } from '../../src/history/new-access.ts'
import type { Policy } from '../../src/policy.ts'
import { accessRules } from '../../src/rules/access.ts'
import { rules } from '../../src/rules/index.ts'
import { decide } from '../../src/simulate/decide.ts'
import { ActionsByType } from '../../src/symbolic/described.ts'
import { effort } from '../support/effort.ts'
import { generate, pick, randomOf, usualKnobs, type WorldJson, worldOf } from '../support/worlds.ts'

/** Whether the access of an entry is new agrees with `diff`, and with deciding requests. */

const catalogue = loadCatalogue()
const actions = new ActionsByType(catalogue)
const from = Date.parse('2020-01-01T00:00:00Z')

/** An edit as branches make them: of policies, of groups, of tags. */
function edited(written: WorldJson, random: () => number): WorldJson {
  const { policies, identities, resources } = written
  const place = Math.floor(random() * policies.length)
  switch (pick(random, ['remove', 'none', 'identity', 'allow', 'groups', 'rename', 'condition', 'tags'] as const)) {
    case 'remove':
      return { ...written, policies: policies.filter((_, i) => i !== place) }
    case 'identity':
      return {
        ...written,
        policies: policies.map((each, i) =>
          i === place ? { ...each, identities: [...each.identities, 'urn:v1:eu:identity:user:ab12-svc/new'] } : each,
        ),
      }
    case 'allow':
      return {
        ...written,
        policies: policies.map((each, i) =>
          i === place
            ? { ...each, permissions: { ...each.permissions, allow: [...(each.permissions.allow ?? []), { action: 'vps:*' }] } }
            : each,
        ),
      }
    case 'groups':
      return { ...written, identities: identities.map((each) => ({ ...each, groups: [] })) }
    case 'rename':
      return { ...written, policies: policies.map((each, i) => ({ ...each, name: `renamed ${i}` })).reverse() }
    case 'condition':
      return { ...written, policies: policies.map((each, i) => (i === place ? (({ conditions: _, ...rest }) => rest)(each) : each)) }
    case 'tags':
      return { ...written, resources: resources.map(({ tags: _, ...each }) => each) }
    default:
      return written
  }
}

const entriesOf = (policy: Policy) => policy.permissions.allow.map(({ value }) => ({ list: 'allow' as const, text: value.text }))

test('the page lists the rules about access', () => {
  const page = readFileSync(new URL('../../docs/history.md', import.meta.url), 'utf8')
  const [, listed = ''] = /^- Rules about access are those .*? except `always`, and ([\s\S]*?)\. A finding of/m.exec(page) ?? []
  expect([...listed.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code)).toEqual(accessRules)
  // Each is a rule.
  const codes = new Set<string>(rules.map(({ code }) => code))
  expect(accessRules.filter((code) => !codes.has(code))).toEqual([])
})

test('the access of a member who comes to a group is new in every policy for the group, and in no other one', () => {
  const [ann, web, ops] = ['user:ab12-svc/ann', 'group:ab12-svc/web', 'group:ab12-svc/ops'].map((each) => `urn:v1:eu:identity:${each}`)
  const policy = (name: string, identity: string | undefined) => ({
    name,
    identities: [identity],
    resources: [{ urn: 'urn:v1:eu:resource:vps:a' }],
    permissions: { allow: [{ action: `vps:apisvc:${name}` }] },
  })
  const policies = [policy('get', web), policy('reboot', 'urn:v1:eu:identity:group:ab12-svc/w*'), policy('terminate', ops)]
  const [before, now] = [[], [web]].map((groups) =>
    worldOf({ policies, identities: [{ urn: ann, groups }], resources: [{ urn: 'urn:v1:eu:resource:vps:a' }] }),
  ) as [ReturnType<typeof worldOf>, ReturnType<typeof worldOf>]
  const access = new NewAccess(before, now, actions, { from, run: new Budget() })
  const kinds = now.policies.flatMap((each) => entriesOf(each).map((entry) => access.of(partOf(each, entry)).kind))
  expect(kinds).toEqual(['new', 'new', 'old'])
})

test('nothing is new where diff finds no new access; what is new is shown by a request that only the later policies allow', () => {
  const met = { new: 0, old: 0, undecided: 0, none: 0 }
  for (let seed = 1; seed <= effort(600, 120); seed++) {
    const random = randomOf(seed)
    const { world: written, questions } = generate(random, 12, usualKnobs)
    const [before, now] = [worldOf(written), worldOf(edited(written, random))]
    const access = new NewAccess(before, now, actions, { from, run: new Budget() })
    const difference = diff(before, now, { described: actions, within: { from } })
    const hasNewAccess = difference.gained.length + (difference.described?.gained.length ?? 0) > 0
    const isOpen = difference.undecided.some(({ side }) => side === 'gained') || difference.described?.undecided === true
    if (!hasNewAccess && !isOpen) met.none++
    for (const policy of now.policies)
      for (const entry of entriesOf(policy)) {
        const part = partOf(policy, entry)
        const found = access.of(part)
        met[found.kind]++
        if (!hasNewAccess && !isOpen) expect(found.kind, `seed ${seed}`).toBe('old')
        if (found.kind === 'new') {
          const { question } = found
          expect(hasNewAccess, `seed ${seed}`).toBe(true)
          expect(decide(now, question).verdict, `seed ${seed}`).not.toBe('deny')
          expect(decide(before, question).verdict, `seed ${seed}`).not.toBe('allow')
        }
        if (found.kind !== 'old') continue
        // No request that the entry allows by itself, and that is allowed now, was not allowed before.
        const alone = { ...now, policies: [{ ...part, permissions: { ...part.permissions, deny: [] } }] }
        for (const each of questions) {
          const question = {
            identity: each.identity,
            action: each.action,
            resource: each.resource,
            at: Date.parse(each.at),
            groups: each.groups ?? [],
          }
          if (question.at < from || decide(alone, question).verdict !== 'allow' || decide(now, question).verdict !== 'allow') continue
          expect(decide(before, question).verdict, `seed ${seed}, ${JSON.stringify(each)}`).not.toBe('deny')
        }
      }
  }
  expect(met.new).toBeGreaterThan(effort(600, 120) / 4)
  expect(met.old).toBeGreaterThan(effort(600, 120))
  expect(met.none).toBeGreaterThan(0)
})
