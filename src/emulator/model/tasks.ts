/** Changes of a resource of the second branch after a change of its target state (docs/service.md, Row by row): pure functions. */

export type AssetState = Readonly<Record<string, unknown>>

/** A resource with a current and a target state. Its tasks and events are separate records, counted here. */
export interface Asset {
  /** The whole path, percent-encoded word by word, with its branch. */
  readonly path: string
  readonly region: string
  readonly account: string
  readonly urn: string
  readonly currentState: AssetState
  readonly targetSpec: AssetState
  readonly createdAt: string
  readonly updatedAt: string
  /** How many tasks and events there have been: they are numbered from 0. */
  readonly tasks: number
  readonly events: number
  /** The numbers of the tasks that are not done, in their order: the first one is at work, or about to be. */
  readonly waiting: readonly number[]
}

/** `DONE` is shown by the document; the others are published values of the same field. */
export type TaskStatus = 'PENDING' | 'RUNNING' | 'DONE' | 'ERROR'

/** Times are ISO 8601 with milliseconds, UTC; null: not yet. */
export interface Task {
  readonly id: string
  readonly type: string
  readonly status: TaskStatus
  readonly progress: readonly { readonly name: string; readonly status: TaskStatus }[]
  /** Empty when no error occurred. The shape of an item is not shown: it is the public one. */
  readonly errors: readonly { readonly message: string }[]
  readonly createdAt: string
  readonly startedAt: string | null
  readonly updatedAt: string
  readonly finishedAt: string | null
}

/** A task with the state that it leads to, which is not shown. */
export interface AssetTask extends Task {
  readonly target: AssetState
  readonly fails?: true
  /** How long it waits to start and how long each of its steps takes, in milliseconds, where not the usual time. */
  readonly step?: number
}

export interface AssetEvent {
  readonly createdAt: string
  readonly type: 'TargetSpecUpdate' | 'TaskError' | 'TaskStart' | 'TaskSuccess'
  readonly message: string
}

/** The changes of one moment, to be stored together. */
export interface Move {
  readonly asset: Asset
  /** The number of the task that is new or has gone on, and the task. */
  readonly task: readonly [number: number, task: AssetTask]
  /** New ones, to be numbered from the count that the resource had before. */
  readonly events: readonly AssetEvent[]
}

/** The steps of every task: names of the emulator's own. */
const taskSteps = ['prepare', 'apply', 'verify'] as const

const failingStep = 1

/** How many steps a task makes from its creation to its end: its start, and the end of each step. */
export const movesOfTask = 1 + taskSteps.length

/** ISO 8601 with milliseconds, UTC. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export function newAsset(
  fields: Pick<Asset, 'path' | 'region' | 'account' | 'urn' | 'currentState'> & { readonly targetSpec?: AssetState },
  now: number,
): Asset {
  const createdAt = timestamp(now)
  return {
    ...fields,
    targetSpec: fields.targetSpec ?? fields.currentState,
    createdAt,
    updatedAt: createdAt,
    tasks: 0,
    events: 0,
    waiting: [],
  }
}

/** Give a resource another target state: an event and a waiting task. Undefined where it has that target, and did not miss it. */
export function retarget(
  asset: Asset,
  target: AssetState,
  task: Pick<AssetTask, 'id' | 'type' | 'fails' | 'step'>,
  now: number,
): Move | undefined {
  if (canonical(target) === canonical(asset.targetSpec) && !isOff(asset)) return undefined
  const moment = momentOf(asset, now)
  const number = asset.tasks
  const created: AssetTask = {
    ...task,
    status: 'PENDING',
    progress: taskSteps.map((name) => ({ name, status: 'PENDING' })),
    errors: [],
    createdAt: moment,
    startedAt: null,
    updatedAt: moment,
    finishedAt: null,
    target,
  }
  const counts = { tasks: number + 1, events: asset.events + 1, waiting: [...asset.waiting, number] }
  return {
    asset: { ...asset, targetSpec: target, updatedAt: moment, ...counts },
    task: [number, created],
    events: [{ createdAt: moment, type: 'TargetSpecUpdate', message: `target state updated, to be reached by task ${task.id}` }],
  }
}

/** The first waiting task starts, or its running step ends. After the last step the resource is in its target state. */
export function advanceTask(asset: Asset, task: AssetTask, now: number): Move {
  const moment = momentOf(asset, now)
  const number = asset.waiting[0] as number
  const { id } = task
  const running = task.progress.findIndex(({ status }) => status === 'RUNNING')
  const isStart = task.status === 'PENDING'
  const isEnd = running === task.progress.length - 1
  const progress = task.progress.map(({ name, status }, i) =>
    i === running ? { name, status: 'DONE' as const } : i === running + 1 ? { name, status: 'RUNNING' as const } : { name, status },
  )
  if (task.fails && running === failingStep) {
    const message = `step ${task.progress[running]?.name} failed: this fault was asked for`
    const failed = task.progress.map((step, i) => (i === running ? { ...step, status: 'ERROR' as const } : step))
    return {
      asset: { ...asset, updatedAt: moment, events: asset.events + 1, waiting: asset.waiting.slice(1) },
      task: [number, { ...task, status: 'ERROR', progress: failed, errors: [{ message }], updatedAt: moment, finishedAt: moment }],
      events: [{ createdAt: moment, type: 'TaskError', message: `task ${id} failed: ${message}` }],
    }
  }
  const going: AssetTask = { ...task, status: 'RUNNING', progress, updatedAt: moment, ...(isStart && { startedAt: moment }) }
  if (!isEnd) {
    const events: AssetEvent[] = isStart ? [{ createdAt: moment, type: 'TaskStart', message: `task ${id} started` }] : []
    return { asset: { ...asset, updatedAt: moment, events: asset.events + events.length }, task: [number, going], events }
  }
  return {
    asset: { ...asset, currentState: task.target, updatedAt: moment, events: asset.events + 1, waiting: asset.waiting.slice(1) },
    task: [number, { ...going, status: 'DONE', finishedAt: moment }],
    events: [{ createdAt: moment, type: 'TaskSuccess', message: `task ${id} completed without errors` }],
  }
}

/** Whether no task is left that leads to the target state, and it is not reached: a task has failed. */
export function isOff({ waiting, currentState, targetSpec }: Asset): boolean {
  return waiting.length === 0 && canonical(currentState) !== canonical(targetSpec)
}

/** The present moment, but never before the last change, even if the clock goes back: events are in the order of their times. */
function momentOf({ updatedAt }: Asset, now: number): string {
  const at = timestamp(now)
  return at < updatedAt ? updatedAt : at
}

export const deepestState = 32

/** Whether something may be a state: an object that is not deeper than it may be. */
export function isState(value: unknown): value is AssetState {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestState) return false
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return true
}

/** The same text for states that are the same: JSON with its keys sorted. The state is no deeper than a state may be. */
export function canonical(state: AssetState): string {
  return JSON.stringify(state, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : value,
  )
}

/** `vrackServices/resource/update`: which types of tasks there are is not shown, and this is the emulator's own. */
export function taskType({ path }: Pick<Asset, 'path'>): string {
  const words = path.split('/').slice(2)
  return [...new Set([words[0], words.at(-2), 'update'])].join('/')
}
