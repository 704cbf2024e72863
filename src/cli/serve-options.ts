import { readAddress } from '../conditions/address.ts'
import { readInstant } from '../conditions/time.ts'
import type { ClockSetting } from '../service/clock.ts'
import { type Front, readPublicUrl } from './front.ts'
import { readDuration } from './horizon.ts'
import { isLoopbackName } from './http.ts'
import type { Options } from './options.ts'
import { instantOf } from './question.ts'
import { Refusal } from './refusal.ts'

/** What the options of `serve` say, understood. */
export interface ServeSettings {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  readonly allowRemote: boolean
  readonly front: Front
  readonly clock: ClockSetting
  /** Credentials that everybody knows are among what it begins with. */
  readonly isDemo: boolean
}

const defaultPort = 8765

/** Read the options of `serve`. Throws a refusal that says what is wrong with one, before anything is done. */
export function readServeOptions(options: Options): ServeSettings {
  const host = options.text('host') ?? '127.0.0.1'
  const allowRemote = options.flag('allow-remote') === true
  const port = portOf(options.text('port'))
  if (!isLoopbackName(host) && !allowRemote)
    throw new Refusal(
      `--host \`${host}\`: others than this machine could reach the emulator`,
      'leave `--host` out, or say `--allow-remote` where that is meant: it has no encryption, and its pages ask nobody who they are',
    )
  return {
    host,
    port,
    allowRemote,
    front: frontOf(options),
    clock: clockOf(options.text('clock')),
    isDemo: options.flag('demo-credentials') === true,
  }
}

function portOf(text: string | undefined): number {
  if (text === undefined) return defaultPort
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Refusal(`--port \`${text}\`: expected a number from 0 to 65535`, '0 takes any that is free')
  return port
}

function frontOf(options: Options): Front {
  const trustProxy = options.flag('trust-proxy') === true
  const publicUrl = options.text('public-url')
  const clientIp = options.text('client-ip')
  const read = publicUrl === undefined ? undefined : readPublicUrl(publicUrl)
  if (typeof read === 'string')
    throw new Refusal(
      `--public-url \`${publicUrl}\`: ${read}`,
      'give the address that clients use, without the region: `http://localhost:9000`',
    )
  if (clientIp !== undefined && !readAddress(clientIp))
    throw new Refusal(`--client-ip \`${clientIp}\`: expected an IP address`, 'for example `203.0.113.7` or `2001:db8::7`')
  if (clientIp !== undefined && trustProxy)
    throw new Refusal('--client-ip and --trust-proxy do not go together: both say where requests come from', 'keep one of them')
  return { trustProxy, ...(read && { publicUrl: read }), ...(clientIp !== undefined && { clientIp }) }
}

/** `--clock`: an instant at which the clock stands still, or how far it is from that of the machine. */
export function clockOf(text: string | undefined): ClockSetting {
  if (text === undefined) return { offset: 0 }
  const offset = /^[+-]/.test(text) ? readDuration(text.slice(1)) : undefined
  if (offset !== undefined) return { offset: text.startsWith('-') ? -offset : offset }
  if (/^\d{4}-/.test(text)) return { at: instantOf('--clock', text) }
  const at = readInstant(text)
  if (at !== undefined) return { at }
  throw new Refusal(
    `--clock \`${text}\` is neither an instant nor an offset`,
    'write an instant at which the clock stands still, such as `2027-01-31T12:00:00Z`, or an offset, such as `+30d`, `-2h` or `+PT90S`',
  )
}
