import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { type Folder, readConfiguration } from '../../src/hcl/module.ts'
import { readHcl } from '../../src/hcl/parse.ts'
import { readingOf } from '../../src/hcl/read.ts'
import type { HclFile } from '../../src/hcl/syntax.ts'
import { defaultSettings } from '../../src/names.ts'
import { readFacts } from '../../src/parser/policy.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import { compile } from '../../src/simulate/engine.ts'
import { sourceOf } from '../../src/source.ts'
import { type Found, inFolder, run } from '../support/configurations.ts'
import '../support/seed.ts'
import { effort } from '../support/effort.ts'
import { pick, questionOf, type Random, randomOf } from '../support/worlds.ts'

const seed = Number(process.env.SEED ?? 20261123)
/** Assignments of values that are tried; all of 100,000 take about a quarter of an hour. */
const assignments = Number(process.env.ASSIGNMENTS ?? effort(2_000, 160))
/** Of each configuration. */
const each = effort(100)

type Files = ReadonlyMap<string, string>

/** A configuration that is generated: its files, and values that each of its variables may have. */
interface Generated {
  readonly files: Files
  readonly values: ReadonlyMap<string, readonly string[]>
}

const names = ['x', 'y', 'z']
const verbs = ['get', 'reboot', 'stop']
const identity = (name: string, kind = 'user') => `urn:v1:eu:identity:${kind}:ab12-svc/${name}`
const resource = (name: string) => `urn:v1:eu:resource:vps:${name}`
const quoted = (text: string) => JSON.stringify(text)
const lists = (one: (text: string) => string, from: readonly string[]) => [
  '[]',
  ...from.map((text) => `[${quoted(one(text))}]`),
  `[${quoted(one(from[0] as string))}, ${quoted(one(from[1] as string))}]`,
]

