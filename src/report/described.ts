import type { DescribedChange, DescribedDifference } from '../diff/described.ts'
import type { ComparedTime, Difference, DiffRegion } from '../diff/diff.ts'
import { Windows } from '../symbolic/windows.ts'
import { anyAddress, anyInstant, questionJson } from '../symbolic/witness.ts'
import type { Paint } from './colour.ts'
import { conditionPhrase, conditionTexts, conditionWords, formulaWords } from './conditions.ts'
import { causeJson, causeWords } from './difference.ts'
import { endWords, isoWords, momentWords, sinceWords } from './instants.ts'
import { codeSpan, prose } from './markdown.ts'
import type { Names } from './names.ts'
import { cut, shown } from './safe.ts'
import { plural, some } from './words.ts'

/** Reports of what changes for the things that are described: people, resources and actions by name, counted exactly. */

/** What a report lists: what is described, regions that hold known actions, or every region. */
export type Over = 'known' | 'catalogue' | 'everything'

type Side = 'gained' | 'lost'

/** The limits of items in a list, of changes in a side, of lines for them, and of causes. */
const [mostItems, mostChanges, mostLines, mostCauses] = [8, 12, 32, 3]

/** How many combinations of identity, action and resource some changes are. */
function combinations(changes: readonly DescribedChange[]): number {
  return changes.reduce((sum, { identities, actions, resources }) => sum + identities.length * actions.length * resources.length, 0)
}

/** Regions in which nothing lies that is described. */
export function undescribed(regions: readonly DiffRegion[]): readonly DiffRegion[] {
  return regions.filter(({ isDescribed }) => !isDescribed)
}

/** A change as machines read it. */
function changeJson({ identities, actions, resources, condition, certain, witness, causes, isPast }: DescribedChange) {
  return {
    identities,
    actions,
    resources,
    condition: formulaWords(condition) ?? null,
    certain,
    witness: questionJson(witness),
    causes: causes.map(causeJson),
    ...(isPast && { past: true }),
  }
}

/** The changes as machines read them, with how many combinations of identity, action and resource each side is. */
export function describedJson({ gained, lost, undecided }: DescribedDifference) {
  return {
    gained: gained.map(changeJson),
    lost: lost.map(changeJson),
    combinations: { gained: combinations(gained), lost: combinations(lost) },
    undecided,
  }
}

/** A question as the arguments and options of `can`, without the facts that do not matter. `now`: the instant that need not be given. */
export function questionWords(
  { identity, action, resource, ip, at, tags }: DescribedChange['witness'],
  names: Pick<Names, 'identity' | 'resource'>,
  now?: number,
): string {
  const question = questionJson({ identity, action, resource, groups: [], at, ...(ip && { ip }), ...(tags && { tags }) })
  return [
    names.identity(identity),
    shown(action),
    names.resource(resource),
    ...(ip === anyAddress ? [] : [`--ip ${question.ip}`]),
    ...Object.entries(question.tags ?? {}).map(([key, value]) => `--tag ${shown(key)}=${shown(value)}`),
    ...(at === anyInstant || at === now ? [] : [`--at ${question.at}`]),
  ].join(' ')
}

const label = (name: string) => name.padEnd(8)

function changeLines(
  side: Side,
  change: DescribedChange,
  names: Names,
  windows: Windows,
  now: number | undefined,
  paint: Paint,
  isBeyond: boolean,
): readonly string[] {
  const { identities, actions, resources, condition, certain, causes, witness } = change
  const when = conditionWords(condition, windows)
  const isOne = identities.length * actions.length * resources.length === 1
  return [
    `  ${paint.bold(some(names.people(identities), mostItems))}`,
    `    ${label(certain ? (side === 'lost' ? 'could' : 'may') : 'perhaps')}${some(actions.map(shown), mostItems)}`,
    `    ${label('on')}${some(
      resources.map((each) => names.resource(each)),
      mostItems,
    )}`,
    ...(when === undefined ? [] : [`    ${label('when')}${when}`]),
    ...(change.isPast ? [`    ${label('')}only in the past`] : []),
    ...(isOne && when === undefined ? [] : [`    ${label('such as')}${questionWords(witness, names, now)}`]),
    ...causes
      .slice(0, mostCauses)
      .map((cause, i) => `    ${label(i === 0 ? 'by' : '')}${causeWords(isBeyond ? 'beyond' : side, cause, names)}`),
    ...(causes.length > mostCauses ? [`    ${label('')}and ${causes.length - mostCauses} more`] : []),
  ]
}

