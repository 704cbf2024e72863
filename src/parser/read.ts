import type { Assumption } from '../coverage.ts'
import type { DeclaredDocuments, Side } from '../declared/declared.ts'
import { type Diagnostic, isWithin, withoutFix, withoutOverlaps } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import { isHcl, type Notation, type PlainRange, type Source, type Span } from '../source.ts'
import { field, type MapNode, type UnknownNode } from '../tree.ts'
import type { Assignment } from '../unknown/assignment.ts'
import type { Words } from '../unknown/made-up.ts'
import type { Openness } from '../unknown/openness.ts'
import { type IgnoreComment, ignoreComments, ignoresAmong } from './comments.ts'
import { releaseLists } from './json.ts'
import { readPlainTree } from './plain-tree.ts'
import { EarlyPolicies, type Facts, hiddenIn, holdsPolicies, type ReadFacts, readFacts, resemblesPolicies } from './policy.ts'
import type { Reading } from './reading.ts'
import type { ShapeMismatch } from './shape.ts'
import { withSeverity } from './weight.ts'

/** The reading of a text of any kind. */
export interface ReadText {
  readonly facts: Facts
  readonly diagnostics: readonly Diagnostic[]
  /** Nothing was read at all: a limit was passed, or there is nothing in it. */
  readonly refused: boolean
  /** Whether a document in it is a policy, a list of policies or a world. */
  readonly holdsPolicies: boolean
  /** It holds none, and looks as if it were meant to. */
  readonly resemblesPolicies: boolean
  /** It holds none where one is read, and one elsewhere. */
  readonly hidesPolicies?: true
  /** The comments in it that suppress findings. */
  readonly ignores: readonly IgnoreComment[]
  /** Its unknown values, if there are any. */
  readonly open?: OpenReading
  /** Its unread parts and assumptions, if there are any. */
  readonly assumptions?: readonly Assumption[]
}

/** Policies as the service writes them. */
export interface ReadPolicies extends ReadText {
  readonly kind: 'policies'
  /** Another program fills it in before it is used: nothing in it was read. */
  readonly isTemplate?: true
}

/** Policies that a tool describes: what it calls them, and whether the tool wrote the file. */
export interface ReadDeclared extends ReadText, Pick<DeclaredDocuments, 'addresses' | 'ids' | 'isOutput'> {
  readonly kind: 'declared'
}

/** A file of a configuration of Terraform. */
export interface ReadConfigured extends ReadText {
  readonly kind: 'configuration'
  /** It has a resource for a policy or a group, whether or not any is created of it. */
  readonly declaresPolicies: boolean
  /** Resources that it describes and creates none of. Decisions do not depend on them. */
  readonly uncreated?: UncreatedReading
  /** Where configurations share files: what it says in each of those that it is part of, by their root modules. */
  readonly configurations?: ReadonlyMap<string, ReadConfigured>
}

/** Several unrelated texts, such as the examples in a document: each read separately. */
export interface ReadExamples extends ReadText {
  readonly kind: 'examples'
  readonly apart: readonly SeparateWorld[]
  /** Where fixes may write, if that is not everywhere in them: not where characters have another meaning in quotes. */
  readonly plain?: readonly PlainRange[]
}

/** The reading of one source. */
export type ReadSource = ReadPolicies | ReadDeclared | ReadConfigured | ReadExamples

/** Policies and groups that are described and never made, as they would be. */
export interface UncreatedReading {
  readonly facts: Facts
  readonly diagnostics: readonly Diagnostic[]
  readonly open?: OpenReading
  /** Each by what it would be called, where it is named, and why there is none. */
  readonly each: readonly { readonly address: string; readonly head: Span; readonly node: Span; readonly why: string }[]
}

/** A text that is a separate world. */
export interface SeparateWorld {
  readonly facts: Facts
  readonly diagnostics: readonly Diagnostic[]
  /** Its unknown values, if there are any. */
  readonly open?: OpenReading
}

/** A source of which not all is known: for rules, what it says for each assignment. */
export interface OpenReading extends Openness {
  readonly facts: (assignment: Assignment) => Facts
  /** The values that an assignment chooses: the facts are the same where these are the same. */
  readonly choices: (assignment: Assignment) => string
  /** The names made up in the first two assignments. */
  readonly words: readonly Words[]
  readonly unknowns: readonly UnknownNode[]
}

export const noFacts: Facts = { policies: [], permissionsGroups: [], resourceGroups: [], resources: [], identities: [], accounts: [] }

/** Readers of texts that not every program needs. Without one, its texts are read as plain policies, and access rules not at all. */
export interface TextReaders {
  /** Of access rules, one a line. */
  readonly rules?: (source: Source) => Reading
  /** Of templates; undefined for a text that is none. */
  readonly template?: (source: Source, reading: Reading, settings: Settings) => Promise<ReadPolicies | undefined>
  /** Of documents in which a tool describes policies; undefined where no document is one. */
  readonly declared?: (source: Source, reading: Reading, settings: Settings, side: Side) => Promise<ReadSource | undefined>
}

/**
 * Read one source to facts: text, tree, policies. All problems in one go. The full YAML reader and the compiled schemas are
 * loaded only when a source needs them: the result is synchronous where nothing has to be loaded. `side`: of a source that
 * describes two states, the one that is read.
 */
