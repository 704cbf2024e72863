import { isLineBreakUnit, type PlainRange, position, type Range, type Source, type Span } from '../source.ts'
import { type IgnoreComment, ignoreInComment } from './comments.ts'
import type { HoleSigns, PlacedText } from './embedded.ts'
import { literalPieces, type Piece, type Pipeline, type Quoting, readShell, type ShellString } from './shell.ts'

/**
 * The JSON and YAML that commands of a shell script are given: in quotes, heredocs and here strings. Only what has a word of
 * policies is looked at.
 */

/** A string that may hold a policy. */
export interface CommandText {
  readonly notation: 'json' | 'yaml'
  readonly placed: PlacedText
  /** Where it begins: to the end of that line, or a part of a long one. */
  readonly opening: Span
  /** Where the command begins, for what is written above it; absent where it is no command. */
  readonly command?: number
  /** It is sent to the service as a policy: what is wrong in it is a mistake, even where it cannot be read. */
  readonly isBody: boolean
  /** The expansions outside of its strings, which may be any part of it. */
  readonly hasParts: boolean
  /** The stretches of the file in which a fix may write, with the characters that it must not write there. */
  readonly plain: readonly PlainRange[]
  /** The comment above the command. */
  readonly ignore?: IgnoreComment
}

export interface CommandTexts {
  readonly texts: readonly CommandText[]
  /** The comments that are about a command, and those that no command follows. */
  readonly ignores: readonly IgnoreComment[]
  /** The files that are sent to the service as policies. */
  readonly files: readonly { readonly name: string; readonly span: Span }[]
  /** There are more commands than are read. */
  readonly isCut?: boolean
}

/** A script within a file: all of it, or a step of a pipeline. */
export interface Script {
  readonly text: string
  /** The place in the file of each UTF-16 unit, and where its notation ends; absent where the script is the file. */
  readonly starts?: readonly number[]
  readonly ends?: readonly number[]
  /** Its characters are those of the file, apart from the indentation. */
  readonly isLiteral: boolean
  /** Another program replaces `${{ … }}` in it. */
  readonly hasExpressions: boolean
}

/** Words of policies other than URNs. */
export const policyWords = ['identities', 'permissions', 'policies', 'permissionsGroups', 'resourceGroups', 'accessRules'] as const

/** Whether a string may hold a policy, by its words. */
export function hasPolicyWord(text: string): boolean {
  return text.includes('urn:v1:') || policyWords.some((word) => text.includes(word))
}

