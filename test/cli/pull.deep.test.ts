import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Io } from '../../src/cli/app/io.ts'
import { main } from '../../src/cli/main.ts'
import { type AccountServer, clientId, clientSecret, json, startAccount } from '../support/account-server.ts'
import { runBinary } from '../support/scenario.ts'

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'

const policy = (id: string, name: string, actions: readonly string[] = ['vps:apisvc:reboot'], more: object = {}) => ({
  id,
  owner: 'ab12-svc',
  readOnly: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: null,
  name,
  description: `about ${name}`,
  identities: [ann],
  resources: [{ id: 'r-1', urn: 'urn:v1:eu:resource:vps:vps-1', resource: null }],
  permissions: { allow: actions.map((action) => ({ action })), except: [], deny: null },
  conditions: null,
  expiredAt: null,
  ...more,
})

const folders: string[] = []
let server: AccountServer
let folder: string
beforeEach(async () => {
  server = await startAccount()
  folder = mkdtempSync(join(tmpdir(), 'grantwise-pull-'))
  folders.push(folder)
})
afterEach(() => server.close())
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function grantwise(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const out = { stdout: '', stderr: '' }
  const sink = (name: 'stdout' | 'stderr'): Io['stdout'] => ({
    write(text, care) {
      out[name] += care ? care(text) : text
      return true
    },
    isTerminal: () => false,
  })
  const io: Io = {
    stdin: async function* () {},
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env: {
      GRANTWISE_BASE_URL: server.url,
      GRANTWISE_AUTH_URL: server.url,
      GRANTWISE_CLIENT_ID: clientId,
      GRANTWISE_CLIENT_SECRET: clientSecret,
      ...env,
    },
    cwd: folder,
    now: Date.now,
  }
  const code = await main(args, io)
  const said = out.stdout + out.stderr
  for (const secret of [clientSecret, encodeURIComponent(clientSecret), JSON.stringify(clientSecret).slice(1, -1), 'token-number'])
    expect(said).not.toContain(secret)
  return { code, ...out }
}

const pull = (...args: string[]) => grantwise(['pull', ...args])
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const put = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
const names = () => readdirSync(join(folder, 'policies')).sort()

describe('what is written', () => {
  test('a file for each policy, and the world', async () => {
    server.lists.policies = [
      policy('11111111-aaaa', 'Web readers'),
      policy('22222222-bbbb', 'mail: "all"', ['mail:*'], {
        conditions: {
          operator: 'NOT',
          values: null,
          conditions: [
            { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24', 'resource.Tag(a b)': 'yes' }, conditions: [] },
          ],
        },
        expiredAt: '2030-01-01T00:00:00Z',
        permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:ops', name: 'ops' }],
      }),
    ]
    server.lists.permissionsGroups = [
      {
        urn: 'urn:v1:eu:permissionsGroup:ab12-svc:ops',
        id: 'x',
        owner: 'ab12-svc',
        name: 'ops',
        permissions: { allow: [{ action: 'vps:*' }], except: [], deny: [] },
      },
    ]
    server.lists.resourceGroups = [
      { id: 'g1', urn: 'urn:v1:eu:resourceGroup:g1', owner: 'ab12-svc', name: 'group', resources: [{ id: 'r-1' }, { id: 'r-9' }] },
    ]
    server.lists.resources = [
      {
        id: 'r-1',
        urn: 'urn:v1:eu:resource:vps:vps-1',
        name: 'vps-1',
        displayName: 'web',
        type: 'vps',
        owner: 'ab12-svc',
        tags: { env: 'prod' },
      },
    ]
    const { code, stdout, stderr } = await pull()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      'policies/web-readers.yaml: written\npolicies/mail-all.yaml: written\nworld.yaml: written\n2 policies in the account; 0 files left as they are\n',
    )
    expect(read('policies/web-readers.yaml')).toBe(`name: Web readers
description: about Web readers
identities:
  - urn:v1:eu:identity:user:ab12-svc/ann
resources:
  - urn: urn:v1:eu:resource:vps:vps-1
permissions:
  allow:
    - action: vps:apisvc:reboot
`)
    expect(read('policies/mail-all.yaml')).toBe(`name: "mail: \\"all\\""
description: "about mail: \\"all\\""
identities:
  - urn:v1:eu:identity:user:ab12-svc/ann
resources:
  - urn: urn:v1:eu:resource:vps:vps-1
permissions:
  allow:
    - action: mail:*
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:ops
conditions:
  operator: NOT
  conditions:
    - operator: MATCH
      values:
        request.IP.IN_RANGE: "192.0.2.0/24"
        "resource.Tag(a b)": "yes"
expiredAt: "2030-01-01T00:00:00Z"
`)
    expect(read('world.yaml')).toBe(`account: ab12-svc
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:ops
    name: ops
    permissions:
      allow:
        - action: vps:*
resourceGroups:
  - urn: urn:v1:eu:resourceGroup:g1
    name: group
    resources:
      - urn: urn:v1:eu:resource:vps:vps-1
      - id: r-9
resources:
  - urn: urn:v1:eu:resource:vps:vps-1
    name: vps-1
    displayName: web
    type: vps
    owner: ab12-svc
    tags:
      env: prod
`)
    expect((await grantwise(['lint', '--fail-on', 'error', '.'])).code).toBe(0)
  })
})

