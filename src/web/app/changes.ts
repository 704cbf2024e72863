import type { PageChange, PageDifference, Ref } from '../../page/data.ts'
import { byKind } from '../../page/kinds.ts'
import { changesSheet } from '../../page/sheets.ts'
import { grades, type RiskGrade, textAt, worstGrade } from '../../page/words.ts'
import { endsOf } from '../../picture/short-names.ts'
import { cut, shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { type Child, el } from '../dom.ts'
import { downloads } from './downloads.ts'
import { frame } from './frame.ts'
import { bareName } from './identity-names.ts'
import type { Kind, Page, View } from './page.ts'
import { recordedCalls } from './recorded-calls.ts'
import { hrefOf } from './router.ts'
import { riskBadge, risksOfChange } from './sensitive.ts'
import { prose } from './words.ts'

/** The access that a change adds and removes, in colour and in words. */

const sides = ['gained', 'lost'] as const
const verbs = { gained: ['Gained', 'gains', 'gain'], lost: ['Lost', 'loses', 'lose'] } as const

/** For the summary; nothing where nothing was compared. */
export function summaryOf(page: Page): readonly HTMLElement[] {
  const { difference } = page.data
  if (!difference) return []
  const words = sides.map((side) => {
    const [sure, perhaps] = [true, false].map((isCertain) => difference[side].filter((change) => change.isCertain === isCertain))
    const beyond = difference.beyond[side]
    const isNone = difference[side].length === 0
    const none = `No identity ${difference.isOpen ? `is known to ${verbs[side][2]}` : verbs[side][1]} access to what is described.`
    const beyondPart = beyond > 0 && ` ${beyondWords(beyond)}.`
    // A badge says that something was gained or lost: there is none where nothing was.
    if (isNone && beyond === 0) return el('li', {}, none)
    return el(
      'li',
      { class: side },
      badgeOf(side, gradeOf(page, side)),
      countsOf(page, sure ?? [], side, ''),
      countsOf(page, perhaps ?? [], side, 'perhaps '),
      isNone && ` ${none}`,
      beyondPart,
    )
  })
  return [
    el(
      'section',
      { class: 'difference' },
      el('h2', {}, 'What changes'),
      el('p', {}, 'Compared with ', el('code', {}, cut(shown(difference.before), 200)), ':'),
      el('ul', { class: 'facts' }, ...words),
      ...openParts(difference),
    ),
  ]
}

/** The highest grade of what a side has. How sensitive changes are that are not described is not known: they may be. */
function gradeOf({ data, tables }: Page, side: (typeof sides)[number]): RiskGrade | undefined {
  const { difference } = data
  const grade = worstGrade((difference?.[side] ?? []).flatMap((change) => risksOfChange(tables, change)))
  return grade !== 'high' && (difference?.beyond[side] ?? 0) > 0 ? 'medium' : grade
}

/** Access that is lost is quiet; what is gained has the colour of the harm that it can do. */
const badgeOf = (side: (typeof sides)[number], grade: RiskGrade | undefined): HTMLElement =>
  el('span', { class: `badge ${side === 'lost' ? 'less' : (grade ?? 'info')}` }, side === 'gained' ? '+ gained' : '− lost')

const beyondWords = (beyond: number) =>
  `${plural(beyond, 'more change')} for things that are not described: no policy or world file names them`

/** The identities with changed access, and on how many resources, in a sentence. */
function countsOf({ data }: Page, changes: readonly PageChange[], side: (typeof sides)[number], confidence: '' | 'perhaps '): Child {
  if (changes.length === 0) return false
  const all = [...new Set(changes.flatMap(({ identities }) => identities))]
  const who = [
    ...byKind(
      data,
      all.filter((each) => typeof each === 'number'),
    ),
    ...all.filter((each) => typeof each === 'string'),
  ]
  const on = new Set(changes.flatMap(({ resources }) => resources))
  const nameOf = (each: Ref | string) => {
    const known = typeof each === 'number' ? data.identities[each] : undefined
    return known ? bareName(known) : endsOf(shown(String(each)), 60)
  }
  const names = who.length > mostNamed ? plural(who.length, 'identity') : who.map(nameOf).join(', ')
  const link = el('a', { href: hrefOf({ name: 'changes', query: new URLSearchParams({ side }) }) }, names)
  return [' ', link, ` ${confidence}${who.length === 1 ? verbs[side][1] : verbs[side][2]} access to ${plural(on.size, 'resource')}.`]
}

/** Up to so many identities are named in the summary. */
const mostNamed = 5

const openParts = ({ isOpen }: PageDifference): readonly HTMLElement[] =>
  isOpen ? [el('p', {}, 'Not everything could be compared: there may be more.')] : []

/** The change of an identity's access to a resource, or to resources of a type, and whether it is certain. */
export type ChangeAt = (identity: Ref, column: Ref, isByType: boolean) => Change | undefined
export interface Change {
  readonly side: 'gained' | 'lost' | 'both'
  /** Not sure: some of it perhaps. */
  readonly isCertain: boolean
  /** How sensitive what is gained is; undefined where none of it is sensitive. */
  readonly grade: RiskGrade | undefined
}

/** Undefined where nothing was compared. */
export function changeAt({ data, tables }: Page): ChangeAt | undefined {
  const { difference, resources, types } = data
  if (!difference) return undefined
  const [pairs, byType] = [new Map<number, number>(), new Map<number, number>()]
  const note = (map: Map<number, number>, key: number, bits: number) => map.set(key, (map.get(key) ?? 0) | bits)
  for (const [i, side] of sides.entries())
    for (const change of difference[side]) {
      const grade = side === 'gained' ? worstGrade(risksOfChange(tables, change)) : undefined
      const gradeBit = grade === undefined ? 0 : 1 << (4 + grades.indexOf(grade))
      for (const who of change.identities)
        for (const on of change.resources) {
          if (typeof who !== 'number' || typeof on !== 'number') continue
          // Uncertain changes have separate bits.
          const bits = ((i + 1) << (change.isCertain ? 0 : 2)) | gradeBit
          note(pairs, who * resources.length + on, bits)
          note(byType, who * types.length + (resources[on]?.type ?? 0), bits)
        }
    }
  return (identity, column, isByType) => {
    const bits = isByType ? byType.get(identity * types.length + column) : pairs.get(identity * resources.length + column)
    if (bits === undefined) return undefined
    const [sure, all] = [bits & 3, (bits | ((bits >> 2) & 3)) & 3]
    return {
      side: (['gained', 'lost', 'both'] as const)[all - 1] ?? 'both',
      isCertain: sure === all,
      grade: grades.find((_, i) => bits & (1 << (4 + i))),
    }
  }
}

const changeNames = { gained: 'some of it gained', lost: 'some lost', both: 'some gained and some lost' } as const
const changeSigns = { gained: '+', lost: '−', both: '±' } as const

/** The colour of a changed cell: that of the harm that the gained part can do. */
export const changeClass = ({ side, grade }: Change) => (side === 'lost' ? 'less' : (grade ?? 'info'))
export const changeWords = ({ side, isCertain: isSure }: Change) => `${isSure ? '' : 'perhaps '}${changeNames[side]}`
export const changeMark = ({ side, isCertain: isSure }: Change) => `${changeSigns[side]}${isSure ? '' : '?'}`

export const changes: View = {
  name: 'changes',
  title: 'Changes',
  has: ({ data }) => data.difference !== null,
  show(place, { query }, page) {
    const { difference } = page.data
    if (!difference) return
    place.append(
      el(
        'p',
        {},
        'Compared with ',
        el('code', {}, cut(shown(difference.before), 200)),
        '. Each entry is one change for identities, actions and resources that are described.',
      ),
      ...openParts(difference),
    )
    const wanted = sides.find((each) => each === query.get('side'))
    place.append(downloads(page, () => [changesSheet(page, wanted)]))
    for (const side of sides.filter((each) => wanted === undefined || each === wanted)) {
      const all = difference[side]
      place.append(
        el(
          'section',
          {},
          el('h2', {}, `${verbs[side][0]}: ${plural(all.length, 'change')}`),
          all.length === 0 && el('p', { class: 'soft' }, 'Nothing.'),
          ...all.slice(0, 300).map((change) => changeItem(change, side, page)),
          all.length > 300 && el('p', { class: 'soft' }, `and ${all.length - 300} more`),
          difference.beyond[side] > 0 &&
            el(
              'p',
              { class: 'soft' },
              `${beyondWords(difference.beyond[side])}: `,
              el('code', {}, 'grantwise diff'),
              ' lists what it can name.',
            ),
        ),
      )
    }
  },
}

function changeItem(change: PageChange, side: (typeof sides)[number], { data, tables, link }: Page): HTMLElement {
  const { identities, resources, actions, when, isCertain, causes, calls = [] } = change
  const risks = risksOfChange(tables, change)
  const grade = worstGrade(risks)
  const names = (kind: Kind, all: PageChange['identities'], urns: readonly { readonly urn: string }[]) =>
    all
      .slice(0, 8)
      .flatMap((each, i) => [i > 0 ? ', ' : '', typeof each === 'string' ? cut(shown(each), 120) : link(kind, urns[each]?.urn ?? '')])
      .concat(all.length > 8 ? [` and ${all.length - 8} more`] : [])
  return el(
    'article',
    { class: `change ${side === 'lost' ? 'less' : (grade ?? 'info')}` },
    el(
      'p',
      { class: 'title' },
      badgeOf(side, grade),
      ' ',
      ...names('identity', identities, data.identities),
      ' on ',
      ...names('resource', resources, data.resources),
    ),
    el(
      'p',
      {},
      `${plural(actions.length, 'action')}: `,
      el('code', {}, shown(actions.slice(0, 6).join(', '))),
      actions.length > 6 && ` and ${actions.length - 6} more`,
    ),
    risks.length > 0 && el('p', {}, 'Sensitive: ', ...risks.flatMap((risk, i) => [i > 0 ? ' ' : '', riskBadge(risk)])),
    when >= 0 && el('p', {}, `When: ${textAt(data, when)}`),
    !isCertain && el('p', {}, 'Perhaps: it depends on facts that are not known.'),
    ...recordedCalls(calls),
    causes
      .slice(0, 3)
      .map(([words, place]) => el('div', {}, el('p', { class: 'soft' }, 'Because of ', ...prose(words, 300)), frame(tables, place))),
  )
}
