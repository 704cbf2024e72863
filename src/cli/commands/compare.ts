import { compareAnswer } from '../../answers/compare.ts'
import { compareText as inOrder } from '../../diagnostic.ts'
import { compareIdentities } from '../../diff/compare.ts'
import type { World } from '../../policy.ts'
import { orList } from '../../report/lists.ts'
import type { Names } from '../../report/names.ts'
import { shown } from '../../report/safe.ts'
import { firstFew } from '../../report/words.ts'
import { differingBeyond } from '../../symbolic/beyond.ts'
import { ActionsByType, knownNamesIn } from '../../symbolic/described.ts'
import { exit } from '../app/exit.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { identitiesNamed, identityNamed, readAccountContext, withTags } from '../input/account.ts'
import { catalogueFor } from '../input/known.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { type Answer, fromFiles } from '../input/world.ts'
import { wordsOf, writeAnswers } from '../output/answer.ts'

/** Say which of the identities nothing puts into a group, where policies are about groups: membership would be a difference. */
function noteGroups(identities: readonly string[], world: World, names: Names, io: Io): void {
  const groups = new Set(
    world.policies.flatMap((policy) => policy.identities.flatMap(({ value }) => (value.kind === 'group' ? value.text : []))),
  )
  const alone = identities.filter((urn) => !world.identities.has(urn) && !groups.has(urn)).map((urn) => names.identity(urn))
  if (groups.size === 0 || alone.length === 0) return
  const of = firstFew(
    [...groups].sort(inOrder).map((urn) => names.identity(urn)),
    3,
  )
  io.stderr.write(
    `grantwise: note: no inventory describes ${orList(alone)}: a member of ${shown(of)} may do what the policies of the group say\n`,
  )
}

/** `compare FIRST SECOND`: what one identity may do and the other may not, both ways. */
export const run: Answer<'compare'> = async (args, options, io, loader = fromFiles) => {
  const [one, ...others] = args
  if (one === undefined || others.length === 0)
    throw new Refusal(`\`compare\` takes two identities; ${args.length} given`, 'for example `grantwise compare user/ann user/bob`')
  const { given, times, tags, problems } = readAccountContext(options, io)
  const loaded = await loader.world({ ...options, isOfAll: true }, io, problems)
  if (!loaded) return exit.error
  const world = withTags(loaded.world, tags)
  const first = identityNamed(one, loaded.short)
  const seconds = identitiesNamed(others, loaded.short, world).filter((each) => each !== first)
  if (seconds.length === 0) throw new Refusal(`\`compare\` takes two identities: \`${one}\` and \`${others.join(' ')}\` are the same`)
  const catalogue = await catalogueFor(loaded.config, io)
  const actions = new ActionsByType(catalogue)
  const run = budgetFor(io)
  const { resources } = knownNamesIn([world])
  const words = wordsOf(loaded, times, actions)
  const instants = times.at === undefined ? { from: times.from } : {}
  const compared = seconds.map((second) => {
    const identities = [first, second] as const
    const answer = compareIdentities(world, identities, resources, { actions, time: times.time, given, run })
    const beyond = differingBeyond({ world, identities, given: { ...instants, ...given, ...(tags && { tags }) }, catalogue, actions, run })
    return { identities, answer, beyond }
  })
  for (const identity of [first, ...seconds]) await noteUnknownNames({ identity }, loaded, false, io)
  const answers = compared.map(({ identities, answer, beyond }) => compareAnswer(answer, { world, identities, times }, beyond))
  writeAnswers(answers, words, options, io)
  const rows = compared.flatMap(({ answer }) => answer.only.flat())
  if (rows.some(({ certain }) => certain)) return exit.failure
  if (rows.length === 0) noteGroups([first, ...seconds], world, loaded.names, io)
  const isOpen = compared.some(
    ({ answer, beyond }) => answer.undecided || answer.open.length > 0 || beyond.found.length > 0 || beyond.reasons.length > 0,
  )
  return rows.length > 0 || isOpen ? exit.unknown : exit.success
}
