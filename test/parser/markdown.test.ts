import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { fencesIn, readFence } from '../../src/parser/markdown.ts'
import { sourceOf } from '../../src/source.ts'
import { testCases } from '../support/cases.ts'
import { markdownLines } from '../support/markdown-lines.ts'

// Every fence with its place, its lines, the comment about it, and all that is read of it and found in it.
describe('a text of Markdown', () => {
  testCases(new URL('markdown.cases', import.meta.url), markdownLines)
})

test('a fence of HCL is none to who cannot read it', async () => {
  const { fences } = fencesIn(sourceOf('r.md', '```hcl\nresource "svc_iam_policy" "x" {\n}\n```\n'))
  const reads = await Promise.all(fences.map((fence) => readFence(fence, defaultSettings)))
  expect(reads.map(({ read }) => [read.holdsPolicies, read.facts.policies])).toEqual([[false, []]])
})
