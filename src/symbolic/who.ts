import { matches } from '../glob.ts'
import type { PermissionSet, Policy, World } from '../policy.ts'
import type { Clause, Question } from '../simulate/decision.ts'
import { nothingAssumed, testHolds } from '../simulate/facts.ts'
import { inFileOrder } from '../simulate/reference.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { inResourceGroup } from '../world.ts'
import { always, type Formula } from './formula.ts'
import {
  allOf,
  anyOf,
  approximateReason,
  factsIn,
  inUnknownGroup,
  isNever,
  judgeOf,
  notSo,
  outcomeFormula,
  residueOf,
  unknownResourceGroups,
} from './known.ts'

/**
 * Who may do an action on a resource: `can`, asked for everybody at once (spec: command line, `who`). Whether somebody is
 * allowed rests on all identities that come with the request, the asker and its groups: some entry must allow one of
 * them, and none may deny one. So each pattern that policies write is one row, with what denies take away from it.
 */

/** What is asked: a question without the identity. `groups`: those that everybody is in who is asked about. */
export type Asked = Omit<Question, 'identity'>

/** Somebody in a row who is not allowed all the same. */
export interface Unless {
  readonly identity: string
  readonly condition: Formula
}

export interface WhoRow {
  /** As written in a policy, or as the inventory has it. */
  readonly identity: string
  /** `allow`: everybody in the row but those in `except` and `unless`. `unknown`: it depends on the condition. */
  readonly verdict: 'allow' | 'unknown'
  readonly reason: 'granted' | 'root' | 'unknown'
  /** What is left of the conditions once all that is known is put in. */
  readonly condition: Formula
  /** The facts that the condition looks at. */
  readonly missing: readonly string[]
  /** Who is denied: whoever matches one of these patterns, or is in a group that does. */
  readonly except: readonly string[]
  /** Who is denied under a condition. */
  readonly unless: readonly Unless[]
  /** The entries that grant it; for `unknown`, all that may decide. In file order. */
  readonly clauses: readonly Clause[]
  /** Somebody whom the inventory describes, with all groups: then nothing is taken away further. */
  readonly isKnown: boolean
  /** For somebody known: the groups by which it is allowed. */
  readonly groups: readonly string[]
}

/** Who is denied, whatever allows it; the owning account alone cannot be. */
export interface DeniedRow {
  readonly identity: string
  readonly verdict: 'deny' | 'unknown'
  readonly condition: Formula
  readonly missing: readonly string[]
  readonly clauses: readonly Clause[]
}

export interface Who {
  readonly who: readonly WhoRow[]
  readonly unknown: readonly WhoRow[]
  readonly denied: readonly DeniedRow[]
  /** False when others might be allowed as well, or less is told than holds: `reasons` say why. */
  readonly complete: boolean
  readonly reasons: readonly string[]
}

/** What one policy does to the question for those whom it names. */
interface Part {
  readonly policy: Policy
  readonly grants: { readonly formula: Formula; readonly clauses: readonly Clause[] }
  readonly denies: { readonly formula: Formula; readonly clauses: readonly Clause[] }
}

/** The parts about one written identity. */
interface Entry {
  readonly urn: IdentityUrn
  readonly grants: Part[]
  readonly denies: Part[]
}

/** How many exceptions are listed in all rows together: beyond, rows of one kind share theirs in `denied` alone. */
const mostExceptions = 500_000

