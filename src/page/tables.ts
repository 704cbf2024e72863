import { guaranteedLevels, levels } from '../actions/reads.ts'
import { type RiskCategory, riskCategories } from '../actions/sensitive.ts'
import { type Source, sourceOf } from '../source.ts'
import type { Confidence } from '../symbolic/matrix.ts'
import type { PageCell, PageData, PagePart, Ref } from './data.ts'

/** A page's data with what is looked up often: the cells of pairs, and what follows from them. */
export class Tables {
  readonly data: PageData
  /** The number of the cell of each class of resources, by the class of identities. */
  private readonly rows: Int32Array[] = []
  private readonly actionSets: (readonly Ref[])[] = []
  private readonly columns = new Map<Ref, readonly TypeCell[]>()
  private risksOfCells: ReadonlyMap<RiskCategory, Confidence>[] | undefined
  private risksByNumber: ReadonlyMap<Ref, RiskCategory> | undefined
  private risksOfActions: ReadonlyMap<string, RiskCategory> | undefined
  private shorts: ReadonlyMap<string, string> | undefined
  private readonly sources: Source[] = []

  constructor(data: PageData) {
    this.data = data
  }

  /** The short names of everything that has one, escaped, by URN. */
  get shortNames(): ReadonlyMap<string, string> {
    const { identities, groups, resources, resourceGroups } = this.data
    this.shorts ??= new Map([identities, groups, resources, resourceGroups].flat().map(({ urn, short }) => [urn, short]))
    return this.shorts
  }

  /** A file as a source, whose lines are found once. */
  source(file: Ref): Source {
    const { path, text, notation } = this.data.files[file] as PageData['files'][number]
    const source = this.sources[file] ?? sourceOf(path, text, notation)
    this.sources[file] = source
    return source
  }

  /** The cell of an identity and a resource; undefined: no access. */
  cell(identity: Ref, resource: Ref): PageCell | undefined {
    return this.data.cells[this.cellNumber(identity, resource)]
  }

  cellNumber(identity: Ref, resource: Ref): Ref {
    const [row, column] = [this.data.identities[identity]?.class ?? -1, this.data.resources[resource]?.class ?? -1]
    return column < 0 ? -1 : (this.row(row)[column] as number)
  }

  /** The cells of a class of identities, by the class of resources; -1: no access. */
  row(identityClass: Ref): Int32Array {
    const knownRow = this.rows[identityClass]
    if (knownRow) return knownRow
    const row = new Int32Array(this.data.resourceClasses.length).fill(-1)
    const runs = this.data.rows[identityClass] ?? []
    let index = 0
    for (let i = 0; i < runs.length; i += 2) {
      row.fill(runs[i + 1] as number, index, index + (runs[i] as number))
      index += runs[i] as number
    }
    this.rows[identityClass] = row
    return row
  }

  /** The access of an identity to the resources of each type. */
  byType(identity: Ref): readonly TypeCell[] {
    const { identities, types } = this.data
    const ownClass = identities[identity]?.class ?? -1
    const knownColumn = this.columns.get(ownClass)
    if (knownColumn) return knownColumn
    const numbers: Map<Ref, number>[] = types.map(() => new Map())
    this.row(ownClass).forEach((cell, i) => {
      const { names } = this.data.resourceClasses[i] as PageData['resourceClasses'][number]
      const type = this.data.resources[names[0] as Ref]?.type as Ref
      const counts = numbers[type] as Map<Ref, number>
      counts.set(cell, (counts.get(cell) ?? 0) + names.length)
    })
    const columns = numbers.map((counts) => this.joined(counts))
    this.columns.set(ownClass, columns)
    return columns
  }

