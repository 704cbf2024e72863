import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { longestWait } from '../support/patience.ts'

const bin = fileURLToPath(new URL('../../bin/grantwise.js', import.meta.url))

const { browserPath }: { readonly browserPath: string } = await import(new URL('../../scripts/browser.mjs', import.meta.url).href)

/** A browser of its own, with an empty profile, that connects to nothing but the pages. */
export async function launch(): Promise<Browser> {
  if (!existsSync(browserPath))
    throw new Error(
      `no browser at ${browserPath}: install Chromium (\`apt-get install chromium-headless-shell\`), or name one in GRANTWISE_CHROMIUM`,
    )
  const browser = await chromium.launch({
    executablePath: browserPath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(longestWait)
    return context
  }
  return browser
}

export const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
export const client = { id: 'EU.0123456789abcdef', secret: 'a-secret-of-the-tests' }
export const serviceAccount = `urn:v1:eu:identity:credential:ab12-svc/oauth2-${client.id}`

const seed = `
account: ab12-svc
policies:
  - name: web readers
    description: Whoever looks after the sites may look at them.
    identities: [${serviceAccount}, ${ann}]
    resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
    permissions:
      allow: [{ action: webHosting:apisvc:get }, { action: webHosting:apisvc:attachedDomain/* }]
  - name: no endings
    identities: ["urn:v1:eu:identity:user:ab12-svc/*"]
    resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
    permissions:
      allow: [{ action: "webHosting:*" }]
      deny: [{ action: webHosting:apisvc:terminate }]
    conditions: { operator: MATCH, values: { "request.IP": 192.0.2.7 } }
    expiredAt: 2031-01-01T00:00:00Z
---
standIn:
  serviceAccounts: [{ identity: "${serviceAccount}", secret: ${client.secret}, name: deploys }]
  resources:
    - urn: urn:v1:eu:resource:vrackServices:vrs-1
      path: /v2/vrackServices/resource/vrs-1
      currentState: { displayName: first, subnets: [] }
      targetSpec: { displayName: first, subnets: [] }
`

/** The program itself, started on a port of its own. */
export interface RunningService {
  readonly address: string
  /** A call of the service account, with a token got once. */
  readonly call: (method: string, path: string) => Promise<Response>
  /** End it as a system does; the answer is its exit code. */
  readonly end: () => Promise<number | null>
}

export async function startService(): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-pages-'))
  writeFileSync(join(folder, 'seed.yaml'), seed)
  const child = spawn(process.execPath, [bin, 'serve', '--no-config', '--port', '0', '--seed', 'seed.yaml'], { cwd: folder })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const address = await started(child)
  let token: Promise<string> | undefined
  const ask = async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret, scope: 'all' })
    const answer = await fetch(`${address}/auth/oauth2/token`, { method: 'POST', body })
    return ((await answer.json()) as { access_token: string }).access_token
  }
  return {
    address,
    call: async (method, path) => {
      token ??= ask()
      return await fetch(`${address}${path}`, { method, headers: { authorization: `Bearer ${await token}` } })
    },
    end: async () => {
      child.kill('SIGTERM')
      const code = await ended
      rmSync(folder, { recursive: true, force: true })
      return code
    },
  }
}

/** The address that a starting program prints. */
async function started(child: ChildProcess): Promise<string> {
  let output = ''
  return await new Promise((resolve, reject) => {
    const hear = (piece: Buffer) => {
      output += piece.toString('utf8')
      const found = /http:\/\/127\.0\.0\.1:\d+\/eu/.exec(output)
      if (found) resolve(found[0])
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', (code) => reject(new Error(`the emulator ended with ${code}: ${output}`)))
  })
}

/** An application that customers are led back to: what it was asked for. */
export async function application() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/back')) asked.push(request.url)
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>the application</title><h1>Back at the application</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    end: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

const check = readFileSync(new URL('./accessibility.js', import.meta.url), 'utf8')

/** Faults of a page as it is now: see `accessibility.js`. */
export async function problemsOf(page: Page): Promise<readonly string[]> {
  // A slow browser shows the words of a page before its style sheet is there.
  await page.waitForLoadState('load')
  return (await page.evaluate(check)) as readonly string[]
}
