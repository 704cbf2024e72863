/**
 * One API call as it was made and judged: a line of `--record`, of the console's log, and what `least` and `replay` read.
 */
export interface CallRecord {
  /** RFC 3339 with milliseconds, UTC. */
  readonly at: string
  readonly account: string
  readonly identity: string
  readonly method: string
  /** With its branch, without query: `/v1/hosting/web/example.org`. */
  readonly path: string
  readonly ip: string
  /** The template of the operation, with its branch: `/v1/hosting/web/{serviceName}`; null where it is not known. */
  readonly operation: string | null
  /** Each action that the call needs, with the resource it is about (null where it is not known) and what was decided. */
  readonly actions: readonly {
    readonly action: string
    readonly resource: string | null
    readonly required: boolean
    readonly verdict: 'allow' | 'deny' | 'unknown'
  }[]
  /** Both gates together. */
  readonly verdict: 'allow' | 'deny' | 'unknown'
  /** The consumer key's gate; null where the call is not made with one. */
  readonly credential: 'allow' | 'deny' | 'unknown' | null
  /** The status of the answer. */
  readonly status: number
}
