/**
 * Whether a host, with its port, may stand in a header as it is. Addresses may hold `;`, `,` and `*`, which add directives to
 * the policy of a page or let it be led anywhere.
 */
export function isHeaderHost(host: string): boolean {
  return /^(?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host)
}
