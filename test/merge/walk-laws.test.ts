import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readForMerge } from '../../src/merge/hcl.ts'
import { MergeConflict, mergedDocuments, spliced, valueText } from '../../src/merge/walk.ts'
import { treeOf } from '../../src/parser/tree.ts'
import { sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'
import { effort } from '../support/effort.ts'
import { changed, type File, notationIn, type Style, styles, triple } from '../support/merging.ts'
import { testSettings } from '../support/settings.ts'

async function documentsOf(text: string, style: Style): Promise<readonly Node[]> {
  if (style !== 'hcl') return (await treeOf(sourceOf('merged', text, notationIn(style)))).documents
  const read = await readForMerge(sourceOf('merged.tf', text, 'hcl'), testSettings)
  if (typeof read === 'string') throw new Error(read)
  return read.documents
}

test.each(Object.keys(styles) as Style[])('%s: the edits of each side lead to the same value', async (style) => {
  const counts = { edited: 0, none: 0 }
  await fc.assert(
    fc.asyncProperty(triple, async ([base, one, two]) => {
      const versions = [base, changed(base, one), changed(base, two)] as [File, File, File]
      const texts = versions.map(styles[style]) as [string, string, string]
      if (texts[1] === texts[2]) return
      const [old, ours, theirs] = (await Promise.all(texts.map((text) => documentsOf(text, style)))) as [Node[], Node[], Node[]]
      const walks = [() => mergedDocuments(old, ours, theirs), () => mergedDocuments(old, theirs, ours)].map((walk) => {
        try {
          return walk()
        } catch (error) {
          if (!(error instanceof MergeConflict)) throw error
          return error
        }
      })
      const [first, second] = walks
      if (first instanceof MergeConflict || second instanceof MergeConflict) {
        expect([first, second]).toEqual([expect.any(MergeConflict), expect.any(MergeConflict)])
        return
      }
      expect(second?.value).toBe(first?.value)
      for (const [i, walk] of [first, second].entries()) {
        const text = walk?.edits && spliced(texts[i + 1] as string, walk.edits)
        counts[text === undefined ? 'none' : 'edited']++
        if (text === undefined) continue
        const documents = await documentsOf(text, style)
        expect([text, `[${documents.map(valueText).sort().join(',')}]`]).toEqual([text, walk?.value])
      }
    }),
    { numRuns: effort(1_500, 100), seed: 36 },
  )
  // Nearly all layouts are understood.
  expect(counts.none).toBeLessThan(counts.edited / 50)
})
