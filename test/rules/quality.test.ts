// biome-ignore-all lint/suspicious/noAssignInExpressions: a table of mistakes reads best with each on one line
// biome-ignore-all lint/complexity/noCommaOperator: the same

import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { place } from '../../src/diagnostic.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import type { Facts } from '../../src/parser/policy.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { inventory, type PolicyJson, wellFormed, write } from '../support/well-formed.ts'
import { type Random, randomOf } from '../support/worlds.ts'

const files = effort(2000)
const now = Date.UTC(2026, 10, 20)
const catalogue = loadCatalogue()

async function lintTexts(texts: readonly { readonly path: string; readonly text: string }[]): Promise<readonly Diagnostic[]> {
  const facts: Facts[] = []
  const found: Diagnostic[] = []
  for (const { path, text } of texts) {
    const read = await readSource(sourceOf(path, text), defaultSettings)
    facts.push(read.facts)
    found.push(...read.diagnostics)
  }
  const { world, diagnostics } = buildWorld(facts)
  return lint(rules, ruleContext({ world, catalogue, settings: defaultSettings, now }), [...found, ...diagnostics])
}

const shown = (finding: Diagnostic) =>
  `${place(finding.span)} ${finding.code}: ${finding.message} [${finding.span.source.text.slice(finding.span.start, finding.span.end).slice(0, 120)}]`
const worldFile = sourceOf('world.json', JSON.stringify(inventory(40)))

/** One mistake of the kind that users make, planted in a policy: the rule that must find it, and the text it must point at. */
interface Mistake {
  readonly code: string | readonly string[]
  /** Returns the text that the finding must be about, or undefined where the policy gives no occasion. */
  readonly plant: (policy: Writable, random: Random) => string | undefined
}
// biome-ignore lint/suspicious/noExplicitAny: a planted mistake breaks the shape on purpose
type Writable = any

const slip = (text: string, random: Random): string => {
  const at = 1 + Math.floor(random() * (text.length - 2))
  return text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
}

