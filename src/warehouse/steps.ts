import type { MatchType } from '../conditions/sets.ts'
import { longestName } from '../names.ts'
import type { Dialect } from './dialects.ts'
import { lastInstant } from './instants.ts'
import * as shapes from './shapes.ts'
import { type Dimension, hasRows, type TableName, type WorldTables } from './tables.ts'

/** The decision as a list of queries: each makes a table that later ones join (docs/warehouse.md). */

/** The columns that a table of calls may have in addition to names. */
export const callColumns = ['at_ms', 'ip', 'grps', 'tags', 'owner'] as const
export type CallColumn = (typeof callColumns)[number]

export interface StepOptions {
  readonly dialect: Dialect
  /** How a table is written, by its name without prefix: `gw_ask`, or a reference of a tool. */
  readonly table: (name: string) => string
  /** The table of calls. */
  readonly calls: string
  /** The columns that it has. */
  readonly given: ReadonlySet<CallColumn>
  /** Number rows by their content: for a statement that an engine may compute in parts, several times. */
  readonly isOneStatement: boolean
}

export interface Step {
  readonly name: string
  readonly query: string
}

/** A row of a query that may lack a match, as 1 or 0. */
const isThere = (value: string) => `CASE WHEN ${value} IS NULL THEN 0 ELSE 1 END`

/** The columns by which a question without its situation is known. */
interface AskColumn {
  readonly name: string
  /** Its value in a row of calls, never NULL. */
  readonly of: (row: string) => string
}

export class DecisionSteps {
  private readonly steps: Step[] = []
  /** The queries of steps that are no tables. */
  private readonly inner = new Map<string, string>()
  private readonly d: Dialect
  private readonly t: (name: string) => string
  private readonly has: (name: TableName) => boolean
  private readonly hasWide: boolean
  private readonly given: ReadonlySet<CallColumn>
  private readonly options: StepOptions
  private readonly world: WorldTables
  private readonly ask: readonly AskColumn[]
  /** The values that comparisons of conditions look at. */
  private readonly looksAt: {
    readonly instant: boolean
    readonly age: boolean
    readonly address: boolean
    readonly tags: boolean
    readonly names: boolean
  }

  constructor(world: WorldTables, options: StepOptions) {
    const { dialect, table, given } = options
    this.world = world
    this.options = options
    this.d = dialect
    this.t = (name) => this.inner.get(name) ?? table(name)
    this.given = given
    this.has = (name) => hasRows(world, name)
    this.hasWide = this.has('wide_gate')
    const kinds = new Set((world.tables.get('atom')?.rows ?? []).map((row) => row[1]))
    this.looksAt = {
      instant: kinds.has('instant'),
      age: kinds.has('age'),
      address: kinds.has('address'),
      tags: kinds.has('tag'),
      names: kinds.has('name') || kinds.has('type'),
    }
    this.ask = [
      { name: 'identity', of: (row) => `coalesce(${row}.identity, '')` },
      ...(given.has('grps') ? [{ name: 'grps', of: (row: string) => `coalesce(${row}.grps, '')` }] : []),
      { name: 'action', of: (row) => `coalesce(${row}.action, '')` },
      { name: 'resource', of: (row) => `coalesce(${row}.resource, '')` },
      ...(given.has('owner')
        ? [
            {
              name: 'owner',
              of: (row: string) =>
                `CASE WHEN ${row}.identity LIKE 'urn:v1:%:identity:account:%' THEN coalesce(${row}.owner, '') ELSE '' END`,
            },
          ]
        : []),
    ]
  }

  list(): readonly Step[] {
    this.questions()
    this.names()
    this.matches()
    this.permissionSets()
    this.situations()
    this.truths()
    this.answers()
    return this.steps
  }

  private step(name: string, query: string): void {
    this.steps.push({ name, query })
  }

  /** A step of which one other step reads: a part of that one, for an engine that takes longer to make a table than to plan a join. */
  private innerStep(name: string, query: string): void {
    if (this.d.joinsAsWritten) this.inner.set(name, `(${query})`)
    else this.step(name, query)
  }

  /** A number for each row, which is one for each value of the columns. */
  private number(columns: readonly string[]): string {
    return this.d.cast(
      this.options.isOneStatement ? `row_number() OVER (ORDER BY ${columns.join(', ')})` : this.d.rowNumber,
      this.d.types.bigint,
    )
  }

  /** Equality of the columns of a question with those of a row of calls. */
  private isAskOf(ask: string, row: string): string {
    return this.ask.map(({ name, of }) => `${ask}.${name} = ${of(row)}`).join(' AND ')
  }

  /** 1. The distinct questions, without their situations. */
  private questions(): void {
    const columns = this.ask.map(({ name }) => name)
    const values = this.ask.map(({ name, of }) => `${of('c')} AS ${name}`).join(', ')
    this.step(
      'ask',
      `SELECT ${this.number(columns)} AS q, z.* FROM (SELECT ${columns.join(', ')}, count(*) AS calls FROM (SELECT ${values} FROM ${this.options.calls} c) y GROUP BY ${columns.join(', ')}) z`,
    )
  }

  /** Whether a name has the plain form, as 0, or is left to the engine, as 1. Some engines cannot match long strings. */
  private isOdd(value: string, shape: string): string {
    return `CASE WHEN ${this.d.length(value)} > ${longestName} THEN 1 WHEN ${this.d.fits(value, shape)} THEN 0 ELSE 1 END`
  }

