import type { PageData, PagePolicy } from '../../page/data.ts'
import { endOf } from '../../page/ends.ts'
import { byKind, kindWords } from '../../page/kinds.ts'
import { accessSheet, policiesSheet, type Sheet } from '../../page/sheets.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { el, fill } from '../dom.ts'
import { downloads } from './downloads.ts'
import { policiesOf } from './entities.ts'
import { placeWords } from './frame.ts'
import type { Page, Route, View } from './page.ts'
import { type Column, table } from './table.ts'
import { wholeDates } from './words.ts'

/** Lists of identities, resources and policies, each with a filter by text. */

interface ListOptions<Row> {
  readonly caption: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly textOf: (row: Row) => string
  /** The table of the rows that are shown, for other programs. */
  readonly sheetOf: (rows: readonly Row[]) => Sheet
  /** Filters other than the text: the key in the address, and whether a row passes. */
  readonly only?: readonly (readonly [key: string, words: string, holds: (row: Row) => boolean])[]
}

export function list<Row>(place: HTMLElement, { name, query }: Route, page: Page, options: ListOptions<Row>): void {
  const { caption, rows, columns, textOf, sheetOf, only = [] } = options
  const texts = new Map(rows.map((row) => [row, textOf(row).toLowerCase()]))
  const view = table({ caption, rows, columns, empty: 'Nothing matches.', isSavedElsewhere: true })
  const count = el('p', { class: 'soft', role: 'status' })
  let matching: readonly Row[] = rows
  const text = el('input', {
    type: 'search',
    value: query.get('text') ?? '',
    'aria-label': `Filter ${caption.toLowerCase()}`,
    placeholder: 'Filter by text',
    oninput: () => apply(),
  })
  const choice = el(
    'select',
    { 'aria-label': 'Show', onchange: () => apply() },
    el('option', { value: '' }, `All ${caption.toLowerCase()}`),
    ...only.map(([key, words]) => el('option', { value: key, selected: key === query.get('only') }, words)),
  )
  const apply = (isFirst = false) => {
    const wanted = text.value.toLowerCase()
    const holds = only.find(([key]) => key === choice.value)?.[2] ?? (() => true)
    matching = rows.filter((row) => texts.get(row)?.includes(wanted) && holds(row))
    view.show(matching)
    fill(count, `${matching.length === rows.length ? '' : `${matching.length} of `}${rows.length} ${caption.toLowerCase()}`)
    if (isFirst) return
    const next = new URLSearchParams()
    if (text.value !== '') next.set('text', text.value)
    if (choice.value !== '') next.set('only', choice.value)
    page.go({ name, query: next }, true)
  }
  place.append(
    el('div', { class: 'filters' }, text, only.length > 0 && choice, count),
    view.element,
    downloads(page, () => [sheetOf(matching)]),
  )
  apply(true)
}

export const identities: View = {
  name: 'identities',
  title: 'Identities',
  show(place, route, page) {
    const { data, link } = page
    const identities = byKind(data, [...data.identities.keys()])
      .map((number) => ({ number, ...(data.identities[number] as PageData['identities'][number]) }))
      .filter(({ kind }) => kind !== 'group')
      .map((each) => ({
        numbers: [each.number],
        urn: each.urn,
        short: each.short,
        kind: each.kind,
        groups: each.groups,
        members: 0,
        policies: policiesOf(data, each).length,
      }))
    const groups = data.groups.map((each) => ({
      numbers: each.members,
      urn: each.urn,
      short: each.short,
      kind: 'group' as const,
      groups: [] as readonly number[],
      members: each.members.length,
      policies: each.policies.length,
    }))
    list(place, route, page, {
      caption: 'Identities and groups',
      rows: [...identities, ...groups],
      textOf: ({ urn, short }) => `${urn} ${short}`,
      sheetOf: (rows) => accessSheet(page, { identities: [...new Set(rows.flatMap(({ numbers }) => numbers))] }),
      only: [
        ['user', 'Users', ({ kind }) => kind === 'user'],
        ['group', 'Groups', ({ kind }) => kind === 'group'],
        ['credential', 'Service accounts', ({ kind }) => kind === 'credential'],
      ],
      columns: [
        { title: 'Name', cell: ({ urn, kind }) => link(kind === 'group' ? 'group' : 'identity', urn), by: ({ short }) => short },
        { title: 'Kind', cell: ({ kind }) => kindWords[kind][1], by: ({ kind }) => kind },
        {
          title: 'Groups and members',
          cell: ({ groups: own, kind, members }) =>
            kind === 'group'
              ? plural(members, 'member')
              : own.flatMap((i, k) => [k > 0 ? ', ' : '', link('group', data.groups[i]?.urn ?? '')]),
        },
        { title: 'Policies', cell: ({ policies }) => policies, by: ({ policies }) => policies, isNumber: true },
      ],
    })
  },
}

