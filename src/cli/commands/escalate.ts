import { escalationJson, escalationLines, escalationText } from '../../answers/escalation.ts'
import { escalation, type RunsAs } from '../../diff/escalation.ts'
import type { LintConfig } from '../../lint/config.ts'
import { json } from '../../report/safe.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import { exit } from '../app/exit.ts'
import { budgetFor } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { identityNamed, readAccountContext, withTags } from '../input/account.ts'
import { catalogueFor } from '../input/known.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { type Answer, fromFiles } from '../input/world.ts'
import { coloursOf } from '../output/outputs.ts'

/** `escalate IDENTITY`: whether it can raise its own rights. */
export const run: Answer<'escalate'> = async (args, options, io, loader = fromFiles) => {
  const [name] = args
  if (name === undefined) throw new Refusal('`escalate` takes an identity', 'for example `grantwise escalate user/ann`')
  const { given, times, tags, problems } = readAccountContext(options, io)
  const { format } = options
  const loaded = await loader.world(options, io, problems)
  if (!loaded) return exit.error
  const { checkCodes } = await import('../input/levels.ts')
  checkCodes([loaded.config])
  const world = withTags(loaded.world, tags)
  const identity = identityNamed(name, loaded.short)
  const actions = new ActionsByType(await catalogueFor(loaded.config, io))
  const { brand } = loaded.settings
  const answer = escalation(world, identity, {
    actions,
    brand,
    runsAs: runsAsIn(loaded.config),
    time: times.time,
    given,
    run: budgetFor(io),
  })
  const asked = { world, identity, times }
  await noteUnknownNames({ identity }, loaded, false, io)
  if (format === 'json') io.stdout.write(`${json(escalationJson(answer, asked))}\n`)
  else if (format === 'compact') io.stdout.write(escalationLines(answer, asked))
  else io.stdout.write(escalationText(answer, asked, loaded.names, coloursOf(options, io)))
  if (!answer.certain) return exit.unknown
  return answer.reach === 'none' ? exit.success : exit.failure
}

/** What runs as whom, by the rule that compares the rights of both. */
function runsAsIn({ layers }: LintConfig): readonly RunsAs[] {
  const given = layers
    .flatMap(({ rules = [] }) => rules)
    .findLast(({ code, options }) => code.value === 'escalates-through-resource' && options !== undefined)
  const records = given?.options?.value.runsAs
  return (Array.isArray(records) ? records : []).flatMap((record: unknown): RunsAs[] => {
    const { resource, identity } = (typeof record === 'object' && record !== null ? record : {}) as Readonly<Record<string, unknown>>
    if (typeof resource !== 'string' || typeof identity !== 'string') return []
    const read = readResource(resource, { pattern: true }).value
    return read && readIdentity(identity, { pattern: false }).value ? [{ resource: read.glob, identity }] : []
  })
}
