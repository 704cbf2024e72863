import { glob } from '../../glob.ts'
import type { World } from '../../policy.ts'
import { whatJson, whatLines, whatText } from '../../report/access.ts'
import { describedLines, describedText, describedWhatJson } from '../../report/described-access.ts'
import { Names } from '../../report/names.ts'
import { json, shown } from '../../report/safe.ts'
import type { Question } from '../../simulate/decision.ts'
import { type Context, problemsOf, withKnownTags } from '../../simulate/question.ts'
import { identitiesMatching } from '../../symbolic/described-access.ts'
import { type What, what } from '../../symbolic/what.ts'
import { readIdentity } from '../../urn/identity.ts'
import { readResourcePattern } from '../../urn/resource.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { catalogueFor } from '../input/known.ts'
import { readContext, timeOf, withWholeGroups } from '../input/question.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { loadWorld } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'
import { answerFor, exitOf, isGroup, resourcesNamed } from './access.ts'

const order = 'a question is IDENTITY [RESOURCE], in this order'

/** `what IDENTITY [RESOURCE]`: everything the identity may do; of patterns, what described identities may do. */
export const run: Run<'what'> = async (args, options, io) => {
  const given = readContext(options, io)
  const [name, on] = args
  if (name === undefined) {
    throw new Refusal('`what` takes IDENTITY, and optionally RESOURCE', 'for example `grantwise what urn:v1:eu:identity:user:ab12-svc/ann`')
  }
  const { format, expand } = options
  const config = await loadConfig(options, io)
  let [context, identity, resource]: [Context, string, string | undefined] = [given.context, name, on]
  const loaded = await loadWorld(
    options,
    io,
    (names) => {
      const who = name === '*' ? { text: name } : names.identity(name)
      const which = on === undefined ? undefined : names.resource(on)
      const read = withWholeGroups(given, names)
      ;[context, identity, resource] = [read.context, who.text, which?.text]
      const whoProblems = name === '*' ? [] : problemsOf('identity', identity, readIdentity(identity, { pattern: true }), order)
      return [
        ...(who.problem ? [who.problem] : whoProblems),
        ...(which?.problem ? [which.problem] : []),
        ...(which && !which.problem ? problemsOf('resource', which.text, readResourcePattern(which.text), order) : []),
        ...read.problems,
      ]
    },
    config,
  )
  if (!loaded) return exit.error
  const { world } = loaded
  const catalogue = await catalogueFor(config, io)
  const { from, at, asked: open } = timeOf(options, context)
  const names = new Names([world], options.fullUrns)
  const style = { paint: coloursOf(options, io), names, at, from, width: io.stdout.width?.() }
  const note = (isDecided: boolean) =>
    noteUnknownNames({ groups: context.groups, identity, ...(resource !== undefined && { resource }) }, loaded, isDecided, io)
  if (identity.includes('*') || (resource !== undefined && isGroup(resource))) {
    const found = identity.includes('*') ? identitiesMatching(world, glob(identity)) : [identity]
    const resources = resourcesNamed(resource ?? '*', world)
    const reasons = found.length > 0 ? resources.reasons : [`no described identity matches \`${identity}\``, ...resources.reasons]
    const isEmpty = found.length === 0 || resources.found.length === 0
    const answer = answerFor({ world, identities: found, resources: resources.found, action: '*', context: open, reasons }, catalogue)
    if (format === 'json') io.stdout.write(`${json(describedWhatJson(answer))}\n`)
    else if (format === 'compact') io.stdout.write(describedLines(answer, from))
    else {
      const heading = `${style.paint.bold(identity === '*' ? shown(identity) : names.identity(identity))}${resource === undefined ? '' : `  ${names.resource(resource)}`}`
      io.stdout.write(describedText(heading, answer, isEmpty ? undefined : 'nothing', style))
    }
    await note(answer.rows.length > 0)
    return exitOf(answer.rows, isEmpty)
  }
  const { tags } = withKnownTags({ ...context, identity, action: '', resource: resource ?? '' }, world)
  // Action and resource are not known: an empty name would be one that matches nothing.
  const asked = { ...open, identity, ...(tags && { tags }) }
  const within = resource === undefined ? undefined : glob(resource)
  const answer = withTagsAside(what(world, asked, within, catalogue), { ...asked, resource: resource ?? '' }, world)
  if (format === 'json')
    io.stdout.write(`${json({ ...whatJson(answer, expand), catalogue: { seen: catalogue.seen, actions: catalogue.size } })}\n`)
  else if (format === 'compact') io.stdout.write(whatLines(answer, expand, from))
  else io.stdout.write(whatText(identity, answer, expand, style))
  await note(answer.what.length > 0)
  return answer.what.some(({ verdict }) => verdict === 'allow') ? exit.success : answer.what.length > 0 ? exit.unknown : exit.failure
}

/** The answer, marked incomplete where given tags replace tags of the world. */
function withTagsAside(answer: What, { tags, resource }: Pick<Question, 'tags' | 'resource'>, world: World): What {
  if (!tags || world.resources.has(resource)) return answer
  const count = [...world.resources.values()].filter((known) => known.tags && known.tags.size > 0).length
  if (count === 0) return answer
  const resources = `${count} ${count === 1 ? 'resource' : 'resources'}`
  const reason = `with \`--tag\`, every resource has exactly these tags: the tags that the world specifies for ${resources} are ignored`
  return { ...answer, complete: false, reasons: [...answer.reasons, reason] }
}
