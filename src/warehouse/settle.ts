import type { Settings } from '../names.ts'
import type { World } from '../policy.ts'
import type { Missing } from '../simulate/decision.ts'
import { compile } from '../simulate/engine.ts'
import { factText, valueText } from '../simulate/facts.ts'
import { readBatchQuestion } from '../simulate/question.ts'
import { ShortNames } from '../simulate/short-names.ts'
import { portable } from './portable.ts'
import type { Value, WorldTables } from './tables.ts'

/** One row of `gw_residue`: a situation that SQL leaves open. */
export interface ResidueRow {
  readonly q: number
  readonly s: number
  readonly identity: string
  readonly action: string
  readonly resource: string
  /** Group URNs, one a line. */
  readonly grps: string | null
  readonly at_ms: number | null
  readonly ip: string | null
  /** A JSON object. */
  readonly tags: string | null
  readonly owner: string | null
}

/** A row that was parsed from JSON, as engines write it, or what is wrong with it. Some write names in capitals, or numbers as strings. */
export function residueRow(value: unknown): ResidueRow | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an object'
  const fields = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field as unknown]))
  const number = (name: string) => {
    const field = fields.get(name) ?? null
    if (field === null) return null
    const read = typeof field === 'string' && /^-?\d{1,17}$/.test(field) ? Number(field) : field
    return typeof read === 'number' && Number.isFinite(read) ? read : undefined
  }
  const string = (name: string) => {
    const field = fields.get(name) ?? null
    return field === null || typeof field === 'string' ? field : undefined
  }
  const [q, s, at_ms] = [number('q'), number('s'), number('at_ms')]
  if (typeof q !== 'number' || typeof s !== 'number') return '`q` or `s` is not a number'
  if (at_ms === undefined) return '`at_ms` is not a number'
  const [identity, action, resource] = [string('identity'), string('action'), string('resource')]
  if (identity === undefined || action === undefined || resource === undefined) return 'a name is not a string'
  const [grps, ip, tags, owner] = [string('grps'), string('ip'), string('tags'), string('owner')]
  if (grps === undefined || ip === undefined || tags === undefined || owner === undefined)
    return '`grps`, `ip`, `tags` or `owner` is not a string'
  return { q, s, identity: identity ?? '', action: action ?? '', resource: resource ?? '', grps, at_ms, ip, tags, owner }
}

/** The tables that settling fills, with their columns. */
export const settledColumns = {
  settled: [
    ['q', 'bigint'],
    ['s', 'bigint'],
    ['identity', 'text'],
    ['action', 'text'],
    ['resource', 'text'],
    ['verdict', 'text'],
    ['reason', 'text'],
    ['problem', 'text'],
  ],
  settled_entry: [
    ['q', 'bigint'],
    ['s', 'bigint'],
    ['entry', 'int'],
  ],
  settled_missing: [
    ['q', 'bigint'],
    ['s', 'bigint'],
    ['fact', 'text'],
    ['allows', 'text'],
    ['denies', 'text'],
  ],
} as const

export type SettledName = keyof typeof settledColumns

export type SettledRows = Record<SettledName, Value[][]>

/**
 * A function that settles open situations exactly, as `can --batch` decides, into rows of the tables `settledColumns`. A row that
 * no question can be made of gets the verdict `error`, and its problem is returned. `at`: the instant of calls that give none.
 */
export function settler(
  world: World,
  tables: WorldTables,
  settings: Settings,
  instant: number,
): (row: ResidueRow, into: SettledRows) => string | undefined {
  const engine = compile(world)
  const names = new ShortNames(world)
  const context = { at: instant, groups: [] }
  return (row, into) => {
    // The names as the engine has them, which finds them again.
    const key = [row.q, row.s, row.identity, row.action, row.resource]
    const read = questionOf(row, settings, context, names)
    if (typeof read === 'string') {
      into.settled.push([...key, 'error', 'malformed', read])
      return read
    }
    const { verdict, reason, clauses, missing } = engine.decide(read)
    into.settled.push([...key, verdict, reason, ''])
    for (const number of new Set(clauses.map((clause) => tables.entryNumber(clause)))) into.settled_entry.push([row.q, row.s, number])
    for (const each of missing) into.settled_missing.push([row.q, row.s, ...missingTexts(each)])
    return undefined
  }
}

function questionOf(
  row: ResidueRow,
  settings: Settings,
  context: { readonly at: number; readonly groups: readonly string[] },
  names: ShortNames,
) {
  const { identity, action, resource, grps, at_ms, ip, tags, owner } = row
  let parsedTags: unknown
  if (tags !== null) {
    try {
      parsedTags = JSON.parse(tags)
    } catch {
      return '`tags` is not JSON'
    }
  }
  const line = {
    identity,
    action,
    resource,
    ...(grps !== null && grps !== '' && { groups: grps.split('\n') }),
    ...(ip !== null && { ip }),
    ...(tags !== null && { tags: parsedTags }),
    ...(owner !== null && owner !== '' && { owner }),
  }
  const read = readBatchQuestion(line, { ...context, at: at_ms ?? context.at }, settings, names)
  return typeof read === 'string' ? read : read.question
}

/** A missing fact, and the values with which the situation is allowed and denied, as explanations print them. */
function missingTexts({ fact, allows, denies }: Missing): readonly string[] {
  const values = (completion: Missing['allows']) =>
    completion.map((value) => `${factText(value)}: ${valueText(value) ?? 'none'}`).join('; ')
  return [factText(fact), values(allows), values(denies)].map(portable)
}
