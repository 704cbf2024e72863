import {
  type ArrowFunction,
  type BindingName,
  type Expression,
  type FunctionDeclaration,
  type FunctionExpression,
  type Identifier,
  type Node,
  NodeFlags,
  type PropertyDeclaration,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

/**
 * State of modules: what code keeps at the top of a file from one call to the next. Found by the shape of the code:
 * a variable, a collection that may change, a value that something changes, a function made there that remembers, an object
 * made there that changes itself.
 */

/** A file by its path in `src`, and its text. */
export interface Module {
  readonly file: string
  readonly text: string
}

/** Faults of some modules: `FILE: what`. */
export function stateIn(modules: readonly Module[]): readonly string[] {
  const files = new Map(parsed(modules).map((source, i) => [modules[i]?.file as string, readFile(source)]))
  return [...files].flatMap(([file, read]) => {
    const targets = importsOf(read, file, files)
    const isMaker = (name: string) => targets.get(name)?.makers.has(originalOf(read, name)) ?? read.makers.has(name)
    const found = [
      ...declarationsIn(read),
      ...read.changes.flatMap(({ root }) =>
        is.isIdentifier(root) && (read.names.has(root.text) || targets.has(root.text)) && isOfFile(root)
          ? [`\`${root.text}\` is changed`]
          : [],
      ),
      ...madeIn(read, isMaker),
    ]
    return [...new Set(found)].map((what) => `${file}: ${what}`)
  })
}

export function parsed(modules: readonly Module[]): readonly SourceFile[] {
  const compilerOptions = { allowJs: true, noLib: true, noResolve: true, types: [] }
  const texts = { '/tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }) }
  const fs = createVirtualFileSystem({ ...texts, ...Object.fromEntries(modules.map(({ file, text }) => [`/src/${file}`, text])) })
  const api = new API({ cwd: '/', fs })
  try {
    const program = api.updateSnapshot({ openProjects: ['/tsconfig.json'] }).getProject('/tsconfig.json')?.program
    return modules.map(({ file }) => {
      const source = program?.getSourceFile(`/src/${file}`)
      if (!source) throw new Error(`${file} cannot be parsed`)
      return source
    })
  } finally {
    api.close()
  }
}

interface Read {
  readonly source: SourceFile
  /** Declarations at the top. */
  readonly names: ReadonlySet<string>
  /** The nodes that run when the module is loaded: none inside functions, and of classes what is static. */
  readonly loaded: readonly Node[]
  readonly changes: readonly Change[]
  /** The functions and classes at the top of which each result has state of its own. */
  readonly makers: ReadonlySet<string>
}

function readFile(source: SourceFile): Read {
  const loaded: Node[] = []
  const changes: Change[] = []
  const visit = (node: Node, isLoaded: boolean) => {
    if (isLoaded) loaded.push(node)
    const root = changed(node)
    if (root) changes.push({ root, start: node.pos, end: node.end })
    const runs = isLoaded && !isFunctionLike(node) && !(is.isPropertyDeclaration(node) && !isStatic(node))
    node.forEachChild((child) => {
      visit(child, runs)
    })
  }
  visit(source, true)
  return { source, loaded, changes, names: new Set(source.statements.flatMap(declaredBy)), makers: makersIn(source, changes) }
}

/** The files that the names which a file imports come from. */
function importsOf({ source }: Read, file: string, files: ReadonlyMap<string, Read>): ReadonlyMap<string, Read> {
  const targets = new Map<string, Read>()
  for (const statement of source.statements) {
    if (!is.isImportDeclaration(statement) || !is.isStringLiteral(statement.moduleSpecifier)) continue
    const target = files.get(new URL(statement.moduleSpecifier.text, `file:///${file}`).pathname.slice(1))
    const bindings = statement.importClause?.namedBindings
    if (target && bindings && is.isNamedImports(bindings)) for (const { name } of bindings.elements) targets.set(name.text, target)
  }
  return targets
}

/** The original name of an imported name. */
function originalOf({ source }: Read, name: string): string {
  for (const statement of source.statements) {
    const bindings = is.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
    const own = bindings && is.isNamedImports(bindings) ? bindings.elements.find((each) => each.name.text === name) : undefined
    if (own) return (own.propertyName ?? own.name).text
  }
  return name
}

// Names.

function namesOf(name: BindingName): readonly string[] {
  if (is.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (element.name ? namesOf(element.name) : []))
}

function declaredBy(statement: Node): readonly string[] {
  if (is.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name))
  if (is.isFunctionDeclaration(statement) || is.isClassDeclaration(statement)) return statement.name ? [statement.name.text] : []
  return []
}

/** The names that a node declares for what is inside it. */
function declaredIn(node: Node): readonly string[] {
  if (isFunctionLike(node)) return node.parameters.flatMap(({ name }) => namesOf(name))
  if (is.isBlock(node) || is.isCaseClause(node) || is.isDefaultClause(node)) return node.statements.flatMap(declaredBy)
  if (is.isCatchClause(node)) return node.variableDeclaration ? namesOf(node.variableDeclaration.name) : []
  if (!is.isForStatement(node) && !is.isForOfStatement(node) && !is.isForInStatement(node)) return []
  const { initializer } = node
  return initializer && is.isVariableDeclarationList(initializer) ? initializer.declarations.flatMap(({ name }) => namesOf(name)) : []
}

/** Whether a name stands for what the file declares, and not for something around the place. */
function isOfFile(identifier: Identifier): boolean {
  for (let node = identifier.parent; !is.isSourceFile(node); node = node.parent)
    if (declaredIn(node).includes(identifier.text)) return false
  return true
}

/** Whether a name stands for a variable of a function itself. */
function isOwnOf(identifier: Identifier, maker: Maker): boolean {
  for (let node = identifier.parent; !is.isSourceFile(node); node = node.parent) {
    if (declaredIn(node).includes(identifier.text)) return node === maker || node === maker.body
  }
  return false
}

type Maker = FunctionDeclaration | ArrowFunction | FunctionExpression

function isFunction(node: Node): node is ArrowFunction | FunctionExpression {
  return is.isArrowFunction(node) || is.isFunctionExpression(node)
}

function isFunctionLike(node: Node): node is Maker {
  return (
    isFunction(node) ||
    is.isFunctionDeclaration(node) ||
    is.isMethodDeclaration(node) ||
    is.isConstructorDeclaration(node) ||
    is.isGetAccessorDeclaration(node) ||
    is.isSetAccessorDeclaration(node)
  )
}

function isStatic(node: PropertyDeclaration): boolean {
  return node.modifiers?.some(({ kind }) => kind === SyntaxKind.StaticKeyword) ?? false
}

// Changes.

/** The target of a change, a name or a property of `this`, and the stretch of code that does. */
interface Change {
  readonly root: Expression
  readonly start: number
  readonly end: number
}

const mutators: ReadonlySet<string> = new Set('set add delete clear push pop shift unshift splice sort reverse fill copyWithin'.split(' '))
/** Methods that give a part of a collection. */
const readers: ReadonlySet<string> = new Set(['get', 'at', 'find'])

/** The targets that a node changes, as far as it changes something. */
function changed(node: Node): Expression | undefined {
  if (is.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment ? rootOf(node.left) : undefined
  }
  if (is.isPrefixUnaryExpression(node) || is.isPostfixUnaryExpression(node)) {
    const isCount = node.operator === SyntaxKind.PlusPlusToken || node.operator === SyntaxKind.MinusMinusToken
    return isCount ? rootOf(node.operand) : undefined
  }
  if (is.isDeleteExpression(node)) return rootOf(node.expression)
  if (!is.isCallExpression(node) || !is.isPropertyAccessExpression(node.expression)) return undefined
  const { expression, name } = node.expression
  if (
    is.isIdentifier(expression) &&
    /^(?:Object\.(?:assign|define\w+|setPrototypeOf)|Reflect\.\w+)$/.test(`${expression.text}.${name.text}`)
  )
    return node.arguments[0] && rootOf(node.arguments[0])
  return mutators.has(name.text) ? rootOf(expression) : undefined
}

/** Whose part an expression is: `known` of `known.get(key)?.list`. */
function rootOf(expression: Expression): Expression {
  if (is.isPropertyAccessExpression(expression) || is.isElementAccessExpression(expression))
    return expression.expression.kind === SyntaxKind.ThisKeyword ? expression : rootOf(expression.expression)
  if (is.isParenthesizedExpression(expression) || is.isAsExpression(expression) || is.isNonNullExpression(expression))
    return rootOf(expression.expression)
  if (!is.isCallExpression(expression) || !is.isPropertyAccessExpression(expression.expression)) return expression
  return readers.has(expression.expression.name.text) ? rootOf(expression.expression.expression) : expression
}

// Values that keep state.

const collections: ReadonlyMap<string, string | undefined> = new Map([
  ['Map', 'ReadonlyMap'],
  ['Set', 'ReadonlySet'],
  ['WeakMap', undefined],
  ['WeakSet', undefined],
])

/** Declarations at the top that may be assigned to, and collections whose type lets anything change them. */
function declarationsIn({ loaded }: Read): readonly string[] {
  return loaded.flatMap((node): readonly string[] => {
    if (is.isVariableDeclarationList(node) && (node.flags & NodeFlags.Const) === 0)
      return node.declarations.map(({ name }) => `\`${namesOf(name).join(', ')}\` may be assigned to`)
    if (is.isPropertyDeclaration(node) && isStatic(node) && !node.modifiers?.some(({ kind }) => kind === SyntaxKind.ReadonlyKeyword))
      return [`static \`${node.name.getText()}\` may be assigned to`]
    if (!is.isNewExpression(node) || !is.isIdentifier(node.expression)) return []
    const { text } = node.expression
    const { parent } = node
    if (!collections.has(text) || !(is.isVariableDeclaration(parent) || is.isPropertyDeclaration(parent))) return []
    const wanted = collections.get(text)
    if (wanted !== undefined && parent.type?.getText().startsWith(`${wanted}<`)) return []
    return [`\`${parent.name.getText()}\` is a ${text}${wanted === undefined ? '' : `: expected a ${wanted}`}`]
  })
}

function makersIn(source: SourceFile, changes: readonly Change[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const statement of source.statements) {
    if (is.isFunctionDeclaration(statement) && statement.name && remembers(statement, changes)) found.add(statement.name.text)
    if (is.isClassDeclaration(statement) && statement.name) {
      const methods = statement.members.filter((member) => !is.isConstructorDeclaration(member))
      if (changes.some((change) => isOfThis(change) && methods.some((method) => isWithin(change, method)))) found.add(statement.name.text)
    }
    if (!is.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations)
      if (is.isIdentifier(name) && initializer && isFunction(initializer) && remembers(initializer, changes)) found.add(name.text)
  }
  return found
}

function isOfThis({ root }: Change): boolean {
  return (is.isPropertyAccessExpression(root) || is.isElementAccessExpression(root)) && root.expression.kind === SyntaxKind.ThisKeyword
}

function isWithin({ start, end }: Change, node: Node): boolean {
  return node.pos <= start && end <= node.end
}

/** Whether what a function returns is, or holds, a function that changes a variable of the first. */
function remembers(maker: Maker, changes: readonly Change[]): boolean {
  const { body } = maker
  if (!body) return false
  const own = changes.filter((change) => isWithin(change, body) && is.isIdentifier(change.root) && isOwnOf(change.root, maker))
  if (own.length === 0) return false
  const statements = is.isBlock(body) ? body.statements : []
  const inner = new Map<string, Node>()
  for (const statement of statements) {
    if (is.isFunctionDeclaration(statement) && statement.name) inner.set(statement.name.text, statement)
    if (!is.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations)
      if (is.isIdentifier(name) && initializer && isFunction(initializer)) inner.set(name.text, initializer)
  }
  const keeps = (node: Node): boolean => {
    const code = is.isIdentifier(node) ? inner.get(node.text) : isFunctionLike(node) ? node : undefined
    if (code) return own.some((change) => isWithin(change, code))
    let found = false
    node.forEachChild((child) => {
      found ||= keeps(child)
    })
    return found
  }
  return is.isBlock(body)
    ? body.statements.some(
        (statement) => is.isReturnStatement(statement) && statement.expression !== undefined && keeps(statement.expression),
      )
    : keeps(body)
}

/** Values that are made at the top and keep state. */
function madeIn({ loaded, changes }: Read, isMaker: (name: string) => boolean): readonly string[] {
  return loaded.flatMap((node): readonly string[] => {
    if (!is.isCallExpression(node) && !is.isNewExpression(node)) return []
    const callee = is.isParenthesizedExpression(node.expression) ? node.expression.expression : node.expression
    if (is.isIdentifier(callee) && isMaker(callee.text)) return [`what \`${callee.text}\` makes has state`]
    return isFunction(callee) && remembers(callee, changes) ? ['what a function makes has state'] : []
  })
}
