import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { Settings } from '../names.ts'
import { readFacts } from '../parser/policy.ts'
import { readTree } from '../parser/tree.ts'
import type { World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Clause } from '../simulate/decision.ts'
import { sourceOf } from '../source.ts'
import { withPermissions } from '../world.ts'
import { type CallFact, distinctFacts } from './facts.ts'
import type { Forbidden } from './forbidden.ts'
import { answerCall, type CallContext, type JudgedRequirement, judgeRequirements } from './judge.ts'
import type { Call, Routes } from './match.ts'

export interface PolicyText {
  readonly name: string
  readonly description: string
  readonly identities: readonly string[]
  readonly resources: readonly { readonly urn: string }[]
  readonly permissions: { readonly allow: readonly { readonly action: string }[] }
}

/** The access that a refused call lacks, and whether granting it is enough. */
export interface Grant {
  /** Policies that allow exactly what was refused, one for each resource. */
  readonly policies: readonly PolicyText[]
  /** The access rule that the consumer key lacks. */
  readonly accessRules: readonly { readonly method: string; readonly path: string }[]
  /** Whether the policies that are known, with these, allow it; undefined where none are known, or nothing is to be granted. */
  readonly suffices: boolean | undefined
  /** The entries that deny it all the same: they would have to go first. */
  readonly obstacles: readonly Clause[]
  readonly missing: readonly CallFact[]
  /** Contradictions between the refusal and the policies, and requirements that no policy can grant. */
  readonly notes: readonly string[]
  /** The actions that were refused, as the policies decide them. */
  readonly needed: readonly JudgedRequirement[]
  /** The world with the policies that are proposed. */
  readonly granted: World
}

export interface RefusedCall {
  readonly call: Call | undefined
  readonly operation: Operation | undefined
  readonly requirements: readonly JudgedRequirement[]
  readonly missing: readonly CallFact[]
}

/** The requirements of a refused call: the actions that the service names, else those given, else those of the operation. */
export function refusedCall(
  forbidden: Forbidden,
  world: World,
  routes: Routes,
  catalogue: Pick<Catalogue, 'types' | 'typesOf'>,
  call: Call | undefined,
  callContext: CallContext,
): RefusedCall {
  const about = forbidden.actions.length > 0 ? { ...callContext, actions: forbidden.actions } : callContext
  if (call) {
    const { operation, requirements, basis, missing } = answerCall(world, routes, catalogue, call, about)
    return { call, operation, requirements, missing: basis === 'nothing' ? missing : [] }
  }
  const requirements = judgeRequirements(world, routes, catalogue, about)
  return { call, operation: undefined, requirements, missing: requirements.length > 0 ? [] : [{ kind: 'call' }] }
}

/** The access to grant after a refusal. `hasPolicies`: the world has the known policies, and is not merely empty. */
export function grantFor(
  forbidden: Forbidden,
  refused: RefusedCall,
  identity: string,
  world: World,
  hasPolicies: boolean,
  settings: Settings,
): Grant {
  const none: Grant = {
    policies: [],
    accessRules: [],
    suffices: undefined,
    obstacles: [],
    missing: [],
    notes: [],
    needed: [],
    granted: world,
  }
  const { gate, actions, byAuthentication } = forbidden
  const { call, requirements } = refused
  if (gate === 'credential') return call ? { ...none, accessRules: [ruleFor(call, refused)] } : { ...none, missing: [{ kind: 'call' }] }
  const notes: string[] = []
  if (byAuthentication.length > 0)
    notes.push(`the authentication does not carry ${listed(byAuthentication)}: no policy grants that, whatever it allows`)
  if (gate === 'authentication') return { ...none, notes }

  const decided = requirements.filter(({ required }) => required)
  const notGranted = decided.filter(({ verdict, from }) => verdict !== 'allow' || from === 'listing')
  // An action that the service names was refused, even if the policies at hand allow it.
  const needed = actions.length > 0 || notGranted.length === 0 ? decided : notGranted
  // An action that is allowed but for a deny entry is not granted twice: the deny entry would have to be removed.
  const bare = withPermissions(world, (set) => ({ ...set, deny: [] }))
  const isHeldBack = ({ verdict, asked }: JudgedRequirement) =>
    verdict === 'deny' && asked !== undefined && decide(bare, asked.question).verdict === 'allow'
  if (hasPolicies && decided.length > 0 && notGranted.length === 0)
    notes.push('the policies that were given allow it: they are not the ones in force, or the call was about another resource')
  if (decided.length === 0 && refused.missing.length === 0)
    notes.push('the operation is not known to need any action: the service has changed, or the call was another one')

  notes.push(...strangersAmong(actions, refused))

  const policies = policiesFor(
    identity,
    needed.filter((each) => !isHeldBack(each)),
    refused,
  )
  const granted = withPolicies(world, policies, settings)
  const after = needed.flatMap(({ asked }) => (asked ? [decide(granted, asked.question)] : []))
  return {
    ...none,
    policies,
    suffices:
      hasPolicies && needed.length > 0 ? after.length === needed.length && after.every(({ verdict }) => verdict === 'allow') : undefined,
    obstacles: after
      .flatMap(({ verdict, clauses }) => (verdict === 'deny' ? clauses : []))
      .filter(({ entry }, i, all) => all.findIndex((other) => other.entry === entry) === i),
    missing: distinctFacts([
      ...refused.missing,
      ...needed.flatMap(({ action, resource }): readonly CallFact[] => (resource === undefined ? [{ kind: 'resource', action }] : [])),
      ...after.flatMap(({ missing }) => missing.map(({ fact }) => fact)),
    ]),
    notes,
    needed,
    granted,
  }
}

/** A note on actions that the service names and the call is not known to need. */
function strangersAmong(actions: readonly string[], { call, operation }: RefusedCall): readonly string[] {
  if (!call || !operation) return []
  const strangers = actions.filter((action) => !operation.actions.some(({ name }) => name === action))
  if (strangers.length === 0) return []
  const are = strangers.length === 1 ? 'is not an action' : 'are not actions'
  return [
    `${listed(strangers)} ${are} that ${call.method} /${operation.branch}${operation.path} is known to need: the refusal may belong to another call`,
  ]
}

/** The rule that allows exactly this call. Paths of the first branch are written without branch, as is usual. */
function ruleFor(call: Call, { operation }: RefusedCall) {
  const branch = (operation?.branch ?? call.branch) === 'v2' ? '/v2' : ''
  return { method: call.method, path: branch + call.sent.replace(/(.)\/$/, '$1') }
}

function policiesFor(identity: string, needed: readonly JudgedRequirement[], { call, operation }: RefusedCall): readonly PolicyText[] {
  const byResource = new Map<string, string[]>()
  for (const { action, resource } of needed) {
    if (resource === undefined) continue
    const actions = byResource.get(resource)
    if (actions === undefined) byResource.set(resource, [action])
    else if (!actions.includes(action)) actions.push(action)
  }
  const description = call && operation ? `For ${call.method} /${operation.branch}${operation.path}` : 'For a call that was refused'
  return [...byResource].map(([urn, actions]) => ({
    name: `needed for ${actions[0]}`,
    description,
    identities: [identity],
    resources: [{ urn }],
    permissions: { allow: actions.map((action) => ({ action })) },
  }))
}

/** The world with further policies, which go through the reader like any other. */
function withPolicies(world: World, written: readonly PolicyText[], settings: Settings): World {
  if (written.length === 0) return world
  const { documents } = readTree(sourceOf('the grant', JSON.stringify(written), 'json'))
  return { ...world, policies: [...world.policies, ...readFacts(documents, settings).facts.policies] }
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
