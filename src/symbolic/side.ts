import { groupedBy } from '../collections.ts'
import { type Glob, isPattern } from '../glob.ts'
import type { Memoize } from '../memo.ts'
import type { World } from '../policy.ts'
import type { Box } from './boxes.ts'
import { hasOpenFacts } from './formula.ts'
import { isAllow, isDeny, type Patterns, patternsIn, type Statement, statementsOf } from './statements.ts'

/** The statements of one side of a comparison. */
export interface Side {
  readonly allows: Index
  readonly denies: Index
  /** The groups of each identity that the world describes. */
  readonly groups: ReadonlyMap<string, readonly string[]>
}

/** Statements with the ways to find them: by the identities that they name, and by their keys. */
class Statements {
  readonly all: readonly Statement[]
  readonly byIdentity = new Map<string, Statement[]>()
  readonly byPattern: Statement[] = []
  /** Whether a formula looks at facts that cannot be known. */
  readonly hasOpenFacts: boolean
  private keys: ReadonlyMap<string, readonly Statement[]> | undefined
  private made: Patterns | undefined
  private named: Named | undefined

  constructor(all: readonly Statement[]) {
    this.all = all
    for (const statement of all) {
      if (statement.identities.some(({ value }) => isPattern(value.glob))) this.byPattern.push(statement)
      for (const { value } of statement.identities) if (!isPattern(value.glob)) put(this.byIdentity, value.text, statement)
    }
    this.hasOpenFacts = all.some(({ formula }) => hasOpenFacts(formula))
  }

  /** Made when it is first asked for: a key is a long text. */
  get byKey(): ReadonlyMap<string, readonly Statement[]> {
    this.keys ??= groupedBy(this.all, ({ key }) => key)
    return this.keys
  }

  get patterns(): Patterns {
    this.made ??= patternsIn(this.all)
    return this.made
  }

  /** The statements that may be about one of the members: those that name it, then those with a pattern; where `box` is given, about all of it. */
  about(members: readonly { readonly text: string }[], box?: Box): Iterable<Statement> {
    const lists = [...members.map(({ text }) => this.byIdentity.get(text) ?? []), this.byPattern]
    const count = lists.reduce((sum, { length }) => sum + length, 0)
    if (box === undefined || count <= fewStatements) return lists.flat()
    this.named ??= new Named(this.all)
    const coveringStatements = this.named.covering(box)
    return coveringStatements.size >= count ? lists.flat() : this.inOrder(coveringStatements, members)
  }

  /** Those of some statements that may be about a member, in the order of `about`. */
  private inOrder(nearStatements: ReadonlySet<Statement>, members: readonly { readonly text: string }[]): readonly Statement[] {
    const place = new Map(members.map(({ text }, i) => [text, i]))
    const ranks = [...nearStatements].flatMap((statement) => {
      const named = statement.identities.map(({ value }) => (isPattern(value.glob) ? members.length : (place.get(value.text) ?? Infinity)))
      const rank = Math.min(...named)
      return rank === Infinity ? [] : [{ statement, rank, at: this.named?.places.get(statement) ?? 0 }]
    })
    return ranks.sort((a, b) => a.rank - b.rank || a.at - b.at).map(({ statement }) => statement)
  }
}

function put(map: Map<string, Statement[]>, key: string, statement: Statement): void {
  const list = map.get(key)
  if (!list) map.set(key, [statement])
  else if (list.at(-1) !== statement) list.push(statement)
}

/** Up to so many statements, testing each costs less than an index. */
const fewStatements = 32

/** Statements by the types and names of the resources that they are about. */
class Named {
  /** The place of each statement in the list of all. */
  readonly places: ReadonlyMap<Statement, number>
  private readonly types = new ByPattern<ByPattern<Statement[]>>()

  constructor(all: readonly Statement[]) {
    this.places = new Map(all.map((statement, i) => [statement, i]))
    for (const statement of all)
      for (const { type, name } of statement.boxes) {
        const list = this.types.at(type, () => new ByPattern()).at(name, () => [])
        if (list.at(-1) !== statement) list.push(statement)
      }
  }

  /** The statements of which a box may hold all of this one. */
  covering({ type, name }: Box): ReadonlySet<Statement> {
    const statements = new Set<Statement>()
    for (const names of this.types.covering(type))
      for (const list of names.covering(name)) for (const statement of list) statements.add(statement)
    return statements
  }
}

