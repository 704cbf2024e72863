import type { Catalogue } from '../actions/catalogue.ts'
import { loadCatalogue } from '../actions/load.ts'
import { escalationAnswer } from '../answers/escalation.ts'
import type { Times } from '../answers/wording.ts'
import { type Escalation, escalation, type RunsAs } from '../escalation/escalation.ts'
import { defaultSettings, type Settings } from '../names.ts'
import type { World } from '../policy.ts'
import { ActionsByType } from '../symbolic/described.ts'
import { always, notBefore } from '../symbolic/formula.ts'
import { Windows } from '../symbolic/windows.ts'
import { printed, type TextOptions } from './words.ts'

/** The time that a search for more rights is about: one instant, or all from one on, in milliseconds since 1970. */
export type EscalationTime = { readonly at: number } | { readonly from: number }

/** How `escalate` looks for a way. */
export type EscalateOptions = EscalationTime & {
  /** Which resources act as which identities. */
  readonly runsAs?: readonly RunsAs[]
  readonly settings?: Settings
  /** The one of the brand unless it is given. */
  readonly catalogue?: Catalogue
}

/** Whether an identity, by its URN, can raise its own rights, and the steps that lead there. */
export async function escalate(world: World, identity: string, options: EscalateOptions): Promise<Escalation> {
  const { runsAs = [], settings = defaultSettings, catalogue = await loadCatalogue(settings.brand) } = options
  const { time, at } = timesOf(options)
  const circumstances = at === undefined ? {} : { at }
  return escalation(world, identity, { actions: new ActionsByType(catalogue), brand: settings.brand, runsAs, time, given: circumstances })
}

/** The result of `escalate` as `grantwise escalate` prints it. */
export function escalationText(
  world: World,
  identity: string,
  result: Escalation,
  options: EscalationTime & TextOptions & { readonly catalogue?: Catalogue },
): string {
  const times = timesOf(options)
  return printed(escalationAnswer(result, { world, identity, times }), [world], options, undefined, options.catalogue, times.windows)
}

/** The result of `escalate` as `grantwise escalate --format json` prints it. */
export function escalationJson(world: World, identity: string, found: Escalation, time: EscalationTime): object {
  return escalationAnswer(found, { world, identity, times: timesOf(time) }).json()
}

function timesOf(time: EscalationTime): Times {
  if ('at' in time) return { at: time.at, from: time.at, time: always, windows: new Windows() }
  return { at: undefined, from: time.from, time: notBefore(time.from), windows: new Windows({ from: time.from }) }
}
