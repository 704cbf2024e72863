import { pushTo } from '../../collections.ts'
import type { PageCell, PageData, PagePart, Ref } from '../../page/data.ts'
import { confidenceWords, levelWords, textAt } from '../../page/words.ts'
import { endsOf } from '../../picture/short-names.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { el } from '../dom.ts'
import { policiesOf } from './entities.ts'
import { frames } from './frame.ts'
import { cellBox } from './matrix-cell.ts'
import { editsPart } from './matrix-edits.ts'
import type { Page, Route } from './page.ts'
import { riskBadge } from './sensitive.ts'
import { sinceText, whenPhrase } from './words.ts'

type Href = (route: Partial<Route> & Pick<Route, 'name'>) => string

/**
 * The details of a cell: the actions, their times, the deciding entries with their lines, and edits that would change it. Returns
 * its heading.
 */
export function panelOf(place: HTMLElement, page: Page, identity: Ref, on: string, close: () => void, hrefOf: Href): HTMLElement {
  const { data, link } = page
  const who = data.identities[identity]?.urn ?? ''
  const type = data.types.findIndex(({ name }) => name === on)
  const resource = data.resources.findIndex(({ urn }) => urn === on)
  const heading = el('h2', { tabindex: -1 }, link('identity', who), ' on ', resource >= 0 ? link('resource', on) : endsOf(shown(on), 80))
  place.append(
    el(
      'div',
      { class: 'panel-head' },
      heading,
      el('button', { type: 'button', class: 'quiet', 'aria-label': 'Close', onclick: close }, '✕'),
    ),
  )
  if (resource >= 0) place.append(...resourceParts(page, identity, resource))
  else if (type >= 0) place.append(...typeParts(page, identity, type, hrefOf))
  else place.append(el('p', {}, 'This report describes nothing of this name.'))
  const cell = resource >= 0 ? page.tables.cell(identity, resource) : undefined
  const edits = resource >= 0 && !cell?.isRoot && editsPart(page, identity, resource, cell)
  if (edits) place.append(edits)
  const query = new URLSearchParams({ identity: who, resource: on })
  if (resource >= 0 && page.has('engine'))
    place.append(el('p', {}, el('a', { href: hrefOf({ name: 'ask', part: 'what', query }) }, 'Try an edit in What if')))
  return heading
}

/** One resource. */
function resourceParts(page: Page, identity: Ref, resource: Ref): readonly (HTMLElement | string)[] {
  const { data, tables } = page
  const cell = tables.cell(identity, resource)
  if (!cell) return nothingParts(page, identity, resource)
  if (cell.isRoot) return [cellBox(cell), el('p', {}, 'It is the account that owns the resource: no policy can restrict it.')]
  return [
    cellBox(cell),
    el('p', {}, holdsWords(data, cell)),
    ...parts(page, cell),
    el('h3', {}, 'What would change it'),
    ...changeParts(page, cell, policiesOfBoth(page, identity, resource)),
  ]
}

/** When a cell holds. Where no single context allows every action, it does in part. */
function holdsWords(data: PageData, { when, confidence, guaranteed, isPartly, parts: actionParts }: PageCell): string {
  if (confidence === 'always' && !isPartly && actionParts.some((part) => part.confidence !== 'always'))
    return 'Some actions are allowed in any case, others only under the conditions below.'
  const words = textAt(data, when)
  const sure = confidence === 'always' ? 'none' : (guaranteed?.always ?? 'none')
  return `${sure === 'none' ? 'This' : `More than “${levelWords[sure]}”`} holds ${isPartly ? 'in part ' : ''}${words === undefined ? confidenceWords[confidence] : whenPhrase(words)}.`
}

const mostActions = 8
const mostPolicies = 3

function parts(page: Page, cell: PageCell): readonly HTMLElement[] {
  const count = ({ actions }: PagePart) => page.tables.actionsIn(actions).length
  const certainty = ({ confidence }: PagePart) => Number(confidence === 'always')
  return [...cell.parts].sort((a, b) => certainty(b) - certainty(a) || count(b) - count(a)).map((part) => partBox(page, part))
}

/** Actions that are allowed alike: which, when, by which entries. */
function partBox(page: Page, part: PagePart): HTMLElement {
  const { data, tables } = page
  const actions = tables.actionsIn(part.actions)
  const words = textAt(data, part.when)
  return el(
    'section',
    { class: 'part' },
    el('h3', {}, `${plural(actions.length, 'action')}, `, words === undefined ? confidenceWords[part.confidence] : whenPhrase(words)),
    actionList(page, actions),
    el('h4', {}, 'Granted by'),
    part.allow.length === 0 ? el('p', { class: 'soft' }, 'A permissions group that is not described.') : entryFrames(page, part.allow),
    part.deny.length > 0 && [el('h4', {}, 'Limited by'), entryFrames(page, part.deny)],
  )
}

