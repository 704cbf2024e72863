import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { resolve } from 'node:path'
import { compareDiagnostics } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { compactLine } from '../report/lint.ts'
import { shown } from '../report/safe.ts'
import { resumeTasks } from '../service/assets.ts'
import { callLog } from '../service/call-log.ts'
import { type HostRegion, hostRegions } from '../service/exchange.ts'
import type { Ports } from '../service/ports.ts'
import { respond } from '../service/respond.ts'
import { serviceRoutes } from '../service/routes.ts'
import { type MadeUp, mayHoldStandIn, readSeed, type SeedSource } from '../service/seed.ts'
import { createService, type Service } from '../service/service.ts'
import { openState, StoreFailure } from '../service/state.ts'
import { type Config, loadConfig } from './config.ts'
import { type ExitCode, exit } from './exit.ts'
import { discover, mayHoldPolicy, type Problem, readCandidate } from './files.ts'
import { isLoopbackName, listen } from './http.ts'
import { type Io, writeFault } from './io.ts'
import { catalogueFor, operationsFor } from './known.ts'
import type { Options } from './options.ts'
import { openRecord, type RecordFile } from './record-file.ts'
import { isRefusal, Refusal } from './refusal.ts'
import { problemLines } from './world.ts'

const defaultPort = 8765

