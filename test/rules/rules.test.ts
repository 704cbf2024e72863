import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { rules } from '../../src/rules/index.ts'
import type { Rule, RuleExample } from '../../src/rules/rule.ts'
import { checkOptions } from '../../src/rules/support/options.ts'
import { examplesOf, lintExample, markOf, readExample } from '../support/examples.ts'

/** CONTRIBUTING, "Messages": lower-case or code at the start, one line, no final period. */
const sentence = /^(?:[a-z`$]|U\+|\d).*[^.\s]$/
const wellWritten = ({ message, help, related = [] }: Diagnostic) =>
  [message, ...(help === undefined ? [] : [help]), ...related.map((r) => r.message)].filter((text) => !sentence.test(text))

const titleOf = ({ text, ...more }: RuleExample) => {
  return `${Object.keys(more).length > 0 ? `${JSON.stringify(more)} ` : ''}${text.trim()}`
}
const titled = (examples: readonly RuleExample[]) => examples.map((example) => ({ title: titleOf(example), example }))

describe('the list of rules', () => {
  it('holds every rule file once, sorted by code', () => {
    const folder = new URL('../../src/rules/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /^(?!support\b).*[\\/].*\.ts$/.test(path))
    const pathOf = ({ section, code }: Rule) => join(section.replaceAll(' ', '-'), `${code}.ts`)
    expect(rules.map(pathOf).sort()).toEqual(files.sort())
    expect(rules.map(({ code }) => code)).toEqual(rules.map(({ code }) => code).sort())
  })

  it('is what the generated files say', () => {
    const script = fileURLToPath(new URL('../../scripts/rule-docs.mjs', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('has no two equal examples', () => {
    const examples = rules.flatMap(({ code }) => {
      const { bad, good } = examplesOf(code)
      return [...bad, ...good].map((example) => `${code}: ${titleOf(example)}`)
    })
    expect(examples.filter((text, i) => examples.indexOf(text) !== i)).toEqual([])
  })
})

describe.each(rules.map((rule): [string, Rule] => [rule.code, rule]))('%s', (code, rule) => {
  const { bad, good } = examplesOf(code)

  it('says what it finds and why', () => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(rule.summary).toMatch(/^[A-Z`].*\.$/)
    expect(rule.why.length).toBeGreaterThan(80)
    expect(rule.why).toMatch(/\.$/)
    expect(bad.length).toBeGreaterThan(0)
    expect(good.length).toBeGreaterThan(0)
    for (const option of rule.options ?? []) {
      expect(option.name).toMatch(/^[a-z]+([A-Z][a-z]+)*$/)
      expect(option.text).toMatch(/^[a-z`].*[^.]$/)
    }
    for (const { options } of [...bad, ...good]) if (options) expect(checkOptions(rule, options)).toEqual([])
  })

  if (rule.options?.some((option) => option.required)) {
    it('reports nothing until an option says what to check', async () => {
      for (const example of bad) {
        const found = await lintExample({ ...readExample(example), options: {} }, code)
        expect(found.filter((diagnostic) => diagnostic.code === code).map(markOf)).toEqual([])
      }
    })
  }

  it.each(titled(bad))('finds what is marked: $title', async ({ example: given }) => {
    const example = readExample(given)
    const found = await lintExample(example, code)
    const mine = found.filter((diagnostic) => diagnostic.code === code)
    expect(mine.map(markOf)).toEqual(example.expected)
    expect(example.expected.length).toBeGreaterThan(0)
    expect(mine.flatMap(wellWritten)).toEqual([])
    // An example shows one thing: no error of another rule is in it.
    expect(found.filter((d) => d.severity === 'error' && d.code !== code).map(markOf)).toEqual([])
  })

  it.each(titled(good))('finds nothing in: $title', async ({ example: given }) => {
    const example = readExample(given)
    const found = await lintExample(example, code)
    expect(example.expected).toEqual([])
    expect(found.filter((d) => d.severity === 'error' || d.code === code).map((d) => `${markOf(d)}: ${d.message}`)).toEqual([])
  })
})
