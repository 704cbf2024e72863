import type { Diagnostic } from '../diagnostic.ts'
import type { Cause } from '../diff/causes.ts'
import type { Difference, DiffRegion, Except, Resources } from '../diff/diff.ts'
import { keyOf } from '../keys.ts'
import { titled } from '../policy.ts'
import type { Meaning } from '../rules/rule.ts'
import { position } from '../source.ts'
import { Windows } from '../symbolic/windows.ts'
import { questionJson } from '../symbolic/witness.ts'
import type { Paint } from './colour.ts'
import { type ConditionTexts, conditionPhrase, conditionTexts, conditionWords, formulaWords } from './conditions.ts'
import {
  comparedJson,
  describedCompact,
  describedJson,
  describedLines,
  describedTables,
  kindWords,
  type Over,
  questionWords,
  restLines,
  restWords,
  sameWords,
  takenWords,
  undescribed,
} from './described.ts'
import { codeSpan, mostBytes, prose, utf8Length } from './markdown.ts'
import { Names } from './names.ts'
import { cut, shown } from './safe.ts'
import { more, placeJson, plural, some } from './words.ts'

/** Reports of `diff`: as JSON, as a line each, for people, as Markdown, and as findings. */

/** What a report lists, and how it names things. */
export interface View {
  readonly over: Over
  readonly names: Names
}

/** A difference with what the second world allows beyond a ceiling; undefined where no ceiling was given. */
export interface DiffReport {
  readonly difference: Difference
  readonly beyond: Difference | undefined
  /** The words of conditions; without it, those over all times. */
  readonly texts?: ConditionTexts
}

// JSON.

function resourceJson({ pattern }: Resources): string {
  return pattern
}

/** Where a pattern says too much, what the type and name match besides. */
function narrowerJson(resources: readonly Resources[]) {
  const narrower = resources.filter(({ name }) => name !== undefined)
  return narrower.length === 0 ? {} : { narrower: narrower.map(({ pattern, type, name }) => ({ resource: pattern, type, name })) }
}

function exceptJson({ why, identities, resources, actions, unless, condition, policy }: Except) {
  return {
    why,
    identities,
    resources: resources?.map(resourceJson) ?? null,
    ...(resources && narrowerJson(resources)),
    actions,
    ...(unless.length > 0 && { unless: unless.map(([dimension, pattern]) => ({ dimension, pattern })) }),
    condition: formulaWords(condition) ?? null,
    policy: policy?.name.value ?? null,
    ...(policy && placeJson(policy.name.span)),
  }
}

/** What a region rests on, as machines read it. */
export function causeJson({ span, side, change, what, name, address }: Cause) {
  return { ...placeJson(span), side, change, what, policy: name, ...(address !== undefined && { address }) }
}

/** A region as machines read it. */
export function regionJson(region: DiffRegion) {
  return {
    identities: region.identities,
    ...(region.groups.length > 0 && { groups: region.groups }),
    actions: region.actions,
    resources: region.resources.map(resourceJson),
    ...narrowerJson(region.resources),
    condition: formulaWords(region.condition) ?? null,
    except: region.except.map(exceptJson),
    certain: region.certain,
    witness: questionJson(region.witness),
    causes: region.causes.map(causeJson),
    ...(region.catalogue && { catalogue: { actions: region.catalogue.length } }),
    known: region.known,
    ...(region.isPast && { past: true }),
  }
}

/** The answer of `diff` as machines read it. */
export function differenceJson(difference: Difference, beyond?: Difference) {
  const { described } = difference
  return {
    verdict: difference.verdict,
    gained: difference.gained.map(regionJson),
    lost: difference.lost.map(regionJson),
    ...(beyond && { beyond: beyond.gained.map(regionJson) }),
    undecided: [
      ...difference.undecided.map(({ side, culprits }) => ({ side, patterns: culprits })),
      ...(beyond?.undecided ?? []).map(({ culprits }) => ({ side: 'beyond', patterns: culprits })),
    ],
    ...(difference.deployment && { deployment: difference.deployment }),
    ...(difference.time && { time: comparedJson(difference.time) }),
    ...(described && { described: describedJson(described) }),
    ...(beyond?.described && { beyondDescribed: describedJson(beyond.described) }),
  }
}

// In words.

