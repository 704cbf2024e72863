import type { Catalogue } from '../actions/catalogue.ts'
import { loadCatalogue } from '../actions/load.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { defaultSettings, type Settings } from '../names.ts'
import type { ReadSource } from '../parser/read.ts'
import { toPolicies } from '../parser/read-open.ts'
import { readSource } from '../parser/read-source.ts'
import { treeOf } from '../parser/tree.ts'
import { buildWorld } from '../parser/world.ts'
import { ruleContext } from '../rules/context.ts'
import { rules } from '../rules/index.ts'
import { levelsOf } from '../rules/presets.ts'
import type { KnownAction, Rule, RuleExample } from '../rules/rule.ts'
import { checkOptions } from '../rules/support/options.ts'
import { lineText, position, type Source, sourceOf } from '../source.ts'
import { plainValue } from '../tree.ts'
import { Zones } from '../zones.ts'
import { lint } from './run.ts'

/**
 * Examples of rules, which are their tests. In a `bad` example, comment lines of carets are under exactly what the rule finds; in a
 * `good` one it finds nothing. The notation is explained in `examples/rules/README.md`.
 */

/** An example, read. */
export interface ExampleRead {
  /** The linted text: without lines of carets, and completed. */
  readonly exampleSet: Source
  /** The findings that the carets mark, in order. */
  readonly expected: readonly Mark[]
  /** The options of the rule under test. */
  readonly options: Readonly<Record<string, unknown>>
  /** Actions of the catalogue in addition to the built-in ones. */
  readonly catalogue?: readonly KnownAction[]
}

/** A finding by its place: `2:15-18 unknown-product`, lines and columns from 1, end exclusive. */
export type Mark = string

/** The examples of a rule: a text alone, or with what else it needs. */
export interface ExamplesGiven {
  readonly bad: readonly (string | RuleExample)[]
  readonly good: readonly (string | RuleExample)[]
}

/** An example that does not show what it is meant to show. */
export interface ExampleProblem {
  readonly kind: 'bad' | 'good'
  /** Its number among those of its kind, from 1; 0 where it is about all of them. */
  readonly number: number
  /** The problem, on one line. */
  readonly message: string
}

/** The instant that examples are linted at, unless another one is given: milliseconds since 1970. */
export const exampleTime = Date.UTC(2026, 0, 15, 12)

const caretLine = /^#( *)(\^+) ([a-z][a-z0-9/-]*)$/

const completions: readonly (readonly [readonly string[], string])[] = [
  [['name'], 'name: example'],
  [['identities'], 'identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]'],
  [['resources'], 'resources: [{ urn: "urn:v1:eu:resource:*" }]'],
  [['permissions', 'permissionsGroups'], 'permissions: { allow: [{ action: "vps:apisvc:get" }] }'],
]

/**
 * Check a rule against its examples: every problem there is, none if the rule finds what its examples show. `examples`: as values, or
 * the text of a YAML file with the lists `bad` and `good`. Built-in rules of the preset `recommended` run as well, and an example
 * with an error of one of them is not in order either.
 */
export async function checkExamples(
  rule: Rule,
  examples: ExamplesGiven | string,
  { now = exampleTime }: { readonly now?: number } = {},
): Promise<readonly ExampleProblem[]> {
  const source = typeof examples === 'string' ? await readExamples(examples) : examples
  if (typeof source === 'string') return [{ kind: 'bad', number: 0, message: source }]
  const problems: ExampleProblem[] = []
  for (const kind of ['bad', 'good'] as const) {
    if (source[kind].length === 0) problems.push({ kind, number: 0, message: `there is no ${kind} example` })
    for (const [i, each] of source[kind].entries()) {
      const example = readExample(each)
      const findings = await lintExample(example, rule, now)
      problems.push(...faultsOf(example, findings, rule, kind).map((message) => ({ kind, number: i + 1, message })))
    }
  }
  return problems
}

function faultsOf(
  { expected, options }: ExampleRead,
  findings: readonly Diagnostic[],
  rule: Rule,
  kind: 'bad' | 'good',
): readonly string[] {
  const ownFindings = findings.filter(({ code }) => code === rule.code)
  const marks = ownFindings.map(markOf)
  const messageAt = (mark: Mark) => ownFindings.find((each) => markOf(each) === mark)?.message ?? ''
  return [
    ...(Object.keys(options).length > 0 ? checkOptions(rule, options).map(({ message }) => message) : []),
    ...(kind === 'bad' && expected.length === 0 ? ['no line of carets shows what the rule finds'] : []),
    ...(kind === 'good' && expected.length > 0 ? ['a good example has no lines of carets'] : []),
    ...expected.filter((mark) => !marks.includes(mark)).map((mark) => `expected \`${mark}\`, which is not found`),
    ...marks.filter((mark) => !expected.includes(mark)).map((mark) => `found \`${mark}\`, which is not expected: ${messageAt(mark)}`),
    ...findings
      .filter(({ code, severity }) => severity === 'error' && code !== rule.code)
      .map((each) => `the example has another error, \`${markOf(each)}\`: ${each.message}`),
  ]
}

