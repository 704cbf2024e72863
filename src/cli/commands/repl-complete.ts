import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { glob } from '../../glob.ts'
import { visible } from '../../names.ts'
import type { World } from '../../policy.ts'
import type { ShortNames } from '../../simulate/short-names.ts'
import { type CommandEntry, commands } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { longName } from '../app/options.ts'
import { catalogueFor } from '../input/known.ts'
import type { Session } from '../input/session.ts'
import { splitWords } from '../input/words.ts'
import { lineCommands } from './repl-lines.ts'

/** So many completions are listed. */
const mostListed = 100

type Kind = 'identity' | 'action' | 'resource' | 'rule' | 'file' | 'fact' | 'command'

/** The kinds of arguments of commands, in order. */
const argumentKinds: Readonly<Record<string, readonly (readonly Kind[])[]>> = {
  can: [['identity'], ['action'], ['resource']],
  suggest: [['identity'], ['action'], ['resource']],
  who: [['action'], ['resource']],
  what: [['identity'], ['resource']],
  policies: [['identity', 'resource']],
  compare: [['identity'], ['identity']],
  escalate: [['identity']],
  expand: [['action']],
  rules: [['rule']],
  lint: [['file'], ['file'], ['file']],
  replay: [['file']],
  diff: [['file']],
  retract: [['fact']],
  help: [['command']],
}

/** The ways that the last word of a line may go on, and the part of the line that they take the place of. */
export async function completions(line: string, session: Session, io: Io): Promise<readonly [readonly string[], string]> {
  const { words: all, start, open, isComment } = splitWords(line)
  if (isComment || open === '\\') return [[], line]
  const part = line.slice(start)
  const word = part === '' ? '' : (all.at(-1) as string)
  const before = part === '' ? all : all.slice(0, -1)
  const { names, isWhole } = await namesFor(before[0] === 'grantwise' ? before.slice(1) : before, word, session, io)
  // Names that a line cannot show are not offered.
  const fitting = [...new Set(names)].filter((name) => name.startsWith(word) && visible(name) === name)
  const candidates = isWhole ? fitting.sort() : segments(fitting, word)
  const hits = candidates.map((name) => part + escaped(name.slice(word.length), open))
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined && fitting.includes(only) && !/[=/:]$/.test(only)) return [[`${hits[0]}${open} `], part]
  if (hits.length <= mostListed || commonLength(hits) > part.length) return [hits, part]
  return [[...hits.slice(0, mostListed), `… ${hits.length - mostListed} more`], part]
}

/** Names up to the end of the next of their segments; one that all share is skipped. */
function segments(names: readonly string[], word: string): readonly string[] {
  for (let from = word.length; ; ) {
    const prefixes = new Set(names.map((name) => name.slice(0, segmentEnd(name, from))))
    const [only = ''] = prefixes
    if (prefixes.size !== 1 || only.length === from || names.includes(only)) return [...prefixes].sort()
    from = only.length
  }
}

function segmentEnd(name: string, from: number): number {
  const at = name.slice(from).search(/[:/]/)
  return at < 0 ? name.length : from + at + 1
}

function commonLength(texts: readonly string[]): number {
  const [first = ''] = texts
  let length = first.length
  for (const text of texts) while (!text.startsWith(first.slice(0, length))) length--
  return length
}

