import { type GuaranteedLevels, guaranteedLevels, type Level, levels } from '../actions/reads.ts'
import { Budget, notSearched, Undecided, withinBudget } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import type { Policy, World } from '../policy.ts'
import { typeAndName } from '../urn/resource.ts'
import { type AlreadyReported, type AskedBeyond, type Beyond, type BeyondDescribed, beyondDescribed } from './beyond.ts'
import {
  type ActionsByType,
  type Cell,
  type Class,
  Described,
  type KnownNames,
  namesIn,
  policiesOf,
  type RequestContext,
  whenGranted,
} from './described.ts'
import { allOf, always, anyOf, type Formula, hasOpenFacts, never, printFormula, satisfy, tooMany, withTime } from './formula.ts'
import { approximateReason, Judge } from './known.ts'
import type { Region } from './regions.ts'

/**
 * The access of described identities to resources of each type, in one word for each pair. Exact for the catalogue actions about
 * the type: a level is reached by some identity, resource and instant that counts, and none above it is.
 */
export interface Matrix {
  /** Those that were looked at. */
  readonly identities: readonly string[]
  /** Resource types, or resources. */
  readonly columns: readonly Column[]
  /** The cells of each identity, one for each column. */
  readonly rows: readonly (readonly MatrixCell[])[]
  /** Types about which the catalogue knows no action. */
  readonly unknownTypes: readonly string[]
  /** The access to resources that no cell is about. */
  readonly beyond?: readonly Beyond[]
  /** Why more may be certain than is shown. */
  readonly reasons: readonly string[]
}

export interface Column {
  /** A resource type, or a resource. */
  readonly name: string
  readonly type: string
  /** The number of resources in it. */
  readonly resources: number
}

/**
 * The confidence in a level: it is always reached; in some contexts, of time, address or tags; or only for some values of
 * facts that cannot be given.
 */
export type Confidence = 'always' | 'sometimes' | 'perhaps'

export interface MatrixCell {
  readonly level: Level
  /** The levels that are reached in any case, and in some contexts; `level` where not given. */
  readonly guaranteed?: GuaranteedLevels
  /** The least sure of the resources that have the level. */
  readonly confidence: Confidence
  /** How many resources of the column have the level. */
  readonly resources: number
  /** When the level is reached on one of them. */
  readonly condition: Formula
  /** Only in part whenever the condition holds: on some of the resources, or with some of all actions. */
  readonly isPartly: boolean
  /** The policies that grant something of it, in the order of the world. */
  readonly policies: readonly Policy[]
  /** The identity is the account that owns the resources. */
  readonly isRoot: boolean
  /** Where it is compared with the same cell of an earlier world and differs. */
  readonly change?: CellChange
}

/** The access that a cell gained and lost since an earlier world. */
export interface CellChange {
  /** The cell in the earlier world. */
  readonly before: MatrixCell
  readonly gained: readonly ChangedAccess[]
  readonly lost: readonly ChangedAccess[]
}

/** Access of a cell in one of two worlds and not in the other: each action on each resource. */
export interface ChangedAccess {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  /** When it is so. */
  readonly condition: Formula
  /** False: it depends on facts that cannot be known. */
  readonly certain: boolean
}

export interface MatrixOptions {
  readonly actions: ActionsByType
  readonly reads: ReadonlySet<string>
  /** The instants that count; all when not given. */
  readonly time?: Formula
  readonly given?: RequestContext
  /** A column for each resource in place of each type. */
  readonly byResource?: boolean
  /** The budget of the whole run; by default a new one. */
  readonly run?: Budget
}

const confidences: readonly Confidence[] = ['always', 'sometimes', 'perhaps']

/** Actions that a cell allows at the same times. */
export interface CellPart {
  readonly actions: readonly string[]
  readonly condition: Formula
  readonly confidence: Confidence
  /** The regions that grant them, and those that deny them where they hold. */
  readonly allows: readonly Region[]
  readonly denies: readonly Region[]
}

/** The access of a class of identities to a class of resources. */
export interface ClassCell extends Omit<MatrixCell, 'resources' | 'change'> {
  /** The access at some time, by the regions that decide it. */
  readonly parts: readonly CellPart[]
}

const nothing: ClassCell = {
  level: 'none',
  confidence: 'always',
  condition: never,
  isPartly: false,
  policies: [],
  isRoot: false,
  parts: [],
}
const owned: ClassCell = { ...nothing, level: 'all', condition: always, isRoot: true }

