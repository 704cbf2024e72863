import type { RouteContext } from '../api/route.ts'
import type { Reply } from '../model/exchange.ts'
import { html, type Part } from './html.ts'
import { emptyCard, seedCommand, table } from './parts.ts'
import { consolePath, consoleReply, type Place } from './place.ts'
import { policiesOf } from './policies.ts'
import { serviceAccountsOf } from './service-accounts.ts'

export function overview({ service }: RouteContext, place: Place): Reply {
  const { base, accounts } = place
  const assets = [...service.state.table('asset').all()]
  const cells = (account: string): readonly Part[] => {
    const link = (path: string, words: Part) => html`<a href="${consolePath({ base, account }, path)}">${words}</a>`
    return [
      link('/console/policies', account),
      policiesOf(service, account).length,
      link('/console/service-accounts', serviceAccountsOf(service, account).length),
      link('/console/resources', assets.filter((asset) => asset.account === account).length),
      link('/console/calls', service.calls.since(0, account).length),
    ]
  }
  return consoleReply(
    place,
    '/console',
    'Console',
    html`<p>What this emulator holds, and the calls that were made to it. Each call is decided by the policies below, as they are at that moment.</p>
${
  accounts.length === 0
    ? emptyCard('No account of this region yet.', html`<p>Accounts come with the policies of a seed: start again with</p>${seedCommand}`)
    : table(
        'Accounts of this region',
        ['Account', 'Policies', 'Service accounts', 'Resources with a state', 'Calls remembered'],
        accounts.map(cells),
      )
}
<h2>Also here</h2>
<ul><li><a href="${base}/createApp">Register an application</a> that asks customers for delegated access</li></ul>`,
  )
}
