import type { Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import type { Source } from '../source.ts'
import { type Facts, holdsPolicies, readFacts } from './policy.ts'
import { type Notation, readTree } from './tree.ts'

/** What came of one source. */
export interface ReadSource {
  readonly facts: Facts
  readonly diagnostics: readonly Diagnostic[]
  /** Nothing was read at all: a limit was passed, or there is nothing in it. */
  readonly refused: boolean
  /** Whether a document in it is a policy, a list of policies or a world. */
  readonly holdsPolicies: boolean
}

export const noFacts: Facts = { policies: [], permissionsGroups: [], resourceGroups: [], resources: [], identities: [], accounts: [] }

/**
 * Read one source to facts: text, tree, policies. All problems in one go. The full YAML reader and the compiled schemas
 * are loaded only when a source needs them.
 */
export async function readSource(source: Source, notation: Notation, settings: Settings): Promise<ReadSource> {
  let reading = readTree(source, notation)
  if (reading.needsYaml) reading = readTree(source, notation, (await import('./yaml.ts')).readYaml)
  const { documents, refused } = reading
  // A text that could not be read to its end is not judged by what is missing in it.
  const { facts, diagnostics, misshapen } = readFacts(documents, settings)
  const shape = misshapen.length > 0 ? await import('./shape.ts') : undefined
  return {
    facts,
    diagnostics: [...reading.diagnostics, ...diagnostics, ...misshapen.flatMap((part) => shape?.shapeProblems(part) ?? [])],
    refused,
    holdsPolicies: documents.some(holdsPolicies),
  }
}
