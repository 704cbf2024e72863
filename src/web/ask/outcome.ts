import { sentenceCase } from '../../page/words.ts'
import { verdictWords } from '../../report/verdict-words.ts'
import { plural } from '../../report/words.ts'
import { sourceOf } from '../../source.ts'
import { lines } from '../app/frame.ts'
import { prose } from '../app/words.ts'
import { el } from '../dom.ts'
import { answerTable, answerWords, type OpenPlace, placeButton, printed, text } from './answers.ts'
import type { Asked } from './asked.ts'
import type { CanAnswer, ListAnswer, Outcome } from './asking.ts'

/** The context for showing an answer. */
export interface Shown {
  readonly asked: Asked
  readonly openPlace: OpenPlace
  /** The text of a file as it is now. */
  readonly textOf: (path: string) => string | undefined
}

/** An answer in a word or two. */
export function headline({ answer, problems }: Outcome, { kind }: Asked): string {
  if (!answer) return `No answer: ${problems[0]?.message ?? ''}`
  if (kind === 'can') return verdictWords[answer.verdict].word
  const list = answer as ListAnswer
  const allowed = list.rows.filter(({ verdict }) => verdict === 'allow').length
  return allowed === 0 ? (answer.verdict === 'unknown' ? 'It depends' : noneWords(list, kind)) : plural(allowed, 'row')
}

/** That there are no rows, as far as that is known: the owning account may do it, also where it is not known which one that is. */
const noneWords = ({ none }: ListAnswer, kind: Asked['kind']) => sentenceCase(none ?? (kind === 'who' ? 'no identity' : 'nothing'))

/** An answer as elements. `before`: the answer without the edits. */
export function outcomeParts(outcome: Outcome, before: Outcome | undefined, shown: Shown): readonly (HTMLElement | false)[] {
  const { answer, problems } = outcome
  if (!answer)
    return [
      el('div', { class: 'verdict warning' }, el('strong', {}, 'No answer')),
      el(
        'ul',
        { class: 'facts' },
        ...problems
          .slice(0, 20)
          .map(({ message, help }) =>
            el('li', {}, ...prose(message, 600), help !== undefined && el('p', { class: 'soft' }, ...prose(help, 600))),
          ),
      ),
    ]
  const { verdict } = answer
  const old = before?.answer?.verdict
  const changed =
    before !== undefined &&
    old !== verdict &&
    el('p', { class: 'soft' }, `Without your edit: ${old === undefined ? 'no answer' : verdictWords[old].word.toLowerCase()}.`)
  return shown.asked.kind === 'can' ? canParts(answer as CanAnswer, changed, shown) : listParts(answer as ListAnswer, changed, shown)
}

function canParts(
  { verdict, words, identity, resource, text: output }: CanAnswer,
  changed: HTMLElement | false,
  shown: Shown,
): readonly (HTMLElement | false)[] {
  const { word, tone, may } = verdictWords[verdict]
  return [
    el(
      'div',
      { class: `verdict ${tone}` },
      el('strong', {}, `${word}.`),
      ' ',
      el('span', { class: 'name' }, text(identity, 120)),
      ` ${may} `,
      el('code', {}, text(shown.asked.action, 120)),
      ' on ',
      el('span', { class: 'name' }, text(resource, 120)),
      words.turning !== undefined && `, ${text(words.turning)}`,
    ),
    changed,
    el('h3', {}, sentenceCase(words.sentence)),
    words.entries.length > 0 &&
      el(
        'ol',
        { class: 'entries' },
        ...words.entries.map(({ row: [place, policy, entry], gates }) =>
          el(
            'li',
            {},
            el('p', {}, el('strong', {}, text(policy, 200)), ' ', ...answerWords(entry), ' ', placeButton(place, shown.openPlace)),
            frameAt(place, shown),
            gates.length > 0 && gatesTable(shown, gates, `What lets ${text(policy, 80)} apply, at ${text(place, 120)}`),
          ),
        ),
      ),
    words.missing.length > 0 &&
      el(
        'ul',
        { class: 'facts' },
        ...words.missing.map((each) => el('li', {}, ...answerWords(each))),
        el('li', { class: 'soft' }, 'Settle it with ', ...answerWords(words.settling.join(', '), 600)),
      ),
    words.nearest !== undefined &&
      (words.nearest.rows.length === 0
        ? el('p', { class: 'soft' }, 'No policy would grant it if only one thing were different.')
        : el(
            'div',
            {},
            el('h3', {}, 'The nearest policies'),
            gatesTable(shown, words.nearest.rows, 'The nearest policies'),
            words.nearest.left > 0 && el('p', { class: 'soft' }, `and ${words.nearest.left} more`),
          )),
    ...[...words.notes, ...words.caveats.map(([each]) => each)].map((each) =>
      el('p', { class: 'remark' }, 'Note: ', ...answerWords(each, 600)),
    ),
    printed(output),
  ]
}

function gatesTable(shown: Shown, rows: readonly (readonly [place: string, gate: string, words: string])[], title: string): HTMLElement {
  return el(
    'div',
    { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': title },
    el(
      'table',
      { class: 'list gates' },
      el(
        'tbody',
        {},
        ...rows.map(([place, gate, why]) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, text(gate, 120)),
            el('td', {}, ...answerWords(why)),
            el('td', {}, placeButton(place, shown.openPlace)),
          ),
        ),
      ),
    ),
  )
}

function listParts(answer: ListAnswer, changed: HTMLElement | false, shown: Shown): readonly (HTMLElement | false)[] {
  const { verdict, rows, reasons, notes, text: output } = answer
  const { kind, identity, action, resource } = shown.asked
  const allowed = rows.filter((row) => row.verdict === 'allow').length
  const head =
    allowed > 0 ? (kind === 'who' ? 'Some identities may' : 'It may') : verdict === 'unknown' ? 'It depends' : noneWords(answer, kind)
  const isOpen = kind === 'who' ? action.includes('*') || resource.includes('*') : identity.includes('*')
  return [
    el(
      'div',
      { class: `verdict ${verdictWords[verdict].tone}` },
      el('strong', {}, `${head}.`),
      ` ${kind === 'who' ? `${text(action, 120)} on ${text(resource, 120)}` : text(identity, 120)}`,
    ),
    changed,
    rows.length > 0 && answerTable('Rows of the answer', rows, shown.openPlace, isOpen ? [] : kind === 'who' ? ['May do', 'On'] : ['Who']),
    ...[...reasons, ...notes].map((each) => el('p', { class: 'remark' }, 'Note: ', ...answerWords(each, 600))),
    printed(output),
  ]
}

/** The line of a place, in the present text. */
function frameAt(place: string, { textOf }: Shown): HTMLElement | false {
  const [, path = '', line = ''] = /^(.*?):(\d+):\d+$/s.exec(place) ?? []
  const text = textOf(path)
  if (text === undefined) return false
  return lines(sourceOf(path, text), Number(line), Number(line), [])
}
