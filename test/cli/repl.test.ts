import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/app/commands.ts'
import type { Io } from '../../src/cli/app/io.ts'
import { longName } from '../../src/cli/app/options.ts'
import { quoted, splitWords, wordsOf } from '../../src/cli/input/words.ts'
import { main } from '../../src/cli/main.ts'
import { effort } from '../support/effort.ts'
import { ioIn } from '../support/in-process.ts'
import { wordsOf as shellWords } from '../support/scenario.ts'
import { generate, pick, type QuestionJson, type Random, randomOf, shuffled, type WorldJson } from '../support/worlds.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-repl-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Run a command line at a fixed time. */
async function run(args: readonly string[], input: string | Iterable<string | Uint8Array> = '', more: Partial<Io> = {}) {
  const { io, out } = ioIn(folder, {})
  const chunks = typeof input === 'string' ? [input] : input
  const stdin = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk as string)
  }
  const exit: number = await main(args, { ...io, now: () => Date.UTC(2026, 6, 1, 12), stdin, ...more })
  return { ...out, exit }
}

/** Something to assume, as a line of a session and as options of a command. */
interface Assumption {
  readonly line: string
  readonly options: readonly string[]
}

function assumptionsFor({ policies, identities, resources }: WorldJson, { groups = [], ip, tags, at }: QuestionJson, random: Random) {
  const found: Assumption[] = [{ line: `at ${at}`, options: ['--at', at] }]
  const add = (words: readonly string[], ...options: string[]) => found.push({ line: words.map(quoted).join(' '), options })
  if (ip !== undefined && random() < 0.7) add(['ip', ip], '--ip', ip)
  for (const group of groups) add(['group', group], '--group', group)
  for (const [key, value] of Object.entries(tags ?? {}))
    if (value !== '' && random() < 0.5) add(['tag', `${key}=${value}`], '--tag', `${key}=${value}`)
  if (policies.length > 0 && random() < 0.4) {
    const { name } = pick(random, policies)
    add(['without', name], '--without', name)
  }
  const members = identities.filter(({ urn }) => /:(?:user|credential):/.test(urn))
  const all = [...new Set(identities.flatMap((each) => each.groups))]
  if (members.length > 0 && all.length > 0 && random() < 0.5) {
    const [{ urn }, group] = [pick(random, members), pick(random, all)]
    if (random() < 0.5) add([urn, 'in', group], '--member', `${urn}=+${group}`)
    else add([urn, 'not', 'in', group], '--member', `${urn}=-${group}`)
  }
  if (resources.length > 0 && random() < 0.5) {
    const { urn } = pick(random, resources)
    add([urn, 'tag', 'env=b'], '--assume-tag', `${urn}=env=b`)
  }
  // Of two that contradict each other, the second is refused, whichever comes first.
  return shuffled(random, found)
}

/** Whether a command takes an option. */
function takes(name: string, option: string): boolean {
  return commands.some((entry) => entry.name === name && entry.options.some((each) => longName(each) === option))
}

/** The answers of a session, each with the line that asked for it. */
function answersOf(stdout: string): readonly string[] {
  return stdout.split(/^grantwise(?: \(\d+\))?> .*\n/m).slice(1)
}