/** Everybody who is allowed, each pattern with what is taken away from it. Exact; see `Who.complete`. */
export function who(world: World, asked: Asked): Who {
  const unknownPermissions = new Set<string>()
  const parts = partsOf(world, asked, unknownPermissions)
  const entries = entriesOf(parts)
  const { certainty, isApproximate } = judgeOf()

  const denied: (DeniedRow & { readonly urn: IdentityUrn })[] = []
  for (const { urn, denies } of entries.all) {
    if (denies.length === 0) continue
    const formula = anyOf(denies.map((part) => part.denies.formula))
    const sure = certainty(formula)
    if (sure === 'never') continue
    const condition = sure === 'always' ? always : formula
    denied.push({
      urn,
      identity: urn.text,
      verdict: sure === 'always' ? 'deny' : 'unknown',
      condition,
      missing: factsIn(condition),
      clauses: clausesOf(denies, 'denies', sure === 'always', certainty),
    })
  }
  denied.sort((a, b) => order(a.identity, b.identity))

  const given = asked.groups.flatMap((group) => entries.about(group))
  let left = mostExceptions
  const rowFor = (
    identity: string,
    about: readonly Entry[],
    open: IdentityUrn | undefined,
    groups: readonly string[],
  ): WhoRow | undefined => {
    const all = [...new Set([...about, ...given])]
    const grants = all.flatMap((entry) => entry.grants)
    const granted = anyOf(grants.map((part) => part.grants.formula))
    if (isNever(granted)) return undefined
    const denies = all.flatMap((entry) => entry.denies)
    const formula = allOf([granted, notSo(anyOf(denies.map((part) => part.denies.formula)))])
    const sure = certainty(formula)
    if (sure === 'never') return undefined
    const condition = sure === 'always' ? always : formula
    const except: string[] = []
    const unless: Unless[] = []
    if (open) {
      for (const row of denied) {
        if (!mayComeWith(open, row.urn) || all.some((entry) => entry.urn.text === row.identity)) continue
        if (--left < 0) break
        if (row.verdict === 'deny') except.push(row.identity)
        else if (certainty(allOf([formula, row.condition])) !== 'never') unless.push({ identity: row.identity, condition: row.condition })
      }
    }
    return {
      identity,
      verdict: sure === 'always' ? 'allow' : 'unknown',
      reason: sure === 'always' ? 'granted' : 'unknown',
      condition,
      missing: factsIn(condition),
      except: withoutNarrower(except),
      unless,
      clauses: [
        ...clausesOf(grants, 'grants', sure === 'always', certainty),
        ...(sure === 'always' ? [] : clausesOf(denies, 'denies', false, certainty)),
      ],
      isKnown: open === undefined,
      groups,
    }
  }

  const rows = new Map<string, WhoRow>()
  for (const { urn, grants } of entries.all) {
    // Whom the inventory describes is told of below; but a group stands for its members, whoever they are.
    if (grants.length === 0 || (urn.kind !== 'group' && world.identities.has(urn.text))) continue
    const row = rowFor(urn.text, entries.about(urn.text), urn, [])
    if (row) rows.set(row.identity, row)
  }
  for (const [text, { groups }] of world.identities) {
    const byGroup = groups.map((group) => ({ group, about: entries.about(group) }))
    const granting = byGroup.filter(({ about }) => about.some((entry) => entry.grants.length > 0)).map(({ group }) => group)
    const row = rowFor(text, [...entries.about(text), ...byGroup.flatMap(({ about }) => about)], undefined, [...new Set(granting)].sort())
    if (row && (granting.length > 0 || !rows.has(text))) rows.set(`${text} itself`, row)
  }
  const owner = asked.owner ?? world.resources.get(asked.resource)?.owner ?? world.account
  const root = owner === undefined ? undefined : rootRow(asked.resource, owner)
  if (root) {
    rows.delete(`${root.identity} itself`)
    rows.set(root.identity, root)
  }

  const reasons = [
    ...(owner === undefined ? ['the account that owns the resource is always allowed, and it is not known which one that is'] : []),
    ...[...unknownPermissions].sort().map((urn) => `permissions group \`${urn}\` is not known: it may allow or deny`),
    ...(isApproximate() ? [approximateReason] : []),
    ...(left < 0 ? ['there are too many exceptions to list them in each row: whoever is in `denied` is not allowed'] : []),
  ]
  const sorted = [...rows.values()].sort(
    (a, b) => Number(b.reason === 'root') - Number(a.reason === 'root') || order(a.identity, b.identity),
  )
  return {
    who: sorted.filter(({ verdict }) => verdict === 'allow'),
    unknown: sorted.filter(({ verdict }) => verdict === 'unknown'),
    denied: denied.map(({ urn: _, ...row }) => row),
    complete: reasons.length === 0,
    reasons,
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The owning account cannot be restricted (spec: policy language, section 3). It is the same account in each region; told is that of the resource. */
function rootRow(resource: string, owner: string): WhoRow {
  const region = resource.split(':')[2] ?? 'eu'
  return {
    identity: `urn:v1:${region}:identity:account:${owner}`,
    verdict: 'allow',
    reason: 'root',
    condition: always,
    missing: [],
    except: [],
    unless: [],
    clauses: [],
    isKnown: true,
    groups: [],
  }
}

/** Every policy that has a say, with the conditions under which it has. */
function partsOf(world: World, asked: Asked, unknownPermissions: Set<string>): readonly Part[] {
  const unknown = unknownResourceGroups(world.policies, world)
  const question: Question = { ...asked, identity: '' }
  const parts: Part[] = []
  for (const policy of world.policies) {
    if (policy.expiresAt && asked.at > policy.expiresAt.value) continue
    const grants: { formula: Formula; clauses: Clause[] }[] = []
    const denies: { formula: Formula; clauses: Clause[] }[] = []
    const add = (set: PermissionSet, group?: string) => {
      const hits = (list: 'allow' | 'deny') =>
        set[list]
          .filter(({ value }) => matches(value, asked.action))
          .map((entry): Clause => ({ policy, list, entry, ...(group !== undefined && { group }) }))
      const deny = hits('deny')
      if (deny.length > 0) denies.push({ formula: always, clauses: deny })
      const allow = hits('allow')
      if (allow.length > 0 && !set.except.some(({ value }) => matches(value, asked.action)))
        grants.push({ formula: always, clauses: allow })
    }
    add(policy.permissions)
    const missing: string[] = []
    for (const { value } of policy.permissionsGroups) {
      const group = world.permissionsGroups.get(value.text)
      if (group) add(group.permissions, value.text)
      else {
        grants.push({ formula: outcomeFormula(value.text, 'allow'), clauses: [] })
        denies.push({ formula: outcomeFormula(value.text, 'deny'), clauses: [] })
        missing.push(value.text)
      }
    }
    if (grants.length + denies.length === 0) continue
    const place = anyOf(
      policy.resources.map(({ value }): Formula => {
        if (value.kind === 'resource') return matches(value.glob, asked.resource) ? always : anyOf([])
        const member = inResourceGroup(world, value, asked.resource)
        return member === undefined ? inUnknownGroup(value, unknown) : member ? always : anyOf([])
      }),
    )
    if (isNever(place)) continue
    const when = allOf([place, residueOf(policy.condition, (test) => testHolds(test, world, question, nothingAssumed))])
    if (isNever(when)) continue
    for (const urn of missing) unknownPermissions.add(urn)
    const whole = (found: readonly { readonly formula: Formula; readonly clauses: readonly Clause[] }[]) => ({
      formula: allOf([when, anyOf(found.map(({ formula }) => formula))]),
      clauses: found.flatMap(({ clauses }) => clauses),
    })
    parts.push({ policy, grants: whole(grants), denies: whole(denies) })
  }
  return parts
}

interface Entries {
  readonly all: readonly Entry[]
  /** The entries that match a text, or cover a pattern. */
  readonly about: (text: string) => readonly Entry[]
}

/** The parts by the identities that they name. A pattern over identities has its only wildcard at its end. */
function entriesOf(parts: readonly Part[]): Entries {
  const byText = new Map<string, Entry>()
  const lengths = new Set<number>()
  for (const part of parts) {
    for (const { value } of part.policy.identities) {
      const entry = byText.get(value.text) ?? { urn: value, grants: [], denies: [] }
      byText.set(value.text, entry)
      if (value.text.endsWith('*')) lengths.add(value.text.length - 1)
      if (!isNever(part.grants.formula) && entry.grants.at(-1) !== part) entry.grants.push(part)
      if (!isNever(part.denies.formula) && entry.denies.at(-1) !== part) entry.denies.push(part)
    }
  }
  const about = (text: string) => {
    const found: Entry[] = []
    const own = byText.get(text)
    if (own) found.push(own)
    const end = text.endsWith('*') ? text.length - 1 : text.length
    for (const length of lengths) {
      if (length > end) continue
      const wider = byText.get(`${text.slice(0, length)}*`)
      if (wider && wider !== own) found.push(wider)
    }
    return found
  }
  return { all: [...byText.values()], about }
}

/**
 * Whether somebody in a row may bring another identity as well, other than by being covered by it: anybody may be in any
 * group, and whoever is in a group may be anybody; but nobody is two users.
 */
function mayComeWith(row: IdentityUrn, other: IdentityUrn): boolean {
  if (row.kind === 'group' || other.kind === 'group') return true
  return row.text.endsWith('*') && other.text.startsWith(row.text.slice(0, -1))
}

/** Those that no other one, with a wildcard at its end, covers. */
function withoutNarrower(texts: readonly string[]): readonly string[] {
  const patterns = new Set(texts.filter((text) => text.endsWith('*')))
  const lengths = new Set([...patterns].map((text) => text.length - 1))
  return texts.filter((text) => {
    for (const length of lengths) {
      const wider = `${text.slice(0, length)}*`
      if (length < text.length && wider !== text && patterns.has(wider)) return false
    }
    return true
  })
}

/** The written entries behind parts: where something is certain, those that make it so, if one alone does. */
function clausesOf(
  parts: readonly Part[],
  effect: 'grants' | 'denies',
  isSure: boolean,
  certainty: (formula: Formula) => string,
): readonly Clause[] {
  const once = [...new Set(parts)]
  const sure = isSure ? once.filter((part) => certainty(part[effect].formula) === 'always') : []
  return inFileOrder((sure.length > 0 ? sure : once).flatMap((part) => part[effect].clauses))
}
