import type { Clock } from './ports.ts'

/** What a clock is set to. */
export type ClockSetting =
  /** Milliseconds that it is ahead of the machine's, negative where it is behind: it goes at the same speed. */
  | { readonly offset: number; readonly at?: undefined }
  /** Milliseconds since 1970: it stands still there until it is moved. */
  | { readonly at: number; readonly offset?: undefined }

/** A clock that can be set and moved. Whoever waits for a moment that it is moved past is not kept waiting. */
export interface MovableClock extends Clock {
  readonly set: (setting: ClockSetting) => void
  /** Move it forward by so many milliseconds; what is due by then is done in its order. */
  readonly advance: (milliseconds: number) => void
  readonly isStanding: () => boolean
}

interface Waiting {
  /** By this clock. */
  readonly due: number
  readonly run: () => void
  cancel: () => void
}

/** The clock of a machine, as `setting` has it. A standing clock does not hold up what is done after a while: tasks go on. */
export function movableClock(machine: Clock, setting: ClockSetting = { offset: 0 }): MovableClock {
  let current = setting
  const waiting = new Set<Waiting>()
  const now = () => current.at ?? machine.now() + current.offset

  function wait(entry: Waiting, milliseconds: number): void {
    entry.cancel = machine.after(Math.max(0, milliseconds), () => {
      waiting.delete(entry)
      entry.run()
    })
  }
  const moveTo = (instant: number) => {
    current = current.at === undefined ? { offset: instant - machine.now() } : { at: instant }
  }

  return {
    now,
    after(milliseconds, run) {
      const entry: Waiting = { due: now() + milliseconds, run, cancel: () => {} }
      waiting.add(entry)
      wait(entry, milliseconds)
      return () => {
        waiting.delete(entry)
        entry.cancel()
      }
    },
    wait: machine.wait,
    set: (next) => {
      current = next
    },
    advance(milliseconds) {
      const end = now() + milliseconds
      for (;;) {
        const first = [...waiting].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0]
        if (!first) break
        waiting.delete(first)
        first.cancel()
        if (first.due > now()) moveTo(first.due)
        first.run()
      }
      moveTo(end)
      for (const entry of waiting) {
        entry.cancel()
        wait(entry, entry.due - end)
      }
    },
    isStanding: () => current.at !== undefined,
  }
}
