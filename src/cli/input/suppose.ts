import { resolve } from 'node:path'
import type { FileRead } from '../../lint/read.ts'
import type { World } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { supposedWords } from '../../report/supposed.ts'
import { type Changes, supposed } from '../../simulate/supposed.ts'
import type { Io } from '../app/io.ts'
import { pair, type SupposeOptions } from '../app/options.ts'
import { attempt, type Reason, Refusal } from '../app/refusal.ts'
import type { Config } from './config.ts'
import { withinPaths } from './files.ts'
import { inFolder, pathsOf } from './policies.ts'

/** What options suppose of a world; undefined where they suppose nothing. */
export interface Supposition {
  readonly changes: Changes
  /** The paths of `--with`. */
  readonly added: readonly string[]
  readonly problems: readonly Reason[]
}

/** `--without`, `--with`, `--member`, `--assume-tag`, of whichever a command takes. */
export function suppositionOf(options: SupposeOptions): Supposition | undefined {
  const { without = [], with: added = [], member = [], assumeTag = [] } = options
  if (without.length + added.length + member.length + assumeTag.length === 0) return undefined
  const problems: Reason[] = []
  const read = <T>(texts: readonly string[], one: (text: string) => T) => texts.flatMap((text) => attempt(() => one(text), problems) ?? [])
  return { changes: { without, added: [], members: read(member, memberOf), tags: read(assumeTag, tagOf) }, added, problems }
}

function memberOf(text: string): Changes['members'][number] {
  const [identity, list] = pair('--member', text, 'IDENTITY=+GROUP,-GROUP')
  // A name may hold a comma: only one before a sign separates.
  const groups = list.split(/,(?=[+-])/)
  if (groups.some((each) => !/^[+-]./.test(each)))
    throw new Refusal(`--member \`${text}\`: expected \`+\` or \`-\` before each group`, `for example \`--member user/bob=+ops,-audit\``)
  const signed = (sign: string) => groups.filter((each) => each.startsWith(sign)).map((each) => each.slice(1))
  return { identity, joins: signed('+'), leaves: signed('-') }
}

function tagOf(text: string): Changes['tags'][number] {
  const [resource, tag] = pair('--assume-tag', text, 'RESOURCE=KEY=VALUE, or RESOURCE=-KEY')
  const at = tag.indexOf('=')
  if (at < 0 && /^-./.test(tag)) return { resource, key: tag.slice(1), value: null }
  if (at <= 0)
    throw new Refusal(
      `--assume-tag \`${text}\`: expected RESOURCE=KEY=VALUE, or RESOURCE=-KEY`,
      'for example `--assume-tag vps:web-1=env=prod`',
    )
  return { resource, key: tag.slice(0, at), value: tag.slice(at + 1) }
}

/** A world with what is supposed of it. */
export interface SupposedWorld {
  readonly world: World
  readonly changes: Changes
  /** What is supposed, in words. */
  readonly lines: readonly string[]
  readonly problems: readonly Reason[]
}

/** Carry out what is supposed on a world of files that were read. `given`: the paths that were given besides `--with`. */
export async function supposedOf(
  world: World,
  { changes: wanted, added, problems }: Supposition,
  read: readonly Pick<FileRead, 'source'>[],
  given: readonly string[],
  config: Config,
  isFull: boolean,
  { cwd }: Io,
): Promise<SupposedWorld> {
  const isAdded = await withinPaths(inFolder(added, config), cwd)
  const isRead = await withinPaths(pathsOf(given, config), cwd)
  const sources = read.map(({ source }) => source.path)
  const changes: Changes = {
    ...wanted,
    added: sources.filter((path) => (path === '<stdin>' ? added.includes('-') : isAdded(resolve(cwd, path)))),
  }
  const { steps, problems: unmatched, world: changed } = supposed(world, changes)
  const files = added.map((path) => (path !== '-' && isRead(resolve(cwd, path)) ? `${path}, which is among the policies already` : path))
  const lines = supposedWords(steps, files, new Names([world, changed], isFull))
  return { world: changed, changes, lines, problems: [...problems, ...unmatched] }
}
