import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { ioIn } from '../support/in-process.ts'
import { changed, crossing, endingOf, type File, faultsOf, type Style, styles, triple } from '../support/merging.ts'
import { binary, runProgram } from '../support/scenario.ts'

const folders: string[] = []
afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })))

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  folders.push(folder)
  return folder
}

const env = { PATH: process.env.PATH ?? '' }

/** A repository in which git asks the built program, as `init --merge-driver` sets it up. */
function repository() {
  const folder = newFolder()
  const driver = `${process.execPath} ${binary} merge-driver --marker-size %L -- %O %A %B %P`
  const settings = ['user.name=t', 'user.email=t@example.org', 'commit.gpgsign=false', `merge.grantwise.driver=${driver}`]
  const git = (...args: readonly string[]) =>
    spawnSync('git', [...settings.flatMap((each) => ['-c', each]), ...args], { cwd: folder, encoding: 'utf8' })
  const put = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    git('add', '-A')
    git('commit', '-q', '--allow-empty', '-m', 'change')
  }
  git('init', '-qb', 'main')
  put({ '.gitattributes': '* merge=grantwise\n' })
  return { folder, git, put }
}

const ways = {
  merge: ['merge', 'two', '-m', 'both'],
  rebase: ['rebase', 'two'],
  'cherry-pick': ['cherry-pick', 'two'],
} as const

test('generated edits, through git itself: nothing is lost, nothing new is granted, and nothing crashes', {
  timeout: 3_600_000,
}, async () => {
  const kinds = Object.keys(styles) as Style[]
  const names = Object.keys(ways) as (keyof typeof ways)[]
  const cases = fc.sample(fc.oneof({ weight: 3, arbitrary: triple }, { weight: 1, arbitrary: crossing }), {
    numRuns: counted(effort(2_000, 340)),
    seed: 36,
  })
  const perMerge = Math.min(40, Math.ceil(cases.length / names.length))
  const counts = { merged: 0, conflict: 0 }
  for (let i = 0; i * perMerge < cases.length; i++) {
    const way = names[i % names.length] as keyof typeof ways
    const { folder, git, put } = repository()
    const files = cases.slice(i * perMerge, (i + 1) * perMerge).map(([base, one, two], j) => {
      const style = kinds[(i + j) % kinds.length] as Style
      const versions = [base, changed(base, one), changed(base, two)] as [File, File, File]
      return { name: `${j} é.${endingOf(style)}`, style, versions, texts: versions.map(styles[style]) as [string, string, string] }
    })
    const at = (version: 0 | 1 | 2) => Object.fromEntries(files.map(({ name, texts }) => [name, texts[version]]))
    put(at(0))
    git('switch', '-qc', 'two')
    put(at(2))
    git('switch', '-qc', 'one', 'main')
    put(at(1))
    const { stdout, stderr, status } = git(...ways[way])
    const unmerged = git('-c', 'core.quotePath=false', 'ls-files', '-u').stdout
    expect([way, status, stderr]).toEqual([way, unmerged === '' ? 0 : 1, expect.not.stringMatching(/internal error|\n {4}at /)])
    for (const { name, style, versions, texts } of files) {
      const text = readFileSync(join(folder, name), 'utf8')
      const isConflict = unmerged.includes(`\t${name}\n`)
      counts[isConflict ? 'conflict' : 'merged']++
      // git answers itself where only one side changed the file.
      const isDriven = new Set(texts).size === 3
      expect([texts, isConflict && text.match(/^[<=>]{7}(?: .*)?$/gm)?.length]).toEqual([
        texts,
        isConflict && expect.toSatisfy((n) => n > 0 && n % 3 === 0),
      ])
      expect([texts, stdout + stderr]).toEqual([
        texts,
        isConflict ? expect.stringContaining(`grantwise: ${name}: conflict: `) : expect.not.stringContaining(`grantwise: ${name}: `),
      ])
      expect([texts, isConflict && !isDriven]).toEqual([texts, false])
      if (isConflict) {
        // Both sides' lines are there, to choose from.
        const lines = new Set(text.split('\n'))
        const [base, ...sides] = texts.map((each) => each.split('\n'))
        for (const side of sides) expect(side.filter((line) => !base?.includes(line) && !lines.has(line))).toEqual([])
      } else expect([texts, text, await faultsOf(text, versions, style)]).toEqual([texts, text, []])
    }
  }
  expect(Math.min(counts.merged, counts.conflict)).toBeGreaterThan(0)
})

