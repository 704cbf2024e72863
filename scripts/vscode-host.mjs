// Tries the packed VS Code extension in VS Code: a server of VS Code from npm, with a browser that has no window.
// usage: node scripts/vscode-host.mjs [FOLDER]      after scripts/vscode.mjs and scripts/vscode-check.mjs, which unpacks it
// FOLDER: lib/vscode of another code-server. The browser: scripts/browser.mjs.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { browserPath } from './browser.mjs'

/** Of the oldest VS Code that the extension is for. */
const codeServer = 'code-server@4.100.3'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const unpacked = join(root, 'editors/vscode/dist/unpacked/extension')
if (!existsSync(unpacked)) fail('run scripts/vscode.mjs and scripts/vscode-check.mjs first')
const main = join(process.argv[2] === undefined ? installed() : resolve(process.argv[2]), 'out/server-main.js')
if (!existsSync(main)) fail(`no VS Code at ${main}`)

const scratch = mkdtempSync(join(tmpdir(), 'grantwise-vscode-'))
const extension = join(scratch, 'extension')
cpSync(unpacked, extension, { recursive: true })
const policy = `name: misspelt
identity: ["urn:v1:eu:identity:user:ab12-svc/ann"]
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:*" }, { action: "vps:apisvc:reinstal" }] }
`
/** A folder with files. */
function folderWith(name, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, name, path)), { recursive: true })
    writeFileSync(join(scratch, name, path), text)
  }
  return join(scratch, name)
}
const work = folderWith('work', { 'policies/misspelt.yaml': policy, '.grantwise.yaml': 'root: true\n' })
const other = folderWith('other', { 'services.yaml': 'services: {}\n', 'access.yaml': policy })

const options = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms']
const server = spawn(process.execPath, [main, ...options, '--server-data-dir', join(scratch, 'data')], {
  stdio: ['ignore', 'pipe', 'ignore'],
})
const port = await new Promise((found) => {
  let said = ''
  server.stdout.on('data', (chunk) => {
    said += chunk
    const [, port] = /agent listening on (\d+)/.exec(said) ?? []
    if (port !== undefined && said.includes('host agent started')) found(port)
  })
})

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
const remote = (path) => `vscode-remote://127.0.0.1:${port}${path}`

/** The exit code of a suite of tests in a window with a folder. */
async function statusOf(suite, folder) {
  const page = await browser.newPage()
  let end
  const ended = new Promise((done) => {
    end = done
  })
  // VS Code calls these of a page that tests extensions.
  await page.exposeFunction(
    'codeAutomationLog',
    (type, args) => type === 'error' && /\w+\.cjs|not within/.test(`${args}`) && console.error(...args),
  )
  await page.exposeFunction('codeAutomationExit', end)
  const payload = [
    ['extensionDevelopmentPath', remote(extension)],
    ['extensionTestsPath', remote(join(root, 'editors/vscode/test', suite))],
  ]
  const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) })
  await page.goto(`http://127.0.0.1:${port}/?${query}`)
  const timer = setTimeout(end, 300_000, 'no end within five minutes')
  const status = await ended
  clearTimeout(timer)
  if (process.env.GRANTWISE_SCREENSHOTS)
    await page.screenshot({ path: join(process.env.GRANTWISE_SCREENSHOTS, `vscode-${suite.replace('.cjs', '.png')}`) })
  await page.close()
  return status
}

const statuses = [await statusOf('suite.cjs', work), await statusOf('start.cjs', other)]
await browser.close()
server.kill()
const isLeft = !(await endedWith(extension))
rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
if (statuses.some((status) => status !== 0)) fail(`the extension fails in VS Code: ${statuses.join(', ')}`)
if (isLeft) fail('the language server runs on when VS Code has ended')
console.log('the extension works in VS Code')
process.exit(0)

/** Whether all programs in a folder have ended, within a while. */
async function endedWith(folder) {
  for (let i = 0; i < 200; i++) {
    const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    if (!stdout.includes(join(folder, 'server'))) return true
    await new Promise((done) => setTimeout(done, 100))
  }
  return false
}

/** VS Code from npm, without what its scripts would build: the terminal and the search of files, which nothing here needs. */
function installed() {
  const folder = join(root, 'node_modules/.cache/vscode', codeServer)
  const vscode = join(folder, 'package/lib/vscode')
  if (existsSync(join(folder, 'complete'))) return vscode
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  run('npm', ['pack', '--silent', codeServer], folder)
  run('tar', ['-xzf', `${codeServer.replace('@', '-')}.tgz`], folder)
  run('npm', ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'], vscode)
  writeFileSync(join(folder, 'complete'), '')
  return vscode
}

function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) fail(`${program} ${args.join(' ')} fails`)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
