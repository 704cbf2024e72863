import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { commands, groups } from '../../src/cli/app/commands.ts'
import { exit } from '../../src/cli/app/exit.ts'
import type { Io } from '../../src/cli/app/io.ts'
import { main } from '../../src/cli/main.ts'
import { rules } from '../../src/rules/index.ts'
import { isDeep, some } from '../support/effort.ts'
import { binary, cleanUp, fits, linesOf, prepare, readScenario, runBinary, runLine, runProgram } from '../support/scenario.ts'

const folder = new URL('./', import.meta.url)
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.scenario'))
  .sort()
/** As programs they take ten times as long: a deep run that leaves something out runs one in thirty-two. */
const scenarios = isDeep ? some(all, 32) : all

/** The command lines that may write files. They run side by side with the others, so each has a copy of the files. */
const mayWrite =
  / (fix|fmt|init|pull|lock|convert|export|minimise|least|serve|repl|report|graph) | --(fix|write|update|update-baseline|suppress\S*|output)\b| -o |=[./\w]+\.\w+( |$)/

describe.each(scenarios)('%s', (name) => {
  const scenario = readScenario(readFileSync(new URL(name, folder), 'utf8'))
  const shared = prepare(scenario.setup)
  const before = filesIn(shared)
  afterAll(() => {
    expect(filesIn(shared)).toEqual(before)
    cleanUp(shared)
  })

  test.concurrent.each(scenario.commands)('$line', async ({ line, stdout, stderr, exit }) => {
    const work = mayWrite.test(line) ? prepare(scenario.setup) : shared
    try {
      const outcome = await runLine(line, work)
      const found = { stdout: linesOf(outcome.stdout), stderr: linesOf(outcome.stderr), exit: outcome.exit }
      const expected = {
        stdout: fits(found.stdout, stdout) ? found.stdout : stdout,
        stderr: fits(found.stderr, stderr) ? found.stderr : stderr,
        exit,
      }
      expect(found).toEqual(expected)
    } finally {
      if (work !== shared) cleanUp(work)
    }
  })
})

/** The files of a folder, each with when it was last written. */
function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.sort().map((name) => `${name} ${lstatSync(join(folder, name)).mtimeMs}`)
}

const policy = (name: string, action: string) =>
  JSON.stringify({
    name,
    identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
    permissions: { allow: [{ action }] },
  })
const good = policy('good', 'vps:apisvc:reboot')
const typo = policy('typo', 'vps:apisvc:rebooot')

/** Run a test in a new folder that holds the given files. */
async function inFolder(files: Readonly<Record<string, string>>, run: (folder: string) => Promise<void>): Promise<void> {
  const work = prepare(Object.entries(files).map(([name, content]) => ({ kind: 'file', name, argument: '', content })))
  try {
    await run(work)
  } finally {
    cleanUp(work)
  }
}

describe('help', () => {
  test('lists the commands in the order of the table, below the titles of their groups', async () => {
    const { stdout } = await runProgram(['--help'], '/')
    const listed = [...stdout.matchAll(/^(\S.*:)$|^ {2}([a-z-]+) {2,}/gm)].flatMap(([, title, name]) => title ?? name ?? [])
    const declared = Object.entries(groups).flatMap(([group, title]) => [
      title,
      ...commands.filter((command) => command.group === group).map(({ name }) => name),
    ])
    expect(listed.slice(listed.indexOf(groups.check), listed.indexOf('Exit codes:'))).toEqual([...declared, 'help'])
  })

  test.each(commands)('the program of $name is in the file of its name', ({ name }) => {
    const text = readFileSync(new URL(`../../src/cli/commands/${name}.ts`, import.meta.url), 'utf8')
    expect(/^export const run: (?:Run|Answer)<'([^']+)'> = /m.exec(text)?.[1]).toBe(name)
  })

  test.concurrent.each(commands)('$name', async ({ name, summary, options, examples }) => {
    const { stdout, stderr, exit } = await runProgram([name, '--help'], '/')
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 })
    expect(await runProgram(['help', name], '/')).toEqual({ stdout, stderr: '', exit: 0 })
    expect(examples.length).toBeGreaterThanOrEqual(2)
    for (const [line, text] of examples) expect(stdout).toContain(`  $ ${line}\n      ${text}\n`)
    expect(stdout).toContain(summary)
    const all = await runProgram([name, '--help=all'], '/')
    expect({ stderr: all.stderr, exit: all.exit }).toEqual({ stderr: '', exit: 0 })
    for (const { flags } of options) expect(all.stdout).toContain(`  ${flags}`)
    expect(all.stdout).toContain('--no-color')
    // An option that many commands share and few need is left out, and where it is said how to see it.
    const left = options.filter(({ flags }) => !stdout.includes(`  ${flags}`)).map(({ flags }) => flags)
    for (const flags of left) expect(flags).toMatch(/^--(?:without|with|member|assume-tag|format-in|root|var|config|no-config|allow)/)
    expect(stdout.includes(`grantwise ${name} --help=all\n`)).toBe(left.length > 0)
  })

  test('of the program names every command and every exit code', async () => {
    const { stdout, exit } = await runProgram(['--help'], '/')
    expect(exit).toBe(0)
    for (const { name } of commands) expect(stdout).toContain(`\n  ${name} `)
    for (const code of [0, 1, 2, 3]) expect(stdout).toContain(`\n  ${code}  `)
  })

  test('every option takes one value at most', () => {
    for (const { options } of commands) for (const { flags } of options) expect(flags).not.toMatch(/\.\.\.|\[/)
  })
})

