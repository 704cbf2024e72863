import type { Catalogue } from '../actions/catalogue.ts'
import { type Glob, isPattern, matches } from '../glob.ts'
import type { World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Question, Verdict } from '../simulate/decision.ts'
import { type Box, boxesOf, holdsUrn } from '../symbolic/boxes.ts'
import { allOf, both, type Formula, negation, satisfy } from '../symbolic/formula.ts'
import { actionText, type GainedRegion, gained as newAccess, type RegionExclusion } from '../symbolic/gained.ts'
import { Undecided } from '../symbolic/patterns.ts'
import { type Caller, defaultBudget, type Gain } from '../symbolic/search.ts'
import { indexOf, type Side, sideOf } from '../symbolic/side.ts'
import { witnessOf } from '../symbolic/witness.ts'
import { type Cause, causesOf, type Edits, editsBetween, mostQuestions, policiesAbout } from './causes.ts'
import { atInstant } from './instant.ts'

/** What is compared, and how far. */
export interface DiffOptions {
  /** Only at this instant, in milliseconds since 1970. Not given: at any time. */
  readonly at?: number
  /** Only from one instant to another, both included. */
  readonly within?: { readonly from: number; readonly to: number }
  /** What is known of actions: for the numbers of actions, and for witnesses that name real ones. */
  readonly catalogue?: Pick<Catalogue, 'expand'>
  /** How many steps the search may take on each side: the same number gives the same answer on every machine. */
  readonly budget?: number
  /** Only what is gained, or only what is lost. Not given: both. */
  readonly only?: 'gained' | 'lost'
}

/** Part of a region in which it does not hold: requests that agree in all that is given; null is everything. */
export interface Except {
  /**
   * `denied`: the side that gains denies it. `already`: the other side allows it, too. `except`: left out by the entries
   * that grant it. `apart`: an identity whose groups differ between the sides; regions of its own speak of it.
   */
  readonly why: RegionExclusion['why']
  readonly identities: readonly string[] | null
  readonly resources: readonly Resources[] | null
  readonly actions: readonly string[] | null
  /** Actions and resources that are no part of this exception. */
  readonly unless: readonly (readonly [dimension: 'action' | 'type' | 'name', pattern: string])[]
  readonly condition: Formula
  /** The policy that makes the exception. */
  readonly policy?: World['policies'][number]
}

/** Resources: a pattern, and where that says too much, what the type and the name match besides. */
export interface Resources {
  readonly pattern: string
  readonly type?: string
  readonly name?: string
}

/** Requests that are allowed on one side only: all that lie in it and in none of its exceptions. */
export interface DiffRegion {
  /** Identities, groups for whoever is in them, or patterns over these. */
  readonly identities: readonly string[]
  /** Groups that the identity is in besides, all of them. */
  readonly groups: readonly string[]
  readonly actions: readonly string[]
  readonly resources: readonly Resources[]
  readonly condition: Formula
  readonly except: readonly Except[]
  /** False: it may be allowed on that side, depending on facts that cannot be known. */
  readonly certain: boolean
  /** A question that the side that gains allows (or perhaps, if not certain) and the other does not. */
  readonly witness: Question
  readonly causes: readonly Cause[]
  /** The catalogue's actions in the region; undefined without a catalogue. */
  readonly catalogue: readonly string[] | undefined
  /** What the inventories of both sides describe of it. */
  readonly known: { readonly identities: number; readonly resources: number }
}

/** A stretch that was not decided: on which side, and the patterns at which the search was given up. */
export interface Open {
  readonly side: 'gained' | 'lost'
  readonly culprits: readonly string[]
}

export interface Difference {
  /** `same` is a proof over all identities, actions, resources and contexts. */
  readonly verdict: 'same' | 'changed' | 'undecided'
  /** What the second world allows and the first does not. */
  readonly gained: readonly DiffRegion[]
  /** What the first world allows and the second does not. */
  readonly lost: readonly DiffRegion[]
  /** Where there may be more. */
  readonly undecided: readonly Open[]
}

/**
 * The exact difference of two worlds (docs/analysis.md, New access): what the one allows and the other does not, both ways.
 * Denied and unknown both count as not allowed; on the side that gains, what may be allowed counts as allowed, marked as
 * not certain. Compared is what is granted where every fact of a question is given; the owning account, which may do
 * everything on both sides, is left aside.
 */
export function diff(before: World, after: World, options: DiffOptions = {}): Difference {
  const { at } = options
  const [first, second] = at === undefined ? [before, after] : [atInstant(before, at), atInstant(after, at)]
  const undecided: Open[] = []
  const regions = (side: Open['side'], from: World, to: World): readonly DiffRegion[] => {
    try {
      const { regions, culprits } = newAccess(during(sideOf(to, from), options.within), sideOf(from, to), options.budget ?? defaultBudget)
      if (culprits.length > 0) undecided.push({ side, culprits })
      if (regions.length === 0) return []
      const context = contextOf(side, before, after, options)
      return regions.flatMap((region) => shownRegions(region, context)).sort(firstThingsFirst)
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      undecided.push({ side, culprits: error.culprits })
      return []
    }
  }
  const gained = options.only === 'lost' ? [] : regions('gained', first, second)
  const lost = options.only === 'gained' ? [] : regions('lost', second, first)
  const verdict = gained.length + lost.length > 0 ? 'changed' : undecided.length > 0 ? 'undecided' : 'same'
  return { verdict, gained, lost, undecided }
}

