/// <reference lib="esnext.disposable" preserve="true" />
import { resolve } from 'node:path'
import { inspect } from 'node:util'
import type { Io } from './cli/app/io.ts'
import type { ConfigOptions } from './cli/app/options.ts'
import { Refusal } from './cli/app/refusal.ts'
import { loadConfig } from './cli/input/config.ts'
import { readSeeds, SeedRefusal } from './cli/input/seed-files.ts'
import type { Stub } from './cli/input/stubs.ts'
import { emulate } from './cli/live/emulate.ts'
import { readyOf } from './cli/live/ready-file.ts'
import { clockOf, readServeOptions, type ServeOptions } from './cli/live/serve-options.ts'
import { checkedTls } from './cli/live/tls.ts'
import { reset } from './emulator/control/control.ts'
import type { Demonstration } from './emulator/control/demonstration.ts'
import { exportSeed, seedText } from './emulator/control/export.ts'
import type { SeedSource } from './emulator/control/seed.ts'
import type { ClockSetting } from './emulator/model/clock.ts'
import { type Fault, readFault } from './emulator/model/faults.ts'
import type { NeededPolicies } from './emulator/model/needed.ts'
import { nearest } from './nearest.ts'
import { sourceOf } from './source.ts'
import type { CallRecord } from './usage/record.ts'

export type { Demonstration as DemonstrationCredentials } from './emulator/control/demonstration.ts'
export type { Fault as EmulatorFault } from './emulator/model/faults.ts'
export type { NeededPolicies } from './emulator/model/needed.ts'
export type { CallRecord as EmulatorCall, Need as EmulatorCallAction } from './usage/record.ts'

/**
 * The emulator of `grantwise serve` for tests: in this process, on a free port of this machine. Nothing of it is loaded by
 * `import 'grantwise'`.
 */

/** How an emulator starts. Without options it has one account with one service account, and listens on any free port. */
export interface EmulatorOptions {
  /** 0, the default: any that is free. */
  readonly port?: number
  /** The initial policies and inventory: files, folders and globs by their names, documents as values. */
  readonly seed?: string | object | readonly (string | object)[]
  /** The folder that names are taken from, and whose configuration holds. The working folder of the process where it is not given. */
  readonly cwd?: string
  /** The configuration, in place of the nearest `.grantwise.yaml`; false: none. */
  readonly config?: string | false
  /** The brand word, over that of the configuration. */
  readonly brand?: string
  /** The word after `X-` in the headers of signed calls; takes precedence over that of the configuration. */
  readonly headerPrefix?: string
  /** Begin with published credentials as well, the same everywhere. */
  readonly demoCredentials?: boolean
  /** The address that clients use, where another one than that of this machine. */
  readonly publicUrl?: string
  readonly trustProxy?: boolean
  /** A certificate and its private key, in PEM: the emulator answers over HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The address that every call is taken to come from. */
  readonly clientIp?: string
  /** An instant at which the clock is stopped, or an offset, such as `+30d`. */
  readonly clock?: string | Date
  /** How long tokens live, in seconds: 3599 where it is not given. */
  readonly tokenLifetime?: number
  /** Answer 404 for resources that the seed does not list. */
  readonly strictAssets?: boolean
  /** Let refused calls through; `needed` gives the policies that they need. */
  readonly soft?: boolean
  /** Bodies for operations that the emulator does not answer itself: `{ 'GET /v1/vps/{serviceName}': { state: 'running' } }`. */
  readonly stubs?: Readonly<Record<string, unknown>>
  /** Injected faults. */
  readonly faults?: readonly Fault[]
  /** Which calls of a share are hit: the same seed, the same calls. */
  readonly faultSeed?: number
  /** Called with errors of the emulator itself. */
  readonly onFault?: (error: unknown) => void
  /** Called with each call that was judged, as `--record` writes it, before the answer is sent. */
  readonly onCall?: (call: CallRecord) => void
}

/** The addresses of one of its two regions. */
export interface EmulatorRegion {
  /** {base_url} and {auth_url} of the region, without a slash at the end. */
  readonly url: string
  /** The token endpoint. */
  readonly token: string
  readonly console: string
}

/** A service account of an emulator. */
export interface EmulatorServiceAccount {
  readonly identity: string
  readonly account: string
  readonly clientId: string
  /** Undefined: it is in the seed. */
  readonly clientSecret?: string
}

