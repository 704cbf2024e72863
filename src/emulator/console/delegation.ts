import { applicationLimits } from '../auth/credentials.ts'
import { html, lines, type Markup, type Page } from './html.ts'
import { errorSummary, type FieldError, facts, field, name, select } from './parts.ts'

/** The pages of delegated access: an application is registered, a customer accepts or refuses what it asks for. */

/** What every form carries to show that our own page sent it. */
export const tokenField = 'form_token'

function hidden(id: string, value: string): Markup {
  return html`<input type="hidden" name="${id}" value="${value}">`
}

export interface Registration {
  readonly name: string
  readonly description: string
  readonly account: string
}

/** The form that registers an application (spec: service API, Application). */
export function registrationPage(
  base: string,
  accounts: readonly string[],
  given: Partial<Registration>,
  errors: readonly FieldError[],
  formToken: string,
): Page {
  return {
    title: 'Register an application',
    base,
    main: html`<p>An application acts for customers who accept what it asks for. It gets an application key (AK), which may be known, and an application secret (AS), which signs its requests.</p>
${errorSummary(errors)}
<form method="post" action="${base}/createApp" class="card narrow" novalidate>
${hidden(tokenField, formToken)}
${field({ id: 'name', label: 'Application name', hint: 'Customers see it when they are asked.', value: given.name ?? '', required: true, most: applicationLimits.name }, errors)}
${field({ id: 'description', label: 'Application description', hint: 'What it does, in a sentence that customers understand.', value: given.description ?? '', required: true, most: applicationLimits.description, tall: true }, errors)}
${select(
  'account',
  'Your account',
  accounts.map((each) => [each, each] as const),
  given.account,
)}
<p class="hint">The service asks for a login here. The stand-in knows no passwords: choose whose application it is.</p>
<p class="buttons"><button type="submit">Register</button></p>
</form>`,
  }
}

/** The keys of an application, shown once. */
export function registeredPage(
  base: string,
  application: { readonly name: string; readonly key: string; readonly secret: string },
  header: string,
): Page {
  return {
    title: 'Application registered',
    base,
    main: html`<p role="status">The application <strong>${application.name}</strong> is registered.</p>
<div class="card">${facts([
      ['Application key (AK)', html`<code id="application-key">${application.key}</code>`],
      ['Application secret (AS)', html`<code id="application-secret" class="secret">${application.secret}</code>`],
    ])}
<p class="warn"><strong>The secret is shown this once.</strong> Store it now; nobody needs it but the application.</p></div>
<h2>What comes next</h2>
<p>Ask for delegated access with ${name('POST /1.0/auth/credential')}, the header ${name(header)} with the application key, and a body that lists <code>accessRules</code> and a <code>redirection</code>. Then send the customer to the <code>validationUrl</code> of the answer.</p>
<p><a href="${base}/createApp">Register another application</a></p>`,
  }
}

export interface Rule {
  readonly method: string
  readonly path: string
}

const methodWords: Readonly<Record<string, string>> = {
  GET: 'Read',
  POST: 'Create and run',
  PUT: 'Change',
  PATCH: 'Change',
  DELETE: 'Delete',
}

/** Access rules, those of one path together, each in plain words (spec: policy language, section 5). */
export function rulesInWords(rules: readonly Rule[]): readonly { readonly words: string; readonly rules: readonly Rule[] }[] {
  const byPath = new Map<string, Rule[]>()
  for (const rule of rules) {
    const same = byPath.get(rule.path)
    if (same) same.push(rule)
    else byPath.set(rule.path, [rule])
  }
  return [...byPath].map(([path, same]) => {
    const verbs = [...new Set(same.map(({ method }) => methodWords[method] ?? `Call with ${method}`))]
    const listed = verbs.map((verb, i) => (i === 0 ? verb : `${verb[0]?.toLowerCase()}${verb.slice(1)}`))
    return { words: `${listed.join(', ')}: ${pathInWords(path)}`, rules: same }
  })
}

function pathInWords(path: string): string {
  if (path === '*' || path === '/*') return 'everything'
  const stars = path.split('*').length - 1
  if (stars === 0) return `only ${path}`
  if (stars === 1 && path.endsWith('*'))
    return path.endsWith('/*') ? `everything under ${path.slice(0, -1)}` : `everything that starts with ${path.slice(0, -1)}`
  return `every path like ${path}, where * is any text`
}

export interface Asked {
  readonly token: string
  readonly application: { readonly name: string; readonly description: string }
  readonly rules: readonly Rule[]
  readonly redirection: string | undefined
  /** Until when the request may be answered, as a record writes it. */
  readonly until?: string
}

/** Whom the customer may be: identity URN and words. */
export type Who = readonly [identity: string, words: string]

/** The page that `validationUrl` leads to (spec: service API, scheme B, step 4). */
export function consentPage(
  base: string,
  asked: Asked,
  whom: readonly Who[],
  chosen: string | undefined,
  errors: readonly FieldError[],
  formToken: string,
): Page {
  const { application, rules, redirection, token } = asked
  const everything = rules.some(({ path, method }) => (path === '*' || path === '/*') && method !== 'GET')
  return {
    title: 'An application asks for access',
    base,
    main: html`${errorSummary(errors)}
<div class="card">
<h2>Who asks</h2>
${facts([
  ['Application', html`<strong>${application.name}</strong>`],
  [
    'What it says of itself',
    application.description === '' ? undefined : html`<span class="written">${lines(application.description)}</span>`,
  ],
  ['You are then led to', redirection === undefined ? undefined : name(redirection)],
])}
<h2>What it wants to do for you</h2>
${
  rules.length === 0
    ? html`<p>Nothing: it lists no access rules, so that no call will be granted.</p>`
    : html`<ul id="rules" class="rules">${rulesInWords(rules).map(
        ({ words, rules }) =>
          html`<li>${words}<span class="soft">${rules.map((rule) => html` <code>${rule.method} ${rule.path}</code>`)}</span></li>`,
      )}</ul>`
}
${everything && html`<p class="warn"><strong>This is wide:</strong> with such rules the application may do almost all that you may do.</p>`}
<p class="soft">It can do none of this beyond your own rights: each call is held against these rules and against the policies about you.</p>
</div>
<form method="post" action="${base}/auth/credential/validate" class="card narrow">
<h2>Your answer</h2>
${hidden(tokenField, formToken)}${hidden('token', token)}
${select('identity', 'Answer as', whom, chosen)}
<p class="hint">The service asks for a login here. The stand-in knows no passwords: choose who you are.</p>
<p class="buttons"><button type="submit" name="answer" value="accept">Accept</button>
<button type="submit" name="answer" value="refuse" class="plain">Refuse</button></p>
</form>`,
  }
}

/** A page that only says something. */
export function messagePage(base: string, title: string, sentences: readonly (string | Markup)[]): Page {
  return { title, base, main: html`<div class="card narrow">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>` }
}
