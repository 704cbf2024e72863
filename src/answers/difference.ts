import { RiskRanking } from '../actions/risk-ranking.ts'
import { groupedBy } from '../collections.ts'
import type { Cause } from '../diff/causes.ts'
import type { DescribedChange, DescribedDifference } from '../diff/described.ts'
import type { ComparedTime, Difference, DiffRegion, Except, Resources } from '../diff/diff.ts'
import { glob, uncovered } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { lazy } from '../memo.ts'
import { conditionPhrase } from '../report/conditions.ts'
import { fieldsJson } from '../report/fields.ts'
import { endWords, isoWords, momentWords, sinceWords } from '../report/instants.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { firstFew, firstWords, placeJson, plural, presentParts, quoted, someQuoted } from '../report/words.ts'
import type { Question } from '../simulate/decision.ts'
import { factsIn } from '../symbolic/formula.ts'
import { anyAddress, anyInstant, questionJson } from '../symbolic/witness.ts'
import { isSingle } from '../urn/identity.ts'
import { type Answer, type Basis, countOf, type Detail, type Row, type RowUses, type Section, type Tone, type Wording } from './model.ts'
import { answerRows, fullNameWording, identityCounts, readRows, rowWords, whenPhrase, wordingOf } from './wording.ts'

/** The extent of a report: what is described, regions that hold known actions, or every region. */
export type RegionScope = 'known' | 'catalogue' | 'everything'

export interface View extends Pick<Wording, 'actions'> {
  readonly over: RegionScope
  readonly names: Names
}

/** A difference, with what the second world allows beyond a ceiling where one was given. */
export interface DiffReport {
  readonly difference: Difference
  readonly beyond?: Difference | undefined
  /** How recorded calls used what changes, by row and by side. */
  readonly uses?: DifferenceUses | undefined
}

/** The use of the rows of a difference. `sideWords`: that of a side as a whole. */
export interface DifferenceUses extends RowUses {
  readonly sideWords: (side: 'gained' | 'lost', wording: Wording) => readonly string[]
  readonly sideJson: (side: 'gained' | 'lost') => object
}

export type SideName = 'gained' | 'lost' | 'beyond'

const sides: Readonly<Record<SideName, { readonly title: string; readonly tone: Tone; readonly may: string }>> = {
  gained: { title: 'access gained', tone: 'warning', may: 'may' },
  lost: { title: 'access lost', tone: 'info', may: 'could' },
  beyond: { title: 'beyond the ceiling', tone: 'error', may: 'may' },
}

/** The answer of `diff`: what changes for described things where that is listed, else every region. */
export function differenceAnswer(report: DiffReport, over: RegionScope): Answer {
  const { difference, beyond, uses } = report
  const sections = sectionsOf(report, over)
  const count = (of: 'gained' | 'lost') => (over === 'known' && difference.described ? unlisted(difference, of).length : 0)
  const [gained, lost] = [count('gained'), count('lost')]
  const unlistedCount = gained + lost
  const counts = presentParts(gained > 0 && `${gained} gained`, lost > 0 && `${lost} lost`)
  const isListed = sections.some(({ rows }) => rows.length > 0)
  return {
    subject: (wording) => summaryLines(report, sections, over, wording).slice(0, 1),
    summary: (wording) => summaryLines(report, sections, over, wording).flatMap((text, i) => (i === 0 ? [] : [{ text, tone: 'bold' }])),
    sections,
    rest: presentParts(
      unlistedCount > 0 && `${unlistedWords(unlistedCount, isListed)} (${counts.join(', ')}): ${listEverything(unlistedCount)}`,
    ),
    notes: [],
    json: () => differenceJson(difference, beyond, uses),
  }
}

/** The rows of a difference, a section for each side. */
export function sectionsOf({ difference, beyond, uses }: DiffReport, over: RegionScope): readonly Section[] {
  const section = (side: SideName, rows: readonly Row[]): Section => ({ ...sides[side], name: side, rows })
  return [
    section('gained', rowsOf(difference, 'gained', 'gained', over, uses)),
    section('lost', rowsOf(difference, 'lost', 'lost', over, uses)),
    section('beyond', beyond ? rowsOf(beyond, 'gained', 'beyond', over, uses) : []),
  ]
}

