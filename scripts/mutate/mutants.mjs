import { parseAst } from 'rolldown/parseAst'

/**
 * All mutants of a file compiled into one text: each mutated place asks `$m(n)`, which is true for the one mutant that is switched
 * on. The operators are those of Stryker, without string literals and regular expressions (docs: CONTRIBUTING.md, Mutation testing).
 *
 * @param {string} text TypeScript
 * @param {number} first the number of the first mutant
 * @returns {{ code: string, mutants: { id: number, offset: number, line: string, kind: string, from: string, to: string, atLoad: boolean }[] }}
 *   `atLoad`: it is outside of functions, so that it runs once, while the module is loaded
 */
export function instrument(text, first) {
  const mutants = []
  /** How many functions are around the place. */
  let depth = 0

  /** A new mutant of the text from `start` to `end`: its number. */
  function mutant(kind, start, end, to) {
    const id = first + mutants.length
    mutants.push({
      id,
      offset: start,
      line: lineAt(text, start),
      kind,
      from: short(text.slice(start, end)),
      to: short(to),
      atLoad: depth === 0,
    })
    return id
  }

  /** The text of a node with its mutants in it. */
  function emit(node, place) {
    const inner = splice(node, place)
    if (node.type === 'BlockStatement') return block(node, inner, place)
    // Part of a chain of `?.`: only the whole chain can be in parentheses.
    if (place.spine) return inner
    const others = alternatives(node, place, text)
    const chosen = others.map(([kind, to]) => `$m(${mutant(kind, node.start, node.end, to)}) ? (${to}) : `).join('')
    if (chosen) return `(${chosen}(${inner}))`
    // No semicolons end the statements: one that now begins with a parenthesis would continue the line before.
    return node.type === 'ExpressionStatement' && inner !== text.slice(node.start, node.end) ? `{${inner}}` : inner
  }

  function block(node, inner, place) {
    if (node.body.length === 0) return inner
    const id = mutant('block', node.start, node.end, '{}')
    const rest = inner.slice(1, -1)
    return place.body ? `{ if ($m(${id})) return; ${rest}}` : `{ if ($m(${id})) {} else {${rest}}}`
  }

  function splice(node, place) {
    let out = ''
    let at = node.start
    const isFunction = functions.has(node.type)
    if (isFunction) depth++
    for (const [child, where] of children(node, place)) {
      out += text.slice(at, child.start) + emit(child, where)
      at = child.end
    }
    if (isFunction) depth--
    return out + text.slice(at, node.end)
  }

  const program = parseAst(text, { lang: 'ts' })
  const code = text.slice(0, program.start) + splice(program, {}) + text.slice(program.end)
  return { code, mutants }
}

/** Code that runs when it is called, or for each object of a class. */
const functions = new Set(['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression', 'PropertyDefinition'])

const comparisons = new Set(['===', '!==', '==', '!=', '<', '<=', '>', '>=', 'in', 'instanceof'])

/** The replacement of each operator. */
const operators = {
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
}

const assignments = { '+=': '-=', '-=': '+=', '*=': '/=', '||=': '&&=', '&&=': '||=', '??=': '&&=', '|=': '&=', '&=': '|=', '<<=': '>>=' }

/** The replacement of each method; with undefined the call is left out. */
const methods = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  slice: undefined,
  filter: undefined,
  trim: undefined,
  sort: undefined,
  toSorted: undefined,
  reverse: undefined,
  toReversed: undefined,
}

