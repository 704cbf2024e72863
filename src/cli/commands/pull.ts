import { resolve } from 'node:path'
import { diff } from '../../diff/diff.ts'
import type { Settings } from '../../names.ts'
import type { Facts } from '../../parser/policy.ts'
import { noFacts } from '../../parser/read.ts'
import { readSource } from '../../parser/read-source.ts'
import { type Fields, type Value, yamlFile } from '../../propose/sync.ts'
import { unifiedDiff } from '../../report/diff.ts'
import { Names } from '../../report/names.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { sourceOf } from '../../source.ts'
import type { ReadFiles } from '../../sources/files.ts'
import type { Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Io, wantsColour } from '../app/io.ts'
import { displayPath, isWithin } from '../app/paths.ts'
import { type Reason, Refusal } from '../app/refusal.ts'
import { type Config, loadConfig } from '../input/config.ts'
import { catalogueFor } from '../input/known.ts'
import { pathsOf } from '../input/policies.ts'
import { isThere, readText } from '../input/read-file.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { decidable, decided, noteUncreated, readFiles } from '../input/world.ts'
import { type Client, type ClientSettings, openClient } from '../live/api-client.ts'
import { type Account, itemName, readAccount, worldKeys } from '../live/pull-account.ts'
import {
  applyPlan,
  changesOf,
  type Plan,
  planPull,
  policiesName,
  recoverInterrupted,
  refuseNoFolder,
  worldName,
} from '../live/pull-files.ts'
import { diffText } from '../output/diff-text.ts'
import { systemFault } from '../output/errors.ts'
import { formatTargets, outputsOf, writeOutput } from '../output/outputs.ts'
import { type Writing, writingOf } from '../output/writing.ts'
import { writeDifference } from './diff.ts'

type Outputs = Options<'pull'>['format']

/** `pull [FOLDER]`: the policies of an account to files; `--check`: how the files differ from it. */
export const run: Run<'pull'> = async (args, options, io) => {
  const isCheck = options.check
  if (!isCheck && options.format.length > 0) throw new Refusal('`--format` requires `--check`', 'add `--check`, or omit `--format`')
  if (isCheck && options.force) throw new Refusal('`--check` writes nothing, and `--force` is about writing', 'leave one of them out')
  const diffOption = options.diff ? '--diff' : undefined
  const outputs = outputsOf(options.format, io, 'pretty', isCheck ? diffOption : undefined)
  if (isCheck && formatTargets(outputs).length === 0)
    writingOf(options, io).refuseIdle('omit `--check`, or name a file: --format FORMAT=FILE')
  checkTargets(formatTargets(outputs), io)
  const config = await loadConfig(options, io)
  const settings = clientSettings(options, io)
  const client = openClient(settings, {
    fetch,
    now: io.now,
    pause: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
    random: Math.random,
  })
  const folder = resolve(io.cwd, args[0] ?? '.')
  refuseNoFolder(folder, io.cwd)
  for (const note of recoverInterrupted(folder, isCheck || options.dryRun || options.diff, io.cwd))
    io.stderr.write(`grantwise: ${shown(note)}\n`)
  // From here on, the secret and the tokens are removed from all output.
  const safe = discreet(io, client)
  const writing = writingOf(options, safe)
  try {
    const account = await readAccount(client, {
      isPartial: options.partial,
      account: options.account,
      clientId: settings.clientId,
      brand: config.settings.brand,
    })
    const plan = planPull(folder, account, options.force, io.cwd)
    refuseSecrets(plan, client)
    await refuseMisshapen(plan, account, config.settings)
    return isCheck ? await check(plan, account, outputs, config, options, safe, writing) : await write(plan, account, config, safe, writing)
  } catch (error) {
    const fault = systemFault(error)
    if (fault !== undefined) throw new Refusal(conceal(fault, client))
    if (!(error instanceof Refusal)) throw new Error(conceal(error instanceof Error ? error.message : String(error), client))
    const reasons = [error, ...error.others].map(({ message, help }) => ({
      message: conceal(message, client),
      help: help === undefined ? undefined : conceal(help, client),
    }))
    const [{ message, help } = { message: '', help: undefined }, ...others] = reasons
    throw new Refusal(message, help, others)
  }
}

// The request.

