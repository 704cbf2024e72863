import { resolve } from 'node:path'
import { visible } from '../names.ts'
import { shown } from '../report/safe.ts'
import { hostRegions } from '../service/exchange.ts'
import { StoreFailure } from '../service/state.ts'
import { loadConfig } from './config.ts'
import { type Emulation, emulate } from './emulate.ts'
import { type ExitCode, exit } from './exit.ts'
import { type Io, writeFault } from './io.ts'
import type { Options } from './options.ts'
import { openRecord, type RecordFile } from './record-file.ts'
import { isRefusal, Refusal } from './refusal.ts'
import { readSeeds, SeedRefusal } from './seed-files.ts'
import { readServeOptions } from './serve-options.ts'

/** `serve`: the emulator of the service, until somebody ends it. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<ExitCode> {
  const settings = readServeOptions(options)
  const config = await loadConfig(options, io)
  const state = options.text('state')
  const onFault = (error: unknown) => {
    const trace = io.env.GRANTWISE_DEBUG === '1' && error instanceof Error ? error.stack : undefined
    tell(io, `grantwise: ${shown(trace ?? (error instanceof Error ? error.message : String(error)))}\n`)
  }
  const log = options.flag('quiet') ? undefined : (line: string) => tell(io, `${line}\n`)
  const files: RecordFile[] = []
  try {
    const sources = await readSeeds(options.list('seed'), io)
    const openStore =
      state === undefined ? undefined : async () => (await import('./state-file.ts')).openStateFile(resolve(io.cwd, state), state)
    const record = linesTo('record', options.text('record'), io)
    if (record) files.push(record)
    const emulation = await emulate(settings, { config, sources, openStore, log, onFault }, io)
    try {
      if (record) emulation.service.sinks.add((call) => record.write(`${JSON.stringify(call)}\n`))
      io.stdout.write(opening(emulation))
      await (io.interrupted?.() ?? new Promise(() => {}))
    } finally {
      await emulation.close()
    }
  } catch (error) {
    if (error instanceof SeedRefusal) io.stderr.write(error.report)
    if (error instanceof StoreFailure) throw new Refusal(`--state ${state}: ${error.message}`)
    throw error
  } finally {
    for (const file of files) file.close()
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

/** A file of `option` that lines are added to; undefined where there is none. */
function linesTo(option: string, path: string | undefined, io: Io): RecordFile | undefined {
  if (path === undefined) return undefined
  const failed = (what: string, error: unknown) => `--${option} ${path}: ${what}: ${writeFault((error as NodeJS.ErrnoException).code)}`
  try {
    const file = openRecord(resolve(io.cwd, path))
    return {
      ...file,
      write: (line) => {
        try {
          file.write(line)
        } catch (error) {
          throw new Error(failed('a call was not written down', error))
        }
      },
    }
  } catch (error) {
    throw new Refusal(failed('cannot be written', error))
  }
}

/** What is printed at the start: where the emulator is, whom it knows, and a line to try. */
function opening({ service, clock, url, listensAt, madeUp, isKept }: Emulation): string {
  const { state, address } = service
  const lines = ['An emulator of the service, on this machine. Ctrl-C ends it.', '']
  for (const region of hostRegions)
    lines.push(`${region}  ${address(region)}   tokens: ${address(region)}/auth/oauth2/token   console: ${address(region)}/console`)
  if (listensAt !== url) lines.push('', `listens at ${listensAt}`)
  lines.push('')
  for (const { id, region } of state.table('account').all()) lines.push(`account ${visible(id)} (${region})`)
  const policies = state.table('policy').size
  lines.push(`${policies} ${policies === 1 ? 'policy' : 'policies'}`)
  if (clock.isStanding()) lines.push(`the clock stands still at ${new Date(clock.now()).toISOString()}`)
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
