import type { Operation } from '../../actions/operations.ts'
import { isParameter } from '../../actions/paths.ts'
import { plural } from '../../report/words.ts'
import { field } from '../../tree.ts'
import type { LooseMap } from '../loose/nodes.ts'
import type { Candidate } from './candidate.ts'

/** The methods that access rules have. */
export const methods: readonly Operation['method'][] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']

/** The method of an access rule that is an object. */
export function methodIn(rule: LooseMap | undefined): string | undefined {
  const method = rule && field(rule, 'method')
  return method?.kind === 'text' ? method.value.toUpperCase() : undefined
}

export function methodCandidates(operations: readonly Operation[]): readonly Candidate[] {
  return methods.map((value, rank): Candidate => {
    const count = operations.filter(({ method }) => method === value).length
    return { value, kind: 'keyword', detail: `${plural(count, 'operation')} of the API`, rank }
  })
}

/**
 * The paths of operations, by their segments: what comes next behind those that are typed, with `*` in place of what a path
 * names. `method`: only those of one method.
 */
export function pathCandidates(operations: readonly Operation[], method: string | undefined, typed: string): readonly Candidate[] {
  const head = typed.slice(0, typed.lastIndexOf('/') + 1) || '/'
  const written = head.split('/').slice(1, -1)
  const hasBranch = /^v[12]$/.test(written[0] ?? '')
  const next = new Map<string, { count: number; isWhole: boolean }>()
  let below = 0
  for (const { branch, path, method: ownMethod } of operations) {
    if (method !== undefined && ownMethod !== method) continue
    const segments = (hasBranch ? `${branch}${path}` : path.slice(1)).split('/')
    if (segments.length <= written.length || !written.every((each, i) => fits(each, segments[i] as string))) continue
    below++
    const segment = segments[written.length] as string
    const value = isParameter(segment) ? '*' : segment
    const sameSegment = next.get(value) ?? { count: 0, isWhole: false }
    next.set(value, { count: sameSegment.count + 1, isWhole: sameSegment.isWhole || segments.length === written.length + 1 })
  }
  const all: readonly Candidate[] =
    below > 1 ? [{ value: `${head}*`, kind: 'keyword', detail: `all that is below: ${plural(below, 'operation')}`, rank: 0 }] : []
  const steps = [...next].flatMap(([segment, { count, isWhole }]): readonly Candidate[] => [
    ...(isWhole && segment !== '*' ? [{ value: head + segment, kind: 'value', rank: 1 } as const] : []),
    ...(count > Number(isWhole)
      ? [{ value: `${head + segment}/`, kind: 'value', detail: plural(count, 'operation'), rank: 2, isOpen: true } as const]
      : []),
  ])
  return [...all, ...steps]
}

/** Whether a segment that was typed is one of a path: what a path names may be anything. */
function fits(typed: string, segment: string): boolean {
  return typed === segment || typed === '*' || isParameter(segment)
}