/** That nothing differs: at the instants that were compared, where it hangs on these. */
export function sameWords({ time }: Pick<Difference, 'time'>): string {
  return `the same access: proved over all identities, actions, resources and contexts${time ? ` ${comparedWords(time)}` : ''}`
}

/** What a difference hangs on: what is taken to be the same on both sides, and what else changes. */
export function takenWords({ verdict, gained, lost, taken = [], deployment = [], undecided }: Difference): readonly string[] {
  const isSame = verdict === 'undecided' && undecided.length === 0 && gained.length === 0 && lost.length === 0
  const claim = isSame ? 'the same access' : 'no more than that'
  const names = some(
    taken.map((what) => `\`${shown(what)}\``),
    3,
  )
  const files = some(
    deployment.map(({ path, why }) => `\`${shown(path)}\` (${shown(why)})`),
    3,
  )
  return [
    ...(taken.length > 0 ? [`${claim} only if ${names} ${taken.length > 1 ? 'are' : 'is'} the same on both sides`] : []),
    ...(deployment.length > 0
      ? [
          `${claim} in the policies; what is deployed may change with ${files}, ${deployment.length > 1 ? 'whose effects are' : 'whose effect is'} not known`,
        ]
      : []),
  ]
}

function comparedWords(time: ComparedTime): string {
  if (time.kind === 'at') return `at ${momentWords(time.at)}`
  if (time.kind === 'between') return `at ${momentWords(time.before)} and at ${momentWords(time.after)}`
  return `${sinceWords(time.from)} ${time.to === undefined ? 'on' : `to ${endWords(time.to)}`}`
}

/** The instants that were compared, as machines read them. */
export function comparedJson(time: ComparedTime) {
  if (time.kind === 'at') return { at: isoWords(time.at) }
  if (time.kind === 'between') return { before: isoWords(time.before), after: isoWords(time.after) }
  return { from: isoWords(time.from), ...(time.to !== undefined && { to: isoWords(time.to) }) }
}

/** What kind of difference there is, in one line. */
export function kindWords(difference: Difference): string {
  const { verdict, gained, lost, described, undecided, time } = difference
  if (verdict === 'same') return sameWords({ ...(time && { time }) })
  const sideWords = (name: string, changes: readonly DescribedChange[], regions: readonly DiffRegion[]) => {
    const others = undescribed(regions).length
    if (changes.length === 0 && others === 0) return []
    if (changes.length === 0) return [`${name} only beyond what is described: ${plural(others, 'region')}`]
    return [
      `${name}: ${plural(changes.length, 'change')} for what is described${others > 0 ? `, ${plural(others, 'region')} beyond it` : ''}`,
    ]
  }
  return [
    ...sideWords('access gained', described?.gained ?? [], gained),
    ...sideWords('access lost', described?.lost ?? [], lost),
    ...(described?.undecided || undecided.length > 0 ? ['not fully decided: too many combinations'] : []),
    ...takenWords(difference),
  ].join('; ')
}

/** The line for what the list of changes leaves out; none when it leaves out nothing. */
export function restLines({ gained, lost, described }: Pick<Difference, 'gained' | 'lost' | 'described'>): readonly string[] {
  const count = undescribed(gained).length + undescribed(lost).length
  if (count === 0) return []
  const [words, help] = restWords(count, (described?.gained.length ?? 0) + (described?.lost.length ?? 0) > 0)
  return [`${words}; ${help}`]
}

/** How many regions concern nothing known, and what lists them. `isMore`: besides the changes that are listed. */
export function restWords(count: number, isMore: boolean): readonly [words: string, help: string] {
  const [concern, them] = count === 1 ? ['region concerns', 'it'] : ['regions concern', 'them']
  return [`${count}${isMore ? ' more' : ''} ${concern} no known action, resource or member`, `\`--over everything\` lists ${them}`]
}

