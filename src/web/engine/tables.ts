/**
 * The tables of the catalogue, which come with an asset of their own: the build puts this module in the place of those that
 * hold them.
 */
export let catalogueTable = ''
export let operationsTable = ''
export let sensitiveTable: Readonly<Record<string, string>> = {}

export interface Tables {
  readonly catalogueTable: string
  readonly operationsTable: string
  readonly sensitiveTable: Readonly<Record<string, string>>
}

export function useTables(tables: Tables): void {
  ;({ catalogueTable, operationsTable, sensitiveTable } = tables)
}
