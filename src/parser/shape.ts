import { compareDiagnostics, type Diagnostic, type Fix } from '../diagnostic.ts'
import { unwrap, wrapInList, wrapInObject } from '../edits.ts'
import { keyOf } from '../keys.ts'
import { visible } from '../names.ts'
import { nearest } from '../nearest.ts'
import { type Edits, quote, renameKey, replaceText, withFix } from '../texts.ts'
import { type Entry, type MapNode, type Node, plainValue, type TextNode } from '../tree.ts'
import { shortened } from './reading.ts'
import { type Schema, type Schemas, type ShapeError, schemaErrors } from './schema.ts'
import { schemas } from './shape-schemas.js'

/** The intended kind of a document: the name of the schema it is compared with. */
export type Shape = 'policy' | 'world' | 'config' | 'catalogue'

/** A part of a document that a reader could not make a record of, to be explained by the schema. */
export interface ShapeMismatch {
  readonly shape: Shape
  readonly node: Node
}

const mostProblems = 100
/** How many errors of the schema are looked at: a file that is wrong throughout must not take minutes to say so. */
const mostErrors = 1000

/**
 * Explains the problems of a node's shape, by its JSON Schema: each at its value or key, with the nearest legal field or string
 * as help. A separate module, so that the compiled schemas are loaded only when there is a problem.
 */
export function shapeProblems({ shape, node }: ShapeMismatch): readonly Diagnostic[] {
  return shapeProblemsBy(schemas, shape, node)
}

/** The same, by other schemas. */
export function shapeProblemsBy(schemas: Schemas, shape: string, node: Node): readonly Diagnostic[] {
  const errors = schemaErrors(plainValue(node), schemas[shape] as Schema, schemas)
  const examples = shape === 'policy' || shape === 'world' ? policyExamples : {}
  const byPlace = new Map<string, Diagnostic>()
  const fields = new Map<MapNode, FieldErrors>()
  for (const error of explainable(errors).slice(0, mostErrors)) {
    const errorNode = resolve(node, error.instancePath)
    if (!errorNode) continue
    if (errorNode.kind === 'map' && isAboutFields(error)) {
      const errorsOfNode = fields.get(errorNode) ?? { unknown: [], missing: [], schema: error.parentSchema }
      fields.set(errorNode, errorsOfNode)
      if (error.keyword === 'additionalProperties') errorsOfNode.unknown.push(String(error.params.additionalProperty))
      else errorsOfNode.missing.push(requiredBy(error))
      continue
    }
    const problem = explain(error, errorNode)
    byPlace.set(keyOf(problem.span.start, problem.message), problem)
  }
  const problems = [...byPlace.values(), ...[...fields].flatMap(([map, errors]) => fieldProblems(map, errors, examples))]
  return problems.sort(compareDiagnostics).slice(0, mostProblems)
}

/**
 * The errors about what the writer meant. For an `anyOf` the checker reports what each alternative dislikes: one that refuses
 * the value itself was not meant where another refuses only a part of it. Where all refuse it, their wishes are put together.
 */
function explainable(errors: readonly ShapeError[]): readonly ShapeError[] {
  const out: ShapeError[] = []
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      out.push(error)
      continue
    }
    // The errors of the alternatives come right before that of the whole.
    let from = out.length
    const isInside = ({ instancePath }: ShapeError) =>
      instancePath === error.instancePath || instancePath.startsWith(`${error.instancePath}/`)
    while (from > 0 && isInside(out[from - 1] as ShapeError)) from--
    const inside = out.splice(from)
    if (isAboutFields(error)) out.push({ ...error, params: { alternatives: inside.map((e) => e.params.missingProperty) } })
    else {
      const refuses = ({ keyword, instancePath }: ShapeError) =>
        instancePath === error.instancePath && (keyword === 'type' || keyword === 'enum')
      const parts = inside.filter((e) => !refuses(e))
      const words = inside.filter((e) => e.keyword === 'enum')
      // Where neither is there, each alternative wants another type.
      const types = new Set(inside.flatMap((e) => [e.params.type].flat()))
      // The help looks at the fields of the object that is wanted, where one is.
      const { parentSchema } = inside.find((e) => e.parentSchema.properties) ?? error
      const whole = [{ ...error, parentSchema, keyword: 'type', params: { type: [...types] } }]
      for (const each of parts.length > 0 ? parts : words.length > 0 ? words : whole) out.push(each)
    }
  }
  return out
}

