import type { HostRegion } from '../model/exchange.ts'

/** Credentials that are the same everywhere: for documents, first steps and tests. Anybody knows them. */
export interface Demonstration {
  readonly clientId: string
  readonly clientSecret: string
  readonly applicationKey: string
  readonly applicationSecret: string
  readonly consumerKey: string
}

export function demonstration(region: HostRegion): Demonstration {
  return {
    clientId: `${region.toUpperCase()}.demonstration`,
    clientSecret: 'demonstration-secret-known-to-all',
    applicationKey: 'demonstrationkey',
    applicationSecret: 'demonstrationsecretknowntoall000',
    consumerKey: 'demonstrationconsumerkey00000000',
  }
}
