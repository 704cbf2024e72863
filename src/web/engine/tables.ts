/**
 * The tables of the catalogue, which come with an asset of their own that runs before the engine: the build puts this module in the
 * place of those that hold them.
 */
interface Scope {
  readonly grantwise: { readonly catalogue: typeof import('./catalogue.ts') }
}

export const { catalogueTable, operationsTable, sensitiveTable } = (globalThis as unknown as Scope).grantwise.catalogue
