import { groupedBy } from '../collections.ts'
import type { Diagnostic, Related } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import { visible } from '../names.ts'
import { isInRange, type Span } from '../source.ts'
import type { MapNode } from '../tree.ts'
import { type Assignment, assignments, isSeparation, isThere } from './assignment.ts'
import { madeUp, madeUpPart } from './made-up.ts'
import type { Openness } from './openness.ts'

/** The replacements of strings that contain a name that is made up. */
export type WordsOf = (token: string) => Iterable<readonly [string, string]>

/** How findings are compared between assignments. */
export interface Comparing {
  /** A finding that depends on no value. */
  readonly isSure?: (finding: Diagnostic) => boolean
  /** The choices of an assignment, as far as they matter to some findings: where they are the same, the same is found. */
  readonly choicesIn?: (assignment: Assignment, among: readonly Diagnostic[] | undefined) => string
}

/** A finding that holds in all assignments that were tried, by its number among those of the first. */
interface Candidate {
  readonly i: number
  readonly finding: Diagnostic
}

/**
 * The findings that hold for every assignment: those of the first one that are found in all others. `findIn`
 * finds them in one assignment; `among`: the only ones that matter. Most are gone after a few assignments, and nothing more is looked at
 * where none are left.
 */
export function inEveryAssignment(
  findIn: (assignment: Assignment, among: readonly Diagnostic[] | undefined) => readonly Diagnostic[],
  openness: Omit<Openness, 'paths'>,
  words: WordsOf,
  { isSure = () => false, choicesIn = String }: Comparing = {},
): readonly Diagnostic[] {
  const { perhaps } = openness
  const tried = new Set([choicesIn('first', undefined)])
  const firstFindings = ofTheFirst(findIn('first', undefined), openness, isSure)
  const certain = new Map(firstFindings.flatMap((finding, i) => (isSure(finding) ? [[i, agreed(finding, [finding], words)] as const] : [])))
  const isRuledOut = isRuledOutBy(perhaps)
  let candidates: readonly Candidate[] = firstFindings.map((finding, i) => ({ i, finding })).filter(({ i }) => !certain.has(i))
  for (const assignment of assignments) {
    if (candidates.length === 0) break
    if (assignment === 'first' || (perhaps.length < 2 && isSeparation(assignment))) continue
    const among = candidates.map(({ finding }) => finding)
    const choices = choicesIn(assignment, among)
    // The second is always tried: messages are put into the words of the source by it.
    if (tried.has(choices) && assignment !== 'second') continue
    tried.add(choices)
    const others = groupedBy(findIn(assignment, among), placeKey)
    candidates = candidates.flatMap(({ i, finding }): readonly Candidate[] => {
      const same = others.get(placeKey(finding))
      if (!same) return isRuledOut(finding, assignment) ? [{ i, finding }] : []
      return (assignment === 'second' ? agreed(finding, same, words) : [finding]).map((each) => ({ i, finding: each }))
    })
  }
  const held = new Map([...certain, ...candidates.map(({ i, finding }) => [i, [finding]] as const)])
  return firstFindings.flatMap((_, i) => held.get(i) ?? [])
}

/** The findings of the first assignment, each once, without those about what was assumed. */
function ofTheFirst(
  all: readonly Diagnostic[],
  { holes, texts }: Pick<Openness, 'holes' | 'texts'>,
  isSure: (finding: Diagnostic) => boolean,
): readonly Diagnostic[] {
  const [holesAt, textsAt] = [byPath(holes), byPath(texts)]
  const isAboutAssumed = ({ span, related = [] }: Diagnostic) =>
    holesAt(span).some((hole) => isInRange(span, hole)) ||
    (related.length === 0 && textsAt(span).some((text) => text.start === span.start && text.end === span.end))
  const seen = new Set<string>()
  return all.filter((finding) => {
    const key = keyOf(placeKey(finding), finding.message)
    if (seen.has(key) || (isAboutAssumed(finding) && !isSure(finding))) return false
    seen.add(key)
    return true
  })
}

/** Tests whether the record that a finding is in is not there in an assignment. */
function isRuledOutBy(perhaps: readonly MapNode[]): (finding: Diagnostic, assignment: Assignment) => boolean {
  const perhapsAt = byPath(perhaps)
  return ({ span }, assignment) => perhapsAt(span).some((record) => isInRange(span, record) && !isThere(record, assignment))
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
  const found = groupedBy(places, ({ source }) => source.path)
  return ({ source }) => found.get(source.path) ?? []
}