function actionList({ data, link }: Page, actions: readonly Ref[]): HTMLElement {
  const risks = new Map(data.sensitive.map(([action, risk]) => [action, risk]))
  const item = (action: Ref) => {
    const risk = risks.get(action)
    return el('li', {}, link('action', data.actions[action] ?? ''), risk && [' ', riskBadge(risk)])
  }
  const first = [...actions].sort((a, b) => Number(risks.has(b)) - Number(risks.has(a)) || a - b)
  return el(
    'div',
    {},
    el('ul', { class: 'actions' }, ...first.slice(0, mostActions).map(item)),
    first.length > mostActions &&
      later(`${first.length - mostActions} more`, () => el('ul', { class: 'actions' }, ...first.slice(mostActions).map(item))),
  )
}

function entryFrames(page: Page, entries: readonly Ref[]): HTMLElement {
  const { data, tables, link } = page
  const byPolicy = new Map<Ref, Ref[]>()
  for (const entry of entries) {
    const { policy } = data.entries[entry] as (typeof data.entries)[number]
    pushTo(byPolicy, policy, entry)
  }
  const item = ([policy, ownEntries]: readonly [Ref, readonly Ref[]]) => {
    const all = ownEntries.map((entry) => data.entries[entry] as (typeof data.entries)[number])
    const groups = [...new Set(all.flatMap(({ group }) => group ?? []))]
    return el(
      'div',
      { class: 'entry' },
      el(
        'p',
        {},
        link('policy', data.policies[policy]?.name ?? ''),
        ` · ${plural(all.length, `${all[0]?.list ?? ''} entry`)}`,
        groups.length > 0 && ` in ${groups.map(shown).join(', ')}`,
      ),
      ...frames(
        tables,
        all.slice(0, 12).map(({ place }) => place),
        new Map(all.flatMap(({ place, since }) => (since ? [[place, sinceText(data, since)] as const] : []))),
      ),
      all.length > 12 && el('p', { class: 'soft' }, `and ${plural(all.length - 12, 'more entry')}`),
    )
  }
  const policies = [...byPolicy]
  return el(
    'div',
    {},
    ...policies.slice(0, mostPolicies).map(item),
    policies.length > mostPolicies &&
      later(plural(policies.length - mostPolicies, 'more policy'), () => el('div', {}, ...policies.slice(mostPolicies, 200).map(item))),
  )
}

/** A part that is created when the user opens it. */
function later(title: string, make: () => HTMLElement): HTMLElement {
  const details = el(
    'details',
    {
      ontoggle: () => {
        if (details.open && details.childElementCount === 1) details.append(make())
      },
    },
    el('summary', {}, title),
  )
  return details
}

/** The policies about an identity and a resource. */
function policiesOfBoth({ data }: Page, identity: Ref, resource: Ref): readonly Ref[] {
  const its = data.resourceClasses[data.resources[resource]?.class ?? -1]?.policies ?? []
  return policiesOf(data, data.identities[identity] as PageData['identities'][number]).filter((policy) => its.includes(policy))
}

/** Whether a policy names a permissions group of which no entry is known. */
function isOpen({ permissionsGroups, entries }: PageData['policies'][number], data: PageData): boolean {
  return permissionsGroups.some((group) => entries.every((entry) => data.entries[entry]?.group !== group))
}

