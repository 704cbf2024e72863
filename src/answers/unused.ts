import { clauseJson } from '../report/decision.ts'
import { momentWords } from '../report/instants.ts'
import { plural, recordsUsed, said, some } from '../report/words.ts'
import { always } from '../symbolic/formula.ts'
import type { Tally } from '../usage/tally.ts'
import type { Unused, UnusedEntry } from '../usage/unused.ts'
import { type Answer, entries as basisOf, type Row } from './model.ts'
import { Gravity } from './order.ts'

/** The answer of `least --unused`. A row is an entry of a policy. */
export function unusedAnswer(unused: Unused, tally: Tally, skipped: number): Answer {
  const gravity = new Gravity()
  const rows = unused.entries.map((entry) => [entry, rowOf(entry, gravity)] as const)
  const whole = rows.filter(([{ isWhole }]) => isWhole).map(([, row]) => row)
  const partly = rows.filter(([{ isWhole }]) => !isWhole).map(([, row]) => row)
  const records = `${recordsUsed(tally)}${timesOfRecords(tally)}`
  const groups = unused.unknownGroups
  return {
    subject: () => [`${whole.length} of ${plural(unused.of, 'entry')} unused, ${partly.length} partly used, in ${records}`],
    sections: [
      { title: `unused (${whole.length})`, name: 'unused', tone: 'warning', may: 'may', rows: whole },
      { title: `partly used (${partly.length})`, name: 'partly used', tone: 'plain', may: 'may', rows: partly },
    ],
    none: { text: 'every action that an entry grants was used', tone: 'good' },
    notes: said(
      skipped > 0 && `${plural(skipped, 'line')} skipped that cannot be read: what is in them counts as unused`,
      unused.isByTags && 'resources are taken to have had the tags that they have today',
      groups.length > 0 && `what permissions groups grant that are not described is not listed: ${some(groups, 3)}`,
    ),
    lead: 'by',
    given: ['actions'],
    json: () => ({ unused: unusedJson(unused) }),
  }
}

/** The entries as machines read them. */
export const unusedJson = ({ entries }: Unused) => entries.map(entryJson)

const entryJson = ({ clause, actions, isWhole }: UnusedEntry) => ({
  ...clauseJson(clause),
  identities: clause.policy.identities.map(({ value }) => value.text),
  resources: clause.policy.resources.map(({ value }) => value.text),
  actions,
  whole: isWhole,
})

function rowOf(entry: UnusedEntry, gravity: Gravity): Row {
  const { clause, actions } = entry
  const { identities, resources } = entryJson(entry)
  const isSaid = actions.length === 1 && actions[0] === clause.entry.value.text
  return {
    verdict: 'allow',
    who: identities,
    actions,
    on: resources,
    condition: always,
    by: basisOf([clause]),
    details: () => [{ label: 'unused', items: isSaid ? [] : gravity.ordered(actions) }],
    json: () => entryJson(entry),
  }
}

/** From when to when records were used, where they say: ` from … to …`. */
function timesOfRecords({ uses, left }: Tally): string {
  const all = [...uses, ...Object.values(left).flat()]
  const times = all.flatMap(({ first, last }) => (first === undefined || last === undefined ? [] : [first, last]))
  if (times.length === 0) return ''
  const [from, to] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
  return from === to ? ` at ${toTheSecond(from)}` : ` from ${toTheSecond(from)} to ${toTheSecond(to)}`
}

const toTheSecond = (at: number) => momentWords(Math.floor(at / 1000) * 1000)
