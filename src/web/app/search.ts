import { endsOf } from '../../picture/short-names.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { el, fill } from '../dom.ts'
import type { Kind, Page, View } from './page.ts'

/** One search over all names of the page: identities, groups, resources, policies, actions, types and rules. */

interface Item {
  readonly kind: Kind
  readonly name: string
  readonly text: string
}

const titles: Readonly<Record<Kind, string>> = {
  identity: 'Identities',
  group: 'Groups',
  resource: 'Resources',
  'resource-group': 'Resource groups',
  policy: 'Policies',
  type: 'Resource types',
  action: 'Actions',
  rule: 'Rules',
}

function itemsOf({ data }: Page): readonly Item[] {
  const item = (kind: Kind, name: string, ...more: readonly string[]): Item => ({
    kind,
    name,
    text: [name, ...more].join(' ').toLowerCase(),
  })
  return [
    ...data.identities.map(({ urn, short }) => item('identity', urn, short)),
    ...data.groups.map(({ urn, short }) => item('group', urn, short)),
    ...data.resources.map(({ urn, short, tags = [] }) => item('resource', urn, short, ...tags.flat())),
    ...data.resourceGroups.map(({ urn, short }) => item('resource-group', urn, short)),
    ...data.policies.map(({ name, description = '', address = '' }) => item('policy', name, description, address)),
    ...data.types.map(({ name }) => item('type', name)),
    ...data.rules.map(({ code, summary }) => item('rule', code, summary)),
    ...data.actions.map((action) => item('action', action)),
  ]
}

const mostOfKind = 25

export const search: View = {
  name: 'search',
  title: 'Search',
  isInner: true,
  show(place, { query }, page) {
    const items = itemsOf(page)
    const results = el('div', { class: 'results' })
    const count = el('p', { class: 'soft', role: 'status' })
    const input = el('input', {
      type: 'search',
      value: query.get('for') ?? '',
      'aria-label': 'Search names, URNs, actions and rules',
      placeholder: 'Names, URNs, actions, rules',
      autocomplete: 'off',
      spellcheck: 'false',
      oninput: () => {
        look()
        page.go({ name: 'search', query: new URLSearchParams(input.value === '' ? {} : { for: input.value }) }, true)
      },
    })
    const look = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
      const hits = words.length === 0 ? [] : items.filter(({ text }) => words.every((word) => text.includes(word)))
      fill(count, words.length === 0 ? 'Type a part of a name.' : plural(hits.length, 'result'))
      const kinds = Object.keys(titles)
      fill(
        results,
        ...(kinds as Kind[]).flatMap((kind) => {
          const ofKind = hits.filter((item) => item.kind === kind)
          if (ofKind.length === 0) return []
          return [
            el('h2', {}, `${titles[kind]} (${ofKind.length})`),
            el(
              'ul',
              { class: 'links column' },
              ...ofKind
                .slice(0, mostOfKind)
                .map(({ name }) =>
                  el(
                    'li',
                    {},
                    page.link(kind, name),
                    ' ',
                    el('span', { class: 'soft' }, kind === 'identity' || kind === 'resource' ? endsOf(shown(name), 100) : ''),
                  ),
                ),
            ),
            ofKind.length > mostOfKind && el('p', { class: 'soft' }, `and ${ofKind.length - mostOfKind} more: type more of the name`),
          ]
        }),
      )
    }
    place.append(el('div', { class: 'filters big' }, input), count, results)
    look()
    input.focus()
  },
}
