import type { RouteContext } from '../api/route.ts'
import type { Reply } from '../model/exchange.ts'
import type { State } from '../model/state.ts'
import type { Asset } from '../model/tasks.ts'
import { html, type Markup, type Part } from './html.ts'
import { listed, listingOf } from './lists.ts'
import { block, emptyCard, facts, jsonText, name, table, time } from './parts.ts'
import { accountChoice, consoleReply, listAt, type Place } from './place.ts'

const path = '/console/resources'

const mostShown = 20

/** The last of records that are numbered from 0 under a key, newest first. */
function lastOf<R>(table: { readonly get: (key: string) => R | undefined }, key: string, count: number): readonly R[] {
  const records: R[] = []
  for (let number = count - 1; number >= 0 && records.length < mostShown; number--) {
    const record = table.get(`${key} ${number}`)
    if (record !== undefined) records.push(record)
  }
  return records
}

export function resources(context: RouteContext, place: Place): Reply {
  const { state } = context.service
  const ofAccount = [...state.table('asset').entries()].filter(([, asset]) => asset.account === place.account)
  const listing = listingOf(context, ofAccount, ([, { urn, path: at, currentState, targetSpec }]) =>
    [urn, at, JSON.stringify(currentState), JSON.stringify(targetSpec)].join(' '),
  )
  return consoleReply(
    place,
    path,
    'Resources',
    html`${accountChoice(place, path)}
<p>Resources of the second branch, with the state they are in and the state they are to reach. A change of the target starts a task; reload to see how far it is.</p>
${
  listing.all === 0
    ? emptyCard(
        'No resource with a state yet.',
        html`<p>They come with a seed: <code>standIn.resources</code>, each with <code>urn</code>, <code>path</code>, <code>currentState</code> and <code>targetSpec</code>.</p>`,
      )
    : listed(
        listAt(place, path, 'resource', 'resources'),
        listing,
        (_, items) => html`${items.map(([key, asset]) => resourcePart(state, key, asset))}`,
      )
}`,
  )
}

function resourcePart(state: State, key: string, { urn, path: assetPath, currentState, targetSpec, tasks, events }: Asset): Markup {
  const title = urn.split(':').slice(4).join(':')
  const history = (what: string, columns: readonly string[], rows: readonly (readonly Part[])[]) =>
    html`<h3>${what}</h3>
${rows.length === 0 ? html`<p class="soft">None.</p>` : table(`${what} of ${title}`, columns, rows)}`
  return html`<section class="card">
<h2>${title}</h2>
${facts([
  ['URN', name(urn)],
  ['Path', name(assetPath)],
])}
<h3>Current state</h3>${block(`Current state of ${title}`, jsonText(currentState))}
<h3>Target state</h3>${block(`Target state of ${title}`, jsonText(targetSpec))}
${history(
  'Tasks',
  ['Task', 'Kind', 'Status', 'Steps', 'Last change'],
  lastOf(state.table('task'), key, tasks).map(({ id, type, status, progress, updatedAt }) => [
    name(id),
    type,
    status,
    progress.map((step) => `${step.name} ${step.status}`).join(', '),
    time(updatedAt),
  ]),
)}
${history(
  'Events',
  ['When', 'Kind', 'Message'],
  lastOf(state.table('event'), key, events).map(({ createdAt, type, message }) => [time(createdAt), type, message]),
)}
</section>`
}
