import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'
import { cleanUp, prepare } from '../support/scenario.ts'

const policy = JSON.stringify({
  name: 'p',
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
})

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = prepare([{ kind: 'file', name: 'p.json', argument: '', content: policy }])
  try {
    mkdirSync(join(folder, 'out'))
    await work(folder)
  } finally {
    cleanUp(folder)
  }
}

const who = ['who', 'vps:apisvc:get', 'vps-1', '-p', 'p.json', '--no-config']

describe('-o FILE', () => {
  test.each([
    ['answer.json', who, 'json'],
    ['answer.txt', who, 'pretty'],
    ['answer', who, 'pretty'],
    ['answer.md', ['timeline', '-p', 'p.json', '--no-config', '--from', '2026-01-01T00:00:00Z'], 'markdown'],
    ['answer.csv', ['matrix', '-p', 'p.json', '--no-config', '--at', '2026-01-01T00:00:00Z'], 'csv'],
    ['answer.sarif', ['lint', 'p.json', '--no-config'], 'sarif'],
    ['answer.xml', ['lint', 'p.json', '--no-config'], 'junit'],
    ['answer.diff', ['minimise', '-p', 'p.json', '--no-config', '--at', '2026-01-01T00:00:00Z'], 'diff'],
  ])('%s of %s has the same bytes as standard output', (name, args, format) =>
    inFolder(async (folder) => {
      const plain = await mainIn([...args, '--format', format], folder)
      const toFile = await mainIn([...args, '-o', join('out', name)], folder)
      expect(toFile).toEqual({ ...plain, stdout: '' })
      expect(readFileSync(join(folder, 'out', name), 'utf8')).toBe(plain.stdout)
      expect(readdirSync(join(folder, 'out'))).toEqual([name])
    }),
  )

  test('an explicit format wins over the ending', () =>
    inFolder(async (folder) => {
      await mainIn([...who, '--format', 'pretty', '-o', 'out/a.json'], folder)
      expect(readFileSync(join(folder, 'out/a.json'), 'utf8')).toMatch(/^vps:apisvc:get {2}vps:vps-1\n/)
    }))

  test('a run that fails leaves what was there', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'out/a.json'), 'before')
      const { exit } = await mainIn(['who', 'vps:apisvc:get', 'vps-1', '-p', 'missing.json', '--no-config', '-o', 'out/a.json'], folder)
      expect(exit).toBe(2)
      expect(readFileSync(join(folder, 'out/a.json'), 'utf8')).toBe('before')
      expect(readdirSync(join(folder, 'out'))).toEqual(['a.json'])
    }))

  test('what is read is never written over, whatever it is called', () =>
    inFolder(async (folder) => {
      for (const name of ['p.json', './p.json', 'out/../p.json']) {
        const { exit, stderr } = await mainIn([...who, '-o', name], folder)
        expect([exit, stderr]).toEqual([2, expect.stringContaining('is an input, and is not overwritten')])
      }
      // Found by searching a folder, not named.
      expect((await mainIn(['who', 'vps:apisvc:get', 'vps-1', '-p', '.', '--no-config', '-o', 'p.json'], folder)).exit).toBe(2)
      expect(readFileSync(join(folder, 'p.json'), 'utf8')).toBe(policy)
    }))
})