/** `serve`: the stand-in for the service, until somebody ends it. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<ExitCode> {
  const host = options.text('host') ?? '127.0.0.1'
  const allowRemote = options.flag('allow-remote') === true
  const port = portOf(options.text('port'))
  if (!isLoopbackName(host) && !allowRemote)
    throw new Refusal(
      `--host \`${host}\`: others than this machine could reach the stand-in`,
      'leave `--host` out, or say `--allow-remote` where that is meant: it has no encryption, and its pages ask nobody who they are',
    )
  const config = await loadConfig(options, io)
  const ports = realPorts(io)
  let address = ''
  const where = (region: HostRegion) => `${address}/${region}`
  const onFault = (error: unknown) => {
    const trace = io.env.GRANTWISE_DEBUG === '1' && error instanceof Error ? error.stack : undefined
    tell(io, `grantwise: ${shown(trace ?? (error instanceof Error ? error.message : String(error)))}\n`)
  }

  const opened = await openService(options, config, ports, where, onFault, io)
  if (!opened) return exit.noAnswer
  const { service, madeUp, isKept } = opened
  const closeRecord = recordTo(service, options.text('record'), io)
  try {
    const log = options.flag('quiet') ? undefined : (line: string) => tell(io, `${line}\n`)
    const server = await listen({ host, port, allowRemote, respond: (request) => respond(service, request), log, onFault }).catch(
      (error) => {
        throw unreachable(error, host, port)
      },
    )
    address = `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${server.port}`
    resumeTasks(service)
    // The console shows calls that were made before anybody looked at it.
    callLog(service)
    io.stdout.write(opening(service, madeUp, isKept))
    await (io.interrupted?.() ?? new Promise(() => {}))
    await server.close()
  } finally {
    closeRecord()
    service.state.close()
  }
  return exit.good
}

/** Write to standard error while it serves: where that cannot be written, calls are answered all the same. */
function tell(io: Io, text: string): void {
  try {
    io.stderr.write(text)
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

function portOf(text: string | undefined): number {
  if (text === undefined) return defaultPort
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Refusal(`--port \`${text}\`: expected a number from 0 to 65535`, '0 takes any that is free')
  return port
}

const listenFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has it',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'permission denied',
  ENOTFOUND: 'no such host is known',
}

function unreachable(error: unknown, host: string, port: number): Refusal {
  const { code } = error as NodeJS.ErrnoException
  const help = code === 'EADDRINUSE' ? 'name another with `--port`, or take any that is free with `--port 0`' : undefined
  return new Refusal(`cannot listen at ${host}, port ${port}: ${listenFaults[code ?? ''] ?? `error ${code ?? 'without a code'}`}`, help)
}

/** The clock, chance and digests of this machine. */
function realPorts(io: Io): Ports {
  return {
    clock: {
      now: io.now,
      after(milliseconds, run) {
        const timer = setTimeout(run, milliseconds)
        timer.unref()
        return () => clearTimeout(timer)
      },
    },
    chance: {
      uuid: randomUUID,
      token: (length) =>
        randomBytes(Math.ceil(length * 0.75))
          .toString('base64url')
          .slice(0, length),
    },
    digest: {
      sha1: (text) => createHash('sha1').update(text).digest('hex'),
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
      same: (a, b) => {
        const [first, second] = [Buffer.from(a), Buffer.from(b)]
        return first.length === second.length && timingSafeEqual(first, second)
      },
    },
  }
}

interface Opened {
  readonly service: Service
  readonly madeUp: readonly MadeUp[]
  /** The state is one that was kept: seeds were not read. */
  readonly isKept: boolean
}

/** The service over its state; undefined where what it was to begin with is wrong, which is then on standard error. */
async function openService(
  options: Options,
  config: Config,
  ports: Ports,
  address: Service['address'],
  onFault: Service['onFault'],
  io: Io,
): Promise<Opened | undefined> {
  const { settings } = config
  const sources = await readSeeds(options.list('seed'), io)
  const operations = await operationsFor(config, io)
  const seed = sources && (await readSeed(sources, settings, ports, operations))
  const wrong = seed?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
  if (!seed || wrong.length > 0) {
    for (const each of [...wrong].sort(compareDiagnostics))
      io.stderr.write(`${compactLine(each)}${each.help ? `\n  help: ${shown(each.help)}` : ''}\n`)
    io.stderr.write('grantwise: nothing is served over policies that were not wholly understood\n')
    return undefined
  }
  const catalogue = await catalogueFor(config, io)
  const file = options.text('state')
  const store = file === undefined ? undefined : (await import('./state-file.ts')).openStateFile(resolve(io.cwd, file), file)
  try {
    const state = openState(store)
    const isKept = !state.isEmpty()
    if (!isKept) state.commit(seed.changes)
    const service = createService({ settings, ports, state, catalogue, operations, routes: serviceRoutes, address, onFault })
    return { service, madeUp: isKept ? [] : seed.madeUp, isKept }
  } catch (error) {
    store?.close()
    if (error instanceof StoreFailure) throw new Refusal(`--state ${file}: ${error.message}`)
    throw error
  }
}

/** The files of `--seed`; undefined where one cannot be read, which is then on standard error. */
async function readSeeds(paths: readonly string[], io: Io): Promise<readonly SeedSource[] | undefined> {
  if (paths.length === 0) return []
  const { candidates, problems: unread } = await discover({ paths }, io.cwd)
  const problems: Problem[] = [...unread]
  const sources: SeedSource[] = []
  for (const candidate of candidates) {
    const { source, notation, message } = await readCandidate(candidate, io.stdin)
    if (source === undefined) problems.push({ path: candidate.path, message })
    else if (candidate.isNamed || mayHoldPolicy(source.text) || mayHoldStandIn(source.text))
      sources.push({ source, notation, mayBeOther: !candidate.isNamed })
  }
  if (sources.length === 0 && problems.length === 0)
    problems.push({ path: paths.join(', '), message: 'no file that holds a policy or `standIn`' })
  if (problems.length === 0) return sources
  io.stderr.write(problemLines(problems))
  return undefined
}

/** Have each call written to a file, a line each. Gives what closes it. */
function recordTo(service: Service, path: string | undefined, io: Io): () => void {
  if (path === undefined) return () => {}
  let file: RecordFile
  try {
    file = openRecord(resolve(io.cwd, path))
  } catch (error) {
    service.state.close()
    throw new Refusal(`--record ${path}: cannot be written: ${writeFault((error as NodeJS.ErrnoException).code)}`)
  }
  service.sinks.add((record) => {
    try {
      file.write(`${JSON.stringify(record)}\n`)
    } catch (error) {
      throw new Error(`--record ${path}: a call was not written down: ${writeFault((error as NodeJS.ErrnoException).code)}`)
    }
  })
  return file.close
}

/** What is told at the start: where the stand-in is, whom it knows, and a line to try. */
function opening(service: Service, madeUp: readonly MadeUp[], isKept: boolean): string {
  const { state, address } = service
  const lines = ['A stand-in for the service, on this machine. Ctrl-C ends it.', '']
  for (const region of hostRegions)
    lines.push(`${region}  ${address(region)}   tokens: ${address(region)}/auth/oauth2/token   console: ${address(region)}/console`)
  lines.push('')
  for (const { id, region } of state.table('account').all()) lines.push(`account ${visible(id)} (${region})`)
  const policies = state.table('policy').size
  lines.push(`${policies} ${policies === 1 ? 'policy' : 'policies'}`)
  if (isKept) lines.push('the state is the one that was kept: seeds were read and not applied')
  const accounts = [...state.table('serviceAccount').all()]
  const secrets = new Map(madeUp.map(({ clientId, secret }) => [clientId, secret]))
  for (const { clientId, identity } of accounts.slice(0, mostTold)) {
    const secret = secrets.get(clientId)
    lines.push('', `service account ${visible(identity)}`, `  client_id      ${visible(clientId)}`)
    lines.push(`  client_secret  ${secret === undefined ? 'as given' : `${secret}   (made up, told only here)`}`)
  }
  if (accounts.length > mostTold) lines.push('', `and ${accounts.length - mostTold} more`)
  const [first] = accounts
  const region = first && state.table('account').get(first.account)?.region
  if (first && region) {
    const secret = secrets.get(first.clientId) ?? '<its secret>'
    lines.push(
      '',
      'Try:',
      `  curl -s ${address(region)}/auth/oauth2/token -d grant_type=client_credentials -d scope=all \\`,
      `    --data-urlencode 'client_id=${visible(first.clientId)}' --data-urlencode 'client_secret=${secret}'`,
      `  curl -s ${address(region)}/v1/hosting/web/example.org -H 'Authorization: Bearer <access_token>'`,
    )
  }
  return `${lines.join('\n')}\n`
}

/** How many service accounts are told of; secrets that are made up are few. */
const mostTold = 50
