import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ask, inFolder, lintFolder, markOf, readCase } from '../support/configurations.ts'

const corpus = fileURLToPath(new URL('corpus/', import.meta.url))
const names = readdirSync(corpus).sort()

describe.each(names)('%s', (name) => {
  const { expected, files, marks } = readCase(`${corpus}${name}`)
  const { unknown, questions = [], says, at = [] } = expected

  test('what is found is what is marked, and what is not known is counted', () =>
    inFolder(files, async (folder) => {
      const { findings, unknown: open } = await lintFolder(folder)
      const isWhole = at.length === 0
      const found = findings.map((each) => (isWhole ? markOf(each, files) : `${each.file}:${each.line} ${each.code}`))
      expect(found.sort()).toEqual([...(isWhole ? marks : at)].sort())
      const messages = findings.map(({ message, help }) => `${message} | ${help ?? ''}`)
      for (const [i, words] of (says ?? []).entries()) expect(messages[i]).toContain(words)
      if (unknown !== undefined) expect(open).toHaveLength(unknown)
    }))

  if (questions.length > 0)
    test('what is asked is answered', () =>
      inFolder(files, async (folder) => {
        const answers = await ask(
          folder,
          questions.map((each) => each.ask),
        )
        const found = answers.map(({ verdict, missing }, i) => ({
          ...questions[i],
          say: verdict,
          ...(questions[i]?.missing && { missing: [...missing].sort() }),
        }))
        expect(found).toEqual(questions.map((each) => ({ ...each, ...(each.missing && { missing: [...each.missing].sort() }) })))
      }))
})

test('the corpus is large, and most of it is not wholly written', () => {
  const cases = names.map((name) => readCase(`${corpus}${name}`))
  const holds = (text: RegExp) => cases.filter(({ files }) => [...files.values()].some((each) => text.test(each))).length
  expect(names.length).toBeGreaterThanOrEqual(100)
  expect(holds(/\b(var|local|each|data|module|count)\./)).toBeGreaterThan(names.length / 2)
})
