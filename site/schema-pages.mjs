// The pages of the schemas: what each file and each output may hold, from schemas/*.json.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cell, prose } from './markdown.mjs'

/** Pages by their paths on the site. */
export function schemaPages(root) {
  const folder = join(root, 'schemas')
  const catalog = JSON.parse(readFileSync(join(folder, 'catalog.json'), 'utf8'))
  const patterns = new Map(catalog.schemas.map(({ url, fileMatch }) => [url.replace(/.*\//, '').replace('.schema.json', ''), fileMatch]))
  const schemas = readdirSync(folder)
    .filter((name) => name.endsWith('.schema.json'))
    .map((name) => [name.replace('.schema.json', ''), JSON.parse(readFileSync(join(folder, name), 'utf8'))])
  const read = [...patterns.keys()]
  const list = (names) =>
    names
      .map(([name, { title, description = '' }]) => `| [${name}](${name}.md) | ${cell(title ?? name)} | ${cell(description)} |`)
      .join('\n')
  const head = '| schema | title | describes |\n|---|---|---|\n'
  const index = [
    '---\noutline: false\n---\n\n# Schema reference\n',
    'Every field of every file that grantwise reads, and of what it prints as JSON. [JSON Schemas](../schemas.md) shows how editors use them.\n',
    `## Files with names of their own\n\n${head}${list(schemas.filter(([name]) => read.includes(name)))}\n`,
    `## Other input, and what is printed\n\n${head}${list(schemas.filter(([name]) => !read.includes(name)))}\n`,
  ].join('\n')
  return {
    'schema/index.md': index,
    ...Object.fromEntries(schemas.map(([name, schema]) => [`schema/${name}.md`, schemaPage(name, schema, patterns.get(name))])),
  }
}

function schemaPage(name, schema, patterns) {
  const { title = name, description, definitions = {} } = schema
  const parts = [
    `# ${title}\n`,
    description && `${prose(description)}\n`,
    patterns && `Files: ${patterns.map((pattern) => `\`${pattern}\``).join(', ')}\n`,
    `<a href="./${name}.schema.json" target="_self" download>${name}.schema.json</a> · [All schemas](index.md)\n`,
    ...section(schema, 0),
    ...Object.entries(definitions).flatMap(([key, value]) => [
      `## ${key}\n`,
      value.description && `${prose(value.description)}\n`,
      ...section(value, 0),
    ]),
  ]
  return `${parts.filter(Boolean).join('\n')}\n`
}

/** The contents of a schema, besides its description: its fields as a table, with those of maps within it, and else its type. */
function section(schema, depth) {
  if (schema.properties === undefined && !isMap(schema)) {
    if (schema.definitions !== undefined && typeOf(schema) === 'any') return []
    const item = schema.items?.properties && fields(schema.items, '[].', depth)
    return [`Type: ${typeOf(schema)}\n`, ...constraints(schema), ...(item ? [table(item)] : [])]
  }
  return [...constraints(schema), table(fields(schema, '', depth))]
}

const table = (rows) => `| field | type | meaning |\n|---|---|---|\n${rows.join('\n')}\n`

const isMap = (schema) => typeof schema.additionalProperties === 'object'

function constraints(schema) {
  const sets = (schema.anyOf ?? schema.oneOf ?? []).filter(({ required, $ref, type }) => required && !$ref && !type)
  return sets.length === 0
    ? []
    : [`One of these must be there: ${sets.map(({ required }) => required.map((each) => `\`${each}\``).join(' and ')).join(', or ')}.\n`]
}

/** A row for each field, and for those of maps within it as far as they are not named elsewhere. */
function fields(schema, path, depth) {
  const { properties = {}, required = [] } = schema
  const rows = Object.entries(properties).flatMap(([name, value]) => row(`${path}${name}`, value, required.includes(name), depth))
  return isMap(schema) ? [...rows, ...row(`${path}*`, schema.additionalProperties, false, depth)] : rows
}

function row(path, schema, isRequired, depth) {
  const inner = innerOf(schema)
  const notes = [
    isRequired && '**Required.**',
    schema.description && prose(schema.description),
    schema.default !== undefined && `Default: ${json(schema.default)}.`,
    bounds(schema),
    schema.examples?.[0] !== undefined && `Example: ${json(schema.examples[0])}`,
  ]
  const own = `| \`${path}\` | ${cell(typeOf(schema))} | ${notes.filter(Boolean).map(cell).join(' ')} |`
  if (!inner || depth > 4) return [own]
  return [own, ...fields(inner.schema, `${path}${inner.suffix}.`, depth + 1)]
}

/** The map within a field, or within each item of it. */
function innerOf(schema) {
  if (schema.properties !== undefined || isMap(schema)) return { schema, suffix: '' }
  const { items } = schema
  if (items && !Array.isArray(items) && (items.properties !== undefined || isMap(items))) return { schema: items, suffix: '[]' }
  const choice = (schema.anyOf ?? schema.oneOf ?? []).find((each) => each.properties !== undefined)
  return choice && { schema: choice, suffix: '' }
}

function bounds({ minimum, maximum, minLength, maxLength, pattern, format }) {
  const words = [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && minLength > 1 && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    format !== undefined && format,
    pattern !== undefined && pattern.length < 60 && `matches \`${pattern}\``,
  ].filter(Boolean)
  return words.length === 0 ? undefined : `(${words.join(', ')})`
}

/** The type in words: `list of [policy](#policy)`. */
function typeOf(schema) {
  if (schema === true || schema === undefined) return 'any'
  const { $ref, enum: choices, const: only, type, items, anyOf, oneOf, allOf } = schema
  if ($ref !== undefined) return refOf($ref)
  if (only !== undefined) return json(only)
  if (choices !== undefined) return choices.map(json).join(' or ')
  const union = anyOf ?? oneOf
  if (type === undefined && union) return [...new Set(union.map(typeOf))].filter((each) => each !== 'any').join(' or ') || 'any'
  if (type === undefined && allOf) return allOf.map(typeOf).join(' and ')
  if (type === undefined) return schema.properties === undefined ? 'any' : 'map'
  return [type]
    .flat()
    .map((each) => oneType(each, items))
    .join(' or ')
}

const words = { object: 'map', string: 'text', boolean: 'true or false', integer: 'whole number', number: 'number', null: 'null' }

function oneType(type, items) {
  if (type !== 'array') return words[type] ?? type
  return items === undefined || Array.isArray(items) ? 'list' : `list of ${typeOf(items)}`
}

function refOf(ref) {
  if (ref === '#') return 'the same'
  const [file, place] = ref.split('#')
  const name = place?.split('/').at(-1)
  const page = file.replace(/.*\//, '').replace('.schema.json', '')
  // A field of another schema has no heading of its own.
  const anchor = name && place.startsWith('/definitions/') ? `#${name.toLowerCase()}` : ''
  const href = `${page === '' ? '' : `${page}.md`}${anchor}`
  return `[${name ?? page}](${href})`
}

const json = (value) => `\`${JSON.stringify(value).slice(0, 200)}\``
