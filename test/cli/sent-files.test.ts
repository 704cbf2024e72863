import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

/** A file that a script sends is linted wherever a shell would find it: from the folder of the script, the working folder, or the top. */

const policy = (region: string) =>
  JSON.stringify({
    name: 'p',
    identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
    resources: [{ urn: `urn:v1:${region}:resource:vps:*` }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
  })

const script = 'a/scripts/apply.sh'
const places = ['.', 'a', 'a/scripts', 'a/b', 'c']

test.each(places.flatMap((cwd) => places.map((place) => [cwd, place] as const)))('in %s: a file in %s', async (cwd, place) => {
  const top = mkdtempSync(join(tmpdir(), 'grantwise-sent-'))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(top, name)), { recursive: true })
    writeFileSync(join(top, name), text)
  }
  put('.git/HEAD', 'ref: refs/heads/main\n')
  for (const each of places) mkdirSync(join(top, each), { recursive: true })
  put(script, 'curl -X POST https://eu.api.example.org/v2/iam/policy -d @body.txt\n')
  put(join(place, 'body.txt'), policy('xx'))
  const { stdout, exit } = await mainIn(['lint', '--no-config', '--format', 'compact', join(top, script)], join(top, cwd))
  const isSent = [dirname(script), cwd, '.'].includes(place)
  expect([/body\.txt:1:\d+: error unknown-region/.test(stdout), exit]).toEqual([isSent, isSent ? 1 : 0])
})