  /** 2. Numbers for names. */
  private names(): void {
    const { d, t, given } = this
    const dictionary = (name: string, column: string, shape: string) =>
      this.step(
        name,
        `SELECT ${this.number([column])} AS n, z.${column} AS txt, ${this.isOdd(`z.${column}`, shape)} AS odd FROM (SELECT DISTINCT ${column} FROM ${t('ask')}) z`,
      )
    dictionary('d_act', 'action', shapes.actionShape)
    dictionary('d_on', 'resource', shapes.resourceShape)
    if (!given.has('grps')) dictionary('d_who', 'identity', shapes.identityShape)
    else {
      const all = `(SELECT DISTINCT grps FROM ${t('ask')} WHERE grps <> '')`
      this.step(
        'grp',
        `SELECT x.grps AS grps, x.grp AS grp, ${this.isOdd('x.grp', shapes.groupShape)} AS odd FROM (${d.lines(all, 'grps')}) x`,
      )
      this.step(
        'd_who',
        `SELECT ${this.number(['identity', 'grps'])} AS n, z.identity AS txt, z.grps AS grps, z.odd AS odd FROM (SELECT y.identity AS identity, y.grps AS grps, max(CASE WHEN g.odd = 1 THEN 1 ELSE ${this.isOdd('y.identity', shapes.identityShape)} END) AS odd FROM (SELECT DISTINCT identity, grps FROM ${t('ask')}) y LEFT JOIN ${t('grp')} g ON g.grps = y.grps GROUP BY y.identity, y.grps) z`,
      )
    }
    const named = [`SELECT w.n AS n, w.txt AS txt FROM ${t('d_who')} w`]
    if (this.has('member')) named.push(`SELECT w.n AS n, m.grp AS txt FROM ${t('d_who')} w JOIN ${t('member')} m ON m.identity = w.txt`)
    if (given.has('grps')) named.push(`SELECT w.n AS n, g.grp AS txt FROM ${t('d_who')} w JOIN ${t('grp')} g ON g.grps = w.grps`)
    this.innerStep('names', named.join(`\n${d.union} `))
  }

  /** The rows of a dictionary with the patterns that match them, a query for each kind of pattern. */
  private matchesOf(dictionary: string, dimension: Dimension): readonly string[] {
    const { d, t } = this
    const selectMatches = 'SELECT x.n AS n, p.pat AS pat, 2 AS truth FROM'
    const kinds: Readonly<Record<'exact' | 'prefix' | 'like', string>> = {
      exact: `${selectMatches} ${dictionary} x JOIN ${t(`${dimension}_exact`)} p ON p.txt = x.txt`,
      // The beginnings of a text, of the lengths that occur.
      prefix: `${selectMatches} (SELECT y.n AS n, ${d.head('y.txt', 'l.len')} AS head FROM ${dictionary} y CROSS JOIN (SELECT DISTINCT len FROM ${t(`${dimension}_prefix`)}) l WHERE ${d.length('y.txt')} >= l.len) x JOIN ${t(`${dimension}_prefix`)} p ON p.txt = x.head`,
      like: `${selectMatches} ${dictionary} x CROSS JOIN ${t(`${dimension}_like`)} p WHERE ${d.like('x.txt', 'p.txt')}`,
    }
    const queries = (['exact', 'prefix', 'like'] as const).filter((kind) => this.has(`${dimension}_${kind}`)).map((kind) => kinds[kind])
    if (dimension === 'on' && this.has('on_perhaps'))
      queries.push(`SELECT x.n AS n, p.pat AS pat, 1 AS truth FROM ${dictionary} x CROSS JOIN ${t('on_perhaps')} p`)
    return queries.length > 0 ? queries : [`${selectMatches} ${dictionary} x CROSS JOIN ${t(`${dimension}_exact`)} p WHERE 1 = 0`]
  }

  /** 3. The patterns that match each name. */
  private matches(): void {
    const { t } = this
    const of = (dictionary: string, dimension: Dimension) => this.matchesOf(dictionary, dimension).join('\nUNION ALL ')
    const once = (queries: string) => `SELECT z.n AS n, z.pat AS pat, max(z.truth) AS truth FROM (${queries}) z GROUP BY z.n, z.pat`
    // A user may have a pattern by name and by several groups, a resource a group as member and perhaps.
    this.step('m_who', `SELECT DISTINCT z.n AS n, z.pat AS pat FROM (${of(t('names'), 'who')}) z`)
    this.step('m_on', once(of(t('d_on'), 'on')))
    this.step('m_act', of(t('d_act'), 'act'))
  }

  /** 4. The permission sets that concern the identity and the resource, and their effect on the action. */
  private permissionSets(): void {
    const { t, given } = this
    const groups = given.has('grps') ? ' AND w.grps = k.grps' : ''
    this.step(
      'key',
      `SELECT k.q AS q, w.n AS w, r.n AS r, a.n AS a, CASE WHEN w.odd + r.odd + a.odd > 0 THEN 1 ELSE 0 END AS odd FROM ${t('ask')} k JOIN ${t('d_who')} w ON w.txt = k.identity${groups} JOIN ${t('d_on')} r ON r.txt = k.resource JOIN ${t('d_act')} a ON a.txt = k.action`,
    )
    const questions = `(SELECT q, w, r, a FROM ${t('key')} WHERE odd = 0)`
    this.near({ prefix: '', questions, gates: 'gate' })
    this.innerStep(
      'may',
      `SELECT k.q AS q, k.a AS a, n.unit AS unit, n.truth AS truth FROM ${questions} k JOIN ${t('near')} n ON n.w = k.w AND n.r = k.r`,
    )
    this.innerStep(
      'met',
      `SELECT x.q AS q, x.unit AS unit, x.truth AS truth, m.pat AS act FROM ${t('may')} x JOIN ${t('m_act')} m ON m.n = x.a`,
    )
    this.step(
      'hit',
      `SELECT z.q AS q, z.unit AS unit, u.cond AS cond, z.truth AS truth, z.al AS al, z.de AS de, z.op AS op FROM (SELECT x.q AS q, x.unit AS unit, max(x.truth) AS truth, ${effects} FROM ${t('met')} x JOIN ${t('effect')} e ON e.unit = x.unit AND e.act = x.act GROUP BY x.q, x.unit) z JOIN ${t('unit')} u ON u.unit = z.unit WHERE z.al + z.de + z.op > 0`,
    )
    if (this.hasWide) this.wideRules()
  }

  /** The permission sets of some gates that concern the identities and the resources of questions. */
  private near({ prefix, questions, gates }: { prefix: string; questions: string; gates: 'gate' | 'wide_gate' }): void {
    const { t } = this
    const tableOf = (name: string) => t(prefix + name)
    this.innerStep(`${prefix}wr`, `SELECT DISTINCT w, r FROM ${questions} k`)
    this.innerStep(
      `${prefix}wp`,
      `SELECT x.w AS w, x.r AS r, m.pat AS pat, m.truth AS truth FROM ${tableOf('wr')} x JOIN ${t('m_on')} m ON m.n = x.r`,
    )
    this.step(
      `${prefix}near`,
      `SELECT x.w AS w, x.r AS r, g.unit AS unit, max(x.truth) AS truth FROM ${tableOf('wp')} x JOIN (SELECT m.n AS w, g.res AS res, g.unit AS unit FROM ${t('m_who')} m JOIN ${t(gates)} g ON g.who = m.pat) g ON g.w = x.w AND g.res = x.pat GROUP BY x.w, x.r, g.unit`,
    )
  }