/** The edits that would give less access, or more. */
function changeParts({ data, link }: Page, cell: PageCell, about: readonly Ref[]): readonly HTMLElement[] {
  const open = about.some((policy) => isOpen(data.policies[policy] as PageData['policies'][number], data))
    ? ', but for what a permissions group that is not described may allow'
    : ''
  const allows = [...new Set(cell.parts.flatMap(({ allow }) => allow))]
  const policies = [...new Set(allows.map((entry) => data.entries[entry]?.policy as Ref))]
  const conditions = policies.filter((policy) => (data.policies[policy]?.when ?? -1) >= 0)
  const names = (some: readonly Ref[]) =>
    some.slice(0, 5).flatMap((policy, i) => [i > 0 ? ', ' : '', link('policy', data.policies[policy]?.name ?? '')])
  return [
    el(
      'ul',
      {},
      policies.length === 0 && el('li', {}, 'Less: everything here comes from a permissions group that is not described.'),
      policies.length === 1 &&
        el(
          'li',
          {},
          'Less: everything here comes from one policy, ',
          ...names(policies),
          `. Without its entries above, or with an \`except\` next to them, nothing is left of it${open}.`,
        ),
      policies.length > 1 &&
        el(
          'li',
          {},
          `Less: ${policies.length} policies grant parts of it, so that all have to change: `,
          ...names(policies),
          `${open}. One deny entry over these actions wins over all of them.`,
        ),
      conditions.length > 0 && el('li', {}, 'At other times or from elsewhere: the conditions of ', ...names(conditions), '.'),
      cell.level !== 'all' && el('li', {}, 'More: an `allow` entry for the actions that are missing, in one of these policies.'),
    ),
  ]
}

/** Why there is nothing, and which policies are near. */
function nothingParts(page: Page, identity: Ref, resource: Ref): readonly HTMLElement[] {
  const { data, link } = page
  const who = data.identities[identity] as (typeof data.identities)[number]
  const on = data.resources[resource] as (typeof data.resources)[number]
  const mine = policiesOf(data, who)
  const its = data.resourceClasses[on.class]?.policies ?? []
  const shared = policiesOfBoth(page, identity, resource)
  const links = (some: readonly Ref[]) =>
    el('ul', { class: 'links' }, ...some.slice(0, 12).map((policy) => el('li', {}, link('policy', data.policies[policy]?.name ?? ''))))
  return [
    cellBox({ level: 'none', confidence: 'always' }),
    ...(shared.length > 0
      ? [
          el('p', {}, 'These policies are about both, and grant nothing here: they only deny, have ended, or are denied by others.'),
          links(shared),
        ]
      : [
          el('p', {}, 'No policy is about both, so nothing is granted.'),
          el('h3', {}, 'What would change it'),
          el(
            'p',
            {},
            mine.length > 0 ? 'The resource added to one of the policies about the identity:' : 'No policy is about the identity.',
          ),
          ...(mine.length > 0 ? [links(mine)] : []),
          el(
            'p',
            {},
            its.length > 0 ? 'Or the identity added to one of the policies about the resource:' : 'No policy is about the resource.',
          ),
          ...(its.length > 0 ? [links(its)] : []),
        ]),
  ]
}

/** All resources of a type: which are alike. */
function typeParts(page: Page, identity: Ref, type: Ref, hrefOf: Href): readonly HTMLElement[] {
  const { data, tables } = page
  const who = data.identities[identity]?.urn ?? ''
  const name = data.types[type]?.name ?? ''
  const cells = new Map<Ref, Ref[]>()
  data.resources.forEach((resource, i) => {
    if (resource.type !== type || resource.class < 0) return
    const cell = tables.cellNumber(identity, i)
    pushTo(cells, cell, i)
  })
  const open = (resource: Ref) =>
    el(
      'a',
      {
        href: hrefOf({ name: 'matrix', query: new URLSearchParams({ type: name, who, on: data.resources[resource]?.urn ?? '' }) }),
        class: 'name',
      },
      endsOf(data.resources[resource]?.short ?? '', 60),
    )
  const sections = [...cells]
    .sort(([a], [b]) => b - a)
    .map(([number, resources]) => {
      const cell = data.cells[number]
      return el(
        'section',
        { class: 'part' },
        el('h3', {}, cellBox(cell ?? { level: 'none', confidence: 'always' }), ` on ${plural(resources.length, 'resource')}`),
        cell && (cell.when >= 0 || cell.isPartly) && el('p', {}, holdsWords(data, cell)),
        el('ul', { class: 'links' }, ...resources.slice(0, 12).map((resource) => el('li', {}, open(resource)))),
        resources.length > 12 && el('p', { class: 'soft' }, `and ${resources.length - 12} more`),
        ...(cell && !cell.isRoot ? linesOf(page, cell, cells.size <= mostOpen) : []),
      )
    })
  return [el('p', { class: 'soft' }, 'Choose a resource to see what would change its access.'), ...sections]
}

/** The number of kinds of access to resources of a type whose lines are shown without opening them. */
const mostOpen = 3

function linesOf(page: Page, cell: PageCell, isOpen: boolean): readonly HTMLElement[] {
  return isOpen ? parts(page, cell) : [later('Actions and the lines that decide', () => el('div', {}, ...parts(page, cell)))]
}