const undescribed = (regions: readonly DiffRegion[]): readonly DiffRegion[] => regions.filter(({ isDescribed }) => !isDescribed)

/**
 * A change for an identity that is named is listed, whatever resources are described: unless it takes a group that the identity is not
 * known to be in, or tags that a described resource does not have.
 */
function isNamed(region: DiffRegion): boolean {
  const { identities, groups, resources, known } = region
  const isPattern = resources.some(({ pattern }) => pattern.includes('*'))
  return (
    identities.every((identity) => !identity.includes('*')) &&
    (groups.length === 0 || known.identities > 0) &&
    (isPattern || known.resources < resources.length || !region.witness.tags?.size)
  )
}

/** Regions that hold nothing that is described and that name no identity: they are counted. What was asked for is listed. */
export const unlisted = ({ selection, ...difference }: Difference, of: 'gained' | 'lost'): readonly DiffRegion[] =>
  selection ? [] : undescribed(difference[of]).filter((region) => !isNamed(region))

/** The listed rows of one side. What changes only for described things, such as by a tag, is in no region; beyond a ceiling all is listed. */
function rowsOf(difference: Difference, of: 'gained' | 'lost', side: SideName, over: RegionScope, uses?: RowUses): readonly Row[] {
  const { described, selection, gained, lost } = difference
  const now = described?.from
  const withUse = (row: Row, made: object): Row =>
    uses
      ? withDetail(
          row,
          (wording) => uses.detail(made, wording, side === 'gained'),
          () => uses.json(made)?.use,
        )
      : row
  const changes = (described?.[of] ?? []).map((change) => withUse(changeRow(change, side, now), change))
  const rows = (regions: readonly DiffRegion[], isBrief = false) =>
    regions.map((region) => withUse(regionRow(region, side, now, isBrief), region))
  if (over === 'known' && described) {
    const others = undescribed(difference[of])
    return [...changes, ...(side === 'beyond' ? rows(others) : rows(selection ? others : others.filter(isNamed), true))]
  }
  if (gained.length + lost.length === 0) return changes
  return rows(over === 'everything' ? difference[of] : difference[of].filter(({ catalogue }) => catalogue?.length !== 0))
}

/** A row with how it was used. Its edits are still looked for when they are asked for. */
function withDetail(row: Row, detail: (wording: Wording) => Detail, use: NonNullable<Row['use']>): Row {
  const { details } = row
  return Object.create(row, {
    details: { value: (wording: Wording) => [...(details?.(wording) ?? []), detail(wording)], enumerable: true },
    use: { value: use, enumerable: true },
  })
}

/** Edits, or instants, as what rows rest on. */
export const causesOf = (causes: readonly Cause[], side: SideName): readonly Basis[] =>
  causes.map((cause) => ({ kind: 'cause', cause, of: side }))

/** The cells of a row. Its edits and its witness are looked for when they are asked for: of many rows few are shown. */
function rowOfChange(
  change: DescribedChange | DiffRegion,
  side: SideName,
  others: Pick<Row, 'on' | 'groups' | 'isUndescribed' | 'details'>,
): Row {
  const { identities, actions, condition, certain } = change
  // Whether an entry decides who it is whose value is not known: any identity, where that is the one.
  const isUnknown =
    identities.join() === '*' && [...factsIn(condition)].some((fact) => fact.kind === 'expression' && fact.about === 'identities')
  const verdict = certain ? (side === 'lost' ? 'deny' : 'allow') : 'unknown'
  const who = isUnknown ? ['an identity that is not known'] : identities
  return {
    verdict,
    who,
    actions,
    condition,
    isChange: true,
    get by() {
      return causesOf(change.causes, side)
    },
    get witness() {
      return change.witness
    },
    ...others,
  }
}