const resourceWords = ({ pattern, type, name }: Resources) =>
  name === undefined ? shown(pattern) : `${shown(pattern)} (type \`${shown(type ?? '*')}\`, name \`${shown(name)}\`)`

type SideName = 'gained' | 'lost' | 'beyond'

/** Why an exception is one, by the side that the region stands on. */
const reasons: Readonly<Record<SideName, Readonly<Record<Except['why'], string>>>> = {
  gained: {
    denied: 'AFTER denies it',
    already: 'BEFORE also allowed it',
    except: 'excepted by the entry that grants the rest',
    apart: 'reported separately',
  },
  lost: {
    denied: 'BEFORE denied it',
    already: 'AFTER still allows it',
    except: 'excepted by the entry that granted the rest',
    apart: 'reported separately',
  },
  beyond: {
    denied: 'AFTER denies it',
    already: 'the ceiling allows it',
    except: 'excepted by the entry that grants the rest',
    apart: 'reported separately',
  },
}

/** An exception on one line, without what it shares with its whole region. */
function exceptWords(
  side: SideName,
  region: DiffRegion,
  { why, identities, resources, actions, unless, condition, policy }: Except,
  texts: ConditionTexts,
): string {
  const differs = (list: readonly string[] | undefined, of: readonly string[]) => list !== undefined && keyOf(list) !== keyOf(of)
  const parts: string[] = []
  if (identities && differs(identities, region.identities)) parts.push(some(identities.map(shown)))
  if (actions && differs(actions, region.actions)) parts.push(some(actions.map(shown)))
  const where = resources?.map(resourceWords)
  if (where && differs(where, region.resources.map(resourceWords))) parts.push(`on ${some(where)}`)
  if (unless.length > 0) parts.push(`but not ${some(unless.map(([, pattern]) => shown(pattern)))}`)
  const when = texts(condition)
  if (when !== undefined) parts.push(conditionPhrase(when))
  return `${parts.join(' ') || 'all of it'}: ${reasons[side][why]}${policy ? ` (${shown(policy.name.value)})` : ''}`
}

/** The limits of items in a list, exceptions in a region, and regions in a side. */
const [mostItems, mostExcepts, mostRegions] = [8, 6, 40]

/** What a region rests on, and where that is written. `names`: for what a world file describes, which goes by its URN. */
export function causeWords(of: SideName, { span, side, change, what, name, address }: Cause, names?: Pick<Names, 'any'>): string {
  const { line } = position(span.source, span.start)
  const subject = names && address === undefined && name.startsWith('urn:') ? names.any(name) : shown(titled(name, address))
  return `${shown(span.source.path)}:${line}  ${subject}: ${shown(what)}${of === 'beyond' ? '' : ` ${change}`}${side === 'before' ? ' (in BEFORE)' : ''}`
}

/** A witness as the arguments and options of `can`: who, what, and under which circumstances. */
function witnessParts({ witness }: DiffRegion): readonly [who: string, what: string, circumstances: string] {
  const { identity, groups, action, resource, ip, tags = {}, at, owner } = questionJson(witness)
  const circumstances = [
    ...groups.map((group) => `--group ${shown(group)}`),
    ...(ip === undefined ? [] : [`--ip ${ip}`]),
    ...Object.entries(tags).map(([key, value]) => `--tag ${shown(key)}=${shown(value)}`),
    `--at ${at}`,
    ...(owner === undefined ? [] : [`--owner ${shown(owner)}`]),
  ]
  return [shown(identity), `${shown(action)} ${shown(resource)}`, circumstances.join(' ')]
}

/** The same on one line. */
const witnessWords = (region: DiffRegion) => witnessParts(region).join(' ')

function countWords({ catalogue, known: { identities, resources } }: DiffRegion): string {
  return [
    ...(catalogue ? [`${plural(catalogue.length, 'action')} of the catalogue`] : []),
    ...(identities > 0 ? [plural(identities, 'known identity')] : []),
    ...(resources > 0 ? [plural(resources, 'known resource')] : []),
  ].join(', ')
}

const whoWords = ({ identities, groups }: DiffRegion) =>
  `${some(identities.map(shown))}${groups.length > 0 ? ` who is also in ${groups.map(shown).join(' and ')}` : ''}`

const label = (name: string) => name.padEnd(8)