export function matrix(world: World, things: KnownNames, options: MatrixOptions): Matrix {
  const { actions, byResource = false, run = new Budget() } = options
  const typed = [...groupedBy(things.resources, (resource) => typeAndName(resource).type)].sort(([a], [b]) => (a < b ? -1 : 1))
  const knownTypes = typed.filter(([type]) => actions.of(type).length > 0)
  const resources = knownTypes.flatMap(([, own]) => own)
  const described = new Described([world], { identities: things.identities, resources }, options.given, undefined, run)
  const columns = knownTypes.flatMap(([type, own]) =>
    byResource ? own.map((name): Column => ({ name, type, resources: 1 })) : [{ name: type, type, resources: own.length }],
  )
  const places = new Map(columns.map(({ name }, i) => [name, i]))
  const judge = new Levels({ ...options, run })
  const rows = new Map<string, readonly MatrixCell[]>()
  const addRows = (identity: Class) => {
    const cells = columns.map((): (readonly [ClassCell, number])[] => [])
    for (const resource of described.resources) {
      const cell = judge.cell(described, identity, resource)
      if (byResource) for (const name of resource.names) cells[places.get(name) as number]?.push([cell, 1])
      else cells[places.get(typeAndName(resource.names[0] as string).type) as number]?.push([cell, resource.names.length])
    }
    const row = cells.map(joined)
    for (const name of identity.names) rows.set(name, row)
  }
  const examined = withinBudget(described.identities, run, addRows, ({ policies }) =>
    (policies[0] ?? []).map((number) => (world.policies[number] as Policy).name.value),
  )
  const identities = things.identities.filter((identity) => rows.has(identity))
  return {
    identities,
    columns,
    rows: identities.map((identity) => rows.get(identity) as readonly MatrixCell[]),
    unknownTypes: typed.flatMap(([type]) => (actions.of(type).length > 0 ? [] : [type])),
    reasons: [...notSearched(namesIn(examined, described.identities), 'identities'), ...(judge.isApproximate ? [approximateReason] : [])],
  }
}

/** The access to resources that no cell with access is about. */
export function beyondCells({ identities, columns, rows }: Matrix, asked: Omit<AskedBeyond, 'identities' | 'action'>): BeyondDescribed {
  const byRow = new Map<readonly MatrixCell[], string[]>()
  for (const [i, row] of rows.entries()) pushTo(byRow, row, identities[i] as string)
  const said = [...byRow].flatMap(([row, rowIdentities]) =>
    row.flatMap(({ level, confidence }, j): readonly AlreadyReported[] => {
      if (level === 'none') return []
      const { name, type } = columns[j] as Column
      const isAbout = (resource: string) => (name === type ? typeAndName(resource).type === type : resource === name)
      return [{ identities: rowIdentities, isAbout, isOpen: confidence === 'perhaps' }]
    }),
  )
  return beyondDescribed({ ...asked, identities, action: '*' }, said)
}

/** The cells of some resources as one: the highest level, and on how many resources it is reached. */
function joined(cells: readonly (readonly [ClassCell, number])[]): MatrixCell {
  const rank = ({ level }: ClassCell) => levels.indexOf(level)
  const highest = Math.max(0, ...cells.map(([cell]) => rank(cell)))
  const highestCells = cells.filter(([cell]) => rank(cell) === highest)
  const some = highestCells.map(([cell]) => cell)
  const conditions = some.map(({ condition }) => condition)
  const confidence = confidences[Math.max(...some.map((cell) => confidences.indexOf(cell.confidence)))] as Confidence
  return {
    level: levels[highest] as Level,
    confidence,
    ...(confidence !== 'always' && { guaranteed: guaranteedLevels(cells.map(([cell]) => cell)) }),
    resources: highestCells.reduce((sum, [, count]) => sum + count, 0),
    condition: anyOf(conditions),
    isPartly: some.some(({ isPartly }) => isPartly) || !areAlike(conditions),
    policies: [...new Set(some.flatMap(({ policies }) => policies))],
    isRoot: some.every(({ isRoot }) => isRoot),
  }
}

/** Whether formulas are the same. */
const areAlike = ([first, ...others]: readonly Formula[]) =>
  first === undefined || others.every((other) => other === first || printFormula(other) === printFormula(first))

