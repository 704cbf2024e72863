import type { PageFinding } from '../../page/data.ts'
import { findingsSheet } from '../../page/sheets.ts'
import { shown } from '../../report/safe.ts'
import { plural, rulePage } from '../../report/words.ts'
import { el, fill } from '../dom.ts'
import { downloads } from './downloads.ts'
import { frame, placeWords } from './frame.ts'
import type { Page, View } from './page.ts'
import { recordedCalls } from './recorded-calls.ts'
import { prose } from './words.ts'

/** The findings of lint, with their lines. */

/** A finding with its frame; within the text of a policy, where the line is above it, without. */
export function findingItem(finding: PageFinding, page: Page, hasFrame = true): HTMLElement {
  const { code, severity, message, help, place, related, fix, policy, since, calls = [] } = finding
  const { data, tables, link } = page
  const docs = rulePage(code, data.docs)
  return el(
    'article',
    { class: `finding ${severity}` },
    el('p', { class: 'title' }, el('span', { class: `badge ${severity}` }, severity), ' ', ...prose(message)),
    hasFrame && frame(tables, place, 1),
    hasFrame &&
      related.slice(0, 5).map(([words, at]) => el('div', { class: 'related' }, el('p', {}, 'Note: ', ...prose(words)), frame(tables, at))),
    help !== undefined && el('p', { class: 'help' }, el('strong', {}, 'Help: '), ...prose(help)),
    since !== undefined && el('p', { class: 'help' }, el('strong', {}, 'Age: '), ...prose(since)),
    ...recordedCalls(calls),
    fix && el('p', { class: 'help' }, el('strong', {}, fix[1] ? 'Safe fix: ' : 'Suggested fix: '), ...prose(fix[0])),
    el(
      'p',
      { class: 'soft more' },
      'Rule ',
      link('rule', code),
      ' (',
      el('a', { href: docs, rel: 'noreferrer noopener', target: '_blank' }, 'what it means'),
      ')',
      policy !== undefined && hasFrame && [' in policy ', link('policy', policy)],
      !hasFrame && ` at ${placeWords(tables, place)}`,
    ),
  )
}

const [batch, mostOnPaper] = [40, 1000]

/** Findings by severity and rule. `#/rule/CODE` is the same for one rule. */
function findingsView(name: string, title: string, isInner: boolean): View {
  return {
    name,
    title,
    ...(isInner && { isInner: true as const }),
    show(place, { part, query }, page) {
      const { data, go } = page
      const list = el('div', { class: 'findings' })
      let matching: readonly PageFinding[] = data.findings
      const count = el('p', { class: 'soft', role: 'status' })
      const codes = new Map<string, number>()
      for (const { code } of data.findings) codes.set(code, (codes.get(code) ?? 0) + 1)
      const severity = el(
        'select',
        { 'aria-label': 'Severity', onchange: () => apply() },
        el('option', { value: '' }, 'All severities'),
        ...['error', 'warning', 'info'].map((each) =>
          el('option', { value: each, selected: query.get('severity') === each }, `${each}s`.replace('infos', 'info')),
        ),
      )
      const rule = el(
        'select',
        { 'aria-label': 'Rule', onchange: () => apply() },
        el('option', { value: '' }, 'All rules'),
        ...[...codes]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([code, many]) => el('option', { value: code, selected: (part || query.get('rule')) === code }, `${code} (${many})`)),
      )
      const text = el('input', {
        type: 'search',
        'aria-label': 'Filter findings by text',
        placeholder: 'Filter by text',
        value: query.get('text') ?? '',
        oninput: () => apply(),
      })
      const apply = (isFirst = false) => {
        const wanted = text.value.toLowerCase()
        const code = isInner ? part : rule.value
        matching = data.findings.filter(
          (each) =>
            (severity.value === '' || each.severity === severity.value) &&
            (code === '' || each.code === code) &&
            `${each.message} ${each.code} ${each.policy ?? ''} ${data.files[each.place[0]]?.path ?? ''}`.toLowerCase().includes(wanted),
        )
        fill(count, `${matching.length} of ${plural(data.findings.length, 'finding')}`)
        fill(list)
        more(matching, 0)
        if (isFirst || isInner) return
        const next = new URLSearchParams()
        for (const [key, value] of [
          ['severity', severity.value],
          ['rule', rule.value],
          ['text', text.value],
        ] as const)
          if (value !== '') next.set(key, value)
        go({ name, query: next }, true)
      }
      /** Appends a batch; the others on demand, and in print. */
      const more = (pageFindings: readonly PageFinding[], from: number) => {
        list.append(...pageFindings.slice(from, from + batch).map((finding) => findingItem(finding, page)))
        if (pageFindings.length <= from + batch) return
        const button = el(
          'button',
          {
            type: 'button',
            onclick: () => {
              button.remove()
              more(pageFindings, from + batch)
            },
          },
          `Show ${Math.min(batch, pageFindings.length - from - batch)} more of ${pageFindings.length - from - batch}`,
        )
        list.append(button)
      }
      const print = () => {
        for (let i = 0; i < mostOnPaper / batch; i++) list.querySelector<HTMLElement>(':scope > button')?.click()
      }
      addEventListener('beforeprint', print)
      page.onLeave(() => removeEventListener('beforeprint', print))
      const about = data.rules.find(({ code }) => code === part)
      place.append(
        ...(isInner
          ? [
              el(
                'p',
                {},
                el('code', {}, shown(part)),
                about ? `: ${about.summary}. ` : ' ',
                el(
                  'a',
                  { href: rulePage(encodeURI(part), data.docs), rel: 'noreferrer noopener', target: '_blank' },
                  'Documentation of the rule',
                ),
              ),
            ]
          : [el('div', { class: 'filters' }, text, severity, rule, count)]),
        list,
        downloads(page, () => [findingsSheet(page, matching)]),
      )
      if (isInner) place.append(count)
      apply(true)
    },
  }
}

export const findings = findingsView('findings', 'Findings', false)
export const rule = findingsView('rule', 'Rule', true)