  /**
   * The same for units of wide identity patterns, which most questions meet. Names that match the same patterns of these units are of
   * one class, and questions of the same three classes meet the same of these units: one question represents all of a class.
   * Units are compared in blocks of one condition, a bit for each: those that concern the identity and the resource with those that
   * have an effect on the action.
   */
  private wideRules(): void {
    const { d, t } = this
    const gates = t('wide_gate')
    this.nameClass('class_who', { matches: t('m_who'), patterns: `SELECT DISTINCT who AS pat FROM ${gates}` })
    this.nameClass('class_on', {
      matches: `(SELECT n, pat FROM ${t('m_on')} WHERE truth = 2)`,
      patterns: `SELECT DISTINCT res AS pat FROM ${gates}`,
      // A resource that matches nothing may be of a group that is not known.
      ...(this.has('on_perhaps') && { names: t('d_on') }),
    })
    this.nameClass('class_act', {
      matches: t('m_act'),
      patterns: `SELECT DISTINCT e.act AS pat FROM ${t('effect')} e JOIN ${t('wide_unit')} u ON u.unit = e.unit`,
    })
    this.step(
      'wide_key',
      `SELECT k.q AS q, w.class AS w, r.class AS r, a.class AS a FROM ${t('key')} k JOIN ${t('class_who')} w ON w.n = k.w JOIN ${t('class_on')} r ON r.n = k.r JOIN ${t('class_act')} a ON a.n = k.a WHERE k.odd = 0`,
    )
    this.step('wide', `SELECT w, r, a, min(q) AS q FROM ${t('wide_key')} GROUP BY w, r, a`)
    this.near({ prefix: 'wide_', questions: t('wide'), gates: 'wide_gate' })
    this.step(
      'wide_act',
      `SELECT z.a AS a, z.unit AS unit, z.al AS al, z.de AS de, z.op AS op FROM (SELECT x.a AS a, e.unit AS unit, ${effects} FROM (SELECT DISTINCT a FROM ${t('wide')}) x JOIN ${t('m_act')} m ON m.n = x.a JOIN ${t('effect')} e ON e.act = m.pat JOIN ${t('wide_unit')} u ON u.unit = e.unit GROUP BY x.a, e.unit) z WHERE z.al + z.de + z.op > 0`,
    )
    const bits = (test: string) => d.cast(`sum(CASE WHEN ${test} THEN u.bit_value ELSE 0 END)`, d.types.bigint)
    const blocks = (key: string, columns: string, from: string) =>
      `SELECT ${key}, u.block_no AS block_no, max(u.cond) AS cond, ${columns} FROM ${t(from)} x JOIN ${t('wide_unit')} u ON u.unit = x.unit GROUP BY ${key}, u.block_no`
    this.innerStep('wide_at', blocks('x.w, x.r', `${bits('x.truth = 2')} AS sure, ${bits('x.truth > 0')} AS some`, 'wide_near'))
    this.innerStep('wide_do', blocks('x.a', `${bits('x.al = 1')} AS al, ${bits('x.de = 1')} AS de, ${bits('x.op = 1')} AS op`, 'wide_act'))
    const isCommon = (left: string, right: string) => `${d.bitAnd(left, right)} <> 0`
    const effect = (column: 'al' | 'de') =>
      `max(CASE WHEN ${isCommon('n.sure', `x.${column}`)} THEN 2 WHEN ${isCommon('n.some', `x.${column}`)} OR ${isCommon('n.some', 'x.op')} THEN 1 ELSE 0 END)`
    this.step(
      'wide_rule',
      `SELECT z.* FROM (SELECT k.q AS q, n.cond AS cond, ${effect('de')} AS dn, ${effect('al')} AS gr FROM ${t('wide')} k JOIN ${t('wide_at')} n ON n.w = k.w AND n.r = k.r JOIN ${t('wide_do')} x ON x.a = k.a AND x.block_no = n.block_no GROUP BY k.q, n.cond) z WHERE z.dn + z.gr > 0`,
    )
    this.step(
      'wide_of',
      `SELECT k.q AS q, x.q AS as_q FROM ${t('wide_key')} k JOIN ${t('wide')} x ON x.w = k.w AND x.r = k.r AND x.a = k.a JOIN (SELECT DISTINCT q FROM ${t('wide_rule')}) h ON h.q = x.q`,
    )
  }

  /** The class of each name: the first of those that match the same of some patterns. Without `names`, those that match none have no class. */
  private nameClass(
    name: string,
    { matches, patterns, names }: { readonly matches: string; readonly patterns: string; readonly names?: string },
  ): void {
    const classes = `SELECT m.n AS n, ${this.d.joined('m.pat')} AS pats FROM ${matches} m JOIN (${patterns}) p ON p.pat = m.pat GROUP BY m.n`
    const all =
      names === undefined ? classes : `SELECT x.n AS n, coalesce(f.pats, '') AS pats FROM ${names} x LEFT JOIN (${classes}) f ON f.n = x.n`
    this.innerStep(name, `SELECT z.n AS n, min(z.n) OVER (PARTITION BY z.pats) AS class FROM (${all}) z`)
  }

  /** The truth with which a unit allows or denies, of that with which it applies. */
  private effectOf(column: 'al' | 'de', applies: string): string {
    return `CASE WHEN ${column} = 1 THEN ${applies} WHEN op = 1 THEN ${this.d.least(applies, '1')} ELSE 0 END`
  }

  /** The values of a row of calls that malformed ones are looked for in, each with the test of its plain form. */
  private checked(): readonly { readonly column: CallColumn; readonly isPlain: (value: string) => string }[] {
    const { d } = this
    const all = [
      { column: 'ip', isPlain: (value: string) => `${d.fits(value, shapes.v4Shape)} OR ${d.fits(value, shapes.v6Shape)}` },
      {
        column: 'tags',
        isPlain: (value: string) => `CASE WHEN ${d.length(value)} > ${longestTags} THEN 1 = 0 ELSE ${d.fits(value, shapes.tagsShape)} END`,
      },
      { column: 'owner', isPlain: (value: string) => d.fits(value, shapes.ownerShape) },
    ] as const
    return all.filter(({ column }) => this.given.has(column))
  }

