import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { nearest } from '../nearest.ts'
import type { Source } from '../source.ts'
import type { Entry, ListNode, MapNode, TextNode } from '../tree.ts'
import { hasStray, strayCharacters } from './characters.ts'
import { limits } from './limits.ts'
import { emptyFile, type Reading, refuse, shortened, syntaxError } from './reading.ts'

/**
 * Access rules as text (docs/access-rules.md, Access rules): the address of the page that makes a token,
 * `https://host/createToken/?GET=/a&POST=/b/*`, or a list with `GET /a` on each line. Both are read to the tree of a request
 * for a credential: one for each address, one for all lines of a list.
 */

/** The parameters of the page, and of the tools around it, that say nothing about access. */
const otherParameters = ['applicationName', 'applicationDescription', 'name', 'description', 'duration']
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']

/** A line without its break and the blanks around it. */
interface Line {
  readonly start: number
  readonly end: number
}

interface State {
  readonly source: Source
  readonly diagnostics: Diagnostic[]
}

/** Whether a text begins with an access rule or an address, after blank lines and comments. Mostly decided by the first line. */
export function looksLikeRules(text: string): boolean {
  for (let lineStart = 0; lineStart < text.length; ) {
    const end = endOfLine(text, lineStart)
    // A byte order mark is taken off as blanks are.
    const line = text.slice(lineStart, Math.min(end, lineStart + 200)).trim()
    if (line !== '' && !line.startsWith('#')) return /^(?:(?:get|post|put|delete|patch)[ \t]+[/*]|https?:\/\/)/i.test(line)
    lineStart = end + 1
  }
  return false
}

/** Read such a text. One pass, never throws; what is not understood is left out, with a diagnostic at its place. */
export function readRulesText(source: Source): Reading {
  const { text } = source
  if (text.length > limits.jsonLength)
    return refuse(source, 0, 0, `the file is longer than ${limits.jsonLength} characters, the most that is read of it`, 'split it')
  const state: State = { source, diagnostics: [] }
  const documents: MapNode[] = []
  const listed: MapNode[] = []
  let isList: boolean | undefined
  for (let lineStart = text.startsWith('\ufeff') ? 1 : 0; lineStart < text.length; ) {
    const end = endOfLine(text, lineStart)
    const line = trimmed(text, lineStart, end)
    lineStart = end + 1
    if (line.start === line.end || text[line.start] === '#') continue
    const isAddress = startsAddress(text, line.start)
    isList ??= !isAddress
    if (isList && isAddress)
      add(
        state,
        line.start,
        line.end,
        'an address among the lines of a list',
        'a list has `GET /me` on each line; put the address into a separate file',
      )
    else if (isAddress) documents.push(readAddress(state, line))
    else if (!isList)
      add(
        state,
        line.start,
        line.end,
        'a line behind an address: what it is for cannot be determined',
        'a file holds addresses, or a list with `GET /me` on each line',
      )
    else {
      const rule = readLine(state, line)
      if (rule) listed.push(rule)
    }
    if (state.diagnostics.length >= limits.problems) break
  }
  const [first] = listed
  if (first) documents.push(requestOf(source, first.start, (listed.at(-1) ?? first).end, listed))
  const isEmpty = isList === undefined
  const problems = isEmpty ? [emptyFile(source)] : state.diagnostics
  return {
    documents,
    diagnostics: [...problems, ...strayCharacters(source, { controls: true })].slice(0, limits.problems),
    refused: isEmpty,
  }
}

function startsAddress(text: string, at: number): boolean {
  return /^https?:\/\//i.test(text.slice(at, at + 8))
}

function add({ source, diagnostics }: State, start: number, end: number, message: string, help?: string): void {
  diagnostics.push(syntaxError(source, start, end, message, help))
}

/** Lines end at LF, CRLF or CR: the LF of a CRLF is a line without anything. */
function endOfLine(text: string, from: number): number {
  let i = from
  while (i < text.length && text[i] !== '\n' && text[i] !== '\r') i++
  return i
}

function trimmed(text: string, from: number, to: number): Line {
  let [start, end] = [from, to]
  while (isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return { start, end }
}

function isBlank(c: string | undefined): boolean {
  return c === ' ' || c === '\t'
}

/** `GET /me`, with a comment behind it or without. */
function readLine(state: State, { start, end }: Line): MapNode | undefined {
  const { source } = state
  const { text } = source
  const words: Line[] = []
  for (let index = start; index < end; ) {
    if (isBlank(text[index])) index++
    // Behind a blank only: a path may hold the sign.
    else if (text[index] === '#') break
    else {
      const from = index
      while (index < end && !isBlank(text[index])) index++
      words.push({ start: from, end: index })
      if (words.length > 2) break
    }
  }
  const [method, path, more] = words as [Line, ...Line[]]
  const help = 'write `GET /me`: a method, a blank, a path; `#` starts a comment'
  const first = text.slice(method.start, method.end)
  if (!/^[A-Za-z]{1,20}$/.test(first)) {
    add(state, start, end, `\`${visible(shortened(text.slice(start, end)))}\` is no access rule: it does not start with a method`, help)
    return undefined
  }
  if (!path) {
    add(state, start, end, `\`${visible(first)}\` without a path: what it is about is not specified`, help)
    return undefined
  }
  if (more) {
    add(state, more.start, end, 'more than a method and a path on one line', 'a path has no blank in it; put each rule on a separate line')
    return undefined
  }
  return ruleOf(textNode(source, method, first), textNode(source, path, text.slice(path.start, path.end)))
}

/** `https://host/createToken/?GET=/a&POST=/b/*`. */
function readAddress(state: State, { start, end }: Line): MapNode {
  const { source } = state
  const { text } = source
  const rules: MapNode[] = []
  let stop = end
  for (let i = start; i < end; i++) {
    if (text[i] === '#') {
      add(state, i, end, 'what is behind `#` is not sent: no rule in it is asked for', 'leave it out, or write the sign as `%23`')
      stop = i
      break
    }
    if (isBlank(text[i])) {
      add(
        state,
        i,
        end,
        'a blank ends the address: what is behind it is not part of it',
        'write a blank as `%20`, and each address on a separate line',
      )
      stop = i
      break
    }
  }
  let query = start
  while (query < stop && text[query] !== '?') query++
  if (!/\/createToken(?:\/|$)/i.test(text.slice(start, query)))
    add(
      state,
      start,
      query,
      'not the address of a page that makes a token: its path has no `createToken`',
      'write `https://host/createToken/?GET=/me`, with the host of the API',
    )
  for (let index = query + 1; index < stop; ) {
    let to = index
    while (to < stop && text[to] !== '&') to++
    const rule = to > index ? readParameter(state, index, to) : undefined
    if (rule) rules.push(rule)
    if (state.diagnostics.length >= limits.problems) break
    index = to + 1
  }
  if (rules.length === 0 && state.diagnostics.length === 0)
    add(state, start, end, 'the address asks for no access: it has no rule', 'write the rules behind it: `?GET=/me&POST=/vps/*/reboot`')
  return requestOf(source, start, stop, rules)
}

/** `GET=/a`: a rule, or undefined where it is none. */
function readParameter(state: State, start: number, end: number): MapNode | undefined {
  const { source } = state
  const { text } = source
  let equals = start
  while (equals < end && text[equals] !== '=') equals++
  const fail = (from: number, to: number, message: string, help?: string) => {
    add(state, from, to, message, help)
    return undefined
  }
  const name = decoded(source, start, equals)
  if (!name) return fail(start, equals, 'malformed percent-encoding', 'a percent sign itself is written `%25`')
  const key = name.value
  if (otherParameters.some((other) => other.toLowerCase() === key.toLowerCase())) return undefined
  const shown = `\`${visible(shortened(key))}\``
  const isMethod = methods.includes(key.toUpperCase()) || /^[A-Z]{1,20}$/.test(key)
  if (!isMethod) {
    const bracket = key.indexOf('[')
    if (bracket > 0 && methods.includes(key.slice(0, bracket).toUpperCase()))
      return fail(
        start,
        equals,
        `${shown} is no method: brackets do not make a list here`,
        'give the method again for each path: `GET=/a&GET=/b`',
      )
    if (key.startsWith('amp;')) return fail(start, equals, `${shown} is no method: \`&amp;\` is an ampersand in HTML only`, 'write `&`')
    const suggested = nearest(key.toUpperCase(), methods) ?? nearest(key, otherParameters)
    return fail(
      start,
      Math.max(equals, start + 1),
      `${shown} is no method and nothing else that is known here`,
      suggested === undefined ? 'a rule is a method and a path: `GET=/me`' : `did you mean \`${suggested}\`?`,
    )
  }
  if (equals === end) return fail(start, end, `${shown} without a path: what it is about is not specified`, 'write `GET=/me`')
  const plus = equals + text.slice(equals, end).indexOf('+')
  if (plus >= equals)
    return fail(
      plus,
      plus + 1,
      '`+` stands for a blank to some programs and for itself to others',
      'write `%2B` for the sign, `%20` for a blank',
    )
  const path = decoded(source, equals + 1, end)
  if (!path) return fail(equals + 1, end, 'malformed percent-encoding', 'a percent sign itself is written `%25`')
  const comma = path.value.indexOf(',/')
  if (comma >= 0)
    return fail(
      equals + 1,
      end,
      'a comma does not part paths: this would be one path',
      'give the method again for each path: `GET=/a&GET=/b`',
    )
  if (hasStray(path.value))
    return fail(equals + 1, end, 'the path holds a character that does not show: it is another path than it looks', 'remove it')
  return ruleOf(name, path)
}

/** A percent-encoded stretch as it is meant, with the place of each part. Undefined where it is malformed. */
function decoded(source: Source, start: number, end: number): TextNode | undefined {
  const written = source.text.slice(start, end)
  if (!written.includes('%')) return textNode(source, { start, end }, written)
  const offsets: number[] = []
  const parts: string[] = []
  for (let index = start; index < end; ) {
    if (source.text[index] !== '%') {
      offsets.push(index)
      parts.push(source.text[index] as string)
      index++
      continue
    }
    // The bytes of one character: the first says how many there are.
    const lead = Number.parseInt(source.text.slice(index + 1, index + 3), 16)
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
    const to = index + 3 * length
    if (to > end) return undefined
    let character: string
    try {
      character = decodeURIComponent(source.text.slice(index, to))
    } catch {
      return undefined
    }
    for (let i = 0; i < character.length; i++) offsets.push(index)
    parts.push(character)
    index = to
  }
  offsets.push(end)
  return { kind: 'text', source, start, end, value: parts.join(''), offsets }
}

function textNode(source: Source, { start, end }: Line, value: string): TextNode {
  return { kind: 'text', source, start, end, value }
}

/** A rule as the object that it would be: its keys take no room, since they are not written. */
function ruleOf(method: TextNode, path: TextNode): MapNode {
  const { source, start } = method
  return { kind: 'map', source, start, end: path.end, entries: [entry('method', method), entry('path', path)] }
}

function requestOf(source: Source, start: number, end: number, rules: readonly MapNode[]): MapNode {
  const list: ListNode = { kind: 'list', source, start, end, items: rules }
  return { kind: 'map', source, start, end, entries: [entry('accessRules', list)] }
}

function entry(key: string, value: TextNode | ListNode): Entry {
  const { source, start } = value
  return { key: { kind: 'text', source, start, end: start, value: key }, value }
}
