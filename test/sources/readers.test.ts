import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { sourceOf } from '../../src/source.ts'
import { kustomizationProblems } from '../../src/sources/kustomization.ts'
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

test('a policy in a file with a name of our own is an error', async () => {
  const read = (text: string) => readSources([{ source: sourceOf('.grantwise.yaml', text), isOwn: true }], defaultSettings, allReaders)
  const hidden = await read(json)
  expect(hidden.each.flatMap(({ read: { diagnostics } }) => diagnostics.map(({ severity }) => severity))).toEqual(['error'])
  expect(hidden.passed).toEqual([])
  expect((await read('preset: strict\n')).passed).toHaveLength(1)
})

test.each([
  ['a patch of a kind of ours', 'patches: [{ patch: "kind: IAMPolicy" }]', 1],
  ['a patch of another kind', 'patches: [{ patch: "kind: Deployment" }]', 0],
  ['a kind behind an escape', String.raw`patches: ['kind: Service, "\u006bind": IAMPolicy']`, 1],
  ['a patch that may be of any kind', 'patches: [{ patch: "[{op: remove, path: /spec}]" }]', 1],
  ['a target of another kind', 'patches: [{ patch: "[]", target: { kind: Service } }]', 0],
  ['a transformer', 'transformers: ["kind: IAMPolicy"]', 1],
  ['a target of a replacement', 'replacements: [{ targets: [{ select: { kind: IAMPolicy } }] }]', 1],
  ['a policy in a file for a generator', 'configMapGenerator: [{ files: [p.txt] }]', 1],
  ['the same under another name', 'configMapGenerator: [{ files: ["q=p.txt"] }]', 1],
  ['a file that is read anyway', 'configMapGenerator: [{ files: [p.json] }]', 0],
])('a kustomization: %s', async (_, text, problems) => {
  const around = {
    ours: new Set(['IAMPolicy']),
    kindsOf: () => undefined,
    textOf: (path: string) => (/\/k\/p\./.test(path) ? json : undefined),
  }
  const found = await kustomizationProblems(sourceOf('k/kustomization.yaml', `${text}\n`), '/k/kustomization.yaml', around)
  expect(found.map(({ message }) => message)).toHaveLength(problems)
})
