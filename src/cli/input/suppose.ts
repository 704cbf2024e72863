import { resolve } from 'node:path'
import type { World } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import type { Changes, Step } from '../../simulate/supposed.ts'
import type { FileRead } from '../../sources/files.ts'
import type { Io } from '../app/io.ts'
import { type ContextOptions, pair, type SupposeOptions } from '../app/options.ts'
import { attempt, type Reason, Refusal } from '../app/refusal.ts'
import type { Config } from './config.ts'
import { withinPaths } from './files.ts'
import { inFolder, pathsOf } from './policies.ts'

/** The hypothetical changes in options; undefined where there are none. */
export interface Supposition {
  readonly changes: Changes
  /** The paths of `--with`. */
  readonly added: readonly string[]
  /** The tags and groups that every question is given. */
  readonly context: Required<GivenOptions>
  readonly problems: readonly Reason[]
}

/** `--tag` and `--group`, of whichever a command takes. */
type GivenOptions = Partial<Pick<ContextOptions, 'tag' | 'group'>>

/** `--without`, `--with`, `--member`, `--assume-tag`, of whichever a command takes. */
export function suppositionOf(options: SupposeOptions & GivenOptions): Supposition | undefined {
  const { without = [], with: added = [], member = [], assumeTag = [], tag = [], group = [] } = options
  if (without.length + added.length + member.length + assumeTag.length === 0) return undefined
  const problems: Reason[] = []
  const read = <T>(texts: readonly string[], one: (text: string) => T) => texts.flatMap((text) => attempt(() => one(text), problems) ?? [])
  const changes = { without, added: [], members: read(member, memberOf), tags: read(assumeTag, tagOf) }
  return { changes, added, context: { tag, group }, problems }
}

/** Tags and groups that are given of every question, and otherwise supposed. */
function contradictions(steps: readonly Step[], { tag, group }: Supposition['context'], names: ShortNames): readonly Reason[] {
  const groups = new Map(group.map((each) => [names.group(each).text, each]))
  return steps.flatMap((step): Reason[] => {
    if (step.kind === 'leaves' && groups.has(step.group))
      return [
        {
          message: `--member supposes that \`${step.identity}\` is not in \`${step.group}\`, and --group \`${groups.get(step.group)}\` gives it to everybody`,
        },
      ]
    if (step.kind !== 'tag') return []
    const other = tag.find((each) => each.startsWith(`${step.key}=`) && each !== `${step.key}=${step.value}`)
    if (other === undefined) return []
    const value = step.value === null ? `no tag \`${step.key}\`` : `the tag \`${step.key}=${step.value}\``
    return [
      {
        message: `--assume-tag supposes that \`${step.resource}\` has ${value}, and --tag gives \`${other}\``,
        help: 'give one of the two',
      },
    ]
  })
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
  const equalsIndex = tag.indexOf('=')
  if (equalsIndex < 0 && /^-./.test(tag)) return { resource, key: tag.slice(1), value: null }
  if (equalsIndex <= 0)
    throw new Refusal(
      `--assume-tag \`${text}\`: expected RESOURCE=KEY=VALUE, or RESOURCE=-KEY`,
      'for example `--assume-tag vps:web-1=env=prod`',
    )
  return { resource, key: tag.slice(0, equalsIndex), value: tag.slice(equalsIndex + 1) }
}

/** A world with what is supposed of it. */
export interface SupposedWorld {
  readonly world: World
  readonly short: ShortNames
  readonly names: Names
  readonly changes: Changes
  /** The assumptions, in words. */
  readonly lines: readonly string[]
  readonly problems: readonly Reason[]
}

/** Apply the hypothetical changes to the world of files that were read. `given`: the paths other than those of `--with`. */
export async function supposedOf(
  world: World,
  { changes: wanted, added, context, problems }: Supposition,
  read: readonly Pick<FileRead, 'source'>[],
  givenPaths: readonly string[],
  config: Config,
  isFull: boolean,
  { cwd }: Io,
  short = new ShortNames(world),
): Promise<SupposedWorld> {
  const [{ supposed }, { supposedWords }] = await Promise.all([import('../../simulate/supposed.ts'), import('../../report/supposed.ts')])
  const isAdded = await withinPaths(inFolder(added, config), cwd)
  const isRead = await withinPaths(pathsOf(givenPaths, config), cwd)
  const sources = read.map(({ source }) => source.path)
  const changes: Changes = {
    ...wanted,
    added: sources.filter((path) => (path === '<stdin>' ? added.includes('-') : isAdded(resolve(cwd, path)))),
  }
  const { steps, problems: unmatched, world: changed } = supposed(world, changes, short)
  const files = added.map((path) => (path !== '-' && isRead(resolve(cwd, path)) ? `${path}, which is among the policies already` : path))
  const lines = supposedWords(steps, files, new Names([world, changed], isFull))
  return {
    world: changed,
    short: new ShortNames(changed),
    names: new Names([changed]),
    changes,
    lines,
    problems: [...problems, ...unmatched, ...contradictions(steps, context, short)],
  }
}
