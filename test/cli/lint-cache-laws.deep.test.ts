import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CachedRun } from '../../src/cli/input/lint-cache.ts'
import { main } from '../../src/cli/main.ts'
import { effort } from '../support/effort.ts'
import { ioIn } from '../support/in-process.ts'

const build = vi.hoisted(() => ({ version: '1.0.0' }))
vi.mock('../../src/cli/app/version.ts', () => ({
  commit: undefined,
  sources: undefined,
  get version() {
    return build.version
  },
}))

let work: string
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-cache-'))
})
afterEach(() => rmSync(work, { recursive: true, force: true }))

/** Small numbers in an order that a seed gives. */
class Dice {
  private state: number
  constructor(seed: number) {
    this.state = seed
  }
  below(count: number): number {
    this.state = (Math.imul(this.state, 1103515245) + 12345) >>> 0
    return Math.floor((this.state / 2 ** 32) * count)
  }
  one<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }
}

const policy = (name: string, more = '', action = 'vps:apisvc:reboot') =>
  `name: ${name}\nidentities: ["urn:v1:eu:identity:user:ab12-svc/ann"]\nresources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]\npermissions: { allow: [{ action: "${action}" }] }\n${more}`

const policies = (dice: Dice): string =>
  dice.one([
    policy(`p${dice.below(3)}`),
    policy('typo', '', 'vps:apisvc:rebooot'),
    policy('ended', `expiredAt: "2026-05-0${1 + dice.below(5)}T00:00:00Z"\n`),
    policy('dated', 'conditions: { operator: MATCH, values: { date(UTC).Date.BEFORE: "2026-05-03" } }\n'),
    `# grantwise-ignore unknown-action: known to us\n${policy('ignored', '', 'vps:apisvc:rebooot')}`,
    policy('unfinished', 'oops: [\n'),
    'nothing: here\n',
  ])

const configuration = `variable "x" { default = "vps:apisvc:reboot" }
resource "svc_iam_policy" "p" {
  name       = "made"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = concat([var.x], split("\\n", file("\${path.module}/actions.txt")))
}
`

const guardrail = (kind: string, identity: string) =>
  `guardrails: [{ code: org/ours, message: ours, ${kind}: { identities: "urn:v1:eu:identity:${identity}:*", actions: "vps:*", resources: "urn:v1:eu:resource:vps:*" } }]\n`

/** Texts that each file may hold; undefined: it is not there. */
const pools: Readonly<Record<string, (dice: Dice) => string | undefined>> = {
  'policies/a.yaml': policies,
  'policies/b.yaml': (dice) => dice.one([undefined, policies(dice)]),
  'policies/deep/c.yaml': (dice) => dice.one([undefined, policies(dice)]),
  'policies/deep/.grantwise.yaml': (dice) => dice.one([undefined, undefined, 'rules: { unknown-action: "off" }\n', 'extends: auditor\n']),
  'policies/.gitignore': (dice) => dice.one([undefined, 'b.yaml\n', '# none\n']),
  'policies/notes.txt': (dice) => dice.one([undefined, 'notes']),
  'policies/guide.md': (dice) => dice.one([undefined, `# Guide\n\n\`\`\`yaml\n${policies(dice)}\`\`\`\n`]),
  'stack/main.tf': (dice) => dice.one([undefined, configuration, `${configuration}# more\n`]),
  'stack/actions.txt': (dice) => dice.one([undefined, 'vps:apisvc:get', 'vps:apisvc:gett']),
  'shared.yaml': (dice) => `rules: { unknown-action: ${dice.one(['info', 'warning', 'error'])} }\n`,
  'world.yaml': (dice) => `identities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/${dice.one(['ann', 'bob'])}\n`,
  'known.json': (dice) => `{"catalogue":1,"seen":"2026-0${1 + dice.below(3)}","actions":["vps:apisvc:${dice.one(['get', 'reboot'])}"]}`,
  'base.json': () => undefined,
  '.grantwise.yaml': (dice) =>
    [
      dice.one(['', 'extends: ./shared.yaml\n', 'extends: [strict, ./shared.yaml]\n']),
      dice.one(['', 'world: [world.yaml]\n']),
      dice.one(['', '', 'catalogue: known.json\n']),
      dice.one(['', 'failOn: error\n', 'failOn: never\n']),
      dice.one(['', `ignores: [{ files: "policies/**", codes: [expired], reason: known, until: "2026-05-0${1 + dice.below(5)}" }]\n`]),
      dice.one([
        '',
        '',
        guardrail('never', 'user'),
        guardrail('never', 'credential'),
        guardrail('only', 'user'),
        guardrail('always', 'user'),
      ]),
    ].join(''),
}

