import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { counted } from '../support/counted.ts'
import { effort, isDeep, isWhole } from '../support/effort.ts'
import { writeFigures } from '../support/figures.ts'
import { gitEnvironment } from '../support/gate-cases.ts'
import { mainIn } from '../support/in-process.ts'
import type { PolicyJson } from '../support/worlds.ts'
import { answersOver, deployments, questions } from './deploy.ts'
import { mutations } from './mutations.ts'
import { Random } from './random.ts'
import { copyOf, machines, policyOf, type Repository, type Side, type Tree, users, verbs } from './repository.ts'
import { fileStyles, type Item, jsonStyles, sideOf, terraformStyles, yamlStyles } from './write.ts'

/**
 * The deployment net: whatever a deployment of a repository would apply was read, or the exit code is not 0. Repositories are
 * made at random and mutated as a whole; programs that share nothing with this one say what would be deployed (deploy.ts).
 */

const seed = Number(process.env.SEED ?? 20261126)
const count = Number(process.env.COUNT ?? effort(10_000, 80))
const store = mkdtempSync(join(tmpdir(), 'grantwise-'))
afterAll(() => rmSync(store, { recursive: true, force: true }))

const names = Object.keys(mutations)
const repositories = Array.from({ length: count }, (_, i) => repository(new Random(seed + i), i))

/** A few policies, what a change makes of them, and what it does to the repository. */
function repository(random: Random, number: number): Repository {
  const before = Array.from({ length: 1 + random.below(3) }, (_, i) => itemOf(`p${i}`, random))
  const after = random.chance(2) ? before : changed(before, random)
  const made = {
    before: sideOf(before),
    after: sideOf(after),
    tale: [] as string[],
    needsGit: random.chance(4),
    tags: [],
    hasFilters: false,
  }
  for (let i = 0; i <= random.below(2); i++) {
    // Each is tried, whatever the seed.
    const name = i === 0 ? (names[number % names.length] as string) : random.one(names)
    made.tale.push(name)
    mutations[name]?.(made, random)
    if (random.chance(5)) Object.assign(made, { before: copyOf(made.after) })
  }
  return made
}

function itemOf(name: string, random: Random): Item {
  const styles = random.one([jsonStyles, yamlStyles, terraformStyles, fileStyles])
  return { policy: drawn(name, random), path: `p/${random.chance(3) ? 'team/' : ''}${name}`, style: random.one(styles) }
}

function drawn(name: string, random: Random): PolicyJson {
  const given = verbs.filter(() => random.chance(2))
  const effect = random.chance(3) ? 'deny' : 'allow'
  return policyOf(name, random.one([...users, '*']), effect, given.length > 0 ? given : ['reboot'], random.one([...machines, '*']))
}

function changed(items: readonly Item[], random: Random): readonly Item[] {
  const at = random.below(items.length)
  const item = items[at] as Item
  const others = items.filter((each) => each !== item)
  return random.one([
    () => others,
    () => [...items, itemOf('new', random)],
    () => [...others, { ...item, policy: drawn(item.policy.name, random) }],
    () => [...others, { ...item, style: random.one([...jsonStyles, ...yamlStyles, ...terraformStyles]) }],
  ])()
}

/** All repositories in one, each side as a branch: git makes them from one stream. */
beforeAll(() => {
  const parts: Buffer[] = []
  const line = (text: string) => parts.push(Buffer.from(`${text}\n`))
  repositories.forEach((each, i) => {
    if (!each.needsGit) return
    for (const side of ['before', 'after'] as const) {
      line(`commit refs/heads/${side}-${i}\ncommitter someone <someone@example.org> 1767225600 +0000\ndata 0`)
      if (side === 'after') line(`from refs/heads/before-${i}`)
      line('deleteall')
      for (const [path, content] of each[side].tree) {
        const bytes = bytesOf(content)
        const mode = typeof content === 'string' || content instanceof Uint8Array ? '100644' : 'link' in content ? '120000' : '160000'
        if (mode === '160000') line(`M ${mode} ${bytes} ${quoted(path)}`)
        else {
          line(`M ${mode} inline ${quoted(path)}\ndata ${bytes.length}`)
          parts.push(bytes, Buffer.from('\n'))
        }
      }
    }
    for (const tag of each.tags) line(`reset refs/tags/origin/${tag}-${i}\nfrom refs/heads/after-${i}\n`)
  })
  git(['init', '-q', '--template=', join(store, 'all')], store)
  git(['fast-import', '--quiet'], join(store, 'all'), Buffer.concat(parts))
  git(['clone', '-q', '--no-checkout', '--template=', 'all', 'clone'], store)
})

type Contents = Parameters<Tree['set']>[1]
function bytesOf(content: Contents): Buffer {
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof Uint8Array ? Buffer.from(content) : Buffer.from('link' in content ? content.link : content.module)
}

/** A path as the stream has it: in quotes, every byte that could be misread escaped. */
function quoted(path: string): string {
  const bytes = [...Buffer.from(path)].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte),
  )
  return `"${bytes.join('')}"`
}

const env = { PATH: process.env.PATH ?? '', ...gitEnvironment }

function git(args: readonly string[], cwd: string, input: Buffer | string = ''): void {
  const { status, stderr } = spawnSync('git', args, { cwd, env, input })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
}

function written({ tree }: Side, folder: string): void {
  for (const [path, content] of tree) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(file, content)
    else if ('link' in content) symlinkSync(content.link, file)
    else mkdirSync(file, { recursive: true })
  }
}

