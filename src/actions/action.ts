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
 * The grammar as an automaton: each state is a bit, so that a set of states is a number and a wildcard, which may stand
 * for anything, is "every state reachable from here". A pattern is legal when it designates at least one legal action.
 */
const ProductStart = 1
const Product = 2
const NamespaceStart = 4
const Namespace = 8
const SegmentStart = 16
const Segment = 32
const Parameter = 64
const accepting = Segment | Parameter

const lower = (c: number) => c >= 97 && c <= 122
const letter = (c: number) => lower(c) || (c >= 65 && c <= 90)
const alphanumeric = (c: number) => letter(c) || (c >= 48 && c <= 57)
const inSegment = (c: number) => alphanumeric(c) || c === 46 || c === 95 || c === 45

function step(states: number, c: number): number {
  let next = 0
  if (states & ProductStart && lower(c)) next |= Product
  if (states & Product) next |= alphanumeric(c) ? Product : c === 58 ? NamespaceStart : 0
  if (states & NamespaceStart && letter(c)) next |= Namespace
  if (states & Namespace) next |= alphanumeric(c) ? Namespace : c === 58 ? SegmentStart : 0
  if (states & SegmentStart && inSegment(c)) next |= Segment
  if (states & Segment) next |= inSegment(c) ? Segment : c === 47 ? SegmentStart : c === 63 ? Parameter : 0
  if (states & Parameter) next |= Parameter
  return next
}

/** Every state reachable from the given ones: the states lie in a line, and the last three are a loop. */
function afterWildcard(states: number): number {
  let lowest = states & -states
  if (lowest === Segment) lowest = SegmentStart
  return 127 & ~(lowest - 1)
}

const expectations: readonly (readonly [number, string])[] = [
  [ProductStart, 'a product, which starts with a lower-case letter'],
  [Product, 'a letter, a digit or `:` in the product'],
  [NamespaceStart, 'a namespace such as `api{brand}`'],
  [Namespace, 'a letter, a digit or `:` in the namespace'],
  [SegmentStart, 'a word of the path'],
  [Segment, 'a letter, a digit, `.`, `_`, `-` or `/` in the path'],
]

/** Read an action of a question: one action, no wildcard. */
export function readAction(text: string, brand = 'svc'): Read<Action> {
  const star = text.indexOf('*')
  if (star >= 0) return { faults: [{ from: star, to: star + 1, message: 'a question names one action, not a pattern' }] }
  const fault = check(text, brand)
  if (!fault) return { value: partsOfAction(text) }
  const { suggestion, ...rest } = fault
  return { faults: [suggestion?.includes('*') ? rest : fault] }
}

/** Read an action pattern of `allow`, `except` or `deny`. */
export function readActionPattern(text: string, brand = 'svc'): Read<Glob> {
  const fault = check(text, brand)
  return fault ? { faults: [fault] } : { value: glob(text) }
}

function check(text: string, brand: string): Fault | undefined {
  const whole = (message: string, suggestion?: string): Fault => ({ from: 0, to: text.length, message, ...(suggestion && { suggestion }) })
  const shape = `\`<product>:api${brand}:<path>\` or \`<product>:*\``
  if (text === '') return whole(`empty: expected ${shape}`)
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
  let states = ProductStart
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    const next = c === 42 ? afterWildcard(states) : step(states, c)
    if (next === 0) {
      if (/^urn:v1:/i.test(text)) return whole(`this is a URN, and not an action: expected ${shape}`)
      const expected = expectations.find(([state]) => states & state)?.[1].replace('{brand}', brand) ?? shape
      const suggestion = correct(text, i, states, brand)
      return { from: i, to: i + 1, message: `\`${text[i]}\` is not allowed here: expected ${expected}`, ...(suggestion && { suggestion }) }
    }
    states = next
  }
  if (states & accepting) return undefined
  const missing =
    states & (ProductStart | Product)
      ? 'the namespace and the path are'
      : states & (NamespaceStart | Namespace)
        ? 'the path is'
        : 'the last word of the path is'
  const suggestion =
    states & Namespace && !text.endsWith(`:api${brand}`)
      ? withNamespace(text, brand)
      : `${text.replace(/[:/]$/, '')}${states & SegmentStart && text.endsWith('/') ? '/' : ':'}*`
  return whole(`incomplete: ${missing} missing: expected ${shape}`, isLegal(suggestion) ? suggestion : undefined)
}

/** The first space outside the free text of a parameter, or -1. */
function strayBlank(text: string): number {
  const blank = text.search(/\s/)
  return text.slice(0, blank).includes('?') ? -1 : blank
}

/** The likeliest legal text: capitals at the start of a product, a slash or dot for a colon, a doubled separator. */
function correct(text: string, at: number, states: number, brand: string): string | undefined {
  const [product, namespace, ...path] = text.split(/[:/.]/)
  const candidates = [
    // Other separators around the usual namespace.
    ...(namespace === `api${brand}` ? [`${product}:${namespace}:${path.join('/')}`] : []),
    // A path in place of the namespace: the namespace is missing.
    ...(states & Namespace && !text.slice(0, at).endsWith(`:api${brand}`) && !text.includes(':', at) ? [withNamespace(text, brand)] : []),
    text.slice(0, at) + text.charAt(at).toLowerCase() + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    `${text.slice(0, at)}:${text.slice(at + 1)}`,
    ...(states & Product ? [`${text.slice(0, at)}:api${brand}:${text.slice(at + 1)}`] : []),
  ]
  return candidates.find((candidate) => candidate !== text && isLegal(candidate))
}

/** `vps:reboot` as `vps:apisvc:reboot`. */
function withNamespace(text: string, brand: string): string {
  const rest = text.indexOf(':') + 1
  return `${text.slice(0, rest)}api${brand}:${text.slice(rest)}`
}

function isLegal(text: string): boolean {
  if (tooMuch(text) || strayBlank(text) >= 0) return false
  let states = ProductStart
  for (let i = 0; i < text.length && states; i++) states = text[i] === '*' ? afterWildcard(states) : step(states, text.charCodeAt(i))
  return (states & accepting) !== 0
}