describe('names of files', () => {
  test('hold on every file system, and none leads out of the folder', async () => {
    const odd = [
      '../../etc/passwd',
      'CON',
      'Große Ärzte',
      '政策',
      '',
      '.',
      'a/b\\c:d',
      `x${'y'.repeat(300)}`,
      '\u0000\u202e',
      'C:\\x',
      '~',
      '-rf',
    ]
    server.lists.policies = odd.map((name, i) => policy(`${i}0000000-id-../..`, name))
    const { code, stderr } = await pull('--force')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(readdirSync(folder).sort()).toEqual(['.grantwise-pull.json', 'policies', 'world.yaml'])
    expect(names()).toHaveLength(odd.length)
    for (const name of names()) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,80}\.yaml$/)
    expect(names()).toEqual(
      expect.arrayContaining([
        'etc-passwd.yaml',
        'policy-con.yaml',
        'gro-e-arzte.yaml',
        'a-b-c-d.yaml',
        'c-x.yaml',
        'rf.yaml',
        'policy-30000000.yaml',
      ]),
    )
  })

  test('that collide are distinguished by ids, and a policy keeps its file when it is renamed', async () => {
    server.lists.policies = [policy('aaaa1111-x', 'Web'), policy('bbbb2222-x', 'web!')]
    await pull()
    expect(names()).toEqual(['web-aaaa1111.yaml', 'web-bbbb2222.yaml'])
    server.lists.policies = [policy('cccc3333-x', 'web'), policy('bbbb2222-x', 'mail'), policy('aaaa1111-x', 'Web')]
    expect((await pull()).code).toBe(0)
    expect(names()).toEqual(['web-aaaa1111.yaml', 'web-bbbb2222.yaml', 'web.yaml'])
    expect(read('policies/web-bbbb2222.yaml')).toContain('name: mail\n')
  })

  test('a record that names files elsewhere is refused', async () => {
    server.lists.policies = [policy('a', 'web')]
    await pull()
    const record = read('.grantwise-pull.json')
    for (const file of ['../evil.yaml', 'policies/../../evil.yaml', '/etc/evil.yaml', 'policies/.hidden.yaml', 'world.yaml']) {
      put('.grantwise-pull.json', record.replace('policies/web.yaml', file))
      expect(await pull('--force')).toMatchObject({ code: 2, stderr: expect.stringContaining('is damaged') })
    }
    put('.grantwise-pull.json', '{"version":1')
    expect((await pull()).code).toBe(2)
  })

  test('nothing is written through a symbolic link', async () => {
    server.lists.policies = [policy('a', 'web')]
    const elsewhere = mkdtempSync(join(tmpdir(), 'grantwise-pull-'))
    folders.push(elsewhere)
    symlinkSync(elsewhere, join(folder, 'policies'))
    expect((await pull('--force')).code).toBe(2)
    rmSync(join(folder, 'policies'))
    mkdirSync(join(folder, 'policies'))
    symlinkSync(join(elsewhere, 'web.yaml'), join(folder, 'policies/web.yaml'))
    expect((await pull('--force')).code).toBe(2)
    expect(readdirSync(elsewhere)).toEqual([])
  })
})

