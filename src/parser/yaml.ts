import { Composer, type Document, isMap, isScalar, isSeq, Lexer, Parser, Scalar, type YAMLMap, type Node as YamlNode } from 'yaml'
import { compareDiagnostics, type Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import type { Source } from '../source.ts'
import { withFix } from '../texts.ts'
import type { Entry, Node, TextNode } from '../tree.ts'
import { compositionProblem, loneSurrogate, strayCharacters } from './characters.ts'
import { limits } from './limits.ts'
import { duplicateKey, emptyFile, type Reading, refuse, refuseFlood, sameKey, shortened, syntaxError } from './reading.ts'
import { coreValue } from './yaml-core.ts'
import { tooManyTokens } from './yaml-tokens.ts'

/**
 * Reads YAML 1.2, core schema, with the `yaml` package. Refuses what makes a file mean something else than it shows: anchors,
 * aliases, tags, directives, merge keys, keys that are no text, keys given twice. Limits protect the package.
 *
 * Import this only for files that `readPlainYaml` hands on: no other module loads the package.
 */
export function readYaml(source: Source): Reading {
  const { text } = source
  if (text.length > limits.yamlLength) {
    return refuse(
      source,
      0,
      0,
      `the file is longer than ${limits.yamlLength} characters, and something in it is beyond the plain YAML that is read at greater length`,
      'split it into several files',
    )
  }
  const flood = tooManyTokens(text)
  if (flood >= 0) return refuseFlood(source, flood)
  const scan = scanTokens(source)
  if ('refused' in scan) return scan
  const { documents: parsed, diagnostics } = scan

  const documents: Node[] = []
  const context: Context = { source, diagnostics }
  for (const document of parsed) {
    const contents = document.contents as YamlNode
    if (!(isScalar(contents) && isBlank(contents))) documents.push(toNode(contents, context))
  }
  diagnostics.push(...strayCharacters(source, { controls: true }))
  const empty = documents.length === 0 && diagnostics.length === 0
  if (empty) diagnostics.push(emptyFile(source))
  return { documents, diagnostics: firstAtEachPlace(oneForEachMerge(diagnostics)), refused: empty }
}

const options = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  stringKeys: true,
  resolveKnownTags: false,
  strict: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const

type Parsed = Document.Parsed
type ReportError = (place: unknown, code: string, message: string, warning?: boolean) => void

/** Thrown through the package and caught here: it has no limit on the errors it collects. */
class TooManyErrors extends Error {}

/** Checks the tokens before the package builds anything from them. A limit passed refuses the file. */
function scanTokens(source: Source): { documents: Parsed[]; diagnostics: Diagnostic[] } | Reading {
  const { text } = source
  const diagnostics: Diagnostic[] = []
  const documents: Parsed[] = []
  const anchors = new Set<string>()
  const parser = new Parser()
  const composer = new Composer(options)
  let errors = 0
  const watched = composer as unknown as { onError: ReportError }
  const { onError } = watched
  watched.onError = (place, code, message, warning) => {
    if (++errors > limits.problems) throw new TooManyErrors()
    onError(place, code, message, warning)
  }

  /** Where the flow lists and maps that are open begin. */
  const flow: number[] = []
  /** From the first bracket or quote that is never closed, the package reads other things than were meant. */
  let misread = Number.POSITIVE_INFINITY
  const unclosed = (at: number, end: number, message: string, help: string) => {
    diagnostics.push(syntaxError(source, at, end, message, help))
    misread = Math.min(misread, at)
  }
  const unclosedFlow = () => {
    const flowStart = flow.at(-1) as number
    const [opener, closer] = text[flowStart] === '[' ? ['[', ']'] : ['{', '}']
    unclosed(
      flowStart,
      flowStart + 1,
      `this \`${opener}\` is never closed`,
      `close it with \`${closer}\`, and indent its lines more than the line it begins on`,
    )
    flow.length = 0
  }
  let isScalarNext = false
  let parts = 0
  try {
    for (const lexeme of new Lexer().lex(text)) {
      const tokenStart = parser.offset
      if (!isScalarNext) {
        const first = lexeme[0]
        if (first === '[' || first === '{') flow.push(tokenStart)
        else if (first === ']' || first === '}') {
          const opened = flow.pop()
          if (opened === undefined) {
            diagnostics.push(
              syntaxError(source, tokenStart, tokenStart + 1, `\`${first}\` closes nothing`, 'quote the text if it is meant as one'),
            )
            break
          }
          const closer = text[opened] === '[' ? ']' : '}'
          if (first !== closer) {
            flow.push(opened)
            unclosedFlow()
            break
          }
        } else if (lexeme === '\x18') unclosedFlow()
        else if (first === '"' || first === "'") {
          if (!isClosed(lexeme)) {
            unclosed(tokenStart, lineEnd(text, tokenStart), 'a text that is never closed begins here', `close it with \`${first}\``)
          }
        } else if (first === '&' || first === '*' || first === '!' || first === '%') {
          const refusal = refuseToken(source, tokenStart, lexeme, anchors)
          if (refusal) diagnostics.push(refusal)
          if (first === '%' && refusal) return { documents: [], diagnostics }
          if (diagnostics.length >= limits.problems) break
        }
      }
      isScalarNext = lexeme === '\x1f' && !isScalarNext
      for (const token of parser.next(lexeme)) {
        if (token.type === 'document' && ++parts > limits.yamlDocuments) return refuseDocument(source, token.offset)
        if (token.type === 'error' && ++errors > limits.problems) throw new TooManyErrors()
        for (const document of composer.next(token)) documents.push(document)
      }
      if (parser.stack.length > limits.depth && collectionsIn(parser) > limits.depth) {
        return refuse(source, tokenStart, tokenStart + 1, `more than ${limits.depth} levels of lists and maps: the file is not read`)
      }
    }
    if (flow.length > 0) unclosedFlow()
    for (const token of parser.end()) {
      if (token.type === 'document' && ++parts > limits.yamlDocuments) return refuseDocument(source, token.offset)
      for (const document of composer.next(token)) documents.push(document)
    }
    for (const document of composer.end()) documents.push(document)
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error
    for (const document of composer.end()) documents.push(document)
  }
  for (const { errors, warnings } of [...documents, composer.streamInfo()]) {
    for (const list of [errors, warnings]) {
      for (const { code, pos, message } of list) {
        if (reportedByScan.has(code)) continue
        const [start, end] = within(pos, text)
        if (start >= misread) continue
        diagnostics.push(explain(source, code, message, start, end))
      }
    }
  }
  return { documents, diagnostics }
}

function refuseDocument(source: Source, at: number): Reading {
  return refuse(source, at, at + 1, `more than ${limits.yamlDocuments} documents: the file is not read`, 'split it into several files')
}

/** Errors about anchors, aliases and tags, each of which is refused already. */
const reportedByScan: ReadonlySet<string> = new Set([
  'BAD_ALIAS',
  'ALIAS_PROPS',
  'MULTIPLE_ANCHORS',
  'MULTIPLE_TAGS',
  'BAD_PROP_ORDER',
  'TAG_RESOLVE_FAILED',
])

function collectionsIn({ stack }: Parser): number {
  let count = 0
  for (const { type } of stack) if (type === 'block-map' || type === 'block-seq' || type === 'flow-collection') count++
  return count
}

/** Whether the last character of a quoted text is the quote that closes it, and not one that belongs to the text. */
function isClosed(lexeme: string): boolean {
  const quote = lexeme.charAt(0)
  const escaping = quote === '"' ? '\\' : quote
  const last = lexeme.length - 1
  if (last === 0 || lexeme[last] !== quote) return false
  let before = last - 1
  while (before > 0 && lexeme[before] === escaping) before--
  return (last - before) % 2 === 1
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : text[end - 1] === '\r' ? end - 1 : end
}

/** An error's place as offsets into the text, never empty unless at its end. */
function within([from, to]: readonly [number, number], text: string): [start: number, end: number] {
  const start = Math.min(Math.max(from, 0), text.length)
  const end = Math.min(Math.max(to, start + 1), text.length)
  return [isInPair(text, start) ? start - 1 : start, isInPair(text, end) ? end + 1 : end]
}

/** Whether an offset is between the two halves of one character. */
function isInPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/** The problem of a token that is refused although it is YAML, or undefined. */
function refuseToken(source: Source, start: number, lexeme: string, anchors: Set<string>): Diagnostic | undefined {
  const end = start + lexeme.length
  const written = visible(shortened(lexeme))
  const asText = `if it is meant as text, quote it: \`${visible(JSON.stringify(shortened(lexeme)))}\``
  const name = lexeme.slice(1)
  switch (lexeme[0]) {
    case '&':
      anchors.add(name)
      return syntaxError(
        source,
        start,
        end,
        `\`${written}\` sets an anchor, and anchors are not read: what a policy says must be where it says it`,
        asText,
      )
    case '*': {
      if (anchors.has(name)) {
        return syntaxError(
          source,
          start,
          end,
          `\`${written}\` is an alias, and aliases are not read: what a policy says must be where it says it`,
          'write out here what the anchor names',
        )
      }
      // A colon before a blank is that of a key, but behind a key.
      const { text } = source
      const isKey = /^(?:\s|$)/.test(text.slice(end, end + 1)) && !/:[ \t]+$/.test(text.slice(text.lastIndexOf('\n', start) + 1, start))
      const meant = isKey ? lexeme.replace(/:$/, '') : lexeme
      return {
        ...syntaxError(
          source,
          start,
          end,
          `an unquoted \`*\` begins an alias in YAML, not a wildcard: \`${written}\` names nothing`,
          `quote it: \`${visible(JSON.stringify(shortened(meant)))}\``,
        ),
        ...withFix('quote it', true, [{ span: { source, start: start, end: start + meant.length }, text: JSON.stringify(meant) }]),
      }
    }
    case '!':
      return syntaxError(
        source,
        start,
        end,
        `\`${written}\` is a tag, and tags are not read: they change what a value is`,
        `remove it; ${asText}`,
      )
    default:
      if (/^%YAML[ \t]+1\.2$/.test(lexeme)) return undefined
      if (lexeme.startsWith('%YAML')) {
        return syntaxError(
          source,
          start,
          end,
          `\`${written}\` asks for another version of YAML, in which the same text means something else`,
          'remove it, or write `%YAML 1.2`',
        )
      }
      return syntaxError(source, start, end, `\`${written}\` is a directive, and none but \`%YAML 1.2\` is read`, `remove it; ${asText}`)
  }
}

interface Context {
  readonly source: Source
  readonly diagnostics: Diagnostic[]
}

function isBlank(node: Scalar): boolean {
  return node.value === null && node.source === ''
}

/** The package's node as ours. Recursive: the scan has bounded the depth. */
function toNode(node: YamlNode, context: Context): Node {
  const { source } = context
  const [start, valueEnd] = node.range as [number, number, number]
  if (isMap(node)) {
    const entries = toEntries(node as YAMLMap, context)
    return { kind: 'map', entries, source, start, end: node.flow ? valueEnd : Math.max(start, entries.at(-1)?.value.end ?? start) }
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => toNode(item as YamlNode, context))
    return { kind: 'list', items, source, start, end: node.flow ? valueEnd : Math.max(start, items.at(-1)?.end ?? start) }
  }
  if (isScalar(node)) {
    const { value } = node
    if (typeof value === 'number') return { kind: 'number', value, source, start, end: valueEnd }
    if (typeof value === 'boolean') return { kind: 'boolean', value, source, start, end: valueEnd }
    if (value === null) return { kind: 'null', value, source, start, end: valueEnd }
    return toText(String(value), start, valueEnd, context)
  }
  // An alias.
  return toText(source.text.slice(start, valueEnd), start, valueEnd, context)
}