export interface Emulator {
  /** Without the region and without a slash at the end: `http://127.0.0.1:40123`. */
  readonly url: string
  readonly port: number
  readonly regions: { readonly eu: EmulatorRegion; readonly ca: EmulatorRegion }
  readonly accounts: readonly { readonly id: string; readonly region: 'eu' | 'ca' }[]
  /** Those that it began with. */
  readonly serviceAccounts: readonly EmulatorServiceAccount[]
  /** Where they were asked for. */
  readonly demonstration?: Demonstration
  /** Forget everything that happened, and begin again with the seed: generated secrets stay the same. */
  readonly reset: () => void
  /**
   * Read the files of the seed again, and begin again with them. Rejects with what is wrong where they have errors: then nothing
   * has changed. Resolves to the service accounts with the secrets that were generated.
   */
  readonly reload: () => Promise<readonly EmulatorServiceAccount[]>
  /** The state as a seed document. It holds secrets. */
  readonly export: () => object
  /** Set the clock: stopped at an instant, or at an offset from the clock of the machine, such as `+30d`. */
  readonly setClock: (time: string | Date) => void
  /** Move the clock forward by so many milliseconds: tokens expire, tasks go on. */
  readonly advance: (milliseconds: number) => void
  /** Set what goes wrong on purpose, counted from its first call; nothing where none is given. */
  readonly setFaults: (faults?: readonly Fault[], seed?: number) => void
  /** The policies that the calls needed which soft mode let through. */
  readonly needed: () => NeededPolicies
  /** Finish open requests and end. Later calls wait for the same end. */
  readonly close: () => Promise<void>
  /** The same as `close`, for `await using emulator = await startEmulator()`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Start an emulator. Rejects with what is wrong where an option or the seed is wrong, or the port is taken. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  try {
    return await start(options)
  } catch (error) {
    throw asError(error)
  }
}

/** A refusal with all its parts in the message. */
function asError(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  const reasons = [error, ...error.others].map(({ message, help }) => (help ? `${message}\n  help: ${help}` : message))
  return new Error([...(error instanceof SeedRefusal ? [error.report.trimEnd()] : []), ...reasons].join('\n'))
}

type Shape = 'string' | 'boolean' | 'function' | ((value: unknown) => boolean) | undefined

/** The type of each option, where the reader of options does not check it. */
const optionShapes: Readonly<Record<keyof EmulatorOptions, Shape>> = {
  port: undefined,
  seed: undefined,
  cwd: 'string',
  config: (value) => typeof value === 'string' || value === false,
  brand: (value) => typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value),
  headerPrefix: (value) => typeof value === 'string' && /^[A-Za-z][A-Za-z0-9-]*$/.test(value),
  demoCredentials: 'boolean',
  publicUrl: 'string',
  trustProxy: 'boolean',
  tls: isTls,
  clientIp: 'string',
  clock: isTime,
  tokenLifetime: undefined,
  strictAssets: 'boolean',
  soft: 'boolean',
  stubs: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  faults: Array.isArray,
  faultSeed: Number.isSafeInteger,
  onFault: 'function',
  onCall: 'function',
}

/** The value itself is not shown: it holds a private key. */
const tlsShape = 'must be `{ cert, key }`, both strings in PEM'

function isTls(value: unknown): boolean {
  const { cert, key } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof cert === 'string' && typeof key === 'string'
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' || (value instanceof Date && !Number.isNaN(value.getTime()))
}

/** Refuse unknown options and impossible values: a test with a typo would test something else. */
function checkOptions(options: EmulatorOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(optionShapes, name)) {
      const suggested = nearest(name, Object.keys(optionShapes))
      throw new Refusal(`\`${name}\` is not an option of \`startEmulator\``, suggested && `did you mean \`${suggested}\`?`)
    }
    const shape = optionShapes[name as keyof EmulatorOptions]
    const fits = typeof shape === 'function' ? shape(value) : shape === undefined || typeof value === shape
    if (value !== undefined && !fits)
      throw new Refusal(`\`${name}\` of \`startEmulator\` ${name === 'tls' ? tlsShape : `cannot be ${inspect(value)}`}`)
  }
}

/** A value as the JSON that clients get. Throws where it cannot be written as JSON. */
function asJson(shown: string, value: unknown): unknown {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {}
  if (text === undefined) throw new Refusal(`${shown}: the value cannot be written as JSON`)
  return JSON.parse(text)
}