/** The examples in the text of a YAML file, or what is wrong with it. */
async function readExamples(text: string): Promise<ExamplesGiven | string> {
  const { documents, diagnostics } = await treeOf(sourceOf('examples.yaml', text, 'yaml'))
  const [fault] = diagnostics.filter(({ severity }) => severity === 'error')
  if (fault) return `the examples cannot be read: line ${position(fault.span.source, fault.span.start).line}: ${fault.message}`
  const plainExamples = documents[0] && plainValue(documents[0])
  const lists = typeof plainExamples === 'object' && plainExamples !== null ? (plainExamples as Readonly<Record<string, unknown>>) : {}
  const isExample = (each: unknown) => typeof each === 'string' || typeof (each as RuleExample | null)?.text === 'string'
  for (const kind of ['bad', 'good']) {
    const list = lists[kind] ?? []
    if (!Array.isArray(list) || !list.every(isExample)) return `\`${kind}\` is not a list of examples, each a text or a map with \`text\``
  }
  const odd = Object.keys(lists).find((name) => name !== 'bad' && name !== 'good')
  if (odd !== undefined) return `expected \`bad\` and \`good\`, and not \`${odd}\``
  return { bad: [], good: [], ...lists }
}

/** Read an example: what is linted, and what the carets expect. */
export function readExample(example: string | RuleExample): ExampleRead {
  const { text, options = {}, path, catalogue }: RuleExample = typeof example === 'string' ? { text: example } : example
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
  const isWhole = path === '.grantwise.yaml' || path?.endsWith('.tf')
  if (!json && !isWhole && !/^(- |policies:)/m.test(lines.filter((line) => /^[^\s#]/.test(line)).join('\n'))) {
    for (const [keys, completion] of completions) {
      if (!lines.some((line) => keys.some((key) => line.startsWith(`${key}:`)))) lines.push(completion)
    }
  }
  return {
    exampleSet: sourceOf(path ?? (json ? 'example.json' : 'example.yaml'), `${lines.join('\n')}\n`),
    expected,
    options,
    ...(catalogue && { catalogue }),
  }
}

/** The catalogue that is shipped, and what an example adds to it. */
async function catalogueWith(knownActions: readonly KnownAction[] | undefined): Promise<Catalogue> {
  if (!knownActions) return loadCatalogue()
  const [{ catalogueOfRecord }, { shippedRecord }] = await Promise.all([import('../actions/record.ts'), import('../actions/shipped.ts')])
  const record = shippedRecord(defaultSettings.brand)
  const added = knownActions.map(({ name, ...facts }) => [name, { seen: record.seen, ...facts }] as const)
  return catalogueOfRecord({ ...record, actions: new Map([...record.actions, ...added]) })
}

/**
 * All that the readers and the rules together find in an example: the recommended rules, and the rule that the example's options are
 * for, built in or not.
 */
export async function lintExample(
  { exampleSet: source, options, catalogue }: ExampleRead,
  rule: Rule | undefined,
  now = exampleTime,
): Promise<readonly Diagnostic[]> {
  const settings = { ...defaultSettings, zones: new Zones() }
  const read = await readExampleText(source, settings)
  const { world, diagnostics } = buildWorld([read.facts])
  const operations = (world.credentials ?? []).length > 0 ? (await import('../actions/operations.ts')).loadOperations() : []
  const ruleInput = { world, catalogue: await catalogueWith(catalogue), operations: () => operations, settings, now }
  const context = ruleContext(ruleInput, new Map(rule ? [[rule.code, options]] : []))
  const levels = rule ? new Map([...levelsOf('recommended'), [rule.code, rule.severity] as const]) : levelsOf('recommended')
  const all = rule && !rules.includes(rule) ? [...rules, rule] : rules
  return lint(all, context, [...read.diagnostics, ...diagnostics], levels)
}

/** The reading of an example; a configuration is read alone. */
async function readExampleText(source: Source, settings: Settings): Promise<ReadSource> {
  if (source.notation !== 'hcl') return readSource(source, settings)
  const { readStandalone: readAlone } = await import('../hcl/alone.ts')
  return toPolicies(source, readAlone(source, settings), settings)
}

/** A finding as a line of carets says it. Of several lines, the part in the first one. */
export function markOf({ span, code }: Diagnostic): Mark {
  const start = position(span.source, span.start)
  const end = position(span.source, span.end)
  const last = end.line === start.line ? end.column : lineText(span.source, start.line).length + 1
  return `${start.line}:${start.column}-${last} ${code}`
}