function isAboutFields({ keyword, parentSchema }: ShapeError): boolean {
  return keyword === 'additionalProperties' || keyword === 'required' || (keyword === 'anyOf' && parentSchema.properties !== undefined)
}

/** The fields of which an error asks for one. */
function requiredBy({ keyword, params }: ShapeError): readonly string[] {
  return keyword === 'anyOf' ? (params.alternatives as string[]) : [String(params.missingProperty)]
}

/** The node that a JSON pointer leads to. */
function resolve(root: Node, pointer: string): Node | undefined {
  let node: Node | undefined = root
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (node?.kind === 'list') node = node.items[Number(name)]
    else if (node?.kind === 'map') node = node.entries.find((entry) => entry.key.value === name)?.value
    else return undefined
  }
  return node
}

const kindNames: Record<string, string> = {
  text: 'a text',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  list: 'a list',
  array: 'a list',
  map: 'an object',
  object: 'an object',
}

function shapeError(span: Node, message: string, help?: string, fix: { readonly fix?: Fix } = {}): Diagnostic {
  return { code: 'shape', severity: 'error', message, span, ...(help && { help }), ...fix }
}

function explain(error: ShapeError, node: Node): Diagnostic {
  const field = error.instancePath.split('/').at(-1) ?? ''
  switch (error.keyword) {
    case 'type': {
      const types = [error.params.type].flat().map(String)
      // Null is only allowed for what the service writes.
      const wanted = types.filter((type) => type !== 'null')
      const expected = wanted.map((type) => kindNames[type] ?? type).join(' or ')
      return shapeError(
        node,
        `expected ${expected}, found ${kindNames[node.kind]}`,
        typeHelp(error, node, wanted),
        typeFix(error, node, wanted),
      )
    }
    case 'enum': {
      const values = error.params.allowedValues as readonly unknown[]
      const allowed = values.map(String)
      const strings = values.filter((value) => typeof value === 'string')
      const suggested = node.kind === 'text' ? (inOtherCase(node.value, strings) ?? nearest(node.value, strings)) : undefined
      return shapeError(
        node,
        `expected ${allowed.length > 1 ? 'one of ' : ''}${allowed.map((v) => `\`${v}\``).join(', ')}`,
        suggested && `did you mean \`${suggested}\`?`,
        suggested === undefined || node.kind !== 'text'
          ? {}
          : withFix(`write \`${suggested}\``, node.value.toLowerCase() === suggested.toLowerCase(), [replaceText(node, suggested)]),
      )
    }
    case 'minItems':
      return shapeError(node, `expected at least ${counted(error.params.limit)}`)
    case 'minLength':
      return shapeError(node, 'an empty text', 'write a value, or remove it')
    case 'maxItems':
      return shapeError(node, `expected at most ${counted(error.params.limit)}`)
    case 'pattern':
      return shapeError(
        node,
        /^\d+$/.test(field) && node.kind === 'text'
          ? `\`${visible(shortened(node.value))}\` is empty or malformed`
          : `\`${visible(shortened(field))}\` is empty or malformed`,
      )
    default:
      return shapeError(node, 'wrong shape')
  }
}

function counted(entries: unknown): string {
  return `${entries} ${entries === 1 ? 'entry' : 'entries'}`
}

