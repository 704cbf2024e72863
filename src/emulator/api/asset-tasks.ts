import type { Service } from '../model/service.ts'
import type { RecordChange } from '../model/state.ts'
import { type Asset, advanceTask, type Move } from '../model/tasks.ts'

/** How long a task waits to start and how long each of its steps takes, in milliseconds: the emulator's own pace. */
export const taskPace = 500

/** The key of an asset; that of a task or an event of it is this and its number. */
export function keyOf(region: string, path: string): string {
  return `${region} ${path}`
}

export function changesOf(before: Asset, { asset, task: [number, task], events }: Move): readonly RecordChange[] {
  const key = keyOf(asset.region, asset.path)
  return [
    { kind: 'asset', key, value: asset },
    { kind: 'task', key: `${key} ${number}`, value: task },
    ...events.map((event, i): RecordChange => ({ kind: 'event', key: `${key} ${before.events + i}`, value: event })),
  ]
}

/** Forget what tasks wait for: their resources are gone, or about to be. */
export function stopTasks({ memory: { timers } }: Service): void {
  for (const cancel of timers.values()) cancel()
  timers.clear()
}

/** Let tasks that are not done go on: to be called once when a service starts, after its state was loaded or seeded. */
export function resumeTasks(service: Service): void {
  for (const [key, { waiting }] of service.state.table('asset').entries()) if (waiting.length > 0) schedule(service, key)
}

/** Have the first waiting task of a resource go on after a while, and so on until none waits. */
export function schedule(service: Service, key: string): void {
  const { timers } = service.memory
  if (timers.has(key)) return
  const asset = service.state.table('asset').get(key)
  const step = asset && service.state.table('task').get(`${key} ${asset.waiting[0]}`)?.step
  const cancel = service.ports.clock.after(step ?? taskPace, () => {
    timers.delete(key)
    let isWaiting = true
    try {
      isWaiting = goOn(service, key)
    } catch (error) {
      // A change that was not stored did not happen: it is tried again.
      service.onFault(error)
    }
    if (isWaiting) schedule(service, key)
  })
  timers.set(key, cancel)
}

/** One step of the first waiting task; whether any waits after it. */
function goOn({ state, ports }: Service, key: string): boolean {
  const asset = state.table('asset').get(key)
  const task = asset && state.table('task').get(`${key} ${asset.waiting[0]}`)
  if (!asset || !task) return false
  const move = advanceTask(asset, task, ports.clock.now())
  state.commit(changesOf(asset, move))
  return move.asset.waiting.length > 0
}
