import type { PageData, PagePolicy } from '../../page/data.ts'
import { dayOf, endOf } from '../../page/ends.ts'
import { noIdentityCan, sentenceCase } from '../../page/words.ts'
import { momentWords } from '../../report/instants.ts'
import { cut, shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { el } from '../dom.ts'
import { summaryOf as changesOf } from './changes.ts'
import { agesOf, endsOf, holdersOf } from './charts.ts'
import { evidenceOf } from './evidence.ts'
import { growthOf } from './growth.ts'
import type { Page, View } from './page.ts'
import { hrefOf } from './router.ts'
import { sensitiveOf } from './sensitive.ts'
import { distanceWords } from './words.ts'

/** For who has to answer for the access: sentences and numbers, each a link to the list behind it. */
export const summary: View = {
  name: 'summary',
  title: 'Summary',
  show(place, _, page) {
    const { data } = page
    place.append(
      evidenceOf(data),
      el('p', { class: 'to-print' }, el('a', { href: hrefOf({ name: 'print' }) }, 'Print or save as PDF')),
      ...changesOf(page),
      opening(page),
      ...beyond(data),
      sensitiveOf(page),
      ...holdersOf(page),
      ...growthOf(page),
      open(page),
      expiring(page),
      findings(data),
      ...history(page),
      ...recordsOf(page),
      ...coverage(data),
    )
  },
}

const to = (name: string, query: Readonly<Record<string, string>>, text: string | number, part = '') =>
  el('a', { href: hrefOf({ name, part, query: new URLSearchParams(query) }) }, text)

/** The subject of the page. */
function opening({ data, reaches }: Page): HTMLElement {
  const { policies, identities, resources, at, ip, made, tagged } = data
  const changing = reaches.of('change')
  const when = at === null ? `at any time from ${dayOf(made)} on` : `at ${momentWords(at)}`
  return el(
    'p',
    { class: 'lead' },
    to('policies', {}, plural(policies.length, 'policy')),
    ' decide what ',
    to('identities', {}, plural(identities.length, 'identity')),
    ' may do with ',
    to('resources', {}, plural(resources.length, 'resource')),
    `${tagged === undefined ? '' : ` that are described with ${shown(tagged)}`}, ${when}${ip === null ? '' : `, from ${ip}`}. The `,
    to('matrix', {}, 'access matrix'),
    ' has every pair of them. ',
    changing.identities.length === 0
      ? noIdentityCan('change something', changing.perhaps.length, data)
      : [
          to('reach', {}, plural(changing.identities.length, 'identity'), 'change'),
          ` can change something, on ${plural(changing.resources, 'resource')}.`,
        ],
    changing.perhaps.length > 0 && [
      ' Of ',
      to('reach', {}, `${changing.perhaps.length}${changing.identities.length > 0 ? ' more' : ''}`, 'change'),
      ' it is unknown: it depends on facts that are not known.',
    ],
  )
}

/** A longer note has its list behind a button: it would push what the page is about out of sight. */
const longestNote = 240

/** The access to resources that the report does not know. */
export const beyond = ({ beyond: sentences = [] }: PageData) =>
  sentences.map((text) => {
    const sentence = `${sentenceCase(text)}.`
    const [, head, list] = /^([^:]+: [^:]+): (.*)$/s.exec(sentence) ?? []
    return list === undefined || sentence.length <= longestNote
      ? el('p', { class: 'soft' }, sentence)
      : el('details', {}, el('summary', {}, head), el('p', { class: 'soft' }, list))
  })

const grants = ({ entries }: PagePolicy, data: PageData) => entries.some((entry) => data.entries[entry]?.list === 'allow')

/** Unconditional access, and access that is open to everyone. */
function open({ data, link }: Page): HTMLElement {
  const granting = data.policies.filter((policy) => grants(policy, data))
  const everyone = granting.filter(({ isOpen }) => isOpen)
  const plain = granting.filter(({ when, expires }) => when < 0 && expires === undefined)
  const shownPolicies = everyone.slice(0, 5).flatMap(({ name }, i) => [i > 0 ? ', ' : '', link('policy', name)])
  return el(
    'section',
    {},
    el('h2', {}, 'Open access'),
    el(
      'ul',
      { class: 'facts' },
      el(
        'li',
        {},
        everyone.length === 0
          ? 'No policy grants access to everyone.'
          : [
              to('policies', { only: 'open' }, plural(everyone.length, 'policy')),
              everyone.length === 1 ? ' grants' : ' grant',
              ' access to everyone of a kind: ',
              ...shownPolicies,
              everyone.length > 5 && ' and more',
              '.',
            ],
      ),
      el(
        'li',
        {},
        granting.length === 0
          ? 'No policy grants access.'
          : plain.length === 0
            ? 'Every policy that grants access has a condition or an end.'
            : [
                to('policies', { only: 'unconditional' }, `${plain.length} of ${plural(granting.length, 'policy')}`),
                ` that grant access ${plain.length === 1 ? 'has' : 'have'} no condition and no end.`,
              ],
      ),
    ),
  )
}

/** The next ends of policies, and the past ones. */
function expiring(page: Page): HTMLElement {
  const { data, link } = page
  const now = data.at ?? data.made
  const ends = data.policies.flatMap((policy) => {
    const end = endOf(policy)
    return end ? [{ ...end, name: policy.name, isLast: policy.last !== undefined }] : []
  })
  const ended = ends.filter(({ at }) => at < now)
  const next = ends.filter(({ at }) => at >= now).sort((a, b) => a.at - b.at)
  return el(
    'section',
    {},
    el('h2', {}, 'What ends next'),
    next.length === 0
      ? el('p', {}, 'No policy that still applies has an end.')
      : [
          ...endsOf(page),
          el(
            'ul',
            { class: 'facts' },
            ...next
              .slice(0, 6)
              .map(({ name, at, words, isLast }) =>
                el(
                  'li',
                  {},
                  isLast && 'last access ',
                  el('time', { datetime: new Date(at).toISOString() }, words),
                  isLast && ', then none',
                  ` (${distanceWords(now, at)}): `,
                  link('policy', name),
                ),
              ),
            next.length > 6 && el('li', {}, to('policies', { only: 'ending' }, `${next.length - 6} more`)),
          ),
        ],
    ended.length > 0 &&
      el(
        'p',
        {},
        to('policies', { only: 'ended' }, plural(ended.length, 'policy')),
        ` ${ended.length === 1 ? 'has' : 'have'} ended and no longer ${ended.length === 1 ? 'has' : 'have'} an effect.`,
      ),
  )
}

function findings({ findings: all, suppressed }: PageData): HTMLElement {
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const count = all.filter((each) => each.severity === severity).length
    return count === 0
      ? []
      : [el('li', {}, el('span', { class: `badge ${severity}` }, severity), ' ', to('findings', { severity }, plural(count, 'finding')))]
  })
  return el(
    'section',
    {},
    el('h2', {}, 'Findings'),
    parts.length === 0 ? el('p', {}, 'No findings.') : el('ul', { class: 'facts' }, ...parts),
    suppressed > 0 && el('p', { class: 'soft' }, `${suppressed} more ${suppressed === 1 ? 'is' : 'are'} suppressed.`),
  )
}

