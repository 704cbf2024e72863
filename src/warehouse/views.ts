import type { Dialect } from './dialects.ts'
import type { CallColumn, Step } from './steps.ts'

/** Questions about a log as views over its decisions (docs/warehouse.md). */

export interface ViewOptions {
  readonly dialect: Dialect
  /** How a table of the decisions is written, by its name without prefix. */
  readonly table: (name: string) => string
  /** The columns that the table of calls has. */
  readonly given: ReadonlySet<CallColumn>
}

/** The columns of an entry. */
const entryColumns = ['entry', 'policy_name', 'effect', 'action_pattern', 'permissions_group', 'file_name', 'line_no', 'column_no'] as const

/** Views in the order in which they use each other. */
export function questionViews(options: ViewOptions): readonly Step[] {
  return [
    { name: 'used', query: used(options) },
    { name: 'who_used', query: whoUsed(options) },
    { name: 'unused', query: unused(options) },
    { name: 'least', query: least(options) },
  ]
}

const times = 'min(u.first_ms) AS first_ms, max(u.last_ms) AS last_ms'
const calls = ({ dialect: d }: ViewOptions, counted = 'u.calls') => d.cast(`coalesce(sum(${counted}), 0)`, d.types.bigint)

/** The distinct questions with their verdicts and how often they were asked. */
function used({ dialect: d, table: t, given }: ViewOptions): string {
  const time = (of: 'min' | 'max') => (given.has('at_ms') ? `${of}(c.at_ms)` : d.cast('NULL', d.nullable(d.types.bigint)))
  const columns = ['c.gw_q', 'c.gw_s', 'c.identity', 'c.action', 'c.resource', 'c.gw_verdict', 'c.gw_reason']
  return `SELECT c.gw_q AS q, c.gw_s AS s, c.identity AS identity, c.action AS action, c.resource AS resource, c.gw_verdict AS verdict, c.gw_reason AS reason, count(*) AS calls, ${time('min')} AS first_ms, ${time('max')} AS last_ms FROM ${t('decision')} c GROUP BY ${columns.join(', ')}`
}

/** The entries by which each identity did what to what. Without an entry: what no policy grants, and what the owning account did. */
function whoUsed(options: ViewOptions): string {
  const { table: t } = options
  const key = ['u.identity', 'u.action', 'u.resource', 'u.verdict', ...entryColumns.map((column) => `e.${column}`)]
  return `SELECT ${key.map((column) => `${column} AS ${column.slice(2)}`).join(', ')}, ${calls(options)} AS calls, ${times} FROM ${t('used')} u LEFT JOIN ${t('because')} b ON b.q = u.q AND b.s = u.s LEFT JOIN ${t('entry')} e ON e.entry = b.entry GROUP BY ${key.join(', ')}`
}

/**
 * The entries that grant and that no allowed call used, with the time of the log. `perhaps_used`: a call that is not decided may have
 * used it; `open_calls`: how many are not decided.
 */
function unused(options: ViewOptions): string {
  const { table: t } = options
  const touched = `SELECT DISTINCT b.entry AS entry FROM ${t('used')} u JOIN ${t('because')} b ON b.q = u.q AND b.s = u.s WHERE u.verdict = 'allow'`
  const perhaps = `SELECT DISTINCT f.entry AS entry FROM ${t('used')} u JOIN ${t('said')} y ON y.q = u.q AND y.s = u.s JOIN ${t('key')} k ON k.q = y.q JOIN ${t('m_act')} m ON m.n = k.a JOIN ${t('effect')} f ON f.unit = y.unit AND f.act = m.pat WHERE u.verdict = 'unknown' AND y.applies > 0 AND y.al = 1 AND f.al = 1`
  const log = `SELECT ${times}, ${calls(options, "CASE WHEN u.verdict = 'unknown' THEN u.calls ELSE 0 END")} AS open_calls FROM ${t('used')} u`
  const columns = entryColumns.map((column) => `e.${column} AS ${column}`)
  return `SELECT ${columns.join(', ')}, CASE WHEN p.entry IS NULL THEN 0 ELSE 1 END AS perhaps_used, l.open_calls AS open_calls, l.first_ms AS first_ms, l.last_ms AS last_ms FROM ${t('entry')} e CROSS JOIN (${log}) l LEFT JOIN (${touched}) x ON x.entry = e.entry LEFT JOIN (${perhaps}) p ON p.entry = e.entry WHERE e.effect = 'allow' AND x.entry IS NULL`
}

/** The distinct uses, in the columns that `grantwise least --from` reads. */
function least(options: ViewOptions): string {
  const { dialect: d, table: t } = options
  // Calls of the owning account need no policy.
  const account = `CASE WHEN u.reason = 'root' THEN ${d.field('u.identity', ':', 6)} END`
  const key = ['u.identity', 'u.action', 'u.resource', 'u.verdict']
  return `SELECT ${account} AS account, ${key.map((column) => `${column} AS ${column.slice(2)}`).join(', ')}, ${calls(options)} AS calls, ${times} FROM ${t('used')} u WHERE u.verdict <> 'error' GROUP BY ${[account, ...key].join(', ')}`
}

/**
 * Each call with its verdict before and after, and what changes: `refused`, `allowed`, `same`, `unknown` or `error`. Calls have an `id`,
 * which with the action and the resource is of one row.
 */
export function replayView({ table: t }: Pick<ViewOptions, 'table'>, before: (name: string) => string): Step {
  const same = ['action', 'resource'].map((column) => ` AND coalesce(b.${column}, '') = coalesce(a.${column}, '')`)
  const [old, now] = ['b.gw_verdict', 'a.gw_verdict']
  const change = `CASE WHEN ${old} = 'error' OR ${now} = 'error' THEN 'error' WHEN ${old} = 'unknown' OR ${now} = 'unknown' THEN 'unknown' WHEN ${old} = ${now} THEN 'same' WHEN ${now} = 'deny' THEN 'refused' ELSE 'allowed' END`
  return {
    name: 'replay',
    query: `SELECT a.*, ${old} AS before_verdict, b.gw_reason AS before_reason, ${change} AS gw_change FROM ${t('decision')} a JOIN ${before('decision')} b ON b.id = a.id${same.join('')}`,
  }
}
