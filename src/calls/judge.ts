import { partsOfAction } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { AccessRule, World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import { type Decision, type Question, strictest, type Verdict } from '../simulate/decision.ts'
import { type Context, withKnownTags } from '../simulate/question.ts'
import { readIdentity } from '../urn/identity.ts'
import { printResource, readResource, typeAndName } from '../urn/resource.ts'
import { accessGate, type Gate } from './access.ts'
import { type CallFact, distinctFacts } from './facts.ts'
import { type Call, isList, type Match, type Matched, matchCall, type Routes } from './match.ts'

export interface CallContext {
  readonly identity: string
  /** Facts of every question about the call; tags are those of the first resource that it is about. */
  readonly context: Context
  /** The region of the resources; undefined: that of the identity. */
  readonly region?: string
  /** Resource URNs that are given, for what the path does not name. */
  readonly resources: readonly string[]
  /** Actions that are given, in place of those the operation is known to need. */
  readonly actions: readonly string[]
  /** The access rules of a consumer key; undefined: the call is not made with one. */
  readonly rules?: readonly AccessRule[]
  /** The state of the credential that has them, in the service's word. No decision depends on it. */
  readonly credentialState?: string
}

/** Where the resource of a requirement comes from. `listing`: it has none, the answer lists what the caller may see. */
export type ResourceFrom = 'path' | 'account' | 'given' | 'listing' | 'unknown'

export interface Requirement {
  readonly action: string
  /** False: only some calls of the operation need it, and it does not decide. */
  readonly required: boolean
  readonly resource: string | undefined
  readonly from: ResourceFrom
  /** Why the resource is not known, as a clause. */
  readonly why?: string
}

export interface JudgedRequirement extends Requirement {
  readonly verdict: Verdict
  /** The question put to the policies and the answer; undefined where there is no resource to ask about. */
  readonly asked?: { readonly question: Question; readonly decision: Decision }
}

/**
 * The requirement behind the verdict of the policies: actions; only a valid session; not even that (`open`); unknown, since the
 * operation is not known or not a single one (`nothing`).
 */
export type Basis = 'actions' | 'session' | 'open' | 'nothing'

/** How a question is decided: by `decide` over the world, or by what was compiled from that world. */
export type DecideWith = (question: Question) => Decision

/** The part of the answer that is the same for every call with that method, path and identity. */
export interface CallPlan {
  readonly call: Call
  readonly matched: Matched
  readonly operation: Operation | undefined
  readonly basis: Basis
  readonly requirements: readonly Requirement[]
  /** The resource that given tags belong to. */
  readonly subject: string | undefined
}

/** The verdict of a call with all it rests on. */
export interface CallAnswer extends Omit<CallPlan, 'subject'> {
  readonly requirements: readonly JudgedRequirement[]
  /** The first gate: what the identity may do. */
  readonly policies: Verdict
  /** The second gate: what the consumer key may do; undefined where the call is not made with one. */
  readonly credential: Gate | undefined
  readonly credentialState: string | undefined
  readonly verdict: Verdict
  readonly missing: readonly CallFact[]
}

/** Which operation a call is, and what it needs. Of the world only the account counts, of the context only the owner. */
export function planCall(
  world: Pick<World, 'account'>,
  routes: Routes,
  catalogue: Pick<Catalogue, 'types' | 'typesOf'>,
  call: Call,
  about: CallContext,
): CallPlan {
  const matched = matchCall(routes, call)
  const match = matched.kind === 'one' ? matched.match : undefined
  const operation = match?.operation
  const requirements = requirementsOf(world, routes, catalogue, match, about)
  return { call, matched, operation, basis: basisOf(operation, about), requirements, subject: subjectOf(requirements) }
}

/** Whether a planned call is allowed. `decideWith` must answer by the same world. */
export function answerPlan(world: World, plan: CallPlan, about: CallContext, decideWith: DecideWith): CallAnswer {
  const { call, matched, operation, basis, subject } = plan
  const { rules, credentialState } = about
  const requirements = plan.requirements.map((each) => judged(world, each, about, each.resource === subject, decideWith))
  const policies = basis === 'actions' ? together(requirements) : basis === 'nothing' ? 'unknown' : 'allow'
  const credential = rules && gateOf(rules, call, operation)
  const verdict = credential ? strictest(policies, credential.verdict) : policies
  const missing = verdict === 'unknown' ? missingOf(matched, call, basis, requirements, credential) : []
  return { call, matched, operation, basis, requirements, policies, credential, credentialState, verdict, missing }
}

/** Which operation a call is, what it needs, and whether it is allowed. `decideWith` must answer by the same world. */
export function answerCall(
  world: World,
  routes: Routes,
  catalogue: Pick<Catalogue, 'types' | 'typesOf'>,
  call: Call,
  about: CallContext,
  decideWith: DecideWith = (question) => decide(world, question),
): CallAnswer {
  return answerPlan(world, planCall(world, routes, catalogue, call, about), about, decideWith)
}

/** The requirements of an unknown call by the given actions, each decided by the policies. */
export function judgeRequirements(
  world: World,
  routes: Routes,
  catalogue: Pick<Catalogue, 'types' | 'typesOf'>,
  about: CallContext,
): readonly JudgedRequirement[] {
  const needed = requirementsOf(world, routes, catalogue, undefined, about)
  const subject = subjectOf(needed)
  return needed.map((each) => judged(world, each, about, each.resource === subject, (question) => decide(world, question)))
}

function subjectOf(requirements: readonly Requirement[]): string | undefined {
  return requirements.find(({ resource }) => resource !== undefined)?.resource
}

function basisOf(operation: Operation | undefined, { actions }: CallContext): Basis {
  if (actions.length > 0) return 'actions'
  if (!operation) return 'nothing'
  if (operation.noAuthentication) return 'open'
  return operation.actions.length > 0 ? 'actions' : 'session'
}

/** The verdict of the access rules. A call that needs no authentication is allowed with any key. */
function gateOf(rules: readonly AccessRule[], call: Call, operation: Operation | undefined): Gate {
  const gate = accessGate(rules, call, operation?.branch ?? call.branch)
  return operation?.noAuthentication ? { ...gate, verdict: 'allow' } : gate
}

/** All that are required must be allowed. */
function together(requirements: readonly JudgedRequirement[]): Verdict {
  let verdict: Verdict = 'allow'
  for (const each of requirements) if (each.required) verdict = strictest(verdict, each.verdict)
  return verdict
}

function missingOf(
  matched: Matched,
  call: Call,
  basis: Basis,
  requirements: readonly JudgedRequirement[],
  credential: Gate | undefined,
): readonly CallFact[] {
  const missing: CallFact[] = []
  if (basis === 'nothing') {
    const { method, branch, sent } = call
    if (matched.kind === 'none') missing.push({ kind: 'actions', method, path: `${branch === undefined ? '' : `/${branch}`}${sent}` })
    else missing.push({ kind: branch === undefined ? 'branch' : 'operation' })
  }
  for (const { required, verdict, action, asked } of requirements) {
    if (!required || verdict !== 'unknown') continue
    if (!asked) missing.push({ kind: 'resource', action })
    for (const { fact } of asked?.decision.missing ?? []) missing.push(fact)
  }
  if (credential?.verdict === 'unknown') missing.push({ kind: 'path' })
  return distinctFacts(missing)
}

/**
 * The actions that a call needs, each with its resource. The first path parameter names the resource of the product whose
 * action comes first; an account action is about the account; any other resource is named in the body, if at all, and so is
 * not known. A given resource whose type the product serves is taken before all else.
 */
function requirementsOf(
  world: Pick<World, 'account'>,
  routes: Routes,
  catalogue: Pick<Catalogue, 'types' | 'typesOf'>,
  match: Match | undefined,
  about: CallContext,
): readonly Requirement[] {
  const identity = readIdentity(about.identity, { pattern: false }).value
  const region = about.region ?? identity?.region ?? 'eu'
  const account = about.context.owner ?? world.account ?? identity?.account
  const needed = about.actions.length > 0 ? about.actions.map((name) => ({ name, required: true })) : (match?.operation.actions ?? [])
  const owner = productOf((match?.operation.actions[0] ?? needed[0])?.name ?? '')

  return needed.map(({ name: action, required }) => {
    const product = productOf(action)
    const types = typesOf(catalogue, product)
    const unknown = (why: string): Requirement => ({ action, required, resource: undefined, from: 'unknown', why })
    if (match && product === owner && product !== 'account' && match.values.length === 0 && isList(routes, match.operation))
      return { action, required, resource: undefined, from: 'listing' }
    const fitting = about.resources.filter((urn) => types.length === 0 || types.includes(typeAndName(urn).type))
    if (fitting.length > 1) return unknown(`${fitting.length} of the given resources may be meant`)
    if (fitting[0] !== undefined) return { action, required, resource: fitting[0], from: 'given' }
    if (product === 'account') {
      if (account === undefined) return unknown('the account is not known')
      return named(action, required, { region, type: 'account', name: account }, 'account')
    }
    if (!match) return unknown('the operation is not known')
    if (product !== owner) return unknown('the path does not name it')
    if (match.values.length === 0) return unknown('the path names no resource')
    const name = match.values[0]
    if (name === undefined) return unknown('the path has a placeholder in its place')
    const type = types.includes(product) ? product : types.length === 1 ? types[0] : undefined
    if (type === undefined) return unknown(`no resource type is known for \`${product}\``)
    return named(action, required, { region, type, name }, 'path')
  })
}

function named(
  action: string,
  required: boolean,
  parts: { readonly region: string; readonly type: string; readonly name: string },
  from: ResourceFrom,
): Requirement {
  const resource = printResource(parts)
  if (readResource(resource, { pattern: false }).value) return { action, required, resource, from }
  return { action, required, resource: undefined, from: 'unknown', why: 'the value in the path is no name of a resource' }
}

/** The resource types that the actions of a product may be about, the one of its name first; only known ones. */
function typesOf(catalogue: Pick<Catalogue, 'types' | 'typesOf'>, product: string): readonly string[] {
  const served = catalogue.typesOf(product)
  return catalogue.types.includes(product) ? [product, ...served] : served
}

function productOf(action: string): string {
  return partsOfAction(action).product
}

function judged(
  world: World,
  requirement: Requirement,
  { identity, context }: CallContext,
  isSubject: boolean,
  decideWith: DecideWith,
): JudgedRequirement {
  const { action, resource, from } = requirement
  if (resource === undefined) return { ...requirement, verdict: from === 'listing' ? 'allow' : 'unknown' }
  const question = questionOf(identity, action, resource, context, world, isSubject)
  const decision = decideWith(question)
  return { action, required: requirement.required, resource, from, verdict: decision.verdict, asked: { question, decision } }
}

/** The question of a requirement. Given tags are those of one resource; mostly there are none, and nothing is copied. */
function questionOf(identity: string, action: string, resource: string, context: Context, world: World, isSubject: boolean): Question {
  const { at, groups, ip, tags, owner } = context
  if (tags === undefined && owner === undefined)
    return ip === undefined ? { identity, action, resource, at, groups } : { identity, action, resource, at, groups, ip }
  const question = { identity, action, resource, at, groups, ...(ip && { ip }), ...(owner !== undefined && { owner }) }
  return isSubject && tags ? withKnownTags({ ...question, tags }, world) : question
}
