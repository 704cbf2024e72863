import { PoliciesByIdentity } from '../diff/causes.ts'
import { glob, isPattern, matches } from '../glob.ts'
import { isSlip } from '../nearest.ts'
import type { Policy, World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Decision, Question, Verdict } from '../simulate/decision.ts'
import { combine, traces } from '../simulate/reference.ts'
import type { Span } from '../source.ts'
import { type Entry, entriesOf, globOf, type List, withEntries } from '../symbolic/entries.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResource, readResourcePattern } from '../urn/resource.ts'
import { resourceGroupOf } from '../world.ts'
import { type Asking, applied, joined, nothing, type Plan } from './plan.ts'
import { freshName, plansAgainst, turnedPlans } from './withdraw.ts'
import { expiryText } from './write.ts'

/** How many plans of one kind are looked at more closely: those that look the narrowest. */
const mostOfAKind = 3

/** Plans by which a question that is denied today would be allowed, each one tried on the policies as they are understood. */
export function plansToAllow(world: World, question: Asking, today: Decision): readonly Plan[] {
  const unblocking = today.reason === 'denied' ? plansAgainst(world, question, today) : [nothing]
  const rows = unblocking.flatMap((first) => withoutPossibleDenies(world, question, first)).map((first) => granting(world, question, first))
  // Every way to lift the deny is tried before further ways to grant what is asked.
  const longest = rows.reduce((most, { length }) => Math.max(most, length), 0)
  return Array.from({ length: longest }, (_, i) => rows.flatMap((row) => row[i] ?? [])).flat()
}

/** Plans after which nothing denies a question for certain, and the answer depends on what is not known. */
export function plansToEnd(world: World, question: Asking, today: Decision): readonly Plan[] {
  if (today.reason !== 'denied') return []
  return plansAgainst(world, question, today).filter((plan) => decide(applied(world, plan), question).verdict === 'unknown')
}

/** A plan, and where something may still deny it, the plan with that taken away too. */
function withoutPossibleDenies(world: World, question: Asking, first: Plan): readonly Plan[] {
  const open = applied(world, first)
  const now = decide(open, question)
  const denies = now.verdict === 'unknown' ? now.clauses.filter(({ list }) => list === 'deny') : []
  return denies.length === 0 ? [first] : plansAgainst(open, question, { ...now, clauses: denies }).map((plan) => joined(first, plan))
}

/** A plan by itself if it is enough, else with each way to grant what is asked. */
function granting(world: World, question: Asking, first: Plan): readonly Plan[] {
  const open = applied(world, first)
  const { verdict, reason } = decide(open, question)
  if (verdict === 'allow') return [first]
  if (reason === 'denied') return []
  const plans = [
    ...corrections(open, question, 'allow'),
    newPolicy(world, question, 'allow'),
    ...variants(open, question, 'allow', first),
    ...joinings(open, question, 'allow'),
  ]
  return plans.map((plan) => joined(first, plan))
}

/** Plans by which a question that is allowed today would be denied. */
export function plansToDeny(world: World, question: Asking, today: Decision): readonly Plan[] {
  return [
    ...corrections(world, question, 'deny'),
    newPolicy(world, question, 'deny'),
    ...plansAgainst(world, question, today),
    ...variants(world, question, 'deny', nothing),
    ...joinings(world, question, 'deny'),
  ]
}

/** Plans that correct an entry which is probably meant to be what is asked about, of whichever list: the narrowest policies. */
function corrections(world: World, question: Asking, wanted: 'allow' | 'deny'): readonly Plan[] {
  const meant = meantBy(world, question)
  const lists = [wanted, 'identities', 'resources'] as const
  return world.policies
    .filter(({ readOnly }) => !readOnly)
    .flatMap((policy) => lists.flatMap((list) => correction(policy, list, meant, world, question, wanted) ?? []))
    .sort((a, b) => a.width - b.width)
    .slice(0, mostOfAKind)
    .map(({ plan }) => plan)
}

/** The plan that corrects one entry of a list of a policy, if the policy then says what is wanted, and how wide the policy is. */
function correction(
  policy: Policy,
  list: 'allow' | 'deny' | 'identities' | 'resources',
  meant: ReturnType<typeof meantBy>,
  world: World,
  question: Asking,
  wanted: 'allow' | 'deny',
) {
  const entries: readonly Entry[] = entriesOf(policy, list)
  for (const [i, { value, span }] of entries.entries()) {
    const corrected = meant[list === 'allow' || list === 'deny' ? 'actions' : list](value.text)
    if (!corrected) continue
    const now = withEntries(policy, list, entries.with(i, { value: corrected, span }))
    if (!isSaidBy(now, world, question, wanted)) return undefined
    const edit = { kind: 'correct', policy, list, text: corrected.text, misspelt: value.text, span } as const
    return { plan: { edits: [edit], revision: new Map([[policy, now]]) }, width: widthOf(now, 0) }
  }
  return undefined
}

