import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decide } from '../../src/simulate/decide.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { addresses, contextsFor, fewActions, someAccount } from '../support/claims.ts'
import { effort, untilSeen } from '../support/effort.ts'
import { mainIn } from '../support/in-process.ts'
import { expectSame } from '../support/same.ts'
import { pick, randomOf, worldOf } from '../support/worlds.ts'

/** The last lines of the commands that check files, `lint`, `test`, `lock --check`, and the line of `--coverage`, against what they count. */

let work: string
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-'))
})
afterEach(() => rmSync(work, { recursive: true }))

const write = (name: string, value: object) => writeFileSync(join(work, name), JSON.stringify(value, null, 1))
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1) as string
const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)

interface Coverage {
  readonly summary: string
  readonly read: readonly { readonly as: string }[]
  readonly passed: readonly { readonly count?: number }[]
  readonly assumptions: readonly { readonly matters: boolean }[]
}

test('of `lint`, and of what it read', async () => {
  const seen = { none: 0, some: 0, fixable: 0, idle: 0 }
  const random = randomOf(71)
  for (let run = 0; run < effort(150, 30); run++) {
    const [{ policies, ...rest }] = someAccount(random)
    const isClean = random() < 0.2
    write('world.json', { ...rest, policies: [] })
    write('one.json', { policies: isClean ? [] : policies.slice(0, 2) })
    write('two.json', {
      policies: isClean ? [] : [...policies.slice(2), ...policies.slice(0, 1).map((each) => ({ ...each, name: 'again' }))],
    })
    write('other.json', { some: 'thing' })
    write('.grantwise.json', { extends: pick(random, ['recommended', 'strict', 'auditor'] as const) })
    const args = ['lint', '--format', 'pretty', '--format', 'json=out.json', '--coverage', '--fail-on', 'never', '--no-color']
    const { stdout } = await mainIn([...args, '.'], work)
    const json = JSON.parse(readFileSync(join(work, 'out.json'), 'utf8')) as {
      readonly files: number
      readonly findings: readonly { readonly severity: string; readonly file: string; readonly fixable: boolean }[]
      readonly suppressed?: Readonly<Record<string, number>>
      readonly coverage: Coverage
    }
    const summary = stdout
      .split('\n')
      .find((line) => /^(?:no problems|\d+ (?:error|warning|info)s?\b.*) in .*\bfiles?\b/.test(line)) as string
    const { findings, coverage } = json
    for (const severity of ['error', 'warning', 'info'])
      expect(numberIn(summary, new RegExp(`(\\d+) ${severity}`)), stdout).toBe(findings.filter((each) => each.severity === severity).length)
    expect(summary.startsWith('no problems'), summary).toBe(findings.length === 0)
    seen[findings.length === 0 ? 'none' : 'some']++
    const [, dirty, files] = /in (?:(\d+) of )?(\d+) files?/.exec(summary) ?? []
    const own = new Set(findings.map(({ file }) => file)).size
    expect([Number(dirty ?? (findings.length === 0 ? 0 : files)), Number(files)]).toEqual([own, json.files])
    expect(numberIn(summary, /(\d+) fixable with --fix/)).toBe(findings.filter(({ fixable }) => fixable).length)
    if (findings.some(({ fixable }) => fixable)) seen.fixable++
    // The texts that were read, in one line.
    const line = coverage.summary
    expect(numberIn(line, /^read (\d+) files?/)).toBe(coverage.read.length)
    expect(numberIn(line, /, (\d+) of them without policies/)).toBe(coverage.read.filter(({ as }) => as === 'none').length)
    expect(numberIn(line, /passed over (\d+)/)).toBe(coverage.passed.filter(({ count }) => count === undefined).length)
    expect(line.includes('assumes: ')).toBe(coverage.assumptions.some(({ matters }) => matters))
    if (coverage.read.some(({ as }) => as === 'none')) seen.idle++
    // The numbers of rules add up to the same.
    const { stdout: statistics } = await mainIn(
      ['lint', '--statistics', '--format', 'pretty', '--fail-on', 'never', '--no-color', '.'],
      work,
    )
    const rows = statistics.split('\n').flatMap((each) => {
      const found = /^ *(\d+) +(?:-|(\d+) \(\d+%\)) +(?:error|warning|info) /.exec(each)
      return found ? [[Number(found[1]), Number(found[2] ?? 0)] as const] : []
    })
    expect(rows.length > 0).toBe(findings.length > 0)
    expect(rows.reduce((sum, [count]) => sum + count, 0)).toBe(findings.length)
    expect(rows.reduce((sum, [, fixable]) => sum + fixable, 0)).toBe(findings.filter(({ fixable }) => fixable).length)
    expect(lastLine(statistics)).toBe(summary)
  }
  for (const kind of ['none', 'some', 'fixable', 'idle'] as const) expect(seen[kind], kind).toBeGreaterThan(0)
})

