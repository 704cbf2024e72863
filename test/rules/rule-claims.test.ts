import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { generate, type QuestionJson, questionOf, randomOf, usualKnobs, type WorldJson } from '../support/worlds.ts'

/**
 * Claims of findings about decisions, held to decisions: what a rule says grants nothing, denies nothing or has no effect is taken
 * out, and every question near it must get the answer that it got before.
 */

const catalogue = loadCatalogue()
/** Before all instants that questions ask about. */
const now = Date.UTC(2026, 0, 1)
const levels = new Map(rules.map(({ code, severity }) => [code as string, severity]))

type Path = readonly (string | number)[]
type Claim =
  | 'the entry has no effect'
  | 'the policy has no effect'
  | 'the condition always holds'
  | 'the denies have no effect'
  | 'the allow list has no effect'

/** The claim of a finding of each rule, where it claims something of decisions. */
const claims: Readonly<Record<string, Claim>> = {
  'allow-never-applies': 'the policy has no effect',
  'allow-under-deny': 'the entry has no effect',
  'dead-policy': 'the policy has no effect',
  'deny-fails-open': 'the policy has no effect',
  'deny-for-account': 'the denies have no effect',
  'empty-resource-group': 'the entry has no effect',
  'equivalent-policies': 'the policy has no effect',
  'except-swallows-allow': 'the allow list has no effect',
  'idle-except': 'the entry has no effect',
  'impossible-condition': 'the policy has no effect',
  'member-beside-group': 'the entry has no effect',
  'member-beside-resource-group': 'the entry has no effect',
  'overridden-action': 'the entry has no effect',
  'overridden-policy': 'the policy has no effect',
  'redundant-action': 'the entry has no effect',
  'redundant-identity': 'the entry has no effect',
  'redundant-policy': 'the policy has no effect',
  'redundant-resource': 'the entry has no effect',
  'repeated-by-group': 'the entry has no effect',
  'resource-outside-condition': 'the entry has no effect',
  'shadowed-deny': 'the policy has no effect',
  'vacuous-condition': 'the condition always holds',
}

/** Compact JSON with the place of every value. */
function placed(value: unknown): {
  readonly text: string
  readonly places: readonly { readonly path: Path; readonly start: number; readonly end: number }[]
} {
  const places: { path: Path; start: number; end: number }[] = []
  let text = ''
  const write = (each: unknown, path: Path) => {
    const start = text.length
    if (Array.isArray(each)) {
      text += '['
      each.forEach((item, i) => {
        if (i > 0) text += ','
        write(item, [...path, i])
      })
      text += ']'
    } else if (typeof each === 'object' && each !== null) {
      text += '{'
      Object.entries(each).forEach(([key, item], i) => {
        text += `${i > 0 ? ',' : ''}${JSON.stringify(key)}:`
        write(item, [...path, key])
      })
      text += '}'
    } else text += JSON.stringify(each)
    places.push({ path, start, end: text.length })
  }
  write(value, [])
  return { text, places }
}

async function read(text: string) {
  const { facts, diagnostics } = await readSource(sourceOf('w.json', text), defaultSettings)
  const { world, diagnostics: more } = buildWorld([facts])
  return { world, isWhole: [...diagnostics, ...more].every(({ severity }) => severity !== 'error') }
}

/** The world without what a finding is about; undefined where that cannot be said in JSON. */
function without(written: WorldJson, claim: Claim, path: Path): WorldJson | undefined {
  const out = structuredClone(written)
  const [top, number, ...rest] = path
  if (top !== 'policies' || typeof number !== 'number') return undefined
  const policy = out.policies[number]
  if (!policy) return undefined
  switch (claim) {
    case 'the policy has no effect':
      out.policies.splice(number, 1)
      return out
    case 'the condition always holds':
      delete policy.conditions
      return out
    case 'the allow list has no effect':
      policy.permissions = { ...(policy.permissions.deny && { deny: policy.permissions.deny }) }
      return out
    case 'the denies have no effect':
      delete policy.permissions.deny
      return out
    default: {
      const list = rest[0] === 'permissions' ? policy.permissions[rest[1] as 'allow'] : (policy[rest[0] as 'identities'] as unknown[])
      const index = rest[0] === 'permissions' ? rest[2] : rest[1]
      if (!Array.isArray(list) || typeof index !== 'number') return undefined
      if (list.length > 1 || rest[0] === 'permissions') list.splice(index, 1)
      else out.policies.splice(number, 1)
      return out
    }
  }
}

/** A world over names of the catalogue: its rules say nothing of others. */
function inCatalogue<T>(value: T): T {
  const text = JSON.stringify(value)
    .replace(/"([pq]):api/g, (_, product: string) => `"${product === 'p' ? 'vps' : 'webHosting'}:api`)
    .replace(/:resource:(t\/s|t|u):/g, (_, type: string) => `:resource:${type === 'u' ? 'webHosting' : 'vps'}:`)
  return JSON.parse(text)
}

test('what lint says has no effect changes no decision, over generated worlds', async () => {
  const random = randomOf(91)
  const seen = new Map<string, number>()
  const wrong = new Map<string, string>()
  for (let i = 0; i < effort(4_000, 240); i++) {
    const knobs = { ...usualKnobs, policies: 5, conditions: random() < 0.5 ? 0.2 : 0.75, missing: 0.15 }
    const made = generate(random, 60, knobs)
    const { world: written, questions } = random() < 0.5 ? made : inCatalogue(made)
    const { text, places } = placed(written)
    const { world, isWhole } = await read(text)
    if (!isWhole) continue
    const found = lint(rules, ruleContext({ world, catalogue, settings: defaultSettings, now }), [], levels)
    const asked = questions.map((each) => questionOf(asDescribed(each, world)))
    const before = asked.map((question) => decide(world, question).verdict)
    for (const finding of found) {
      const claim = claims[finding.code]
      if (!claim) continue
      const path = pathOf(finding, places)
      const less = path && without(written, claim, path)
      const after = less && (await read(JSON.stringify(less)))
      if (!after?.isWhole) continue
      seen.set(finding.code, counted(1) + (seen.get(finding.code) ?? 0))
      const context = `${finding.code}: ${finding.message}\n${JSON.stringify(written)}`
      const k = asked.findIndex((question, n) => decide(after.world, question).verdict !== before[n])
      if (k >= 0 && !wrong.has(finding.code)) wrong.set(finding.code, `${JSON.stringify(questions[k])}\n${context}`)
    }
  }
  expect(wrong).toEqual(new Map())
  expect([...seen.keys()].length).toBeGreaterThan(5)
})

/** Tags are as the world describes them: findings say nothing of a world in which they are others. */
function asDescribed(question: QuestionJson, world: World): QuestionJson {
  const { tags: _, ...rest } = question
  return world.resources.get(question.resource)?.tags ? rest : question
}

function pathOf({ span }: Diagnostic, places: ReturnType<typeof placed>['places']): Path | undefined {
  return places.filter(({ start, end }) => start <= span.start && span.end <= end).sort((a, b) => a.end - a.start - (b.end - b.start))[0]
    ?.path
}
