import type { PageData, PageSince } from '../../page/data.ts'
import { textAt } from '../../page/words.ts'
import { cut, shown } from '../../report/safe.ts'
import { durationWords } from '../../report/words.ts'
import { el } from '../dom.ts'

/** A message with the text between backticks as code. Escaped and cut. */
export function prose(text: string, most = 1500): (HTMLElement | string)[] {
  return cut(shown(text), most)
    .split(/`([^`]*)`/)
    .map((part, i) => (i % 2 === 1 ? el('code', {}, part) : part))
}

/** Words with no line break within a date. */
export function wholeDates(words: string): (HTMLElement | string)[] {
  return words.split(/(\d{4}-\d\d-\d\d)/).map((part, i) => (i % 2 === 1 ? el('span', { class: 'date' }, part) : part))
}

/** How far one instant is from another: `in 3 days`, `2 months ago`. */
export function distanceWords(from: number, to: number): string {
  if (Math.round(Math.abs(to - from) / 86_400_000) < 1) return to >= from ? 'within a day' : 'today'
  return to >= from ? `in ${durationWords(from, to)}` : `${durationWords(from, to)} ago`
}

/** Since when an entry has its effect, in words; empty where that was not looked for. */
export const sinceText = (data: PageData, since: PageSince | undefined): string => (since && textAt(data, since[0])) ?? ''

/** A condition within a sentence. */
export function whenPhrase(words: string): string {
  return /^(?:tag|resource|the resource|permissions group|not `|`|\(|not \()/.test(words) ? `when ${words}` : words
}
