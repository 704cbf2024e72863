import { callMethods } from '../../calls/match.ts'
import { type Glob, glob, matches } from '../../glob.ts'
import { failure, quote } from './errors.ts'
import type { Reply, ServiceRequest } from './exchange.ts'
import type { Written } from './records.ts'

/**
 * What goes wrong on purpose, so that clients can be tried: calls that are slow, refused or failing, tasks that are slow or
 * fail. Which calls of a share are hit follows from a seed and from their order, so that a run can be repeated.
 */

/** A fault and the calls that it is about. */
export interface Fault {
  /** Undefined: any. */
  readonly method?: string
  /** With its branch; `*` and `{name}` stand for any text. Undefined: every path but those of pages. */
  readonly path?: string
  /** Which part of these calls is hit, from 0 to 1; 1 where it is not said. */
  readonly share?: number
  /** How many calls are hit, from the first; undefined: no end. */
  readonly times?: number
  /** How long the answer takes, in milliseconds. */
  readonly latency?: number
  /** The status of the answer, from 400 to 599. Nothing else is done then. */
  readonly status?: number
  /** The header `Retry-After`, in seconds. */
  readonly retryAfter?: number
  /** The task that the call begins fails in its second step. */
  readonly task?: 'fail'
  /** How long each step of the task takes, in milliseconds. */
  readonly taskStep?: number
}

/** What happens to one call. */
export interface Effect {
  readonly latency: number
  readonly status?: number
  readonly retryAfter?: number
  readonly task?: 'fail'
  readonly taskStep?: number
}

/** The faults of an emulator. */
export interface Faults {
  readonly list: () => { readonly seed: number; readonly faults: readonly Fault[] }
  /** From now on these, counted from their first call. */
  readonly set: (faults: readonly Fault[], seed: number) => void
  /** What happens to a call, which is counted; undefined: nothing. */
  readonly take: (request: Pick<ServiceRequest, 'method' | 'path'>) => Effect | undefined
}

interface Ready {
  readonly fault: Fault
  readonly pattern: Glob | undefined
  calls: number
  hits: number
}

const fields = ['method', 'path', 'share', 'times', 'latency', 'status', 'retryAfter', 'task', 'taskStep'] as const

/** The longest that a call or a step of a task may be held up, in milliseconds. */
const longest = 3_600_000