const mistakes: Readonly<Record<string, Mistake>> = {
  'bare wildcard resource': { code: 'resource-urn', plant: (p) => ((p.resources[0].urn = '*'), '*') },
  'resource named as identity': { code: 'identity-urn', plant: (p) => ((p.identities[0] = 'urn:v1:eu:resource:vps:vps-1'), 'resource') },
  'identity without account': { code: 'identity-urn', plant: (p) => ((p.identities[0] = 'urn:v1:eu:identity:user:ann'), 'ann') },
  'misspelt kind': { code: 'identity-urn', plant: (p) => ((p.identities[0] = 'urn:v1:eu:identity:usr:ab12-svc/ann'), 'usr') },
  'misspelt urn': { code: ['resource-urn'], plant: (p) => ((p.resources[0].urn = p.resources[0].urn.replace('urn:v1', 'urn:v2')), 'v2') },
  'unknown type': { code: 'unknown-type', plant: (p) => ((p.resources[0].urn = 'urn:v1:eu:resource:webHostng:x'), 'webHostng') },
  'unknown region': {
    code: 'unknown-region',
    plant: (p) => ((p.resources[0].urn = p.resources[0].urn.replace(/^urn:v1:../, 'urn:v1:ue')), 'ue'),
  },
  'misspelt product': {
    code: 'unknown-product',
    plant: (p) => {
      const entry = p.permissions.allow.at(-1)
      const [product, ...rest] = entry.action.split(':')
      const wrong = `${product.slice(0, -1)}${product.endsWith('q') ? 'x' : 'q'}`
      if (catalogue.products.includes(wrong)) return undefined
      return (entry.action = [wrong, ...rest].join(':'))
    },
  },
  'misspelt action': {
    code: 'unknown-action',
    plant: (p, random) => {
      const entry = p.permissions.allow.at(-1)
      const [product, namespace, ...path] = entry.action.split(':')
      const wrong = `${product}:${namespace}:${slip(path.join(':'), random)}`
      if (wrong.includes('*') || wrong === entry.action || wrong.includes('//') || wrong.includes(':/') || catalogue.has(wrong))
        return undefined
      return (entry.action = wrong)
    },
  },
  'misspelt deny': {
    code: 'unknown-protected-action',
    plant: (p) => {
      const known = p.permissions.allow.at(-1).action
      p.permissions.deny = [{ action: `${known}e` }]
      return known.includes('*') || catalogue.has(`${known}e`) ? undefined : `${known}e`
    },
  },
  'missing namespace': { code: 'action-pattern', plant: (p) => ((p.permissions.allow[0].action = 'vps:reboot'), 'vps:reboot') },
  'product with a dot': { code: 'action-pattern', plant: (p) => ((p.permissions.allow[0].action = 'vps.apisvc:get'), '.') },
  'everything allowed': { code: 'allow-everything', plant: (p) => (p.permissions.allow.push({ action: '*' }), '*') },
  'entry twice': {
    code: 'redundant-action',
    plant: (p) => (p.permissions.allow.push({ ...p.permissions.allow[0] }), p.permissions.allow[0].action),
  },
  'resource twice': { code: 'redundant-resource', plant: (p) => (p.resources.push({ ...p.resources[0] }), p.resources[0].urn) },
  'except of something else': {
    code: 'idle-except',
    plant: (p) => {
      const product = p.permissions.allow[0].action.split(':')[0] === 'vps' ? 'domain' : 'vps'
      const action = catalogue.actionsOf(product)[3] as string
      p.permissions.except = [...(p.permissions.except ?? []), { action }]
      return action
    },
  },
  'except takes all': {
    code: 'except-swallows-allow',
    plant: (p) => {
      p.permissions.except = [{ action: `${p.permissions.allow[0].action.split(':')[0]}:*` }]
      return p.permissions.except[0].action
    },
  },
  'field misspelt': {
    code: 'shape',
    plant: (p) => {
      p.permissions.denny = []
      return 'denny'
    },
  },
  'field in other case': {
    code: 'shape',
    plant: (p) => {
      p.expiredat = '2034-01-31T23:59:59Z'
      delete p.expiredAt
      return 'expiredat'
    },
  },
  'strings for objects': { code: 'shape', plant: (p) => ((p.resources[0] = p.resources[0].urn), p.resources[0]) },
  'action as text': { code: 'shape', plant: (p) => ((p.permissions.allow[0] = 'vps:apisvc:get'), 'vps:apisvc:get') },
  'number for text': { code: 'shape', plant: (p) => ((p.name = 2026), '2026') },
  'no resources': { code: 'no-resources', plant: (p) => ((p.resources = []), '[]') },
  'no identities': { code: 'no-identities', plant: (p) => ((p.identities = []), '[]') },
  expired: { code: 'expired', plant: (p) => ((p.expiredAt = '2024-01-31T23:59:59Z'), '2024-01-31T23:59:59Z') },
  'expiry without offset': { code: 'expiry-date', plant: (p) => ((p.expiredAt = '2034-01-31T23:59:59'), '2034-01-31T23:59:59') },
  'impossible day': { code: 'expiry-date', plant: (p) => ((p.expiredAt = '2034-02-30T00:00:00Z'), '2034-02-30') },
  'condition key': {
    code: 'condition-key',
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'resource.tag(env)': 'prod' } }), 'resource.tag(env)'),
  },
  'condition key order': {
    code: 'condition-key',
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'date.Hour(Europe/Paris)': '9' } }), 'date.Hour(Europe/Paris)'),
  },
  'condition operator': {
    code: 'condition-operator',
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'request.IP.BEFORE': '203.0.113.7' } }), 'BEFORE'),
  },
  'condition hour': {
    code: 'condition-value',
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'date().Hour.LT': '24' } }), '24'),
  },
  'condition weekday': {
    code: 'condition-value',
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'date().WeekDay': 'Mon' } }), 'Mon'),
  },
  'condition block': {
    code: 'condition-value',
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '203.0.113.7/33' } }), '203.0.113.7/33'),
  },
  'condition zone': {
    code: 'condition-timezone',
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'date(Europe/Pari).Hour': '9' } }), 'Europe/Pari'),
  },
  'condition combination': {
    code: 'condition-shape',
    plant: (p) => ((p.conditions = { operator: 'and', conditions: [{ operator: 'MATCH', values: { 'resource.Tag(env)': 'x' } }] }), 'and'),
  },
  'invisible character': { code: 'stray-character', plant: (p) => ((p.resources[0].urn += '\u200b'), '\u200b') },
  'look-alike letter': { code: 'stray-character', plant: (p) => ((p.permissions.allow[0].action = 'vp\u0455:apisvc:get'), '\u0455') },
  'padded urn': { code: 'stray-character', plant: (p) => ((p.identities[0] += ' '), ' ') },
  'reserved name': { code: 'policy-name', plant: (p) => ((p.name = 'svc-readers'), 'svc-readers') },
  'wildcard identity': { code: 'wildcard-identity', plant: (p) => ((p.identities[0] = p.identities[0].replace(/\/.*/, '/*')), '/*') },
  'wildcard inside': {
    code: 'inner-wildcard',
    plant: (p) => ((p.permissions.allow[0].action = `${p.permissions.allow[0].action.split(':')[0]}:*:ge*t`), ':*:ge*t'),
  },
  'regions mixed': {
    code: 'mixed-regions',
    plant: (p) => {
      const other = p.identities[0].startsWith('urn:v1:eu') ? 'ca' : 'eu'
      p.resources = [{ urn: p.resources[0].urn.replace(/^urn:v1:../, `urn:v1:${other}`) }]
      return p.resources[0].urn.includes('resourceGroup') ? undefined : p.resources[0].urn
    },
  },
  'type that the condition misspells': {
    code: 'unknown-condition-type',
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'resource.Type.STARTS_WITH': 'webHostng' } }), 'webHostng'),
  },
  'private addresses only': {
    code: 'only-private-addresses',
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '10.0.0.0/8' } }), '10.0.0.0/8'),
  },
  'all addresses': {
    code: 'any-address',
    plant: (p) => {
      p.conditions = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '0.0.0.0/0' } }
      return '0.0.0.0/0'
    },
  },
  'dates that are over': {
    code: ['window-over', 'expired'],
    plant: (p) => ((p.conditions = { operator: 'MATCH', values: { 'date().Date.BEFORE': '2025-03-01' } }), '2025-03-01'),
  },
  'tests that contradict each other': {
    code: 'impossible-condition',
    plant: (p) => {
      const tag = (value: string) => ({ operator: 'MATCH', values: { 'resource.Tag(env)': value } })
      p.conditions = { operator: 'AND', conditions: [tag('prod'), tag('stagng')] }
      return 'stagng'
    },
  },
  'service account without prefix': {
    code: 'service-account-name',
    plant: (p) => ((p.identities[0] = 'urn:v1:eu:identity:credential:ab12-svc/0123'), '0123'),
  },
}