/** Which recorded calls were counted. */
function recordsOf({ data: { calls } }: Page): readonly HTMLElement[] {
  if (!calls) return []
  return [
    el(
      'section',
      {},
      el('h2', {}, 'Recorded calls'),
      ...calls.map((note) => el('p', {}, `${sentence(note)}.`)),
      el('p', {}, 'Findings, changes and the entries of policies show how calls used them.'),
    ),
  ]
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** Where since when entries have their effect was looked up. */
function history(page: Page): readonly HTMLElement[] {
  const { history: pageHistory } = page.data
  if (!pageHistory) return []
  const { branch, count, first, last, notes } = pageHistory
  return [
    el(
      'section',
      {},
      el('h2', {}, 'Since when'),
      el(
        'p',
        {},
        `Since when each entry of a policy has its effect was looked up in ${plural(count, 'commit')} of `,
        el('code', {}, cut(shown(branch), 200)),
        `, ${first} to ${last}. Cells of the matrix and pages of policies show it.`,
      ),
      ...agesOf(page),
      ...notes.map((note) => el('p', {}, `${note}.`)),
    ),
  ]
}

/** How many files, folders and assumptions of a kind are listed. */
const mostListed = 500

/** The evidence for the page: files read, files skipped, and assumptions. */
function coverage({ coverage: record }: PageData): readonly HTMLElement[] {
  if (!record) return []
  const { summary, read, passed, assumptions } = record
  const list = <T>(title: string, items: readonly T[], words: (item: T) => string) =>
    items.length > 0 &&
    el(
      'details',
      {},
      el('summary', {}, `${title} (${items.length})`),
      el(
        'ul',
        { class: 'facts' },
        ...items.slice(0, mostListed).map((item) => el('li', {}, cut(shown(words(item)), 500))),
        items.length > mostListed && el('li', {}, `and ${items.length - mostListed} more`),
      ),
    )
  return [
    el(
      'section',
      {},
      el('h2', {}, 'What was read'),
      el('p', {}, `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
      list('Assumed', assumptions, ({ what, why }) => `${what}: ${why}`),
      list('Passed over', passed, ({ path, reason, count }) => `${path}: ${reason}${count === undefined ? '' : ` (${count})`}`),
      list('Read', read, ({ path, from, as, blob }) => [path, from, as === 'none' ? 'no policy' : as, blob].filter(Boolean).join(', ')),
    ),
  ]
}
