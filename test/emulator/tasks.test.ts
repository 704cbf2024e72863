import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Asset,
  type AssetEvent,
  type AssetState,
  type AssetTask,
  advanceTask,
  canonical,
  deepestState,
  isState,
  type Move,
  movesOfTask,
  newAsset,
  retarget,
} from '../../src/emulator/model/tasks.ts'
import { effort } from '../support/effort.ts'

const start = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const vrack = newAsset(
  {
    path: '/v2/vrackServices/resource/vrs-1',
    region: 'eu',
    account: 'ab12-svc',
    urn: 'urn:v1:eu:resource:vrackServices:vrs-1',
    currentState: { size: 1 },
  },
  start,
)

/** A resource with all that happened to it. */
interface Story {
  readonly asset: Asset
  readonly tasks: readonly AssetTask[]
  readonly events: readonly AssetEvent[]
}
const after = ({ tasks, events }: Story, move: Move): Story => ({
  asset: move.asset,
  tasks: tasks.with(move.task[0], move.task[1]),
  events: [...events, ...move.events],
})
function put(story: Story, target: AssetState, now: number): Story {
  const id = `task-${story.tasks.length}`
  const move = retarget(story.asset, target, { id, type: 'test' }, now)
  if (!move) return story
  return { asset: move.asset, tasks: [...story.tasks, move.task[1]], events: [...story.events, ...move.events] }
}
function tick(story: Story, now: number): Story {
  const number = story.asset.waiting[0]
  return number === undefined ? story : after(story, advanceTask(story.asset, story.tasks[number] as AssetTask, now))
}

test('events, 4: TargetSpecUpdate, TaskStart and TaskSuccess, in this order, the last two with the id of the task', () => {
  let story = put({ asset: vrack, tasks: [], events: [] }, { size: 2 }, start + 1000)
  expect(story.asset).toMatchObject({ currentState: { size: 1 }, targetSpec: { size: 2 }, waiting: [0] })
  for (let i = 1; i <= movesOfTask; i++) story = tick(story, start + 1000 + i * 500)
  expect(story.asset).toMatchObject({ currentState: { size: 2 }, targetSpec: { size: 2 }, waiting: [], tasks: 1, events: 3 })
  expect(story.events).toEqual([
    { createdAt: '2026-01-02T03:04:06.006Z', type: 'TargetSpecUpdate', message: 'target state updated, to be reached by task task-0' },
    { createdAt: '2026-01-02T03:04:06.506Z', type: 'TaskStart', message: 'task task-0 started' },
    { createdAt: '2026-01-02T03:04:08.006Z', type: 'TaskSuccess', message: 'task task-0 completed without errors' },
  ])
})

test('task fields: status and progress go on step by step, and end with DONE', () => {
  let story = put({ asset: vrack, tasks: [], events: [] }, { size: 2 }, start)
  const seen = [story.tasks[0]]
  for (let i = 1; i <= movesOfTask; i++) {
    story = tick(story, start + i)
    seen.push(story.tasks[0])
  }
  expect(seen.map((task) => [task?.status, ...(task?.progress ?? []).map(({ status }) => status)].join(' '))).toEqual([
    'PENDING PENDING PENDING PENDING',
    'RUNNING RUNNING PENDING PENDING',
    'RUNNING DONE RUNNING PENDING',
    'RUNNING DONE DONE RUNNING',
    'DONE DONE DONE DONE',
  ])
  expect(seen.at(-1)).toMatchObject({
    errors: [],
    createdAt: '2026-01-02T03:04:05.006Z',
    startedAt: '2026-01-02T03:04:05.007Z',
    updatedAt: '2026-01-02T03:04:05.010Z',
    finishedAt: '2026-01-02T03:04:05.010Z',
  })
})

test('an equal target, with its keys in any order, changes nothing, unless no task is left that leads to it', () => {
  const targetSpec = { a: { b: 1, c: [1, 2] }, d: null }
  const asset = { ...vrack, currentState: targetSpec, targetSpec }
  const failed = { ...asset, currentState: {} }
  expect(retarget(failed, { d: null, a: { c: [1, 2], b: 1 } }, { id: 'x', type: 'test' }, start)).toBeDefined()
  expect(retarget({ ...failed, waiting: [0] }, targetSpec, { id: 'x', type: 'test' }, start)).toBeUndefined()
  expect(retarget(asset, { d: null, a: { c: [1, 2], b: 1 } }, { id: 'x', type: 'test' }, start)).toBeUndefined()
  expect(retarget(asset, { d: null, a: { c: [2, 1], b: 1 } }, { id: 'x', type: 'test' }, start)).toBeDefined()
  expect(retarget(asset, { a: asset.targetSpec.a }, { id: 'x', type: 'test' }, start)).toBeDefined()
})

test('a state is an object, and no deeper than it may be', () => {
  const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  expect([{}, { a: [1] }, deep(deepestState)].every(isState)).toBe(true)
  expect([null, [], 'text', 1, undefined, deep(deepestState + 1), deep(200_000)].some(isState)).toBe(false)
  expect(canonical(JSON.parse('{"__proto__":1,"a":2}'))).not.toBe(canonical({ a: 2 }))
})

test('whatever the order of changes and steps, the last target is reached, each task starts and succeeds once, events are in the order of time', () => {
  const target = fc.integer({ min: 0, max: 4 }).map((size): AssetState => ({ size }))
  const action = fc.oneof({ weight: 1, arbitrary: target }, { weight: 3, arbitrary: fc.constant('tick' as const) })
  // The clock of the machine may be put back.
  const actions = fc.array(fc.tuple(action, fc.integer({ min: -50, max: 1000 })), { maxLength: 40 })
  let queued = 0
  fc.assert(
    fc.property(actions, (list) => {
      let now = start
      let story: Story = { asset: vrack, tasks: [], events: [] }
      let last: AssetState = vrack.targetSpec
      for (const [what, later] of list) {
        now += later
        if (what === 'tick') story = tick(story, now)
        else {
          story = put(story, what, now)
          last = what
        }
        if (story.asset.waiting.length > 1) queued++
      }
      while (story.asset.waiting.length > 0) {
        now += 10
        story = tick(story, now)
      }
      expect(story.asset.currentState).toEqual(last)
      expect(story.asset.targetSpec).toEqual(last)
      expect(story.asset).toMatchObject({ tasks: story.tasks.length, events: story.events.length })
      const times = story.events.map(({ createdAt }) => createdAt)
      expect(times).toEqual([...times].sort())
      for (const { id, status, progress, createdAt, startedAt, updatedAt, finishedAt } of story.tasks) {
        const indicesOf = (type: string) =>
          story.events.flatMap((event, i) => (event.type === type && event.message.includes(`task ${id} `) ? i : []))
        const [starts, ends] = [indicesOf('TaskStart'), indicesOf('TaskSuccess')]
        expect([starts.length, ends.length]).toEqual([1, 1])
        expect(starts[0] as number).toBeLessThan(ends[0] as number)
        expect([status, ...progress.map((step) => step.status)]).toEqual(['DONE', 'DONE', 'DONE', 'DONE'])
        expect([createdAt, startedAt, finishedAt]).toEqual([createdAt, startedAt, finishedAt].toSorted())
        expect(updatedAt).toBe(finishedAt)
      }
      expect(story.events.filter(({ type }) => type === 'TargetSpecUpdate').length).toBe(story.tasks.length)
    }),
    { numRuns: effort(1000) },
  )
  expect(queued).toBeGreaterThan(effort(100))
})
