import type { AppliedPlan } from '../../answers/apply.ts'
import { type ApplyNeeds, applyNeeds } from '../../calls/apply.ts'
import type { CallContext } from '../../calls/judge.ts'
import { routesOf } from '../../calls/match.ts'
import { providerTypes } from '../../calls/provider.ts'
import { plannedChanges } from '../../declared/changes.ts'
import { isPlan } from '../../declared/declared.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import type { Config } from './config.ts'
import { readDocument } from './document.ts'
import { catalogueFor, operationsFor } from './known.ts'

/** The actions that applying a plan needs, and the plan itself. */
export interface NeedsOfPlan extends ApplyNeeds {
  readonly plan: AppliedPlan
}

/** Read a plan of Terraform in JSON, and what applying it needs. `about`: who applies it. */
export async function needsOfPlan(
  option: string,
  path: string,
  policies: readonly string[],
  about: Pick<CallContext, 'identity' | 'context'>,
  config: Config,
  io: Io,
): Promise<NeedsOfPlan> {
  const { name, document } = await readDocument(option, path, policies, io, 'json')
  if (!document || !isPlan(document))
    throw new Refusal(
      `${option} ${name}: not a plan of Terraform or OpenTofu in JSON`,
      'write it with `terraform show -json PLAN > plan.json`: a plan file is binary',
    )
  const { brand, resourcePrefix: prefix = brand } = config.settings
  const { changes, deferred, others, diagnostics } = plannedChanges(document, prefix)
  refuseErrors(diagnostics)
  const resources = changes.length + deferred.length
  if (resources === 0 && others > 0)
    throw new Refusal(
      `${option} ${name}: none of its resources (${others}) has a type that begins with \`${prefix}_\`: what they need is not known`,
      'set `terraform.prefix` in the configuration where the provider has another name',
    )
  const provider = providerTypes()
  const catalogue = await catalogueFor(config, io)
  const routes = routesOf(await operationsFor(config, io))
  const { needs, gaps } = applyNeeds(changes, { provider, prefix, routes, catalogue }, { ...about, resources: [], actions: [] })
  const postponed = deferred.map((each) => ({ ...each, why: 'the plan puts its change off to a later one' }))
  const plan = { name, resources, others, seen: provider.seen, types: provider.types.size, prefix }
  return { needs, gaps: [...gaps, ...postponed], plan }
}
