import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Random } from '../net/random.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { gitEnvironment } from '../support/gate-cases.ts'
import { mainIn } from '../support/in-process.ts'
import { askOracle, unknownDifferenceLine } from '../support/oracle.ts'
import type { PolicyJson } from '../support/worlds.ts'

/**
 * Pairs of configurations with values that are not known, some of which are given something else on the two sides: the program and
 * the evaluator that is extracted from the proofs (proofs/Sides.v) say alike for which of these values there is new access.
 */

const seed = Number(process.env.SEED ?? 20261129)
const count = effort(2_000, 240)

/** A value that is not known on one side: how it is written, what it takes, and what it is called where it is given the same. */
interface Unknown {
  readonly expression: string
  readonly blocks: Readonly<Record<string, string>>
  readonly symbol: string
}

/** A policy that is there in any case, where a value is true, or where it is not. */
interface Item {
  readonly policy: PolicyJson
  readonly unknown?: { readonly kind: string; readonly input: string; readonly isNegated: boolean }
}

const header = `terraform {
  required_providers {
    svc = { source = "svc/svc" }
  }
}
provider "svc" {
  endpoint = "svc-eu"
}
`

/** The kinds of values that are not known, by what gives them: `input` is a letter. */
const kinds: Readonly<Record<string, (input: string) => Unknown>> = {
  variable: () => ({ expression: 'var.open', blocks: { 'variable open': 'variable "open" {\n  type = bool\n}\n' }, symbol: 'var.open' }),
  sensitive: (input) => ({
    expression: 'var.hidden',
    blocks: { 'variable hidden': `variable "hidden" {\n  type      = bool\n  default   = ${input === 'x'}\n  sensitive = true\n}\n` },
    symbol: `var.hidden of ${input}`,
  }),
  data: (input) => ({
    expression: 'data.svc_me.one.is_trusted',
    blocks: { 'data one': `data "svc_me" "one" {\n  account = "${input}"\n}\n` },
    symbol: `data one of ${input}`,
  }),
  chained: (input) => ({
    expression: 'data.svc_other.two.is_trusted',
    blocks: {
      'data three': `data "svc_me" "three" {\n  account = "${input}"\n}\n`,
      'data two': 'data "svc_other" "two" {\n  account = data.svc_me.three.id\n}\n',
    },
    symbol: `data two of data three of ${input}`,
  }),
  resource: (input) => ({
    expression: 'svc_dbaas.four.is_shared',
    blocks: { 'resource four': `resource "svc_dbaas" "four" {\n  plan = "${input}"\n}\n` },
    symbol: `resource four of ${input}`,
  }),
}

const users = ['ann', 'bob']
const machines = ['a', 'b', '*']
const verbs = ['get', 'reboot', 'terminate']

function itemOf(name: string, inputs: Readonly<Record<string, string>>, random: Random): Item {
  const effect = random.chance(4) ? 'deny' : 'allow'
  const policy = {
    name,
    identities: [`urn:v1:eu:identity:user:ab12-svc/${random.one(users)}`],
    resources: [{ urn: `urn:v1:eu:resource:vps:${random.one(machines)}` }],
    permissions: { [effect]: [{ action: `vps:apisvc:${random.one(verbs)}` }] },
  }
  if (random.chance(3)) return { policy }
  const kind = random.one(Object.keys(kinds))
  return { policy, unknown: { kind, input: inputs[kind] as string, isNegated: random.chance(3) } }
}

const inputsOf = (random: Random) => Object.fromEntries(Object.keys(kinds).map((kind) => [kind, random.one(['x', 'y'])]))

/** The two sides: the change keeps some policies, draws others anew, and may give values something else. */
function pairOf(random: Random): readonly [readonly Item[], readonly Item[]] {
  const old = inputsOf(random)
  const inputs = Object.fromEntries(Object.entries(old).map(([kind, input]) => [kind, random.chance(3) ? random.one(['x', 'y']) : input]))
  const before = Array.from({ length: 1 + random.below(3) }, (_, i) => itemOf(`p${i}`, old, random))
  const after = before.map((item, i) => {
    if (random.chance(4)) return itemOf(`p${i}`, inputs, random)
    return item.unknown ? { ...item, unknown: { ...item.unknown, input: inputs[item.unknown.kind] as string } } : item
  })
  return [before, random.chance(4) ? [...after, itemOf('new', inputs, random)] : after]
}

const unknownOf = ({ unknown }: Item) => unknown && kinds[unknown.kind]?.(unknown.input)

