import { type Glob, glob } from '../glob.ts'
import { type Fault, type Read, strangeCharacter, tooMuch } from '../names.ts'

/** `<product>:<namespace>:<path>[?<parameter>]` (docs/semantics.md, Names). */
export interface Action {
  readonly product: string
  readonly namespace: string
  readonly path: string
  /** The free text after `?`; undefined when there is no `?`. */
  readonly parameter: string | undefined
}

/** Take a legal action apart. The text must have been read by `readAction` before. */
export function partsOfAction(text: string): Action {
  const first = text.indexOf(':')
  const second = text.indexOf(':', first + 1)
  const question = text.indexOf('?', second)
  return {
    product: text.slice(0, first),
    namespace: text.slice(first + 1, second),
    path: text.slice(second + 1, question < 0 ? undefined : question),
    parameter: question < 0 ? undefined : text.slice(question + 1),
  }
}

/**
 * The states of the grammar as an automaton. A pattern is legal when it designates at least one legal action. A wildcard matches
 * all that is missing, and a parameter, after which anything may follow: a text that is legal up to a `*` is legal.
 */
const ProductStart = 1
const Product = 2
const NamespaceStart = 3
const Namespace = 4
const SegmentStart = 5
const Segment = 6
const Parameter = 7

const lower = (c: number) => c >= 97 && c <= 122
const letter = (c: number) => lower(c) || (c >= 65 && c <= 90)
const alphanumeric = (c: number) => letter(c) || (c >= 48 && c <= 57)
const inSegment = (c: number) => alphanumeric(c) || c === 46 || c === 95 || c === 45

/**
 * The state after a character, or 0 where it is not allowed. `more`: the path may go on after a `:`, as in no action, so that a
 * pattern with one is understood and matches nothing.
 */
function step(state: number, c: number, more: boolean): number {
  switch (state) {
    case ProductStart:
      return lower(c) ? Product : 0
    case Product:
      return alphanumeric(c) ? Product : c === 58 ? NamespaceStart : 0
    case NamespaceStart:
      return letter(c) ? Namespace : 0
    case Namespace:
      return alphanumeric(c) ? Namespace : c === 58 ? SegmentStart : 0
    case SegmentStart:
      return inSegment(c) ? Segment : 0
    case Segment:
      return inSegment(c) ? Segment : c === 47 || (more && c === 58) ? SegmentStart : c === 63 ? Parameter : 0
    default:
      return Parameter
  }
}

/** The state before the first character that is not allowed, and its index; the state at the end where all are. */
function follow(text: string, more = false): { readonly state: number; readonly at: number } {
  let state = ProductStart
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '*') return { state: Parameter, at: text.length }
    const next = step(state, text.charCodeAt(index), more)
    if (next === 0) return { state, at: index }
    state = next
  }
  return { state, at: text.length }
}

/** The expected text in each state, for messages; anything is right in a parameter. */
const expectations: Readonly<Record<number, string>> = {
  [ProductStart]: 'a product, which starts with a lower-case letter',
  [Product]: 'a letter, a digit or `:` in the product',
  [NamespaceStart]: 'a namespace such as `api{brand}`',
  [Namespace]: 'a letter, a digit or `:` in the namespace',
  [SegmentStart]: 'a word of the path',
  [Segment]: 'a letter, a digit, `.`, `_`, `-` or `/` in the path',
}

/** Read an action of a question: one action, no wildcard. */
export function readAction(text: string, brand = 'svc'): Read<Action> {
  const star = text.indexOf('*')
  if (star >= 0) return { faults: [{ from: star, to: star + 1, message: 'a question names one action, not a pattern' }] }
  const fault = check(text, brand)
  if (!fault) return { value: partsOfAction(text) }
  const { suggestion, ...rest } = fault
  return { faults: [suggestion?.includes('*') ? rest : fault] }
}

/** Where the path of an action or pattern holds a `:`, which no action has, so that it matches nothing; -1 where it holds none. */
export function colonInPath(text: string): number {
  const written = text.split('?', 1)[0] as string
  const second = written.indexOf(':', written.indexOf(':') + 1)
  return second < 0 ? -1 : written.indexOf(':', second + 1)
}

