/** A part of a JSON Schema, with no more than the schemas in `schemas/` have. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly minLength?: number
  readonly pattern?: RegExp
  readonly minItems?: number
  readonly maxItems?: number
  readonly prefixItems?: readonly Schema[]
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  /** Written by the service only. */
  readonly readOnly?: boolean
}

/** A mismatch, in the terms of JSON Schema validators. */
export interface ShapeError {
  readonly keyword: string
  /** A JSON pointer to the value. */
  readonly instancePath: string
  readonly schemaPath: string
  // biome-ignore lint/suspicious/noExplicitAny: it differs with the keyword
  readonly params: Readonly<Record<string, any>>
  /** The schema that has the keyword. */
  readonly parentSchema: Schema
}

/** Every schema by its name, and each part that is referred to by the reference. */
export type Schemas = Readonly<Record<string, Schema>>

/**
 * All mismatches with a schema, in the order in which validators usually report: about strings, then about any value, lists and
 * objects. Of an `anyOf` that fails, the errors of each alternative come before it.
 */
export function schemaErrors(value: unknown, schema: Schema, schemas: Schemas): readonly ShapeError[] {
  const errors: ShapeError[] = []
  const check = (data: unknown, part: Schema, dataPath: string, path: string): void => {
    const report = (keyword: string, params: ShapeError['params']) =>
      errors.push({ keyword, instancePath: dataPath, schemaPath: `${path}/${keyword}`, params, parentSchema: part })
    const types = part.type === undefined ? [] : [part.type].flat()
    const wrongType = types.length > 0 && !types.some((type) => is(type, data))
    // A type with related keywords is checked with them.
    const group =
      types.length === 1 ? groups.find(({ type, keywords }) => type === types[0] && keywords.some((each) => each in part)) : undefined
    if (wrongType && !group) report('type', { type: part.type })
    const late = (type: string) => wrongType && group?.type === type && report('type', { type: part.type })

    if (typeof data === 'string') {
      if (part.minLength !== undefined && [...data].length < part.minLength) report('minLength', { limit: part.minLength })
      if (part.pattern && !part.pattern.test(data)) report('pattern', { pattern: part.pattern.source.replaceAll('\\/', '/') })
    } else late('string')

    if (part.$ref !== undefined) check(data, schemas[part.$ref] as Schema, dataPath, `${path}/$ref`)
    if (part.enum && !part.enum.includes(data)) report('enum', { allowedValues: part.enum })
    if (part.anyOf) {
      const before = errors.length
      const fits = part.anyOf.some((each, i) => {
        const start = errors.length
        check(data, each, dataPath, `${path}/anyOf/${i}`)
        return errors.length === start
      })
      if (fits) errors.length = before
      else report('anyOf', {})
    }

    if (Array.isArray(data)) {
      if (part.maxItems !== undefined && data.length > part.maxItems) report('maxItems', { limit: part.maxItems })
      if (part.minItems !== undefined && data.length < part.minItems) report('minItems', { limit: part.minItems })
      const { prefixItems = [], items } = part
      for (const [i, each] of prefixItems.entries())
        if (i < data.length) check(data[i], each, `${dataPath}/${i}`, `${path}/prefixItems/${i}`)
      if (items) for (let i = prefixItems.length; i < data.length; i++) check(data[i], items, `${dataPath}/${i}`, `${path}/items`)
    } else late('array')

    if (is('object', data)) {
      const object = data as Readonly<Record<string, unknown>>
      for (const name of part.required ?? []) if (object[name] === undefined) report('required', { missingProperty: name })
      const { properties = {}, additionalProperties = true } = part
      if (additionalProperties !== true)
        for (const key in object) {
          if (Object.hasOwn(properties, key)) continue
          if (additionalProperties === false) report('additionalProperties', { additionalProperty: key })
          else check(object[key], additionalProperties, `${dataPath}/${escaped(key)}`, `${path}/additionalProperties`)
        }
      for (const [key, each] of Object.entries(properties))
        if (object[key] !== undefined) check(object[key], each, `${dataPath}/${escaped(key)}`, `${path}/properties/${key}`)
    } else late('object')
  }
  check(value, schema, '', '#')
  return errors
}

const groups = [
  { type: 'string', keywords: ['minLength', 'pattern'] },
  { type: 'array', keywords: ['maxItems', 'minItems', 'prefixItems', 'items'] },
  { type: 'object', keywords: ['required', 'additionalProperties', 'properties'] },
]

function is(type: string, data: unknown): boolean {
  if (type === 'null') return data === null
  if (type === 'array') return Array.isArray(data)
  if (type === 'object') return typeof data === 'object' && data !== null && !Array.isArray(data)
  return typeof data === type
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
