import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeTexts } from '../../src/merge/merge.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { changed, identity, lostIn, resource, styles, triple } from '../support/merging.ts'
import { testSettings } from '../support/settings.ts'
import { questionOf } from '../support/worlds.ts'

async function worldOf(text: string) {
  const { facts, diagnostics } = await readSource(sourceOf('policies', text), testSettings)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return buildWorld([facts]).world
}

test.each(Object.keys(styles) as (keyof typeof styles)[])(
  '%s: nothing is lost, and nothing granted that neither side grants',
  async (style) => {
    const counts = { merged: 0, conflict: 0, together: 0, layout: 0 }
    await fc.assert(
      fc.asyncProperty(triple, async ([base, one, two]) => {
        const [ours, theirs] = [changed(base, one), changed(base, two)]
        const [b, o, t] = [base, ours, theirs].map(styles[style]) as [string, string, string]
        const notation = style === 'yaml' ? 'yaml' : 'json'
        const result = await mergeTexts({ base: b, ours: o, theirs: t }, notation, testSettings, () => undefined)
        expect(result.kind).not.toBe('left')
        counts[
          result.kind === 'conflict'
            ? result.conflict.why === 'together' || result.conflict.why === 'layout'
              ? result.conflict.why
              : 'conflict'
            : 'merged'
        ]++
        if (result.kind !== 'merged') return
        const world = await worldOf(result.text)
        expect(lostIn(world, [base, ours, theirs])).toEqual([])
        const sides = [await worldOf(o), await worldOf(t)]
        for (const action of ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:restart', 'vps:apisvc:x']) {
          const question = { ...questionOf({ identity, action, resource, at: '2026-01-01T00:00:00Z' }), owner: 'other' }
          if (decide(world, question).verdict === 'allow') expect(sides.map((side) => decide(side, question).verdict)).toContain('allow')
        }
      }),
      { numRuns: effort(1_500), seed: 36 },
    )
    expect(Math.min(counts.merged, counts.conflict)).toBeGreaterThan(0)
    // Nearly all edits that fit are written.
    expect(counts.layout).toBeLessThan(counts.merged / 20)
  },
)