const past = (isPast: boolean | undefined): Detail => ({ label: '', items: isPast ? ['only in the past'] : [] })

const suchAs = (witness: Question, { names }: Wording, now: number | undefined): Detail => ({
  label: 'such as',
  items: [questionParts(witness, names, now).join(' ')],
  isList: true,
  isAside: true,
})

/** A change for described things. `now`: the instant that a question need not give. */
function changeRow(change: DescribedChange, side: SideName, now: number | undefined): Row {
  const { resources, condition, isPast } = change
  const isSaid = (wording: Wording) => combinations([change]) === 1 && wording.when(condition) === undefined
  return rowOfChange(change, side, {
    on: resources,
    details: (wording) => [past(isPast), ...(isSaid(wording) ? [] : [suchAs(change.witness, wording, now)])],
  })
}

/** A region over all requests. `now`: the instant that a question need not give. `isBrief`: as short as changes for described things. */
function regionRow(region: DiffRegion, side: SideName, now: number | undefined, isBrief: boolean): Row {
  const { groups, resources, except, isPast, known } = region
  return rowOfChange(region, side, {
    on: resources.map(({ pattern }) => pattern),
    groups,
    isUndescribed: isBrief && known.resources === 0,
    details: (wording) => {
      const { names } = wording
      const exceptions = lazy(() => exceptsWords(side, region, except, wording))
      const narrowed = resources.flatMap(({ pattern, type = '*', name }) =>
        name === undefined ? [] : [`${names.resource(pattern)} of type ${quoted(type)} named ${quoted(name)}`],
      )
      return [
        { label: 'though', items: isBrief && known.resources === 0 ? ['no such resource is described'] : [] },
        { label: 'also in', items: groups.map((group) => names.identity(group)) },
        { label: 'only', items: narrowed, isList: true },
        past(isPast),
        {
          label: 'except',
          count: except.length,
          get items() {
            return exceptions()
          },
          isList: true,
          brief: () => exceptReasons(side, except, wording),
          isCut: () => !wording.isWhole && except.some((each) => isLong(listsOf(each, region))),
        },
        ...(isBrief
          ? [suchAs(region.witness, wording, now)]
          : [
              { label: 'matches', items: presentParts(countWords(region) || false), isAside: true as const },
              // Lines that a shell reads as one, to be copied.
              { label: 'such as', items: exampleLines(region, now), isList: true, isWhole: true, isAside: true } as const,
            ]),
      ]
    },
  })
}

function exceptReason(side: SideName, why: Except['why'], isOfEdit: boolean | undefined): string {
  if (why === 'apart') return 'reported separately'
  if (why === 'except') return `excepted by the entry that ${side === 'lost' ? 'granted' : 'grants'} the rest`
  if (isOfEdit)
    return why === 'denied' ? (side === 'lost' ? 'denied before' : 'still denied') : side === 'lost' ? 'still allowed' : 'allowed before'
  if (why === 'denied') return side === 'lost' ? 'BEFORE denied it' : 'AFTER denies it'
  return { gained: 'BEFORE also allowed it', lost: 'AFTER still allows it', beyond: 'the ceiling allows it' }[side]
}

/** Exceptions, each on one line without what it shares with its whole region. */
function exceptsWords(side: SideName, region: DiffRegion, excepts: readonly Except[], wording: Wording): readonly string[] {
  const { names, when, isOfEdit, isWhole } = wording
  const most = isWhole ? Number.POSITIVE_INFINITY : mostOfException
  const where = ({ pattern, name }: Resources) =>
    name === undefined ? names.resource(pattern) : `${names.resource(pattern)} named ${quoted(name)}`
  return excepts.map((except) => {
    const { why, condition, policy } = except
    const words = when(condition)
    const { actions, resources, identities, unless } = listsOf(except, region)
    const parts = presentParts(
      actions.length > 0 && firstWords(actions, shown, most),
      resources.length > 0 && `on ${firstWords(resources, where, most)}`,
      identities.length > 0 && `for ${firstWords(identities, (each) => names.identity(each), most)}`,
      unless.length > 0 && `but not ${firstWords(unless, unlessWords, most)}`,
      words !== undefined && conditionPhrase(words),
    )
    return `${parts.join(' ') || 'all of it'}: ${exceptReason(side, why, isOfEdit)}${policy ? ` (${shown(policy.name.value)})` : ''}`
  })
}

