import { place } from '../diagnostic.ts'
import { titled } from '../policy.ts'
import { conditionTexts } from '../report/conditions.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { entryWords, some } from '../report/words.ts'
import type { Clause } from '../simulate/decision.ts'
import type { Answered } from './access.ts'

/** A row of an answer in words. Texts are safe to show. */
export interface AnswerRow {
  readonly verdict: 'allow' | 'unknown' | 'deny'
  readonly who: readonly string[]
  readonly actions: readonly string[]
  readonly on: readonly string[]
  /** When it holds; undefined: always. */
  readonly when?: string
  /** What is to be added: exceptions, members. */
  readonly more: readonly string[]
  readonly by: readonly (readonly [place: string, words: string])[]
}

const owning = ['', 'owning the resource: the owning account cannot be restricted'] as const

const entries = (clauses: readonly Clause[], names: Names) =>
  clauses.map((clause): AnswerRow['by'][number] => [
    place(clause.entry.span),
    `${shown(titled(clause.policy.name.value, clause.policy.address))}: ${entryWords(clause, names)}`,
  ])

const listed = (label: string, items: readonly string[]) => (items.length === 0 ? [] : [`${label} ${some(items)}`])

/** The rows of an answer of `who` or `what`, the allowed ones first. */
export function answerRows({ rows, from, asked }: Answered, names: Names): readonly AnswerRow[] {
  const texts = conditionTexts({ from })
  const when = (formula: Parameters<typeof texts>[0]) => {
    const words = texts(formula)
    return words === undefined ? {} : { when: words }
  }
  const identity = (urn: string) => names.identity(urn)
  if ('described' in rows)
    return (['allow', 'unknown', 'deny'] as const).flatMap((verdict) =>
      rows.described.rows
        .filter((row) => row.verdict === verdict)
        .map(({ identities, actions, resources, condition, reason, clauses }) => ({
          verdict,
          who: names.people(identities),
          actions: actions.map(shown),
          on: resources.map((each) => names.resource(each)),
          ...when(condition),
          more: [],
          by: reason === 'root' ? [owning] : entries(clauses, names),
        })),
    )
  if ('what' in rows)
    return rows.what.what.map((row) => ({
      verdict: row.verdict,
      who: [identity(asked.identity ?? '')],
      actions: row.actions.map(shown),
      on: [names.resource(row.resource)],
      ...when(row.condition),
      more: [
        ...listed('except', row.except.map(shown)),
        ...listed(
          'unless',
          row.unless.map(
            ({ resource, actions, condition }) => `${some(actions.map(shown))} on ${names.resource(resource)}${spaced(texts(condition))}`,
          ),
        ),
      ],
      by: row.reason === 'root' ? [owning] : entries(row.clauses, names),
    }))
  const { who, unknown, denied } = rows.who
  const common = { actions: [shown(asked.action ?? '')], on: [names.resource(asked.resource ?? '')] }
  return [
    ...[...who, ...unknown].map((row) => ({
      ...common,
      verdict: row.verdict,
      who: [identity(row.identity)],
      ...when(row.condition),
      more: [
        ...listed('through', row.groups.map(identity)),
        ...listed(
          'members:',
          row.members.filter(({ verdict }) => verdict !== 'deny').map((each) => identity(each.identity)),
        ),
        ...listed(
          'denied members:',
          row.members.filter(({ verdict }) => verdict === 'deny').map((each) => identity(each.identity)),
        ),
        ...listed('except', row.except.map(identity)),
        ...listed(
          'unless',
          row.unless.map((each) => `${identity(each.identity)}${spaced(texts(each.condition))}`),
        ),
      ],
      by: row.reason === 'root' ? [owning] : entries(row.clauses, names),
    })),
    ...denied.map((row) => ({
      ...common,
      verdict: 'deny' as const,
      who: [identity(row.identity)],
      ...when(row.condition),
      more: [],
      by: entries(row.clauses, names),
    })),
  ]
}

const spaced = (words: string | undefined) => (words === undefined ? '' : ` (${words})`)