/** Read a fault as a client sends it; or what is wrong with it, as a message. */
export function readFault(value: unknown): Fault | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a fault is an object'
  const given = value as Written
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field === name))
  if (unknown !== undefined) return `a fault has no ${quote(unknown)}: it has ${fields.map(quote).join(', ')}`
  const { method, path, share, times, latency, status, retryAfter, task, taskStep } = given
  const isWhole = (number: unknown, from: number, to: number) =>
    Number.isInteger(number) && (number as number) >= from && (number as number) <= to
  if (method !== undefined && !callMethods.some((each) => each === method))
    return `\`method\` is not one of ${callMethods.map(quote).join(', ')}`
  if (path !== undefined && (typeof path !== 'string' || !/^[/*]/.test(path))) return '`path` is not a path that starts with `/`'
  if (typeof path === 'string' && !isReachable(path))
    return `no call has the path ${quote(path)}: it begins with its branch, as \`/v1\`, without region and query`
  if (share !== undefined && !(typeof share === 'number' && share > 0 && share <= 1)) return '`share` is not a number above 0, up to 1'
  if (times !== undefined && !isWhole(times, 1, 1e9)) return '`times` is not a whole number from 1'
  if (latency !== undefined && !isWhole(latency, 0, longest)) return '`latency` is not a number of milliseconds, up to an hour'
  if (status !== undefined && !isWhole(status, 400, 599)) return '`status` is not a number from 400 to 599'
  if (retryAfter !== undefined && !isWhole(retryAfter, 0, 1e6)) return '`retryAfter` is not a whole number of seconds'
  if (retryAfter !== undefined && status === undefined) return '`retryAfter` stands without `status`: it is a header of that answer'
  if (task !== undefined && task !== 'fail') return '`task` is not `fail`'
  if (taskStep !== undefined && !isWhole(taskStep, 0, longest)) return '`taskStep` is not a number of milliseconds, up to an hour'
  if (latency === undefined && status === undefined && task === undefined && taskStep === undefined)
    return 'a fault without `latency`, `status`, `task` or `taskStep` does nothing'
  if (status !== undefined && (task !== undefined || taskStep !== undefined))
    return '`status` stands beside a task: a call that is not done begins none'
  return given as Fault
}

/** Paths of pages: people are not to be refused where only calls are meant. */
const pages = /^\/(?:console|createApp|auth\/credential\/validate)(?:\/|$)/

/**
 * Whether a pattern may stand for a path of the emulator at all: it begins with a branch, or with what stands beside the
 * branches. One that does not would hit nothing, and the client that is tried would seem to stand it.
 */
function isReachable(path: string): boolean {
  const [, first = ''] = path.split('/')
  return !/[?#]/.test(path) && (/[*{]/.test(path.startsWith('*') ? '*' : first) || /^(?:1\.0|v1|v2|auth|console|createApp)?$/.test(first))
}

/** Faults that hold until others are set. */
export function openFaults(): Faults {
  let seed = 0
  let ready: readonly Ready[] = []

  const isAbout = ({ fault, pattern }: Ready, { method, path }: Pick<ServiceRequest, 'method' | 'path'>) =>
    (fault.method === undefined || fault.method === method) && (pattern ? matches(pattern, path) : !pages.test(path))

  return {
    list: () => ({ seed, faults: ready.map(({ fault }) => fault) }),
    set: (faults, given) => {
      seed = given
      ready = faults.map((fault) => ({
        fault,
        pattern: fault.path === undefined ? undefined : glob(withVersion(fault.path).replace(/\{[^{}/]*\}/g, '*')),
        calls: 0,
        hits: 0,
      }))
    },
    take: ({ method, path }) => {
      let effect: Effect | undefined
      const call = { method, path: withVersion(path) }
      ready.forEach((each, i) => {
        const { fault } = each
        if (!isAbout(each, call)) return
        const isHit = unit(seed, i, each.calls++) < (fault.share ?? 1)
        if (!isHit || each.hits >= (fault.times ?? Number.POSITIVE_INFINITY)) return
        each.hits++
        const { latency = 0, status, retryAfter, task, taskStep } = fault
        // Waits add up; of all else the first fault says it.
        effect = {
          ...(status !== undefined && { status }),
          ...(retryAfter !== undefined && effect?.status === undefined && { retryAfter }),
          ...(task !== undefined && { task }),
          ...(taskStep !== undefined && { taskStep }),
          ...effect,
          latency: (effect?.latency ?? 0) + latency,
        }
      })
      return effect
    },
  }
}

/** `/1.0` is `/v1` in every path. */
function withVersion(path: string): string {
  return path.replace(/^\/1\.0(?=\/|$)/, '/v1')
}

/** A number from 0 up to 1 for the nth call that a fault is about: the same in every run with the same seed. */
function unit(seed: number, fault: number, call: number): number {
  let bits = (seed ^ Math.imul(fault + 1, 0x9e3779b1) ^ Math.imul(call + 1, 0x85ebca6b)) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b)
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
}

/** The answer of a fault that has a status: it says that it was asked for. */
export function faultReply(status: number, retryAfter: number | undefined): Reply {
  const name = status === 429 ? 'Client::TooManyRequests' : status < 500 ? 'Client::Fault' : 'Server::Fault'
  const reply = failure(status, name, `this fault was asked for: status ${status}`, { standIn: { fault: true } }, 'stand-in')
  return retryAfter === undefined ? reply : { ...reply, headers: { 'retry-after': String(retryAfter) } }
}
