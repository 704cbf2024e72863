import { groupedBy } from '../collections.ts'
import { matchTypes } from '../conditions/sets.ts'
import { printConditionKey, type Test, writtenValues } from '../conditions/test.ts'
import { printDate } from '../conditions/time.ts'
import { memoizeByObject } from '../memo.ts'
import { type EndTime, endOf } from '../symbolic/ends.ts'
import { atomsOf, type Formula, isAlways } from '../symbolic/formula.ts'
import {
  type Bound,
  type Conditions,
  isUnrestricted,
  type Literal,
  type Situation,
  type Span,
  type Texts,
  type Weekly,
} from '../symbolic/situation.ts'
import { Windows, type WindowsOptions } from '../symbolic/windows.ts'
import { dateFrom } from '../zones.ts'
import { addressWords } from './addresses.ts'
import { dayWords, endWords, isAfterExpiry, isoWords, momentWords, weeklyWords } from './instants.ts'
import { orList } from './lists.ts'
import { permissionsGroupName } from './names.ts'
import { shown } from './safe.ts'
import { presentParts, quoted, quotedIfNeeded } from './words.ts'

/** Conditions in words: for programs comparison by comparison, for readers by their meaning together. */

const testWords = (test: Test): string => `${quoted(printConditionKey(test))} = ${quoted(writtenValues(test).join(', '))}`

/** A formula on one line, each comparison as it is written; undefined for one that holds in any case. */
export const formulaWords = (formula: Formula): string | undefined => (isAlways(formula) ? undefined : words(formula))

/** The same in JSON. */
export const formulaJson = (formula: Formula): string | null => formulaWords(formula) ?? null

function words(formula: Formula): string {
  switch (formula.kind) {
    case 'test':
      return testWords(formula.test)
    case 'until':
      return `not after ${isoWords(formula.at)}`
    case 'fact': {
      const { is } = formula
      if (is.kind === 'resourceGroup') return `the resource is in ${quoted(is.urn)}`
      if (is.kind === 'permissionsGroup') return `permissions group ${quoted(is.urn)} ${is.outcome === 'allow' ? 'allows' : 'denies'} it`
      return quoted(is.text)
    }
    case 'not': {
      const [first, ...others] = formula.operands
      if (first?.kind === 'until' && others.length === 0) return `after ${isoWords(first.at)}`
      return `not (${formula.operands.map(words).join(' or ')})`
    }
    default: {
      const parts = formula.operands.map((part) => (part.kind === 'and' || part.kind === 'or' ? `(${words(part)})` : words(part)))
      return parts.join(` ${formula.kind} `) || (formula.kind === 'and' ? 'always' : 'never')
    }
  }
}

/**
 * When a formula holds, as short as it can be said: `Mon–Fri 19:00–20:00 Europe/Paris, from 203.0.113.0/24`. Undefined for
 * one that holds in any case. Give the same windows for all formulas of a report.
 */
export function conditionWords(formula: Formula, windows = new Windows()): string | undefined {
  if (isAlways(formula)) return undefined
  const found = windows.describe(formula)
  return found ? situationsWords(found) : words(formula)
}

/** The words of conditions in one report, each found once. */
export type ConditionTexts = (formula: Formula) => string | undefined

export function conditionTexts(options: WindowsOptions | Windows = {}): ConditionTexts {
  const windows = options instanceof Windows ? options : new Windows(options)
  const known = memoizeByObject((formula: Formula) => ({ words: conditionWords(formula, windows) }))
  return (formula) => known(formula).words
}

