import { filled, freshLetter, type Glob, hasInnerWildcard, isPattern, matches, overlaps } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import { type Box, meetBoxes, overlapsBox } from '../../symbolic/boxes.ts'
import { covers } from '../../symbolic/covers.ts'
import { atomsOf, type Formula, isAlways } from '../../symbolic/formula.ts'
import { meet, Undecided } from '../../symbolic/patterns.ts'
import { type Index, indexOf, type Side } from '../../symbolic/side.ts'
import { asGrant, type Exclusion, type Statement, statementsOf } from '../../symbolic/statements.ts'
import type { IdentityUrn } from '../../urn/identity.ts'
import type { RuleContext } from '../rule.ts'
import { listNames } from './lists.ts'
import { satisfiable } from './satisfiable.ts'
import { countWritten } from './written.ts'

/**
 * All policies together, for rules about what one of them adds to the others. Inclusion is decided exactly by
 * `covers` (docs/analysis.md, The whole set); before it comes a cheap test that is necessary for it, so that it is asked only about the few policies
 * that may be included, and only with the statements that may include them.
 *
 * Only what is certain counts: a policy with an entry that could not be read, or with a wildcard whose meaning is not
 * published, neither is judged nor covers another.
 */
export interface WholeSet {
  readonly allows: Index
  readonly denies: Index
  /** The denies seen as grants: "is denied" becomes a matter of inclusion too. */
  readonly bans: Index
  /** The same with denies of unpublished meaning: to ask whether something may be denied. */
  readonly possibleBans: Index
  /**
   * The statements of each policy that can apply at all, its denies seen as such and as grants. Not of policies that say
   * something of unpublished meaning: of these, what is certain counts for others, but they are not judged.
   */
  readonly own: ReadonlyMap<Policy, Own>
  readonly side: Side
  readonly letter: string
  readonly words: Map<Statement, Words>
  /** How many comparisons and searches are left; when they are spent, nothing more is said. */
  comparisons: number
  clockSearches: number
}

export interface Own {
  readonly allows: readonly Statement[]
  readonly denies: readonly Statement[]
  readonly bans: readonly Statement[]
}

const mostComparisons = 20_000_000
/** Searches with conditions about the clock, each of which takes a tenth of a second. */
const mostClockSearches = 40
/** How many regions one question about a policy may take. */
const mostRegions = 20_000

/** The whole set, made once; undefined when it takes too much to take apart. */
export function wholeSet(context: RuleContext): WholeSet | undefined {
  return context.once(make)
}

function make(context: RuleContext): WholeSet | undefined {
  const { world } = context
  const side = sideIfDecided(context)
  if (!side) return undefined
  const every = [...side.allows.statements, ...side.denies.statements]
  const usable = every.filter((statement) => isSettled(statement.policy) && isPublished(statement) && canApply(statement, context))
  const odd = new Set(every.filter((statement) => !isPublished(statement)).map(({ policy }) => policy))
  const own = new Map<Policy, { allows: Statement[]; denies: Statement[]; bans: Statement[] }>()
  for (const policy of world.policies) own.set(policy, { allows: [], denies: [], bans: [] })
  for (const statement of usable) {
    const list = own.get(statement.policy)
    if (statement.effect === 'allow') list?.allows.push(statement)
    else {
      list?.denies.push(statement)
      list?.bans.push(asGrant(statement))
    }
  }
  const all = [...own.values()]
  for (const policy of odd) own.delete(policy)
  return {
    allows: indexOf(all.flatMap(({ allows }) => allows)),
    denies: indexOf(all.flatMap(({ denies }) => denies)),
    bans: indexOf(all.flatMap(({ bans }) => bans)),
    possibleBans: indexOf(side.denies.statements.map(asGrant)),
    own,
    side,
    letter: letterBeside(usable),
    words: new Map(),
    comparisons: mostComparisons,
    clockSearches: mostClockSearches,
  }
}

/** A letter that occurs in no text of the statements. */
function letterBeside(statements: readonly Statement[]): string {
  for (let code = 0xffff; ; code--) {
    const letter = String.fromCharCode(code)
    const isIn = ({ text }: { readonly text: string }) => text.includes(letter)
    const occurs = ({ identities, actions, boxes, exclusions }: Statement) =>
      identities.some(({ value }) => isIn(value)) ||
      actions.some(({ value }) => isIn(value)) ||
      boxes.some(({ type, name }) => isIn(type) || isIn(name)) ||
      exclusions.some(({ pattern }) => isIn(pattern))
    if (!statements.some(occurs)) return letter
  }
}

function sideIfDecided(context: RuleContext): Side | undefined {
  try {
    return context.side()
  } catch (error) {
    if (error instanceof Undecided) return undefined
    throw error
  }
}

/** Whether every entry of a policy was understood, and no resource of it holds a wildcard of unpublished meaning. */
export function isSettled({ node, identities, resources, permissions, permissionsGroups }: Policy): boolean {
  return (
    identities.length === countWritten(node, 'identities') &&
    resources.length === countWritten(node, 'resources') &&
    permissionsGroups.length === countWritten(node, 'permissionsGroups') &&
    listNames.every((list) => permissions[list].length === countWritten(node, 'permissions', list)) &&
    resources.every(({ value }) => value.kind === 'group' || (isPublishedPart(value.type, true) && isPublishedPart(value.name, false)))
  )
}

