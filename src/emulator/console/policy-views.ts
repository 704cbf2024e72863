import { tokenField } from './delegation.ts'
import { html, lines, type Markup, type Page, type Part, verbatim } from './html.ts'
import type { Listing } from './listing.ts'
import { accountChoice, errorSummary, type FieldError, facts, jsonText, listed, name, names, table, time } from './parts.ts'
import { consolePage, consolePath, type Place } from './place.ts'
import type { Checked, EditorFinding } from './policy-editor.ts'

/** The pages of policies: the list, one of them, and the editor. */

/** A policy as its record shows it. */
export interface PolicyRow {
  /** Undefined where it has none: then it has no page of its own. */
  readonly id: string | undefined
  readonly name: string
  readonly description: string | undefined
  readonly owner: string | undefined
  readonly readOnly: boolean
  readonly expiredAt: string | undefined
  readonly expired: boolean
  readonly identities: readonly string[]
  readonly resources: readonly string[]
  readonly allow: readonly string[]
  readonly except: readonly string[]
  readonly deny: readonly string[]
  readonly permissionsGroups: readonly string[]
  readonly conditional: boolean
  /** The record as it is kept. */
  readonly record: unknown
}

const policiesPath = '/console/policies'

/** Where a policy is shown, or something is done with it. */
export function policyPath(place: Pick<Place, 'base' | 'account'>, id: string, act?: 'edit' | 'delete'): string {
  return consolePath(place, `${policiesPath}/${encodeURIComponent(id)}${act === undefined ? '' : `/${act}`}`)
}

export function policyLink(place: Place, policy: Pick<PolicyRow, 'id' | 'name'>): Part {
  return policy.id === undefined ? policy.name : html`<a href="${policyPath(place, policy.id)}">${policy.name}</a>`
}

/** What a policy grants, in one cell. */
function granted({ allow, except, deny, permissionsGroups, conditional }: PolicyRow): Markup {
  const part = (words: string, texts: readonly string[], css: string) =>
    texts.length > 0 && html`<li><span class="tag ${css}">${words}</span>${names(texts, 3)}</li>`
  return html`<ul>${part('allow', allow, 'allow')}${part('except', except, 'unknown')}${part('deny', deny, 'deny')}${part(
    'permissions groups',
    permissionsGroups,
    'quiet',
  )}${conditional && html`<li><span class="tag quiet">under conditions</span></li>`}</ul>`
}

function expiry({ expiredAt, expired }: PolicyRow): Part {
  if (expiredAt === undefined) return 'never'
  return expired ? html`${time(expiredAt)} <span class="tag deny">expired</span>` : time(expiredAt)
}

function ownership({ owner, readOnly }: PolicyRow): Part {
  return html`${owner ?? 'unspecified'}${readOnly && html` <span class="tag quiet">read-only</span>`}`
}

export function policiesPage(place: Place, policies: Listing<PolicyRow>, deleted: string | undefined): Page {
  const { base, account, accounts } = place
  const path = `${base}${policiesPath}`
  return consolePage(
    place,
    policiesPath,
    'Policies',
    html`${accountChoice(path, accounts, account)}
${deleted !== undefined && html`<p role="status" class="card allow">The policy <strong>${deleted}</strong> was deleted.</p>`}
${account !== undefined && html`<p class="buttons"><a href="${consolePath(place, `${policiesPath}/new`)}">Create a policy</a></p>`}
${
  policies.all === 0
    ? html`<div class="card"><p><strong>No policy yet: every call that needs an action is refused.</strong></p>
<p>Create one here, send one with <code>POST /v2/iam/policy</code>, or start with the policies of a folder:</p>
<pre tabindex="0" aria-label="A command that starts with policies"><code>grantwise serve --seed policies/</code></pre></div>`
    : listed(path, ['policy', 'policies', account], policies, { account }, (caption, items) =>
        table(
          caption,
          ['Name', 'Identities', 'Resources', 'What is granted', 'Expires'],
          items.map((policy) => [
            html`${policyLink(place, policy)}${policy.readOnly && html` <span class="tag quiet">read-only</span>`}`,
            names(policy.identities, 3),
            names(policy.resources, 3),
            granted(policy),
            expiry(policy),
          ]),
        ),
      )
}`,
  )
}