function clientSettings(options: Options<'pull'>, io: Io): ClientSettings {
  if (options.clientSecret !== undefined)
    throw new Refusal(
      '--client-secret: secrets are not accepted on the command line: other users can see them, and shells and build logs record them',
      'use GRANTWISE_CLIENT_SECRET, or a file with `--secret-file`; revoke this one',
    )
  const { pageSize, schemasVersion, retries, timeout } = options
  return {
    baseUrl: addressIn(options.baseUrl, io, '--base-url', 'GRANTWISE_BASE_URL', 'the API'),
    authUrl: addressIn(options.authUrl, io, '--auth-url', 'GRANTWISE_AUTH_URL', 'the token host'),
    clientId: given(options.clientId ?? io.env.GRANTWISE_CLIENT_ID, 'the id of the service account', '--client-id', 'GRANTWISE_CLIENT_ID'),
    clientSecret: secretIn(options, io),
    ...(pageSize !== undefined && { pageSize }),
    ...(schemasVersion !== undefined && { schemasVersion }),
    retries,
    timeout: timeout * 1000,
  }
}

function given(value: string | undefined, what: string, option: string, variable: string): string {
  if (value === undefined || value === '') throw new Refusal(`${what} is not given`, `give it with \`${option}\`, or in ${variable}`)
  return value
}

function secretIn(options: Options<'pull'>, io: Io): string {
  const file = options.secretFile
  if (file === undefined) {
    const secret = given(
      io.env.GRANTWISE_CLIENT_SECRET,
      'the secret of the service account',
      '--secret-file FILE',
      'GRANTWISE_CLIENT_SECRET',
    )
    if (/[\r\n]/.test(secret)) throw new Refusal('GRANTWISE_CLIENT_SECRET: contains a line break', 'remove it, as `$(cat FILE)` does')
    return secret
  }
  const path = resolve(io.cwd, file)
  const { text, message } = readText(path)
  if (text === undefined) throw new Refusal(`--secret-file: ${displayPath(path, io.cwd)}: ${message}`)
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '' || /[\r\n]/.test(secret))
    throw new Refusal(`--secret-file: ${displayPath(path, io.cwd)}: ${secret === '' ? 'is empty' : 'contains more than one line'}`)
  return secret
}

/** An address without a final slash. Unencrypted only on this machine: an eavesdropper would get the secret. */
function addressIn(value: string | undefined, io: Io, option: string, variable: string, what: string): string {
  const text = given(value ?? io.env[variable], `the address of ${what}`, option, variable)
  const from = value === undefined ? variable : option
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Refusal(`${from}: expected an address such as \`https://api.example.net\``)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new Refusal(`${from}: expected an address without user, query and fragment`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new Refusal(
      `${from} \`${url.origin}\`: without encryption, anybody on the network could read the secret`,
      'use `https:`; `http:` is allowed for this machine only, such as `http://127.0.0.1:8080`',
    )
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

// Secrets.

/** The forms in which a secret may come back: as it is, in an address, in a form, in JSON, in base64. */
function formsOf(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]
}

function conceal(text: string, client: Client): string {
  const forms = client.secrets().flatMap(formsOf)
  return [...new Set(forms)]
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length)
    .reduce((safe, form) => safe.replaceAll(form, '***'), text)
}

/** The same streams, with the secret and the tokens removed from the output. */
function discreet(io: Io, client: Client): Io {
  const sink = (stream: Io['stdout']): Io['stdout'] => ({ ...stream, write: (text, care) => stream.write(conceal(text, client), care) })
  return { ...io, stdout: sink(io.stdout), stderr: sink(io.stderr) }
}

/** Shorter ones occur anywhere by chance. */
const shortestSecret = 8

/** Nothing that holds the secret becomes a file. */
function refuseSecrets({ steps, fresh }: Plan, client: Client): void {
  const secrets = client
    .secrets()
    .flatMap(formsOf)
    .filter((form) => form.length >= shortestSecret)
  const texts = [...fresh, ...steps.map(({ file, after }) => ({ file, text: after ?? '' }))]
  const leaking = texts.find(({ text }) => secrets.some((secret) => text.includes(secret)))
  if (leaking)
    throw new Refusal(
      `${leaking.file}: the account contains the secret of the service account, or its token: nothing is written`,
      'remove it from the policy, and revoke it',
    )
}

// Answers.