describe('pulled again', () => {
  const resources = [{ urn: 'urn:v1:eu:resource:vps:vps-1', owner: 'ab12-svc', tags: {} }]

  test('nothing is touched where nothing changed, in whatever order the service gives it', async () => {
    server.lists.policies = [policy('a', 'web', ['x:a', 'x:b']), policy('b', 'mail')]
    server.lists.resources = resources
    await pull()
    const old = new Date(1_000_000_000_000)
    const files = ['policies/web.yaml', 'policies/mail.yaml', 'world.yaml', '.grantwise-pull.json']
    for (const file of files) utimesSync(join(folder, file), old, old)
    const before = files.map(read)
    server.lists.policies = [policy('b', 'mail'), policy('a', 'web', ['x:b', 'x:a'], { updatedAt: '2026-05-05T00:00:00Z' })]
    expect(await pull()).toEqual({ code: 0, stdout: '2 policies in the account; 2 files left as they are\n', stderr: '' })
    expect(files.map(read)).toEqual(before)
    for (const file of files) expect(statSync(join(folder, file)).mtimeMs).toBe(1_000_000_000_000)
  })

  test('comments and layout stay where entries change', async () => {
    server.lists.policies = [policy('a', 'web', ['x:a', 'x:b'])]
    await pull()
    put(
      'policies/web.yaml',
      `# who looks after it: the web team
name: 'web'   # short
identities: [ "${ann}" ] # ann

description: >
  about web
permissions:
    allow:
    # first
    - { action: "x:a" } # a
    # second
    - { action: "x:b" } # b
resources:
- urn: urn:v1:eu:resource:vps:vps-1
# the end
`,
    )
    // A block text ends in a line break: so does what the account has, from here on.
    server.lists.policies = [
      policy('a', 'web', ['x:b', 'x:c'], { description: 'about web\n', identities: [ann, bob], expiredAt: '2030-01-01T00:00:00Z' }),
    ]
    const refused = await pull()
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('policies/web.yaml: it was edited both here and in the account')
    put('policies/web.yaml', read('policies/web.yaml').replace('>\n', '>-\n'))
    expect((await pull()).code).toBe(0)
    expect(read('policies/web.yaml')).toBe(`# who looks after it: the web team
name: 'web'   # short
identities: [ "${ann}", "${bob}" ] # ann

description: "about web\\n"
permissions:
    allow:
    # first
    # second
    - { action: "x:b" } # b
    - { action: "x:c" }
resources:
- urn: urn:v1:eu:resource:vps:vps-1
expiredAt: "2030-01-01T00:00:00Z"
# the end
`)
  })

  test('the world file keeps what only it says', async () => {
    server.lists.resources = resources
    await pull()
    put(
      'world.yaml',
      `# ours\nidentities: # who is in which group\n  - { urn: ${ann}, groups: [urn:v1:eu:identity:group:ab12-svc/ops] }\n${read('world.yaml')}`,
    )
    server.lists.resources = [{ ...resources[0], tags: { env: 'prod' } }, { urn: 'urn:v1:eu:resource:vps:vps-2' }]
    expect((await pull()).code).toBe(0)
    expect(read('world.yaml')).toBe(`# ours
identities: # who is in which group
  - { urn: ${ann}, groups: [urn:v1:eu:identity:group:ab12-svc/ops] }
account: ab12-svc
resources:
  - urn: urn:v1:eu:resource:vps:vps-1
    owner: ab12-svc
    tags: { env: prod }
  - urn: urn:v1:eu:resource:vps:vps-2
`)
  })

  test('each part of the world file is judged by itself', async () => {
    server.lists.resources = resources
    const ops = { urn: 'urn:v1:eu:permissionsGroup:ab12-svc:ops', name: 'ops', permissions: { allow: [{ action: 'vps:*' }] } }
    server.lists.permissionsGroups = [ops]
    await pull()
    put('world.yaml', read('world.yaml').replace('action: vps:*', 'action: vps:mine'))
    server.lists.resources = [{ ...resources[0], owner: 'cd34-svc' }]
    const kept = await pull('--account', 'ab12-svc')
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining('world.yaml: changed\n') })
    expect(kept.stderr).toContain('world.yaml: a part is left as it is: `permissionsGroups`: edited here')
    expect(read('world.yaml')).toMatch(/action: vps:mine[\s\S]*owner: cd34-svc/)
    server.lists.permissionsGroups = [{ ...ops, name: 'operators' }]
    expect(await pull('--account', 'ab12-svc')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('`permissionsGroups`: edited both here and in the account'),
    })
    expect((await pull('--account', 'ab12-svc', '--force')).code).toBe(0)
    expect(read('world.yaml')).toMatch(/name: operators\n {4}permissions:\n {6}allow:\n {8}- action: vps:\*/)
    server.lists.permissionsGroups = []
    server.lists.resources = []
    expect((await pull('--account', 'ab12-svc')).code).toBe(0)
    expect(read('world.yaml')).toBe('account: ab12-svc\npermissionsGroups: []\nresources: []\n')
  })

  test('an edit is kept while the account stands still, a conflict once it moves', async () => {
    server.lists.policies = [policy('a', 'web', ['x:a'])]
    await pull()
    put('policies/web.yaml', read('policies/web.yaml').replace('x:a', 'x:mine'))
    const kept = await pull()
    expect(kept.code).toBe(0)
    expect(kept.stderr).toBe('grantwise: policies/web.yaml: left as it is: it was edited here, and not in the account\n')
    server.lists.policies = [policy('a', 'web', ['x:theirs']), policy('b', 'mail')]
    expect((await pull()).code).toBe(1)
    expect(read('policies/web.yaml')).toContain('x:mine')
    expect(names()).toEqual(['web.yaml'])
    server.lists.policies = [policy('a', 'web', ['x:mine']), policy('b', 'mail')]
    expect((await pull()).code).toBe(0)
    expect(names()).toEqual(['mail.yaml', 'web.yaml'])
    put('policies/web.yaml', `# note\n${read('policies/web.yaml').replace('x:mine', 'x:mine2')}`)
    server.lists.policies = [policy('a', 'web', ['x:theirs'])]
    expect((await pull('--force')).code).toBe(0)
    expect(read('policies/web.yaml')).toMatch(/^# note\n[\s\S]*x:theirs\n$/)
  })

  test('the file of a policy that is gone is removed, unless it was edited; no other file is', async () => {
    server.lists.policies = [policy('a', 'web'), policy('b', 'mail')]
    await pull()
    put('policies/own.yaml', 'name: own\nidentities: []\nresources: []\npermissions: { allow: [] }\n')
    put('policies/mail.yaml', `# only a comment\n${read('policies/mail.yaml')}`)
    put('policies/web.yaml', read('policies/web.yaml').replace('reboot', 'get'))
    server.lists.policies = []
    const refused = await pull()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('policies/web.yaml: it was edited here, and removed from the account')
    expect(names()).toEqual(['mail.yaml', 'own.yaml', 'web.yaml'])
    expect(await pull('--force')).toMatchObject({ code: 0, stdout: expect.stringContaining('policies/web.yaml: removed\n') })
    expect(names()).toEqual(['own.yaml'])
  })

  test('a file that was there before is taken over only if it says the same', async () => {
    put(
      'policies/web.yaml',
      `# by hand\nname: web\nidentities: ["${ann}"]\nresources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]\npermissions: { allow: [] }\n`,
    )
    put('policies/mail.yaml', 'name: another\nidentities: []\nresources: []\npermissions: { allow: [] }\n')
    server.lists.policies = [policy('aaaa1111', 'web'), policy('bbbb2222', 'mail')]
    const { code, stderr } = await pull()
    expect(code).toBe(1)
    expect(stderr).toContain('policies/web.yaml: it was not written by `pull`, and differs from the account')
    server.lists.policies = [policy('aaaa1111', 'web', [], { description: null }), policy('bbbb2222', 'mail')]
    expect((await pull()).code).toBe(0)
    expect(read('policies/web.yaml')).toMatch(/^# by hand\n/)
    expect(names()).toEqual(['mail-bbbb2222.yaml', 'mail.yaml', 'web.yaml'])
  })

  test('what was pulled of another account is not replaced', async () => {
    server.lists.policies = [policy('a', 'web')]
    await pull()
    server.lists.policies = [policy('a', 'web', [], { owner: 'cd34-svc' })]
    expect(await pull()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('holds what was pulled of `ab12-svc`, and this is `cd34-svc`'),
    })
    expect((await pull('--force')).code).toBe(0)
  })

  test('a file that was lost is written again, a broken one is a conflict', async () => {
    server.lists.policies = [policy('a', 'web'), policy('b', 'mail')]
    await pull()
    rmSync(join(folder, 'policies/web.yaml'))
    put('policies/mail.yaml', 'name: [\n')
    expect((await pull()).stderr).toContain('policies/mail.yaml: left as it is')
    expect(existsSync(join(folder, 'policies/web.yaml'))).toBe(true)
    server.lists.policies = [policy('a', 'web'), policy('b', 'mail', [])]
    expect((await pull()).code).toBe(1)
    expect((await pull('--force')).code).toBe(0)
    expect(read('policies/mail.yaml')).toContain('name: mail\n')
  })
})

