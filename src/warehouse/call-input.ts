import { callMethods } from '../calls/match.ts'
import { longestName } from '../names.ts'
import type { Dialect } from './dialects.ts'
import { type Computed, instantSteps } from './instant-input.ts'
import { formats, type InputColumn, type Mapping } from './mapping.ts'
import { mostSegments } from './operations.ts'
import { identityShape, resourceShape } from './shapes.ts'
import { spellings } from './spellings.ts'
import { type CallColumn, callColumns } from './steps.ts'

/** SQL that makes the table of calls of a log (docs/warehouse-input.md). */

export interface CallInput {
  /** One statement each, in the order in which they run. */
  readonly statements: readonly { readonly name: string; readonly sql: string }[]
  /** The columns that are not NULL in each row of the table of calls, besides the names. */
  readonly given: ReadonlySet<CallColumn>
  /** Whether the tables of operations are needed. */
  readonly needsOperations: boolean
}

export interface CallInputOptions {
  /** How a table is written, by its name without prefix. */
  readonly table: (name: string) => string
  /** The table of calls. */
  readonly calls: string
  /** The account that owns the policies, for actions that are about it. */
  readonly account?: string | undefined
}

/** Statements that make the table of calls, of rows that were refused, and where calls have paths, of calls without a question. */
export function callInput(mapping: Mapping, dialect: Dialect, options: CallInputOptions): CallInput {
  const writer = new Writer(mapping, dialect, options)
  writer.write()
  const filledColumns = callColumns.filter((column) => writer.has(inputOf[column]))
  return { statements: writer.statements, given: new Set(filledColumns), needsOperations: writer.has('path') }
}

const inputOf: Readonly<Record<CallColumn, InputColumn>> = { at_ms: 'at', ip: 'ip', grps: 'groups', tags: 'tags', owner: 'owner' }

/** Characters that stand for an encoded `/` and `%` until the path is split: no path has them. */
const [slash, percent] = ['\u0001', '\u0002']

/**
 * The characters that clients encode in the segments of paths. A path with another one encoded is refused: engines limit how deep calls
 * of functions may be nested.
 */
const encoded = " !#$%&'()+,/:;=?@[]"

const segments = Array.from({ length: mostSegments }, (_, i) => i + 1)

/** Why a row is refused, in words. */
const why = {
  missing: 'missing',
  instant: (format: string) => `not an instant as ${format}`,
  groups: 'a group is empty, or has a line break',
  identity: 'not the URN of an identity',
  method: `not one of ${callMethods.join(', ')}`,
  characters: 'characters that belong percent-encoded, or blanks around it',
  start: 'does not start with /',
  escape: 'percent-encoding that is malformed, or of a character that needs none, or beyond ASCII',
  dots: '. or .. as a segment',
  star: 'a pattern, not a path',
  none: 'no operation is known for it',
  several: 'several operations may be meant',
  placeholder: 'the path has a placeholder in its place',
  name: 'the value in the path is no name of a resource',
} as const

class Writer {
  readonly statements: { readonly name: string; readonly sql: string }[] = []
  private readonly mapping: Mapping
  private readonly d: Dialect
  private readonly options: CallInputOptions
  private readonly t: (name: string) => string

  constructor(mapping: Mapping, dialect: Dialect, options: CallInputOptions) {
    this.mapping = mapping
    this.d = dialect
    this.options = options
    this.t = options.table
  }

  has(column: InputColumn): boolean {
    return this.mapping.columns.has(column)
  }

  write(): void {
    this.readLog()
    if (this.has('path')) {
      this.paths()
      this.matches()
      this.needs()
    }
    this.refusals()
    this.calls()
  }

  private statement(name: string, list: readonly string[]): void {
    for (const sql of list) this.statements.push({ name, sql })
  }

  private createTable(name: string, query: string): void {
    this.statement(this.t(name), this.d.createTable(this.t(name), query))
  }