test('generated edits: the driver and `diff --merge` agree where both see the same merge', { timeout: 3_600_000 }, async () => {
  const counts = { none: 0, together: 0 }
  for (const [base, one, two] of fc.sample(fc.oneof(triple, crossing), { numRuns: effort(400, 30), seed: 7 })) {
    const [b, o, t] = [base, changed(base, one), changed(base, two)].map(styles.yaml) as [string, string, string]
    const { text, stderr, folder } = await drive(b, o, t)
    const paths = Object.entries({ 'b.yaml': b, 'o.yaml': o, 't.yaml': t }).map(([name, content]) => {
      writeFileSync(join(folder, name), content)
      return name
    })
    const lines = spawnSync('git', ['merge-file', '-p', 'o.yaml', 'b.yaml', 't.yaml'], { cwd: folder, encoding: 'utf8' })
    const isSame = lines.status === 0 && (lines.stdout === text || stderr.includes('both sides together'))
    if (!isSame) continue
    const { stdout } = await runProgram(['diff', '--merge', '--no-config', '--format', 'json', ...paths], folder, env)
    const { verdict } = JSON.parse(stdout)
    expect([b, o, t, verdict]).toEqual([b, o, t, stderr === '' ? 'none' : 'together'])
    counts[verdict as keyof typeof counts]++
  }
  expect(Math.min(counts.none, counts.together)).toBeGreaterThan(0)
})

const header = ['name: ops', 'identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]', 'resources: [{ urn: "urn:v1:eu:resource:vps:*" }]']
const policy = (allow: readonly string[], deny: readonly string[] = []) =>
  [
    ...header,
    'permissions:',
    '  deny:',
    ...deny.map((action) => `    - action: vps:apisvc:${action}`),
    '  # Below are the allows.',
    '  allow:',
    ...allow.map((action) => `    - action: vps:apisvc:${action}`),
    '',
  ].join('\n')

/** A policy as a resource with some more lines. */
const resource = (...lines: readonly string[]) =>
  [
    'resource "svc_iam_policy" "ops" {',
    '  name       = "ops"',
    '  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]',
    '  resources  = ["urn:v1:eu:resource:vps:*"]',
    ...lines.map((line) => `  ${line}`),
    '}',
    '',
  ].join('\n')

/** The driver on three texts: what it makes of ours, what it says, and its exit code. */
async function drive(
  base: string | Buffer,
  ours: string | Buffer,
  theirs: string | Buffer,
  name = 'p.yaml',
  ...options: readonly string[]
) {
  const folder = newFolder()
  for (const [file, content] of Object.entries({ base, ours, theirs })) writeFileSync(join(folder, file), content)
  const { stderr, exit } = await runProgram(['merge-driver', ...options, '--', 'base', 'ours', 'theirs', name], folder, env)
  return { text: readFileSync(join(folder, 'ours'), 'utf8'), stderr, exit, folder }
}

describe('a merge that lines get wrong', () => {
  const versions = [
    policy(['get'], ['start', 'terminate']),
    policy(['get', 'terminate'], ['start', 'terminate']),
    policy(['get'], ['start']),
  ] as const

  test('is a conflict that names the access', async () => {
    const { text, stderr, exit, folder } = await drive(...versions)
    expect([exit, stderr]).toEqual([
      1,
      'grantwise: p.yaml: conflict: both sides together would grant what neither does by itself: user/ann may vps:apisvc:terminate on vps:*\n',
    ])
    expect(text.match(/^[<=>]{7}.*$/gm)).toEqual(['<<<<<<< ours', '=======', '>>>>>>> theirs'])
    // Git merges the same lines without one, and `diff --merge` reports what that grants.
    for (const [i, name] of ['base.yaml', 'one.yaml', 'two.yaml'].entries()) writeFileSync(join(folder, name), versions[i] as string)
    expect(spawnSync('git', ['merge-file', '-p', 'one.yaml', 'base.yaml', 'two.yaml'], { cwd: folder }).status).toBe(0)
    const merge = await runProgram(['diff', '--merge', '--no-config', 'base.yaml', 'one.yaml', 'two.yaml'], folder, env)
    expect([merge.exit, merge.stdout]).toEqual([1, expect.stringContaining('vps:apisvc:terminate')])
  })
})

