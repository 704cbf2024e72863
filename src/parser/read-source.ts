import type { Settings } from '../names.ts'
import type { Source } from '../source.ts'
import { type ReadSource, readText, type TextReaders } from './read.ts'
import { readRulesText } from './rules-text.ts'

/** All readers of texts; the larger ones are loaded when a text needs them. */
export const textReaders: Required<TextReaders> = {
  rules: readRulesText,
  template: async (source, reading, settings) => (await import('./templates.ts')).readTemplate(source, reading, settings),
  declared: async (source, reading, settings, side) =>
    (await import('./read-declared.ts')).readDeclaredText(source, reading, settings, side),
}

/** Read one source of any kind to facts: `readText` with all readers. */
export async function readSource(source: Source, settings: Settings): Promise<ReadSource> {
  return readText(source, settings, textReaders)
}

/** The same, synchronous where nothing has to be loaded. For callers with many sources, most of them of that kind. */
export function readSyncIfPossible(source: Source, settings: Settings): ReadSource | Promise<ReadSource> {
  return readText(source, settings, textReaders)
}

/** The same for what is there before a plan is applied: of a source that describes one state only, that state. */
export async function readPriorState(source: Source, settings: Settings): Promise<ReadSource> {
  return readText(source, settings, textReaders, 'before')
}
