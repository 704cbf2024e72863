import type { Diagnostic } from '../../diagnostic.ts'
import { readTree } from '../../parser/tree.ts'
import { position, sourceOf } from '../../source.ts'
import { plainValue } from '../../tree.ts'
import type { BodyProblem } from '../api/body-problems.ts'
import { createPolicy, removePolicy, replacePolicy } from '../api/iam-policies.ts'
import type { RouteContext, ServiceRoute } from '../api/route.ts'
import type { ErrorBody } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import { textAt } from '../model/origins.ts'
import type { PolicyRecord } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import { fieldOf, formRoute, rawFieldOf, seeOther, shows, tokenInput } from './guard.ts'
import { html, type Markup, messagePage, pageHeaders, preservedText } from './html.ts'
import { block, errorSummary, type FieldError, hidden, mutedText, prose } from './parts.ts'
import { accountPurpose, consolePath, consoleReply, type Place, placed, showsPlaced } from './place.ts'
import { list, nameOf, policiesPath, policyPath, show, withPolicy } from './policies.ts'
import { type Checked, checkPolicy, newPolicyText, policyText } from './policy-editor.ts'

/** Policies in the console, written and deleted by the functions that the calls of the API use. */

/** The version of a stored policy, which shows whether an edit is based on the present one. */
function versionOf({ ports }: Service, { written }: PolicyRecord): string {
  return ports.digest.sha256(JSON.stringify(written)).slice(0, 16)
}

/** The target of a form: a new policy of an account, or an existing one. */
interface Target {
  readonly place: Place
  readonly account: string
  readonly policy?: PolicyRecord
}

const editPurpose = (id: string) => `policy ${id}`

interface Given {
  readonly text: string
  readonly errors?: readonly FieldError[]
  /** The stored policy, where another user has changed it meanwhile. */
  readonly changed?: string
}

function editor(context: RouteContext, { place, account, policy }: Target, { text, errors = [], changed }: Given): Reply {
  const { service } = context
  const checked = text.trim() === '' ? undefined : checkPolicy(service, account, text, policy?.id)
  const action = policy ? policyPath(place, policy.id, 'edit') : consolePath(place, `${policiesPath}/new`)
  const back = policy ? policyPath(place, policy.id) : consolePath(place, policiesPath)
  const purpose = policy ? editPurpose(policy.id) : accountPurpose('policy')(context)
  return consoleReply(
    place,
    policiesPath,
    policy ? `Edit ${nameOf(policy)}` : 'Create a policy',
    html`${errorSummary(errors)}
${
  changed !== undefined &&
  html`<details open><summary>As it is stored now</summary>${block('The policy as it is stored now', changed)}</details>`
}
<form method="post" action="${action}" id="editor" novalidate>
${tokenInput(service, purpose)}${policy && hidden('seen', versionOf(service, policy))}
<p><label for="policy">Policy</label>
<span class="hint" id="policy-hint">JSON, as <code>POST /v2/iam/policy</code> takes it. Tab leaves the field.</span>
<textarea id="policy" name="policy" class="name policy-text" rows="22" spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="policy-hint findings-title"${errors.length > 0 && html` aria-invalid="true"`}>
${preservedText(text)}</textarea></p>
<p class="buttons"><button type="submit" name="do" value="save" class="primary">Save</button>
<button type="submit" name="do" value="check">Check</button>
<button type="submit" name="do" value="download">Download as JSON</button> <a href="${back}">Cancel</a></p>
</form>
<section aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>
<div id="findings" aria-live="polite">${findingsPart(checked)}</div></section>`,
    { script: true, status: errors.length === 0 ? 200 : changed === undefined ? 400 : 409 },
  )
}

function findingsPart(checked: Checked | undefined): Markup {
  if (!checked) return html`<p class="soft">There is no text to check.</p>`
  const { findings, others } = checked
  const aside =
    others === undefined
      ? 'The account has too many policies to compare it with them while you type: this is about the policy itself.'
      : html`Checked as <code>grantwise lint</code> does, together with ${others === 1 ? 'the one other policy' : `the ${others} other policies`} of the account.`
  if (findings.length === 0) return html`<p>Nothing found. ${mutedText(aside)}</p>`
  return html`<ul class="findings">${findings.map(({ severity, code, message, help, span }) => {
    const { line, column } = position(span.source, span.start)
    return html`<li class="finding ${severity}"><span class="badge ${severity}">${severity}</span>
<a href="#policy" data-start="${span.start}" data-end="${span.end}">line ${line}, column ${column}</a>: ${prose(message)} ${mutedText(`[${code}]`)}${
      help !== undefined && html`<span class="hint">${prose(help)}</span>`
    }</li>`
  })}</ul><p class="soft">${aside}</p>`
}