function regionLines(side: SideName, region: DiffRegion, paint: Paint, texts: ConditionTexts): readonly string[] {
  const { actions, resources, condition, except, certain, causes } = region
  const when = texts(condition)
  const counts = countWords(region)
  const left = except.length - mostExcepts
  return [
    `  ${paint.bold(whoWords(region))}`,
    `    ${label(certain ? (side === 'lost' ? 'could' : 'may') : 'perhaps')}${some(actions.map(shown))}`,
    `    ${label('on')}${some(resources.map(resourceWords))}`,
    ...(when === undefined ? [] : [`    ${label('when')}${when}`]),
    ...(region.isPast ? [`    ${label('')}only in the past`] : []),
    ...except.slice(0, mostExcepts).map((each, i) => `    ${label(i === 0 ? 'except' : '')}${exceptWords(side, region, each, texts)}`),
    ...more(left, `    ${label('')}`),
    ...(counts === '' ? [] : [`    ${label('known')}${counts}`]),
    // Three lines that a shell reads as one, to be copied.
    `    ${label('such as')}${witnessParts(region).join(` \\\n    ${label('')}`)}`,
    ...causes.slice(0, mostItems).map((cause, i) => `    ${label(i === 0 ? 'by' : '')}${causeWords(side, cause)}`),
    ...(causes.length > mostItems ? [`    ${label('')}and ${causes.length - mostItems} more`] : []),
  ]
}