/** A call of the service that takes a policy or a group: its address, or a command line client. */
const endpoint = /\/iam\/(?:policy|permissionsGroup|resourceGroup)(?![A-Za-z])/
const clientNouns = /^(?:polic(?:y|ies)|permissions?-groups?|resource-groups?)$/
/** Programs that are given programs: JSON is only a part of what they read. */
const interpreters = /^(?:jq|gojq|jaq|yq|python[0-9.]*|node|deno|bun|ruby|perl|php|g?awk|sed|psql|sqlite3|mysql|(?:ba|z|da|k|)sh|ssh)$/
const notNames = /^(?:if|then|elif|else|do|while|until|!|\{|sudo|time|env|command|exec|[A-Za-z_]\w*\+?=.*)$/s
const dataOption = /^(?:-[A-Za-z]*d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json|--post-file|--body-file)=?/

/** A longer string, or one of more pieces and expansions, is not looked at. */
const longest = 2 ** 20
const mostPieces = 20_000
const mostHoles = 200

/** Whether a text has an address of the service that takes policies. */
export function isServiceAddress(text: string): boolean {
  return endpoint.test(text)
}

/** A script that is a JSON text itself, such as one that is given to an action; undefined where it may hold no policy. */
export function literalText(source: Source, script: Script, isBody: boolean): CommandText | undefined {
  const { text } = script
  const { at, endAt } = placesOf(script)
  const pieces: Piece[] = []
  literalPieces(text, 0, text.length, 'raw', true, pieces)
  return commandText(source, script, { kind: 'here-string', pieces, start: 0, end: text.length }, isBody, at, endAt)
}

function placesOf(script: Script) {
  const at = (offset: number) => script.starts?.[offset] ?? offset
  return { at, endAt: (offset: number) => (offset === 0 ? at(0) : (script.ends?.[offset - 1] ?? offset)) }
}

/** The strings of a script that may hold policies. `source`: the file. */
export function commandTexts(source: Source, script: Script): CommandTexts {
  if (!hasPolicyWord(script.text) && !endpoint.test(script.text)) return { texts: [], ignores: [], files: [] }
  const { pipelines, comments, isCut } = readShell(script.text, script.hasExpressions)
  const { at, endAt } = placesOf(script)
  const ignores = ignoresAbove(source, script, pipelines, comments, at, endAt)
  const isBody = bodies(script.text, pipelines)
  const texts: CommandText[] = []
  const files: { name: string; span: Span }[] = []
  for (const pipeline of pipelines) {
    for (const { strings } of pipeline.commands) {
      const isProgram = interpreters.test(commandName(script.text, strings))
      for (const [i, string] of strings.entries()) {
        const file = isBody(pipeline) ? fileIn(script.text, strings[i - 1], string) : undefined
        if (file) files.push({ name: file.name, span: { source, start: at(file.start), end: endAt(file.end) } })
        const text = commandText(source, script, string, isBody(pipeline) && !isProgram, at, endAt)
        const ignore = text && ignores.find(({ line, lastLine }) => lastLine !== undefined && isOnLines(text.opening, line, lastLine))
        if (text) texts.push({ ...text, command: at(outermost(pipeline).start), ...(ignore && { ignore }) })
      }
    }
  }
  texts.sort((a, b) => a.opening.start - b.opening.start)
  return { texts, ignores, files, isCut }
}

function outermost(pipeline: Pipeline): Pipeline {
  let outer = pipeline
  while (outer.outer) outer = outer.outer
  return outer
}

function isOnLines({ source, start }: Span, first: number, last: number): boolean {
  const { line } = position(source, start)
  return first <= line && line <= last
}

function commandName(script: string, strings: readonly ShellString[]): string {
  for (const { kind, start, end } of strings) {
    const word = kind === 'word' ? script.slice(start, Math.min(end, start + 200)) : '{'
    if (!notNames.test(word)) return word.slice(word.lastIndexOf('/') + 1)
  }
  return ''
}

/** The file that an option sends: `-d @policy.json`. */
function fileIn(script: string, before: ShellString | undefined, { kind, start, end }: ShellString) {
  if (kind !== 'word' || end - start > 300) return undefined
  const word = script.slice(start, end)
  const option = dataOption.exec(word)?.[0] ?? ''
  if (option === '' && !(before && dataOption.exec(script.slice(before.start, before.end))?.[0].length === before.end - before.start))
    return undefined
  const name = /^["']?@([\w@%+,./~-]*\.[\w.]+)["']?$/.exec(word.slice(option.length))?.[1]
  return name === undefined || name === '' ? undefined : { name, start, end }
}

/** Finds the pipelines that send what is in them to the service. */
function bodies(script: string, pipelines: readonly Pipeline[]): (pipeline: Pipeline) => boolean {
  const calls = new Set(pipelines.filter((pipeline) => isCall(script, pipeline)))
  const sent = new Set<string>()
  for (const { commands } of calls)
    for (const { strings } of commands)
      for (const { pieces } of strings)
        for (const { kind, start, end } of pieces)
          if (kind === 'hole' && end - start < 100) sent.add(script.slice(start, end).replace(/^\$\{?|\}$/g, ''))
  const results = new Map<Pipeline, boolean>()
  const isBody = (pipeline: Pipeline): boolean => {
    const before = results.get(pipeline)
    if (before !== undefined) return before
    const result =
      calls.has(pipeline) ||
      (sent.size > 0 && assignedIn(script, pipeline).some((name) => sent.has(name))) ||
      (pipeline.outer !== undefined && isBody(pipeline.outer))
    results.set(pipeline, result)
    return result
  }
  return isBody
}

function isCall(script: string, { commands }: Pipeline): boolean {
  return commands.some(({ strings }) =>
    strings.some(({ kind, start, end }, i) => {
      if (kind !== 'word' || end - start > 2000) return false
      const word = script.slice(start, end)
      if (word !== 'iam') return endpoint.test(word)
      const next = strings[i + 1]
      return next !== undefined && clientNouns.test(script.slice(next.start, next.end))
    }),
  )
}

/** The variables that the commands of a pipeline give values to. */
function assignedIn(script: string, { commands }: Pipeline): readonly string[] {
  return commands.flatMap(({ strings }) => {
    const words = strings.filter(({ kind }) => kind === 'word').map(({ start, end }) => script.slice(start, Math.min(end, start + 100)))
    const names = words.flatMap((word) => /^([A-Za-z_]\w*)\+?=/.exec(word)?.[1] ?? [])
    const last = words.at(-1)
    return words[0] === 'read' && last !== undefined ? [...names, last] : names
  })
}

/** A string as one that may hold a policy; undefined where it holds none. */
function commandText(
  source: Source,
  script: Script,
  string: ShellString,
  isBody: boolean,
  placeAt: (offset: number) => number,
  endAt: (offset: number) => number,
): CommandText | undefined {
  const pieces = valuePieces(script.text, string)
  const [first] = pieces
  if (string.end - string.start > longest) return undefined
  const start = first && firstCharacter(script.text, pieces)
  if (!first || !start || !hasPolicyWord(script.text.slice(string.start, string.end))) return undefined
  const notation = start === '{' || start === '[' ? 'json' : string.kind === 'heredoc' ? 'yaml' : undefined
  if (notation === undefined || (notation === 'yaml' && !isLikePolicy(script.text.slice(string.start, string.end)))) return undefined
  const signs: HoleSigns = { inString: '\ue000', value: '\ue001', scope: `${source.path}:${placeAt(string.start)}` }
  if (pieces.length > mostPieces || pieces.filter(({ kind }) => kind === 'hole').length > mostHoles) return undefined
  const marked = markedText(script.text, pieces, notation, signs)
  if (!marked) return undefined
  const { text, starts, ends } = marked
  const opening = placeAt(first.start)
  return {
    notation,
    isBody: isBody && notation === 'json',
    hasParts: marked.hasParts,
    placed: {
      text,
      holes: signs,
      at: (offset) => placeAt(starts[offset] ?? ends.at(-1) ?? first.start),
      endAt: (offset) => (offset === 0 ? opening : endAt(ends[Math.min(offset, ends.length) - 1] as number)),
    },
    opening: { source, start: opening, end: Math.max(opening, lineEnd(source.text, opening)) },
    plain: script.isLiteral ? pieces.flatMap((piece) => plainRange(piece, placeAt, endAt)) : [],
  }
}

/** The pieces of the value, without the option or the name of the variable in front of it. */
function valuePieces(script: string, { kind, pieces }: ShellString): readonly Piece[] {
  if (kind !== 'word') return pieces
  const from = pieces.findIndex((piece) => piece.quoting !== 'bare' || /[{[]/.test(script.slice(piece.start, piece.end)))
  return from < 0 ? [] : pieces.slice(from)
}

function firstCharacter(script: string, pieces: readonly Piece[]): string | undefined {
  for (const { kind, value, start, end } of pieces) {
    if (kind === 'hole') return undefined
    const match = /\S/.exec(value ?? script.slice(start, Math.min(end, start + 2000)))
    if (match) return match[0]
  }
  return undefined
}

/** Whether lines look like a policy in YAML: most of what heredocs hold is something else. */
function isLikePolicy(text: string): boolean {
  return /^(?:- | {0,8})(?:identities|policies):/m.test(text)
}

/** The value with signs in place of the expansions; undefined where it holds a sign itself. */
function markedText(script: string, pieces: readonly Piece[], notation: 'json' | 'yaml', { inString, value: whole }: HoleSigns) {
  const starts: number[] = []
  const ends: number[] = []
  const written = script.slice(pieces[0]?.start, pieces.at(-1)?.end)
  let text = ''
  let isInString = false
  let isEscaped = false
  let hasParts = false
  const add = (unit: string, start: number, end: number) => {
    text += unit
    starts.push(start)
    ends.push(end)
    if (isEscaped) isEscaped = false
    else if (unit === '"') isInString = !isInString
    else if (unit === '\\') isEscaped = isInString
  }
  for (const { kind, value, start, end } of pieces) {
    if (kind === 'escape') for (const unit of (value ?? '').split('')) add(unit, start, end)
    else if (kind === 'literal') for (let i = start; i < end; i++) add(script[i] as string, i, i + 1)
    else if (notation === 'yaml' || isInString) add(inString, start, end)
    else {
      hasParts = true
      for (const unit of ['"', whole, '"']) add(unit, start, end)
    }
  }
  const holds = (sign: string) => written.includes(sign)
  return holds(inString) || holds(whole) ? undefined : { text, starts, ends, hasParts }
}

/** The characters that end or expand what is quoted. */
const reserved: Readonly<Record<Quoting, string | undefined>> = {
  bare: undefined,
  double: undefined,
  single: "'",
  raw: '',
  heredoc: '$`\\',
}

function plainRange({ kind, quoting, start, end }: Piece, at: (offset: number) => number, endAt: (offset: number) => number): PlainRange[] {
  const signs = reserved[quoting]
  return kind === 'literal' && signs !== undefined && end > start ? [{ start: at(start), end: endAt(end), reserved: signs }] : []
}

/** How much of a line is named as the place of a string. */
const longestOpening = 200

function lineEnd(text: string, at: number): number {
  let end = at
  while (end < Math.min(text.length, at + longestOpening) && !isLineBreakUnit(text.charCodeAt(end))) end++
  return end
}

/** The end of a pipeline and of those that begin on its last line, as in `test -n "$ID" && curl …`. */
function endOfLines(script: string, pipelines: readonly Pipeline[], first: number): number {
  let { end } = pipelines[first] as Pipeline
  for (let next = first + 1; next < pipelines.length; next++) {
    const { start, end: nextEnd } = pipelines[next] as Pipeline
    if (start > end && script.slice(end, start).includes('\n')) break
    end = Math.max(end, nextEnd)
  }
  return end
}

function isOnlyComments(lines: string): boolean {
  return lines.split('\n').every((line) => /^\s*(?:#|$)/.test(line))
}

/** The comments that suppress findings, each with the lines of the command below it. */
function ignoresAbove(
  source: Source,
  script: Script,
  pipelines: readonly Pipeline[],
  comments: readonly Range[],
  placeAt: (offset: number) => number,
  endAt: (offset: number) => number,
): readonly IgnoreComment[] {
  const ignores: IgnoreComment[] = []
  let next = 0
  for (const comment of comments) {
    const ignore = ignoreInComment({ source, start: placeAt(comment.start), end: endAt(comment.end) })
    if (!ignore) continue
    while (next < pipelines.length && (pipelines[next] as Pipeline).start < comment.end) next++
    const below = pipelines[next]
    const isAbove = below && isOnlyComments(script.text.slice(comment.end, Math.min(below.start, comment.end + 4000)))
    if (!isAbove) ignores.push(ignore)
    else {
      const line = position(source, placeAt(below.start)).line
      ignores.push({ ...ignore, line, lastLine: position(source, endAt(endOfLines(script.text, pipelines, next))).line })
    }
  }
  return ignores
}