  /** The columns that distinguish situations of rows of calls. None is NULL. */
  private contextColumns(): readonly { readonly name: string; readonly value: string }[] {
    const { given, looksAt } = this
    const odd = this.oddity()
    const raw = (column: 'ip' | 'tags' | 'owner', also: readonly string[] = []) => ({
      name: `${column}_raw`,
      value: `CASE WHEN ${[`${odd} > 0`, ...also].join(' OR ')} THEN coalesce(c.${column}, '') ELSE '' END`,
    })
    const columns = [{ name: 'odd', value: odd }]
    if (given.has('at_ms')) {
      const times = [
        ...(looksAt.instant ? [['instant', 'i_at.class'] as const] : []),
        ...(looksAt.age ? [['age', 'i_age.age'] as const] : []),
      ]
      for (const [name, value] of times)
        columns.push({ name, value: `CASE WHEN c.at_ms IS NULL THEN -2 WHEN ${value} IS NULL THEN -1 ELSE ${value} END` })
      // Outside of the exported years each instant is a situation.
      if (times.length > 0)
        columns.push({
          name: 'at_raw',
          value: `CASE WHEN ${times.map(([, value]) => `${value} IS NULL`).join(' OR ')} THEN coalesce(c.at_ms, 0) ELSE 0 END`,
        })
    }
    if (given.has('ip')) {
      if (looksAt.address)
        columns.push({ name: 'address', value: 'CASE WHEN c.ip IS NULL THEN -1 WHEN i_ip.class IS NULL THEN -2 ELSE i_ip.class END' })
      columns.push(raw('ip', looksAt.address ? ['i_ip.class IS NULL'] : []))
    }
    if (given.has('tags')) columns.push(looksAt.tags ? { name: 'tags_raw', value: "coalesce(c.tags, '')" } : raw('tags'))
    if (given.has('owner')) columns.push(raw('owner'))
    return columns
  }

  /** The sum of a bit for each value of a row of calls that is not of the plain form: '' is none, other than NULL. */
  private oddity(): string {
    const odd = this.checked().map(({ column }) => `o_${column}.${column} IS NOT NULL`)
    if (this.given.has('at_ms')) odd.push(`c.at_ms > ${lastInstant} OR c.at_ms < -${lastInstant}`)
    return odd.length > 0 ? odd.map((test, bit) => `CASE WHEN ${test} THEN ${2 ** bit} ELSE 0 END`).join(' + ') : '0'
  }

  /** The tables that have the values that are not of the plain form. */
  private oddJoins(): string {
    return this.checked()
      .map(({ column }) => ` LEFT JOIN ${this.t(`odd_${column}`)} o_${column} ON o_${column}.${column} = c.${column}`)
      .join('')
  }

  /** The tables that a row of calls is joined with for its situation. */
  private contextJoins(): string {
    const { d, t, given, looksAt } = this
    const joins = [this.oddJoins()]
    if (looksAt.address && given.has('ip')) joins.push(` LEFT JOIN ${t('ip')} i_ip ON i_ip.ip = c.ip`)
    if (looksAt.instant && given.has('at_ms'))
      joins.push(
        ` LEFT JOIN ${t('slot')} i_at ON i_at.unit_no = ${d.quotient('c.at_ms', this.world.slot)} AND c.at_ms >= i_at.lo AND c.at_ms <= i_at.hi`,
      )
    if (looksAt.age && given.has('at_ms'))
      joins.push(
        ` LEFT JOIN ${t('hour_age')} i_age ON i_age.hour_no = ${d.quotient('c.at_ms', hour)} AND c.at_ms >= i_age.lo AND c.at_ms <= i_age.hi`,
      )
    return joins.join('')
  }

  /** The plain tags of calls, and their keys and values. */
  private readTags(plain: string): void {
    this.step('plain_tags', plain)
    this.step('tag_read', this.d.members(`(SELECT tags FROM ${this.t('plain_tags')})`, 'tags'))
  }

  /** Those that have a key twice: engines read them otherwise, or not. A plain string has no quotes within, so that four are of one pair. */
  private repeatedKeys(): string {
    const { d, t } = this
    const keys = `SELECT tags, count(DISTINCT tag_key) AS keys_read FROM ${t('tag_read')} GROUP BY tags`
    const quotes = `${d.length('p.tags')} - ${d.length(`replace(p.tags, '"', '')`)}`
    return `SELECT p.tags AS tags FROM ${t('plain_tags')} p LEFT JOIN (${keys}) r ON r.tags = p.tags WHERE coalesce(r.keys_read, 0) * 4 <> ${quotes}`
  }