/** The verdict in one line. */
export function verdictWords({ difference, beyond }: DiffReport): string {
  const { verdict, gained, lost, undecided } = difference
  const open = [...undecided.map(({ culprits }) => culprits), ...(beyond?.undecided ?? []).map(({ culprits }) => culprits)].flat()
  const parts = [
    ...(verdict === 'same' ? [sameWords(difference)] : []),
    ...(gained.length > 0 ? [`access gained: ${plural(gained.length, 'region')}`] : []),
    ...(lost.length > 0 ? [`access lost: ${plural(lost.length, 'region')}`] : []),
    ...(beyond && beyond.gained.length > 0 ? [`beyond the ceiling: ${plural(beyond.gained.length, 'region')}`] : []),
    ...(beyond?.described && beyond.described.gained.length > 0
      ? [`beyond the ceiling: ${plural(beyond.described.gained.length, 'change')} for what is described`]
      : []),
    ...(beyond?.verdict === 'same' ? ['nothing beyond the ceiling'] : []),
    ...takenWords(difference),
    ...(open.length > 0
      ? [`not fully decided, too many combinations of: ${some([...new Set(open)].map((text) => `\`${shown(text)}\``))}`]
      : []),
  ]
  return parts.join('; ')
}

/** Each side with its name. */
function sides({ difference, beyond }: DiffReport): readonly (readonly [SideName, readonly DiffRegion[]])[] {
  return [
    ['gained', difference.gained],
    ['lost', difference.lost],
    ['beyond', beyond?.gained ?? []],
  ]
}

const titles = { gained: 'gained', lost: 'lost', beyond: 'beyond the ceiling' } as const

/** The answer of `diff` for people: what changes for described things where that was compared, else every region. */
export function differenceText(report: DiffReport, paint: Paint, view?: View): string {
  if (view?.over === 'known' && report.difference.described) {
    const { difference, beyond } = report
    const lines = [
      kindWords(difference),
      ...describedLines(difference, view.names, paint),
      ...restLines(difference),
      ...(beyond ? describedLines(beyond, view.names, paint, titles.beyond) : []),
    ]
    return `${linesIn(lines)}${beyond ? regionsText({ ...report, difference: noDifference, beyond: besides(beyond) }, paint) : ''}`
  }
  const { difference, beyond } = report
  const kind = difference.described && difference.verdict !== 'same' ? `${kindWords(difference)}\n` : ''
  // What changes only for described things, such as by a tag, lies in no region.
  const names = view?.names ?? new Names([], true)
  const only = [
    ...(kind !== '' && difference.gained.length + difference.lost.length === 0 ? describedLines(difference, names, paint) : []),
    ...(beyond?.gained.length === 0 ? describedLines(beyond, names, paint, titles.beyond) : []),
  ].map((line) => `${line}\n`)
  if (kind !== '' && beyond === undefined && only.length > 0) return `${kind}${only.join('')}`
  return `${kind}${only.join('')}${regionsText(view?.over === 'catalogue' ? withKnownActions(report) : report, paint, view?.names)}`
}

/** A region with short names in the place of URNs. Its example keeps them, to be copied. */
function renamed(region: DiffRegion, names: Names): DiffRegion {
  const identity = (urn: string) => names.identity(urn)
  const resource = (each: Resources): Resources => ({ ...each, pattern: names.resource(each.pattern) })
  return {
    ...region,
    identities: region.identities.map(identity),
    groups: region.groups.map(identity),
    resources: region.resources.map(resource),
    except: region.except.map((each) => ({
      ...each,
      identities: each.identities?.map(identity) ?? null,
      resources: each.resources?.map(resource) ?? null,
    })),
  }
}

/** The regions in which nothing lies that is described. */
const besides = (difference: Difference): Difference => ({ ...difference, gained: undescribed(difference.gained) })

const noDifference: Difference = { verdict: 'changed', gained: [], lost: [], undecided: [] }

/** The regions in which some action of the catalogue lies. */
function withKnownActions({ difference, beyond, ...rest }: DiffReport): DiffReport {
  const of = (list: readonly DiffRegion[]) => list.filter(({ catalogue }) => catalogue === undefined || catalogue.length > 0)
  return {
    ...rest,
    difference: { ...difference, gained: of(difference.gained), lost: of(difference.lost) },
    beyond: beyond && { ...beyond, gained: of(beyond.gained) },
  }
}

function regionsText(report: DiffReport, paint: Paint, names?: Names): string {
  const { texts = conditionTexts() } = report
  const colour = { gained: paint.warning, lost: paint.info, beyond: paint.error }
  const lines = sides(report).flatMap(([side, regions]) =>
    regions.length === 0
      ? []
      : [
          colour[side](`${titles[side]} (${regions.length})`),
          ...regions
            .slice(0, mostRegions)
            .flatMap((region) => [...regionLines(side, names ? renamed(region, names) : region, paint, texts), '']),
          ...(regions.length > mostRegions ? [...more(regions.length - mostRegions), ''] : []),
        ],
  )
  const verdict = verdictWords(report)
  return linesIn([...lines, ...(verdict === '' ? [] : [verdict])])
}

/** A region in a line, and a line for each exception. */
export function regionWords(side: 'gained' | 'lost', region: DiffRegion, texts = conditionTexts()): readonly string[] {
  const { certain, actions, resources, condition, except } = region
  const when = texts(condition)
  const may = `${whoWords(region)} ${certain ? 'may' : 'perhaps may'} do ${some(actions.map(shown))} on ${some(resources.map(resourceWords))}`
  return [
    when === undefined ? may : `${may}, ${conditionPhrase(when)}`,
    ...except.slice(0, mostExcepts).map((each) => `except ${exceptWords(side, region, each, texts)}`),
    ...(except.length > mostExcepts ? [`and ${except.length - mostExcepts} more exceptions`] : []),
  ]
}

/** One line for each change for described things, or for each region. */
export function differenceLines(report: DiffReport, over: Over = 'everything'): string {
  if (over === 'known' && report.difference.described) {
    const { difference, beyond } = report
    return `${linesIn([...describedCompact(difference), ...restLines(difference)])}${beyond ? `${linesIn(describedCompact(beyond, 'beyond'))}${differenceLines({ ...report, difference: noDifference, beyond: besides(beyond) })}` : ''}`
  }
  const { texts = conditionTexts() } = report
  const { difference, beyond } = report
  const own = difference.described && difference.gained.length + difference.lost.length === 0 ? describedCompact(difference) : []
  const only = beyond?.gained.length === 0 && difference !== noDifference ? describedCompact(beyond, 'beyond') : []
  const regions = sides(over === 'catalogue' ? withKnownActions(report) : report)
    .flatMap(([side, regions]) =>
      regions.map((region) => {
        const when = texts(region.condition)
        return [
          `${side}${region.certain ? '' : ' perhaps'} ${whoWords(region)}`,
          some(region.actions.map(shown)),
          some(region.resources.map(resourceWords)),
          ...(when === undefined ? [] : [conditionPhrase(when)]),
          ...(region.except.length > 0 ? [`except ${plural(region.except.length, 'part')}`] : []),
          ...(region.causes.length > 0 ? [`by ${region.causes.slice(0, 3).map(placeAndAddress).join(', ')}`] : []),
        ].join(' · ')
      }),
    )
    .map((line) => `${line}\n`)
    .join('')
  return `${linesIn(own)}${regions}${linesIn(only)}`
}

const linesIn = (list: readonly string[]) => list.map((line) => `${line}\n`).join('')

function placeWords({ span }: Cause): string {
  return `${shown(span.source.path)}:${position(span.source, span.start).line}`
}

const placeAndAddress = (cause: Cause) => (cause.address === undefined ? placeWords(cause) : `${placeWords(cause)} ${shown(cause.address)}`)

/** How long a name may be in Markdown, how many edits a row of a table names. */
const [longestItem, mostEdits] = [300, 3]

/** An identity or resource in short, for a table: without the head that all of them share. */
function shortener(regions: readonly DiffRegion[]): (urn: string) => string {
  const head = /^urn:v1:([^:]*):(?:identity|resource):/
  const urns = regions.flatMap(({ identities, resources }) => [...identities, ...resources.map(({ pattern }) => pattern)])
  const places = new Set(urns.map((urn) => head.exec(urn)?.[1]))
  return places.size === 1 ? (urn) => urn.replace(head, '') : (urn) => urn
}

/** A region as a row of a table, and the details in a part that can be unfolded. */
function regionMarkdown(side: SideName, region: DiffRegion, number: number, short: (urn: string) => string, texts: ConditionTexts) {
  const code = (text: string) => codeSpan(cut(text, longestItem))
  const list = (items: readonly string[], glue: string) =>
    `${items.slice(0, mostItems).map(code).join(glue)}${items.length > mostItems ? `${glue}and ${items.length - mostItems} more` : ''}`
  const edit = ({ what, change, name, address }: Cause) =>
    prose(cut(`\`${titled(name, address)}\`: ${what}${side === 'beyond' ? '' : ` ${change}`}`, longestItem))
  const { actions, condition, except, certain, causes } = region
  const resources = region.resources.map(resourceWords)
  const when = texts(condition)
  const may = certain ? (side === 'lost' ? 'could' : 'may') : 'perhaps'
  const cells = [
    String(number),
    list([...region.identities.map(short), ...region.groups.map((group) => `and in ${short(group)}`)], '<br>'),
    `${certain ? '' : 'perhaps '}${list(actions, '<br>')}`,
    list(resources.map(short), '<br>'),
    [
      ...(when === undefined ? [] : [prose(cut(when, longestItem))]),
      ...(except.length === 0 ? [] : [`with ${plural(except.length, 'exception')}`]),
    ].join('<br>'),
    causes.slice(0, mostEdits).map(edit).join('<br>') + (causes.length > mostEdits ? `<br>and ${causes.length - mostEdits} more` : ''),
  ]
  const counts = countWords(region)
  const details = [
    `<details><summary>${titles[side]}, ${number}: all of it, with an example</summary>\n`,
    `- ${list(region.identities, ', ')}${region.groups.map((group) => `, who is also in ${code(group)}`).join('')}`,
    `- ${may} do ${list(actions, ', ')}`,
    `- on ${list(resources, ', ')}`,
    ...(when === undefined ? [] : [`- ${prose(cut(conditionPhrase(when), 4 * longestItem))}`]),
    ...except.slice(0, mostExcepts).map((each) => `- except ${code(exceptWords(side, region, each, texts))}`),
    ...(except.length > mostExcepts ? [`- and ${except.length - mostExcepts} more exceptions`] : []),
    ...(counts === '' ? [] : [`- known: ${counts}`]),
    `- such as, for \`grantwise can\`: ${codeSpan(cut(witnessWords(region), 4 * longestItem))}`,
    ...causes
      .slice(0, mostItems)
      .map((cause) => `- by ${edit(cause)}, ${code(placeWords(cause))}${cause.side === 'before' ? ` in ${beforeName(side)}` : ''}`),
    ...(causes.length > mostItems ? [`- and by ${causes.length - mostItems} more edits`] : []),
    '\n</details>\n',
  ]
  return { row: `| ${cells.join(' | ')} |`, details: details.join('\n') }
}

