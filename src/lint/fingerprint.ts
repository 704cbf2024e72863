import type { Diagnostic } from '../diagnostic.ts'
import { isExampleNotation, type Notation, type Source, type Span } from '../source.ts'
import { sha256 } from './sha256.ts'

/**
 * The identity of a finding, as 32 hexadecimal digits: of its code, the name of the policy and the value it was found at. No
 * line, no file and no message is included, so that neither edits elsewhere nor better wording change it. It is cut from a
 * cryptographic hash: no value can be crafted to have the fingerprint of another.
 */
export function fingerprint({ code }: Pick<Diagnostic, 'code'>, policyName: string | undefined, value: string): string {
  return sha256(JSON.stringify([code, policyName ?? null, value])).slice(0, 32)
}

/**
 * The text of a span as it counts for a fingerprint: each run of blanks as one, and a text, or a key with its text, as JSON has
 * it, without the quotes at both ends. It is the same however a notation writes these.
 */
export function valueText({ source: { text: whole, notation }, start, end }: Span): string {
  const text = whole.slice(start, end).trim().replace(/\s+/g, ' ')
  const value = scalarOf(text, notation)
  if (value !== undefined) return JSON.stringify(value).slice(1, -1)
  const entry = entryOf(text, notation)
  if (entry) return `${JSON.stringify(entry[0]).slice(1)}: ${JSON.stringify(entry[1]).slice(0, -1)}`
  const isQuoted = text.length > 1 && (text[0] === '"' || text[0] === "'") && text.at(-1) === text[0]
  return isQuoted ? text.slice(1, -1) : text
}

/** The key and the text of an entry of a map; undefined where it is none, or holds something else. */
function entryOf(text: string, notation: Notation): readonly [string, string] | undefined {
  const quoted = quotedAt(text)
  const cut = quoted ? /^ ?[:=] ?/.exec(quoted.rest)?.[0].length : undefined
  const [key, rest] =
    quoted && cut !== undefined
      ? [quoted.value, quoted.rest.slice(cut)]
      : (separated(text, ': ', hasPlainTexts(notation)) ?? separated(text, ' = ', notation === 'hcl') ?? [])
  const value = rest === undefined ? undefined : scalarOf(rest, notation)
  return key === undefined || value === undefined ? undefined : [key, value]
}

/** The parts around a separator, where that is one in the notation and no quote or bracket is in front of it. */
function separated(text: string, by: string, isOne: boolean): readonly [string, string] | undefined {
  const at = isOne ? text.indexOf(by) : -1
  return at > 0 && isPlain(text.slice(0, at)) ? [text.slice(0, at), text.slice(at + by.length)] : undefined
}

/** A text that is written in quotes or, where the notation has such, without. */
function scalarOf(text: string, notation: Notation): string | undefined {
  const quoted = quotedAt(text)
  if (quoted) return quoted.rest === '' ? quoted.value : undefined
  return hasPlainTexts(notation) && isPlain(text) ? text : undefined
}

function hasPlainTexts(notation: Notation): boolean {
  return notation === 'yaml' || isExampleNotation(notation)
}

/** Whether YAML reads it as a string, or a key, without quotes. */
function isPlain(text: string): boolean {
  return /^[^[\]{}#&*!|>'"%@`,]/.test(text) && !text.includes(': ') && !text.endsWith(':')
}

/** The text in quotes that a text begins with, and what follows it. */
function quotedAt(text: string): { readonly value: string; readonly rest: string } | undefined {
  const quote = text[0]
  if (quote !== '"' && quote !== "'") return undefined
  let end = 1
  while (end < text.length && (text[end] !== quote || (quote === "'" && text[end + 1] === quote)))
    end += text[end] === quote || (quote === '"' && text[end] === '\\') ? 2 : 1
  if (end >= text.length) return undefined
  const inner = text.slice(1, end)
  return { value: quote === "'" ? inner.replaceAll("''", "'") : unescaped(inner), rest: text.slice(end + 1) }
}

/** The string in double quotes; unchanged where it is not legal JSON. */
function unescaped(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return inner
  }
}

