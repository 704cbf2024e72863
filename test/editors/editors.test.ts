import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isDeep } from '../support/effort.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/editors.md'), 'utf8')

/** The blocks of a notation on the page, in order. */
function blocks(notation: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${notation}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, body]) => body ?? '')
}

test('the JSON settings of editors are JSON, and starts the server', () => {
  const settings = blocks('json')
  expect(settings).toHaveLength(2)
  for (const each of settings) expect(JSON.stringify(JSON.parse(each))).toMatch(/"grantwise".*"lsp"/)
})

test('each section of an editor starts the server, in few lines', () => {
  const sections = page.split(/^## /m).slice(1)
  const withCode = sections.filter((each) => /^(?!VS Code)/.test(each))
  expect(withCode.map((each) => each.split('\n')[0])).toHaveLength(8)
  for (const each of withCode) expect(each).toMatch(/grantwise.{0,20}lsp|'lsp'|"lsp"/)
  for (const body of ['lua', 'elisp', 'vim', 'toml', 'json'].flatMap(blocks)) expect(body.split('\n').length).toBeLessThan(16)
})

/** A folder with a policy in need of a fix, and a path on which `grantwise` is the built program. */
function prepared(name: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-editor-')))
  mkdirSync(join(folder, 'bin'))
  const program = join(folder, 'bin/grantwise')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/grantwise.js')}' "$@"\n`)
  chmodSync(program, 0o755)
  copyFileSync(join(root, 'examples/mistakes', name), join(folder, name))
  return { folder, env: { ...process.env, HOME: folder, PATH: join(folder, 'bin') + delimiter + process.env.PATH } }
}

function linted(folder: string, name: string): readonly unknown[] {
  const { stdout } = spawnSync(process.execPath, [join(root, 'bin/grantwise.js'), 'lint', '--format', 'json', name], {
    cwd: folder,
    encoding: 'utf8',
  })
  const { findings } = JSON.parse(stdout) as { findings: readonly { line: number; column: number; code: string }[] }
  return findings.map(({ line, column, code }) => [line, column, code])
}

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0

// Where Neovim is not installed, nothing can be said of it.
if (isDeep && isThere('nvim')) {
  describe('Neovim, set up as the page says', () => {
    test.each([
      ['misspelt-action.yaml', 'vps:apisvc:reinstall', /^Not an action of the catalogue/],
      ['misspelt-field.json', 'identities', /^$/],
    ])('shows what lint prints of %s, explains it, and fixes it', (name, fixed, explained) => {
      const { folder, env } = prepared(name)
      const before = linted(folder, name)
      writeFileSync(join(folder, 'init.lua'), blocks('lua')[0] ?? '')
      const steps = join(import.meta.dirname, 'steps.lua')
      const out = join(folder, 'out')
      const { status, stderr } = spawnSync('nvim', ['--headless', '--clean', '-u', 'init.lua', '-c', `luafile ${steps}`], {
        cwd: folder,
        env: { ...env, POLICY: name, OUT: out },
        encoding: 'utf8',
      })
      expect([status, stderr]).toEqual([0, expect.not.stringMatching(/error/i)])
      const noted = readFileSync(out, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as [string, unknown])
      expect(noted.map(([what]) => what)).toEqual(['findings', 'hover', 'actions', 'findings'])
      expect(before).not.toEqual([])
      expect(noted[0]?.[1]).toEqual(before)
      expect(noted[1]?.[1]).toMatch(explained)
      expect(noted[2]?.[1]).toEqual(expect.arrayContaining([expect.stringContaining(fixed)]))
      expect(noted[3]?.[1]).toEqual([])
      expect(readFileSync(join(folder, name), 'utf8')).toContain(fixed)
      expect(linted(folder, name)).toEqual([])
    })
  })
}
