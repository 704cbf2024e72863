import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Diagnostic, withoutOverlaps } from '../../src/diagnostic.ts'
import { defaultSettings } from '../../src/names.ts'
import { readJson } from '../../src/parser/json.ts'
import { kindOf, listingOf, readFacts, worldOfListing } from '../../src/parser/policy.ts'
import { type Schema, schemaErrors } from '../../src/parser/schema.ts'
import { type ShapeMismatch, shapeProblems } from '../../src/parser/shape.ts'
import { schemas } from '../../src/parser/shape-schemas.js'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { sourceOf } from '../../src/source.ts'
import { type Node, plainValue } from '../../src/tree.ts'
import { counted } from '../support/counted.ts'
import { effort, some } from '../support/effort.ts'

/**
 * The shape of documents is said twice: by the schemas, which explain and which editors use, and by the readers, which are
 * fast. Here the two are held together.
 */

const policy = {
  $schema: 'policy.schema.json',
  name: 'web readers',
  description: null,
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:identity:group:ab12-svc/ops'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*', id: '5b0c', resource: { name: 'vps-1', owner: 'ab12-svc', tags: null }, group: null }],
  permissions: { allow: [{ action: 'vps:*' }], except: null, deny: [{ action: 'vps:apisvc:terminate' }] },
  permissionsGroups: [
    { urn: 'urn:v1:eu:permissionsGroup:ab12-svc:deployers' },
    {
      urn: 'urn:v1:eu:permissionsGroup:svc:readers',
      name: 'readers',
      owner: null,
      permissions: { allow: [{ action: '*get' }], deny: null },
    },
  ],
  conditions: {
    operator: 'AND',
    conditions: [
      { operator: 'MATCH', values: { 'request.IP': '192.0.2.1', 'resource.Tag(env)': 'prod' }, conditions: null },
      { operator: 'NOT', conditions: [{ operator: 'MATCH', values: { 'date().Hour.LT': '8' } }], values: null },
    ],
  },
  expiredAt: '2094-12-31T23:59:59Z',
  id: '6e2a1d0c',
  owner: 'ab12-svc',
  readOnly: false,
  createdAt: '2025-03-01T09:00:00Z',
  updatedAt: null,
}

const world = {
  $schema: 'world.schema.json',
  account: 'ab12-svc',
  policies: [policy],
  permissionsGroups: [
    {
      urn: 'urn:v1:eu:permissionsGroup:ab12-svc:deployers',
      name: 'deployers',
      description: null,
      permissions: { allow: [{ action: 'vps:apisvc:reboot' }] },
      readOnly: true,
      createdAt: '2025-03-01T09:00:00Z',
      updatedAt: null,
    },
  ],
  resourceGroups: [
    {
      urn: 'urn:v1:eu:resourceGroup:5b0c',
      id: '5b0c',
      name: 'servers',
      resources: [
        { urn: 'urn:v1:eu:resource:vps:vps-1', type: null, tags: { env: 'prod' } },
        { id: '77aa', urn: null },
      ],
      owner: 'ab12-svc',
      readOnly: false,
    },
  ],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1', displayName: null, type: 'vps', owner: 'ab12-svc', tags: { env: 'prod' } }],
  identities: [{ urn: 'urn:v1:eu:identity:user:ab12-svc/ann', groups: ['urn:v1:eu:identity:group:ab12-svc/ops'] }],
}

/** A condition nested deeper than conditions are read. */
const deep = { ...policy, conditions: nested(20) }

function nested(levels: number): object {
  return levels === 0 ? { operator: 'MATCH', values: { 'request.IP': '192.0.2.1' } } : { operator: 'NOT', conditions: [nested(levels - 1)] }
}

