import { Budget, unlessUndecided } from '../budget.ts'
import { covers, isPattern, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Policy, World } from '../policy.ts'
import { decide, explain } from '../simulate/decide.ts'
import type { Explanation, Question } from '../simulate/decision.ts'
import type { Located } from '../source.ts'
import { everywhere } from '../symbolic/boxes.ts'
import { firstNewAccess, type Outcome } from '../symbolic/covers.ts'
import { always, conjunction, type Formula, printFormula } from '../symbolic/formula.ts'
import { literal } from '../symbolic/patterns.ts'
import { indexOf, type Side, sideOf, without, withStatements } from '../symbolic/side.ts'
import { meetStatements, type Statement, statementsOf } from '../symbolic/statements.ts'
import { witnessOf } from '../symbolic/witness.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import type { Claim } from './suite.ts'

/**
 * Claims about every request there could be, as inclusions of worlds. An identity that the
 * world describes is in the groups of its description and in no others; any other may be in any groups. Nothing is known
 * of the tags and the owner of a resource, and of the context, but what the claim says.
 */
export type Proof =
  | { readonly status: 'proved' }
  /** A question with every fact given, which the world answers against the claim. */
  | { readonly status: 'refuted'; readonly question: Question; readonly explanation: Explanation }
  /** The cause: patterns that are too many to combine, or facts that cannot be known. */
  | { readonly status: 'undecided'; readonly culprits: readonly string[] }

/** A world that claims are proved over, with the caches of earlier claims. */
export interface ProofContext {
  readonly world: World
  /** The budget of the whole run. */
  readonly run: Budget
  readonly sides: Map<string, { readonly world: World; readonly side: Side | undefined }>
}

export function proofContextOf(world: World, run: Budget = new Budget()): ProofContext {
  return { world, run, sides: new Map() }
}

/** Prove a claim, or refute it by one question that is asked again of the simulator. */
export function prove(claim: Claim, context: ProofContext): Proof {
  const culprits = new Set<string>()
  for (const part of partsOf(claim, context.world)) {
    const outcome = search(part, context)
    if (outcome.kind === 'none') continue
    if (outcome.kind === 'undecided') {
      for (const culprit of outcome.culprits) culprits.add(culprit)
      continue
    }
    const { newAccess } = outcome
    if (!newAccess.certain) {
      for (const fact of newAccess.model.assumed.keys()) culprits.add(fact)
      continue
    }
    const witness = witnessOf(newAccess)
    const question = part.caller ? { ...witness, groups: part.caller.given } : witness
    const explanation = explain(context.world, question)
    if (!answersAgainst(claim, part, question, explanation, context.world))
      culprits.add('a counterexample that the simulator does not confirm')
    else return { status: 'refuted', ...(describedCounterexample(claim, part, question, context) ?? { question, explanation }) }
  }
  return culprits.size === 0 ? { status: 'proved' } : { status: 'undecided', culprits: [...culprits] }
}

/** How many questions about described names are tried. */
const mostDescribed = 60

/** The same counterexample with an identity and a resource that the world describes, each where one refutes the claim as well. */
function describedCounterexample(
  claim: Claim,
  part: Part,
  question: Question,
  { world }: ProofContext,
): { readonly question: Question; readonly explanation: Explanation } | undefined {
  const isOn = (urn: string) => part.box.resources.some(({ value }) => value.kind !== 'resource' || matches(value.glob, urn))
  const isWho = ([urn, { groups }]: readonly [string, { readonly groups: readonly string[] }]) =>
    claim.kind === 'only' || part.box.identities.some(({ value }) => [urn, ...groups].some((member) => matches(value.glob, member)))
  const identities = part.caller || claim.groups ? [] : [...world.identities].filter(isWho).map(([urn]) => urn)
  // A context may be about the resource and its tags.
  const resources = part.context === always ? [...world.resources.values()].filter(({ urn }) => isOn(urn.value)) : []
  let questionsLeft = mostDescribed
  for (const resource of [...resources, undefined]) {
    const tags = resource?.tags ?? question.tags
    const on = resource ? { resource: resource.urn.value, ...(tags && { tags }) } : {}
    for (const identity of [...identities, undefined]) {
      if (!resource && identity === undefined) return undefined
      if (--questionsLeft < 0) return undefined
      const asked: Question = { ...question, ...on, ...(identity !== undefined && { identity, groups: [] }) }
      const explanation = explain(world, asked)
      const isDecided = explanation.decision.verdict !== 'unknown'
      if (isDecided && answersAgainst(claim, part, asked, explanation, world)) return { question: asked, explanation }
    }
  }
  return undefined
}

