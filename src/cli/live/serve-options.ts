import { readAddress } from '../../conditions/address.ts'
import { readInstant } from '../../conditions/time.ts'
import type { ClockSetting } from '../../emulator/model/clock.ts'
import { type Fault, faultFields, readFault } from '../../emulator/model/faults.ts'
import { usualLifetime } from '../../emulator/model/service.ts'
import { isLoopbackName, type PublicEndpoint, readPublicUrl } from '../../emulator/server/front.ts'
import type { Tls } from '../../emulator/server/http.ts'
import type { ServerSettings } from '../../emulator/server/start.ts'
import type { Options } from '../app/commands.ts'
import { Refusal } from '../app/refusal.ts'
import { readDuration, readLength } from '../input/horizon.ts'
import { instantOf } from '../input/question.ts'

export interface ServeSettings extends ServerSettings {
  readonly clock: ClockSetting
}

export type ServeOptions = Pick<
  Options<'serve'>,
  | 'host'
  | 'port'
  | 'allowRemote'
  | 'publicUrl'
  | 'trustProxy'
  | 'clientIp'
  | 'clock'
  | 'demoCredentials'
  | 'fault'
  | 'faultSeed'
  | 'tokenLifetime'
  | 'soft'
  | 'strictAssets'
>

/** Read the options of `serve`. Throws a refusal that says what is wrong with one, before anything is done. */
export function readServeOptions(options: ServeOptions, tls?: Tls): ServeSettings {
  const { host, port, allowRemote } = options
  if (!isLoopbackName(host) && !allowRemote)
    throw new Refusal(
      `--host \`${host}\`: others than this machine could reach the emulator`,
      'leave `--host` out, or say `--allow-remote` where that is meant: its pages ask no visitor who they are, and without `--tls-cert` nothing is encrypted',
    )
  return {
    host,
    port,
    allowRemote,
    front: frontOf(options),
    tls,
    clock: clockOf(options.clock),
    isDemo: options.demoCredentials,
    faults: { faults: options.fault.map(faultOf), seed: options.faultSeed },
    tokenLifetime: lifetimeOf(options.tokenLifetime),
    isStrict: options.strictAssets,
    isSoft: options.soft,
  }
}

function frontOf(options: ServeOptions): PublicEndpoint {
  const trustProxy = options.trustProxy
  const publicUrl = options.publicUrl
  const clientIp = options.clientIp
  const read = publicUrl === undefined ? undefined : readPublicUrl(publicUrl)
  if (typeof read === 'string')
    throw new Refusal(
      `--public-url \`${publicUrl}\`: ${read}`,
      'give the address that clients use, without the region: `http://localhost:9000`',
    )
  if (clientIp !== undefined && !readAddress(clientIp))
    throw new Refusal(`--client-ip \`${clientIp}\`: expected an IP address`, 'for example `203.0.113.7` or `2001:db8::7`')
  if (clientIp !== undefined && trustProxy)
    throw new Refusal('--client-ip and --trust-proxy cannot be combined: both say where requests come from', 'keep one of them')
  return { trustProxy, ...(read && { publicUrl: read }), ...(clientIp !== undefined && { clientIp }) }
}

/** `--fault`: `GET /v1/vps/* status=429 retry-after=2 share=10%`. */
export function faultOf(text: string): Fault {
  const wrong = (message: string) =>
    new Refusal(`--fault \`${text}\`: ${message}`, 'for example `GET /v1/vps/* status=429 retry-after=2 share=10%`, or `latency=500ms`')
  const words = text.trim().split(/\s+/)
  const parsed: Record<string, unknown> = {}
  if (/^[A-Z]+$/.test(words[0] ?? '')) parsed.method = words.shift()
  if (/^[/*]/.test(words[0] ?? '')) parsed.path = words.shift()
  for (const word of words) {
    const [, key = word, value = ''] = /^([^=]*)=(.*)$/s.exec(word) ?? []
    const name = faultOptions.get(key)
    if (!name) throw wrong(`\`${key}\` is not one of ${[...faultOptions.keys()].map((each) => `\`${each}=\``).join(', ')}`)
    if (name in parsed) throw wrong(`\`${key}\` is given twice`)
    parsed[name] = readers[faultFields[name].kind](value)
    if (parsed[name] === undefined || Number.isNaN(parsed[name])) throw wrong(`\`${value}\` is not a value of \`${key}\``)
  }
  const fault = readFault(parsed)
  if (typeof fault === 'string') throw wrong(fault)
  return fault
}

/** The fields of a fault by their names on the command line: method and path have none. */
const faultOptions: ReadonlyMap<string, keyof Fault> = new Map(
  (Object.keys(faultFields) as (keyof Fault)[])
    .filter((name) => name !== 'method' && name !== 'path')
    .map((name) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), name]),
)

const whole = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)
const duration = (text: string) => whole(text) ?? readDuration(text)
const part = (text: string) =>
  /^\d+(\.\d+)?%$/.test(text) ? Number(text.slice(0, -1)) / 100 : /^\d*\.?\d+$/.test(text) ? Number(text) : undefined

const readers = { text: (text: string) => text, number: whole, milliseconds: duration, share: part } as const

/** The longest life of a token: 30 days, in seconds. */
const longestLifetime = 30 * 24 * 60 * 60

function lifetimeOf(text: string | undefined): number {
  const seconds = text === undefined ? usualLifetime : (whole(text) ?? (readDuration(text) ?? 0) / 1000)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > longestLifetime)
    throw new Refusal(`--token-lifetime \`${text}\`: expected a number of seconds, up to 30 days`, 'for example `5`, `90s` or `2h`')
  return seconds
}

/** `--clock`: an instant at which the clock is stopped, or its offset from that of the machine. */
export function clockOf(text: string | undefined): ClockSetting {
  if (text === undefined) return { offset: 0 }
  const offset = /^[+-]/.test(text) ? readLength(text.slice(1)) : undefined
  if (offset !== undefined) return { offset: text.startsWith('-') ? 0 - offset : offset }
  if (/^\d{4}-/.test(text)) return { at: instantOf('--clock', text) }
  const instant = readInstant(text)
  if (instant !== undefined) return { at: instant }
  throw new Refusal(
    `--clock \`${text}\` is neither an instant nor an offset`,
    'write an instant at which the clock stands still, such as `2027-01-31T12:00:00Z`, or an offset, such as `+30d`, `-2h` or `+PT90S`',
  )
}
