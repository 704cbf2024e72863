import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { sourceOf } from '../../src/source.ts'
import { testCases } from '../support/cases.ts'
import { declaredLines } from '../support/read-lines.ts'

// Facts that are read of plans, previews, manifests and bodies of programs, each with its place.
describe('a text of a tool', () => {
  testCases(new URL('declared.cases', import.meta.url), (text, { path = 'a.yaml' }) => declaredLines(path, text))
})

// Tools that apply manifests stop at such a mark, and apply nothing of what follows.
describe('a mark before a document that tools do not read alike', () => {
  const policy = (name: string) =>
    `apiVersion: iam.svc.upbound.io/v1alpha1\nkind: Policy\nmetadata: { name: ${name} }\nspec:\n  forProvider: { name: ${name}, identities: ["urn:v1:eu:identity:user:a/u"], resources: ["urn:v1:eu:resource:vps:v"], allow: ["vps:*"] }\n`
  const other = 'apiVersion: v1\nkind: ConfigMap\n'
  const marksIn = async (text: string) => {
    const { diagnostics } = await readSource(sourceOf('a.yaml', text), defaultSettings)
    return diagnostics
      .filter(({ message }) => message.includes('not every tool that reads manifests applies what follows'))
      .map(({ message, span: { start, end } }) => [message.split(' before ')[0], text.slice(0, start).split('\n').length, end - start])
  }

  test.each<[name: string, text: string, marks: unknown]>([
    ['a comment behind `---` is none', `${policy('a')}--- # b\n${policy('b')}`, []],
    ['`---` on its line is none', `${policy('a')}---\n${policy('b')}`, []],
    ['of a text with one document', `--- {}\n`, []],
    ['`...` at the end', `${policy('a')}---\n${policy('b')}...\n`, []],
    ['`...` and then `---`', `${policy('a')}...\n---\n${policy('b')}`, []],
    ['what is no manifest of policies', `${other}--- !!map\n${other}`, []],
    ['a tag behind `---`', `${policy('a')}--- !!map\n${policy('b')}`, [['`---`', 6, 3]]],
    ['a policy in the first document only', `${policy('a')}--- !!map\n${other}`, [['`---`', 6, 3]]],
    ['a policy in the last document only', `${other}--- !!map\n${policy('a')}`, [['`---`', 3, 3]]],
    ['the second of three', `${policy('a')}---\n${policy('b')}--- !!map\n${policy('c')}`, [['`---`', 12, 3]]],
  ])('%s', async (_, text, marks) => expect(await marksIn(text)).toEqual(marks))
})
