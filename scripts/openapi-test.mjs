/**
 * Tests the emulator against its own OpenAPI document with schemathesis, all of its checks: a finding is a fault of one of them.
 * usage: node scripts/openapi-test.mjs [--schemathesis PROGRAM] [--examples N] [--seed N]
 * Needs schemathesis (Python: `pip install schemathesis`), version 3.39 or later. Writes figures/openapi.json.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    schemathesis: { type: 'string', default: 'schemathesis' },
    examples: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const root = new URL('..', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'grantwise-openapi-'))
const identity = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-EU.0123456789abcdef'
const secret = 'a-secret-of-the-tests'

const found = spawnSync(values.schemathesis, ['--version'], { encoding: 'utf8' })
const version = /(\d+)\.\d+\.\d+/.exec(found.stdout ?? '')
if (!version) {
  console.error(`no schemathesis at ${values.schemathesis}: pip install schemathesis, or --schemathesis PROGRAM`)
  process.exit(2)
}
const isOld = Number(version[1]) < 4
const oldOptions = ['--experimental', 'openapi-3.1', '--data-generation-method', 'all', '--hypothesis-suppress-health-check', 'all']

writeFileSync(join(folder, 'policy.json'), JSON.stringify([everything()]))
writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed()))
const log = join(folder, 'requests.ndjson')
const emulator = spawn(
  process.execPath,
  [
    ...[fileURLToPath(new URL('bin/grantwise.js', root)), 'serve', '--port', '0', '--quiet', '--token-lifetime', '36000'],
    ...['--seed', 'policy.json', '--seed', 'seed.json', '--ready-file', 'ready.json', '--request-log', log],
  ],
  { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
)
try {
  while (!existsSync(join(folder, 'ready.json'))) {
    if (emulator.exitCode !== null) throw new Error(`the emulator ended with code ${emulator.exitCode}`)
    await wait(50)
  }
  process.exitCode = await test(JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8')))
} finally {
  if (emulator.exitCode === null) {
    emulator.kill()
    await new Promise((resolve) => emulator.once('exit', resolve))
  }
  rmSync(folder, { recursive: true })
}

async function test({ url, regions }) {
  const document = await (await fetch(`${url}/_emulator/openapi.json`)).json()
  const form = { grant_type: 'client_credentials', client_id: 'EU.0123456789abcdef', client_secret: secret, scope: 'all' }
  const { access_token: token } = await (await fetch(regions.eu.token, { method: 'POST', body: new URLSearchParams(form) })).json()
  const operations = implemented(document)
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify({ ...document, paths: Object.fromEntries(operations) }))
  // 501 is the answer where a fact is missing or not shown, as the document says. No 500 is in the log of the emulator: see below.
  // Older versions take a call with a token and a wrong signature for one without credentials: either would do.
  const left = isOld ? 'not_a_server_error,ignored_auth' : 'not_a_server_error'
  const common = ['--checks', 'all', '--exclude-checks', left, '-H', `Authorization: Bearer ${token}`]
  const args = isOld
    ? [...common, '-b', regions.eu.url, '--hypothesis-max-examples', values.examples, '--hypothesis-seed', values.seed, ...oldOptions]
    : [...common, '-u', regions.eu.url, '-n', values.examples, '--seed', values.seed, '--continue-on-failure']
  const { status, stdout } = spawnSync(values.schemathesis, ['run', 'openapi.json', ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: fileURLToPath(new URL('test/emulator/openapi', root)) },
  })
  console.log(stdout)
  const requests = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const failures = requests.filter(({ status }) => status === 500)
  for (const { method, path } of failures) console.error(`500: ${method} ${path}`)
  const findings = Number(/(\d+) unique failures/.exec(stdout)?.[1] ?? (status === 0 ? 0 : 1))
  const reached = { operations: operations.reduce((sum, [, item]) => sum + methodsOf(item).length, 0), requests: requests.length, findings }
  mkdirSync(new URL('figures/', root), { recursive: true })
  const figure = {
    claim: 'what the emulator implements answers as its OpenAPI document says',
    wanted: { findings: 0 },
    reached,
    seed: values.seed,
    schemathesis: version[0],
    command: `node scripts/openapi-test.mjs --examples ${values.examples}`,
    at: new Date().toISOString().slice(0, 10),
  }
  writeFileSync(new URL('figures/openapi.json', root), `${JSON.stringify(figure, null, 2)}\n`)
  return status === 0 && failures.length === 0 ? 0 : 1
}

/**
 * The paths with what the emulator implements, without what schemathesis cannot try: no cursor can be made up, unknown headers are no
 * mistake in HTTP, and conditions have a grammar that no schema says.
 */
function implemented({ paths }) {
  return Object.entries(paths).flatMap(([path, item]) => {
    const operations = methodsOf(item)
    // With the other methods of such a path, which a check asks for.
    const isTried = path === '/auth/oauth2/token' || operations.some(([, operation]) => operation['x-emulated'] && !isSigned(operation))
    if (!isTried) return []
    const narrowed = operations.map(([method, operation]) => [method, narrow(structuredClone(operation))])
    return [[path, { ...(item.parameters && { parameters: item.parameters }), ...Object.fromEntries(narrowed) }]]
  })
}

function narrow(operation) {
  if (operation.parameters) operation.parameters = operation.parameters.filter((parameter) => parameter.in !== 'header')
  const schema = operation.requestBody?.content['application/json']?.schema
  if (schema?.properties?.conditions) schema.properties.conditions = { type: 'null' }
  return operation
}

/** Calls about the consumer key that they are signed with: test/emulator/credentials.test.ts makes them. */
function isSigned({ security }) {
  return security?.every((scheme) => 'signature' in scheme)
}

function methodsOf(item) {
  return Object.entries(item).filter(([name]) => name !== 'parameters')
}

function everything() {
  const resources = [{ urn: 'urn:v1:eu:resource:*' }, { urn: 'urn:v1:ca:resource:*' }]
  return { name: 'everything', identities: [identity], resources, permissions: { allow: [{ action: '*' }] } }
}

function seed() {
  const backup = 'urn:v1:eu:resource:vmwareCloudDirectorBackup:backup-1'
  return {
    account: 'ab12-svc',
    resources: [
      { urn: 'urn:v1:eu:resource:webHosting:example.org', tags: { env: 'prod' } },
      { urn: backup, tags: {} },
    ],
    standIn: {
      accounts: [{ id: 'ab12-svc', region: 'eu' }],
      serviceAccounts: [{ identity, secret }],
      resources: [{ urn: backup, path: '/v2/vmwareCloudDirector/backup/backup-1', currentState: { offers: ['daily'] } }],
    },
  }
}