  /** The rows of the log: as a table where they are numbered or read several times, else as a view. */
  private get input(): string {
    return this.t(this.has('id') && !this.has('path') ? 'input_view' : 'input')
  }

  private get spelling() {
    return spellings[this.d.name]
  }

  /** A query with further columns, step by step: those of one use those before it, as columns of `z`. */
  private computed(query: string, steps: readonly (readonly Computed[])[]): string {
    const { fence = '' } = this.spelling
    let all = query
    for (const step of steps)
      all = `SELECT z.*, ${step.map(({ name, value }) => `${value} AS ${name}`).join(', ')}\nFROM (${all}${fence}) z`
    return all + (steps.length > 0 ? fence : '')
  }

  private quoted(parts: readonly string[]): string {
    const { quote } = this.d
    // In BigQuery a backslash escapes in names, too.
    const inside = (part: string) =>
      this.d.name === 'bigquery' ? part.replaceAll('\\', '\\\\').replaceAll('`', '\\`') : part.replaceAll(quote, quote + quote)
    return parts.map((part) => quote + inside(part) + quote).join('.')
  }

  private text(value: string): string {
    return this.d.cast(value, this.spelling.text)
  }

  private is(value: string, text: string): string {
    return `${value} = ${this.d.literal(text)}`
  }

  private contains(value: string, text: string): string {
    return `replace(${value}, ${this.d.literal(text)}, '') <> ${value}`
  }

  private field(value: string, separator: string, index: number): string {
    return `coalesce(${this.d.field(value, separator, index)}, '')`
  }

  /** The columns that rows keep up to the table of calls. Those of the log have other names until then. */
  private get kept(): readonly string[] {
    return [...callColumns, ...this.mapping.keep.map((_, i) => `gw_kept_${i}`)]
  }

  /** The value of a column of calls in a row of the log; undefined where it is not given. */
  private origin(column: InputColumn): string | undefined {
    const origin = this.mapping.columns.get(column)
    if (origin === undefined) return undefined
    if (origin.kind === 'column') return `c.${this.quoted(origin.path)}`
    return typeof origin.value === 'number' ? String(origin.value) : this.d.literal(origin.value)
  }

  /** 1. The log with the columns of calls. Where it has no column of ids, the rows are numbered, once. */
  private readLog(): void {
    const { d, mapping, spelling } = this
    const id = this.origin('id')
    const columns = [`${id ?? d.rowNumber} AS id`]
    for (const column of ['identity', 'action', 'resource', 'method', 'path'] as const) {
      const value = this.origin(column)
      if (value !== undefined) columns.push(`${this.text(value)} AS ${column}`)
    }
    for (const column of ['ip', 'tags', 'owner'] as const) columns.push(`${this.text(this.origin(column) ?? 'NULL')} AS ${column}`)
    const groups = mapping.columns.get('groups')
    const list = this.origin('groups')
    if (list !== undefined && groups?.kind === 'column' && groups.format === 'array')
      columns.push(`CASE WHEN ${spelling.size(list)} > 0 THEN ${spelling.joined(list)} END AS grps, ${spelling.size(list)} AS grps_count`)
    else columns.push(`${this.text(list ?? 'NULL')} AS grps`)
    const timeColumn = mapping.columns.get('at')
    const instant = this.origin('at')
    columns.push(timeColumn?.kind === 'column' ? `${instant} AS at_given` : `${d.cast(instant ?? 'NULL', spelling.bigint)} AS at_ms`)
    for (const [i, path] of mapping.keep.entries()) columns.push(`c.${this.quoted(path)} AS gw_kept_${i}`)
    const steps = timeColumn?.kind === 'column' ? instantSteps(d, (timeColumn.format ?? formats.at[0]) as (typeof formats.at)[number]) : []
    const query = this.computed(`SELECT ${columns.join(', ')} FROM ${this.quoted(mapping.source)} c`, steps)
    const names = ['id', ...(['identity', 'action', 'resource', 'method', 'path'] as const).filter((column) => this.has(column))]
    const also = [...(steps.length > 0 ? ['at_text'] : []), ...(this.isArray() ? ['grps_count'] : [])]
    const flags = { is_call: this.isCall('y'), is_whole: this.isWhole('y') }
    const selected = [...names, ...also, ...this.kept].map((name) => `y.${name} AS ${name}`)
    for (const [name, holds] of Object.entries(flags)) selected.push(`CASE WHEN ${holds} THEN 1 ELSE 0 END AS ${name}`)
    const all = `SELECT ${selected.join(', ')}\nFROM (${query}) y`
    if (id === undefined || this.has('path')) this.createTable('input', all)
    else this.statement(this.input, d.createView(this.input, all))
  }

