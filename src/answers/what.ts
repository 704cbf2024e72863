import type { Catalogue } from '../actions/catalogue.ts'
import { matches, writtenAs } from '../glob.ts'
import { momentWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { firstFew, placeWords, plural, presentParts, titleWords } from '../report/words.ts'
import type { Concern } from '../symbolic/concerning.ts'
import type { RowMember, What, WhatRow } from '../symbolic/what.ts'
import { whatDetails, whatRowJson } from './described.ts'
import { type Answer, type Detail, decided, presentDetails, type Row, type RowUses, say, section, type Wording } from './model.ts'
import { deniedItems, membersJson, noneLine } from './who.ts'

export interface AskedWhat {
  readonly identity: string
  /** Each row lists its actions of the catalogue. */
  readonly expand: boolean
  readonly catalogue: Pick<Catalogue, 'seen' | 'size'>
  readonly at: number | undefined
  readonly resource?: string | undefined
  /** Policies about both that have expired: found where nothing is left. */
  readonly expired?: readonly Concern[]
}

export function whatAnswer(asked: AskedWhat, answer: What, uses?: RowUses): Answer {
  const { what, reasons, isCut } = answer
  const { identity, expand, catalogue, at, resource, expired = [] } = asked
  for (const row of what)
    if (row.reason !== 'root')
      uses?.askNames(row, { identities: [identity], actions: row.actions, resources: [row.resource], exceptActions: row.except })
  const rowOf = (row: WhatRow): Row => ({
    ...decided(row),
    who: [identity],
    actions: row.actions,
    on: [row.resource],
    details: (wording) => [...detailsOf(row, wording), ...presentDetails(uses?.detail(row, wording))],
    ...(expand && { expanded: row.known.actions }),
  })
  const none = noneLine(say.nothing, isCut, reasons)
  return {
    subject: ({ names }) =>
      presentParts(names.identity(identity), resource !== undefined && what.length === 0 && `on ${names.resource(resource)}`),
    lead: 'on',
    given: ['who'],
    sections: [section('', 'plain', what.map(rowOf))],
    none: { ...none, text: [none.text, ...expired.map(expiredWords)].join('\n') },
    notes: reasons,
    at,
    json: () => whatJson(answer, catalogue, expand, uses),
  }
}

/**
 * The answer as `grantwise what --format json` prints it: conditions and facts in words, entries with their places. `expand`: with
 * the names of the catalogue's actions in each row.
 */
export const whatJson = ({ what, complete, reasons }: What, { seen, size }: AskedWhat['catalogue'], expand = false, uses?: RowUses) => ({
  what: what.map((row) => ({ ...rowJson(row, expand), ...uses?.json(row) })),
  complete,
  reasons,
  catalogue: { seen, actions: size },
})

function expiredWords({ policy, effects }: Concern): string {
  const allowed = effects.flatMap(({ allow }) => allow.map((each) => shown(writtenAs(each))))
  const what = allowed.length === 0 ? 'actions of permissions groups' : firstFew([...new Set(allowed)], 3)
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
  const { known } = row
  const loses = ({ clauses }: RowMember) =>
    known.actions.length === 0 || clauses.some(({ entry }) => known.actions.some((action) => matches(entry.value, action)))
  const partly = of('some')
  const idle = partly.filter((member) => !loses(member))
  const idleWords = idle.length > 0 ? ['denied at most patterns that match no action of the catalogue'] : []
  return [
    ...whatDetails(row, wording),
    { label: 'members', items: [...of('all'), ...idle].map(({ identity }) => names.identity(identity)), isAside: true },
    { label: '', items: idleWords, isAside: true },
    { label: 'partly', items: deniedItems(partly.filter(loses), wording), isList: true, isAside: true },
    { label: 'denied', items: deniedItems(of('none'), wording), isList: true, isAside: true },
    { label: 'matches', items: presentParts(matchedWords(row)), isList: true, isAside: true },
  ]
}

/** How much of the catalogue the patterns of a row match; nothing where it lists each action. */
function matchedWords({ actions, except, unless, known }: WhatRow): string | undefined {
  const { conditional, excepted } = known
  if (known.actions.length === 0) return 'no action of the catalogue'
  if (conditional === 0 && known.actions.length === actions.length && actions.every((action) => !action.includes('*'))) return undefined
  return presentParts(
    `${plural(known.actions.length, 'action')} of the catalogue`,
    conditional > 0 && `${conditional === known.actions.length ? 'all' : `${conditional} of them`} limited by \`but not\``,
    except.length > 0 && excepted === 0 && '`except` matches none',
    unless.length > 0 && conditional + excepted === 0 && '`but not` matches none',
  ).join(', ')
}