/** One question of those that a claim is about, with names that occur nowhere else; undefined where there is none. */
export function exampleOf(claim: Claim, context: ProofContext): Question | undefined {
  for (const part of partsOf(claim, context.world)) {
    const { world, side } = sideFor(part, context)
    const box = boxStatements(part, world)
    // The world grants nothing here, but its names are still distinguished from those of the example.
    const hidden = without(side, () => true)
    const outcome = firstNewAccess({ allows: indexOf(box), denies: indexOf([]), groups: side.groups }, hidden, { run: context.run })
    if (outcome.kind === 'new' && outcome.newAccess.certain) {
      const question = witnessOf(outcome.newAccess)
      return part.caller ? { ...question, groups: part.caller.given } : question
    }
  }
  return undefined
}

/** A claim about one identity whose groups are all known, or about those whose groups are not. */
export interface Part {
  readonly kind: Claim['kind']
  readonly box: Policy
  readonly context: Formula
  /** Who asks, where it is one identity: itself with all its groups, and those that the question has to give. */
  readonly caller: { readonly urn: string; readonly members: readonly string[]; readonly given: readonly string[] } | undefined
}

/** The parts of a claim: one for each described identity, and one for all others. */
export function partsOf({ kind, box, context = always, groups }: Claim, world: World): readonly Part[] {
  const part = (identities: Policy['identities'], caller?: Part['caller']): Part => ({ kind, box: { ...box, identities }, context, caller })
  const callerOf = (urn: string, given: readonly string[]) => ({
    urn,
    members: [urn, ...given, ...(world.identities.get(urn)?.groups ?? [])],
    given,
  })
  const named = box.identities.filter(({ value }) => !isPattern(value.glob))
  if (groups) {
    return [
      ...named.map((each) => part([each], callerOf(each.value.text, groups))),
      ...(named.length < box.identities.length ? [part(box.identities.filter((each) => !named.includes(each)))] : []),
    ]
  }
  const isDescribed = ({ value }: Located<IdentityUrn>) => world.identities.has(value.text)
  // An identity that is described but named nowhere is like any other in its groups: those need no separate search.
  const describedUrns = new Map<string, Located<IdentityUrn>>()
  for (const each of [...box.identities, ...world.policies.flatMap((policy) => policy.identities)])
    if (isDescribed(each) && !describedUrns.has(each.value.text)) describedUrns.set(each.value.text, each)
  const described = [...describedUrns].flatMap(([urn, each]) => {
    const caller = callerOf(urn, [])
    if (kind === 'only') return [part(box.identities, caller)]
    return box.identities.some(({ value }) => caller.members.some((member) => matches(value.glob, member))) ? [part([each], caller)] : []
  })
  const others = box.identities.filter((each) => !isDescribed(each))
  return [...(kind === 'only' || others.length > 0 ? [part(others)] : []), ...described]
}

/** The world as far as the part is about it, and its side of the comparison. */
export function sideFor({ box, caller }: Part, context: ProofContext): { readonly world: World; readonly side: Side } {
  const key = keyOf(caller?.members)
  if (!context.sides.has(key)) context.run.left -= context.world.policies.length
  const knownSide = context.sides.get(key) ?? {
    world: caller ? worldOfOne(context.world, caller) : worldOfOthers(context.world),
    side: undefined,
  }
  // Groups of resources that are not known are the same fact on both sides: the box may name others.
  const hasGroups = box.resources.some(({ value }) => value.kind === 'group')
  const side =
    (hasGroups ? undefined : knownSide.side) ?? sideOf(knownSide.world, hasGroups ? { ...knownSide.world, policies: [box] } : undefined)
  context.sides.set(key, { world: knownSide.world, side: hasGroups ? knownSide.side : side })
  return { world: knownSide.world, side }
}

/** The policies about one identity and its groups, as if each named that identity: it is in no further group. */
function worldOfOne(world: World, { urn, members }: NonNullable<Part['caller']>): World {
  const policies = world.policies.flatMap((policy) => {
    const about = policy.identities.find(({ value }) => members.some((member) => matches(value.glob, member)))
    return about ? [{ ...policy, identities: [self(urn, about)] }] : []
  })
  return { ...world, policies, identities: new Map() }
}

