import { madeIn } from '../collections.ts'
import type { Assumption } from '../coverage.ts'
import type { DeclaredDocuments, Side } from '../declared/declared.ts'
import { type Diagnostic, isWithin, withoutFix, withoutOverlaps } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import type { Settings } from '../names.ts'
import { isHcl, type Notation, type Source, type Span } from '../source.ts'
import { digest, type Node, type UnknownNode, unknownsIn } from '../tree.ts'
import type { Assignment } from '../unknown/assignment.ts'
import { inEveryAssignment } from '../unknown/certain.ts'
import { filledDocument } from '../unknown/fill.ts'
import type { Words } from '../unknown/made-up.ts'
import { type Openness, opennessOf } from '../unknown/openness.ts'
import { writtenIn } from '../unknown/place.ts'
import { type IgnoreComment, ignoreComments, ignoresAmong } from './comments.ts'
import { type Facts, hiddenIn, holdsPolicies, type ReadFacts, readFacts, resemblesPolicies } from './policy.ts'
import { syntaxError } from './reading.ts'
import type { ShapeMismatch } from './shape.ts'
import { type Reading, readTree } from './tree.ts'
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
}

/** Policies that a tool describes: what it calls them, and whether the tool wrote the file. */
export interface ReadDeclared extends ReadText, Pick<DeclaredDocuments, 'addresses' | 'ids' | 'isOutput'> {
  readonly kind: 'declared'
}

/** A file of a configuration of Terraform. */
export interface ReadConfigured extends ReadText {
  readonly kind: 'configuration'
  /** Resources that it describes and creates none of. Decisions do not depend on them. */
  readonly uncreated?: UncreatedReading
  /** Where configurations share files: what it says in each of those that it is part of, by their root modules. */
  readonly configurations?: ReadonlyMap<string, ReadConfigured>
}

