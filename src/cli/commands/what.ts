import type { World } from '../../policy.ts'
import { whatJson, whatLines, whatText } from '../../report/access.ts'
import { Names } from '../../report/names.ts'
import { json } from '../../report/safe.ts'
import type { Question } from '../../simulate/decision.ts'
import { problemsOf, withKnownTags } from '../../simulate/question.ts'
import { type What, what } from '../../symbolic/what.ts'
import { readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { catalogueFor } from '../input/known.ts'
import { readContext, timeOf } from '../input/question.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { loadWorld } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'

const order = 'a question is IDENTITY [RESOURCE], in this order'

/** `what IDENTITY [RESOURCE]`: everything the identity may do. */
export const run: Run<'what'> = async (args, options, io) => {
  const { context, problems } = readContext(options, io)
  const [identity, resource] = args
  if (identity === undefined) {
    throw new Refusal('`what` takes IDENTITY, and optionally RESOURCE', 'for example `grantwise what urn:v1:eu:identity:user:ab12-svc/ann`')
  }
  const { format } = options
  const expand = options.expand
  const within = resource === undefined ? undefined : readResource(resource, { pattern: true })
  const config = await loadConfig(options, io)
  const wrong = [
    ...problemsOf('identity', identity, readIdentity(identity, { pattern: false }), order),
    ...(resource !== undefined && within ? problemsOf('resource', resource, within, order) : []),
    ...problems,
  ]
  const loaded = await loadWorld(options, io, wrong, config)
  if (!loaded) return exit.error
  const { world } = loaded
  const { tags } = withKnownTags({ ...context, identity, action: '', resource: resource ?? '' }, world)
  // Action and resource are not known: an empty name would be one that matches nothing.
  const { from, at, asked: open } = timeOf(options, context)
  const asked = { ...open, identity, ...(tags && { tags }) }
  const catalogue = await catalogueFor(config, io)
  const answer = withTagsAside(what(world, asked, within?.value?.glob, catalogue), { ...asked, resource: resource ?? '' }, world)
  if (format === 'json') {
    io.stdout.write(`${json({ ...whatJson(answer, expand), catalogue: { seen: catalogue.seen, actions: catalogue.size } })}\n`)
  } else if (format === 'compact') io.stdout.write(whatLines(answer, expand, from))
  else {
    const names = new Names([world], options.fullUrns)
    io.stdout.write(whatText(identity, answer, expand, { paint: coloursOf(options, io), names, at, from, width: io.stdout.width?.() }))
  }
  await noteUnknownNames(
    { groups: context.groups, identity, ...(resource !== undefined && { resource }) },
    loaded,
    answer.what.length > 0,
    io,
  )
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
