import { type Merge, togetherAnswer, verdictOf } from '../../answers/together.ts'
import { together } from '../../diff/together.ts'
import type { World } from '../../policy.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import type { Arguments, Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import type { Config } from '../input/config.ts'
import type { Selection } from '../input/files.ts'
import { catalogueFor } from '../input/known.ts'
import { type Landed, type Landings, withLandings } from '../input/landing.ts'
import { decode, openBytes, readInput } from '../input/read-file.ts'
import { decidable, readFiles } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'
import { viewOf } from '../output/view.ts'

const formats = ['pretty', 'compact', 'json', 'markdown'] as const

interface Given {
  /** The instant that is looked at, if it is one. */
  readonly instants: readonly number[]
  readonly configOf: (options: Options<'diff'>, io: Io) => Promise<Config>
}

/** `diff --merge BASE A B`: the access that merging grants, and neither of what is merged does. */
export async function merged(args: Arguments<'diff'>, options: Options<'diff'>, io: Io, { instants, configOf }: Given): Promise<ExitCode> {
  const format = formatIn(options)
  const [base, ...sides] = await statesIn(args, options, io)
  refuseOthers(options, instants)
  const config = await configOf(options, io)
  const catalogue = await catalogueFor(config, io)
  const actions = new ActionsByType(catalogue)
  const [instant] = instants
  const time = instant === undefined ? { within: { from: io.now() } } : { at: instant }
  const worlds: World[] = []
  const merges = await withLandings(base as string, sides, config, io, async (landings) => {
    const read = async (landed: Landed) => {
      if (landed.conflicts) return landed
      const world = await worldOf(landed.selection, config, io)
      if (!world) return undefined
      worlds.push(world)
      return { world }
    }
    return await mergesOf(landings, read, (both, single, names) =>
      together(both, single, names, { catalogue, run: budgetFor(io), described: actions, ...time }),
    )
  })
  if (!merges) return exit.error
  const view = viewOf(options, worlds)
  const words = { names: view.names, actions, ...(instant === undefined && { from: io.now() }) }
  writeAnswer(togetherAnswer(merges, view.over), words, { format, all: options.all, color: options.color, title: 'grantwise diff' }, io)
  return { none: exit.success, together: exit.failure, conflict: exit.error, undecided: exit.unknown }[verdictOf(merges)]
}

type Read = { readonly world: World; readonly conflicts?: undefined } | { readonly conflicts: readonly string[] }

/** Every two sides merged; undefined where a state has an error, which was printed. */
async function mergesOf(
  { sides, single, together: both }: Landings,
  read: (landed: Landed) => Promise<Read | undefined>,
  compare: (
    merged: World,
    single: readonly [World, World],
    names: readonly [string, string],
  ) => Extract<Merge, { readonly difference: unknown }>['difference'],
): Promise<readonly Merge[] | undefined> {
  const merges: Merge[] = []
  const landed: (World | undefined)[] = []
  for (const [i, side] of sides.entries()) {
    const state = await read(await single(i))
    if (!state) return undefined
    if (state.conflicts) merges.push({ sides: [side], conflicts: state.conflicts })
    landed.push(state.conflicts ? undefined : state.world)
  }
  for (const [i, first] of landed.entries()) {
    for (const [j, second] of landed.entries()) {
      if (j <= i || !first || !second) continue
      const names = [sides[i] as string, sides[j] as string] as const
      const state = await read(await both(i, j))
      if (!state) return undefined
      merges.push(
        state.conflicts
          ? { sides: names, conflicts: state.conflicts }
          : { sides: names, difference: compare(state.world, [first, second], names) },
      )
    }
  }
  return merges
}

async function worldOf(selection: Selection, config: Config, io: Io): Promise<World | undefined> {
  return decidable(await readFiles(selection, config.settings, io), io)
}

/** The state that is merged into, and those that are merged: three arguments, or one and the refs of a file. */
async function statesIn(args: Arguments<'diff'>, { refs }: Options<'diff'>, io: Io): Promise<readonly string[]> {
  const states = args.flatMap((each) => each ?? [])
  const [base] = states
  if (refs === undefined) {
    if (states.length === 3) return states
    throw new Refusal(
      `\`diff --merge\` takes three arguments: what both were made from, and both; ${states.length} given`,
      'for example `grantwise diff --merge git:main git:one git:two`',
    )
  }
  if (base === undefined || states.length > 1 || !base.startsWith('git:'))
    throw new Refusal('with `--refs`, one commit is given: what the refs of the file are merged into', 'for example `git:main --refs FILE`')
  const path = base.split(':').slice(2).join(':')
  const names = (await linesOf(refs, io)).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  if (names.length < 2) throw new Refusal(`--refs \`${refs}\`: ${names.length === 1 ? 'one ref' : 'no ref'}: at least two are merged`)
  return [base, ...names.map((name) => `git:${name}${path === '' ? '' : `:${path}`}`)]
}

async function linesOf(file: string, io: Io): Promise<readonly string[]> {
  const { bytes, message } = await readInput(openBytes(file, io))
  const { text, ...fault } = bytes ? decode(bytes) : { message }
  if (text === undefined) throw new Refusal(`--refs \`${file}\`: ${fault.message}`)
  return text.split('\n')
}

function formatIn({ format: requested }: Options<'diff'>): (typeof formats)[number] {
  const [first, ...others] = requested
  if (others.length > 0 || first?.file !== undefined) throw new Refusal('`diff --merge` has one output, which is printed', 'redirect it')
  const name = first?.format ?? 'pretty'
  const format = formats.find((each) => each === name)
  if (!format) throw new Refusal(`--format ${name}: not with \`--merge\``, `one of ${formats.join(', ')}`)
  return format
}

const notWithMerge = [
  ...(['since', 'plan', 'ceiling', 'horizon', 'policies', 'map', 'identity', 'action', 'failOn', 'root'] as const),
  ...(['with', 'without', 'member', 'assumeTag', 'dryRun', 'diff'] as const),
] as const satisfies readonly (keyof Options<'diff'>)[]

/** Refuse the options that belong to the comparison of two states. */
function refuseOthers(options: Options<'diff'>, instants: readonly number[]): void {
  const other = notWithMerge.find((name) => {
    const value = options[name]
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
  })
  if (other !== undefined)
    throw new Refusal(
      `\`--${other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}\` and \`--merge\` cannot be combined`,
      'omit one of the two',
    )
  if (instants.length > 1) throw new Refusal('--at is given twice, and a merge is one state', 'give it once')
}