  private isArray(): boolean {
    const groups = this.mapping.columns.get('groups')
    return groups?.kind === 'column' && groups.format === 'array'
  }

  /** Whether a row of the log has a call in place of an action. */
  private isCall(row: string): string {
    if (!this.has('path')) return '1 = 0'
    const hasCall = `(${row}.method IS NOT NULL OR ${row}.path IS NOT NULL)`
    return this.has('action') ? `(coalesce(${row}.action, '') = '' AND ${hasCall})` : hasCall
  }

  /** The possible faults of a row, whatever it asks. Each is true or false, never NULL. */
  private faults(): readonly {
    readonly column: string
    readonly value: string
    readonly why: string
    readonly isIn: (row: string) => string
  }[] {
    const { d } = this
    const missing = (column: 'identity' | 'action' | 'resource' | 'method' | 'path', when: (row: string) => string) => ({
      column,
      value: "''",
      why: why.missing,
      isIn: (row: string) => `(coalesce(${row}.${column}, '') = '' AND ${when(row)})`,
    })
    const always = () => '1 = 1'
    const asked = (row: string) => `NOT ${this.isCall(row)}`
    const faults = [
      missing('identity', always),
      ...(this.has('action') ? [missing('action', asked), missing('resource', asked)] : [missing('path', asked)]),
      ...(this.has('path') ? [missing('method', (row) => this.isCall(row)), missing('path', (row) => this.isCall(row))] : []),
    ]
    const all: { column: string; value: string; why: string; isIn: (row: string) => string }[] = [...faults]
    if (this.has('path')) {
      const isPlain = (row: string) =>
        `(${d.fits(`coalesce(${row}.identity, '')`, identityShape)} AND ${d.length(`coalesce(${row}.identity, '')`)} <= ${longestName})`
      // The resource is made with the region and the account of the identity.
      all.push({
        column: 'identity',
        value: 'x.identity',
        why: why.identity,
        isIn: (row) => `(${this.isCall(row)} AND coalesce(${row}.identity, '') <> '' AND NOT ${isPlain(row)})`,
      })
    }
    const timeColumn = this.mapping.columns.get('at')
    if (timeColumn?.kind === 'column')
      all.push({
        column: 'at',
        value: 'x.at_text',
        why: why.instant(timeColumn.format ?? formats.at[0]),
        isIn: (row) => `(${row}.at_text IS NOT NULL AND ${row}.at_ms IS NULL)`,
      })
    if (this.isArray()) {
      const grps = (row: string) => `coalesce(${row}.grps, '')`
      const count = (row: string) => `coalesce(${row}.grps_count, 0)`
      const lines = (row: string) => `${d.length(grps(row))} - ${d.length(`replace(${grps(row)}, ${d.literal('\n')}, '')`)} + 1`
      all.push({
        column: 'groups',
        value: 'x.grps',
        why: why.groups,
        isIn: (row) => `(${count(row)} > 0 AND (${grps(row)} = '' OR ${lines(row)} <> ${count(row)}))`,
      })
    }
    return all
  }

  /** Whether nothing is wrong with a row. */
  private isWhole(row: string): string {
    return this.faults()
      .map(({ isIn }) => `NOT ${isIn(row)}`)
      .join(' AND ')
  }

