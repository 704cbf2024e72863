import type { PageReview, PageReviewRow } from '../../page/data.ts'
import { savedReview } from '../../page/review.ts'
import { sentenceCase } from '../../page/words.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { type Choice, choices, type GrantKey } from '../../review/model.ts'
import { hasReason, type Limiting, limitingDecisions, restoredBy, restoredWords } from '../../review/restored.ts'
import type { Draft } from '../../review/round.ts'
import { statusWords } from '../../review/status-words.ts'
import { el, fill, saveFile, set } from '../dom.ts'
import type { Page, View } from './page.ts'

/** The review of access: each grant with what is decided about it, and controls to decide; the decisions are saved as a file. */

const choiceWords: Readonly<Record<Choice, string>> = {
  keep: 'Keep',
  remove: 'Remove',
  shorten: 'Shorten',
  ask: 'Ask another person',
}

/** The fields of a row as a reviewer has filled them in. */
interface Entered {
  decision: Choice
  until: string
  reason: string
}

/** The state of the view, which stays while other views are shown. */
interface Entries {
  readonly limiting: Limiting
  readonly byRow: Map<number, Entered>
  reviewer: string
  isSaved: boolean
}

const batch = 40

export const review: View = {
  name: 'review',
  title: 'Review of access',
  menu: 'Review',
  has: ({ data }) => data.review !== undefined,
  show(place, { query }, page) {
    const { review } = page.data
    if (!review) return
    const entries = page.kept<Entries>('review', () =>
      guarded({ limiting: limitingDecisions(review.review.decisions), byRow: new Map(), reviewer: '', isSaved: true }),
    )
    const list = el('div', { class: 'findings' })
    const count = el('p', { class: 'soft', role: 'status' })
    const problem = el('p', { class: 'help', role: 'alert' })
    const owners = [...new Set(review.rows.flatMap(({ owner }) => owner ?? []))].sort()
    const which = el(
      'select',
      { 'aria-label': 'Which grants', onchange: () => apply() },
      el('option', { value: 'open' }, 'Open grants'),
      el('option', { value: 'all', selected: query.get('which') === 'all' }, 'All grants'),
    )
    const owner = el(
      'select',
      { 'aria-label': 'Owner', onchange: () => apply() },
      el('option', { value: '' }, 'All owners'),
      ...owners.map((each) => el('option', { value: each, selected: query.get('owner') === each }, each)),
    )
    const reviewer = el('input', {
      id: 'reviewer',
      autocomplete: 'name',
      value: entries.reviewer,
      oninput: () => {
        entries.reviewer = reviewer.value
      },
    })
    const save = el('button', { type: 'button', class: 'primary', onclick: () => saveAll() }, 'Save')
    const apply = () => {
      const rows = [...review.rows.entries()].filter(
        ([i, row]) =>
          (which.value === 'all' || row.status !== 'decided' || entries.byRow.has(i)) && (owner.value === '' || row.owner === owner.value),
      )
      fill(count, `${rows.length} of ${plural(review.rows.length, 'grant')}`)
      fill(list)
      more(rows, 0)
    }
    const more = (rows: readonly (readonly [number, PageReviewRow])[], from: number) => {
      list.append(...rows.slice(from, from + batch).map(([i, row]) => card(i, row, entries, page, entered)))
      if (rows.length <= from + batch) return
      const button = el('button', { type: 'button', onclick: () => showMore() }, `Show ${batch} more`)
      const showMore = () => {
        button.remove()
        more(rows, from + batch)
      }
      list.append(button)
    }
    const entered = () => {
      entries.isSaved = false
      fill(problem)
      label()
    }
    const label = () => {
      const { size } = entries.byRow
      fill(save, size === 0 ? 'Save' : `Save ${plural(size, 'decision')}`)
      set(save, 'disabled', size === 0)
    }
    const saveAll = () => {
      const wrong = problemIn(entries, review)
      fill(problem, wrong?.words)
      if (wrong) {
        document.getElementById(wrong.id)?.focus()
        return
      }
      saveFile(review.file, new Blob([savedReview(review, draftsOf(entries))], { type: 'text/yaml' }))
      entries.isSaved = true
      page.announce('The review is saved as a file. Put it in the place of the one next to the policies.')
    }
    place.append(
      head(review),
      el('div', { class: 'filters' }, which, owners.length > 0 && owner, count),
      list,
      // Behind the rows, where the keyboard comes to it last; it stays in sight.
      el('div', { class: 'filters save' }, el('label', { for: 'reviewer' }, 'Reviewer '), reviewer, save, problem),
    )
    label()
    apply()
  },
}

/** The round, how much is open, and what the file is for. */
function head({ review, rows, isOverdue, notes, file }: PageReview): HTMLElement {
  const { round, due, decisions, chain } = review
  const open = rows.filter(({ status }) => status !== 'decided').length
  return el(
    'div',
    {},
    el(
      'p',
      {},
      round !== undefined && `Round ${shown(round)}. `,
      due !== undefined && `${isOverdue ? 'Overdue since' : 'Due'} ${shown(due)}. `,
      `${plural(rows.length, 'grant')}, ${open} open. `,
      ...notes.map((note) => `${sentenceCase(note)}. `),
    ),
    el(
      'p',
      { class: 'soft' },
      `A grant is what one policy gives to one entry of its identities, less what is denied. Save writes ${shown(file)} with your decisions: put it next to the policies. `,
      chain !== undefined && `${plural(decisions.length, 'decision')} so far, last hash ${chain}.`,
    ),
  )
}

