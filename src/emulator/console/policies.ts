import type { Diagnostic } from '../../diagnostic.ts'
import { readTree } from '../../parser/tree.ts'
import { conditionWords } from '../../report/decision.ts'
import { sourceOf } from '../../source.ts'
import { plain } from '../../tree.ts'
import type { BodyProblem } from '../api/bodies.ts'
import { createPolicy, removePolicy, replacePolicy } from '../api/iam-policies.ts'
import type { RouteContext, ServiceRoute } from '../api/route.ts'
import type { ErrorBody } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import type { PolicyRecord, Written } from '../model/records.ts'
import { idOf, policyDocument } from '../model/worlds.ts'
import type { Service } from '../service.ts'
import { messagePage } from './delegation.ts'
import { does, fieldOf, formToken, rawFieldOf, seeOther, shows, tokenInput } from './guard.ts'
import { pageReply } from './html.ts'
import { askedOf, listingOf, mapped } from './listing.ts'
import type { FieldError } from './parts.ts'
import { accountPurpose, consolePath, type Place, placed } from './place.ts'
import { checkPolicy, newPolicyText, policyText } from './policy-editor.ts'
import { type Draft, deletePage, editorPage, type PolicyRow, policiesPage, policyPage, policyPath } from './policy-views.ts'

/** Policies in the console: found, read, written and deleted, by the same functions that the calls of the API use. */

const texts = (value: unknown, key: string): readonly string[] =>
  Array.isArray(value) ? value.map((each: Written | null) => each?.[key]).filter((each) => typeof each === 'string') : []
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A policy for people. Its fields were checked before they were kept; what is not of the expected form is shown with the record. */
function policyRow(policy: PolicyRecord, now: number): PolicyRow {
  const { written } = policy
  const permissions = (written.permissions ?? {}) as Written
  const expiredAt = text(written.expiredAt)
  return {
    id: policy.id,
    name: nameOf(policy),
    description: text(written.description),
    owner: policy.account,
    readOnly: policy.readOnly,
    expiredAt,
    expired: expiredAt !== undefined && Date.parse(expiredAt) < now,
    identities: Array.isArray(written.identities) ? written.identities.filter((each) => typeof each === 'string') : [],
    resources: texts(written.resources, 'urn'),
    allow: texts(permissions.allow, 'action'),
    except: texts(permissions.except, 'action'),
    deny: texts(permissions.deny, 'action'),
    permissionsGroups: texts(written.permissionsGroups, 'urn'),
    conditional: typeof written.conditions === 'object' && written.conditions !== null,
    record: policyDocument(policy),
  }
}

const nameOf = ({ id, written }: PolicyRecord): string => text(written.name) ?? id

/** The policies of an account, in the order in which they were made. */
export function policiesOf({ state }: Service, account: string | undefined): readonly PolicyRecord[] {
  return [...state.table('policy').all()].filter((policy) => policy.account === account)
}

function list({ service, request }: RouteContext, place: Place): Reply {
  const now = service.ports.clock.now()
  const listing = listingOf(
    policiesOf(service, place.account),
    askedOf(request.query),
    ({ id, written }) => `${id} ${JSON.stringify(written)}`,
  )
  const deleted = request.query.get('deleted')
  return pageReply(
    policiesPage(
      place,
      mapped(listing, (policy) => policyRow(policy, now)),
      deleted,
    ),
  )
}

type PolicyHandler = (context: RouteContext, place: Place, policy: PolicyRecord) => Reply

/** A page about one policy, and about the account that has it. */
function withPolicy(handle: PolicyHandler): (context: RouteContext, base: string) => Reply {
  return placed((context, place) => {
    const policy = context.service.state.table('policy').get(context.params.policyId ?? '')
    if (!policy || !place.accounts.includes(policy.account))
      return pageReply(
        messagePage(place.base, 'Not found', ['No policy of this region has this identifier. It may have been deleted.']),
        404,
      )
    return handle(context, { ...place, account: policy.account }, policy)
  })
}

/** The same for what changes it: the service's own policies are read-only. */
function withOwn(handle: PolicyHandler): (context: RouteContext, base: string) => Reply {
  return withPolicy((context, place, policy) =>
    policy.readOnly
      ? pageReply(messagePage(place.base, 'This policy is read-only', ['The service keeps it: nobody can change or delete it.']), 403)
      : handle(context, place, policy),
  )
}

const show: PolicyHandler = ({ service, request }, place, policy) => {
  const condition = service.worldOf(policy.account).world.policies.find((each) => idOf(each) === policy.id)?.condition
  const row = policyRow(policy, service.ports.clock.now())
  return pageReply(policyPage(place, row, condition && conditionWords(condition), request.query.get('saved') === 'yes'))
}

/** What a stored policy was, so that a later text of it can be seen to be one of something else. */
function versionOf({ ports }: Service, { written }: PolicyRecord): string {
  return ports.digest.sha256(JSON.stringify(written)).slice(0, 16)
}

/** What is to be written: a new policy of an account, or another text of one that is there. */
interface Target {
  readonly place: Place
  readonly account: string
  readonly policy?: PolicyRecord
}

