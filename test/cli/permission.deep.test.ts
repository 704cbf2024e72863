import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isDeep, some } from '../support/effort.ts'

/**
 * The built program under Node's permission model: nothing may be read but the program and what is named, nothing written, no thread
 * and no other program started; and whatever would reach the network ends it.
 */

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'bin/grantwise.js')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-permission-')))
afterAll(() => rmSync(folder, { recursive: true }))

cpSync(join(root, 'examples/quickstart'), join(folder, 'quickstart'), { recursive: true })
cpSync(join(root, 'examples/team'), join(folder, 'team'), { recursive: true })
cpSync(join(root, 'examples/terraform'), join(folder, 'terraform'), { recursive: true })
cpSync(join(root, 'examples/mistakes'), join(folder, 'mistakes'), { recursive: true })
writeFileSync(join(folder, 'strict.yaml'), 'rules: { redundant-action: error }\n')
const policy = (action: string) =>
  JSON.stringify({
    name: 'ops',
    identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action: `vps:apisvc:${action}` }] },
  })
writeFileSync(join(folder, 'before.json'), policy('get'))
writeFileSync(join(folder, 'after.json'), policy('reboot'))
writeFileSync(join(folder, 'twice.json'), policy('get').replace(/\[(\{"action".*?\})\]/, '[$1,$1]'))
writeFileSync(
  join(folder, 'questions.ndjson'),
  '{"identity":"urn:v1:eu:identity:user:ab12-svc/ann","action":"vps:apisvc:get","resource":"urn:v1:eu:resource:vps:a"}\n'.repeat(45_000),
)

/** Ends the program where something asks for a connection, a name or a listener: the permission model of Node 20 does not. */
const noNetwork = `data:text/javascript,${encodeURIComponent(`
import net from 'node:net'
import dns from 'node:dns'
import dgram from 'node:dgram'
import { syncBuiltinESMExports } from 'node:module'
const end = () => { process.stderr.write('the network was asked for\\n'); process.exit(99) }
net.Socket.prototype.connect = net.Server.prototype.listen = dgram.createSocket = dns.lookup = dns.resolve = end
syncBuiltinESMExports()
`)}`

const [major = 0] = process.versions.node.split('.').map(Number)
const flag = major < 22 ? '--experimental-permission' : '--permission'

/** Run the program with leave to read nothing but itself and `paths`. */
function confined(args: readonly string[], paths: readonly string[]): SpawnSyncReturns<string> {
  const own = ['bin', 'dist', 'package.json'].map((name) => join(root, name))
  const leave = [...own, ...paths.map((path) => join(folder, path))].map((path) => `--allow-fs-read=${path}`)
  return spawnSync(process.execPath, ['--no-warnings', flag, ...leave, '--import', noNetwork, program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
}

const free = (args: readonly string[]) =>
  spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })
const can = ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:a']

// covers: P7, T27
describe('with leave to read what is named alone', () => {
  const commands: readonly (readonly [command: readonly string[], paths: readonly string[], exit: number])[] = [
    [['lint', 'quickstart/policy.json'], ['quickstart/policy.json'], 0],
    [['lint', 'mistakes/misspelt-field.yaml'], ['mistakes/misspelt-field.yaml'], 1],
    [['lint', 'team/policies'], ['team/policies/'], 0],
    [['lint', 'terraform'], ['terraform/'], 1],
    [['lint', '--config', 'strict.yaml', 'twice.json'], ['strict.yaml', 'twice.json'], 1],
    [['lint', '--format', 'sarif', 'mistakes/misspelt-field.yaml'], ['mistakes/misspelt-field.yaml'], 1],
    [[...can, '-p', 'before.json', '--explain'], ['before.json'], 0],
    [[...can, '-p', 'after.json', '--format', 'json'], ['after.json'], 1],
    [['can', '--batch', 'questions.ndjson', '--jobs', '2', '-p', 'before.json'], ['questions.ndjson', 'before.json'], 0],
    [['diff', 'before.json', 'before.json'], ['before.json'], 0],
    [['diff', 'before.json', 'after.json'], ['before.json', 'after.json'], 1],
    [
      ['diff', '--at', '2026-11-20T00:00:00Z', '--format', 'markdown', 'team/policies', 'before.json'],
      ['team/policies/', 'before.json'],
      1,
    ],
  ]
  it.each(isDeep ? commands : some(commands, 3))('%j answers as without', (command, paths, exit) => {
    const [inside, outside] = [confined(command, paths), free(command)]
    expect([inside.status, inside.stderr]).toEqual([exit, outside.stderr])
    expect(inside.stdout).toBe(outside.stdout)
    expect(outside.status).toBe(exit)
  })

  it.each<readonly [command: readonly string[], paths: readonly string[], message: string]>([
    [['lint', 'before.json'], ['after.json'], 'before.json: permission denied'],
    [['diff', 'before.json', 'after.json'], ['before.json'], 'after.json: permission denied'],
    [['diff', 'git:HEAD:before.json', 'after.json'], ['after.json'], 'git cannot be started: permission denied'],
    [['lint', '--fix', 'twice.json'], ['twice.json'], 'permission denied'],
  ])('%j says what is missing', (command, paths, message) => {
    const { status, stderr } = confined(command, paths)
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/internal error|\bat .*:\d+:\d+/)
    expect(status).toBe(2)
  })

  it('is confined: a program that reads elsewhere, or asks for the network, is noticed', () => {
    const run = (code: string) =>
      spawnSync(process.execPath, ['--no-warnings', flag, '--import', noNetwork, '--input-type=module', '-e', code], {
        cwd: folder,
        encoding: 'utf8',
      })
    expect(run("import { readFileSync } from 'node:fs'; readFileSync('before.json')").stderr).toContain('ERR_ACCESS_DENIED')
    expect(run("import { connect } from 'node:net'; connect(80, '127.0.0.1')").status).toBe(99)
    expect(run("fetch('http://127.0.0.1:9')").status).not.toBe(0)
  })
})