test('the list of rules has a line for each', async () => {
  const { stdout } = await runProgram(['rules'], '/')
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ...rules.map(({ code, severity, summary, fixes }) => [code, severity, summary, ...(fixes ? [`(fix: ${fixes.join(', ')})`] : [])]),
    [''],
  ])
})

test.skipIf(process.platform === 'win32').each([
  ['lint', exit.error, /^grantwise: the working folder no longer exists[^\n]*\n {2}help: [^\n]+\n$/],
  ['rules', exit.success, /^$/],
])('%s in a folder that was removed', (command, code, message) =>
  inFolder({ 'gone/x': '' }, async (work) => {
    const script = 'cd gone && rm -r ../gone && exec "$@"'
    const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, binary, command], { cwd: work, encoding: 'utf8' })
    expect(stderr).toMatch(message)
    expect(status).toBe(code)
  }),
)

describe('colour', () => {
  const args = ['lint', '--format', 'pretty', 'typo.json']
  const cases: readonly (readonly [Record<string, string>, readonly string[], boolean])[] = [
    [{}, [], false],
    [{ FORCE_COLOR: '1' }, [], true],
    [{ FORCE_COLOR: '' }, [], true],
    [{ FORCE_COLOR: '0' }, [], false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, [], false],
    [{ FORCE_COLOR: '1', NO_COLOR: '' }, [], true],
    [{ NO_COLOR: '1' }, ['--color'], true],
    [{ FORCE_COLOR: '1' }, ['--no-color'], false],
  ]
  test.concurrent.each(cases)('%j %j: %j', (env, flags, expected) =>
    inFolder({ 'typo.json': typo }, async (work) => {
      const { stdout, stderr } = await runProgram([...args, ...flags], work, env)
      expect(stdout.includes('\u001b[')).toBe(expected)
      expect(stderr).toBe('')
    }),
  )
})

