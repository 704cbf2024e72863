import { expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { type Diagnostic, findingKey } from '../../src/diagnostic.ts'
import { type Baseline, type LintRun, lintFiles, suppress } from '../../src/lint/lint-files.ts'
import { lintSingleFile } from '../../src/lint/single-file.ts'
import { defaultSettings } from '../../src/names.ts'
import { rules } from '../../src/rules/index.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { effort } from '../support/effort.ts'
import { examplesOf, readExample } from '../support/examples.ts'
import { pick, randomOf } from '../support/worlds.ts'

const catalogue = loadCatalogue()
const now = Date.UTC(2026, 0, 15, 12)
const sources = rules.flatMap(({ code }) =>
  [...examplesOf(code).bad, ...examplesOf(code).good]
    .map((example) => readExample(example).exampleSet)
    .map((source, i) => sourceOf(`${code}-${i}.${source.notation}`, source.text, source.notation)),
)
const readAll = (some: readonly Source[]) =>
  readSources(
    some.map((source) => ({ source, isNamed: true })),
    defaultSettings,
    allReaders,
  )
/** Without the places of a finding that are in other files. */
const shown = (finding: Diagnostic) => JSON.stringify([findingKey(finding), finding.message, finding.help, finding.severity])

it('finds in one file nothing that is not found in it among others', async () => {
  const random = randomOf(20261127)
  let found = 0
  for (let i = 0; i < effort(60); i++) {
    const share = pick(random, [0.02, 0.1, 0.3])
    const some = sources.filter(() => random() < share)
    const levels = levelsOf(pick(random, ['recommended', 'strict', 'auditor'] as const))
    const options = new Map([['too-many-entries', { most: pick(random, [1, 40]) }]])
    const run: Omit<LintRun, 'files'> = { catalogue, settings: defaultSettings, now, profileOf: () => ({ levels, options }) }
    const all = new Set(lintFiles({ ...run, files: await readAll(some) }).findings.map(shown))
    for (const source of some) {
      const single = lintSingleFile({ ...run, files: await readAll([source]) }).map(shown)
      found += single.length
      expect(
        single.filter((each) => !all.has(each)),
        source.path,
      ).toEqual([])
    }
  }
  expect(found).toBeGreaterThan(effort(60) * 5)
})

it('finds mistakes in one policy, and leaves out that another file has one of its name', async () => {
  const text =
    'name: a\nidentities: ["urn:v1:eu:identity:user:ab12-svc/bob"]\nresources: [{ urn: "urn:v1:eu:resource:vps:x" }]\npermissions: { allow: [{ action: "vps:apisvc:rebot" }] }\n'
  const [one, other] = [sourceOf('a.yaml', text), sourceOf('b.yaml', text)]
  const codes = (findings: readonly Diagnostic[]) => findings.map(({ code }) => code)
  const complete = codes(lintFiles({ files: await readAll([one, other]), catalogue, now }).findings)
  expect(complete).toEqual(expect.arrayContaining(['unknown-action', 'duplicate-name']))
  expect(codes(lintSingleFile({ files: await readAll([one]), catalogue, now }))).toEqual(['unknown-action'])
})

it('suppresses more findings than a call takes arguments', async () => {
  const text = 'name: a\nidentitys: []\n'
  const files = await readAll([sourceOf('a.yaml', text)])
  const [finding] = files.diagnostics
  const many = Array.from({ length: 300_000 }, () => finding as Diagnostic)
  const baseline: Baseline = (findings) => ({
    kept: [],
    suppressed: findings.map((each) => ({ finding: each, by: 'baseline', reason: '' })),
    upkeep: findings,
  })
  const { kept, suppressed, upkeep } = suppress({ files, catalogue, now, suppressions: false, baseline }, rules, many)
  expect([kept.length, suppressed.length, upkeep.length]).toEqual([0, 300_000, 300_000])
})
