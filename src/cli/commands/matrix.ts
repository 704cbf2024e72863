import { readActions } from '../../actions/reads.ts'
import {
  beyondNotes,
  matrixCsv,
  matrixJson,
  matrixLines,
  matrixMarkdown,
  matrixSince,
  matrixText,
  sinceWords,
} from '../../answers/matrix.ts'
import { usersFirst } from '../../answers/wording.ts'
import { type Tagged, taggedIn } from '../../ask/context.ts'
import { comparedMatrices } from '../../diff/cells.ts'
import { glob, isPattern, matches } from '../../glob.ts'
import { nearest } from '../../nearest.ts'
import { svgFile } from '../../picture/file.ts'
import { matrixHtml, matrixSvg } from '../../picture/matrix.ts'
import type { World } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { json } from '../../report/safe.ts'
import { presentParts } from '../../report/words.ts'
import { problemsOf } from '../../simulate/question.ts'
import { type ResolvedName, ShortNames } from '../../simulate/short-names.ts'
import type { Beyond } from '../../symbolic/beyond.ts'
import { ActionsByType, type KnownNames, knownNamesIn } from '../../symbolic/described.ts'
import { beyondCells, type Matrix, matrix } from '../../symbolic/matrix.ts'
import { readIdentity } from '../../urn/identity.ts'
import { typeAndName } from '../../urn/resource.ts'
import type { Options } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { budgetFor } from '../app/io.ts'
import { Refusal, refuseProblems, requireValue } from '../app/refusal.ts'
import { readAccountContext, urnOf, withTags } from '../input/account.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { type Answer, fromFiles } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'

/** `matrix`: what each described identity may do with each resource type, and what changed of it since a commit. */
export const run: Answer<'matrix'> = async (_, options, io, loader = fromFiles) => {
  const { given, times, tags, problems } = readAccountContext(options, io)
  const { format, since } = options
  if (since !== undefined) refuseSince(options, loader.held !== undefined)
  const asked = { ...options, isOfAll: true } as const
  const compared = since === undefined ? undefined : await (await import('../input/since.ts')).comparedSince(since, asked, io, problems)
  const loaded = since === undefined ? await loader.world(asked, io, problems) : compared?.now
  if (!loaded) return exit.error
  const world = withTags(loaded.world, tags)
  const before = compared && withTags(compared.before, tags)
  const worlds = before ? [world, before] : [world]
  const tagged = requireValue(taggedIn(loaded.world, options.withTag))
  const things = chosen(worlds, [loaded.short, ...(compared ? [new ShortNames(compared.before)] : [])], options, tagged)
  const catalogue = await catalogueFor(loaded.config, io)
  const reads = readActions(await operationsFor(loaded.config, io))
  const actions = new ActionsByType(catalogue)
  const run = budgetFor(io)
  const matrixOptions = { actions, reads, time: times.time, given, byResource: options.resources, run }
  const both = before && comparedMatrices(before, world, things, matrixOptions)
  const computed = both?.after ?? matrix(world, things, matrixOptions)
  const withPatterns = options.identity.length === 0
  const context = { ...given, ...(times.at === undefined && { from: times.from }), ...(tags && { tags }) }
  const askedBeyond = { withPatterns, given: context, catalogue, actions, run }
  const { beyond, reasons } = tagged ? { beyond: [], reasons: [] } : beyondOf(computed, { world, ...askedBeyond }, options)
  const isSame = computed.rows.every((row) => row.every(({ change }) => !change))
  const open = (await compared?.openReasons(isSame)) ?? []
  const wholeMatrix = { ...computed, beyond, reasons: [...computed.reasons, ...reasons, ...open] }
  const answer = compared ? matrixSince(wholeMatrix, compared.commit, options.all || format === 'json') : wholeMatrix
  const names = compared ? new Names(worlds, options.fullUrns) : loaded.names
  if (options.identity.length > 0) for (const identity of things.identities) await noteUnknownNames({ identity }, loaded, false, io)
  if (format === 'csv')
    for (const note of presentParts(sinceWords(answer), beyondNotes(beyond, names))) io.stderr.write(`grantwise: note: ${note}\n`)
  if (format === 'json') io.stdout.write(`${json(matrixJson(answer, times))}\n`)
  else if (format === 'csv') io.stdout.write(matrixCsv(answer))
  else if (format === 'compact') io.stdout.write(matrixLines(answer, times))
  else if (format === 'markdown') io.stdout.write(matrixMarkdown(answer, times, names))
  else if (format === 'svg') io.stdout.write(svgFile(matrixSvg(answer, times, names)))
  else if (format === 'html') io.stdout.write(matrixHtml(answer, times, names))
  else io.stdout.write(matrixText(answer, times, { names, paint: coloursOf(options, io), width: io.stdout.width?.(), all: options.all }))
  return answer.reasons.length > 0 ? exit.unknown : exit.success
}

/** Refuse what `--since` cannot be combined with. */
function refuseSince({ withTag }: Options<'matrix'>, isHeld: boolean): void {
  if (isHeld) throw new Refusal('`--since` reads files and commits: a session has one set of policies', 'run it at the command line')
  if (withTag.length > 0) throw new Refusal('`--since` and `--with-tag` cannot be combined', 'what changed is shown for all resources')
}

/** The access to resources that no column is about, of the types that are asked for. */
function beyondOf(matrix: Matrix, asked: Parameters<typeof beyondCells>[1], { type }: Options<'matrix'>) {
  const { found: all, reasons } = beyondCells(matrix, asked)
  const isWanted = ({ resource }: Beyond) => {
    const own = typeAndName(resource).type
    return type.length === 0 || own.includes('*') || type.includes(own)
  }
  return { beyond: all.filter(isWanted), reasons }
}

/**
 * The identities and resources that the answer is about, of all worlds. `names`: the short names in each. Throws a refusal where an
 * option fits none.
 */
function chosen(
  worlds: readonly World[],
  names: readonly ShortNames[],
  { identity, type, resources: isEach }: Options<'matrix'>,
  tagged: Tagged | undefined,
): KnownNames {
  const all = knownNamesIn(worlds)
  const described = tagged ? all.resources.filter((urn) => tagged.resources.has(urn)) : all.resources
  const identities = new Set<string>()
  for (const text of identity) {
    const readings = names.map((each) => each.identity(text))
    const urn = urnOf(readings.find(({ problem }) => !problem) ?? (readings[0] as ResolvedName))
    refuseProblems(problemsOf('--identity', urn, readIdentity(urn, { pattern: true })))
    const pattern = glob(urn)
    const matching = isPattern(pattern) ? all.identities.filter((each) => matches(pattern, each)) : [urn]
    if (matching.length === 0) throw new Refusal(`--identity \`${text}\`: no described identity matches`)
    for (const each of matching) identities.add(each)
  }
  const types = new Set(described.map((resource) => typeAndName(resource).type))
  for (const text of type) {
    if (types.has(text)) continue
    const suggested = nearest(text, types)
    throw new Refusal(
      `--type \`${text}\`: no resource of this type is described${tagged ? ` with ${tagged.words}` : ''}`,
      suggested && `did you mean \`${suggested}\`?`,
    )
  }
  const wanted = new Set(type.length > 0 ? type : types)
  if (isEach && wanted.size > 1) throw new Refusal('`--resources` takes one type', 'give it with `--type`, for example `--type vps`')
  return {
    identities: usersFirst(identity.length > 0 ? [...identities].sort() : all.identities),
    resources: described.filter((resource) => wanted.has(typeAndName(resource).type)),
  }
}
