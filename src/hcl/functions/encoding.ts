import { sourceOf } from '../../source.ts'
import type { Node } from '../../tree.ts'
import { isExact } from '../exact.ts'
import type { Tools } from '../tools.ts'
import type { Value } from '../types.ts'
import { atSpan, longestText, sourceText, textNode } from '../values.ts'
import { type Builtin, type Call, mapped, ofTexts } from './support.ts'

const encoder = new TextEncoder()

/** Bytes as UTF-8 text; undefined where they are none. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

/** The bytes of a text in base 64, padded as the standard has it, with line breaks or not; undefined where it is none. */
function unbase64(text: string): Uint8Array | undefined {
  const plain = text.replace(/[\r\n]/g, '')
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return undefined
  return Uint8Array.from(atob(plain), (unit) => unit.charCodeAt(0))
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

type Algorithm = Parameters<NonNullable<Tools['digest']>>[0]

/** The hash of bytes as text, written in one way or the other. */
export function hashed(algorithm: Algorithm, isBase64: boolean, bytes: Uint8Array, { frame, span }: Call): Value | 'unknown' {
  const digest = frame.tools?.digest?.(algorithm, bytes)
  if (!digest) return 'unknown'
  return textNode(span, isBase64 ? base64(digest) : hexadecimal(digest))
}

function hashOf(algorithm: Algorithm, isBase64 = false): Builtin {
  return ofTexts(([text = ''], call) => hashed(algorithm, isBase64, encoder.encode(text), call))
}

/** The encodings of strings by their names; the bytes of other encodings are unknown. */
const encodings: Readonly<Record<string, { readonly encode: (text: string) => Uint8Array; readonly label: string }>> = {
  'utf-8': { encode: (text) => encoder.encode(text), label: 'utf-8' },
  'utf-16le': { encode: (text) => units(text, true), label: 'utf-16le' },
  'utf-16be': { encode: (text) => units(text, false), label: 'utf-16be' },
}

function units(text: string, isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), isLittle)
  return new Uint8Array(view.buffer)
}

function encodingOf(name: string) {
  const key = name.toLowerCase()
  return Object.hasOwn(encodings, key) ? encodings[key] : undefined
}

/** Truth values, dates and numbers of YAML 1.1. */
const older =
  /^(?:y|yes|no|n|on|off|=|<<|[-+]?\d[\d_]*_[\d_.]*(?:e[-+]?\d+)?|[-+]?0[bxo][\da-f_]+|[-+]?\.(?:inf|nan)|\d{4}-\d\d?-\d\d?(?:[Tt\s].*)?|[-+]?\d+(?::\d+)+(?:\.\d*)?)$/i

/** Numbers in decimals; others are whole. */
const decimal = /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i

/** The values of a YAML text; what the strict reader refuses is not known. */
function yamlValue(text: string, { frame, span }: Call): Value | 'unknown' | undefined {
  const source = sourceOf(span.source.path, text, span.source.notation)
  const reading = frame.tools?.readYaml?.(source)
  if (!reading) return 'unknown'
  const [document, second] = reading.documents
  if (!document || second || reading.refused || reading.diagnostics.some(({ severity }) => severity === 'error')) return 'unknown'
  return isPlain(document) ? atSpan(document, span) : 'unknown'

  /** Whether nothing in it is a scalar that older versions of YAML, which the language follows in part, take for something else. */
  function isPlain(node: Node): boolean {
    if (node.kind === 'list') return node.items.every(isPlain)
    if (node.kind === 'map') return node.entries.every(({ key, value }) => isPlain(key) && isPlain(value))
    if (node.kind === 'number')
      return decimal.test(sourceText(node)) ? isExact(sourceText(node), node.value) : Number.isSafeInteger(node.value)
    return node.kind !== 'text' || /['"|>]/.test(text[node.start] ?? '') || !older.test(node.value)
  }
}

export const encodingFunctions: Readonly<Record<string, Builtin>> = {
  base64encode: mapped((text) => base64(encoder.encode(text))),
  base64decode: mapped((text) => {
    const bytes = unbase64(text)
    return bytes && decoded(bytes)
  }),
  textencodebase64: ofTexts(([text = '', name = ''], { span }) => {
    const encoding = encodingOf(name)
    return encoding ? textNode(span, base64(encoding.encode(text))) : 'unknown'
  }),
  textdecodebase64: ofTexts(([text = '', name = ''], { span }) => {
    const encoding = encodingOf(name)
    if (!encoding) return 'unknown'
    const bytes = unbase64(text)
    if (!bytes) return undefined
    try {
      return textNode(span, new TextDecoder(encoding.label, { fatal: true, ignoreBOM: true }).decode(bytes))
    } catch {
      return 'unknown'
    }
  }),
  md5: hashOf('md5'),
  sha1: hashOf('sha1'),
  sha256: hashOf('sha256'),
  sha512: hashOf('sha512'),
  base64sha256: hashOf('sha256', true),
  base64sha512: hashOf('sha512', true),
  yamldecode: ofTexts(([text = ''], call) => (text.length > longestText ? 'unknown' : yamlValue(text, call))),
}
