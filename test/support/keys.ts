import { type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { type Module, parsed } from './state.ts'

/**
 * Texts that are joined of several others and then stand for them: as a key of a map or a set, or where two are compared. If
 * one of the parts may hold what separates them, two lists have the same text: what is joined so is `keyOf` of a list.
 */

/** Where a joined text is used so: `FILE: the expression`. */
export function joinedKeysIn(modules: readonly Module[]): readonly string[] {
  const sources = parsed(modules)
  const files = modules.map(({ file }, i) => ({ file, source: sources[i] as SourceFile }))
  const joining = joiningFunctions(files)
  return files.flatMap(({ file, source }) => {
    const values = valuesIn(source)
    const isJoining = (name: string) => joining(file, name)
    const found = new Set<string>()
    const note = (node: Node) => {
      for (const each of joinsIn(node, values, isJoining)) found.add(each)
    }
    const isJoined = (node: Node) => joinsIn(node, values, isJoining).length > 0
    const visit = (node: Node) => {
      for (const each of keysAt(node)) note(each)
      if (is.isBinaryExpression(node) && /^(?:={3}|!==)$/.test(node.operatorToken.getText()) && isJoined(node.left) && isJoined(node.right))
        for (const each of [node.left, node.right]) note(each)
      node.forEachChild(visit)
    }
    visit(source)
    return [...found].map((text) => `${file}: ${text}`)
  })
}

/** The expressions that a node uses as keys. */
function keysAt(node: Node): readonly Node[] {
  if (is.isCallExpression(node)) {
    const { expression, arguments: args } = node
    const [first] = args
    if (!first) return []
    if (is.isPropertyAccessExpression(expression) && /^(?:get|has|set|add|delete)$/.test(expression.name.text)) return [first]
    if (is.isIdentifier(expression) && /^(?:groupedBy|memoizeByText|numbered|distinctBy)$/.test(expression.text))
      return args.flatMap(returnsOf)
    // The map comes first; a value in a list is no key.
    if (is.isIdentifier(expression) && /^(?:pushTo|pushAllTo|addTo)$/.test(expression.text))
      return args.slice(1, expression.text === 'addTo' ? 3 : 2)
    return []
  }
  if (is.isNewExpression(node) && is.isIdentifier(node.expression) && /^(?:Map|Set)$/.test(node.expression.text))
    return node.arguments?.[0] ? elementsOf(node.arguments[0], node.expression.text === 'Map') : []
  if (is.isVariableDeclaration(node) && is.isIdentifier(node.name) && isKeyName(node.name.text))
    return node.initializer ? [node.initializer] : []
  if (is.isPropertyAssignment(node) && is.isIdentifier(node.name) && isKeyName(node.name.text)) return [node.initializer]
  if (is.isFunctionDeclaration(node) && node.name && isKeyName(node.name.text)) return returnsOf(node)
  if (is.isMethodDeclaration(node) && is.isIdentifier(node.name) && isKeyName(node.name.text)) return returnsOf(node)
  return []
}

const isKeyName = (name: string) => /^(?:key|keyOf|keys)$|Key$|Keyed$/.test(name) && name !== 'keys'

/** The items of a list, as far as it is written so: of entries their first parts. */
function elementsOf(list: Node, isEntries: boolean): readonly Node[] {
  const keyIn = (item: Node): readonly Node[] => {
    const bare = plain(item)
    if (!isEntries) return [bare]
    if (is.isArrayLiteralExpression(bare)) return bare.elements[0] ? [bare.elements[0]] : []
    return is.isConditionalExpression(bare) ? [...keyIn(bare.whenTrue), ...keyIn(bare.whenFalse)] : []
  }
  const bare = plain(list)
  if (is.isArrayLiteralExpression(bare))
    return bare.elements.flatMap((each) => (is.isSpreadElement(each) ? elementsOf(each.expression, isEntries) : keyIn(each)))
  if (is.isCallExpression(bare) && is.isPropertyAccessExpression(bare.expression) && /^(?:map|flatMap)$/.test(bare.expression.name.text))
    return bare.arguments.flatMap(returnsOf).flatMap((each) => {
      const inner = plain(each)
      return bare.expression.getText().endsWith('flatMap') && is.isArrayLiteralExpression(inner)
        ? inner.elements.flatMap(keyIn)
        : keyIn(inner)
    })
  return []
}

/** An expression without what only types say. */
function plain(node: Node): Node {
  if (is.isParenthesizedExpression(node) || is.isAsExpression(node) || is.isSatisfiesExpression(node) || is.isNonNullExpression(node))
    return plain(node.expression)
  return node
}

/** The result of a function. */
function returnsOf(node: Node): readonly Node[] {
  const bare = plain(node)
  if (is.isArrowFunction(bare) && !is.isBlock(bare.body)) return [bare.body]
  if (is.isArrowFunction(bare) || is.isFunctionExpression(bare) || is.isFunctionDeclaration(bare) || is.isMethodDeclaration(bare)) {
    const out: Node[] = []
    const visit = (each: Node) => {
      if (is.isReturnStatement(each) && each.expression) out.push(each.expression)
      if (!isFunction(each)) each.forEachChild(visit)
    }
    bare.body?.forEachChild(visit)
    return out
  }
  return []
}

const isFunction = (node: Node) =>
  is.isArrowFunction(node) || is.isFunctionExpression(node) || is.isFunctionDeclaration(node) || is.isMethodDeclaration(node)

/** The values of variables and functions of a file, by their names: a name may be several things. */
function valuesIn(source: SourceFile): ReadonlyMap<string, readonly Node[]> {
  const values = new Map<string, Node[]>()
  const put = (name: string, value: Node) => values.set(name, [...(values.get(name) ?? []), value])
  const visit = (node: Node) => {
    if (is.isVariableDeclaration(node) && is.isIdentifier(node.name) && node.initializer) put(node.name.text, node.initializer)
    if (is.isFunctionDeclaration(node) && node.name) put(node.name.text, node)
    node.forEachChild(visit)
  }
  visit(source)
  return values
}

/** Whether a function that a file declares or imports by a name gives a joined text. */
function joiningFunctions(
  files: readonly { readonly file: string; readonly source: SourceFile }[],
): (file: string, name: string) => boolean {
  const joining = new Set<string>()
  const imports = new Map(files.map(({ file, source }) => [file, importsOf(file, source)]))
  const values = new Map(files.map(({ file, source }) => [file, valuesIn(source)]))
  const isJoining = (file: string, name: string) => {
    const from = values.get(file)?.has(name) ? undefined : imports.get(file)?.get(name)
    return joining.has(JSON.stringify(from ?? [file, name]))
  }
  for (;;) {
    const before = joining.size
    for (const [file, own] of values) {
      for (const [name, list] of own) {
        if (list.some((value) => returnsOf(value).some((each) => isJoin(plain(each), (called) => isJoining(file, called)))))
          joining.add(JSON.stringify([file, name]))
      }
    }
    if (joining.size === before) return isJoining
  }
}

/** Where the names that a file imports come from: the file, and what they are called there. */
function importsOf(file: string, source: SourceFile): ReadonlyMap<string, readonly [file: string, name: string]> {
  const found = new Map<string, readonly [string, string]>()
  for (const statement of source.statements) {
    if (!is.isImportDeclaration(statement) || !is.isStringLiteral(statement.moduleSpecifier)) continue
    const from = new URL(statement.moduleSpecifier.text, `file:///${file}`).pathname.slice(1)
    const bindings = statement.importClause?.namedBindings
    if (bindings && is.isNamedImports(bindings))
      for (const { name, propertyName } of bindings.elements) found.set(name.text, [from, (propertyName ?? name).text])
  }
  return found
}

/** Whether an expression joins several texts itself. */
function isJoin(node: Node, isJoining: (name: string) => boolean): boolean {
  if (isName(node) || isDigits(node)) return false
  if (is.isTemplateExpression(node))
    return node.templateSpans.length > 1 || isJoin(plain(node.templateSpans[0]?.expression as Expression), isJoining)
  if (is.isConditionalExpression(node)) return isJoin(plain(node.whenTrue), isJoining) || isJoin(plain(node.whenFalse), isJoining)
  if (is.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken)
    return isTextual(node) && !isLiteral(node.left) && !isLiteral(node.right)
  if (is.isBinaryExpression(node) && /^(?:\?\?|\|\||&&)$/.test(node.operatorToken.getText()))
    return isJoin(plain(node.left), isJoining) || isJoin(plain(node.right), isJoining)
  if (!is.isCallExpression(node)) return false
  const { expression } = node
  if (is.isPropertyAccessExpression(expression)) return expression.name.text === 'join'
  return is.isIdentifier(expression) && isJoining(expression.text)
}

/** A whole name is written so: it has its parts back by its grammar. */
const isName = (node: Node) => is.isTemplateExpression(node) && node.head.text.startsWith('urn:')

/** A digit for each item says the same of each list. */
function isDigits(node: Node): boolean {
  const made =
    is.isCallExpression(node) && is.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'join'
      ? node.expression.expression
      : undefined
  const given = made && is.isCallExpression(made) ? made.arguments.flatMap(returnsOf).map(plain) : []
  return given.length > 0 && given.every((each) => is.isConditionalExpression(each) && [each.whenTrue, each.whenFalse].every(isLiteral))
}

const isLiteral = (node: Node) => is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)
const isTextual = (node: Node): boolean =>
  isLiteral(node) || is.isTemplateExpression(node) || (is.isBinaryExpression(node) && (isTextual(node.left) || isTextual(node.right)))

/** The joined texts that an expression is or comes from, as they are written. */
function joinsIn(node: Node, values: ReadonlyMap<string, readonly Node[]>, isJoining: (name: string) => boolean): readonly string[] {
  const bare = plain(node)
  if (isJoin(bare, isJoining)) return [bare.getText().replace(/\s+/g, ' ')]
  const named = is.isIdentifier(bare) ? (values.get(bare.text) ?? []) : []
  return named.flatMap((value) => (isJoin(plain(value), isJoining) ? [plain(value).getText().replace(/\s+/g, ' ')] : []))
}