test('a comparison that is given up is a conflict, which says that it is not decided', async () => {
  const one = (name: string, permissions: string) =>
    `- {name: ${name}, identities: ["urn:v1:eu:identity:user:ab12-svc/ann"], resources: [{urn: "urn:v1:eu:resource:vps:*"}], permissions: {${permissions}}}\n`
  const guard = one('guard', 'deny: [{action: "vps:apisvc:*Zo*Zp*"}, {action: "vps:apisvc:*Zp*Zo*"}]')
  const parts = [...'abcdefghijklmnop'].map((letter) =>
    one(letter, `allow: [{action: "vps:apisvc:*"}], except: [{action: "vps:apisvc:*Z${letter}*"}]`),
  )
  const wide = one('wide', 'allow: [{action: "vps:apisvc:*"}]')
  const { text, stderr, exit } = await drive(guard, [guard, ...parts].join(''), `${wide}${guard}`)
  expect([exit, stderr]).toEqual([
    1,
    'grantwise: p.yaml: conflict: it is not decided whether both sides together grant what neither does by itself\n',
  ])
  expect(text.match(/^[<=>]{7}.*$/gm)).toEqual(['<<<<<<< ours', '=======', '>>>>>>> theirs'])
})

test('a fault of the program ends it with an error, and ours stays', async () => {
  const folder = newFolder()
  const versions = { base: policy(['get']), ours: policy(['get', 'start']), theirs: policy(['get', 'stop']) }
  for (const [file, content] of Object.entries(versions)) writeFileSync(join(folder, file), content)
  // The first git that is started reads a setting, and the second one merges lines.
  let started = 0
  const { io, out } = ioIn(folder, {
    get PATH() {
      if (++started === 2) throw new TypeError('boom')
      return env.PATH
    },
  })
  expect(await main(['merge-driver', 'base', 'ours', 'theirs', 'p.yaml'], io)).toBe(2)
  expect(out).toEqual({ stdout: '', stderr: 'grantwise: internal error: boom\n' })
  expect(readFileSync(join(folder, 'ours'), 'utf8')).toBe(versions.ours)
})

describe('the layout', () => {
  const [base, ours, theirs] = [policy(['get']), policy(['get', 'start']), policy(['get', 'stop # nightly'])]
  const both = policy(['get', 'start', 'stop # nightly'])
  const crlf = (text: string) => text.replaceAll('\n', '\r\n')
  test.each([
    ['as it is', base, ours, theirs, both],
    ['CRLF on all sides', crlf(base), crlf(ours), crlf(theirs), crlf(both)],
    ['CRLF that one side introduces', base, crlf(ours), theirs, crlf(both)],
    ['no line break at the end', base, ours.trimEnd(), theirs, both.trimEnd()],
    ['a mark', base, ours, `\ufeff${theirs}`, `\ufeff${both}`],
  ])('%s', async (_, ...[base, ours, theirs, expected]) => {
    expect(await drive(base, ours, theirs)).toMatchObject({ text: expected, stderr: '', exit: 0 })
  })
  test('the permissions of the file stay', async () => {
    const folder = newFolder()
    for (const [file, content] of Object.entries({ base, ours, theirs })) writeFileSync(join(folder, file), content)
    chmodSync(join(folder, 'ours'), 0o755)
    await runProgram(['merge-driver', 'base', 'ours', 'theirs', 'p.yaml'], folder, env)
    expect(statSync(join(folder, 'ours')).mode & 0o777).toBe(0o755)
  })
})

