import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeTexts } from '../../src/merge/merge.ts'
import { effort } from '../support/effort.ts'
import { changed, type File, faultsOf, notationIn, type Style, styles, triple } from '../support/merging.ts'
import { testSettings } from '../support/settings.ts'

test.each(Object.keys(styles) as Style[])('%s: nothing is lost, and nothing granted that neither side grants', async (style) => {
  const counts = { merged: 0, conflict: 0, together: 0, layout: 0 }
  await fc.assert(
    fc.asyncProperty(triple, async ([base, one, two]) => {
      const versions = [base, changed(base, one), changed(base, two)] as [File, File, File]
      const [b, o, t] = versions.map(styles[style]) as [string, string, string]
      const result = await mergeTexts({ base: b, ours: o, theirs: t }, notationIn(style), testSettings, () => undefined)
      expect(result.kind).not.toBe('left')
      counts[
        result.kind === 'conflict'
          ? result.conflict.why === 'together' || result.conflict.why === 'layout'
            ? result.conflict.why
            : 'conflict'
          : 'merged'
      ]++
      if (result.kind === 'merged') expect(await faultsOf(result.text, versions, style)).toEqual([])
    }),
    { numRuns: effort(1_500, 100), seed: 36 },
  )
  expect(Math.min(counts.merged, counts.conflict)).toBeGreaterThan(0)
  // Nearly all edits that fit are written.
  expect(counts.layout).toBeLessThan(counts.merged / 20)
})
