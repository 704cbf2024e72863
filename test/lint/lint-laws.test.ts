import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import type { Facts } from '../../src/parser/policy.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { sourceOf } from '../../src/source.ts'
import { counted } from '../support/counted.ts'
import { type Plain, writeDocument } from '../support/documents.ts'
import { effort } from '../support/effort.ts'
import { wellFormed } from '../support/well-formed.ts'
import { pick, type Random, randomOf, shuffled } from '../support/worlds.ts'

/** Laws of findings for all files. */

interface Text {
  readonly path: string
  readonly text: string
}

const catalogue = loadCatalogue()
const now = Date.UTC(2026, 10, 20)

async function findingsOf(texts: readonly Text[], of = rules): Promise<readonly Diagnostic[]> {
  const facts: Facts[] = []
  const found: Diagnostic[] = []
  for (const { path, text } of texts) {
    const read = await readSource(sourceOf(path, text), defaultSettings)
    facts.push(read.facts)
    found.push(...read.diagnostics)
  }
  const { world, diagnostics } = buildWorld(facts)
  return lint(of, ruleContext({ world, catalogue, settings: defaultSettings, now }), [...found, ...diagnostics])
}

/** A sound policy with a slip: a misspelt name or field, a wrong type, or an entry given twice. */
function withSlip(random: Random, index: number): Plain {
  const policy = structuredClone(wellFormed(random, index)) as unknown as {
    [key: string]: Plain
    identities: string[]
    resources: { urn: string }[]
    permissions: { allow: { action: string }[] }
  }
  const slips: readonly (() => void)[] = [
    () => void policy.permissions.allow.push({ action: 'vps:apisvc:rebooot' }),
    () => void policy.resources.push({ urn: 'urn:v1:eu:resource:webHostng:x' }),
    () => void policy.identities.push('urn:v1:eu:identity:usr:ab12-svc/ann'),
    () => void policy.permissions.allow.push(policy.permissions.allow[0] as { action: string }),
    () => {
      policy.readonly = true
    },
    () => {
      policy.name = 12
    },
    () => {
      policy.expiredAt = '2026-02-30'
    },
  ]
  pick(random, slips)()
  if (random() < 0.5) pick(random, slips)()
  return policy as unknown as Plain
}

/** The same with the keys of every object in another order. */
function mixed(random: Random, value: Plain): Plain {
  if (Array.isArray(value)) return value.map((item) => mixed(random, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(shuffled(random, Object.entries(value)).map(([key, item]) => [key, mixed(random, item)]))
}

// covers: M47
test('comments, blanks, the layout and the order of keys change no finding', async () => {
  const random = randomOf(47)
  let found = 0
  for (let i = counted(effort(1000, 80)); i > 0; i--) {
    const policy = withSlip(random, i)
    const isJson = random() < 0.5
    const path = isJson ? 'p.json' : 'p.yaml'
    const said = async (text: string) =>
      (await findingsOf([{ path, text }])).map(({ code, policy, severity }) => `${severity} ${code} ${policy}`).sort()
    const plain = await said(JSON.stringify(policy))
    found += plain.length
    const { text } = writeDocument(random, mixed(random, policy), isJson)
    expect(await said(text), `${JSON.stringify(policy)}\n---\n${text}`).toEqual(plain)
  }
  expect(found).toBeGreaterThan(effort(1000, 80))
})

/** Rules that look at one policy and not at others. */
const single = rules.filter((rule) => 'policy' in rule && !('compares' in rule))

// covers: M54
test('findings about one file alone are the same next to other files', async () => {
  const random = randomOf(54)
  let found = 0
  for (let i = counted(effort(1000, 80)); i > 0; i -= 10) {
    const texts = Array.from({ length: 10 }, (_, k) => ({ path: `${k}.json`, text: JSON.stringify(withSlip(random, k)) }))
    const shown = (findings: readonly Diagnostic[], path: string) =>
      findings
        .filter(({ span }) => span.source.path === path)
        .map(({ code, message, span }) => `${span.start}-${span.end} ${code} ${message}`)
        .filter((finding) => !/ duplicate-name | duplicate-definition /.test(finding))
    const all = await findingsOf(texts, single)
    for (const one of texts) {
      const alone = shown(await findingsOf([one], single), one.path)
      found += alone.length
      expect(shown(all, one.path), one.text).toEqual(alone)
    }
  }
  expect(found).toBeGreaterThan(effort(1000, 80))
})

// covers: M53, P5
test('the order in which files are found changes nothing', async () => {
  const random = randomOf(53)
  for (let i = effort(100); i > 0; i--) {
    const texts = Array.from({ length: 5 }, (_, k) => ({ path: `${k}.json`, text: JSON.stringify(withSlip(random, k)) }))
    const said = async (some: readonly Text[]) =>
      (await findingsOf(some)).map(({ code, message, span }) => `${span.source.path} ${span.start} ${code} ${message}`)
    expect(await said(shuffled(random, texts))).toEqual(await said(texts))
  }
})
