// Writes the JSON Schemas of schemas/ as values that `src/parser/schema.ts` reads: without texts for users, and each part
// that is referred to once.
// usage: node scripts/schemas.mjs [--check]      --check: exit 1 when the committed code is out of date
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { catalogOf, printedSchemas } from './schemas/write.mjs'

const root = new URL('..', import.meta.url)
const files = new Map()
const fileOf = (name) => {
  if (!files.has(name)) files.set(name, JSON.parse(readFileSync(new URL(`schemas/${name}.schema.json`, root), 'utf8')))
  return files.get(name)
}
// First: some of them are read below.
for (const [name, schema] of printedSchemas()) put(`schemas/${name}.schema.json`, schema)
put('schemas/catalog.json', catalogOf())

/** The part of a file that a pointer leads to. */
const partOf = (name, pointer) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((part, key) => part[key], fileOf(name))

const known = ['type', 'enum', 'anyOf', 'minLength', 'pattern', 'minItems', 'maxItems', 'prefixItems', 'items', 'required', 'readOnly']
const forUsers = ['$schema', '$id', 'definitions', 'title', 'description', 'examples', 'default']

/**
 * A part of a schema as `src/parser/schema.ts` has it: what is next to a reference in an `allOf`, where draft 7 wants it, and
 * the items of a pair under a name of their own.
 */
function asRead({ allOf, items, ...schema }) {
  return { ...schema, ...allOf?.[0], ...(Array.isArray(items) ? { prefixItems: items } : items && { items }) }
}

/** The parts of some schemas by their names, each as JavaScript. */
function partsOf(roots) {
  const parts = new Map()
  const open = Object.entries(roots)
  const named = new Map(open.map(([name, [file, pointer]]) => [`${file}${pointer}`, name]))
  const js = (schema, file) => {
    const out = []
    for (const [key, value] of Object.entries(asRead(schema))) {
      if (forUsers.includes(key)) continue
      if (key === '$ref') {
        const [other, pointer] = value.split('#')
        const place = [other === '' ? file : other.replace('.schema.json', ''), `#${pointer}`]
        const name = named.get(place.join('')) ?? place.join('')
        if (!named.has(place.join(''))) {
          named.set(place.join(''), name)
          open.push([name, place])
        }
        out.push(`$ref:${JSON.stringify(name)}`)
      } else if (key === 'pattern') out.push(`pattern:/${value.replaceAll('/', '\\/')}/u`)
      else if (key === 'properties') {
        const entries = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${js(each, file)}`)
        out.push(`properties:{${entries.join(',')}}`)
      } else if (key === 'anyOf' || key === 'prefixItems') out.push(`${key}:[${value.map((each) => js(each, file)).join(',')}]`)
      else if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object')) out.push(`${key}:${js(value, file)}`)
      else if (known.includes(key) || key === 'additionalProperties') out.push(`${key}:${JSON.stringify(value)}`)
      else throw new Error(`schemas/${file}.schema.json: src/parser/schema.ts does not know \`${key}\``)
    }
    return `{${out.join(',')}}`
  }
  for (const [name, [file, pointer]] of open) parts.set(name, js(partOf(file, pointer), file))
  return parts
}

/** The generated files, each with its schemas: those that few runs need are apart. */
const targets = {
  'src/parser/shape-schemas.js': {
    policy: ['policy', '#/definitions/policy'],
    world: ['world', '#'],
    config: ['config', '#'],
    catalogue: ['catalogue', '#'],
  },
  'src/parser/shape-iamtest.js': { iamtest: ['iamtest', '#'] },
  'src/parser/shape-review.js': { review: ['review', '#'] },
  'src/parser/shape-budget.js': { budget: ['access-budget', '#'] },
}
/** The schemas that editors show: all that is said of fields, and nothing of what only a check needs. */
const shownInEditors =
  'type enum anyOf items prefixItems properties additionalProperties required readOnly $ref definitions title description examples default'.split(
    ' ',
  )
const described = (schema) =>
  Object.fromEntries(
    Object.entries(asRead(schema)).flatMap(([key, value]) => {
      if (!shownInEditors.includes(key)) return []
      if (key === '$ref') return [[key, value.replace('.schema.json', '')]]
      if (key === 'properties' || key === 'definitions')
        return [[key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, described(each)]))]]
      if (key === 'anyOf' || key === 'prefixItems') return [[key, value.map(described)]]
      return [[key, key === 'items' || (key === 'additionalProperties' && typeof value === 'object') ? described(value) : value]]
    }),
  )

const texts = Object.entries(targets).map(([path, roots]) => [
  path,
  [...partsOf(roots)].map(([name, code]) => `  ${JSON.stringify(name)}: ${code},\n`),
])
texts.push([
  'src/editor/schemas.js',
  ['policy', 'world', 'config', 'iamtest', 'credential'].map(
    (name) => `  ${JSON.stringify(name)}: ${JSON.stringify(described(fileOf(name)))},\n`,
  ),
])
for (const [path, parts] of texts) {
  const text = `// Generated by scripts/schemas.mjs from schemas/*.schema.json. Do not edit.\nexport const schemas = {\n${parts.join('')}}\n`
  put(path, text)
}

/** Write a file, or say that it is out of date. */
function put(path, text) {
  const target = new URL(path, root)
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`${path} is out of date: run \`npm run generate\``)
    process.exitCode = 1
  }
}