function toText(value: string, start: number, end: number, { source, diagnostics }: Context): TextNode {
  if (loneSurrogate(value) >= 0) {
    if (loneSurrogate(source.text.slice(start, end)) < 0) {
      diagnostics.push(syntaxError(source, start, end, 'an escape in this text is half of a surrogate pair and stands for no character'))
    }
  } else {
    const fault = compositionProblem(value, source, start, end)
    if (fault) diagnostics.push(fault)
  }
  return { kind: 'text', value, source, start, end }
}

function toEntries(map: YAMLMap, context: Context): Entry[] {
  const { source, diagnostics } = context
  const entries: Entry[] = []
  const seen = new Map<string, TextNode>()
  for (const pair of map.items) {
    const written = pair.key as YamlNode
    const [start, end] = written.range as [number, number, number]
    const key = isScalar(written)
      ? toText(String(written.value ?? ''), start, end, context)
      : toText(source.text.slice(start, end), start, end, context)
    if (isScalar(written) && written.type === Scalar.PLAIN) {
      const refusal = refuseKey(source, key)
      if (refusal) diagnostics.push(refusal)
    }
    const value: Node = pair.value ? toNode(pair.value as YamlNode, context) : { kind: 'null', value: null, source, start: end, end }
    const same = sameKey(key.value)
    const first = seen.get(same)
    if (first) diagnostics.push(duplicateKey(key, first))
    else {
      seen.set(same, key)
      entries.push({ key, value })
    }
  }
  return entries
}

