import type { Catalogue } from '../actions/catalogue.ts'
import { writtenAs } from '../glob.ts'
import { momentWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { placeWords, plural, some, titleWords } from '../report/words.ts'
import type { Concern } from '../symbolic/concerning.ts'
import type { What, WhatRow } from '../symbolic/what.ts'
import { whatDetails, whatRowJson } from './described.ts'
import { type Answer, type Detail, entries, owner, type Row, say, type Wording } from './model.ts'
import { deniedItems, membersJson, noneLine } from './who.ts'

/** What an answer of `what` is about besides its identity. */
export interface AskedWhat {
  readonly identity: string
  /** Each row lists its actions of the catalogue. */
  readonly expand: boolean
  readonly catalogue: Pick<Catalogue, 'seen' | 'size'>
  readonly at: number | undefined
  /** What it was asked on. */
  readonly resource?: string | undefined
  /** Policies about both that have expired: found where nothing is left. */
  readonly expired?: readonly Concern[]
}

/** The answer of `what IDENTITY`. */
export function whatAnswer(
  { identity, expand, catalogue, at, resource, expired = [] }: AskedWhat,
  { what, complete, reasons, isCut }: What,
): Answer {
  const rows = what.map(
    (row): Row => ({
      verdict: row.verdict,
      who: [identity],
      actions: row.actions,
      on: [row.resource],
      condition: row.condition,
      by: row.reason === 'root' ? owner : entries(row.clauses),
      details: (wording) => detailsOf(row, wording),
      ...(expand && { expanded: row.known.actions }),
    }),
  )
  const none = noneLine(say.nothing, isCut, reasons)
  return {
    subject: ({ names }) => [
      names.identity(identity),
      ...(resource !== undefined && rows.length === 0 ? [`on ${names.resource(resource)}`] : []),
    ],
    lead: 'on',
    given: ['who'],
    sections: [{ title: '', tone: 'plain', may: 'may', rows }],
    none: { ...none, text: [none.text, ...expired.map(expiredWords)].join('\n') },
    notes: reasons,
    at,
    json: () => ({
      what: what.map((row) => rowJson(row, expand)),
      complete,
      reasons,
      catalogue: { seen: catalogue.seen, actions: catalogue.size },
    }),
  }
}

/** What a policy allowed until it expired. */
function expiredWords({ policy, effects }: Concern): string {
  const allowed = effects.flatMap(({ allow }) => allow.map((each) => shown(writtenAs(each))))
  const what = allowed.length === 0 ? 'actions of permissions groups' : some([...new Set(allowed)], 3)
  return `expired ${momentWords(policy.expiresAt?.value ?? 0)}: ${titleWords(policy)} (${placeWords(policy.name.span)}), which allowed ${what}`
}

const rowJson = (row: WhatRow, expand: boolean) => ({
  ...whatRowJson(row),
  ...membersJson(row.members),
  catalogue: {
    actions: row.known.actions.length,
    conditional: row.known.conditional,
    ...(expand && { names: row.known.actions }),
  },
})

function detailsOf(row: WhatRow, wording: Wording): readonly Detail[] {
  const { names } = wording
  const of = (amount: 'all' | 'some' | 'none') => row.members.filter(({ has }) => has === amount)
  return [
    ...whatDetails(row, wording),
    { label: 'members', items: of('all').map(({ identity }) => names.identity(identity)), isAside: true },
    { label: 'partly', items: deniedItems(of('some'), wording), isList: true, isAside: true },
    { label: 'denied', items: deniedItems(of('none'), wording), isList: true, isAside: true },
    { label: 'known', items: [knownWords(row.known)], isList: true, isAside: true },
  ]
}

/** How much of the catalogue a row holds. */
function knownWords({ actions, conditional }: WhatRow['known']): string {
  if (actions.length === 0) return 'no action of the catalogue'
  const limited =
    conditional === 0 ? '' : conditional === actions.length ? ', all limited by `unless`' : `, ${conditional} of them limited by \`unless\``
  return `${plural(actions.length, 'action')} of the catalogue${limited}`
}