/** Levels of pairs of classes, with one judgement of each formula. The same object for pairs that are alike. */
export class Levels {
  private readonly options: Pick<MatrixOptions, 'actions' | 'reads' | 'time'>
  private readonly judge: Judge
  private readonly run: Budget
  private readonly time: Formula
  private readonly cached = new Map<Cell, ClassCell>()
  /** Whether one of some actions does more than read, by the list of them. */
  private readonly writes = new Map<readonly string[], boolean>()

  constructor(options: Pick<MatrixOptions, 'actions' | 'reads' | 'time' | 'run'>) {
    this.options = options
    this.run = options.run ?? new Budget()
    this.time = options.time ?? always
    this.judge = new Judge(this.time, this.run)
  }

  get isApproximate(): boolean {
    return this.judge.isApproximate
  }

  /** The cell of a pair. Throws `Undecided` where the budget of the run is used up. */
  cell(described: Described, identity: Class, resource: Class): ClassCell {
    const cell = described.cell(0, identity, resource)
    if (this.run.isSpent) throw new Undecided(policiesOf(cell))
    if (cell.isRoot) return owned
    if (cell.allows.length === 0) return nothing
    // Alike pairs share one cell, which is about one type.
    const cachedCell = this.cached.get(cell)
    if (cachedCell) return cachedCell
    const classLevels = this.levelsOf(described, cell, resource)
    this.cached.set(cell, classLevels)
    return classLevels
  }

  private levelsOf(described: Described, cell: Cell, resource: Class): ClassCell {
    const about = this.options.actions.of(resource.type)
    const groups = described.alikeParts(cell, about).flatMap((part) => {
      const condition = whenGranted(part)
      const confidence = this.confidenceOf(condition)
      return confidence === undefined ? [] : [{ ...part, condition, confidence, isWrite: this.isWrite(part.actions) }]
    })
    // Some may be granted in turn, so that at each time one of them is.
    const inTurn = (some: typeof groups) =>
      some.length > 1 && this.judge.certainty(anyOf(some.map(({ condition }) => condition))) === 'always'
    const level = (least: Confidence): Level => {
      const counted = groups.filter(({ confidence }) => confidences.indexOf(confidence) <= confidences.indexOf(least))
      const reaches = (some: typeof groups) => some.some((each) => counted.includes(each)) || (least === 'always' && inTurn(some))
      if (groups.length > 0 && counted.reduce((sum, { actions }) => sum + actions.length, 0) === about.length) return 'all'
      if (reaches(groups.filter(({ isWrite }) => isWrite))) return 'write'
      return reaches(groups) ? 'read' : 'none'
    }
    const highest = level('perhaps')
    if (highest === 'none') return nothing
    const confidence = confidences.find((least) => level(least) === highest) as Confidence
    // The parts that make up the level: any action that reads, any that does more, or all of them together.
    const making = groups.filter(({ isWrite }) => highest !== 'write' || isWrite)
    const conditions = making.map(({ condition }) => condition)
    const together = highest === 'all' ? allOf(conditions) : never
    const isPartly = highest === 'all' && this.judge.certainty(together) === 'never'
    const granting = new Set(making.flatMap(({ allows }) => allows))
    return {
      level: highest,
      confidence,
      ...(confidence !== 'always' && { guaranteed: { always: level('always'), sometimes: level('sometimes') } }),
      // No single context may allow all of them.
      condition: highest !== 'all' || isPartly ? anyOf(conditions) : together,
      isPartly,
      policies: [...new Set(cell.allows.flatMap((region) => (granting.has(region) ? [region.policy] : [])))],
      isRoot: false,
      parts: groups.map(({ isWrite: _, ...part }) => part),
    }
  }

  private isWrite(actions: readonly string[]): boolean {
    const known = this.writes.get(actions) ?? actions.some((action) => !this.options.reads.has(action))
    this.writes.set(actions, known)
    return known
  }

  /** Undefined: never. */
  private confidenceOf(formula: Formula): Confidence | undefined {
    const certainty = this.judge.certainty(formula)
    if (certainty !== 'depends') return certainty === 'always' ? 'always' : undefined
    if (!hasOpenFacts(formula)) return 'sometimes'
    const model = satisfy(withTime([formula], this.time), { assume: false, allowance: { left: mostSteps } })
    return model === undefined || model === tooMany ? 'perhaps' : 'sometimes'
  }
}

/** How many steps it may take to find that a formula does not need facts that cannot be given. */
const mostSteps = 20_000
