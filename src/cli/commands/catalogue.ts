import { resolve } from 'node:path'
import type { Catalogue } from '../../actions/catalogue.ts'
import { type Description, isMonth, readDescription } from '../../actions/describe.ts'
import { actionDifference } from '../../actions/difference.ts'
import { type DatedDescription, mergeDescriptions } from '../../actions/merge.ts'
import type { Operation } from '../../actions/operations.ts'
import { type CatalogueRecord, printRecord } from '../../actions/record.ts'
import { shippedRecord } from '../../actions/shipped.ts'
import { pushTo } from '../../collections.ts'
import { compareText, type Diagnostic } from '../../diagnostic.ts'
import { readJsonLines } from '../../parser/json.ts'
import { limits } from '../../parser/limits.ts'
import type { Reading } from '../../parser/reading.ts'
import { treeOf } from '../../parser/tree.ts'
import type { paint } from '../../report/colour.ts'
import { guardNotation, json, shown } from '../../report/safe.ts'
import type { Source } from '../../source.ts'
import { limits as fileLimits } from '../../sources/limits.ts'
import type { Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { readCatalogueFile } from '../input/catalogue-file.ts'
import { type Config, loadConfig } from '../input/config.ts'
import { formatByEnding } from '../input/endings.ts'
import { readCandidate } from '../input/files.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { refuseAll } from '../output/diagnostics.ts'
import { coloursOf } from '../output/outputs.ts'
import { writingOf } from '../output/writing.ts'

/** `catalogue info [PRODUCT]` or `catalogue import FILE…`. */
export const run: Run<'catalogue'> = async ([what = 'info', ...rest], options, io) => {
  const config = await loadConfig(options, io)
  return what === 'info' ? info(rest, config, options, io) : build(rest, config, options, io)
}

async function info([product, ...more]: readonly string[], config: Config, options: Options<'catalogue'>, io: Io): Promise<ExitCode> {
  writingOf(options, io).refuseIdle('`catalogue import -o FILE` writes one')
  for (const name of ['output', 'base', 'seen', 'brand'] as const)
    if (options[name] !== undefined) throw new Refusal(`--${name} is an option of \`catalogue import\``)
  if (more.length > 0) throw new Refusal('`catalogue info` takes one product', 'run it once per product')
  const format = options.format ?? 'pretty'
  const catalogue = await catalogueFor(config, io)
  const operations = await operationsFor(config, io)
  if (product !== undefined && catalogue.actionsOf(product).length === 0) {
    const suggested = catalogue.nearestProduct(product)
    throw new Refusal(
      `no product \`${product}\` in the catalogue of ${catalogue.seen}`,
      suggested === undefined ? '`grantwise catalogue info` lists the products' : `did you mean \`${suggested}\`?`,
    )
  }
  const source = config.catalogue === undefined ? 'built in' : displayPath(config.catalogue.value, io.cwd)
  const loaded: Known = { catalogue, operations, source }
  if (format === 'json') io.stdout.write(`${json(product === undefined ? wholeJson(loaded) : { product: productJson(loaded, product) })}\n`)
  else if (format === 'compact') {
    const lines =
      product === undefined
        ? catalogue.products.map((name) => `${name} ${catalogue.actionsOf(name).length} ${catalogue.seenOf(name)}`)
        : catalogue.actionsOf(product)
    io.stdout.write(lines.map((line) => `${line}\n`).join(''))
  } else {
    const colours = coloursOf(options, io)
    io.stdout.write(product === undefined ? wholeText(loaded, colours) : productText(loaded, product, colours))
  }
  return exit.success
}

interface Known {
  readonly catalogue: Catalogue
  readonly operations: readonly Operation[]
  /** `built in`, or the file. */
  readonly source: string
}

type Colours = ReturnType<typeof paint>

function wholeText(loaded: Known, colours: Colours): string {
  const { catalogue, operations, source } = loaded
  const rows = catalogue.products.map((name) => [
    name,
    String(catalogue.actionsOf(name).length),
    catalogue.seenOf(name) ?? '',
    catalogue.typesOf(name).join(', '),
  ])
  const widths = [0, 1, 2].map((column) => Math.max(7, ...rows.map((row) => (row[column] as string).length)))
  const line = ([name = '', count = '', seen = '', types = '']: readonly string[]) =>
    `${name.padEnd(widths[0] as number)}  ${count.padStart(widths[1] as number)}  ${seen.padEnd(widths[2] as number)}  ${types}`.trimEnd()
  return [
    `${colours.bold(`catalogue of ${catalogue.seen}`)} (${shown(source)})`,
    `${counted(catalogue.size, 'action')} of ${counted(rows.length, 'product')}, ${counted(catalogue.types.length, 'resource type')}`,
    operationsText(operations),
    ...outgoingText(catalogue),
    '',
    colours.dim(line(['product', 'actions', 'seen', 'resource types'])),
    ...rows.map(line),
    colours.dim('the live service may have more'),
    '',
  ].join('\n')
}

function operationsText(operations: readonly Operation[]): string {
  const branches = [...byBranch(operations)].map(([branch, count]) => `${count} of ${branch}`)
  const free = operations.filter((operation) => operation.actions.length === 0)
  const open = free.filter((operation) => operation.noAuthentication)
  const detail = `${free.length} need no action, ${open.length} not even a session`
  return operations.length === 0 ? 'no operations' : `${counted(operations.length, 'operation')}: ${branches.join(', ')} (${detail})`
}

/** The numbers of deprecated and of new actions, where the catalogue knows them. */
function outgoingText(catalogue: Catalogue): readonly string[] {
  const actions = catalogue.products.flatMap((product) => catalogue.actionsOf(product))
  const deprecated = actions.filter((action) => catalogue.deprecationOf(action)).length
  const months = new Map<string, number>()
  for (const action of actions) {
    const since = catalogue.sinceOf(action)
    if (since !== undefined) months.set(since, (months.get(since) ?? 0) + 1)
  }
  return [
    ...(deprecated > 0 ? [`${counted(deprecated, 'deprecated action')}`] : []),
    ...[...months].sort().map(([month, count]) => `${counted(count, 'action')} first seen in ${month}`),
  ]
}

function productText({ catalogue, operations, source }: Known, product: string, colours: Colours): string {
  const actions = catalogue.actionsOf(product)
  const calls = callsByAction(operations)
  const types = catalogue.typesOf(product)
  return [
    `${colours.bold(product)}  ${counted(actions.length, 'action')}, seen ${catalogue.seenOf(product)} (catalogue: ${shown(source)})`,
    `resource types: ${types.length === 0 ? 'not known' : types.join(', ')}`,
    ...actions.flatMap((action) => [
      `  ${colours.info(action)}${remarks(catalogue, action)}`,
      ...(calls.get(action) ?? []).map((call) => `      ${call}`),
    ]),
    '',
  ].join('\n')
}

function remarks(catalogue: Catalogue, action: string): string {
  const deprecated = catalogue.deprecationOf(action)
  const since = catalogue.sinceOf(action)
  const words = [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(deprecated ? [`deprecated${deprecated.replacedBy.length > 0 ? `, use ${deprecated.replacedBy.join(', ')}` : ''}`] : []),
  ]
  return words.length === 0 ? '' : ` (${words.join('; ')})`
}

/** By action, the calls that need it: `GET /v1/vps/{serviceName}`. */
function callsByAction(operations: readonly Operation[]): ReadonlyMap<string, readonly string[]> {
  const calls = new Map<string, string[]>()
  for (const { branch, method, path, actions } of operations)
    for (const { name, required } of actions) {
      const call = `${method} /${branch}${path}${required ? '' : ' (not always)'}`
      pushTo(calls, name, call)
    }
  return calls
}

function wholeJson(loaded: Known): object {
  const { catalogue, operations, source } = loaded
  return {
    catalogue: {
      source,
      seen: catalogue.seen,
      actions: catalogue.size,
      operations: Object.fromEntries(byBranch(operations)),
      types: catalogue.types,
      products: catalogue.products.map((name) => ({
        name,
        seen: catalogue.seenOf(name),
        actions: catalogue.actionsOf(name).length,
        types: catalogue.typesOf(name),
      })),
    },
  }
}

function productJson({ catalogue, operations }: Known, product: string): object {
  const calls = callsByAction(operations)
  return {
    name: product,
    seen: catalogue.seenOf(product),
    types: catalogue.typesOf(product),
    actions: catalogue.actionsOf(product).map((name) => ({
      name,
      since: catalogue.sinceOf(name) ?? null,
      deprecated: catalogue.deprecationOf(name) ?? null,
      operations: calls.get(name) ?? [],
    })),
  }
}

function byBranch(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { branch } of operations) counts.set(branch, (counts.get(branch) ?? 0) + 1)
  return counts
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** The most notes that are printed one by one. */
const mostNotes = 20

async function build(files: readonly string[], config: Config, options: Options<'catalogue'>, io: Io): Promise<ExitCode> {
  if (options.format !== undefined) throw new Refusal('--format is an option of `catalogue info`', 'a catalogue is written as JSON')
  if (files.length === 0)
    throw new Refusal('`catalogue import` takes the files to read', 'for example `grantwise catalogue import api/*.json -o catalogue.json`')
  const { brand } = config.settings
  const from = options.brand ?? brand
  if (!/^[a-z][a-z0-9]*$/.test(from)) throw new Refusal(`--brand \`${from}\`: expected a word of lower-case letters and digits`)
  const month = options.seen
  if (month !== undefined && !isMonth(month)) throw new Refusal(`--seen \`${month}\`: expected a month such as \`2026-01\``)
  const output = options.output
  const writing = writingOf(options, io)
  if (output === undefined || output === '-') writing.refuseIdle('name the file to write: -o FILE')
  const targets = output === undefined || output === '-' ? [] : [{ option: '--output', file: resolve(io.cwd, output) }]
  checkTargets(targets, io)
  const named = files.filter((file) => file !== '-').map((file) => resolve(io.cwd, file))
  await guardInputs(targets, { files: [] }, named, config.settings, io)
  if (output !== undefined) formatByEnding(output, 'catalogue import', ['json'])

  const baseName = options.base ?? 'shipped'
  const base = await baseOf(baseName, brand, io)
  const parts = await readParts(files, { from, to: brand, month, base: base?.seen }, io)
  const { record, notes } = mergeDescriptions(base, parts, brand)
  const text = printRecord(record)
  if (text.length > limits.jsonLength)
    throw new Refusal(
      `the catalogue would be ${text.length} characters long, and ${limits.jsonLength} are the most that is read`,
      'give fewer descriptions',
    )
  const [target] = targets
  if (target) await writing.write(target.file, text)
  else io.stdout.write(text, guardNotation)

  const all = [...notes, ...brandNotes(record, from)]
  for (const note of all.slice(0, mostNotes)) io.stderr.write(`note: ${shown(note)}\n`)
  if (all.length > mostNotes) io.stderr.write(`note: and ${all.length - mostNotes} more\n`)
  io.stderr.write(`${summary(record, files.length)}\n`)
  // Without a base, the built-in catalogue is the one that users had before.
  const isBuiltIn = baseName === 'shipped' || base === undefined
  const before = base ?? shippedRecord(brand)
  const name = isBuiltIn ? 'the built-in catalogue' : `\`${shown(baseName)}\``
  io.stderr.write(differenceLines(before, record, `${name} (${before.seen})`, base === undefined).join(''))
  return writing.exitCode(exit.success)
}

/** The most names of actions that are listed of each kind of difference. */
const mostNames = 20

/**
 * The difference of a catalogue from another one. `name`: that of the other one. `isPart`: it was not made from the other one, so
 * that actions missing in it need not be removed ones.
 */
function differenceLines(before: CatalogueRecord, after: CatalogueRecord, name: string, isPart: boolean): readonly string[] {
  const { added, removed, changed } = actionDifference(before, after)
  const lists = [
    ['added', '+', added],
    [isPart ? 'not described' : 'removed', '-', removed],
    ['changed', '~', changed.map(({ name: action, how }) => `${action}: ${how}`)],
  ] as const
  const changedLists = lists.filter(([, , names]) => names.length > 0)
  if (changedLists.length === 0) return [`compared with ${name}: no action is added, removed or changed\n`]
  const counts = changedLists.map(([word, , names], i) =>
    i === 0 ? `${counted(names.length, 'action')} ${word}` : `${names.length} ${word}`,
  )
  return [
    `compared with ${name}: ${counts.join(', ')}\n`,
    ...changedLists.flatMap(([word, sign, names]) => [
      ...(word === 'not described' ? [] : names.slice(0, mostNames).map((each) => `  ${sign} ${shown(each)}\n`)),
      ...(word !== 'not described' && names.length > mostNames ? [`  ${sign} and ${names.length - mostNames} more\n`] : []),
    ]),
  ]
}

function summary({ seen, actions, operations }: CatalogueRecord, files: number): string {
  const deprecated = [...actions.values()].filter((action) => action.deprecated).length
  const outgoing = deprecated > 0 ? `, ${counted(deprecated, 'deprecated action')}` : ''
  return `catalogue of ${seen}: ${counted(actions.size, 'action')}, ${counted(operations.length, 'operation')}${outgoing}, from ${counted(files, 'file')}`
}

/** Namespaces of the API under another brand word, which `--brand` did not specify. */
function brandNotes({ actions, brand }: CatalogueRecord, from: string): readonly string[] {
  const others = new Map<string, number>()
  for (const name of actions.keys()) {
    const namespace = name.split(':', 2)[1] as string
    if (/^api[a-z0-9]+$/.test(namespace) && namespace !== `api${brand}` && namespace !== `api${from}`)
      others.set(namespace, (others.get(namespace) ?? 0) + 1)
  }
  return [...others]
    .sort(([a], [b]) => compareText(a, b))
    .map(
      ([namespace, count]) =>
        `${counted(count, 'action')} in the namespace \`${namespace}\`, where \`api${brand}\` is that of the configuration: map them with \`--brand ${namespace.slice(3)}\``,
    )
}

/** The catalogue that an import starts from. */
async function baseOf(name: string, brand: string, io: Io): Promise<CatalogueRecord | undefined> {
  if (name === 'none') return undefined
  if (name === 'shipped') return shippedRecord(brand)
  return (await readCatalogueFile(resolve(io.cwd, name), brand, io)).record
}

interface Words {
  readonly from: string
  readonly to: string
  /** The month that all descriptions are of; undefined: what they say themselves. */
  readonly month: string | undefined
  /** The month of the catalogue that they are merged over. */
  readonly base: string | undefined
}

/** Read the files; throws a refusal with every problem of every file. */
async function readParts(files: readonly string[], { from, to, month, base }: Words, io: Io): Promise<readonly DatedDescription[]> {
  const parts: DatedDescription[] = []
  const problems: Diagnostic[] = []
  const unread: string[] = []
  const undated: string[] = []
  let total = 0
  for (const name of files) {
    const input = await inputOf(name, io)
    if (typeof input === 'string') {
      unread.push(input)
      continue
    }
    total += input.text.length
    if (total > fileLimits.total)
      throw new Refusal(
        `more than ${fileLimits.total / 2 ** 20} MiB in all, the most that is read`,
        'import them in several steps, with `--base`',
      )
    const reading = await readingOf(input)
    if (reading.diagnostics.some((each) => each.severity === 'error')) {
      problems.push(...reading.diagnostics)
      continue
    }
    const { description, problems: misread } = readDescription(reading.documents, from, to)
    problems.push(...misread.map((problem): Diagnostic => ({ code: 'description', severity: 'error', ...problem })))
    const operations = month === undefined ? description.operations : description.operations.map((each) => ({ ...each, seen: undefined }))
    const seen = month ?? monthOf(description, base)
    if (seen === undefined && misread.length === 0) undated.push(input.path)
    parts.push({ description: { ...description, operations }, seen: seen ?? '' })
  }
  const [first, ...others] = unread
  if (first !== undefined && problems.length === 0)
    throw new Refusal(
      first,
      undefined,
      others.map((message) => ({ message })),
    )
  io.stderr.write(unread.map((line) => `grantwise: ${shown(line)}\n`).join(''))
  refuseAll(problems, 'description')
  const [one, ...rest] = undated
  if (one !== undefined)
    throw new Refusal(
      `${one}${rest.length > 0 ? ` and ${counted(rest.length, 'other file')}` : ''}: the month of the description cannot be determined`,
      'specify it with `--seen YYYY-MM`: the month in which the descriptions were taken from the service',
    )
  return parts
}

/**
 * The month that counts for what a description does not date itself: undefined where it is needed and nothing says it. When a file
 * was written says nothing of when it was true.
 */
function monthOf({ operations, actions }: Description, base: string | undefined): string | undefined {
  if (actions.length > 0 || operations.some(({ seen }) => seen === undefined)) return undefined
  return (
    operations.reduce<string | undefined>((last, { seen }) => (last === undefined || (seen ?? '') > last ? seen : last), undefined) ?? base
  )
}

/** A file or standard input; a text says why it cannot be read. */
async function inputOf(name: string, io: Io): Promise<Source | string> {
  const file = name === '-' ? undefined : resolve(io.cwd, name)
  const path = file === undefined ? '<stdin>' : displayPath(file, io.cwd)
  const { source, message } = await readCandidate({ path, file, notation: undefined, isNamed: true }, io, 'settings')
  return source ?? `${path}: ${message}`
}

/** The documents of a text: JSON or YAML, or JSON a line. */
function readingOf(source: Source): Reading | Promise<Reading> {
  return isJsonLines(source.text) ? readJsonLines(source) : treeOf(source)
}

/** Whether a second JSON object starts in the line after the one in which the first ends. */
function isJsonLines(text: string): boolean {
  const [first, second] = text
    .slice(0, 1 << 20)
    .split('\n', 1000)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim())
  return first !== undefined && second !== undefined && first.startsWith('{') && first.endsWith('}') && second.startsWith('{')
}
