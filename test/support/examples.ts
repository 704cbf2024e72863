import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Catalogue } from '../../src/actions/catalogue.ts'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { type ActionRecord, catalogueOfRecord } from '../../src/actions/record.ts'
import { shippedRecord } from '../../src/actions/shipped.ts'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import type { KnownAction, RuleExample, RuleExamples } from '../../src/rules/rule.ts'
import { lineText, position, type Source, sourceOf } from '../../src/source.ts'
import { testSettings } from './settings.ts'
import { lintUpkeep } from './upkeep.ts'

/** An example of a rule, read by the notation of `examples/rules/README.md`. */
export interface Example {
  /** What is read: without lines of carets, and completed. */
  readonly source: Source
  /** What the carets say, in order. */
  readonly expected: readonly Mark[]
  /** The options of the rule under test. */
  readonly options: Readonly<Record<string, unknown>>
  /** What the catalogue holds besides what is shipped. */
  readonly catalogue?: readonly KnownAction[]
}

/** The examples of a rule, as its file has them. */
export function examplesOf(code: string): RuleExamples {
  const text = readFileSync(new URL(`../../examples/rules/${code}.yaml`, import.meta.url), 'utf8')
  const { bad, good } = parse(text) as Readonly<Record<keyof RuleExamples, readonly (string | RuleExample)[]>>
  const full = (example: string | RuleExample) => (typeof example === 'string' ? { text: example } : example)
  return { bad: bad.map(full), good: good.map(full) }
}

/** A finding by its place: `2:15-18 unknown-product`, lines and columns from 1, end exclusive. */
export type Mark = string

/** The instant that examples are judged at. */
export const exampleTime = Date.UTC(2026, 0, 15, 12)

const caretLine = /^#( *)(\^+) ([a-z-]+)$/

const completions: readonly (readonly [readonly string[], string])[] = [
  [['name'], 'name: example'],
  [['identities'], 'identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]'],
  [['resources'], 'resources: [{ urn: "urn:v1:eu:resource:*" }]'],
  [['permissions', 'permissionsGroups'], 'permissions: { allow: [{ action: "vps:apisvc:get" }] }'],
]

export function readExample(given: string | RuleExample): Example {
  const { text, options = {}, path, catalogue }: RuleExample = typeof given === 'string' ? { text: given } : given
  const lines: string[] = []
  const expected: Mark[] = []
  for (const line of text.replace(/^\n|\n$/g, '').split('\n')) {
    const carets = caretLine.exec(line)
    if (!carets) {
      lines.push(line)
      continue
    }
    const [, blanks = '', run = '', code = ''] = carets
    const from = blanks === '' ? 1 : blanks.length + 2
    expected.push(`${lines.length}:${from}-${blanks.length + 2 + run.length} ${code}`)
  }
  const json = /^\s*[[{]/.test(text)
  if (!json && path !== '.grantwise.yaml' && !/^(- |policies:)/m.test(lines.filter((line) => /^[^\s#]/.test(line)).join('\n'))) {
    for (const [keys, completion] of completions) {
      if (!lines.some((line) => keys.some((key) => line.startsWith(`${key}:`)))) lines.push(completion)
    }
  }
  return {
    source: sourceOf(path ?? (json ? 'example.json' : 'example.yaml'), `${lines.join('\n')}\n`),
    expected,
    options,
    ...(catalogue && { catalogue }),
  }
}

const shipped = loadCatalogue()
const allOperations = loadOperations()
const operations = () => allOperations

/** The catalogue that is shipped, and what an example adds to it. */
function catalogueWith(known: readonly KnownAction[] | undefined): Catalogue {
  if (!known) return shipped
  const record = shippedRecord(defaultSettings.brand)
  const added = known.map(({ name, ...facts }): [string, ActionRecord] => [name, { seen: record.seen, ...facts }])
  return catalogueOfRecord({ ...record, actions: new Map([...record.actions, ...added]) })
}

/**
 * All that the readers and the rules together find in an example: the recommended rules, and `code`, which is the rule
 * that the example's options are for.
 */
export async function lintExample({ source, options, catalogue }: Example, code?: string): Promise<readonly Diagnostic[]> {
  const settings = testSettings
  const read = await readSource(source, settings)
  const { world, diagnostics } = buildWorld([read.facts])
  const context = ruleContext(
    { world, catalogue: catalogueWith(catalogue), operations, settings, now: exampleTime },
    new Map(code === undefined ? [] : [[code, options]]),
  )
  const own = rules.find((rule) => rule.code === code)
  if (own && 'upkeep' in own) return lintUpkeep(source, exampleTime)
  const levels = own ? new Map([...levelsOf('recommended'), [own.code, own.severity]]) : levelsOf('recommended')
  return lint(rules, context, [...read.diagnostics, ...diagnostics], levels)
}

export function markOf({ span, code }: Diagnostic): Mark {
  const start = position(span.source, span.start)
  const end = position(span.source, span.end)
  const last = end.line === start.line ? end.column : lineText(span.source, start.line).length + 1
  return `${start.line}:${start.column}-${last} ${code}`
}
