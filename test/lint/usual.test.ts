import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { loadCatalogue } from '../../src/actions/load.ts'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { lintFiles } from '../../src/lint/lint-files.ts'
import { factsText } from '../../src/lint/prove.ts'
import { formIn, summaryOf, usualReader } from '../../src/lint/usual.ts'
import { UsualForm } from '../../src/lint/usual-form.ts'
import { defaultSettings } from '../../src/names.ts'
import type { ReadSource } from '../../src/parser/read.ts'
import { readSyncIfPossible } from '../../src/parser/read-source.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import { presets } from '../../src/rules/rule.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { counted } from '../support/counted.ts'
import { effort, some } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { generate, randomOf, usualKnobs } from '../support/worlds.ts'

/** Policies that are read where their parts are asked for: a run with them gives what a run gives that reads all of every text. */

const catalogue = loadCatalogue()
const now = Date.UTC(2026, 0, 15, 12)
const brand = defaultSettings.brand

/** A finding with its places as numbers: each run has other sources, and other nodes. */
const plain = (finding: Diagnostic) =>
  JSON.stringify(finding, (_, value) => (value?.source ? [value.source.path, value.start, value.end, value.offsets] : value))

/** The findings in sources by presets, and how many policies were not read whole at first. */
async function findings(sources: readonly Source[], isUsual: boolean) {
  const named = sources.map((source) => ({ source, isNamed: true }))
  const files = await readSources(named, defaultSettings, isUsual ? { ...allReaders, usual: usualReader(brand) } : allReaders)
  const summarized = files.facts.flatMap(({ policies }) => policies).filter(summaryOf).length
  const found = presets.map((preset) => {
    const profile = { levels: levelsOf(preset), options: new Map() }
    const { findings, suppressed } = lintFiles({ files, catalogue, now, profileOf: () => profile, ...(isUsual && { summaryOf }) })
    return { findings: findings.map(plain), suppressed: suppressed.map(({ finding }) => plain(finding)) }
  })
  return { found, summarized }
}

async function expectSameFindings(sources: readonly Source[]): Promise<{ readonly summarized: number; readonly count: number }> {
  const [usual, whole] = [await findings(sources, true), await findings(sources, false)]
  expect(usual.found).toEqual(whole.found)
  return { summarized: usual.summarized, count: whole.found.reduce((sum, { findings }) => sum + findings.length, 0) }
}

function filesIn(folder: string): readonly Source[] {
  const top = fileURLToPath(new URL(`../../${folder}`, import.meta.url))
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(json|yaml)$/.test(name))
    .sort()
    .map((name) => sourceOf(name, readFileSync(join(top, name), 'utf8')))
}

type Random = () => number

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

/** Mostly the first of a list. */
const mostly = <T>(random: Random, list: readonly T[], share = 0.9): T => (random() < share ? (list[0] as T) : pick(random, list))

const lists = {
  actions: ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:ips/get', 'vps:apisvc:start'],
  oddActions: [
    'vps:*',
    'dnsZone:apisvc:get',
    'vps:apisvc:nothing',
    'account:apisvc:iam/policy/create',
    'vps:apisvc:get?x',
    'vps:apisvc',
    'vps:apisvc:TODO',
  ],
  heads: [
    'urn:v1:eu:resource:vps:',
    'urn:v1:eu:resource:dnsZone:',
    'urn:v1:eu:resource:account:',
    'urn:v1:ca:resource:vps:',
    'urn:v1:eu:resource:vpz:',
    'urn:v1:xx:resource:vps:',
    'urn:v1:eu:resourceGroup:',
  ],
  names: ['vps-1', 'a.example', 'x/y:z', '*', 'vps-*', 'your-vps', 'A_b', 'xxxx', '{id}', 'a b', 'a@b', '@@x', '00000000', 'é', 'a\\b', ''],
  users: [
    'urn:v1:eu:identity:user:ab12-svc/',
    'urn:v1:eu:identity:group:ab12-svc/',
    'urn:v1:eu:identity:user:AB12-svc/',
    'urn:v1:ca:identity:user:ab12-svc/',
    'urn:v1:eu:identity:credential:ab12-svc/',
    'urn:v1:eu:identity:account:',
  ],
  titles: ['readers', 'svc-own', ' padded', '', 'é', 'a"b', 'x'.repeat(300), '${x}'],
  blanks: [
    { indent: 2, end: '\n' },
    { indent: 0, end: '' },
    { indent: 4, end: '\r\n' },
    { indent: '\t', end: '\n\n' },
  ],
} as const

