import { type AddressRange, blocksOf, printAddress, printRange } from '../conditions/address.ts'
import { isEnumerated, matchTypes, type NumberSet, type StringSet } from '../conditions/sets.ts'
import type { Test } from '../conditions/test.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { type Glob, isPattern } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Condition, PermissionSet, Policy, World } from '../policy.ts'
import { position, type Span } from '../source.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import type { ResourceGroupUrn, ResourceUrn } from '../urn/resource.ts'
import { resourceGroupOf } from '../world.ts'
import { all, any, type Expression, likePattern, list, negated, printed, printedLines, quoted, unit } from './cedar-text.ts'

/**
 * Policies in Cedar's notation. Every condition is translated twice: to a lower bound (`certainly`) for `permit`, and to an upper
 * bound (`possibly`) for `forbid`. They differ only where a fact may be missing. So Cedar allows exactly what three-valued logic
 * allows for certain, and a missing fact never lifts a denial (docs/semantics.md, Decision).
 */

type Reading = 'certainly' | 'possibly'

const opposite: Readonly<Record<Reading, Reading>> = { certainly: 'possibly', possibly: 'certainly' }

/** The entity type of an identity in the role of Cedar's principal. */
export function principalType(kind: IdentityUrn['kind']): 'Account' | 'Identity' {
  return kind === 'account' ? 'Account' : 'Identity'
}

export const requestAction = 'call'

export interface CedarPolicies {
  readonly text: string
  readonly permits: number
  readonly forbids: number
  /** Unknown facts, each at the entry that needs it. */
  readonly doubts: readonly Diagnostic[]
}

interface Statement {
  readonly effect: 'permit' | 'forbid'
  readonly id: string
  readonly annotations: readonly (readonly [name: string, text: string])[]
  readonly principal: string
  readonly resource: string
  readonly clauses: readonly (readonly ['when' | 'unless', Expression])[]
}

/** The policies of a world as the text of one Cedar policy set. `zones`: the time zones whose clocks a request has to show. */
export function cedarPolicies(world: World, zones: readonly string[]): CedarPolicies {
  const doubts = new Map<string, Diagnostic>()
  const doubt: Doubt = (span, message, help) => {
    const key = keyOf(span.source.path, span.start, message)
    if (!doubts.has(key)) doubts.set(key, { code: 'not-known', severity: 'error', message, span, help })
  }
  const ids = new Map<string, number>()
  const unique = (id: string): string => {
    const count = (ids.get(id) ?? 0) + 1
    ids.set(id, count)
    return count === 1 ? id : unique(`${id} (${count})`)
  }
  const statements = world.policies.flatMap((policy) => policyStatements(policy, world, doubt))
  const fixed = [wholeRequest(zones), rootAccount]
  const texts = [...fixed, ...statements].map((statement) => statementText({ ...statement, id: unique(statement.id) }))
  return {
    text: texts.join('\n'),
    permits: statements.filter(({ effect }) => effect === 'permit').length,
    forbids: statements.filter(({ effect }) => effect === 'forbid').length,
    doubts: [...doubts.values()],
  }
}

type Doubt = (span: Span, message: string, help: string) => void

/**
 * Cedar skips a `forbid` that fails, for example by reading an attribute that a request lacks. This one never fails, and
 * forbids every request without the attributes that the others read unconditionally.
 */
function wholeRequest(zones: readonly string[]): Statement {
  const holds = [
    'principal has urn && principal.urn like "urn:v1:*:identity:*"',
    '(if principal is Account then principal has account else true)',
    'resource has urn && resource.urn like "urn:v1:*:resource:*"',
    'resource has "type" && resource has name && resource has tagsKnown',
    'context has action && context.action like "*:*:*"',
    'context has now && context has clock',
    ...zones.map((zone) => {
      const clock = `context.clock[${quoted(zone)}]`
      return `context.clock has ${quoted(zone)} && ${clock} has date && ${clock} has hour && ${clock} has weekday`
    }),
  ]
  return {
    effect: 'forbid',
    id: 'every request is whole',
    annotations: [],
    principal: 'principal',
    resource: 'resource',
    clauses: [['unless', all(holds.map(unit))]],
  }
}

