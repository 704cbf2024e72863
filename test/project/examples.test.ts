import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { isDeep, some } from '../support/effort.ts'
import { ioIn, mainIn, mainTogether } from '../support/in-process.ts'
import { previewOf } from '../support/notations.ts'
import { cleanUp, prepare, wordsOf } from '../support/scenario.ts'

/**
 * The examples and the documents that quote the program, held to the built binary in a deep run; else commands that need no
 * shell run in this process, which takes a tenth of the time, and what takes seconds is not run. After a change of wording,
 * `UPDATE_EXAMPLES=1 npx vitest run test/project/examples.test.ts` writes the new outputs; then read the difference.
 */

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const binary = join(root, 'bin/grantwise.js')
const isUpdate = process.env.UPDATE_EXAMPLES === '1'

/** A folder for the search path: `grantwise` in it is the built binary, which lints as on a terminal unless an option says otherwise. */
const path = mkdtempSync(join(tmpdir(), 'grantwise-examples-'))
writeFileSync(
  join(path, 'grantwise'),
  `#!/bin/sh
case "$1 $*" in
  lint*--format*) ;;
  lint\\ *) set -- "$@" --format pretty ;;
esac
exec ${JSON.stringify(process.execPath)} ${JSON.stringify(binary)} "$@"
`,
)
chmodSync(join(path, 'grantwise'), 0o755)
afterAll(() => rmSync(path, { recursive: true, force: true }))

interface Outcome {
  readonly output: string
  readonly status: number
}

/** A command of the program that needs no shell, and at most one filter of its output. */
const simple = /^(grantwise (?:'[^']*'|"[^"$`\\]*"|[^'"|;&<>$`*\\])*)(?: \| ([^|;&<>$`\\]*))?$/

const inOneProcess = (command: string) => simple.exec(command.replaceAll(/\\\n\s*/g, ''))

/** Run a command line in a folder: what it writes, errors included, and its exit code. `isInShell`: with the built program in any case. */
async function run(command: string, cwd: string, isInShell = isUpdate): Promise<Outcome> {
  const [, own, filter] = inOneProcess(command) ?? []
  if (isInShell || own === undefined) return shell(command, cwd)
  const [, ...words] = wordsOf(own)
  const args = words[0] === 'lint' && !words.includes('--format') ? [...words, '--format', 'pretty'] : words
  const env = { NO_COLOR: '1' }
  if (filter === undefined) return mainTogether(args, cwd, env)
  const { stdout, stderr } = await mainIn(args, cwd, env)
  const filtered = spawnSync('/bin/sh', ['-c', filter], { cwd, input: stdout, encoding: 'utf8' })
  return { output: stderr + filtered.stdout + filtered.stderr, status: filtered.status ?? 1 }
}

function shell(command: string, cwd: string): Promise<Outcome> {
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${path}:${process.env.PATH}`, NO_COLOR: '1', TZ: 'UTC' }
  delete env.FORCE_COLOR
  return new Promise((done) => {
    execFile('/bin/sh', ['-c', `exec 2>&1\n${command}`], { cwd, env, maxBuffer: 2 ** 24 }, (error, stdout) => {
      done({ output: stdout, status: error ? Number(error.code ?? 1) : 0 })
    })
  })
}

interface Fence {
  /** The words behind the opening fence, such as `console` or `yaml path/of/a/file`. */
  readonly info: string
  readonly body: string
  /** Line of the first line of the body, from 0. */
  readonly line: number
}

function fences(text: string): readonly Fence[] {
  const out: Fence[] = []
  let open: { info: string; line: number; lines: string[] } | undefined
  for (const [i, line] of text.split('\n').entries()) {
    if (open === undefined) {
      if (line.startsWith('```')) open = { info: line.slice(3).trim(), line: i + 1, lines: [] }
    } else if (line === '```') {
      out.push({ info: open.info, line: open.line, body: open.lines.map((each) => `${each}\n`).join('') })
      open = undefined
    } else open.lines.push(line)
  }
  return out
}

