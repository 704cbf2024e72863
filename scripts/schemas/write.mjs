// Writes the schemas of `printed.mjs` as JSON Schema, draft 7: the newest that editors and the public schema store support.
import { printed, shared } from './printed.mjs'

/** Where the schemas of the newest release are. */
export const address = 'https://unpkg.com/grantwise/schemas/'

/** The schemas for files that users write by hand: their names in the store, and the files they are for. */
const written = {
  policy: [
    'grantwise policy',
    'An IAM policy, or a list of them',
    ['*.grantwise-policy.json', '*.grantwise-policy.yaml', '*.grantwise-policy.yml'],
  ],
  world: [
    'grantwise world',
    'Policies with the groups, resources and identities they speak of',
    ['*.grantwise-world.json', '*.grantwise-world.yaml', '*.grantwise-world.yml'],
  ],
  config: [
    'grantwise configuration',
    'Settings of grantwise, a linter of IAM policies',
    ['.grantwise.yaml', '.grantwise.yml', '.grantwise.json'],
  ],
  iamtest: ['grantwise policy tests', 'Tests of IAM policies', ['*.iamtest.yaml', '*.iamtest.yml', '*.iamtest.json']],
  catalogue: ['grantwise catalogue', 'A catalogue of IAM actions', ['*.grantwise-catalogue.json']],
}

/** The catalogue of schemas, in the form of the store's. */
export function catalogOf() {
  const own = Object.entries(printed).flatMap(([name, { title, description, files }]) =>
    files ? [[name, [title, description.replace(/\.$/, ''), files]]] : [],
  )
  const schemas = [...Object.entries(written), ...own].map(([name, [title, description, fileMatch]]) => ({
    name: title,
    description,
    fileMatch,
    url: `${address}${name}.schema.json`,
  }))
  // As the store orders them.
  schemas.sort((a, b) => (a.name < b.name ? -1 : 1))
  return textOf({ $schema: 'https://json.schemastore.org/schema-catalog.json', version: 1, schemas })
}

/** The text of each schema, by its name. */
export function printedSchemas() {
  return Object.entries(printed).map(([name, { title, description, shape, strict = false }]) => {
    const used = new Set()
    const body = schemaOf(shape, used, strict)
    // A part that is used may use more.
    const definitions = {}
    for (const each of used) definitions[each] = schemaOf(shared[each], used, strict)
    const head = { $schema: 'http://json-schema.org/draft-07/schema#', $id: `${address}${name}.schema.json`, title, description }
    // Next to a reference, draft 7 reads nothing else.
    const inner = body.$ref ? { allOf: [body] } : body
    return [name, textOf({ ...head, ...inner, ...(used.size > 0 && { definitions }) })]
  })
}

function objectOf(fields, used, strict) {
  const all = Object.entries(fields).filter(([, field]) => field !== undefined)
  const properties = all.map(([name, [shape, description, ...examples]]) => {
    const schema = schemaOf(shape, used, strict)
    return [
      name.replace(/\?$/, ''),
      { description, ...(schema.$ref ? { allOf: [schema] } : schema), examples: examples.length > 0 ? examples : [exampleOf(shape)] },
    ]
  })
  const required = all.flatMap(([name]) => (name.endsWith('?') ? [] : [name]))
  return { type: 'object', required, ...(strict && { additionalProperties: false }), properties: Object.fromEntries(properties) }
}

function schemaOf(shape, used, strict) {
  if (Array.isArray(shape)) return { type: 'array', items: schemaOf(shape[0], used, strict) }
  if (shape.$ref) return shape
  if (shape.$any) return { anyOf: shape.$any.map((each) => schemaOf(each, used, strict)) }
  if (shape.$open) return schemaOf(shape.$open, used, false)
  if (shape.$map) return { type: 'object', additionalProperties: schemaOf(shape.$map, used, strict) }
  if (typeof shape === 'object') return shape.enum || typeof shape.type === 'string' ? shape : objectOf(shape, used, strict)
  if (shape === 'any') return {}
  if (shape in shared) {
    used.add(shape)
    return { $ref: `#/definitions/${shape}` }
  }
  const types = shape.split('|')
  return { type: types.length === 1 ? types[0] : types }
}

/** A value of a shape, of the examples of its fields. */
function exampleOf(shape) {
  if (Array.isArray(shape)) return [exampleOf(shape[0])]
  if (shape.$any) return exampleOf(shape.$any[0])
  const fields = typeof shape === 'string' ? shared[shape] : shape
  if (fields === undefined || fields.enum || typeof fields.type === 'string') return fields?.enum?.[0] ?? {}
  const given = Object.entries(fields).filter(([name, field]) => field !== undefined && !name.endsWith('?'))
  return Object.fromEntries(given.map(([name, [inner, , ...examples]]) => [name, examples.length > 0 ? examples[0] : exampleOf(inner)]))
}

/** Without indentation: these are many and are for machines, and the package is small. */
function textOf(value) {
  return `${JSON.stringify(value)}\n`
}