/** The values that variables may have: many of them equal to one another, and to what is written. */
const variables: ReadonlyMap<string, readonly string[]> = new Map([
  ...['a', 'b', 'c'].map((name) => [name, [...names, 'x*'].map(quoted)] as const),
  ...['p', 'q'].map((name) => [name, [...verbs, '*'].map(quoted)] as const),
  ...['who', 'whom'].map((name) => [name, [identity('x'), identity('y'), identity('x', 'group'), identity('*')].map(quoted)] as const),
  ...['what', 'where'].map((name) => [name, [resource('x'), resource('y'), resource('*')].map(quoted)] as const),
  ...['do', 'undo'].map((name) => [name, ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:*'].map(quoted)] as const),
  ...['some', 'others'].map((name) => [name, lists((text) => identity(text), names)] as const),
  ['calls', lists((text) => `vps:apisvc:${text}`, verbs)],
  ['set', ['[]', '["x"]', '["x", "y"]', '["z"]']],
  ['on', ['true', 'false']],
])

/** A configuration in which most lists hold entries that are the same, or may be: with and without a value that is not known. */
function generate(random: Random): Generated {
  const chance = (share: number) => random() < share
  const used = new Set<string>()
  const variable = (...of: readonly string[]) => {
    const name = pick(random, of) as string
    used.add(name)
    return `var.${name}`
  }
  /** A part of a name. */
  const part = (from: readonly string[], of: readonly string[], isEach: boolean): string => {
    const kind = Math.floor(random() * 10)
    if (kind < 3) return pick(random, from) as string
    if (kind === 3 && isEach) return '${each.key}'
    if (kind === 4) return `\${local.part}`
    if (kind === 5) return `${pick(random, from)}\${${variable(...of)}}`
    if (kind === 6) return `\${${variable(...of)}}\${${variable(...of)}}`
    return `\${${variable(...of)}}`
  }
  const entries = (one: (isEach: boolean) => string, whole: readonly string[], many: readonly string[], isEach: boolean): string => {
    const pool = Array.from({ length: 1 + Math.floor(random() * 3) }, () => (chance(0.15) ? variable(...whole) : one(isEach)))
    const items = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(random, pool) as string)
    const list = `[\n${items.map((item) => `    ${item},\n`).join('')}  ]`
    const kind = Math.floor(random() * 12)
    if (kind === 0 && many.length > 0) return `concat(${list}, ${variable(...many)})`
    if (kind === 1 && many.length > 0) return `concat(${list}, [for x in ${variable(...many)} : x])`
    if (kind === 2) return `concat(${list}, ${variable('on')} ? [${pool[0]}] : [])`
    if (kind === 3) return `[for x in ${list} : x if x != ${pool[0]}]`
    return list
  }
  const who = (isEach: boolean) => {
    const name = part(names, ['a', 'b', 'c'], isEach)
    return chance(0.06) && !name.includes('$') ? quoted(identity('*')) : `"${identity(name, chance(0.25) ? 'group' : 'user')}"`
  }
  const what = (isEach: boolean) => (chance(0.06) ? quoted(resource('*')) : `"${resource(part(names, ['a', 'b', 'c'], isEach))}"`)
  const doing = () => (chance(0.06) ? '"vps:*"' : `"vps:apisvc:${part(verbs, ['p', 'q'], false)}"`)
  const sets = (isEach: boolean) =>
    (['allow', 'except', 'deny'] as const).flatMap((list) =>
      chance({ allow: 0.9, except: 0.3, deny: 0.3 }[list]) ? [`  ${list} = ${entries(doing, ['do', 'undo'], ['calls'], isEach)}`] : [],
    )
  const policy = (name: string, hasGroups: boolean): string => {
    const isEach = chance(0.25)
    const isCounted = !isEach && chance(0.15)
    const groups = hasGroups && chance(0.3)
    return [
      `resource "svc_iam_policy" "${name}" {`,
      ...(isEach ? [`  for_each = toset(${chance(0.5) ? variable('set') : '["x", "y"]'})`] : []),
      ...(isCounted ? [`  count = ${variable('on')} ? 1 : 0`] : []),
      `  name = "${name}${chance(0.3) ? ` \${${variable('a', 'b')}}` : ''}"`,
      `  description = "d"`,
      `  identities = ${entries(who, ['who', 'whom'], ['some', 'others'], isEach)}`,
      groups
        ? `  resources = [svc_iam_resource_group.g.urn, ${what(isEach)}, ${what(isEach)}]`
        : `  resources = ${entries(what, ['what', 'where'], [], isEach)}`,
      ...sets(isEach),
      ...(groups ? ['  permissions_groups = [svc_iam_permissions_group.h.urn]'] : []),
      '}',
    ].join('\n')
  }
  const hasGroups = chance(0.4)
  const hasModule = chance(0.4)
  const top: string[] = []
  for (let i = 0; i < 1 + Math.floor(random() * 3); i++) top.push(policy(`p${i}`, hasGroups))
  if (hasGroups)
    top.push(
      `resource "svc_iam_resource_group" "g" {\n  name = "g"\n  resources = ${entries(what, ['what', 'where'], [], false)}\n}`,
      `resource "svc_iam_permissions_group" "h" {\n  name = "h"\n  description = "d"\n${sets(false).join('\n')}\n}`,
    )
  const declare = (all: Iterable<string>) => [...all].map((name) => `variable "${name}" {}\n`).join('')
  const files = new Map<string, string>()
  if (hasModule) {
    const outer = new Set(used)
    used.clear()
    const inner = `${policy('m', false)}\nlocals {\n  part = "${chance(0.5) ? 'x' : '${var.a}'}"\n}\n`
    const needed = new Set([...used, 'a'])
    files.set('team/main.tf', `${inner}${declare(needed)}`)
    used.clear()
    for (const name of outer) used.add(name)
    const isEach = chance(0.3)
    for (const call of ['one', 'two']) {
      const given = [...needed].map((name) => {
        const alike = [...variables].filter(([, values]) => values === variables.get(name) || values.join() === variables.get(name)?.join())
        return `  ${name} = ${chance(0.3) ? (pick(random, variables.get(name) ?? []) as string) : variable(...alike.map(([each]) => each))}`
      })
      const loop = isEach ? `  for_each = toset(${variable('set')})\n` : ''
      top.push(`module "${call}" {\n  source = "./team"\n${loop}${given.join('\n')}\n}`)
    }
  }
  used.add('a')
  files.set('main.tf', `${top.join('\n')}\nlocals {\n  part = "${chance(0.4) ? 'x' : '${var.a}'}"\n}\n${declare(used)}`)
  return { files, values: new Map([...variables].filter(([name]) => used.has(name))) }
}

async function lintJson(folder: string, ...options: readonly string[]): Promise<readonly Found[]> {
  const { stdout, stderr } = await run(folder, ['lint', '.', '--no-config', '--format', 'json', ...options])
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as { readonly findings: readonly Found[] }).findings
}