test('of `test`', async () => {
  const seen = { passed: 0, failed: 0, proved: 0, refuted: 0, left: 0, coverage: 0 }
  const random = randomOf(72)
  for (let run = 0; run < effort(200, 30); run++) {
    const [account] = someAccount(random)
    const world = worldOf(account)
    write('p.json', account)
    const { identities, resources } = knownNamesIn([world])
    const invariants = Array.from({ length: 3 }, (_, i) => {
      const resource = pick(random, resources)
      const box = {
        identities: [pick(random, identities)],
        actions: fewActions.of(resource.split(':')[4] as string),
        resources: [resource],
      }
      return { name: `claim ${i}`, box, kind: pick(random, ['never', 'always'] as const) }
    })
    write('t.iamtest.json', { policies: 'p.json', invariants: invariants.map(({ name, kind, box }) => ({ name, [kind]: box })) })
    const isLess = random() < 0.3
    const args = ['test', 't.iamtest.json', '-p', 'p.json', ...(isLess ? ['--filter', 'claim 1'] : []), '--coverage', '--no-color']
    const { stdout: text, stderr } = await mainIn(args, work)
    const { stdout } = await mainIn([...args, '--format', 'json'], work)
    expect(stdout, stderr).toContain('{')
    const json = JSON.parse(stdout) as {
      readonly tests: readonly { readonly name: string; readonly status: string }[]
      readonly summary: Readonly<Record<string, number>>
      readonly coverage: Readonly<
        Record<'entries' | 'policies', { readonly total: number; readonly exercised: number; readonly percent: number }>
      > | null
    }
    const summary = text.split('\n').find((line) => /^\d+ passed.* in \d+ files?/.test(line)) ?? text
    for (const status of ['passed', 'failed', 'undecided'])
      expect(numberIn(summary, new RegExp(`(\\d+) ${status}`)), text).toBe(json.tests.filter((each) => each.status === status).length)
    expect(numberIn(summary, /(\d+) excluded by --filter/)).toBe(isLess ? invariants.length - json.tests.length : 0)
    if (isLess) seen.left++
    for (const [, word, name, verdict] of text.matchAll(
      /^ {2}(ok|FAIL|OPEN) +(claim \d) +\((?:never|always): (proved|refuted|undecided)/gm,
    )) {
      const { kind, box } = invariants.find((each) => each.name === name) as (typeof invariants)[number]
      const status = json.tests.find((each) => each.name === name)?.status
      expect([word, verdict]).toEqual(
        { passed: ['ok', 'proved'], failed: ['FAIL', 'refuted'], undecided: ['OPEN', 'undecided'] }[status ?? ''],
      )
      seen[status === 'passed' ? 'passed' : 'failed']++
      if (verdict !== 'proved') continue
      seen.proved++
      const [identity = '', resource = ''] = [box.identities[0], box.resources[0]]
      for (const action of box.actions)
        for (const context of contextsFor(world, resource))
          expectSame(
            decide(world, { identity, resource, action, groups: [], ...context }).verdict,
            kind === 'never' ? 'deny' : 'allow',
            () => text,
          )
    }
    const [, exercised, total, percent] = /coverage {2}entries (\d+) of (\d+) \(([\d.]+) %\)/.exec(text) ?? []
    if (exercised === undefined || !json.coverage) continue
    seen.coverage++
    const { entries } = json.coverage
    expect([exercised, total, percent].map(Number)).toEqual([entries.exercised, entries.total, entries.percent])
    const idle = text.split('\n').filter((line) => line.endsWith(': no test exercises it')).length
    if (idle === 0) expect(entries.exercised).toBe(entries.total)
  }
  for (const kind of ['passed', 'failed', 'proved', 'left'] as const) expect(seen[kind], kind).toBeGreaterThan(0)
})

test('of `lock --check`', async () => {
  const seen = { same: 0, changed: 0 }
  const random = randomOf(73)
  for (const _ of untilSeen(seen, 120)) {
    const [before, after] = someAccount(random)
    write('p.json', before)
    const { exit } = await mainIn(['lock', '-p', 'p.json', '-o', 'l.lock'], work)
    if (exit !== 0) continue
    write('p.json', after)
    const args = ['lock', '--check', '-p', 'p.json', '-o', 'l.lock', '--no-color']
    const { stdout: text } = await mainIn(args, work)
    const { stdout } = await mainIn([...args, '--format', 'json'], work)
    const { verdict } = JSON.parse(stdout) as { readonly verdict: string }
    const [first = ''] = text.split('\n')
    expect(first, text).toBe(
      `l.lock: ${{ same: 'up to date', changed: 'out of date', undecided: 'it cannot be determined whether the policies allow something else' }[verdict]}`,
    )
    if (verdict === 'changed') seen.changed++
    if (verdict !== 'same') continue
    seen.same++
    const [old, now] = [worldOf(before), worldOf(after)]
    const { identities, resources } = knownNamesIn([now])
    for (const identity of identities)
      for (const resource of resources)
        for (const action of fewActions.of(resource.split(':')[4] as string))
          for (const context of contextsFor(now, resource)) {
            const [was, is] = [old, now].map((world) => decide(world, { identity, resource, action, groups: [], ...context }).verdict)
            expectSame(is, was, () => `${identity} ${action} ${resource}`)
          }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('of guardrails: the request that is said to break one does', async () => {
  const seen = { never: 0, only: 0, always: 0, plain: 0, conditional: 0, kept: 0 }
  const random = randomOf(74)
  for (const _ of untilSeen(seen, 250)) {
    const [account] = someAccount(random)
    const world = worldOf(account)
    const { identities, resources } = knownNamesIn([world])
    const kind = pick(random, ['never', 'only', 'always'] as const)
    // Guardrails name actions that are known.
    const resource = pick(
      random,
      resources.filter((urn) => !urn.includes(':domain:')),
    )
    const action = pick(random, fewActions.of(resource.split(':')[4] as string))
    const identity = pick(random, identities)
    write('p.json', account)
    write('.grantwise.json', {
      guardrails: [{ code: 'acme/one', message: 'kept', [kind]: { identities: identity, actions: action, resources: resource } }],
    })
    const { stdout, stderr } = await mainIn(['lint', '--format', 'compact', '--fail-on', 'never', '--no-color'], work)
    expect(stderr).toBe('')
    const lines = stdout.split('\n').filter((line) => line.includes('acme/one'))
    for (const line of lines) {
      const found = /kept: `([^`]*)`(?: in `([^`]*)`)? (may not|may|is denied) `([^`]*)` on `([^` ]*)`(.*)$/.exec(line)
      if (!found) continue
      seen[kind]++
      const [, who = '', group, verb, what = '', on = '', rest = ''] = found
      const asked = { identity: who, action: what, resource: on, groups: group === undefined ? [] : [group] }
      const verdicts = new Set(contextsFor(world, on).map((context) => decide(world, { ...asked, ...context }).verdict))
      const isBroken = [...verdicts].some((verdict) => (verb === 'may' ? verdict === 'allow' : verdict === 'deny'))
      expectSame(isBroken, true, () => `${line}\n${JSON.stringify(account)}`)
      // Without a condition it is so at all times, from everywhere.
      if (/^(?: \(|$)/.test(rest)) {
        seen.plain++
        expectSame([...verdicts], [verb === 'may' ? 'allow' : 'deny'], () => `${line}\n${JSON.stringify(account)}`)
      } else seen.conditional++
    }
    if (lines.length > 0 || kind === 'only') continue
    seen.kept++
    for (const context of contextsFor(world, resource)) {
      const { verdict } = decide(world, { identity, action, resource, groups: [], ...context })
      expectSame(
        kind === 'never' ? verdict !== 'allow' : verdict === 'allow',
        true,
        () => `${kind} ${identity} ${action} ${resource}\n${stdout}`,
      )
    }
  }
  for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(0)
})

test('of guardrails that require a condition or an end', async () => {
  const seen = { condition: 0, days: 0, without: 0, late: 0, kept: 0 }
  const random = randomOf(75)
  for (const _ of untilSeen(seen, 300)) {
    const [account] = someAccount(random)
    const policies = account.policies.map((each) => ({
      ...each,
      ...(random() < 0.5 && { expiredAt: pick(random, ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z']) }),
    }))
    const world = worldOf({ ...account, policies })
    const { identities, resources } = knownNamesIn([world])
    const resource = pick(
      random,
      resources.filter((urn) => !urn.includes(':domain:')),
    )
    const action = pick(random, fewActions.of(resource.split(':')[4] as string))
    const identity = pick(random, identities)
    const kind = pick(random, ['condition', 'days'] as const)
    const required =
      kind === 'condition' ? { condition: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } } } : { expiresWithin: 30 }
    write('p.json', { ...account, policies })
    write('.grantwise.json', {
      guardrails: [
        { code: 'acme/one', message: 'kept', requires: { identities: identity, actions: action, resources: resource, ...required } },
      ],
    })
    const { stdout, stderr } = await mainIn(['lint', '--format', 'compact', '--fail-on', 'never', '--no-color'], work)
    expect(stderr).toBe('')
    const lines = stdout.split('\n').filter((line) => line.includes('acme/one'))
    const contexts = contextsFor(world, resource)
    const asked = { identity, action, resource, groups: [] }
    // Against a condition: an allow where it does not hold. Against an end: an allow by a policy that ends later, or never.
    const allowing = (of: typeof world) => contexts.filter((context) => decide(of, { ...asked, ...context }).verdict === 'allow')
    const isRoot = decide(world, { ...asked, at: 0 }).reason === 'root'
    const late = {
      ...world,
      policies: world.policies.filter(
        ({ expiresAt, permissions }) => permissions.deny.length > 0 || expiresAt?.value !== Date.UTC(2020, 0),
      ),
    }
    const isBroken = !isRoot && (kind === 'condition' ? allowing(world).some(({ ip }) => ip !== addresses[0]) : allowing(late).length > 0)
    const where = `${JSON.stringify(required)} ${identity} ${action} ${resource}\n${stdout}\n${JSON.stringify(policies)}`
    seen[kind]++
    if (isBroken) {
      seen[kind === 'condition' ? 'without' : 'late']++
      expectSame(lines.length > 0, true, () => where)
    }
    if (lines.length === 0) {
      seen.kept++
      expectSame(isBroken, false, () => where)
    }
    for (const line of lines) {
      const found = /kept: `([^`]*)`(?: in `([^`]*)`)? (may not|may|is denied) `([^`]*)` on `([^` ]*)`/.exec(line)
      if (!found) continue
      const [, who = '', group, , what = '', on = ''] = found
      const each = { identity: who, action: what, resource: on, groups: group === undefined ? [] : [group] }
      // A requirement holds whatever tags a resource has one day: the line says those that it had to have.
      const tag = /tag env = (\w+)/.exec(line)?.[1]
      const tags = tag === undefined ? undefined : { tags: new Map([['env', tag]]) }
      const may = contexts.filter((context) => decide(world, { ...each, ...context, ...tags }).verdict === 'allow')
      expectSame(kind === 'condition' ? may.some(({ ip }) => ip !== addresses[0]) : may.length > 0, true, () => `${line}\n${where}`)
    }
  }
  for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(0)
})

test('of `lint`: what was not read', async () => {
  const seen = { all: 0, one: 0, several: 0, clean: 0 }
  const random = randomOf(77)
  const outputs = { pretty: 'out.pretty', agent: 'out.agent', markdown: 'out.md', github: 'out.github', json: 'out.json' } as const
  for (const run of untilSeen(seen, 60)) {
    const [{ policies, ...rest }] = someAccount(random)
    write('one.json', { ...rest, policies: random() < 0.3 ? [] : policies })
    writeFileSync(join(work, 'notes.txt'), 'nothing')
    // Paths that lead nowhere, of which one is named twice, and a file of a kind that is not read.
    const gone = Array.from({ length: run % 4 }, (_, i) => `gone-${i}.json`)
    const paths = [...gone, ...(run % 6 === 3 ? ['notes.txt'] : []), ...(run % 5 === 1 ? gone.slice(0, 1) : [])]
    const formats = Object.entries(outputs).flatMap(([format, file]) => ['--format', `${format}=${file}`])
    const { stderr } = await mainIn(['lint', ...formats, '--exit-zero', '--no-color', 'one.json', ...paths], work)
    const textOf = (format: keyof typeof outputs) => readFileSync(join(work, outputs[format]), 'utf8')
    const { unread = [], findings } = JSON.parse(textOf('json')) as {
      readonly unread?: readonly { readonly file: string }[]
      readonly findings: readonly object[]
    }
    expect(unread.map(({ file }) => file).sort()).toEqual([...new Set(paths)].sort())
    for (const format of ['pretty', 'agent', 'markdown'] as const) {
      const text = textOf(format)
      const where = `${format}: ${paths.join(' ')}\n${text}`
      expect(numberIn(text, /(\d+) paths? not read/), where).toBe(unread.length)
      expect(/no problems/.test(text), where).toBe(findings.length === 0 && (unread.length === 0 || format !== 'markdown'))
    }
    // Each is named, not only counted.
    for (const text of [stderr, textOf('agent'), textOf('markdown')]) for (const { file } of unread) expect(text).toContain(file)
    // An annotation counts them where there are more than the one that it names.
    expect(numberIn(textOf('github'), /(\d+) paths? not read in all/)).toBe(unread.length > 1 ? unread.length : 0)
    seen[unread.length === 0 ? 'all' : unread.length === 1 ? 'one' : 'several']++
    if (findings.length === 0 && unread.length > 0) seen.clean++
  }
  for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(0)
})

/** Rules about suppressions, which find nothing without them. */
const aboutSuppressions: ReadonlySet<string> = new Set(['unused-ignore', 'expired-ignore', 'stale-baseline'])

test('of `lint`: what is suppressed, hidden and unknown', async () => {
  const seen = { comment: 0, configuration: 0, baseline: 0, several: 0, hidden: 0, unknown: 0, clean: 0 }
  const random = randomOf(76)
  interface Lint {
    readonly files: number
    readonly findings: readonly { readonly code: string; readonly severity: string; readonly file: string; readonly fixable: boolean }[]
  }
  /** Two spellings of the same findings: for users and for programs. */
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr } = await mainIn(
      [
        'lint',
        '--format',
        'pretty',
        '--format',
        'json=out.json',
        '--no-color',
        '--exit-zero',
        '--at',
        '2026-06-01T12:00:00Z',
        ...args,
        '.',
      ],
      work,
    )
    expect(stdout, stderr).not.toBe('')
    const json = JSON.parse(readFileSync(join(work, 'out.json'), 'utf8')) as Lint
    rmSync(join(work, 'out.json'))
    return {
      stdout,
      json,
      summary: stdout.split('\n').find((line) => /^(?:no problems|\d+ (?:error|warning|info)s?\b.*) in .*\bfiles?\b/.test(line)) as string,
    }
  }
  for (const i of untilSeen(seen, 40)) {
    const [{ policies: some, ...rest }] = someAccount(random)
    const policies = some.slice(0, 2)
    write('world.json', { ...rest, policies: [] })
    write('one.json', { policies: policies.slice(0, 1) })
    // Of one file a comment suppresses one kind of finding, in all files the configuration another, and a baseline all that is left.
    const by = { comment: i % 2 === 0, configuration: i % 3 === 0, baseline: i % 4 === 2 }
    const comment = by.comment ? '# grantwise-ignore missing-description: on purpose\n' : ''
    writeFileSync(join(work, 'two.yaml'), `${comment}${JSON.stringify({ policies: [...policies, ...policies.slice(0, 1)] })}\n`)
    // So many values that no file gives.
    const names = Array.from({ length: i % 4 }, (_, j) => `v${j}`)
    const terraform = [
      ...names.map((name) => `variable "${name}" {}\n`),
      'resource "svc_iam_policy" "some" {\n  name       = "some"\n  identities = ["urn:v1:eu:identity:user:ab/ann"]\n',
      `  resources  = ["urn:v1:eu:resource:vps:web-1"]\n  allow      = ["vps:apisvc:get"${names.map((name) => `, var.${name}`).join('')}]\n}\n`,
    ]
    writeFileSync(join(work, 'main.tf'), terraform.join(''))
    const ignores = by.configuration ? [{ files: '**', codes: ['individual-user'], reason: 'known' }] : []
    // In one file a rule is an error, and in the others less.
    const overrides = [{ files: 'one.json', rules: { 'missing-description': 'error' } }]
    write('.grantwise.json', { extends: 'auditor', ignores, overrides })
    const baseline = by.baseline ? ['--baseline', 'base.json'] : []
    if (baseline.length > 0)
      await mainIn(['lint', '--write-baseline', 'base.json', '--exit-zero', '--at', '2026-06-01T12:00:00Z', '.'], work)
    const all = await run('--no-suppressions')
    const { summary, json, stdout } = await run('--show-suppressed', ...baseline)
    const kept = json.findings.filter(({ code }) => !aboutSuppressions.has(code))
    const causeOf = ({ code, file }: Lint['findings'][number]) =>
      by.comment && code === 'missing-description' && file === 'two.yaml'
        ? 'comment'
        : by.configuration && code === 'individual-user'
          ? 'configuration'
          : baseline.length > 0
            ? 'baseline'
            : undefined
    const where = `${summary}\n${stdout}`
    const counts = { comment: 0, configuration: 0, baseline: 0 }
    for (const finding of all.json.findings) {
      const cause = causeOf(finding)
      if (cause !== undefined) counts[cause]++
    }
    const total = all.json.findings.length - kept.length
    expect(total, where).toBe(counts.comment + counts.configuration + counts.baseline)
    expect(numberIn(summary, /(\d+) suppressed/), where).toBe(total)
    expect(stdout.split('\n').filter((line) => /:\d+:\d+: suppressed /.test(line)).length).toBe(total)
    const words = { comment: /by (?:a comment|comments)/, configuration: /by the configuration/, baseline: /by the baseline/ } as const
    const kinds = (Object.keys(counts) as (keyof typeof counts)[]).filter((kind) => counts[kind] > 0)
    for (const kind of Object.keys(counts) as (keyof typeof counts)[]) {
      expect(words[kind].test(summary), where).toBe(counts[kind] > 0)
      if (counts[kind] === 0) continue
      seen[kind]++
      if (kinds.length > 1) expect(numberIn(summary, new RegExp(`(\\d+) ${words[kind].source}`)), where).toBe(counts[kind])
    }
    if (kinds.length > 1) seen.several++
    // Other counts: values, files, and with --quiet what is below errors.
    expect(numberIn(summary, /(\d+) values? unknown/), where).toBe(names.length)
    if (names.length > 0) seen.unknown++
    if (json.findings.length === 0) seen.clean++
    // The rest takes as long again, and does not look at what is suppressed.
    if (i % 4 > 0) continue
    const quiet = await run('--quiet', ...baseline)
    const below = json.findings.filter(({ severity }) => severity !== 'error').length
    expect(numberIn(quiet.summary, /(\d+) below error not shown/), quiet.summary).toBe(below)
    expect(numberIn(quiet.summary, /(\d+) errors?\b/)).toBe(json.findings.length - below)
    if (below > 0) seen.hidden++
    // The statistics name each rule with its worst level, and as many as are left.
    const { stdout: statistics } = await mainIn(
      ['lint', '--statistics', '--format', 'pretty', '--exit-zero', '--no-color', '--at', '2026-06-01T12:00:00Z', ...baseline, '.'],
      work,
    )
    const rows = [...statistics.matchAll(/^ *(\d+) +(?:-|(\d+) \((\d+)%\)) +(error|warning|info) +(\S+)$/gm)]
    expect(new Set(rows.map(([, , , , , code]) => code)).size).toBe(rows.length)
    for (const [, count, fixable = '0', percent = '0', level, code] of rows) {
      const own = json.findings.filter((each) => each.code === code)
      const fixed = own.filter((each) => each.fixable).length
      const worst = ['error', 'warning', 'info'].find((each) => own.some(({ severity }) => severity === each))
      expect([Number(count), Number(fixable), Number(percent), level], statistics).toEqual([
        own.length,
        fixed,
        Math.floor((100 * fixed) / own.length),
        worst,
      ])
    }
    expect(new Set(json.findings.map(({ code }) => code)).size).toBe(rows.length)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
