import { nearest } from '../nearest.ts'
import { cut, shown } from '../report/safe.ts'

/**
 * The type of a field of a tool's input. A path is confined to the workspace; `state` is a path or `git:REF[:PATH]`; a `draft` is a text
 * that is in no file, which the command reads on standard input.
 */
export type FieldKind = 'text' | 'long' | 'draft' | 'texts' | 'path' | 'paths' | 'state' | 'states' | 'flag' | 'count' | 'tags' | 'levels'

/**
 * A field of a tool's input: the schema that clients see and the check of what they send both come from it, and so does the
 * command line.
 */
export interface Field {
  readonly kind: FieldKind
  readonly text: string
  readonly required?: true
  /** The values that a text takes, where they are a closed list. */
  readonly values?: readonly string[]
  /** The least and the most of a count. */
  readonly range?: readonly [least: number, most: number]
  readonly default?: number | string | boolean
  readonly examples?: readonly unknown[]
  /** The option of the command that takes it, once for each value; without one it is an argument. */
  readonly option?: string
  /** The tool reads it itself: it is no part of the command line. */
  readonly isOwn?: true
}

export type Fields = Readonly<Record<string, Field>>

/** The input of a client, by the names of fields, each of its type. */
export type Values = Readonly<Record<string, unknown>>

/** Bounds of what is accepted: longer names and lists are no names and lists of this tool. */
const [longestText, mostTexts] = [4096, 200]
/** The same of a text that tools made themselves. */
const longest = 1 << 20

/** A JSON Schema, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

const levels: readonly string[] = ['off', 'info', 'warning', 'error']
/** An object whose keys come before a `=` on a command line. */
const named = { type: 'object', propertyNames: { pattern: '^[^=]+$', maxLength: longestText }, maxProperties: mostTexts }

const shapes: Readonly<Record<FieldKind, JsonSchema>> = {
  text: { type: 'string', minLength: 1, maxLength: longestText },
  long: { type: 'string', minLength: 1, maxLength: longest },
  draft: { type: 'string', minLength: 1, maxLength: longest },
  texts: { type: 'array', items: { type: 'string', minLength: 1, maxLength: longestText }, maxItems: mostTexts },
  path: { type: 'string', minLength: 1, maxLength: longestText },
  paths: { type: 'array', items: { type: 'string', minLength: 1, maxLength: longestText }, maxItems: mostTexts },
  state: { type: 'string', minLength: 1, maxLength: longestText },
  states: { type: 'array', items: { type: 'string', minLength: 1, maxLength: longestText }, maxItems: mostTexts },
  flag: { type: 'boolean' },
  count: { type: 'integer' },
  tags: { ...named, additionalProperties: { type: 'string', maxLength: longestText } },
  levels: { ...named, additionalProperties: { type: 'string', enum: levels } },
}

/** The JSON Schema of an input. */
export function inputSchema(fields: Fields): JsonSchema {
  const properties = Object.entries(fields).map(([name, { kind, text, values, range, default: usual, examples, required }]) => [
    name,
    {
      description: text,
      ...shapes[kind],
      ...(required && shapes[kind].type === 'array' && { minItems: 1 }),
      ...(values && { enum: values }),
      ...(range && { minimum: range[0], maximum: range[1] }),
      ...(usual !== undefined && { default: usual }),
      ...(examples && { examples }),
    },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(fields).filter((name) => fields[name]?.required),
    additionalProperties: false,
  }
}

/** The problems of an input, each in a sentence. */
export function inputProblems(fields: Fields, input: unknown): readonly string[] {
  if (!isObject(input)) return ['the arguments are not an object']
  const names = Object.keys(fields)
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(fields, name))
  return [
    ...unknown.slice(0, 10).map((name) => {
      const suggested = nearest(name, names)
      return `unknown field ${quoted(name)}: ${suggested === undefined ? `the fields are ${names.map(quoted).join(', ')}` : `did you mean \`${suggested}\`?`}`
    }),
    ...names.flatMap((name) => {
      const field = fields[name] as Field
      if (Object.hasOwn(input, name)) return valueProblems(name, field, input[name])
      return field.required ? [`missing field \`${name}\`: ${field.text}`] : []
    }),
  ]
}

