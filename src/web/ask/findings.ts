import { plural } from '../../report/words.ts'
import { prose } from '../app/words.ts'
import { el } from '../dom.ts'
import type { Engine } from '../engine/index.ts'

export type Finding = Awaited<ReturnType<Engine['lint']>>['findings'][number]

/** Actions on findings. */
export interface Handling {
  readonly goTo: (offset: number) => void
  /** A link to what a rule is about. */
  readonly rule: (code: string) => HTMLElement
  /** Make one fix, by the number of its finding, or all that are safe; none where the text cannot be edited. */
  readonly fix?: ((number: number) => void) | undefined
  readonly fixAll?: (() => void) | undefined
}

const mostFindings = 60

/** The findings in a file, each with its fix. */
export function findingsPart(ownFindings: readonly Finding[], handling: Handling): readonly (HTMLElement | false | undefined)[] {
  const safe = ownFindings.filter(({ fix }) => fix?.isSafe)
  return [
    el('h3', {}, ownFindings.length === 0 ? 'No findings in this file' : plural(ownFindings.length, 'finding')),
    handling.fixAll && safe.length > 1 && el('button', { type: 'button', onclick: handling.fixAll }, `Fix all ${safe.length} safe ones`),
    ...ownFindings.slice(0, mostFindings).map((finding) => findingPart(finding, handling)),
    ownFindings.length > mostFindings && el('p', { class: 'soft' }, `and ${ownFindings.length - mostFindings} more`),
  ]
}

function findingPart({ code, severity, message, help, start, line, number, fix }: Finding, handling: Handling): HTMLElement {
  const makeFix = handling.fix
  return el(
    'div',
    { class: `finding ${severity}` },
    el('p', {}, el('span', { class: `badge ${severity}` }, severity), ' ', ...prose(message, 600)),
    help !== null && el('p', { class: 'soft' }, ...prose(help, 600)),
    el(
      'p',
      {},
      el('button', { type: 'button', class: 'place', onclick: () => handling.goTo(start) }, `line ${line}`),
      ' ',
      handling.rule(code),
      makeFix && fix && ' ',
      makeFix &&
        fix &&
        el(
          'button',
          { type: 'button', onclick: () => makeFix(number) },
          `${fix.isSafe ? 'Fix' : 'Apply, may change access'}: `,
          ...prose(fix.description, 120),
        ),
    ),
  )
}
