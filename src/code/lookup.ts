import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import { isParameter, withoutBranch } from '../actions/paths.ts'
import { type Call, type Matched, matchCall, monthOfUnmatched, type Routes, readCall } from '../calls/match.ts'
import { anyName } from '../calls/placeholder.ts'
import { keyOf } from '../keys.ts'
import type { CodeMethod } from './languages.ts'
import { type PathWord, shownHole, type WrittenPath } from './path.ts'
import type { Hole } from './strings.ts'

/** A call that a program makes, as far as it is known. */
export type Lookup =
  | { readonly kind: 'known'; readonly call: Call }
  /** A value that is put in may be several words of a path, or a part of one. */
  | { readonly kind: 'open'; readonly by: Hole; readonly why: string; readonly help?: string }
  /** `isNear`: its first word, or all but slips, is one of the API. */
  | { readonly kind: 'none'; readonly why: string; readonly help?: string; readonly isNear: boolean }

/** The operations of the API, as the calls of programs are looked up in them. */
export class Operations {
  readonly routes: Routes
  readonly catalogue: Pick<Catalogue, 'seen' | 'complete'>
  private readonly longer = new Map<Operation, Operation | undefined>()
  private readonly known = new Map<string, Matched>()
  private readonly placed = new Map<string, readonly Placed[]>()

  constructor(routes: Routes, catalogue: Pick<Catalogue, 'seen' | 'complete'>) {
    this.routes = routes
    this.catalogue = catalogue
  }

  /** Whether paths of the API begin with a word. */
  isRoot(word: string | undefined): boolean {
    return word !== undefined && this.routes.firstWords().has(word)
  }

  /** Find the operation of a call as it is written. `bases`: the names of what is known to be put in the place of the API's address. */
  find(method: CodeMethod, path: WrittenPath, branch: Operation['branch'] | undefined, bases: ReadonlySet<string>): Lookup {
    const { words, base, open, host } = path
    const by = open ?? (words.length === 0 ? base : undefined)
    if (by) return openBy(by)
    if (words.length === 0) return { kind: 'none', why: 'the path does not begin with `/`', isNear: false }
    const sent = `/${words.map((word) => (typeof word === 'string' ? word : anyName)).join('/')}`
    const read = readCall(method, sent)
    if (!read.call) {
      const [problem] = read.problems
      return {
        kind: 'none',
        why: problem?.message ?? '',
        ...(problem?.help !== undefined && { help: problem.help }),
        isNear: this.isRoot(rootOf(path)),
      }
    }
    // Clients put `/v1` before paths without a branch; an address that is put in may have either.
    const callBranch = read.call.branch ?? branch ?? (base || host !== undefined ? undefined : 'v1')
    const call: Call = { ...read.call, branch: callBranch }
    const matched = this.matched(call)
    if (matched.kind === 'several')
      return {
        kind: 'none',
        why: 'several operations have this path: the address does not say which branch',
        help: 'write `/v1` or `/v2` before the path',
        isNear: true,
      }
    if (matched.kind === 'none') {
      const { near, methods } = matched
      const put = this.putForWords(method, path, call.branch)
      if (put) return put
      const help =
        near !== undefined
          ? `did you mean \`${shownPath(read.call.branch === undefined ? withoutBranch(near).rest : near)}\`?`
          : methods.length > 0
            ? `the path has ${methods.join(', ')}`
            : undefined
      const root = read.call.words[0]
      return {
        kind: 'none',
        why: `no operation known in ${monthOfUnmatched(this.routes, call, this.catalogue)} has this path${methods.length > 0 ? ' with this method' : ''}`,
        ...(help !== undefined && { help }),
        isNear: near !== undefined || methods.length > 0 || (root !== anyName && this.isRoot(root)),
      }
    }
    // No path has a branch within it: in front of one, there is only the address.
    const mayHoldMore = base !== undefined && read.call.branch === undefined && !bases.has(base.name)
    const longer = mayHoldMore ? this.longerThan(matched.match.operation) : undefined
    if (base && longer)
      return {
        ...openBy(base),
        why: `${shownHole(base)} is not known: with the beginning of another path in it, the call is to \`${longer.path}\``,
        help: 'give it a value in this file',
      }
    return { kind: 'known', call: { ...call, branch: matched.match.operation.branch } }
  }