  /** 2. The distinct methods and paths, as `call` reads them, with their segments; `fault`: why one cannot be read. */
  private paths(): void {
    const { d } = this
    const asked = `SELECT DISTINCT coalesce(x.method, '') AS method, coalesce(x.path, '') AS path FROM ${this.input} x WHERE x.is_call = 1 AND x.is_whole = 1`
    const withoutHost = d.withoutStart('z.path', '[Hh][Tt][Tt][Pp][Ss]?://[^/?#]*')
    const whole = this.field(this.field(withoutHost, '?', 1), '#', 1)
    const begins = (text: string) => this.is(d.head('z.whole', String(text.length)), text)
    const sent = `CASE WHEN ${d.length('z.below')} > 1 AND ${d.endsWith('z.below', '/')} AND NOT ${d.endsWith('z.below', '//')} THEN ${d.head(d.rest('z.below', '2'), `${d.length('z.below')} - 2`)} ELSE ${d.rest('z.below', '2')} END`
    const steps: readonly (readonly Computed[])[] = [
      [
        { name: 'verb', value: 'upper(z.method)' },
        { name: 'whole', value: whole },
      ],
      [
        {
          name: 'branch',
          value: `CASE WHEN ${begins('/1.0/')} OR ${begins('/v1/')} THEN 'v1' WHEN ${begins('/v2/')} THEN 'v2' ELSE '' END`,
        },
        {
          name: 'below',
          value: `CASE WHEN ${begins('/1.0/')} THEN ${d.rest('z.whole', '5')} WHEN ${begins('/v1/')} OR ${begins('/v2/')} THEN ${d.rest('z.whole', '4')} ELSE z.whole END`,
        },
      ],
      [{ name: 'sent', value: sent }],
      [{ name: 'plain', value: `CASE WHEN ${this.contains('z.sent', '%')} THEN ${this.decoded('z.sent')} ELSE z.sent END` }],
      [
        { name: 'fault', value: this.pathFault() },
        { name: 'segments', value: `1 + ${d.length('z.plain')} - ${d.length("replace(z.plain, '/', '')")}` },
      ],
    ]
    const query = this.computed(asked, steps)
    const words = segments.map((i) => `${this.field('y.plain', '/', i)} AS w${i}`)
    this.createTable(
      'path',
      `SELECT ${d.cast(d.rowNumber, d.types.bigint)} AS path_no, y.method AS method, y.path AS path, y.verb AS verb, y.branch AS branch, y.fault AS fault, y.segments AS segments, ${words.join(', ')}\nFROM (${query}) y`,
    )
  }

  /** A path without the percent-encoding of punctuation and blanks. A wrong escape is found apart from it. */
  private decoded(value: string): string {
    const { d } = this
    let text = value
    for (const character of encoded) {
      const meant = character === '/' ? slash : character === '%' ? percent : character
      const hex = character.charCodeAt(0).toString(16)
      for (const digits of new Set([hex, hex.toUpperCase()])) text = `replace(${text}, '%${digits}', ${d.literal(meant)})`
    }
    return text
  }

  private pathFault(): string {
    const { d } = this
    const backslash = this.contains('z.path', '\\')
    const segment = (text: string) => this.contains(d.concat("'/'", 'z.plain', "'/'"), `/${text}/`)
    const cases: readonly (readonly [string, string])[] = [
      [`NOT z.verb IN (${callMethods.map((method) => d.literal(method)).join(', ')})`, 'method'],
      [`${backslash} OR NOT ${d.fits('z.path', '[!-~]([ -~]*[!-~])?')}`, 'characters'],
      [`NOT ${d.startsWith('z.whole', '/')}`, 'start'],
      // Each escape that is understood is gone by then.
      [this.contains('z.plain', '%'), 'escape'],
      [`${segment('.')} OR ${segment('..')}`, 'dots'],
      [this.contains('z.plain', '*'), 'star'],
    ]
    return `CASE ${cases.map(([condition, fault]) => `WHEN ${condition} THEN '${fault}'`).join(' ')} ELSE '' END`
  }