const listings = [world.permissionsGroups, world.resourceGroups, world.resources]
const bases = [policy, world, [policy, policy], deep, ...listings]
const words = [...new Set(JSON.stringify(world).match(/[A-Za-z$]+(?=":)/g) ?? []), 'denny', 'Name', '__proto__', 'constructor', '']
const values = [
  null,
  true,
  0,
  1.5,
  '',
  'urn:v1:eu:resource:*',
  [],
  {},
  [[]],
  [{}],
  ['a'],
  { urn: 'x' },
  { action: 'x' },
  { operator: 'MATCH' },
]

/** One harm: to the `at`th part of the document, of the `kind`th sort, with the `by`th value or word. */
interface Harm {
  readonly at: number
  readonly kind: number
  readonly by: number
}
const harms = fc.array(fc.record({ at: fc.nat(200), kind: fc.nat(5), by: fc.nat(200) }), { minLength: 1, maxLength: 3 })

type Slot = { readonly holder: Record<string, unknown>; readonly key: string }

/** Every place in a document that holds a value; of a list the holder is the list. */
function slots(value: unknown, out: Slot[] = []): readonly Slot[] {
  if (typeof value !== 'object' || value === null) return out
  for (const key of Object.keys(value)) {
    const holder = value as Record<string, unknown>
    out.push({ holder, key })
    slots(holder[key], out)
  }
  return out
}

function harmed(base: unknown, list: readonly Harm[]): unknown {
  const document: unknown = JSON.parse(JSON.stringify(base))
  for (const { at, kind, by } of list) {
    const all = slots(document)
    const slot = all[at % Math.max(all.length, 1)]
    if (!slot) continue
    const { holder, key } = slot
    const old = holder[key]
    const isList = Array.isArray(holder)
    const other = all[by % all.length] as Slot
    const word = words[by % words.length] as string
    if (kind === 0) holder[key] = structuredClone(values[by % values.length])
    else if (kind === 1) holder[key] = [old]
    else if (kind === 2) holder[key] = { [word]: old }
    else if (kind === 3) holder[key] = JSON.parse(JSON.stringify(other.holder[other.key] ?? null))
    else if (isList) holder.splice(Number(key), 1)
    else {
      delete holder[key]
      // Defined, not assigned: `__proto__` is a name like any other.
      if (kind === 5) Object.defineProperty(holder, word, { value: old, enumerable: true, writable: true, configurable: true })
    }
  }
  return document
}

function nodeOf(document: unknown): Node {
  return readJson(sourceOf('document.json', JSON.stringify(document))).documents[0] as Node
}

function isWithin({ start, end }: Node, problems: readonly Diagnostic[]): boolean {
  return problems.every(({ span }) => start <= span.start && span.end <= end)
}

const fitsShape = (shape: string, value: unknown) => schemaErrors(value, schemas[shape] as Schema, schemas).length === 0

/** The verdict of the schemas on a document: is the shape of it right? */
function fits(node: Node): boolean {
  const kind = kindOf(node)
  if (kind === 'policies') return node.kind === 'list' && node.items.every((item) => fitsShape('policy', plainValue(item)))
  if (kind === 'listing') return fitsShape('world', plainValue(worldOfListing(node, listingOf(node) as string)))
  return kind === undefined || fitsShape(kind, plainValue(node))
}

describe('readers and schemas agree', () => {
  test.each(bases.map((base, i) => [i, base] as const))('on the documents to start from (%i)', (_, base) => {
    const read = readFacts([nodeOf(base)], defaultSettings)
    expect(read.misshapen.flatMap(shapeProblems).map(({ message }) => message)).toEqual([])
    expect(read.misshapen).toEqual([])
    expect(read.diagnostics).toEqual([])
  })

  /** Whether readers and schemas agree on a document, and problems are reported. */
  const agree = (node: Node) => {
    const { misshapen } = readFacts([node], defaultSettings)
    if (fits(node)) return misshapen.length === 0
    return (
      misshapen.length > 0 &&
      misshapen.every((part) => {
        const problems = shapeProblems(part)
        return problems.length > 0 && withoutOverlaps(problems).length === problems.length && isWithin(part.node, problems)
      })
    )
  }

  // covers: T20, T11
  test('on every single harm of the plain sorts', () => {
    let count = 0
    for (const base of [policy, world]) {
      for (let at = slots(base).length - 1; at >= 0; at--) {
        const list = [...values.map((_, by): Harm => ({ at, kind: 0, by })), { at, kind: 1, by: 0 }, { at, kind: 4, by: 0 }]
        for (const harm of some(list, 12)) {
          const node = nodeOf(harmed(base, [harm]))
          if (!agree(node)) expect.unreachable(JSON.stringify(plainValue(node)))
          count++
        }
      }
    }
    expect(count).toBeGreaterThan(effort(1_500))
  })

  // covers: T20
  test('on 20,000 documents with harm done to them', () => {
    let refused = 0
    let taken = 0
    fc.assert(
      fc.property(fc.constantFrom(...bases), harms, (base, list) => {
        const node = nodeOf(harmed(base, list))
        // Too many levels are refused before anything is judged by its shape.
        fc.pre(node !== undefined)
        if (fits(node)) taken++
        else refused++
        return agree(node)
      }),
      { numRuns: counted(effort(20_000, 80)) },
    )
    expect(refused).toBeGreaterThan(effort(5_000, 80))
    expect(taken).toBeGreaterThan(effort(1_000, 80))
  })
})

describe('errors by the schemas', () => {
  const root = new URL('../..', import.meta.url)
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, unicodeRegExp: true })
  for (const name of ['policy', 'world', 'config', 'catalogue'])
    ajv.addSchema(JSON.parse(readFileSync(new URL(`schemas/${name}.schema.json`, root), 'utf8')))
  const id = (name: string) => `https://unpkg.com/grantwise/schemas/${name}.schema.json`
  const config = {
    extends: ['strict'],
    brand: 'svc',
    regions: ['eu'],
    policies: ['policies/'],
    world: 'world.yaml',
    rules: { 'unknown-action': 'off', 'expires-too-late': ['warning', { days: 90 }] },
    overrides: [{ files: ['a/*'], rules: { 'unknown-action': 'info' } }],
    ignores: [{ files: 'a', codes: ['unknown-action'], reason: 'known', until: '2027-01-01' }],
    failOn: 'error',
  }
  const catalogue = {
    catalogue: 1,
    seen: '2026-01',
    brand: 'svc',
    actions: ['vps:apisvc:get', { name: 'vps:apisvc:reboot', seen: '2025-12', deprecated: { from: '2026-01-02', replacedBy: [] } }],
    types: ['vps'],
    serves: { vps: ['vps', 'ip'] },
    operations: [{ branch: 'v1', method: 'GET', path: '/vps', actions: ['vps:apisvc:get'] }],
  }
  const given = [
    ['policy', policy],
    ['policy', deep],
    ['world', world],
    ['config', config],
    ['catalogue', catalogue],
  ] as const

  test('are those of a validator, in its order', () => {
    let refused = 0
    fc.assert(
      fc.property(fc.constantFrom(...given), harms, ([shape, base], list) => {
        const value = harmed(base, list)
        const check = ajv.getSchema(shape === 'policy' ? `${id(shape)}#/definitions/policy` : id(shape))
        const said = (errors: readonly { keyword: string; instancePath: string; params: unknown; parentSchema?: unknown }[]) =>
          errors.map(({ keyword, instancePath, params, parentSchema }) =>
            JSON.stringify([keyword, instancePath, params, Object.keys((parentSchema as Schema)?.properties ?? {})]),
          )
        check?.(value)
        const expected = said(check?.errors ?? [])
        if (expected.length > 0) refused++
        expect(said(schemaErrors(value, schemas[shape] as Schema, schemas))).toEqual(expected)
      }),
      { numRuns: effort(20_000, 80) },
    )
    expect(refused).toBeGreaterThan(effort(5_000, 80))
  })
})

describe('schemas/', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const schema = (name: string) => JSON.parse(readFileSync(join(root, `schemas/${name}.schema.json`), 'utf8')) as object
  const names = ['policy', 'world', 'config', 'iamtest', 'catalogue']
  const findings: string[] = []
  const ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    // Required names are next to the properties, not in each alternative; a pair may lack its second half.
    strictRequired: false,
    strictTuples: false,
    logger: { log: () => {}, warn: (text: string) => findings.push(text), error: (text: string) => findings.push(text) },
  })
  for (const name of names) ajv.addSchema(schema(name), name)

  test.each(names)('%s compiles by the letter, and validates against its own metaschema', (name) => {
    expect(ajv.validateSchema(schema(name))).toBe(true)
    expect(ajv.getSchema(name)).toBeTypeOf('function')
    expect(findings).toEqual([])
  })

  const folders = ['quickstart', 'team', 'team/policies', 'library'].filter((name) => {
    const entries = readdirSync(join(root, 'examples'), { withFileTypes: true })
    return entries.some((entry) => entry.isDirectory() && entry.name === name.split('/')[0])
  })
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, 'examples', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(json|ya?ml)$/.test(name))
      .map((name) => join('examples', folder, name)),
  )

  test.each([...new Set(files)])('accepts %s', (file) => {
    const notation = file.endsWith('.json') ? 'json' : 'yaml'
    const { documents } = readTree(sourceOf(file, readFileSync(join(root, file), 'utf8'), notation), readYaml)
    expect(documents.length).toBeGreaterThan(0)
    for (const document of documents) {
      const own = file.includes('.grantwise.') ? 'config' : file.includes('.iamtest.') ? 'iamtest' : undefined
      const name = own ?? (kindOf(document) === 'world' ? 'world' : 'policy')
      const check = ajv.getSchema(name)
      expect({ fits: check?.(plainValue(document)), errors: check?.errors ?? [] }).toEqual({ fits: true, errors: [] })
    }
  })

  test('there are examples to accept', () => {
    expect(files.length).toBeGreaterThan(5)
  })

  test.each(['misspelt-field.json', 'object-instead-of-list.yaml', 'missing-resources.yaml', 'number-where-text.yaml'])(
    'refuses %s',
    (name) => {
      const text = readFileSync(join(root, 'examples/mistakes', name), 'utf8')
      const { documents } = readTree(sourceOf(name, text), readYaml)
      expect(documents.map((document) => ajv.getSchema('policy')?.(plainValue(document)))).toEqual([false])
    },
  )
})