describe('what cannot be written', () => {
  test.each(['policies', 'policies/web.yaml/x', '.grantwise-pull.json/x', 'world.yaml/x'])('%s is in the way: nothing is', async (file) => {
    server.lists.policies = [policy('a', 'mail'), policy('b', 'web')]
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), '')
    const before = readdirSync(folder, { recursive: true }).sort()
    const { code, stdout, stderr } = await pull()
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' })
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before)
  })
})

describe('what a run leaves behind', () => {
  const stagingIn = (at: string) =>
    existsSync(at) ? readdirSync(at).filter((name) => name.startsWith('.grantwise-pull.') && name !== '.grantwise-pull.json') : []
  const env = () => ({
    ...process.env,
    GRANTWISE_BASE_URL: server.url,
    GRANTWISE_AUTH_URL: server.url,
    GRANTWISE_CLIENT_ID: clientId,
    GRANTWISE_CLIENT_SECRET: clientSecret,
  })
  const program = join(import.meta.dirname, '../../bin/grantwise.js')

  /** The program as a process of its own, sent a signal once it has staged something; or nothing, where it is too fast. */
  const signalled = (signal: NodeJS.Signals) =>
    new Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string; isHit: boolean }>((done) => {
      const child = spawn(process.execPath, [program, 'pull'], { cwd: folder, env: env() })
      let stderr = ''
      let isHit = false
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk
      })
      const poll = setInterval(() => {
        const [staging] = stagingIn(folder)
        if (isHit || staging === undefined || readdirSync(join(folder, staging)).length < 3) return
        isHit = true
        child.kill(signal)
      }, 1)
      child.on('close', (code, ended) => {
        clearInterval(poll)
        done({ code, signal: ended, stderr, isHit })
      })
    })

  const many = (count: number, action: string) => Array.from({ length: count }, (_, i) => policy(`id-${i}`, `policy ${i}`, [action]))

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s leaves nothing, and all files as they were or as they are to be',
    async (signal) => {
      server.lists.policies = many(400, 'vps:apisvc:reboot')
      const { code, signal: ended, stderr, isHit } = await signalled(signal)
      expect(isHit).toBe(true)
      expect(ended).toBeNull()
      const count = existsSync(join(folder, 'policies')) ? names().length : 0
      if (code === 2) expect({ count, stderr }).toEqual({ count: 0, stderr: 'grantwise: interrupted: nothing is written\n' })
      else expect({ code, count }).toEqual({ code: 0, count: 400 })
      expect(stagingIn(folder)).toEqual([])
      if (code === 2) expect(readdirSync(folder)).toEqual([])
    },
  )

  test('a run that is killed is tidied up after by the next', async () => {
    server.lists.policies = many(400, 'vps:apisvc:reboot')
    const { signal, isHit } = await signalled('SIGKILL')
    expect({ signal, isHit }).toEqual({ signal: 'SIGKILL', isHit: true })
    expect(stagingIn(folder)).toHaveLength(1)
    const { code, stderr } = await pull()
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('what an interrupted `pull` left is finished and removed'),
    })
    expect(names()).toHaveLength(400)
    expect(stagingIn(folder)).toEqual([])
    expect((await pull()).stderr).toBe('')
  })

  /** A folder as a run leaves it that is killed after so many of its files are in their places. */
  const killedAfter = async (count: number) => {
    server.lists.policies = [policy('a', 'mail'), policy('b', 'web'), policy('c', 'gone')]
    await pull()
    server.lists.policies = [policy('a', 'mail', ['vps:apisvc:get']), policy('b', 'web', ['vps:apisvc:get']), policy('d', 'new')]
    const staging = join(folder, '.grantwise-pull.00000000-0000-4000-8000-000000000000')
    const whole = mkdtempSync(join(tmpdir(), 'grantwise-pull-'))
    folders.push(whole)
    cpSync(folder, whole, { recursive: true })
    const before = new Map(allFiles(folder))
    const own = folder
    folder = whole
    await pull()
    folder = own
    const after = new Map(allFiles(whole))
    const changed = [...new Set([...before.keys(), ...after.keys()])]
      .filter((file) => before.get(file) !== after.get(file))
      .sort((a, b) => Number(a.startsWith('.')) - Number(b.startsWith('.')))
    expect(changed).toHaveLength(5)
    mkdirSync(staging)
    // No process has this number.
    writeFileSync(join(staging, 'owner'), '99999999 1\n')
    const digest = (text: string | undefined) => (text === undefined ? null : createHash('sha256').update(text).digest('hex'))
    const changes = changed.map((file) => ({ file, before: digest(before.get(file)), after: digest(after.get(file)) }))
    writeFileSync(join(staging, 'plan.json'), JSON.stringify({ version: 1, changes }))
    for (const [i, file] of changed.entries()) {
      const text = after.get(file)
      if (text === undefined) {
        if (i < count) rmSync(join(folder, file))
      } else writeFileSync(i < count ? join(folder, file) : join(staging, `${i}`), text)
    }
    return { before, after, changed }
  }
  const allFiles = (at: string) =>
    (readdirSync(at, { recursive: true }) as string[])
      .filter((file) => statSync(join(at, file)).isFile())
      .map((file) => [file, readFileSync(join(at, file), 'utf8')] as const)

  test.each([0, 1, 2, 3, 4, 5])(
    'killed with %i of its files in place: the next completes it, though the account has changed again',
    async (count) => {
      const { changed } = await killedAfter(count)
      server.lists.policies = [policy('a', 'mail', ['vps:apisvc:terminate']), policy('b', 'web', ['vps:apisvc:get']), policy('d', 'new')]
      const { code, stdout, stderr } = await pull()
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: `grantwise: what an interrupted \`pull\` left is finished and removed: ${count === 5 ? 'nothing had changed' : `${5 - count} file${count === 4 ? '' : 's'} put in place`}\n`,
      })
      expect(stdout).toContain('policies/mail.yaml: changed\n')
      expect(names()).toEqual(['mail.yaml', 'new.yaml', 'web.yaml'])
      expect(read('policies/mail.yaml')).toContain('vps:apisvc:terminate')
      expect(changed).toContain('policies/gone.yaml')
      expect(stagingIn(folder)).toEqual([])
      expect(await pull()).toMatchObject({ code: 0, stderr: '', stdout: expect.not.stringContaining('changed') })
    },
  )

  test('what was edited since is left as it is', async () => {
    await killedAfter(1)
    put('policies/web.yaml', `${read('policies/web.yaml').replace('vps:apisvc:reboot', 'vps:apisvc:start')}# mine\n`)
    const { code } = await pull()
    expect(code).toBe(0)
    expect(read('policies/web.yaml')).toContain('# mine')
  })

  test('is not touched by --check, which says so', async () => {
    await killedAfter(2)
    const before = allFiles(folder)
    const { stderr } = await pull('--check')
    expect(stderr).toContain('a `pull` was interrupted here: run it again')
    expect(allFiles(folder)).toEqual(before)
  })

  test('is not touched while the run is still at work', async () => {
    await killedAfter(2)
    const [staging = ''] = stagingIn(folder)
    const child = spawn('sleep', ['60'])
    const stat = existsSync(`/proc/${child.pid}/stat`) ? readFileSync(`/proc/${child.pid}/stat`, 'utf8') : ''
    writeFileSync(join(folder, staging, 'owner'), `${child.pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}\n`)
    const before = allFiles(folder)
    try {
      const { code, stderr } = await pull()
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`another \`pull\` writes here, process ${child.pid}`) })
      expect(allFiles(folder)).toEqual(before)
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('names no file but those that are pulled', async () => {
    await killedAfter(5)
    const [staging = ''] = stagingIn(folder)
    const changes = [{ file: '../x.yaml', before: null, after: createHash('sha256').update('x').digest('hex') }]
    writeFileSync(join(folder, staging, 'plan.json'), JSON.stringify({ version: 1, changes }))
    writeFileSync(join(folder, staging, '0'), 'x')
    expect((await pull()).code).toBe(0)
    expect(existsSync(join(folder, '../x.yaml'))).toBe(false)
    expect(stagingIn(folder)).toEqual([])
  })
})