export function policyPage(place: Place, policy: PolicyRow, conditions: string | undefined, saved: boolean): Page {
  const { id } = policy
  const list = (texts: readonly string[]) => (texts.length > 0 ? names(texts) : undefined)
  return consolePage(
    place,
    policiesPath,
    policy.name,
    html`<p><a href="${consolePath(place, policiesPath)}">All policies</a></p>
${saved && html`<p role="status" class="card allow">Saved: it holds from the next call on.</p>`}
${
  id !== undefined &&
  !policy.readOnly &&
  html`<p class="buttons"><a href="${policyPath(place, id, 'edit')}">Edit</a> <a href="${policyPath(place, id, 'delete')}">Delete</a></p>`
}
${policy.description !== undefined && policy.description !== '' && html`<p class="written">${lines(policy.description)}</p>`}
<div class="card">${facts([
      ['Identifier', id === undefined ? undefined : name(id)],
      ['Owner', ownership(policy)],
      ['Expires', expiry(policy)],
      ['Identities', list(policy.identities)],
      ['Resources', list(policy.resources)],
      ['Allows', list(policy.allow)],
      ['Except', list(policy.except)],
      ['Denies', list(policy.deny)],
      ['Permissions groups', list(policy.permissionsGroups)],
      ['Only where', conditions],
    ])}</div>
<h2>As it is stored</h2>
<pre tabindex="0" aria-label="The policy as JSON"><code>${lines(jsonText(policy.record))}</code></pre>`,
  )
}

/** A policy that is being written. */
export interface Draft {
  readonly title: string
  /** Where its form is sent. */
  readonly action: string
  /** Where giving up leads. */
  readonly back: string
  readonly token: Markup
  readonly text: string
  /** What the stored policy was when its text was taken over; undefined: it is a new one. */
  readonly seen: string | undefined
  /** Undefined: there is nothing to check. */
  readonly checked: Checked | undefined
  readonly errors: readonly FieldError[]
  /** What is stored now, where somebody else has changed it meanwhile. */
  readonly changed: string | undefined
}

export function editorPage(place: Place, { title, action, back, token, text, seen, checked, errors, changed }: Draft): Page {
  return consolePage(
    place,
    policiesPath,
    title,
    html`${errorSummary(errors)}
${
  changed !== undefined &&
  html`<details open><summary>As it is stored now</summary><pre tabindex="0" aria-label="The policy as it is stored now"><code>${lines(changed)}</code></pre></details>`
}
<form method="post" action="${action}" id="editor" novalidate>
${token}${seen !== undefined && html`<input type="hidden" name="seen" value="${seen}">`}
<p><label for="policy">Policy</label>
<span class="hint" id="policy-hint">JSON, as <code>POST /v2/iam/policy</code> takes it. Tab leaves the field.</span>
<textarea id="policy" name="policy" class="name code" rows="22" spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="policy-hint findings-title"${errors.length > 0 && html` aria-invalid="true"`}>
${verbatim(text)}</textarea></p>
<p class="buttons"><button type="submit" name="do" value="save">Save</button>
<button type="submit" name="do" value="check" class="plain">Check</button> <a href="${back}">Cancel</a></p>
</form>
<section aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>
<div id="findings" aria-live="polite">${findingsPart(checked)}</div></section>`,
    true,
  )
}

const severityTags: Readonly<Record<EditorFinding['severity'], string>> = { error: 'deny', warning: 'unknown', info: 'quiet' }

function findingsPart(checked: Checked | undefined): Markup {
  if (!checked) return html`<p class="soft">There is no text to check.</p>`
  const { findings, others } = checked
  const beside =
    others === undefined
      ? 'The account has too many policies to hold it against them while it is written: this is about the policy itself.'
      : html`Checked as <code>grantwise lint</code> does, beside ${others === 1 ? 'the one other policy' : `the ${others} other policies`} of the account.`
  if (findings.length === 0) return html`<p>Nothing found. <span class="soft">${beside}</span></p>`
  return html`<ul class="findings">${findings.map(
    ({ severity, code, message, help, line, column, start, end }) => html`<li><span class="tag ${severityTags[severity]}">${severity}</span>
<a href="#policy" data-start="${start}" data-end="${end}">line ${line}, column ${column}</a>: ${message} <span class="soft">[${code}]</span>${
      help !== undefined && html`<span class="hint">${help}</span>`
    }</li>`,
  )}</ul><p class="soft">${beside}</p>`
}

export function deletePage(place: Place, policy: Pick<PolicyRow, 'name'>, id: string, formToken: string): Page {
  return consolePage(
    place,
    policiesPath,
    `Delete ${policy.name}?`,
    html`<form method="post" action="${policyPath(place, id, 'delete')}" class="card narrow">
<input type="hidden" name="${tokenField}" value="${formToken}">
<p>What only this policy allows is refused from the next call on, and what only this policy denies may be allowed. This cannot be undone.</p>
<p class="buttons"><button type="submit" class="danger">Delete</button> <a href="${policyPath(place, id)}">Keep it</a></p>
</form>`,
  )
}
