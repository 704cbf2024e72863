import { resolve } from 'node:path'
import type { Catalogue } from '../../actions/catalogue.ts'
import { differenceAnswer, type RegionScope } from '../../answers/difference.ts'
import { answerText } from '../../answers/text.ts'
import { wordingOf } from '../../answers/wording.ts'
import type { Budget } from '../../budget.ts'
import { place } from '../../diagnostic.ts'
import { type Difference, diff } from '../../diff/diff.ts'
import { witnessedFrom } from '../../diff/later.ts'
import { budgetOf, isSameAccess, lockOf, policiesOf } from '../../lock/lock.ts'
import { readLock } from '../../lock/read.ts'
import type { Settings } from '../../names.ts'
import type { World } from '../../policy.ts'
import { guardNotation, json, shown } from '../../report/safe.ts'
import { notationOf, sourceOf } from '../../source.ts'
import { ActionsByType, Lookups } from '../../symbolic/described.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { formatByEnding } from '../input/endings.ts'
import { catalogueFor } from '../input/known.ts'
import { instantOf } from '../input/question.ts'
import { isThere, textAt } from '../input/read-file.ts'
import { suppositionOf } from '../input/suppose.ts'
import { type LoadedWorld, loadWorld } from '../input/world.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import { coloursOf } from '../output/outputs.ts'
import { viewOf } from '../output/view.ts'
import { writingOf } from '../output/writing.ts'

const noDifference: Difference = { verdict: 'same', gained: [], lost: [], undecided: [] }

/** `lock`: what the policies allow, in one file that is reviewed; `--check`: whether it still says so. */
export const run: Run<'lock'> = async (_, options, io) => {
  const isCheck = options.check
  const { format } = options
  const writing = writingOf(options, io)
  if (isCheck || options.output === '-') writing.refuseIdle(isCheck ? 'omit `--check`' : 'name a file with `-o`')
  if (!isCheck && format !== undefined) throw new Refusal('`--format` requires `--check`', 'add `--check`, or omit `--format`')
  if (!isCheck && options.over !== undefined) throw new Refusal('`--over` requires `--check`', 'add `--check`, or omit `--over`')
  if (!isCheck && options.at !== undefined) throw new Refusal('`--at` requires `--check`', 'add `--check`, or omit `--at`')
  const from = options.at === undefined ? io.now() : instantOf('--at', options.at)
  if (options.member.length + options.assumeTag.length > 0)
    throw new Refusal(
      'a lockfile is about policies alone: who is in which group, and tags, are no part of it',
      'compare with `grantwise diff -p POLICIES --member …`',
    )
  if (!isCheck && suppositionOf(options))
    throw new Refusal('a lockfile says what the policies allow, not what is supposed of them', 'add `--check`, or omit what is supposed')
  const output = options.output
  const isPrinted = output === '-'
  if (isPrinted && isCheck) throw new Refusal('`--check` reads a lockfile, which cannot be standard output', 'name the file with `-o`')
  if (!isCheck && notationOf(output) !== undefined)
    throw new Refusal(`-o \`${output}\`: by this name it would be taken for policies`, 'end the name in something else, such as `.lock`')
  if (!isCheck) formatByEnding(output, 'lock', [], () => 'end the name in something else, such as `.lock`')
  const file = resolve(io.cwd, output)
  const name = isPrinted ? '-' : displayPath(file, io.cwd)
  const loaded = await loadWorld(options, io)
  if (!loaded) return exit.error
  refuseUnknown(loaded)
  const { world, settings, config } = loaded
  const run = budgetFor(io)
  const locked = !isPrinted && isThere(file) ? await lockedIn(file, name, settings, io) : undefined

  if (isCheck) {
    if (!locked) throw new Refusal(`${name}: there is no such file`, 'create it with `grantwise lock`, and keep it with the policies')
    const same = isSameAccess(world, locked, undefined, run)
    const view = viewOf(options, [world])
    const catalogue = same === 'same' ? undefined : await catalogueFor(config, io)
    const difference = catalogue ? differenceFrom(locked, world, view.over, catalogue, from, run) : noDifference
    const answer = differenceAnswer({ difference }, view.over)
    if (format === 'json') io.stdout.write(`${json(answer.json())}\n`)
    else if (difference.verdict === 'same') io.stdout.write(`${shown(name)}: up to date\n`)
    else {
      const style = {
        paint: coloursOf(options, io),
        wording: wordingOf(view.names, difference.described?.from, view.actions),
        width: io.stdout.width?.(),
        all: options.all,
      }
      const state = difference.verdict === 'changed' ? 'out of date' : 'it cannot be determined whether the policies allow something else'
      io.stdout.write(`${shown(name)}: ${state}\n${answerText(answer, style)}`)
    }
    return { same: exit.success, changed: exit.failure, undecided: exit.unknown }[difference.verdict]
  }

  if (locked && isSameAccess(world, locked, undefined, run) === 'same') {
    const notes = writing.diffOption === undefined ? io.stdout : io.stderr
    notes.write(`${shown(name)}: up to date, not changed\n`)
    return exit.success
  }
  const { text, culprits } = lockOf(world, run)
  // The new text is read again and proved equivalent, before it replaces anything.
  const unclear = text === undefined ? culprits : await doubtsOf(text, name, world, settings, run)
  if (text === undefined || unclear.length > 0) {
    const words = unclear.map((culprit) => `\`${shown(culprit)}\``).join(', ')
    io.stderr.write(
      `grantwise: what the policies allow cannot be determined within limits: too many combinations of ${words}\n  help: ${partsHelp}\n`,
    )
    return exit.unknown
  }
  if (isPrinted) {
    io.stdout.write(text, guardNotation)
    return exit.success
  }
  await writing.write(file, text)
  if (!writing.isDry) io.stdout.write(`${shown(name)}: ${locked ? 'renewed' : 'written'}\n`)
  return writing.exitCode(exit.success)
}