/** The anchors of a page's headings, as Git servers make them; a heading that is repeated gets a number. */
function anchorsOf(text: string): readonly string[] {
  const headings = text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)
  const names = [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((each) => each === name).length
    return before === 0 ? name : `${name}-${before}`
  })
}

/** The commands of a console block; one that ends in `\` goes on in the next line. What follows up to the next is output. */
function commandsOf(body: string): readonly { readonly written: string; readonly command: string }[] {
  const out: { written: string; command: string }[] = []
  let goesOn = false
  for (const line of body.split('\n')) {
    const last = out.at(-1)
    if (goesOn && last) last.written += `${line}\n`
    else if (line.startsWith('$ ')) out.push({ written: `${line}\n`, command: '' })
    else continue
    goesOn = line.endsWith('\\')
  }
  return out.map(({ written }) => ({ written, command: written.slice(2, -1) }))
}

/** The commands of an `sh` block without comments; one that ends in `\` goes on in the next line. */
function shellLines(body: string): readonly string[] {
  const lines = body.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines.map((line) => line.replace(/(?:^|\s+)#.*$/, '')).filter((line) => line !== '')
}

/** The folder in which a page says, once and above its first command, that its commands run. */
function folderOf(file: string, text: string): string {
  const named = [
    ...text.matchAll(/Run\s+the\s+commands\s+on\s+this\s+page\s+in\s+(?:(this\s+folder|the\s+root\s+of\s+a\s+clone)\.|\[([\w/-]+)\])/g),
  ]
  const [at, words, link] = named[0] ?? []
  const first = text.search(/```(?:console|sh)\b/)
  if (named.length !== 1 || at === undefined || text.indexOf(at) > first)
    throw new Error(`${file} must say once, above its first command, in which folder its commands run`)
  return words?.startsWith('this') ? dirname(file) : resolve(root, link ?? '.')
}

/** A console block as it comes out when its commands are run now. */
async function replay(body: string, cwd: string, isInShell: boolean): Promise<string> {
  let out = ''
  let status = 0
  for (const { written, command } of commandsOf(body)) {
    const outcome = command === 'echo $?' ? { output: `${status}\n`, status: 0 } : await run(command, cwd, isInShell)
    out += written + outcome.output
    status = outcome.status
  }
  return out
}

/** Commands of `sh` blocks that cannot run in a test, by their start, and why. */
const notRun: readonly (readonly [start: string, why: string])[] = [
  ['npm ', 'installs packages, or runs the tests and the benchmarks'],
  ['.ci/run', 'runs every test'],
  ['pre-commit ', 'another program'],
  ['duckdb ', 'another program'],
  ['grantwise sql ', 'needs a large log, and the package of DuckDB: test/cli/sql.deep.test.ts'],
  ['pulumi preview', 'another program'],
  ['helm ', 'another program'],
  ['envsubst ', 'another program'],
  ['duckdb ', 'another program'],
  ['grantwise sql ', 'needs a large log, and the package of DuckDB: test/cli/sql.deep.test.ts'],
  ['psql ', 'another program'],
  ['terraform plan', 'another program'],
  ['terraform show', 'another program'],
  ['grantwise diff --merge git:', 'needs a repository with branches: test/cli/diff-merge.deep.test.ts'],
  ['git for-each-ref', 'needs a repository with branches'],
  ['grantwise call POST /v1/vps/web-1/reinstall --identity bob --from-403 refused.json --propose', 'test/cli/propose.test.ts'],
  ['git push', 'needs another repository'],
  ['git config merge.grantwise.', 'settings of a clone'],
  ['export GRANTWISE_BASE_URL=', 'settings of `pull`'],
  ['export GRANTWISE_AUTH_URL=', 'settings of `pull`'],
  ['export GRANTWISE_CLIENT_', 'settings of `pull`'],
  ['grantwise pull account/', 'needs the network: test/cli/pull.deep.test.ts'],
  ['eu=http://127.0.0.1:8765/eu', 'needs a running emulator: examples/serve/walk.sh'],
  ['curl ', 'needs a running emulator: examples/serve/walk.sh'],
  ['grantwise serve --port 0 --seed test/account/', 'an emulator in the background: test/cli/serve.deep.test.ts'],
  ['grantwise explore ', 'serves until it is interrupted: test/pages/explore.test.ts'],
  ['until [ -e ready.json ]', 'waits for it'],
  ['API_URL=', 'the tests of the reader'],
  ['kill %1', 'ends it'],
  ['kill -HUP %1', 'needs it in the background: test/cli/serve-tls.test.ts'],
  ['openssl ', 'another program'],
  ['grantwise serve --tls-cert', 'needs a certificate: test/cli/serve-tls.test.ts'],
]

const reasonNotToRun = (line: string) => notRun.find(([start]) => line.startsWith(start))?.[1]

const preview = JSON.stringify(
  previewOf({
    policies: [JSON.parse(readFileSync(join(root, 'examples/quickstart/policy.json'), 'utf8'))],
    permissionsGroups: [],
    resourceGroups: [],
    resources: [],
    identities: [],
  }),
)

/** A root module that calls the module of policies. */
const callOf = (env: string) => `module "iam" {
  source   = "../../modules/iam"
  name     = "${env}"
  group    = "urn:v1:eu:identity:group:ab12-svc/${env}"
  machines = ["vps-1"]
  verbs    = ["get"]
}
`

interface Stage {
  /** Where files of the repository stand for those of the reader. */
  readonly copies?: Readonly<Record<string, string>>
  readonly texts?: Readonly<Record<string, string>>
}

/** The folder in which the commands of a page run: the folder that the page names unless it is here, and what else the page mentions. */
const stages: Readonly<Record<string, Stage>> = {
  'README.md': { copies: { 'examples/usage': 'examples/usage' } },
  'docs/cookbook/atlantis.md': { copies: { 'plan.json': 'examples/plan/plan.json', account: 'examples/acme/policies' } },
  'docs/cookbook/github.md': { copies: {} },
  'docs/cookbook/gitlab.md': { copies: {} },
  'docs/cookbook/monorepos.md': {
    copies: {
      'world.yaml': 'examples/acme/world.yaml',
      'teams/web/policies': 'examples/acme/policies',
      'teams/data/policies': 'examples/quickstart',
    },
  },
  'docs/cookbook/pre-commit.md': { copies: {} },
  'docs/warehouse.md': { copies: { '.': 'examples/acme' }, texts: { 'residue.json': '' } },
  'docs/configuration.md': { copies: { '.': 'examples/acme' } },
  'docs/diff.md': { copies: { '.': 'examples/acme', 'guards-new.yaml': 'examples/quickstart/policy.json' } },
  'docs/fixes.md': { copies: { policies: 'examples/team/policies' } },
  'docs/integrations.md': { copies: { policies: 'examples/acme/policies', 'limits/team.yaml': 'examples/review/ceiling.yaml' } },
  'docs/pull.md': { copies: { account: 'examples/acme' } },
  'docs/pulumi.md': {
    copies: { account: 'examples/acme/policies', manifests: 'examples/crossplane' },
    texts: { 'preview.json': preview },
  },
  'docs/service.md': { copies: { 'policies/seed.yaml': 'examples/serve/seed.yaml' } },
  'docs/terraform.md': {
    copies: {
      account: 'examples/acme',
      'plan.json': 'examples/plan/plan.json',
      'modules/iam/main.tf': 'examples/terraform/modules/team/main.tf',
    },
    texts: { 'envs/dev/main.tf': callOf('dev'), 'envs/prod/main.tf': callOf('prod') },
  },
}

/** A folder for the commands of a page; if they mention git, a repository with the branches and tags of the page. */
function stage(document: string, lines: readonly string[]): string {
  const folder = prepare([])
  const { copies, texts = {} } = stages[document] ?? {}
  const own = copies ?? { '.': folderOf(join(root, document), readFileSync(join(root, document), 'utf8')) }
  for (const [to, from] of Object.entries(own)) cpSync(resolve(root, from), join(folder, to), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/grantwise'))
  for (const [to, content] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    writeFileSync(join(folder, to), content)
  }
  if (!lines.some((line) => /\bgit\b|\borigin\/|--staged/.test(line))) return folder
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'commit.gpgsign=false', ...args], { cwd: folder })
  git('init', '--quiet', '--initial-branch', 'main')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  git('add', '.')
  git('commit', '--quiet', '--message', 'main')
  for (const args of [
    ['tag', 'v1.2'],
    ['tag', 'v1.3'],
    ['branch', 'pr'],
    ['remote', 'add', 'origin', '.'],
    ['update-ref', 'refs/remotes/origin/main', 'main'],
  ]) {
    git(...args)
  }
  return folder
}

/** Run a line of an `sh` block; what does not start with grantwise, in a shell. */
async function runLine(line: string, cwd: string): Promise<Outcome> {
  const bare = line.replace(/^npx --no-install /, '').replace(/ \|\| status=\$\?$/, '')
  if (bare.startsWith('grantwise serve ') || bare === 'grantwise serve') return serve(bare, cwd)
  if (!bare.startsWith('grantwise ')) return shell(bare.startsWith('exit ') ? 'true' : bare, cwd)
  const command = bare.replaceAll(/\$\((git [^()]*)\)/g, (_, git: string) => execFileSync('sh', ['-c', git], { cwd }).toString().trim())
  const [words, target] = command.split(' > ') as [string, string?]
  const { stdout, stderr, exit } = await mainIn(wordsOf(words).slice(1), cwd, { NO_COLOR: '1' })
  if (target !== undefined) writeFileSync(join(cwd, target), stdout)
  return { output: stdout + stderr, status: exit }
}

/** Serve until the addresses are printed. */
async function serve(command: string, cwd: string): Promise<Outcome> {
  const { io, out } = ioIn(cwd, { NO_COLOR: '1' })
  let end = () => {}
  const interrupted = new Promise<void>((done) => (end = done))
  const stdout: typeof io.stdout = {
    ...io.stdout,
    write: (...text) => {
      end()
      return io.stdout.write(...text)
    },
  }
  const status = await main([...wordsOf(command).slice(1), '--port', '0'], { ...io, stdout, interrupted: () => interrupted })
  return { output: out.stdout + out.stderr, status }
}

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...[...readdirSync(join(root, 'docs')), ...readdirSync(join(root, 'docs/cookbook')).map((name) => `cookbook/${name}`)]
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`),
]

/** The pages all of whose commands run as programs: none but in a deep run, and one in sixteen where that leaves something out. */
const inShell = new Set(isDeep ? some(documents, 16) : isUpdate ? documents : [])
/** Whether a block has a command that needs a shell, which takes long: a deep run has it. */
const needsShell = (body: string) => commandsOf(body).some(({ command }) => command !== 'echo $?' && inOneProcess(command) === null)

describe.each(documents)('%s', (document) => {
  const file = join(root, document)
  const text = readFileSync(file, 'utf8')
  const blocks = fences(text)
  const consoles = blocks.filter(({ info, body }) => info === 'console' && (inShell.has(document) || needsShell(body) === isDeep))

  if (consoles.length > 0) {
    test('says what its commands say', async () => {
      const folder = folderOf(file, text)
      const now = await Promise.all(consoles.map(({ body }) => replay(body, folder, inShell.has(document))))
      const lines = text.split('\n')
      for (const [i, { line, body }] of [...consoles.entries()].toReversed()) {
        lines.splice(line, body.split('\n').length - 1, ...(now[i] as string).split('\n').slice(0, -1))
      }
      if (isUpdate) writeFileSync(file, lines.join('\n'))
      else expect(lines.join('\n')).toBe(text)
    })
  }

  test('shows files as they are', () => {
    for (const { info, body } of blocks) {
      const [, shown] = info.split(' ')
      if (shown !== undefined) expect(body, `${document}: ${shown}`).toBe(readFileSync(join(dirname(file), shown), 'utf8'))
    }
  })

  const scripts = blocks.flatMap(({ info, body }) => (info === 'sh' ? [shellLines(body)] : []))
  const kept = scripts.map((lines) => lines.filter((line) => reasonNotToRun(line) === undefined)).filter((lines) => lines.length > 0)

  if (kept.length > 0) {
    test('runs its `sh` blocks', async () => {
      const folder = stage(document, kept.flat())
      try {
        for (const lines of kept) {
          // Lines of these need what earlier ones set. The scripts of the package, which take seconds, have separate tests.
          const isScript = lines.some((line) => /^(?:export |\w+=\$\()/.test(line))
          const isRun = isScript ? isDeep : inShell.has(document) || !isDeep
          for (const command of isRun ? (isScript ? [lines.join('\n')] : lines) : []) {
            const { output, status } = await runLine(command, folder)
            expect(status, `${command}\n${output}`).toBeLessThan(2)
          }
        }
      } finally {
        cleanUp(folder)
      }
    })
  }

  test('links to what is there', () => {
    for (const [, target = '', anchor] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const page = target === '' ? file : join(dirname(file), target)
      expect(() => readFileSync(page), target).not.toThrow(/ENOENT/)
      if (anchor !== undefined) expect(anchorsOf(readFileSync(page, 'utf8')), `${target}#${anchor}`).toContain(anchor)
    }
  })
})

test('every command that the documents do not run is in them', () => {
  const lines = documents.flatMap((document) =>
    fences(readFileSync(join(root, document), 'utf8')).flatMap(({ info, body }) => (info === 'sh' ? shellLines(body) : [])),
  )
  expect(notRun.filter(([start]) => !lines.some((line) => line.startsWith(start)))).toEqual([])
})

describe('examples/mistakes', () => {
  const folder = join(root, 'examples/mistakes')
  const files = readdirSync(folder)
    .filter((name) => /\.(json|yaml)$/.test(name))
    .sort()
  const golden = (name: string) => join(folder, `${name}.out`)
  // Each by itself: some rules compare policies with one another.
  const lint = (name: string) => run(`grantwise lint --no-config --format json --at 2026-01-01T00:00:00Z ${name}`, folder)

  test.concurrent.each(files)('%s', async (name) => {
    const { output } = await lint(name)
    const { findings } = JSON.parse(output) as { readonly findings: readonly Finding[] }
    const found = findings.map((finding) => `${inOneLine(finding)}\n`)
    if (isUpdate) writeFileSync(golden(name), found.join(''))
    expect(found.length, 'a mistake is found').toBeGreaterThan(0)
    expect(found.join('')).toBe(readFileSync(golden(name), 'utf8'))
  })

  test('are many, each with its findings next to it', async () => {
    expect((await lint('.')).status).toBe(1)
    expect(files.length).toBeGreaterThanOrEqual(30)
    const goldens = readdirSync(folder).filter((name) => name.endsWith('.out'))
    expect(goldens.sort()).toEqual(files.map((name) => `${name}.out`).sort())
  })
})

test.each(['quickstart', 'team'])('examples/%s has no findings', async (name) => {
  const { output, status } = await run('grantwise lint --format json --fail-on info', join(root, 'examples', name))
  expect(JSON.parse(output)).toMatchObject({ findings: [] })
  expect(status).toBe(0)
})

interface Finding {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly file: string
  readonly help: string | null
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** `line:column-line:column severity code: message | help` */
function inOneLine({ code, severity, message, help, line, column, endLine, endColumn }: Finding): string {
  return `${line}:${column}-${endLine}:${endColumn} ${severity} ${code}: ${message}${help === null ? '' : ` | ${help}`}`
}

test('docs/questions answers 32 questions or more, one command each, in at most 40 lines', () => {
  const blocks = [...readFileSync(join(root, 'docs/questions.md'), 'utf8').matchAll(/```console\n([\s\S]*?)```/g)].map(
    ([, text = '']) => text,
  )
  expect(blocks.length).toBeGreaterThanOrEqual(32)
  for (const block of blocks) {
    expect(block.match(/^\$ /gm)).toHaveLength(1)
    // The command itself may take two lines.
    expect(block.trimEnd().split('\n').length).toBeLessThanOrEqual(42)
  }
})