function isPublishedPart(text: string, whole: boolean): boolean {
  const star = text.indexOf('*')
  return star < 0 || text === '*' || (!whole && star === text.length - 1) || (whole && star === text.length - 1)
}

function isPublished({ actions, exclusions }: Statement): boolean {
  return (
    actions.every(({ value }) => !hasInnerWildcard(value)) &&
    exclusions.every(({ dimension, pattern }) => dimension !== 'action' || !hasInnerWildcard(pattern))
  )
}

/** Whether there is a request that the statement is about. */
export function canApply(statement: Statement, context: RuleContext): boolean {
  const { identities, boxes, actions, exclusions } = statement
  if (identities.length === 0) return false
  const open = boxes.some((box) => actions.some(({ value }) => !isExcluded(exclusions, box, value)))
  return open && satisfiable(context, [statement.formula]) !== false
}

function isExcluded(exclusions: readonly Exclusion[], box: Box, action: Glob): boolean {
  if (exclusions.length === 0) return false
  const letter = freshLetter(box.type.text, box.name.text, action.text, ...exclusions.map(({ pattern }) => pattern.text))
  const words = { type: filled(box.type, letter), name: filled(box.name, letter), action: filled(action, letter) }
  return exclusions.some(({ dimension, pattern }) => matches(pattern, words[dimension]))
}

/** The statements of a policy with another condition, other resources or none, that can apply. */
export function statementsOfVariant(policy: Policy, context: RuleContext): readonly Statement[] | undefined {
  try {
    return statementsOf({ ...context.world, policies: [policy] }).filter((statement) => canApply(statement, context))
  } catch (error) {
    if (error instanceof Undecided) return undefined
    throw error
  }
}

/** A statement as words: each pattern filled with a letter that no pattern holds, so that matching is covering. */
interface Words {
  readonly boxes: readonly { readonly region: string; readonly type: string; readonly name: string }[]
  readonly actions: readonly string[]
}

/** The point of a starting region: who asks, with known groups, on what, and for what. */
interface Point {
  readonly members: readonly { readonly text: string; readonly word: string }[]
  readonly box: Words['boxes'][number]
  readonly action: string
}

function wordsOf(statement: Statement, set: WholeSet): Words {
  const known = set.words.get(statement)
  if (known) return known
  const word = (pattern: Glob) => filled(pattern, set.letter)
  const words = {
    boxes: statement.boxes.map(({ region, type, name }) => ({ region: word(region), type: word(type), name: word(name) })),
    actions: statement.actions.map(({ value }) => word(value)),
  }
  set.words.set(statement, words)
  return words
}

/** Who a statement's identity stands for: itself, and the groups that the world gives it. */
export function membersOf(identity: IdentityUrn, set: WholeSet): readonly { readonly text: string; readonly word: string }[] {
  const self = { text: identity.text, word: filled(identity.glob, set.letter) }
  if (isPattern(identity.glob)) return [self]
  return [self, ...(set.side.groups.get(identity.text) ?? []).map((text) => ({ text, word: text }))]
}

function* pointsOf(statement: Statement, set: WholeSet): Iterable<Point> {
  const { boxes, actions } = wordsOf(statement, set)
  for (const { value } of statement.identities) {
    const members = membersOf(value, set)
    for (const [b, box] of boxes.entries()) {
      for (const [a, action] of actions.entries()) {
        const excluded = isExcludedWord(statement.exclusions, box, action)
        if (!excluded && statement.boxes[b] && statement.actions[a]) yield { members, box, action }
      }
    }
  }
}

function isExcludedWord(exclusions: readonly Exclusion[], box: Words['boxes'][number], action: string): boolean {
  return exclusions.some(({ dimension, pattern }) => matches(pattern, dimension === 'action' ? action : box[dimension]))
}

/** Whether a statement covers a point, its formula left aside. */
function coversPoint(statement: Statement, { members, box, action }: Point, set: WholeSet): boolean {
  set.comparisons--
  return (
    statement.boxes.some((b) => matches(b.type, box.type) && matches(b.name, box.name) && matches(b.region, box.region)) &&
    statement.actions.some(({ value }) => matches(value, action)) &&
    statement.identities.some(({ value }) => members.some(({ word }) => matches(value.glob, word))) &&
    !isExcludedWord(statement.exclusions, box, action)
  )
}

function coversPointOf(index: Index, point: Point, set: WholeSet, skip: (statement: Statement) => boolean): Statement | undefined {
  for (const statement of index.about(point.members)) {
    if (set.comparisons < 0) return undefined
    if (!skip(statement) && coversPoint(statement, point, set)) return statement
  }
  return undefined
}

/** What may cover: grants, less what is denied (where `denies` are given, what they forbid need not be covered). */
export interface Cover {
  readonly by: Index
  readonly denies?: Index
  readonly skip: (statement: Statement) => boolean
}