const ownsResource = all([unit('resource has owner'), unit('resource.owner == principal.account')])
const isRoot = all([unit('principal is Account'), ownsResource])

const rootAccount: Statement = {
  effect: 'permit',
  id: 'the owning account is never restricted',
  annotations: [],
  principal: 'principal is Account',
  resource: 'resource',
  clauses: [['when', ownsResource]],
}

function policyStatements(policy: Policy, world: World, doubt: Doubt): readonly Statement[] {
  const identities = identityExpression(policy)
  const name = policy.name.value
  const { source, start } = policy.name.span
  const place = `${source.path}:${position(source, start).line}`
  const condition = (reading: Reading) => (policy.condition ? conditionExpression(policy.condition, reading, doubt) : true)
  const statement = (effect: Statement['effect'], group: string | undefined, action: Expression, except: Expression): Statement[] => {
    const reading = effect === 'permit' ? 'certainly' : 'possibly'
    const resources = resourceExpression(policy, reading, world, doubt)
    const clauses: Statement['clauses'] = [
      ['when', identities.clause],
      ['when', resources.clause],
      ['when', action],
      ['unless', except],
      ['when', condition(reading)],
      ['when', policy.expiresAt ? unit(`context.now <= ${instant(policy.expiresAt.value)}`) : true],
      ['unless', effect === 'forbid' && mayBeRoot(policy) && isRoot],
    ]
    // A statement that never holds is omitted.
    if (clauses.some(([word, expression]) => expression === (word === 'unless'))) return []
    return [
      {
        effect,
        id: `${name}: ${effect}${group === undefined ? '' : ` of ${group}`}`,
        annotations: [
          ['policy', name],
          ['source', place],
          ...(policy.description ? [['description', policy.description.value] as const] : []),
        ],
        principal: identities.scope,
        resource: resources.scope,
        clauses: clauses.filter(([, expression]) => typeof expression !== 'boolean'),
      },
    ]
  }
  const ofSet = (set: PermissionSet, group?: string): Statement[] => [
    ...(set.allow.length > 0 ? statement('permit', group, actionExpression(set.allow), actionExpression(set.except)) : []),
    ...(set.deny.length > 0 ? statement('forbid', group, actionExpression(set.deny), false) : []),
  ]
  const groups = new Map(policy.permissionsGroups.map((entry) => [entry.value.text, entry]))
  return [
    ...ofSet(policy.permissions),
    ...[...groups.values()].flatMap(({ value: { text }, span }) => {
      const held = world.permissionsGroups.get(text)
      if (held) return ofSet(held.permissions, text)
      doubt(
        span,
        `the permissions group \`${text}\` is not described: what it allows and denies is unknown`,
        'describe it under `permissionsGroups` in a world file; with --conservative it denies every action where its policy applies',
      )
      return statement('forbid', text, true, false)
    }),
  ]
}

/** Whether the owning account may be among those a policy names: only then does a `forbid` have to spare it. */
function mayBeRoot({ identities }: Policy): boolean {
  return identities.some(({ value }) => value.kind === 'account' || value.kind === 'group')
}

/** Who or what a policy is about: in the head of a statement where it is one entity, else as a clause. */
interface Scope {
  readonly scope: string
  readonly clause: Expression
}

interface Entries {
  /** Entities named one by one, with their type. */
  readonly exact: readonly (readonly [type: string, id: string])[]
  /** Entities that hold others, with their type. */
  readonly groups: readonly (readonly [type: string, id: string])[]
  readonly patterns: readonly Glob[]
  readonly isOpen: boolean
}

function scopeOf(variable: 'principal' | 'resource', { exact, groups, patterns, isOpen }: Entries): Scope {
  if (isOpen) return { scope: variable, clause: true }
  const [only, ...others] = [...exact, ...groups]
  if (only && others.length === 0 && patterns.length === 0) {
    return { scope: `${variable} ${exact.length > 0 ? '==' : 'in'} ${entity(only)}`, clause: true }
  }
  const types = [...new Set(exact.map(([type]) => type))].map((type) => exact.filter(([other]) => other === type))
  const named = [...types, groups].filter((each) => each.length > 0)
  const clause = any([
    ...named.map((each) => unit(`${variable} in ${each.length === 1 ? entity(each[0] as (typeof each)[0]) : list(each.map(entity))}`)),
    ...patterns.map((pattern) => unit(`${variable}.urn like ${likePattern(pattern.pieces)}`)),
  ])
  return { scope: variable, clause }
}