/** One identity in the place of an entry. */
export function self(urn: string, { value, span }: Located<IdentityUrn>): Located<IdentityUrn> {
  return { value: { ...value, kind: 'user', text: urn, glob: literal(urn) }, span }
}

/** The policies as they are about identities that the world does not describe. */
function worldOfOthers(world: World): World {
  if (world.identities.size === 0) return world
  const policies = world.policies.flatMap((policy) => {
    const identities = policy.identities.filter(({ value }) => !world.identities.has(value.text))
    return identities.length === policy.identities.length ? [policy] : identities.length > 0 ? [{ ...policy, identities }] : []
  })
  return { ...world, policies }
}

/** The requests of a part, as statements that allow it. */
export function boxStatements({ box, context, caller }: Part, world: World): readonly Statement[] {
  const identities = caller && box.identities[0] ? [self(caller.urn, box.identities[0])] : box.identities
  const statements = statementsOf({ ...world, policies: [{ ...box, identities }] }, world)
  if (context === always) return statements
  const text = printFormula(context)
  return statements.map((each) => ({ ...each, formula: conjunction(each.formula, context), key: keyOf(each.key, text) }))
}

/** One question of a part that is answered against its claim. */
export function search(part: Part, context: ProofContext): Outcome {
  const { world, side } = sideFor(part, context)
  const box = boxStatements(part, world)
  const { run } = context
  if (part.kind === 'always') return firstNewAccess({ allows: indexOf(box), denies: indexOf([]), groups: side.groups }, side, { run })
  // A request that is granted, and would not be if the box were denied, is granted in the box.
  if (part.kind === 'never') {
    const denied = box.map((each): Statement => ({ ...each, effect: 'deny', key: `claim ${each.key}` }))
    return firstNewAccess(side, withStatements(side, denied), { run })
  }
  const beyond = (): Outcome => {
    const within = side.allows.statements.flatMap((statement) => box.flatMap((each) => meeting(statement, each)))
    return firstNewAccess(
      { ...side, allows: indexOf(within) },
      { allows: indexOf([everythingFor(part)]), denies: indexOf([]), groups: side.groups },
      { run },
    )
  }
  return unlessUndecided(beyond, (culprits): Outcome => ({ kind: 'undecided', culprits }))
}

/** The part of an allow statement in the box: none or one statement. */
export function meeting(statement: Statement, box: Statement): readonly Statement[] {
  const met = meetStatements(statement, box)
  if (met.actions.length === 0 || met.boxes.length === 0) return []
  return [{ ...statement, ...met, formula: conjunction(statement.formula, box.formula), key: keyOf(statement.key, box.key) }]
}

/** Those who may, allowed everything everywhere. */
export function everythingFor({ box, caller }: Part): Statement {
  const isOneOfThem = caller && box.identities.some(({ value }) => caller.members.some((member) => covers(value.glob, literal(member))))
  return {
    effect: 'allow',
    policy: box,
    group: undefined,
    identities: caller ? (isOneOfThem && box.identities[0] ? [self(caller.urn, box.identities[0])] : []) : box.identities,
    boxes: [everywhere],
    actions: [{ value: everywhere.name, span: box.span }],
    exclusions: [],
    formula: always,
    key: 'those who may',
  }
}

/** Whether the simulator confirms a counterexample: it is in the box, and the world answers it against the claim. */
export function answersAgainst(
  { kind, box }: Claim,
  { caller }: Part,
  question: Question,
  { decision }: Explanation,
  world: World,
): boolean {
  const everybody = box.identities.map((each) => self(question.identity, each)).slice(0, 1)
  const isInBox =
    decide({ ...world, policies: [{ ...box, identities: kind === 'only' ? everybody : box.identities }] }, question).verdict === 'allow'
  const members = caller?.members ?? [question.identity, ...question.groups, ...(world.identities.get(question.identity)?.groups ?? [])]
  const isOneOfThem = kind === 'only' && box.identities.some(({ value }) => members.some((member) => matches(value.glob, member)))
  return isInBox && !isOneOfThem && (decision.verdict === 'allow') === (kind !== 'always')
}
