import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { compareDiagnostics } from '../../diagnostic.ts'
import { resumeTasks } from '../../emulator/api/assets.ts'
import { respond } from '../../emulator/api/respond.ts'
import { type Control, controlled } from '../../emulator/control/control.ts'
import { type MadeUp, readSeed, type SeedSource } from '../../emulator/control/seed.ts'
import { callLog } from '../../emulator/model/call-log.ts'
import { type MovableClock, movableClock } from '../../emulator/model/clock.ts'
import type { Reply } from '../../emulator/model/exchange.ts'
import type { Clock, Ports, Store } from '../../emulator/model/ports.ts'
import { openState, type RecordChange, type State } from '../../emulator/model/state.ts'
import { warmWorlds } from '../../emulator/model/worlds.ts'
import { serviceRoutes } from '../../emulator/routes.ts'
import { createService, type Service } from '../../emulator/service.ts'
import { compactLine } from '../../report/lint.ts'
import { shown } from '../../report/safe.ts'
import type { CallRecord } from '../../usage/record.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import type { Config } from '../input/config.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { SeedRefusal } from '../input/seed-files.ts'
import { type Stub, stubRoutes } from '../input/stubs.ts'
import { type HttpOptions, type LogEntry, listen } from './http.ts'
import type { ServeSettings } from './serve-options.ts'

/** Where the control token is taken from; one is made up where it is not given. */
export const tokenVariable = 'GRANTWISE_CONTROL_TOKEN'

/** An emulator that listens. */
export interface Emulation {
  readonly service: Service
  readonly clock: MovableClock
  readonly port: number
  /** The address that clients use, without a slash at the end. */
  readonly url: string
  /** The address that it listens at. */
  readonly listensAt: string
  readonly control: Control
  readonly isDemo: boolean
  /** The service accounts whose secret was made up. */
  readonly madeUp: readonly MadeUp[]
  /** The state is one that was kept: seeds were not read. */
  readonly isKept: boolean
  /** Takes no more connections and finishes open requests. The state stays open. */
  readonly finish: () => Promise<void>
}

/** What an emulator is made of, beside what its options say. */
export interface EmulationParts {
  readonly config: Config
  readonly sources: readonly SeedSource[]
  readonly stubs?: readonly Stub[]
  /** Opens what keeps the state, once it is sure that something will be served. */
  readonly openStore?: (() => Promise<Store>) | undefined
  /** Called with each answer, and with the call that was judged for it, where one was; undefined: nobody wants to know. */
  readonly log: ((entry: LogEntry, call: CallRecord | undefined) => void) | undefined
  readonly onFault: (error: unknown) => void
}

/** The emulator over its state, and what it began with. */
interface Opened {
  readonly service: Service
  readonly seed: readonly RecordChange[]
  readonly madeUp: readonly MadeUp[]
  readonly isKept: boolean
}

/** Start an emulator. Throws a refusal where its seed is wrong or it cannot listen: then nothing is left open. */
export async function emulate(settings: ServeSettings, parts: EmulationParts, io: Io): Promise<Emulation> {
  const clock = movableClock(machineClock(io))
  if (!clock.set(settings.clock))
    throw new Refusal('--clock leads beyond the years 0 to 9999: no others can be written', 'take an instant or an offset within them')
  let url = settings.front.publicUrl?.base ?? ''
  const ports = realPorts(clock)
  const { seed, ...opened } = await openService(settings, ports, (region) => `${url}/${region}`, parts, io)
  const { service } = opened
  const control: Control = { service, clock, seed, version, token: io.env[tokenVariable] || ports.chance.token(32) }
  try {
    const { host, port, allowRemote, front } = settings
    const { onFault } = parts
    // Whoever is told that it listens is answered at once.
    warmWorlds(service)
    const server = await listen({
      host,
      port,
      allowRemote,
      front,
      onFault,
      control: (request) => controlled(control, request),
      ...answering(service, parts.log),
    }).catch((error) => {
      throw unreachable(error, host, port)
    })
    const listensAt = `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${server.port}`
    url ||= listensAt
    resumeTasks(service)
    // The console shows calls that were made before anybody looked at it.
    callLog(service)
    return {
      ...opened,
      isDemo: settings.isDemo,
      control,
      clock,
      port: server.port,
      url,
      listensAt,
      finish: server.close,
    }
  } catch (error) {
    service.state.close()
    throw error
  }
}

