import { type Reread, readSeed, type Seed, type SeedSource } from '../../emulator/control/seed.ts'
import { movableClock } from '../../emulator/model/clock.ts'
import type { Store } from '../../emulator/model/ports.ts'
import { machineClock, machinePorts } from '../../emulator/server/ports.ts'
import { type Emulation, type ServerParts, startServer } from '../../emulator/server/start.ts'
import { shown } from '../../report/safe.ts'
import { compactLine } from '../../report/words.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import type { Config } from '../input/config.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { SeedRefusal } from '../input/seed-files.ts'
import { type Stub, stubRoutes } from '../input/stubs.ts'
import type { ServeSettings } from './serve-options.ts'

/** The control token; one is generated where it is not set. */
const tokenVariable = 'GRANTWISE_CONTROL_TOKEN'

export interface EmulationParts extends Pick<ServerParts, 'log' | 'onFault'> {
  readonly config: Config
  /** Reads the files of the seed: at the start, and at each reload. */
  readonly sources: () => Promise<readonly SeedSource[]>
  readonly stubs: readonly Stub[]
  /** Opens what stores the state, once it is certain that something will be served. */
  readonly openStore?: (() => Promise<Store>) | undefined
}

/** Start an emulator. Throws a refusal where its seed is wrong or it cannot listen: then nothing is left open. */
export async function emulate(serveSettings: ServeSettings, parts: EmulationParts, io: Io): Promise<Emulation> {
  const clock = movableClock(machineClock(io.now))
  if (!clock.set(serveSettings.clock))
    throw new Refusal('--clock leads beyond the years 0 to 9999: no others can be written', 'take an instant or an offset within them')
  const ports = machinePorts(clock)
  const { config, sources, openStore, onFault, log } = parts
  const { settings } = config
  const operations = await operationsFor(config, io)
  const seedOf = async (): Promise<Seed> => {
    const seed = await readSeed(await sources(), settings, ports, operations, serveSettings.isDemo)
    const wrong = seed.diagnostics.filter(({ severity }) => severity === 'error')
    if (wrong.length > 0)
      throw new SeedRefusal(wrong.map((each) => `${compactLine(each)}${each.help ? `\n  help: ${shown(each.help)}` : ''}\n`).join(''))
    return seed
  }
  const seed = await seedOf()
  const stubs = stubRoutes(parts.stubs, operations)
  const catalogue = await catalogueFor(config, io)
  const token = io.env[tokenVariable] || ports.chance.token(32)
  const store = await openStore?.()
  try {
    return await startServer(serveSettings, {
      settings,
      catalogue,
      operations,
      stubs,
      clock,
      ports,
      seed,
      reread: () => rereadBy(seedOf),
      store,
      token,
      version,
      log,
      onFault,
    })
  } catch (error) {
    throw isSystemError(error) ? unreachable(error, serveSettings.host, serveSettings.port) : error
  }
}

/** A seed that is read again: what is wrong with it is no failure, since the emulator goes on with its state. */
async function rereadBy(seedOf: () => Promise<Seed>): Promise<Reread> {
  try {
    return { seed: await seedOf() }
  } catch (error) {
    if (error instanceof SeedRefusal) return { problems: error.report.trimEnd().split('\n') }
    if (error instanceof Refusal) return { problems: [error.message] }
    throw error
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has it',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'permission denied',
  ENOTFOUND: 'no such host is known',
}

function unreachable({ code }: NodeJS.ErrnoException, host: string, port: number): Refusal {
  const help = code === 'EADDRINUSE' ? 'name another with `--port`, or take any free one with `--port 0`' : undefined
  return new Refusal(`cannot listen at ${host}, port ${port}: ${listenFaults[code ?? ''] ?? `error ${code ?? 'without a code'}`}`, help)
}
