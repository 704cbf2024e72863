import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { PageData } from '../../src/page/data.ts'
import { type PageGiven, withTexts } from '../../src/page/given.ts'
import { effort } from '../support/effort.ts'
import { asset, circumstancesOf, engineOver, givenOfTexts } from '../support/engine.ts'
import { mainIn } from '../support/in-process.ts'
import { generate, randomOf } from '../support/worlds.ts'

/** The engine of the pages, as it is built, answers what the commands print. */

const folder = mkdtempSync(join(tmpdir(), 'grantwise-engine-'))
mkdirSync(join(folder, 'account'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = '2026-05-04T10:00:00Z'
const now = Date.parse(at)

/** The same value as JSON has it, from another realm. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

const office = `resource "svc_iam_policy" "office" {
  name       = "office"
  identities = ["urn:v1:eu:identity:user:ab12-svc/zoe"]
  resources  = ["urn:v1:eu:resource:vps:office"]
  allow      = ["vps:apisvc:get"]
  conditions {
    operator = "MATCH"
    values   = { "request.IP.IN_RANGE" = "2001:db8::/32" }
  }
}
`

async function printed(args: readonly string[]) {
  const { stdout, stderr, exit } = await mainIn([...args, '--no-config', '--no-color'], folder)
  return { stdout, stderr, exit }
}

/** A world as the files of an account: its policies in one of either notation, the rest in another. */
function filesOf(i: number) {
  const { world, questions } = generate(randomOf(20261123 + i), 4)
  const { policies, ...inventory } = world
  const half = policies.length >> 1
  return {
    texts: {
      'inventory.json': JSON.stringify(inventory, null, 2),
      'a.json': JSON.stringify(policies.slice(0, half), null, 2),
      // JSON is YAML as well: with a comment it is read as that.
      'b.yaml': `# written by hand\n${JSON.stringify(policies.slice(half), null, 2)}\n`,
    },
    edited: JSON.stringify(
      policies.slice(0, half).map((policy, j) => (j === 0 ? { ...policy, identities: ['urn:v1:eu:identity:account:ab12-svc'] } : policy)),
      null,
      2,
    ),
    questions,
  }
}

const within = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`account/${name}`, text]))

function write(texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(within(texts))) writeFileSync(join(folder, path), text)
}