  /** 3. The operations that a path fits, and the one that it is of. */
  private matches(): void {
    const { d, t } = this
    const word = (i: number) => `CASE WHEN m.p${i} = 1 THEN '{}' ELSE x.w${i} END`
    const isThere = segments.map((i) => `(m.p${i} = 0 OR x.w${i} <> '')`).join(' AND ')
    const key = d.concat(...segments.flatMap((i) => (i === 1 ? [word(i)] : ["'/'", word(i)])))
    this.createTable(
      'candidate',
      `SELECT k.path_no AS path_no, o.op AS op, o.parameters AS parameters, o.branch AS branch\nFROM (SELECT x.path_no AS path_no, x.verb AS verb, x.branch AS branch, m.mask AS mask, ${key} AS txt FROM ${t('path')} x JOIN ${t('mask')} m ON m.segments = x.segments WHERE x.fault = '' AND ${isThere}) k\nJOIN ${t('operation')} o ON o.mask = k.mask AND o.txt = k.txt AND o.verb = k.verb\nWHERE k.branch = '' OR k.branch = o.branch`,
    )
    // Of several the one with the fewest parameters: where another has as few, or is of another branch, none.
    const best = 'CASE WHEN c.parameters = l.parameters THEN'
    const of = `SELECT c.path_no AS path_no, CASE WHEN sum(${best} 1 ELSE 0 END) = 1 AND min(c.branch) = max(c.branch) THEN max(${best} c.op ELSE 0 END) ELSE 0 END AS op FROM ${t('candidate')} c JOIN (SELECT path_no, min(parameters) AS parameters FROM ${t('candidate')} GROUP BY path_no) l ON l.path_no = c.path_no GROUP BY c.path_no`
    const first = `CASE ${segments.map((i) => `WHEN o.first_at = ${i} THEN x.w${i}`).join(' ')} ELSE '' END`
    this.createTable(
      'matched',
      `SELECT z.*, CASE WHEN ${d.fits(d.concat("'urn:v1:eu:resource:x:'", 'z.named'), resourceShape)} THEN 1 ELSE 0 END AS is_name\nFROM (SELECT y.*, replace(replace(y.word, ${d.literal(slash)}, '/'), ${d.literal(percent)}, '%') AS named\nFROM (SELECT x.path_no AS path_no, x.method AS method, x.path AS path, coalesce(o.op, 0) AS op, coalesce(o.basis, '') AS basis, coalesce(o.template, '') AS template, coalesce(o.first_name, '') AS first_name, ${first} AS word,\nCASE WHEN x.fault <> '' THEN x.fault WHEN f.path_no IS NULL THEN 'none' WHEN f.op = 0 THEN 'several' ELSE '' END AS fault\nFROM ${t('path')} x LEFT JOIN (${of}) f ON f.path_no = x.path_no LEFT JOIN ${t('operation')} o ON o.op = f.op) y) z`,
    )
  }

  /** 4. The actions that each row needs, with their resources; `fault`: why one is not known. */
  private needs(): void {
    const { d, t, options } = this
    const identityAccount = this.field(this.field('r.identity', ':', 6), '/', 1)
    const ownAccount = options.account === undefined ? identityAccount : d.literal(options.account)
    const account = `coalesce(r.owner, ${ownAccount})`
    const resource = (type: string, name: string) =>
      d.concat("'urn:v1:'", this.field('r.identity', ':', 3), "':resource:'", type, "':'", name)
    const query = `SELECT r.id AS id, r.identity AS identity, m.template AS operation, n.need_no AS need_no, n.action AS action, n.required AS required, n.origin AS origin, n.why AS why, m.is_name AS is_name, m.word AS word, m.first_name AS first_name, CASE WHEN n.origin = 'path' THEN ${resource('n.type_name', 'm.named')} WHEN n.origin = 'account' THEN ${resource("'account'", account)} ELSE '' END AS resource${this.kept.map((name) => `, r.${name} AS ${name}`).join('')}\nFROM ${this.input} r JOIN ${t('matched')} m ON m.method = r.method AND m.path = r.path AND m.fault = '' AND m.basis = 'actions' JOIN ${t('need')} n ON n.op = m.op\nWHERE r.is_call = 1 AND r.is_whole = 1`
    const isNoName = `(y.origin = 'path' AND y.is_name = 0) OR (y.origin = 'account' AND NOT ${d.fits('y.resource', resourceShape)}) OR ${d.length('y.resource')} > ${longestName}`
    this.createTable(
      'needed',
      `SELECT y.*, CASE WHEN y.origin = 'listing' THEN 'listing' WHEN y.origin = 'unknown' THEN y.why WHEN y.origin = 'path' AND y.word = y.first_name THEN ${d.literal(why.placeholder)} WHEN ${isNoName} THEN ${d.literal(why.name)} ELSE '' END AS fault\nFROM (${query}) y`,
    )
  }

