import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { campaign, minimised } from '../fuzz/campaign.ts'
import { faultOf, type Target } from '../fuzz/oracles.ts'
import { corpusOf, corpusText } from '../fuzz/seeds.ts'
import { targets } from '../fuzz/targets.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Everything that the fuzzer holds a reading to, but for its time. */
test.each(targets)('the corpus of the fuzzer: $name', async (target) => {
  const texts = corpusOf(root, target)
  expect(texts.length).toBeGreaterThan(2)
  for (const text of texts) expect(await faultOf(target, text), JSON.stringify(text)).toBeUndefined()
})

test('the corpus is as the fuzzer writes it, small, and of readers that there are', () => {
  const files = readdirSync(new URL('../fuzz/corpus', import.meta.url))
  expect(files.sort()).toEqual(targets.map(({ name }) => `${name}.json`).sort())
  const written = files.map((file) => readFileSync(new URL(`../fuzz/corpus/${file}`, import.meta.url), 'utf8'))
  for (const text of written) expect(corpusText(JSON.parse(text))).toBe(text)
  expect(written.join('').length).toBeLessThan(300_000)
})

interface Instrument {
  readonly instrument: (code: string, first?: number) => { code: string; next: number; literals: readonly string[] }
}

/** A small reader with a fault behind four steps, each of which makes the next one possible. */
const planted = `
  export const read = (text) => {
    let depth = 0
    for (let i = 0; i < text.length; i++) {
      if (text[i] === '{') depth++
      else if (text[i] === '}') depth--
      if (depth === 2 && text[i] === '@')
        if (text[i + 1] === '(') if (text[i + 2] === '#') if (text[i + 3] === '?') throw new TypeError('planted')
    }
    return { value: depth, diagnostics: [] }
  }
`

describe('the fuzzer', () => {
  let builds = 0
  const built = async (source: string): Promise<{ target: Target; edges: Uint32Array }> => {
    const { instrument } = (await import(new URL('../../scripts/fuzz/instrument.mjs', import.meta.url).href)) as Instrument
    const { code, next } = instrument(source)
    const edges = new Uint32Array(next)
    Object.assign(globalThis, { __edges: edges })
    // A module is loaded once by its address: each build has one of its own.
    const { read } = await import(`data:text/javascript,${encodeURIComponent(`${code}//${++builds}`)}`)
    return { edges, target: { name: 'planted', files: /^$/, words: ['{', '}'], modules: /^$/, read } }
  }
  const options = { seeds: ['a'], words: [...'{}@(#?'], seed: 7, goesOn: (executions: number) => executions < 20_000 }

  test('finds a planted fault by the branches that are taken, and not without them', async () => {
    const { target, edges } = await built(planted)
    const guided = await campaign(target, { ...options, edges })
    expect(guided.findings.map(({ message }) => message.split('\n')[0])).toEqual(['planted'])
    expect(guided.findings[0]?.text).toMatch(/^\{+.*@\(#\?$/s)
    const { findings } = await campaign(target, { ...options, edges, guided: false })
    expect(findings).toEqual([])
  })

  test('keeps the fewest and shortest texts that take every branch', async () => {
    const { target, edges } = await built(planted)
    expect(await minimised(target, edges, ['aaa', '{a', '{a}}'])).toEqual(['}', '{a'])
  })

  test('counts every kind of branch, and leaves what a module does', async () => {
    const { target, edges } = await built(`
      const one = (a, b = 2) => (a ? b : a || 3)
      function two(list) { for (const each of list) if (each) return each; else continue; return null }
      const three = (n) => { switch (n) { case 1: return 'a'; default: return 'b' } }
      const four = () => { try { throw 1 } catch (e) { return e } }
      const five = (o) => { o.x ??= 5; if (o.y) if (o.z) return 1; return o.x }
      export const read = () => ({ value: [one(1), one(0), two([0, 4]), two([]), three(1), three(2), four(), five({}), five({ y: 1 })], diagnostics: [] })
    `)
    expect((await target.read('')).value).toEqual([2, 3, 4, null, 'a', 'b', 1, 5, 5])
    expect([...edges].filter((count) => count === 0)).toHaveLength(1)
  })

  test.each<readonly [what: string, Target['read']]>([
    ['another answer each time', (() => ((n) => () => ({ value: n++, diagnostics: [] }))(0))()],
    ['a place outside of the text', () => ({ value: 0, diagnostics: [diagnostic(2, 3)] })],
    ['a place within a character', () => ({ value: 0, diagnostics: [diagnostic(1, 2)] })],
    ['a message with a control character', () => ({ value: 0, diagnostics: [diagnostic(0, 2, 'a\u0007b')] })],
  ])('reports %s', async (_, read) => {
    expect(await faultOf({ name: 'x', files: /^$/, words: [], modules: /^$/, read }, 'x')).toBeDefined()
  })

  function diagnostic(start: number, end: number, message = 'no') {
    const source = { path: 'p', text: '\u{1f600}', notation: 'json' } as const
    return { code: 'syntax', severity: 'error', message, span: { source, start, end } } as const
  }
})
