import { headerStart, type Settings } from '../../names.ts'
import type { Digest } from '../model/ports.ts'
import type { HeaderName, SignatureHeaders } from '../model/service.ts'

// Requests signed with an application secret and a consumer key. The document does not show how: this is the published scheme.

/** `X-<Brand>-Application` and the others. */
export function signatureHeaders(settings: Settings): SignatureHeaders {
  const header = (word: string): HeaderName => {
    const shown = `${headerStart(settings)}-${word}`
    return { name: shown.toLowerCase(), shown }
  }
  const [application, consumer] = [header('Application'), header('Consumer')]
  return { application, consumer, timestamp: header('Timestamp'), signature: header('Signature') }
}

/** How many seconds a timestamp may be off the clock. How many the service allows is not published. */
export const timestampWindow = 300

export interface SignedRequest {
  readonly secret: string
  readonly consumerKey: string
  readonly method: string
  /** The whole address as the client wrote it, with its query. */
  readonly url: string
  readonly body: string
  /** Seconds since 1970, as written in its header. */
  readonly timestamp: string
}

export function sign({ sha1 }: Pick<Digest, 'sha1'>, { secret, consumerKey, method, url, body, timestamp }: SignedRequest): string {
  return `$1$${sha1([secret, consumerKey, method, url, body, timestamp].join('+'))}`
}

/** Whether a timestamp is near enough to a moment in milliseconds since 1970. */
export function isCurrent(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - now / 1000) <= timestampWindow
}
