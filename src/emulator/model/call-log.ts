import type { CallRecord } from '../../usage/record.ts'
import type { Service } from '../service.ts'
import type { Stream } from './exchange.ts'

/** How many calls are remembered for the console. */
export const mostRemembered = 200
/** How often a stream without news says that it is still there, in milliseconds: what stands between may close a silent one. */
const heartbeat = 15_000

/** A call with its number: numbers grow by one, so that a reader knows what came since. */
export interface NumberedCall {
  readonly number: number
  readonly record: CallRecord
}

/** The last calls that were judged, and those who want to be told of further ones. */
export interface CallLog {
  readonly size: () => number
  /** Those after a number, oldest first; of one account, or of all. */
  readonly since: (number: number, account?: string) => readonly NumberedCall[]
  /** Forgets all of them; numbers go on. */
  readonly clear: () => void
  readonly listeners: Set<(call: NumberedCall) => void>
}

const logs = new WeakMap<Service, CallLog>()

/** The log of a service. It remembers from the first time that it is asked for. */
export function callLog(service: Service): CallLog {
  const known = logs.get(service)
  if (known) return known
  const ring: NumberedCall[] = []
  let newest = 0
  // The first number that is remembered.
  let first = 1
  const listeners = new Set<(call: NumberedCall) => void>()
  service.sinks.add((record) => {
    const call = { number: ++newest, record }
    ring[(newest - 1) % mostRemembered] = call
    for (const tell of listeners) tell(call)
  })
  const log: CallLog = {
    size: () => Math.min(newest - first + 1, mostRemembered),
    since: (number, account) => {
      // A number that was not given yet is one of an earlier run: its reader has seen none of these.
      const oldest = Math.max(number > newest ? 1 : number + 1, first, newest - mostRemembered + 1)
      const calls: NumberedCall[] = []
      for (let each = oldest; each <= newest; each++) {
        const call = ring[(each - 1) % mostRemembered] as NumberedCall
        if (account === undefined || call.record.account === account) calls.push(call)
      }
      return calls
    },
    clear: () => {
      ring.length = 0
      first = newest + 1
    },
    listeners,
  }
  logs.set(service, log)
  return log
}

/**
 * The calls after a number, then each as it is made, as server-sent events: the number is the event's id, so that a reader
 * who was cut off goes on where it was. `wants`: of which calls; `data` gives what one event says of a call, in one line.
 */
export function callStream(
  service: Service,
  after: number,
  wants: (call: NumberedCall) => boolean,
  data: (call: NumberedCall) => string,
): Stream {
  const log = callLog(service)
  return {
    type: 'text/event-stream',
    open: (write, close) => {
      let stop = () => {}
      const end = () => {
        log.listeners.delete(tell)
        stop()
      }
      const send = (piece: string) => {
        // A reader who does not keep up is cut off rather than waited for: it asks again from where it was.
        if (write(piece)) return
        end()
        close()
      }
      const tell = (call: NumberedCall) => {
        if (wants(call)) send(`id: ${call.number}\ndata: ${data(call)}\n\n`)
      }
      const beat = () => {
        send(': still here\n\n')
        if (log.listeners.has(tell)) stop = service.ports.clock.wait(heartbeat, beat)
      }
      log.listeners.add(tell)
      stop = service.ports.clock.wait(heartbeat, beat)
      write('retry: 2000\n\n')
      for (const call of log.since(after)) if (log.listeners.has(tell)) tell(call)
      return end
    },
  }
}
