import type { Route } from '../app/page.ts'
import type { Edits } from '../engine/index.ts'
import { type Asked, kinds } from './asked.ts'

/** The state of the view, all of which is in its address. */
export interface State extends Asked {
  /** The path of the file in the editor. */
  readonly file: string
  readonly edits: Edits
}

export const texts = ['identity', 'action', 'resource', 'ip', 'at', 'tag', 'group', 'file'] as const

/** How long an address may be: some programs cut longer ones. */
const longest = 8000

/** A change of a text: the lengths kept at both ends, the length of the old text, and the new text between. `-1`: a new file. */
type Change = readonly [path: string, start: number, end: number, length: number, text: string]

/** The state in an address. `before`: the texts without edits. */
export function stateOf({ part, query }: Route, before: ReadonlyMap<string, string>): State & { readonly lost: readonly string[] } {
  const kind = kinds.find((each) => each === part) ?? 'can'
  const [identity = '', action = '', resource = '', ip = '', instantText = '', tag = '', group = '', file = ''] = texts.map(
    (name) => query.get(name) ?? '',
  )
  const edits: Record<string, string> = {}
  const lost: string[] = []
  for (const [path, start, end, length, text] of changesIn(query.get('edits'))) {
    const old = before.get(path)
    if (start < 0) edits[path] = text
    else if (old?.length === length) edits[path] = old.slice(0, start) + text + old.slice(old.length - end)
    else lost.push(path)
  }
  return { kind, identity, action, resource, ip, at: instantText, tag, group, file, edits, lost }
}

function changesIn(text: string | null): readonly Change[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    const isChange = (each: unknown): each is Change =>
      Array.isArray(each) &&
      each.length === 5 &&
      [0, 4].every((i) => typeof each[i] === 'string') &&
      [1, 2, 3].every((i) => Number.isInteger(each[i]))
    return Array.isArray(value) ? value.filter(isChange) : []
  } catch {
    return []
  }
}

/** The address of a state; `isWhole`: it holds the edits as well. */
export function routeOfState(state: State, before: ReadonlyMap<string, string>): { readonly route: Route; readonly isWhole: boolean } {
  const query = new URLSearchParams()
  for (const name of texts) if (state[name] !== '') query.set(name, state[name])
  const changes = Object.entries(state.edits).map(([path, text]) => changeOf(path, before.get(path), text))
  const packed = JSON.stringify(changes)
  const isWhole = encodeURIComponent(packed).length <= longest
  if (changes.length > 0 && isWhole) query.set('edits', packed)
  return { route: { name: 'ask', part: state.kind, query }, isWhole }
}

function changeOf(path: string, before: string | undefined, after: string): Change {
  if (before === undefined) return [path, -1, 0, 0, after]
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return [path, start, end, before.length, after.slice(start, after.length - end)]
}