/** How many actions, resources and identities of an exception are named, and policies of a reason: a row may have many exceptions. */
const mostOfException = 3

/** The patterns that no other of them covers. */
const widest = (patterns: readonly string[]): readonly string[] => uncovered(patterns.map(glob)).map(({ text }) => text)

/** The same of resources, where none needs more than its pattern. */
function widestOf(resources: readonly Resources[]): readonly Resources[] {
  if (resources.some(({ name }) => name !== undefined)) return resources
  return widest(resources.map(({ pattern }) => pattern)).map((pattern) => ({ pattern }))
}

/** The lists of an exception that differ from those of its region, as they are named. */
function listsOf({ actions, resources, identities, unless }: Except, region: DiffRegion) {
  const patterns = (list: readonly Resources[]) => list.map(({ pattern, name }) => keyOf(pattern, name))
  return {
    actions: actions && !isSame(actions, region.actions) ? widest(actions) : [],
    resources: resources && !isSame(patterns(resources), patterns(region.resources)) ? widestOf(resources) : [],
    identities: identities && !isSame(identities, region.identities) ? callersAmong(identities, region.identities) : [],
    unless,
  }
}

/** An action that is no part of an exception, or resources by their types or names. */
const unlessWords = ([dimension, pattern]: Except['unless'][number]): string =>
  dimension === 'action' ? shown(pattern) : `${dimension === 'type' ? 'of type' : 'named'} ${quoted(pattern)}`

const isLong = (lists: ReturnType<typeof listsOf>) => Object.values(lists).some((list) => list.length > mostOfException)

/** Reasons of exceptions, each with its first policies. */
function exceptReasons(side: SideName, excepts: readonly Except[], { isOfEdit }: Wording): string {
  const byReason = groupedBy(excepts, ({ why }) => exceptReason(side, why, isOfEdit))
  return Array.from(byReason, ([reason, own]) => {
    const policies = new Set(own.flatMap(({ policy }) => (policy ? [shown(policy.name.value)] : [])))
    return policies.size === 0 ? reason : `${reason} (${firstFew([...policies], mostOfException)})`
  }).join(', ')
}

/**
 * The identities among some that callers may have, where each of these is a single one: it may be in groups, and is no other one. All of
 * them where that leaves none: an exception may be about callers that other rows have, and nothing would say that it is about all.
 */
function callersAmong(identities: readonly string[], callers: readonly string[]): readonly string[] {
  const among = callers.every(isSingle) ? identities.filter((each) => !isSingle(each) || callers.includes(each)) : []
  return among.length > 0 ? among : identities
}

const isSame = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((each, i) => each === b[i])

const countWords = ({ actions, catalogue, known: { identities, resources } }: DiffRegion): string =>
  presentParts(
    catalogue && keyOf(catalogue) !== keyOf(actions) && `${plural(catalogue.length, 'action')} of the catalogue`,
    identities > 0 && plural(identities, 'described identity'),
    resources > 0 && plural(resources, 'described resource'),
  ).join(', ')

/** A witness as the arguments and options of `can`, on lines that a shell reads as one: who, what, and under which circumstances. */
function exampleLines({ witness }: DiffRegion, now: number | undefined): readonly string[] {
  const [who, action, resource, ...circumstances] = questionParts(witness, fullNameWording().names, now, true)
  const lines = [`${who}`, `${action} ${resource}`, ...(circumstances.length === 0 ? [] : [circumstances.join(' ')])]
  return lines.map((line, i) => (i < lines.length - 1 ? `${line} \\` : line))
}

