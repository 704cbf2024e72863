/**
 * The tables of the catalogue, which are in a separate asset that runs before the engine: the build replaces the modules that
 * hold them with this one.
 */
interface Scope {
  readonly grantwise: { readonly catalogue: typeof import('./catalogue.ts') }
}

export const { catalogueTable, operationsTable, sensitiveTable } = (globalThis as unknown as Scope).grantwise.catalogue