  /** 5. Where a condition counts, or a value is not plain: the situations of the calls, by the classes of their values. */
  private situations(): void {
    const { t, given, looksAt } = this
    const { calls } = this.options
    for (const { column, isPlain } of this.checked()) {
      const distinct = `(SELECT DISTINCT ${column} FROM ${calls} WHERE ${column} IS NOT NULL) z`
      const isRepeated = column === 'tags' && looksAt.tags
      if (isRepeated) this.readTags(`SELECT z.tags AS tags FROM ${distinct} WHERE ${isPlain('z.tags')}`)
      this.step(
        `odd_${column}`,
        `SELECT z.${column} AS ${column} FROM ${distinct} WHERE NOT (${isPlain(`z.${column}`)})${isRepeated ? `\nUNION ALL ${this.repeatedKeys()}` : ''}`,
      )
    }
    if (looksAt.address && given.has('ip')) this.addressClasses()
    if (looksAt.instant && given.has('at_ms')) this.instantClasses()
    if (looksAt.age && given.has('at_ms')) this.agesOfHours()
    // Questions whose situations count: a condition is in question, or names that the engine has to look at.
    const open = [...this.conditional('q'), `SELECT q FROM ${t('key')} WHERE odd = 1`].join(` ${this.d.union} `)
    this.step(
      'open',
      `SELECT k.q AS q, ${this.ask.map(({ name }) => `k.${name} AS ${name}`).join(', ')} FROM ${t('ask')} k JOIN (${open}) x ON x.q = k.q`,
    )
    const context = this.contextColumns()
    const keys = ['q', ...context.map(({ name }) => name)]
    const samples = [...given].map((column) => `max(${column}) AS ${column}`)
    const values = [...context.map(({ name, value }) => `${value} AS ${name}`), ...[...given].map((column) => `c.${column} AS ${column}`)]
    const rows = [
      `SELECT k.q AS q, ${values.join(', ')} FROM ${calls} c JOIN ${t('open')} k ON ${this.isAskOf('k', 'c')}${this.contextJoins()}`,
    ]
    // Questions of which only some calls are not plain.
    if (this.oddity() !== '0') {
      const odd = `(SELECT c.*, ${this.oddity()} AS oddity FROM ${calls} c${this.oddJoins()})`
      rows.push(
        `SELECT k.q AS q, ${values.join(', ')} FROM (SELECT z.* FROM ${odd} z WHERE z.oddity > 0) c JOIN ${t('ask')} k ON ${this.isAskOf('k', 'c')} LEFT JOIN ${t('open')} x ON x.q = k.q${this.contextJoins()} WHERE x.q IS NULL`,
      )
    }
    this.step(
      'sit',
      `SELECT ${this.number(keys)} AS s, z.* FROM (SELECT ${[...keys, ...samples, 'count(*) AS calls'].join(', ')} FROM (${rows.join('\nUNION ALL ')}) y GROUP BY ${keys.join(', ')}) z`,
    )
  }

  /** The questions in which conditions count, a query for each kind of unit. */
  private conditional(columns: 'q' | 'q, cond'): readonly string[] {
    const { t } = this
    const queries = [`SELECT ${columns} FROM ${t('hit')} WHERE cond > 0`]
    if (this.hasWide) queries.push(`SELECT ${columns} FROM ${this.ofWide('wide_rule', ['cond'])} y WHERE cond > 0`)
    return queries
  }

  private addressClasses(): void {
    const { d, t } = this
    const part = (index: number) => d.cast(d.field('z.ip', '.', index), d.types.bigint)
    // Addresses have a separate step: an engine may evaluate a cast before the test that protects it.
    this.step(
      'ip4',
      `SELECT z.ip AS ip FROM (SELECT DISTINCT ip FROM ${this.options.calls} WHERE ip IS NOT NULL) z WHERE ${d.fits('z.ip', shapes.v4Shape)}`,
    )
    this.step(
      'ip',
      `SELECT x.ip AS ip, r.class AS class FROM (SELECT z.ip AS ip, ${part(1)} * 16777216 + ${part(2)} * 65536 + ${part(3)} * 256 + ${part(4)} AS num, ${part(1)} AS first_byte FROM ${t('ip4')} z) x JOIN ${t('address')} r ON r.first_byte = x.first_byte WHERE x.num >= r.lo AND x.num <= r.hi`,
    )
  }

  private instantClasses(): void {
    const { d, t } = this
    const { slot } = this.world
    const slots = (7 * 24 * 3_600_000) / slot
    this.step(
      'slot',
      `SELECT x.unit_no AS unit_no, p.lo AS lo, p.hi AS hi, w.class AS class FROM (SELECT DISTINCT ${d.quotient('at_ms', slot)} AS unit_no FROM ${this.options.calls} WHERE at_ms >= 0 AND at_ms <= ${lastInstant}) x CROSS JOIN ${t('period')} p JOIN ${t('week')} w ON w.week = p.week AND w.slot = ${d.remainder('x.unit_no', slots)} WHERE p.lo < (x.unit_no + 1) * ${slot} AND p.hi >= x.unit_no * ${slot}`,
    )
  }

  /** The ages of the hours that occur: each within an hour of it, since engines round quotients of numbers below 0 up or down. */
  private agesOfHours(): void {
    const { d, t } = this
    const isNear = (row: string) => `${row}.lo < (x.hour_no + 1) * ${hour} AND ${row}.hi > (x.hour_no - 1) * ${hour}`
    this.innerStep(
      'hour_group',
      `SELECT x.hour_no AS hour_no, g.grp AS grp FROM (SELECT DISTINCT ${d.quotient('at_ms', hour)} AS hour_no FROM ${this.options.calls} WHERE at_ms >= -${lastInstant} AND at_ms <= ${lastInstant}) x CROSS JOIN ${t('age_group')} g WHERE ${isNear('g')}`,
    )
    this.step(
      'hour_age',
      `SELECT x.hour_no AS hour_no, p.lo AS lo, p.hi AS hi, p.age AS age FROM ${t('hour_group')} x JOIN ${t('age')} p ON p.grp = x.grp WHERE ${isNear('p')}`,
    )
  }

  /** 6. The truth of each condition in each situation: 0 false, 1 not known, 2 true. */
  private truths(): void {
    const { t, given, looksAt } = this
    if (!this.has('literal')) return
    const context = this.contextColumns()
      .map(({ name }) => name)
      .filter((name) => ['instant', 'age', 'address', 'tags_raw'].includes(name))
    this.step(
      'need',
      `SELECT s.s AS s, h.cond AS cond, k.resource AS resource${context.map((name) => `, s.${name} AS ${name}`).join('')} FROM ${t('sit')} s JOIN ${t('ask')} k ON k.q = s.q JOIN (SELECT DISTINCT q, cond FROM (${this.conditional('q, cond').join(' UNION ALL ')}) y) h ON h.q = s.q WHERE s.odd = 0`,
    )
    const literals = `FROM ${t('need')} n JOIN ${t('literal')} l ON l.cond = n.cond`
    const of = (kind: string) => `${literals} JOIN ${t('atom')} a ON a.atom = l.atom AND a.kind = '${kind}'`
    // Atom 0 never holds: it is the condition without clauses.
    const unknown = ['open', 'left'].map((kind) => `${literal}, 1 AS truth ${of(kind)}`)
    const facts = [`${literal}, 0 AS truth ${literals} WHERE l.atom = 0`, ...unknown]
    const isOfClass = (name: string) => `h.class = n.${name}`
    if (looksAt.instant) facts.push(this.classFacts('instant', of('instant'), given.has('at_ms'), isOfClass('instant')))
    if (looksAt.age) facts.push(this.classFacts('age', of('age'), given.has('at_ms'), 'h.first_age <= n.age AND h.last_age >= n.age'))
    if (looksAt.address) facts.push(this.classFacts('address', of('address'), given.has('ip'), isOfClass('address')))
    if (looksAt.tags) facts.push(this.tagFacts(of('tag')))
    if (looksAt.names) facts.push(...this.nameFacts(of))
    this.step('fact', facts.join('\nUNION ALL '))
    this.step(
      'holds',
      `SELECT s, cond, max(truth) AS truth FROM (SELECT s, cond, clause, min(CASE WHEN negated = 1 THEN 2 - truth ELSE truth END) AS truth FROM ${t('fact')} GROUP BY s, cond, clause) z GROUP BY s, cond`,
    )
    this.unread(of)
  }