/** A question as arguments and options of `can`. `now`: the instant that need not be given. `isWhole`: with an address that does not matter. */
export function questionParts(question: Question, names: Wording['names'], now?: number, isWhole = false): readonly string[] {
  const { identity, groups, action, resource, ip, tags = {}, at, owner } = questionJson(question)
  return presentParts(
    [names.identity(identity), shown(action), names.resource(resource)],
    groups.map((group) => `--group ${names.identity(group)}`),
    ip !== undefined && (isWhole || question.ip !== anyAddress) && `--ip ${ip}`,
    Object.entries(tags).map(([key, value]) => `--tag ${shown(key)}=${shown(value)}`),
    // Nothing depends on the placeholder for any instant, and now is the default.
    question.at !== anyInstant && question.at !== now && `--at ${at}`,
    owner !== undefined && `--owner ${shown(owner)}`,
  )
}

/**
 * A row in a sentence: the first of each cell, when it is so, and that it has exceptions. With `most`, what is excepted as well, or the
 * reasons where that is more.
 */
export function rowSentence(row: Row, may: string, wording: Wording, most?: number): string {
  const { who, actions, on, when, details } = rowWords(row, wording)
  const labelled = (label: string) => details.filter((detail) => detail.label === label)
  const of = (label: string) => labelled(label).flatMap(({ items }) => items)
  const [groups, narrowed, though, past] = [of('also in'), of('only'), of('though'), of('')]
  const exceptions = labelled('except').reduce((sum, detail) => sum + countOf(detail), 0)
  const verb = row.verdict === 'unknown' ? `perhaps ${may}` : may
  const counted = `, with ${plural(exceptions, 'exception')}`
  const [reasons = ''] = labelled('except').map(({ brief }) => brief?.())
  const remainder =
    exceptions === 0
      ? ''
      : most === undefined
        ? counted
        : exceptions > most
          ? `${counted}: ${reasons}`
          : `; except ${firstFew(of('except'), most)}`
  return `${firstFew(who, most ?? 2)}${groups.length > 0 ? ` who is also in ${groups.join(' and ')}` : ''} ${verb} ${firstFew(actions, most ?? 2)} on ${firstFew(narrowed.length > 0 ? narrowed : on, most ?? 2)}${whenPhrase(when)}${[...though.map((each) => `, though ${each}`), ...past.map((each) => `, ${each}`)].join('')}${remainder}`
}

type Unlisted = 'nothing' | 'for what is not described' | 'with actions that the catalogue does not have'

/** The row of a side with the highest risk, and how many more there are. */
function sideWords(section: Section, unlisted: Unlisted, wording: Wording): readonly string[] {
  const { title, may, rows } = section
  const [first, ...more] = readRows(section, new RiskRanking())
  if (!first) return presentParts(unlisted !== 'nothing' && `${title}, only ${unlisted}`)
  const [by, rest] = more.length === 0 ? ['', ''] : [` by ${identityCounts(rows)}`, `, and ${plural(more.length, 'more change')}`]
  return [`${title}${by}: ${rowSentence(first, may, wording)}${rest}`]
}

function summaryLines({ difference, beyond, uses }: DiffReport, sections: readonly Section[], over: RegionScope, wording: Wording) {
  const { verdict, described, undecided } = difference
  const open = [...undecided, ...(beyond?.undecided ?? [])].flatMap(({ culprits }) => culprits)
  const isOpen = open.length > 0 || undecided.length > 0 || described?.undecided === true || beyond?.described?.undecided === true
  const missing = (of: 'gained' | 'lost'): Unlisted => {
    if (over === 'everything' || difference[of].length === 0) return 'nothing'
    return over === 'catalogue' ? 'with actions that the catalogue does not have' : 'for what is not described'
  }
  const [gained, lost, exceeding] = sections as readonly [Section, Section, Section]
  const none = `nothing${beyond?.selection ? ' of what was asked is' : ''} beyond the ceiling`
  return presentParts(
    verdict === 'same' && sameWords(difference),
    difference.mapped && verdict !== 'same' && `with BEFORE read as if ${mappedWords(difference.mapped)}`,
    difference.selection && verdict !== 'same' && `listed is what may concern ${selectionWords(difference.selection)}`,
    sideWords(gained, missing('gained'), wording),
    difference.gained.length + (described?.gained.length ?? 0) > 0 && usedWords('gained', uses, wording),
    sideWords(isReadOtherwise(difference) ? { ...lost, title: `${lost.title}, or no longer read` } : lost, missing('lost'), wording),
    difference.lost.length + (described?.lost.length ?? 0) > 0 && usedWords('lost', uses, wording),
    beyond && (beyond.verdict === 'same' ? none : sideWords(exceeding, 'nothing', wording)),
    takenWords(difference),
    isOpen && `not fully decided: ${tooManyWords(open)}`,
  )
}

