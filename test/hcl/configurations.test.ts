import { expect, test } from 'vitest'
import { shownConfiguration } from '../support/hcl-shown.ts'
import cases from './configurations.json' with { type: 'json' }

interface Case {
  readonly name: string
  /** Lines of files by their paths. */
  readonly files: Readonly<Record<string, readonly string[]>>
  /** All files of the folders are there. */
  readonly whole?: boolean
  readonly isModule?: boolean
  /** Values of variables that are given by name, and those of the environment. */
  readonly given?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  /** What is made of them: records with their places, what there is none of, what is wrong, what is not read. */
  readonly lines: readonly string[]
}

test.each(cases as unknown as readonly Case[])(
  'a configuration: $name',
  ({ files, whole = false, isModule, given, environment, lines }) => {
    const texts = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.join('\n')]))
    const assigned = { given: new Map(Object.entries(given ?? {})), environment: new Map(Object.entries(environment ?? {})), files: [] }
    expect(shownConfiguration(texts, { whole, assigned, ...(isModule && { isModule }) })).toEqual(lines)
  },
)
