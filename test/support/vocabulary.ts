import type { Node } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { type Module, parsed } from './state.ts'

/** A comment, a name that a module declares, or a piece of prose, with the line that it begins on. */
export interface Wording {
  readonly file: string
  readonly line: number
  readonly kind: 'comment' | 'name' | 'prose'
  readonly text: string
  /** How many lines the function has whose variable or parameter this is. */
  readonly functionLines?: number
}

/** The comments of modules and the names that they declare, in the order of the text. */
export function wordingsIn(modules: readonly Module[]): readonly Wording[] {
  const sources = parsed(modules)
  return modules.flatMap(({ file, text }, i) => {
    const found: ({ readonly start: number } & Omit<Wording, 'file' | 'line'>)[] = []
    const tokens: { readonly start: number; readonly end: number }[] = []
    const visit = (node: Node, around: string) => {
      const start = node.getStart()
      const inner = isFunction(node) ? text.slice(start, node.end) : around
      let isLeaf = true
      node.forEachChild((child) => {
        isLeaf = false
        visit(child, inner)
      })
      if (!isLeaf) return
      tokens.push({ start, end: node.end })
      if (!is.isIdentifier(node) || !isDeclared(node)) return
      found.push({ start, kind: 'name', text: node.text, ...(isLocal(node) && { functionLines: inner.split('\n').length }) })
    }
    visit(sources[i] as Node, '')
    // Between the tokens of the tree are punctuation, keywords and comments; strings and regular expressions are tokens.
    let from = 0
    for (const { start, end } of [...tokens.sort((a, b) => a.start - b.start), { start: text.length, end: text.length }]) {
      for (const match of text.slice(from, start).matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g))
        found.push({ start: from + match.index, kind: 'comment', text: plain(match[0]) })
      from = Math.max(from, end)
    }
    let [line, at] = [1, 0]
    return found
      .sort((a, b) => a.start - b.start)
      .map(({ start, ...rest }) => {
        line += text.slice(at, start).split('\n').length - 1
        at = start
        return { file, line, ...rest }
      })
  })
}

const commentLines = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/gm
const titles = /(?:^[ \t]*(?:test|it|describe)[\w.]*\(|^[ \t]*\]\)\()(?:'([^'\n]*)'|"([^"\n]*)"|`([^`\n]*)`)/gm

/** The comments of a program that have lines to themselves, and the titles of its tests: by its lines, which takes no parser. */
export function commentsAndTitlesIn({ file, text }: Module): readonly Wording[] {
  const wordingOf = (kind: Wording['kind'], { index }: RegExpExecArray, wording: string): Wording => {
    return { file, line: text.slice(0, index).split('\n').length, kind, text: wording }
  }
  return [
    ...[...text.matchAll(commentLines)].map((match) => wordingOf('comment', match, plain(match[0].trim()))),
    ...[...text.matchAll(titles)].map((match) => wordingOf('prose', match, match[1] ?? match[2] ?? match[3] ?? '')),
  ]
}

/** The lines of a page in Markdown that are prose: without what is quoted as code. */
export function proseIn({ file, text }: Module): readonly Wording[] {
  let isCode = false
  return text.split('\n').flatMap((line, i) => {
    const isFence = line.trimStart().startsWith('```')
    if (isFence) isCode = !isCode
    return isCode || isFence ? [] : [{ file, line: i + 1, kind: 'prose', text: line.replace(/`[^`]*`/g, '`…`') }]
  })
}

/** A comment as one line, without its signs. */
function plain(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$/g, '')
    .replace(/^[ \t]*(?:\*|\/\/) ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function isDeclared(node: Node): boolean {
  const { parent } = node
  if (is.isImportSpecifier(parent) || is.isExportSpecifier(parent) || is.isPropertyAccessExpression(parent)) return false
  return (parent as { readonly name?: Node }).name === node
}

/** Whether a declared name is one that a function chose: `{ at }` has the name of a field, and parameters of types have no function. */
function isLocal(node: Node): boolean {
  const { parent } = node
  if (is.isVariableDeclaration(parent)) return true
  if (is.isParameterDeclaration(parent)) return (parent.parent as { readonly body?: Node }).body !== undefined
  return is.isBindingElement(parent) && (is.isArrayBindingPattern(parent.parent) || parent.propertyName !== undefined)
}

function isFunction(node: Node): boolean {
  return (
    is.isFunctionDeclaration(node) ||
    is.isFunctionExpression(node) ||
    is.isArrowFunction(node) ||
    is.isMethodDeclaration(node) ||
    is.isConstructorDeclaration(node)
  )
}

/** The words of a name: `isKnownGroup` has `is`, `known` and `group`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _$]+/)
    .filter((word) => word !== '')
}
