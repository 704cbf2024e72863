import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { exportSeed, seedText } from '../../emulator/control/export.ts'
import type { Reloaded } from '../../emulator/control/seed.ts'
import { hostRegions } from '../../emulator/model/exchange.ts'
import { StoreFailure } from '../../emulator/model/state.ts'
import type { LogEntry } from '../../emulator/server/http.ts'
import type { Emulation } from '../../emulator/server/start.ts'
import { visible } from '../../names.ts'
import { shown } from '../../report/safe.ts'
import type { Options, Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { type Io, writeFault } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { readSeeds, SeedRefusal } from '../input/seed-files.ts'
import { readStub } from '../input/stubs.ts'
import { type EmulationParts, emulate } from '../live/emulate.ts'
import { clearReadyFile, readyOf, writeReadyFile } from '../live/ready-file.ts'
import { openRecord, type RecordFile } from '../live/record-file.ts'
import { readServeOptions } from '../live/serve-options.ts'
import { readTlsFiles } from '../live/tls.ts'
import { replace, writingFault } from '../output/write.ts'

/** `serve`: the emulator of the service, until the user ends it. */
export const run: Run<'serve'> = async (_, options, io) => {
  const settings = readServeOptions(options, readTlsFiles(options.tlsCert, options.tlsKey, io))
  const config = await loadConfig(options, io)
  const [state, readyFile, exportTo] = [options.state, options.readyFile, options.exportOnExit]
  checkApart(options, io)
  const onFault = (error: unknown) => {
    const trace = io.env.GRANTWISE_DEBUG === '1' && error instanceof Error ? error.stack : undefined
    const reason = error instanceof Error ? error.message : String(error)
    const said = error instanceof StoreFailure ? `--state ${state}: a change could not be stored: ${reason}` : reason
    report(io, `grantwise: ${shown(trace ?? said)}\n`)
  }
  const atEnd: (() => void)[] = []
  const linesOf = (key: 'record' | 'requestLog') => {
    const file = linesTo(written[key], options[key], io)
    if (file) atEnd.push(file.close)
    return file
  }
  try {
    const sources = () => readSeeds(options.seed, io)
    const openStore =
      state === undefined ? undefined : async () => (await import('../live/state-file.ts')).openStateFile(resolve(io.cwd, state), state)
    const stubs = options.stub.map((text) => readStub(text, io))
    if (readyFile !== undefined) clearReadyFile(resolve(io.cwd, readyFile), readyFile)
    if (exportTo !== undefined) checkFolder('export-on-exit', exportTo, io)
    const [record, requests] = [linesOf('record'), linesOf('requestLog')]
    const isQuiet = options.quiet
    const log: EmulationParts['log'] = (entry) => {
      if (!isQuiet) report(io, `${new Date().toISOString()} ${entry.reply.status} ${entry.method} ${visible(entry.path)}\n`)
      try {
        requests?.write(`${JSON.stringify(requestLine(entry))}\n`)
      } catch (error) {
        onFault(error)
      }
    }
    const emulation = await emulate(
      settings,
      { config, sources, stubs, openStore, onFault, log: isQuiet && !requests ? undefined : log },
      io,
    )
    try {
      if (record) emulation.service.sinks.add((call) => record.write(`${JSON.stringify(call)}\n`))
      // Before anything says that the emulator is ready: who reads that may send a signal immediately.
      const interrupted = io.interrupted?.(() => void emulation.control.reload().catch(onFault)) ?? new Promise(() => {})
      io.stdout.write(opening(emulation))
      if (readyFile !== undefined) atEnd.unshift(readyFileOf(emulation, readyFile, io))
      // After the ready file: who reads that the seed was read again finds the new one.
      emulation.reloads.add((reloaded) => report(io, reloadText(reloaded)))
      await interrupted
    } finally {
      await emulation.finish()
      try {
        if (exportTo !== undefined) writeExport(emulation, exportTo, io)
      } finally {
        emulation.service.state.close()
      }
    }
  } catch (error) {
    if (error instanceof SeedRefusal) io.stderr.write(error.report)
    if (error instanceof StoreFailure) throw new Refusal(`--state ${state}: ${error.message}`)
    throw error
  } finally {
    endAll(atEnd)
  }
  return exit.success
}

/** Run all final actions, even if some fail; then throw the first error. */
function endAll(ends: readonly (() => void)[]): void {
  const faults: unknown[] = []
  for (const end of ends) {
    try {
      end()
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
}

/** Write the ready file, and write it again after each reload. Returns a function that removes it. */
function readyFileOf(emulation: Emulation, path: string, { cwd }: Io): () => void {
  const write = () => writeReadyFile(resolve(cwd, path), path, readyOf(emulation, process.pid))
  let remove = write()
  emulation.reloads.add((reloaded) => {
    if ('generated' in reloaded) remove = write()
  })
  return () => remove()
}

/** The lines about a reload, with the secrets that it generated: they are printed nowhere else. */
function reloadText(reloaded: Reloaded): string {
  if ('problems' in reloaded)
    return `${reloaded.problems.map((line) => `${line}\n`).join('')}grantwise: the seed has errors: the state stays as it is\n`
  const lines = reloaded.generated.map(({ clientId, secret }) => `  client_id ${visible(clientId)}  client_secret ${secret}\n`)
  return `grantwise: the seed was read again\n${lines.join('')}`
}

/** A line of the request log. The query and the headers are not in it: they may hold secrets. */
function requestLine({ method, path, ip, milliseconds, reply }: LogEntry) {
  const call = reply.judged
  return {
    at: new Date().toISOString(),
    method,
    path,
    status: reply.status,
    milliseconds: Math.round(milliseconds * 1000) / 1000,
    ip,
    account: call?.account ?? null,
    identity: call?.identity ?? null,
    operation: call?.operation ?? null,
    verdict: call?.verdict ?? null,
  }
}

const written = {
  state: 'state',
  record: 'record',
  requestLog: 'request-log',
  readyFile: 'ready-file',
  exportOnExit: 'export-on-exit',
} as const

/** Refuse one file for two options: what one of them writes would destroy what the other one did. */
function checkApart(options: Options<'serve'>, { cwd }: Io): void {
  const named = new Map<string, string>()
  for (const [key, option] of Object.entries(written)) {
    const path = options[key as keyof typeof written]
    if (path === undefined) continue
    const place = placeOf(resolve(cwd, path))
    const other = named.get(place)
    if (other !== undefined) throw new Refusal(`--${other} and --${option} name one file, \`${path}\``, 'give each a separate file')
    // Many lines may go to one terminal or nowhere.
    if (statSync(place, { throwIfNoEntry: false })?.isFile() !== false) named.set(place, option)
  }
}

/** The real path of a file that may not exist yet, with the links of its folder resolved. */
function placeOf(file: string): string {
  for (const [ancestor, rest] of [
    [file, ''],
    [dirname(file), basename(file)],
  ] as const) {
    try {
      return resolve(realpathSync(ancestor), rest)
    } catch {}
  }
  return file
}

/** Refuse a file that could not be written in the end, before anything is served. */
function checkFolder(option: string, path: string, { cwd }: Io): void {
  const file = resolve(cwd, path)
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat && !stat.isFile()) throw new Refusal(`--${option} ${path}: a folder or a device, expected a file`)
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
    throw new Refusal(`--${option} ${path}: its folder is not there`, 'make the folder, or name another file')
}

/** Write the state as a seed, for its owner alone: it holds secrets. */
function writeExport({ service }: Emulation, path: string, { cwd }: Io): void {
  try {
    replace(resolve(cwd, path), seedText(exportSeed(service)), undefined, 0o600)
  } catch (error) {
    throw new Refusal(`--export-on-exit ${path}: cannot be written: ${writingFault(error)}`)
  }
}

/** Write to standard error while it serves: where that cannot be written, calls are answered all the same. */
function report(io: Io, text: string): void {
  try {
    io.stderr.write(text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
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
      close() {
        try {
          file.close()
        } catch (error) {
          throw new Refusal(failed('the last lines may be lost', error))
        }
      },
    }
  } catch (error) {
    throw new Refusal(failed('cannot be written', error))
  }
}

/** The text at the start: the address of the emulator, its content, and a command to try. */
function opening({ service, clock, url, listensAt, secrets, isKept, demo }: Emulation): string {
  const { state, address } = service
  const accounts = [...state.table('account').all()]
  const clients = [...state.table('serviceAccount').all()]
  const policies = state.table('policy').size
  const secretOf = (clientId: string) => {
    const secret = secrets.get(clientId)
    if (secret === undefined) return 'as given'
    return clientId === demo?.clientId ? secret : `${secret}   (generated, printed only here)`
  }
  return `${[
    'An emulator of the service, on this machine. Ctrl-C ends it.',
    '',
    ...hostRegions.map(
      (region) => `${region}  ${address(region)}   tokens: ${address(region)}/auth/oauth2/token   console: ${address(region)}/console`,
    ),
    ...(listensAt === url ? [] : ['', `listens at ${listensAt}`]),
    '',
    ...accounts.map(({ id, region }) => `account ${visible(id)} (${region})`),
    `${policies} ${policies === 1 ? 'policy' : 'policies'}`,
    ...(clock.isStopped() ? [`the clock stands still at ${new Date(clock.now()).toISOString()}`] : []),
    ...(service.isSoft
      ? [`soft mode: calls that policies refuse go through; GET ${url}/_emulator/needed shows the policies that they need`]
      : []),
    ...(isKept ? ['the state was stored before: the seed was read and not applied'] : []),
    ...(demo ? ['', 'DEMONSTRATION CREDENTIALS: anybody knows them. Never use them for anything that matters.'] : []),
    ...Object.entries(demo ?? {}).map(([name, value]) => `  ${name.padEnd(17)}  ${value}`),
    ...clients
      .slice(0, mostShown)
      .flatMap(({ clientId, identity }) => [
        '',
        `service account ${visible(identity)}`,
        `  client_id      ${visible(clientId)}`,
        `  client_secret  ${secretOf(clientId)}`,
      ]),
    ...(clients.length > mostShown ? ['', `and ${clients.length - mostShown} more`] : []),
    ...(clients[0] ? callToTry(clients[0], service, secrets) : []),
  ].join('\n')}\n`
}

const mostShown = 50

function callToTry(
  { account, clientId }: { readonly account: string; readonly clientId: string },
  { state, address }: Emulation['service'],
  secrets: Emulation['secrets'],
): readonly string[] {
  const region = state.table('account').get(account)?.region
  if (region === undefined) return []
  return [
    '',
    'Try:',
    `  curl -s ${address(region)}/auth/oauth2/token -d grant_type=client_credentials -d scope=all \\`,
    `    --data-urlencode 'client_id=${visible(clientId)}' --data-urlencode 'client_secret=${secrets.get(clientId) ?? '<its secret>'}'`,
    `  curl -s ${address(region)}/v1/hosting/web/example.org -H 'Authorization: Bearer <access_token>'`,
  ]
}