const beforeName = (side: SideName) => (side === 'beyond' ? 'the ceiling' : 'BEFORE')

/** A comment for a pull request or a summary of a job, as Markdown. */
export function differenceMarkdown(report: DiffReport, view?: View): string {
  if (view?.over === 'known' && report.difference.described) {
    const { difference, beyond } = report
    const parts = [
      '## grantwise diff\n',
      `${prose(kindWords(difference))}\n`,
      ...describedTables(difference, view.names),
      ...restLines(difference).map((line) => `${prose(line)}\n`),
      ...(beyond ? describedTables(beyond, view.names, titles.beyond) : []),
      ...(beyond ? differenceTables({ difference: noDifference, beyond: besides(beyond) }) : []),
    ]
    return `${parts.join('\n')}\n`
  }
  const { beyond } = report
  const only = beyond?.gained.length === 0 ? describedTables(beyond, view?.names ?? new Names([], true), titles.beyond) : []
  return `${['## grantwise diff\n', `${verdictMarkdown(report)}\n`, ...differenceTables(report), ...only].join('\n')}\n`
}

/** The verdict in one line of Markdown. */
export function verdictMarkdown(report: DiffReport): string {
  return prose(cut(verdictWords(report), 4 * longestItem))
}

/**
 * For each side a table of Markdown, and under it the details of each region, folded away. Regions for which there is no
 * room are counted.
 */