/** Read an action pattern of `allow`, `except` or `deny`. One with a `:` in its path is understood, and matches nothing. */
export function readActionPattern(text: string, brand = 'svc'): Read<Glob> {
  const fault = check(text, brand, true)
  return fault ? { faults: [fault] } : { value: glob(text) }
}

function check(text: string, brand: string, more = false): Fault | undefined {
  const whole = (message: string, suggestion?: string): Fault => ({ from: 0, to: text.length, message, ...(suggestion && { suggestion }) })
  const shape = `\`<product>:api${brand}:<path>\` or \`<product>:*\``
  if (text === '') return whole(`empty: expected ${shape}`)
  // A method of HTTP and a path.
  if (/^[A-Z]+ +\/\S*$/.test(text))
    return whole(`a call of the API, not an action: expected ${shape}; \`grantwise call METHOD PATH\` names the actions that it needs`)
  const blank = strayBlank(text)
  if (blank >= 0) {
    const suggestion = text.replace(/\s+/g, '')
    return {
      from: blank,
      to: blank + 1,
      message: `a space in an action: expected ${shape}`,
      stray: true,
      ...(check(suggestion, brand) === undefined && { suggestion }),
    }
  }
  const odd = strangeCharacter(text)
  if (odd) {
    const { suggestion, ...rest } = odd
    return suggestion !== undefined && isLegal(suggestion) ? odd : rest
  }
  const much = tooMuch(text)
  if (much) return much
  const isUrn = /^urn:v1:/i.test(text)
  const { state, at } = follow(text, more && !isUrn)
  if (at < text.length) {
    if (isUrn) return whole(`this is a URN, and not an action: expected ${shape}`)
    const expected = (expectations[state] as string).replace('{brand}', brand)
    const suggestion = correct(text, at, brand)
    return { from: at, to: at + 1, message: `\`${text[at]}\` is not allowed here: expected ${expected}`, ...(suggestion && { suggestion }) }
  }
  if (state >= Segment) return undefined
  const missing = state <= Product ? 'the namespace and the path are' : state <= Namespace ? 'the path is' : 'the last word of the path is'
  const suggestion =
    state === Namespace && !text.endsWith(`:api${brand}`)
      ? withNamespace(text, brand)
      : `${text.replace(/[:/]$/, '')}${text.endsWith('/') ? '/' : ':'}*`
  return whole(`incomplete: ${missing} missing: expected ${shape}`, isLegal(suggestion) ? suggestion : undefined)
}

/** The first space outside the free text of a parameter, or -1. */
function strayBlank(text: string): number {
  const blank = text.search(/\s/)
  return text.slice(0, blank).includes('?') ? -1 : blank
}

/** The likeliest legal text: capitals at the start of a product, a slash or dot for a colon, a doubled separator. */
function correct(text: string, index: number, brand: string): string | undefined {
  const [product, namespace, ...path] = text.split(/[:/.]/)
  const candidates = [
    // Other separators around the usual namespace.
    ...(namespace === `api${brand}` ? [`${product}:${namespace}:${path.join('/')}`] : []),
    // A path in place of the namespace: the namespace is missing.
    ...(!text.slice(0, index).endsWith(`:api${brand}`) && !text.includes(':', index) ? [withNamespace(text, brand)] : []),
    text.slice(0, index) + text.charAt(index).toLowerCase() + text.slice(index + 1),
    text.slice(0, index) + text.slice(index + 1),
    `${text.slice(0, index)}:${text.slice(index + 1)}`,
    `${text.slice(0, index)}:api${brand}:${text.slice(index + 1)}`,
  ]
  return candidates.find(isLegal)
}

/** `vps:reboot` as `vps:apisvc:reboot`. */
function withNamespace(text: string, brand: string): string {
  const rest = text.indexOf(':') + 1
  return `${text.slice(0, rest)}api${brand}:${text.slice(rest)}`
}

function isLegal(text: string): boolean {
  if (tooMuch(text) || strayBlank(text) >= 0) return false
  const { state, at } = follow(text)
  return at === text.length && state >= Segment
}