/** A map from patterns that is asked which of its patterns cover another one: those with a wildcard are found by what is before it. */
class ByPattern<T> {
  private readonly byText = new Map<string, T>()
  private readonly byStart = new Map<string, T>()
  /** The lengths of what is before a wildcard. */
  private readonly lengths = new Set<number>()

  /** The value of a pattern, made where there is none. */
  at(pattern: Glob, make: () => T): T {
    const start = pattern.pieces[0] as string
    const [map, key] = isPattern(pattern) ? [this.byStart, start] : [this.byText, pattern.text]
    if (map === this.byStart) this.lengths.add(start.length)
    const value = map.get(key) ?? make()
    map.set(key, value)
    return value
  }

  /** The values of patterns that may cover this one. */
  *covering(pattern: Glob): Iterable<T> {
    const exact = isPattern(pattern) ? undefined : this.byText.get(pattern.text)
    if (exact !== undefined) yield exact
    const start = pattern.pieces[0] as string
    for (const length of this.lengths) {
      const sameStart = length <= start.length ? this.byStart.get(start.slice(0, length)) : undefined
      if (sameStart !== undefined) yield sameStart
    }
  }
}

/** An index of statements, or a view of one: without some of them, and with others. Views are made in no time. */
export class Index {
  private readonly own: Statements
  private readonly hides: ((statement: Statement) => boolean) | undefined
  private readonly added: Index | undefined

  constructor(own: Statements, hides?: (statement: Statement) => boolean, added?: Index) {
    this.own = own
    this.hides = hides
    this.added = added
  }

  get statements(): readonly Statement[] {
    const { all } = this.own
    const own = this.hides ? all.filter((statement) => !this.hides?.(statement)) : all
    return this.added ? [...own, ...this.added.statements] : own
  }

  without(drop: (statement: Statement) => boolean): Index {
    const { hides } = this
    return new Index(this.own, hides ? (statement) => hides(statement) || drop(statement) : drop, this.added?.without(drop))
  }

  with(statements: readonly Statement[]): Index {
    if (statements.length === 0) return this
    // The statements added before are already indexed.
    return new Index(this.own, this.hides, this.added?.with(statements) ?? indexOf(statements))
  }

  has(key: string): boolean {
    const same = this.own.byKey.get(key)
    return same?.some((statement) => !this.hides?.(statement)) === true || this.added?.has(key) === true
  }

  /**
   * The statements that may be about one of the members: those that name it, and those with a pattern. `box`: leaves out some of those
   * that are not about all of it.
   */
  about(members: readonly { readonly text: string }[], box?: Box): ReadonlySet<Statement> {
    const { hides } = this
    const statements = new Set<Statement>()
    for (const statement of this.own.about(members, box)) if (!hides?.(statement)) statements.add(statement)
    for (const statement of this.added?.about(members, box) ?? []) statements.add(statement)
    return statements
  }

  /** Whether a formula looks at facts that cannot be known, those of hidden statements included. */
  get hasOpenFacts(): boolean {
    return this.own.hasOpenFacts || this.added?.hasOpenFacts === true
  }

  /** The patterns of its statements; those of hidden ones among them, which does no harm. */
  get patterns(): readonly Patterns[] {
    return this.added ? [this.own.patterns, ...this.added.patterns] : [this.own.patterns]
  }
}

export function indexOf(all: readonly Statement[]): Index {
  return new Index(new Statements(all))
}

export function sideOf(world: World, others?: World | readonly World[], keep?: Memoize): Side {
  const groups = new Map([...world.identities].map(([urn, identity]) => [urn, identity.groups]))
  return sideWith({ groups }, statementsOf(world, others, keep))
}

/** The same identities with these statements alone. */
export function sideWith({ groups }: Pick<Side, 'groups'>, statements: readonly Statement[]): Side {
  return { allows: indexOf(statements.filter(isAllow)), denies: indexOf(statements.filter(isDeny)), groups }
}

/** A side without the statements that `drop` picks. */
export function without(side: Side, drop: (statement: Statement) => boolean): Side {
  return { ...side, allows: side.allows.without(drop), denies: side.denies.without(drop) }
}

/** A side with further statements. */
export function withStatements(side: Side, statements: readonly Statement[]): Side {
  return { ...side, allows: side.allows.with(statements.filter(isAllow)), denies: side.denies.with(statements.filter(isDeny)) }
}

/** Denies seen as grants, to ask of them what is asked of grants: the search looks at no effect (docs/analysis.md, The whole set). */
export function deniesAsGrants(side: Side): Side {
  return { ...side, allows: side.denies, denies: indexOf([]) }
}
