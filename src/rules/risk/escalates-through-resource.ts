import { controlRows } from '../../actions/sensitive.ts'
import { type Glob, glob, isPattern, matches } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import type { Located, Span } from '../../source.ts'
import { boxesOf } from '../../symbolic/boxes.ts'
import { firstNewAccess } from '../../symbolic/covers.ts'
import { isAbout, type NewAccess } from '../../symbolic/search.ts'
import { indexOf, type Side } from '../../symbolic/side.ts'
import type { Statement } from '../../symbolic/statements.ts'
import { type IdentityUrn, readIdentity } from '../../urn/identity.ts'
import { type ResourceUrn, readResource } from '../../urn/resource.ts'
import type { Rule, RuleContext, RuleOption } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { recordsOption } from '../support/options.ts'
import { boxText } from '../support/residual.ts'
import { cannotServe } from '../support/scopes.ts'
import { quote } from '../support/text.ts'
import { isJudged } from '../support/verdicts.ts'
import { meeting, membersOf, type WholeSet, wholeSet } from '../support/whole-set.ts'

const code = 'escalates-through-resource'
const runsAs: RuleOption = {
  name: 'runsAs',
  type: 'records',
  required: true,
  fields: { resource: 'resource', identity: 'identity' },
  text: 'which resources act as which identity, for example with a key stored on them',
}

/** How many identities are compared in one run, and how many regions one comparison may take. */
const mostQuestions = 200
const mostRegions = 5_000

export const escalatesThroughResource: Rule = {
  code,
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 8,
  summary: 'Control over a resource that runs as an identity with more permissions.',
  why:
    'Anyone who can open the console of a server, set its password or reinstall it can use the credentials on it. If that identity has ' +
    'more permissions, they gain them. The permissions of both are compared exactly, including `except`, denies, resources, conditions ' +
    'and known groups. Set what runs as whom with the option `runsAs`; without it, nothing is reported.',
  options: [runsAs],
  *policy(policy, context) {
    const targets = targetsOf(context)
    if (targets.length === 0 || !isJudged(policy, context)) return
    const set = wholeSet(context)
    const allows = set?.own.get(policy)?.allows ?? []
    if (!set || allows.length === 0) return
    for (const target of targets) {
      const escalating = escalation(policy, allows, target, set, context)
      if (!escalating) continue
      const { span, who, reason, newAccess } = escalating
      const { region } = newAccess
      yield {
        span,
        message:
          `this lets ${quote(who)} act as ${quote(target.identity.text)}, which ${quote(target.resource.text)} runs as (${reason}), ` +
          `and which has more permissions: ${quote(region.action.text)} on ${quote(boxText(region.box))}`,
        help: 'only grant control to identities with the same permissions, or reduce those of the identity',
        actions: escalating.actions,
        related: [{ message: 'grants the additional permission', span: newAccess.statement.policy.name.span }],
      }
    }
  },
}

interface Target {
  readonly resource: ResourceUrn
  readonly identity: IdentityUrn
}

function targetsOf(context: RuleContext): readonly Target[] {
  return recordsOption(context, code, runsAs).flatMap(({ resource = '', identity = '' }) => {
    const [what, who] = [readResource(resource, { pattern: true }).value, readIdentity(identity, { pattern: false }).value]
    return what && who ? [{ resource: what, identity: who }] : []
  })
}

interface Escalation {
  readonly span: Span
  readonly who: string
  readonly reason: string
  /** All that give control over the resource. */
  readonly actions: readonly string[]
  readonly newAccess: NewAccess
}

/** The first identity that a policy gives control over a target, and that gets new access by it. */
function escalation(
  policy: Policy,
  allows: readonly Statement[],
  target: Target,
  set: WholeSet,
  context: RuleContext,
): Escalation | undefined {
  const rows = controlOf(target.resource, context)
  const actions = rows.map(({ action }) => ({ value: action, span: policy.name.span }))
  for (const statement of allows) {
    const control: Statement = { ...statement, boxes: boxesOf(target.resource), actions, exclusions: [], key: '' }
    for (const identity of statement.identities) {
      if (identity.value.text === target.identity.text) continue
      const taking = meeting({ ...statement, identities: [identity] }, { ...control, identities: [identity] })
      if (!taking || !spend(context, code, 1, mostQuestions)) continue
      const nothing = { ...set.side, allows: indexOf([]) }
      const taken = firstNewAccess({ ...set.side, allows: indexOf([taking]) }, nothing, { of: [taking], budget: mostRegions })
      if (taken.kind !== 'new' || !taken.newAccess.certain) continue
      const held = firstNewAccess(heldBy(target.identity, set), heldBy(identity.value, set), { budget: mostRegions })
      if (held.kind !== 'new' || !held.newAccess.certain) continue
      const action = taken.newAccess.region.action.text
      const row = rows.find((each) => each.action.text === action)
      const entry = statement.actions.find(({ value }) => matches(value, action))
      const group = policy.permissionsGroups.find(({ value }) => value.text === statement.group)
      return {
        span: group?.span ?? entry?.span ?? policy.name.span,
        who: identity.value.text,
        reason: row?.reason ?? 'control of it',
        actions: rows.map(({ action }) => action.text),
        newAccess: held.newAccess,
      }
    }
  }
  return undefined
}

/** The known actions that give control over a resource, with the reason. */
function controlOf({ type }: ResourceUrn, context: RuleContext): readonly { readonly action: Glob; readonly reason: string }[] {
  const { settings, catalogue } = context
  return controlRows(settings.brand).flatMap(({ pattern, reason }) => {
    const [product = ''] = pattern.text.split(':', 1)
    if (cannotServe(product, type, context)) return []
    const actions = isPattern(pattern) ? catalogue.expand(pattern) : [pattern.text]
    return actions.map((action) => ({ action: glob(action), reason }))
  })
}

/** Everything that applies to an identity and its known groups, under one common name. */
function heldBy(identity: IdentityUrn, set: WholeSet): Side {
  const members = membersOf(identity, set)
  const of = (statements: readonly Statement[]) =>
    statements
      .filter((statement) => isAbout(statement, members))
      .map((statement): Statement => ({ ...statement, identities: [anyIdentityAt(statement.policy.name.span)], key: statement.key }))
  return { allows: indexOf(of(set.side.allows.statements)), denies: indexOf(of(set.side.denies.statements)), groups: new Map() }
}

function anyIdentityAt(span: Span): Located<IdentityUrn> {
  const text = 'urn:v1:eu:identity:user:x/x'
  return { value: { text, region: 'eu', kind: 'user', account: 'x', name: 'x', glob: glob(text) }, span }
}
