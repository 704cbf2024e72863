import { describe, expect, test } from 'vitest'
import { position } from '../../src/source.ts'
import { configuration, hclFile, toolsWith } from '../support/hcl.ts'

const policy = (identities: string, rest = '') =>
  `resource "svc_iam_policy" "p" {\n  name = "p"\n  identities = ${identities}\n  resources = []\n${rest}}\n`

describe('texts that are made to harm are refused before the grammar is asked', () => {
  test.each([
    ['brackets', `a = ${'['.repeat(50_000)}`, /more than 64 brackets/],
    ['brackets that close', ']'.repeat(500_000), /closes nothing/],
    ['templates', `a = "${'${"'.repeat(50_000)}`, /more than 64 brackets/],
    ['operators', `a = ${'a + '.repeat(50_000)}a`, /more than 400 operators/],
    ['operators of one value', `a = ${'-'.repeat(50_000)}1`, /more than 400 operators/],
    ['steps', `a = b${'.c'.repeat(50_000)}`, /more than 400 operators/],
    ['values', 'a = 1 = '.repeat(50_000), /expected a line break/],
    ['heredocs', 'a = <<'.repeat(50_000), /expected a word/],
    ['words', '1,'.repeat(160_000), /more than 300000 words/],
    ['length', '#'.repeat(1024 * 1024 + 1), /longer than 1048576/],
    ['an expression over many lines', `a = (\n${'a +\n'.repeat(5000)}a)`, /more than 750 operators and steps/],
    ['directives', `a = "${'%{ if a }'.repeat(500)}"`, /expected `%\{ endif \}`/],
  ])('%s', (_, text, expected) => {
    const { body, diagnostics } = hclFile(text)
    expect(body).toBeUndefined()
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringMatching(expected)])
  })
})

describe('values that are made to harm', () => {
  test.each([
    ['a count', policy('[]', '  count = 1000000000\n'), /more than 200000 steps/],
    ['a product', policy('setproduct(range(1000), range(1000), range(1000))'), /more than 200000 steps/],
    ['loops', policy('[for a in range(1000) : [for b in range(1000) : b]]'), /more than 200000 steps/],
    ['a long text', policy('[join("", [for a in range(1000) : format("%999s", "")])]'), /more than 200000 steps/],
  ])('%s', (_, text, expected) => {
    const { diagnostics } = configuration({ 'main.tf': text })
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringMatching(expected)])
    expect(position(diagnostics[0]?.span.source as never, diagnostics[0]?.span.start ?? 0).line).toBeGreaterThan(0)
  })

  test.each([
    ['a pattern that others try in every way', 'regex("(a*)*b", join("", [for a in range(1000) : "a"]))', 'failed'],
    ['a pattern that is repeated', 'regex("((a{9}){9}){9}x", "aaaa")', 'failed'],
    ['a pattern that repeats too much', 'regex("((a{100}){100}){100}", "a")', 'unknown'],
    ['a nested pattern', `regex("${'('.repeat(2000)}", "a")`, 'unknown'],
    ['many matches', 'regexall("a|.*b", join("", [for a in range(1000) : format("%099s", "a")]))', 'unknown'],
    ['a long pattern', `regex("${'a'.repeat(2000)}", "a")`, 'unknown'],
    ['a pattern of stars', 'fileset(".", "a*a*a*a*a*a*a*a*a*a*a*a*a*b")', 'known'],
  ])('%s', (_, expression, expected) => {
    const files = { [`${'a'.repeat(200)}`]: '' }
    const { found, diagnostics } = configuration({ 'main.tf': policy(`[jsonencode(${expression})]`) }, 'svc', toolsWith(files))
    expect(diagnostics.map(({ message }) => message).filter((each) => !/steps/.test(each))).toEqual([])
    const [record] = [...found.values()].flat()
    const list = record?.node.entries.find(({ key }) => key.value === 'identities')?.value
    const item = list?.kind === 'list' ? list.items[0] : undefined
    expect(item?.kind ?? 'unknown').toBe(expected === 'known' ? 'text' : 'unknown')
  })

  test('names that objects have of their own are names like others', () => {
    const { diagnostics } = configuration({
      'main.tf': `locals {\n  constructor = { __proto__ = "a", toString = "b" }\n}\n${policy('[local.constructor.__proto__, local.constructor.toString]')}`,
    })
    expect(diagnostics).toEqual([])
    expect(configuration({ 'main.tf': policy('[]', '  constructor = 1\n') }).diagnostics).toHaveLength(1)
    expect(configuration({ 'main.tf': policy('constructor()') }).diagnostics).toEqual([])
  })
})