function draftOf({ service, request }: RouteContext, { place, policy }: Target): Omit<Draft, 'text' | 'checked' | 'errors' | 'changed'> {
  return policy
    ? {
        title: `Edit ${nameOf(policy)}`,
        action: policyPath(place, policy.id, 'edit'),
        back: policyPath(place, policy.id),
        token: tokenInput(service, editPurpose(policy.id)),
        seen: versionOf(service, policy),
      }
    : {
        title: 'Create a policy',
        action: consolePath(place, '/console/policies/new'),
        back: consolePath(place, '/console/policies'),
        token: tokenInput(service, accountPurpose('policy')({ service, request } as RouteContext)),
        seen: undefined,
      }
}

const editPurpose = (id: string) => `policy ${id}`

interface Given {
  readonly text: string
  readonly errors?: readonly FieldError[]
  readonly changed?: string
}

function editor(context: RouteContext, target: Target, { text, errors = [], changed }: Given): Reply {
  const checked = text.trim() === '' ? undefined : checkPolicy(context.service, target.account, text, target.policy?.id)
  const draft = { ...draftOf(context, target), text, checked, errors, changed }
  return pageReply(editorPage(target.place, draft), errors.length === 0 ? 200 : changed === undefined ? 400 : 409)
}

/** What a form asks of the text in it: to look at it, or to store it. */
function write(context: RouteContext, target: Target): Reply {
  const { service, request } = context
  // Browsers send the ends of lines as CR and LF.
  const text = rawFieldOf(context, 'policy').replaceAll('\r\n', '\n')
  if (fieldOf(context, 'do') !== 'save') return editor(context, target, { text })
  const wrong = (message: string, changed?: string) =>
    editor(context, target, { text, errors: [{ field: 'policy', message }], ...(changed !== undefined && { changed }) })
  const { policy, place, account } = target
  if (policy && fieldOf(context, 'seen') !== versionOf(service, policy))
    return wrong('Somebody else changed this policy meanwhile. Save again to put yours in its place.', policyText(policy.written))
  const source = sourceOf('policy.json', text)
  const { documents, diagnostics } = readTree(source)
  const fault = diagnostics.find(({ severity }: Diagnostic) => severity === 'error')
  const tree = documents[0]
  if (text.trim() === '') return wrong('Write a policy first.')
  if (fault || !tree) return wrong(`The text is not JSON: ${fault?.message ?? 'it holds nothing'}.`)
  const caller = { identity: `urn:v1:${request.region}:identity:account:${account}`, account }
  const asked: RouteContext = { ...context, caller, tree, body: plain(tree) }
  const { status, body } = policy ? replacePolicy(asked, policy) : createPolicy(asked)
  if (status < 300)
    return seeOther(consolePath(place, `/console/policies/${encodeURIComponent((body as { id: string }).id)}`, { saved: 'yes' }))
  const { message, details } = body as ErrorBody
  const problems = (details?.problems ?? []) as readonly BodyProblem[]
  const errors = problems.map((each) => ({ field: 'policy', message: `Line ${each.line}, column ${each.column}: ${each.message}.` }))
  return errors.length === 0 ? wrong(`${message}.`) : editor(context, target, { text, errors })
}

function newPolicy(context: RouteContext, place: Place): Reply {
  const { service, request } = context
  const { account } = place
  if (account === undefined) return list(context, place)
  const [known] = [...service.state.table('serviceAccount').all()].filter((each) => each.account === account)
  return editor(context, { place, account }, { text: newPolicyText(request.region, known?.identity) })
}

function makePolicy(context: RouteContext, place: Place): Reply {
  return place.account === undefined ? list(context, place) : write(context, { place, account: place.account })
}

const edit: PolicyHandler = (context, place, policy) =>
  editor(context, { place, account: policy.account, policy }, { text: policyText(policy.written) })

const save: PolicyHandler = (context, place, policy) => write(context, { place, account: policy.account, policy })

const askDelete: PolicyHandler = ({ service }, place, policy) =>
  pageReply(deletePage(place, { name: nameOf(policy) }, policy.id, formToken(service, editPurpose(policy.id))))

const remove: PolicyHandler = (context, place, policy) => {
  removePolicy(context, policy)
  return seeOther(consolePath(place, '/console/policies', { deleted: nameOf(policy) }))
}

const purposeOfPolicy = ({ params }: RouteContext): string => editPurpose(params.policyId ?? '')

export const policyPageRoutes: readonly ServiceRoute[] = [
  shows('/console/policies', placed(list)),
  shows('/console/policies/new', placed(newPolicy)),
  does('/console/policies/new', accountPurpose('policy'), placed(makePolicy)),
  shows('/console/policies/{policyId}', withPolicy(show)),
  shows('/console/policies/{policyId}/edit', withOwn(edit)),
  does('/console/policies/{policyId}/edit', purposeOfPolicy, withOwn(save)),
  shows('/console/policies/{policyId}/delete', withOwn(askDelete)),
  does('/console/policies/{policyId}/delete', purposeOfPolicy, withOwn(remove)),
]
