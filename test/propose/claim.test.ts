import { expect, test } from 'vitest'
import { Budget } from '../../src/budget.ts'
import type { World } from '../../src/policy.ts'
import { type ClaimKind, claimOf, type GrantTime, type RefusedAccess } from '../../src/propose/claim.ts'
import type { PolicyFields } from '../../src/propose/fields.ts'
import { grantEdit } from '../../src/propose/grant-policy.ts'
import { newFileText } from '../../src/propose/place.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { effort } from '../support/effort.ts'
import { generate, pick, questionOf, type Random, randomOf, worldOfTexts } from '../support/worlds.ts'

/** Changes that a proposal claims, against decisions. */

const day = 86_400_000

/** An edit as it is proposed, or with a mistake in it by which it may grant more. */
const mistakes: readonly ((fields: PolicyFields) => PolicyFields)[] = [
  (fields) => ({ ...fields, resources: [{ urn: 'urn:v1:eu:resource:*' }] }),
  (fields) => ({ ...fields, permissions: { allow: [{ action: '*' }] } }),
  ({ identities, ...fields }) => ({ ...fields, identities: [String((identities as string[])[0]).replace(/[^/]+$/, '*')] }),
  (fields) => ({ ...fields, expiredAt: '2199-01-01T00:00:00Z' }),
  ({ expiredAt: _, ...fields }) => fields,
  (fields) => ({ ...fields, permissions: { deny: [{ action: '*' }] } }),
]

/** Requests like a refused one: some are of the refused access, and others differ in a name or are made too late. */
function near(random: Random, asked: Question, others: readonly Question[], { from, expires = from }: GrantTime): Question {
  const other = () => pick(random, others)
  const at = pick(random, [from, from + 1, Math.floor((from + expires) / 2), expires, expires + 1, expires + 400 * day])
  const roll = random()
  const { ip: _, tags: __, ...bare } = asked
  const isGiven = random() < 0.8
  const [ip, tags] = isGiven ? [other().ip ?? asked.ip, other().tags ?? asked.tags] : []
  const base = { ...bare, at, ...(ip && { ip }), ...(tags && { tags }) }
  if (roll < 0.55) return base
  if (roll < 0.65) return { ...base, identity: other().identity, groups: other().groups }
  if (roll < 0.75) return { ...base, action: other().action }
  if (roll < 0.85) return { ...base, resource: other().resource }
  return { ...other(), at }
}

/** A question that does not contradict the tags that a world describes. */
function inWorld(question: Question, { resources }: World): Question {
  const known = resources.get(question.resource)?.tags
  return question.tags && known ? { ...question, tags: known } : question
}

test('is exact only where every refused request is allowed, and nothing else differs', async () => {
  const seen: Record<ClaimKind, number> = { exact: 0, narrower: 0, wider: 0, undecided: 0 }
  const random = randomOf(2403)
  let missed = 0
  for (let n = effort(4_000, 160); n > 0; n--) {
    const { world: written, questions } = generate(random, 12)
    const text = JSON.stringify(written)
    const before = worldOfTexts([text])
    const all = questions.map((each) => inWorld(questionOf(each), before))
    const refused = all.filter((question) => decide(before, question).verdict === 'deny')
    const [first] = refused
    if (!first || first.identity.includes(':account:')) continue
    const access: RefusedAccess = { identity: first.identity, questions: [first] }
    const time: GrantTime = { from: first.at, expires: Math.floor(first.at / 1000) * 1000 + 3 * day }
    const edit = grantEdit(before, access, time, 'For a call')
    if (edit.kind !== 'new-policies') continue
    const mistake = random() < 0.5 ? pick(random, mistakes) : undefined
    const policies = mistake ? edit.policies.map(mistake) : edit.policies
    const after = worldOfTexts([text, newFileText(policies, 'json')])
    const claim = await claimOf(before, after, access, time, { run: new Budget(), complete: async (difference) => difference })
    seen[claim.kind]++
    const isRefused = ({ identity, action, resource, at }: Question) =>
      identity === first.identity && action === first.action && resource === first.resource && at <= (time.expires as number)
    if (first.identity.includes(':group:')) expect(claim.kind).not.toBe('exact')
    let differs = false
    for (let i = 0; i < 40; i++) {
      const question = inWorld(near(random, first, all, time), before)
      if (question.at < time.from) continue
      const [then, now] = [decide(before, question).verdict, decide(after, question).verdict]
      const shown = { written, policies, question, then, now, kind: claim.kind }
      if (!isRefused(question)) {
        differs ||= (then === 'allow') !== (now === 'allow')
        if (claim.kind === 'exact' || claim.kind === 'narrower') expect({ ...shown, now }).toEqual({ ...shown, now: then })
      } else if (claim.kind === 'exact' && String(question.groups) === String(first.groups))
        expect(shown).toEqual({ ...shown, now: 'allow' })
    }
    if (!mistake && !first.identity.includes(':group:')) expect(claim.kind).not.toBe('wider')
    if (differs && claim.kind !== 'wider') missed++
  }
  expect(missed).toBe(0)
  expect(Math.min(seen.exact, seen.narrower, seen.wider)).toBeGreaterThan(0)
})
