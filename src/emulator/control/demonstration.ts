import type { HostRegion } from '../model/exchange.ts'

/**
 * Credentials that are the same everywhere, for those who ask for them: for documents, first steps and tests. They are
 * worth nothing at the real service, and protect nothing here.
 */
export function demonstration(region: HostRegion) {
  return {
    clientId: `${region.toUpperCase()}.demonstration`,
    clientSecret: 'demonstration-secret-known-to-all',
    applicationKey: 'demonstrationkey',
    applicationSecret: 'demonstrationsecretknowntoall000',
    consumerKey: 'demonstrationconsumerkey00000000',
  } as const
}