/** A side that grants only within some time. Its statements keep their keys: what was the same on the other side still is, or less. */
function during(side: Side, within: DiffOptions['within']): Side {
  if (!within) return side
  const window = both(negation({ kind: 'until', at: within.from - 1 }), { kind: 'until', at: within.to })
  const allows = side.allows.statements.map((statement) => ({
    ...statement,
    key: statement.key,
    formula: both(statement.formula, window),
  }))
  return { ...side, allows: indexOf(allows) }
}

/** What is certain before what is not, what holds known actions before what holds none yet; else in the order found. */
function firstThingsFirst(a: DiffRegion, b: DiffRegion): number {
  return Number(b.certain) - Number(a.certain) || Number(b.catalogue?.length !== 0) - Number(a.catalogue?.length !== 0)
}

/** What regions are described with. */
interface Context {
  /** The side that grants, and the one that does not. */
  readonly granting: World
  readonly other: World
  readonly options: DiffOptions
  readonly edits: Edits
  readonly verdicts: (question: Question) => readonly [Verdict, Verdict]
  readonly identities: readonly string[]
  readonly resources: readonly string[]
}

function contextOf(side: Open['side'], before: World, after: World, options: DiffOptions): Context {
  const [granting, other] = side === 'gained' ? [after, before] : [before, after]
  const edits = editsBetween(before, after)
  const known = side === 'gained' ? ([edits.about.after, edits.about.before] as const) : ([edits.about.before, edits.about.after] as const)
  // A question gives all tags of its resource, whatever an inventory says of it.
  const verdictIn = (world: World, question: Question, policies: Parameters<typeof policiesAbout>[2]) =>
    decide({ ...world, policies: policiesAbout(question, world, policies) }, question).verdict
  const members = [before, after].flatMap(({ resourceGroups }) => [...resourceGroups.values()].flatMap(({ members }) => [...members]))
  return {
    granting,
    other,
    options,
    edits,
    verdicts: (question) => [verdictIn(granting, question, known[0]), verdictIn(other, question, known[1])],
    identities: [...new Set([...before.identities.keys(), ...after.identities.keys()])].sort(),
    resources: [...new Set([...before.resources.keys(), ...after.resources.keys(), ...members])].sort(),
  }
}

/** A region as it is reported: one for each set of groups that its identities have to be in. */
function shownRegions(region: GainedRegion, context: Context): readonly DiffRegion[] {
  const byGroups = new Map<string, { readonly groups: readonly string[]; readonly callers: Caller[] }>()
  for (const caller of region.callers) {
    const groups = (caller.self ? caller.groups : caller.groups.slice(1)).map(({ text }) => text).sort()
    const list = byGroups.get(groups.join(' ')) ?? { groups, callers: [] }
    list.callers.push(caller)
    byGroups.set(groups.join(' '), list)
  }
  const condition = simplified(region.formulas)
  const resources = resourcesOf(region.boxes, region.gains)
  const except = region.excluded.map(exceptOf)
  const catalogue = knownActions(region, context.options.catalogue)
  const out: DiffRegion[] = []
  for (const { groups, callers } of byGroups.values()) {
    const gains = region.gains.filter((gain) => callers.includes(gain.region.caller))
    const witness = witnessIn(gains.length > 0 ? gains : region.gains, region, catalogue, context)
    const own = gains.slice(0, mostQuestions).map((gain) => witnessAt(gain, context))
    out.push({
      identities: [...new Set(callers.map(({ self, groups: [first] }) => (self ?? (first as Glob)).text))].sort(),
      groups,
      actions: [...new Set(region.actions.map(actionText))].sort(),
      resources,
      condition,
      except,
      certain: region.certain,
      witness,
      causes: causesOf([witness, ...own], context.edits),
      catalogue,
      known: {
        identities: context.identities.filter((text) => callers.some((caller) => bringsCaller(caller, text, context))).length,
        resources: context.resources.filter((text) => region.boxes.some((box) => holdsUrn(box, text))).length,
      },
    })
  }
  return out
}

function witnessAt(gain: Gain, { options: { at } }: Context): Question {
  const question = witnessOf(gain)
  return at === undefined ? question : { ...question, at }
}

/** How many names of each kind are tried for a witness. */
const mostNames = 12