/** The other texts of an expression: pairs of a kind and a text. */
function alternatives(node, place, text) {
  const source = text.slice(node.start, node.end)
  const swapped = (left, from, to) => {
    const at = text.indexOf(from, left.end)
    const [before, after] = [text.slice(node.start, at).trim(), text.slice(at + from.length, node.end).trim()]
    // `??` may not be next to another logical operator.
    return from === '??' ? `(${before}) ${to} (${after})` : `${before} ${to} ${after}`
  }
  const out = []
  const comparison = node.type === 'BinaryExpression' && comparisons.has(node.operator)
  const plain = node.type !== 'LogicalExpression' && node.type !== 'Literal' && !(node.type === 'UnaryExpression' && node.operator === '!')
  if (comparison || (place.test && plain)) out.push(['condition', 'true'], ['condition', 'false'])
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      if (node.operator === '+' && (isText(node.left) || isText(node.right))) break
      for (const to of operators[node.operator] ?? []) out.push(['operator', swapped(node.left, node.operator, to)])
      break
    case 'AssignmentExpression':
      if (node.operator === '+=' && isText(node.right)) break
      if (assignments[node.operator]) out.push(['assignment', swapped(node.left, node.operator, assignments[node.operator])])
      break
    case 'UnaryExpression':
      if (node.operator === '!') out.push(['negation', source.slice(1)])
      if (node.operator === '-') out.push(['negation', `+${source.slice(1)}`])
      break
    case 'UpdateExpression': {
      const to = node.operator === '++' ? '--' : '++'
      out.push(['update', node.prefix ? to + source.slice(2) : source.slice(0, -2) + to])
      break
    }
    case 'Literal':
      if (typeof node.value === 'boolean') out.push(['boolean', String(!node.value)])
      break
    case 'ArrayExpression':
      if (node.elements.length > 0) out.push(['array', '[]'])
      break
    case 'ObjectExpression':
      if (node.properties.length > 0) out.push(['object', '{}'])
      break
    case 'ChainExpression':
      for (const link of links(node.expression)) {
        const inner = link.object ?? link.callee
        const rest = text.slice(inner.end, node.end)
        const to = link.type === 'CallExpression' || link.computed ? '' : '.'
        out.push(['chain', text.slice(node.start, inner.end) + rest.replace('?.', to)])
      }
      break
    case 'CallExpression':
      out.push(...otherMethod(node, text))
      break
  }
  if (place.arrow && source !== 'undefined') out.push(['result', 'undefined'])
  return out
}

function otherMethod(node, text) {
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.computed || !Object.hasOwn(methods, callee.property.name)) return []
  const to = methods[callee.property.name]
  const before = text.slice(node.start, callee.property.start)
  return [['method', to ? before + to + text.slice(callee.property.end, node.end) : before.replace(/\s*\??\.\s*$/, '')]]
}

/** The links of a chain that are optional. */
function* links(node) {
  const inner = node.type === 'CallExpression' ? node.callee : node.type === 'MemberExpression' ? node.object : node.expression
  if (!inner || !['CallExpression', 'MemberExpression', 'TSNonNullExpression'].includes(node.type)) return
  if (node.optional) yield node
  yield* links(inner)
}

function isText(node) {
  if (node.type === 'TemplateLiteral') return true
  if (node.type === 'BinaryExpression') return node.operator === '+' && (isText(node.left) || isText(node.right))
  return node.type === 'Literal' && typeof node.value === 'string'
}

const expressionsOfTypes = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

/** The children of a node that hold code, in the order of the text, each with what its place means. */
function children(node, place) {
  const out = []
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type !== 'string' || typeof child.start !== 'number' || isFixed(node, key)) continue
      if (child.type.startsWith('TS') && !expressionsOfTypes.has(child.type)) continue
      if (child.type === 'ImportDeclaration') continue
      out.push([child, placeOf(node, key, child, place)])
    }
  }
  return out.sort(([a], [b]) => a.start - b.start)
}

/** Whether the text there must stay as it is: a name, or what is assigned to. */
function isFixed(node, key) {
  if (key === 'left') return node.type !== 'BinaryExpression' && node.type !== 'LogicalExpression'
  if (key === 'argument')
    return node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && ['delete', 'typeof'].includes(node.operator))
  if (key === 'key' || key === 'property') return !node.computed
  return key === 'id' || (key === 'quasi' && node.type === 'TaggedTemplateExpression') || (key === 'value' && node.shorthand)
}

function placeOf(node, key, child, place) {
  const logical = node.type === 'LogicalExpression'
  const chained = node.type === 'ChainExpression' || (place.spine && ['object', 'callee', 'expression'].includes(key))
  return {
    test:
      (key === 'test' && node.type !== 'SwitchCase') ||
      (logical && node.operator !== '??' && (key === 'left' || Boolean(place.test))) ||
      (node.type === 'UnaryExpression' && node.operator === '!'),
    arrow: node.type === 'ArrowFunctionExpression' && key === 'body' && child.type !== 'BlockStatement',
    body: key === 'body' && /Function/.test(node.type),
    spine: chained,
  }
}

function lineAt(text, offset) {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  return text.slice(start, end < 0 ? text.length : end).trim()
}

/** One line, cut where it is long: it names a mutant. */
function short(text) {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 120 ? `${line.slice(0, 117)}...` : line
}
