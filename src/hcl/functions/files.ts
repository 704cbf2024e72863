import { glob, matches } from '../../glob.ts'
import type { Node } from '../../tree.ts'
import { type Frame, noNames, spend } from '../frame.ts'
import { readTemplate } from '../json.ts'
import { stringType, type Value } from '../types.ts'
import { booleanAt, Exhausted, isUnknown, longestText, setAt, textNode, textOf } from '../values.ts'
import { base64, decoded, hashed } from './encoding.ts'
import { type Builtin, builtin, type Call, ofTexts, type Result, text, wholeText } from './support.ts'

/** The content of a file next to the configuration; undefined where it may not or cannot be read. */
function fileAt(path: string, { names, tools }: Frame): Uint8Array | 'missing' | undefined {
  const place = names.place?.(path)
  return place === undefined ? undefined : tools?.files?.read(place)
}

/** The same; `unknown` where it cannot be read, or is longer than any text may be. */
function bytesOf(path: string, { frame, span }: Call): Uint8Array | 'missing' | 'unknown' {
  const bytes = fileAt(path, frame)
  if (bytes === undefined) return 'unknown'
  if (bytes === 'missing') return 'missing'
  spend(frame.budget, 16 + (bytes.length >> 6), span)
  return bytes.length > longestText ? 'unknown' : bytes
}

/** A function of what a file holds. A file that is not there is an error, as it is for who applies the configuration. */
function ofFile(give: (bytes: Uint8Array, call: Call) => Result): Builtin {
  return ofTexts(([path = ''], call) => {
    const bytes = bytesOf(path, call)
    return bytes === 'unknown' ? 'unknown' : bytes === 'missing' ? undefined : give(bytes, call)
  })
}

/** A template with values for its names, which are all that it knows. What is found in it is reported at the call. */
function rendered(template: string, values: Value, { frame, span, evaluate }: Call): Result {
  if (values.kind !== 'map') return isUnknown(values) ? 'unknown' : undefined
  spend(frame.budget, template.length >> 4, span)
  const expression = readTemplate(span.source.path, template)
  if (!expression) return 'unknown'
  const { files: _, ...tools } = frame.tools ?? {}
  const bound = new Map(values.entries.map(({ key, value }) => [key.value, value as Value]))
  const inner: Frame = { names: noNames, bound, scope: frame.scope, budget: frame.budget, tools }
  try {
    const value = evaluate(expression, inner)
    const renderedText = textOf(value)
    if (renderedText !== undefined) return textNode(span, renderedText)
    if (isUnknown(value)) return wholeText(value.pieces, value.expression, span, frame)
    return value.kind === 'null' ? undefined : 'unknown'
  } catch (error) {
    if (error instanceof Exhausted) throw new Exhausted(span, error.message)
    throw error
  }
}

/** Whether a path is one that a pattern of `*` and `**` means. */
function fits(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return path.length === 0
  if (first === '**') return Array.from({ length: path.length + 1 }, (_, i) => i).some((skipped) => fits(rest, path.slice(skipped)))
  const [name, ...below] = path
  return name !== undefined && matches(glob(first), name) && fits(rest, below)
}

/** The most `**` in one pattern: each may match any number of folders. */
const mostDeep = 2

export const fileFunctions: Readonly<Record<string, Builtin>> = {
  file: ofFile((bytes, { span }) => {
    const given = decoded(bytes)
    return given === undefined ? undefined : textNode(span, given)
  }),
  filebase64: ofFile((bytes, { span }) => textNode(span, base64(bytes))),
  filemd5: ofFile((bytes, call) => hashed('md5', false, bytes, call)),
  filesha1: ofFile((bytes, call) => hashed('sha1', false, bytes, call)),
  filesha256: ofFile((bytes, call) => hashed('sha256', false, bytes, call)),
  filesha512: ofFile((bytes, call) => hashed('sha512', false, bytes, call)),
  filebase64sha256: ofFile((bytes, call) => hashed('sha256', true, bytes, call)),
  filebase64sha512: ofFile((bytes, call) => hashed('sha512', true, bytes, call)),
  fileexists: ofTexts(([path = ''], call) => {
    const bytes = fileAt(path, call.frame)
    return bytes === undefined ? 'unknown' : booleanAt(call.span, bytes !== 'missing')
  }),
  fileset: ofTexts(([path = '', pattern = ''], { span, frame }) => {
    const parts = pattern.split('/')
    if (/[?[\]{}\\]/.test(pattern) || parts.filter((part) => part === '**').length > mostDeep) return 'unknown'
    if (parts.some((part) => part === '' || part === '.' || part === '..' || (part !== '**' && part.includes('**')))) return 'unknown'
    const place = frame.names.place?.(path)
    const names = place === undefined ? undefined : frame.tools?.files?.list(place)
    if (!names) return 'unknown'
    spend(frame.budget, names.length * parts.length, span)
    const matching = names.filter((name) => fits(parts, name.split('/'))).map((name): Node => textNode(span, name))
    return setAt(span, matching, stringType)
  }),
  templatefile: builtin('any', ([path, values], call) => {
    const name = path && text(path)
    if (name === undefined || !values) return path && isUnknown(path) ? 'unknown' : undefined
    const bytes = bytesOf(name, call)
    if (bytes === 'unknown') return 'unknown'
    const template = bytes === 'missing' ? undefined : decoded(bytes)
    return template === undefined ? undefined : rendered(template, values, call)
  }),
  templatestring: builtin('any', ([template, values], call) => {
    const given = template && text(template)
    if (given === undefined || !values) return template && isUnknown(template) ? 'unknown' : undefined
    return rendered(given, values, call)
  }),
  basename: ofTexts(([path = ''], { span }) => {
    const trimmed = path.replace(/(?<!^)\/$/, '')
    if (trimmed.includes('\\') || trimmed.includes('//')) return 'unknown'
    return textNode(span, path === '' ? '.' : trimmed === '/' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1))
  }),
  dirname: ofTexts(([path = ''], { span }) => {
    const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
    const isUnclean = folder.split('/').some((part, i) => (part === '' && i > 0) || part === '.' || part === '..')
    if (path.includes('\\') || isUnclean) return 'unknown'
    return textNode(span, folder === '' ? (path.startsWith('/') ? '/' : '.') : folder)
  }),
}
