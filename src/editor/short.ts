import type { World } from '../policy.ts'
import { shown } from '../report/safe.ts'
import { resourceGroupOf } from '../world.ts'

/** URNs shortened for display next to another one: without the region and account that they share with it. */
export interface Short {
  readonly identity: (urn: string) => string
  readonly resource: (urn: string) => string
}

/** Short names next to a URN. Other names are not compared: that would take longer than the rest of an answer. */
export function shortNamesNextTo(neighbour: string, world: World): Short {
  const [, , region = '', kind, , id = ''] = neighbour.split(':')
  const account = kind === 'identity' ? id.split('/')[0] : world.account
  const tail = (urn: string, word: string) =>
    urn.startsWith(`urn:v1:${region}:${word}:`) ? urn.slice(`urn:v1:${region}:${word}:`.length) : undefined
  return {
    identity: (urn) => {
      const rest = tail(urn, 'identity')
      const colon = rest?.indexOf(':') ?? -1
      const name = rest?.slice(colon + 1)
      return shown(
        rest !== undefined && account && name?.startsWith(`${account}/`)
          ? `${rest.slice(0, colon)}/${name.slice(account.length + 1)}`
          : urn,
      )
    },
    resource: (urn) => {
      const name = urn.includes(':resourceGroup:') ? resourceGroupOf(world, urn)?.name : undefined
      if (name !== undefined) return `resource group "${shown(name)}"`
      const rest = tail(urn, 'resource')
      return shown(rest === undefined || rest === '*' ? urn : rest)
    },
  }
}
