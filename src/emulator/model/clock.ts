import type { Clock } from './ports.ts'

export type ClockSetting =
  /** Milliseconds that it is ahead of the machine's, negative where it is behind: it goes at the same speed. */
  | { readonly offset: number; readonly at?: undefined }
  /** Milliseconds since 1970: the clock is stopped there until it is moved. */
  | { readonly at: number; readonly offset?: undefined }

/** A clock that can be set and moved. What waits for a moment runs when the clock moves past it. */
export interface MovableClock extends Clock {
  /** Gives whether it was set: it is not where it would leave the years that times can be written for. */
  readonly set: (setting: ClockSetting) => boolean
  /** Move it forward by so many milliseconds; what is due by then is done in its order. Gives whether it was, as `set` does. */
  readonly advance: (milliseconds: number) => boolean
  readonly isStopped: () => boolean
}

interface Waiting {
  /** By the clock of the machine: what is waited for is a length of time, however this clock is set meanwhile. */
  due: number
  readonly run: () => void
  cancel: () => void
}

/** The first and last instants of the years 0 to 9999: RFC 3339 writes no others. */
const [earliest, latest] = [-62167219200000, 253402300799999]

/** The clock of a machine, as `setting` has it. A stopped clock does not delay timers: tasks continue. */
export function movableClock(machine: Clock, setting: ClockSetting = { offset: 0 }): MovableClock {
  let current = setting
  const waiting = new Set<Waiting>()
  /** The machine's time, stopped while this clock is moved: timers that run meanwhile take none of it. */
  let frozen: number | undefined
  const machineNow = () => frozen ?? machine.now()
  const instantOf = ({ at, offset = 0 }: ClockSetting) => at ?? machineNow() + offset

  function wait(entry: Waiting): void {
    entry.cancel = machine.after(Math.max(0, entry.due - machine.now()), () => {
      waiting.delete(entry)
      entry.run()
    })
  }

  function set(next: ClockSetting): boolean {
    const instant = instantOf(next)
    if (!(instant >= earliest && instant <= latest)) return false
    current = next
    return true
  }

  function moveBy(milliseconds: number): void {
    current = current.at === undefined ? { offset: current.offset + milliseconds } : { at: current.at + milliseconds }
    for (const entry of waiting) entry.due -= milliseconds
  }

  return {
    now: () => instantOf(current),
    after(milliseconds, run) {
      const entry: Waiting = { due: machineNow() + milliseconds, run, cancel: () => {} }
      waiting.add(entry)
      wait(entry)
      return () => {
        waiting.delete(entry)
        entry.cancel()
      }
    },
    wait: machine.wait,
    set,
    advance(milliseconds) {
      if (!(instantOf(current) + milliseconds <= latest)) return false
      const start = machine.now()
      frozen = start
      try {
        let remaining = milliseconds
        for (;;) {
          const first = [...waiting].filter(({ due }) => due - start <= remaining).sort((a, b) => a.due - b.due)[0]
          if (!first) break
          waiting.delete(first)
          first.cancel()
          const step = Math.max(0, first.due - start)
          moveBy(step)
          remaining -= step
          first.run()
        }
        moveBy(remaining)
      } finally {
        frozen = undefined
      }
      for (const entry of waiting) {
        entry.cancel()
        wait(entry)
      }
      return true
    },
    isStopped: () => current.at !== undefined,
  }
}
