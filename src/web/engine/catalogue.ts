// The asset that holds what is known of actions.
export { catalogueTable } from '../../actions/catalogue-table.ts'
export { deprecatedActionsTable } from '../../actions/deprecated-actions-table.ts'
export { deprecatedOperationsTable } from '../../actions/deprecated-operations-table.ts'
export { operationsTable } from '../../actions/operations-table.ts'
export { sensitiveTable } from '../../actions/sensitive-table.ts'