/** The rest of a word as it is typed, inside an open quote or outside of any. */
function escaped(rest: string, open: string): string {
  if (open === "'") return rest.replaceAll("'", `'\\''`)
  return rest.replace(open === '"' ? /["\\]/g : /[\s'"\\#]/g, '\\$&')
}

/** The names that may follow some words. `isWhole`: the names are offered whole, not by their segments. */
async function namesFor(before: readonly string[], word: string, session: Session, io: Io) {
  const [name, ...args] = before
  const whole = (names: Iterable<string>) => ({ names: [...names], isWhole: true })
  if (name === undefined) return whole(lineCommands)
  const { world, short } = await session.world()
  if (name === 'assume') return afterAssume(args, word, world, short, io)
  const { options = [] } = (commands as readonly CommandEntry[]).find((entry) => entry.name === name) ?? {}
  const last = options.find((option) => args.length > 0 && longName(option) === args.at(-1))
  if (last?.flags.includes('<')) return whole(last.values ?? [])
  if (word.startsWith('-')) return whole(options.map(longName))
  const taken = args.filter((arg, i) => !arg.startsWith('-') && !takesValue(options, args[i - 1]))
  const kinds = argumentKinds[name]?.[taken.length] ?? []
  const names: string[] = []
  for (const kind of kinds) names.push(...(await namesOf(kind, word, short, session, io)))
  return { names, isWhole: kinds.includes('fact') || kinds.includes('command') || kinds.includes('rule') }
}

function takesValue(options: CommandEntry['options'], word: string | undefined): boolean {
  return options.some((option) => longName(option) === word && option.flags.includes('<'))
}

async function namesOf(kind: Kind, word: string, short: ShortNames, session: Session, io: Io): Promise<Iterable<string>> {
  switch (kind) {
    case 'identity':
    case 'resource':
      return shortest(short.all(kind), word)
    case 'action':
      return (await catalogueFor(await session.loader.config({}, io), io)).expand(glob('*'))
    case 'rule':
      return (await import('../../rules/index.ts')).rules.map(({ code }) => code)
    case 'fact':
      return ['all', ...session.facts.map((_, i) => String(i + 1))]
    case 'command':
      return lineCommands
    case 'file':
      return filesFor(word, io)
  }
}

/** Before anything is typed, one name of each kind is enough: `user/bob`, not also `bob` and the URN. */
function shortest(names: ReadonlySet<string>, word: string): readonly string[] {
  const isUrn = word.startsWith('urn:')
  return [...names].filter((name) => name.startsWith('urn:') === isUrn && (word !== '' || /[:/]/.test(name)) && !isLong(name, names))
}

/** `user/ACCOUNT/bob` where `user/bob` is enough. */
function isLong(name: string, names: ReadonlySet<string>): boolean {
  const [kind, , ...rest] = name.split('/')
  return rest.length > 0 && names.has(`${kind}/${rest.join('/')}`)
}

async function afterAssume(args: readonly string[], word: string, world: World, short: ShortNames, io: Io) {
  const whole = (names: Iterable<string>) => ({ names: [...names], isWhole: true })
  const [first, second, third] = args
  const identities = short.all('identity')
  const resources = short.all('resource')
  if (first === undefined) {
    const names = [...shortest(identities, word), ...shortest(resources, word)]
    return { names: ['ip', 'at', 'owner', 'group', 'tag', 'without', 'with', ...names], isWhole: false }
  }
  const groups = shortest(identities, 'group/').flatMap((name) => (name.startsWith('group/') ? [name.slice('group/'.length)] : []))
  const [name, verb, object] = [first, second === 'not' ? third : second, args.length - (second === 'not' ? 1 : 0)]
  if (first === 'without') return whole(world.policies.map((policy) => policy.name.value))
  if (first === 'with' && args.length === 1) return { names: filesFor(word, io), isWhole: false }
  if (first === 'group') return whole(groups)
  if (verb === undefined)
    return whole([...(identities.has(name) ? ['in'] : []), ...(resources.has(name) ? ['tag'] : []), ...(second === 'not' ? [] : ['not'])])
  if (object !== 2) return whole([])
  if (verb === 'in') return whole(groups)
  if (verb !== 'tag') return whole([])
  const tags = [...world.resources.values()].flatMap(({ tags = new Map<string, string>() }) => [...tags])
  return whole(tags.map(([key, value]) => (second === 'not' ? key : `${key}=${value}`)))
}

/** The files and folders that a path may go on with. */
function filesFor(word: string, { cwd }: Io): readonly string[] {
  const folder = word.slice(0, word.lastIndexOf('/') + 1)
  try {
    return readdirSync(resolve(cwd, folder), { withFileTypes: true }).map(
      (entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`,
    )
  } catch {
    return []
  }
}
