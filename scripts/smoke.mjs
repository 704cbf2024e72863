// Runs the quickstart with a program as it is shipped, on any system, and checks what it answers.
// usage: node scripts/smoke.mjs COMMAND [ARGUMENT...]      such as: node scripts/smoke.mjs npx --no-install grantwise
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const [named, ...first] = process.argv.slice(2)
if (named === undefined) throw new Error('usage: node scripts/smoke.mjs COMMAND [ARGUMENT...]')
// A program by its path needs no shell, which on Windows finds those of npm.
const isPath = named.includes('/')
const command = isPath ? resolve(named) : named
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const [who, what] = ['urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef', 'urn:v1:eu:resource:webHosting:example.org']
const policy = at('examples/quickstart/policy.json')

/** Arguments, exit code, and what the output says. */
const runs = [
  [['--version'], 0, `grantwise ${version}`],
  [['lint', policy], 0, ''],
  [['lint', '--format', 'compact', at('examples/mistakes/misspelt-field.yaml')], 1, 'unknown field `denny`'],
  [['can', who, 'webHosting:apisvc:get', what, '-p', policy], 0, 'ALLOW'],
  [['can', who, 'webHosting:apisvc:terminate', what, '-p', policy], 1, 'DENY'],
  [['diff', at('examples/pull-request/before'), at('examples/pull-request/after')], 1, 'access gained (2 groups)'],
  [['lint', 'no/such/file.json'], 2, ''],
]
let failed = 0
for (const [args, code, text] of runs) {
  const { status, stdout, stderr, error } = spawnSync(command, [...first, ...args], {
    encoding: 'utf8',
    shell: process.platform === 'win32' && !isPath,
  })
  const isRight = status === code && `${stdout}`.includes(text)
  console.log(`${isRight ? 'ok' : 'FAILED'}  ${args.join(' ')}: exit code ${status}`)
  if (!isRight) console.log(`  expected ${code} and \`${text}\`\n${error ?? ''}${stdout ?? ''}${stderr ?? ''}`)
  failed += isRight ? 0 : 1
}
console.log(`${runs.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