const seen = (findings: readonly Found[]) => findings.map(({ code, line, message }) => `${line} ${code}: ${message}`)

const policy = (name: string, lines: string) =>
  `resource "svc_iam_policy" "${name}" {\n  name = "${name}"\n  description = "d"\n  identities = ["${identity('x')}"]\n  resources = ["${resource('x')}"]\n${lines}\n}\n`

/** The findings in files, and the files after fixing. */
async function linted(files: Files, preset = 'auditor') {
  return inFolder(files, async (folder) => {
    const findings = await lintJson(folder, '--preset', preset)
    await run(folder, ['lint', '.', '--no-config', '--preset', 'auditor', '--fix'])
    return { findings, after: new Map([...files.keys()].map((name) => [name, readFileSync(join(folder, name), 'utf8')])) }
  })
}

describe('entries that differ only in an expression', () => {
  const declared = 'variable "a" {}\nvariable "b" {}\n'
  const one = (lines: string) => new Map([['main.tf', `${declared}${policy('p', lines)}`]])
  const codes = [
    'redundant-identity',
    'redundant-resource',
    'redundant-action',
    'duplicate-name',
    'redundant-policy',
    'equivalent-policies',
    'allow-under-deny',
    'service-account-name',
  ]
  const about = (findings: readonly Found[]) => seen(findings.filter(({ code }) => codes.includes(code)))

  it.each([
    ['an action', '  allow = ["vps:apisvc:${var.a}", "vps:apisvc:${var.b}"]'],
    ['a whole action', '  allow = [var.a, var.b]'],
    ['an exception', '  allow = ["vps:*"]\n  except = ["vps:apisvc:${var.a}", "vps:apisvc:${var.b}"]'],
    ['a deny and an allow', '  allow = ["vps:apisvc:${var.a}"]\n  deny = ["vps:apisvc:${var.b}"]'],
    ['items of two loops', '  allow = concat([for x in var.a : "vps:apisvc:${x}"], [for x in var.b : "vps:apisvc:${x}"])'],
    [
      'items of a loop by two conditions',
      '  allow = concat([for x in var.a : "vps:${x}" if x != "k"], [for x in var.a : "vps:${x}" if x != var.b])',
    ],
    [
      'the same item twice, and two items',
      '  allow = concat([for x in var.a : "vps:${x}/${x}"], flatten([for x in var.a : [for y in var.a : "vps:${x}/${y}"]]))',
    ],
    ['what stands in braces, and a value', '  allow = ["vps:apisvc:$${var.a}/${var.b}", "vps:apisvc:${var.a}/${var.b}"]'],
    ['numbers put together in another order', '  allow = ["vps:apisvc:${var.a - (var.b - 1)}", "vps:apisvc:${var.a - var.b - 1}"]'],
  ])('%s', async (_, lines) => {
    const files = one(lines)
    const { findings, after } = await linted(files)
    expect([about(findings), after.get('main.tf')?.match(/vps:|var\./g)?.length]).toEqual([
      [],
      files.get('main.tf')?.match(/vps:|var\./g)?.length,
    ])
  })

  it('identities and resources', async () => {
    const list = '["urn:v1:eu:KIND${var.a}", "urn:v1:eu:KIND${var.b}"]'
    const text = policy('p', '  allow = ["vps:*"]')
      .replace(/identities = .*/, `identities = ${list.replaceAll('KIND', 'identity:credential:ab12-svc/')}`)
      .replace(/resources = .*/, `resources = ${list.replaceAll('KIND', 'resource:vps:')}`)
    const files = new Map([['main.tf', declared + text]])
    const { findings, after } = await linted(files)
    expect([about(findings), after]).toEqual([[], files])
  })

  it('policies and their names', async () => {
    const named = (name: string, of: string) =>
      policy(name, `  allow = ["vps:apisvc:\${var.${of}}"]`).replace(/ {2}name = .*/, `  name = "team \${var.${of}}"`)
    const { findings } = await linted(new Map([['main.tf', `${declared}${named('p', 'a')}${named('q', 'b')}`]]))
    expect(about(findings)).toEqual([])
  })

  it('a module that is called twice, and two resources with `for_each`', async () => {
    const module = `${declared}${policy('p', '  allow = ["vps:apisvc:${var.a}"]').replace(/ {2}name = .*/, '  name = "team ${var.a}"')}`
    const call = (name: string, value: string) => `module "${name}" {\n  source = "./m"\n  a = ${value}\n  b = "x"\n}\n`
    const loop = (name: string, of: string) =>
      policy(name, '  allow = ["vps:apisvc:${each.key}"]')
        .replace('{\n', `{\n  for_each = toset(var.${of})\n`)
        .replace(/ {2}name = .*/, '  name = "loop ${each.key}"')
    const { findings } = await linted(
      new Map([
        ['m/main.tf', module],
        ['main.tf', `${declared}${call('one', 'var.a')}${call('two', 'var.b')}${loop('r', 'a')}${loop('s', 'b')}`],
      ]),
    )
    expect(about(findings)).toEqual([])
  })

  it('a program of Pulumi', async () => {
    const entry = (name: string) => `          - urn:v1:eu:identity:user:ab12-svc/\${${name}}\n`
    const program = (first: string, second: string) =>
      `name: x\nruntime: yaml\nresources:\n  p:\n    type: svc:Iam:Policy\n    properties:\n      name: p\n      description: d\n      identities:\n${entry(first)}${entry(second)}      resources: ["${resource('x')}"]\n      allows: ["vps:*"]\n`
    const { findings } = await linted(new Map([['Pulumi.yaml', program('a', 'b')]]))
    expect(about(findings)).toEqual([])
    const same = await linted(new Map([['Pulumi.yaml', program('a', 'a')]]))
    expect(about(same.findings)).toEqual(['11 redundant-identity: `urn:v1:eu:identity:user:ab12-svc/${a}` is listed twice'])
  })

  it('a list whose entries are written in other files is put in no other order', async () => {
    const inner = policy('p', '  allow = concat([var.one], [for x in var.two : x])')
    const call = 'module "m" {\n  source = "./m"\n  one = "vps:apisvc:reboot"\n  two = ["vps:apisvc:get", "vps:apisvc:stop"]\n}\n'
    const files = new Map([
      ['m/main.tf', `variable "one" {}\nvariable "two" {}\n${inner}`],
      ['main.tf', `${'# a comment that is long enough for the places here to lie behind the end of the other file\n'.repeat(20)}${call}`],
    ])
    const { after } = await linted(files)
    expect(after).toEqual(files)
  })

  it('the same expression in the same scope is the same entry, and goes by what is written', async () => {
    const { findings, after } = await linted(one('  allow = ["vps:apisvc:${var.a}", "vps:apisvc:${var.b}", "vps:apisvc:${var.a}"]'))
    expect(about(findings)).toEqual(['8 redundant-action: `vps:apisvc:${var.a}` is listed twice'])
    expect(after.get('main.tf')).toContain('allow = ["vps:apisvc:${var.a}", "vps:apisvc:${var.b}"]')
  })

  it('no text is printed that is not in the sources', async () => {
    const text = `${declared}${policy('p', '  allow = ["vps:apisvc:${var.a}", var.b, "vps:apisvc:${var.a}", "vps:apisv:${var.a}"]').replace(/identities = .*/, 'identities = [var.a, "urn:v1:eu:identity:credential:${var.a}/${var.b}", "urn:v1:eu:identity:user:x/${var.b}"]')}`
    for (const format of ['json', 'sarif', 'pretty', 'compact', 'gitlab', 'junit', 'github', 'markdown', 'agent', 'checkstyle', 'ndjson'])
      await inFolder(new Map([['main.tf', text]]), async (folder) => {
        const { stdout } = await run(folder, ['lint', '.', '--no-config', '--preset', 'auditor', '--format', format])
        expect(stdout).toContain('vps:apisvc:${var.a}')
        expect(stdout.match(/.{0,80}(aaxq|zzxq|oauth2-unknown|unknown[-:/]unknown)/)?.[0]).toBeUndefined()
        const dry = await run(folder, ['lint', '.', '--no-config', '--preset', 'auditor', '--fix-dry-run', '--fix-level', 'suggested'])
        expect((dry.stdout + dry.stderr).match(/.{0,80}(aaxq|zzxq)/)?.[0]).toBeUndefined()
      })
  })
})

