import { resolve } from 'node:path'
import type { Io } from '../app/io.ts'
import type { ConfigOptions } from '../app/options.ts'
import { type Config, loadConfig } from './config.ts'
import { configFilesOf } from './config-at.ts'
import { textAt } from './read-file.ts'

/** A field of a configuration by which policies are read, or actions are known. */
export type ReadingField = 'policies' | 'world' | 'brand' | 'terraform' | 'catalogue'

/** The configuration of a commit, and the fields by which that of now reads something else: a change may hide policies by them. */
export interface EarlierConfig {
  readonly config: Config
  readonly others: readonly ReadingField[]
}

/** The configuration of a commit next to that of now. They are one where an option names it. `reference`: of a commit, or a tree. */
export async function earlierConfig(reference: string, options: ConfigOptions, now: Config, io: Io): Promise<EarlierConfig> {
  const config = await loadConfig({ ...options, configAt: reference }, io)
  const others = otherFields(config, now)
  if (options.config === undefined && config.catalogue && !others.includes('catalogue')) {
    const file = resolve(io.cwd, config.catalogue.value)
    if (configFilesOf(reference, io).read(file).text !== textAt(file, 'none', io).text) others.push('catalogue')
  }
  return { config, others }
}

/** The fields by which two configurations read something else. */
export function otherFields(one: ReadingConfig, other: ReadingConfig): ReadingField[] {
  const [first, second] = [readingOf(one), readingOf(other)]
  const fields = Object.keys(first) as ReadingField[]
  return fields.filter((field) => JSON.stringify(first[field]) !== JSON.stringify(second[field]))
}

type ReadingConfig = Pick<Config, 'policies' | 'world' | 'settings' | 'catalogue'>

/** The fields that differ, in words. `named`: the commit, as the options name it. */
export function otherFieldsWords(others: readonly ReadingField[], named: string): readonly string[] {
  return others.map((field) => `the configuration has another \`${field}\` than ${named}`)
}

function readingOf({ policies, world, settings, catalogue }: ReadingConfig): Readonly<Record<ReadingField, unknown>> {
  const { brand, resourcePrefix = brand, modulesWithoutPolicies = [], program } = settings
  return {
    policies,
    world,
    brand,
    terraform: [resourcePrefix, modulesWithoutPolicies, program],
    catalogue: catalogue?.value,
  }
}
