import type { HostRegion } from '../model/exchange.ts'

/** Credentials that are the same everywhere: for documents, first steps and tests. Anybody knows them. */
export type Demonstration = ReturnType<typeof demonstration>

export function demonstration(region: HostRegion) {
  return {
    clientId: `${region.toUpperCase()}.demonstration`,
    clientSecret: 'demonstration-secret-known-to-all',
    applicationKey: 'demonstrationkey',
    applicationSecret: 'demonstrationsecretknowntoall000',
    consumerKey: 'demonstrationconsumerkey00000000',
  }
}
