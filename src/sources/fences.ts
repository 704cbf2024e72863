import type { Skipped } from '../coverage.ts'
import { place } from '../diagnostic.ts'
import { resourceWord, type Settings } from '../names.ts'
import { policyWords } from '../parser/commands.ts'
import type { ReadHcl } from '../parser/embedded.ts'
import { type FenceRead, fencesIn, outsideOfFences, readFence, textOfFence } from '../parser/markdown.ts'
import type { Source } from '../source.ts'
import { examplesOf } from './examples.ts'
import { type FencesRead, isMalformed } from './files.ts'
import { mayHoldPolicy } from './limits.ts'

/** The most fences with policies that are read in one file: each is a separate world. */
const mostFences = 1000

/**
 * Read the policies in the fenced code blocks of a Markdown file, each block for itself. A block is taken for one that
 * holds policies as a file is that was found in a folder; but documents show parts and sketches of policies as well.
 */
export async function readFences(source: Source, settings: Settings): Promise<FencesRead> {
  const { fences, ignores: comments } = fencesIn(source)
  const parts: FenceRead[] = []
  const passed: Skipped[] = []
  let refusal: string | undefined
  let readHcl: ReadHcl | undefined
  for (const fence of fences) {
    const { text } = textOfFence(fence)
    if (!(fence.notation === 'hcl' ? text.includes(resourceWord(settings)) : mayHoldPolicy(text))) continue
    if (fence.ignore && fence.ignore.codes.length === 0 && fence.ignore.reason !== '') {
      passed.push({ path: place(fence.opening), reason: `ignored by the comment above it: ${fence.ignore.reason}` })
      continue
    }
    if (parts.length === mostFences) {
      refusal = `more than ${mostFences} fenced code blocks with policies: those after ${place(fence.opening)} are not read`
      break
    }
    if (fence.notation === 'hcl') readHcl ??= await hclReader(settings)
    const part = await readFence(fence, settings, readHcl)
    const { read } = part
    if (!read.holdsPolicies && !isBroken(part)) continue
    const why = part.isSketch ? 'a sketch: it leaves things out' : part.isFragment ? 'a part of a policy' : undefined
    if (why !== undefined) passed.push({ path: place(fence.opening), reason: why })
    else parts.push(part)
  }
  return {
    ...examplesOf(
      parts.map(({ read }) => read),
      comments,
      passed,
    ),
    ...(refusal !== undefined && { refusal }),
  }
}

/** The reader of configurations, which few documents need. */
async function hclReader(settings: Settings): Promise<ReadHcl> {
  const { readStandalone: readAlone } = await import('../hcl/alone.ts')
  return (source) => readAlone(source, settings)
}

/** Whether a block was meant to hold a policy and is not well-formed. */
function isBroken({ fence, text, read }: FenceRead): boolean {
  // Of HCL only what has resources of ours is read.
  return isMalformed(read) && (fence.notation === 'hcl' || policyWords.some((word) => text.includes(word)))
}

/** Whether two texts are the same except in their fences. */
export function isOutsideKept(before: Source, after: Source): boolean {
  return outsideOfFences(before) === outsideOfFences(after)
}