/** Faults of what the program says of a repository, and how the commands ended. */
async function examined(each: Repository, i: number) {
  const folder = join(store, each.needsGit ? 'clone' : 'folders')
  const sides = each.needsGit ? [`git:origin/before-${i}`, '.'] : ['before', 'after']
  const [before, after] = [join(store, 'deployed', 'before'), join(store, 'deployed', 'after')]
  for (const side of ['before', 'after'] as const) written(each[side], join(store, 'deployed', side))
  if (each.needsGit) {
    git(['checkout', '-q', '-f', '--detach', `origin/after-${i}`], folder)
    git(['clean', '-q', '-ffdx'], folder)
  } else {
    mkdirSync(folder, { recursive: true })
    for (const side of ['before', 'after'] as const) written(each[side], join(folder, side))
    writeFileSync(join(folder, '.grantwise.yaml'), 'brand: svc\n')
  }
  writeFileSync(join(store, 'questions'), questions.map((question) => `${JSON.stringify({ ...question, groups: [] })}\n`).join(''))
  const compared = await mainIn(['diff', ...sides], folder, env)
  const asked = await mainIn(['can', '--batch', '../questions', '-p', sides[1] as string], folder, env)
  const old = deployments(before, each.before).map(answersOver)
  const now = deployments(after, each.after).map(answersOver)
  const wrong = reference ? referenceFaults(reference, [before, after], [each.before, each.after]) : []
  const gained = now.flatMap((answers, k) => answers.flatMap((answer, at) => (answer === 'allow' && old[k]?.[at] === 'deny' ? [at] : [])))
  if (compared.exit === 0 && gained.length > 0)
    wrong.push(`diff ends with 0, and ${JSON.stringify(questions[gained[0] as number])} is allowed now`)
  const said =
    asked.exit === 0
      ? asked.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).verdict as string)
      : []
  for (const [at, verdict] of said.entries())
    for (const answers of now)
      if (verdict !== 'unknown' && verdict !== answers[at]) wrong.push(`can says ${verdict}: ${JSON.stringify(questions[at])}`)
  for (const path of each.needsGit ? ['deployed'] : ['deployed', 'folders']) rmSync(join(store, path), { recursive: true, force: true })
  return {
    wrong: wrong.slice(0, 3),
    diff: compared.exit,
    can: asked.exit,
    isGained: gained.length > 0,
    isAgreed: said.length > 0 && wrong.length === 0,
  }
}

const { goBuild } = (await import(new URL('../../scripts/go.mjs', import.meta.url).href)) as {
  readonly goBuild: (source: string, program: string) => boolean
}

/** The reference implementation of Terraform's language, where a deep run finds what it is built from. */
const reference = isDeep ? built() : undefined

function built(): string | undefined {
  const program = join(store, 'reference')
  if (goBuild(join(import.meta.dirname, 'reference/main.go'), program)) return program
  console.warn('the reference implementation cannot be built: what configurations mean is taken from how they were made')
  return undefined
}

/** Where the reference implementation reads other policies out of the configurations than they were made for. */
function referenceFaults(program: string, folders: readonly string[], sides: readonly Side[]): string[] {
  const asked = folders.flatMap((Folder) => ['terraform', 'tofu'].map((Program) => `${JSON.stringify({ Folder, Program })}\n`))
  const lines = spawnSync(program, { input: asked.join(''), encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
  const meant = sides.flatMap(({ terraform, tofu }) => [terraform, tofu])
  return lines.flatMap((line, i) => {
    const { policies, error } = JSON.parse(line)
    const isSame = error === undefined && answersOver(policies).join() === answersOver(meant[i] ?? []).join()
    return isSame ? [] : [`the reference implementation reads ${line} for ${JSON.stringify(meant[i])}`]
  })
}

// covers: P10, T33
test('what a deployment would apply was read, or the exit code is not 0', async () => {
  const faults: string[] = []
  const reached: Record<string, number> = {}
  const note = (what: string) => {
    reached[what] = (reached[what] ?? 0) + 1
  }
  for (const [i, each] of repositories.entries()) {
    const { wrong, diff, can, isGained, isAgreed } = await examined(each, i)
    if (wrong.length > 0) faults.push(`SEED=${seed + i} ${each.tale.join(', ')}: ${wrong.join('; ')}\n${shownOf(each)}`)
    note(`diff ${diff}`)
    note(`can ${can}`)
    if (isGained) note('gained')
    if (isAgreed) note('agreed')
    for (const name of each.tale) note(name)
  }
  counted(count)
  if (isWhole)
    writeFigures('repositories', {
      claim: 'what a deployment of a mutated repository would apply was read, or `diff` does not end with 0',
      wanted: { repositories: 10_000, wrong: 0 },
      reached: { repositories: count, gained: reached.gained, passed: reached['diff 0'], wrong: faults.length },
      seed,
      command: 'GRANTWISE_DEEP=1 npx vitest run --mode deep test/net',
    })
  if (process.env.REACHED) console.log(reached)
  expect(faults.slice(0, Number(process.env.FAULTS ?? 3)).join('\n')).toBe('')
  expect(faults).toEqual([])
  const floors = { 'diff 0': 3, 'diff 1': 12, 'diff 2': 20, 'can 0': 2, gained: 10, agreed: 2 }
  for (const [what, share] of Object.entries(floors)) expect(reached[what], what).toBeGreaterThan(count / share)
  for (const name of names) expect(reached[name], name).toBeGreaterThan(0)
}, 3_600_000)

function shownOf({ before, after }: Repository): string {
  const lines = ({ tree }: Side) => [...tree].map(([path, content]) => `  ${JSON.stringify(path)}: ${JSON.stringify(content)}`).join('\n')
  return ` before\n${lines(before)}\n after\n${lines(after)}`
}