export function readText(source: Source, settings: Settings, readers: TextReaders, side: Side = 'after'): ReadSource | Promise<ReadSource> {
  const early = source.notation === 'json' ? new EarlyPolicies(settings) : undefined
  const reading =
    source.notation === 'rules' && readers.rules
      ? readers.rules(source)
      : readPlainTree(source, undefined, early && ((node) => early.take(node) && releasePolicy(node)))
  return reading.needsYaml ? readWithYaml(source, settings, readers, side) : readParsed(source, reading, settings, readers, side, early)
}

async function readWithYaml(source: Source, settings: Settings, readers: TextReaders, side: Side): Promise<ReadSource> {
  const { readYaml } = await import('./yaml.ts')
  return readParsed(source, readPlainTree(source, readYaml), settings, readers, side)
}

function readParsed(
  source: Source,
  reading: Reading,
  settings: Settings,
  { template, declared }: TextReaders,
  side: Side,
  early?: EarlyPolicies,
) {
  const isTemplate = template !== undefined && mayBeTemplate(source)
  const isDeclared = declared !== undefined && mayBeDeclared(reading, settings)
  const plain = () => {
    const read = toKnownPolicies(source, reading, settings, source.notation, early)
    if (source.notation === 'json' && !(read instanceof Promise) && read.diagnostics.length === 0) release(read.facts)
    return read
  }
  if (!isTemplate && !isDeclared) return plain()
  const read = async () =>
    (isTemplate ? await template(source, reading, settings) : undefined) ??
    (isDeclared ? await declared(source, reading, settings, side) : undefined) ??
    plain()
  return read()
}

/** Releases the items of the lists of policies in JSON, once all that is always asked of them is known. */
function release({ policies }: Facts): void {
  for (const { node } of policies) releasePolicy(node)
}

function releasePolicy(node: MapNode): void {
  releaseLists(node)
  const permissions = field(node, 'permissions')
  if (permissions?.kind === 'map') releaseLists(permissions)
}

/** Whether a text may be a template, by a glance. */
function mayBeTemplate({ text, notation }: Source): boolean {
  return (notation === 'json' || notation === 'yaml') && /\{\{|\{%|<%|%\{|\$\{|@@|#\{|\$\(/.test(text)
}

/** Whether a document may be one of a tool, by a quick check: only these have such keys, or an object under this one. */
function mayBeDeclared({ documents }: Reading, { formatIn }: Settings): boolean {
  if (formatIn !== undefined) return formatIn === 'tfplan'
  return documents.some(
    (document) =>
      document.kind === 'map' &&
      document.entries.some(({ key, value }) => declaring.has(key.value) || (key.value === 'resources' && value.kind === 'map')),
  )
}

const declaring: ReadonlySet<string> = new Set(['format_version', 'steps', 'apiVersion'])

/** The reading of a text that is already parsed to a tree, in which every value is known. `notation`: of the part that was read. */
export function toKnownPolicies(
  source: Source,
  reading: Reading,
  settings: Settings,
  notation: Notation,
  early?: EarlyPolicies,
): ReadPolicies | Promise<ReadPolicies> {
  // A text that could not be read to its end is not judged by what is missing in it.
  const read = readFacts(reading.documents, settings, reading.diagnostics, reading.diagnostics.length === 0 ? early : undefined)
  return read.misshapen.length === 0 ? together(source, reading, read, [], notation) : explained(source, reading, read, notation)
}

async function explained(source: Source, reading: Reading, read: ReadFacts, notation: Notation): Promise<ReadPolicies> {
  const { shapeProblems } = await import('./shape.ts')
  const shape = read.misshapen.flatMap((part: ShapeMismatch) => shapeProblems(part))
  return together(source, reading, read, shape, notation)
}

/** The reading of a text from its facts. `shape`: the problems of its shape. */
export function together(
  source: Source,
  { documents, diagnostics, refused, comments }: Reading,
  read: ReadFacts,
  shape: readonly Diagnostic[],
  notation: Notation,
): ReadPolicies {
  const holds = documents.some(holdsPolicies)
  return {
    kind: 'policies',
    facts: read.facts,
    diagnostics: inResources(
      notation,
      read.facts,
      withoutOverlaps([...withSeverity(diagnostics, read.facts, documents), ...read.diagnostics, ...shape]),
    ),
    refused,
    holdsPolicies: holds,
    resemblesPolicies: !holds && documents.some(resemblesPolicies),
    ...(!holds && documents.some((document) => hiddenIn(document) !== undefined) && { hidesPolicies: true as const }),
    ignores: comments ? ignoresAmong(source, comments) : notation === 'json' ? [] : ignoreComments(source, documents),
  }
}

/** Problems with fixes only in policies and groups, for a configuration: other parts may also be used by others. */
function inResources(notation: Notation, facts: Facts, problems: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!isHcl(notation) || !problems.some(({ fix }) => fix)) return problems
  const own = [...facts.policies, ...facts.permissionsGroups, ...facts.resourceGroups].map(({ span }) => span)
  return problems.map((problem) => (isWithin(problem, own) ? problem : withoutFix(problem)))
}
