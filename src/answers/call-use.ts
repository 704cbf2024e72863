import type { World } from '../policy.ts'
import { type CallsRead, callsJson, callsNotes, useJson, useWords } from '../report/call-use.ts'
import { CallCounter, type CallGroup, type CallTarget, type CallUse } from '../usage/counting.ts'
import { type ChangeTargets, namesTarget, type RowNames, rowNamesOf } from '../usage/targets.ts'
import type { DifferenceUses, DiffReport } from './difference.ts'
import { type Answer, callsLabel, type Detail, type RowUses, type UseJson, type Wording } from './model.ts'

/**
 * How recorded calls used what an answer is about. The rows ask while the answer is made; then the records are counted; the words are made
 * when the answer is written.
 */
export class CallUses implements RowUses {
  readonly counter: CallCounter
  private readonly worlds: readonly World[]
  private readonly rows = new Map<object, () => CallUse>()
  private read: CallsRead | undefined

  /** `worlds`: those that the answer is about. */
  constructor(...worlds: readonly World[]) {
    this.worlds = worlds
    this.counter = new CallCounter(...worlds)
  }

  /** Asks for the calls about a row, which is what analysis found. */
  ask(row: object, target: CallTarget, group?: CallGroup): void {
    if (!this.rows.has(row)) this.rows.set(row, this.counter.ask(target, group))
  }

  askNames(row: object, names: RowNames): void {
    this.ask(row, namesTarget(names, ...this.worlds))
  }

  /** The records were counted. */
  finish(passed: Pick<CallsRead, 'others' | 'bad'>): void {
    this.read = { ...this.counter.end(), ...passed }
  }

  /** The use of a row in words, as a detail of it. */
  detail(row: object, { names }: Pick<Wording, 'names'>, isNew = false): Detail {
    const use = this.rows.get(row)?.()
    return { label: callsLabel, items: use && this.read ? useWords(use, this.read, names, isNew) : [], isList: true }
  }

  /** The use of several rows together, in words. */
  groupWords(group: CallGroup, { names }: Pick<Wording, 'names'>, isNew = false): readonly string[] {
    return this.read ? useWords(group.use, this.read, names, isNew) : []
  }

  /** The use of a row as data: a field of its object. */
  json(row: object): UseJson | undefined {
    const use = this.rows.get(row)?.()
    return use && { use: useJson(use) }
  }

  /** Which records were counted, in words. */
  get notes(): readonly string[] {
    return this.read ? callsNotes(this.read) : []
  }

  /** The answer, with which records were counted. */
  of(answer: Answer): Answer {
    const { read } = this
    if (!read) return answer
    return { ...answer, notes: [...answer.notes, ...this.notes], json: () => ({ ...answer.json(), calls: callsJson(read) }) }
  }
}

/** The use of all that a difference lists, in calls as the two worlds decide them; beyond a ceiling, in calls with the names of the row. */
export function differenceUses(
  uses: CallUses,
  { difference, beyond }: Pick<DiffReport, 'difference' | 'beyond'>,
  targets: ChangeTargets,
): DifferenceUses {
  const groups = { gained: uses.counter.group(), lost: uses.counter.group() }
  for (const side of ['gained', 'lost'] as const)
    for (const row of [...difference[side], ...(difference.described?.[side] ?? [])]) uses.ask(row, targets.of(row, side), groups[side])
  for (const row of [...(beyond?.gained ?? []), ...(beyond?.described?.gained ?? [])]) uses.askNames(row, rowNamesOf(row))
  return {
    askNames: (row, names) => uses.askNames(row, names),
    detail: (row, wording, isNew) => uses.detail(row, wording, isNew),
    json: (row) => uses.json(row),
    sideWords: (side, wording) => uses.groupWords(groups[side], wording, side === 'gained'),
    sideJson: (side) => useJson(groups[side].use),
  }
}
