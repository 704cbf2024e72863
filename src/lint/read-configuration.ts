import { rules } from '../rules/index.ts'
import type { Source } from '../source.ts'
import { configProblems } from './config-problems.ts'
import { type ConfigurationRead, configurationReader, type ExtendedFiles } from './read-config.ts'

/** How the text of a configuration is read. */
export interface ConfigurationOptions {
  /** Its path, by default that of its source: paths in it are relative to its folder. */
  readonly file?: string
  /** The text of a file that it extends, by its path; without it, none can be read. */
  readonly textOf?: ExtendedFiles['textOf']
}

/** Read the text of a configuration, and all that it extends, with everything that `grantwise lint` refuses in it. */
export async function readConfiguration(
  source: Source,
  { file = source.path, textOf = () => ({ message: 'no such file or folder', isMissing: true }) }: ConfigurationOptions = {},
): Promise<ConfigurationRead> {
  const read = await configurationReader({ textOf })(source, file)
  const diagnostics = read.configuration ? configProblems([read.configuration], rules) : []
  return diagnostics.length > 0 ? { configuration: undefined, diagnostics } : read
}