function write(context: RouteContext, target: Target): Reply {
  const { service, request } = context
  // Browsers send the ends of lines as CR and LF.
  const text = rawFieldOf(context, 'policy').replaceAll('\r\n', '\n')
  const act = fieldOf(context, 'do')
  if (act !== 'save' && act !== 'download') return editor(context, target, { text })
  const wrong = (message: string, changed?: string) =>
    editor(context, target, { text, errors: [{ field: 'policy', message }], ...(changed !== undefined && { changed }) })
  const { policy, place, account } = target
  if (act === 'save' && policy && fieldOf(context, 'seen') !== versionOf(service, policy))
    return wrong('Somebody else changed this policy meanwhile. Save again to replace it with yours.', policyText(policy.written))
  const { documents, diagnostics } = readTree(sourceOf('policy.json', text))
  const fault = diagnostics.find(({ severity }: Diagnostic) => severity === 'error')
  const tree = documents[0]
  if (text.trim() === '') return wrong('Write a policy first.')
  if (fault || !tree) return wrong(`The text is not JSON: ${fault?.message ?? 'it is empty'}.`)
  if (act === 'download') return download(text, tree.kind === 'map' ? textAt(tree, 'name') : undefined)
  const caller = { identity: `urn:v1:${request.region}:identity:account:${account}`, account }
  const asked: RouteContext = { ...context, caller, tree, body: plainValue(tree) }
  const { status, body } = policy ? replacePolicy(asked, policy) : createPolicy(asked)
  if (status < 300)
    return seeOther(consolePath(place, `${policiesPath}/${encodeURIComponent((body as { id: string }).id)}`, { saved: 'yes' }))
  const { message, details } = body as ErrorBody
  const problems = (details?.problems ?? []) as readonly BodyProblem[]
  const errors = problems.map((each) => ({ field: 'policy', message: `Line ${each.line}, column ${each.column}: ${each.message}.` }))
  return errors.length === 0 ? wrong(`${message}.`) : editor(context, target, { text, errors })
}

/** The text of the editor as a file, named after the policy: the emulator keeps records, and no file that a patch could change. */
function download(text: string, name = ''): Reply {
  const base = name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')
  return {
    status: 200,
    origin: 'stand-in',
    headers: {
      ...pageHeaders(),
      'content-disposition': `attachment; filename="${base.slice(0, longestName) || 'policy'}.json"`,
    },
    text: { type: 'application/json', content: text.endsWith('\n') ? text : `${text}\n` },
  }
}

const longestName = 60

function newPolicy(context: RouteContext, place: Place): Reply {
  const { service, request } = context
  const { account } = place
  if (account === undefined) return list(context, place)
  const serviceAccount = [...service.state.table('serviceAccount').all()].find((each) => each.account === account)
  return editor(context, { place, account }, { text: newPolicyText(request.region, serviceAccount?.identity) })
}

function makePolicy(context: RouteContext, place: Place): Reply {
  return place.account === undefined ? list(context, place) : write(context, { place, account: place.account })
}

/** A page that changes a policy: the service's own are read-only. */
function withOwn(handle: Parameters<typeof withPolicy>[0]): ReturnType<typeof withPolicy> {
  return withPolicy((context, place, policy) =>
    policy.readOnly
      ? messagePage(place.base, 403, 'This policy is read-only', ['The service manages it: nobody can change or delete it.'])
      : handle(context, place, policy),
  )
}

const edit = withOwn((context, place, policy) =>
  editor(context, { place, account: policy.account, policy }, { text: policyText(policy.written) }),
)

const save = withOwn((context, place, policy) => write(context, { place, account: policy.account, policy }))

const askDelete = withOwn(({ service }, place, policy) =>
  consoleReply(
    place,
    policiesPath,
    `Delete ${nameOf(policy)}?`,
    html`<form method="post" action="${policyPath(place, policy.id, 'delete')}" class="card narrow">
${tokenInput(service, editPurpose(policy.id))}
<p>What only this policy allows is refused from the next call on, and what only this policy denies may be allowed. This cannot be undone.</p>
<p class="buttons"><button type="submit" class="danger">Delete</button> <a href="${policyPath(place, policy.id)}">Keep it</a></p>
</form>`,
  ),
)

const remove = withOwn((context, place, policy) => {
  removePolicy(context, policy)
  return seeOther(consolePath(place, policiesPath, { deleted: nameOf(policy) }))
})

const purposeOfPolicy = ({ params }: RouteContext): string => editPurpose(params.policyId ?? '')

export const policyPageRoutes: readonly ServiceRoute[] = [
  showsPlaced(policiesPath, list),
  showsPlaced(`${policiesPath}/new`, newPolicy),
  formRoute(`${policiesPath}/new`, accountPurpose('policy'), placed(makePolicy)),
  shows(`${policiesPath}/{policyId}`, withPolicy(show)),
  shows(`${policiesPath}/{policyId}/edit`, edit),
  formRoute(`${policiesPath}/{policyId}/edit`, purposeOfPolicy, save),
  shows(`${policiesPath}/{policyId}/delete`, askDelete),
  formRoute(`${policiesPath}/{policyId}/delete`, purposeOfPolicy, remove),
]
