import { madeIn } from '../collections.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import type { Settings } from '../names.ts'
import type { Notation, Source } from '../source.ts'
import { digest, type UnknownNode } from '../tree.ts'
import type { Assignment } from '../unknown/assignment.ts'
import { inEveryAssignment } from '../unknown/certain.ts'
import { filledDocument } from '../unknown/fill.ts'
import type { Words } from '../unknown/made-up.ts'
import { opennessOf } from '../unknown/openness.ts'
import { writtenIn } from '../unknown/place.ts'
import { type ReadFacts, readFacts } from './policy.ts'
import { type OpenReading, type ReadPolicies, together, toKnownPolicies } from './read.ts'
import type { Reading } from './reading.ts'

/** The reading of a text that is already parsed to a tree. `notation`: of the part of it that was read, such as a fence. */
export async function toPolicies(
  source: Source,
  reading: Reading,
  settings: Settings,
  notation: Notation = source.notation,
): Promise<ReadPolicies> {
  const { unknowns = [] } = reading
  return unknowns.length > 0
    ? toOpenPolicies(source, reading, unknowns, settings, notation)
    : toKnownPolicies(source, reading, settings, notation)
}

/** The assignments that are asked for again with every fix; the others are seldom asked for at all. */
const askedAgain: ReadonlySet<Assignment> = new Set(['first', 'second'])

/** The policies of a text of which not all values are known: its problems are those that it has for every assignment. */
async function toOpenPolicies(
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
    const readBefore = reads.get(assignment)
    if (readBefore) return readBefore
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
