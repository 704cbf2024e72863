import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../src/diagnostic.ts'
import { rules } from '../src/rules/index.ts'
import type { Rule } from '../src/rules/rule.ts'
import { lintExample, markOf, readExample } from './support/examples.ts'

/** CONTRIBUTING, "Messages": lower-case or code at the start, one line, no final period. */
const sentence = /^(?:[a-z`$]|U\+|\d).*[^.\s]$/
const wellWritten = ({ message, help, related = [] }: Diagnostic) =>
  [message, ...(help === undefined ? [] : [help]), ...related.map((r) => r.message)].filter((text) => !sentence.test(text))

describe('the list of rules', () => {
  it('holds every rule file once, sorted by code', () => {
    const folder = new URL('../src/rules/', import.meta.url)
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'rule.ts' && name !== 'index.ts')
    expect(rules.map((rule) => `${rule.code}.ts`)).toEqual(files.sort())
  })

  it('is what its pages say', () => {
    const script = fileURLToPath(new URL('../scripts/rule-docs.mjs', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('has no two equal examples', () => {
    const examples = rules.flatMap((rule) => [...rule.examples.bad, ...rule.examples.good].map((text) => `${rule.code}: ${text.trim()}`))
    expect(examples.filter((text, i) => examples.indexOf(text) !== i)).toEqual([])
  })
})

describe.each(rules.map((rule): [string, Rule] => [rule.code, rule]))('%s', (code, rule) => {
  it('says what it finds and why', () => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(rule.summary).toMatch(/^[A-Z`].*\.$/)
    expect(rule.why.length).toBeGreaterThan(80)
    expect(rule.why).toMatch(/\.$/)
    expect(rule.examples.bad.length).toBeGreaterThan(0)
    expect(rule.examples.good.length).toBeGreaterThan(0)
  })

  it.each(rule.examples.bad)('finds what is marked: %s', async (text) => {
    const example = readExample(text)
    const found = await lintExample(example)
    const mine = found.filter((diagnostic) => diagnostic.code === code)
    expect(mine.map(markOf)).toEqual(example.expected)
    expect(example.expected.length).toBeGreaterThan(0)
    expect(mine.flatMap(wellWritten)).toEqual([])
    // An example shows one thing: no error of another rule is in it.
    expect(found.filter((d) => d.severity === 'error' && d.code !== code).map(markOf)).toEqual([])
  })

  it.each(rule.examples.good)('finds nothing in: %s', async (text) => {
    const example = readExample(text)
    const found = await lintExample(example)
    expect(example.expected).toEqual([])
    expect(found.filter((d) => d.severity === 'error' || d.code === code).map((d) => `${markOf(d)}: ${d.message}`)).toEqual([])
  })
})
