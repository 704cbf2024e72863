import type { Catalogue } from '../actions/catalogue.ts'
import { whatAnswer } from '../answers/what.ts'
import type { Budget } from '../budget.ts'
import { glob, overlaps } from '../glob.ts'
import type { World } from '../policy.ts'
import { plural } from '../report/words.ts'
import type { Question } from '../simulate/decision.ts'
import { type Context, type Problem, problemsOf, withKnownTags } from '../simulate/question.ts'
import type { ShortNames } from '../simulate/short-names.ts'
import { type Concern, concerning } from '../symbolic/concerning.ts'
import { ActionsByType } from '../symbolic/described.ts'
import { identitiesMatching } from '../symbolic/described-access.ts'
import { type What, what } from '../symbolic/what.ts'
import { readIdentity } from '../urn/identity.ts'
import { inResourceGroup } from '../world.ts'
import { type Answered, answerOfDescribed, isGroup, resourcesNamed, verdictOf } from './access.ts'
import { type ContextGiven, problemsOfResource, type ReadContext, type Tagged, timeOf, withWholeGroups } from './context.ts'

const order = 'a question is IDENTITY [RESOURCE], in this order'

/** `what IDENTITY [RESOURCE]`, with whole URNs. */
export interface WhatAsked {
  /** One identity or pattern, or several of both, separated by commas. */
  readonly identity: string
  /** Each of them; undefined where there is one. */
  readonly each?: readonly string[]
  readonly resource: string | undefined
  readonly context: Context
}

/** Read `what IDENTITY [RESOURCE]`. */
export function readWhat(
  name: string,
  on: string | undefined,
  given: ReadContext,
  names: ShortNames,
): WhatAsked & { readonly problems: readonly Problem[] } {
  const parts =
    name.includes(',urn:') || (name.includes(',') && names.identity(name).problem) ? name.split(',').map((part) => part.trim()) : [name]
  const read = parts.map((part) => (part === '*' ? { text: part } : names.identity(part)))
  const which = on === undefined ? undefined : names.resource(on)
  const { context, problems } = withWholeGroups(given, names)
  const wrong = [
    ...read.flatMap(({ text, problem }) => {
      if (problem) return [problem]
      return text === '*' ? [] : problemsOf('identity', text, readIdentity(text, { pattern: true }), order)
    }),
    ...(which ? problemsOfResource(which, order) : []),
  ]
  const each = read.map(({ text }) => text)
  const several = each.length > 1 ? { each } : {}
  return { identity: each.join(','), ...several, resource: which?.text, context, problems: [...wrong, ...problems] }
}

/** Everything the identity may do; of patterns, what described identities may do. */
export function answerWhat(
  world: World,
  { identity, each = [identity], resource, context }: WhatAsked,
  given: Pick<ContextGiven, 'at'>,
  catalogue: Catalogue,
  expand = false,
  run?: Budget,
  tagged?: Tagged,
): Answered {
  const { from, at, asked: open } = timeOf(given, context)
  const named = { groups: context.groups, ...(each.length === 1 && { identity }), ...(resource !== undefined && { resource }) }
  if (tagged || each.length > 1 || identity.includes('*') || (resource !== undefined && isGroup(resource))) {
    const found = [...new Set(each.flatMap((text) => (text.includes('*') ? identitiesMatching(world, glob(text)) : [text])))]
    const on = resourcesNamed(resource ?? '*', world, tagged)
    const reasons = found.length > 0 ? on.reasons : [`no described identity matches \`${identity}\``, ...on.reasons]
    const shown = { identity, action: undefined, resource, tagged: tagged?.words, at }
    const about = { world, identities: found, on: { ...on, reasons }, action: '*', context: open, catalogue, shown, run }
    return { ...answerOfDescribed('what', about), from, asked: named }
  }
  const { tags } = withKnownTags({ ...context, identity, action: '', resource: resource ?? '' }, world)
  // Action and resource are not known: an empty name would be one that matches nothing.
  const asked = { ...open, identity, ...(tags && { tags }) }
  const within = resource === undefined ? undefined : glob(resource)
  const answer = withTagsAside(what(world, asked, within, catalogue, run), { ...asked, resource: resource ?? '' }, world)
  const expired = answer.what.length > 0 ? [] : expiredOf(world, identity, resource, catalogue, at ?? from)
  return {
    answer: whatAnswer({ identity, expand, catalogue, at, resource, expired }, answer),
    from,
    verdict: answer.isCut ? 'unknown' : verdictOf(answer.what),
    asked: named,
    isDecided: answer.what.length > 0,
  }
}

/** The policies that allowed something until they expired: to an identity, on a resource where one is named. */
function expiredOf(world: World, identity: string, resource: string | undefined, catalogue: Catalogue, from: number): readonly Concern[] {
  const actions = new ActionsByType(catalogue)
  const isOn = ({ policy }: Concern) =>
    resource === undefined ||
    policy.resources.some(({ value }) =>
      value.kind === 'resource' ? overlaps(value.glob, glob(resource)) : inResourceGroup(world, value, resource),
    )
  return concerning(world, { kind: 'identity', urn: identity }, { actions, from }).filter(
    (concern) => concern.state === 'expired' && concern.effects.some(({ isKnown, allow }) => !isKnown || allow.length > 0) && isOn(concern),
  )
}

/** The answer, marked incomplete where given tags replace tags of the world. */
function withTagsAside(answer: What, { tags, resource }: Pick<Question, 'tags' | 'resource'>, world: World): What {
  if (!tags || world.resources.has(resource)) return answer
  const count = [...world.resources.values()].filter((known) => known.tags && known.tags.size > 0).length
  if (count === 0) return answer
  const ignored = `the tags that the world specifies for ${plural(count, 'resource')} are ignored`
  const reason = `with \`--tag\`, every resource has exactly these tags: ${ignored}`
  return { ...answer, complete: false, reasons: [...answer.reasons, reason] }
}