/** The help for a value of the wrong type. */
function typeHelp({ parentSchema, instancePath }: ShapeError, node: Node, types: readonly string[]): string | undefined {
  const schema = { ...parentSchema, type: types }
  const fitted = fittedTo(schema, node)
  const written = fitted === undefined ? undefined : print(fitted)
  const text = written !== undefined && written.length <= longestExample ? `\`${visible(written)}\`` : undefined
  const isScalar = node.kind === 'number' || node.kind === 'boolean'
  if (types.includes('array') && !(isScalar && types.includes('string'))) return text ? `put it in a list: ${text}` : 'put it in a list'
  if (types.includes('object')) {
    if (text) return `write an object: ${text}`
    const schemaFields = Object.keys(schema.properties ?? {})
    return schemaFields.length > 0 ? `write an object with ${listed(knownFields(schema))}` : undefined
  }
  if (!types.includes('string')) return undefined
  if (node.kind === 'null') return 'write a value, or remove it'
  if (node.kind === 'list')
    return /\/values\/[^/]*$/.test(instancePath)
      ? 'write one text, the values of an `IN` separated by commas: `"a, b"`'
      : 'write one text; several take an entry each'
  if (node.kind === 'map') return text && `write the ${(node.entries[0] as Entry).key.value === 'urn' ? 'URN' : 'text'} itself: ${text}`
  return text && `put it in quotes: ${text}`
}

/** The first step towards a value of the right type, where there is only one way to put what is written. */
function typeFix({ parentSchema }: ShapeError, node: Node, types: readonly string[]): { readonly fix?: Fix } {
  const schema = { ...parentSchema, type: types }
  if (fittedTo(schema, node) === undefined) return {}
  if (types.includes('array') && (node.kind === 'text' || node.kind === 'map')) return withFix('put it in a list', true, wrapInList(node))
  if (types.includes('object') && node.kind === 'text')
    return withFix('write an object', true, [wrapInObject(node, (schema.required as readonly string[])[0] as string)])
  if (!types.includes('string')) return {}
  if (node.kind === 'number' || node.kind === 'boolean') return withFix('put it in quotes', true, [quote(node)])
  if (node.kind !== 'map') return {}
  const { key } = node.entries[0] as Entry
  return withFix('write the text itself', ['urn', 'action'].includes(key.value), unwrap(node))
}

/** A value made to fit a schema by correcting common slips: quotes, a list around it, or the one field of an object. */
function fittedTo(schema: Schema, node: Node): unknown {
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return plainValue(node)
  const isScalar = node.kind === 'number' || node.kind === 'boolean'
  if (types.includes('array') && node.kind !== 'list' && !(isScalar && types.includes('string'))) {
    const item = node.kind === 'null' ? undefined : fittedTo(schema.items ?? {}, node)
    return item === undefined ? undefined : [item]
  }
  if (types.includes('object') && node.kind !== 'map') {
    const [only, second] = Object.entries(schema.properties ?? {}).filter(([, { readOnly }]) => !readOnly)
    const value = only === undefined || second !== undefined ? undefined : fittedTo(only[1], node)
    return value === undefined ? undefined : { [(only as readonly [string, Schema])[0]]: value }
  }
  if (types.includes('string')) {
    if (node.kind === 'map')
      return node.entries.length === 1 && node.entries[0]?.value.kind === 'text' ? node.entries[0].value.value : undefined
    if (node.kind === 'number' || node.kind === 'boolean') return node.source.text.slice(node.start, node.end)
    return node.kind === 'text' ? node.value : undefined
  }
  return plainValue(node)
}

/** The longest text that a help spells out. */
const longestExample = 120

/** JSON on one line, with the usual blanks. Gives up past the length that is shown. */
function print(value: unknown): string | undefined {
  const text = JSON.stringify(value, null, 1)
  return text.length > 2 * longestExample
    ? undefined
    : text
        .replace(/\n */g, ' ')
        .replace(/([[{]) /g, '$1')
        .replace(/ ([\]}])/g, '$1')
}

