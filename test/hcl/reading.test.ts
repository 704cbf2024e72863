import { describe, expect, test } from 'vitest'
import { readStandalone } from '../../src/hcl/alone.ts'
import { type Budget, markOf, noNames, spend } from '../../src/hcl/frame.ts'
import { sourcesOf, uncreatedReadingOf } from '../../src/hcl/read.ts'
import { limits } from '../../src/hcl/tokens.ts'
import { textNode } from '../../src/hcl/values.ts'
import { defaultSettings } from '../../src/names.ts'
import { sourceOf } from '../../src/source.ts'
import { field, plainValue } from '../../src/tree.ts'
import { configuration, hclFile } from '../support/hcl.ts'

const read = (text: string) => readStandalone(sourceOf('main.tf', text), defaultSettings)
const group = 'resource "svc_iam_resource_group" "g" {\n  name = "g"\n}\n'

describe('a text of HCL by itself', () => {
  test('is a world of what it describes, lists in the order of a world', () => {
    const policy = 'resource "svc_iam_policy" "p" {\n  name = "p"\n  identities = [var.who]\n  resources = []\n}\n'
    const { documents, unknowns, diagnostics, refused, comments } = read(`# one\n${group}${policy}`)
    expect(documents.map((document) => Object.keys(plainValue(document) as object))).toEqual([['policies', 'resourceGroups']])
    expect(unknowns?.map(({ expression }) => expression)).toEqual(['svc_iam_resource_group.g.urn', 'var.who'])
    expect([diagnostics, refused, comments?.length]).toEqual([[], false, 1])
  })

  test('is nothing where it describes nothing', () => {
    expect(read('locals {\n}\n')).toMatchObject({ documents: [], unknowns: [], refused: false })
  })

  test('has no invisible characters', () => {
    expect(read('locals {\n  a = "\u0007"\n}\n').diagnostics.map(({ code }) => code)).toEqual(['stray-character'])
    expect(read('locals {\n  a = "\t"\n}\n').diagnostics).toEqual([])
  })

  test('is refused where it is too long', () => {
    const text = group.padEnd(limits.length)
    expect(read(text)).toMatchObject({ refused: false, diagnostics: [] })
    expect(read(`${text} `)).toMatchObject({ refused: true, diagnostics: [expect.objectContaining({ severity: 'error' })] })
  })

  test('is a module of one file, which may call itself', () => {
    expect(read('module "m" {\n  source = "./"\n}\n').diagnostics.map(({ message }) => message)).toEqual(['this module calls itself'])
  })
})

test('what a file makes none of is a world next to it', () => {
  const file = hclFile(group.replace('{', '{\n  count = 0'))
  const made = configuration({ 'main.tf': file.source.text })
  const [source] = [...made.uncreated.keys()]
  const reading = uncreatedReadingOf({ ...file, source: source ?? file.source }, [made])
  expect(reading).toMatchObject({ diagnostics: [], refused: false, comments: [], each: [{ why: '`count` is 0' }] })
  expect(reading.documents.map((document) => plainValue(document))).toEqual([
    { resourceGroups: [{ urn: 'svc_iam_resource_group.g.urn', name: 'g' }] },
  ])
  expect(uncreatedReadingOf(file, [])).toMatchObject({ documents: [], each: [] })
})

test('values are in the files where they are written', () => {
  const made = configuration({
    'main.tf': 'module "m" {\n  source = "./m"\n  who = ["a"]\n}\n',
    'm/main.tf':
      'variable "who" {}\nresource "svc_iam_policy" "p" {\n  name = "p"\n  identities = var.who\n  resources = []\n  conditions {\n    operator = local.op\n  }\n}\n',
    'm/more.tf': 'locals {\n  op = "AND"\n}\n',
    'm/none.tf': 'resource "svc_iam_resource_group" "g" {\n  count = 0\n  name = "g"\n}\n',
    'm/not.tf': 'locals {\n  other = 1\n}\n',
  })
  expect([...sourcesOf(made)].map(({ path }) => path).sort()).toEqual(['m/main.tf', 'm/more.tf', 'm/none.tf', 'main.tf'])
})

test('texts in conditions know where each of their letters is written', () => {
  const text = `resource "svc_iam_policy" "p" {
  name = "p"
  identities = []
  resources = []
  conditions {
    operator = "MATCH"
    values = { "resource.Name" = "a\${local.x}c" }
  }
}
locals {
  x = "b"
}
`
  const [record] = [...configuration({ 'main.tf': text }).found.values()].flat()
  const conditions = record && field(record.node, 'conditions')
  const values = conditions?.kind === 'map' ? field(conditions, 'values') : undefined
  const value = values?.kind === 'map' ? values.entries[0]?.value : undefined
  expect(value?.kind === 'text' && value.offsets?.slice(0, -1).map((at) => text[at])).toEqual(['a', '$', 'c'])
})

describe('what evaluating costs', () => {
  test('is as much as there is', () => {
    const budget: Budget = { left: 3, depth: 0 }
    const span = hclFile('a = 1').body?.attributes[0]?.value
    if (!span) throw new Error('nothing is read')
    spend(budget, 2, span)
    spend(budget, 1, span)
    expect(budget.left).toBe(0)
    expect(() => spend(budget, 1, span)).toThrow('evaluating this takes more than 200000 steps')
  })
})

test('where no name means anything, none does', () => {
  const span = { source: sourceOf('main.tf', ''), start: 0, end: 0 }
  expect(noNames.isNamed('svc_iam_resource_group')).toBe(false)
  expect(noNames.local('x', span)).toBeUndefined()
  expect(noNames.variable('x', span)).toBeUndefined()
  expect(noNames.child('x', span)).toBeUndefined()
  expect(noNames.resource('x', 'y', span)).toBeUndefined()
  expect(noNames.shapeOf(['svc_vps', 'x', 'urn'])).toBeUndefined()
})

test('what is made at different places, in different modules or of different items is distinguished', () => {
  const source = sourceOf('main.tf', 'a b a')
  const other = sourceOf('other.tf', 'a b a')
  const at = (from: typeof source, start: number, names = noNames, bound: ReadonlyMap<string, ReturnType<typeof textNode>> = new Map()) =>
    markOf({ source: from, start, end: start + 1 }, { names, bound, scope: '.', budget: { left: 1, depth: 0 } })
  const item = (value: string, name = 'each') => new Map([[name, textNode({ source, start: 0, end: 1 }, value)]])
  const all = [
    at(source, 0),
    at(source, 2),
    at(source, 4),
    at(other, 0),
    at(source, 0, { ...noNames, prefix: 'module.m.' }),
    at(source, 0, noNames, item('x')),
    at(source, 0, noNames, item('y')),
    at(source, 0, noNames, item('x', 'count')),
  ]
  expect(new Set(all).size).toBe(all.length)
  expect(at(source, 0, noNames, item('x'))).toBe(at(source, 0, noNames, item('x')))
})
