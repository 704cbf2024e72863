import { describe } from 'vitest'
import { testCases } from '../support/cases.ts'
import { shownConfiguration } from '../support/hcl-shown.ts'

const valuesIn = (text = '{}') => new Map(Object.entries<string>(JSON.parse(text)))

// `whole`: all files of the folders are there. `given` and `environment`: values of variables by name.
describe('a configuration', () => {
  testCases(new URL('configurations.cases', import.meta.url), (text, { whole, isModule, given, environment }) => {
    const texts = Object.fromEntries(
      text
        .split(/^\+\+\+ /m)
        .slice(1)
        .map((file) => file.split(/\n([\s\S]*)/, 2)),
    )
    const assigned = { given: valuesIn(given), environment: valuesIn(environment), files: [] }
    return shownConfiguration(texts, { whole: whole === 'true', assigned, ...(isModule && { isModule: true }) })
  })
})
