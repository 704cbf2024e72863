import { describe, expect, test } from 'vitest'
import { clockOf } from '../../src/cli/live/serve-options.ts'
import { movableClock } from '../../src/emulator/model/clock.ts'
import { drivenClock } from '../support/service.ts'

const start = Date.UTC(2026, 0, 15, 10)
const hour = 3_600_000

describe('a clock that can be set', () => {
  test('runs at the speed of the machine with an offset', () => {
    const machine = drivenClock(start)
    const clock = movableClock(machine, { offset: -hour })
    machine.advance(5000)
    expect(clock.now()).toBe(start - hour + 5000)
    expect(clock.isStopped()).toBe(false)
  })

  test('stands still at an instant, and what waits goes on all the same', () => {
    const machine = drivenClock(start)
    const clock = movableClock(machine, { at: 42 })
    const done: number[] = []
    clock.after(500, () => done.push(clock.now()))
    machine.advance(499)
    expect(done).toEqual([])
    machine.advance(1)
    expect([done, clock.now(), clock.isStopped()]).toEqual([[42], 42, true])
  })

  test.each([{ offset: hour }, { at: start }])('moved forward from %o, does what is due in its order, each once', (setting) => {
    const machine = drivenClock(start)
    const clock = movableClock(machine, setting)
    const first = clock.now()
    const done: [string, number][] = []
    clock.after(3000, () => done.push(['later', clock.now() - first]))
    clock.after(1000, () => {
      done.push(['sooner', clock.now() - first])
      clock.after(1500, () => done.push(['then', clock.now() - first]))
    })
    clock.after(10_000, () => done.push(['after it', clock.now() - first]))
    clock.after(100, () => done.push(['never', 0]))()
    clock.advance(5000)
    const moved = [
      ['sooner', 1000],
      ['then', 2500],
      ['later', 3000],
    ]
    expect(done).toEqual(moved)
    expect(clock.now() - first).toBe(5000)
    machine.advance(4999)
    expect(done).toEqual(moved)
    machine.advance(1)
    expect(done.length).toBe(4)
    machine.advance(hour)
    expect(done.length).toBe(4)
  })

  test.each([{ offset: 400 * 24 * hour }, { at: start + 400 * 24 * hour }])(
    'set back from %o, keeps no request waiting longer',
    (setting) => {
      const machine = drivenClock(start)
      const waits: number[] = []
      const after: typeof machine.after = (milliseconds, run) => {
        waits.push(milliseconds)
        return machine.after(milliseconds, run)
      }
      const clock = movableClock({ ...machine, after }, setting)
      let runs = 0
      clock.after(2000, () => runs++)
      clock.set({ offset: 0 })
      clock.advance(500)
      machine.advance(1499)
      expect([runs, Math.max(...waits)]).toEqual([0, 2000])
      machine.advance(1)
      expect(runs).toBe(1)
    },
  )

  test('stays within the years 0 to 9999', () => {
    const clock = movableClock(drivenClock(start))
    for (const setting of [{ at: Date.UTC(10_000, 0) }, { offset: 9000 * 365.25 * 24 * hour }, { offset: -1e15 }, { at: Number.NaN }])
      expect(clock.set(setting), JSON.stringify(setting)).toBe(false)
    for (const far of [Number.POSITIVE_INFINITY, 1e18, Number.NaN]) expect(clock.advance(far), String(far)).toBe(false)
    expect(clock.now()).toBe(start)
    expect([clock.set({ at: Date.UTC(9999, 11, 31) }), clock.advance(hour)]).toEqual([true, true])
  })

  test('what connections wait for is not moved', () => {
    const machine = drivenClock(start)
    const clock = movableClock(machine)
    let beats = 0
    clock.wait(1000, () => beats++)
    clock.advance(hour)
    expect(beats).toBe(0)
    machine.advance(1000)
    expect(beats).toBe(1)
  })
})

test.each([
  ['2027-01-31T12:00:00Z', { at: Date.UTC(2027, 0, 31, 12) }],
  ['2027-01-31T12:00:00+02:00', { at: Date.UTC(2027, 0, 31, 10) }],
  ['+30d', { offset: 30 * 24 * hour }],
  ['-2h', { offset: -2 * hour }],
  ['+PT90S', { offset: 90_000 }],
  ['+90s', { offset: 90_000 }],
  ['+0s', { offset: 0 }],
  ['-PT0S', { offset: 0 }],
])('--clock %s', (text, setting) => {
  expect(clockOf(text)).toEqual(setting)
})
