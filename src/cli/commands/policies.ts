import { concerningJson, concerningLines, concerningText } from '../../report/concerning.ts'
import { Names } from '../../report/names.ts'
import { json } from '../../report/safe.ts'
import { problemsOf } from '../../simulate/question.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import { concerning, type Subject } from '../../symbolic/concerning.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { readAccountContext, withTags } from '../input/account.ts'
import { catalogueFor } from '../input/known.ts'
import { loadWorld } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'

/** `policies NAME`: which policies concern an identity or a resource, and how. */
export const run: Run<'policies'> = async (args, options, io) => {
  const [name] = args
  if (name === undefined) throw new Refusal('`policies` takes an identity or a resource', 'for example `grantwise policies user/ann`')
  const { given, times, tags, problems } = readAccountContext(options, io)
  const { format } = options
  const loaded = await loadWorld(options, io, problems)
  if (!loaded) return exit.error
  const world = withTags(loaded.world, tags)
  const subject = subjectNamed(name, new ShortNames(world))
  const actions = new ActionsByType(await catalogueFor(loaded.config, io))
  const concerns = concerning(world, subject, { actions, given, from: times.from, time: times.time })
  const answer = { world, subject, times }
  if (format === 'json') io.stdout.write(`${json(concerningJson(concerns, answer))}\n`)
  else if (format === 'compact') io.stdout.write(concerningLines(concerns, answer))
  else io.stdout.write(concerningText(concerns, answer, new Names([world], options.fullUrns), coloursOf(options, io)))
  return concerns.length > 0 ? exit.success : exit.failure
}

/** What a URN or a short name stands for. Throws a refusal where it may be both an identity and a resource, or is neither. */
function subjectNamed(text: string, names: ShortNames): Subject {
  const [identity, resource] = [names.identity(text), names.resource(text)]
  const found = text.startsWith('urn:') ? [text] : [identity, resource].flatMap((each) => (each.text.startsWith('urn:') ? [each.text] : []))
  const [urn, other] = found
  if (urn === undefined) {
    const help = [identity, resource].flatMap(({ problem }) => (problem?.help?.startsWith('did you mean') ? [problem.help] : []))
    throw new Refusal(
      `\`${text}\` is neither a URN nor the name of an identity or a resource in the policies or world files`,
      help[0] ?? identity.problem?.help ?? 'write the whole URN',
    )
  }
  if (other !== undefined) throw new Refusal(`\`${text}\` may be \`${urn}\` or \`${other}\``, 'write the whole URN, or more of it')
  const isIdentity = /^urn:[^:]*:[^:]*:identity:/.test(urn)
  const read = isIdentity ? readIdentity(urn, { pattern: false }) : readResource(urn, { pattern: false })
  const kind = isIdentity ? 'identity' : /^urn:[^:]*:[^:]*:resourceGroup:/.test(urn) ? 'resourceGroup' : 'resource'
  if (kind !== 'resourceGroup') refuseProblems(problemsOf(kind, urn, read))
  return { kind, urn }
}
