import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conformanceLines } from '../support/conformance.ts'
import { asset, circumstancesOf, givenOfTexts } from '../support/engine.ts'
import { launch } from './support.ts'

/** The engine of the pages, in a browser: the conformance cases, each as `can` is asked. */

const lines = conformanceLines()

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launch()
  page = await browser.newPage()
  for (const name of ['catalogue', 'engine', 'more']) await page.addScriptTag({ content: asset(name) })
})
afterAll(() => browser?.close())

describe('the engine in a browser', () => {
  test('answers every conformance case as demanded', async () => {
    const wrong: string[] = []
    let count = 0
    for (const { world, queries } of lines) {
      const given = givenOfTexts({ 'world.json': JSON.stringify(world) }, 0)
      const asked = queries.map((query) => [[query.identity, query.action, query.resource], circumstancesOf(query)] as const)
      const verdicts = await page.evaluate(
        async ([given, asked]) => {
          // biome-ignore lint/suspicious/noExplicitAny: what the scripts of the page set
          const { grantwise } = globalThis as any
          grantwise.load = async (name: string) => grantwise[name]
          const engine = grantwise.engine.open(given)
          const out: string[] = []
          for (const [question, circumstances] of asked) {
            const { answer, problems } = await engine.can(question, circumstances)
            out.push(answer?.verdict ?? JSON.stringify(problems))
          }
          return out
        },
        [given, asked] as const,
      )
      for (const [i, { id, expect: demanded }] of queries.entries()) {
        count++
        if (verdicts[i] !== demanded) wrong.push(`${id}: ${verdicts[i]}, not ${demanded}`)
      }
    }
    expect(wrong).toEqual([])
    expect(count).toBe(4000)
  })
})