/** Whether the configuration that says which policies are read differs as well. */
const isReadOtherwise = ({ deployment = [] }: Difference): boolean =>
  deployment.some(({ why }) => why.endsWith('it says what is read and compared'))

/** The use of a side as a whole: for who removes access, what matters most. */
const usedWords = (side: 'gained' | 'lost', uses: DifferenceUses | undefined, wording: Wording): readonly string[] => {
  const words = uses?.sideWords(side, wording) ?? []
  return words.length === 0 ? [] : [`${sides[side].title}: ${words.join('; ')}`]
}

const selectionWords = ({ identities = [], actions = [] }: NonNullable<Difference['selection']>): string =>
  presentParts(
    identities.length > 0 && firstFew(identities.map(shown), 3),
    actions.length > 0 && `actions ${firstFew(actions.map(shown), 3)}`,
  ).join(', ')

const mappedWords = (maps: readonly string[]) =>
  maps
    .map((map) => map.split('='))
    .map(([from = '', ...to]) => `${quoted(from)} were ${quoted(to.join('='))}`)
    .join(' and ')

/** Where other files differ as well, the headline is about the policies. */
function sameWords({
  time,
  selection,
  mapped,
  isEmpty,
  others = [],
  ignored = [],
}: Pick<Difference, 'time' | 'selection' | 'mapped' | 'isEmpty' | 'others' | 'ignored'>): string {
  if (isEmpty) return 'neither side has a policy: nothing was compared'
  const when = `${time ? ` ${comparedWords(time)}` : ''}${mapped ? `, with BEFORE read as if ${mappedWords(mapped)}` : ''}`
  const same = `the same access${others.length + ignored.length > 0 ? ' in the policies' : ''}`
  if (!selection) return `${same}: proved over all identities, actions, resources and contexts${when}`
  const { identities = [], actions = [] } = selection
  const of = identities.length === 0 ? 'all identities' : firstFew(identities.map(shown), 3)
  return `${same} for what was asked: proved for ${of}, over ${actions.length === 0 ? 'all actions' : firstFew(actions.map(shown), 3)}, all resources and contexts${when}; other changes are not listed`
}

export function comparedWords(time: ComparedTime): string {
  if (time.kind === 'at') return `at ${momentWords(time.at)}`
  if (time.kind === 'between') return `at ${momentWords(time.before)} and at ${momentWords(time.after)}`
  return `${sinceWords(time.from)} ${time.to === undefined ? 'on' : `to ${endWords(time.to)}`}`
}

/** The assumptions of a difference: what is taken to be the same on both sides, and what else changes. */
function takenWords({
  verdict,
  gained,
  lost,
  taken = [],
  deployment = [],
  others = [],
  ignored = [],
  undecided,
}: Difference): readonly string[] {
  const isSame = verdict === 'undecided' && undecided.length === 0 && gained.length === 0 && lost.length === 0
  const claim = isSame ? 'the same access' : 'no more than that'
  const files = deployment.map(({ path, why }) => `${quoted(path)} (${shown(why)})`)
  const rest = isSame ? claim : 'no other access changes'
  return presentParts(
    taken.length > 0 && `${claim} only if ${someQuoted(taken)} ${taken.length > 1 ? 'are' : 'is'} the same on both sides`,
    files.length > 0 &&
      `${rest} in the policies; what is deployed may change with ${firstFew(files, 3)}, which ${files.length > 1 ? 'were' : 'was'} not checked`,
    uncheckedLines({ others, ignored }),
  )
}

