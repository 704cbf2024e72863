import fc from 'fast-check'
import type { World } from '../../src/policy.ts'

/** Generated edits of policies by two sides, and what a merge of both has to hold. */

/** Policies by their names, each with the entries of its lists. */
export type File = Readonly<Record<string, Readonly<Record<List, readonly string[]>>>>
type List = 'allow' | 'except' | 'deny'
const lists = ['allow', 'except', 'deny'] as const

const names = ['a', 'b', 'c: d', 'é']
const actions = ['vps:apisvc:get', 'vps:apisvc:re*', 'vps:apisvc:reboot', 'vps:*']
export const identity = 'urn:v1:eu:identity:user:ab12-svc/ann'
export const resource = 'urn:v1:eu:resource:vps:x'

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

export function changed(file: File, changes: readonly Change[]): File {
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

export const triple = fc.tuple(file, fc.array(change, { minLength: 1, maxLength: 3 }), fc.array(change, { minLength: 1, maxLength: 3 }))

/** An allow that one side adds below a deny that the other removes, among other edits. */
export const crossing: typeof triple = fc
  .tuple(triple, fc.constantFrom(...names), fc.constantFrom(...actions))
  .map(([[base, one, two], name, action]) => {
    const own = { allow: [], except: [], deny: [action] }
    const edit = (list: List): Change => ({ name, list, action, kind: 1 })
    return [{ ...base, [name]: own }, [...one.slice(0, 1), edit('allow')], [...two.slice(0, 1), edit('deny')]]
  })

export const styles = {
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

/** The entries that a merge has to have: those that both have, and those that a side adds. */
const wanted = (base: readonly string[], ours: readonly string[], theirs: readonly string[]) =>
  actions.filter((each) => {
    const [old, mine, other] = [base, ours, theirs].map((list) => list.includes(each))
    return mine === old ? other : mine
  })

/** The differences of a merged world from what it has to hold: none where no edit is lost. */
export function lostIn(world: World, [base, ours, theirs]: readonly [File, File, File]): readonly string[] {
  const all = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...all].flatMap((name) => {
    const [old, mine, other] = [base, ours, theirs].map((each) => each[name])
    const found = world.policies.filter((each) => each.name.value === name)
    const goes = old !== undefined && (mine === undefined || other === undefined)
    if (found.length !== (goes ? 0 : 1)) return [`${name}: ${found.length} times`]
    if (goes) return []
    return lists.flatMap((list) => {
      const now = found[0]?.permissions[list].map(({ value }) => value.text).sort()
      const want = mine && other && old ? wanted(old[list], mine[list], other[list]) : [...((mine ?? other)?.[list] ?? [])]
      return JSON.stringify(now) === JSON.stringify([...want].sort()) ? [] : [`${name}: ${list} ${now}, expected ${want}`]
    })
  })
}
