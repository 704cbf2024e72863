import { readAddress } from '../../conditions/address.ts'
import { hostRegions } from '../model/exchange.ts'
import { isHeaderHost } from '../model/host.ts'

/** How clients reach the emulator: under which name, and what the address of a client is taken to be. */
export interface PublicEndpoint {
  /** The address that clients use, where it is not the one that the emulator listens at. */
  readonly publicUrl?: PublicUrl
  /** The address that every request is taken to come from. */
  readonly clientIp?: string
  /** Whether `X-Forwarded-For` says where a request comes from: only a proxy in front may be trusted with that. */
  readonly trustProxy: boolean
}

/** An address under which the emulator is reached from outside, such as `https://emulator.test:8443/api`. */
export interface PublicUrl {
  /** Without a slash at the end. */
  readonly base: string
  readonly protocol: string
  /** With the port, where it is not the usual one: as in the header `Host`. */
  readonly host: string
  /** The path that comes before that of the emulator; empty where there is none. A proxy may leave it in or take it out. */
  readonly prefix: string
}

/** Read an address of the emulator; or what is wrong with it, as a message. */
export function readPublicUrl(text: string): PublicUrl | string {
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'expected an address such as `http://localhost:9000` or `https://emulator.test`'
  if (url.username !== '' || url.password !== '') return 'an address with a user or a password would be handed out to every client'
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) return 'expected an address without `?` and `#`'
  if (!isHeaderHost(url.host)) return `the host \`${url.host}\` holds characters that the policy of a page would misread`
  const prefix = url.pathname.replace(/\/+$/, '')
  if (!/^(?:\/[A-Za-z0-9._~-]+)*$/.test(prefix)) return 'expected a path of letters, digits, `.`, `_`, `~` and `-`'
  // With or without such a prefix, one path would have two meanings.
  const first = prefix.split('/')[1] ?? ''
  if ([...hostRegions, 'health', '_emulator'].includes(first))
    return `the path begins with \`/${first}\`, which the emulator's own paths begin with`
  return { base: `${url.protocol}//${url.host}${prefix}`, protocol: url.protocol, host: url.host, prefix }
}

/** Whether the header `Host` names the public address. A port that is the usual one may be written or left out. */
export function isPublicHost(front: PublicEndpoint, host: string | undefined): boolean {
  const { publicUrl } = front
  if (!publicUrl || host === undefined || !/^[A-Za-z0-9._-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/.test(host)) return false
  const address = `${publicUrl.protocol}//${host}`
  return URL.canParse(address) && new URL(address).host === publicUrl.host
}

/** The path of a request without what the public address has before it. */
export function withoutPrefix({ publicUrl }: PublicEndpoint, url: string): string {
  const prefix = publicUrl?.prefix ?? ''
  return prefix !== '' && url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url
}

/** Behind a proxy, the last one of `X-Forwarded-For`: those before it are what the client says. Undefined: it cannot be read. */
export function clientAddress(
  { clientIp, trustProxy }: PublicEndpoint,
  forwarded: string | undefined,
  peer: string | undefined,
): string | undefined {
  if (clientIp !== undefined) return clientIp
  if (!trustProxy || forwarded === undefined) return peer ?? ''
  const last = (forwarded.split(',').at(-1) as string).trim()
  // Some proxies write the port as well.
  const bare = /^\[([0-9A-Fa-f:.]+)\](?::\d+)?$/.exec(last)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(last)?.[1] ?? last
  return readAddress(bare.startsWith('::ffff:') ? bare.slice(7) : bare) ? bare : undefined
}

/** Whether a host is this machine and nothing else. */
export function isLoopbackName(name: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(name)
}