async function write(plan: Plan, account: Account, config: Config, io: Io, writing: Writing): Promise<ExitCode> {
  const { steps, folder } = plan
  const of = (file: string) => shown(displayPath(resolve(folder, file), io.cwd))
  for (const note of account.notes) io.stderr.write(`grantwise: ${shown(note)}\n`)
  const conflicts = steps.filter(({ kind }) => kind === 'conflict')
  if (conflicts.length > 0) {
    for (const { file, why } of conflicts) io.stderr.write(`grantwise: ${of(file)}: ${shown(why ?? '')}\n`)
    io.stderr.write(
      `grantwise: nothing is written: ${plural(conflicts.length, 'conflict')}\n  help: apply your edits to the account, or undo them; \`--force\` overwrites them\n`,
    )
    return exit.failure
  }
  let isInterrupted = false
  void io.interrupted?.().then(() => {
    isInterrupted = true
  })
  if (!writing.isDry) await applyPlan(plan, () => isInterrupted, io.cwd)
  else
    for (const { file, before, after } of changesOf(plan))
      await writing.preview({ path: displayPath(resolve(folder, file), io.cwd), before, after })
  const notes = writing.diffOption === undefined ? io.stdout : io.stderr
  for (const { file, kind, after, why } of steps) {
    if (!writing.isDry && (kind === 'written' || kind === 'changed' || kind === 'removed')) io.stdout.write(`${of(file)}: ${kind}\n`)
    if (why !== undefined)
      io.stderr.write(`grantwise: ${of(file)}: ${after === undefined ? 'left as it is' : 'a part is left as it is'}: ${shown(why)}\n`)
  }
  const count = (some: typeof steps) => some.filter(({ file }) => file !== worldName).length
  const untouched = count(steps.filter(({ kind }) => kind === 'same' || kind === 'kept'))
  notes.write(
    `${account.policies.length === 1 ? '1 policy' : `${account.policies.length} policies`} in the account; ${plural(untouched, 'file')} left as ${untouched === 1 ? 'it is' : 'they are'}\n`,
  )
  // The service may have policies that cannot be fully read here: that is reported, and the files are written as the account is.
  for (const { file, after } of steps) {
    if (after === undefined) continue
    const { diagnostics } = await readSource(sourceOf(file, after, 'yaml'), config.settings)
    const wrong = diagnostics.find(({ severity }) => severity === 'error')
    if (wrong) io.stderr.write(`grantwise: ${of(file)}: nothing can be decided with it: ${shown(wrong.message)}\n`)
  }
  return writing.exitCode(exit.success)
}

/** Refuse what has not the form of a policy, a group or a resource: nothing says what it would grant, and no file holds it. */
async function refuseMisshapen({ fresh }: Plan, { world }: Account, settings: Settings): Promise<void> {
  const parts: readonly (readonly [where: string, text: string])[] = [
    ...fresh.map(({ name, text }) => [itemName('policies', { name }), text] as const),
    ...worldKeys.flatMap((key) =>
      (key === 'account' ? [] : ((world[key] ?? []) as readonly Value[])).map(
        (item) => [itemName(key, item as Fields), yamlFile({ [key]: [item] })] as const,
      ),
    ),
  ]
  const problems: Reason[] = []
  for (const [where, text] of parts) {
    const { diagnostics } = await readSource(sourceOf('', text, 'yaml'), settings)
    const wrong = diagnostics.find(({ code, severity }) => severity === 'error' && (code === 'shape' || code === 'syntax'))
    if (wrong) problems.push({ message: `${where} has not the form of one: ${wrong.message}`, help: wrong.help })
  }
  const [first, ...others] = problems
  if (first) throw new Refusal(`${first.message}: nothing is written`, first.help, others)
}

