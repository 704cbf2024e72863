import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { foldersOf } from '../../src/cli/input/folders.ts'
import { type LintRun, lintFiles } from '../../src/lint/lint-files.ts'
import type { Profile } from '../../src/lint/profile.ts'
import { RuleMemo } from '../../src/lint/remembered.ts'
import { defaultSettings } from '../../src/names.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { Policy } from '../../src/policy.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import type { Rule } from '../../src/rules/rule.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import type { TextGiven } from '../../src/sources/files.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { RecalledConfigurations } from '../../src/sources/recalled-configurations.ts'
import { inFolder } from '../support/configurations.ts'
import { effort } from '../support/effort.ts'
import { examplesOf, readExample } from '../support/examples.ts'
import { ioIn } from '../support/in-process.ts'
import { pick, randomOf } from '../support/worlds.ts'

/** Linting the same texts again and again, with what is kept from one run to the next: never another answer than a first run. */

const catalogue = loadCatalogue()
const now = Date.UTC(2026, 0, 15, 12)

// covers: M55
describe('what rules found in policies', () => {
  /** The examples of all rules, each as a file: something of all that is ever found. */
  const sources = rules.flatMap(({ code }) =>
    [...examplesOf(code).bad, ...examplesOf(code).good]
      .map((example) => readExample(example).exampleSet)
      .map((source, i) => sourceOf(`${code}-${i}.${source.notation}`, source.text, source.notation)),
  )
  const reads = new WeakMap<Source, unknown>()
  const readAll = (some: readonly Source[]) =>
    readSources(
      some.map((source) => ({ source, isNamed: true })),
      defaultSettings,
      allReaders,
      {
        recall: <T>(source: Source, read: () => T | Promise<T>) => {
          if (!reads.has(source)) reads.set(source, read())
          return reads.get(source) as T | Promise<T>
        },
      },
    )
  const profile = (preset: 'recommended' | 'auditor', most: number): Profile => ({
    levels: levelsOf(preset),
    options: new Map([
      ['too-many-entries', { most }],
      ['wildcard-growth', { most }],
    ]),
  })

  it('is the same with what is remembered of other files, instants, options and catalogues', async () => {
    const random = randomOf(20261123)
    const remembered = new RuleMemo()
    const other = loadCatalogue('acme')
    let found = 0
    for (let i = 0; i < effort(150, 100); i++) {
      const share = pick(random, [0.02, 0.1, 0.3])
      const files = await readAll(sources.filter(() => random() < share))
      const chosen = [profile('recommended', 1), profile('auditor', pick(random, [1, 40]))]
      const isMixed = random() < 0.3
      const run: LintRun = {
        files,
        catalogue: random() < 0.2 ? other : catalogue,
        settings: random() < 0.2 ? { ...defaultSettings, brand: 'acme' } : defaultSettings,
        now: now + pick(random, [0, 0, 90 * 86_400_000]),
        profileOf: (path) => chosen[isMixed && path < 'm' ? 1 : 0] as Profile,
      }
      const { findings } = lintFiles(run)
      found += findings.length
      expect(lintFiles({ ...run, remembered }).findings, files.files.join(' ')).toEqual(findings)
    }
    expect(found).toBeGreaterThan(effort(150, 100) * 5)
  })

  it('is not looked for again in the same policy, unless something else than the policy was looked at', async () => {
    const { facts } = await readAll(sources.slice(0, 40))
    const { world } = buildWorld(facts)
    const remembered = new RuleMemo()
    /** How often a rule looks at a policy in two runs over it. */
    const looks = (code: string) => {
      let count = 0
      const get = (target: Policy, key: string | symbol) => {
        count++
        return Reflect.get(target, key)
      }
      const policy = new Proxy(world.policies[0] as Policy, { get })
      const rule = rules.find((each) => each.code === code) as Rule & { readonly policy: NonNullable<unknown> }
      return [1, 2].map(() => {
        count = 0
        const context = ruleContext({ world, catalogue, settings: defaultSettings, now })
        for (const _ of remembered.remembering(rule as never, context)(policy, context)) count++
        return count
      })
    }
    expect(looks('placeholder-in-urn')).toEqual([expect.any(Number), 0])
    expect(looks('placeholder-in-urn')[0]).toBeGreaterThan(0)
    const [first, second] = looks('wildcard-identity')
    expect(second).toBe(first)
    expect(first).toBeGreaterThan(0)
  })
})

