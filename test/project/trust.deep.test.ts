import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { counted } from '../support/counted.ts'
import { some } from '../support/effort.ts'
import { type Content, gitEnvironment, makeRepository } from '../support/gate-cases.ts'
import { binary } from '../support/scenario.ts'

/**
 * The trust of the base as a small model: where configurations can be, what they extend, where a package is found, and what a change
 * can make of each. In all cases of it, a change is judged by what its base says (docs/integrations.md, What a change cannot switch off).
 */

/** Where a configuration may be, from the top down to the folder with the policy: the nearest one counts. */
const places = ['', 'policies/', 'policies/team/'] as const
type Place = (typeof places)[number]
const packages = ['node_modules/acme-lint/', 'policies/node_modules/acme-lint/'] as const

/** A configuration: with the guardrail, with a package that has it or not, or with nothing. */
type Rule = 'guarded' | 'extends' | 'empty'

interface State {
  readonly configurations: Readonly<Partial<Record<Place, Rule>>>
  /** The packages by their folders, and whether each has the guardrail. */
  readonly packages: Readonly<Record<string, boolean>>
}

/** How the model judges the policy of the change: what the nearest configuration comes to. */
function judged({ configurations, packages: installed }: State): 'stopped' | 'passed' | 'broken' {
  const place = places.findLast((each) => configurations[each] !== undefined)
  if (place === undefined || configurations[place] === 'empty') return 'passed'
  if (configurations[place] === 'guarded') return 'stopped'
  const above = packages.filter((folder) => place.startsWith(folder.replace(/node_modules\/.*/, '')) && installed[folder] !== undefined)
  const nearest = above.at(-1)
  return nearest === undefined ? 'broken' : installed[nearest] ? 'stopped' : 'passed'
}

const guardrail = `guardrails: [{ code: acme/no-end, message: not allowed here, never: { actions: ["vps:apisvc:terminate"], resources: ["urn:v1:eu:resource:vps:*"] } }]\n`
const texts: Readonly<Record<Rule, string>> = { guarded: guardrail, extends: 'extends: acme-lint\n', empty: 'rules: {}\n' }

const policyOf = (verb: string) =>
  JSON.stringify({
    name: verb,
    identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action: `vps:apisvc:${verb}` }] },
  })

/** Changes of a file of a configuration: nothing, remove it, weaken it, a link to a weak one. */
const edits = ['keep', 'remove', 'weaken', 'link'] as const
type Edit = (typeof edits)[number]

interface Case {
  readonly base: State
  readonly edits: Readonly<Partial<Record<Place, Edit>>>
  /** Changes of packages: nothing, the one of the base weakened, a weak one nearer to the policies. */
  readonly packages: 'keep' | 'weaken' | 'nearer'
}

const rules = [undefined, 'guarded', 'extends'] as const

function* allCases(): Generator<Case> {
  for (const top of rules)
    for (const policies of rules) {
      if (!top && !policies) continue
      const configurations = { ...(top && { '': top }), ...(policies && { 'policies/': policies }) }
      const base = { configurations, packages: { [packages[0]]: true } }
      const editsOf = (place: Place) => edits.filter((edit) => edit !== 'remove' || base.configurations[place as ''] !== undefined)
      for (const first of [...editsOf('')])
        for (const second of editsOf('policies/'))
          for (const third of ['keep', 'weaken', 'link'] as const)
            for (const of of ['keep', 'weaken', 'nearer'] as const)
              yield { base, edits: { '': first, 'policies/': second, 'policies/team/': third }, packages: of }
    }
}

const fileOf = (place: string) => `${place}.grantwise.yaml`
const packageFile = (folder: string) => `${folder}grantwise.yaml`

const filesOf = ({ configurations, packages: installed }: State): Record<string, Content> => ({
  ...Object.fromEntries(Object.entries(configurations).map(([place, rule]) => [fileOf(place), texts[rule]])),
  ...Object.fromEntries(Object.entries(installed).map(([folder, isGuarded]) => [packageFile(folder), isGuarded ? guardrail : texts.empty])),
})

