import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { mainIn } from '../support/in-process.ts'
import { randomOf } from '../support/worlds.ts'
import { mutants, policyTexts } from './mutants.ts'

/** The whole program on damaged files: what a command ends with, whatever the bytes are. */

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-hostile-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const question = ['urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:vps-1', '-p']

/** Some bytes of a text replaced by any others, so that it need not be UTF-8. */
function damaged(text: string, random: () => number): Buffer {
  const bytes = Buffer.from(text)
  for (let i = Math.floor(random() * 4); i > 0 && bytes.length > 0; i--) bytes[Math.floor(random() * bytes.length)] = random() * 256
  return bytes
}

// covers: M52, P4, P3
test.each([
  ['json', policyTexts.json, 1],
  ['yaml', [...policyTexts.yaml, ...policyTexts.json], 2],
] as const)('any bytes in %s: an exit code from 0 to 3, and no trace of a fault', async (notation, texts, seed) => {
  const random = randomOf(seed)
  const codes = new Set<number>()
  for (const text of mutants(texts, counted(effort(5_000, 50)), seed)) {
    const bytes = damaged(text, random)
    writeFileSync(join(folder, `p.${notation}`), bytes)
    const args = random() < 0.7 ? ['lint', `p.${notation}`] : ['can', ...question, `p.${notation}`]
    const { stdout, stderr, exit } = await mainIn(args, folder)
    codes.add(exit)
    const about = `${args[0]} ${JSON.stringify(bytes.toString('latin1'))}\n${stdout}${stderr}`
    expect([0, 1, 2, 3], about).toContain(exit)
    if (/internal error|^ {4}at /m.test(stderr)) expect.fail(about)
    // No answer without a complete one: a failure says why.
    if (exit === 2) expect(stdout + stderr, about).not.toBe('')
  }
  expect([...codes].sort()).toEqual(expect.arrayContaining([1, 2]))
})
