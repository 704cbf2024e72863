import { readAction, readActionPattern } from '../../actions/action.ts'
import { whoJson, whoLines, whoText } from '../../report/access.ts'
import { describedLines, describedText, describedWhoJson } from '../../report/described-access.ts'
import { Names } from '../../report/names.ts'
import { json, shown } from '../../report/safe.ts'
import { type Context, problemsOf, withKnownTags } from '../../simulate/question.ts'
import { thingsIn } from '../../symbolic/described.ts'
import { ownersOf } from '../../symbolic/described-access.ts'
import { who } from '../../symbolic/who.ts'
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
import { answerFor, exitOf, isOpen, resourcesNamed } from './access.ts'

const order = 'a question is ACTION RESOURCE, in this order'

/** `who ACTION RESOURCE`: every identity pattern that is allowed; of patterns, the described identities. */
export const run: Run<'who'> = async (args, options, io) => {
  const given = readContext(options, io)
  const [action, name] = args
  if (action === undefined || name === undefined) {
    throw new Refusal(
      `\`who\` takes two arguments, ACTION RESOURCE; ${args.length} given`,
      'for example `grantwise who vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1`',
    )
  }
  const { format } = options
  const config = await loadConfig(options, io)
  let [context, resource]: [Context, string] = [given.context, name]
  const loaded = await loadWorld(
    options,
    io,
    (names) => {
      const on = names.resource(name)
      const read = withWholeGroups(given, names)
      ;[context, resource] = [read.context, on.text]
      const readActionOf = action.includes('*') ? readActionPattern : readAction
      return [
        ...problemsOf('action', action, readActionOf(action, config.settings.brand), order),
        ...(on.problem ? [on.problem] : problemsOf('resource', resource, readResourcePattern(resource), order)),
        ...read.problems,
      ]
    },
    config,
  )
  if (!loaded) return exit.error
  const { world } = loaded
  const { from, at, asked } = timeOf(options, context)
  const names = new Names([world], options.fullUrns)
  const style = { paint: coloursOf(options, io), names, at, from, width: io.stdout.width?.() }
  const note = (isDecided: boolean) => noteUnknownNames({ groups: context.groups, action, resource }, loaded, isDecided, io)
  if (action.includes('*') || isOpen(resource)) {
    const on = resourcesNamed(resource, world)
    const answer = answerFor(
      {
        world,
        identities: [...new Set([...thingsIn([world]).identities, ...ownersOf(world, on.found, context.owner)])],
        resources: on.found,
        action,
        context: asked,
        reasons: on.reasons,
      },
      await catalogueFor(config, io),
    )
    if (format === 'json') io.stdout.write(`${json(describedWhoJson(answer))}\n`)
    else if (format === 'compact') io.stdout.write(describedLines(answer, from))
    else
      io.stdout.write(
        describedText(
          `${style.paint.bold(shown(action))}  ${names.resource(resource)}`,
          answer,
          on.found.length > 0 ? 'nobody' : undefined,
          style,
        ),
      )
    await note(answer.rows.some(({ reason }) => reason === 'granted'))
    return exitOf(answer.rows, on.found.length === 0)
  }
  const { tags } = withKnownTags({ ...context, identity: '', action, resource }, world)
  // The identity is not known: an empty name would be one that matches nothing.
  const answer = who(world, { ...asked, action, resource, ...(tags && { tags }) })
  if (format === 'json') io.stdout.write(`${json(whoJson(answer))}\n`)
  else if (format === 'compact') io.stdout.write(whoLines(answer, from))
  else io.stdout.write(whoText(action, resource, answer, style))
  await note(answer.who.some(({ reason }) => reason === 'granted'))
  return answer.who.length > 0 ? exit.success : answer.unknown.length > 0 ? exit.unknown : exit.failure
}