describe('output', () => {
  // covers: T25
  test('ends quietly when it has no reader, with the code of what was found', () =>
    inFolder({ 'typo.json': typo }, async (work) => {
      const child = spawn(process.execPath, [binary, 'lint', 'typo.json'], { cwd: work, stdio: ['ignore', 'pipe', 'pipe'] })
      child.stdout.destroy()
      let stderr = ''
      child.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      const code = await new Promise((resolve) => child.on('close', resolve))
      expect({ code, stderr }).toEqual({ code: exit.failure, stderr: '' })
    }))

  const hasFull = existsSync('/dev/full')
  const full = () => openSync(hasFull ? '/dev/full' : fileURLToPath(import.meta.url), hasFull ? 'w' : 'r')
  const question = ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:vps-1', '-p', 'good.json']
  test.each([
    [['rules']],
    [['--version']],
    [['--help']],
    [['lint', '--format', 'json', 'good.json']],
    [question],
    [['can', '--batch', 'q.ndjson', '-p', 'good.json']],
  ])('that cannot be written is no good answer: %j', (args) =>
    inFolder({ 'good.json': good, 'q.ndjson': 'x' }, async (work) => {
      const { status, stderr } = spawnSync(process.execPath, [binary, ...args], { cwd: work, stdio: ['ignore', full(), 'pipe'] })
      expect(status).toBe(exit.error)
      expect(stderr.toString()).toMatch(/^grantwise: standard output cannot be written: [a-z ]+ \([A-Z]+\)\n$/)
    }),
  )

  // covers: T25, P3
  test('of what went wrong that cannot be written is no good answer either', () =>
    inFolder({ 'typo.json': typo }, async (work) => {
      const { status, stdout } = spawnSync(process.execPath, [binary, 'lint', 'none.json'], {
        cwd: work,
        stdio: ['ignore', 'pipe', full()],
      })
      expect({ status, stdout: stdout.toString() }).toEqual({ status: exit.error, stdout: '' })
    }))

  // covers: T25, P3
  test.each(['--format=json=/dev/full', '--write-baseline=/dev/full'])('to a device that is full is no good answer: %s', async (option) => {
    if (!hasFull) return
    await inFolder({ 'typo.json': typo }, async (work) => {
      const { stderr, exit } = await runProgram(['lint', option, 'typo.json'], work)
      expect(stderr).toMatch(/\/full: cannot be written: no space left on the device \(ENOSPC\)\n$/)
      expect(exit).toBe(2)
      expect(readdirSync(work)).toEqual(['typo.json'])
    })
  })

  test('to a file whose name is too long says so', () =>
    inFolder({ 'good.json': good }, async (work) => {
      const { stderr, exit } = await runProgram(['lint', '--format', `json=${'x'.repeat(300)}`, 'good.json'], work)
      expect(stderr).toMatch(/^grantwise: x+: cannot be written: the name is too long \(ENAMETOOLONG\)\n$/)
      expect(exit).toBe(2)
    }))

  test('of a long list is whole in a pipe', () =>
    inFolder(
      { 'p.json': JSON.stringify(Array.from({ length: 2000 }, (_, i) => JSON.parse(policy(`p${i}`, `vps:apisvc:no${i}`)))) },
      async (work) => {
        const { stdout, exit } = await runBinary(['lint', '--format', 'json', '--fail-on', 'info', 'p.json'], work)
        expect(exit).toBe(1)
        const { findings, summary } = JSON.parse(stdout)
        expect(findings).toHaveLength(summary.warning + summary.info)
        expect(stdout.length).toBeGreaterThan(500_000)
      },
    ))

  // covers: M53, P5
  test('is the same bytes every time, in any order of arguments, zone and language', () =>
    inFolder({ 'b/typo.json': typo, 'a.json': good, 'c.yaml': typo }, async (work) => {
      const runs = await Promise.all([
        runBinary(['lint', '--format', 'json', 'b', 'a.json', 'c.yaml'], work, { TZ: 'UTC' }),
        runBinary(['lint', '--format', 'json', 'c.yaml', 'a.json', 'b'], work, { TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8' }),
        runBinary(['lint', '--format', 'json', join(work, 'c.yaml'), './a.json', 'b/', 'b/typo.json'], work, { TZ: 'America/St_Johns' }),
        runBinary(['lint', '--format', 'json', '.'], work),
      ])
      for (const run of runs) expect(run).toEqual(runs[0])
      expect(runs[0]?.exit).toBe(exit.failure)
    }))

  test('written to a file is what would have been printed', () =>
    inFolder({ 'typo.json': typo }, async (work) => {
      const printed = await runProgram(['lint', '--format', 'json', 'typo.json'], work)
      const both = await runProgram(['lint', '--format', 'json=out.json', '--format', 'compact', 'typo.json'], work)
      expect(readFileSync(join(work, 'out.json'), 'utf8')).toBe(printed.stdout)
      expect(both.stdout).toMatch(/^typo\.json:1:\d+: warning unknown-action: /)
      const unwritable = await runProgram(['lint', '--format', 'json=no/such/folder.json', 'typo.json'], work)
      expect(unwritable.exit).toBe(exit.error)
    }))
})

// covers: T21
describe('what is written', () => {
  const before = {
    'a.json': typo,
    'b.yml': typo.replace('typo', 'b'),
    'c.txt': good,
    '.grantwise.yaml': 'failOn: error\n',
    'd/e.json': good,
  }
  const refused: readonly (readonly [string, string])[] = [
    ['lint --write-baseline a.json b.yml', 'grantwise: --write-baseline: a.json: contains policies, and is not overwritten'],
    ['lint --write-baseline ./b.yml b.yml', 'grantwise: --write-baseline: b.yml: is an input, and is not overwritten'],
    ['lint --format json=a.json .', 'grantwise: --format json: a.json: is an input, and is not overwritten'],
    ['lint --fix --format json=a.json .', 'grantwise: --format json: a.json: is an input, and is not overwritten'],
    ['lint --format json=hard.json d', 'grantwise: --format json: hard.json: is an input, and is not overwritten'],
    ['lint --format json=c.txt .', 'grantwise: --format json: c.txt: contains policies, and is not overwritten'],
    ['lint --format json=link.json d', 'grantwise: --format json: link.json: a symbolic link, which is never written to'],
    ['lint --format json=loose.json d', 'grantwise: --format json: loose.json: a symbolic link, which is never written to'],
    ['lint --format json=d d', 'grantwise: --format json: d: a folder, expected a file'],
    ['lint --format json=.grantwise.yaml d', 'grantwise: --format json: .grantwise.yaml: a file of grantwise itself'],
    ['lint --format json=x --format sarif=d/../x .', 'grantwise: --format sarif: x: --format json writes to the same file'],
    ['lint --format json=x --write-baseline x .', 'grantwise: --write-baseline: x: --format json writes to the same file'],
    ['lint --format json=x --write-baseline way/x d', 'grantwise: --write-baseline: way/x: --format json writes to the same file'],
  ]
  test.concurrent.each(refused)('%s is refused before anything is written', (line, message) =>
    inFolder(before, async (work) => {
      symlinkSync('a.json', join(work, 'link.json'))
      symlinkSync('nowhere', join(work, 'loose.json'))
      symlinkSync('.', join(work, 'way'))
      linkSync(join(work, 'd/e.json'), join(work, 'hard.json'))
      const names = readdirSync(work)
      const { stdout, stderr, exit } = await runProgram(line.split(' '), work)
      expect({ stdout, message: stderr.split('\n')[0], exit }).toEqual({ stdout: '', message, exit: 2 })
      for (const [name, text] of Object.entries(before)) expect(readFileSync(join(work, name), 'utf8')).toBe(text)
      expect(readdirSync(work)).toEqual(names)
    }),
  )

  test('may take the place of an older report or baseline, in any format', () =>
    inFolder({ 'typo.json': typo }, async (work) => {
      const formats = ['pretty', 'compact', 'json', 'ndjson', 'sarif', 'github', 'gitlab', 'junit', 'checkstyle', 'markdown', 'agent']
      const args = [...formats.flatMap((format) => ['--format', `${format}=${format}.json`, '--format', `${format}=${format}.txt`])]
      for (const extra of [[], ['--write-baseline', 'known.json'], ['--write-baseline', 'known.json']]) {
        const { stderr, exit } = await runProgram(['lint', ...args, ...extra, 'typo.json'], work)
        if (extra.length > 0) expect(exit).toBe(0)
        else expect({ stderr, exit }).toEqual({ stderr: '', exit: 1 })
      }
      expect(readdirSync(work)).toHaveLength(2 * formats.length + 2)
    }))

  test('may be a device', async () => {
    if (!existsSync('/dev/null')) return
    await inFolder({ 'good.json': good }, async (work) => {
      expect(await runProgram(['lint', '--format', 'json=/dev/null', 'good.json'], work)).toEqual({ stdout: '', stderr: '', exit: 0 })
      expect(statSync('/dev/null').isFile()).toBe(false)
    })
  })
})

describe('can --batch', () => {
  const names = '"identity":"urn:v1:eu:identity:user:ab12-svc/ann","action":"vps:apisvc:reboot","resource":"urn:v1:eu:resource:vps:vps-1"'
  const bad = (error: unknown) => ({ id: null, line: 1, error })
  const twice = (key: string) => bad(expect.stringMatching(`^the key \`${key}\` is given twice`))
  const altered = bad('`id` holds a number that would not come back as it is: write it as a text')
  const lines: readonly (readonly [string, object])[] = [
    [`{"id":1,${names},"action":"vps:apisvc:get"}`, twice('action')],
    [`{"id":1,"\\u0069d" : 2,${names}}`, twice('id')],
    [`{"id":1,${names},"tags":{"a":"1","a" :"2"}}`, twice('a')],
    [`{"id":{"x":1,"x":2},${names}}`, twice('x')],
    [`{"id":9007199254740993,${names}}`, altered],
    [`{"id":1e400,${names}}`, altered],
    [`{"id":[{"x":0.12345678901234567890}],${names}}`, altered],
    [`{"id":{"x":[1.5,"9007199254740993"]},${names}}`, { id: { x: [1.5, '9007199254740993'] }, verdict: 'allow' }],
    [`{"id":"a\\":b",${names},"tags":{"k":"\\":\\":"}}`, { id: 'a":b', verdict: 'allow' }],
    [`{"id":9007199254740991,${names}}`, { id: 9007199254740991, verdict: 'allow' }],
  ]
  test.concurrent.each(lines)('%s', (line, answer) =>
    inFolder({ 'p.json': good, 'q.ndjson': line }, async (work) => {
      const { stdout, exit } = await runProgram(['can', '--batch', 'q.ndjson', '-p', 'p.json'], work)
      expect(JSON.parse(stdout)).toMatchObject(answer)
      expect(exit).toBe('error' in answer ? 2 : 0)
    }),
  )

  test('gives no answer when the reader is gone', () =>
    inFolder({ 'p.json': good, 'q.ndjson': `{${names}}\n`.repeat(20_000) }, async (work) => {
      const child = spawn(process.execPath, [binary, 'can', '--batch', 'q.ndjson', '-p', 'p.json'], { cwd: work })
      child.stdout.once('data', () => child.stdout.destroy())
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(exit.error)
    }))

  // More than is answered before further threads are started, with bad lines among them, and one without an end.
  const many = Array.from({ length: 40_000 }, (_, i) => (i % 9973 === 9972 ? `{"id":${i}` : `{"id":${i},${names},"expect":"allow"}`)).join(
    '\n',
  )

  test('gives the same answers however many threads share them', () =>
    inFolder({ 'p.json': good, 'q.ndjson': many }, async (work) => {
      const [alone, shared] = await Promise.all(
        ['1', '3'].map((jobs) => runBinary(['can', '--batch', 'q.ndjson', '-p', 'p.json', '--jobs', jobs], work)),
      )
      expect(shared).toEqual(alone)
      expect(alone?.exit).toBe(2)
      const answers =
        alone?.stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)) ?? []
      expect(answers).toHaveLength(40_000)
      for (const [i, answer] of answers.entries()) {
        if (i % 9973 === 9972) expect(answer).toMatchObject({ id: null, line: i + 1, error: expect.stringContaining('not JSON') })
        else if (answer.id !== i || answer.expected !== true) throw new Error(`line ${i + 1}: ${JSON.stringify(answer)}`)
      }
    }))

  const org = `resource "svc_iam_policy" "org" {
  name       = "org"
  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = ["vps:apisvc:reboot"]
}
`

  test('gives the same answers over a configuration of Terraform, whatever threads are asked for', () =>
    inFolder({ 'main.tf': org, 'q.ndjson': many }, async (work) => {
      const [alone, shared] = await Promise.all(
        ['1', '2'].map((jobs) => runBinary(['can', '--batch', 'q.ndjson', '-p', 'main.tf', '--jobs', jobs, '--format', 'compact'], work)),
      )
      expect(alone?.stdout).toMatch(/^0 allow/)
      expect(shared).toEqual(alone)
    }))

  test('ends when the reader is gone while threads work', () =>
    inFolder({ 'p.json': good, 'q.ndjson': `${many}\n`.repeat(4) }, async (work) => {
      const child = spawn(process.execPath, [binary, 'can', '--batch', 'q.ndjson', '-p', 'p.json', '--jobs', '2'], { cwd: work })
      let size = 0
      child.stdout.on('data', (chunk) => {
        size += chunk.length
        if (size > 8_000_000) child.stdout.destroy()
      })
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(exit.error)
    }))

  test('reads lines that end anywhere in what comes, in letters of any width', () =>
    inFolder({ 'p.json': good }, async (work) => {
      const child = spawn(process.execPath, [binary, 'can', '--batch', '-', '-p', 'p.json'], { cwd: work })
      const bytes = Buffer.from(
        [`{"id":"é𝄞",${names}}`, '', `{"id":2,${names}}\r`, `{"id":"${'x'.repeat(1 << 20)}"}`, `{"id":3,${names}}`].join('\n'),
      )
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
      })
      for (let from = 0; from < bytes.length; from += from < 400 ? 7 : 50_000) {
        child.stdin.write(bytes.subarray(from, from + (from < 400 ? 7 : 50_000)))
        await new Promise((resolve) => setImmediate(resolve))
      }
      child.stdin.end()
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(exit.error)
      expect(
        output
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toMatchObject([
        { id: 'é𝄞', verdict: 'allow' },
        { id: 2, verdict: 'allow' },
        { id: null, line: 4, error: 'longer than 1048576 bytes: the line is not read' },
        { id: 3, verdict: 'allow' },
      ])
    }))

  test('answers a question before the next one is asked', () =>
    inFolder({ 'p.json': good }, async (work) => {
      const child = spawn(process.execPath, [binary, 'can', '--batch', '-', '-p', 'p.json'], { cwd: work })
      const ids: number[] = []
      child.stdout.on('data', (chunk) => {
        ids.push(JSON.parse(String(chunk)).id)
        if (ids.length < 3) child.stdin.write(`{"id":${ids.length},${names}}\n`)
        else child.stdin.end()
      })
      child.stdin.write(`{"id":0,${names}}\n`)
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(exit.success)
      expect(ids).toEqual([0, 1, 2])
    }))

  test.each(['-', '/dev/stdin'])('answers what threads share before more is asked, from %s', (from) =>
    inFolder({ 'p.json': good }, async (work) => {
      // `cat`: what Node hands to a child is no pipe that can be opened by name.
      const line = `cat | ${process.execPath} ${binary} can --batch ${from} -p p.json --jobs 3 --format compact`
      const child = spawn('sh', ['-c', line], { cwd: work })
      // Nothing more is asked until all of it is answered.
      const asked = [`{${names}}\n`.repeat(40_000), ...Array(300).fill(`{${names}}\n`)]
      let open = 0
      const ask = () => {
        const questions = asked.shift()
        if (questions === undefined) return void child.stdin.end()
        open += questions.length / `{${names}}\n`.length
        child.stdin.write(questions)
      }
      child.stdout.on('data', (chunk: Buffer) => {
        open -= String(chunk).split('\n').length - 1
        if (open === 0) ask()
      })
      ask()
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(exit.success)
      expect([open, asked.length]).toEqual([0, 0])
    }),
  )
})