describe('configurations that were read', () => {
  const texts = new Map([
    [
      'main.tf',
      'module "team" {\n  source = "./team"\n  verbs  = ["get"]\n}\nresource "svc_iam_policy" "p" {\n  name       = "p"\n  identities = [var.who]\n  resources  = [trimspace(file("resource.txt"))]\n  allow      = ["vps:apisvc:get"]\n}\nvariable "who" {}\n',
    ],
    ['terraform.tfvars', 'who = "urn:v1:eu:identity:user:ab12-svc/ann"\n'],
    ['resource.txt', 'urn:v1:eu:resource:vps:one\n'],
    [
      'team/main.tf',
      'variable "verbs" {}\nresource "svc_iam_policy" "q" {\n  name       = "q"\n  identities = ["urn:v1:eu:identity:user:ab12-svc/bob"]\n  resources  = ["urn:v1:eu:resource:vps:two"]\n  allow      = [for verb in var.verbs : "vps:apisvc:${verb}"]\n}\n',
    ],
  ])
  const isWith = (recalled: RecalledConfigurations | undefined, given: readonly TextGiven[], cwd: string) =>
    readSources(
      given,
      defaultSettings,
      { ...allReaders, ...(recalled && { configurations: (files, own, folders) => recalled.read(files, own, folders, defaultSettings) }) },
      { folders: foldersOf(ioIn(cwd, {}).io) },
    )
  const policiesOf = ({ facts }: Awaited<ReturnType<typeof readSources>>) =>
    facts.flatMap(({ policies }) =>
      policies.map(({ name, identities, resources }) => [name.value, identities[0]?.value.text, resources[0]?.value.text]),
    )

  it('are given again while nothing around them has changed, and read again when anything has', async () => {
    await inFolder(texts, async (folder) => {
      const source = sourceOf('main.tf', texts.get('main.tf') as string)
      const given: readonly TextGiven[] = [{ source, file: join(folder, 'main.tf') }]
      const recalled = new RecalledConfigurations()
      const first = await isWith(recalled, given, folder)
      expect(policiesOf(first)).toEqual([
        ['p', 'urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:resource:vps:one'],
        ['q', 'urn:v1:eu:identity:user:ab12-svc/bob', 'urn:v1:eu:resource:vps:two'],
      ])
      const again = await isWith(recalled, given, folder)
      expect(again.facts[0]).toBe(first.facts[0])
      const steps: readonly (readonly [string, string | undefined])[] = [
        ['terraform.tfvars', 'who = "urn:v1:eu:identity:user:ab12-svc/eve"\n'],
        ['resource.txt', 'urn:v1:eu:resource:vps:three\n'],
        ['team/main.tf', (texts.get('team/main.tf') as string).replace('vps:two', 'vps:four')],
        ['more.tf', 'resource "svc_iam_policy" "r" {\n  name = "r"\n}\n'],
        ['terraform.tfvars', undefined],
        ['resource.txt', undefined],
        ['team/main.tf', undefined],
      ]
      for (const [name, text] of steps) {
        const before = policiesOf(await isWith(recalled, given, folder))
        if (text === undefined) rmSync(join(folder, name))
        else writeFileSync(join(folder, name), text)
        const [now, fresh] = [await isWith(recalled, given, folder), await isWith(undefined, given, folder)]
        expect(policiesOf(now), name).toEqual(policiesOf(fresh))
        expect(now.diagnostics, name).toEqual(fresh.diagnostics)
        expect([policiesOf(now), now.diagnostics.length, now.unread.length], name).not.toEqual([
          before,
          first.diagnostics.length,
          first.unread.length,
        ])
      }
    })
  })
})
