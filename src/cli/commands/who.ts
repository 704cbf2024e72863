import { readAction } from '../../actions/action.ts'
import { whoJson, whoLines, whoText } from '../../report/access.ts'
import { Names } from '../../report/names.ts'
import { json } from '../../report/safe.ts'
import { problemsOf, withKnownTags } from '../../simulate/question.ts'
import { who } from '../../symbolic/who.ts'
import { readResource } from '../../urn/resource.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { readContext, timeOf } from '../input/question.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { loadWorld } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'

const order = 'a question is ACTION RESOURCE, in this order'

/** `who ACTION RESOURCE`: every identity pattern that is allowed. */
export const run: Run<'who'> = async (args, options, io) => {
  const { context, problems } = readContext(options, io)
  const [action, resource] = args
  if (action === undefined || resource === undefined) {
    throw new Refusal(
      `\`who\` takes two arguments, ACTION RESOURCE; ${args.length} given`,
      'for example `grantwise who vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1`',
    )
  }
  const { format } = options
  const config = await loadConfig(options, io)
  const wrong = [
    ...problemsOf('action', action, readAction(action, config.settings.brand), order),
    ...problemsOf('resource', resource, readResource(resource, { pattern: false }), order),
    ...problems,
  ]
  const loaded = await loadWorld(options, io, wrong, config)
  if (!loaded) return exit.error
  const { world } = loaded
  const { tags } = withKnownTags({ ...context, identity: '', action, resource }, world)
  const { from, at, asked } = timeOf(options, context)
  // The identity is not known: an empty name would be one that matches nothing.
  const answer = who(world, { ...asked, action, resource, ...(tags && { tags }) })
  if (format === 'json') io.stdout.write(`${json(whoJson(answer))}\n`)
  else if (format === 'compact') io.stdout.write(whoLines(answer, from))
  else {
    const names = new Names([world], options.fullUrns)
    io.stdout.write(whoText(action, resource, answer, { paint: coloursOf(options, io), names, at, from, width: io.stdout.width?.() }))
  }
  await noteUnknownNames(
    { groups: context.groups, action, resource },
    loaded,
    answer.who.some(({ reason }) => reason === 'granted'),
    io,
  )
  return answer.who.length > 0 ? exit.success : answer.unknown.length > 0 ? exit.unknown : exit.failure
}
