import { isPattern } from '../glob.ts'
import type { Keep } from '../kept.ts'
import type { World } from '../policy.ts'
import { hasOpenFacts } from './formula.ts'
import { groupedBy } from './lists.ts'
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
}

function put(map: Map<string, Statement[]>, key: string, statement: Statement): void {
  const list = map.get(key)
  if (!list) map.set(key, [statement])
  else if (list.at(-1) !== statement) list.push(statement)
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
    // What was added before is indexed already.
    return new Index(this.own, this.hides, this.added?.with(statements) ?? indexOf(statements))
  }

  has(key: string): boolean {
    const same = this.own.byKey.get(key)
    return same?.some((statement) => !this.hides?.(statement)) === true || this.added?.has(key) === true
  }

  /** The statements that may be about one of the members: those that name it, and those with a pattern. */
  about(members: readonly { readonly text: string }[]): ReadonlySet<Statement> {
    const { hides } = this
    const found = new Set<Statement>()
    for (const { text } of members)
      for (const statement of this.own.byIdentity.get(text) ?? []) if (!hides?.(statement)) found.add(statement)
    for (const statement of this.own.byPattern) if (!hides?.(statement)) found.add(statement)
    for (const statement of this.added?.about(members) ?? []) found.add(statement)
    return found
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

export function sideOf(world: World, other?: World, keep?: Keep): Side {
  const groups = new Map([...world.identities].map(([urn, identity]) => [urn, identity.groups]))
  return sideWith({ groups }, statementsOf(world, other, keep))
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
