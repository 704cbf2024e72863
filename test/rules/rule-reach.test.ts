import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { exampleTime, lintExample, readExample } from '../support/examples.ts'

type Tree = { readonly operator: string; readonly conditions?: readonly Tree[]; readonly values?: Readonly<Record<string, string>> }

const exact = ['vps:web-1', 'vps:db-1', 'domain:web-1', 'dnsZone:x'] as const
const codes = ['deny-fails-open', 'allow-never-applies', 'resource-outside-condition'] as const

const catalogue = loadCatalogue()
const settings = defaultSettings

/** Findings of the three rules in a policy, by code; `options` are given to each of them. */
async function found(policy: object, options: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  const text = JSON.stringify({ name: 'p', identities: ['urn:v1:eu:identity:user:ab12-svc/ann'], ...policy })
  const { facts, diagnostics } = await readSource(sourceOf('p.json', text), settings)
  expect(diagnostics).toEqual([])
  const { world } = buildWorld([facts])
  const context = ruleContext({ world, catalogue, settings, now: exampleTime }, new Map(codes.map((code) => [code, options])))
  const own = rules.filter(({ code }) => codes.some((each) => each === code))
  return lint(own, context, [], new Map(own.map(({ code, severity }) => [code, severity]))).map(({ code }) => code)
}

const urn = (text: string) => ({ urn: `urn:v1:eu:resource:${text}` })
const reboot = [{ action: 'vps:apisvc:reboot' }]

/** The value of a condition on type and name for one resource: the meaning, once more and plainly. */
function holds(tree: Tree, resource: string): boolean {
  const colon = resource.indexOf(':')
  const of = (subject: string) => (subject === 'Type' ? resource.slice(0, colon) : resource.slice(colon + 1))
  const results = (tree.conditions ?? []).map((each) => holds(each, resource))
  if (tree.operator === 'AND') return results.every(Boolean)
  if (tree.operator === 'OR') return results.some(Boolean)
  if (tree.operator === 'NOT') return !results.some(Boolean)
  return Object.entries(tree.values ?? {}).every(([key, value]) => {
    const [, subject = '', operator = 'EQ'] = key.split('.')
    const actual = of(subject)
    if (operator === 'STARTS_WITH') return actual.startsWith(value)
    if (operator === 'ENDS_WITH') return actual.endsWith(value)
    return value.split(',').includes(actual)
  })
}

const leaf: fc.Arbitrary<Tree> = fc
  .tuple(
    fc.constantFrom('Type', 'Type.IN', 'Name', 'Name.STARTS_WITH', 'Name.ENDS_WITH'),
    fc.constantFrom('vps', 'domain', 'dnsZone'),
    fc.constantFrom('web-1', 'web', '-1', 'x', 'db-1'),
  )
  .map(([key, type, name]) => ({ operator: 'MATCH', values: { [`resource.${key}`]: key.startsWith('Type') ? type : name } }))
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    leaf,
    fc.record({ operator: fc.constantFrom('AND', 'OR', 'NOT'), conditions: fc.array(tie('tree'), { minLength: 1, maxLength: 2 }) }),
  ),
}))