  /** Cells of some resources as one: the highest level, and the least sure of those that have it. */
  private joined(counts: ReadonlyMap<Ref, number>): TypeCell {
    const all = [...counts]
      .filter(([cell]) => cell >= 0)
      .map(([cell, count]) => ({ cell: this.data.cells[cell] as PageCell, number: cell, count }))
    const rank = (cell: PageCell) => levels.indexOf(cell.level)
    const highest = Math.max(0, ...all.map(({ cell }) => rank(cell)))
    const highestCells = all.filter(({ cell }) => rank(cell) === highest)
    const confidence = leastConfidence(highestCells.map(({ cell }) => cell.confidence))
    return {
      level: levels[highest] ?? 'none',
      confidence,
      ...(confidence !== 'always' && { guaranteed: guaranteedLevels(all.map(({ cell }) => cell)) }),
      resources: highestCells.reduce((sum, { count }) => sum + count, 0),
      of: [...counts.values()].reduce((sum, count) => sum + count, 0),
      cells: all.map(({ number, count }) => [number, count] as const),
    }
  }

  /** The actions of a set. */
  actionsIn(set: Ref): readonly Ref[] {
    const knownActions = this.actionSets[set]
    if (knownActions) return knownActions
    const out: Ref[] = []
    const runs = this.data.sets[set] ?? []
    for (let i = 0; i < runs.length; i += 2) for (let j = 0; j < (runs[i + 1] as number); j++) out.push((runs[i] as number) + j)
    this.actionSets[set] = out
    return out
  }

  /** Whether a set holds an action. */
  hasAction(set: Ref, action: Ref): boolean {
    const runs = this.data.sets[set] ?? []
    for (let i = 0; i < runs.length; i += 2) {
      const first = runs[i] as number
      if (action >= first && action < first + (runs[i + 1] as number)) return true
    }
    return false
  }

  /** The categories of sensitive actions, by their numbers. */
  get risks(): ReadonlyMap<Ref, RiskCategory> {
    this.risksByNumber ??= new Map(this.data.sensitive.map(([action, risk]) => [action, risk]))
    return this.risksByNumber
  }

  /** The same by their names. */
  get riskOfAction(): ReadonlyMap<string, RiskCategory> {
    this.risksOfActions ??= new Map([...this.risks].map(([action, risk]) => [this.data.actions[action] ?? '', risk]))
    return this.risksOfActions
  }

  /** The sensitive categories that a cell reaches, each with how sure that is at best. */
  risksOf(cell: Ref): ReadonlyMap<RiskCategory, Confidence> {
    this.risksOfCells ??= this.findRisks()
    return this.risksOfCells[cell] ?? new Map()
  }

  private findRisks(): ReadonlyMap<RiskCategory, Confidence>[] {
    const { cells, sets } = this.data
    const inSet = sets.map((_, i) => new Set(this.actionsIn(i).flatMap((action) => this.risks.get(action) ?? [])))
    const everything = (cell: PageCell) => (cell.isRoot ? new Map(riskCategories.map((risk) => [risk, 'always' as Confidence])) : undefined)
    return cells.map((cell) => everything(cell) ?? best(cell.parts, (part) => inSet[part.actions] ?? new Set()))
  }
}

/** The access of an identity to the resources of a type. */
export interface TypeCell extends Pick<PageCell, 'level' | 'confidence' | 'guaranteed'> {
  /** How many resources have the level, of how many. */
  readonly resources: number
  readonly of: number
  /** The cells that it comes from, and of how many resources. */
  readonly cells: readonly (readonly [cell: Ref, resources: number])[]
}

const confidences: readonly Confidence[] = ['always', 'sometimes', 'perhaps']

function leastConfidence(all: readonly Confidence[]): Confidence {
  return confidences[Math.max(0, ...all.map((each) => confidences.indexOf(each)))] as Confidence
}

function best(parts: readonly PagePart[], risksOf: (part: PagePart) => ReadonlySet<RiskCategory>): ReadonlyMap<RiskCategory, Confidence> {
  const out = new Map<RiskCategory, Confidence>()
  for (const part of parts)
    for (const risk of risksOf(part)) {
      const bestBefore = out.get(risk)
      if (bestBefore === undefined || confidences.indexOf(part.confidence) < confidences.indexOf(bestBefore)) out.set(risk, part.confidence)
    }
  return out
}
