/**
 * How long the console of the emulator makes a reader wait: node bench/console.mjs [--calls 120] [--rounds 3]
 * The longest task of the browser's main thread, in milliseconds, while calls arrive at the list of calls, and while a policy is
 * typed. The least of some rounds, since other programs run as well. Prints a line of JSON.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const { values } = parseArgs({ options: { calls: { type: 'string', default: '120' }, rounds: { type: 'string', default: '3' } } })
const [calls, rounds] = [Number(values.calls), Number(values.rounds)]
const binary = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))
const client = { id: 'EU.0123456789abcdef', secret: 'a secret of the measurement' }
const identity = `urn:v1:eu:identity:credential:ab12-svc/oauth2-${client.id}`

const folder = mkdtempSync(join(tmpdir(), 'grantwise-console-'))
const seed = join(folder, 'seed.json')
writeFileSync(
  seed,
  JSON.stringify({ account: 'ab12-svc', policies: [], standIn: { serviceAccounts: [{ identity, secret: client.secret }] } }),
)
const emulator = spawn(process.execPath, [binary, 'serve', '--port', '0', '--no-config', '--seed', seed])
const browser = await chromium.launch({
  executablePath: process.env.GRANTWISE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const address = await started()
  const page = await browser.newPage()
  await page.addInitScript(`
    globalThis.longest = 0
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration) })
      .observe({ type: 'longtask', buffered: true })`)
  const longest = async (path, act) => {
    const durations = []
    for (let i = 0; i < rounds; i++) {
      await page.goto(`${address}${path}`)
      await act(page)
      durations.push(await page.evaluate('globalThis.longest'))
    }
    return Math.min(...durations)
  }
  const token = await tokenOf(address)
  const callsMs = await longest('/console/calls', async () => {
    await page.getByText('Live:').waitFor()
    const headers = { authorization: `Bearer ${token}` }
    await Promise.all(Array.from({ length: calls }, (_, i) => fetch(`${address}/v1/hosting/web/many${i}.example.org`, { headers })))
    await page.locator('#calls tbody tr', { hasText: 'many' }).first().waitFor()
  })
  const typingMs = await longest('/console/policies/new', async () => {
    await page.getByLabel('Policy', { exact: true }).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' '.repeat(60))
    await page.locator('#findings > *').first().waitFor()
  })
  console.log(JSON.stringify({ calls, callsMs, typingMs }))
} finally {
  await browser.close()
  emulator.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** The address that the emulator prints when it is ready. */
function started() {
  let output = ''
  return new Promise((resolve, reject) => {
    const hear = (piece) => {
      output += piece
      const found = /http:\/\/127\.0\.0\.1:\d+\/eu/.exec(output)
      if (found) resolve(found[0])
    }
    emulator.stdout.on('data', hear)
    emulator.stderr.on('data', hear)
    emulator.once('exit', (code) => reject(new Error(`the emulator ended with ${code}: ${output}`)))
  })
}

async function tokenOf(address) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret, scope: 'all' })
  return (await (await fetch(`${address}/auth/oauth2/token`, { method: 'POST', body })).json()).access_token
}