/** For each kind of entries, the part of a question that a misspelt one probably means; undefined where that cannot be said. */
function meantBy(world: World, { identity, action, resource, groups, intended }: Asking) {
  const { resources, identities } = world
  const inventory = identities.get(identity)
  // An inventory also describes the groups that it puts identities into.
  const isDescribed = (urn: string) => identities.has(urn) || [...identities.values()].some((each) => each.groups.includes(urn))
  const names = [identity, ...groups, ...(inventory?.groups ?? [])].filter(isDescribed).map(slipsOf)
  const nameOfResource = resources.has(resource) ? slipsOf(resource) : undefined
  return {
    actions: (text: string) =>
      // A correction of an action would drop a parameter, and with it the limit that it sets.
      text !== action && !/[*?]/.test(text) && intended(text) === action ? glob(action) : undefined,
    identities(text: string) {
      const name = names.find(({ isSlipped }) => isSlipped(text))
      return name && !isDescribed(text) ? readIdentity(name.urn, { pattern: false }).value : undefined
    },
    resources(text: string) {
      const isSlipOfResource = nameOfResource?.isSlipped(text) && !resources.has(text)
      const corrected = readResourcePattern(isSlipOfResource ? resource : (intended(text) ?? '')).value
      return corrected && matches(globOf({ value: corrected }), resource) ? corrected : undefined
    },
  }
}

/** A URN, and whether others differ from it as a slip makes names differ, and in nothing else. Other numbers are other things: `web-1`, `web-2`. */
function slipsOf(urn: string): { readonly urn: string; readonly isSlipped: (text: string) => boolean } {
  const { name = '' } = readIdentity(urn, { pattern: false }).value ?? readResource(urn, { pattern: false }).value ?? {}
  const kind = urn.slice(0, urn.length - name.length)
  const numbersIn = (text: string) => text.replaceAll(/\D+/g, ' ')
  return {
    urn,
    isSlipped(text) {
      const own = text.slice(kind.length)
      return text.startsWith(kind) && own !== name && !own.includes('*') && isSlip(own, name) && numbersIn(own) === numbersIn(name)
    },
  }
}

/** How many groups are tried. */
const mostGroups = 40

/** Plans by which the identity, or the resource, joins a group that policies name: those that fewest policies are about. */
function joinings(world: World, question: Question, wanted: 'allow' | 'deny'): readonly Plan[] {
  const { identity, resource } = question
  const who = readIdentity(identity, { pattern: false }).value
  const members = [...question.groups, ...(world.identities.get(identity)?.groups ?? [])]
  const groups = { identity: new Map<string, number>(), resource: new Map<string, number>() }
  const note = (counts: Map<string, number>, group: string) => counts.set(group, (counts.get(group) ?? 0) + 1)
  for (const policy of world.policies) {
    for (const { value } of policy.identities) {
      const isOpen = value.kind === 'group' && !isPattern(value.glob) && value.account === who?.account && !members.includes(value.text)
      if (isOpen && (who?.kind === 'user' || who?.kind === 'credential')) note(groups.identity, value.text)
    }
    for (const { value } of policy.resources) {
      const group = value.kind === 'group' && !isPattern(value.glob) ? resourceGroupOf(world, value.text) : undefined
      if (group && !group.members.has(resource)) note(groups.resource, group.urn.value)
    }
  }
  const policies = new PoliciesByIdentity(world)
  return (['identity', 'resource'] as const).flatMap((of) => {
    const member = of === 'identity' ? identity : resource
    const plans = [...groups[of]]
      .sort(([, a], [, b]) => a - b)
      .slice(0, mostGroups)
      .map(([group]): Plan => {
        const span = of === 'identity' ? world.identities.get(identity)?.urn.span : resourceGroupOf(world, group)?.urn.span
        return {
          edits: [{ kind: 'join', list: of === 'identity' ? 'identities' : 'resources', text: member, group, ...(span && { span }) }],
          revision: new Map(),
          memberships: [{ of, member, group, isMember: true }],
        }
      })
    // A policy about others has no say.
    const about = (plan: Plan) => {
      const joined = of === 'identity' ? (plan.memberships ?? []).map(({ group }) => group) : []
      return { ...applied(world, plan), policies: policies.of({ identity, groups: [...question.groups, ...joined] }) }
    }
    return plans.filter((plan) => decide(about(plan), question).verdict === wanted).slice(0, mostOfAKind)
  })
}

/** Plans that edit one policy so that it allows, or denies, what is asked: the narrowest of each kind. `before`: what is done first. */
function variants(world: World, question: Asking, wanted: 'allow' | 'deny', before: Plan): readonly Plan[] {
  const candidates: { readonly kind: number; readonly width: number; readonly plan: Plan }[] = []
  const touched = new Set([...before.revision.values()])
  for (const policy of world.policies) {
    if (policy.readOnly || touched.has(policy)) continue
    const says = wanted === 'deny' ? policy.permissions.deny.length > 0 : policy.permissions.allow.length > 0
    const plans = [...editsOf(policy, question, wanted), ...widenings(policy, world, question, wanted)]
    for (const [i, plan] of plans.entries()) {
      const kind = Math.min(i, 6)
      const now = plan?.revision.get(policy)
      if (!plan || !now || (!says && kind < 3)) continue
      const turns = verdictBy(now, world, question) === wanted && verdictBy(policy, world, question) !== wanted
      if (turns || (wanted === 'deny' && isDenied(now, world, question))) candidates.push({ kind, width: widthOf(now, kind), plan })
    }
  }
  return [6, 5, 0, 1, 2, 3, 4].flatMap((kind) =>
    candidates
      .filter((each) => each.kind === kind)
      .sort((a, b) => a.width - b.width)
      .slice(0, mostOfAKind)
      .map(({ plan }) => plan),
  )
}

