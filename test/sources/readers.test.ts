import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { sourceOf } from '../../src/source.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'

const policy = { name: 'p', identities: ['urn:v1:eu:identity:user:ab12-svc/ann'], resources: [{ urn: 'urn:v1:eu:resource:vps:*' }] }
const json = JSON.stringify({ ...policy, permissions: { allow: [{ action: 'vps:apisvc:get' }] } })
const texts: readonly (readonly [path: string, text: string])[] = [
  ['a.md', `# A policy\n\n\`\`\`json\n${json}\n\`\`\`\n`],
  ['a.tf', 'resource "svc_iam_policy" "p" {\n  name = "p"\n}\n'],
  ['b.tf', 'module "iam" {\n  source = "example/iam/svc"\n}\n'],
]

test.each(texts)('%s without its reader is a problem, and is not said to hold no policy', async (path, text) => {
  const source = sourceOf(path, text, path.endsWith('.md') ? 'markdown' : 'hcl')
  const without = await readSources([{ source }], defaultSettings, {})
  expect([without.problems, without.passed, without.isPartial]).toEqual([[{ path, message: 'this notation is not read here' }], [], true])
  const read = await readSources([{ source }], defaultSettings, allReaders)
  expect(read.problems).toEqual([])
})

test('a configuration about something else needs no reader', async () => {
  const read = await readSources([{ source: sourceOf('a.tf', 'locals {\n  a = 1\n}\n') }], defaultSettings, {})
  expect([read.problems, read.passed]).toEqual([[], [{ path: 'a.tf', reason: 'holds no policy' }]])
})