describe('a correct message', () => {
  test.each([[], ['--check']])('for a path that is a file: %j', async (...args) => {
    put('a.yaml', 'name: a\n')
    expect(await pull(...args, 'a.yaml')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'grantwise: a.yaml: a file, expected a folder\n  help: name the folder of the policies, or a new one\n',
    })
    expect(server.seen).toEqual([])
  })

  test.each([
    ['identities', { identities: 'urn:v1:eu:identity:user:ab12-svc/ann' }],
    ['identities', { identities: [7] }],
    ['resources', { resources: {} }],
    ['resources', { resources: ['urn:v1:eu:resource:vps:vps-1'] }],
    ['permissions', { permissions: { allow: 'vps:*' } }],
    ['permissions', { permissions: { deny: [{ action: 1 }] } }],
    ['conditions', { conditions: 'none' }],
    ['expiredAt', { expiredAt: 5 }],
    ['permissions', { permissions: [] }],
    ['permissions', { permissions: [], permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:g' }] }],
    ['permissions', { permissions: 7 }],
    ['permissions', { permissions: undefined }],
    ['permissions', { permissions: null }],
    ['permissions', { permissions: { allow: {} } }],
    ['permissions', { permissions: { allow: [{ action: 'vps:*' }], deny: {} } }],
    ['permissionsGroups', { permissionsGroups: {} }],
    ['conditions', { conditions: { operator: 'AND', conditions: {} } }],
    ['conditions', { conditions: { operator: 'MATCH', values: [] } }],
    ['identities', { identities: [{ urn: 'urn:v1:eu:identity:user:ab12-svc/ann' }] }],
    ['id', { id: 7 }],
    ['id', { id: {} }],
    ['owner', { owner: ['ab12-svc'] }],
  ])('for a policy with other %s: nothing is written', async (_, more) => {
    server.lists.policies = [policy('a', 'fine'), policy('b', 'odd', ['vps:apisvc:get'], more)]
    for (const args of [[], ['--check'], ['--force']]) {
      const { code, stdout, stderr } = await pull(...args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^grantwise: GET \/v2\/iam\/policy: the policy `odd` has not the form of one: .*nothing is written\n/)
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test.each([
    ['permissionsGroups', '/v2/iam/permissionsGroup', { urn: 'urn:v1:eu:permissionsGroup:ab12-svc:g', permissions: { allow: 'vps:*' } }],
    ['resourceGroups', '/v2/iam/resourceGroup', { urn: 'urn:v1:eu:resourceGroup:ab12-svc/g', resources: 'all' }],
    ['resources', '/v2/iam/resource', { urn: 'urn:v1:eu:resource:vps:vps-1', tags: ['a'] }],
    ['resources', '/v2/iam/resource', { urn: 7 }],
    ['permissionsGroups', '/v2/iam/permissionsGroup', { urn: {}, name: 'odd', permissions: {} }],
    ['permissionsGroups', '/v2/iam/permissionsGroup', { urn: 'urn:v1:eu:permissionsGroup:ab12-svc:g', permissions: [] }],
    ['resourceGroups', '/v2/iam/resourceGroup', { id: 7, resources: [] }],
    ['resourceGroups', '/v2/iam/resourceGroup', { urn: 'urn:v1:eu:resourceGroup:ab12-svc/g', name: 'g' }],
    ['permissionsGroups', '/v2/iam/permissionsGroup', { urn: 'urn:v1:eu:permissionsGroup:ab12-svc:g', name: 'g' }],
  ] as const)('for one of the %s of another form', async (key, path, item) => {
    const called = ({ urn, id, name }: { urn?: unknown; id?: unknown; name?: unknown }) =>
      [urn, id, name].find((each) => typeof each !== 'object' && each !== undefined)
    server.lists[key] = [item]
    const { code, stderr } = await pull()
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`grantwise: GET ${path}: \`${called(item)}\` has not the form of one: `),
    })
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['to\nken', 'to ken', 'tö', 'to\u0000ken'])('for a token that no request can carry: %j', async (access_token) => {
    server.fault = ({ url }, response) =>
      url.endsWith('/token') && json(response, 200, { access_token, token_type: 'Bearer', expires_in: 3599 })
    const { code, stdout, stderr } = await pull()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('the answer holds a token that no request can carry')
    expect(stderr).not.toContain(access_token)
    expect(server.seen).toHaveLength(1)
  })

  test('for a secret in the environment with a line break', async () => {
    const { code, stderr } = await grantwise(['pull'], { GRANTWISE_CLIENT_SECRET: `${clientSecret}\n` })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('GRANTWISE_CLIENT_SECRET: contains a line break') })
    expect(server.seen).toEqual([])
  })
})

