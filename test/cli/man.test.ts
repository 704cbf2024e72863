import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { type CommandEntry, commands } from '../../src/cli/app/commands.ts'

describe('the manual page', async () => {
  const script = (await import(new URL('../../scripts/man.mjs', import.meta.url).href)) as {
    manual: (...args: unknown[]) => Promise<string>
  }
  const page = await script.manual(build, fileURLToPath(new URL('../..', import.meta.url)))

  test('has every command, option and example', () => {
    const text = page.replaceAll('\\-', '-').replaceAll('\\e', '\\')
    for (const { name, summary, options, examples } of commands as readonly CommandEntry[]) {
      expect(text).toContain(`\n.SS ${name}\n`)
      expect(text.toLowerCase()).toContain(`\n${summary.toLowerCase()}.\n`)
      for (const { flags } of options) expect(text).toContain(`\n.B ${flags}\n`)
      for (const [line] of examples) expect(text).toContain(`\n$ ${line}\n`)
    }
  })

  test('has plain characters only, and no request by accident', () => {
    expect(page).toMatch(/^[\n\x20-\x7e]*$/)
    const requests = page.split('\n').filter((line) => /^[.']/.test(line))
    for (const line of requests) expect(line).toMatch(/^\.(\\"|TH|SH|SS|TP|PP|B|I|RI|nf|fi|RS|RE)( |$)/)
  })

  test.runIf(spawnSync('groff', ['--version']).status === 0)('is formatted by groff without a warning', () => {
    const { stdout, stderr } = spawnSync('groff', ['-ww', '-man', '-Tascii'], { input: page, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout.replaceAll(/.\x08/g, '')).toContain('EXIT STATUS')
  })
})
