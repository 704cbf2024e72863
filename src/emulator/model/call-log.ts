import type { CallAnswer, JudgedRequirement } from '../../calls/judge.ts'
import type { CallRecord } from '../../usage/record.ts'
import type { Stream } from './exchange.ts'
import type { Clock } from './ports.ts'

export const mostRemembered = 200
/** How often a stream without news says that it is still there, in milliseconds: proxies close silent ones. */
const heartbeat = 15_000

/** A call with its number. Numbers grow by one, so that a reader knows which calls are new. */
export type NumberedCall = JudgedCall | FailedCall

export interface JudgedCall {
  readonly number: number
  readonly record: CallRecord
  /** The actions that it needed, with the decisions over each as they were made. */
  readonly requirements: readonly JudgedRequirement[]
}

/** A call that failed before any policy was asked: without a valid token, or at a path that no operation has. */
export interface FailedCall {
  readonly number: number
  readonly record?: undefined
  readonly failure: Failure
}

export interface Failure extends Pick<CallRecord, 'at' | 'method' | 'path' | 'status'> {
  /** The message of the answer. */
  readonly why: string
}

export interface CallLog {
  readonly fail: (failure: Failure) => void
  readonly add: (record: CallRecord, answer: Pick<CallAnswer, 'requirements'>) => void
  /** Those after a number, oldest first; of one account and of no known one, or all. */
  readonly since: (number: number, account?: string) => readonly NumberedCall[]
  /** How many were made before the oldest that is remembered, since the beginning or since all were forgotten. */
  readonly forgotten: () => number
  /** Forget all of them; numbers go on. */
  readonly clear: () => void
  readonly listeners: Set<(call: NumberedCall) => void>
}

export function openCallLog(): CallLog {
  const ring: NumberedCall[] = []
  const listeners = new Set<(call: NumberedCall) => void>()
  let newest = 0
  // The first number that is remembered.
  let first = 1
  function remember(call: NumberedCall): void {
    ring[(call.number - 1) % mostRemembered] = call
    for (const listen of listeners) listen(call)
  }
  return {
    add: (record, { requirements }) => remember({ number: ++newest, record, requirements }),
    fail: (failure) => remember({ number: ++newest, failure }),
    since(number, account) {
      // A number that was not given yet is one of an earlier run: its reader has seen none of these.
      const oldest = Math.max(number > newest ? 1 : number + 1, first, newest - mostRemembered + 1)
      const calls: NumberedCall[] = []
      for (let each = oldest; each <= newest; each++) {
        const call = ring[(each - 1) % mostRemembered] as NumberedCall
        if (isOf(call, account)) calls.push(call)
      }
      return calls
    },
    forgotten: () => Math.max(0, newest - mostRemembered + 1 - first),
    clear() {
      ring.length = 0
      first = newest + 1
    },
    listeners,
  }
}

/** Whether a call is one of an account, as far as that is known. Undefined: of any. */
export function isOf({ record }: NumberedCall, account: string | undefined): boolean {
  return account === undefined || record === undefined || record.account === account
}

/** The calls after a number, then each as it is made, as server-sent events. `data`: a line about a call; undefined: nothing. */
export function callStream(log: CallLog, { wait }: Clock, after: number, data: (call: NumberedCall) => string | undefined): Stream {
  return {
    type: 'text/event-stream',
    open: (write, close) => {
      let stop = () => {}
      const end = () => {
        log.listeners.delete(listen)
        stop()
      }
      const send = (piece: string) => {
        // A reader who falls behind is cut off: it asks again from where it was.
        if (write(piece)) return
        end()
        close()
      }
      const listen = (call: NumberedCall) => {
        const text = data(call)
        if (text !== undefined) send(`id: ${call.number}\ndata: ${text}\n\n`)
      }
      const beat = () => {
        send(': still here\n\n')
        if (log.listeners.has(listen)) stop = wait(heartbeat, beat)
      }
      log.listeners.add(listen)
      stop = wait(heartbeat, beat)
      write('retry: 2000\n\n')
      for (const call of log.since(after)) if (log.listeners.has(listen)) listen(call)
      return end
    },
  }
}
