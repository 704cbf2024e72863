import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { type Schema, schemaErrors } from '../../src/parser/schema.ts'

/** A schema as JSON has it: patterns are texts, and what is referred to is next to it. */
const written = (schema: Schema, parts: Readonly<Record<string, Schema>> = {}): object => ({
  ...JSON.parse(JSON.stringify(schema, (_, value) => (value instanceof RegExp ? value.source.replaceAll('\\/', '/') : value))),
  $defs: JSON.parse(JSON.stringify(parts, (_, value) => (value instanceof RegExp ? value.source.replaceAll('\\/', '/') : value))),
})

const ajv = new Ajv2020({ allErrors: true, strict: false })
const parts: Readonly<Record<string, Schema>> = { '#/$defs/name': { type: 'string', minLength: 2 } }

const schemas: Readonly<Record<string, Schema>> = {
  text: { type: 'string' },
  'text or null': { type: ['string', 'null'] },
  'text of a length': { type: 'string', minLength: 2 },
  'text of a form': { type: 'string', pattern: /^a\/+$/ },
  'text of a length and a form': { type: 'string', minLength: 3, pattern: /^a/ },
  'length of texts, any type': { minLength: 2 },
  'length of texts or null': { type: ['string', 'null'], minLength: 1 },
  number: { type: 'number' },
  'one of some': { enum: ['a', 1, null, true] },
  'text that is one of some': { type: 'string', enum: ['a', 'b'] },
  list: { type: 'array' },
  'list of one to two': { type: 'array', minItems: 1, maxItems: 2 },
  'list of at least two': { type: 'array', minItems: 2 },
  'list of at most one': { type: 'array', maxItems: 1 },
  'list of texts': { type: 'array', items: { type: 'string', minLength: 1 } },
  pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: { type: 'boolean' } },
  'lists or texts': { type: ['array', 'string'], items: { type: 'string' }, minItems: 1 },
  object: { type: 'object' },
  'object that needs fields': { type: 'object', required: ['a', 'b'] },
  'object of known fields': {
    type: 'object',
    properties: { a: { type: 'string' }, 'b/c~d': { type: 'number' } },
    additionalProperties: false,
  },
  'object of texts': { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: { type: 'string' } },
  'object, any fields': { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true, required: ['a'] },
  'fields of objects, any type': { properties: { a: { type: 'string' } }, required: ['b'] },
  alternatives: { anyOf: [{ type: 'string', minLength: 2 }, { type: 'array', items: { type: 'string' } }, { enum: [null] }] },
  'alternatives among fields': {
    type: 'object',
    properties: { a: {}, b: {} },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
    minLength: 1,
  },
  'a part': { type: 'object', properties: { a: { $ref: '#/$defs/name' } }, required: ['a'] },
  'a part in a list': { type: 'array', items: { $ref: '#/$defs/name' }, minItems: 2 },
}

const values: readonly unknown[] = [
  null,
  true,
  0,
  1,
  '',
  'a',
  'b',
  'ab',
  'a/',
  'abc',
  'b/',
  '\u{1f600}',
  [],
  [''],
  ['a'],
  ['ab', 'c'],
  [1, 'a', true],
  ['a', 1, 2, false],
  [null, null, null],
  {},
  { a: 'x' },
  { a: 1 },
  { b: 'x' },
  { a: 'xy', b: 'x' },
  { c: 1, a: 'xy', b: 2 },
  { 'b/c~d': 'x' },
  { 'b/c~d': 1, 'e/f': 'x', '~': 2 },
  { a: [] },
  { b: null, a: undefined },
]

describe('what does not fit a schema', () => {
  // Messages and places as a validator of JSON Schema has them, in its order.
  test.each(Object.entries(schemas))('%s', (name, schema) => {
    const check = ajv.compile(written(schema, { name: parts['#/$defs/name'] as Schema }))
    for (const value of values) {
      check(value)
      const expected = (check.errors ?? []).map(({ keyword, instancePath, params }) => ({ keyword, instancePath, params }))
      const found = schemaErrors(value, schema, parts)
      expect([name, value, found.map(({ keyword, instancePath, params }) => ({ keyword, instancePath, params }))]).toEqual([
        name,
        value,
        expected,
      ])
      for (const { keyword, parentSchema, schemaPath } of found) {
        expect(keyword in parentSchema).toBe(true)
        expect(schemaPath.endsWith(`/${keyword}`)).toBe(true)
      }
    }
  })
})