  /**
   * Situations with a condition that SQL cannot determine and the engine can. They are open, whatever else decides: their reason
   * and their entries may be others.
   */
  private unread(of: (kind: string) => string): void {
    const { t, given, looksAt } = this
    const unreadQuery = (kind: string, which: string) =>
      `SELECT n.s AS s ${of(kind)} JOIN ${t('holds')} h ON h.s = n.s AND h.cond = n.cond ${which} AND h.truth = 1`
    const queries = [unreadQuery('left', 'WHERE 1 = 1')]
    // Each question has an instant.
    for (const kind of ['instant', 'age'] as const)
      if (looksAt[kind]) queries.push(unreadQuery(kind, given.has('at_ms') ? `WHERE n.${kind} < 0` : 'WHERE 1 = 1'))
    if (looksAt.address && given.has('ip')) queries.push(unreadQuery('address', 'WHERE n.address = -2'))
    if (looksAt.tags && this.has('tags_left'))
      queries.push(
        unreadQuery('tag', `JOIN ${t('tags_left')} w ON w.resource = n.resource WHERE ${given.has('tags') ? "n.tags_raw = ''" : '1 = 1'}`),
      )
    this.step('unread', `SELECT DISTINCT z.s AS s FROM (${queries.join('\nUNION ALL ')}) z`)
  }

  private classFacts(column: 'instant' | 'age' | 'address', from: string, isGiven: boolean, isWithin: string): string {
    if (!isGiven) return `${literal}, 1 AS truth ${from}`
    const holds = this.t(`${column}_holds`)
    return `${literal}, CASE WHEN n.${column} < 0 THEN 1 WHEN h.atom IS NULL THEN 0 ELSE 2 END AS truth ${from} LEFT JOIN ${holds} h ON h.atom = l.atom AND ${isWithin}`
  }

  /** The truth of a comparison of `val`, which is not NULL. */
  private compared(): string {
    const { d } = this
    const [value, text] = [d.length('val'), d.length('txt')]
    const conditions: Readonly<Record<MatchType, string>> = {
      exact: 'val = txt',
      prefix: `${d.head('val', text)} = txt`,
      suffix: `${value} >= ${text} AND ${d.rest('val', `${value} - ${text} + 1`)} = txt`,
    }
    const cases = Object.entries(conditions).map(([op, condition]) => `WHEN op = '${op}' AND ${condition} THEN 2`)
    return `CASE ${cases.join(' ')} ELSE 0 END`
  }

  private nameFacts(of: (kind: string) => string): readonly string[] {
    const { d, t } = this
    const before = [1, 2, 3, 4, 5].map((index) => d.length(d.field('txt', ':', index))).join(' + ')
    this.step(
      'part',
      `SELECT txt AS resource, ${d.field('txt', ':', 5)} AS of_type, ${d.rest('txt', `${before} + 6`)} AS of_name FROM ${t('d_on')} WHERE odd = 0`,
    )
    return (['name', 'type'] as const).map(
      (kind) =>
        `SELECT s, cond, clause, negated, ${this.compared()} AS truth FROM (${literal}, a.op AS op, a.txt AS txt, p.of_${kind} AS val ${of(kind)} JOIN ${t('part')} p ON p.resource = n.resource) z`,
    )
  }

  /** Tags of a call are all there are; without them, those of the world count. */
  private tagFacts(from: string): string {
    const { t } = this
    const joins: string[] = []
    let [isDescribed, has, value] = ['0', '0', "''"]
    if (this.has('described')) {
      joins.push(` LEFT JOIN ${t('described')} w ON w.resource = n.resource`)
      isDescribed = isThere('w.resource')
    }
    if (this.has('tag')) {
      joins.push(` LEFT JOIN ${t('tag')} wt ON wt.resource = n.resource AND wt.tag_key = a.tag_key`)
      ;[has, value] = [isThere('wt.tag_key'), "coalesce(wt.tag_value, '')"]
    }
    if (this.given.has('tags')) {
      joins.push(` LEFT JOIN ${t('tag_read')} rt ON rt.tags = n.tags_raw AND rt.tag_key = a.tag_key`)
      const pick = (given: string, otherwise: string) => `CASE WHEN n.tags_raw <> '' THEN ${given} ELSE ${otherwise} END`
      ;[isDescribed, has, value] = [pick('1', isDescribed), pick(isThere('rt.tag_key'), has), pick("coalesce(rt.tag_value, '')", value)]
    }
    const columns = `a.op AS op, a.txt AS txt, ${value} AS val, ${isDescribed} AS known, ${has} AS has`
    return `SELECT s, cond, clause, negated, CASE WHEN known = 0 THEN 1 WHEN has = 0 THEN 0 ELSE ${this.compared()} END AS truth FROM (${literal}, ${columns} ${from}${joins.join('')}) z`
  }

