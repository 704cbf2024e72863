import { lstatSync, readFileSync, rmSync } from 'node:fs'
import type { Demonstration } from '../../emulator/control/demonstration.ts'
import type { HostRegion } from '../../emulator/model/exchange.ts'
import type { Emulation } from '../../emulator/server/start.ts'
import { writeFault } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { isProcessAlive, ownLine, processIn } from '../input/owner.ts'
import { replace, writingFault } from '../output/write.ts'

/** The data that a program needs to use an emulator: its addresses and its accounts. */
export interface Ready {
  readonly grantwise: 'ready'
  readonly version: string
  readonly pid: number
  /** When the process started, as far as the system says: numbers of processes are used again. */
  readonly process: string
  readonly url: string
  readonly health: string
  readonly regions: Readonly<Record<HostRegion, { readonly url: string; readonly token: string; readonly console: string }>>
  readonly accounts: readonly { readonly id: string; readonly region: HostRegion }[]
  /** `clientSecret`: of those that were generated, or are for demonstration. */
  readonly serviceAccounts: readonly {
    readonly identity: string
    readonly account: string
    readonly clientId: string
    readonly clientSecret?: string
  }[]
  readonly applications: readonly { readonly key: string; readonly name: string }[]
  /** Credentials that are published: given where they were asked for. */
  readonly demonstration?: Demonstration
  readonly control: { readonly url: string; readonly token: string }
}

/** The data of a running emulator. */
export function readyOf({ service, url, secrets, control, demo }: Emulation, pid: number): Ready {
  const { state, address } = service
  const addresses = (region: HostRegion) => ({
    url: address(region),
    token: `${address(region)}/auth/oauth2/token`,
    console: `${address(region)}/console`,
  })
  return {
    grantwise: 'ready',
    version,
    pid,
    process: ownLine().trim(),
    url,
    health: `${url}/health`,
    regions: { eu: addresses('eu'), ca: addresses('ca') },
    accounts: [...state.table('account').all()].map(({ id, region }) => ({ id, region })),
    serviceAccounts: [...state.table('serviceAccount').all()].map(({ identity, account, clientId }) => {
      const clientSecret = secrets.get(clientId)
      return { identity, account, clientId, ...(clientSecret !== undefined && { clientSecret }) }
    }),
    applications: [...state.table('application').all()].map(({ key, name }) => ({ key, name })),
    ...(demo && { demonstration: demo }),
    control: { url: `${url}/_emulator`, token: control.token },
  }
}

/**
 * Check that a ready file may be written, and remove one that a killed emulator left behind: a program that waits for the file
 * must not find an old one. Any other file is kept.
 */
export function clearReadyFile(file: string, shown: string): void {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (!stat) return
    const there = stat.isFile() ? readyIn(readFileSync(file, 'utf8')) : undefined
    if (!there) throw new Refusal(`--ready-file ${shown}: another file is there`, 'name a new file, or one that `serve` wrote')
    if (there.process !== undefined && isProcessAlive(there.process))
      throw new Refusal(
        `--ready-file ${shown}: process ${processIn(there.process)} has it, an emulator that runs`,
        'end that process, or name another file',
      )
    rmSync(file)
  } catch (error) {
    throw unwritable(error, shown)
  }
}

/** Write it whole, readable by its owner alone: it may hold secrets. Gives a function that removes it, unless it was overwritten since. */
export function writeReadyFile(file: string, shown: string, ready: Ready): () => void {
  const text = `${JSON.stringify(ready, null, 2)}\n`
  try {
    replace(file, text, undefined, 0o600)
  } catch (error) {
    throw unwritable(error, shown)
  }
  return () => {
    try {
      if (readFileSync(file, 'utf8') === text) rmSync(file)
    } catch (error) {
      // A program that finds it would look for an ended emulator; if it is already removed, all is well.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') throw new Refusal(`--ready-file ${shown}: cannot be removed: ${writeFault(code)}`, 'remove it')
    }
  }
}

/** The process that wrote a ready file; undefined for any other text. */
function readyIn(text: string): { readonly process: string | undefined } | undefined {
  try {
    const { grantwise, process } = JSON.parse(text) as { grantwise?: unknown; process?: unknown }
    return grantwise === 'ready' ? { process: typeof process === 'string' ? process : undefined } : undefined
  } catch {
    return undefined
  }
}

function unwritable(error: unknown, shown: string): Error {
  if (error instanceof Refusal) return error
  return new Refusal(`--ready-file ${shown}: cannot be written: ${writingFault(error)}`)
}