  /** 5. What is not decided: rows and calls that cannot be understood, and calls that no policy decides. */
  private refusals(): void {
    const { d, t } = this
    const row = (id: string, column: string, value: string, reason: string) =>
      `SELECT ${id} AS id, '${column}' AS column_name, ${value} AS given_value, ${reason} AS why`
    const parts = this.faults().map(
      ({ column, value, why: reason, isIn }) =>
        `${row('x.id', column, value, d.literal(reason))} FROM ${this.input} x WHERE x.is_whole = 0 AND ${isIn('x')}`,
    )
    if (this.has('path')) {
      const calls = `${this.input} x JOIN ${t('matched')} m ON m.method = x.method AND m.path = x.path WHERE x.is_call = 1 AND x.is_whole = 1`
      const reasons = (['characters', 'start', 'escape', 'dots', 'star', 'none', 'several'] as const).map(
        (fault) => `WHEN m.fault = '${fault}' THEN ${d.literal(why[fault])}`,
      )
      parts.push(`${row('x.id', 'method', 'x.method', d.literal(why.method))} FROM ${calls} AND m.fault = 'method'`)
      parts.push(
        `${row('x.id', 'path', 'x.path', `CASE ${reasons.join(' ')} END`)} FROM ${calls} AND m.fault <> '' AND m.fault <> 'method'`,
      )
      parts.push(`${row('y.id', 'resource', 'y.action', 'y.fault')} FROM ${t('needed')} y WHERE y.fault <> '' AND y.fault <> 'listing'`)
      this.createTable(
        'free',
        `SELECT x.id AS id, '' AS action, m.basis AS why FROM ${calls} AND m.fault = '' AND m.basis <> 'actions'\nUNION ALL SELECT y.id AS id, y.action AS action, 'listing' AS why FROM ${t('needed')} y WHERE y.fault = 'listing'`,
      )
    }
    this.createTable('refused', parts.join('\nUNION ALL '))
  }

  /** 6. The calls. */
  private calls(): void {
    const { d, t, options, mapping } = this
    const names = [...callColumns, ...mapping.keep.map((path) => this.quoted(path.slice(-1)))]
    const keptColumns = (from: string) => this.kept.map((name, i) => `, ${from}.${name} AS ${names[i]}`).join('')
    const extra = this.has('path')
    const asked = `SELECT x.id AS id, x.identity AS identity, x.action AS action, x.resource AS resource${keptColumns('x')}${extra ? ", '' AS operation, 1 AS required" : ''} FROM ${this.input} x WHERE x.is_call = 0 AND x.is_whole = 1`
    const needed = `SELECT y.id AS id, y.identity AS identity, y.action AS action, y.resource AS resource${keptColumns('y')}, y.operation AS operation, y.required AS required FROM ${t('needed')} y WHERE y.fault = ''`
    const queries = [...(this.has('action') ? [asked] : []), ...(extra ? [needed] : [])]
    this.statement(options.calls, d.createTable(options.calls, queries.join('\nUNION ALL ')))
  }
}
