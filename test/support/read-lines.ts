import type { Diagnostic } from '../../src/diagnostic.ts'
import { defaultSettings, type Settings } from '../../src/names.ts'
import type { ReadSource } from '../../src/parser/read.ts'
import { toPolicies } from '../../src/parser/read-open.ts'
import { readPriorState, readSource } from '../../src/parser/read-source.ts'
import { shapeProblemsBy } from '../../src/parser/shape.ts'
import { schemas as testSchemas } from '../../src/parser/shape-iamtest.js'
import { schemas } from '../../src/parser/shape-schemas.js'
import { readTree } from '../../src/parser/tree.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { position, type Source, type Span, sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'
import { type Assignment, assignments } from '../../src/unknown/assignment.ts'
import { readHclAlone } from './notations.ts'
import { readOpen } from './open.ts'

/** The facts that were read of a text, in lines that hold everything of it: facts with their places, findings, fixes. */

/** A place as `line:column+length`, after the name of its file where there are several. */
export function placeText({ source, start, end }: Span): string {
  const { line, column } = position(source, start)
  const file = /^\d/.test(source.path) ? `${source.path}:` : ''
  return `${file}${line}:${column}${end > start ? `+${end - start}` : ''}`
}

/** Lists that every record has, empty or not. */
const usual: ReadonlySet<string> = new Set([
  'identities',
  'resources',
  'permissionsGroups',
  'allow',
  'except',
  'deny',
  'operands',
  'groups',
  'members',
  'ids',
])

const isSpan = (value: object): value is Span => 'source' in value && 'start' in value && 'end' in value

