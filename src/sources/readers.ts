import { textReaders } from '../parser/read-source.ts'
import type { Readers } from './read.ts'

/** All readers, each loaded when a text needs it. */
export const allReaders: Required<Readers> = {
  ...textReaders,
  fences: async (source, settings) => (await import('./fences.ts')).readFences(source, settings),
  fencesAgain: async (before, source, settings) => {
    const { isOutsideKept, readFences } = await import('./fences.ts')
    return isOutsideKept(before, source) ? (await readFences(source, settings)).read : undefined
  },
  actionList: async (source, settings) => (await import('./action-lists.ts')).readActionList(source, settings),
  configurations: async (given, settings, folders) =>
    (await import('./configurations.ts')).readConfigurationFiles(given, settings, folders),
  applied: async (each, around, brand) => (await import('./applied.ts')).withApplied(each, around, brand),
}
