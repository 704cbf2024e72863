import { applyChangeAnswer } from '../../answers/apply.ts'
import { Names } from '../../report/names.ts'
import { proofContextOf } from '../../suite/prove.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { applyChange, mayApply } from '../../usage/apply.ts'
import type { Arguments, Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { choice } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { identityNamed } from '../input/account.ts'
import { needsOfPlan } from '../input/changes.ts'
import { loadConfig } from '../input/config.ts'
import { catalogueFor } from '../input/known.ts'
import { loadWorld } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'

/** Options of `diff` that say nothing about an apply, with their values where they are not given. */
const aboutRegions = ['action', 'map', 'ceiling', 'since', 'horizon', 'over', 'refs', 'policies'] as const

/** `diff BEFORE AFTER --plan FILE --identity URN`: whether a change of policies takes away what applying a plan needs, or gives it. */
export async function diffPlan(
  [before = '', after = '']: Arguments<'diff'>,
  plan: string,
  instants: readonly number[],
  options: Options<'diff'>,
  io: Io,
): Promise<ExitCode> {
  const format = formatIn(options)
  const strange = aboutRegions.find((name) => (options[name] ?? []).length > 0)
  if (strange !== undefined)
    throw new Refusal(`\`--${strange}\` cannot be combined with BEFORE, AFTER and \`--plan\``, `omit \`--${strange}\``)
  if (instants.length > 1) throw new Refusal('a plan is applied at one time', 'give `--at` once')
  if ([before, after, plan].filter((each) => each === '-').length > 1) throw new Refusal('standard input can be read once')
  const [asked, ...others] = options.identity
  if (asked === undefined || others.length > 0)
    throw new Refusal(
      'BEFORE, AFTER and `--plan` need one `--identity`: who applies the plan',
      'for example `--identity urn:v1:eu:identity:credential:ab12-svc/oauth2-pipeline`',
    )
  const config = await loadConfig(options, io)
  // Hypothetical changes apply to AFTER.
  const plain = { ...options, with: [], without: [], member: [], assumeTag: [] }
  const common = { format, formatIn: undefined, tag: [], group: [] }
  const first = await loadWorld({ ...plain, ...common, policies: [before] }, io, [], config)
  const second = await loadWorld({ ...options, ...common, policies: [after] }, io, [], config)
  if (!first || !second) return exit.error
  const identity = identityNamed(asked, second.short)
  const context = { at: instants[0] ?? io.now(), groups: [] }
  const needed = await needsOfPlan('--plan', plan, [before, after], { identity, context }, config, io)
  const [was, is] = [first, second].map(({ world, settings }) =>
    mayApply(needed, identity, context, settings, proofContextOf(world, budgetFor(io))),
  ) as [ReturnType<typeof mayApply>, ReturnType<typeof mayApply>]
  const change = applyChange(was, is)
  const names = new Names([first.world, second.world], options.fullUrns)
  writeAnswer(
    applyChangeAnswer(change, needed.plan),
    { names, actions: new ActionsByType(await catalogueFor(config, io)) },
    { ...options, format },
    io,
  )
  const { failOn = 'lost' } = options
  const counted = [...(failOn === 'gained' ? [] : change.lost), ...(failOn === 'lost' ? [] : change.gained)]
  if (failOn === 'never') return exit.success
  return counted.length > 0 ? exit.failure : change.open.length + is.gaps.length > 0 ? exit.unknown : exit.success
}

/** The format of the answer. Throws a refusal for those of annotations, and for files. */
function formatIn({ format: [output, ...others] }: Options<'diff'>) {
  const format = output?.format ?? 'pretty'
  if (others.length > 0 || output?.file !== undefined)
    throw new Refusal('with BEFORE, AFTER and `--plan`, there is one format, on standard output', 'redirect it: `> FILE`')
  return choice('--format', format, ['pretty', 'compact', 'json'] as const)
}
