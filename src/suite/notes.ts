import { partsOfAction, readActionPattern } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import { type Code, compareDiagnostics, type Diagnostic, type Severity } from '../diagnostic.ts'
import { visible } from '../names.ts'
import type { Question } from '../simulate/decision.ts'
import type { Located, Span } from '../source.ts'
import { readResourcePattern } from '../urn/resource.ts'
import { isProved } from './read.ts'
import { questionOf } from './run.ts'
import type { Check, Suite } from './suite.ts'

/** Warnings that change no result: names that are not in the catalogue, the same question twice, unfinished tests. */
export function notesOn({ checks }: Pick<Suite, 'checks'>, catalogue: Catalogue, brand: string): readonly Diagnostic[] {
  const notes = new Map<string, Diagnostic>()
  const note = (code: Code, severity: Severity, span: Span, message: string, help?: string, first?: Span) => {
    // A misspelt name is reported once, at its first place.
    const key = `${code} ${message}${code.startsWith('unknown-') ? '' : ` ${span.start}`}`
    if (notes.has(key)) return
    notes.set(key, {
      code,
      severity,
      message,
      span,
      ...(help !== undefined && { help }),
      ...(first && { related: [{ message: 'first here', span: first }] }),
    })
  }
  const names = new Map<string, Span>()
  const asked = new Map<string, { readonly verdict: string; readonly span: Span }>()
  for (const check of checks) {
    const { name, span } = check
    const same = names.get(name)
    if (same)
      note(
        'duplicate-test',
        'warning',
        span,
        `another test is called ${quoted(name)}`,
        'give each its own name, or one of them will be taken for the other',
        same,
      )
    else names.set(name, span)
    if (unfinished.test(name)) note('unfinished-test', 'info', span, `${quoted(name)} sounds as if it were still to be written`)
    for (const [question, verdict, at] of questionsOf(check)) {
      const key = keyOf(question)
      const before = asked.get(key)
      if (!before) asked.set(key, { verdict, span: at })
      else if (before.span === at) continue
      else if (before.verdict === verdict)
        note('duplicate-test', 'warning', at, 'the same question is asked before', 'remove one of the two', before.span)
      else
        note(
          'contradictory-test',
          'warning',
          at,
          `the same question is to be answered ${before.verdict} before: one of the two cannot pass`,
          'remove the one that is wrong',
          before.span,
        )
    }
    for (const action of actionsOf(check)) {
      const fault = actionFault(action.value, catalogue, brand)
      if (fault) note('unknown-action', 'warning', action.span, fault.message, fault.help)
    }
    for (const resource of resourcesOf(check)) {
      const fault = typeFault(resource.value, catalogue)
      if (fault) note('unknown-type', 'warning', resource.span, fault.message, fault.help)
    }
  }
  return [...notes.values()].sort(compareDiagnostics)
}

/** Names that people give to what they mean to write later. */
const unfinished = /\b(to-?do|tbd|fix-?me|not yet written)\b/i

const quoted = (text: string) => `\`${visible(text.slice(0, 100))}\``

/** The single questions of a check, each with the verdict it must have and where it is written. */
function* questionsOf(check: Check): Iterable<readonly [Question, string, Span]> {
  if (check.kind === 'test') yield [questionOf(check), check.expected.verdict, check.span]
  else if (check.kind === 'allow' || check.kind === 'deny') {
    const single = (list: readonly Located<string>[]) => list.filter(({ value }) => !isProved(value))
    for (const identity of single(check.identities))
      for (const resource of single(check.resources))
        for (const action of single(check.actions))
          yield [{ identity: identity.value, action: action.value, resource: resource.value, ...check.context }, check.kind, check.span]
  }
}

function keyOf({ identity, action, resource, at, groups, ip, tags, owner }: Question): string {
  const texts = tags && [...tags].sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([
    identity,
    action,
    resource,
    at,
    [...groups].sort(),
    ip ? `${ip.family} ${ip.value}` : null,
    texts ?? null,
    owner ?? null,
  ])
}

function actionsOf(check: Check): readonly Located<string>[] {
  if (check.kind === 'test') return [check.asked.action]
  return check.box.permissions.allow.map(({ value, span }) => ({ value: value.text, span }))
}

function resourcesOf(check: Check): readonly Located<string>[] {
  if (check.kind === 'test') return [check.asked.resource]
  return check.box.resources.map(({ value, span }) => ({ value: value.text, span }))
}

interface Fault {
  readonly message: string
  readonly help: string | undefined
}

/** What is wrong with an action: the catalogue holds all actions of the API itself, and no others. */
function actionFault(text: string, catalogue: Catalogue, brand: string): Fault | undefined {
  const near = catalogue.nearestAction(text)
  const help = near && `did you mean \`${near}\`?`
  const isOwn = (namespace: string | undefined) => namespace === undefined || namespace.includes('*') || namespace === `api${brand}`
  if (text.includes('*')) {
    const pattern = readActionPattern(text, brand).value
    if (!pattern || !isOwn(text.split(':')[1]) || catalogue.expand(pattern).length > 0) return undefined
    return { message: `${quoted(text)} designates no action in the catalogue of ${catalogue.seen}`, help }
  }
  const { product, namespace, path } = partsOfAction(text)
  if (catalogue.has(`${product}:${namespace}:${path}`) || (!isOwn(namespace) && near === undefined)) return undefined
  return { message: `${quoted(text)} is not in the catalogue of ${catalogue.seen}`, help }
}

function typeFault(text: string, catalogue: Catalogue): Fault | undefined {
  const read = readResourcePattern(text).value
  if (read?.kind !== 'resource' || read.type.includes('*')) return undefined
  const { type } = read
  // A product of which no type is known serves the type of its own name.
  if (catalogue.types.includes(type) || (catalogue.products.includes(type) && catalogue.typesOf(type).length === 0)) return undefined
  const near = catalogue.nearestType(type)
  return { message: `the type ${quoted(type)} is not in the catalogue of ${catalogue.seen}`, help: near && `did you mean \`${near}\`?` }
}
