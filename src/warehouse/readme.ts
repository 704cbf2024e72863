import { mostClauses, mostClockTests } from './conditions.ts'
import { exportedYears } from './instants.ts'
import type { DialectName } from './sql-text.ts'
import type { CallColumn } from './steps.ts'
import type { WorldTables } from './tables.ts'

/** How a file of SQL is run with the usual client of an engine, and how its open situations are written as JSON lines. */
interface Client {
  readonly title: string
  readonly run: (file: string) => string
  readonly residue: (table: string) => string
  /** How a log in Parquet files becomes the table of that name. */
  readonly log?: (table: string) => string
  /** A step that comes first, in Markdown. */
  readonly before?: string
}

export const clients: Readonly<Record<DialectName, Client>> = {
  duckdb: {
    title: 'DuckDB',
    run: (file) => `duckdb access.db < ${file}`,
    log: (table) => `duckdb access.db "CREATE VIEW ${table} AS SELECT * FROM read_parquet('/path/logs/*.parquet')"`,
    residue: (table) => `duckdb access.db "COPY ${table} TO 'residue.json'"`,
  },
  postgres: {
    title: 'Postgres',
    run: (file) => `psql -v ON_ERROR_STOP=1 -f ${file}`,
    residue: (table) => `psql -At -c "SELECT row_to_json(r) FROM ${table} r" > residue.json`,
  },
  clickhouse: {
    title: 'ClickHouse',
    run: (file) => `clickhouse client --queries-file ${file}`,
    residue: (table) => `clickhouse client -q "SELECT * FROM ${table} FORMAT JSONEachRow" > residue.json`,
  },
  spark: {
    title: 'Spark',
    run: (file) => `spark-sql -f ${file}`,
    log: (table) => `spark-sql -e "CREATE TABLE ${table} USING parquet LOCATION '/path/logs'"`,
    residue: (table) => `spark-sql -S -e "SELECT to_json(struct(*)) FROM ${table}" > residue.json`,
  },
  trino: {
    title: 'Trino',
    run: (file) => `trino --catalog memory --schema default -f ${file}`,
    residue: (table) => `trino --catalog memory --schema default --output-format JSON --execute "SELECT * FROM ${table}" > residue.json`,
  },
  bigquery: {
    title: 'BigQuery',
    run: (file) => `bq query --use_legacy_sql=false --dataset_id=DATASET < ${file}`,
    residue: (table) =>
      `bq extract --destination_format NEWLINE_DELIMITED_JSON DATASET.${table} gs://BUCKET/residue.json && gcloud storage cp gs://BUCKET/residue.json .`,
    before:
      'Replace `BUCKET` in `load.sql` by a bucket of yours and `DATASET` by a dataset, and copy the files: `gcloud storage cp -r tables gs://BUCKET/`.',
  },
  snowflake: {
    title: 'Snowflake',
    run: (file) => `snow sql -f ${file}`,
    residue: (table) =>
      `snow sql -q "COPY INTO @~/residue.json FROM (SELECT OBJECT_CONSTRUCT_KEEP_NULL(*) FROM ${table}) FILE_FORMAT = (TYPE = JSON COMPRESSION = NONE) SINGLE = TRUE OVERWRITE = TRUE; GET @~/residue.json file://."`,
  },
}

const columnLines: Readonly<Record<CallColumn, string>> = {
  at_ms: '`at_ms`: milliseconds since 1970, a whole number; NULL: not known',
  ip: '`ip`: the address of the caller; NULL: not known',
  grps: '`grps`: URNs of groups of the identity in addition to those of the world, one a line; NULL: none',
  tags: '`tags`: all tags of the resource, a JSON object of strings; NULL: those of the world, if it knows them',
  owner: '`owner`: the account that owns the resource; NULL: the one of the world',
}

/** The cases in which the verdict of SQL is provisional, in Markdown. docs/warehouse.md has the same list. */
export const leftOpen: readonly string[] = [
  'A fact is missing, such as the address, the tags or the members of a group, and three-valued logic by itself does not decide. The exact answer may still be `allow` or `deny`.',
  'A condition cannot be read.',
  'A name has characters beyond ASCII, or is malformed; an address, an owner or tags have an unusual form, or are malformed.',
  'A condition compares addresses, and the caller has an IPv6 address.',
  `A condition compares the hour, the weekday, or the date in a zone other than UTC, and the call was before ${exportedYears.first} or after ${exportedYears.last}.`,
  `A condition has more than ${mostClauses.toLocaleString('en')} clauses in disjunctive form.`,
  `A condition compares the hour or the weekday, and the policies have more than ${mostClockTests} different such comparisons.`,
  'A condition or a tag has a value that no SQL engine can hold.',
]

/** The parts of an export that its description depends on. */
export interface ReadmeFacts {
  readonly dialect: DialectName
  readonly prefix: string
  readonly calls: string
  readonly given: ReadonlySet<CallColumn>
  readonly hasStatement: boolean
  /** Whether models of dbt decide, in place of a script. */
  readonly asDbt?: boolean
  /** Whether it compares with another state. */
  readonly hasBefore: boolean
  /** The log of which `calls.sql` makes the table of calls; without one the table has to be there. */
  readonly source: string | undefined
}