/** Any record on one line: a text with its place behind `@`, records in braces, without the parts that only repeat. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return /^[\w:*/.<>()-]+$/.test(value) ? value : JSON.stringify(value)
  if (value instanceof Map) return `{${[...value].map(([key, each]) => `${key}: ${shown(each)}`).join(', ')}}`
  if (value instanceof Set || Array.isArray(value)) return `[${[...value].map(shown).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  if (isSpan(value)) return placeText(value)
  const { span, node: _, ...rest } = value as Record<string, unknown>
  const at = span ? `@${placeText(span as Span)}` : ''
  if (rest.permissions && !['allow', 'except', 'deny'].every((list) => list in (rest.permissions as object)))
    throw new Error('a set without a list')
  if ('value' in rest && Object.keys(rest).length === 1) return `${shown(rest.value)}${at}`
  if ('glob' in rest) return `${shown(rest.text)}${rest.kind === 'group' ? ' group' : ''}`
  if ('pieces' in rest) return shown(rest.text)
  if (rest.kind === 'match') return `${shown(rest.key)}=${shown(rest.value)}${at}`
  const fields = Object.entries(rest).filter(([key, each]) => !(usual.has(key) && Array.isArray(each) && each.length === 0))
  return `{${fields.map(([key, each]) => `${key}: ${shown(each)}`).join(', ')}}${at}`
}

export function problemLines(problem: Diagnostic): readonly string[] {
  const { code, severity, message, span, help, policy, related = [], fix } = problem
  return [
    `${severity === 'error' ? '' : `${severity} `}${code} ${placeText(span)} ${message}${'help' in problem ? ` (${help})` : ''}${'policy' in problem ? ` [${policy}]` : ''}`,
    ...related.map((each) => `  ${placeText(each.span)} ${each.message}`),
    ...(fix
      ? [
          `  fix${fix.safe ? '' : ' (a guess)'}: ${fix.description}: ${fix.edits.map(({ span, text }) => `${placeText(span)} ${JSON.stringify(text)}`).join(', ')}`,
        ]
      : []),
  ]
}

// The part that distinguishes symbols of the same words is printed as letters that are visible.
export const factLines = (facts: ReadSource['facts']): readonly string[] =>
  Object.entries(facts).flatMap(([kind, list]) =>
    (list as readonly unknown[]).map((each) => `${kind}: ${shown(each).replace(/[\ufdd0\ufdd1]/g, '|')}`),
  )

/** Names that are made up, shortened. */
const short = (line: string) => line.replace(/(aa|zz)xq[0-9a-z]{16}/g, (_, start) => `<${start}>`)

/** The facts of a text in some assignments, those together that are the same; without places. */
function assignmentLines(factsIn: (assignment: Assignment) => ReadSource['facts']): readonly string[] {
  const found = new Map<string, Assignment[]>()
  for (const assignment of assignments) {
    const said = factLines(factsIn(assignment))
      .map((line) => short(line.replace(/@\d+:\d+(\+\d+)?/g, '')))
      .join('; ')
    found.set(said, [...(found.get(said) ?? []), assignment])
  }
  return [...found].map(([said, all]) => `in assignments ${all.join(' ')}: ${said}`)
}

function readAny(source: Source, settings: Settings): Promise<ReadSource> {
  const { path, text } = source
  if (path.endsWith('.tf')) return readHclAlone(source)
  return text.includes('${') ? toPolicies(source, readOpen(path, text), settings) : readSource(source, settings)
}

/** The facts of one text. `${name}` in it is not known. */
export async function readLines(path: string, text: string, settings: Settings = defaultSettings): Promise<readonly string[]> {
  const source = sourceOf(path, text)
  const read = await readAny(source, settings)
  const { kind, refused, holdsPolicies, resemblesPolicies, ignores, open } = read
  const what = [
    kind,
    refused && 'refused',
    holdsPolicies && 'holds policies',
    resemblesPolicies && 'resembles policies',
    open && `open (${open.words.map((words) => words.size)} words)`,
    ignores.length > 0 && `ignores ${ignores.length}`,
  ]
  return [
    what.filter(Boolean).join(', '),
    ...factLines(read.facts),
    ...read.diagnostics.flatMap(problemLines),
    ...(open ? assignmentLines((assignment) => open.facts(assignment)) : []),
  ]
}

/** The world that several texts make. */
export async function worldLines(texts: readonly string[]): Promise<readonly string[]> {
  const parts = await Promise.all(texts.map(async (text, i) => (await readAny(sourceOf(`${i}.yaml`, text), defaultSettings)).facts))
  const { world, diagnostics } = buildWorld(parts)
  return [
    ...Object.entries(world).flatMap(([kind, part]) =>
      part instanceof Map
        ? [...part].map(([key, each]) => `${kind} ${key}: ${shown(each)}`)
        : Array.isArray(part) && (kind === 'policies' || part.length > 0)
          ? part.map((each) => `${kind}: ${shown(each)}`)
          : [`${kind}: ${shown(part)}`],
    ),
    ...diagnostics.flatMap(problemLines),
  ]
}

/** Faults of the shape of a document, by the schema that it is held against. */
export function shapeLines(shape: string, text: string): readonly string[] {
  const { documents } = readTree(sourceOf('a.yaml', text), readYaml)
  return shapeProblemsBy(shape === 'iamtest' ? testSchemas : schemas, shape, documents[0] as Node).flatMap(problemLines)
}

/** The facts of a text of a tool, and the name of each part of it; behind it what was there before, where that is something else. */
export async function declaredLines(path: string, text: string): Promise<readonly string[]> {
  const source = sourceOf(path, text)
  const lines = (read: ReadSource) => [
    `${read.kind}${read.kind === 'declared' && read.isOutput ? ', written by a tool' : ''}${read.holdsPolicies ? ', holds policies' : ''}${read.open ? ', open' : ''}`,
    ...(read.kind === 'declared' ? read.addresses.map(({ address, span }) => `${address}@${placeText(span)}`) : []),
    ...(read.kind === 'declared' && read.ids.size > 0 ? [`ids ${[...read.ids].join(' ')}`] : []),
    ...factLines(read.facts),
    ...read.diagnostics.flatMap(problemLines),
  ]
  const [after, before] = [lines(await readSource(source, defaultSettings)), lines(await readPriorState(source, defaultSettings))]
  return after.join() === before.join() ? after : [...after, ...before.map((line) => `before: ${line}`)]
}
