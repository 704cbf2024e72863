import type { Catalogue } from '../actions/catalogue.ts'
import { plural } from '../report/words.ts'
import type { What, WhatRow } from '../symbolic/what.ts'
import { whatDetails, whatRowJson } from './beyond.ts'
import { type Answer, type Detail, entries, jsonOf, owner, type Row, type Wording } from './model.ts'
import { nothing } from './sentences.ts'
import { deniedItems, membersJson, noneLine } from './who.ts'

/** What an answer of `what` is about besides its identity. */
export interface AskedWhat {
  readonly identity: string
  /** Each row lists its actions of the catalogue. */
  readonly expand: boolean
  readonly catalogue: Pick<Catalogue, 'seen' | 'size'>
  readonly at: number | undefined
}

/** The answer of `what IDENTITY`. */
export function whatAnswer({ identity, expand, catalogue, at }: AskedWhat, { what, complete, reasons, isCut }: What): Answer {
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
      json: () => rowJson(row, expand),
    }),
  )
  return {
    subject: ({ names }) => [names.identity(identity)],
    lead: 'on',
    given: ['who'],
    sections: [{ title: '', tone: 'plain', may: 'may', rows }],
    none: noneLine(nothing, isCut, reasons),
    notes: reasons,
    at,
    json: () => ({
      what: jsonOf(rows),
      complete,
      reasons,
      catalogue: { seen: catalogue.seen, actions: catalogue.size },
    }),
  }
}

function rowJson(row: WhatRow, expand: boolean) {
  return {
    ...whatRowJson(row),
    ...membersJson(row.members),
    catalogue: {
      actions: row.known.actions.length,
      conditional: row.known.conditional,
      ...(expand && { names: row.known.actions }),
    },
  }
}

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
