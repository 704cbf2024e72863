import type { GuaranteedLevels, Level } from '../../actions/reads.ts'
import { letters, levelsText } from '../../answers/matrix.ts'
import { levelWords } from '../../page/words.ts'
import type { Confidence } from '../../symbolic/matrix.ts'
import { el } from '../dom.ts'

const marksInWords = { always: '', sometimes: ', under conditions', perhaps: ', perhaps' } as const

interface Shown {
  readonly level: Level
  readonly confidence: Confidence
  readonly guaranteed?: GuaranteedLevels
}

export const cellClass = ({ level, confidence }: Shown) => `cell ${level}${level !== 'none' && confidence !== 'always' ? ' hatched' : ''}`
export const cellText = (cell: Shown) => levelsText(cell, letters)

/** The levels in words: what holds in any case before what takes more. */
export function cellWords({ level, confidence, guaranteed }: Shown): string {
  const sure = confidence === 'always' ? 'none' : (guaranteed?.always ?? 'none')
  const first = sure === 'none' ? '' : `${levelWords[sure]} in any case; `
  return `${first}${levelWords[level]}${level === 'none' ? '' : marksInWords[confidence]}`
}

/** A level as a coloured box with its words, outside of the matrix. */
export function cellBox(cell: Shown): HTMLElement {
  return el('span', { class: `box ${cellClass(cell)}` }, cellWords(cell))
}

/** The legend of letters, colours and hatching. */
export function legend(hasChanges = false): HTMLElement {
  const item = (cell: Shown, words: string) => el('li', {}, el('span', { class: `box ${cellClass(cell)}` }, cellText(cell)), ` ${words}`)
  return el(
    'ul',
    { class: 'legend', 'aria-label': 'Legend' },
    item({ level: 'read', confidence: 'always' }, 'reads'),
    item({ level: 'write', confidence: 'always' }, 'changes something'),
    item({ level: 'all', confidence: 'always' }, 'every action'),
    item({ level: 'write', confidence: 'sometimes' }, 'under conditions'),
    item({ level: 'write', confidence: 'perhaps' }, 'depends on unknown facts'),
    el('li', {}, el('span', { class: 'box' }, 'R; W*'), ' the first always, the second under conditions'),
    el('li', {}, el('span', { class: 'box' }, '1/4'), ' on one of four resources'),
    item({ level: 'none', confidence: 'always' }, 'nothing'),
    hasChanges &&
      el(
        'li',
        {},
        el('span', { class: 'mark high' }, '+'),
        el('span', { class: 'mark medium' }, '+'),
        el('span', { class: 'mark info' }, '+'),
        ' gained, by high, medium and other risk ',
        el('span', { class: 'mark' }, '−'),
        ' lost, ? perhaps',
      ),
  )
}