function configurationOf(items: readonly Item[]): string {
  const blocks = Object.assign({}, ...items.map((item) => unknownOf(item)?.blocks ?? {}))
  const resources = items.map((item) => {
    const { name, identities, resources: about, permissions } = item.policy
    const value = unknownOf(item)
    const lines = [
      ...(value ? [`count = ${value.expression} ? ${item.unknown?.isNegated ? '0 : 1' : '1 : 0'}`] : []),
      `name = "${name}"`,
      `identities = ${JSON.stringify(identities)}`,
      `resources = ${JSON.stringify(about.map(({ urn }) => urn))}`,
      ...Object.entries(permissions as Record<string, { action: string }[]>).map(
        ([list, entries]) => `${list} = ${JSON.stringify(entries.map(({ action }) => action))}`,
      ),
    ]
    return `resource "svc_iam_policy" "${name}" {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
  })
  return [header, ...Object.values<string>(blocks), ...resources].join('\n')
}

/** The same for the oracle, which takes a condition by its name for one that is not known. */
function worldOf(items: readonly Item[]) {
  const policies = items.map((item) => {
    const value = unknownOf(item)
    if (!value) return item.policy
    const condition = { operator: value.symbol }
    return { ...item.policy, conditions: item.unknown?.isNegated ? { operator: 'NOT', conditions: [condition] } : condition }
  })
  return { policies, resourceGroups: [], permissionsGroups: [], resources: [], identities: [] }
}

const store = mkdtempSync(join(tmpdir(), 'grantwise-'))
afterAll(() => rmSync(store, { recursive: true, force: true }))
const env = { PATH: process.env.PATH ?? '', ...gitEnvironment }

const pairs = Array.from({ length: count }, (_, i) => pairOf(new Random(seed + i)))

/** A repository with both sides of some pairs as branches: git is slower the more there are. */
function repositoryOf(numbers: readonly number[]): string {
  const folder = mkdtempSync(join(store, 'pairs-'))
  const branch = (name: string, items: readonly Item[], from = '') => {
    const text = configurationOf(items)
    const head = `commit refs/heads/${name}\ncommitter a <a@example.org> 1767225600 +0000\ndata 0\n${from}`
    return `${head}deleteall\nM 100644 inline main.tf\ndata ${Buffer.byteLength(text)}\n${text}\n`
  }
  const commits = numbers.flatMap((i) => {
    const [before, after] = pairs[i] as (typeof pairs)[number]
    return [branch(`before-${i}`, before), branch(`after-${i}`, after, `from refs/heads/before-${i}\n`)]
  })
  git(folder, ['init', '-q', '--template='])
  git(folder, ['fast-import', '--quiet'], commits.join(''))
  return folder
}

function git(cwd: string, args: readonly string[], input = ''): void {
  const { status, stderr } = spawnSync('git', args, { cwd, env, input })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
}

const perRepository = 50

interface Regions {
  readonly gained: readonly { readonly certain: boolean }[]
  readonly lost: readonly { readonly certain: boolean }[]
  readonly undecided: readonly unknown[]
}

/** Several conditions that hold together in no case may be reported as new access that perhaps is there: never as certain. */
const imprecise = 'something, and there is none'

/** The claims of the program about one direction, compared with the oracle's answers for each truth of the values: what is wrong with it. */
function faultOf(regions: readonly { readonly certain: boolean }[], answers: string): string | undefined {
  if (regions.length === 0) return answers.includes('1') ? 'nothing, and there is some' : undefined
  if (!answers.includes('1')) return imprecise
  return regions.some(({ certain }) => certain) && answers.includes('0') ? 'certain, and it depends on a value' : undefined
}

// covers: M41b
test('two sides with values that are not known: new access for the values for which the proofs say so', async () => {
  const said: Regions[] = []
  for (let first = 0; first < count; first += perRepository) {
    const numbers = [...pairs.keys()].slice(first, first + perRepository)
    const folder = repositoryOf(numbers)
    for (const i of numbers) {
      const { stdout, stderr } = await mainIn(['diff', `git:before-${i}`, `git:after-${i}`, '--format', 'json'], folder, env)
      if (stdout === '') throw new Error(`seed ${seed}, pair ${i}: ${stderr}`)
      said.push(JSON.parse(stdout))
    }
  }
  counted(count)
  const faults: string[] = []
  const reached: Record<string, number> = {}
  const directions = pairs.flatMap(([before, after]) => [
    [before, after],
    [after, before],
  ])
  await askOracle(
    directions.map(([before = [], after = []]) => unknownDifferenceLine(worldOf(before), worldOf(after))),
    (answers, k) => {
      const { gained, lost, undecided } = said[Math.floor(k / 2)] as Regions
      const fault = /^[01]+$/.test(answers) ? faultOf(k % 2 === 0 ? gained : lost, answers) : answers
      const kind = answers.includes('0') ? (answers.includes('1') ? 'for some values' : 'never') : 'always'
      reached[kind] = (reached[kind] ?? 0) + 1
      if (fault === imprecise && !(k % 2 === 0 ? gained : lost).some(({ certain }) => certain)) {
        reached.imprecise = (reached.imprecise ?? 0) + 1
        return
      }
      if (fault === undefined && undecided.length === 0) return
      const [before = [], after = []] = (directions[k] ?? []).map((items) => configurationOf(items))
      faults.push(`seed ${seed}, pair ${k / 2}: ${fault ?? 'undecided'} (${answers})\n${before}\n--\n${after}`)
    },
  )
  console.log(`seed ${seed}: ${directions.length} directions, ${JSON.stringify(reached)}`)
  expect(faults.slice(0, 2).join('\n\n')).toBe('')
  expect(faults).toEqual([])
  expect(reached.imprecise ?? 0).toBeLessThanOrEqual(Math.ceil(directions.length / 500))
  for (const kind of ['never', 'for some values', 'always']) expect(reached[kind], kind).toBeGreaterThan(directions.length / 20)
}, 3_600_000)