/** The other files that differ, of which an answer says nothing: how many, and the first of them. */
export const uncheckedLines = ({ others = [], ignored = [] }: Pick<Difference, 'others' | 'ignored'>): readonly string[] =>
  presentParts(
    others.length > 0 && uncheckedWords('other file', '', others),
    ignored.length > 0 && uncheckedWords('file', ' that `deployment.ignore` leaves out', ignored),
  )

function uncheckedWords(noun: string, which: string, files: readonly string[]): string {
  const [verb, past] = files.length > 1 ? ['differ', 'were'] : ['differs', 'was']
  return `${plural(files.length, noun)}${which} ${verb} and ${past} not checked: ${someQuoted(files)}${files.length > 3 ? ' (`--coverage` names them)' : ''}`
}

/** The reason why something is undecided, and the names that it is about. */
export const tooManyWords = (culprits: readonly string[]) =>
  `too many combinations${culprits.length === 0 ? '' : ` of ${someQuoted([...new Set(culprits)], 8)}`}`

/** The option that lists the changes that are only counted. */
export const listEverything = (count: number) => `\`--over everything\` lists ${count === 1 ? 'it' : 'them'}`

/** How many of something are not listed since they concern nothing known, and how they can be seen; none for none. */
export const asideWords = (count: number, noun: string, known: string): readonly string[] =>
  presentParts(count > 0 && `${plural(count, noun)} ${count === 1 ? 'concerns' : 'concern'} no known ${known}: ${listEverything(count)}`)

/** How many changes are not listed besides the rows. */
export const unlistedWords = (count: number, isMore: boolean) =>
  `${plural(count, isMore ? 'more change' : 'change')} for things that are not described`

/** The patterns, and where one says too much, what the type and name match besides. */
function resourcesJson(resources: readonly Resources[]) {
  const narrower = resources.filter(({ name }) => name !== undefined)
  return {
    resources: resources.map(({ pattern }) => pattern),
    ...(narrower.length > 0 && { narrower: narrower.map(({ pattern, type, name }) => ({ resource: pattern, type, name })) }),
  }
}

const exceptJson = (except: Except) => ({
  ...fieldsJson(except, 'why', 'identities'),
  ...(except.resources ? resourcesJson(except.resources) : { resources: null }),
  actions: except.actions,
  ...(except.unless.length > 0 && { unless: except.unless.map(([dimension, pattern]) => ({ dimension, pattern })) }),
  ...fieldsJson(except, 'condition'),
  policy: except.policy?.name.value ?? null,
  ...(except.policy && placeJson(except.policy.name.span)),
})

const regionJson = (region: DiffRegion, uses?: RowUses) => ({
  identities: region.identities,
  ...(region.groups.length > 0 && { groups: region.groups }),
  actions: region.actions,
  ...resourcesJson(region.resources),
  ...fieldsJson(region, 'condition'),
  except: region.except.map(exceptJson),
  ...fieldsJson(region, 'certain', 'witness', 'causes'),
  ...(region.catalogue && { catalogue: { actions: region.catalogue.length } }),
  known: region.known,
  ...(region.isPast && { past: true }),
  ...uses?.json(region),
})

/** A region as data: conditions in words, entries with their places. It has a name, so that declarations do not repeat its fields. */
export interface RegionJson extends ReturnType<typeof regionJson> {}

const regionsJson = (regions: readonly DiffRegion[], uses?: RowUses): readonly RegionJson[] =>
  regions.map((region) => regionJson(region, uses))

export const sidesJson = ({ verdict, gained, lost }: Pick<Difference, 'verdict' | 'gained' | 'lost'>, uses?: RowUses) => ({
  verdict,
  gained: regionsJson(gained, uses),
  lost: regionsJson(lost, uses),
})

/** A difference as data. */
export interface DifferenceJson extends ReturnType<typeof differenceJson> {}

