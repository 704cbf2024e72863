import { el } from '../dom.ts'
import { prose } from './words.ts'

/** How recorded calls used something: a paragraph, where they were counted for it. */
export const recordedCalls = (calls: readonly string[]): readonly HTMLElement[] =>
  calls.length === 0 ? [] : [el('p', { class: 'help' }, el('strong', {}, 'Recorded calls: '), ...prose(calls.join('; ')))]
