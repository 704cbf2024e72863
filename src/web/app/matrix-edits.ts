import type { PageCell, PageData, Ref } from '../../page/data.ts'
import { cut, shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { routeOfState } from '../ask/state.ts'
import { el, fill } from '../dom.ts'
import type { Engine } from '../engine/index.ts'
import type { Page } from './page.ts'
import { hrefOf } from './router.ts'
import { prose } from './words.ts'

type Answer = NonNullable<Awaited<ReturnType<Engine['suggest']>>['answer']>
type Suggestion = Answer['suggestions'][number]

/** In a page with more policies, edits are searched for only on demand. */
const mostAtOnce = 100
const mostShown = 4
const longestLine = 200

const states = { allow: ['deny', 'denied'], deny: ['allow', 'allowed'] } as const

/**
 * The smallest edits that turn the answer about one action of a cell, as `grantwise suggest` finds them; undefined where the page has
 * no engine.
 */
export function editsPart(page: Page, identity: Ref, resource: Ref, cell?: PageCell): HTMLElement | undefined {
  const { data, tables } = page
  if (data.whatIf === undefined || !['engine', 'catalogue', 'more'].every(page.has)) return undefined
  const [who, on] = [data.identities[identity]?.urn ?? '', data.resources[resource]]
  const all = tables.actionsIn(data.types[on?.type ?? -1]?.actions ?? -1)
  const granted = new Set(cell?.parts.flatMap(({ actions }) => tables.actionsIn(actions)))
  const risky = new Set(data.sensitive.map(([action]) => action))
  const name = (action: Ref) => data.actions[action] ?? ''
  const parts = [...(cell?.parts ?? [])].sort((a, b) => Number(b.confidence === 'always') - Number(a.confidence === 'always'))
  const likely = parts.flatMap(({ actions }) => tables.actionsIn(actions))
  const first =
    parts
      .flatMap(({ actions, confidence }) => (confidence === 'always' ? tables.actionsIn(actions) : []))
      .find((action) => risky.has(action)) ??
    likely[0] ??
    all.find((action) => name(action).endsWith(':get')) ??
    (all[0] as Ref)
  const group = (label: string, actions: readonly Ref[]) =>
    actions.length > 0 &&
    el('optgroup', { label }, ...actions.map((action) => el('option', { value: action, selected: action === first }, name(action))))
  const select = el(
    'select',
    { 'aria-label': 'Action to change', onchange: () => find() },
    group(
      'Allowed',
      all.filter((action) => granted.has(action)),
    ),
    group(
      'Not allowed',
      all.filter((action) => !granted.has(action)),
    ),
  )
  const result = el('div', { class: 'edits', role: 'status' })
  let last: Promise<unknown> | undefined
  const find = async () => {
    const action = Number(select.value)
    const circumstances = circumstancesOf(data)
    fill(result, el('p', { class: 'soft' }, 'Looking for edits …'))
    const asked = page
      .engine()
      .then((engine) => engine.suggest([who, name(action), on?.urn ?? ''], circumstances, {}, granted.has(action) ? 'deny' : 'allow'))
    last = asked
    const { answer, problems } = await asked.catch((error: unknown) => ({ problems: [{ message: String(error) }], answer: undefined }))
    if (last !== asked) return
    fill(result, ...(answer ? answerParts(page, answer) : [el('p', { role: 'alert' }, ...prose(problems?.[0]?.message ?? '', 600))]))
  }
  const details = el(
    'details',
    {
      class: 'smallest',
      open: data.policies.length <= mostAtOnce,
      ontoggle: () => {
        if (details.open && last === undefined) find()
      },
    },
    el('summary', {}, 'The smallest edits that change it'),
    el('p', {}, select),
    result,
  )
  return details
}

/** The page's facts of every request. */
function circumstancesOf({ at, ip, tags }: PageData): { at?: string; ip?: string; tag?: readonly string[] } {
  return { ...(at !== null && { at: new Date(at).toISOString() }), ...(ip !== null && { ip }), ...(tags && { tag: tags }) }
}

function answerParts(page: Page, answer: Answer): readonly HTMLElement[] {
  const { suggestions, conditional, to, answer: kind, question } = answer
  const done = states[to === 'allow' ? 'deny' : 'allow'][1]
  const held = conditional.map(({ message }) => el('p', { class: 'soft' }, 'Without an edit: ', ...prose(message, 400), '.'))
  if (kind === 'already') return [el('p', {}, `It is ${done} as it is.`)]
  if (kind === 'root') return [el('p', {}, 'The account owns the resource: no policy can restrict it.')]
  if (kind === 'unknown') return [el('p', {}, 'It depends on facts that are not known. No edit is looked for before they are given.')]
  // Where none brings what is wished, those that end a denial may be given: after these the answer is unknown.
  const turning = suggestions.filter(({ decision }) => decision.verdict === to).length
  const none = turning === 0 && el('p', {}, `No small edit was found after which it would be ${done}.`)
  if (none && suggestions.length === 0) return [none, ...held]
  const further = suggestions.length - mostShown
  return [
    ...(none
      ? [none, el('p', {}, `${plural(suggestions.length, 'edit')} after which the denial ends and the answer is unknown:`)]
      : [el('p', {}, `${plural(turning, 'edit')} after which it would be ${done}, the one that changes least first:`)]),
    el(
      'ol',
      { class: 'entries' },
      ...suggestions
        .slice(0, mostShown)
        .map((each, i) => suggestionItem(page, question, each, { texts: answer.edits[i] ?? {}, only: answer.onlyWhen[i] ?? null })),
    ),
    ...(further > 0 ? [el('p', { class: 'soft' }, `and ${further} more`)] : []),
    ...held,
  ]
}

/** The edited files, and when the answer is as wished with the edit; null where always. */
interface Made {
  readonly texts: Answer['edits'][number]
  readonly only: string | null
}

function suggestionItem(page: Page, question: Answer['question'], { edits, diff, others }: Suggestion, { texts, only }: Made) {
  const { files = [], whatIf } = page.data
  const before = new Map((whatIf?.sources ?? []).map(({ file }) => [files[file]?.path ?? '', files[file]?.text ?? '']))
  const { at = '', ip = '', tag = [] } = circumstancesOf(page.data)
  const circumstances = { ip, at, tag: tag.join(', '), group: '' }
  const state = { kind: 'can' as const, ...question, ...circumstances, file: Object.keys(texts)[0] ?? '', edits: texts }
  const { route, isWhole } = routeOfState(state, before)
  return el(
    'li',
    {},
    ...edits.map(({ message }) => el('p', {}, ...prose(sentenceOf(message), 600))),
    only !== null && el('p', {}, ...prose(`Only ${only}.`, 600)),
    el(
      'pre',
      { class: 'patch', tabindex: 0, 'aria-label': 'Lines that change' },
      ...diff
        .split('\n')
        .filter((line) => /^(?:@@|[+-](?!\+\+|--))/.test(line))
        .slice(0, 24)
        .map((line) => el('span', { class: line.startsWith('+') ? 'gained' : line.startsWith('-') ? 'lost' : 'soft' }, lineOf(line))),
    ),
    el(
      'p',
      { class: 'soft' },
      othersWords(others),
      isWhole && Object.keys(texts).length > 0 && [' ', el('a', { href: hrefOf(route) }, 'Try it in What if')],
    ),
  )
}

const lineOf = (line: string) => `${cut(line.split('\t').map(shown).join('\t'), longestLine)}\n`

const sentenceOf = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** The side effects of an edit, in words. */
function othersWords({ verdict, described }: Suggestion['others']): string {
  if (verdict === 'same') return 'Nothing else changes, for anybody.'
  const { gained, lost } = described.combinations
  const words = [
    ...(gained > 0 ? [`opens ${plural(gained, 'other combination')} of identity, action and resource`] : []),
    ...(lost > 0 ? [`closes ${plural(lost, 'other combination')}`] : []),
  ]
  if (words.length === 0) return 'Nothing else changes for what is described; something beyond it may.'
  return `It also ${words.join(' and ')} among what is described.`
}