describe('policies that are right', () => {
  it(`${files} files with every feature of the language give no finding`, async () => {
    const random = randomOf(20261120)
    const texts = Array.from({ length: files }, (_, i) => write(random, wellFormed(random, i), i))
    const found = await lintTexts([worldFile, ...texts])
    expect(found.map(shown)).toEqual([])
  })
})

describe('policies with one known mistake', () => {
  it(`${files} mistakes: at least 98 of 100 are found, at the value that is wrong`, async () => {
    const random = randomOf(42)
    const names = Object.keys(mistakes)
    const misses: string[] = []
    const counts = new Map<string, number>()
    let planted = 0
    for (let i = 0; planted < files; i++) {
      const name = names[i % names.length] as string
      const { code, plant } = mistakes[name] as Mistake
      const policy: PolicyJson = structuredClone(wellFormed(random, i))
      const wrong = plant(policy, random)
      if (wrong === undefined) continue
      planted++
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const text = write(random, policy, i)
      const found = await lintTexts(/care-|fleet-/.test(text.text) ? [worldFile, text] : [text])
      const codes = [code].flat()
      const hit = found.some(({ code: c, span }) => {
        const raw = text.text.slice(span.start, span.end)
        const lineStart = text.text.lastIndexOf('\n', span.start) + 1
        return (
          codes.includes(c) &&
          (raw.includes(wrong) ||
            wrong.includes(raw.replace(/^["']|["']$/g, '')) ||
            (text.text.slice(lineStart, span.end).includes(wrong) && raw.length > 0))
        )
      })
      if (!hit) misses.push(`${name} (${text.path}): expected ${codes} at ${wrong}; found ${found.map(shown).join(' | ') || 'nothing'}`)
    }
    expect([...counts.values()].every((count) => count >= effort(20))).toBe(true)
    expect(misses.length / planted, misses.slice(0, 12).join('\n')).toBeLessThanOrEqual(0.02)
  })
})
