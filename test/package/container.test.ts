import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { until } from '../support/patience.ts'
import { container, hasBuilder } from './builder.ts'
import { quickstart } from './commands.ts'
import { root, run } from './run.ts'

const [tarball, home, tools] = [inject('tarball'), inject('home'), inject('tools')]
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const compose = parse(readFileSync(join(root, 'examples/compose/compose.yaml'), 'utf8'))
const pinned = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/

describe('the Dockerfile', () => {
  test('has no fault that a linter knows', () => {
    const { validate } = createRequire(join(tools, 'package.json'))('dockerfile-utils')
    expect(validate(dockerfile)).toEqual([])
    expect(validate('FORM scratch')).not.toEqual([])
  })

  test('takes a base of one digest, runs nothing, and has a user without rights', () => {
    const instructions = [...dockerfile.replaceAll(/\\\n\s*/g, '').matchAll(/^([A-Z]+) (.*)$/gm)].map(([, word = '', rest = '']) => [
      word,
      rest,
    ])
    const of = (word: string) => instructions.filter(([each]) => each === word).map(([, rest]) => rest)
    expect(of('FROM')).toEqual(['$' + '{BASE}'])
    expect(of('ARG')).toEqual([expect.stringMatching(new RegExp(`^BASE=${pinned.source.slice(1)}`))])
    expect(of('RUN')).toEqual([])
    expect(of('USER')).toEqual(['65532:65532'])
    expect(of('HEALTHCHECK')).toHaveLength(1)
    // It is made of what the context lets in.
    expect([of('ADD'), readFileSync(join(root, '.dockerignore'), 'utf8').match(/^[^#].*$/gm)]).toEqual([
      ['grantwise-*.tgz /opt/'],
      ['*', '!grantwise-*.tgz'],
    ])
  })
})

describe('the services together', () => {
  test('are of known digests, and have no more rights than they need', () => {
    const { emulator, client } = compose.services
    expect(client.image).toMatch(pinned)
    expect(emulator.build).toBe('../..')
    for (const service of [emulator, client])
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(client.depends_on.emulator.condition).toBe('service_healthy')
    expect(JSON.parse(/HEALTHCHECK[^[]*(\[.*\])/.exec(dockerfile)?.[1] ?? '')).toEqual(emulator.healthcheck.test.slice(1))
  })

  test('answer the client as it expects', async () => {
    const { emulator, client } = compose.services
    const folder = join(root, 'examples/compose')
    const port = await freePort()
    const here = (text: string) => text.replaceAll('8765', String(port)).replace('http://emulator:', 'http://127.0.0.1:')
    const served = spawn(
      process.execPath,
      [join(home, 'node_modules/grantwise/bin/grantwise.js'), ...emulator.command.map(here), '--port', String(port)],
      { cwd: folder, stdio: 'ignore' },
    )
    try {
      await until(() => run(process.execPath, emulator.healthcheck.test.slice(2).map(here), folder).status === 0)
      const environment = Object.fromEntries(
        Object.entries(client.environment as Record<string, string>).map(([name, value]) => [name, here(value)]),
      )
      const said = run(process.execPath, [join(folder, 'client.mjs')], folder, environment)
      expect(said).toMatchObject({ status: 0, stderr: '' })
      expect(said.stdout.split('\n')[0]).toBe('200 GET /v1/hosting/web/example.org')
    } finally {
      served.kill()
    }
  })
})

if (hasBuilder)
  describe('the container', () => {
    const made = container(tarball)
    afterAll(() => made.remove())
    const { settings, command } = made
    const [node = ''] = settings.Entrypoint
    const ran = (program: readonly string[], folder: string) => {
      const [first, ...rest] = command(program, folder)
      return run(first, rest, root)
    }

    test('says of the quick start what the package does', () => {
      const folder = join(root, 'examples/quickstart')
      const program = join(home, 'node_modules/grantwise/bin/grantwise.js')
      expect(quickstart.length).toBeGreaterThan(3)
      for (const { args } of quickstart)
        expect(ran([...settings.Entrypoint, ...args], folder)).toEqual(
          run(process.execPath, [program, ...args], folder, { NO_COLOR: '1', TZ: 'UTC' }),
        )
      expect(ran([...settings.Entrypoint, ...settings.Cmd], folder).stdout).toMatch(/^Usage: grantwise/)
    })

    test('is no root, and cannot write', () => {
      const folder = mkdtempSync(join(tmpdir(), 'grantwise-read-only-'))
      chmodSync(folder, 0o777)
      const write =
        "const { writeFileSync } = require('node:fs'); for (const file of ['/x', '/opt/package/x', 'x']) try { writeFileSync(file, ''); console.log('written') } catch (e) { console.log(e.code) }; console.log(process.getuid(), process.getgid())"
      expect(ran([node, '-e', write], folder)).toEqual({ status: 0, stdout: 'EROFS\nEROFS\nEROFS\n65532 65532\n', stderr: '' })
      rmSync(folder, { recursive: true })
    })

    test('serves where nothing can be written, and its health check says so', async () => {
      const port = await freePort()
      const folder = join(root, 'examples/compose')
      const check = settings.Healthcheck.Test.slice(1).map((word) => word.replace('8765', String(port)))
      expect(ran(check, folder).status).toBe(1)
      const [first, ...rest] = command(
        [...settings.Entrypoint, 'serve', '--host', '0.0.0.0', '--allow-remote', '--seed', 'account.yaml', '--port', String(port)],
        folder,
      )
      const served = spawn(first, rest, { stdio: 'ignore' })
      try {
        await until(() => ran(check, folder).status === 0)
      } finally {
        served.kill()
      }
    })
  })

/** A port that is free at this moment. */
function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
