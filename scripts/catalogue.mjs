// node scripts/catalogue.mjs DATA_DIR
//
// Derives the two generated tables of the action catalogue from API descriptions:
//   DATA_DIR/operations.ndjson    a line an operation: {branch, method, path, actions, seen, noAuthentication?}
//   DATA_DIR/resource-types.json  {seen, types, serves}
//   data/more-operations.ndjson   further operations, as the first file has them, which it lacks
//   -> src/actions/catalogue-table.ts   products, their actions, resource types   (read by src/actions/load.ts)
//   -> src/actions/operations-table.ts  operations and the actions they need      (read by src/actions/operations.ts)
// Same input, same bytes. Whatever the tables have no place for stops the script: nothing is dropped silently.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fold, methods } from './fold.mjs'

const [dataDir] = process.argv.slice(2)
if (dataDir === undefined) {
  console.error('usage: node scripts/catalogue.mjs DATA_DIR')
  process.exit(2)
}

const namespace = 'apisvc'

const text = (name) => readFileSync(join(dataDir, name), 'utf8')
const described = text('operations.ndjson')
const more = readFileSync(new URL('../data/more-operations.ndjson', import.meta.url), 'utf8')
const operations = `${described}\n${more}`
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const { branch, method, path, actions, seen, noAuthentication = false, ...rest } = JSON.parse(line)
    need(Object.keys(rest).length === 0, `unknown fields: ${line}`)
    need(methods[method] !== undefined && /^v\d+$/.test(branch) && /^\d{4}-\d\d$/.test(seen) && typeof noAuthentication === 'boolean', line)
    need(/^(\/([A-Za-z0-9._-]+|\{[A-Za-z0-9._-]+\}))+$/.test(path), `unknown kind of path: ${line}`)
    brandIsReadable(path)
    return { branch, method, path, actions: actions.map(requirement), seen, noAuthentication }
  })

const keys = operations.map(({ branch, method, path }) => `${branch} ${method} ${path.replace(/\{[^}]*\}/g, '{}')}`)
for (const [i, key] of keys.entries()) need(keys.indexOf(key) === i, `described twice: ${key}`)

