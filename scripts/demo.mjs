// `npm start`: what the program does, on the examples. Every command must end with the exit code that is expected of it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const binary = join(root, 'bin/grantwise.js')
const inColour = process.stdout.isTTY === true && !process.env.NO_COLOR
const bold = (text) => (inColour ? `\u001b[1m${text}\u001b[0m` : text)

const monitor = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef'
const user = (name) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const hosting = (name) => `urn:v1:eu:resource:webHosting:${name}`
const server = (name) => `urn:v1:eu:resource:vps:${name}`
const quickstart = ['-p', 'examples/quickstart']
const team = ['-p', 'examples/team']
const mistakes = [
  'misspelt-field.yaml',
  'duplicate-deny-key.json',
  'except-takes-nothing.yaml',
  'unknown-action-in-deny.yaml',
  'condition-key-order.yaml',
]

/** The text before each command, the command, and its exit code. */
const steps = [
  ['What is wrong in these policies?', ['lint', ...mistakes.map((name) => `examples/mistakes/${name}`)], 1],
  ['May the monitoring service read the web hosting?', ['can', monitor, 'webHosting:apisvc:get', hosting('example.org'), ...quickstart], 0],
  ['Why is its next call refused?', ['can', monitor, 'webHosting:apisvc:serviceInfos/get', hosting('example.org'), ...quickstart], 1],
  [
    'May a developer restore the database of a staging site?',
    ['can', user('bob'), 'webHosting:apisvc:database/restore', hosting('staging.example.org'), ...team],
    0,
  ],
  ['May he end its contract?', ['can', user('bob'), 'webHosting:apisvc:terminate', hosting('example.org'), ...team], 1],
  ['May an operator reboot a server?', ['can', user('cleo'), 'vps:apisvc:reboot', server('vps-1.example.net'), ...team], 3],
  ['And from the office?', ['can', user('cleo'), 'vps:apisvc:reboot', server('vps-1.example.net'), '--ip', '203.0.113.7', ...team], 0],
]

if (!existsSync(join(root, 'dist'))) {
  console.error('the program is not built yet: run `npm ci` or `npm run build`')
  process.exit(2)
}
for (const [question, args, expected] of steps) {
  const shown = args[0] === 'lint' ? ['--format', 'pretty'] : []
  const flags = ['--no-config', inColour ? '--color' : '--no-color', ...shown]
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...args, ...flags], { cwd: root, encoding: 'utf8' })
  process.stdout.write(`# ${question}\n${bold(`$ grantwise ${args.join(' ')}`)}\n${stdout}${stderr}# exit code ${status}\n\n`)
  if (status !== expected) {
    console.error(`expected exit code ${expected}`)
    process.exit(1)
  }
}
