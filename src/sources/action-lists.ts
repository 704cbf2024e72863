import type { Settings } from '../names.ts'
import { readActionLines, readActions } from '../parser/action-list.ts'
import type { ReadExamples } from '../parser/read.ts'
import { treeOf } from '../parser/tree.ts'
import type { Source } from '../source.ts'

/** Read a file that is a list of actions and nothing else; undefined where it is none. */
export async function readActionList(source: Source, settings: Settings): Promise<ReadExamples | undefined> {
  if (source.notation === 'actions') return readActions(source, readActionLines(source), settings)
  return readActions(source, await treeOf(source), settings)
}
