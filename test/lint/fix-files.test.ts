import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runProgram } from '../support/scenario.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-fix-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const web = 'urn:v1:eu:identity:group:ab12-svc/web'
const twice = `{"name":"a","identities":["${web}","${web}"],"resources":[{"urn":"urn:v1:eu:resource:vps:vps-1"}],"permissions":{"allow":[{"action":"vps:apisvc:reboot"}]}}`
const once = twice.replace(`,"${web}"`, '')

describe('a fixed file', () => {
  it('keeps its permissions, and nothing is left next to it', async () => {
    const file = join(folder, 'p.json')
    writeFileSync(file, twice)
    chmodSync(file, 0o640)
    expect(await runProgram(['lint', '--fix', 'p.json'], folder)).toEqual({
      stdout: '',
      stderr: 'grantwise: fixed 1 problem in 1 file\n',
      exit: 0,
    })
    expect(readFileSync(file, 'utf8')).toBe(once)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder)).toEqual(['p.json'])
    expect(await runProgram(['lint', '--fix', 'p.json'], folder)).toEqual({ stdout: '', stderr: '', exit: 0 })
  })

  it('is written in bytes that only differ where it was fixed', async () => {
    const file = join(folder, 'p.yaml')
    const text = `name: \u00e9quipe \u{1f600}\r\nidentities:\r\n  - ${web}\r\n  - ${web}\r\nresources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]\r\npermissions: { allow: [{ action: "vps:apisvc:reboot" }] }`
    writeFileSync(file, text)
    expect(await runProgram(['lint', '--fix', '.'], folder)).toMatchObject({ exit: 0 })
    expect(readFileSync(file)).toEqual(Buffer.from(text.replace(`  - ${web}\r\n`, '')))
  })

  it('is untouched when nothing in it is fixed', async () => {
    const file = join(folder, 'p.json')
    writeFileSync(file, once)
    const { ino, mtimeMs } = statSync(file)
    await runProgram(['lint', '--fix', 'p.json'], folder)
    expect(statSync(file)).toMatchObject({ ino, mtimeMs })
  })
})