/** A question in the region, with names that exist wherever such a one is answered the same way. */
function witnessIn(gains: readonly Gain[], region: GainedRegion, catalogue: readonly string[] | undefined, context: Context): Question {
  let question = witnessAt(gains[0] as Gain, context)
  const wanted = context.verdicts(question).join()
  const attempt = (change: Partial<Question>) => {
    const tried = { ...question, ...change }
    if (context.verdicts(tried).join() !== wanted) return false
    question = tried
    return true
  }
  const { caller, action, box } = (gains[0] as Gain).region
  if (isPattern(action))
    (catalogue ?? [])
      .filter((each) => matches(action, each))
      .slice(0, mostNames)
      .some((each) => attempt({ action: each }))
  if (isPattern(box.name) || isPattern(box.type))
    context.resources
      .filter((each) => holdsUrn(box, each))
      .slice(0, mostNames)
      .some((each) => attempt({ resource: each }))
  if (!caller.self || isPattern(caller.self)) {
    const known = context.identities.filter((each) => bringsCaller(caller, each, context))
    known.slice(0, mostNames).some((each) => attempt({ identity: each, groups: [] }) || attempt({ identity: each }))
  }
  const [here, there] = [decide(context.granting, question), decide(context.other, question)]
  if (here.verdict === 'deny' || there.verdict === 'allow')
    throw new Error(`a witness does not hold: ${region.actions.map(actionText).join(', ')}`)
  return question
}

function bringsCaller({ self, groups }: Caller, identity: string, { granting }: Context): boolean {
  const members = [identity, ...(granting.identities.get(identity)?.groups ?? [])]
  if (self) return matches(self, identity) && groups.every((group) => members.some((member) => matches(group, member)))
  return groups.every((group) => members.some((member) => matches(group, member)))
}

/** The catalogue's actions in a region that no exception takes away whole. */
function knownActions(
  { actions, excluded }: GainedRegion,
  catalogue: Pick<Catalogue, 'expand'> | undefined,
): readonly string[] | undefined {
  if (!catalogue) return undefined
  const left = excluded.flatMap(({ why, actions: taken }) => (why === 'except' ? (taken ?? []) : []))
  const found = new Set(actions.flatMap((action) => [...catalogue.expand(action)]))
  return [...found].filter((action) => !left.some((pattern) => matches(pattern, action))).sort()
}

// Conditions.

/** How many parts a condition may have for each of them to be tried to be left out. */
const mostParts = 40

/** The conjunction without what follows from the rest of it. */
function simplified(formulas: readonly Formula[]): Formula {
  const whole = allOf(formulas)
  if (whole.kind !== 'and') return whole
  let parts = [...whole.operands]
  if (parts.length > mostParts) return whole
  for (const part of whole.operands) {
    const rest = parts.filter((each) => each !== part)
    if (satisfy([...rest, negation(part)], { allowance: { left: 5_000 } }) === undefined) parts = rest
  }
  return allOf(parts)
}

// Resources.

/** Boxes as people write them: by the entries that they come from where all of an entry's boxes are there. */
function resourcesOf(boxes: readonly Box[], gains: readonly Gain[] = []): readonly Resources[] {
  const key = ({ region, type, name }: Box) => `${region.text}\n${type.text}\n${name.text}`
  const left = new Map(boxes.map((box) => [key(box), box]))
  const out = new Map<string, Resources>()
  const entries = new Map(
    gains.flatMap(({ statement }) =>
      statement.policy.resources.flatMap(({ value }) => (value.kind === 'resource' ? [[value.text, value]] : [])),
    ),
  )
  for (const [text, entry] of entries) {
    const own = boxesOf(entry)
    if (own.length < 2 || !own.every((box) => boxes.some((each) => key(each) === key(box)))) continue
    out.set(text, { pattern: text })
    for (const box of own) left.delete(key(box))
  }
  for (const box of left.values()) {
    const written = resourceText(box)
    out.set(JSON.stringify(written), written)
  }
  return [...out.values()].sort((a, b) => (a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0))
}

function resourceText({ region, type, name }: Box): Resources {
  if (region.text === '*' && type.text === '*' && name.text === '*') return { pattern: '*' }
  const head = `urn:v1:${region.text}:resource:`
  if (type.text === '*' && name.text === '*') return { pattern: `${head}*` }
  const pattern = `${head}${type.text}:${name.text}`
  if (!isPattern(type)) return { pattern }
  // The type's wildcard may not take the colon behind the type, as it would in a pattern.
  const isOpen = type.pieces.length === 2 && type.pieces[1] === '' && name.pieces[0] === ''
  return isOpen ? { pattern } : { pattern: `${head}*`, type: type.text, name: name.text }
}

function exceptOf({ why, identities, boxes, actions, exclusions, formula, statement }: RegionExclusion): Except {
  return {
    why,
    identities: identities ? identities.map(({ text }) => text).sort() : null,
    resources: boxes ? resourcesOf(boxes) : null,
    actions: actions ? actions.map(({ text }) => text).sort() : null,
    unless: exclusions.map(({ dimension, pattern }) => [dimension, pattern.text] as const),
    condition: formula,
    ...(statement && { policy: statement.policy }),
  }
}
