import { describe } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { testCases } from '../support/cases.ts'
import { readLines, worldLines } from '../support/read-lines.ts'

// Everything that is read of a text and found in it, each with its place: values in JSON and YAML, and `${…}` for what is not known.
describe.each(['yaml', 'json', 'unknown', 'configurations', 'access-rules'])('a text: %s', (name) => {
  testCases(new URL(`reading/${name}.cases`, import.meta.url), (text, { path = 'a.yaml', settings = '{}' }) =>
    readLines(path, text, { ...defaultSettings, ...JSON.parse(settings) }),
  )
})

describe('the world of several texts', () => {
  testCases(new URL('reading/worlds.cases', import.meta.url), (texts) => worldLines(texts.split('+++\n')))
})
