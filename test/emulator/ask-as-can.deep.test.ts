import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadOperations } from '../../src/actions/operations.ts'
import { readSeed } from '../../src/emulator/control/seed.ts'
import { defaultSettings } from '../../src/names.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { mainIn } from '../support/in-process.ts'
import { keepable, testPorts, testService } from '../support/service.ts'
import { generate, pick, type Random, randomOf } from '../support/worlds.ts'

/** The page of a question against the command: the same arguments have the same answer, with the same places, or the same refusal. */

const acme = fileURLToPath(new URL('../../examples/acme', import.meta.url))
const operations = loadOperations(defaultSettings.brand)
const at = '2026-01-15T10:00:00Z'

interface Asked {
  readonly names: readonly [identity: string, action: string, resource: string]
  readonly groups?: readonly string[]
  readonly tags?: readonly string[]
  readonly ip?: string
  readonly owner?: string
}

/** A folder of files as the command line and the emulator read them. */
async function accountOf(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-ask-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const sources = Object.entries(files).map(([name, text]) => ({ source: sourceOf(name, text), mayBeOther: false }))
  const seed = await readSeed(sources, defaultSettings, testPorts(), operations)
  expect(seed.diagnostics).toEqual([])
  const account = /^account: (.*)$/m.exec(Object.values(files).join('\n'))?.[1] ?? 'ab12-svc'
  const tested = testService({ state: seed.changes })
  return {
    /** The output of the command, and the problems that it refuses a question for. */
    async printed({ names, groups = [], tags = [], ip, owner }: Asked) {
      const also = [
        ...groups.flatMap((group) => ['--group', group]),
        ...tags.flatMap((tag) => ['--tag', tag]),
        ...(ip === undefined ? [] : ['--ip', ip]),
        ...(owner === undefined ? [] : ['--owner', owner]),
      ]
      const args = ['can', '--at', at, ...also, ...Object.keys(files).flatMap((name) => ['-p', name]), '--', ...names]
      const { stdout, stderr } = await mainIn(args, folder, { NO_COLOR: '1' })
      return stdout === '' ? { problems: stderr } : { text: stdout }
    },
    opened: () => tested.send('GET', `/console/can?${new URLSearchParams({ account })}`),
    shown({ names: [identity, action, resource], groups = [], tags = [], ip = '', owner = '' }: Asked) {
      const query = new URLSearchParams({
        account,
        ...{ identity, action, resource, ip, owner, at },
        groups: groups.join('\n'),
        tags: tags.join('\n'),
      })
      const { html = '' } = tested.send('GET', `/console/can?${query}`)
      const problems = [...html.matchAll(/<li><a href="#\w+">(.*?)<\/a>(?:<span class="help">(.*?)<\/span>)?<\/li>/gs)]
        .map(([, message = '', help]) => `grantwise: ${plainOf(message)}\n${help === undefined ? '' : `  help: ${plainOf(help)}\n`}`)
        .join('')
      const text = /<pre [^>]*id="printed"[^>]*>(.*?)<\/pre>/s.exec(html)?.[1]
      return { html, answer: text === undefined ? { problems } : { text: plainOf(text) } }
    },
  }
}

const plainOf = (html: string) =>
  html
    .replace(/<\/?code>/g, '`')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);|&(amp|lt|gt|quot);/g, (_, code, name) =>
      code === undefined ? { amp: '&', lt: '<', gt: '>', quot: '"' }[name as 'amp'] : String.fromCharCode(Number(code)),
    )

const acmeFiles = Object.fromEntries(
  [...readdirSync(join(acme, 'policies')).map((name) => `policies/${name}`), 'world.yaml'].map((name) => [
    name,
    readFileSync(join(acme, name), 'utf8'),
  ]),
)