describe('the service', () => {
  test('is asked page by page, with the versions and sizes that were asked for', async () => {
    server.lists.policies = Array.from({ length: 5 }, (_, i) => policy(`id-${i}`, `policy ${i}`))
    expect((await pull('--page-size', '2', '--schemas-version', '3')).code).toBe(0)
    const asked = server.seen
      .filter(({ url }) => url === '/v2/iam/policy')
      .map(({ headers }) => [headers['x-pagination-size'], headers['x-pagination-cursor'], headers['x-schemas-version']])
    expect(asked).toEqual([
      ['2', undefined, '3'],
      ['2', '2', '3'],
      ['2', '4', '3'],
    ])
    expect(names()).toHaveLength(5)
    expect(server.seen.filter(({ url }) => url === '/auth/oauth2/token')).toHaveLength(1)
  })

  test('renews a token that ends, and one that is refused, once', async () => {
    server.lists.policies = [policy('a', 'web')]
    server.revoked.add('token-number-1')
    expect((await pull()).code).toBe(0)
    for (let i = 2; i < 20; i++) server.revoked.add(`token-number-${i}`)
    expect(await pull()).toMatchObject({ code: 2, stderr: expect.stringContaining('the service answers 401: no valid token') })
    server.revoked.clear()
    server.lifetime = 0
    expect((await pull()).code).toBe(0)
  })

  test('what may not be read is reported with what to grant, and left out only when asked', async () => {
    server.lists.policies = [policy('a', 'web')]
    server.lists.resources = [{ urn: 'urn:v1:eu:resource:vps:vps-1' }]
    await pull()
    const refuse = (path: string, details?: object) => {
      server.fault = ({ url }, response) =>
        url === path &&
        json(response, 403, { class: 'Client::Forbidden', message: 'User not granted for this request', ...(details && { details }) })
    }
    refuse('/v2/iam/resourceGroup', { unauthorizedActionsByIAM: 'account:apisvc:iam/resourceGroup/get,account:apisvc:me/get' })
    const { code, stderr } = await pull()
    expect(code).toBe(2)
    expect(stderr).toBe(
      `grantwise: GET /v2/iam/resourceGroup: the service account may not read it (403)\n  help: allow \`account:apisvc:iam/resourceGroup/get\` and \`account:apisvc:me/get\` on the account for \`oauth2-${clientId}\` in a policy, or skip it with \`--partial\`\n`,
    )
    refuse('/v2/iam/resource')
    const before = read('world.yaml')
    expect(await pull('--partial')).toMatchObject({ code: 0, stderr: expect.stringContaining('`resources` is skipped') })
    expect(read('world.yaml')).toBe(before)
    refuse('/v2/iam/policy')
    expect(await pull('--partial')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('allow `account:apisvc:iam/policy/get` on the account'),
    })
  })

  test('what is not understood is never left out silently', async () => {
    server.lists.policies = [policy('a', 'web', [], { permissions: { allow: [], require: [{ action: 'x:y' }] }, frozen: true })]
    expect(await pull()).toMatchObject({ code: 2, stderr: expect.stringContaining('`policies.permissions.require`, `policies.frozen`') })
    expect(existsSync(join(folder, 'policies'))).toBe(false)
    expect(await pull('--partial')).toMatchObject({ code: 0, stderr: expect.stringContaining('not understood and skipped') })
  })

  const faults: readonly (readonly [name: string, fault: NonNullable<AccountServer['fault']>, message: string])[] = [
    [
      'a cursor that comes again',
      (_, response) => json(response, 200, [{}], { 'x-pagination-cursor-next': 'same' }),
      'the cursor of the next page is one that was used before',
    ],
    [
      'a list without an end',
      ({ url }, response, count) => url !== '/auth/oauth2/token' && json(response, 200, [{}], { 'x-pagination-cursor-next': `${count}` }),
      '10 pages brought nothing new',
    ],
    ['no JSON', (_, response) => json(response, 200, '[{"name": }]'), 'the answer is not valid JSON: line 1, column 3'],
    ['a key that is there twice', (_, response) => json(response, 200, '[{"name": "a", "name": "b"}]'), 'not valid JSON'],
    ['no list', (_, response) => json(response, 200, {}), 'the answer is not a list'],
    ['no objects', (_, response) => json(response, 200, [1]), 'an item of the list is not an object'],
    ['a policy without a name', (_, response) => json(response, 200, [{ id: 'x' }]), 'a policy without a name'],
    ['half a surrogate', (_, response) => json(response, 200, '[{"name": "\\ud800"}]'), 'not valid JSON'],
    [
      'bytes that are no UTF-8',
      (_, response) => response.writeHead(200).end(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])) !== undefined,
      'the answer is not UTF-8',
    ],
    [
      'a page without bounds',
      (_, response) => response.writeHead(200, { 'content-length': `${2 ** 26}` }).flushHeaders() === undefined,
      'an answer of more than 32 MiB',
    ],
    ['an error', (_, response) => json(response, 400, { message: `no: ${clientSecret}` }), 'the service answers 400: no: ***'],
    ['an error for ever', (_, response) => json(response, 503, {}), 'the service answers 503'],
    [
      'too many requests for long',
      (_, response) => json(response, 429, {}, { 'retry-after': '3600' }),
      'the service answers 429, and asks to wait for 3600 s; tried 1 time',
    ],
    [
      'a connection that is cut',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('[{')
        setTimeout(() => response.destroy(), 20)
        return true
      },
      'the connection was closed',
    ],
    [
      'a redirect to another host',
      (_, response) => json(response, 307, {}, { location: 'http://localhost:1/v2/iam/policy' }),
      'the answer leads to http://localhost:1, where the token is not sent',
    ],
    ['redirects in a circle', (_, response) => json(response, 307, {}, { location: '/v2/iam/policy' }), 'lead on to another address'],
    [
      'a route that is not there',
      (_, response) => json(response, 501, { class: 'StandIn::NotShown', message: 'not shown' }),
      'the service answers 501: not shown',
    ],
  ]
  test.each(faults)('that gives %s leaves the files as they are', async (_, fault, message) => {
    server.fault = (request, response, count) => request.url.startsWith('/v2/iam/policy') && fault(request, response, count)
    const { code, stdout, stderr } = await pull('--retries', '0', '--timeout', '5')
    expect(stderr).toContain(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(readdirSync(folder)).toEqual([])
  })

  test('that echoes the secret in a policy gets no file of it', async () => {
    server.lists.policies = [policy('a', 'web', [], { description: `hello ${clientSecret}` })]
    expect(await pull()).toMatchObject({ code: 2, stderr: expect.stringContaining('contains the secret of the service account') })
    server.fault = ({ url }, response) =>
      url === '/auth/oauth2/token' && json(response, 400, { error: 'invalid_request', error_description: `bad ${clientSecret}` })
    expect(await pull()).toMatchObject({ code: 2, stderr: expect.stringContaining('no token: `invalid_request`: bad ***') })
    server.fault = ({ url }, response) => url === '/auth/oauth2/token' && json(response, 307, {}, { location: 'http://localhost:1/' })
    expect((await pull()).code).toBe(2)
    expect(readdirSync(folder)).toEqual([])
  })

  test('that has a moment of weakness is asked again', async () => {
    server.lists.policies = [policy('a', 'web')]
    server.fault = (_, response, count) => count === 0 && json(response, 429, {}, { 'retry-after': '0' })
    expect((await pull()).code).toBe(0)
    expect(server.seen).toHaveLength(10)
  })

  test('in the middle of a list that fails leaves the files as they are', async () => {
    server.lists.policies = [policy('a', 'web'), policy('b', 'mail')]
    await pull()
    const before = names().map((name) => read(`policies/${name}`))
    server.lists.policies = [policy('c', 'new', ['x:y']), policy('b', 'mail', ['x:y'])]
    server.fault = ({ url, headers }, response) =>
      url === '/v2/iam/policy' && headers['x-pagination-cursor'] !== undefined && json(response, 500, {})
    expect((await pull('--page-size', '1', '--retries', '0')).code).toBe(2)
    expect(names().map((name) => read(`policies/${name}`))).toEqual(before)
  })
})

