import { readAction, readActionPattern } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import { type AskedDescribed, describedAnswer } from '../answers/described.ts'
import type { Answer, RowUses } from '../answers/model.ts'
import { whatAnswer } from '../answers/what.ts'
import { whoAnswer } from '../answers/who.ts'
import { Budget } from '../budget.ts'
import { glob, isPattern } from '../glob.ts'
import type { World } from '../policy.ts'
import type { AskedNames } from '../report/unknown-names.ts'
import { plural, presentParts } from '../report/words.ts'
import type { Problem, Question, Verdict } from '../simulate/decision.ts'
import { type Context, problemsOf, withKnownTags } from '../simulate/question.ts'
import type { ShortNames } from '../simulate/short-names.ts'
import { withTags } from '../simulate/supposed.ts'
import { type BeyondDescribed, beyondDescribed } from '../symbolic/beyond.ts'
import { expiredConcerns } from '../symbolic/concerning.ts'
import { ActionsByType, knownNamesIn } from '../symbolic/described.ts'
import type { AccessRow, DescribedAccess } from '../symbolic/described-access.ts'
import {
  actionsMatching,
  describedAccess,
  identitiesMatching,
  type NamedThings,
  ownersOf,
  resourcesNamed,
} from '../symbolic/described-access.ts'
import { byOtherGroups, type What, what } from '../symbolic/what.ts'
import { who } from '../symbolic/who.ts'
import { readIdentity } from '../urn/identity.ts'
import { isResourceGroup } from '../urn/resource.ts'
import { type ContextGiven, problemsOfResource, type ReadContext, type Tagged, timeOf, withWholeGroups } from './context.ts'

/** `who` and `what`: of one thing what policies grant on patterns, of several and of patterns what described things may do. */

/** `who ACTION RESOURCE`, with whole URNs. */
export interface WhoAsked {
  readonly action: string
  readonly resource: string
  readonly context: Context
}

/** `what IDENTITY [RESOURCE]`, with whole URNs. */
export interface WhatAsked {
  /** One identity or pattern, or several of both, separated by commas. */
  readonly identity: string
  /** Each of them; undefined where there is one. */
  readonly each?: readonly string[]
  readonly resource: string | undefined
  readonly context: Context
}

type Read<T> = T & { readonly problems: readonly Problem[] }

export function readWho(action: string, name: string, readContext: ReadContext, names: ShortNames, brand: string): Read<WhoAsked> {
  const order = 'a question is ACTION [RESOURCE], in this order'
  const on = name === '*' ? { text: name } : names.resource(name)
  const { context, problems } = withWholeGroups(readContext, names)
  const read = (action.includes('*') ? readActionPattern : readAction)(action, brand)
  const wrong = [...problemsOf('action', action, read, order), ...(name === '*' ? [] : problemsOfResource(on, order))]
  return { action, resource: on.text, context, problems: [...wrong, ...problems] }
}

