import type { Run } from '../app/commands.ts'
import { Refusal } from '../app/refusal.ts'

/** `export LANGUAGE`: a world in the language of an engine that enforces, or as tables and SQL that decide. */
export const run: Run<'export'> = async ([argument], options, io) => {
  if (argument !== undefined && options.to !== undefined && argument !== options.to)
    throw new Refusal(`\`${argument}\` and \`--to ${options.to}\` name two languages`, 'leave one of them out')
  const language = argument ?? options.to
  if (language === undefined) throw new Refusal('the language to write is missing', 'use `export cedar` or `export sql`')
  if (language === 'sql') return (await import('./export-sql.ts')).exportToSql(options, io)
  return (await import('./export-cedar.ts')).exportToCedar(options, io)
}
