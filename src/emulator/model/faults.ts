import { type CallMethod, callMethods } from '../../calls/match.ts'
import { type Glob, glob, matches } from '../../glob.ts'
import { failure, quote } from './errors.ts'
import type { Effect, Reply, ServiceRequest } from './exchange.ts'

/** Something that goes wrong on purpose. Which calls of a share are hit follows from a seed: a run can be repeated. */
export interface Fault {
  readonly method?: CallMethod
  /** With its branch; `*` and `{name}` match any text. By default every path except those of pages. */
  readonly path?: string
  /** Which part of these calls is hit, from 0 to 1; 1 where it is not given. */
  readonly share?: number
  readonly times?: number
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

export interface Faults {
  readonly list: () => { readonly seed: number; readonly faults: readonly Fault[] }
  /** From now on these, counted from their first call. */
  readonly set: (faults: readonly Fault[], seed: number) => void
  /** The fault for a call, which is counted; undefined for none. */
  readonly take: (request: Pick<ServiceRequest, 'method' | 'path'>) => Effect | undefined
}

interface Ready {
  readonly fault: Fault
  readonly pattern: Glob | undefined
  calls: number
  hits: number
}

/** The longest that a call or a step of a task may be delayed, in milliseconds. */
const longest = 3_600_000

/** A field of a fault: how its value is written as text, what it may be, and what is wrong with any other value. */
interface FaultField {
  readonly kind: 'text' | 'number' | 'milliseconds' | 'share'
  readonly fits: (value: unknown) => boolean
  readonly wrong: string
}

const whole = (from: number, to: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= from && (value as number) <= to

export const faultFields: Readonly<Record<keyof Fault, FaultField>> = {
  method: {
    kind: 'text',
    fits: (value) => callMethods.some((each) => each === value),
    wrong: `is not one of ${callMethods.map(quote).join(', ')}`,
  },
  path: {
    kind: 'text',
    fits: (value) => typeof value === 'string' && /^[/*]/.test(value),
    wrong: 'is not a path that starts with `/`',
  },
  share: {
    kind: 'share',
    fits: (value) => typeof value === 'number' && value > 0 && value <= 1,
    wrong: 'is not a number above 0, up to 1',
  },
  times: { kind: 'number', fits: whole(1, 1e9), wrong: 'is not a whole number from 1' },
  latency: { kind: 'milliseconds', fits: whole(0, longest), wrong: 'is not a number of milliseconds, up to an hour' },
  status: { kind: 'number', fits: whole(400, 599), wrong: 'is not a number from 400 to 599' },
  retryAfter: { kind: 'number', fits: whole(0, 1e6), wrong: 'is not a whole number of seconds' },
  task: { kind: 'text', fits: (value) => value === 'fail', wrong: 'is not `fail`' },
  taskStep: { kind: 'milliseconds', fits: whole(0, longest), wrong: 'is not a number of milliseconds, up to an hour' },
}

/** Read a fault as a client sends it; or what is wrong with it, as a message. */
export function readFault(value: unknown): Fault | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a fault is an object'
  for (const [name, fieldValue] of Object.entries(value)) {
    if (!Object.hasOwn(faultFields, name)) return `a fault has no ${quote(name)}: it has ${Object.keys(faultFields).map(quote).join(', ')}`
    const { fits, wrong } = faultFields[name as keyof Fault]
    if (fieldValue !== undefined && !fits(fieldValue)) return `${quote(name)} ${wrong}`
  }
  const { path, latency, status, retryAfter, task, taskStep } = value as Fault
  if (path !== undefined && !isReachable(path))
    return `no call has the path ${quote(path)}: it begins with its branch, as \`/v1\`, without region and query`
  if (retryAfter !== undefined && status === undefined) return '`retryAfter` is given without `status`: it is a header of that answer'
  if (latency === undefined && status === undefined && task === undefined && taskStep === undefined)
    return 'a fault without `latency`, `status`, `task` or `taskStep` does nothing'
  if (status !== undefined && (task !== undefined || taskStep !== undefined))
    return '`status` is given with a task: a call that is not done begins none'
  return value as Fault
}

/** Paths of pages, which faults meant for calls do not affect. */
const pages = /^\/(?:console|createApp|auth\/credential\/validate)(?:\/|$)/

/** Whether a pattern may match a path of the emulator at all. One that does not would hit nothing, and go unnoticed. */
export function isReachable(path: string): boolean {
  const [, first = ''] = path.split('/')
  return !/[?#]/.test(path) && (/[*{]/.test(path.startsWith('*') ? '*' : first) || /^(?:1\.0|v1|v2|auth|console|createApp)?$/.test(first))
}

/** The pattern of paths of calls that a client writes: `*` and `{name}` match any text. */
export function pathPattern(path: string): Glob {
  return glob(withVersion(path).replace(/\{[^{}/]*\}/g, '*'))
}

export function openFaults(): Faults {
  let seed = 0
  let ready: readonly Ready[] = []

  const isAbout = ({ fault, pattern }: Ready, { method, path }: Pick<ServiceRequest, 'method' | 'path'>) =>
    (fault.method === undefined || fault.method === method) && (pattern ? matches(pattern, path) : !pages.test(path))

  return {
    list: () => ({ seed, faults: ready.map(({ fault }) => fault) }),
    set: (faults, givenSeed) => {
      seed = givenSeed
      ready = faults.map((fault) => ({
        fault,
        pattern: fault.path === undefined ? undefined : pathPattern(fault.path),
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