function requirement(entry) {
  const { name, required = true, ...rest } = typeof entry === 'string' ? { name: entry } : entry
  need(Object.keys(rest).length === 0 && typeof required === 'boolean', `unknown fields in an action: ${JSON.stringify(entry)}`)
  need(/^[a-z][A-Za-z0-9]*:[A-Za-z0-9]+:[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(name), `malformed action: ${name}`)
  const [product, found, path] = name.split(':')
  need(found === namespace, `the table has no place for the namespace of ${name}`)
  brandIsReadable(`${product}:${path}`)
  return { name, product, path, required }
}

/** The brand word is only where the reader looks for it: at the start of a word, before a capital. */
function brandIsReadable(name) {
  need(!/svc/i.test(name.replace(/(?<![A-Za-z0-9])svc(?=[A-Z])/g, '')), `the brand word stands where it would not be mapped: ${name}`)
}

function need(condition, message) {
  if (condition) return
  console.error(`scripts/catalogue.mjs: ${message}`)
  process.exit(1)
}

// Products: the actions of each and the newest month in which one of them was seen.
const products = new Map()
for (const { actions, seen } of operations) {
  for (const { product, path } of actions) {
    const known = products.get(product) ?? { paths: new Set(), seen }
    known.paths.add(path)
    if (seen > known.seen) known.seen = seen
    products.set(product, known)
  }
}

const names = [...products.keys()].sort()
const productLines = names.map((name) => {
  const { paths, seen } = products.get(name)
  return `${name} ${seen} ${fold([...paths].sort().map((path) => path.split('/')))}`
})

/**
 * The groups that take most of the table, such as `(create,delete,get)`, each behind the one character that is written in its place. They
 * are 150 times and more in it: without this, the table of actions, which each command reads, is a fifth longer.
 */
const groups = shortened(productLines.join('\n'))

function shortened(text) {
  const counts = new Map()
  for (const [group] of text.matchAll(/\([^()]+\)/g)) counts.set(group, (counts.get(group) ?? 0) + 1)
  const saved = ([group, count]) => (group.length - 1) * count
  const most = [...counts].sort((a, b) => saved(b) - saved(a) || (a[0] < b[0] ? -1 : 1))
  return [...'!#%&*+;=@~'].map((character, i) => character + most[i][0])
}

const short = (text) => groups.reduce((line, group) => line.replaceAll(group.slice(1), group[0]), text)
const actionsInOrder = names.flatMap((name) => [...products.get(name).paths].sort().map((path) => `${name}:${namespace}:${path}`))
const number = new Map(actionsInOrder.map((name, i) => [name, i.toString(36)]))

const { types, serves, seen: typesSeen } = JSON.parse(text('resource-types.json'))
const known = new Set(types)
for (const [product, served] of Object.entries(serves)) {
  need(
    served.every((type) => known.has(type)),
    `${product} serves a type that is not among the types`,
  )
}
for (const name of [...types, ...Object.keys(serves)]) {
  need(/^[A-Za-z][A-Za-z0-9]*(\/[A-Za-z0-9]+)*$/.test(name), `malformed type or product: ${name}`)
  brandIsReadable(name)
}
const servesLines = Object.keys(serves)
  .sort()
  .map((product) => `${product} ${fold([...serves[product]].sort().map((type) => type.split('/')))}`)

// The month of the catalogue is that of the first file, which holds most of it: a part that was seen later does not make the rest newer.
const seen = [...described.matchAll(/"seen":"([^"]*)"/g)]
  .map(([, month]) => month)
  .concat(typesSeen)
  .sort()
  .at(-1)
write(
  'catalogue-table',
  'catalogueTable',
  'The month, how many actions, groups of words; products with their months and actions; types; products that serve others.',
  [
    `${seen} ${actionsInOrder.length} ${groups.join(' ')}`,
    short(productLines.join('\n')),
    fold([...known].sort().map((type) => type.split('/'))),
    servesLines.join('\n'),
  ].join('\n\n'),
)

// Operations: a section for each branch and month; a leaf is `segment:` and, for each method, its letter, `!` where no
// authentication is needed, and the numbers of the actions in base 36, joined by `+`, `?` after those not required.
const sections = new Map()
for (const { branch, seen, path, method, actions, noAuthentication } of operations) {
  const key = `${branch} ${seen}`
  const paths = sections.get(key) ?? new Map()
  const codes = paths.get(path) ?? []
  const needs = actions.map(({ name, required }) => `${number.get(name)}${required ? '' : '?'}`)
  codes.push(`${methods[method]}${noAuthentication ? '!' : ''}${needs.join('+')}`)
  sections.set(key, paths.set(path, codes))
}
const sectionLines = [...sections.keys()].sort().map((key) => {
  const paths = sections.get(key)
  const leaves = [...paths.keys()].sort().map((path) => `${path.slice(1)}:${paths.get(path).sort().join('')}`)
  return `${key} ${fold(leaves.map((leaf) => leaf.split('/')))}`
})
write(
  'operations-table',
  'operationsTable',
  'A line for each branch and month: its operations and, by number in the order of catalogue-table.ts, the actions they need.',
  [operations.length, ...sectionLines].join('\n'),
)

function write(file, name, summary, table) {
  need(!/[`\\$]/.test(table), `${file} holds a character that a template string would read as its own`)
  const head = `// Generated by scripts/catalogue.mjs: do not edit.\n// ${summary}\n`
  const output = `${head}export const ${name} = \`${table}\n\`\n`
  writeFileSync(new URL(`../src/actions/${file}.ts`, import.meta.url), output)
  console.log(`src/actions/${file}.ts: ${output.length} bytes`)
}
console.log(
  `${names.length} products, ${actionsInOrder.length} actions, ${operations.length} operations, ${known.size} types, seen ${seen}`,
)