describe('what is asked for', () => {
  test('a secret in the command line is refused, whatever the option is called', async () => {
    expect(await pull('--client-secret', clientSecret)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('secrets are not accepted on the command line'),
    })
    expect(await pull(`--client-secret=${clientSecret}`)).toMatchObject({ code: 2 })
    expect(await pull(`--secret=${clientSecret}`)).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown option `--secret`') })
    expect(server.seen).toEqual([])
  })

  test('a secret comes from a file', async () => {
    put('secret', `${clientSecret}\n`)
    expect((await grantwise(['pull', '--secret-file', 'secret', 'out'], { GRANTWISE_CLIENT_SECRET: 'wrong-secret' })).code).toBe(0)
    put('secret', 'two\nlines\n')
    expect((await pull('--secret-file', 'secret')).code).toBe(2)
    expect((await pull('--secret-file', 'nowhere')).code).toBe(2)
  })

  test('the secret is not sent without encryption, nor to a made-up place', async () => {
    for (const url of [
      'http://api.example.net',
      'http://127.0.0.1.example.net',
      'ftp://api.example.net',
      'nonsense',
      'https://user:pw@api.example.net',
    ])
      expect((await pull('--auth-url', url)).code).toBe(2)
    expect(await grantwise(['pull'], { GRANTWISE_BASE_URL: '' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the address of the API is not given'),
    })
    expect((await grantwise(['pull'], { GRANTWISE_CLIENT_SECRET: '' })).code).toBe(2)
    expect(server.seen).toEqual([])
  })

  test.each([
    ['--page-size', '0'],
    ['--page-size', 'x'],
    ['--schemas-version', '1.5'],
    ['--retries', '-1'],
    ['--format', 'json'],
    ['--check', '--force'],
    ['a', 'b'],
  ])('%s %s is refused', async (...args) => {
    expect((await pull(...args)).code).toBe(2)
    expect(server.seen).toEqual([])
  })
})