/** Compares the files with the account: new access is what the account allows and the files do not. */
async function check(
  plan: Plan,
  account: Account,
  outputs: Outputs,
  config: Config,
  options: Options<'pull'>,
  io: Io,
  writing: Writing,
): Promise<ExitCode> {
  const { settings } = config
  const { folder } = plan
  const selection = { paths: isThere(folder) ? filesOf(folder, config, io) : [], mayBeEmpty: true }
  const files = await decided(await readFiles(selection, settings, io), { root: [] }, io, 'name the folder of one of them')
  await guardInputs(formatTargets(outputs), files, [], settings, io)
  const theirs = await accountFiles(plan, account, files, config)
  const allFacts = [...files.facts, ...theirs.facts]
  const before = decidable(files, io, { compared: allFacts })
  const after = decidable(theirs, io, { compared: allFacts })
  for (const note of account.notes) io.stderr.write(`grantwise: ${shown(note)}\n`)
  if (!before || !after) return exit.error
  noteUncreated([files], io)
  const difference = diff(before, after, { catalogue: await catalogueFor(config, io) })
  for (const { format, file } of outputs) {
    const text = await writeDifference(
      format,
      { difference },
      () => true,
      { over: 'everything', names: new Names([before, after]) },
      { inColour: file === undefined && wantsColour(io, options.color), width: io.stdout.width?.() },
    )
    await writeOutput({ format, file }, text, io, writing)
  }
  const different = plan.steps.filter(({ kind }) => kind !== 'same')
  for (const { file } of different)
    io.stderr.write(`grantwise: ${shown(displayPath(resolve(folder, file), io.cwd))}: differs from the account\n`)
  // A description, or a tag, differs without any difference of access.
  if (outputs.some(({ format, file }) => format === 'pretty' && file === undefined))
    io.stdout.write(filesDiff(folder, account, options, io))
  // Owners and tags are no part of a difference of access, and decisions rest on them.
  const isSame = difference.verdict === 'same' && plan.worldDiffers.length === 0
  if (isSame) return writing.exitCode(exit.success)
  return difference.verdict === 'undecided' && plan.worldDiffers.length === 0 ? exit.unknown : exit.failure
}

/**
 * The files that are compared with the account: those of the configuration in the folder, with those that `pull` writes there;
 * without any, the folder.
 */
function filesOf(folder: string, config: Config, { cwd }: Io): readonly string[] {
  const own = pathsOf([], { ...config, policies: config.policies ?? [] }).filter((path) => isWithin(resolve(cwd, path), folder))
  if (config.policies === undefined || own.length === 0) return [folder]
  return [...own, ...[policiesName, worldName].map((name) => resolve(folder, name)).filter((path) => isThere(path))]
}

/** How many lines of the files that differ are shown. */
const mostLines = 80

/** The difference between the files and those that the account would give, edits included. */
function filesDiff(folder: string, account: Account, options: Options<'pull'>, io: Io): string {
  const { steps } = planPull(folder, account, true, io.cwd)
  const diffs = steps.map(({ file, kind, before, after }) =>
    kind === 'same' ? '' : unifiedDiff(displayPath(resolve(folder, file), io.cwd), before ?? '', after ?? ''),
  )
  const lines = diffs.join('').split('\n').slice(0, -1)
  if (lines.length === 0) return ''
  const hiddenCount = lines.length - mostLines
  const text = lines.slice(0, mostLines).map((line) => `${line}\n`)
  const end = hiddenCount > 0 ? `and ${plural(hiddenCount, 'more line')}\n` : ''
  return `\nfiles, as \`pull --force\` would change them:\n${diffText(text.join(''), wantsColour(io, options.color), io.stdout.isTerminal())}${end}`
}

/** The account as files that were read: its policies and world, with what only the files contain. */
async function accountFiles({ fresh }: Plan, account: Account, files: ReadFiles, { settings }: Config): Promise<ReadFiles> {
  const texts = [
    ...fresh,
    ...(Object.keys(account.world).length === 0 ? [] : [{ file: worldName, text: yamlFile(account.world as Fields) }]),
  ]
  const reads = await Promise.all(texts.map(({ file, text }) => readSource(sourceOf(`account:${file}`, text, 'yaml'), settings)))
  const ownFacts: Facts = {
    ...noFacts,
    identities: files.facts.flatMap(({ identities }) => identities),
    ...(account.world.account === undefined && { accounts: files.facts.flatMap(({ accounts }) => accounts) }),
  }
  const missingKeys = worldKeys.filter((key) => key !== 'account' && account.world[key] === undefined)
  const otherFacts = files.facts.map(
    (facts): Facts => ({ ...noFacts, ...Object.fromEntries(missingKeys.map((key) => [key, facts[key as 'resources']])) }),
  )
  return {
    ...files,
    each: [],
    facts: [...reads.map(({ facts }) => facts), ownFacts, ...otherFacts],
    diagnostics: reads.flatMap(({ diagnostics }) => diagnostics),
    problems: [],
    isPartial: reads.some(({ refused }) => refused),
  }
}