describe('the engine of the pages', () => {
  test('holds no table of the catalogue, and nothing of Node', () => {
    const text = asset('engine')
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(400_000)
    expect(/\brequire\(|["']node:/.test(text)).toBe(false)
    expect(text.includes('with it') || text.includes('2025-10 4398')).toBe(false)
  })

  test('answers can, who and what as the commands do', async () => {
    let count = 0
    for (let i = 0; i < effort(100, 59); i++) {
      const { texts, questions } = filesOf(i)
      write(texts)
      const engine = engineOver(givenOfTexts(within(texts), now))
      for (const question of questions) {
        const { identity, action, resource } = question
        const circumstances = circumstancesOf({ ...question, at })
        const options = [
          ...circumstances.group.flatMap((each) => ['--group', each]),
          ...circumstances.tag.flatMap((each) => ['--tag', each]),
          ...(circumstances.ip === undefined ? [] : ['--ip', circumstances.ip]),
          '--at',
          at,
          '-p',
          'account',
        ]
        const forms = [
          [['can', identity, action, resource], () => engine.can([identity, action, resource], circumstances)],
          [['who', action, resource], () => engine.who(action, resource, circumstances)],
          [['what', identity], () => engine.what(identity, undefined, circumstances)],
        ] as const
        for (const [words, ask] of forms) {
          const { answer, problems } = await ask()
          const text = await printed([...words, ...options])
          if (!answer) {
            expect({ words, text, problems: plain(problems) }).toMatchObject({ text: { exit: 2 } })
            for (const { message } of problems) expect(text.stderr).toContain(message)
            continue
          }
          expect(answer.text).toBe(text.stdout)
          const json = JSON.parse((await printed([...words, ...options, '--format', 'json'])).stdout)
          expect(plain(answer)).toMatchObject(json)
          count++
        }
      }
    }
    expect(count).toBeGreaterThan(effort(500, 59))
  })

  test('counts what a page is given as it was understood: configurations of Terraform next to JSON', async () => {
    const terraform = mkdtempSync(join(tmpdir(), 'grantwise-engine-hcl-'))
    cpSync(fileURLToPath(new URL('../../examples/terraform', import.meta.url)), terraform, { recursive: true })
    // Addresses are numbers that JSON does not have.
    writeFileSync(join(terraform, 'office.tf'), office)
    const report = await mainIn(['report', '-o', 'report.html', '--at', at, '--no-config'], terraform)
    expect(report).toMatchObject({ exit: 0 })
    const html = readFileSync(join(terraform, 'report.html'), 'utf8')
    const data: PageData = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
    const given = withTexts(data.whatIf as PageGiven, data.files)
    expect(given.sources.filter(({ read }) => read).length).toBeGreaterThan(0)
    const engine = engineOver(given)
    let allowed = 0
    for (const { urn: identity } of [...data.identities, ...data.groups]) {
      const { answer } = await engine.what(identity, undefined, { at })
      const { stdout } = await mainIn(['what', identity, '--at', at, '--no-config', '--no-color', '-p', '.'], terraform)
      expect(answer?.text).toBe(stdout)
      if (answer?.verdict === 'allow') allowed++
    }
    expect(allowed).toBeGreaterThan(0)
    const verdictFrom = async (ip: string) => {
      const asked = ['urn:v1:eu:identity:user:ab12-svc/zoe', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:office'] as const
      return (await engine.can(asked, { at, ip })).answer?.verdict
    }
    expect([await verdictFrom('2001:db8:5::1'), await verdictFrom('2001:db9::1')]).toEqual(['allow', 'deny'])
    rmSync(terraform, { recursive: true, force: true })
  })

  test('suggests what the command suggests, edits that bring what is wished', async () => {
    let turned = 0
    for (let i = 0; i < effort(30, 10); i++) {
      const { texts, questions } = filesOf(i)
      write(texts)
      const engine = engineOver(givenOfTexts(within(texts), now))
      for (const { identity, action, resource } of questions.slice(0, 2)) {
        const asked = [identity, action, resource] as const
        const { answer, problems } = await engine.suggest(asked, { at })
        const args = ['suggest', ...asked, '--at', at, '-p', 'account']
        const text = await printed(args)
        expect(problems).toBeUndefined()
        expect(answer?.text).toBe(text.stdout)
        const { edits = [], onlyWhen: _when, text: _, ...json } = plain(answer)
        expect(json).toEqual(JSON.parse((await printed([...args, '--format', 'json'])).stdout))
        for (const [j, each] of edits.entries()) {
          const { decision } = json.suggestions[j]
          expect((await engine.can(asked, { at }, each)).answer?.verdict).toBe(decision.verdict)
          if (decision.verdict === json.to) turned++
        }
      }
    }
    expect(turned).toBeGreaterThan(effort(30, 10))
  })

  test('finds what lint finds, fixes what it fixes, and compares as diff does', async () => {
    let gained = 0
    let fixed = 0
    for (let i = 0; i < effort(60, 40); i++) {
      const { texts, edited } = filesOf(i)
      write(texts)
      mkdirSync(join(folder, 'edited'), { recursive: true })
      for (const [name, text] of Object.entries({ ...texts, 'a.json': edited })) writeFileSync(join(folder, 'edited', name), text)
      const engine = engineOver(givenOfTexts(within(texts), now))
      const edits = { 'account/a.json': edited }

      const lint = await printed(['lint', 'account', '--format', 'json', '--at', at])
      const { findings } = JSON.parse(lint.stdout)
      const own = plain((await engine.lint()).findings)
      const codesOf = (all: readonly { readonly code: string; readonly file: string }[]) => all.map(({ code, file }) => `${file} ${code}`)
      expect(codesOf(own)).toEqual(codesOf(findings))
      expect(own).toMatchObject(findings.map(({ url: _, ...finding }: { url: string }) => finding))

      const diff = await printed(['diff', 'account', 'edited', '--format', 'json'])
      const { answer } = await engineOver(givenOfTexts(within(texts), Date.now())).diff(edits)
      // Each of the two begins at its own moment.
      const { text: _, words: __, time, ...difference } = plain(answer)
      const { time: other, ...expected } = JSON.parse(diff.stdout.replaceAll('edited/', 'account/'))
      expect(comparable(difference)).toEqual(comparable(expected))
      expect(Object.keys(time ?? {})).toEqual(Object.keys(other ?? {}))
      gained += difference.gained.length

      const paths = Object.keys(within(texts))
      const all = await engine.fixAll(paths)
      expect((await printed(['lint', '--fix', 'account', '--at', at])).exit).not.toBe(2)
      for (const [path, before] of Object.entries(within(texts))) {
        const text = readFileSync(join(folder, path), 'utf8')
        expect(all[path] ?? before).toBe(text)
        if (text !== before) fixed++
      }
    }
    expect(gained).toBeGreaterThan(0)
    expect(fixed).toBeGreaterThan(0)
  })

  test('exceptions of a change are words when they leave the worker', async () => {
    const textFor = (resource: string) =>
      JSON.stringify({
        name: 'p',
        identities: ['urn:v1:eu:identity:user:ab12-svc/zoe'],
        resources: [{ urn: resource }],
        permissions: { allow: [{ action: 'vps:apisvc:get' }] },
      })
    const engine = engineOver(givenOfTexts({ 'a.json': textFor('urn:v1:eu:resource:vps:vps-1') }, now))
    const { answer } = await engine.diff({ 'a.json': textFor('urn:v1:eu:resource:vps:*') })
    const details = answer?.words.gained.flatMap((row) => row.details) ?? []
    expect(details.find(({ label }) => label === 'except')?.items).toEqual([expect.stringContaining('vps:vps-1')])
  })

  test('one fix is of one finding, whatever else may be fixed', async () => {
    const policy = (name: string, action: string) => ({
      name,
      identities: ['urn:v1:eu:identity:user:ab12-svc/zoe'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action }, { action: 'vps:apisvc:get' }, { action: 'vps:apisvc:get' }] },
    })
    const texts = {
      'a.json': JSON.stringify([policy('a', 'vps:apisvc:rebot')], null, 2),
      'b.json': JSON.stringify([policy('b', 'vps:apisvc:rebot')], null, 2).replace('}', '},'),
      'c.json': JSON.stringify([policy('c', 'vps:apisvc:reboot')], null, 2).replace('"c"', '"c",'),
    }
    const engine = engineOver(givenOfTexts(texts, now))
    const { findings } = await engine.lint()
    const seen = { safe: 0, suggested: 0, unread: 0 }
    for (const { number, file, fix, code } of findings) {
      if (!fix) continue
      const edits = await engine.fix(number)
      expect([file, code, Object.keys(edits)]).toEqual([file, code, [file]])
      seen[code === 'syntax' ? 'unread' : fix.isSafe ? 'safe' : 'suggested']++
    }
    for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
  })
})

/**
 * A difference without the instants of its witnesses, which are those of the clock, and with its causes in one order: those of a
 * command are in two files.
 */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each) =>
    key === 'at' ? undefined : key === 'causes' ? each.map((cause: unknown) => JSON.stringify(cause)).sort() : each,
  )
}