describe('a condition on type and name is held against the resources', () => {
  it('as evaluating it on each of them says', async () => {
    const seen = { all: 0, some: 0, none: 0 }
    await fc.assert(
      fc.asyncProperty(tree, fc.subarray([...exact], { minLength: 1 }), fc.boolean(), async (conditions, names, denies) => {
        // Some resource of the world of all names meets it: else it is another matter.
        const others = [
          'vps:zz',
          'domain:db-1',
          'domain:zz',
          'dnsZone:web-1',
          'dnsZone:zz',
          'other:zz',
          'other:web-1',
          'other:db-1',
          'other:x',
        ]
        if (![...exact, ...others].some((resource) => holds(conditions, resource))) return
        const unmet = names.filter((name) => !holds(conditions, name))
        const permissions = denies ? { deny: reboot } : { allow: reboot }
        const policy = { resources: names.map(urn), permissions, conditions }
        const all = unmet.length === names.length
        seen[all ? 'all' : unmet.length > 0 ? 'some' : 'none']++
        const [deny, allow, part] = codes
        expect(await found(policy)).toEqual(all ? [denies ? deny : allow] : unmet.map(() => part))
      }),
      { numRuns: effort(1000), seed: 7 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(effort(30))
  })
})

describe('a tag that is absent', () => {
  const tag = (value: string): Tree => ({ operator: 'MATCH', values: { 'resource.Tag(env)': value } })
  const denying = (conditions: Tree) => ({ resources: [urn('domain:*')], permissions: { deny: [{ action: 'domain:*' }] }, conditions })
  it.each<[string, Tree, number]>([
    ['alone', tag('prod'), 1],
    ['under NOT holds', { operator: 'NOT', conditions: [tag('prod')] }, 0],
    ['under two of them does not', { operator: 'NOT', conditions: [{ operator: 'NOT', conditions: [tag('prod')] }] }, 1],
    [
      'beside another way',
      { operator: 'OR', conditions: [tag('prod'), { operator: 'MATCH', values: { 'request.IP': '203.0.113.7' } }] },
      0,
    ],
    ['in every way', { operator: 'OR', conditions: [tag('prod'), tag('test')] }, 1],
  ])('%s', async (_, conditions, count) => {
    expect(await found(denying(conditions), { untaggable: ['domain'] })).toEqual(Array(count).fill('deny-fails-open'))
    // It is not known which types carry tags, unless it is specified.
    expect(await found(denying(conditions))).toEqual([])
  })
})

describe('control of what runs as another identity', () => {
  const runner = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-ci'
  const options = { runsAs: [{ resource: 'urn:v1:eu:resource:vps:ci-1', identity: runner }] }
  const [ann, team] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:identity:group:ab12-svc/team']
  const grant = (name: string, identity: string, resource: string, allow: string, deny?: string) => ({
    name,
    identities: [identity],
    resources: [urn(resource)],
    permissions: { allow: [{ action: allow }], ...(deny && { deny: [{ action: deny }] }) },
  })
  const world = (policies: readonly object[], identities: readonly object[] = []) => ({ policies, identities })
  const care = grant('care', ann, 'vps:*', 'vps:apisvc:setPassword')
  const count = async (given: object) => {
    const { name: _, ...text } = { name: '', ...given }
    return (await lintExample(readExample({ text: JSON.stringify(text), options }), 'escalates-through-resource')).filter(
      ({ code }) => code === 'escalates-through-resource',
    ).length
  }

  it.each<[string, object, number]>([
    ['that holds more', world([care, grant('ci', runner, 'domain:*', 'domain:*')]), 1],
    ['that holds nothing', world([care]), 0],
    ['that holds the same', world([care, grant('ci', runner, 'vps:*', 'vps:apisvc:setPassword')]), 0],
    ['that holds less than it seems', world([care, grant('ci', runner, 'domain:*', 'domain:*', 'domain:*')]), 0],
    ['that holds more through its group', world([care, grant('t', team, 'domain:*', 'domain:*')], [{ urn: runner, groups: [team] }]), 1],
    [
      'that holds no more than their common group',
      world(
        [care, grant('t', team, 'domain:*', 'domain:*')],
        [
          { urn: runner, groups: [team] },
          { urn: ann, groups: [team] },
        ],
      ),
      0,
    ],
    [
      'of another resource',
      world([grant('care', ann, 'vps:web', 'vps:apisvc:setPassword'), grant('ci', runner, 'domain:*', 'domain:*')]),
      0,
    ],
    ['that only looks at all there is', world([grant('care', ann, '*:*', '*:apisvc:get'), grant('ci', runner, 'domain:*', 'domain:*')]), 0],
    [
      'with what is done to resources of another type',
      world([grant('care', ann, '*:*', 'webHosting:*'), grant('ci', runner, 'domain:*', 'domain:*')]),
      0,
    ],
    ['with all that ends alike', world([grant('care', ann, '*:*', '*assword'), grant('ci', runner, 'domain:*', 'domain:*')]), 1],
    ['that only looks at it', world([grant('care', ann, 'vps:*', 'vps:apisvc:get'), grant('ci', runner, 'domain:*', 'domain:*')]), 0],
  ])('%s', async (_, given, expected) => {
    expect(await count(given)).toBe(expected)
  })
})
