import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { endAll, serving } from '../support/serving.ts'

/** The recipes for Testcontainers, without containers: their command, seed and requests on the built program. */

const textOf = (name: string) => readFileSync(new URL(`../../examples/testcontainers/${name}`, import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'grantwise-testcontainers-'))
afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})
const recipes = ['testcontainers.mjs', 'EmulatorTest.java', 'test_emulator.py']

/** The words of the command that a recipe starts the image with. */
function commandOf(name: string): readonly string[] {
  const [, words = ''] = /(?:withCommand|with_command)\(\[?([^)\]]*)/.exec(textOf(name)) ?? []
  return JSON.parse(`[${words}]`)
}

test('all recipes start the same command, with the same token and port', () => {
  for (const name of recipes) {
    expect(commandOf(name), name).toEqual(['serve', '--host', '0.0.0.0', '--allow-remote', '--seed', 'seed.yaml'])
    for (const word of ['8765', '/work/seed.yaml', 'GRANTWISE_CONTROL_TOKEN', '/health']) expect(textOf(name), name).toContain(word)
  }
})

test('the command serves the seed, and the token of the recipes opens its control routes', async () => {
  writeFileSync(join(folder, 'seed.yaml'), textOf('seed.yaml'))
  const [, token = ''] = /GRANTWISE_CONTROL_TOKEN: '([^']+)'/.exec(textOf('testcontainers.mjs')) ?? []
  const [, ...options] = commandOf('testcontainers.mjs')
  process.env.GRANTWISE_CONTROL_TOKEN = token
  const server = await serving(folder, ...options).finally(() => delete process.env.GRANTWISE_CONTROL_TOKEN)
  const url = `http://127.0.0.1:${server.port}`
  expect((await fetch(`${url}/health`)).status).toBe(200)
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    scope: 'all',
    client_id: 'EU.0123456789abcdef',
    client_secret: 'known to the tests',
  })
  const { access_token } = (await (await fetch(`${url}/eu/auth/oauth2/token`, { method: 'POST', body: form })).json()) as {
    access_token: string
  }
  const call = () => fetch(`${url}/eu/v1/hosting/web/example.org`, { headers: { authorization: `Bearer ${access_token}` } })
  expect((await call()).status).toBe(200)
  // As from outside of a container: requests through a proxy are not from this machine.
  const reset = async (headers: Readonly<Record<string, string>>) => {
    const through = { 'x-forwarded-for': '203.0.113.7', ...headers }
    return (await fetch(`${url}/_emulator/reset`, { method: 'POST', headers: through })).status
  }
  expect(await reset({})).toBe(401)
  expect((await call()).status).toBe(200)
  expect(await reset({ authorization: `Bearer ${token}` })).toBe(200)
  expect((await call()).status).toBe(401)
})

test('the recipes for Node.js and Python can be read by these programs', () => {
  for (const name of recipes) writeFileSync(join(folder, name), textOf(name))
  const run = (program: string, ...args: string[]) => spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  expect(run(process.execPath, '--check', 'testcontainers.mjs')).toMatchObject({ status: 0, stderr: '' })
  expect(run('python3', '-c', 'import ast; ast.parse(open("test_emulator.py").read())')).toMatchObject({ status: 0, stderr: '' })
})