describe('--check', () => {
  test('reports what the account allows and the files do not, and writes nothing', async () => {
    server.lists.policies = [policy('a', 'web')]
    server.lists.resources = [{ urn: 'urn:v1:eu:resource:vps:vps-1', tags: { env: 'dev' } }]
    expect((await pull('--check')).code).toBe(1)
    expect(readdirSync(folder)).toEqual([])
    await pull()
    expect(await pull('--check')).toMatchObject({ code: 0, stdout: expect.stringContaining('the same access'), stderr: '' })
    server.lists.policies = [policy('a', 'web'), policy('b', 'bob', ['vps:apisvc:terminate'], { identities: [bob] })]
    const { code, stdout } = await pull('--check', '--format', 'json')
    expect(code).toBe(1)
    const found = JSON.parse(stdout)
    expect(found).toMatchObject({
      verdict: 'changed',
      lost: [],
      gained: [{ identities: [bob], witness: { identity: bob, action: 'vps:apisvc:terminate' } }],
    })
    server.lists.policies = []
    expect(JSON.parse((await pull('--check', '--format', 'json')).stdout)).toMatchObject({ gained: [], lost: [{ identities: [ann] }] })
    expect(names()).toEqual(['web.yaml'])
  })

  test('an inventory that differs is drift, a description is reported', async () => {
    server.lists.policies = [policy('a', 'web')]
    server.lists.resources = [{ urn: 'urn:v1:eu:resource:vps:vps-1', tags: { env: 'dev' } }]
    await pull()
    server.lists.policies = [policy('a', 'web', undefined, { description: 'other' })]
    expect(await pull('--check')).toMatchObject({ code: 0, stderr: 'grantwise: policies/web.yaml: differs from the account\n' })
    server.lists.resources = [{ urn: 'urn:v1:eu:resource:vps:vps-1', tags: { env: 'prod' } }]
    expect(await pull('--check')).toMatchObject({ code: 1 })
  })

  test('shows how the files differ', async () => {
    server.lists.policies = [policy('a', 'web')]
    await pull()
    server.lists.policies = [policy('a', 'web', undefined, { description: 'other' })]
    put('policies/web.yaml', `${read('policies/web.yaml')}# mine\n`)
    const { stdout } = await pull('--check')
    expect(stdout).toContain('\n+description: other\n')
    expect((await pull('--check', '--format', 'json')).stdout).not.toContain('+description')
  })

  test('holds only the policies of the configuration against the account', async () => {
    server.lists.policies = [policy('a', 'web')]
    await pull()
    put('drafts/bob.json', JSON.stringify({ ...policy('b', 'draft'), identities: [bob] }))
    expect((await pull('--check')).code).toBe(1)
    put('.grantwise.yaml', 'policies: [policies]\n')
    expect(await pull('--check')).toMatchObject({ code: 0, stderr: '' })
    put('.grantwise.yaml', 'policies: [drafts, policies]\n')
    expect((await pull('--check')).code).toBe(1)
  })

  test('files that are not understood give no answer', async () => {
    server.lists.policies = [policy('a', 'web')]
    await pull()
    put('policies/own.yaml', 'name: own\nidentities: [urn:v1:eu:identity:wrong]\nresources: []\npermissions: {}\n')
    expect((await pull('--check')).code).toBe(2)
  })
})

describe('the built program', () => {
  test('pulls, and is ended by no fault of the service', async () => {
    server.lists.policies = [policy('a', 'web')]
    const env = {
      GRANTWISE_BASE_URL: server.url,
      GRANTWISE_AUTH_URL: server.url,
      GRANTWISE_CLIENT_ID: clientId,
      GRANTWISE_CLIENT_SECRET: clientSecret,
    }
    const { stdout, stderr, exit } = await runBinary(['pull', 'account'], folder, env)
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 })
    expect(stdout).toContain('account/policies/web.yaml: written\n')
    expect((await runBinary(['pull', '--check', 'account'], folder, env)).exit).toBe(0)
  })
})