describe('left to git', () => {
  test.each([
    ['{"a": 1}\n', '{"a": 2}\n', '{"a": 1, "b": 2}\n', 'p.json', 1, 'no policy here: git merged its lines, with conflicts'],
    [
      'a\nb\nc\nd\n',
      'x\nb\nc\nd\n',
      'a\nb\nc\ny\n',
      'p.txt',
      0,
      'only policies in JSON, YAML and HCL are merged by what they say: git merged its lines',
    ],
    ['a = 1\nb = 1\n', 'a = 2\nb = 1\n', 'a = 1\nb = 2\n', 'p.tf', 1, 'it holds no policy: git merged its lines, with conflicts'],
    [
      resource('allow = local.verbs'),
      resource('allow = concat(local.verbs, ["vps:apisvc:get"])'),
      resource('allow = [for verb in local.verbs : verb]'),
      'main.tf',
      1,
      'both sides change `svc_iam_policy.ops › allow`, which is not literal: git merged its lines, with conflicts',
    ],
    [
      policy(['get']),
      policy(['get', 'start']).replace('identities: ', 'identities: &team '),
      policy(['get', 'stop']),
      'p.yaml',
      1,
      'p.yaml: `&team` sets an anchor, and anchors are not read',
    ],
    ['name: [', 'name: [a', 'name: [', 'p.yaml', 0, ''],
    [
      Buffer.from('a\xff\nb\nc\n', 'latin1'),
      Buffer.from('a\xff\nb\nd\n', 'latin1'),
      Buffer.from('x\xff\nb\nc\n', 'latin1'),
      'p.yaml',
      0,
      'it is not UTF-8',
    ],
    [Buffer.from('a\0'), Buffer.from('b\0'), Buffer.from('c\0'), 'p.yaml', 1, 'git does not merge it, either: ours stays, with a conflict'],
    ['#'.repeat(2 ** 20 + 1), 'a\n', 'a\n', 'p.yaml', 0, 'longer than 1048576 bytes'],
  ])('%#', async (base, ours, theirs, name, code, words) => {
    const { stderr, exit } = await drive(base, ours, theirs, name)
    expect([exit, stderr]).toEqual([code, expect.stringContaining(words)])
  })
})

test('markers have the size and the style that git asks for', async () => {
  const { folder, git } = repository()
  git('config', 'merge.conflictStyle', 'diff3')
  mkdirSync(join(folder, 'x'))
  const condition = (env: string) => `${policy(['get'])}conditions: { operator: MATCH, values: { "resource.Tag(env)": ${env} } }\n`
  for (const [name, text] of Object.entries({ base: 'dev', ours: 'test', theirs: 'prod' }))
    writeFileSync(join(folder, 'x', name), condition(text))
  const { stderr, exit } = await runProgram(['merge-driver', '--marker-size', '9', 'x/base', 'x/ours', 'x/theirs', 'p.yaml'], folder, env)
  expect([exit, stderr]).toEqual([1, expect.stringContaining('both sides change `conditions`: only with theirs user/ann may')])
  const text = readFileSync(join(folder, 'x/ours'), 'utf8')
  expect(text.match(/^[<|=>]{9}(?: \w+)?$/gm)).toEqual(['<<<<<<<<< ours', '||||||||| base', '=========', '>>>>>>>>> theirs'])
})

describe('init --merge-driver', () => {
  test('adds the lines that are missing, and prints what each clone runs', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, '.grantwise.yaml'), 'policies: [policies/, "more files/*.json"]\n')
    writeFileSync(join(folder, '.gitattributes'), '*.png binary\npolicies/**/*.json merge=grantwise')
    const { stdout, exit } = await runProgram(['init', '--merge-driver'], folder, env)
    expect([exit, stdout]).toEqual([0, expect.stringContaining('git config merge.grantwise.driver')])
    const lines = [
      '*.png binary',
      'policies/**/*.json merge=grantwise',
      'policies/**/*.yaml merge=grantwise',
      'policies/**/*.yml merge=grantwise',
      '"more files/*.json" merge=grantwise',
      '',
    ]
    expect(readFileSync(join(folder, '.gitattributes'), 'utf8').split('\n')).toEqual(lines)
    expect(existsSync(join(folder, 'policies'))).toBe(false)
    // Configurations are listed where they declare policies.
    mkdirSync(join(folder, 'policies/modules'), { recursive: true })
    writeFileSync(join(folder, 'policies/main.tf'), 'module "team" { source = "./modules" }\n')
    expect((await runProgram(['init', '--merge-driver', '--diff'], folder, env)).stdout).toBe('')
    writeFileSync(join(folder, 'policies/modules/main.tf'), resource())
    await runProgram(['init', '--merge-driver'], folder, env)
    expect(readFileSync(join(folder, '.gitattributes'), 'utf8')).toBe(`${lines.join('\n')}policies/**/*.tf merge=grantwise\n`)
    const again = await runProgram(['init', '--merge-driver'], folder, env)
    expect([again.exit, again.stdout]).toEqual([0, expect.stringContaining('nothing is missing')])
  })
})