function verdictBy(policy: Policy, world: World, question: Question): Verdict | 'silent' {
  const { verdict, reason } = combine(traces({ ...world, policies: [policy] }, question))
  return reason === 'default' ? 'silent' : verdict
}

/** Whether a policy by itself says what is wanted. */
function isSaidBy(policy: Policy, world: World, question: Question, wanted: 'allow' | 'deny'): boolean {
  return wanted === 'allow' ? verdictBy(policy, world, question) === 'allow' : isDenied(policy, world, question)
}

function isDenied(policy: Policy, world: World, question: Question): boolean {
  return combine(traces({ ...world, policies: [policy] }, question)).reason === 'denied'
}

/** The ways to widen a condition that does not hold, of a policy that says what is wanted without it. */
function widenings(policy: Policy, world: World, question: Asking, wanted: 'allow' | 'deny'): readonly Plan[] {
  const { condition, ...free } = policy
  if (!condition || !isSaidBy(free, world, question, wanted)) return []
  return turnedPlans(policy, true, world, question).map(({ plan }) => plan)
}

/** The ways to edit one policy, at fixed indices: its actions, resources, identities, what it excepts, its expiry gone or later. */
function editsOf(policy: Policy, question: Asking, wanted: 'allow' | 'deny'): readonly (Plan | undefined)[] {
  const { identity, action, resource, at } = question
  const who = readIdentity(identity, { pattern: false }).value
  const what = readResourcePattern(resource).value
  const excepted = policy.permissions.except.filter(({ value }) => matches(value, action))
  const { expiresAt, ...lasting } = policy
  return [
    adding(policy, wanted, { value: glob(action), span: policy.span }),
    what && adding(policy, 'resources', { value: what, span: policy.span }),
    who && adding(policy, 'identities', { value: who, span: policy.span }),
    excepted.length === 0 || wanted === 'deny'
      ? undefined
      : {
          edits: excepted.map((entry) => ({ kind: 'remove', policy, list: 'except', text: entry.value.text, span: entry.span })),
          revision: new Map([
            [
              policy,
              withEntries(
                policy,
                'except',
                policy.permissions.except.filter((entry) => !excepted.includes(entry)),
              ),
            ],
          ]),
        },
    expiresAt === undefined || at <= expiresAt.value
      ? undefined
      : { edits: [{ kind: 'remove-expiry', policy, span: expiresAt.span }], revision: new Map([[policy, lasting]]) },
    expiresAt === undefined || at <= expiresAt.value || !question.isMoment ? undefined : expiring(policy, endOfDay(at), expiresAt.span),
  ]
}

function expiring(policy: Policy, instant: number, span: Span): Plan {
  return {
    edits: [{ kind: 'extend-expiry', policy, text: expiryText(instant), span }],
    revision: new Map([[policy, { ...policy, expiresAt: { value: instant, span } }]]),
  }
}

/** The last second of a day in UTC, or of the next one where it has passed. */
const endOfDay = (at: number) => Math.ceil((at + 1000) / 86_400_000) * 86_400_000 - 1000

function adding(policy: Policy, list: List, entry: Entry): Plan {
  const entries = entriesOf(policy, list)
  return {
    edits: [{ kind: 'add', policy, list, text: entry.value.text, span: entries.at(-1)?.span ?? policy.name.span }],
    revision: new Map([[policy, withEntries(policy, list, [...entries, entry])]]),
  }
}

/** How much a policy is about, apart from the list that was added to: a rough measure, to look at the narrowest first. */
function widthOf(policy: Policy, kind: number): number {
  const width = (list: List) => entriesOf(policy, list).reduce((sum, entry) => sum + (isPattern(globOf(entry)) ? 10 : 1), 0)
  const added = (['allow', 'resources', 'identities'] as const)[kind]
  return (['identities', 'resources', 'allow'] as const).reduce((product, list) => product * (added === list ? 1 : 1 + width(list)), 1)
}

/** A policy that says what is asked and nothing else. */
function newPolicy(world: World, { identity, action, resource }: Question, wanted: 'allow' | 'deny'): Plan {
  const words = [wanted, identity.slice(identity.search(/[^:/]*$/)), action.slice(action.search(/[^:/]*$/))]
  const name = freshName(words.map((word) => word.replace(/[^A-Za-z0-9 _.-]+/g, '-')).join(' '), world)
  return {
    edits: [{ kind: 'new-policy', text: name }],
    revision: new Map(),
    added: [{ fields: { name, identities: [identity], resources: [{ urn: resource }], permissions: { [wanted]: [{ action }] } } }],
  }
}
