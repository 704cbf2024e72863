import { type Frame, spend } from '../frame.ts'
import type { Match, Pattern } from '../tools.ts'
import { objectOf, stringType, type Type, tupleOf, type Value } from '../types.ts'
import { listOf, longestText, mapAt, nullNode, textNode, tupleNode, withType } from '../values.ts'
import { type Builtin, builtin, type Call, ofTexts, replaceParts, text } from './support.ts'

const longestPattern = 1000
/** Instructions that are tried in one call; it takes some tens of milliseconds. */
const mostWork = 2_000_000

function compiled(pattern: string, { tools }: Frame): Pattern | undefined {
  return pattern.length > longestPattern ? undefined : tools?.compile?.(pattern)
}

/** The matches of a pattern; undefined where finding them takes too long. An empty match right behind another is none. */
function matchesOf(pattern: Pattern, subject: string, most: number, { frame, span }: Call): readonly Match[] | undefined {
  const matches: Match[] = []
  const next = pattern.next(subject)
  let work = 0
  let from = 0
  let end = -1
  while (matches.length < most) {
    // Each search may go to the end of the text.
    const cost = pattern.size * (subject.length - from + 1)
    work += cost
    if (work > mostWork) return undefined
    spend(frame.budget, cost >> 6, span)
    const match = next()
    if (!match) break
    if (match.start !== match.end || match.start !== end) matches.push(match)
    end = match.end
    from = match.end
  }
  return matches
}

/** The result of a match: all of it, or its groups, by their names where they have some. */
function resultOf({ start, end, groups }: Match, { names }: Pattern, subject: string, { span }: Call): Value {
  if (names.length === 0) return textNode(span, subject.slice(start, end))
  const values = groups.map((group) => (group === undefined ? withType(nullNode(span), stringType) : textNode(span, group)))
  if (names[0] === undefined) return tupleNode(span, values)
  const entries = names.map((name, i) => ({ key: textNode(span, name ?? ''), value: values[i] ?? nullNode(span) }))
  return mapAt(span, entries)
}

/** The type of what a match gives. */
function typeOfResult({ names }: Pattern): Type {
  if (names.length === 0) return stringType
  if (names[0] === undefined) return tupleOf(names.map(() => stringType))
  return objectOf(new Map(names.map((name) => [name ?? '', stringType])))
}

/** Groups with and without names are refused together. */
function resultsOf(
  pattern: string,
  subject: string,
  most: number,
  call: Call,
): { readonly results: readonly Value[]; readonly type: Type } | 'unknown' | undefined {
  const compiledPattern = compiled(pattern, call.frame)
  if (!compiledPattern) return 'unknown'
  if (compiledPattern.names.includes(undefined) && compiledPattern.names.some((name) => name !== undefined)) return undefined
  const matches = matchesOf(compiledPattern, subject, most, call)
  return matches
    ? { results: matches.map((match) => resultOf(match, compiledPattern, subject, call)), type: typeOfResult(compiledPattern) }
    : 'unknown'
}

/** The replacement of a match: `$1`, `$name` and `${name}` are groups, `$$` is `$`. */
function expanded(template: string, { start, end, groups }: Match, { names }: Pattern, subject: string): string {
  return template.replace(/\$(?:(\$)|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu, (_, sign?: string, braced?: string, bare?: string) => {
    if (sign !== undefined) return '$'
    const name = braced ?? bare ?? ''
    if (name === '0') return subject.slice(start, end)
    const place = /^[0-9]+$/.test(name) ? Number(name) - 1 : names.lastIndexOf(name)
    return groups[place] ?? ''
  })
}

export const patternFunctions: Readonly<Record<string, Builtin>> = {
  regex: ofTexts(([pattern = '', subject = ''], call) => {
    const found = resultsOf(pattern, subject, 1, call)
    return found === 'unknown' ? found : found?.results[0]
  }),
  regexall: ofTexts(([pattern = '', subject = ''], call) => {
    const found = resultsOf(pattern, subject, Number.POSITIVE_INFINITY, call)
    return found === 'unknown' ? found : found && listOf(call.span, found.type, found.results)
  }),
  replace: builtin('whole', (values, call) => {
    const [subject, search, by] = values.map(text)
    if (subject === undefined || search === undefined || by === undefined) return undefined
    // Slashes around it make it a regular expression.
    if (search.length < 2 || !search.startsWith('/') || !search.endsWith('/')) return replaceParts(values[0] as Value, search, by, call)
    const pattern = compiled(search.slice(1, -1), call.frame)
    const matches = pattern && matchesOf(pattern, subject, Number.POSITIVE_INFINITY, call)
    if (!pattern || !matches) return 'unknown'
    let result = ''
    let done = 0
    for (const match of matches) {
      result += subject.slice(done, match.start) + expanded(by, match, pattern, subject)
      done = match.end
      if (result.length > longestText) return 'unknown'
    }
    result += subject.slice(done)
    return result === subject && values[0]?.kind === 'text' ? values[0] : textNode(call.span, result)
  }),
}