  /** A value that is put in where operations have a word: it decides which one it is. */
  private putForWords(method: CodeMethod, { words }: WrittenPath, branch: Operation['branch'] | undefined): Lookup | undefined {
    const unversioned = /^(?:v1|v2|1\.0)$/.test(String(words[0])) ? words.slice(1) : words
    if (unversioned.every((word) => typeof word === 'string')) return undefined
    const key = keyOf(method, branch ?? '', ...unversioned.map((word) => (typeof word === 'string' ? word : '{}')))
    const fitting = this.placed.get(key) ?? this.placesIn(method, unversioned, branch)
    this.placed.set(key, fitting)
    const least = Math.min(...fitting.map(({ by }) => by.length))
    const best = fitting.filter(({ by }) => by.length === least)
    // Where any of two values may be the word, it is probably the last one: those before are names of resources.
    const position = Math.max(-1, ...best.map((each) => each.by[0] ?? -1))
    const first = best.find((each) => each.by[0] === position)
    const by = unversioned[position]
    if (!first || by === undefined || typeof by === 'string') return undefined
    const example = best.length === 1 ? `\`${first.operation.path}\`` : `${best.length} operations, such as \`${first.operation.path}\``
    return { kind: 'open', by, why: `${shownHole(by)} is in the place of a word: it may be ${example}` }
  }

  /** The operations that words may be, with the places of the values that are put in where these have a word. */
  private placesIn(method: CodeMethod, written: readonly PathWord[], branch: Operation['branch'] | undefined): readonly Placed[] {
    return this.routes
      .all()
      .filter(
        ({ operation, words: template }) =>
          operation.method === method &&
          (branch === undefined || operation.branch === branch) &&
          template.length === written.length &&
          template.every((word, i) => typeof written[i] !== 'string' || isParameter(word) || word === written[i]),
      )
      .map(({ operation, words }) => ({
        operation,
        by: written.flatMap((word, i) => (typeof word !== 'string' && !isParameter(words[i] as string) ? [i] : [])),
      }))
  }

  /** The operation of a call; each is looked for once. */
  private matched(call: Call): Matched {
    const key = keyOf(call.method, call.branch ?? '', call.sent)
    const matched = this.known.get(key) ?? matchCall(this.routes, call)
    if (this.known.size < mostKnown) this.known.set(key, matched)
    return matched
  }

  /** An operation with the same method whose path ends as the whole path of another one. */
  private longerThan(operation: Operation): Operation | undefined {
    if (this.longer.has(operation)) return this.longer.get(operation)
    const { method, path } = operation
    const words = path.slice(1).split('/')
    const ends = (template: readonly string[]) => {
      const from = template.length - words.length
      return from > 0 && words.every((word, i) => isParameter(template[from + i] as string) || template[from + i] === word)
    }
    const longerOperation = this.routes.all().find((route) => route.operation.method === method && ends(route.words))?.operation
    this.longer.set(operation, longerOperation)
    return longerOperation
  }
}

interface Placed {
  readonly operation: Operation
  readonly by: readonly number[]
}

/** How many calls are remembered. */
const mostKnown = 100_000

/** The first word of a path without its branch; undefined where it is put in. */
export function rootOf({ words }: WrittenPath): string | undefined {
  const root = words.find((word) => typeof word !== 'string' || !/^(?:v1|v2|1\.0)$/.test(word))
  return typeof root === 'string' ? root : undefined
}

const openBy = (by: Hole) => ({ kind: 'open', by, why: `${shownHole(by)} may be several words of the path, or none` }) as const

const shownPath = (path: string) => path.replaceAll(anyName, '{…}')
