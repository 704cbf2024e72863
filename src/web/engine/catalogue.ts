// The asset that holds what is known of actions.
export { catalogueTable } from '../../actions/catalogue-table.ts'
export { operationsTable } from '../../actions/operations-table.ts'
export { sensitiveTable } from '../../actions/sensitive-table.ts'