// covers: T21, T23, T24, M42, P6
describe('names and texts made to harm', () => {
  const name = 'x\u001b[31m\n::error::pwn ##[group] ##vso[task] \u009b\u202e.json'
  const text = policy('p\u001b]0;x\u0007\u202e ##[error] ##VSO[task]\n::warning::x', 'vps:apisvc:rebooot')
  const colon = '::error file=x::y.json'
  test.concurrent.each(['pretty', 'compact', 'json', 'ndjson'])('%s', (format) =>
    inFolder({ [name]: text, [colon]: text }, async (work) => {
      const { stdout, stderr, exit } = await runProgram(
        ['lint', '--format', format, '.', `missing\n::error::\u001b[1m ##[x].json`, '::debug::z'],
        work,
      )
      expect(exit).toBe(2)
      for (const output of [stdout, stderr]) {
        expect(output).not.toMatch(/[^\P{C}\n]/u)
        expect(output).not.toMatch(/^\s*::/m)
        expect(output).not.toMatch(/##(vso)?\[/i)
      }
      if (format !== 'json') return
      const files = JSON.parse(stdout).findings.map((finding: { file: string }) => finding.file)
      expect(new Set(files)).toEqual(new Set([name, colon]))
    }),
  )

  const asked = ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:vps-1', '-p', '.']
  test.concurrent.each([
    [['lint']],
    [['lint', '--format', 'pretty']],
    [['lint', '--format', 'agent']],
    [['lint', '--format', 'markdown']],
    [['lint', '--fix-dry-run', '--fix-level', 'suggested']],
    [['lint', '--list-files']],
    [[...asked, '--explain']],
    [[...asked, '--tag', '::error::k=##[error]x', '--format', 'compact']],
    [['can', '::error::a', '##[error]b', '\n::error::c']],
  ])('give a build server no command in its log: %j', (args) => {
    const written = `name: "p\\n::error::pwn ##[error]"
description: |
  ::error::in a block
  ##[error]x ##vso[task.x]
  ::stop-commands::x
identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
resources: [{urn: "urn:v1:eu:resource:vps:vps-1"}]
permissions: {allow: [{action: vps:apisvc:rebooot}, {action: vps:apisvc:get}]}
conditions: {operator: MATCH, values: {"resource.Tag(::error::x)": "\\n::error::"}}
`
    return inFolder({ '::error file=x::y\n::warning::##[group]z.yaml': written }, async (work) => {
      const { stdout, stderr } = await runProgram(args, work, { GITHUB_ACTIONS: 'true', CI: 'true' })
      expect(stdout + stderr).not.toBe('')
      expect(`${stdout}\n${stderr}`).not.toMatch(/^\s*::|##(vso)?\[/im)
    })
  })
})

// covers: T21
test('a file whose name is an option is no option: it is refused until it is named otherwise', () =>
  inFolder(
    { 'good.json': good, '--config=c.yaml': '', '-pgood.json': '', 'c.yaml': 'rules: { individual-user: error }\n' },
    async (work) => {
      const refused = (name: string) => ({
        stdout: '',
        stderr: `grantwise: \`${name}\` is the name of a file here, and would be read as an option\n  help: rename the file, or write \`./${name}\` where it is meant\n`,
        exit: 2,
      })
      for (const [args, name] of [
        [['lint', '--config=c.yaml', 'good.json'], '--config=c.yaml'],
        [['lint', '--changed', 'good.json', '--config=c.yaml'], '--config=c.yaml'],
        [['fmt', '--if-policy', '--config=c.yaml', 'good.json'], '--config=c.yaml'],
        [['what', 'user/ann', '-pgood.json'], '-pgood.json'],
      ] as const) {
        const { stdout, stderr, exit } = await runProgram(args, work)
        expect({ stdout, stderr, exit }, args.join(' ')).toEqual(refused(name))
      }
      expect((await runProgram(['lint', '--config', 'c.yaml', 'good.json'], work)).exit).toBe(1)
      expect((await runProgram(['lint', '--', 'good.json', '--config=c.yaml'], work)).stdout).toContain('--config=c.yaml:1:1')
      rmSync(join(work, '--config=c.yaml'))
      expect((await runProgram(['lint', '--config=c.yaml', 'good.json'], work)).exit).toBe(1)
    },
  ))

test('a file or folder whose name is not UTF-8 is reported, and never passed over', () =>
  inFolder({ 'good.json': good }, async (work) => {
    const odd = (name: string) => Buffer.concat([Buffer.from(`${work}/${name}`), Buffer.from([0xff])])
    try {
      writeFileSync(Buffer.concat([odd('a'), Buffer.from('.json')]), good)
      mkdirSync(odd('d'))
      writeFileSync(odd('notes.txt'), '')
    } catch {
      // There are file systems that have no such names.
      return
    }
    const why = 'the name is not UTF-8, and cannot be opened: rename it'
    const { stdout, stderr, exit } = await runProgram(['lint', '--format', 'compact', '.'], work)
    expect({ stdout, stderr, exit }).toEqual({
      stdout: '',
      stderr: `grantwise: a\ufffd.json: ${why}\ngrantwise: d\ufffd: ${why}\n`,
      exit: 2,
    })
    expect((await runProgram(['lint', 'a\ufffd.json'], work)).stderr).toBe(`grantwise: a\ufffd.json: no such file or folder, or ${why}\n`)
    writeFileSync(join(work, 'b\ufffd.json'), good)
    expect((await runProgram(['lint', 'b\ufffd.json'], work)).exit).toBe(0)
  }))

// covers: T7, P4
describe('limits', () => {
  test('10,000 files are read, one more is not', () =>
    inFolder(Object.fromEntries(Array.from({ length: 9_999 }, (_, i) => [`many/n${i}.json`, '{}'])), async (work) => {
      writeFileSync(join(work, 'many/policy.json'), good)
      expect(await runProgram(['lint', 'many'], work)).toEqual({ stdout: '', stderr: '', exit: 0 })
      writeFileSync(join(work, 'many/one-more.json'), '{}')
      const stderr = 'grantwise: more than 10000 files to read: name fewer folders, or narrower ones\n'
      expect(await runProgram(['lint', 'many'], work)).toEqual({ stdout: '', stderr, exit: 2 })
    }))

  test('64 MiB in all are read, and no more', () =>
    inFolder({ 'a.json': good }, async (work) => {
      for (let i = 0; i < 9; i++) writeFileSync(join(work, `big${i}.json`), ' '.repeat(8 * 2 ** 20))
      const { stderr, exit } = await runProgram(['lint', '.'], work)
      expect(stderr).toBe('grantwise: big7.json: more than 64 MiB in all: this file and those after it are not read\n')
      expect(exit).toBe(2)
    }))

  test('32 folders deep are searched, and no more', () =>
    inFolder({ [`${'d/'.repeat(32)}p.json`]: good, [`x/${'d/'.repeat(31)}p.json`]: typo }, async (work) => {
      expect((await runProgram(['lint', 'd'], work)).exit).toBe(0)
      expect((await runProgram(['lint', '.'], work)).exit).toBe(1)
      writeFileSync(join(work, 'more.json'), good)
      mkdirSync(join(work, 'd/'.repeat(33)))
      const { stderr, exit } = await runProgram(['lint', '.'], work)
      expect(stderr).toBe(`grantwise: ${'d/'.repeat(32)}d: more than 32 folders deep\n`)
      expect(exit).toBe(2)
    }))
})

// covers: P7
describe("under node's own permissions", () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const permission = Number(process.versions.node.split('.')[0]) >= 24 ? '--permission' : '--experimental-permission'
  const run = (work: string, readable: string, ...args: string[]) => {
    const flags = [permission, '--no-warnings', `--allow-fs-read=${root}*`, `--allow-fs-read=${join(work, readable)}`]
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, binary, ...args], { cwd: work })
    return { stdout: stdout.toString(), stderr: stderr.toString(), status }
  }

  test('lint and can need none but to read', () =>
    inFolder({ 'p/typo.json': typo, 'p/more.yaml': good.replace('good', 'more') }, async (work) => {
      expect(run(work, '*', 'lint', 'p').status).toBe(exit.failure)
      const question = ['urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:vps-1']
      expect(run(work, '*', 'can', ...question, '-p', 'p').status).toBe(exit.success)
    }))

  // covers: P9
  test('a closed file or folder is reported, and the rest is linted', () =>
    inFolder({ 'closed.json': good, 'shut/p.json': good, 'typo.json': typo }, async (work) => {
      const { stdout, stderr, status } = run(work, 'typo.json', 'lint', 'closed.json', 'shut', 'typo.json')
      expect(stdout).toMatch(/^typo\.json:1:\d+: warning unknown-action: [^\n]+\n$/)
      expect(stderr).toBe('grantwise: closed.json: permission denied\ngrantwise: shut: permission denied\n')
      expect(status).toBe(exit.error)
    }))
})

