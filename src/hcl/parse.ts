import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { duplicateKey, shortened } from '../parser/reading.ts'
import type { Source } from '../source.ts'
import type { TextNode } from '../tree.ts'
import { Cursor } from './cursor.ts'
import { expression } from './expressions.ts'
import type { Attribute, Block, Body, HclFile } from './syntax.ts'
import { Malformed, Scanner, type Token } from './tokens.ts'

/** Text to blocks and attributes. What is wrong in resources is reported where their types begin with `prefix`. Never throws. */
export function readHcl(source: Source, prefix: string | undefined): HclFile {
  const scanner = new Scanner(source)
  const scanned = attempt(() => scanner.scan())
  if ('problem' in scanned) {
    const { problem } = scanned
    const earlier = problem.related && faultBefore(problem.span.start)
    return { source, body: undefined, diagnostics: [earlier ?? problem], comments: [] }
  }
  const read = attempt(() => parse(source, scanner.tokens, prefix))
  if ('problem' in read) return { source, body: undefined, diagnostics: [read.problem], comments: [] }
  return { source, ...read.value, comments: scanner.comments }

  /** The first error in the text before mismatched brackets: a missing bracket may be noticed earlier than the wrong one in its place. */
  function faultBefore(end: number): Diagnostic | undefined {
    const before = attempt(() => parse(source, [...scanner.tokens, { kind: 'end', start: end, end }], prefix))
    return 'problem' in before && before.problem.span.start < end ? before.problem : undefined
  }
}

function attempt<T>(read: () => T): { readonly value: T } | { readonly problem: Diagnostic } {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof Malformed) return { problem: error.problem }
    throw error
  }
}

/** Blocks that others may ask for something; what is wrong in all other blocks is not reported. */
const asked: ReadonlySet<string> = new Set(['locals', 'variable', 'output', 'module'])

interface Parser {
  readonly cursor: Cursor
  readonly prefix: string | undefined
  diagnostics: Diagnostic[]
}

function parse(source: Source, tokens: readonly Token[], prefix: string | undefined): Pick<HclFile, 'body' | 'diagnostics'> {
  const parser: Parser = { cursor: new Cursor(source, tokens), prefix, diagnostics: [] }
  return { body: bodyOf(parser, undefined), diagnostics: parser.diagnostics }
}

/** To the end of the file; of a block, `opener` is its brace, to the brace that closes it. */
function bodyOf(parser: Parser, opener: Token | undefined): Body {
  const p = parser.cursor
  const attributes = new Map<string, Attribute>()
  const blocks: Block[] = []
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst && !(opener && p.is('}')) && p.peek().kind !== 'newline')
      p.fail('a line break', 'each attribute and each block is on a separate line')
    p.skipLines()
    if (opener ? p.is('}') : p.peek().kind === 'end') break
    if (p.peek().kind !== 'word') p.fail('the name of an attribute or a block')
    const name = p.next()
    if (p.take('=')) add(parser, attributes, attributeOf(p, name))
    else blocks.push(blockOf(parser, name, !opener))
  }
  return { attributes: [...attributes.values()], blocks }
}

function add({ diagnostics }: Parser, attributes: Map<string, Attribute>, second: Attribute): void {
  const first = attributes.get(second.name)
  if (first) diagnostics.push(duplicateKey(keyOf(second), keyOf(first)))
  else attributes.set(second.name, second)
}

function keyOf({ name, nameSpan }: Attribute): TextNode {
  return { ...nameSpan, kind: 'text', value: name }
}

function attributeOf(p: Cursor, name: Token): Attribute {
  const nameSpan = p.span(name.start, name.end)
  const written = p.written(name)
  const value = expression(p, `a value for \`${visible(shortened(written))}\``)
  return { ...p.span(name.start), name: written, nameSpan, value }
}

function blockOf(parser: Parser, name: Token, isTop: boolean): Block {
  const p = parser.cursor
  const type = p.written(name)
  const labels = labelsOf(p)
  const head = p.span(name.start)
  if (!p.is('{')) {
    const help = p.is(':') ? 'an attribute is written `name = value`' : undefined
    p.fail(`\`=\` or \`{\` after \`${visible(shortened(type))}\``, help)
  }
  const { diagnostics } = parser
  const isRead =
    !isTop || asked.has(type) || (type === 'resource' && parser.prefix !== undefined && (labels[0] ?? '').startsWith(parser.prefix))
  if (!isRead) parser.diagnostics = []
  const body = bodyOf(parser, p.next())
  parser.diagnostics = diagnostics
  p.next()
  const typeSpan = p.span(name.start, name.end)
  return { ...p.span(name.start), type, typeSpan, labels, head, body }
}

function labelsOf(p: Cursor): readonly string[] {
  const labels: string[] = []
  for (;;) {
    const { kind } = p.peek()
    if (kind !== 'word' && kind !== 'quote') return labels
    const token = p.next()
    if (kind === 'quote') {
      // Escaped, a name would look like another one, and no name needs it.
      if (p.peek().kind === 'text' && p.written(p.peek()).includes('\\')) p.fail('the plain name of a block', 'a label holds no escape')
      if (p.peek().kind === 'text') p.next()
      if (p.peek().kind === 'hole') p.fail('the plain name of a block', 'a label holds no template')
      p.next()
    }
    labels.push(kind === 'word' ? p.written(token) : p.written(p.span(token.end, p.end - 1)))
  }
}
