import type { Catalogue } from '../actions/catalogue.ts'
import { type AskedDescribed, describedAnswer } from '../answers/described.ts'
import type { Answer } from '../answers/model.ts'
import { Budget } from '../budget.ts'
import { glob, isPattern } from '../glob.ts'
import type { Resource, World } from '../policy.ts'
import type { AskedNames } from '../report/unknown-names.ts'
import { said } from '../report/words.ts'
import type { Question, Verdict } from '../simulate/decision.ts'
import { type BeyondDescribed, beyondDescribed, type Said } from '../symbolic/beyond.ts'
import { ActionsByType } from '../symbolic/described.ts'
import { type AccessRow, actionsMatching, type DescribedAccess, describedAccess, resourcesMatching } from '../symbolic/described-access.ts'
import { readResourceGroup } from '../urn/resource.ts'
import { groupsNamed, isOpenGroup } from '../world.ts'
import type { Tagged } from './context.ts'

/** What `who` and `what` share where they ask about patterns: described identities and resources, and catalogue actions. */

/** Whether a resource argument stands for several: a pattern, or a resource group. */
export const isOpen = (resource: string): boolean => isPattern(glob(resource)) || isGroup(resource)

export const isGroup = (resource: string) => /^urn:v1:[^:]*:resourceGroup:/.test(resource)

/** The described resources that an argument stands for, of those that are described with the tags, and why there may be others. */
export function resourcesNamed(resource: string, world: World, tagged?: Tagged): Named {
  const named = allNamed(resource, world)
  if (!tagged) return named
  const found = named.found.filter((urn) => tagged.resources.has(urn))
  // Those of a group that are not known may have the tag.
  if (found.length > 0 || named.found.length === 0) return { ...named, found }
  const what = resource === '*' ? 'no resource' : `no resource that \`${resource}\` names`
  return { found, reasons: [...named.reasons, `${what} is described with ${tagged.words}`] }
}

interface Named {
  readonly found: readonly string[]
  readonly reasons: readonly string[]
}

function allNamed(resource: string, world: World): Named {
  const group = isGroup(resource) ? readResourceGroup(resource, { pattern: true }).value : undefined
  if (group) {
    const found = [...new Set(groupsNamed(world, group).flatMap(({ members }) => [...members]))].sort()
    return { found, reasons: isOpenGroup(world, group) ? [`not all members of resource group \`${resource}\` are known`] : [] }
  }
  if (!isPattern(glob(resource))) return { found: [resource], reasons: [] }
  const found = resourcesMatching(world, glob(resource))
  const none =
    resource === '*'
      ? 'no resource is described: name one, or describe resources in a world file'
      : `no described resource matches \`${resource}\`: an answer about a pattern is about the resources of world files and policies`
  return { found, reasons: said(found.length === 0 && none) }
}

/** What is asked of `who` or `what`, answered. */
export interface Answered {
  readonly answer: Answer
  /** The instants before it do not count; undefined where the answer is about one instant. */
  readonly from: number | undefined
  readonly verdict: Verdict
  /** The names to compare with what is known, and whether an entry decided. */
  readonly asked: AskedNames
  readonly isDecided: boolean
}

interface AskedOfAccess {
  readonly world: World
  readonly identities: readonly string[]
  readonly resources: readonly string[]
  /** An action, or a pattern over actions. */
  readonly action: string
  readonly context: Pick<Question, 'groups' | 'ip' | 'tags' | 'owner'> & { readonly at?: number; readonly from?: number }
  /** Why the answer may not be complete. */
  readonly reasons: readonly string[]
  readonly run: Budget | undefined
}