/**
 * A merge key is one finding: the alias that it merges, and an anchor that is there for merge keys alone, say nothing more.
 */
function oneForEachMerge(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const written = ({ span: { source, start, end } }: Diagnostic) => source.text.slice(start, end)
  if (!diagnostics.some((each) => written(each) === '<<')) return diagnostics
  const isMerged = ({ span: { source, start } }: Diagnostic) =>
    behindMerge.test(source.text.slice(Math.max(0, start - longestMerge), start))
  const aliases = diagnostics.filter((each) => written(each).startsWith('*'))
  const merged = new Set(aliases.filter(isMerged))
  const names = new Set([...merged].map((each) => written(each).slice(1)))
  for (const each of aliases) if (!merged.has(each)) names.delete(written(each).slice(1))
  return diagnostics.filter((each) => !merged.has(each) && !(written(each).startsWith('&') && names.has(written(each).slice(1))))
}

/** The text in front of an alias that is merged: `<<: *a`, `<<: [*a, *b]`, or a list below the key. */
const behindMerge = /<<[ \t]*:\s*(?:\[[^\][]*|(?:-[ \t]+\*[^\s]+\s+)*-[ \t]+)?$/
const longestMerge = 200

/** The problem of an unquoted key that is not a string, or that has a special meaning in YAML. */
function refuseKey(source: Source, { value, start, end }: TextNode): Diagnostic | undefined {
  if (value === '<<') {
    return syntaxError(
      source,
      start,
      end,
      'merge keys (`<<`) are not read: what would be merged in, a `deny` perhaps, would be missing',
      'write out here what it would bring in',
    )
  }
  const meaning = coreValue(value)
  if (meaning === undefined) return undefined
  if (value === '') return syntaxError(source, start, Math.min(start + 1, source.text.length), 'a key is missing before the colon')
  const kind = meaning === null ? 'null' : `a ${typeof meaning}`
  return syntaxError(
    source,
    start,
    end,
    `this key is ${kind}, and keys must be text`,
    `quote it: \`${visible(JSON.stringify(shortened(value)))}\``,
  )
}

/** The package's errors in our words. Where it has several for one code, its own words are kept. */
function explain(source: Source, code: string, message: string, start: number, end: number): Diagnostic {
  const known = explanations[code]
  const own = visible(shortened(message)).replace(/\.$/, '')
  return syntaxError(source, start, end, known?.[0] ?? own.charAt(0).toLowerCase() + own.slice(1), known?.[1])
}

const explanations: Readonly<Record<string, readonly [message: string | undefined, help: string]>> = {
  TAB_AS_INDENT: ['a tab in the indentation: YAML takes only spaces there', 'replace it by spaces'],
  BAD_INDENT: [undefined, 'entries of one list or map begin at the same column'],
  BAD_DQ_ESCAPE: [undefined, 'a backslash itself is written `\\\\`; single quotes take it as it is'],
  BLOCK_AS_IMPLICIT_KEY: [undefined, 'put the inner entries on separate lines, or quote the text if the colon belongs to it'],
  BAD_SCALAR_START: [undefined, 'quote the text'],
  MULTILINE_IMPLICIT_KEY: [undefined, 'is there a colon missing on the line before?'],
  NON_STRING_KEY: ['this key is a list or a map, and keys must be text', 'quote it if it is meant as text'],
}

/** Sorted, one at each place: a single slip often makes the package report several errors there. */
function firstAtEachPlace(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = [...diagnostics].sort(compareDiagnostics)
  return sorted
    .filter(({ code, span }, i) => code !== sorted[i - 1]?.code || span.start !== sorted[i - 1]?.span.start)
    .slice(0, limits.problems)
}