function entity([type, id]: readonly [string, string]): string {
  return `${type}::${quoted(id)}`
}

function identityExpression({ identities }: Policy): Scope {
  const entries = distinct(identities.map(({ value }) => value))
  return scopeOf('principal', {
    exact: entries
      .filter(({ kind, glob }) => kind !== 'group' && !isPattern(glob))
      .map(({ kind, text }) => [principalType(kind), text] as const),
    groups: entries.filter(({ kind }) => kind === 'group').map(({ text }) => ['Group', text] as const),
    patterns: entries.filter(({ kind, glob }) => kind !== 'group' && isPattern(glob)).map(({ glob }) => glob),
    isOpen: false,
  })
}

function resourceExpression({ resources }: Policy, reading: Reading, world: World, doubt: Doubt): Scope {
  let isOpen = false
  const groups: (readonly [string, string])[] = []
  for (const { value, span } of resources) {
    if (value.kind !== 'group') continue
    groups.push(['ResourceGroup', value.text])
    const fault = doubtOfGroup(value, world)
    if (fault === undefined) continue
    doubt(span, ...fault)
    if (reading === 'possibly') isOpen = true
  }
  const entries = distinct(resources.map(({ value }) => value)).filter((value): value is ResourceUrn => value.kind === 'resource')
  return scopeOf('resource', {
    exact: entries.filter(({ glob }) => !isPattern(glob)).map(({ text }) => ['Resource', text] as const),
    groups: [...new Map(groups.map((each) => [each[1], each])).values()],
    patterns: entries.filter(({ glob }) => isPattern(glob)).map(({ glob }) => glob),
    isOpen,
  })
}

function distinct<T extends { readonly text: string }>(entries: readonly T[]): readonly T[] {
  return [...new Map(entries.map((entry) => [entry.text, entry])).values()]
}

/** Why the members of what an entry names are not all known. */
function doubtOfGroup(entry: ResourceGroupUrn, world: World): readonly [message: string, help: string] | undefined {
  const conservative = 'with --conservative its policy grants on the known members, and denies on every resource'
  if (isPattern(entry.glob))
    return [`\`${entry.text}\` also matches groups that are not described`, `name the groups one by one; ${conservative}`]
  const group = resourceGroupOf(world, entry.text)
  const name = `the resource group \`${entry.text}\``
  if (!group)
    return [`${name} is not described: its members are unknown`, `describe it under \`resourceGroups\` in a world file; ${conservative}`]
  if (group.complete) return undefined
  return [`${name} has members without a known URN`, `list the URNs of its members in a world file; ${conservative}`]
}

function actionExpression(entries: readonly { readonly value: Glob }[]): Expression {
  const globs = distinct(entries.map(({ value }) => value))
  const names = globs.filter((each) => !isPattern(each)).map(({ text }) => quoted(text))
  const patterns = globs.filter(isPattern).map(({ pieces }): Expression => {
    return pieces.every((piece) => piece === '') || unit(`context.action like ${likePattern(pieces)}`)
  })
  return any([oneOf('context.action', names), ...patterns])
}

/** Equal to one of what is already written. */
function oneOf(subject: string, values: readonly string[]): Expression {
  const distinctValues = [...new Set(values)]
  if (distinctValues.length === 0) return false
  return unit(distinctValues.length === 1 ? `${subject} == ${distinctValues[0]}` : `${list(distinctValues)}.contains(${subject})`)
}

function conditionExpression(condition: Condition, reading: Reading, doubt: Doubt): Expression {
  switch (condition.kind) {
    case 'and':
      return all(condition.operands.map((operand) => conditionExpression(operand, reading, doubt)))
    case 'or':
      return any(condition.operands.map((operand) => conditionExpression(operand, reading, doubt)))
    case 'not':
      return negated(any(condition.operands.map((operand) => conditionExpression(operand, opposite[reading], doubt))))
    case 'match':
      return testExpression(condition.test, reading)
    default:
      doubt(
        condition.span,
        `the condition \`${condition.text}\` is not understood`,
        'correct it, see `lint`; with --conservative it holds for denies and does not hold for grants',
      )
      return reading === 'possibly'
  }
}