export function readWhat(name: string, on: string | undefined, readContext: ReadContext, names: ShortNames): Read<WhatAsked> {
  const order = 'a question is IDENTITY [RESOURCE], in this order'
  const isList = name.includes(',urn:') || (name.includes(',') && names.identity(name).problem)
  const parts = isList ? name.split(',').map((part) => part.trim()) : [name]
  const read = parts.map((part) => (part === '*' ? { text: part } : names.identity(part)))
  const which = on === undefined ? undefined : names.resource(on)
  const { context, problems } = withWholeGroups(readContext, names)
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

/** Whether a question is about several actions or resources: it is answered over those that are known. */
export const isAboutSeveral = ({ action, resource }: Pick<WhoAsked, 'action' | 'resource'>) =>
  action.includes('*') || isPattern(glob(resource)) || isResourceGroup(resource)

export interface Answered {
  readonly answer: Answer
  /** The instants before it do not count; undefined where the answer is about one instant. */
  readonly from: number | undefined
  readonly verdict: Verdict
  /** The names to compare with what is known, and whether an entry decided. */
  readonly asked: AskedNames
  readonly isDecided: boolean
}

/** Every identity pattern that is allowed; over several actions or resources, or tagged ones, with a catalogue, the described identities. */
export function answerWho(
  world: World,
  { action, resource, context }: WhoAsked,
  contextGiven: Pick<ContextGiven, 'at'>,
  catalogue: Catalogue | undefined,
  run?: Budget,
  tagged?: Tagged,
  uses?: RowUses,
): Answered {
  const { from, at, asked } = timeOf(contextGiven, context)
  const named = { groups: context.groups, action, resource }
  if (catalogue && (tagged || isAboutSeveral({ action, resource }))) {
    const on = taggedResources(resource, world, tagged)
    const identities = [...new Set([...knownNamesIn([world]).identities, ...ownersOf(world, on.found, context.owner)])]
    const shown = { action, resource, tagged: tagged?.words, at }
    return { ...answerOfDescribed({ world, identities, on, context: asked, catalogue, shown, run, uses }), from, asked: named }
  }
  const { tags } = withKnownTags({ ...context, identity: '', action, resource }, world)
  // The identity is not known: an empty name would be one that matches nothing.
  const answer = who(world, { ...asked, action, resource, ...(tags && { tags }) }, run)
  return {
    answer: whoAnswer(action, resource, answer, at, uses),
    from,
    verdict: answer.isCut ? 'unknown' : verdictOf([...answer.who, ...answer.unknown]),
    asked: named,
    isDecided: answer.who.some(({ reason }) => reason === 'granted'),
  }
}

/** Everything the identity may do; of patterns, what described identities may do. */
export function answerWhat(
  world: World,
  { identity, each = [identity], resource, context }: WhatAsked,
  contextGiven: Pick<ContextGiven, 'at'>,
  catalogue: Catalogue,
  expand = false,
  run?: Budget,
  tagged?: Tagged,
  uses?: RowUses,
): Answered {
  const { from, at, asked: open } = timeOf(contextGiven, context)
  const named = { groups: context.groups, ...(each.length === 1 && { identity }), ...(resource !== undefined && { resource }) }
  if (tagged || each.length > 1 || identity.includes('*') || (resource !== undefined && isResourceGroup(resource))) {
    const identities = [...new Set(each.flatMap((text) => (text.includes('*') ? identitiesMatching(world, glob(text)) : [text])))]
    const { found, reasons } = taggedResources(resource ?? '*', world, tagged)
    const within = resource === undefined || isResourceGroup(resource) ? undefined : glob(resource)
    const exact = each.filter((text) => !text.includes('*'))
    const lifts = exact.flatMap((text) => byOtherGroups(world, { ...open, identity: text }, within, run))
    const why = presentParts(identities.length === 0 && `no described identity matches \`${identity}\``, reasons, [...new Set(lifts)])
    const on = { found, reasons: why }
    const shown = { identity, resource, tagged: tagged?.words, at }
    return { ...answerOfDescribed({ world, identities, on, context: open, catalogue, shown, run, uses }), from, asked: named }
  }
  const { tags } = withKnownTags({ ...context, identity, action: '', resource: resource ?? '' }, world)
  // Action and resource are not known: an empty name would be one that matches nothing.
  const asked = { ...open, identity, ...(tags && { tags }) }
  const within = resource === undefined ? undefined : glob(resource)
  const answer = withTagsAside(what(world, asked, within, catalogue, run), { ...asked, resource: resource ?? '' }, world)
  const expired = answer.what.length > 0 ? [] : expiredConcerns(world, identity, resource, catalogue, at ?? from)
  return {
    answer: whatAnswer({ identity, expand, catalogue, at, resource, expired }, answer, uses),
    from,
    verdict: answer.isCut ? 'unknown' : verdictOf(answer.what),
    asked: named,
    isDecided: answer.what.length > 0,
  }
}

/** The answer, marked incomplete where given tags replace tags of the world. */
function withTagsAside(answer: What, { tags, resource }: Pick<Question, 'tags' | 'resource'>, world: World): What {
  const count = [...world.resources.values()].filter((known) => known.tags && known.tags.size > 0).length
  if (!tags || world.resources.has(resource) || count === 0) return answer
  const ignored = `the tags that the world specifies for ${plural(count, 'resource')} are ignored`
  const reasons = [...answer.reasons, `with \`--tag\`, every resource has exactly these tags: ${ignored}`]
  return { ...answer, complete: false, reasons }
}

/** The described resources that an argument means, of those that are described with the tags, and why there may be others. */
function taggedResources(resource: string, world: World, tagged?: Tagged): NamedThings {
  const named = resourcesNamed(resource, world)
  const matching = named.found.filter((urn) => !tagged || tagged.resources.has(urn))
  // Those of a group that are not known may have the tag.
  if (!tagged || matching.length > 0 || named.found.length === 0) return { ...named, found: matching }
  const what = resource === '*' ? 'no resource' : `no resource that \`${resource}\` names`
  return { found: matching, reasons: [...named.reasons, `${what} is described with ${tagged.words}`] }
}

interface AskedByPatterns {
  readonly world: World
  readonly identities: readonly string[]
  readonly on: NamedThings
  readonly context: Pick<Question, 'groups' | 'ip' | 'tags' | 'owner'> & { readonly at?: number; readonly from?: number }
  readonly shown: Omit<AskedDescribed, 'isEmpty'>
  readonly catalogue: Catalogue
  readonly run: Budget | undefined
  readonly uses: RowUses | undefined
}

function answerOfDescribed(asked: AskedByPatterns): Pick<Answered, 'answer' | 'verdict' | 'isDecided'> {
  const { world, identities, on, context, catalogue, shown, run } = asked
  const isWhat = shown.action === undefined
  const { from, tags, ...facts } = context
  const isNew = on.found.length === 1 && !world.resources.has(on.found[0] as string)
  const access = describedAccess(withTags(world, tags), {
    identities,
    resources: on.found,
    actionsOf: actionsMatching(new ActionsByType(catalogue), shown.action ?? '*', (name) => catalogue.has(name)),
    given: { ...facts, ...(tags && isNew && { tags }) },
    from,
    ...(run && { run }),
  })
  const beyond = beyondOf(asked, access)
  const reasons = [...on.reasons, ...access.reasons, ...beyond.reasons]
  const isEmpty = on.found.length === 0 || (isWhat && identities.length === 0)
  const isAllowed = isWhat && beyond.found.some(({ row }) => row.verdict === 'allow')
  const verdict = isAllowed ? 'allow' : verdictOf(access.rows, isEmpty || beyond.found.length > 0)
  return {
    answer: describedAnswer({ isEmpty, ...shown }, { ...access, complete: reasons.length === 0, reasons }, beyond.found, asked.uses),
    verdict: access.isCut || beyond.reasons.length > 0 ? 'unknown' : verdict,
    isDecided: access.rows.some(({ reason }) => isWhat || reason === 'granted'),
  }
}

/** Access beyond what is described, as far as the question is about it: one that names resources or their tags is not. */
function beyondOf(asked: AskedByPatterns, { rows }: DescribedAccess): BeyondDescribed {
  const { context, catalogue, shown, run = new Budget() } = asked
  const { action, resource = '*', tagged } = shown
  if (tagged !== undefined || isResourceGroup(resource)) return { found: [], reasons: [] }
  const within = resource === '*' ? undefined : glob(resource)
  const about = { withPatterns: action !== undefined, action: action ?? '*', within, given: context }
  return beyondDescribed(
    { ...asked, ...about, actions: new ActionsByType(catalogue), run },
    rows.flatMap(({ verdict, resources, ...row }) => {
      const said = new Set(resources)
      return verdict === 'deny' ? [] : [{ ...row, isAbout: (each: string) => said.has(each), isOpen: verdict === 'unknown' }]
    }),
  )
}

/** Something is allowed, or only perhaps; where nothing could be asked about, that is unknown. */
function verdictOf(rows: readonly Pick<AccessRow, 'verdict'>[], isEmpty = false): Verdict {
  if (rows.some(({ verdict }) => verdict === 'allow')) return 'allow'
  return isEmpty || rows.some(({ verdict }) => verdict === 'unknown') ? 'unknown' : 'deny'
}
