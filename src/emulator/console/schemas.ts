import type { RouteContext, ServiceRoute } from '../api/route.ts'
import type { Reply } from '../model/exchange.ts'
import { assetVersions, servedVersions, setSchemasVersion } from '../model/schemas.ts'
import { timestamp } from '../model/tasks.ts'
import { fieldOf, formRoute, seeOther, tokenInput } from './guard.ts'
import { html, messagePage } from './html.ts'
import { select, successMessage, table, time } from './parts.ts'
import { accountChoice, accountPurpose, consolePath, consoleReply, type Place, placed, showsPlaced } from './place.ts'

const path = '/console/schemas'

function show(context: RouteContext, place: Place): Reply {
  const { service, request } = context
  const { account } = place
  const versions = servedVersions(assetVersions, timestamp(service.ports.clock.now())).map(({ major }) => String(major))
  const current = account === undefined ? undefined : service.state.table('account').get(account)?.schemasVersion
  const form = html`<form method="post" action="${consolePath(place, path)}" class="card narrow">
${tokenInput(service, accountPurpose('schemas')(context))}
${select('version', `Major version of ${account}`, versions, current === undefined ? undefined : String(current))}
<p class="buttons"><button type="submit" class="primary">Save</button></p>
</form>`
  return consoleReply(
    place,
    path,
    'Schemas version',
    html`${accountChoice(place, path)}
${request.query.get('saved') === 'yes' && successMessage(`Saved: the account uses major version ${current}.`)}
<p>Calls to <code>/v2</code> without the header <code>X-Schemas-Version</code> use the major version that the account has chosen.</p>
${account !== undefined && form}
${table(
  'Versions of resources with a state',
  ['Version', 'Since', 'What it changed'],
  assetVersions.toReversed().map(({ major, minor, releasedAt, changelog }) => [`${major}.${minor}`, time(releasedAt), changelog]),
)}`,
  )
}

function choose(context: RouteContext, place: Place): Reply {
  const problem = setSchemasVersion(context.service, place.account ?? '', fieldOf(context, 'version'))
  if (problem !== undefined) return messagePage(place.base, 400, 'This was not accepted', [`${problem}.`])
  return seeOther(consolePath(place, path, { saved: 'yes' }))
}

export const schemaRoutes: readonly ServiceRoute[] = [showsPlaced(path, show), formRoute(path, accountPurpose('schemas'), placed(choose))]