function testExpression({ subject: { kind, parameter }, set }: Test, reading: Reading): Expression {
  switch (set.kind) {
    case 'strings': {
      if (kind !== 'tag') return stringExpression(set, `resource.${kind}`)
      const tag = quoted(parameter)
      const holds = all([unit(`resource.hasTag(${tag})`), stringExpression(set, `resource.getTag(${tag})`)])
      return reading === 'certainly' ? holds : any([unit('!resource.tagsKnown'), holds])
    }
    case 'addresses': {
      const isIn = (range: Omit<AddressRange, 'hostBits'>) =>
        range.first === range.last
          ? `context.ip == ip(${quoted(printAddress({ family: range.family, value: range.first }))})`
          : `context.ip.isInRange(ip(${quoted(printRange(range))}))`
      const holds = any(set.ranges.flatMap((range) => Array.from(blocksOf(range), (block) => unit(isIn(block)))))
      if (reading === 'certainly') return all([unit('context has ip'), holds])
      return unit(`(if context has ip then ${printed(holds)} else true)`)
    }
    case 'numbers':
      return numberExpression(set, `context.clock[${quoted(parameter)}].${set.part}`)
    default:
      return set satisfies never
  }
}

function stringExpression({ matchType, values }: StringSet, subject: string): Expression {
  if (matchType === 'exact') return oneOf(subject, values.map(quoted))
  return any(values.map((value) => unit(`${subject} like ${likePattern(matchTypes[matchType].pieces(value))}`)))
}

function numberExpression(set: NumberSet, shown: string): Expression {
  const { part, named, intervals } = set
  const written = (number: number) => String(part === 'weekday' ? cedarWeekday(number) : number)
  if (isEnumerated(set)) return oneOf(shown, named.map(written))
  // Of the two ways to write an end, the one with the number that the condition names.
  const from = (first: number) => (named.includes(first) ? `>= ${written(first)}` : `> ${written(first - 1)}`)
  const to = (last: number) => (named.includes(last) ? `<= ${written(last)}` : `< ${written(last + 1)}`)
  return any(
    intervals.map(({ first, last }) =>
      all(
        [...(Number.isFinite(first) ? [from(first)] : []), ...(Number.isFinite(last) ? [to(last)] : [])].map((end) =>
          unit(`${shown} ${end}`),
        ),
      ),
    ),
  )
}

/** Days of the week as ISO 8601 counts them: 1 for Monday to 7 for Sunday. */
export function cedarWeekday(weekday: number): number {
  return weekday + 1
}

/** The first millisecond of year 1 and the last of year 9999. */
const [firstPlain, lastPlain] = [-62_135_596_800_000, 253_402_300_799_999] as const

/** Whether an instant can be written with a year of four digits. */
export function isPlainInstant(milliseconds: number): boolean {
  return milliseconds >= firstPlain && milliseconds <= lastPlain
}

function instant(milliseconds: number): string {
  if (isPlainInstant(milliseconds)) return `datetime("${new Date(milliseconds).toISOString()}")`
  return `datetime("1970-01-01").offset(duration("${milliseconds}ms"))`
}

function statementText({ effect, id, annotations, principal, resource, clauses }: Statement): string {
  const notes = [['id', id] as const, ...annotations].map(([name, text]) => `@${name}(${quoted(text)})\n`).join('')
  const action = `action == Action::${quoted(requestAction)}`
  const oneLine = `${effect} (${principal}, ${action}, ${resource})`
  const head = oneLine.length <= 100 ? oneLine : `${effect} (\n  ${principal},\n  ${action},\n  ${resource}\n)`
  const bodies = clauses.map(([word, expression]) => {
    const lines = printedLines(expression)
    return lines.length === 1 && (lines[0] as string).length <= 110
      ? `\n${word} { ${lines[0]} }`
      : `\n${word} {\n${lines.map((line) => `  ${line}\n`).join('')}}`
  })
  return `${notes}${head}${bodies.join('')};\n`
}
