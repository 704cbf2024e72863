import type { Dialect } from './dialects.ts'
import type { SqlFile, TableNames } from './files.ts'
import { settledColumns } from './settle.ts'
import { DecisionSteps, type Step } from './steps.ts'
import { tableColumns, type WorldTables } from './tables.ts'
import { questionViews } from './views.ts'

/** The name of the source of the tables that `load.sql` makes. */
const source = 'grantwise'

/** A step as a model of dbt: it refers to other steps, and to the loaded tables as a source. */
const model = ({ query }: Step, materialized: 'table' | 'view') => `{{ config(materialized='${materialized}') }}\n\n${query}\n`

/** The decision as a project of dbt: a model for each step. Text in braces is never a part of a step, so that nothing is escaped. */
export function dbtFiles(world: WorldTables, dialect: Dialect, { prefix, calls, given }: TableNames): readonly SqlFile[] {
  const loaded = new Set<string>([...Object.keys(tableColumns), ...Object.keys(settledColumns)])
  const table = (name: string) => (loaded.has(name) ? `{{ source('${source}', '${prefix}${name}') }}` : `{{ ref('${prefix}${name}') }}`)
  const options = { dialect, table, given, calls: `{{ source('${source}', '${calls}') }}` }
  const steps = new DecisionSteps(world, { ...options, isOneStatement: false })
  const file = (step: Step, materialized: 'table' | 'view') => ({
    path: `models/${prefix}${step.name}.sql`,
    content: model(step, materialized),
  })
  const tables = steps.list().map((step) => file(step, 'table'))
  const views = [...steps.views(), ...questionViews(options)].map((step) => file(step, 'view'))
  return [
    { path: 'dbt_project.yml', content: `name: grantwise\nversion: '1.0'\nprofile: grantwise\nmodel-paths: [models]\n` },
    { path: 'models/sources.yml', content: sources([calls, ...[...loaded].map((name) => prefix + name)]) },
    ...tables,
    ...views,
  ]
}

function sources(names: readonly string[]): string {
  const tables = names.map((name) => `      - name: ${name}\n`).join('')
  return `version: 2\n\nsources:\n  - name: ${source}\n    schema: "{{ target.schema }}"\n    tables:\n${tables}`
}
