import { pushTo } from '../collections.ts'
import { matchTypes } from '../conditions/sets.ts'
import type { Test } from '../conditions/test.ts'
import { type Glob, isPattern } from '../glob.ts'
import { longestName } from '../names.ts'
import type { RowFilter } from './filter.ts'
import type { Atom, Formula, UrnSet } from './filter-formula.ts'
import { isOneOf, matchesPieces, type SqlText } from './sql-text.ts'

/** The columns of a table of resources, as expressions of the dialect. A missing one gives no facts. */
export interface FilterColumns {
  readonly urn: string
  /** A JSON object of strings, or `NULL` where the tags are not known. */
  readonly tags?: string | undefined
  /** Without them, or where they are `NULL`, these are the parts of the URN. */
  readonly name?: string | undefined
  readonly type?: string | undefined
  /** The account that owns the resource, or `NULL`. */
  readonly owner?: string | undefined
}

/** Whether a condition has to be looked at: the three answers of other engines that make filters. */
export type FilterKind = 'always_allowed' | 'always_denied' | 'conditional'

/** The two expressions of a filter. Each is `TRUE` or `FALSE` for every row, never `NULL`. */
export interface SqlFilter {
  readonly kind: FilterKind
  readonly allowed: string
  readonly perhaps: string
}

/**
 * A filter as SQL. `isWellFormed`: the table has only names of resources, so that the expressions need not check it; others match
 * neither, since `can` refuses them.
 */
export function filterSql(
  { formulas, allowed, perhaps }: RowFilter,
  sql: SqlText,
  columns: FilterColumns,
  { isWellFormed }: { readonly isWellFormed: boolean },
): SqlFilter {
  const writer = new Writer(sql, columns)
  const held = (formula: Formula) => formulas.within(formulas.mapped(formula, (atom) => heldBy(atom, sql)))
  const write = (formula: Formula) => {
    if (formula.kind === 'constant' && (isWellFormed || !formula.holds)) return writer.expression(formula)
    const parts = formula === formulas.always ? [] : formula.kind === 'and' ? formula.parts : [formula]
    const expressions = parts.map((part) => writer.expression(part, 'and'))
    if (isWellFormed) return writer.joined('AND', expressions)
    return writer.joined('AND', [`${columns.urn} IS NOT NULL`, ...expressions, ...formsOf(formulas.boundOf(formula), columns.urn, sql)])
  }
  /** The formula without strings that no row of the dialect can hold. */
  function heldBy(atom: Atom, { holds }: SqlText): Formula | undefined {
    if (atom.kind !== 'part' || atom.test.set.kind !== 'strings') return undefined
    const { subject, set } = atom.test
    const values = set.values.filter(holds)
    if (values.length === set.values.length && holds(subject.parameter)) return undefined
    if (values.length === 0 || !holds(subject.parameter)) return formulas.never
    return formulas.literal({ ...atom, test: { ...atom.test, set: { ...set, values } } })
  }
  const [sure, open] = [held(allowed), held(perhaps)]
  const kind =
    sure === formulas.always ? 'always_allowed' : sure === formulas.never && open === formulas.never ? 'always_denied' : 'conditional'
  return { kind, allowed: write(sure), perhaps: write(open) }
}

/** The name of a resource as `readResource` takes it, in a URN and after what is in front of it. */
const nameForm = '[!-)+-~]([ -)+-~]*[!-)+-~])?'
const resourceForm = `urn:v1:[a-z][a-z0-9-]*:resource:[A-Za-z][A-Za-z0-9_-]*(/[A-Za-z0-9_-]+)*:${nameForm}`

/** Conditions that let no other URN pass than names of resources, as far as patterns for it leave that open. */
function formsOf(bound: UrnSet | undefined, urn: string, sql: SqlText): readonly string[] {
  if (bound?.patterns.length === 0) return []
  const haveType = bound?.patterns.every(({ pieces: [head = ''] }) => /^urn:v1:[^:]+:resource:[^:]+:/.test(head))
  // Some engines cannot match expressions with long strings.
  return [
    `CASE WHEN length(${urn}) <= ${longestName} THEN ${sql.fits(urn, haveType ? `([^:]*:){5}${nameForm}` : resourceForm)} ELSE FALSE END`,
  ]
}

/** Whether a pattern matches what begins with a text; the length of that. */
const isStart = ({ pieces }: Glob) => pieces.length === 2 && pieces[1] === ''
const lengthOf = ({ pieces: [head = ''] }: Glob) => head.length

