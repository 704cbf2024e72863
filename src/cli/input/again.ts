import type { ContextOptions, WorldOptions } from '../app/options.ts'
import { quoted } from './words.ts'

type Given = Partial<WorldOptions & ContextOptions>

/**
 * The options by which another command reads the same files under the same suppositions, to follow its arguments: so that a
 * next step runs as it is printed. Empty where none was given.
 */
export function sameFiles(options: Given): string {
  const {
    policies = [],
    config,
    root = [],
    var: vars = [],
    varFile = [],
    varEnv,
    without = [],
    with: added = [],
  } = options as Given & {
    readonly config?: string | false
    readonly root?: readonly string[]
  }
  const { member = [], assumeTag = [] } = options
  const each = (option: string, values: readonly string[]) => values.flatMap((value) => [option, value])
  return [
    ...each('-p', policies),
    ...(config === false ? ['--no-config'] : config === undefined ? [] : ['--config', config]),
    ...each('--root', root),
    ...each('--var', vars),
    ...each('--var-file', varFile),
    ...(varEnv ? ['--var-env'] : []),
    ...each('--without', without),
    ...each('--with', added),
    ...each('--member', member),
    ...each('--assume-tag', assumeTag),
  ]
    .map((word) => ` ${quoted(word)}`)
    .join('')
}

/** The options by which another command asks under the same circumstances. */
export function sameContextOptions({ group = [], ip, tag = [], owner, at }: Partial<ContextOptions>): string {
  const one = (option: string, value: string | undefined) => (value === undefined ? [] : [option, value])
  return [
    ...group.flatMap((value) => ['--group', value]),
    ...one('--ip', ip),
    ...tag.flatMap((value) => ['--tag', value]),
    ...one('--owner', owner),
    ...one('--at', at),
  ]
    .map((word) => ` ${quoted(word)}`)
    .join('')
}
