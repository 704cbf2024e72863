// Counts which way a program goes: JavaScript with a counter at each branch, for the fuzzer.
import { parse } from 'acorn'

/** The name under which instrumented code finds its counters, a `Uint32Array` on the global object. */
export const countersName = '__edges'

/**
 * A module with counters: one for each function, branch, loop, case and default value, numbered from `first`. `literals` are the
 * texts that it compares or writes, as words to try. The code has to be JavaScript.
 */
export function instrument(code, first = 0) {
  const insertions = []
  const literals = new Set()
  let next = first
  const counter = () => `${countersName}[${next++}]++`
  const open = (at, text) => insertions.push({ at, rank: 1, text })
  const close = (at, text) => insertions.push({ at, rank: 0, text })

  /** An expression that is counted where it is evaluated. */
  const countExpression = (node) => {
    open(node.start, `(${counter()},`)
    visit(node)
    close(node.end, ')')
  }
  const countStatement = (node) => {
    if (node.type === 'BlockStatement') {
      open(node.start + 1, `${counter()};`)
      visitParts(node)
    } else {
      open(node.start, `{${counter()};`)
      visit(node)
      close(node.end, '}')
    }
  }
  const special = {
    IfStatement(node) {
      visit(node.test)
      countStatement(node.consequent)
      if (node.alternate) countStatement(node.alternate)
      else close(node.consequent.end, `else{${counter()}}`)
    },
    ConditionalExpression(node) {
      visit(node.test)
      countExpression(node.consequent)
      countExpression(node.alternate)
    },
    LogicalExpression(node) {
      visit(node.left)
      countExpression(node.right)
    },
    AssignmentPattern(node) {
      visit(node.left)
      countExpression(node.right)
    },
    SwitchCase(node) {
      if (node.test) visit(node.test)
      if (node.consequent.length > 0) open(node.consequent[0].start, `${counter()};`)
      node.consequent.forEach(visit)
    },
    CatchClause(node) {
      countStatement(node.body)
    },
    Literal(node) {
      if (typeof node.value === 'string') literals.add(node.value)
    },
    TemplateElement(node) {
      if (node.value.cooked) literals.add(node.value.cooked)
    },
    ImportDeclaration() {},
    ExportAllDeclaration() {},
    ExportNamedDeclaration(node) {
      if (node.declaration) visit(node.declaration)
    },
  }
  const withBody = (node) => {
    for (const key of Object.keys(node)) if (key !== 'body') visitValue(node[key])
    if (node.expression === true) countExpression(node.body)
    else countStatement(node.body)
  }
  for (const type of ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']) special[type] = withBody
  for (const type of ['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']) special[type] = withBody

  function visit(node) {
    const how = special[node.type]
    if (how) how(node)
    else visitParts(node)
  }
  function visitParts(node) {
    for (const value of Object.values(node)) visitValue(value)
  }
  function visitValue(value) {
    if (Array.isArray(value)) value.forEach(visitValue)
    else if (value !== null && typeof value === 'object' && typeof value.type === 'string') visit(value)
  }

  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))
  // Ranges that end at a place end before those that begin there; within each, in the order of the walk.
  const ordered = insertions.map((each, i) => ({ ...each, i })).sort((a, b) => a.at - b.at || a.rank - b.rank || a.i - b.i)
  let written = `const ${countersName}=globalThis.${countersName};`
  let from = 0
  for (const { at, text } of ordered) {
    written += code.slice(from, at) + text
    from = at
  }
  return { code: written + code.slice(from), next, literals: [...literals] }
}
