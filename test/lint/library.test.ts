import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { lintText } from '../../src/index.ts'
import { mainIn } from '../support/in-process.ts'

const folder = resolve(import.meta.dirname, '../../examples/mistakes')
const files = readdirSync(folder).filter((name) => /\.(json|ya?ml|tf)$/.test(name))

interface Printed {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

test.each(['recommended', 'strict', 'auditor'] as const)(
  '`lintText` finds what `lint` finds in a file, with the preset %s',
  async (preset) => {
    expect(files.length).toBeGreaterThan(5)
    for (const name of files) {
      const { stdout } = await mainIn(['lint', name, '--no-config', '--preset', preset, '--format', 'json'], folder)
      const printed = (JSON.parse(stdout).findings as readonly Printed[]).map(
        ({ code, severity, message, line, column, endLine, endColumn }) =>
          [code, severity, message, line, column, endLine, endColumn].join(' '),
      )
      const found = await lintText(readFileSync(join(folder, name), 'utf8'), { path: name, preset, now: Date.now() })
      const own = found.map(({ code, severity, message, start, end }) =>
        [code, severity, message, start.line, start.column, end.line, end.column].join(' '),
      )
      expect(own, name).toEqual(printed)
    }
  },
)

test('`lintText` takes the notation of a text from its beginning where no path is given', async () => {
  const codes = async (text: string) => (await lintText(text, { now: 0 })).map(({ code, span }) => `${span.source.path} ${code}`)
  expect(await codes('{"name": "a",}')).toContain('policy.json syntax')
  expect(await codes('\n [1]')).toContain('policy.json shape')
  expect(await codes('name: a')).toContain('policy.yaml shape')
})

test('`lintText` counts dates from the given time', async () => {
  const text = readFileSync(join(folder, '../quickstart/policy.json'), 'utf8').replace(
    '"name"',
    '"expiredAt": "2026-06-01T00:00:00Z", "name"',
  )
  const at = async (time: string) => (await lintText(text, { path: 'policy.json', now: Date.parse(time) })).map(({ code }) => code)
  expect(await at('2026-07-01T00:00:00Z')).toContain('expired')
  expect(await at('2026-01-01T00:00:00Z')).not.toContain('expired')
})
