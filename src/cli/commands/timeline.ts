import { isOpenPast, type LaterEnd, timelineAnswer, timelineJson } from '../../answers/timeline.ts'
import type { Difference } from '../../diff/diff.ts'
import { type Concerns, concernsInAny } from '../../diff/selection.ts'
import { nextEnd, timeline } from '../../diff/timeline.ts'
import { visible } from '../../names.ts'
import { nearestName } from '../../nearest.ts'
import { svgFile } from '../../picture/file.ts'
import { pastChart } from '../../picture/past.ts'
import { timelineChart, timelineSvg } from '../../picture/timeline.ts'
import type { World } from '../../policy.ts'
import { guardOutput, json } from '../../report/safe.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import type { Options } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { identityNamed } from '../input/account.ts'
import { sameFiles } from '../input/again.ts'
import { readHorizon } from '../input/horizon.ts'
import { catalogueFor } from '../input/known.ts'
import { instantOf } from '../input/question.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { quoted } from '../input/words.ts'
import { type Answer, fromFiles, type LoadedWorld } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'
import { viewOf } from '../output/view.ts'

/** The identities that `--identity` is about, by a URN or a pattern. A name without `*` is that of one identity. */
function identityOf(asked: string, { short }: LoadedWorld): string {
  const isName = !asked.startsWith('urn:') && !asked.includes('*') && !/^account(?:\/|$)/.test(asked)
  return isName ? identityNamed(asked, short) : asked
}

async function concernsOfAsked(asked: string, loaded: LoadedWorld, io: Io): Promise<Concerns> {
  const identity = identityOf(asked, loaded)
  const concerns = concernsInAny(identity, [loaded.world])
  if (!concerns)
    throw new Refusal(
      `--identity \`${visible(asked)}\` is not an identity`,
      'write a URN or its end: `user/kim`, `group/operations`, `user/*`',
    )
  if (identity.startsWith('urn:') && !identity.includes('*')) await noteUnknownNames({ identity }, loaded, false, io)
  return concerns
}

/** Up to when is looked: `--within` is from now on, and says it all. */
function horizonOf({ within, horizon, from: start }: Options<'timeline'>, from: number): number {
  if (within === undefined) return readHorizon(horizon, from)
  if (start !== undefined)
    throw new Refusal('`--within` and `--from` cannot be combined: `--within` is from now on', 'use `--from` with `--horizon`')
  return readHorizon(within, from, '--within')
}

/** `timeline`: time-limited access, when it starts and ends. */
export const run: Answer<'timeline'> = async (_, options, io, loader = fromFiles) => {
  const { format, failOn, since } = options
  const start = options.from
  if (since !== undefined) refuseSince(options, loader.held !== undefined)
  // The clock's own instant is between two seconds; answers are to the second.
  const from = start === undefined ? Math.ceil(io.now() / 1000) * 1000 : instantOf('--from', start)
  const to = horizonOf(options, from)
  const loaded = await loader.world(options, io)
  if (!loaded) return exit.error
  const catalogue = await catalogueFor(loaded.config, io)
  const { world } = loaded
  const { policy, only } = options
  if (policy !== undefined && !world.policies.some(({ name }) => name.value === policy)) {
    const suggested = nearestName(
      policy,
      world.policies.map(({ name }) => name.value),
    )
    throw new Refusal(`--policy \`${visible(policy)}\`: no policy has this name`, suggested && `did you mean \`${visible(suggested)}\`?`)
  }
  const concerns = options.identity === undefined ? undefined : await concernsOfAsked(options.identity, loaded, io)
  const view = viewOf(options, [world])
  const actions = new ActionsByType(catalogue)
  const described = view.over === 'everything' ? {} : { described: actions }
  const identity = options.identity === undefined ? '*' : identityOf(options.identity, loaded)
  const concernsThen = (then: World) => (identity === '*' ? undefined : concernsInAny(identity, [then]))
  const past =
    since === undefined
      ? undefined
      : await (await import('../input/past-timeline.ts')).pastSince(
          { text: since, ...(await import('../input/as-of.ts')).sinceCommit(since, options.policies, io) },
          options,
          {
            to: from,
            now: world,
            identity,
            catalogue,
            actions,
            time: (then) => ({
              catalogue,
              all: options.all,
              concerns: concernsThen(then),
              only,
              ...described,
            }),
          },
          io,
        )
  if (format === 'svg') {
    const optionsIn = (who: Concerns | undefined) => ({ concerns: who, policy, only, names: view.names })
    const future = timelineChart(world, { ...optionsIn(concerns), from, to })
    const chart = (past && pastChart(past, (then) => optionsIn(concernsThen(then)), future)) ?? future
    io.stdout.write(svgFile(timelineSvg(chart, `When policies apply${world.account === undefined ? '' : ` in ${world.account}`}`)))
    // The picture is of the policies: what they open and close is only found where the exit code asks for it.
    if (failOn === 'never') return past && isOpenPast(past) ? exit.unknown : exit.success
  }
  const computed = timeline(world, { from, to, catalogue, all: options.all, concerns, policy, only, run: budgetFor(io), ...described })
  const isPrinted = format === 'pretty' || format === 'markdown'
  const later = !isPrinted || only === 'window' || computed.until < to ? undefined : laterEnd(loaded, to, concerns, options, io)
  if (format === 'json') io.stdout.write(`${json(timelineJson(computed, io.tzdata, past))}\n`, guardOutput)
  else if (format !== 'svg')
    writeAnswer(
      timelineAnswer(computed, view, { later, past }),
      { ...view, actions },
      { ...options, format, title: 'grantwise timeline' },
      io,
    )
  const happens = (side: 'gained' | 'lost') =>
    (failOn === 'any' || failOn === side) && computed.entries.some(({ difference }) => difference[side].length > 0)
  if (happens('gained') || happens('lost')) return exit.failure
  return computed.until < to || (past && isOpenPast(past)) || computed.entries.some(({ difference }) => isOpen(difference))
    ? exit.unknown
    : exit.success
}

/** Refuse what `--since` cannot be combined with. */
function refuseSince({ from, policy }: Options<'timeline'>, isHeld: boolean): void {
  if (isHeld) throw new Refusal('`--since` reads files and commits: a session has one set of policies', 'run it at the command line')
  if (from !== undefined) throw new Refusal('`--since` and `--from` both give the start', 'omit one of the two')
  if (policy !== undefined)
    throw new Refusal('`--since` and `--policy` cannot be combined: commits change several policies', 'choose by `--identity`')
}

/** The first end of a policy after the time that is looked at. */
function laterEnd(
  { world }: LoadedWorld,
  to: number,
  concerns: Concerns | undefined,
  options: Options<'timeline'>,
  io: Io,
): LaterEnd | undefined {
  const { policy, identity } = options
  const end = nextEnd(world, to, { concerns, policy }, budgetFor(io))
  if (!end) return undefined
  const start = options.from
  const days = Math.ceil((end.at - (start === undefined ? io.now() : instantOf('--from', start))) / day) + 1
  const span = start === undefined ? ['--within', `${days}d`] : ['--from', start, '--horizon', `${days}d`]
  const selected = [...(policy === undefined ? [] : ['--policy', policy]), ...(identity === undefined ? [] : ['--identity', identity])]
  const words = ['timeline', '--only', 'expiry', ...span, ...selected].map(quoted).join(' ')
  return { end, command: `grantwise ${words}${sameFiles(options)}` }
}

const day = 86_400_000

/** Whether there may be more than a difference says. */
function isOpen({ undecided, described }: Difference): boolean {
  return undecided.length > 0 || described?.undecided === true
}
