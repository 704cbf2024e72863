// A run task: a service that lints the policies in each plan, and reports the access that the apply would add and remove.
// usage: RUN_TASK_KEY=secret node run-task.mjs       needs `grantwise` on the path, or its file in GRANTWISE_BIN
import { execFile } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { RUN_TASK_KEY: key, PORT = '8080', RUN_TASK_HOSTS = 'app.terraform.io', GRANTWISE_BIN } = process.env
if (!key) throw new Error('RUN_TASK_KEY is not set: the HMAC key of the run task')
// The token of a run is sent to these hosts only.
const hosts = RUN_TASK_HOSTS.split(',')
const most = 1_000_000

const server = createServer(async (request, response) => {
  const answer = (status) => response.writeHead(status).end()
  if (request.method !== 'POST') return answer(405)
  const parts = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > most) return answer(413)
    parts.push(part)
  }
  const body = Buffer.concat(parts)
  if (!isSigned(body, request.headers['x-tfc-task-signature'])) return answer(401)
  answer(200)
  const task = JSON.parse(body)
  // A run task that is created or changed sends a test, which has no plan.
  if (task.task_result_enforcement_level === 'test') return
  await judge(task).catch((error) => console.error(`${task.run_id}: ${error.message}`))
})

server.listen(Number(PORT), () => console.log(`listening on port ${server.address().port}`))

function isSigned(body, signature = '') {
  const expected = createHmac('sha512', key).update(body).digest('hex')
  return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
}

async function judge(task) {
  let result
  try {
    result = await resultOf(task)
  } catch (error) {
    // No answer is no approval.
    result = { status: 'failed', message: `the plan was not checked: ${error.message}`, outcomes: [] }
  }
  await callBack(task, result)
}

async function resultOf(task) {
  if (task.stage !== 'post_plan') return { status: 'failed', message: 'run this task after the plan', outcomes: [] }
  const plan = await (await ask(task, task.plan_json_api_url)).json()
  const folder = await mkdtemp(join(tmpdir(), 'run-task-'))
  try {
    await writeFile(join(folder, 'plan.json'), JSON.stringify(plan, null, 2), { mode: 0o600 })
    const lint = await grantwise(folder, ['lint', 'plan.json', '--no-config', '--if-policy', '--format', 'markdown'])
    const access = await grantwise(folder, ['diff', '--plan', 'plan.json', '--no-config', '--format', 'markdown'])
    const words = [lint.code === 0 ? 'no findings' : 'findings', access.code === 0 ? 'no new access' : 'new access']
    return {
      status: lint.code === 0 && access.code === 0 ? 'passed' : 'failed',
      message: words.join(', '),
      outcomes: [outcome('lint', 'What is wrong with the policies', lint), outcome('access', 'What the apply adds and removes', access)],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Exit code 0: nothing to report, 1: something; every other code is an error. */
function grantwise(cwd, args) {
  const [file, own] = GRANTWISE_BIN ? [process.execPath, [GRANTWISE_BIN, ...args]] : ['grantwise', args]
  return new Promise((done, failed) => {
    execFile(file, own, { cwd, maxBuffer: 50_000_000 }, (error, stdout, stderr) => {
      const code = error?.code ?? 0
      if (code === 0 || code === 1) done({ code, text: stdout })
      else failed(new Error(stderr.split('\n')[0] || error.message))
    })
  })
}

function outcome(id, description, { code, text }) {
  const tags = { Status: [code === 0 ? { label: 'Passed', level: 'none' } : { label: 'Failed', level: 'error' }] }
  return { type: 'task-result-outcomes', attributes: { 'outcome-id': id, description, tags, body: text.slice(0, most) } }
}

async function callBack(task, { status, message, outcomes }) {
  const data = { type: 'task-results', attributes: { status, message }, relationships: { outcomes: { data: outcomes } } }
  await ask(task, task.task_result_callback_url, { method: 'PATCH', body: JSON.stringify({ data }) })
}

async function ask({ access_token }, address, options = {}) {
  const { host } = new URL(address)
  if (!hosts.includes(host)) throw new Error(`${host} is not in RUN_TASK_HOSTS`)
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/vnd.api+json' }
  const response = await fetch(address, { ...options, headers })
  if (!response.ok) throw new Error(`${options.method ?? 'GET'} ${new URL(address).pathname}: ${response.status}`)
  return response
}
