import { comparedMonth } from '../../actions/compared-month.ts'
import type { Operation } from '../../actions/operations.ts'
import { isParameter, withoutBranch, withoutSlash } from '../../actions/paths.ts'
import { groupedBy } from '../../collections.ts'
import { covers, glob } from '../../glob.ts'
import { nearest } from '../../nearest.ts'
import type { AccessRule, CredentialRequest } from '../../policy.ts'
import type { RuleContext } from '../rule.ts'

/** The methods that operations of the API have. */
export const accessMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const

/** Whether a rule grants every path. */
export function isEverything({ path }: AccessRule): boolean {
  return covers(glob(path.value), glob('/*'))
}

/** The rules that grant every path, where together they do so with every method that changes something or reads it. */
export function wholeApiRules({ rules }: CredentialRequest): readonly AccessRule[] {
  const whole = rules.filter(isEverything)
  const all = ['GET', 'POST', 'PUT', 'DELETE'].every((method) => whole.some((rule) => rule.method.value === method))
  return all ? whole : []
}

/** The rules of a request by their method: rules of different methods have nothing to do with each other. */
export function rulesByMethod({ rules }: CredentialRequest): ReadonlyMap<string, readonly AccessRule[]> {
  return groupedBy(rules, ({ method }) => method.value)
}

interface Template {
  readonly operation: Operation
  readonly segments: readonly string[]
}

/** The operations by their first word. */
function templates({ operations }: RuleContext): ReadonlyMap<string, readonly Template[]> {
  const all = operations().map((operation): Template => ({ operation, segments: operation.path.slice(1).split('/') }))
  return groupedBy(all, ({ segments }) => segments[0] as string)
}

/** How many operations are held against paths in one run; only lists of thousands of rules come near it. */
const mostComparisons = 20_000_000
const comparisons = () => ({ spent: 0 })

/**
 * The known operations that a path may be about, of any method. A wildcard matches any run of characters, and a slash at the end
 * is one of the calls. Undefined when too many paths have been looked up.
 */
export function operationsOf(path: string, context: RuleContext): readonly Operation[] | undefined {
  const { branch, rest: written } = withoutBranch(path)
  const rest = withoutSlash(written)
  const star = rest.indexOf('*')
  const head = (star < 0 ? rest : rest.slice(0, star)).slice(1).split('/')
  const tail = star < 0 ? [] : rest.slice(rest.lastIndexOf('*') + 1).split('/')
  const groups = head.length > 1 || star < 0 ? [context.once(templates).get(head[0] as string) ?? []] : context.once(templates).values()
  const out: Operation[] = []
  const count = context.once(comparisons)
  for (const group of groups) {
    count.spent += group.length
    if (count.spent > mostComparisons) return undefined
    for (const { operation, segments } of group) {
      if (branch !== undefined && operation.branch !== branch) continue
      if (star < 0 ? isExactly(segments, head) : startsLike(segments, head) && endsLike(segments, tail)) out.push(operation)
    }
  }
  return out
}

function isExactly(segments: readonly string[], written: readonly string[]): boolean {
  return segments.length === written.length && segments.every((segment, i) => fits(segment, written[i] as string))
}

function fits(segment: string, written: string): boolean {
  return isParameter(segment) ? written !== '' : segment === written
}

/** Whether a template may start with the words before the first wildcard; the last of them may go on. */
function startsLike(segments: readonly string[], head: readonly string[]): boolean {
  const last = head.length - 1
  return head.every((word, i) => {
    const segment = segments[i]
    if (segment === undefined) return false
    if (i < last) return fits(segment, word)
    return isParameter(segment) || segment.startsWith(word)
  })
}

function endsLike(segments: readonly string[], tail: readonly string[]): boolean {
  const last = tail.length - 1
  return tail.every((word, i) => {
    const segment = segments[segments.length - tail.length + i]
    if (segment === undefined) return i === 0 && word === ''
    if (i > 0) return fits(segment, word) || (i === last && word === '')
    return isParameter(segment) || segment.endsWith(word)
  })
}

/** Other segments that a path with a wildcard inside a segment matches: `/me*` matches `/metrics` too. */
export function otherWords(path: string, context: RuleContext): readonly string[] {
  const { rest } = withoutBranch(path)
  const star = rest.indexOf('*')
  if (star < 0 || star !== rest.length - 1 || rest[star - 1] === '/') return []
  const head = rest.slice(1, star).split('/')
  const lastIndex = head.length - 1
  const begun = head[lastIndex] as string
  const words = new Set<string>()
  let meant = false
  for (const { path: template } of operationsOf(path, context) ?? []) {
    const segment = template.slice(1).split('/')[lastIndex] as string
    if (isParameter(segment)) continue
    if (segment === begun) meant = true
    else words.add(segment)
  }
  return meant ? [...words].sort() : []
}

/** A known path that was probably meant by an unknown one. */
export function nearestPath(path: string, context: RuleContext): string | undefined {
  if (path.includes('*')) return undefined
  const rest = withoutSlash(withoutBranch(path).rest)
  const written = rest.slice(1).split('/')
  const first = nearest(written[0] as string, [...context.once(templates).keys()]) ?? (written[0] as string)
  const candidates = (context.once(templates).get(first) ?? [])
    .filter(({ segments }) => segments.length === written.length)
    .map(({ segments }) => `/${segments.map((segment, i) => (isParameter(segment) ? written[i] : segment)).join('/')}`)
  const suggested = nearest(rest, [...new Set(candidates)])
  return suggested === rest ? undefined : suggested
}

/** The month, `YYYY-MM`, of the operations that an unknown path was compared with. */
export function monthOfUnknown(path: string, { operations, catalogue }: RuleContext): string {
  const { branch, rest } = withoutBranch(path)
  return comparedMonth(operations(), { branch, first: rest.split('/')[1] }, catalogue)
}

/** Placeholders for a name in descriptions of an API and in programs: `{id}`, `{{id}}`, `${ID}`, `:id`, `<id>`, `[id]`, `$id`, `%s`. */
export const placeholders =
  /\$?\{\{?[ ]?[A-Za-z][\w.-]*[ ]?\}?\}|<[A-Za-z][\w .-]*>|\[[A-Za-z][\w.-]*\]|(?<=\/):[A-Za-z]\w*|(?<=\/)\$[A-Za-z]\w*|(?<=\/)%[sdv](?![A-Za-z0-9])/g

/** The first placeholder in the path of an access rule. */
export function placeholderIn(path: string): string | undefined {
  return path.match(placeholders)?.[0]
}