/** One grant, with the controls to decide about it. */
function card(i: number, row: PageReviewRow, entries: Entries, page: Page, changed: () => void): HTMLElement {
  const { short, policy, status, access, decided, owner, used, since, isOpen } = row
  const fact = (name: string, ...words: readonly string[]) => words.map((each) => el('p', { class: 'soft' }, `${name}: ${each}`))
  return el(
    'article',
    { class: `finding ${status === 'decided' ? 'info' : isOpen ? 'warning' : 'error'}` },
    el('p', { class: 'title' }, el('span', { class: 'badge' }, statusWords[status]), ` ${short} by `, page.link('policy', policy)),
    ...access.map((each) => el('p', {}, each)),
    fact('Changed', ...row.changed),
    decided !== '' && fact('Decided', decided),
    used !== undefined && fact('Used', used),
    since !== undefined && fact('Since', since),
    owner !== undefined && fact('Owner', owner),
    row.row
      ? controls(i, row.row, `${short} by ${shown(policy)}`, entries, changed)
      : el('p', { class: 'help' }, 'What it grants cannot be determined within limits.'),
  )
}

function controls(i: number, key: GrantKey, name: string, entries: Entries, changed: () => void): HTMLElement {
  const old = entries.byRow.get(i)
  const decision = el(
    'select',
    { 'aria-label': `Decision about ${name}`, onchange: () => update() },
    el('option', { value: '' }, 'Not decided'),
    ...choices.map((each) => el('option', { value: each, selected: old?.decision === each }, choiceWords[each])),
  )
  const until = el('input', {
    id: untilId(i),
    type: 'date',
    'aria-label': `Last day of ${name}`,
    hidden: old?.decision !== 'shorten',
    value: old?.until ?? '',
    oninput: () => update(),
  })
  const reason = el('input', {
    id: reasonId(i),
    'aria-label': `Reason of the decision about ${name}`,
    placeholder: 'Reason',
    value: old?.reason ?? '',
    oninput: () => update(),
  })
  const warning = el('p', { class: 'help', role: 'status' })
  const warn = () => fill(warning, restoredWithoutReason(entries, i, key))
  const update = () => {
    const chosen = choices.find((each) => each === decision.value)
    set(until, 'hidden', chosen !== 'shorten')
    if (chosen) entries.byRow.set(i, { decision: chosen, until: until.value, reason: reason.value.trim() })
    else entries.byRow.delete(i)
    warn()
    changed()
  }
  warn()
  return el('div', {}, el('div', { class: 'filters' }, decision, until, reason), warning)
}

const untilId = (i: number) => `until-${i}`
const reasonId = (i: number) => `reason-${i}`

/** The warning that an entered decision restores access and has no reason; undefined where it needs none. */
function restoredWithoutReason({ byRow, limiting }: Entries, i: number, key: GrantKey | null | undefined): string | undefined {
  const entry = byRow.get(i)
  const before = entry && key && restoredBy(limiting, key, entry)
  return before && !hasReason(entry) ? `Enter a reason: ${shown(restoredWords(before))}.` : undefined
}

/** The reason for which decisions cannot be saved, and the field that it is about. */
function problemIn(entries: Entries, { rows }: PageReview): { readonly words: string; readonly id: string } | undefined {
  const { byRow, reviewer } = entries
  if (reviewer.trim() === '') return { words: 'Enter the name of the reviewer: it is recorded with each decision.', id: 'reviewer' }
  const [i] = [...byRow].find(([, { decision, until }]) => decision === 'shorten' && until === '') ?? []
  const named = (of: number) => `${rows[of]?.short ?? ''} by ${shown(rows[of]?.policy ?? '')}`
  if (i !== undefined) return { words: `Enter the last day of ${named(i)}.`, id: untilId(i) }
  for (const each of byRow.keys()) {
    const words = restoredWithoutReason(entries, each, rows[each]?.row)
    if (words !== undefined) return { words: `${named(each)}: ${words}`, id: reasonId(each) }
  }
  return undefined
}

function draftsOf({ byRow, reviewer }: Entries): ReadonlyMap<number, Omit<Draft, 'key'>> {
  const date = new Date().toISOString().slice(0, 10)
  return new Map(
    [...byRow].map(([i, { decision, until, reason }]) => [
      i,
      { decision, ...(decision === 'shorten' && { until }), by: reviewer.trim(), date, ...(reason !== '' && { reason }) },
    ]),
  )
}

/** Warns before the page is left with decisions that are not saved. */
function guarded(entries: Entries): Entries {
  addEventListener('beforeunload', (event) => {
    if (entries.byRow.size > 0 && !entries.isSaved) event.preventDefault()
  })
  return entries
}