interface State {
  readonly files: Map<string, string>
  args: readonly string[]
  now: number
  env: Readonly<Record<string, string>>
}

const argsOf = (dice: Dice): readonly string[] => [
  ...dice.one([[], [], ['policies'], ['policies/a.yaml', 'stack']]),
  ...dice.one([[], ['--format', 'json'], ['--format', 'sarif=out.sarif', '--format', 'github'], ['--statistics'], ['--quiet', '--color']]),
  ...dice.one([[], [], ['--preset', 'auditor'], ['--rule', 'unknown-action=error'], ['--only', 'expiry']]),
  ...dice.one([[], ['--show-suppressed'], ['--no-suppressions'], ['--coverage'], ['--coverage'], ['--fences']]),
  ...dice.one([
    [],
    [],
    ['--at', '2026-05-02T12:00:00Z'],
    ['--max-warnings', '1'],
    ['--exit-zero'],
    ['--var-env'],
    ['--var-env'],
    ['--no-config'],
  ]),
]

function change(path: string, { files }: State, dice: Dice): void {
  const text = pools[path]?.(dice)
  if (text === undefined) files.delete(path)
  else files.set(path, text)
}

const edits: Readonly<Record<string, (state: State, dice: Dice) => void>> = {
  content: (state, dice) => change(dice.one(Object.keys(pools)), state, dice),
  configuration: (state, dice) => change(dice.one(['policies/deep/.grantwise.yaml', '.grantwise.yaml', 'shared.yaml']), state, dice),
  unread: (state, dice) => change(dice.one(['policies/.gitignore', 'policies/notes.txt', 'stack/actions.txt']), state, dice),
  rename: ({ files }) => {
    const text = files.get('policies/a.yaml')
    if (text === undefined) return
    files.delete('policies/a.yaml')
    files.set('policies/renamed.yaml', text)
  },
  options: (state, dice) => {
    state.args = argsOf(dice)
  },
  time: (state, dice) => {
    state.now = Date.UTC(2026, 4, 1) + dice.below(6 * 24) * 3_600_000
  },
  later: (state) => {
    state.now += 1
  },
  environment: (state, dice) => {
    state.env = dice.one([{}, { FORCE_COLOR: '1' }, { PRE_COMMIT: '1' }, { TF_VAR_x: 'vps:apisvc:gett' }])
  },
  version: (_, dice) => {
    build.version = dice.one(['1.0.0', '1.0.1'])
  },
  nothing: () => {},
}

/** Write the files that a state has, and remove the others. */
function lay(before: ReadonlyMap<string, string>, files: ReadonlyMap<string, string>): void {
  for (const path of before.keys()) if (!files.has(path)) rmSync(join(work, path), { force: true })
  for (const [path, text] of files) {
    if (before.get(path) === text) continue
    mkdirSync(dirname(join(work, path)), { recursive: true })
    writeFileSync(join(work, path), text)
  }
}

async function linted({ args, env, now }: State, more: readonly string[]) {
  const { io, out } = ioIn(work, env)
  rmSync(join(work, 'out.sarif'), { force: true })
  const exit = await main(['lint', ...args, ...more], { ...io, now: () => now })
  return { ...out, exit, written: written() }
}

function written(): string | undefined {
  try {
    return readFileSync(join(work, 'out.sarif'), 'utf8')
  } catch {
    return undefined
  }
}

it('prints what a run without it prints, whatever changes between two runs', async () => {
  const hits = vi.spyOn(CachedRun.prototype, 'again')
  let answered = 0
  for (let seed = 1; seed <= effort(200, 30); seed++) {
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work)
    const dice = new Dice(seed)
    const state: State = { files: new Map(), args: [], now: Date.UTC(2026, 4, 1), env: {} }
    for (const [path, pool] of Object.entries(pools)) {
      const text = pool(dice)
      if (text !== undefined) state.files.set(path, text)
    }
    let before = new Map<string, string>()
    for (let step = 0; step < 12; step++) {
      const name = dice.one(Object.keys(edits))
      edits[name]?.(state, dice)
      lay(before, state.files)
      before = new Map(state.files)
      const expected = await linted(state, [])
      for (const run of ['first', 'second']) {
        hits.mockClear()
        expect({ seed, step, name, run, ...(await linted(state, ['--cache'])) }).toEqual({ seed, step, name, run, ...expected })
        if ((await hits.mock.results[0]?.value) !== undefined) answered++
      }
    }
  }
  // Most second runs are answered by the first one.
  expect(answered).toBeGreaterThan(effort(200, 30) * 4)
}, 600_000)