function valueProblems(name: string, { kind, values, range, required }: Field, value: unknown): readonly string[] {
  const wrong = (expected: string) => [`\`${name}\`: expected ${expected}`]
  switch (kind) {
    case 'flag':
      return typeof value === 'boolean' ? [] : wrong('true or false')
    case 'count': {
      const [least, most] = range ?? [0, Number.MAX_SAFE_INTEGER]
      return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
        ? []
        : wrong(`a whole number from ${least} to ${most}`)
    }
    case 'long':
    case 'draft':
      return typeof value === 'string' && value !== '' && value.length <= longest ? [] : wrong('a text that is not empty')
    case 'tags':
    case 'levels': {
      if (!isObject(value)) return wrong('an object')
      const [keys, texts] = [Object.keys(value), Object.values(value)]
      if (keys.length > mostTexts) return wrong(`at most ${mostTexts} entries`)
      if (!keys.every((key) => isText(key) && !key.includes('='))) return wrong('names that are not empty and have no `=`')
      if (kind === 'levels')
        return texts.every((each) => levels.includes(each as string))
          ? []
          : wrong(`an object whose values are ${levels.map(quoted).join(', ')}`)
      return texts.every((each) => isText(each, 0)) ? [] : wrong('an object whose values are texts')
    }
    case 'texts':
    case 'paths':
    case 'states':
      if (!Array.isArray(value) || !value.every((each) => isText(each))) return wrong('a list of texts that are not empty')
      if (value.length > mostTexts) return wrong(`at most ${mostTexts} entries`)
      return required && value.length === 0 ? wrong('at least one entry') : []
    default:
      if (!isText(value)) return wrong(`a text that is not empty, of at most ${longestText} characters`)
      if (!values || values.includes(value as string)) return []
      return wrong(`one of ${values.map(quoted).join(', ')}; found ${quoted(String(value))}`)
  }
}

/** The words of a command line for an input that has no problem: options, then arguments. */
export function wordsOf(fields: Fields, input: Values): readonly string[] {
  const options: string[] = []
  const operands: string[] = []
  for (const [name, { kind, option, isOwn }] of Object.entries(fields)) {
    if (input[name] === undefined || isOwn) continue
    const value = kind === 'draft' ? '-' : input[name]
    if (option === undefined) operands.push(...[value].flat().map(String))
    else if (typeof value === 'boolean') options.push(...(value ? [option] : []))
    else if (isObject(value)) options.push(...Object.entries(value).map(([key, each]) => `${option}=${key}=${each}`))
    else options.push(...[value].flat().map((each) => `${option}=${each}`))
  }
  // Nothing behind `--` is taken for an option.
  return operands.length > 0 ? [...options, '--', ...operands] : options
}

/** The draft of an input, for standard input; undefined where it has none. */
export function draftOf(fields: Fields, input: Values): string | undefined {
  const name = Object.keys(fields).find((each) => fields[each]?.kind === 'draft')
  return name === undefined ? undefined : (input[name] as string | undefined)
}

/** The paths of an input, each with whether it may name a commit. */
export function pathsIn(fields: Fields, input: Values): readonly { readonly path: string; readonly mayBeCommit: boolean }[] {
  return Object.entries(fields).flatMap(([name, { kind }]) => {
    const mayBeCommit = kind === 'state' || kind === 'states'
    if (!mayBeCommit && kind !== 'path' && kind !== 'paths') return []
    return [input[name] ?? []].flat().map((path) => ({ path: String(path), mayBeCommit }))
  })
}

function quoted(text: string): string {
  return `\`${shown(cut(text, 80))}\``
}

function isText(value: unknown, least = 1): boolean {
  return typeof value === 'string' && value.length >= least && value.length <= longestText
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