/** A difference as `grantwise diff --format json` prints it. `beyond`: the access beyond a ceiling. */
export function differenceJson(difference: Difference, beyond?: Difference, uses?: DifferenceUses) {
  const { described, selection, mapped, deployment, others = [], ignored = [], time } = difference
  const undecided = [...difference.undecided, ...(beyond?.undecided ?? []).map((each) => ({ ...each, side: 'beyond' }))]
  return {
    ...sidesJson(difference, uses),
    ...(uses && { use: { gained: uses.sideJson('gained'), lost: uses.sideJson('lost') } }),
    ...(beyond && { beyond: regionsJson(beyond.gained, uses) }),
    undecided: undecided.map(({ side, culprits }) => ({ side, patterns: culprits })),
    ...(selection && { selection }),
    ...(mapped && { mapped }),
    ...(deployment && { deployment }),
    ...(others.length + ignored.length > 0 && {
      otherFiles: [...others.map((path) => ({ path, ignored: false })), ...ignored.map((path) => ({ path, ignored: true }))],
    }),
    ...(time && { time: comparedJson(time) }),
    ...(described && { described: describedJson(described, uses) }),
    ...(beyond?.described && { beyondDescribed: describedJson(beyond.described, uses) }),
  }
}

/** How many combinations of identity, action and resource rows are. */
export const combinations = (rows: readonly Pick<DescribedChange, 'identities' | 'actions' | 'resources'>[]) =>
  rows.reduce((sum, { identities, actions, resources }) => sum + identities.length * actions.length * resources.length, 0)

const changeJson = (change: DescribedChange, uses?: RowUses) => ({
  ...fieldsJson(change, 'identities', 'actions', 'resources', 'condition', 'certain', 'witness', 'causes'),
  ...(change.isPast && { past: true }),
  ...uses?.json(change),
})

/** A change for described identities and resources, as data. */
export interface ChangeJson extends ReturnType<typeof changeJson> {}

const changesJson = (changes: readonly DescribedChange[], uses?: RowUses): readonly ChangeJson[] =>
  changes.map((change) => changeJson(change, uses))

export function describedJson({ gained, lost, undecided }: DescribedDifference, uses?: RowUses) {
  const counts = { gained: combinations(gained), lost: combinations(lost) }
  return { gained: changesJson(gained, uses), lost: changesJson(lost, uses), combinations: counts, undecided }
}

function comparedJson(time: ComparedTime) {
  const { kind: _, ...instants } = time
  return Object.fromEntries(Object.entries(instants).flatMap(([name, at]) => (at === undefined ? [] : [[name, isoWords(at)]])))
}

/** The sections of a difference for what is described, or where nothing of that changes, of every region; its summary; and their wording. */
function summarised(difference: Difference, names: Names) {
  const { described } = difference
  const wording = wordingOf(names, described?.from)
  const over = described ? 'known' : 'everything'
  const summary = summaryLines({ difference }, sectionsOf({ difference }, over), over, wording).join('; ')
  const isKnown = described !== undefined && described.gained.length + described.lost.length > 0
  return { sections: sectionsOf({ difference }, isKnown ? 'known' : 'everything'), summary, wording }
}

/** The rows of a change, for what is described; without that, by regions. */
export function changeWords(difference: Difference, names: Names) {
  const { sections, summary, wording } = summarised(difference, names)
  const rowsOf = (side: SideName) => answerRows({ sections: sections.filter(({ name }) => name === side) }, wording)
  return { verdict: difference.verdict, summary, gained: rowsOf('gained'), lost: rowsOf('lost') }
}

/** The same as a list: the summary, and a sentence for each row. */
export function changeLines(difference: Difference, names: Names): readonly string[] {
  const { sections, summary, wording } = summarised(difference, names)
  const verbOf = ({ name }: Section) => (name === 'gained' ? 'grants' : 'takes away')
  return [summary, ...sections.flatMap((own) => own.rows.map((row) => `${verbOf(own)}: ${rowSentence(row, own.may, wording, 8)}`))]
}