class Writer {
  private readonly sql: SqlText
  private readonly columns: FilterColumns

  constructor(sql: SqlText, columns: FilterColumns) {
    this.sql = sql
    this.columns = columns
  }

  /** The formula in parentheses where it is joined, but for parts of the word that it is within. */
  expression(formula: Formula, around?: 'and' | 'or'): string {
    if (formula.kind === 'constant') return formula.holds ? 'TRUE' : 'FALSE'
    if (formula.kind === 'literal') return this.literal(formula.atom, formula.holds, around)
    const { kind, parts } = formula
    const text = parts.map((part) => this.expression(part, kind)).join(kind === 'and' ? ' AND ' : ' OR ')
    return kind === around ? text : `(${text})`
  }

  /** Expressions that are joined, in parentheses. */
  joined(word: 'AND' | 'OR', parts: readonly string[]): string {
    return parts.length === 1 ? (parts[0] as string) : `(${parts.join(` ${word} `)})`
  }

  private literal(atom: Atom, holds: boolean, around?: 'and' | 'or'): string {
    const { urn, owner } = this.columns
    switch (atom.kind) {
      case 'urn':
        return this.urnIn(atom.urns, urn, holds, around)
      case 'part':
        return this.meets(atom.test, holds, around)
      case 'hasTags':
        return this.negated(this.sql.isObject(this.columns.tags as string), holds)
      case 'owner':
        if (atom.account === undefined) return `${owner} IS ${holds ? '' : 'NOT '}NULL`
        return this.negated(`COALESCE(${owner} = ${this.sql.literal(atom.account)}, FALSE)`, holds)
      default:
        throw new Error('a fact that no row gives is left in a filter')
    }
  }

  private negated(text: string, holds: boolean): string {
    return holds ? text : `NOT ${text}`
  }

  private urnIn({ globs, patterns }: UrnSet, urn: string, holds: boolean, around?: 'and' | 'or'): string {
    const names = globs.flatMap((glob) => (isPattern(glob) ? [] : [glob.text]))
    const starts = new Map<number, string[]>()
    for (const pattern of patterns) if (isStart(pattern)) pushTo(starts, lengthOf(pattern), pattern.pieces[0] as string)
    // Beginnings of one length are a list, which engines look up.
    const parts = [
      ...(names.length > 0 ? [isOneOf(this.sql, urn, names)] : []),
      ...Array.from(starts).flatMap(([length, heads]) =>
        heads.length > 1 ? [isOneOf(this.sql, `substr(${urn}, 1, ${length})`, heads)] : [],
      ),
      ...patterns
        .filter((pattern) => !isStart(pattern) || starts.get(lengthOf(pattern))?.length === 1)
        .map(({ pieces }) => matchesPieces(this.sql, urn, pieces)),
    ]
    return this.someOf(parts, holds, around)
  }

  /** Expressions of which one holds, or none. */
  private someOf(parts: readonly string[], holds: boolean, around?: 'and' | 'or'): string {
    if (!holds) return `NOT (${parts.join(' OR ')})`
    return around === 'or' ? parts.join(' OR ') : this.joined('OR', parts)
  }

  /** Whether a comparison of a tag, the name or the type holds. */
  private meets({ subject, set }: Test, holds: boolean, around?: 'and' | 'or'): string {
    if (set.kind !== 'strings') throw new Error('a row has strings only')
    const isTag = subject.kind === 'tag'
    const value = isTag ? this.sql.valueOf(this.columns.tags as string, subject.parameter) : this.part(subject.kind as 'name' | 'type')
    const parts =
      set.matchType === 'exact'
        ? [isOneOf(this.sql, value, [...new Set(set.values)])]
        : set.values.map((text) => matchesPieces(this.sql, value, matchTypes[set.matchType].pieces(text)))
    return isTag ? this.negated(`COALESCE(${parts.join(' OR ')}, FALSE)`, holds) : this.someOf(parts, holds, around)
  }

  private part(kind: 'name' | 'type'): string {
    const { urn } = this.columns
    const column = this.columns[kind]
    const ofUrn = kind === 'type' ? this.sql.part(urn, 5) : this.sql.withoutStart(urn, '([^:]*:){5}')
    return column === undefined ? ofUrn : `COALESCE(${column}, ${ofUrn})`
  }
}
