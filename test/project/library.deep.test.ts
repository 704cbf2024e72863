import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createContext, Script } from 'node:vm'
import { build } from 'esbuild'
import { describe, expect, it, test } from 'vitest'
import * as library from '../../src/index.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'examples/library')
const programs = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
const examples = programs.filter((name) => !name.endsWith('.test.mjs'))

describe('the programs of docs/api.md', () => {
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8')
  const shown = [...page.matchAll(/^```js (\S+)\n(.*?)^```$/gms)].map(([, path = '', body = '']) => [basename(path), body] as const)

  test('are five', () => {
    expect(shown.map(([name]) => name)).toEqual(['lint.mjs', 'decide.mjs', 'diff.mjs', 'rule.mjs', 'emulator.test.mjs'])
  })

  it.each(shown)('%s has fewer than 15 lines, none too long to read', (name, body) => {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(body)
    const lines = body.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(15)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(140)
  })

  test('emulator.test.mjs passes', () => {
    const said = execFileSync(process.execPath, ['--test', join(folder, 'emulator.test.mjs')], { encoding: 'utf8' })
    expect(said).toMatch(/^(?:#|ℹ) pass 1$/m)
  })
})

describe('in a browser', () => {
  // Bundled as for a page, then run where there is nothing of Node: only the language, and a console.
  it.each(examples)('%s says what it says in Node', async (name) => {
    const { outputFiles, warnings } = await build({
      entryPoints: [join(folder, name)],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      alias: { grantwise: join(root, 'dist/library/index.js') },
      logLevel: 'silent',
    })
    expect(warnings).toEqual([])
    const said: string[] = []
    const page = createContext({ console: { log: (...words: unknown[]) => said.push(words.join(' ')) } })
    const code = (outputFiles[0]?.text ?? '').replace(/export\s*\{[^}]*\};?\s*$/, '')
    await new Script(`(async () => { ${code} })()`, { filename: name }).runInContext(page)
    expect(`${said.join('\n')}\n`).toBe(execFileSync(process.execPath, [join(folder, name)], { encoding: 'utf8' }))
  })
})

test('the page of the emulator names every option, field and method of `startEmulator`', () => {
  const code = readFileSync(join(root, 'src/embed.ts'), 'utf8')
  const page = /^## From JavaScript$(.*?)^## /ms.exec(readFileSync(join(root, 'docs/service.md'), 'utf8'))?.[1] ?? ''
  const fields = ['EmulatorOptions', 'Emulator'].flatMap((name) => {
    const body = new RegExp(`^export interface ${name} \\{$(.*?)^\\}$`, 'ms').exec(code)?.[1] ?? ''
    return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = '']) => field)
  })
  expect(fields).toEqual(expect.arrayContaining(['cwd', 'onFault', 'export', 'setClock', 'setFaults']))
  expect(fields.filter((field) => !new RegExp(`^\\|.*\`${field}(?:\`|\\()`, 'm').test(page))).toEqual([])
})

test('the page of the library names everything that is public', () => {
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8')
  expect(Object.keys(library).filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([])
})

test('the public names are those that are listed', () => {
  expect(Object.keys(library).sort()).toEqual([
    'RuleFault',
    'applyConfigurations',
    'buildWorld',
    'catalogueActions',
    'checkExamples',
    'compareDiagnostics',
    'compile',
    'conditionText',
    'convert',
    'decide',
    'defaultSettings',
    'diff',
    'diffBetween',
    'differenceJson',
    'differenceText',
    'escalate',
    'escalationJson',
    'escalationText',
    'explain',
    'exportCedar',
    'factText',
    'fixFiles',
    'least',
    'leastJson',
    'leastText',
    'levelsOf',
    'lint',
    'lintFiles',
    'lintText',
    'loadCatalogue',
    'mayFix',
    'minimise',
    'minimiseDiff',
    'minimiseJson',
    'minimiseText',
    'minimiseVerdict',
    'noFacts',
    'policiesText',
    'policyTestsJson',
    'policyTestsJunit',
    'policyTestsText',
    'position',
    'readAddress',
    'readCalls',
    'readConfiguration',
    'readQuestion',
    'readSource',
    'readSources',
    'readWorld',
    'ruleContext',
    'ruleExamples',
    'rules',
    'runPolicyTests',
    'sarif',
    'sourceOf',
    'suggest',
    'suggestJson',
    'suggestionDiff',
    'suggestionsText',
    'timeline',
    'timelineJson',
    'valueText',
    'what',
    'whatJson',
    'whatText',
    'who',
    'whoJson',
    'whoText',
    'whyNotFixed',
  ])
  for (const [name, value] of Object.entries(library)) if (value === undefined) throw new Error(`${name} is not there`)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, -8.64e15 - 1])('a question at %s is none: nothing would have expired by then', (at) => {
  const { readQuestion, defaultSettings } = library
  const names = ['urn:v1:eu:identity:user:ab/a', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:x'] as const
  expect(readQuestion(...names, { at, groups: [] }, defaultSettings).problems).toEqual([
    { message: `time \`${at}\`: no number of milliseconds since 1970` },
  ])
  expect(readQuestion(...names, { at: 8.64e15, groups: [] }, defaultSettings).question?.at).toBe(8.64e15)
})