/** A policy that is mostly of the usual form, as a value. */
function policyOf(random: Random, number: number): object {
  const count = (most: number) => 1 + Math.floor(random() * most)
  const many = <T>(most: number, item: (index: number) => T) => Array.from({ length: random() < 0.02 ? 0 : count(most) }, (_, i) => item(i))
  const name = (i: number) => (random() < 0.97 ? `n-${number}-${i}` : pick(random, lists.names))
  const fields = {
    name: random() < 0.95 ? `policy ${number}` : pick(random, lists.titles),
    ...(random() < 0.5 && { description: mostly(random, ['plain', 'with "quotes"', '{{ x }}', 'été', 'a\nb', null]) }),
    identities: many(4, (i) => mostly(random, lists.users, 0.97) + name(i)),
    resources: many(8, (i) => ({
      urn: mostly(random, lists.heads, 0.97) + name(i),
      ...(random() < 0.01 && { id: '1' }),
    })),
    permissions: {
      allow: many(4, (i) => ({ action: random() < 0.95 ? (lists.actions[i] as string) : pick(random, lists.oddActions) })),
      ...(random() < 0.03 && { deny: [{ action: 'vps:apisvc:reboot' }] }),
      ...(random() < 0.02 && { except: [] }),
    },
    ...(random() < 0.03 && pick(random, [{ id: 'x' }, { expiredAt: '2020-01-01T00:00:00Z' }, { readOnly: false }, { extra: 1 }])),
  }
  const entries = Object.entries(fields)
  return random() < 0.8 ? fields : Object.fromEntries(entries.sort(() => random() - 0.5))
}

/** A policy as JSON, in one of several layouts. */
function written(random: Random, policy: object): string {
  const { indent, end } = pick(random, lists.blanks)
  const text = JSON.stringify(policy, null, indent) + end
  return end === '\r\n' ? text.replaceAll('\n', end) : text
}

/** The same text with a few characters changed. */
function changed(random: Random, text: string): string {
  let out = text
  for (let i = 0; i < 1 + random() * 2; i++) {
    const at = Math.floor(random() * out.length)
    const part = pick(random, ['', '"', ',', ' ', '\\', '{', '}', ']', ':', '*', 'x', '/', '\u0000', '\u00e9', 'null', '"a":1,'])
    out = out.slice(0, at) + part + out.slice(at + Math.floor(random() * 3))
  }
  return out
}

function readWhole(text: string): ReadSource {
  return readSyncIfPossible(sourceOf('p.json', text), defaultSettings) as ReadSource
}

describe('policies that are read where they are asked for', () => {
  test('have the form in JSON at a glance that they have when all of the text is read', () => {
    const random = randomOf(20261129)
    const form = new UsualForm(brand)
    let usual = 0
    const total = counted(effort(60_000, 40))
    for (let i = 0; i < total; i++) {
      const text = written(random, policyOf(random, i))
      const tried = random() < 0.3 ? changed(random, text) : text
      const atGlance = form.read(tried)
      if (!atGlance) continue
      usual++
      const whole = readWhole(tried)
      expectSame(atGlance, formIn(whole, form), () => tried)
    }
    expect(usual).toBeGreaterThan(total / 10)
  })

  test.each([
    ['the mistakes', 'examples/mistakes'],
    ['the corpus', 'test/corpus'],
    ['the examples', 'examples/quickstart'],
  ])('have the same findings in %s, one by one and together', async (_, folder) => {
    const sources = filesIn(folder)
    for (const files of [...some(sources, 40).map((source) => [source]), some(sources, 120)]) await expectSameFindings(files)
  })

  test('have the same findings in generated files', async () => {
    const random = randomOf(20261130)
    let [summarized, count] = [0, 0]
    const runs = counted(effort(6_000, 400))
    for (let i = 0; i < runs; i++) {
      const sources = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, k) => {
        const policy = policyOf(random, random() < 0.1 ? 1 : k)
        if (random() < 0.3) return sourceOf(`p-${k}.yaml`, stringify(policy))
        return sourceOf(`p-${k}.json`, random() < 0.05 ? changed(random, written(random, policy)) : written(random, policy))
      })
      const inventory = generate(random, 0, usualKnobs).world
      const all = random() < 0.3 ? [...sources, sourceOf('w.json', JSON.stringify(inventory))] : sources
      const result = await expectSameFindings(all)
      summarized += result.summarized
      count += result.count
    }
    expect(summarized).toBeGreaterThan(runs)
    expect(count).toBeGreaterThan(runs)
  })

  test('have the parts of the policy that is read whole, and a copy is an ordinary policy', async () => {
    const written = {
      name: 'readers',
      description: 'who reads',
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    }
    for (const notation of ['json', 'yaml'] as const) {
      const source = sourceOf(`p.${notation}`, notation === 'json' ? JSON.stringify(written) : stringify(written))
      const { facts } = await readSources([{ source, isNamed: true }], defaultSettings, { ...allReaders, usual: usualReader(brand) })
      const policy = facts[0]?.policies[0]
      const wholeFacts = (readSyncIfPossible(source, defaultSettings) as ReadSource).facts
      const [whole] = wholeFacts.policies
      if (!policy) throw new Error('no policy')
      expect(summaryOf(policy)).toMatchObject({
        name: 'readers',
        accounts: ['ab12-svc'],
        firstIdentity: 'urn:v1:eu:identity:user:ab12-svc/ann',
      })
      expect({ ...policy }).toEqual(whole)
      // Facts are compared as strings where a fix is proved.
      expect(factsText({ ...facts[0] })).toBe(factsText(wholeFacts))
      expect(Object.keys(policy)).toEqual(Object.keys(whole ?? {}))
      expect(summaryOf({ ...policy })).toBe(undefined)
    }
  })
})
