import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { ioIn } from '../support/in-process.ts'

/** `can --batch -`: questions are answered as they come, and the exit code is about all of them. */

const folder = mkdtempSync(join(tmpdir(), 'grantwise-batch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
writeFileSync(
  join(folder, 'p.json'),
  JSON.stringify({
    name: 'p',
    identities: [ann],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    conditions: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } },
  }),
)

const question = (more: object) =>
  JSON.stringify({ identity: ann, action: 'vps:apisvc:get', resource: 'urn:v1:eu:resource:vps:vps-1', ...more })
const lines = {
  expected: question({ ip: '192.0.2.1', expect: 'allow' }),
  unexpected: question({ ip: '198.51.100.1', expect: 'allow' }),
  denied: question({ ip: '198.51.100.1' }),
  bad: '{"identity": 3}',
}
type Kind = keyof typeof lines
const kinds = Object.keys(lines) as Kind[]
const verdictOf: Readonly<Record<Kind, string>> = { expected: 'allow', unexpected: 'deny', denied: 'deny', bad: 'bad' }

async function answered(chunks: readonly string[]) {
  const { io, out } = ioIn(folder, {})
  const stdin = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const exit = await main(['can', '--batch', '-', '-p', 'p.json', '--no-config'], { ...io, stdin })
  return {
    exit,
    verdicts: out.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).verdict ?? 'bad'),
  }
}

const orders = kinds.flatMap((a) => kinds.map((b) => [a, b] as const))

test('the exit code and the answers are the same however the questions arrive, and in whatever order', async () => {
  for (const order of orders) {
    const whole = order.map((kind) => `${lines[kind]}\n`)
    const text = whole.join('')
    const splits = [[text], whole, [text.slice(0, 10), text.slice(10, -5), text.slice(-5)]]
    for (const chunks of splits) {
      const exit = order.includes('bad') ? 2 : order.includes('unexpected') ? 1 : 0
      const verdicts = order.map((kind) => verdictOf[kind])
      expect([order, chunks.length, await answered(chunks)]).toEqual([order, chunks.length, { exit, verdicts }])
    }
  }
})
