import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { levelsOf, lintText } from '../../src/index.ts'
import { rules } from '../../src/rules/index.ts'
import { some } from '../support/effort.ts'
import { examplesOf, readExample } from '../support/examples.ts'
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
  expect(await codes('# p\n\nresource "svc_iam_policy" "p" {\n  name = "p"\n}\n')).toContain('policy.tf shape')
  expect(await codes('name: {}')).toContain('policy.yaml shape')
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

test('`lintText` finds without a time what no time decides, and nothing more', async () => {
  const times = ['1999-01-01T00:00:00Z', '2026-11-20T00:00:00Z', '2100-01-01T00:00:00Z'].map((time) => Date.parse(time))
  const texts = rules.flatMap(({ code }) => examplesOf(code).bad.map((example) => readExample(example).exampleSet))
  let timeless = 0
  for (const { path, text } of some(texts, 8)) {
    const found = async (options: { readonly now?: number }) =>
      (await lintText(text, { path, preset: 'auditor', ...options })).map(({ code, message }) => `${code}: ${message}`)
    const without = await found({})
    const timed = await Promise.all(times.map((now) => found({ now })))
    const always = (timed[0] ?? []).filter((finding) => timed.every((each) => each.includes(finding)))
    expect(
      without.filter((finding) => !timed.some((each) => each.includes(finding))),
      text,
    ).toEqual([])
    expect(
      always.filter((finding) => !without.includes(finding) && !/^(?:clock-change-hour|expires-too-late): /.test(finding)),
      text,
    ).toEqual([])
    timeless += always.length
  }
  expect(timeless).toBeGreaterThan(20)
})

test('`lintText` reports without a time neither what has expired nor when something will', async () => {
  const text = readFileSync(join(folder, '../quickstart/policy.json'), 'utf8')
  for (const year of ['1960', '2020', '2999']) {
    const dated = text.replace('"name"', `"expiredAt": "${year}-06-01T00:00:00Z", "name"`)
    const found = await lintText(dated, { path: 'policy.json', preset: 'auditor' })
    expect(found.filter(({ code }) => /expire|clock/.test(code))).toEqual([])
  }
})

test('`lintText` reads the policies of documents and scripts, as `lint` does', async () => {
  const policy = 'name: p\nidentities: ["urn:v1:eu:identity:user:ab12-svc/ann"]\nresources: [{ urn: "urn:v1:eu:resource:vps:*" }]\n'
  const wrong = `${policy}permissions: { allow: [{ action: "vps:apisvc:rebooot" }] }\n`
  const body = '{"name": "p", "identities": [], "resources": [], "permissions": {"allow": [{"action": "vps:apisvc:rebooot"}]}}'
  const places = async (path: string, text: string) =>
    (await lintText(text, { path })).filter(({ code }) => code === 'unknown-action').map(({ start }) => start.line)
  expect(await places('a.md', `# Servers\n\n\`\`\`yaml\n${wrong}\`\`\`\n`)).toEqual([7])
  expect(await places('a.sh', `#!/bin/sh\ncurl -d '${body}' "$API/v2/iam/policy"\n`)).toEqual([2])
  expect(await lintText('# Nothing\n', { path: 'a.md' })).toEqual([])
})

test('a preset that is none is refused: no rule of it would be on', async () => {
  const refusal = 'unknown preset `strictt`: expected recommended, strict, auditor'
  await expect(lintText('name: a', { preset: 'strictt' as never })).rejects.toThrow(new RangeError(refusal))
  expect(() => levelsOf('strictt' as never)).toThrow(refusal)
  expect((await lintText('name: a')).map(({ code }) => code)).toContain('shape')
})
