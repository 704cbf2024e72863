/** Whether a host with its port is allowed in a header: `;`, `,` and `*` would add directives to the policy of a page. */
export function isHeaderHost(host: string): boolean {
  return /^(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host)
}
