import { Budget, unlessUndecided } from '../budget.ts'
import { groupedBy } from '../collections.ts'
import type { Difference } from '../diff/diff.ts'
import { together } from '../diff/together.ts'
import type { Settings } from '../names.ts'
import { readSource } from '../parser/read-source.ts'
import { treeOf } from '../parser/tree.ts'
import { buildWorld } from '../parser/world.ts'
import type { World } from '../policy.ts'
import { type Notation, sourceOf } from '../source.ts'
import type { Node } from '../tree.ts'
import { inLayout, layoutOf, mergedLayout, plain } from './layout.ts'
import { MergeConflict, mergedDocuments, spliced, valueText } from './walk.ts'

/** Three versions of a file: the one that both sides were made from, and the sides. */
export interface Versions {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

export type MergedText =
  | { readonly kind: 'merged'; readonly text: string }
  /** The sides contradict each other, or together grant something new. */
  | { readonly kind: 'conflict'; readonly conflict: Conflict; readonly worlds: readonly [ours: World, theirs: World] }
  /** It is not understood: git's own merge decides. */
  | { readonly kind: 'left'; readonly why: string }

export type Conflict =
  | { readonly why: MergeConflict['why']; readonly path: readonly string[] }
  /** Merged, it would grant this, and neither side does; undefined where the comparison is given up. */
  | { readonly why: 'together'; readonly difference: Difference | undefined }
  /** Both edits are compatible, and no text is found that has both with its comments. */
  | { readonly why: 'layout' }

interface Understood {
  readonly documents: readonly Node[]
  readonly world: World
  readonly comments: readonly string[]
}

/**
 * Merge policies by what they say. `lineMerge`: git's merge of the versions line by line, undefined with a conflict. A text is merged only if
 * it has the edits of both sides and their comments, and grants nothing that neither side grants.
 */
export async function mergeTexts(
  versions: Versions,
  notation: Notation,
  settings: Settings,
  lineMerge: (versions: Versions) => string | undefined,
): Promise<MergedText> {
  const { base, ours, theirs } = versions
  if (ours === theirs || base === theirs) return { kind: 'merged', text: ours }
  if (base === ours) return { kind: 'merged', text: theirs }
  const layouts = [base, ours, theirs].map(layoutOf)
  const layout = mergedLayout(...(layouts as [(typeof layouts)[0], (typeof layouts)[0], (typeof layouts)[0]]))
  const texts = { base: plain(base), ours: plain(ours), theirs: plain(theirs) }
  const read = (text: string) => understood(text, notation, settings)
  const [old, mine, other] = [base.trim() === '' ? undefined : await read(texts.base), await read(texts.ours), await read(texts.theirs)]
  if (typeof old === 'string' || typeof mine === 'string' || typeof other === 'string')
    return { kind: 'left', why: [old, mine, other].find((each): each is string => typeof each === 'string') ?? '' }
  const worlds = [mine.world, other.world] as const
  const newAccess = ({ world }: Understood): Extract<MergedText, { kind: 'conflict' }> | undefined => {
    const difference = unlessUndecided(
      () => together(world, worlds, ['ours', 'theirs'], { run: new Budget() }),
      () => undefined,
    )
    return difference?.verdict === 'same' ? undefined : { kind: 'conflict', conflict: { why: 'together', difference }, worlds }
  }
  const ofLines = lineMerge(texts)
  const candidates: (string | undefined)[] = [ofLines]
  let value: string
  try {
    const forOurs = mergedDocuments(old?.documents ?? [], mine.documents, other.documents)
    const forTheirs = mergedDocuments(old?.documents ?? [], other.documents, mine.documents)
    value = forOurs.value
    const [expression] = forOurs.left
    if (expression) {
      const result = ofLines === undefined ? '' : await read(ofLines)
      const unmerged: MergedText = { kind: 'left', why: `both sides change \`${expression.join(' › ')}\`, which is not literal` }
      return typeof result === 'string' ? unmerged : (newAccess(result) ?? unmerged)
    }
    candidates.push(forOurs.edits && spliced(texts.ours, forOurs.edits), forTheirs.edits && spliced(texts.theirs, forTheirs.edits))
  } catch (error) {
    if (!(error instanceof MergeConflict)) throw error
    return { kind: 'conflict', conflict: { why: error.why, path: error.path }, worlds }
  }
  const comments = mergedComments(old?.comments ?? [], mine.comments, other.comments)
  for (const text of candidates) {
    const result = text === undefined ? '' : await read(text)
    if (text === undefined || typeof result === 'string') continue
    if (documentsText(result.documents) !== value || !hasComments(result.comments, comments)) continue
    return newAccess(result) ?? { kind: 'merged', text: inLayout(text, layout) }
  }
  return { kind: 'conflict', conflict: { why: 'layout' }, worlds }
}

const documentsText = (documents: readonly Node[]) => `[${documents.map(valueText).sort().join(',')}]`

/** The policies of a text, or why they are not understood. */
async function understood(text: string, notation: Notation, settings: Settings): Promise<Understood | string> {
  // A configuration is recognised by the names of its files.
  if (notation === 'hcl') return (await import('./hcl.ts')).readForMerge(sourceOf('policies.tf', text, notation), settings)
  const source = sourceOf('policies', text, notation)
  const [{ documents }, read] = [await treeOf(source), await readSource(source, settings)]
  const { world, diagnostics } = buildWorld([read.facts])
  const error = [...read.diagnostics, ...diagnostics].find(({ severity }) => severity === 'error')
  if (error) return error.message
  if (read.open) return 'it holds values that are not known'
  if (world.policies.length + world.permissionsGroups.size === 0) return 'it holds no policy'
  return { documents, world, comments: commentsIn(text) }
}

// Comments.

/** The comments of YAML. A `#` within a string counts as one, on all sides alike. */
const commentsIn = (text: string) => [...text.matchAll(/(?:^|[ \t])#[^\n]*/gm)].map(([comment]) => comment.trim())

const counted = (comments: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...groupedBy(comments, (each) => each)].map(([comment, all]) => [comment, all.length]))

/** The comments that a merge has to have: those that a side adds, and those that both keep. */
function mergedComments(base: readonly string[], ours: readonly string[], theirs: readonly string[]): ReadonlyMap<string, number> {
  const [old, mine, other] = [counted(base), counted(ours), counted(theirs)]
  const count = (comment: string) => {
    const [before, here, there] = [old, mine, other].map((counts) => counts.get(comment) ?? 0) as [number, number, number]
    return here === before ? there : there === before ? here : Math.min(here, there)
  }
  return new Map([...mine.keys(), ...other.keys()].map((comment) => [comment, count(comment)]))
}

function hasComments(found: readonly string[], comments: ReadonlyMap<string, number>): boolean {
  const counts = counted(found)
  return [...comments].every(([comment, count]) => (counts.get(comment) ?? 0) >= count)
}
