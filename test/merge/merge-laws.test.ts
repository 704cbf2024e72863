import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeTexts } from '../../src/merge/merge.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { testSettings } from '../support/settings.ts'
import { questionOf } from '../support/worlds.ts'

/** Policies by their names, each with the entries of its lists. */
type File = Readonly<Record<string, Readonly<Record<List, readonly string[]>>>>
type List = 'allow' | 'except' | 'deny'
const lists = ['allow', 'except', 'deny'] as const

const names = ['a', 'b', 'c: d', 'é']
const actions = ['vps:apisvc:get', 'vps:apisvc:re*', 'vps:apisvc:reboot', 'vps:*']
const identity = 'urn:v1:eu:identity:user:ab12-svc/ann'
const resource = 'urn:v1:eu:resource:vps:x'

const entries = fc.subarray(actions)
const policy = fc.record({ allow: entries, except: fc.subarray(actions, { maxLength: 1 }), deny: fc.subarray(actions, { maxLength: 2 }) })
const file = fc.dictionary(fc.constantFrom(...names), policy, { minKeys: 1, maxKeys: 3, noNullPrototype: true })

/** One change: of an entry, or of a policy. */
const change = fc.record({
  name: fc.constantFrom(...names),
  list: fc.constantFrom(...lists),
  action: fc.constantFrom(...actions),
  kind: fc.nat(9),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(file: File, changes: readonly Change[]): File {
  let out = file
  for (const { name, list, action, kind } of changes) {
    const old = out[name] ?? { allow: [], except: [], deny: [] }
    const { [name]: _, ...rest } = out
    if (kind === 0) out = Object.keys(rest).length > 0 ? rest : out
    else {
      const has = old[list].includes(action)
      out = { ...out, [name]: { ...old, [list]: has ? old[list].filter((each) => each !== action) : [...old[list], action] } }
    }
  }
  return out
}

const triple = fc.tuple(file, fc.array(change, { minLength: 1, maxLength: 3 }), fc.array(change, { minLength: 1, maxLength: 3 }))

const styles = {
  json: (file: File) => JSON.stringify({ policies: plainOf(file) }, null, 2),
  flat: (file: File) => `${JSON.stringify({ policies: plainOf(file) })}\n`,
  yaml: (file: File) =>
    ['# The policies.', 'policies:', ...plainOf(file).flatMap((each) => [`  # About ${each.name}`, ...block(each)]), ''].join('\n'),
} as const

function plainOf(file: File) {
  return Object.entries(file).map(([name, each]) => ({
    name,
    identities: [identity],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: Object.fromEntries(lists.map((list) => [list, each[list].map((action) => ({ action }))])),
  }))
}

function block({ name, permissions }: ReturnType<typeof plainOf>[number]): readonly string[] {
  const written = Object.entries(permissions).flatMap(([list, entries]) =>
    entries.length === 0 ? [`      ${list}: []`] : [`      ${list}:`, ...entries.map(({ action }) => `        - action: "${action}"`)],
  )
  return [
    `  - name: ${JSON.stringify(name)}`,
    `    identities: ["${identity}"]`,
    '    resources:',
    '      - urn: "urn:v1:eu:resource:vps:*"',
    '    permissions:',
    ...written,
  ]
}

async function worldOf(text: string) {
  const { facts, diagnostics } = await readSource(sourceOf('policies', text), testSettings)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return buildWorld([facts]).world
}

/** The entries that a merge has to have: those that both have, and those that a side adds. */
const wanted = (base: readonly string[], ours: readonly string[], theirs: readonly string[]) =>
  actions.filter((each) => {
    const [old, mine, other] = [base, ours, theirs].map((list) => list.includes(each))
    return mine === old ? other : mine
  })

// covers: M14
test.each(Object.keys(styles) as (keyof typeof styles)[])(
  '%s: nothing is lost, and nothing granted that neither side grants',
  async (style) => {
    const counts = { merged: 0, conflict: 0, together: 0, layout: 0 }
    await fc.assert(
      fc.asyncProperty(triple, async ([base, one, two]) => {
        const [ours, theirs] = [changed(base, one), changed(base, two)]
        const [b, o, t] = [base, ours, theirs].map(styles[style]) as [string, string, string]
        const notation = style === 'yaml' ? 'yaml' : 'json'
        const result = await mergeTexts({ base: b, ours: o, theirs: t }, notation, testSettings, () => undefined)
        expect(result.kind).not.toBe('left')
        counts[result.kind === 'conflict' ? (result.conflict.why === 'together' || result.conflict.why === 'layout' ? result.conflict.why : 'conflict') : 'merged']++
        if (result.kind !== 'merged') return
        const world = await worldOf(result.text)
        const all = new Set([...Object.keys(ours), ...Object.keys(theirs)])
        for (const name of all) {
          const [old, mine, other] = [base, ours, theirs].map((each) => each[name])
          const found = world.policies.filter((policy) => policy.name.value === name)
          const goes = old !== undefined && (mine === undefined || other === undefined)
          expect(found).toHaveLength(goes ? 0 : 1)
          if (goes) continue
          for (const list of lists) {
            const now = found[0]?.permissions[list].map(({ value }) => value.text).sort()
            const want = mine && other && old ? wanted(old[list], mine[list], other[list]) : [...((mine ?? other)?.[list] ?? [])]
            expect([name, list, now]).toEqual([name, list, [...want].sort()])
          }
        }
        const sides = [await worldOf(o), await worldOf(t)]
        for (const action of ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:restart', 'vps:apisvc:x']) {
          const question = { ...questionOf({ identity, action, resource, at: '2026-01-01T00:00:00Z' }), owner: 'other' }
          if (decide(world, question).verdict === 'allow') expect(sides.map((side) => decide(side, question).verdict)).toContain('allow')
        }
      }),
      { numRuns: effort(1_500), seed: 36 },
    )
    console.log(style, counts)
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
  },
)