/** How requests are answered, and who is told of it: the log is told of the call that was judged as well. */
function answering(service: Service, log: EmulationParts['log']): Pick<HttpOptions, 'respond' | 'log'> {
  if (!log) return { respond: (request) => respond(service, request), log: undefined }
  const calls = new WeakMap<Reply, CallRecord>()
  let last: CallRecord | undefined
  service.sinks.add((call) => {
    last = call
  })
  return {
    respond: (request) => {
      last = undefined
      const reply = respond(service, request)
      if (last) calls.set(reply, last)
      return reply
    },
    log: (entry) => log(entry, calls.get(entry.reply)),
  }
}

/** The service over its state. */
async function openService(
  settingsGiven: ServeSettings,
  ports: Ports,
  address: Service['address'],
  parts: EmulationParts,
  io: Io,
): Promise<Opened> {
  const { config, sources, openStore, onFault } = parts
  const { settings } = config
  const operations = await operationsFor(config, io)
  const seed = await readSeed(sources, settings, ports, operations, settingsGiven.isDemo)
  const wrong = seed.diagnostics.filter(({ severity }) => severity === 'error').sort(compareDiagnostics)
  if (wrong.length > 0)
    throw new SeedRefusal(wrong.map((each) => `${compactLine(each)}${each.help ? `\n  help: ${shown(each.help)}` : ''}\n`).join(''))
  const catalogue = await catalogueFor(config, io)
  const store = await openStore?.()
  try {
    const state = openState(store)
    const isKept = !state.isEmpty()
    if (!isKept) state.commit(seed.changes)
    const { isStrict, tokenLifetime, faults } = settingsGiven
    const routes = serviceRoutes
    const stubs = stubRoutes(parts.stubs ?? [], operations, routes)
    const given = { settings, ports, state, catalogue, operations, routes, stubs, isStrict, tokenLifetime, address, onFault }
    const service = createService(given)
    service.faults.set(faults.faults, faults.seed)
    return { service, seed: isKept ? withKept(seed.changes, state) : seed.changes, madeUp: isKept ? [] : seed.madeUp, isKept }
  } catch (error) {
    store?.close()
    throw error
  }
}

/**
 * What a reset of a kept state goes back to: where the seed gives no secrets, the service accounts are those whose secrets
 * were told when the state was made. Others would have secrets that nobody was told.
 */
function withKept(seed: readonly RecordChange[], state: State): readonly RecordChange[] {
  const kept = [...state.table('serviceAccount').all()].filter((each) => each.isMadeUp)
  const accounts = new Set(kept.map(({ account }) => account))
  const isReplaced = (change: RecordChange) =>
    change.kind === 'serviceAccount' && change.value?.isMadeUp === true && accounts.has(change.value.account)
  const replaced = new Set(
    seed.filter(isReplaced).flatMap((change) => (change.kind === 'serviceAccount' && change.value ? [change.value.account] : [])),
  )
  return [
    ...seed.filter((change) => !isReplaced(change)),
    ...kept
      .filter(({ account }) => replaced.has(account))
      .map((value): RecordChange => ({ kind: 'serviceAccount', key: value.clientId, value })),
  ]
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has it',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'permission denied',
  ENOTFOUND: 'no such host is known',
}

function unreachable(error: unknown, host: string, port: number): Refusal {
  const { code } = error as NodeJS.ErrnoException
  const help = code === 'EADDRINUSE' ? 'name another with `--port`, or take any that is free with `--port 0`' : undefined
  return new Refusal(`cannot listen at ${host}, port ${port}: ${listenFaults[code ?? ''] ?? `error ${code ?? 'without a code'}`}`, help)
}

function machineClock({ now }: Io): Clock {
  const after: Clock['after'] = (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  }
  return { now, after, wait: after }
}

/** The clock, chance and digests of this machine. */
function realPorts(clock: Clock): Ports {
  return {
    clock,
    chance: {
      uuid: randomUUID,
      token: (length) =>
        randomBytes(Math.ceil(length * 0.75))
          .toString('base64url')
          .slice(0, length),
    },
    digest: {
      sha1: (text) => createHash('sha1').update(text).digest('hex'),
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
      same: (a, b) => {
        const [first, second] = [Buffer.from(a), Buffer.from(b)]
        return first.length === second.length && timingSafeEqual(first, second)
      },
    },
  }
}