describe('the problems of a shape', () => {
  const described = (document: unknown, shape: ShapeMismatch['shape'] = 'policy') => {
    const node = nodeOf(document)
    return shapeProblems({ shape, node }).map(
      ({ message, help, span }) => `${node.source.text.slice(span.start, span.end)}: ${message}${help ? ` | ${help}` : ''}`,
    )
  }
  const bare = { name: 'n', identities: [], resources: [], permissions: {} }

  test.each<readonly [string, unknown, readonly string[]]>([
    ['nothing where all is right', bare, []],
    [
      'a misspelt field that leaves one missing, once',
      { name: 'n', identitis: [], resources: [], permissions: {} },
      ['"identitis": unknown field `identitis` | did you mean `identities`?'],
    ],
    [
      'a field in another case, once',
      { Name: 'n', identities: [], resources: [], permissions: {} },
      ['"Name": field `Name` is spelt `name` | write `name`: upper and lower case count in the names of fields'],
    ],
    [
      'a field that one of two may stand for',
      { name: 'n', identities: [], resources: [], permission: {} },
      ['"permission": unknown field `permission` | did you mean `permissions`?'],
    ],
    [
      'fields of other tools',
      { ...bare, expires_at: 'x', condition: null },
      [
        '"expires_at": unknown field `expires_at` | did you mean `expiredAt`?',
        '"condition": unknown field `condition` | did you mean `conditions`?',
      ],
    ],
    [
      'only fields that people write, where none is near',
      { ...bare, zzzzzz: 1 },
      [
        '"zzzzzz": unknown field `zzzzzz` | known fields here: `name`, `description`, `identities`, `resources`, `permissions`, `permissionsGroups`, `conditions`, `expiredAt`',
      ],
    ],
    [
      'all that is missing, in one',
      { name: 'n' },
      [
        '"n": missing fields `identities`, `resources`, and `permissions` or `permissionsGroups` | add `"identities": ["urn:v1:eu:identity:user:<account_id>/<login>"], "resources": [{"urn": "urn:v1:eu:resource:<type>:<name>"}], "permissions": {"allow": [{"action": "<product>:*"}]}`',
      ],
    ],
    [
      'the only field of an entry',
      { ...bare, resources: [{ target: 'urn:v1:eu:resource:*' }] },
      ['"target": unknown field `target` | did you mean `urn`?'],
    ],
    [
      'a name of the wrong type beside what is missing',
      { name: 3, identities: [], resources: [] },
      [
        '"name": missing field `permissions` or `permissionsGroups` | add `"permissions": {"allow": [{"action": "<product>:*"}]}`',
        '3: expected a text, found a number | put it in quotes: `"3"`',
      ],
    ],
    [
      'a text where a list of objects should be',
      { ...bare, permissions: { allow: 'vps:*' } },
      ['"vps:*": expected a list, found a text | put it in a list: `[{"action": "vps:*"}]`'],
    ],
    [
      'a text where a list of texts should be',
      { ...bare, identities: 'urn:v1:eu:identity:account:ab12-svc' },
      [
        '"urn:v1:eu:identity:account:ab12-svc": expected a list, found a text | put it in a list: `["urn:v1:eu:identity:account:ab12-svc"]`',
      ],
    ],
    [
      'an object where a text should be',
      { ...bare, identities: [{ urn: 'urn:x' }] },
      ['{"urn":"urn:x"}: expected a text, found an object | write the URN itself: `"urn:x"`'],
    ],
    [
      'a list where an object should be',
      { ...bare, permissions: [{ action: 'vps:*' }] },
      ['[{"action":"vps:*"}]: expected an object, found a list | write an object with `allow`, `except` and `deny`'],
    ],
    [
      'a condition by the alternative that was meant',
      { ...bare, conditions: { operator: 'MATCH', values: { a: 1, b: ['x', 'y'] } } },
      [
        '1: expected a text, found a number | put it in quotes: `"1"`',
        '["x","y"]: expected a text, found a list | write one text, the values of an `IN` separated by commas: `"a, b"`',
      ],
    ],
    [
      'a condition that is none of the alternatives',
      { ...bare, conditions: 'always' },
      ['"always": expected an object, found a text | write an object with `operator`, `conditions` and `values`'],
    ],
    [
      'a condition within a condition',
      { ...bare, conditions: { operator: 'NOT', conditions: [{ operater: 'MATCH' }] } },
      ['"operater": unknown field `operater` | did you mean `operator`?'],
    ],
  ])('%s', (_, document, expected) => {
    expect(described(document)).toEqual(expected)
  })

  test('a file that is wrong throughout, in few words and little time', () => {
    const problems = described({ ...bare, identities: Array.from({ length: 50_000 }, (_, i) => i), resources: Array(50_000).fill('x') })
    expect(problems.length).toBe(100)
    const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`field${i}`, i]))
    expect(described({ ...bare, ...fields }).length).toBe(100)
  })
})