  /** 7. The verdict of each question, or of each situation. */
  private answers(): void {
    const { t } = this
    const isConditional = this.has('literal')
    this.step('say', this.applied(t('hit'), says))
    const effect = (column: 'al' | 'de') => `max(${this.effectOf(column, 'applies')})`
    const rules = [`SELECT q, s, 0 AS odd, 0 AS root, ${effect('de')} AS dn, ${effect('al')} AS gr FROM ${t('say')} GROUP BY q, s`]
    if (this.hasWide)
      rules.push(
        this.applied(
          this.ofWide('wide_rule', ['cond', 'dn', 'gr']),
          (truth) => `0 AS odd, 0 AS root, ${truth('dn')} AS dn, ${truth('gr')} AS gr`,
        ),
      )
    const unread = isConditional
      ? { odd: ' + CASE WHEN u.s IS NULL THEN 0 ELSE 1 END', join: ` LEFT JOIN ${t('unread')} u ON u.s = e.s` }
      : { odd: '', join: '' }
    const root = this.root()
    if (root !== undefined) this.step('root', root)
    const asks = root === undefined ? { root: '0', join: '' } : { root: isThere('o.q'), join: ` LEFT JOIN ${t('root')} o ON o.q = y.q` }
    // Situation 0: the calls of a question that no condition distinguishes.
    const each = [
      `SELECT e.q AS q, e.s AS s, e.odd + y.odd${unread.odd} AS odd, ${asks.root} AS root, 0 AS dn, 0 AS gr FROM ${t('sit')} e JOIN ${t('key')} y ON y.q = e.q${unread.join}${asks.join}`,
      `SELECT y.q AS q, 0 AS s, 0 AS odd, ${asks.root} AS root, 0 AS dn, 0 AS gr FROM ${t('key')} y LEFT JOIN ${t('open')} x ON x.q = y.q${asks.join} WHERE x.q IS NULL`,
    ]
    const outcome = (column: 'verdict' | 'reason') =>
      `CASE${outcomes.map((row) => ` WHEN ${row.when} THEN '${row[column]}'`).join('')} ELSE 'unknown' END AS ${column}`
    this.step(
      'answer',
      `SELECT q, s, ${outcome('verdict')}, ${outcome('reason')} FROM (SELECT q, s, max(odd) AS odd, max(root) AS root, max(dn) AS dn, max(gr) AS gr FROM (${[...each, ...rules].join('\nUNION ALL ')}) y GROUP BY q, s) z`,
    )
    this.step('residue', this.residue())
  }

  /** Columns of hits in each situation of their questions, with truths under the conditions there; situation 0: without any. */
  private applied(hits: string, columns: (truth: (column: string) => string) => string): string {
    const { d, t } = this
    const isConditional = this.has('literal')
    const under = (column: string) =>
      isConditional ? `CASE WHEN h.cond = 0 THEN h.${column} ELSE ${d.least(`h.${column}`, 'coalesce(c.truth, 1)')} END` : `h.${column}`
    const holds = isConditional ? ` LEFT JOIN ${t('holds')} c ON c.s = s.s AND c.cond = h.cond` : ''
    return `SELECT h.q AS q, s.s AS s, ${columns(under)} FROM ${t('sit')} s JOIN ${hits} h ON h.q = s.q${holds} WHERE s.odd = 0
UNION ALL SELECT h.q AS q, 0 AS s, ${columns((column) => `h.${column}`)} FROM ${hits} h LEFT JOIN ${t('open')} x ON x.q = h.q WHERE x.q IS NULL`
  }

  /** Rows about the questions that are looked at for wide identity patterns, for each question. */
  private ofWide(rows: 'wide_rule' | 'hits', columns: readonly string[]): string {
    const { t } = this
    const from = rows === 'wide_rule' ? t(rows) : this.wideHits()
    return `(SELECT x.q AS q, ${columns.map((column) => `y.${column} AS ${column}`).join(', ')} FROM ${t('wide_of')} x JOIN ${from} y ON y.q = x.as_q)`
  }

  /** The units of wide identity patterns that have an effect on the questions that are looked at for them. */
  private wideHits(): string {
    const { t } = this
    return `(SELECT k.q AS q, n.unit AS unit, u.cond AS cond, n.truth AS truth, x.al AS al, x.de AS de, x.op AS op FROM ${t('wide')} k JOIN ${t('wide_near')} n ON n.w = k.w AND n.r = k.r JOIN ${t('wide_act')} x ON x.a = k.a AND x.unit = n.unit JOIN ${t('unit')} u ON u.unit = n.unit)`
  }

  /** Each open situation, as the engine reads it. */
  private residue(): string {
    const { d, t, given } = this
    const none = (type: string) => d.cast('NULL', d.nullable(type))
    const ofAsk = (name: string) => (this.ask.some((column) => column.name === name) ? `nullif(k.${name}, '')` : none(d.types.text))
    const sample = (column: CallColumn) => (given.has(column) ? `x.${column}` : none(column === 'at_ms' ? d.types.bigint : d.types.text))
    const owner = given.has('owner') ? `coalesce(x.owner, ${ofAsk('owner')})` : none(d.types.text)
    return `SELECT a.q AS q, a.s AS s, k.identity AS identity, ${ofAsk('grps')} AS grps, k.action AS action, k.resource AS resource, ${sample('at_ms')} AS at_ms, ${sample('ip')} AS ip, ${sample('tags')} AS tags, ${owner} AS owner, coalesce(x.calls, k.calls) AS calls FROM ${t('answer')} a JOIN ${t('ask')} k ON k.q = a.q LEFT JOIN ${t('sit')} x ON x.s = a.s AND x.q = a.q WHERE a.verdict = 'unknown'`
  }

  /** The owner of the resource of a question; undefined where none can be known. */
  private owner(): string | undefined {
    const { account } = this.world
    const owners = [
      ...(this.given.has('owner') ? ["nullif(k.owner, '')"] : []),
      ...(this.has('owner') ? ['o.owner'] : []),
      // An account of another form is of no identity that is decided here.
      ...(account !== undefined && isPlainAccount(account) ? [`'${account}'`] : []),
    ]
    return owners.length > 1 ? `coalesce(${owners.join(', ')})` : owners[0]
  }

  /** The questions that the account asks that owns the resource; undefined where no owner can be known. */
  private root(): string | undefined {
    const { d, t } = this
    const owner = this.owner()
    if (owner === undefined) return undefined
    const owners = this.has('owner') ? ` LEFT JOIN ${t('owner')} o ON o.resource = k.resource` : ''
    // Accounts are few identities: the names of others are not taken apart.
    return `SELECT k.q AS q FROM ${t('ask')} k${owners} WHERE k.identity LIKE 'urn:v1:%:identity:account:%' AND k.identity = ${d.concat("'urn:v1:'", d.field('k.identity', ':', 3), "':identity:account:'", owner)}`
  }