/**
 * The fingerprint of each finding, in the same order. Where several are the same, the second has `:2` appended, and so
 * on: each is then unique, and how many there are is part of what is compared.
 */
export function fingerprints(findings: readonly Diagnostic[]): readonly string[] {
  const counts = new Map<string, number>()
  // Many findings may be about one long span.
  const fingerprintsBySource = new Map<Source, Map<string, string>>()
  return findings.map((finding) => {
    const { code, policy, span } = finding
    const ofSource = fingerprintsBySource.get(span.source) ?? new Map<string, string>()
    fingerprintsBySource.set(span.source, ofSource)
    const key = JSON.stringify([span.start, span.end, code, policy])
    const ownFingerprint = ofSource.get(key) ?? fingerprint(finding, policy, valueText(span))
    ofSource.set(key, ownFingerprint)
    return numbered(ownFingerprint, counts)
  })
}

/** A text, with `:2` and so on when it was met before. */
export function numbered(text: string, counts: Map<string, number>): string {
  const count = (counts.get(text) ?? 0) + 1
  counts.set(text, count)
  return count === 1 ? text : `${text}:${count}`
}

/** How many characters of a text go into the hash of a line. */
const window = 100
const factor = 37
const endOfFile = 0xffff

/**
 * The hash of each line (from 0) as code scanning computes it to know an alert again after edits: over the 100 characters
 * from the line's start that are not blanks or tabs, line breaks counted as LF and the end of the file as U+FFFF followed
 * by zeros, each added after multiplying by 37, in 64 bits; then `:` and how many lines up to here have this hash.
 */
export function lineHashes(text: string): readonly string[] {
  const { units, starts } = squeeze(text)
  const out: string[] = []
  const counts = new Map<string, number>()
  // 64 bits as two halves. `gone` is what one unit counts for when it leaves: 37 to the hundredth.
  const windowPower = power(factor, window)
  let high = 0
  let low = 0
  let next = 0
  for (let i = 0; i < units.length; i++) {
    // The unit that comes in.
    const grown = low * factor + (units[i] as number)
    high = (Math.imul(high, factor) + Math.floor(grown / 2 ** 32)) >>> 0
    low = grown >>> 0
    // The one that leaves.
    const leavingUnit = i < window ? 0 : (units[i - window] as number)
    if (leavingUnit !== 0) {
      const lost = leavingUnit * windowPower.low
      const rest = low - (lost % 2 ** 32)
      high = (high - Math.imul(leavingUnit, windowPower.high) - Math.floor(lost / 2 ** 32) - (rest < 0 ? 1 : 0)) >>> 0
      low = rest >>> 0
    }
    if (i - window + 1 !== starts[next]) continue
    next++
    const hash = high === 0 ? low.toString(16) : high.toString(16) + low.toString(16).padStart(8, '0')
    const count = (counts.get(hash) ?? 0) + 1
    counts.set(hash, count)
    out.push(`${hash}:${count}`)
  }
  return out
}

/** The UTF-16 units that are hashed, with zeros up to the end of the last window, and where lines start among them. */
function squeeze(text: string): { readonly units: Uint16Array; readonly starts: readonly number[] } {
  const units = new Uint16Array(text.length + 1 + window)
  const starts = [0]
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x20 || unit === 0x09 || (unit === 0x0a && text.charCodeAt(i - 1) === 0x0d)) continue
    const isBreak = unit === 0x0a || unit === 0x0d
    units[length++] = isBreak ? 0x0a : unit
    if (isBreak) starts.push(length)
  }
  units[length++] = endOfFile
  return { units: units.subarray(0, length + window), starts }
}

function power(base: number, exponent: number): { readonly high: number; readonly low: number } {
  let high = 0
  let low = 1
  for (let i = 0; i < exponent; i++) {
    const product = low * base
    high = (Math.imul(high, base) + Math.floor(product / 2 ** 32)) >>> 0
    low = product >>> 0
  }
  return { high, low }
}