function changeOf({ base, edits: made, packages: of }: Case): Record<string, Content> {
  const change: Record<string, Content> = { 'policies/team/terminate.json': policyOf('terminate'), 'weak.yaml': texts.empty }
  for (const [place, edit] of Object.entries(made)) {
    const isThere = base.configurations[place as Place] !== undefined
    if (edit === 'remove' && isThere) change[fileOf(place)] = null
    if (edit === 'weaken') change[fileOf(place)] = texts.empty
    if (edit === 'link') change[fileOf(place)] = { link: `${'../'.repeat(place.split('/').length - 1)}weak.yaml` }
  }
  if (of === 'weaken') change[packageFile(packages[0])] = texts.empty
  if (of === 'nearer') change[packageFile(packages[1])] = texts.empty
  return change
}

/** The files after the change; links are taken for what they lead to. */
function stateAfter({ base, edits: made, packages: of }: Case): State {
  const configurations = { ...base.configurations } as Partial<Record<Place, Rule>>
  for (const [place, edit] of Object.entries(made) as [Place, Edit][]) {
    if (edit === 'remove') delete configurations[place]
    if (edit === 'weaken' || edit === 'link') configurations[place] = 'empty'
  }
  const installed: Record<string, boolean> = { ...base.packages }
  if (of === 'weaken') installed[packages[0]] = false
  if (of === 'nearer') installed[packages[1]] = false
  return { configurations, packages: installed }
}

const root = resolve(import.meta.dirname, '../..')
const store = mkdtempSync(join(tmpdir(), 'grantwise-'))
afterAll(() => rmSync(store, { recursive: true, force: true }))

function linted(each: Case, base: string) {
  const folder = mkdtempSync(join(store, 'case-'))
  makeRepository({ base: { ...filesOf(each.base), 'policies/reboot.json': policyOf('reboot') }, change: changeOf(each) }, folder)
  const { status, stdout, stderr } = spawnSync('bash', [join(root, 'integrations/lint.sh')], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      ...gitEnvironment,
      GRANTWISE_BIN: binary,
      GRANTWISE_PATHS: 'policies',
      GRANTWISE_BASE: base,
      TMPDIR: store,
      // Within the checkout, as some servers have it: temporary files must not count as part of the change.
      RUNNER_TEMP: folder,
    },
  })
  rmSync(folder, { recursive: true, force: true })
  return { status, printed: stdout + stderr }
}

const cases = [...allCases()]
const titleOf = (each: Case) => JSON.stringify([each.base.configurations, each.edits, each.packages])

// covers: T26
test('a change is judged by what its base says, whatever it makes of configurations and packages', () => {
  const wrong: string[] = []
  const tried = some(cases, 120)
  counted(tried.length)
  for (const each of tried) {
    const { status, printed } = linted(each, 'main')
    if (judged(each.base) === 'stopped' ? status !== 0 && (status === 2 || printed.includes('not allowed here')) : true) continue
    wrong.push(`${titleOf(each)} ended with ${status}\n${printed}`)
  }
  expect(wrong.slice(0, 3).join('\n')).toBe('')
  expect(tried.some((each) => judged(stateAfter(each)) === 'passed')).toBe(true)
}, 3_600_000)

test('without a base, the model judges as the program does: the changes would switch the checks off', () => {
  const seen = { stopped: 0, passed: 0 }
  const withoutLinks = cases.filter((each) => !Object.values(each.edits).includes('link'))
  for (const each of some(withoutLinks, 48)) {
    const expected = judged(stateAfter(each))
    if (expected === 'broken') continue
    seen[expected]++
    const { status, printed } = linted(each, '')
    expect(status, `${titleOf(each)}\n${printed}`).toBe(expected === 'stopped' ? 1 : 0)
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
}, 3_600_000)
