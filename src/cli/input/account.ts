import type { Times } from '../../answers/wording.ts'
import { glob } from '../../glob.ts'
import type { World } from '../../policy.ts'
import { problemsOf } from '../../simulate/question.ts'
import type { ResolvedName, ShortNames } from '../../simulate/short-names.ts'
import type { RequestContext } from '../../symbolic/described.ts'
import { identitiesMatching } from '../../symbolic/described-access.ts'
import { always, notBefore } from '../../symbolic/formula.ts'
import { Windows } from '../../symbolic/windows.ts'
import { readIdentity } from '../../urn/identity.ts'
import type { Io } from '../app/io.ts'
import { type Reason, Refusal, refuseProblems } from '../app/refusal.ts'
import { readContext } from './question.ts'

export { withTags } from '../../simulate/supposed.ts'

/** Common options of the questions about a described account: the instants, the address and the tags. */
export interface AccountOptions {
  readonly at: string | undefined
  readonly ip: string | undefined
  readonly tag: readonly string[]
}

export interface AccountContext {
  readonly given: RequestContext
  readonly times: Times
  /** Tags that every resource has in addition to its own. */
  readonly tags: ReadonlyMap<string, string> | undefined
  readonly problems: readonly Reason[]
}

/** Without `--at`, all instants from now on count. */
export function readAccountContext(options: AccountOptions, io: Io): AccountContext {
  const { context, problems } = readContext({ ...options, group: [], owner: undefined }, io)
  const instant = options.at === undefined ? undefined : context.at
  const from = io.now()
  return {
    given: { ...(instant !== undefined && { at: instant }), ...(context.ip && { ip: context.ip }) },
    times: {
      at: instant,
      from,
      time: instant === undefined ? notBefore(from) : always,
      windows: new Windows(instant === undefined ? { from } : {}),
    },
    tags: context.tags,
    problems,
  }
}

/** The URN for a name. Throws a refusal where there is none. */
export function urnOf({ text, problem }: ResolvedName): string {
  if (problem) throw new Refusal(problem.message, problem.help)
  return text
}

/** One identity, by its URN or a short name. Throws a refusal where it is none. */
export function identityNamed(text: string, names: ShortNames): string {
  const urn = urnOf(names.identity(text))
  refuseProblems(problemsOf('identity', urn, readIdentity(urn, { pattern: false })))
  return urn
}

/** Identities by their URNs, short names or patterns, each once; a pattern means the described identities that it matches. */
export function identitiesNamed(texts: readonly string[], names: ShortNames, world: World): readonly string[] {
  const identities = texts.flatMap((text) => {
    if (!text.includes('*')) return [identityNamed(text, names)]
    const pattern = text === '*' ? text : urnOf(names.identity(text))
    if (text !== '*') refuseProblems(problemsOf('identity', pattern, readIdentity(pattern, { pattern: true })))
    const matched = identitiesMatching(world, glob(pattern))
    if (matched.length === 0)
      throw new Refusal(`no described identity matches \`${text}\``, 'describe identities in a world file, or name them')
    return matched
  })
  return [...new Set(identities)]
}
