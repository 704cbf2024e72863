import { pushTo } from '../../collections.ts'
import { glob, matches } from '../../glob.ts'
import type { PageData, PageIdentity, PageName, PagePolicy, Ref } from '../../page/data.ts'
import { endOf } from '../../page/ends.ts'
import { byKind } from '../../page/kinds.ts'
import { accessSheet } from '../../page/sheets.ts'
import { textAt } from '../../page/words.ts'
import { endsOf } from '../../picture/short-names.ts'
import { cut, shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { position } from '../../source.ts'
import { el } from '../dom.ts'
import { downloads } from './downloads.ts'
import { findingItem } from './findings.ts'
import { lines, type Mark, placeWords } from './frame.ts'
import { cellBox } from './matrix-cell.ts'
import type { Page, View } from './page.ts'
import { hrefOf } from './router.ts'
import { type Column, table } from './table.ts'
import { distanceWords, sinceText, whenPhrase, wholeDates } from './words.ts'

/** The pages of identities, groups, resources, resource groups and policies, with links between them. */

/** The policies about an identity, those of its groups included. */
export function policiesOf(data: PageData, identity: PageIdentity): readonly Ref[] {
  return data.identityClasses[identity.class]?.policies ?? []
}

/** The view of one thing, found by the rest of the address. */
function entity<T>(
  name: string,
  title: string,
  find: (page: Page, part: string) => T | undefined,
  show: (place: HTMLElement, found: T, page: Page) => void,
): View {
  return {
    name,
    title,
    isInner: true,
    heading: ({ part }, { tables }) => endsOf(tables.shortNames.get(part) ?? shown(part), 120),
    show(place, { part }, page) {
      const entity = find(page, part)
      if (page.tables.shortNames.has(part) || shown(part).length > 120) place.append(el('p', { class: 'whole mono' }, longName(part)))
      if (entity === undefined) {
        const query = new URLSearchParams({ for: part.slice(Math.max(part.lastIndexOf(':'), part.lastIndexOf('/')) + 1) })
        const words = `This report describes no ${title.toLowerCase()} with the name “${cut(shown(part), 200)}”. `
        place.append(el('p', {}, words, el('a', { href: hrefOf({ name: 'search', query }) }, 'Search for one like it')))
      } else show(place, entity, page)
    },
  }
}

/** A link to the graph with the paths through something. `node`: as the graph names it. */
function graphLink({ has }: Page, node: string): readonly HTMLElement[] {
  if (!has('graph')) return []
  return [
    el(
      'p',
      { class: 'to-graph' },
      el('a', { href: hrefOf({ name: 'graph', query: new URLSearchParams({ through: node }) }) }, 'Show in the graph'),
    ),
  ]
}

/** A whole name; a very long one behind a button. */
function longName(text: string): HTMLElement {
  const safe = shown(text)
  if (safe.length <= 300) return el('span', {}, safe)
  return el('details', {}, el('summary', {}, cut(safe, 300)), el('span', {}, safe))
}

/** Links in a row; past so many the rest is behind a button. */
function linksTo(items: readonly HTMLElement[], none: string, most = 60): HTMLElement {
  if (items.length === 0) return el('p', { class: 'soft' }, none)
  const listOf = (some: readonly HTMLElement[]) => el('ul', { class: 'links' }, ...some.map((item) => el('li', {}, item)))
  if (items.length <= most) return listOf(items)
  return el(
    'div',
    {},
    listOf(items.slice(0, most)),
    el('details', {}, el('summary', {}, `${items.length - most} more`), listOf(items.slice(most))),
  )
}

function policyTable(caption: string, numbers: readonly Ref[], { data, link }: Page): HTMLElement {
  if (numbers.length === 0) return el('p', { class: 'soft' }, 'None.')
  return table({
    caption,
    rows: numbers.map((i) => data.policies[i] as PagePolicy),
    columns: [
      { title: 'Policy', cell: ({ name }) => link('policy', name), by: ({ name }) => name },
      { title: 'Grants and denies', cell: ({ entries }) => entriesWords(entries, data) },
      { title: 'When', cell: (policy) => wholeDates(whenWords(policy, data)) },
    ],
  }).element
}

function entriesWords(entries: readonly Ref[], data: PageData): string {
  const by = (list: string) => entries.flatMap((i) => (data.entries[i]?.list === list ? [data.entries[i]?.text as string] : []))
  const words = (list: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`${list} ${shown(all.slice(0, 3).join(', '))}${all.length > 3 ? ` and ${all.length - 3} more` : ''}`]
  return [...words('allow', by('allow')), ...words('except', by('except')), ...words('deny', by('deny'))].join('; ')
}

function whenWords(policy: PagePolicy, data: PageData): string {
  const end = endOf(policy)
  const now = data.at ?? data.made
  return [textAt(data, policy.when), end && (end.at < now ? `ended on ${end.words}` : `until ${end.words}`)].filter(Boolean).join('; ')
}

/** A heading with what is below it. */
function section(title: string, ...content: readonly (HTMLElement | string)[]): HTMLElement {
  return el('section', {}, el('h2', {}, title), ...content)
}

const matrixLink = (query: Readonly<Record<string, string>>, text: string) =>
  el('a', { href: hrefOf({ name: 'matrix', query: new URLSearchParams(query) }) }, text)

/** The access of an identity, by type. */
function accessByType(number: Ref, { data, tables, link }: Page): HTMLElement {
  const { urn = '' } = data.identities[number] ?? {}
  const cells = tables.byType(number).flatMap((cell, type) => (cell.level === 'none' ? [] : [{ cell, name: data.types[type]?.name ?? '' }]))
  if (cells.length === 0) return el('p', { class: 'soft' }, 'Nothing, as far as is described.')
  return table({
    caption: 'Access by resource type',
    isSavedElsewhere: true,
    rows: cells,
    columns: [
      { title: 'Type', cell: ({ name }) => link('type', name), by: ({ name }) => name },
      { title: 'Access', cell: ({ cell }) => cellBox(cell) },
      { title: 'On', cell: ({ cell }) => `${cell.resources} of ${plural(cell.of, 'resource')}`, by: ({ cell }) => cell.resources },
      { title: 'Why', cell: ({ name }) => matrixLink({ type: name, who: urn }, 'in the matrix') },
    ],
  }).element
}

export const identity = entity(
  'identity',
  'Identity',
  ({ data }, part) => {
    const number = data.identities.findIndex(({ urn }) => urn === part)
    return number < 0 ? undefined : number
  },
  (place, number, page) => {
    const { data, link } = page
    const pageIdentity = data.identities[number] as PageIdentity
    place.append(
      ...graphLink(page, pageIdentity.urn),
      section(
        'What it may do',
        accessByType(number, page),
        downloads(page, () => [accessSheet(page, { identities: [number] })]),
      ),
      section(
        'Groups',
        linksTo(
          pageIdentity.groups.map((i) => link('group', data.groups[i]?.urn ?? '')),
          'It is in no described group.',
        ),
      ),
      section('Policies about it', policyTable('Policies about the identity', policiesOf(data, pageIdentity), page)),
    )
  },
)

export const group = entity(
  'group',
  'Group',
  ({ data }, part) => data.groups.find(({ urn }) => urn === part),
  (place, { urn, members, policies }, page) => {
    const { data, link } = page
    const self = data.identities.findIndex((each) => each.urn === urn)
    place.append(
      ...graphLink(page, urn),
      section(
        'Members',
        linksTo(
          members.map((i) => link('identity', data.identities[i]?.urn ?? '')),
          'No member is described.',
        ),
      ),
      ...(self >= 0
        ? [
            section(
              'What a member may do',
              accessByType(self, page),
              downloads(page, () => [accessSheet(page, { identities: [self] })]),
            ),
          ]
        : []),
      section(
        'Policies about it',
        el('p', { class: 'soft' }, 'Policies about a member by name, or by a pattern of users, are on the page of the member.'),
        policyTable('Policies about the group', policies, page),
      ),
    )
  },
)

/** Who may do something with a resource. */
function whoMay(number: Ref, { data, tables, link }: Page): HTMLElement {
  const { urn = '', type = -1 } = data.resources[number] ?? {}
  const everyone = data.identities.map((_, i) => i)
  const rows = byKind(data, everyone).flatMap((i) => {
    const [each, cell] = [data.identities[i], tables.cell(i, number)]
    return each && cell ? [{ cell, each }] : []
  })
  if (rows.length === 0) return el('p', { class: 'soft' }, 'No described identity.')
  return table({
    isSavedElsewhere: true,
    caption: 'Who may do something with it',
    rows,
    columns: [
      { title: 'Identity', cell: ({ each }) => link('identity', each.urn), by: ({ each }) => each.short },
      { title: 'Access', cell: ({ cell }) => cellBox(cell), by: ({ cell }) => cell.level },
      { title: 'When', cell: ({ cell }) => textAt(data, cell.when) ?? '' },
      { title: 'Why', cell: ({ each }) => matrixLink({ type: data.types[type]?.name ?? '', who: each.urn, on: urn }, 'in the matrix') },
    ],
  }).element
}

export const resource = entity(
  'resource',
  'Resource',
  ({ data }, part) => {
    const number = data.resources.findIndex(({ urn }) => urn === part)
    return number < 0 ? undefined : number
  },
  (place, number, page) => {
    const { data, link } = page
    const resource = data.resources[number] as PageData['resources'][number]
    place.append(
      ...graphLink(page, resource.urn),
      el(
        'dl',
        {},
        el('dt', {}, 'Type'),
        el('dd', {}, link('type', data.types[resource.type]?.name ?? '')),
        resource.owner !== undefined && [el('dt', {}, 'Owner'), el('dd', {}, shown(resource.owner))],
        el('dt', {}, 'Tags'),
        el(
          'dd',
          {},
          resource.tags === undefined
            ? 'not described'
            : resource.tags.length === 0
              ? 'none'
              : resource.tags.map(([key, value]) => shown(`${key} = ${value}`)).join(', '),
        ),
      ),
      section(
        'Who may do something with it',
        resource.class < 0 ? el('p', { class: 'soft' }, 'The catalogue knows no action about its type.') : whoMay(number, page),
        downloads(page, () => [accessSheet(page, { resources: [number] })]),
      ),
      section(
        'Resource groups',
        linksTo(
          resource.groups.map((i) => link('resource-group', data.resourceGroups[i]?.urn ?? '')),
          'It is in no described group.',
        ),
      ),
      section('Policies about it', policyTable('Policies about the resource', data.resourceClasses[resource.class]?.policies ?? [], page)),
    )
  },
)

export const resourceGroup = entity(
  'resource-group',
  'Resource group',
  ({ data }, part) => data.resourceGroups.find(({ urn }) => urn === part),
  (place, { urn, members, policies, isComplete }, page) => {
    const { data, link } = page
    place.append(
      ...graphLink(page, urn),
      section(
        'Members',
        linksTo(
          members.map((i) => link('resource', data.resources[i]?.urn ?? '')),
          'No member is described.',
        ),
        ...(isComplete ? [] : [el('p', { class: 'soft' }, 'It may have other members, whose names are not known.')]),
      ),
      section('Policies about it', policyTable('Policies about the resource group', policies, page)),
    )
  },
)

export const policy = entity(
  'policy',
  'Policy',
  ({ data }, part) => {
    const named = data.policies.map((each, i) => [each, i] as const).filter(([{ name }]) => name === part)
    return named.length === 0 ? undefined : named
  },
  (place, all, page) => {
    for (const [found, number] of all) place.append(...policyParts(found, number, page))
  },
)

function policyParts(policy: PagePolicy, number: Ref, page: Page): readonly HTMLElement[] {
  const { data, tables, link } = page
  const now = data.at ?? data.made
  const [file, start, end] = policy.span
  const source = tables.source(file)
  const findings = data.findings.filter(({ place: [in_, at] }) => in_ === file && at >= start && at <= end)
  const marks: Mark[] = findings.map(({ place: [, from, to], severity, message }) => ({
    start: from,
    end: to,
    kind: severity,
    title: message,
  }))
  const byLine = new Map<number, typeof findings>()
  for (const finding of findings) {
    const { line } = position(source, finding.place[1])
    pushTo(byLine, line, finding)
  }
  const first = position(source, start).line
  const last = position(source, Math.max(start, end - 1)).line
  const classesOf = (classes: PageData['identityClasses']) =>
    classes.filter(({ policies }) => policies.includes(number)).flatMap(({ names }) => names)
  const condition = textAt(data, policy.when)
  const isDescribedGroup = (urn: string) => data.groups.some((each) => each.urn === urn)
  const plainName = (text: string) => {
    if (isDescribedGroup(text)) return link('group', text)
    if (data.identities.some(({ urn }) => urn === text)) return link('identity', text)
    if (data.resourceGroups.some(({ urn }) => urn === text)) return link('resource-group', text)
    if (data.resources.some(({ urn }) => urn === text)) return link('resource', text)
    return el('code', {}, cut(shown(text), 200))
  }
  const nameOf = ([text, , since]: PageName) =>
    since ? el('span', {}, plainName(text), el('span', { class: 'soft' }, ` ${sinceText(data, since)}`)) : plainName(text)
  const over = endOf(policy)
  const lastAccess = policy.last && `last access ${policy.last[1]}, then none`
  const ends = over === undefined ? 'never' : `${lastAccess ?? over.words}, ${distanceWords(now, over.at)}`
  return [
    ...graphLink(page, `policy ${number}`),
    el(
      'dl',
      {},
      policy.description !== undefined && [el('dt', {}, 'Description'), el('dd', {}, cut(shown(policy.description), 2000))],
      el('dt', {}, 'Place'),
      el('dd', {}, placeWords(tables, policy.place)),
      el('dt', {}, 'Applies'),
      el('dd', {}, condition === undefined ? 'in any case' : whenPhrase(condition)),
      el('dt', {}, 'Ends'),
      el('dd', {}, ends),
      policy.permissionsGroups.length > 0 && [
        el('dt', {}, 'Permissions groups'),
        el('dd', {}, policy.permissionsGroups.map(shown).join(', ')),
      ],
    ),
    section(
      'As it is written',
      lines(source, first, last, marks, (line) => {
        const own = byLine.get(line)
        return own && el('div', {}, ...own.map((finding) => findingItem(finding, page, false)))
      }),
    ),
    section('Identities that it names', linksTo(policy.identities.map(nameOf), 'None.')),
    section('Resources that it names', linksTo(policy.resources.map(nameOf), 'None.')),
    section(
      'Identities in this report that it is about',
      linksTo(
        classesOf(data.identityClasses).map((i) => link('identity', data.identities[i]?.urn ?? '')),
        'No described identity.',
      ),
    ),
    section(
      'Resources in this report that it is about',
      linksTo(
        classesOf(data.resourceClasses).map((i) => link('resource', data.resources[i]?.urn ?? '')),
        'Nothing that is described.',
      ),
    ),
    section('What it grants and denies', entryTable(policy.entries, page)),
  ]
}

function entryTable(entries: readonly Ref[], { data, tables }: Page): HTMLElement {
  if (entries.length === 0) return el('p', { class: 'soft' }, 'Nothing.')
  return table({
    caption: 'Entries of the policy',
    rows: entries.map((i) => data.entries[i] as PageData['entries'][number]),
    columns: [
      { title: 'Entry', cell: ({ text }) => el('code', {}, cut(shown(text), 300)), by: ({ text }) => text },
      {
        title: 'List',
        cell: ({ list, group: from }) => `${list}${from === undefined ? '' : ` in ${shown(from)}`}`,
        by: ({ list }) => list,
      },
      {
        title: 'Actions',
        cell: ({ text }) => actionsMatching(data, text),
        by: ({ text }) => actionsMatching(data, text),
        isNumber: true,
      },
      ...(data.history ? [sinceColumn(data)] : []),
      ...(data.calls ? [callsColumn(data)] : []),
      { title: 'Place', cell: ({ place }) => placeWords(tables, place) },
    ],
  }).element
}

const callsColumn = (data: PageData): Column<PageData['entries'][number]> => ({
  title: 'Recorded calls',
  cell: ({ calls }) => (calls ? (data.texts[calls[0]] ?? '') : ''),
  by: ({ calls }) => calls?.[1] ?? -1,
})

const sinceColumn = (data: PageData): Column<PageData['entries'][number]> => ({
  title: 'Effect',
  cell: ({ since }) => sinceText(data, since),
  by: ({ since }) => since?.[1] ?? 0,
})

/** How many of the actions about described resources an entry matches. */
function actionsMatching({ actions }: PageData, text: string): number {
  const pattern = glob(text)
  return actions.reduce((sum, action) => sum + (matches(pattern, action) ? 1 : 0), 0)
}