async function start(options: EmulatorOptions): Promise<Emulator> {
  checkOptions(options)
  const io = quietIo(options.cwd ?? process.cwd())
  const serveOptions = optionsOf(options)
  const { tls } = options
  const settings = readServeOptions(
    serveOptions,
    tls && checkedTls({ shown: 'tls.cert', text: tls.cert }, { shown: 'tls.key', text: tls.key }),
  )
  const loaded = await loadConfig(serveOptions, io)
  const { brand, headerPrefix, onFault = () => {}, onCall } = options
  const overrides = { ...(brand !== undefined && { brand }), ...(headerPrefix !== undefined && { headerPrefix }) }
  const config = { ...loaded, settings: { ...loaded.settings, ...overrides } }
  const stubs = Object.entries(options.stubs ?? {}).map(([call, body]): Stub => {
    const shown = `stubs: \`${call}\``
    const [, method, path] = /^(\S+) +(\S+)$/.exec(call) ?? []
    if (method === undefined || path === undefined)
      throw new Refusal(`${shown}: expected METHOD PATH`, 'for example `GET /v1/vps/{serviceName}`')
    return { shown, method, path, body: asJson(shown, body) }
  })
  const faults = { faults: checked(options.faults ?? []), seed: options.faultSeed ?? 0 }
  const sources = () => sourcesOf(options.seed, io)
  const emulation = await emulate({ ...settings, faults }, { config, sources, stubs, log: undefined, onFault }, io)
  const { service, clock, control, url, port, finish } = emulation
  if (onCall) service.sinks.add((record) => onCall(record))
  const { regions, accounts, serviceAccounts, demonstration } = readyOf(emulation, process.pid)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= finish().then(() => service.state.close())
    return closing
  }
  return {
    url,
    port,
    regions,
    accounts,
    serviceAccounts,
    ...(demonstration && { demonstration }),
    reset: () => reset(control),
    reload: async () => {
      const reloaded = await control.reload()
      if ('problems' in reloaded) throw new Error(reloaded.problems.join('\n'))
      return readyOf(emulation, process.pid).serviceAccounts
    },
    export: () => exportSeed(service),
    needed: () => service.needed.list(),
    setClock: (time) => {
      if (!isTime(time) || !clock.set(settingOf(time)))
        throw new RangeError(`setClock: ${inspect(time)} is not a time of the years 0 to 9999`)
    },
    advance: (milliseconds) => {
      if (!(milliseconds >= 0)) throw new RangeError(`advance: \`${milliseconds}\` is not a number of milliseconds from 0`)
      if (!clock.advance(milliseconds)) throw new RangeError(`advance: \`${milliseconds}\` milliseconds lead beyond the year 9999`)
    },
    setFaults: (given = [], seed = 0) => service.faults.set(checked(given), seed),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Faults as they were given, checked. */
function checked(faults: readonly Fault[]): readonly Fault[] {
  return faults.map((each, i) => {
    const fault = readFault(each)
    if (typeof fault === 'string') throw new RangeError(`faults[${i}]: ${fault}`)
    return fault
  })
}

function settingOf(time: string | Date): ClockSetting {
  try {
    return clockOf(clockText(time))
  } catch (error) {
    throw asError(error)
  }
}

const clockText = (time: string | Date) => (typeof time === 'string' ? time : time.toISOString())

/** The same options as those of the command: they are read, and refused, in one place. */
function optionsOf(options: EmulatorOptions): ServeOptions & ConfigOptions {
  const { port = 0, config, publicUrl, clientIp, clock, trustProxy, demoCredentials, tokenLifetime, strictAssets, soft } = options
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) throw new Refusal(`port \`${port}\`: expected a number from 0 to 65535`)
  return {
    host: '127.0.0.1',
    allowRemote: false,
    port,
    publicUrl,
    clientIp,
    clock: clock && clockText(clock),
    tokenLifetime: tokenLifetime === undefined ? undefined : String(tokenLifetime),
    trustProxy: trustProxy === true,
    demoCredentials: demoCredentials === true,
    strictAssets: strictAssets === true,
    soft: soft === true,
    fault: [],
    faultSeed: 0,
    config,
  }
}

async function sourcesOf(seed: EmulatorOptions['seed'], io: Io): Promise<readonly SeedSource[]> {
  const seeds: readonly (string | object)[] = seed === undefined ? [] : Array.isArray(seed) ? seed : [seed]
  const names = seeds.filter((each) => typeof each === 'string')
  const documents = seeds.filter((each) => typeof each !== 'string')
  const inline = documents.map((document, i): SeedSource => {
    const path = `seed document ${i + 1}`
    const source = sourceOf(path, seedText(asJson(path, document) as Readonly<Record<string, unknown>>), 'json')
    return { source, mayBeOther: false }
  })
  return [...(await readSeeds(names, io)), ...inline]
}

/** For functions of the command line: prints nothing and has no variables. */
function quietIo(cwd: string): Io {
  const nothing = { write: () => true, isTerminal: () => false }
  return {
    stdin: async function* () {},
    stdout: nothing,
    stderr: nothing,
    env: {},
    cwd: resolve(cwd),
    now: Date.now,
  }
}