export const resources: View = {
  name: 'resources',
  title: 'Resources',
  show(place, route, page) {
    const { data, link } = page
    const resourceRows = data.resources.map((each, number) => ({
      ...each,
      numbers: [number] as readonly number[],
      typeName: data.types[each.type]?.name ?? '',
      isGroup: false,
      count: (data.resourceClasses[each.class]?.policies ?? []).length,
    }))
    const groups = data.resourceGroups.map((each) => ({
      numbers: each.members,
      urn: each.urn,
      short: each.short,
      tags: undefined,
      groups: [] as readonly number[],
      typeName: 'resource group',
      isGroup: true,
      count: each.policies.length,
    }))
    list(place, route, page, {
      caption: 'Resources and resource groups',
      rows: [...resourceRows, ...groups],
      sheetOf: (rows) => accessSheet(page, { resources: [...new Set(rows.flatMap(({ numbers }) => numbers))] }),
      textOf: ({ urn, short, typeName, tags = [] }) =>
        `${urn} ${short} ${typeName} ${tags.map(([key, value]) => `${key}=${value}`).join(' ')}`,
      only: [
        ...data.types.slice(0, 40).map(({ name }) => [name, name, (row: { readonly typeName: string }) => row.typeName === name] as const),
        ['groups', 'Resource groups', ({ isGroup }) => isGroup],
      ],
      columns: [
        { title: 'Name', cell: ({ urn, isGroup }) => link(isGroup ? 'resource-group' : 'resource', urn), by: ({ short }) => short },
        { title: 'Type', cell: ({ typeName, isGroup }) => (isGroup ? typeName : link('type', typeName)), by: ({ typeName }) => typeName },
        { title: 'Tags', cell: ({ tags = [] }) => tags.map(([key, value]) => shown(`${key} = ${value}`)).join(', ') },
        {
          title: 'Groups',
          cell: ({ groups: of }) => of.flatMap((i, k) => [k > 0 ? ', ' : '', link('resource-group', data.resourceGroups[i]?.urn ?? '')]),
        },
        { title: 'Policies', cell: ({ count }) => count, by: ({ count }) => count, isNumber: true },
      ],
    })
  },
}

/** The names in a policy's entries, counted; a pattern counts as one, not as its matches. */
function namedWords(all: PagePolicy['identities'], noun: 'identity' | 'resource'): string {
  const patterns = all.filter(([text]) => text.includes('*')).length
  const groups = all.filter(([text]) => !text.includes('*') && /^urn:[^:]*:[^:]*:(?:identity:group|resourceGroup):/.test(text)).length
  const single = all.length - patterns - groups
  const words = [
    ...(single > 0 ? [plural(single, noun)] : []),
    ...(groups > 0 ? [plural(groups, noun === 'identity' ? 'group' : 'resource group')] : []),
    ...(patterns > 0 ? [`${plural(patterns, 'pattern')} over ${noun === 'identity' ? 'identities' : 'resources'}`] : []),
  ]
  return words.join(' and ')
}

const allows = (policy: PagePolicy, data: PageData) => policy.entries.some((entry) => data.entries[entry]?.list === 'allow')

export const policies: View = {
  name: 'policies',
  title: 'Policies',
  show(place, route, page) {
    const { data, tables, link } = page
    const now = data.at ?? data.made
    const counts = new Map<string, number>()
    for (const { policy } of data.findings) if (policy !== undefined) counts.set(policy, (counts.get(policy) ?? 0) + 1)
    const findingsOf = ({ name }: PagePolicy) => counts.get(name) ?? 0
    list(place, route, page, {
      caption: 'Policies',
      rows: data.policies,
      sheetOf: (rows) => policiesSheet(page, rows),
      textOf: ({ name, description = '', address = '', identities: who, resources: on, entries }) =>
        [
          name,
          description,
          address,
          ...who.map(([text]) => text),
          ...on.map(([text]) => text),
          ...entries.map((entry) => data.entries[entry]?.text),
        ].join(' '),
      only: [
        ['open', 'Open to everyone', (policy) => policy.isOpen === true && allows(policy, data)],
        ['unconditional', 'Without condition and end', (policy) => policy.when < 0 && endOf(policy) === undefined && allows(policy, data)],
        ['conditional', 'With a condition', ({ when }) => when >= 0],
        ['ending', 'That end', (policy) => (endOf(policy)?.at ?? 0) >= now],
        ['ended', 'That have ended', (policy) => (endOf(policy)?.at ?? now) < now],
        ['denying', 'That deny', ({ entries }) => entries.some((entry) => data.entries[entry]?.list === 'deny')],
        ['found', 'With findings', (policy) => findingsOf(policy) > 0],
      ],
      columns: [
        { title: 'Name', cell: ({ name }) => link('policy', name), by: ({ name }) => name },
        {
          title: 'About',
          cell: ({ identities: who, resources: on }) => `${namedWords(who, 'identity')}, ${namedWords(on, 'resource')}`,
          by: ({ identities: who }) => who.length,
        },
        {
          title: 'Condition',
          cell: ({ when }) => (when < 0 ? '' : (data.texts[when] ?? '')),
          by: ({ when }) => (when < 0 ? '' : (data.texts[when] ?? '')),
        },
        {
          title: 'Ends',
          cell: (policy) => wholeDates(endOf(policy)?.words ?? ''),
          by: (policy) => endOf(policy)?.at ?? Number.POSITIVE_INFINITY,
        },
        { title: 'Findings', cell: (policy) => findingsOf(policy) || '', by: findingsOf, isNumber: true },
        { title: 'Place', cell: ({ place: at }) => placeWords(tables, at), by: ({ place: at }) => placeWords(tables, at) },
      ],
    })
  },
}
