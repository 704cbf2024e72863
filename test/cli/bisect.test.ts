import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { binary } from '../support/scenario.ts'

const docs = readFileSync(new URL('../../docs/sources.md', import.meta.url), 'utf8')

test('`git bisect run` finds the commit that gave access, as docs/sources.md writes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  try {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.email=a@example.org', '-c', 'user.name=a', ...args], { cwd: folder, encoding: 'utf8' })
    git('init', '-q')
    mkdirSync(join(folder, 'policies'))
    for (let i = 1; i <= 6; i++) {
      const action = i >= 4 ? 'vps:apisvc:terminate' : 'vps:apisvc:get'
      const text = {
        name: 'p',
        description: `change ${i}`,
        identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
        resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
        permissions: { allow: [{ action }] },
      }
      // In one commit the policies cannot be read: it is skipped.
      writeFileSync(join(folder, 'policies/p.json'), i === 2 ? '{' : JSON.stringify(text))
      git('add', '-A')
      git('commit', '-q', '-m', `change ${i}`)
      if (i === 1) git('tag', 'v1.0')
    }
    const [, lines = ''] = /```text\n(git bisect start [\s\S]*?)```/.exec(docs) ?? []
    expect(lines).toContain('git bisect run')
    const script = lines
      .replace('grantwise can', `${JSON.stringify(process.execPath)} ${JSON.stringify(binary)} can`)
      .replace('git bisect reset\n', '')
    const found = execFileSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' })
    expect(found).toMatch(/is the first bad commit[\s\S]* change 4\n/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
