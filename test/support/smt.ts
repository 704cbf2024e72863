import type { ConditionJson, PermissionsJson, WorldJson } from './worlds.ts'

/**
 * The question "does `after` allow a request that `before` does not?" for solvers of strings (SMT-LIB 2.6, theory of Unicode
 * strings), written from docs/semantics.md alone: names and patterns are regular expressions, comparisons free booleans.
 * A request has an identity, perhaps one group more, a resource and an action, all with legal names.
 */
export function differenceScript(before: WorldJson, after: WorldJson): string {
  const facts = new Set<string>()
  const [allowedAfter, allowedBefore] = [after, before].map((world) => allowed(world, facts))
  return [
    ...['identity', 'group', 'resource', 'action'].map((name) => `(declare-const ${name} String)`),
    ...[...facts].map((fact) => `(declare-const ${fact} Bool)`),
    `(assert (str.in_re identity ${legal.identity}))`,
    // The second member is a group, or there is none.
    `(assert (or (= group identity) (str.in_re group ${legal.group})))`,
    `(assert (str.in_re resource ${legal.resource}))`,
    `(assert (str.in_re action ${legal.action}))`,
    `(assert ${allowedAfter})`,
    `(assert (not ${allowedBefore}))`,
  ].join('\n')
}

const text = (value: string) => `"${value.replaceAll('"', '""')}"`
const literal = (value: string) => `(str.to_re ${text(value)})`
const range = (from: string, to: string) => `(re.range "${from}" "${to}")`
const joined = (...parts: string[]) => (parts.length === 1 ? (parts[0] as string) : `(re.++ ${parts.join(' ')})`)
const either = (...parts: string[]) => (parts.length === 1 ? (parts[0] as string) : `(re.union ${parts.join(' ')})`)
const some = (one: string) => `(re.+ ${one})`
const any = (one: string) => `(re.* ${one})`

/**
 * Letters of names: a few, with some that no pattern names. By the lemma of the fresh letter (docs/analysis.md) these show every
 * difference, and solvers find a name sooner than among all printable letters.
 */
const lower = range('a', 'z')
const letter = lower
const alphanumeric = lower
const inSegment = lower
const solid = either(lower, literal('2'), literal('-'))
const printable = either(solid, literal(' '), literal(':'), literal('/'))
const name = either(solid, joined(solid, any(printable), solid))
const accountLetter = lower
const region = either(literal('eu'), literal('ca'))
const head = (word: string) => joined(literal('urn:v1:'), region, literal(`:${word}:`))
const typeWord = lower

/** The shapes of names (docs/semantics.md, Names). */
const legal = {
  identity: joined(
    head('identity'),
    either(
      joined(either(literal('user:'), literal('group:'), literal('credential:')), some(accountLetter), literal('/'), name),
      joined(literal('account:'), some(accountLetter)),
    ),
  ),
  group: joined(head('identity'), literal('group:'), some(accountLetter), literal('/'), name),
  resource: joined(head('resource'), letter, any(typeWord), any(joined(literal('/'), some(typeWord))), literal(':'), name),
  action: joined(
    lower,
    any(alphanumeric),
    literal(':'),
    letter,
    any(alphanumeric),
    literal(':'),
    some(inSegment),
    any(joined(literal('/'), some(inSegment))),
    `(re.opt ${joined(literal('?'), any(printable))})`,
  ),
}

function matching(subject: string, pattern: string): string {
  const parts = pattern.split('*')
  if (parts.length === 1) return `(= ${subject} ${text(pattern)})`
  const pieces = parts.flatMap((part, i) => [...(i > 0 ? ['re.all'] : []), ...(part === '' ? [] : [literal(part)])])
  return `(str.in_re ${subject} ${joined(...pieces)})`
}

const or = (parts: string[]) => (parts.length === 0 ? 'false' : parts.length === 1 ? (parts[0] as string) : `(or ${parts.join(' ')})`)
const and = (parts: string[]) => (parts.length === 0 ? 'true' : parts.length === 1 ? (parts[0] as string) : `(and ${parts.join(' ')})`)

function allowed(world: WorldJson, facts: Set<string>): string {
  const groups = new Map(world.permissionsGroups.map(({ urn, permissions }) => [urn, permissions]))
  const grants: string[] = []
  const denies: string[] = []
  for (const policy of world.policies) {
    const applies = [
      or(policy.identities.flatMap((each) => [matching('identity', each), matching('group', each)])),
      or(policy.resources.map(({ urn }) => about(urn, world))),
      ...(policy.conditions ? [holds(policy.conditions, facts)] : []),
    ]
    const named = (policy.permissionsGroups ?? []).map(({ urn }) => groups.get(urn))
    for (const set of [policy.permissions, ...named]) {
      if (!set) throw new Error('a permissions group that the world does not describe')
      const hits = (list: keyof PermissionsJson) => or((set[list] ?? []).map(({ action }) => matching('action', action)))
      grants.push(and([...applies, hits('allow'), `(not ${hits('except')})`]))
      denies.push(and([...applies, hits('deny')]))
    }
  }
  return `(and ${or(grants)} (not ${or(denies)}))`
}

function about(urn: string, { resourceGroups }: WorldJson): string {
  if (!urn.includes(':resourceGroup:')) return matching('resource', urn)
  const group = resourceGroups.find((each) => each.urn === urn)
  if (!group) throw new Error(`the world describes no group ${urn}`)
  return or(group.resources.map((member) => `(= resource ${text(member.urn ?? '')})`))
}

/** Comparisons are booleans of their own, the same where the same is written. */
function holds({ operator, conditions = [], values = {} }: ConditionJson, facts: Set<string>): string {
  const below = () => conditions.map((each) => holds(each, facts))
  switch (operator) {
    case 'MATCH':
      return and(
        Object.entries(values).map(([key, value]) => {
          const fact = `|${key}=${value}|`
          facts.add(fact)
          return fact
        }),
      )
    case 'AND':
      return and(below())
    case 'OR':
      return or(below())
    case 'NOT':
      return `(not ${or(below())})`
    default:
      throw new Error(operator)
  }
}