/** How fields may look, as JSON. */
type Examples = Readonly<Record<string, string>>

/** The problems with the fields of one object. `missing`: of each list one field is wanted. */
interface FieldErrors {
  readonly unknown: string[]
  readonly missing: (readonly string[])[]
  readonly schema: Schema
}

/** A merge key, as the reader of YAML refuses it: in quotes, and in JSON, it is a key like any other. */
function isMerge({ key: { value, source, start } }: Entry): boolean {
  return value === '<<' && source.notation === 'yaml' && source.text[start] === '<'
}

function isAnchored({ key, value }: Entry): boolean {
  return key.source.notation === 'yaml' && /^:?\s*&/.test(key.source.text.slice(key.end, value.start))
}

/** Unknown and missing fields, put together: a field that is missing because its name is misspelt is one problem. */
function fieldProblems(node: MapNode, errors: FieldErrors, examples: Examples): readonly Diagnostic[] {
  const keys = new Map(node.entries.map(({ key }): [string, TextNode] => [key.value, key]))
  const { schema } = errors
  // The fields of a merge key are not here, and the key itself is not a field: the reader reports both.
  const missing = node.entries.some(isMerge) ? [] : errors.missing
  const reported = new Set(node.entries.filter((entry) => isMerge(entry) || isAnchored(entry)).map(({ key }) => key.value))
  const unknown = errors.unknown.filter((name) => !reported.has(name))
  const wanted = missing.flat()
  const fieldNames = Object.keys(schema.properties ?? {})
  const out: Diagnostic[] = []
  const meantFields = new Set<string>()
  for (const name of unknown.slice(0, mostProblems)) {
    const key = keys.get(name) ?? node
    const only = node.entries.length === 1 && wanted.length === 1 ? wanted[0] : undefined
    const meant = likelyField(name, wanted) ?? likelyField(name, fieldNames) ?? only
    // Two names for one field, or a name next to the field itself: choosing one would be a guess.
    const isFree = meant !== undefined && !keys.has(meant) && !meantFields.has(meant)
    if (meant !== undefined) meantFields.add(meant)
    const edits = isFree && key.kind === 'text' ? [renameKey(key, meant)] : undefined
    out.push(unknownField(key, name, meant, schema, edits))
  }
  const still = missing.filter((names) => !names.some((name) => meantFields.has(name)))
  if (still.length > 0) out.push(missingFields(node, still, new Set(unknown), examples))
  return out
}

function unknownField(key: Node, name: string, meant: string | undefined, schema: Schema, edits: Edits): Diagnostic {
  const shown = visible(shortened(name))
  const fix = meant === undefined ? {} : withFix(`write \`${meant}\``, isUnmistakable(name, meant), edits)
  if (name === '<<')
    return shapeError(key, 'the merge key `<<` is not part of YAML 1.2: what it names would not be merged', 'write the fields out here')
  if (meant !== undefined && meant.toLowerCase() === name.toLowerCase())
    return shapeError(
      key,
      `field \`${shown}\` is spelt \`${meant}\``,
      `write \`${meant}\`: upper and lower case count in the names of fields`,
      fix,
    )
  // Of policy tests, only what is proved is about many actions.
  if (name === 'over' && ['tests', 'expect'].some((field) => Object.hasOwn(schema.properties ?? {}, field)))
    return shapeError(key, 'unknown field `over`', '`over` belongs in an item of `allow` or `deny`, or in the claim of an invariant')
  return shapeError(
    key,
    `unknown field \`${shown}\``,
    meant === undefined ? `known fields here: ${knownFields(schema).join(', ')}` : `did you mean \`${meant}\`?`,
    fix,
  )
}