/**
 * The policies that together cover the statements, as few as are easily found; undefined when something is not covered
 * or when it cannot be decided. Sound: what is said to be covered is.
 */
export function coveredBy(statements: readonly Statement[], cover: Cover, set: WholeSet): readonly Policy[] | undefined {
  const first = new Set<Policy>()
  let points = 0
  for (const statement of statements) {
    for (const point of pointsOf(statement, set)) {
      const found = coversPointOf(cover.by, point, set, cover.skip) ?? (cover.denies && coversPointOf(cover.denies, point, set, cover.skip))
      if (!found) return undefined
      points++
      first.add(found.policy)
    }
  }
  if (points === 0) return undefined
  const allows = nearby(statements, cover.by, set, cover.skip)
  const denies = cover.denies ? nearby(statements, cover.denies, set, cover.skip) : []
  if (!isIncluded(statements, allows, denies, set)) return undefined
  const withDenies = denies.length > 0 && !isIncluded(statements, allows, [], set)
  return fewest(statements, allows, withDenies ? denies : [], first, set)
}

/** Whether the statements grant nothing that `by` does not, over what `denies` leave. False when undecided. */
export function isIncluded(
  statements: readonly Statement[],
  by: readonly Statement[],
  denies: readonly Statement[],
  set: WholeSet,
): boolean {
  if ([...statements, ...by, ...denies].some(({ formula }) => looksAtClock(formula)) && set.clockSearches-- <= 0) return false
  const outcome = covers({ ...set.side, allows: indexOf(by), denies: indexOf(denies) }, statements, mostRegions)
  return outcome.kind === 'none'
}

export function looksAtClock(formula: Formula): boolean {
  for (const atom of atomsOf(formula)) if (atom.kind === 'test' && ['date', 'hour', 'weekday'].includes(atom.test.subject.kind)) return true
  return false
}

/** The statements of an index that speak to somebody of what the given ones speak of. */
export function nearby(
  statements: readonly Statement[],
  index: Index,
  set: WholeSet,
  skip: (statement: Statement) => boolean,
): readonly Statement[] {
  const members = statements.flatMap(({ identities }) => identities.flatMap(({ value }) => membersOf(value, set)))
  const found = new Set<Statement>()
  for (const statement of index.about(members)) {
    if (set.comparisons-- < 0) return []
    if (!skip(statement) && statements.some((one) => speakOfTheSame(statement, one))) found.add(statement)
  }
  return [...found]
}

export function speakOfTheSame(a: Statement, b: Statement): boolean {
  return (
    a.boxes.some((x) => b.boxes.some((y) => overlapsBox(x, y))) && a.actions.some((x) => b.actions.some((y) => overlaps(x.value, y.value)))
  )
}

/** How many policies are tried one by one, and among how many those not needed are looked for. */
const mostTried = 4

/** One policy that is enough, or those that are left when what is not needed is taken out. */
function fewest(
  statements: readonly Statement[],
  allows: readonly Statement[],
  denies: readonly Statement[],
  first: ReadonlySet<Policy>,
  set: WholeSet,
): readonly Policy[] {
  const enough = (policies: ReadonlySet<Policy>) => {
    const of = (list: readonly Statement[]) => list.filter(({ policy }) => policies.has(policy))
    return isIncluded(statements, of(allows), of(denies), set)
  }
  const every = [...new Set([...allows, ...denies].map(({ policy }) => policy))]
  if (every.length === 1) return every
  const single = [...first].slice(0, mostTried).find((policy) => enough(new Set([policy])))
  if (single) return [single]
  const needed = new Set(every.length > first.size && enough(first) ? first : every)
  if (needed.size <= mostTried) {
    for (const policy of [...needed].reverse()) {
      needed.delete(policy)
      if (!enough(needed)) needed.add(policy)
    }
  }
  return every.filter((policy) => needed.has(policy))
}

/** Whether a statement is about everything: somebody is shut out, or let in, on purpose. */
export function isAboutEverything({ actions, boxes, exclusions, formula }: Statement): boolean {
  return (
    exclusions.length === 0 &&
    isAlways(formula) &&
    actions.some(({ value }) => value.pieces.every((piece) => piece === '')) &&
    boxes.some(({ type, name }) => type.text === '*' && name.text === '*')
  )
}

/** What two statements are both about, as a statement of the first; undefined when there is nothing. */
export function meeting(a: Statement, b: Statement): Statement | undefined {
  const identities = a.identities.filter(({ value }) => b.identities.some((other) => overlaps(value.glob, other.value.glob)))
  if (identities.length === 0 || !speakOfTheSame(a, b)) return undefined
  try {
    const boxes = a.boxes.flatMap((x) => b.boxes.flatMap((y) => meetBoxes(x, y)))
    const actions = a.actions.flatMap((x) => b.actions.flatMap((y) => meet(x.value, y.value).map((value) => ({ value, span: x.span }))))
    return { ...a, identities, boxes, actions, exclusions: [...a.exclusions, ...b.exclusions], key: '' }
  } catch (error) {
    if (error instanceof Undecided) return undefined
    throw error
  }
}
