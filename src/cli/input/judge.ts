import { basename, relative, resolve } from 'node:path'
import type { DeploymentChange } from '../../deployment/facts.ts'
import { type Glob, glob, isPattern, matches } from '../../glob.ts'
import type { Io } from '../app/io.ts'
import { portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { type Config, configNames, loadConfig } from './config.ts'
import { configFilesOf } from './config-at.ts'
import { otherFields } from './earlier-config.ts'

/** The part of a configuration by which two sides are compared. */
export type JudgingConfig = Pick<Config, 'settings' | 'files' | 'policies' | 'world' | 'catalogue'>

/** Which of the files that differ count, and the files by which that is another question than before. */
export interface Judge {
  /** Whether the configuration leaves a file out: by its whole path, or by a pattern, which only covers files without a known part. */
  readonly leavesOut: (path: string) => 'by path' | 'by pattern' | undefined
  readonly isStrict: boolean
  readonly changes: readonly DeploymentChange[]
}

/**
 * The judge of the files that differ since a commit. What a change says of itself does not count: where it has another configuration,
 * a file is left out only if both leave it out, and all count if one of them says so. `top`: of the repository, to which paths are relative.
 */
export async function judgeOf(
  config: JudgingConfig,
  since: string | undefined,
  paths: readonly string[],
  top: string,
  io: Io,
): Promise<Judge> {
  const placeOf = (file: string) => portable(relative(top, resolve(io.cwd, file)))
  const files = config.files.map(placeOf)
  const [taken, named] = [paths.filter((path) => files.includes(path)), paths.filter((path) => configNames.includes(basename(path)))]
  const catalogue = config.catalogue && placeOf(config.catalogue.value)
  const catalogueChanges = paths
    .filter((path) => since !== undefined && path === catalogue)
    .map((path) => ({ path, why: 'it says which actions there are' }))
  if (since === undefined || taken.length + named.length === 0) return judgeBy([config.settings], catalogueChanges)
  const earlier = await configOf(since, config.files.at(-1), io)
  const isOther = !earlier || otherFields(earlier, config).length > 0 || deploymentOf(earlier) !== deploymentOf(config)
  // Those with the names of configurations count by what they say.
  const extended = isOther ? taken.filter((path) => !named.includes(path)) : []
  return judgeBy(
    [config.settings, earlier?.settings ?? {}],
    [
      ...catalogueChanges,
      ...extended.map((path) => ({ path, why: 'the configuration extends it, and it says what is read and compared' })),
    ],
  )
}

/** The configuration of a commit: of the same file where an option names it. Undefined where it cannot be read there. */
async function configOf(commit: string, file: string | undefined, io: Io): Promise<Config | undefined> {
  try {
    const isNamed = file !== undefined && !configNames.includes(basename(file))
    return await (isNamed ? loadConfig({ config: file }, io, configFilesOf(commit, io)) : loadConfig({ configAt: commit }, io))
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

type DeploymentSettings = Pick<Config['settings'], 'notDeploying' | 'strictDeployment'>

const deploymentOf = ({ settings: { notDeploying, strictDeployment } }: JudgingConfig) => JSON.stringify([notDeploying, strictDeployment])

function judgeBy(all: readonly DeploymentSettings[], changes: readonly DeploymentChange[]): Judge {
  const patterns = all.map(({ notDeploying = [] }) => notDeploying.map(glob))
  const isPath = (each: Glob, path: string) => !isPattern(each) && each.text === path
  return {
    leavesOut: (path) => {
      if (!patterns.every((ignored) => ignored.some((each) => matches(each, path)))) return undefined
      return patterns.every((ignored) => ignored.some((each) => isPath(each, path))) ? 'by path' : 'by pattern'
    },
    isStrict: all.some(({ strictDeployment }) => strictDeployment === true),
    changes,
  }
}
