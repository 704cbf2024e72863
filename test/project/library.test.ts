import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createContext, Script } from 'node:vm'
import { build } from 'esbuild'
import { describe, expect, it, test } from 'vitest'
import * as library from '../../src/index.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'examples/library')
const examples = readdirSync(folder).filter((name) => name.endsWith('.mjs'))

describe('in a browser', () => {
  // Bundled as for a page, then run where there is nothing of Node: only the language, and a console.
  it.each(examples)('%s says what it says in Node', async (name) => {
    const { outputFiles, warnings } = await build({
      entryPoints: [join(folder, name)],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      alias: { grantwise: join(root, 'dist/index.js') },
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

test('the public names are those that are listed', () => {
  expect(Object.keys(library).sort()).toEqual([
    'RuleFault',
    'applyConfigurations',
    'buildWorld',
    'catalogueActions',
    'checkExamples',
    'compareDiagnostics',
    'compile',
    'decide',
    'defaultSettings',
    'diff',
    'diffBetween',
    'differenceJson',
    'explain',
    'exportCedar',
    'factText',
    'fixFiles',
    'levelsOf',
    'lint',
    'lintFiles',
    'lintText',
    'loadCatalogue',
    'mayFix',
    'noFacts',
    'position',
    'readAddress',
    'readConfiguration',
    'readQuestion',
    'readSource',
    'readSources',
    'readWorld',
    'ruleContext',
    'ruleExamples',
    'rules',
    'sourceOf',
    'timeline',
    'timelineJson',
    'valueText',
    'what',
    'who',
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
