import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { binary } from '../support/scenario.ts'

/** The files of the cookbook do what its pages say. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const plan = readFileSync(join(root, 'examples/plan/plan.json'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'grantwise-cookbook-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('every file in YAML is one', () => {
  const pages = readdirSync(join(root, 'docs/cookbook'))
  expect(pages.length).toBeGreaterThanOrEqual(6)
  let count = 0
  for (const page of pages) {
    for (const [, text = ''] of readFileSync(join(root, 'docs/cookbook', page), 'utf8').matchAll(/^```yaml.*\n([\s\S]*?)^```$/gm)) {
      expect(parse(text), page).toBeTypeOf('object')
      count++
    }
  }
  expect(count).toBeGreaterThan(6)
})

describe('Atlantis', () => {
  const { workflows } = parse(readFileSync(join(root, 'examples/cookbook/atlantis/repos.yaml'), 'utf8'))
  const steps: readonly (string | { readonly run: string })[] = workflows.grantwise.plan.steps
  const runs = steps.flatMap((step) => (typeof step === 'string' ? [] : [step.run]))

  function program(name: string, line: string): void {
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(folder, name), 0o755)
  }

  /** Run the steps after `show`, each in a shell, as Atlantis does; what they print, up to the first that fails. */
  function plans(text: string): { readonly output: string; readonly failed: string | undefined } {
    program('grantwise', `exec "${process.execPath}" "${binary}" "$@"`)
    // All that is asked of it here is to lay out its input.
    const layOut = 'process.stdout.write(JSON.stringify(JSON.parse(require("fs").readFileSync(process.argv[2])), null, 2))'
    program('jq', `exec "${process.execPath}" -e '${layOut}' "$@"`)
    const file = join(folder, 'show.json')
    writeFileSync(file, text)
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, SHOWFILE: file, NO_COLOR: '1' }
    let output = ''
    for (const run of runs) {
      try {
        output += execFileSync('sh', ['-c', run], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' })
      } catch (error) {
        return { output: output + (error as { stdout: string }).stdout, failed: run }
      }
    }
    return { output, failed: undefined }
  }

  test('a plan with a mistake ends at lint, at the lines of the plan', () => {
    const { output, failed } = plans(JSON.stringify(JSON.parse(plan)))
    expect(failed).toContain('grantwise lint')
    expect(output).toMatch(/show\.json\.lines\.json:\d{3}:\d+: warning unknown-action: `vps:apisvc:reinstal`/)
  })

  test('a plan without one is reported, and passes', () => {
    const { output, failed } = plans(plan.replaceAll('vps:apisvc:reinstal"', 'vps:apisvc:reinstall"'))
    expect(failed).toBeUndefined()
    expect(output).toContain('gained')
    expect(readdirSync(folder).filter((name) => name.endsWith('.lines.json'))).toEqual([])
  })

  test('a plan without policies passes', () => {
    const { failed } = plans(
      JSON.stringify({ format_version: '1.2', terraform_version: '1.9.0', planned_values: {}, resource_changes: [] }),
    )
    expect(failed).toBeUndefined()
  })
})

describe('the run task', () => {
  const key = 'a key of the tests'
  let service: ChildProcess
  let address: string
  let terraform: Server
  let host: string
  let text = plan
  const results: { readonly authorization: string | undefined; readonly body: { readonly data: Result } }[] = []

  interface Result {
    readonly attributes: { readonly status: string; readonly message: string }
    readonly relationships: { readonly outcomes: { readonly data: readonly { readonly attributes: { readonly body: string } }[] } }
  }

  beforeAll(async () => {
    terraform = createServer(async (request, response) => {
      if (request.method === 'GET') {
        response.writeHead(request.headers.authorization === 'Bearer a-token' ? 200 : 401).end(text)
        return
      }
      let body = ''
      for await (const part of request) body += part
      results.push({ authorization: request.headers.authorization, body: JSON.parse(body) })
      response.end()
    })
    await new Promise<void>((done) => terraform.listen(0, '127.0.0.1', done))
    host = `127.0.0.1:${(terraform.address() as AddressInfo).port}`
    service = spawn(process.execPath, [join(root, 'examples/cookbook/run-task.mjs')], {
      env: { ...process.env, RUN_TASK_KEY: key, PORT: '0', RUN_TASK_HOSTS: host, GRANTWISE_BIN: binary, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const said = await new Promise<string>((done) => service.stdout?.once('data', (data) => done(String(data))))
    address = `http://127.0.0.1:${/port (\d+)/.exec(said)?.[1]}`
  })
  afterAll(() => {
    service?.kill()
    terraform?.close()
  })

  const post = (body: object, signature?: string) => {
    const sent = JSON.stringify(body)
    const own = signature ?? createHmac('sha512', key).update(sent).digest('hex')
    return fetch(address, { method: 'POST', body: sent, headers: { 'x-tfc-task-signature': own } }).then(({ status }) => status)
  }
  const task = () => ({
    payload_version: 1,
    stage: 'post_plan',
    access_token: 'a-token',
    run_id: 'run-1',
    task_result_enforcement_level: 'mandatory',
    task_result_callback_url: `http://${host}/api/v2/task-results/1/callback`,
    plan_json_api_url: `http://${host}/api/v2/plans/plan-1/json-output`,
  })
  const resultOf = async (body: object) => {
    const before = results.length
    expect(await post(body)).toBe(200)
    await expect.poll(() => results.length).toBe(before + 1)
    return results.at(-1) as (typeof results)[number]
  }

  test('reports findings and new access of a plan, with the token of the run', async () => {
    const { authorization, body } = await resultOf(task())
    expect(authorization).toBe('Bearer a-token')
    expect(body.data.attributes).toEqual({ status: 'failed', message: 'findings, new access' })
    const [lint, access] = body.data.relationships.outcomes.data.map(({ attributes }) => attributes.body)
    expect(lint).toContain('unknown-action')
    expect(access).toContain('vps:apisvc:reinstal')
  })

  test('passes a plan without policies, and fails one that cannot be read', async () => {
    text = JSON.stringify({ format_version: '1.2', terraform_version: '1.9.0', planned_values: {}, resource_changes: [] })
    expect((await resultOf(task())).body.data.attributes).toEqual({ status: 'passed', message: 'no findings, no new access' })
    text = '{"errored": true'
    expect((await resultOf(task())).body.data.attributes.message).toContain('the plan was not checked')
    text = plan
  })

  test('answers tests, and refuses what is not signed or comes at another stage', async () => {
    const before = results.length
    expect(await post({ ...task(), task_result_enforcement_level: 'test' })).toBe(200)
    expect(await post(task(), 'f'.repeat(128))).toBe(401)
    expect(results.length).toBe(before)
    expect((await resultOf({ ...task(), stage: 'pre_plan' })).body.data.attributes.message).toBe('run this task after the plan')
  })

  test('sends the token nowhere else', async () => {
    const before = results.length
    expect(await post({ ...task(), plan_json_api_url: 'http://127.0.0.1:9/plan' })).toBe(200)
    await expect.poll(() => results.length).toBe(before + 1)
    expect(results.at(-1)?.body.data.attributes.message).toBe('the plan was not checked: 127.0.0.1:9 is not in RUN_TASK_HOSTS')
  })
})
