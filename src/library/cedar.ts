import { exportCedar as exportWith, type CedarExport as WholeExport } from '../export/cedar.ts'
import type { World } from '../policy.ts'
import { type GivenQuestion, withGroups } from './questions.ts'

/** A world in the language of Cedar. */
export interface CedarExport extends Omit<WholeExport, 'request'> {
  /** The Cedar request for a question. The question must have been parsed. */
  readonly request: (question: GivenQuestion) => ReturnType<WholeExport['request']>
}

/**
 * Translate a world to Cedar. Cedar's answer to `request(question)` is `allow` exactly where three-valued logic makes the
 * question's verdict `allow`; where nothing is missing that is the verdict itself. The same world gives the same output.
 */
export function exportCedar(world: World): CedarExport {
  const exported = exportWith(world)
  return { ...exported, request: (question) => exported.request(withGroups(question)) }
}
