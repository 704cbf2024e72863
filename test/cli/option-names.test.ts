import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../src/cli/app/commands.ts'
import { mainIn } from '../support/in-process.ts'

/** Typos in what arguments and options name, on every command that answers from policies or records. */

const acme = join(import.meta.dirname, '../..', 'examples', 'acme')
const urn = (name: string) => `urn:v1:eu:identity:${name.replace('/', ':acme-svc/')}`
const question = ['bob', 'vps:apisvc:reboot', 'web-1']
const post = ['POST', '/v1/vps/web-1/reboot']

/** A command with arguments that answer, and the options that name something on it. */
const lines: Readonly<Record<string, readonly string[]>> = {
  can: question,
  anonymise: question,
  filter: ['bob', 'vps:apisvc:reboot', '--dialect', 'duckdb'],
  call: [...post, '--identity', 'bob'],
  who: ['vps:apisvc:reboot', 'web-1'],
  what: ['bob'],
  matrix: [],
  graph: [],
  policies: ['bob'],
  compare: ['bob', 'dave'],
  escalate: ['bob'],
  timeline: [],
  diff: ['policies', 'pull-request'],
  suggest: question,
  replay: ['calls.ndjson'],
  lock: ['--check', '-o', 'README.md'],
  budget: ['--update', '--dry-run'],
  test: [],
  least: ['--from', 'calls.ndjson', '-p', '.'],
  repl: [],
}

/** For each option that names something: a value with a typo, and what it has to be taken for. */
const options: Readonly<Record<string, readonly (readonly [value: string, near: string])[]>> = {
  '--without': [
    ['production gard', 'production guard'],
    ['guard', 'production guard'],
  ],
  '--member': [
    ['boob=+ops', 'bob'],
    ['bob=+opps', 'ops'],
    [`${urn('user/boob')}=+ops`, urn('user/bob')],
  ],
  '--assume-tag': [['wb-1=env=dev', 'web-1']],
  '--group': [
    ['opps', 'ops'],
    [urn('group/opps'), 'group/ops'],
  ],
  '--identity': [
    ['boob', 'bob'],
    [urn('user/boob'), 'bob'],
  ],
  '--policy': [
    ['night wrk', 'night work'],
    ['nigt', 'night work'],
  ],
  '--resource': [['wb-1', 'web-1']],
  '--type': [['vsp', 'vps']],
  '--action': [['vps:apisvc:rebot', 'vps:apisvc:reboot']],
}

/** Options that a command refuses, or whose names are compared when a question is asked. */
const aside = new Set(['least --identity boob', 'lock --member', 'lock --assume-tag', `repl --group ${urn('group/opps')}`])

const named = commands.flatMap(({ name, options: own }) =>
  own.flatMap(({ flags }: { readonly flags: string }) => {
    const option = /--[\w-]+/.exec(flags)?.[0] ?? ''
    const line = lines[name]
    if (!line) return []
    return (options[option] ?? []).map(([value, near]) => ({ name, line, option, value, near }))
  }),
)
const cases = named.filter(({ name, option, value }) => !aside.has(`${name} ${option}`) && !aside.has(`${name} ${option} ${value}`))

test.each(cases)('$name $option $value', async ({ name, line, option, value, near }) => {
  // `call` takes one identity.
  const rest = name === 'call' && option === '--identity' ? post : line
  const { stdout, stderr } = await mainIn([name, ...rest, option, value], acme)
  const guesses = [...`${stdout}${stderr}`.matchAll(/did you mean `([^`]*)`/g)].map(([, guess]) => guess)
  expect(guesses.some((guess) => guess?.endsWith(near))).toBe(true)
})

const args: readonly (readonly string[])[] = [
  ['can', 'boob', 'vps:apisvc:reboot', 'web-1', 'bob'],
  ['can', 'bob', 'vps:apisvc:rebot', 'web-1', 'vps:apisvc:reboot'],
  ['can', 'bob', 'vsp:apisvc:reboot', 'web-1', 'vps:apisvc:reboot'],
  ['can', 'bob', 'vps:apisvc:reboot', 'wb-1', 'web-1'],
  ['can', 'bob', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vsp:web-1', 'vps'],
  ['call', ...post.map((each) => each.replace('reboot', 'rebot')), '--identity', 'bob', '/v1/vps/web-1/reboot'],
  ['who', 'vps:apisvc:rebot', 'web-1', 'vps:apisvc:reboot'],
  ['who', 'vsp:*', 'web-1', 'vps:*'],
  ['who', 'vps:apisvc:reboot', 'web servrs', 'web servers'],
  [
    'who',
    'vps:apisvc:reboot',
    'urn:v1:eu:resourceGroup:7c9a1b52-3d4e-4f60-8a7b-1c2d3e4f5a6c',
    'urn:v1:eu:resourceGroup:7c9a1b52-3d4e-4f60-8a7b-1c2d3e4f5a6b',
  ],
  ['what', 'boob', 'bob'],
  ['what', 'bob', 'vsp:*', 'vps'],
  ['what', 'bob', 'web servrs', 'web servers'],
  ['policies', 'boob', 'bob'],
  ['policies', 'wb-1', 'web-1'],
  ['policies', 'web servrs', 'web servers'],
  ['policies', 'vsp:*', 'vps'],
  ['policies', 'urn:v1:eu:resource:vsp:web-1', 'vps'],
  [
    'policies',
    'urn:v1:eu:resourceGroup:7c9a1b52-3d4e-4f60-8a7b-1c2d3e4f5a6c',
    'urn:v1:eu:resourceGroup:7c9a1b52-3d4e-4f60-8a7b-1c2d3e4f5a6b',
  ],
  ['compare', 'bob', 'devv', 'dev'],
  ['compare', 'bob', urn('user/davee'), 'user/dave'],
  ['escalate', 'boob', 'bob'],
  ['suggest', 'boob', 'vps:apisvc:reboot', 'web-1', 'bob'],
  ['suggest', 'bob', 'vps:apisvc:rebot', 'web-1', 'vps:apisvc:reboot'],
  ['suggest', 'bob', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vsp:web-1', 'vps'],
  ['expand', 'vsp:*', 'vps:*'],
  ['graph', '--resource', 'urn:v1:eu:resource:vps:web-11', 'vps:web-1'],
  ['rules', 'grants-escalaton', 'grants-escalation'],
]

test.each(args)('%s %s %s %s', async (...given) => {
  const near = given.at(-1) as string
  const { stdout, stderr } = await mainIn(given.slice(0, -1), acme)
  expect(`${stdout}${stderr}`).toContain(`did you mean \`${near}\`?`)
})

test('every deciding command is tried', () => {
  const deciding = commands.filter(({ options: own }) => own.some(({ flags }: { readonly flags: string }) => flags.startsWith('--without')))
  expect(deciding.map(({ name }) => name).filter((name) => !(name in lines))).toEqual([])
  expect(cases.length).toBeGreaterThan(60)
})