const some: Readonly<Record<'identity' | 'action' | 'resource' | 'group' | 'tag' | 'ip' | 'owner', readonly string[]>> = {
  identity: [
    'user/alice',
    'bob',
    'carol',
    'group/ops',
    'ops',
    'kim',
    'account',
    'user/alce',
    'nobody',
    'user/*',
    '',
    'urn:v1:eu:identity:user:acme-svc/dave',
    'urn:v1:eu',
  ],
  action: [
    'vps:apisvc:reboot',
    'vps:apisvc:terminate',
    'webHosting:apisvc:database/restore',
    'vps:apisvc:rebot',
    'vps:reboot',
    'vps:*',
    'dnsZone:apisvc:get',
    '',
  ],
  resource: [
    'web-1',
    'vps:web-1',
    'vps:db-1',
    'shop.acme.example',
    'vps',
    'vps:*',
    'vps:mial',
    'vps:web-l',
    'urn:v1:eu:resource:vps:new',
    'urn:v1:eu:resource:vpss:new',
    '',
  ],
  group: ['ops', 'group/dev', 'opz', 'urn:v1:eu:identity:group:acme-svc/audit', 'bob'],
  tag: ['env=prod', 'env=staging', 'data=customers', 'env', '=x'],
  ip: ['203.0.113.7', '198.51.100.4', '2001:db8::1', '1.2.3'],
  owner: ['acme-svc', 'other-svc', 'urn:x'],
}

function asked(random: Random): Asked {
  const one = (key: keyof typeof some) => pick(random, some[key])
  const few = (key: keyof typeof some) => (random() < 0.2 ? [one(key)] : [])
  return {
    names: [one('identity'), one('action'), one('resource')],
    groups: few('group'),
    tags: few('tag'),
    ...(random() < 0.25 && { ip: one('ip') }),
    ...(random() < 0.1 && { owner: one('owner') }),
  }
}

test('short names, types, wrong names and circumstances are answered as by the command', async () => {
  const { printed, shown } = await accountOf(acmeFiles)
  const random = randomOf(20261128)
  const seen = new Set<string>()
  for (let i = 0; i < effort(3000, 20); i++) {
    const question = asked(random)
    const expected = await printed(question)
    expect(shown(question).answer, JSON.stringify(question)).toEqual(expected)
    seen.add(expected.text?.split(' ')[0] ?? 'refused')
  }
  expect([...seen].sort()).toEqual(['ALLOW', 'DENY', 'UNKNOWN', 'refused'])
})

test('a form that is sent empty is refused as by the command, and one that is only opened is not', async () => {
  const { printed, shown, opened } = await accountOf(acmeFiles)
  for (const tags of [[], ['env'], ['env=prod']]) {
    const question: Asked = { names: ['', '', ''], tags }
    const expected = await printed(question)
    expect(expected.problems).toContain('identity ``: empty')
    expect(shown(question).answer).toEqual(expected)
  }
  expect(opened()).toMatchObject({ status: 200, html: expect.not.stringContaining('id="errors"') })
})

test('generated policies are answered as by the command, with the places of their files', async () => {
  const random = randomOf(20261128)
  const seen = new Set<string>()
  for (let i = 0; i < effort(600, 30); i++) {
    const { world, questions } = generate(random, 4)
    const { printed, shown } = await accountOf({ 'account.json': JSON.stringify(keepable(world), null, pick(random, [0, 1, 2])) })
    for (const { identity, action, resource, ip, tags, groups = [] } of questions) {
      const short = (urn: string) =>
        random() < 0.5
          ? urn
          : urn
              .split(':')
              .slice(4)
              .join(':')
              .replace(/^(user|group|credential):[^/]*\//, '$1/')
      const question = {
        names: [short(identity), action, short(resource)] as const,
        groups,
        ...(ip !== undefined && { ip }),
        tags: Object.entries(tags ?? {}).map(([key, value]) => `${key}=${value}`),
      }
      const expected = await printed(question)
      expect(shown(question).answer, JSON.stringify(question)).toEqual(expected)
      seen.add(expected.text?.split(' ')[0] ?? 'refused')
    }
  }
  expect([...seen].sort()).toEqual(['ALLOW', 'DENY', 'UNKNOWN', 'refused'])
})
