import { pushTo } from '../collections.ts'
import type { Diagnostic, Related } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import { visible } from '../names.ts'
import { isInRange, type Span } from '../source.ts'
import { type Assignment, assignments, isSeparation, isThere, madeUp, madeUpPart, type Openness } from './assume.ts'

/** What stands for texts that hold a name that is made up. */
export type WordsOf = (token: string) => Iterable<readonly [string, string]>

/**
 * The findings that hold for every assignment: those of the first one that are found in all others. `findIn`
 * finds them in one assignment; `among`: the only ones that matter. Most are gone after a few assignments, and nothing more is looked at
 * where none are left. `isSure`: a finding that hangs on no value.
 */
export function inEveryAssignment(
  findIn: (assignment: Assignment, among: readonly Diagnostic[] | undefined) => readonly Diagnostic[],
  { holes, texts, perhaps }: Omit<Openness, 'paths'>,
  words: WordsOf,
  isSure: (finding: Diagnostic) => boolean = () => false,
): readonly Diagnostic[] {
  const [holesAt, textsAt, perhapsAt] = [byPath(holes), byPath(texts), byPath(perhaps)]
  const isAside = ({ span, related = [] }: Diagnostic) =>
    holesAt(span).some((hole) => isInRange(span, hole)) ||
    (related.length === 0 && textsAt(span).some((text) => text.start === span.start && text.end === span.end))
  const seen = new Set<string>()
  const found = findIn('first', undefined).flatMap((finding) => {
    const key = keyOf(placeKey(finding), finding.message)
    if (seen.has(key) || (isAside(finding) && !isSure(finding))) return []
    seen.add(key)
    return [finding]
  })
  let open = found.map((finding, i) => ({ i, finding })).filter(({ finding }) => !isSure(finding))
  const kept = new Map(found.flatMap((finding, i) => (isSure(finding) ? [[i, agreed(finding, [finding], words)] as const] : [])))
  for (const assignment of assignments) {
    if (open.length === 0) break
    if (assignment === 'first' || (perhaps.length < 2 && isSeparation(assignment))) continue
    const others = new Map<string, Diagnostic[]>()
    const among = open.map(({ finding }) => finding)
    for (const other of findIn(assignment, among)) {
      const key = placeKey(other)
      pushTo(others, key, other)
    }
    const isGone = ({ span }: Diagnostic) => perhapsAt(span).some((record) => isInRange(span, record) && !isThere(record, assignment))
    open = open.flatMap(({ i, finding }) => {
      const same = others.get(placeKey(finding))
      if (!same) return isGone(finding) ? [{ i, finding }] : []
      return (assignment === 'second' ? agreed(finding, same, words) : [finding]).map((each) => ({ i, finding: each }))
    })
  }
  for (const { i, finding } of open) kept.set(i, [finding])
  return found.flatMap((_, i) => kept.get(i) ?? [])
}

/**
 * A finding as both of the first two assignments say it, in the words of those who wrote the source. All names that are made up differ
 * between the two, so that nothing is left of what was assumed: a part that only one of them says is left out.
 */
function agreed(finding: Diagnostic, others: readonly Diagnostic[], words: WordsOf): readonly Diagnostic[] {
  const plain = (text: string) => inWords(text, words)
  const message = plain(finding.message)
  const other = others.find((each) => plain(each.message) === message)
  if (!other || madeUpPart.test(message)) return []
  const { help, related, fix, policy, ...rest } = finding
  const same = <T>(one: T | undefined, two: T | undefined, say: (value: T) => string): boolean => {
    const text = one === undefined ? undefined : say(one)
    return text !== undefined && two !== undefined && text === say(two) && !madeUpPart.test(text)
  }
  const inAll = (all: readonly Related[]) => all.map((each) => ({ ...each, message: plain(each.message) }))
  const relatedText = (all: readonly Related[]) => JSON.stringify(inAll(all).map(({ message, span }) => [message, span.start, span.end]))
  const edits = ({ edits }: NonNullable<Diagnostic['fix']>) => JSON.stringify(edits.map(({ text, span }) => [text, span.start, span.end]))
  return [
    {
      ...rest,
      message,
      ...(same(help, other.help, plain) && { help: plain(help as string) }),
      ...(same(policy, other.policy, plain) && { policy: plain(policy as string) }),
      ...(related && same(related, other.related, relatedText) && { related: inAll(related) }),
      ...(fix &&
        same(fix, other.fix, edits) &&
        same(fix, other.fix, ({ description }) => plain(description)) && { fix: { ...fix, description: plain(fix.description) } }),
    },
  ]
}

/** A text with what was written in the place of what was made up for it. */
function inWords(text: string, words: WordsOf): string {
  if (!madeUpPart.test(text)) return text
  const pairs = new Map((text.match(madeUp) ?? []).flatMap((token) => [...words(token)]))
  return [...pairs].sort(([a], [b]) => b.length - a.length).reduce((all, [from, to]) => all.replaceAll(from, () => visible(to)), text)
}

function placeKey({ code, span: { source, start, end } }: Diagnostic): string {
  return keyOf(code, start, end, source.path)
}

/** Finds the places that are in the file of another. */
function byPath<T extends Span>(places: readonly T[]): (span: Span) => readonly T[] {
  const found = new Map<string, T[]>()
  for (const place of places) {
    pushTo(found, place.source.path, place)
  }
  return ({ source }) => found.get(source.path) ?? []
}
