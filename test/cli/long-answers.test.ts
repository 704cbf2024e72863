import { afterAll, describe, expect, test } from 'vitest'
import { wrapLines } from '../../src/cli/output/fit.ts'
import { mainTogether } from '../support/in-process.ts'
import { cleanUp, prepare } from '../support/scenario.ts'

/** In an account of many identities, resources and policies every answer is one page, and says how to see the rest. */

const count = 50
const each = <T>(make: (i: number) => T): readonly T[] => Array.from({ length: count }, (_, i) => make(i))
const day = (i: number) => new Date(Date.UTC(2031, 0, 1 + i)).toISOString().slice(0, 10)
const actions = ['get', 'reboot', 'start', 'stop', 'reinstall', 'rebuild'].map((name) => `vps:apisvc:${name}`)
/** A policy of each user, about several servers and one of its own, that ends on a day of its own. */
const policies = (also: number) =>
  each((i) => ({
    name: `policy ${i}`,
    identities: [`urn:v1:eu:identity:user:ab12-svc/u${i}`, 'urn:v1:eu:identity:user:ab12-svc/everywhere'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:shared' }, { urn: `urn:v1:eu:resource:vps:own-${i}` }],
    permissions: { allow: actions.slice(0, 2 + (i % 3) + also).map((action) => ({ action })) },
    expiredAt: `${day(i)}T00:00:00Z`,
  }))
const world = {
  account: 'ab12-svc',
  identities: each((i) => ({ urn: `urn:v1:eu:identity:user:ab12-svc/u${i}`, groups: [`urn:v1:eu:identity:group:ab12-svc/g${i % 40}`] })),
  resources: [...each((i) => `own-${i}`), 'shared'].map((name) => ({ urn: `urn:v1:eu:resource:vps:${name}`, tags: { of: name } })),
}
const calls = each((i) => ({
  at: '2030-01-01T08:00:00.000Z',
  account: 'ab12-svc',
  identity: `urn:v1:eu:identity:user:ab12-svc/u${i}`,
  method: 'POST',
  path: '/v1/vps/shared/rebuild',
  ip: '192.0.2.10',
  operation: '/v1/vps/{serviceName}/rebuild',
  actions: [{ action: 'vps:apisvc:rebuild', resource: 'urn:v1:eu:resource:vps:shared', required: true, verdict: 'allow' }],
  verdict: 'allow',
  credential: null,
  status: 200,
}))
const file = (name: string, content: string) => ({ kind: 'file' as const, name, argument: '', content })
const folder = prepare([
  file('p/policies.json', JSON.stringify(policies(0), null, 1)),
  file('p/world.json', JSON.stringify(world)),
  file('q/policies.json', JSON.stringify(policies(1), null, 1)),
  file('q/world.json', JSON.stringify(world)),
  file('calls.ndjson', calls.map((call) => `${JSON.stringify(call)}\n`).join('')),
])
afterAll(() => cleanUp(folder))

describe('an answer about a large account is one page, and says how to see the rest', () => {
  test.each([
    [
      'can user/u0 vps:apisvc:reboot vps:shared -p p --explain',
      /49 policies about other identities or resources: `--format json` lists all/,
    ],
    ['who vps:apisvc:reboot vps:shared -p p', /allowed \(5\d people and 1 account\)[\s\S]*\nshortened: `--all` shows all\n/],
    ["who 'vps:*' 'vps:*' -p p", /`--all` shows all/],
    ['what user/everywhere -p p', /`--all` shows all/],
    ["what 'user/*' -p p", /`--all` shows all/],
    ['policies user/everywhere -p p', /`--all` shows all/],
    ['policies vps:shared -p p', /`--all` shows all/],
    ['matrix -p p', /`--all`/],
    ['matrix --type vps --resources -p p', /`--all`/],
    ['compare user/everywhere u1 -p p', /`--all` shows all/],
    ['timeline --from 2030-12-01T00:00:00Z --horizon 200d -p p', /shortened, and \d+ more changes: `--all` shows all/],
    ['diff p q', /\d+ more rows, about \d+ people: `--all` lists them/],
    ['replay calls.ndjson -p p', /would be refused \(50\)\n {2}user\/u0, .* and 42 more\n/],
    ['escalate user/everywhere -p p', /has no way .* to raise/],
  ])('%s', async (line, rest) => {
    const args = line.split(' ').map((word) => word.replaceAll("'", ''))
    const { output } = await mainTogether(args, folder, { NO_COLOR: '1' })
    expect(output).toMatch(rest)
    expect(output.trimEnd().split('\n').length, output).toBeLessThanOrEqual(42)
    expect(Math.max(...output.split('\n').map(({ length }) => length)), output).toBeLessThanOrEqual(260)
  })
})

test('lines that are wider than the terminal are broken at blanks, below the text of their field', () => {
  const long = '    by      policies/web.yaml:25  support: allow `domain:apisvc:get` removed (in BEFORE)'
  expect(wrapLines(`${long}\n  user/ann\n`, 60)).toBe(
    '    by      policies/web.yaml:25  support: allow\n            `domain:apisvc:get` removed (in BEFORE)\n  user/ann\n',
  )
  expect(wrapLines('note: \u001b[31mone two\u001b[0m three four five six seven eight', 40)).toBe(
    'note: \u001b[31mone two\u001b[0m three four five six seven\n      eight',
  )
  // Text to copy stays whole, and so does all of it where the width is not known.
  const command = `    try     grantwise can user/ann vps:apisvc:get vps:web-1 --at 2026-11-30T01:00:00Z`
  expect(wrapLines(command, 60)).toBe(command)
  const lines = `  grantwise can user/ann vps:apisvc:get \\\n    vps:web-1 --group urn:v1:eu:identity:group:ab12-svc/ops \\\n    --at now`
  expect(wrapLines(lines, 40)).toBe(lines)
  expect(wrapLines(long, undefined)).toBe(long)
})