/** The changes for what is described, for people. `title`: in the place of the name of the side. */
export function describedLines({ described }: Difference, names: Names, paint: Paint, title?: string): readonly string[] {
  const colour = { gained: title === undefined ? paint.warning : paint.error, lost: paint.info }
  const windows = new Windows({ from: described?.from })
  let room = mostLines
  return (['gained', 'lost'] as const).flatMap((side) => {
    const changes = described?.[side] ?? []
    if (changes.length === 0) return []
    const blocks = changes
      .slice(0, mostChanges)
      .map((change) => changeLines(side, change, names, windows, described?.from, paint, title !== undefined))
    while (blocks.length > 1 && blocks.flat().length > room) blocks.pop()
    room -= blocks.flat().length
    const left = changes.length - blocks.length
    return [
      colour[side](
        `${title ?? side} (${changes.length}): ${plural(combinations(changes), 'combination')} of identity, action and resource`,
      ),
      ...blocks.flat(),
      ...(left > 0 ? [`  and ${plural(left, 'more change')}: \`--format json\` lists all`] : []),
    ]
  })
}

/** A line for each side: how much changes, for whom, and because of what. */
export function describedSummary({ described }: Difference, names: Names): readonly string[] {
  return (['gained', 'lost'] as const).flatMap((side) => {
    const changes = described?.[side] ?? []
    if (changes.length === 0) return []
    const people = names.people([...new Set(changes.flatMap(({ identities }) => identities))])
    const causes = [...new Set(changes.flatMap((change) => change.causes.map((cause) => causeWords(side, cause, names))))]
    return [`${side}: ${plural(combinations(changes), 'combination')} for ${some(people, 2)} · by ${some(causes, 1)}`]
  })
}

/** One line for each change, with whole URNs. */
export function describedCompact({ described }: Difference, title?: string): readonly string[] {
  const texts = conditionTexts()
  return (['gained', 'lost'] as const).flatMap((side) =>
    (described?.[side] ?? []).map(({ identities, actions, resources, condition, certain, causes }) => {
      const when = texts(condition)
      return [
        `${title ?? side}${certain ? '' : ' perhaps'} ${some(identities.map(shown))}`,
        some(actions.map(shown)),
        some(resources.map(shown)),
        ...(when === undefined ? [] : [conditionPhrase(when)]),
        ...(causes.length > 0
          ? [
              `by ${causes
                .slice(0, mostCauses)
                .map((cause) => causeWords(title === undefined ? side : 'beyond', cause))
                .join(', ')}`,
            ]
          : []),
      ].join(' · ')
    }),
  )
}

/** How long a name may be in Markdown. */
const longestItem = 300

/** The changes for what is described, as a table of Markdown for each side. */
export function describedTables({ described }: Difference, names: Names, title?: string): readonly string[] {
  const code = (text: string) => codeSpan(cut(text, longestItem))
  const list = (items: readonly string[]) =>
    `${items.slice(0, mostItems).map(code).join('<br>')}${items.length > mostItems ? `<br>and ${items.length - mostItems} more` : ''}`
  const texts = conditionTexts()
  return (['gained', 'lost'] as const).flatMap((side) => {
    const changes = described?.[side] ?? []
    if (changes.length === 0) return []
    const rows = changes.slice(0, mostChanges).map(({ identities, actions, resources, condition, certain, causes }) => {
      const when = texts(condition)
      const cells = [
        list(names.people(identities)),
        `${certain ? '' : 'perhaps '}${list(actions)}`,
        list(resources.map((each) => names.resource(each))),
        when === undefined ? '' : prose(cut(when, longestItem)),
        causes
          .slice(0, mostCauses)
          .map((cause) => prose(cut(causeWords(title === undefined ? side : 'beyond', cause, names), longestItem)))
          .join('<br>'),
      ]
      return `| ${cells.join(' | ')} |`
    })
    const left = changes.length - mostChanges
    return [
      `### Access ${title ?? side}\n`,
      `| who | ${side === 'lost' ? 'could' : 'may'} do | on | when | because of |\n|---|---|---|---|---|`,
      ...rows,
      '',
      ...(left > 0 ? [`${plural(left, 'more change')}: \`--format json\` lists all.\n`] : []),
    ]
  })
}