/** The files of a configuration, parsed once; the world that it makes with some values. Undefined where one is not legal there. */
function parsed(files: Files) {
  const read = (path: string) => readHcl(sourceOf(path, files.get(path) as string), 'svc_iam_')
  const own = new Map([...files.keys()].map((path) => [path, read(path)] as const))
  const folder = (path: string, values: readonly HclFile[]): Folder => ({
    path,
    name: path,
    files: [...own].flatMap(([file, parsed]) => (dirname(file) === path ? [parsed] : [])),
    values,
  })
  return (values: string): World | undefined => {
    const given = readHcl(sourceOf('v.auto.tfvars', values), undefined)
    const root = folder('.', [given])
    const configuration = readConfiguration(root, new Map([['team', folder('team', [])]]), { prefix: 'svc' })
    const facts = [...own.values()].map((file) => {
      const { documents, diagnostics } = readingOf(file, [configuration])
      return { ...readFacts(documents, defaultSettings), problems: diagnostics }
    })
    if (facts.some(({ diagnostics, problems, misshapen }) => diagnostics.length + problems.length + misshapen.length > 0)) return undefined
    const { world, diagnostics } = buildWorld(facts.map((each) => each.facts))
    return diagnostics.length > 0 ? undefined : world
  }
}

const questions = ['x', 'y', 'z', 'xx', 'xy'].flatMap((name) =>
  ['x', 'y', 'xx', 'yx'].flatMap((thing) =>
    [...verbs, 'terminate'].map((verb, i) =>
      questionOf({
        identity: identity(name),
        action: `vps:apisvc:${verb}`,
        resource: resource(thing),
        at: '2026-01-15T12:00:00Z',
        ...(i % 2 === 0 && { groups: [identity(name, 'group')] }),
      }),
    ),
  ),
)