/** Several unrelated texts, such as the examples in a document: each read separately. */
export interface ReadExamples extends ReadText {
  readonly kind: 'examples'
  readonly apart: readonly SeparateWorld[]
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

/**
 * Read one source to facts: text, tree, policies. All problems in one go. The full YAML reader and the compiled schemas
 * are loaded only when a source needs them.
 */
export async function readSource(source: Source, settings: Settings): Promise<ReadSource> {
  return readSyncIfPossible(source, settings)
}

/** The same, synchronous where nothing has to be loaded. For callers with many sources, most of them of that kind. */
export function readSyncIfPossible(source: Source, settings: Settings): ReadSource | Promise<ReadSource> {
  const reading = readTree(source)
  if (reading.needsYaml) return readWithYaml(source, settings, 'after')
  return understandAny(source, reading, settings, 'after')
}

/** The same for what is there before a plan is applied: of a source that describes one state only, that state. */
export function readPriorState(source: Source, settings: Settings): Promise<ReadSource> {
  return readWithYaml(source, settings, 'before')
}

async function readWithYaml(source: Source, settings: Settings, side: Side): Promise<ReadSource> {
  const { readYaml } = await import('./yaml.ts')
  return understandAny(source, readTree(source, readYaml), settings, side)
}

function understandAny(source: Source, reading: Reading, settings: Settings, side: Side): ReadSource | Promise<ReadSource> {
  if (mayBeTemplate(source)) return understandTemplate(source, reading, settings, side)
  return understandWritten(source, reading, settings, side)
}

function understandWritten(source: Source, reading: Reading, settings: Settings, side: Side): ReadSource | Promise<ReadSource> {
  const { formatIn } = settings
  if (formatIn === 'policy' || !(formatIn === 'tfplan' || reading.documents.some(mayBeDeclared)))
    return understand(source, reading, settings, source.notation)
  return understandDeclared(source, reading, settings, side)
}

/** Whether a text may be a template, by a glance. */
function mayBeTemplate({ text, notation }: Source): boolean {
  return (notation === 'json' || notation === 'yaml') && /\{\{|\{%|<%|%\{|\$\{|@@|#\{|\$\(/.test(text)
}

/** A text that may be a template: of one that is, nothing is known, and that is all that is found in it. */
async function understandTemplate(source: Source, reading: Reading, settings: Settings, side: Side): Promise<ReadSource> {
  const { templateIn } = await import('./templates.ts')
  const found = templateIn(source, reading, settings.brand, holdsPolicies)
  if (!found) return understandWritten(source, reading, settings, side)
  const { problem, holds } = found
  return {
    kind: 'policies',
    facts: noFacts,
    diagnostics: [problem],
    refused: false,
    holdsPolicies: holds,
    resemblesPolicies: holds,
    ignores: [],
  }
}

/** Whether a document may be one of a tool, by a quick check: only these have such keys, or an object under this one. */
function mayBeDeclared(document: Node): boolean {
  if (document.kind !== 'map') return false
  return document.entries.some(({ key, value }) => declaring.has(key.value) || (key.value === 'resources' && value.kind === 'map'))
}

const declaring: ReadonlySet<string> = new Set(['format_version', 'steps', 'apiVersion'])

async function understandDeclared(source: Source, reading: Reading, settings: Settings, side: Side): Promise<ReadSource> {
  const { notation } = source
  const { isPlan, readDeclared } = await import('../declared/declared.ts')
  const { formatIn, brand, resourcePrefix = brand } = settings
  const stranger = formatIn === 'tfplan' ? reading.documents.find((document) => !isPlan(document)) : undefined
  if (stranger) {
    const help = 'write it with `terraform show -json PLAN`'
    const { start } = stranger
    const diagnostics = [
      ...reading.diagnostics,
      syntaxError(source, start, Math.min(start + 1, source.text.length), 'this is no plan in JSON', help),
    ]
    return understand(source, { ...reading, documents: [], diagnostics }, settings, notation)
  }
  const declared = readDeclared(reading.documents, resourcePrefix, side, settings.adjacent)
  if (!declared) return understand(source, reading, settings, notation)
  const { documents, addresses, ids, isOutput } = declared
  const unknowns = unknownsIn(documents)
  const read = await understand(source, { ...reading, documents, unknowns }, settings, notation)
  const diagnostics = withoutOverlaps([...read.diagnostics, ...declared.diagnostics])
  return {
    ...read,
    kind: 'declared',
    // A fix is written for policies as the service writes them.
    diagnostics: diagnostics.map(({ fix: _, ...rest }) => rest),
    holdsPolicies: read.holdsPolicies || declared.diagnostics.length > 0,
    ignores: notation === 'json' ? [] : ignoreComments(source, reading.documents),
    addresses,
    ids,
    isOutput,
  }
}

/** The reading of a text that is already parsed to a tree. `notation`: of the part of it that was read, such as a fence. */
export async function toPolicies(
  source: Source,
  reading: Reading,
  settings: Settings,
  notation: Notation = source.notation,
): Promise<ReadPolicies> {
  return understand(source, reading, settings, notation)
}

function understand(source: Source, reading: Reading, settings: Settings, notation: Notation): ReadPolicies | Promise<ReadPolicies> {
  const { unknowns = [] } = reading
  if (unknowns.length > 0) return understandOpen(source, reading, unknowns, settings, notation)
  // A text that could not be read to its end is not judged by what is missing in it.
  const read = readFacts(reading.documents, settings, reading.diagnostics)
  return read.misshapen.length === 0 ? together(source, reading, read, [], notation) : explained(source, reading, read, notation)
}

async function explained(source: Source, reading: Reading, read: ReadFacts, notation: Notation): Promise<ReadPolicies> {
  const { shapeProblems } = await import('./shape.ts')
  const shape = read.misshapen.flatMap((part: ShapeMismatch) => shapeProblems(part))
  return together(source, reading, read, shape, notation)
}

/** The assignments that are asked for again with every fix; the others are seldom asked for at all. */
const askedAgain: ReadonlySet<Assignment> = new Set(['first', 'second'])

/** The same for a source of which not all is known: what is wrong in it is what is wrong for every assignment. */
async function understandOpen(
  source: Source,
  reading: Reading,
  unknowns: readonly UnknownNode[],
  settings: Settings,
  notation: Notation,
): Promise<ReadPolicies> {
  const { documents, diagnostics } = reading
  const written = writtenIn(documents)
  const words: Words = new Map()
  const reads = new Map<Assignment, ReadFacts>()
  const fill = (assignment: Assignment) => {
    const choices: string[] = []
    const filling = { assignment, settings, written, words, choices }
    return { assignment, filled: documents.flatMap((document) => filledDocument(document, filling) ?? []), choices }
  }
  // The choices of an assignment are asked for right before its facts.
  let latest: ReturnType<typeof fill> | undefined
  const chosen = new Map<Assignment, string>()
  const choicesIn = (assignment: Assignment) =>
    madeIn(chosen, assignment, () => {
      latest = fill(assignment)
      return digest(keyOf(...latest.choices))
    })
  const readIn = (assignment: Assignment) => {
    const known = reads.get(assignment)
    if (known) return known
    const { filled } = latest?.assignment === assignment ? latest : fill(assignment)
    latest = undefined
    const read = readFacts(filled, settings, diagnostics)
    if (askedAgain.has(assignment)) reads.set(assignment, read)
    return read
  }
  const { shapeProblems } = await import('./shape.ts')
  const openness = opennessOf(documents)
  // Of a text that is known in part, what is wrong is wrong in what is known.
  const isInKnownPart = ({ span }: Diagnostic) =>
    !unknowns.some(
      ({ source, start, holes = [] }) =>
        source === span.source && start <= span.start && holes.some((hole) => hole.start < span.end && span.start < hole.end),
    )
  const inAll = inEveryAssignment(
    (assignment) => {
      const read = readIn(assignment)
      return [...read.diagnostics, ...read.misshapen.flatMap((part) => shapeProblems(part))].filter(isInKnownPart)
    },
    openness,
    (token) => words.get(token) ?? [],
    { choicesIn },
  )
  const { facts } = readFacts(documents, settings, diagnostics)
  const open: OpenReading = { ...openness, facts: (assignment) => readIn(assignment).facts, choices: choicesIn, words: [words], unknowns }
  return { ...together(source, reading, { facts, diagnostics: [], misshapen: [] }, inAll, notation), open }
}

function together(
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
