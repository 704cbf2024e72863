import { textReaders } from '../parser/read-source.ts'
import type { Readers } from './read.ts'

/** All readers, each loaded when a text needs it. */
export const allReaders: Required<Omit<Readers, 'usual'>> = {
  ...textReaders,
  examples: async (source, settings) =>
    source.notation === 'markdown'
      ? (await import('./fences.ts')).readFences(source, settings)
      : (await import('./commands.ts')).readCommands(source, settings),
  examplesAgain: async (before, source, settings) => {
    if (source.notation === 'markdown') {
      const { isOutsideKept, readFences } = await import('./fences.ts')
      return isOutsideKept(before, source) ? (await readFences(source, settings)).read : undefined
    }
    const { isRestKept, readCommands } = await import('./commands.ts')
    return (await isRestKept(before, source)) ? (await readCommands(source, settings)).read : undefined
  },
  actionList: async (source, settings) => (await import('./action-lists.ts')).readActionList(source, settings),
  configurations: async (given, settings, folders) =>
    (await import('./configurations.ts')).readConfigurationFiles(given, settings, folders),
  applied: async (each, around, brand) => (await import('./applied.ts')).withApplied(each, around, brand),
}