function assignment(random: Random, values: Generated['values']): string {
  // Every third gives the same value to all that may have it.
  const isAlike = random() < 0.33
  const at = random()
  return [...values].map(([name, all]) => `${name} = ${isAlike ? all[Math.floor(at * all.length)] : pick(random, all)}\n`).join('')
}

function write(folder: string, files: Files): void {
  for (const [name, text] of files) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

test('fixing and then giving values is as giving values and deciding', async () => {
  const random = randomOf(seed)
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-unknown-'))
  const counts = { fixed: 0, left: 0, tried: 0, illegal: 0, questions: 0, allowed: 0 }
  try {
    while (counts.tried < assignments) {
      const { files, values } = generate(random)
      write(folder, files)
      await run(folder, ['lint', '.', '--no-config', '--preset', 'auditor', '--fix'])
      const after = new Map([...files.keys()].map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
      for (const name of files.keys()) rmSync(join(folder, name))
      const isFixed = [...files].some(([name, text]) => after.get(name) !== text)
      counts[isFixed ? 'fixed' : 'left']++
      if (!isFixed) continue
      const [one, other] = [parsed(files), parsed(after)]
      for (let i = 0; i < each; i++) {
        const given = assignment(random, values)
        const before = one(given)
        if (!before) {
          counts.illegal++
          continue
        }
        counts.tried++
        const now = other(given)
        expect(now, `${JSON.stringify([...after])}\n${given}`).toBeDefined()
        const [first, second] = [compile(before), compile(now as World)]
        for (const question of questions) {
          const verdict = first.verdict(question)
          counts.questions++
          if (verdict === 'allow') counts.allowed++
          if (second.verdict(question) !== verdict)
            expect(
              second.verdict(question),
              `${[...files.values()].join('\n')}\n---\n${[...after.values()].join('\n')}\n---\n${given}`,
            ).toBe(verdict)
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  if (process.env.ASSIGNMENTS) console.log(counts)
  expect(counts.allowed).toBeGreaterThan(counts.questions / 50)
}, 3_600_000)