// covers: T25, P3
describe('a fault of the program', () => {
  const io = (change: Partial<Io>): { io: Io; stdout: string[]; stderr: string[] } => {
    const stdout: string[] = []
    const stderr: string[] = []
    const sink = (lines: string[]) => ({ write: (text: string) => lines.push(text) > 0, isTerminal: () => false })
    const stdin = async function* () {}
    return { stdout, stderr, io: { stdin, stdout: sink(stdout), stderr: sink(stderr), env: {}, cwd: '/', now: () => 0, ...change } }
  }
  const boom = () => {
    throw new TypeError('boom\n::error::\u001b[31m')
  }

  test('is one line and no answer', async () => {
    const world = io({ now: boom })
    expect(await main(['lint', '.'], world.io)).toBe(exit.error)
    expect(world.stderr).toEqual(['grantwise: internal error: boom\\u{a}::error::\\u{1b}[31m\n'])
    expect(world.stdout).toEqual([])
  })

  test('shows where it happened when asked', async () => {
    const world = io({ now: boom, env: { GRANTWISE_DEBUG: '1' } })
    expect(await main(['lint', '.'], world.io)).toBe(exit.error)
    expect(world.stderr.join('')).toMatch(/\n {4}at /)
  })

  test('in any part that a command is handed ends with 2', () =>
    inFolder({ 'good.json': good }, async (work) => {
      const stdin = async function* (): AsyncIterable<Uint8Array> {
        yield Buffer.from('{')
        throw new Error('gone')
      }
      const sink = { write: boom, isTerminal: () => false }
      const broken: readonly (readonly [Partial<Io>, readonly string[]])[] = [
        [{ stdin }, ['lint', '-']],
        [{ stdout: sink }, ['lint', '--format', 'json', 'good.json']],
        [{ stdout: { write: () => true, isTerminal: boom } }, ['lint', 'good.json']],
        [{ now: boom }, ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:vps-1']],
      ]
      for (const [change, args] of broken) expect(await main(args, io({ cwd: work, ...change }).io)).toBe(exit.error)
      expect(await main(['lint', 'good.json'], io({ cwd: work }).io)).toBe(exit.success)
    }))
})

// covers: T22
test('a folder that leads to itself is searched once', () =>
  inFolder({ 'p/typo.json': typo }, async (work) => {
    symlinkSync('..', join(work, 'p/loop'))
    const { stdout } = await runProgram(['lint', '--format', 'json', '.'], work)
    expect(JSON.parse(stdout).files).toBe(1)
  }))
