import type { RiskCategory } from '../../actions/sensitive.ts'
import type { PageData, PageSince, Ref } from '../../page/data.ts'
import type { Certainty } from '../../page/reach.ts'
import { cut, shown } from '../../report/safe.ts'
import { durationWords } from '../../report/words.ts'
import type { Confidence } from '../../symbolic/matrix.ts'
import { el } from '../dom.ts'

/** The power of an identity with access to a sensitive category: in a sentence, and as a title. */
export const riskWords: Readonly<Record<RiskCategory, readonly [can: string, title: string]>> = {
  escalation: ['grant access or raise rights', 'Grant'],
  destruction: ['delete or end something', 'Delete'],
  spend: ['spend money', 'Pay'],
  credentials: ['get or set passwords and keys', 'Credentials'],
  exfiltration: ['take data out', 'Take data out'],
  exposure: ['open something to the outside', 'Expose'],
  audit: ['switch off logs or alarms', 'Hide traces'],
  tagging: ['change tags that policies look at', 'Tags'],
}

/** The order of categories, those asked for most often first. */
export const riskOrder = [
  'destruction',
  'spend',
  'escalation',
  'credentials',
  'exfiltration',
  'exposure',
  'audit',
  'tagging',
] as const satisfies readonly RiskCategory[]

export const confidenceWords: Readonly<Record<Confidence, string>> = {
  always: 'in any case',
  sometimes: 'under conditions',
  perhaps: 'perhaps: it depends on facts that are not known',
}

/** How sure it is of an identity on all its resources. */
export const certaintyWords: Readonly<Record<Certainty, string>> = {
  ...confidenceWords,
  mixed: 'in any case on some, under conditions on others',
}

export const levelWords = { none: 'no access', read: 'read', write: 'change', all: 'everything' } as const

/** `2026-11-30` */
export function dayWords(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** A message with the text between backticks as code. Escaped and cut. */
export function prose(text: string, most = 1500): (HTMLElement | string)[] {
  return cut(shown(text), most)
    .split(/`([^`]*)`/)
    .map((part, i) => (i % 2 === 1 ? el('code', {}, part) : part))
}

/** How far one instant is from another: `in 3 days`, `2 months ago`. */
export function distanceWords(from: number, to: number): string {
  if (Math.round(Math.abs(to - from) / 86_400_000) < 1) return to >= from ? 'within a day' : 'today'
  return to >= from ? `in ${durationWords(from, to)}` : `${durationWords(from, to)} ago`
}

/** A condition in words; undefined for none. */
export function textAt({ texts }: PageData, when: Ref): string | undefined {
  return when < 0 ? undefined : texts[when]
}

/** Since when an entry has its effect, in words; empty where that was not looked for. */
export const sinceText = (data: PageData, since: PageSince | undefined): string => (since && textAt(data, since[0])) ?? ''

/** A condition within a sentence. */
export function whenPhrase(words: string): string {
  return /^(?:tag|resource|the resource|permissions group|not `|`|\(|not \()/.test(words) ? `when ${words}` : words
}

/** A sentence that no identity can do something; weaker where it depends for some. */
export const noIdentityCan = (can: string, perhaps: number): string => `Nobody who is described ${perhaps > 0 ? 'surely ' : ''}can ${can}.`

export const sentenceCase = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`
