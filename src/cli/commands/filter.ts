import { answerFilter, readFilter } from '../../ask/filter.ts'
import { type FilterAnswer, filterJson, filterMacros, filterText, notesOf } from '../../report/filter.ts'
import { json } from '../../report/safe.ts'
import type { FilterAsked } from '../../warehouse/filter.ts'
import { columnOf, sqlTexts } from '../../warehouse/sql-text.ts'
import type { Options, Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { type Reason, Refusal, refuseProblems } from '../app/refusal.ts'
import { readContext } from '../input/question.ts'
import { unknownNamesIn } from '../input/unknown.ts'
import { loadWorld } from '../input/world.ts'
import { withNotes, writeNotes } from '../output/answer.ts'

/** `filter IDENTITY ACTION [RESOURCE]`: the rows of a table of resources on which it is allowed, as expressions of SQL. */
export const run: Run<'filter'> = async (args, options, io) => {
  const [identity, action, on] = args
  if (identity === undefined || action === undefined) {
    throw new Refusal(
      '`filter` takes IDENTITY ACTION, and optionally RESOURCE',
      'for example `grantwise filter urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot --dialect duckdb`',
    )
  }
  const { dialect, which, as, macro, format } = options
  if (dialect === undefined)
    throw new Refusal('`--dialect` is missing: the dialect of SQL', `choose one of ${Object.keys(sqlTexts).join(', ')}`)
  if (format === 'json' && (which !== undefined || as !== undefined))
    throw new Refusal(`\`--${which === undefined ? 'as' : 'which'}\` and \`--format json\` cannot be combined`, 'JSON has both expressions')
  if (macro !== undefined && as !== 'dbt') throw new Refusal('`--macro` requires `--as dbt`')
  if (macro !== undefined && !/^[A-Za-z_]\w*$/.test(macro))
    throw new Refusal('`--macro`: not a name of a macro', 'use letters, digits and `_`')
  const columns = columnsOf(options)
  const questionContext = readContext(options, io)
  let asked: FilterAsked | undefined
  const loaded = await loadWorld(options, io, (names, settings) => {
    const read = readFilter(identity, action, on, questionContext, names, settings)
    asked = read.asked
    return read.problems
  })
  if (!loaded || !asked) return exit.error
  const answer = answerFilter(loaded.world, asked, dialect, columns, { isWellFormed: options.wellFormed })
  refuseLong(answer)
  const notes = await unknownNamesIn(
    { identity: asked.identity, action, groups: asked.groups, ...(asked.on && { resource: asked.on.text }) },
    loaded,
    answer.sql.kind !== 'always_denied',
    io,
  )
  if (format === 'json') {
    writeNotes(notes, format, io)
    io.stdout.write(`${json(withNotes(filterJson(answer), notes))}\n`)
    return exit.success
  }
  // On standard output, a note would be read as SQL.
  writeNotes(as === undefined && which !== undefined ? [...notes, ...notesOf(answer)] : notes, 'verdict', io)
  if (as === 'dbt') io.stdout.write(filterMacros(answer, macro ?? 'grantwise', which ? [which] : ['allowed', 'perhaps'], loaded.names))
  else io.stdout.write(which ? `${answer.sql[which]}\n` : filterText(answer, loaded.names))
  return exit.success
}

/** The columns as the dialect writes them. Throws a refusal that lists those that are none. */
function columnsOf(options: Options<'filter'>) {
  const sql = sqlTexts[options.dialect as NonNullable<typeof options.dialect>]
  const problems: Reason[] = []
  const column = (flag: string, text: string) => {
    const name = columnOf(sql, text)
    if (name === undefined)
      problems.push({
        message: `${flag}: not the name of a column`,
        help: `write it as \`urn\`, \`table.urn\` or ${sql.quote}a name${sql.quote}`,
      })
    return name ?? ''
  }
  const optionalColumn = (flag: string, text: string | undefined) => (text === undefined ? undefined : column(flag, text))
  const columns = {
    urn: column('--urn-column', options.urnColumn),
    tags: options.tags === false ? undefined : column('--tags-column', options.tagsColumn),
    name: optionalColumn('--name-column', options.nameColumn),
    type: optionalColumn('--type-column', options.typeColumn),
    owner: optionalColumn('--owner-column', options.ownerColumn),
  }
  refuseProblems(problems)
  return columns
}

function refuseLong({ sql: { allowed, perhaps }, dialect }: FilterAnswer): void {
  const { longest } = sqlTexts[dialect as keyof typeof sqlTexts]
  const length = Math.max(allowed.length, perhaps.length)
  if (length <= longest) return
  throw new Refusal(
    `the expression has ${length.toLocaleString('en')} characters: at most ${longest.toLocaleString('en')} are written for ${dialect}`,
    "name the resources of the table, such as `'urn:v1:eu:resource:vps:*'`, or ask for all rows with `grantwise export sql`",
  )
}
