import { type HostRegion, hostRegions, type Reply } from '../model/exchange.ts'
import { html, pageReply } from './html.ts'
import { table } from './parts.ts'

/** A page for browsers, an object for programs, above the regions. `prefix`: what addresses have before the region. */
export function startReply(accept: string | undefined, prefix: string): Reply {
  if (accept === undefined || !/(?:^|[,\s])text\/html\b/i.test(accept))
    return { status: 200, origin: 'stand-in', body: { regions: hostRegions.map((region) => `/${region}`) } }
  const link = (region: HostRegion, path: string, words: string) => html`<a href="${`${prefix}/${region}${path}`}">${words}</a>`
  return pageReply({
    title: 'A cloud API on this machine',
    base: `${prefix}/${hostRegions[0]}`,
    main: html`<p>This program answers calls of the API and judges each by the policies that it was started with. Nothing here reaches a real account.</p>
${table(
  'Regions',
  ['Region', 'Look', 'Start of API paths', 'Tokens', 'Applications'],
  hostRegions.map((region) => [
    region.toUpperCase(),
    link(region, '/console', `Console of ${region.toUpperCase()}`),
    html`<code>${prefix}/${region}/v1</code>, <code>${prefix}/${region}/v2</code>`,
    html`<code>POST ${prefix}/${region}/auth/oauth2/token</code>`,
    link(region, '/createApp', 'Register an application'),
  ]),
)}
<h2>What you can do here</h2>
<ul>
<li>${link('eu', '/console/can', 'Ask')} whether an identity may do something, and why</li>
<li>${link('eu', '/console/policies', 'Create and edit policies')}, with findings while you type</li>
<li>${link('eu', '/console/calls', 'Watch calls')} as they are decided</li>
<li>${link('eu', '/console/applications/keys', 'Revoke')} a consumer key</li>
</ul>`,
  })
}
