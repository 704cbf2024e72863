import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rules } from '../src/rules/index.ts'

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'grantwise-package-'))
const home = join(scratch, 'node_modules/grantwise')
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function run(program: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** The files that a part of a manifest names, however deep. */
function filesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesIn) : []
}

// One package for all: built with its declarations, packed as it would be published, and unpacked where a user would have it.
beforeAll(() => {
  expect(run(process.execPath, [join(root, 'scripts/build.mjs')], root)).toMatchObject({ status: 0 })
  const packed = run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch], root)
  expect(packed).toMatchObject({ status: 0 })
  mkdirSync(home, { recursive: true })
  expect(run('tar', ['-xzf', join(scratch, packed.stdout.trim()), '--strip-components=1', '-C', home], scratch)).toMatchObject({
    status: 0,
  })
}, 120_000)

describe('the packed package', () => {
  test('has the page of every rule', () => {
    const pages = new Set(readdirSync(join(home, 'docs/rules')))
    expect(rules.map(({ code }) => `${code}.md`).filter((page) => !pages.has(page))).toEqual([])
  })

  test('has every file that its manifest names, and needs no other package', () => {
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    expect(manifest.dependencies).toBeUndefined()
    const named = filesIn([manifest.bin, manifest.exports, manifest.main, manifest.types, manifest.typesVersions])
    expect(named.length).toBeGreaterThan(10)
    for (const file of named) if (!file.includes('*')) expect(readFileSync(join(home, file), 'utf8')).not.toBe('')
  })

  test.each(['grantwise', 'grantwise/browser', 'grantwise/emulator'])(
    'gives those who import and those who require `%s` the same instance',
    (name) => {
      const program = `const required = require('${name}')
import('${name}').then((imported) => {
  const names = Object.keys(imported)
  console.log(names.length > 0 && names.every((each) => imported[each] === required[each]), names.join() === Object.keys(required).sort().join())
})`
      writeFileSync(join(scratch, 'both.cjs'), program)
      expect(run(process.execPath, ['both.cjs'], scratch)).toEqual({ status: 0, stdout: 'true true\n', stderr: '' })
    },
  )

  test('takes what its code for browsers made, and gives it what it made', () => {
    const policy = {
      name: 'p',
      identities: ['urn:v1:eu:identity:user:ab/a'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:x' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    }
    const program = `import * as node from 'grantwise'
import * as browser from 'grantwise/browser'
const policy = { path: 'p.json', text: ${JSON.stringify(JSON.stringify(policy))} }
const names = ['urn:v1:eu:identity:user:ab/a', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:x']
for (const [a, b] of [[node, browser], [browser, node]]) {
  const { world } = await a.readWorld([policy])
  const { question } = a.readQuestion(...names, { at: 0, groups: [] }, a.defaultSettings)
  console.log(a !== b && b.decide(world, question).verdict, b.compile(world).decide(question).verdict)
}`
    writeFileSync(join(scratch, 'mixed.mjs'), program)
    expect(run(process.execPath, ['mixed.mjs'], scratch)).toEqual({ status: 0, stdout: 'allow allow\nallow allow\n', stderr: '' })
  })

  const program = `import { decide, defaultSettings, lint, readQuestion, readSource, readWorld, ruleContext, rules } from 'grantwise'

export async function first(text: string): Promise<string | undefined> {
  const { world, diagnostics } = await readWorld([{ path: 'p.yaml', text }])
  if (!world) return diagnostics[0]?.message
  const { question } = readQuestion('urn:v1:eu:identity:user:ab/a', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:x', { at: 0, groups: [] }, defaultSettings)
  return question && decide(world, question).verdict
}
// @ts-expect-error: what is imported has types, and is not any
export const wrong: number = first
export { lint, readSource, ruleContext, rules }
`
  test.each([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'type-checks with `module: %s`, `moduleResolution: %s` and every declaration looked at',
    (module, moduleResolution) => {
      const folder = join(scratch, moduleResolution)
      mkdirSync(folder)
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
      writeFileSync(join(folder, 'user.ts'), program)
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2022',
        lib: ['es2023'],
        types: [],
        strict: true,
        skipLibCheck: false,
        noEmit: true,
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }))
      expect(run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder)).toEqual({
        status: 0,
        stdout: '',
        stderr: '',
      })
    },
    60_000,
  )
})