describe('a session answers as single commands do', () => {
  test.each([
    ['bob not in ops', 'group ops', '--member', '--group'],
    ['a tag env=dev', 'tag env=prod', '--assume-tag', '--tag'],
    ['a not tag env', 'tag env=prod', '--assume-tag', '--tag'],
  ])('and refuses what contradicts `assume %s`', async (supposed, given, first, second) => {
    const world = {
      identities: [{ urn: 'urn:v1:eu:identity:user:ab/bob', groups: ['urn:v1:eu:identity:group:ab/ops'] }],
      resources: [{ urn: 'urn:v1:eu:resource:vps:a', tags: { env: 'prod' } }],
      policies: [
        {
          name: 'ops',
          identities: ['urn:v1:eu:identity:group:ab/ops'],
          resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
          permissions: { allow: [{ action: 'vps:*' }] },
        },
      ],
    }
    writeFileSync(join(folder, 'world.json'), JSON.stringify(world))
    const can = 'can bob vps:apisvc:get a'
    for (const [one, other] of [
      [supposed, given],
      [given, supposed],
    ]) {
      const alone = await run(['repl', '-p', '.'], [`assume ${one}`, can].join('\n'))
      const { stdout, stderr, exit } = await run(['repl', '-p', '.'], [`assume ${one}`, can, `assume ${other}`, can, 'facts'].join('\n'))
      expect(stderr).toMatch(new RegExp(`^grantwise: line 3: ${first} supposes that .* and ${second} `))
      expect(exit).toBe(2)
      // The answer is the one without it, twice.
      const [note = '', ...answer] = alone.stdout.split(/(?<=\n)/)
      expect(stdout.startsWith(`${note}${answer.join('').repeat(2)}`)).toBe(true)
      expect(stdout.split('\n').filter((line) => /^[12] {2}/.test(line))).toEqual([note.trimEnd(), note.trimEnd()])
    }
  })

  test.each(['pretty', 'compact', 'json'])('over generated worlds, %s', async (format) => {
    const seed = format.length
    const random = randomOf(seed)
    let judged = 0
    let assumed = 0
    for (let i = 0; i < effort(90, 59); i++) {
      const { world, questions } = generate(random, 2)
      writeFileSync(join(folder, 'world.json'), JSON.stringify(world))
      const facts = assumptionsFor(world, questions[0] as QuestionJson, random)
      const asked = questions.flatMap(({ identity, action, resource }) => [
        ['can', identity, action, resource],
        ['can', identity, action, resource, '--explain'],
        ['who', action, resource],
        ['what', identity],
        ['what', identity, resource, '--full-urns'],
        ['policies', identity],
        ['escalate', identity],
        ['compare', identity, (questions[0] as QuestionJson).identity],
      ])
      asked.push(['matrix'], ['diff'], ['timeline'])
      const script = [...facts.map(({ line }) => `assume ${line}`), ...asked.map((words) => words.map(quoted).join(' '))]
      const session = await run(['repl', '-p', '.', '--echo', '--format', format], script.join('\n'))
      const refused = (line: number) =>
        session.stderr
          .split('\n')
          .some((text) => text.startsWith(`grantwise: line ${line}: `) && !text.startsWith(`grantwise: line ${line}: note: `))
      // A fact that contradicts an earlier assumption is not assumed.
      const holding = facts.filter((_, at) => !refused(at + 1))
      const answers = answersOf(session.stdout).slice(facts.length)
      expect(answers, `seed ${seed}, world ${i}: ${session.stderr}`).toHaveLength(asked.length)
      for (const [at, words] of asked.entries()) {
        // Each takes the facts that it has options for.
        const options = holding.flatMap((fact) => (takes(words[0] as string, fact.options[0] as string) ? fact.options : []))
        const isSupposed = holding.some(({ options: [flag = ''] }) => ['--without', '--member', '--assume-tag'].includes(flag))
        const from = words[0] === 'diff' && !isSupposed ? ['.', '.'] : ['-p', '.']
        const alone = await run([...words, ...from, '--format', format, ...options])
        const said = `seed ${seed}, world ${i}: ${words.join(' ')} ${options.join(' ')}`
        expect(answers[at], said).toBe(alone.stdout)
        const isRefused = refused(facts.length + at + 1)
        expect(isRefused, `${said}\n${session.stderr}\n${alone.stderr}`).toBe(alone.exit === 2)
        if (alone.exit !== 2) judged++
      }
      assumed += holding.length
    }
    expect(judged).toBeGreaterThan(effort(700, 40))
    expect(assumed).toBeGreaterThan(effort(100, 40))
  })

  test('what is retracted or undone counts no more', async () => {
    const random = randomOf(5)
    for (let i = 0; i < effort(50); i++) {
      const { world, questions } = generate(random, 1)
      writeFileSync(join(folder, 'world.json'), JSON.stringify(world))
      const { identity, action, resource, ...rest } = questions[0] as QuestionJson
      const facts = assumptionsFor(world, { identity, action, resource, ...rest }, random)
      const question = ['can', identity, action, resource].map(quoted).join(' ')
      const session = async (lines: readonly string[]) =>
        (await run(['repl', '-p', '.', '--format', 'compact'], [...lines, question].join('\n'))).stdout
      const assume = facts.map(({ line }) => `assume ${line}`)
      const without = await session(assume.slice(0, -1))
      expect(await session([...assume, 'retract'])).toBe(without)
      expect(await session([...assume, 'undo'])).toBe(without)
      expect(await session([...assume, 'retract all', 'undo', 'undo'])).toBe(without)
    }
  })
})