export function differenceTables(report: DiffReport): readonly string[] {
  const { texts = conditionTexts() } = report
  const short = shortener(sides(report).flatMap(([, regions]) => regions))
  let bytes = 0
  return sides(report).flatMap(([side, regions]) => {
    if (regions.length === 0) return []
    const written: ReturnType<typeof regionMarkdown>[] = []
    for (const region of regions.slice(0, mostRegions)) {
      const next = regionMarkdown(side, region, written.length + 1, short, texts)
      bytes += utf8Length(next.row) + utf8Length(next.details)
      if (bytes > mostBytes) break
      written.push(next)
    }
    const left = regions.length - written.length
    return [
      `### Access ${titles[side]}\n`,
      `| | who | ${side === 'lost' ? 'could' : 'may'} do | on | when | because of |\n|---:|---|---|---|---|---|`,
      ...written.map(({ row }) => row),
      '',
      ...(left > 0 ? [`${plural(left, 'further region')} omitted for brevity: \`--format json\` lists all.\n`] : []),
      ...written.map(({ details }) => details),
    ]
  })
}

const meanings: Readonly<Record<SideName, Pick<Meaning, 'severity' | 'summary' | 'why'>>> = {
  gained: {
    severity: 'error',
    summary: 'An edit gives new access',
    why: 'The policies allow this after the edit, but not before. Check that it is intended, including its extent.',
  },
  lost: {
    severity: 'info',
    summary: 'An edit removes access',
    why: 'The policies allowed this before the edit, but not after. Check whether anybody needs it.',
  },
  beyond: {
    severity: 'error',
    summary: 'The policies allow more than their ceiling',
    why: 'The policies allow this, but their ceiling does not. Narrow the entry that grants it.',
  },
}

/** What the codes of the findings mean, in the shape that the formats of `lint` know. */
export const differenceRules: readonly Meaning[] = (['gained', 'lost', 'beyond'] as const).map((side) => ({
  code: `access-${side}`,
  section: 'risk',
  ...meanings[side],
}))

type IsFailing = (side: SideName) => boolean

/**
 * The differences as findings, at the edits that cause them: what changes for described things and the number of the other
 * regions, where that is what is listed; else each region. Those without a known edit have no place, and are omitted.
 */
export function differenceFindings(report: DiffReport, isFailing: IsFailing, over: Over = 'everything'): readonly Diagnostic[] {
  const { difference, beyond } = report
  const listed = over === 'known' && difference.described !== undefined
  const isOnly = ({ gained, lost }: Difference) => gained.length + lost.length === 0
  return [
    ...(listed || isOnly(difference) ? changeFindings(difference, isFailing) : []),
    ...(listed ? restFindings(difference, isFailing) : []),
    ...(beyond && (listed || isOnly(beyond)) ? changeFindings(beyond, isFailing, 'beyond') : []),
    ...(listed
      ? regionFindings({ ...report, difference: noDifference, beyond: beyond && besides(beyond) }, isFailing)
      : regionFindings(over === 'catalogue' ? withKnownActions(report) : report, isFailing)),
  ]
}