/** Whether a name can only mean the field: the same word in another form, or one that says what the list or date does. */
function isUnmistakable(name: string, field: string): boolean {
  const stem = stemOf(name)
  if (stem === stemOf(field)) return true
  return (
    ['allow', 'except', 'deny', 'expiredAt'].includes(field) &&
    stem !== 'notaction' &&
    (synonyms[field] as readonly string[]).includes(stem)
  )
}

/** The fields that users write, quoted. */
function knownFields({ properties = {} }: Schema): readonly string[] {
  return Object.entries(properties).flatMap(([name, { readOnly }]) => (readOnly || name === '$schema' ? [] : [`\`${name}\``]))
}

/** The one of some names that a text is but for its case. */
function inOtherCase(text: string, names: readonly string[]): string | undefined {
  return names.find((name) => name.toLowerCase() === text.toLowerCase())
}

/** The field that was meant by a name: in another case or number, with a slip, or by another word for the same thing. */
function likelyField(name: string, candidates: readonly string[]): string | undefined {
  const stem = stemOf(name)
  return (
    inOtherCase(name, candidates) ??
    candidates.find((candidate) => stemOf(candidate) === stem) ??
    nearest(name, candidates) ??
    candidates.find((candidate) => synonyms[candidate]?.includes(stem))
  )
}

/** A name without what varies: case, separators, the ending of a plural. */
function stemOf(name: string): string {
  return name.slice(0, longestExample).toLowerCase().replace(/[-_ ]/g, '').replace(/ies$/, 'y').replace(/s$/, '')
}

/** Names that other tools and notations use for the same thing, as stems. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  allow: ['allowed', 'grant', 'granted'],
  except: ['exclude', 'exception', 'notaction'],
  deny: ['denie', 'denied', 'forbid', 'forbidden'],
  expiredAt: ['expiresat', 'expireat', 'expiry', 'expire', 'expiration', 'validuntil', 'until'],
  identities: ['principal', 'user', 'subject', 'member'],
  resources: ['target', 'object'],
  permissions: ['right', 'grant'],
  permissionsGroups: ['role', 'policygroup'],
  action: ['operation', 'permission', 'name'],
  urn: ['arn', 'id', 'resource', 'name', 'uri'],
  extends: ['preset', 'ruleset'],
  ignores: ['exclude', 'ignorepattern', 'ignorefile'],
}

/** How a missing field of a policy may look. */
const policyExamples: Examples = {
  name: '"web readers"',
  identities: '["urn:v1:eu:identity:user:<account_id>/<login>"]',
  resources: '[{"urn": "urn:v1:eu:resource:<type>:<name>"}]',
  permissions: '{"allow": [{"action": "<product>:*"}]}',
  action: '"<product>:*"',
  operator: '"MATCH"',
}

function missingFields(
  node: MapNode,
  wanted: readonly (readonly string[])[],
  unknown: ReadonlySet<string>,
  fieldExamples: Examples,
): Diagnostic {
  // Those with alternatives last, or `a` or `b` and `c` could be read two ways.
  const missing = [...wanted].sort((a, b) => a.length - b.length)
  const names = missing.map((alternatives) => alternatives.map((name) => `\`${name}\``).join(' or '))
  const examples = missing.flatMap(([name = '']) => (fieldExamples[name] ? [`"${name}": ${fieldExamples[name]}`] : []))
  const { entries } = node
  const nameEntry = entries.find(({ key }) => key.value === 'name')
  const place =
    nameEntry?.value.kind === 'text'
      ? nameEntry.value
      : (entries.find(({ key }) => !unknown.has(key.value))?.key ?? entries[0]?.value ?? node)
  return shapeError(
    place,
    `missing ${names.length === 1 ? 'field' : 'fields'} ${listed(names)}`,
    examples.length === 0 ? undefined : `add \`${examples.join(', ')}\``,
  )
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  if (names.length < 2) return last
  return `${names.slice(0, -1).join(', ')}${last.includes(' or ') ? ', and' : ' and'} ${last}`
}