  /** The views about the decision. */
  views(): readonly Step[] {
    return [
      { name: 'decision', query: this.verdicts(true) },
      { name: 'said', query: this.said() },
      { name: 'because', query: this.because() },
      { name: 'caveat', query: this.caveats() },
    ]
  }

  /** The units that have an effect on each situation, with the truth with which they apply. */
  private said(): string {
    const say = `SELECT q, s, unit, al, de, op, applies FROM ${this.t('say')}`
    if (!this.hasWide) return say
    return `${say}\nUNION ALL ${this.applied(this.ofWide('hits', ['unit', 'cond', 'truth', 'al', 'de', 'op']), says)}`
  }

  /** Each row of calls with its verdict. `settled`: with what the engine settled. */
  verdicts(settled: boolean): string {
    const { t } = this
    const context = this.contextColumns()
    const isSituation = context.map(({ name, value }) => ` AND x.${name} = ${value}`).join('')
    const from = `FROM ${this.options.calls} c JOIN ${t('ask')} k ON ${this.isAskOf('k', 'c')}${this.contextJoins()} LEFT JOIN ${t('sit')} x ON x.q = k.q${isSituation} JOIN ${t('answer')} a ON a.q = k.q AND a.s = coalesce(x.s, 0)`
    if (!settled)
      return `SELECT c.*, a.q AS gw_q, a.s AS gw_s, a.verdict AS gw_verdict, a.reason AS gw_reason, ${isFinal} AS gw_settled ${from}`
    return `SELECT c.*, a.q AS gw_q, a.s AS gw_s, coalesce(f.verdict, a.verdict) AS gw_verdict, coalesce(f.reason, a.reason) AS gw_reason, CASE WHEN f.verdict IS NULL THEN ${isFinal} ELSE 1 END AS gw_settled ${from} LEFT JOIN ${t('settled')} f ON f.q = a.q AND f.s = a.s AND f.identity = k.identity AND f.action = k.action AND f.resource = k.resource`
  }

  /** The entries that decide each situation: those that allow, or deny, and of settled ones all that count. */
  private because(): string {
    const { t } = this
    const decides = "(a.reason = 'granted' AND y.al = 1 AND e.al = 1) OR (a.reason = 'denied' AND e.de = 1)"
    return `SELECT DISTINCT a.q AS q, a.s AS s, e.entry AS entry FROM ${t('answer')} a JOIN ${t('said')} y ON y.q = a.q AND y.s = a.s AND y.applies = 2 JOIN ${t('key')} k ON k.q = a.q JOIN ${t('m_act')} m ON m.n = k.a JOIN ${t('effect')} e ON e.unit = y.unit AND e.act = m.pat WHERE ${decides}
UNION ALL SELECT q, s, entry FROM ${t('settled_entry')}`
  }

  /**
   * The caveats of each situation, as `can` has them. `groups-unknown` where the groups of the identity are not described and not given,
   * and some policy is for a group; `can` says whether one would allow it.
   */
  private caveats(): string {
    const { t, given } = this
    const { hasGroups, hasReadOnly } = this.world
    const reason = 'coalesce(f.reason, a.reason)'
    const asked = `${t('answer')} a JOIN ${t('ask')} k ON k.q = a.q LEFT JOIN ${t('settled')} f ON f.q = a.q AND f.s = a.s AND f.identity = k.identity AND f.action = k.action AND f.resource = k.resource`
    const of = (caveat: string, from: string) => `SELECT a.q AS q, a.s AS s, '${caveat}' AS caveat FROM ${from}`
    const isOf = (...kinds: readonly string[]) => `(${kinds.map((kind) => `k.identity LIKE 'urn:v1:%:identity:${kind}:%'`).join(' OR ')})`
    const described = this.has('known')
      ? { join: ` LEFT JOIN ${t('known')} i ON i.identity = k.identity`, is: ' AND i.identity IS NULL' }
      : { join: '', is: '' }
    const owners = this.has('owner') ? ` LEFT JOIN ${t('owner')} o ON o.resource = k.resource` : ''
    const owner = this.owner()
    return [
      `SELECT DISTINCT b.q AS q, b.s AS s, 'inner-wildcard' AS caveat FROM ${t('because')} b JOIN ${t('entry')} e ON e.entry = b.entry WHERE e.inner_wildcard = 1`,
      of(
        'root-unknown',
        `${asked}${owners} WHERE ${reason} <> 'malformed' AND ${isOf('account')}${owner === undefined ? '' : ` AND ${owner} IS NULL`}`,
      ),
      ...(hasReadOnly ? [] : [of('managed-policies', `${asked} WHERE ${reason} = 'default'`)]),
      ...(hasGroups
        ? [
            of(
              'groups-unknown',
              `${asked}${described.join} WHERE ${reason} = 'default' AND ${isOf('user', 'credential')}${given.has('grps') ? " AND k.grps = ''" : ''}${described.is}`,
            ),
          ]
        : []),
    ].join('\nUNION ALL ')
  }
}

/** The longest tags of a call that are looked at in SQL, in characters. */
const longestTags = 4096

const hour = 3_600_000

/** The effects of a unit on an action, of those of its patterns that match it. */
const effects = 'max(e.al) * (1 - max(e.ex)) AS al, max(e.de) AS de, max(e.op) AS op'
const literal = 'SELECT n.s AS s, n.cond AS cond, l.clause AS clause, l.negated AS negated'
const says = (truth: (column: string) => string) => `h.unit AS unit, h.al AS al, h.de AS de, h.op AS op, ${truth('truth')} AS applies`
const isFinal = "CASE WHEN a.verdict = 'unknown' THEN 0 ELSE 1 END"

const isPlainAccount = (account: string) => /^[!-)+\-.0-9;-~]+$/.test(account) && !/['\\]/.test(account)

/** The outcomes in the order in which they are looked for; \`unknown\` where none is met. */
const outcomes = [
  { when: 'odd > 0', verdict: 'unknown', reason: 'unchecked' },
  { when: 'root = 1', verdict: 'allow', reason: 'root' },
  { when: 'dn = 2', verdict: 'deny', reason: 'denied' },
  { when: 'gr = 0', verdict: 'deny', reason: 'default' },
  { when: 'dn = 0 AND gr = 2', verdict: 'allow', reason: 'granted' },
] as const
