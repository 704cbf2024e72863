import { readAction, readActionPattern } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import { whoAnswer } from '../answers/who.ts'
import type { Budget } from '../budget.ts'
import type { World } from '../policy.ts'
import { type Context, type Problem, problemsOf, withKnownTags } from '../simulate/question.ts'
import type { ShortNames } from '../simulate/short-names.ts'
import { thingsIn } from '../symbolic/described.ts'
import { ownersOf } from '../symbolic/described-access.ts'
import { type Who, who } from '../symbolic/who.ts'
import { type Answered, answerOfDescribed, isOpen, resourcesNamed, verdictOf } from './access.ts'
import { type ContextGiven, problemsOfResource, type ReadContext, type Tagged, timeOf, withWholeGroups } from './context.ts'

const order = 'a question is ACTION [RESOURCE], in this order'

/** `who ACTION RESOURCE`, with whole URNs. */
export interface WhoAsked {
  readonly action: string
  readonly resource: string
  readonly context: Context
}

/** Read `who ACTION RESOURCE`. */
export function readWho(
  action: string,
  name: string,
  given: ReadContext,
  names: ShortNames,
  brand: string,
): WhoAsked & { readonly problems: readonly Problem[] } {
  const on = name === '*' ? { text: name } : names.resource(name)
  const { context, problems } = withWholeGroups(given, names)
  const readActionOf = action.includes('*') ? readActionPattern : readAction
  const wrong = [
    ...problemsOf('action', action, readActionOf(action, brand), order),
    ...(name === '*' ? [] : problemsOfResource(on, order)),
  ]
  return { action, resource: on.text, context, problems: [...wrong, ...problems] }
}

/** Whether a question is about several actions or resources: it is answered over those that are known. */
export const isOverSeveral = ({ action, resource }: Pick<WhoAsked, 'action' | 'resource'>) => action.includes('*') || isOpen(resource)

/** Every identity pattern that is allowed; over several actions or resources, or tagged ones, with a catalogue, the described identities. */
export function answerWho(
  world: World,
  { action, resource, context }: WhoAsked,
  given: Pick<ContextGiven, 'at'>,
  catalogue: Catalogue | undefined,
  run?: Budget,
  tagged?: Tagged,
): Answered {
  const { from, at, asked } = timeOf(given, context)
  const named = { groups: context.groups, action, resource }
  if (catalogue && (tagged || isOverSeveral({ action, resource }))) {
    const on = resourcesNamed(resource, world, tagged)
    const identities = [...new Set([...thingsIn([world]).identities, ...ownersOf(world, on.found, context.owner)])]
    const shown = { identity: undefined, action, resource, tagged: tagged?.words, at }
    return { ...answerOfDescribed('who', { world, identities, on, action, context: asked, catalogue, shown, run }), from, asked: named }
  }
  const { tags } = withKnownTags({ ...context, identity: '', action, resource }, world)
  // The identity is not known: an empty name would be one that matches nothing.
  const answer: Who = who(world, { ...asked, action, resource, ...(tags && { tags }) }, run)
  return {
    answer: whoAnswer(action, resource, answer, at),
    from,
    verdict: answer.isCut ? 'unknown' : verdictOf([...answer.who, ...answer.unknown]),
    asked: named,
    isDecided: answer.who.some(({ reason }) => reason === 'granted'),
  }
}