/** Such words within a sentence: `… until 2026-11-30 23:59:59 UTC`, `… when tag env = prod`. */
export const conditionPhrase = (words: string): string =>
  /^(?:tag|resource|the (?:resource|identity)|permissions group|not `|`|\(|not \()/.test(words) ? `when ${words}` : words

/** A description in words; undefined for one that holds in any case. */
function situationsWords({ any, except }: Conditions): string | undefined {
  if (any.length === 0) return 'never'
  const some = any.some(isUnrestricted) ? '' : any.map(situationWords).join('; or ')
  const none = except.map(situationWords).join('; or ')
  if (none === '') return some === '' ? undefined : some
  return some === '' ? `always except ${none}` : `${some}; except ${none}`
}

const situationWords = ({ spans, weekly, addresses, texts, facts }: Situation): string =>
  [
    ...timeWords(spans, weekly),
    ...(addresses ? [addressWords(addresses)] : []),
    ...texts.map(textsWords),
    ...facts.map(({ is, holds }) => factWords(is, holds)),
  ].join(', ')

function factWords(is: (Formula & { kind: 'fact' })['is'], holds: boolean): string {
  if (is.kind === 'resourceGroup')
    return `the resource is ${holds ? '' : 'not '}in ${is.name === undefined ? shown(is.urn) : `resource group "${shown(is.name)}"`}`
  if (is.kind === 'permissionsGroup') {
    const verb = is.outcome === 'allow' ? 'allow' : 'deny'
    return `permissions group ${permissionsGroupName(is.urn)} ${holds ? (verb === 'allow' ? 'allows' : 'denies') : `does not ${verb}`} it`
  }
  if (is.about) return `the ${is.about === 'identities' ? 'identity' : 'resource'} is ${holds ? '' : 'not '}in ${quoted(is.text)}`
  const address = /^(.*) as request\.IP(?:\.\w+)?$/.exec(is.text)?.[1]
  return `${holds ? '' : 'not '}${address === undefined ? quoted(is.text) : `from ${quoted(address)}`}`
}

function timeWords(spans: readonly Span[] | undefined, weekly: readonly Weekly[]): readonly string[] {
  const [first, ...others] = weekly
  const windows = weekly.map(weeklyWords)
  // Windows of several zones hold at the same time.
  const all =
    windows.length > 1 ? [windows.join(windows.some((each) => each.includes(' and ')) ? ' and at the same time ' : ' and ')] : windows
  if (!spans) return all
  const zone = first && others.length === 0 ? first.zone.name : undefined
  // One window and one span are one phrase: `Mon–Fri 08:00–18:00 Europe/Paris until …`.
  if (zone !== undefined && spans.length === 1) return [`${windows[0]} ${spansWords(spans, zone)}`]
  return [...all, spansWords(spans)]
}

/** The spans, or those between them where that is shorter. `zone` is named already. */
function spansWords(spans: readonly Span[], zone?: string): string {
  const between = spans.flatMap(({ to }, i): Span[] => {
    const from = spans[i + 1]?.from
    return to && from ? [{ from: to, to: from }] : []
  })
  const isOpen = spans[0]?.from === undefined && spans.at(-1)?.to === undefined
  if (isOpen && between.length < spans.length) return `not ${joinedSpans(between, zone)}`
  return joinedSpans(spans, zone)
}

/** Single days of one zone are listed: `on 2026-12-24 or 2026-12-25 Europe/Paris`. */
function joinedSpans(spans: readonly Span[], zone: string | undefined): string {
  const days = spans.map(({ from, to }) => (from?.date && to?.date && dateFrom(from.date.day, 1) === to.date.day ? from.date : undefined))
  const single = days[0]?.zone
  if (single !== undefined && days.every((day) => day?.zone === single))
    return `on ${orList(days.map((day) => printDate(day?.day as number)))}${zoneWords(single, zone)}`
  return orList(spans.map((span) => spanWords(span, zone)))
}

function spanWords({ from, to }: Span, zone: string | undefined): string {
  if (from && to && to.at - from.at === 1) return `at ${momentWords(from.at)}`
  if (from?.date && to?.date && from.date.zone === to.date.zone) {
    const last = dateFrom(to.date.day, -1)
    const where = zoneWords(from.date.zone, zone)
    return last === from.date.day ? `on ${printDate(last)}${where}` : `from ${printDate(from.date.day)} through ${printDate(last)}${where}`
  }
  return presentParts(from && boundWords(from, zone, ['from', 'after']), to && boundWords(to, zone, ['before', 'until'])).join(' ')
}

const zoneWords = (zone: string, named: string | undefined) => (zone === named ? '' : ` ${shown(zone)}`)

/** Where a span begins or ends. An expiry holds at its instant, which a plain bound does not: two words for the two. */
function boundWords({ at, date }: Bound, zone: string | undefined, [plainly, byExpiry]: readonly [string, string]): string {
  if (date) return `${plainly} ${printDate(date.day)}${zoneWords(date.zone, zone)}`
  return isAfterExpiry(at) ? `${byExpiry} ${momentWords(at - 1)}` : `${plainly} ${momentWords(at)}`
}

function verbOf({ matchType, holds }: Literal): string {
  const { verb } = matchTypes[matchType]
  if (!verb) return holds ? '=' : 'not'
  return holds ? verb.does : `does not ${verb.must}`
}

/** `tag env = prod or test`, `tag env not prod`, `resource name starts with web-`. */
function textsWords({ subject, join, literals }: Texts): string {
  const name = subject.kind === 'tag' ? `tag ${quotedIfNeeded(subject.parameter)}` : `resource ${subject.kind}`
  // Several that are compared alike share the verb: none of some is said with `or` too.
  const groups = groupedBy(literals, verbOf)
  const parts = [...groups].flatMap(([verb, sameVerb]) => {
    const shares = sameVerb.every(({ holds }) => holds === (join === 'or'))
    const values = sameVerb.map(({ value }) => quotedIfNeeded(value))
    if (verb === 'not' && shares && sameVerb.length === 2) return [`neither ${values.join(' nor ')}`]
    return shares ? [`${verb} ${orList(values, 8)}`] : values.map((value) => `${verb} ${value}`)
  })
  return `${name} ${parts.join(` ${join} `)}`
}

/** The last day or instant of what ends: `Sun 2026-12-13 (Europe/Paris)`, `Fri 2026-12-11 18:00 Europe/Paris (17:00 UTC)`. */
export function lastWords({ at, zone }: EndTime): string {
  const { hour, minute } = zone.shows(at)
  const isMidnight = hour === 0 && minute === 0 && at % 60_000 === 0
  return isMidnight ? `${dayWords(at - 1, zone)} (${shown(zone.name)})` : endWords(at, zone)
}

/** When access under a condition ends for ever: `last access …, then none`. Nothing where an expiry ends it, which the condition says. */
export function endItems(condition: Formula, from: number | undefined): readonly string[] {
  const end = endOf(condition, from)
  const isExpiry = end && [...atomsOf(condition)].some((atom) => atom.kind === 'until' && atom.at === end.at - 1)
  return presentParts(end && !isExpiry && `last access ${lastWords(end)}, then none`)
}