const severityOf = (side: SideName, isFailing: IsFailing) => (isFailing(side) ? 'error' : side === 'lost' ? 'info' : 'warning')

const mayWords = (side: SideName, certain: boolean) => (certain ? (side === 'lost' ? 'could' : 'may') : 'perhaps may')

const ticked = (items: readonly string[]) => some(items.map((item) => `\`${item}\``))

/** The causes of a difference, in words; those that are in AFTER first. */
function causedBy(side: SideName, ordered: readonly Cause[]): string {
  const left = ordered.length - mostEdits
  return `by ${ordered
    .slice(0, mostEdits)
    .map((cause) => causeWords(side, cause))
    .join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

const laterFirst = (causes: readonly Cause[]) => [...causes].sort((a, b) => Number(b.side === 'after') - Number(a.side === 'after'))

/** A finding for each change for what is described. `title`: in the place of the name of the side. */
function changeFindings({ described }: Difference, isFailing: IsFailing, title?: 'beyond'): readonly Diagnostic[] {
  const windows = new Windows({ from: described?.from })
  const names = new Names([], true)
  return (['gained', 'lost'] as const).flatMap((each) =>
    (described?.[each] ?? []).flatMap(({ identities, actions, resources, condition, certain, causes, witness }): Diagnostic[] => {
      const side = title ?? each
      const ordered = laterFirst(causes)
      const [first, ...others] = ordered
      if (!first) return []
      const when = conditionWords(condition, windows)
      const count = identities.length * actions.length * resources.length
      return [
        {
          code: `access-${side}`,
          severity: severityOf(side, isFailing),
          message: `${titles[side]}: ${ticked(identities)} ${mayWords(side, certain)} do ${ticked(actions)} on ${ticked(resources)}${
            when === undefined ? '' : ` ${conditionPhrase(when)}`
          }${count > 1 ? `: ${plural(count, 'combination')} of identity, action and resource` : ''}`,
          span: first.near ?? first.span,
          help: `${causedBy(side, ordered)}; for example ${questionWords(witness, names, described?.from)}`,
          policy: first.name,
          related: others.map((cause) => ({ message: `${cause.what} ${cause.change}`, span: cause.span })),
        },
      ]
    }),
  )
}

/** A finding for each side on which regions are that concern nothing known: how many, at the first edit that causes one. */
function restFindings(difference: Difference, isFailing: IsFailing): readonly Diagnostic[] {
  return (['gained', 'lost'] as const).flatMap((side): Diagnostic[] => {
    const regions = undescribed(difference[side])
    const [first, ...others] = laterFirst(regions.flatMap(({ causes }) => causes))
    if (!first) return []
    const [message, help] = restWords(regions.length, (difference.described?.[side].length ?? 0) > 0)
    const related = others.filter(({ span }, i) => span !== first.span && others.findIndex((other) => other.span === span) === i)
    return [
      {
        code: `access-${side}`,
        severity: severityOf(side, isFailing),
        message: `${side}: ${message}`,
        span: first.near ?? first.span,
        help,
        policy: first.name,
        related: related.map((cause) => ({ message: `${cause.what} ${cause.change}`, span: cause.span })),
      },
    ]
  })
}

function regionFindings(report: DiffReport, isFailing: IsFailing): readonly Diagnostic[] {
  const { texts = conditionTexts() } = report
  return sides(report).flatMap(([side, regions]) =>
    regions.flatMap((region): Diagnostic[] => {
      const ordered = laterFirst(region.causes)
      const [first, ...others] = ordered
      if (!first) return []
      const when = texts(region.condition)
      return [
        {
          code: `access-${side}`,
          severity: severityOf(side, isFailing),
          message: `${titles[side]}: ${ticked(region.identities)} ${mayWords(side, region.certain)} do ${ticked(region.actions)} on ${ticked(region.resources.map(resourceWords))}${when === undefined ? '' : ` ${conditionPhrase(when)}`}${region.except.length > 0 ? `, with ${plural(region.except.length, 'exception')}` : ''}`,
          span: first.near ?? first.span,
          help: `${causedBy(side, ordered)}; for example ${witnessWords(region)}`,
          policy: first.name,
          related: others.map((cause) => ({ message: `${cause.what} ${cause.change}`, span: cause.span })),
        },
      ]
    }),
  )
}