/** Refuse policies with unknown parts: the lockfile would hold for any values of them, even ones that allow more. */
function refuseUnknown({ sources }: LoadedWorld): void {
  const unknown = sources.flatMap(({ read }) => read.open?.unknowns ?? []).find(({ isName }) => !isName)
  if (!unknown) return
  throw new Refusal(
    `a lockfile records what policies allow, and not all is known of these: \`${shown(unknown.expression)}\` at ${shown(place(unknown))}`,
    'give the values of these expressions in a `.tfvars` file, run `terraform init` for modules, or compare plans with `grantwise diff --plan`',
  )
}

/**
 * The difference between the policies and the lockfile, in both directions. A lockfile holds no inventory: the described
 * identities and resources are the same on both sides.
 */
function differenceFrom(locked: World, world: World, over: RegionScope, catalogue: Catalogue, from: number, run: Budget): Difference {
  const [then, now] = [policiesOf(locked), policiesOf(world)]
  const options = { catalogue, budget: budgetOf(world, locked), lookups: new Lookups(), run }
  // All times are compared, and the examples are from now on.
  const compared = (...[first, second, given]: Parameters<typeof diff>) =>
    witnessedFrom(diff(first, second, given), from, () => diff(first, second, { ...given, within: { from } }))
  if (over === 'everything') return compared(then, now, options)
  const { identities, resources } = world
  const difference = compared(
    { ...then, identities, resources },
    { ...now, identities, resources },
    { ...options, described: new ActionsByType(catalogue) },
  )
  // Whether it is out of date never depends on an inventory.
  return difference.verdict === 'same' ? compared(then, now, options) : difference
}

async function lockedIn(file: string, name: string, settings: Settings, io: Io): Promise<World> {
  const { text, message } = textAt(file, 'settings', io)
  if (text === undefined) throw new Refusal(`${name}: ${message}`)
  const { world, diagnostics } = await readLock(sourceOf(name, text), settings)
  refuseErrors(diagnostics)
  if (!world) throw new Error('a lockfile without problems holds a world')
  return world
}

const partsHelp = 'write a lockfile for each part of the policies, with `-p` and `-o`'

/** The patterns for which it cannot be proved that a lockfile says what the policies say; empty when it is proved. */
async function doubtsOf(text: string, name: string, world: World, settings: Settings, run: Budget): Promise<readonly string[]> {
  const { world: written, diagnostics } = await readLock(sourceOf(name, text), settings)
  if (!written)
    throw new Refusal(`${name}: the lockfile could not be read again: ${diagnostics[0]?.message ?? 'nothing is written'}`, partsHelp)
  const same = isSameAccess(world, written, undefined, run)
  if (same === 'changed') throw new Error('the lockfile would not say what the policies say: nothing is written')
  return same === 'same' ? [] : same.culprits
}