function answerFor({ world, identities, resources, action, context, reasons, run }: AskedOfAccess, catalogue: Catalogue): DescribedAccess {
  const { from, tags, ...given } = context
  const isNew = resources.length === 1 && !world.resources.has(resources[0] as string)
  const answer = describedAccess(withTags(world, tags), {
    identities,
    resources,
    actionsOf: actionsMatching(new ActionsByType(catalogue), action, (name) => catalogue.has(name)),
    given: { ...given, ...(tags && isNew && { tags }) },
    from,
    ...(run && { run }),
  })
  const all = [...reasons, ...answer.reasons]
  return { ...answer, complete: all.length === 0, reasons: all }
}

/** What is asked of described things by patterns. */
interface AskedByPatterns extends Pick<AskedOfAccess, 'world' | 'identities' | 'action' | 'context' | 'run'> {
  /** The names in the question, as they are shown. */
  readonly shown: Pick<AskedDescribed, 'identity' | 'action' | 'resource' | 'tagged' | 'at'>
  readonly on: Named
  readonly catalogue: Catalogue
}

/** The answer of `who` or `what` about patterns: rows of what is described. */
export function answerOfDescribed(
  about: 'who' | 'what',
  { on, catalogue, shown, ...asked }: AskedByPatterns,
): Pick<Answered, 'answer' | 'verdict' | 'isDecided'> {
  const answer = answerFor({ ...asked, resources: on.found, reasons: on.reasons }, catalogue)
  const beyond = beyondOf(about, { on, catalogue, shown, ...asked }, answer)
  const described = { ...answer, reasons: [...answer.reasons, ...beyond.reasons], complete: answer.complete && beyond.reasons.length === 0 }
  const isEmpty = on.found.length === 0 || (about === 'what' && asked.identities.length === 0)
  const verdict = verdictOf(described.rows, isEmpty || beyond.found.length > 0)
  const isAllowed = about === 'what' && beyond.found.some(({ row }) => row.verdict === 'allow')
  return {
    answer: describedAnswer({ about, isEmpty, ...shown }, described, beyond.found),
    verdict: described.isCut || beyond.reasons.length > 0 ? 'unknown' : isAllowed ? 'allow' : verdict,
    isDecided: described.rows.some(({ reason }) => about === 'what' || reason === 'granted'),
  }
}

/** A row as what is said already of its resources. */
function saidBy({ identities, actions, resources, verdict }: AccessRow): Said {
  const about = new Set(resources)
  return { identities, actions, isAbout: (resource) => about.has(resource), isOpen: verdict === 'unknown' }
}

/** What is granted beyond what is described, as far as the question is about it: one that names resources or their tags is not. */
function beyondOf(
  about: 'who' | 'what',
  { world, identities, action, context, catalogue, shown, run = new Budget() }: AskedByPatterns,
  { rows }: DescribedAccess,
): BeyondDescribed {
  const { resource = '*', tagged } = shown
  if (tagged !== undefined || isGroup(resource)) return { found: [], reasons: [] }
  const within = resource === '*' ? undefined : glob(resource)
  const actions = new ActionsByType(catalogue)
  const said = rows.flatMap((row) => (row.verdict === 'deny' ? [] : [saidBy(row)]))
  const asked = { world, identities, withPatterns: about === 'who', action, within, given: context, catalogue, actions, run }
  return beyondDescribed(asked, said)
}

/** The world in which every resource has some tags besides its own. */
export function withTags(world: World, tags: ReadonlyMap<string, string> | undefined): World {
  if (!tags) return world
  const resources = new Map<string, Resource>()
  for (const [urn, resource] of world.resources) resources.set(urn, { ...resource, tags: new Map([...(resource.tags ?? []), ...tags]) })
  return { ...world, resources }
}

/** Something is allowed, or only perhaps; where nothing could be asked about, that is unknown. */
export function verdictOf(rows: readonly Pick<AccessRow, 'verdict'>[], isEmpty = false): Verdict {
  if (rows.some(({ verdict }) => verdict === 'allow')) return 'allow'
  return isEmpty || rows.some(({ verdict }) => verdict === 'unknown') ? 'unknown' : 'deny'
}