/** README.md of an export: the commands that run it, and what its tables hold. */
export function readme(world: WorldTables, { dialect, prefix, calls, given, hasStatement, hasBefore, source, asDbt }: ReadmeFacts): string {
  const { title, run, residue, before, log } = clients[dialect]
  const table = (name: string) => `\`${prefix}${name}\``
  const rows = (name: Parameters<WorldTables['tables']['get']>[0]) => (world.tables.get(name)?.rows.length ?? 0).toLocaleString('en')
  const hasCalls = source !== undefined
  const first = ['load.sql', ...(hasCalls ? ['calls.sql'] : []), ...(asDbt ? [] : ['decide.sql'])]
  const lines = [
    `# Access decisions in ${title}`,
    '',
    'Written by `grantwise export sql`; the documentation is its page on SQL.',
    '',
    '## Run it',
    '',
    ...(before === undefined ? [] : [before, '']),
    ...(hasCalls && log ? ['A log in Parquet files becomes a part of the database by:', '', '```sh', log(source), '```', ''] : []),
    `In this folder, with ${hasCalls ? `the log \`${source}\`` : `a table \`${calls}\` of calls`} in the database:`,
    '',
    '```sh',
    ...first.map(run),
    ...(asDbt ? ['dbt run'] : []),
    '```',
    ...(asDbt
      ? [
          '',
          'The tables are a source of dbt in the schema of the target. Name a profile `grantwise` for the same database, or change `profile` in `dbt_project.yml`.',
        ]
      : []),
    '',
    `The view ${table('decision')} then has each call with \`gw_verdict\` (\`allow\`, \`deny\` or \`unknown\`) and \`gw_reason\`. For example, the calls that are denied:`,
    '',
    '```sql',
    `SELECT identity, action, resource, count(*) AS calls FROM ${prefix}decision WHERE gw_verdict = 'deny' GROUP BY identity, action, resource ORDER BY calls DESC;`,
    '```',
    '',
    '## Settle what SQL leaves open',
    '',
    `Where \`gw_settled\` is 0, the verdict \`unknown\` is provisional. ${table('residue')} has each such situation once. Let grantwise decide them:`,
    '',
    '```sh',
    residue(`${prefix}residue`),
    `grantwise settle residue.json --dialect ${dialect}${prefix === 'gw_' ? '' : ` --prefix ${prefix}`} -p POLICIES --out .`,
    run('settled.sql'),
    '```',
    '',
    'Give `-p` the same policies and facts as the export. A call of which no question can be made then has the verdict `error`: `settle` writes all verdicts, names the row, and exits with 2.',
    '',
    'SQL leaves open a call where one of these holds:',
    '',
    ...leftOpen.map((text) => `- ${text}`),
    '',
    ...(world.left.length === 0 ? [] : ['These policies have:', '', ...world.left.map((text) => `- ${text}`), '']),
    '## Tables',
    '',
    ...(hasCalls ? [`Rows of the log that no call can be made of are in ${table('refused')}, with the reason.`, ''] : []),
    `The table \`${calls}\` ${hasCalls ? 'has' : 'must have'} the columns \`identity\`, \`action\` and \`resource\`${given.size === 0 ? '.' : ', and:'}`,
    '',
    ...[...given].map((column) => `- ${columnLines[column]}`),
    ...(given.size === 0 ? [] : ['']),
    `Other columns are kept in ${table('decision')}.`,
    '',
    '| table or view | rows |',
    '|---|---|',
    `| ${table('entry')} | ${rows('entry')} entries of policies, with file and line |`,
    `| ${table('unit')}, ${table('effect')} | ${rows('unit')} permission sets and the ${rows('effect')} effects of their entries |`,
    `| ${table('gate')}, ${table('wide_gate')} | ${world.gates.toLocaleString('en')}: the identities and resources of each permission set |`,
    `| ${table('decision')} | each call, with its verdict |`,
    `| ${table('because')} | \`q\`, \`s\`, \`entry\`: the entries that decide it, by \`gw_q\`, \`gw_s\` of the verdict |`,
    `| ${table('caveat')} | \`q\`, \`s\`, \`caveat\`: what a verdict does not count, such as groups that are not known |`,
    `| ${table('unused')} | entries that no allowed call used |`,
    `| ${table('who_used')} | who did what by which entry, with how often and when |`,
    `| ${table('least')} | the distinct uses, for \`grantwise least --from\` |`,
    ...(hasBefore
      ? [`| ${table('replay')} | each call with \`before_verdict\` and \`gw_change\`: refused, allowed, same, unknown, error |`]
      : []),
    `| ${table('settled_missing')} | facts that unknown verdicts depend on, after \`settle\` |`,
    '',
    ...(hasStatement
      ? ['`statement.sql` is the decision as one statement: a query of the same calls that makes no tables, without what was settled.', '']
      : []),
  ]
  return lines.join('\n')
}
