import { readAction } from '../../actions/action.ts'
import { type Fault, printableFault, type Read } from '../../names.ts'
import type { Engine } from '../../simulate/engine.ts'
import { factText } from '../../simulate/facts.ts'
import type { Context } from '../../simulate/question.ts'
import { readResource } from '../../urn/resource.ts'
import { contextOf } from '../auth/rights.ts'
import { badRequest, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import { bodyLimits } from './body-problems.ts'
import { listReply, ordered } from './pagination.ts'
import { judgedRoutes, type RouteContext, type ServiceRoute } from './route.ts'
import { readSmallBody } from './small-body.ts'

/** Questions about rights, and about the names in them. All of it is public facts. */
export const checkRoutes: readonly ServiceRoute[] = judgedRoutes({
  'POST /v2/iam/resource/{resourceURN}/authorization/check': checkOne,
  'POST /v2/iam/authorization/check': checkMany,
  'GET /v2/iam/reference/action': listActions,
  'GET /v2/iam/reference/resource/type': listTypes,
})

/** The rights of the caller on one resource. Actions that depend on missing facts are under `standIn`, with the facts. */
interface Checked {
  readonly authorizedActions: readonly string[]
  readonly unauthorizedActions: readonly string[]
  readonly standIn?: { readonly unknownActions: readonly { readonly action: string; readonly missing: readonly string[] }[] }
}

function check(engine: Engine, identity: string, context: Context, actions: readonly string[], resource: string): Checked {
  const authorizedActions: string[] = []
  const unauthorizedActions: string[] = []
  const unknownActions: { action: string; missing: readonly string[] }[] = []
  for (const action of new Set(actions)) {
    const question = { identity, action, resource, ...context }
    const verdict = engine.verdict(question)
    if (verdict === 'allow') authorizedActions.push(action)
    else if (verdict === 'deny') unauthorizedActions.push(action)
    else unknownActions.push({ action, missing: engine.decide(question).missing.map(({ fact }) => factText(fact)) })
  }
  return { authorizedActions, unauthorizedActions, ...(unknownActions.length > 0 && { standIn: { unknownActions } }) }
}

function answered(checked: Checked | readonly Checked[]): Reply {
  const isKnown = [checked].flat().every(({ standIn }) => standIn === undefined)
  return { status: 200, origin: isKnown ? 'public' : 'stand-in', body: checked }
}

function faultOf(text: string, read: Read<unknown>) {
  const [fault] = read.faults ?? []
  if (!fault) return undefined
  const { belongsIn: _, ...rest }: Fault = fault
  return printableFault(text, rest)
}

function actionRule(context: RouteContext) {
  const { brand } = context.service.settings
  return { kind: 'texts', required: true, fault: (text: string) => faultOf(text, readAction(text, brand)) } as const
}

const resourceRule = {
  kind: 'texts',
  required: true,
  fault: (text: string) => faultOf(text, readResource(text, { pattern: false })),
} as const

function checkOne(context: RouteContext): Reply {
  const { service, caller, request, params, tree } = context
  const urn = params.resourceURN ?? ''
  const fault = faultOf(urn, readResource(urn, { pattern: false }))
  if (fault) return badRequest(`resource ${fault.message}`, fault.help === undefined ? undefined : { help: fault.help })
  const { value, refusal } = readSmallBody(tree, { actions: actionRule(context) })
  if (refusal) return refusal
  const { engine } = service.worldOf(caller.account)
  return answered(check(engine, caller.identity, contextOf(service, request), value.texts('actions'), urn))
}

function checkMany(context: RouteContext): Reply {
  const { service, caller, request, tree } = context
  const { value, refusal } = readSmallBody(tree, { actions: actionRule(context), resourceURNs: resourceRule })
  if (refusal) return refusal
  const actions = value.texts('actions')
  const urns = [...new Set(value.texts('resourceURNs'))]
  if (actions.length * urns.length > bodyLimits.questions)
    return badRequest(
      `${actions.length} actions on ${urns.length} resources are more than ${bodyLimits.questions} questions: ask in several calls`,
    )
  const { engine } = service.worldOf(caller.account)
  const now = contextOf(service, request)
  return answered(urns.map((resourceURN) => ({ resourceURN, ...check(engine, caller.identity, now, actions, resourceURN) })))
}

interface Listed {
  readonly action: string
  readonly resourceType?: string
}

/** The actions of the catalogue. What it does not say of one (description, categories, parameters) is left out. */
function listActions(context: RouteContext): Reply {
  const { catalogue } = context.service
  const type = context.request.query.get('resourceType')
  if (type !== undefined && !catalogue.types.includes(type))
    return badRequest(`query parameter \`resourceType\`: no type ${quote(type)} is known`)
  const actions: readonly Listed[] = catalogue.products.flatMap((product): readonly Listed[] => {
    const types = new Set([...(catalogue.types.includes(product) ? [product] : []), ...catalogue.typesOf(product)])
    if (type !== undefined && !types.has(type)) return []
    // Of a product that serves several types the catalogue does not say which of them an action is about.
    const [only] = types.size === 1 ? types : []
    return catalogue.actionsOf(product).map((action) => ({ action, ...(only !== undefined && { resourceType: only }) }))
  })
  const keyOf = ({ action }: Listed) => action
  return listReply(context, { list: 'action', records: ordered(actions, keyOf), keyOf, bodyOf: (action) => action })
}

function listTypes(context: RouteContext): Reply {
  const keyOf = (type: string) => type
  return listReply(context, { list: 'type', records: ordered(context.service.catalogue.types, keyOf), keyOf, bodyOf: keyOf })
}
