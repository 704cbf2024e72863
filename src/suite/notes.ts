import { partsOfAction, readActionPattern } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import { type Code, compareDiagnostics, type Diagnostic } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import { visible } from '../names.ts'
import type { Policy } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import type { Located, Span } from '../source.ts'
import { readResourcePattern } from '../urn/resource.ts'
import { isProved } from './read.ts'
import { questionOf } from './run.ts'
import type { Check, Suite } from './suite.ts'

/** Warnings that change no result: names that are not in the catalogue, the same question twice, unfinished tests. */
export function notesOn({ checks }: Pick<Suite, 'checks'>, catalogue: Catalogue, brand: string): readonly Diagnostic[] {
  const notes = new Map<string, Diagnostic>()
  for (const note of [...repeated(checks), ...unknown(checks, catalogue, brand)]) {
    // A misspelt name is reported once, at its first place.
    const key = keyOf(note.code, note.message, !note.code.startsWith('unknown-') && note.span.start)
    if (!notes.has(key)) notes.set(key, note)
  }
  return [...notes.values()].sort(compareDiagnostics)
}

/** Names and questions of checks that occur twice, and names that say that something is left to write. */
function* repeated(checks: readonly Check[]): Iterable<Diagnostic> {
  const names = new Map<string, Span>()
  const asked = new Map<string, { readonly verdict: string; readonly span: Span }>()
  const twice = (code: Code, span: Span, first: Span, message: string, help: string): Diagnostic => {
    return { code, severity: 'warning', message, span, help, related: [{ message: 'first here', span: first }] }
  }
  for (const check of checks) {
    const { name, span } = check
    const same = names.get(name)
    const distinct = 'give each its own name: otherwise they cannot be distinguished'
    if (same) yield twice('duplicate-test', span, same, `another test is called ${quoted(name)}`, distinct)
    else names.set(name, span)
    if (unfinished.test(name))
      yield { code: 'unfinished-test', severity: 'info', span, message: `${quoted(name)} sounds as if it were still to be written` }
    for (const [question, verdict, place] of questionsOf(check)) {
      const before = asked.get(questionKey(question))
      if (!before) asked.set(questionKey(question), { verdict, span: place })
      else if (before.span !== place && before.verdict === verdict)
        yield twice('duplicate-test', place, before.span, 'the same question is asked before', 'remove one of the two')
      else if (before.span !== place) {
        const contradiction = `the same question is to be answered ${before.verdict} before: one of the two cannot pass`
        yield twice('contradictory-test', place, before.span, contradiction, 'remove the one that is wrong')
      }
    }
  }
}

/** Actions and types of resources that are not in the catalogue. */
export function* unknown(checks: readonly About[], catalogue: Catalogue, brand: string): Iterable<Diagnostic> {
  for (const check of checks) {
    for (const { value, span } of actionsOf(check)) {
      const fault = actionFault(value, catalogue, brand)
      if (fault) yield { code: 'unknown-action', severity: 'warning', span, ...fault }
    }
    for (const { value, span } of resourcesOf(check)) {
      const fault = typeFault(value, catalogue)
      if (fault) yield { code: 'unknown-type', severity: 'warning', span, ...fault }
    }
  }
}

/** Names of unfinished work. */
const unfinished = /\b(to-?do|tbd|fix-?me|not yet written)\b/i

const quoted = (text: string) => `\`${visible(text.slice(0, 100))}\``

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

function questionKey({ identity, action, resource, at, groups, ip, tags, owner }: Question): string {
  const texts = tags && [...tags].sort(([a], [b]) => (a < b ? -1 : 1))
  return keyOf(identity, action, resource, at, [...groups].sort(), ip && [ip.family, String(ip.value)], texts, owner)
}

function actionsOf(check: About): readonly Located<string>[] {
  if (check.kind === 'test') return [check.asked.action]
  return check.box.permissions.allow.map(({ value, span }) => ({ value: value.text, span }))
}

function resourcesOf(check: About): readonly Located<string>[] {
  if (check.kind === 'test') return [check.asked.resource]
  return check.box.resources.map(({ value, span }) => ({ value: value.text, span }))
}

/** A check, or as much of a claim as names something. */
type About = Check | { readonly kind: 'never' | 'only' | 'always'; readonly box: Policy }

type Fault = Pick<Diagnostic, 'message' | 'help'>

const fault = (message: string, help: string | undefined): Fault => (help === undefined ? { message } : { message, help })

/** The problem of an action: the catalogue holds all actions of the API itself, and no others. */
function actionFault(text: string, catalogue: Catalogue, brand: string): Fault | undefined {
  const suggested = catalogue.nearestAction(text)
  const help = suggested && `did you mean \`${suggested}\`?`
  const isOwn = (namespace: string | undefined) => namespace === undefined || namespace.includes('*') || namespace === `api${brand}`
  if (text.includes('*')) {
    const pattern = readActionPattern(text, brand).value
    if (!pattern || !isOwn(text.split(':')[1]) || catalogue.expand(pattern).length > 0) return undefined
    return fault(`${quoted(text)} matches no action in the catalogue of ${catalogue.seen}`, help)
  }
  const { product, namespace, path } = partsOfAction(text)
  if (catalogue.has(`${product}:${namespace}:${path}`) || (!isOwn(namespace) && suggested === undefined)) return undefined
  return fault(`${quoted(text)} is not in the catalogue of ${catalogue.seen}`, help)
}

function typeFault(text: string, catalogue: Catalogue): Fault | undefined {
  const read = readResourcePattern(text).value
  if (read?.kind !== 'resource' || read.type.includes('*')) return undefined
  const { type } = read
  // A product without known types has the type of its name.
  if (catalogue.types.includes(type) || (catalogue.products.includes(type) && catalogue.typesOf(type).length === 0)) return undefined
  const suggested = catalogue.nearestType(type)
  return fault(`the type ${quoted(type)} is not in the catalogue of ${catalogue.seen}`, suggested && `did you mean \`${suggested}\`?`)
}