describe('words of a line', () => {
  test.each([
    ['can bob x', ['can', 'bob', 'x']],
    ["  without 'production guard' ", ['without', 'production guard']],
    ['a "b \\" c" d\\ e', ['a', 'b " c', 'd e']],
    ["'a'\"b\"c ''", ['abc', '']],
    ['a # b', ['a']],
    ['a#b', ['a#b']],
    ['# a', []],
    ['', []],
  ])('%j', (line, words) => {
    expect(wordsOf(line)).toEqual(words)
  })

  test.each(["'a", 'a "b', 'a\\'])('%j is not whole', (line) => {
    expect(() => wordsOf(line)).toThrow()
    expect(splitWords(line).open).not.toBe('')
  })

  test('a quoted word is read back, by a shell as well', () => {
    for (const word of ['a', 'a b', "it's", '"', '\\', '#', '*', '', '$x', 'é', 'a=b', 'x;y', '\u202e'])
      expect([wordsOf(quoted(word)), word.includes("'") ? [word] : shellWords(quoted(word))]).toEqual([[word], [word]])
  })
})

describe('a script', () => {
  const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
  const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`
  const policy = {
    name: 'p',
    identities: [user('ann')],
    resources: [{ urn: vps('*') }],
    permissions: { allow: [{ action: 'vps:apisvc:*' }] },
  }
  const world = { policies: [policy], identities: [{ urn: user('ann'), groups: [] }], resources: [{ urn: vps('web') }] }
  beforeAll(() => writeFileSync(join(folder, 'world.json'), JSON.stringify(world)))
  const repl = (input: string | Iterable<string | Uint8Array>, more: Partial<Io> = {}, ...options: string[]) =>
    run(['repl', '-p', 'world.json', '--format', 'compact', ...options], input, more)
  const question = 'can ann vps:apisvc:get web'
  const allow = 'allow · granted · world.json:1:163 allow `vps:apisvc:*`\n'

  test('comes in any pieces, with any ends of lines', async () => {
    const text = Buffer.from(`\ufeff# é\r\n${question}\r\n\n  ${question} # again\n${question}`)
    for (const size of [1, 2, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.subarray(i * size, (i + 1) * size))
      expect(await repl(pieces)).toEqual({ stdout: allow.repeat(3), stderr: '', exit: 0 })
    }
  })

  test('answers before it asks for more', async () => {
    const { io, out } = ioIn(folder, {})
    const seen: string[] = []
    const stdin = async function* () {
      for (let i = 0; i < 3; i++) {
        yield Buffer.from(`${question}\n`)
        seen.push(out.stdout)
      }
    }
    await main(['repl', '-p', 'world.json', '--format', 'compact'], { ...io, stdin })
    expect(seen).toEqual([allow, allow.repeat(2), allow.repeat(3)])
  })

  test('ends where its answers are not read', async () => {
    let written = 0
    let read = 0
    const stdin = async function* () {
      for (; read < 1000; read++) yield Buffer.from(`${question}\n`)
    }
    const { io } = ioIn(folder, {})
    const code = await main(['repl', '-p', 'world.json'], { ...io, stdin, stdout: { write: () => ++written < 3, isTerminal: () => false } })
    expect([code, written, read]).toEqual([2, 3, 2])
  })

  test('goes on after lines that cannot be read, and says which', async () => {
    const { stdout, stderr, exit } = await repl([
      `${question}\nfrobnicate\n`,
      Buffer.from([0xff, 0xfe, 0x00, 10]),
      `can "ann\n${'x'.repeat(2 ** 20 + 1)}\n\u0000\u001b[31m\n${question}\n`,
    ])
    expect({ stdout, exit }).toEqual({ stdout: allow.repeat(2), exit: 2 })
    expect(stderr.split('\n').filter((line) => line.startsWith('grantwise'))).toEqual([
      'grantwise: line 2: unknown command `frobnicate`',
      'grantwise: line 3: not UTF-8: column 1: save it as UTF-8',
      'grantwise: line 4: the quote " is not closed',
      'grantwise: line 5: longer than 1048576 bytes: the line is not read',
      expect.stringContaining('grantwise: line 6: unknown command'),
    ])
    expect(stderr).not.toContain('\u001b')
  })

  test('ends at the first such line where it is asked to', async () => {
    expect(await repl(`${question}\nfrobnicate\n${question}\n`, {}, '--stop-on-error')).toMatchObject({ stdout: allow, exit: 2 })
  })

  test('reads files again on request, and compares with its start or a commit', async () => {
    const git = (...args: string[]) => spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })
    git('init', '-q', '-b', 'main')
    git('add', 'world.json')
    git('commit', '-qm', 'a')
    const bob = { ...world, identities: [...world.identities, { urn: user('bob'), groups: [] }] }
    const edited = { ...bob, policies: [policy, { ...policy, name: 'q', identities: [user('bob')] }] }
    const edits: readonly [lines: string, after: object | string][] = [
      ['can bob vps:apisvc:get web\nassume without p', bob],
      ['can bob vps:apisvc:get web\nreload\ncan bob vps:apisvc:get web', '{"name":'],
      ['reload\ncan bob vps:apisvc:get web', edited],
      ['reload\ncan bob vps:apisvc:get web\nretract\ndiff\ndiff main\ndiff git:main\ndiff world.json', world],
    ]
    const stdin = async function* () {
      for (const [lines, after] of edits) {
        yield Buffer.from(`${lines}\n`)
        writeFileSync(join(folder, 'world.json'), typeof after === 'string' ? after : JSON.stringify(after))
      }
      yield Buffer.from('diff world.json\n')
    }
    const { io, out } = ioIn(folder, process.env)
    const code = await main(['repl', '-p', 'world.json', '--format', 'compact', '--echo'], { ...io, stdin })
    const kinds = ['allow', 'deny', `gained · ${user('bob')} · vps:apisvc:`]
    const answers = answersOf(out.stdout).map((answer) => kinds.find((kind) => answer.startsWith(kind))?.split(' ')[0] ?? answer)
    const first = ['', '', '', '', 'deny', '', 'deny']
    expect(answers).toEqual([...first, '', 'allow', '', 'gained', 'gained', 'gained', '', 'gained'])
    expect(code).toBe(2)
    // Bob is not known before the first `reload`; the second finds a broken file.
    expect([...out.stderr.matchAll(/^grantwise: line (\d+): (?!note)/gm)].map(([, line]) => line)).toEqual(['1', '3', '6', '6'])
  })

  test('says once what it notes', async () => {
    const { stderr } = await repl('policies urn:v1:eu:identity:user:ab12-svc/annn\n'.repeat(3))
    expect(stderr.match(/neither described nor named/g)).toHaveLength(1)
  })

  test('says with each answer that the catalogue does not know its action', async () => {
    const { stdout } = await repl('can ann vps:apisvc:gett web\n'.repeat(3))
    expect(stdout.match(/not in the catalogue/g)).toHaveLength(3)
  })

  test('answers thousands of lines that come at once', async () => {
    const count = effort(20_000, 5)
    const { stdout, exit } = await repl([`${question}\n`.repeat(count)])
    expect({ exit, answers: stdout.length / allow.length }).toEqual({ exit: 0, answers: count })
  })
})
