import { describe, expect, test } from 'vitest'
import { type Address, readAddress } from '../../src/conditions/address.ts'
import { diff } from '../../src/diff/diff.ts'
import { defaultSettings } from '../../src/names.ts'
import { readFacts } from '../../src/parser/policy.ts'
import { toPolicies } from '../../src/parser/read-open.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { compile } from '../../src/simulate/engine.ts'
import { factText } from '../../src/simulate/facts.ts'
import { sourceOf } from '../../src/source.ts'
import { assignments } from '../../src/unknown/assignment.ts'
import { filledDocument } from '../../src/unknown/fill.ts'
import { writtenIn } from '../../src/unknown/place.ts'
import { readIdentity } from '../../src/urn/identity.ts'
import { readResource } from '../../src/urn/resource.ts'
import { effort } from '../support/effort.ts'
import { readOpen } from '../support/open.ts'
import '../support/seed.ts'
import {
  cases,
  generate,
  pick,
  type QuestionJson,
  questionOf,
  type Random,
  randomOf,
  shuffled,
  type WorldJson,
  worldOf,
} from '../support/worlds.ts'

const seed = Number(process.env.SEED ?? 20261120)

const asked: QuestionJson = {
  identity: 'urn:v1:eu:identity:user:ab12-svc/ann',
  action: 'vps:apisvc:reboot',
  resource: 'urn:v1:eu:resource:vps:vps-1',
  at: '2026-01-15T12:00:00Z',
}

function openWorld(yaml: string) {
  const { documents } = readOpen('p.yaml', yaml)
  const { facts } = readFacts(documents, defaultSettings)
  return buildWorld([facts]).world
}

function verdictOf(yaml: string, question: Partial<QuestionJson> = {}) {
  const { verdict, missing } = decide(openWorld(yaml), questionOf({ ...asked, ...question }))
  return [verdict, ...missing.map(({ fact }) => factText(fact))]
}

const policy = (over: Record<string, string> = {}) => {
  const parts: Record<string, string> = {
    identities: '["urn:v1:eu:identity:user:ab12-svc/ann"]',
    resources: '[{ urn: "urn:v1:eu:resource:vps:vps-1" }]',
    permissions: '{ allow: [{ action: "vps:apisvc:*" }] }',
    ...over,
  }
  return `name: p\n${Object.entries(parts)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}`
}

describe('a decision over something that is not known', () => {
  test.each([
    ['an identity', { identities: '["${var.group}"]' }, {}, ['unknown', 'var.group']],
    ['all identities', { identities: '"${var.groups}"' }, {}, ['unknown', 'var.groups']],
    ['one identity beside the one that asks', { identities: '["${var.group}", "urn:v1:eu:identity:user:ab12-svc/ann"]' }, {}, ['allow']],
    [
      'a part of an identity',
      { identities: '["urn:v1:eu:identity:user:${var.account}/ann"]' },
      {},
      ['unknown', 'urn:v1:eu:identity:user:${var.account}/ann'],
    ],
    ['a part of another identity', { identities: '["urn:v1:eu:identity:user:${var.account}/bob"]' }, {}, ['deny']],
    ['a resource', { resources: '[{ urn: "${data.vps.urn}" }]' }, {}, ['unknown', 'data.vps.urn']],
    ['the region of another resource', { resources: '[{ urn: "urn:v1:${var.region}:resource:vps:vps-2" }]' }, {}, ['deny']],
    ['an action that may be allowed', { permissions: '{ allow: [{ action: "${var.action}" }] }' }, {}, ['unknown', 'var.action']],
    ['an action of another product', { permissions: '{ allow: [{ action: "dns:apisvc:${var.verb}" }] }' }, {}, ['deny']],
    [
      'an action that may be excepted',
      { permissions: '{ allow: [{ action: "vps:*" }], except: [{ action: "${var.x}" }] }' },
      {},
      ['unknown', 'var.x'],
    ],
    ['another exception', { permissions: '{ allow: [{ action: "vps:*" }], except: [{ action: "dns:${var.x}" }] }' }, {}, ['allow']],
    [
      'an action that may be denied',
      { permissions: '{ allow: [{ action: "vps:*" }], deny: [{ action: "${var.x}" }] }' },
      {},
      ['unknown', 'var.x'],
    ],
    [
      'what may be denied where nothing is allowed',
      { permissions: '{ allow: [{ action: "dns:*" }], deny: [{ action: "${var.x}" }] }' },
      {},
      ['deny'],
    ],
    [
      'all permissions',
      { permissions: '"${local.permissions}"' },
      {},
      ['unknown', 'local.permissions in allow', 'local.permissions in deny'],
    ],
    ['an expiry', { expiredAt: '"${var.until}"' }, {}, ['unknown', 'var.until']],
    ['whether it is there', { perhaps: '"${var.enabled}"' }, {}, ['unknown', 'var.enabled']],
    ['whether it is there, for others', { perhaps: '"${var.enabled}"' }, { action: 'dns:apisvc:zone/get' }, ['deny']],
    ['a condition', { conditions: '"${var.when}"' }, {}, ['unknown', 'var.when']],
    [
      'a value of a condition',
      { conditions: '{ operator: MATCH, values: { "resource.Name": "${var.name}" } }' },
      {},
      ['unknown', 'var.name as resource.Name'],
    ],
    [
      'a permissions group',
      { permissions: '{ allow: [] }', permissionsGroups: '[{ urn: "${var.group}" }]' },
      {},
      ['unknown', 'permissionsGroup:var.group'],
    ],
    [
      'one thing as two',
      { identities: '["${var.x}"]', resources: '[{ urn: "${var.x}" }]' },
      {},
      ['unknown', 'var.x in identities', 'var.x in resources'],
    ],
  ] as const)('%s', (_, over, question, expected) => {
    expect(verdictOf(policy(over), question)).toEqual(expected)
  })

  test('a group that is described under the same expression is that group', () => {
    const world = (members: string) => `
resourceGroups: [{ urn: "\${svc_iam_resource_group.web.urn}", resources: [${members}] }]
policies:
  - name: p
    identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
    resources: [{ urn: "\${svc_iam_resource_group.web.urn}" }]
    permissions: { allow: [{ action: "vps:*" }] }
`
    expect(verdictOf(world('{ urn: "urn:v1:eu:resource:vps:vps-1" }'))).toEqual(['allow'])
    expect(verdictOf(world('{ urn: "urn:v1:eu:resource:vps:vps-2" }'))).toEqual(['deny'])
    expect(verdictOf(world('{ urn: "${var.member}" }'))).toEqual(['unknown', 'resourceGroup:svc_iam_resource_group.web.urn'])
  })

  test('a permissions group that is described under the same expression, with an entry that is not known', () => {
    const world = (entries: string) => `
permissionsGroups: [{ urn: "\${svc_iam_permissions_group.ops.urn}", name: ops, permissions: ${entries} }]
policies:
  - name: p
    identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
    resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]
    permissionsGroups: [{ urn: "\${svc_iam_permissions_group.ops.urn}" }]
`
    expect(verdictOf(world('{ allow: [{ action: "vps:*" }] }'))).toEqual(['allow'])
    expect(verdictOf(world('{ allow: [{ action: "${var.a}" }] }'))).toEqual(['unknown', 'var.a'])
    expect(verdictOf(world('{ allow: [{ action: "vps:*" }], except: [{ action: "${var.a}" }] }'))).toEqual(['unknown', 'var.a'])
    expect(verdictOf(world('{ allow: [{ action: "vps:*" }], deny: [{ action: "vps:${var.a}" }] }'))).toEqual(['unknown', 'vps:${var.a}'])
  })
})

/** Some texts of a world taken out: whole, or all but a start; and a function that gives a world with others in their place. */
function hidden(random: Random, world: WorldJson, least = 0) {
  const names: string[] = []
  const copy = structuredClone(world)
  const hide = (text: string): string => {
    if (random() > 0.3) return text
    const head = text.startsWith('urn:') ? text.split(':', least).join(':').length : 0
    const kept = random() < 0.5 ? '' : text.slice(0, head + Math.floor(random() * (text.length - head)))
    names.push(text.slice(kept.length))
    return `${kept}\${v${names.length - 1}}`
  }
  for (const each of copy.policies) {
    each.identities = each.identities.map(hide)
    for (const resource of each.resources) resource.urn = hide(resource.urn)
    for (const list of ['allow', 'except', 'deny'] as const)
      for (const entry of each.permissions[list] ?? []) entry.action = hide(entry.action)
  }
  const fill = (values: readonly string[], world: WorldJson = copy): WorldJson =>
    JSON.parse(JSON.stringify(world).replace(/\$\{v(\d+)\}/g, (_, i) => JSON.stringify(values[Number(i)]).slice(1, -1)))
  return { copy, names, fill }
}

test('what is decided holds for every value that was hidden, and the engine says the same', () => {
  const random = randomOf(seed)
  const counts = { allow: 0, deny: 0, unknown: 0 }
  let count = 0
  for (const { written } of cases(seed)) {
    if (++count > effort(1500, 16)) break
    const { copy, names, fill } = hidden(random, written.world)
    if (names.length === 0) continue
    const { documents } = readOpen('p.json', JSON.stringify(copy))
    const { world } = buildWorld([readFacts(documents, defaultSettings).facts])
    const question = questionOf(written.question)
    const decision = decide(world, question)
    counts[decision.verdict]++
    expect(compile(world).verdict(question)).toBe(decision.verdict)
    const original = decide(worldOf(fill(names)), question)
    if (decision.verdict !== 'unknown')
      expect(original.verdict, JSON.stringify({ copy, question: written.question })).toBe(decision.verdict)
    // Others in the place of what was hidden: those of the same start keep the names legal.
    const others = fill(
      names.map((name) =>
        name.includes(':')
          ? pick(
              random,
              names.filter((other) => other.split(':').length === name.split(':').length),
            )
          : name,
      ),
    )
    const elsewhere = readFacts(readOpen('p.json', JSON.stringify(others)).documents, defaultSettings)
    if (decision.verdict !== 'unknown' && elsewhere.diagnostics.length === 0)
      expect(decide(buildWorld([elsewhere.facts]).world, question).verdict).toBe(decision.verdict)
  }
  expect(counts.allow).toBeGreaterThan(effort(50, 30))
  expect(counts.deny).toBeGreaterThan(effort(150, 30))
  expect(counts.unknown).toBeGreaterThan(effort(150, 30))
})

test('a difference misses no new access, whatever the hidden values are, and its witnesses are questions', () => {
  const random = randomOf(seed + 1)
  const counts = { same: 0, changed: 0, undecided: 0 }
  let newCount = 0
  for (let i = 0; i < effort(60, 16); i++) {
    const { world, questions } = generate(random, 24)
    const { copy, names, fill } = hidden(random, world, 5)
    const later = structuredClone(copy)
    const changed = pick(random, later.policies)
    const asked = pick(random, questions)
    if (!changed || !asked || names.length === 0) continue
    const [one, other] = shuffled(random, ['deny', 'except', 'allow', 'who'] as const)
    for (const what of [one, other]) {
      if (what === 'allow') changed.permissions.allow = [...(changed.permissions.allow ?? []), { action: asked.action }]
      else if (what === 'who') {
        changed.identities.push(asked.identity)
        changed.resources.push({ urn: asked.resource })
      } else if (what) changed.permissions[what] = []
    }
    const openWorldOf = (written: WorldJson) =>
      buildWorld([readFacts(readOpen('p.json', JSON.stringify(written)).documents, defaultSettings).facts]).world
    const { verdict, gained } = diff(openWorldOf(copy), openWorldOf(later), { budget: 5_000 })
    counts[verdict]++
    for (const { witness } of gained) {
      expect(readIdentity(witness.identity, { pattern: false }).faults, witness.identity).toBeUndefined()
      expect(readResource(witness.resource, { pattern: false }).faults, witness.resource).toBeUndefined()
    }
    const [before, after] = [copy, later].map((written) => worldOf(fill(names, written))) as [World, World]
    for (const written of questions) {
      const question = { ...questionOf(written), ip: readAddress('192.0.2.9') as Address, tags: new Map([['k', 'ab']]) }
      if (decide(after, question).verdict !== 'allow' || decide(before, question).verdict === 'allow') continue
      newCount++
      if (verdict !== 'undecided') expect(gained.length, JSON.stringify({ copy, changed, question: written })).toBeGreaterThan(0)
    }
  }
  expect(counts.same + counts.undecided).toBeLessThan(effort(50, 16))
  expect(newCount).toBeGreaterThan(effort(10, 30))
})

describe('two worlds of which not all is known', () => {
  const factsOf = (yaml: string) => readFacts(readOpen('p.yaml', yaml).documents, defaultSettings).facts
  const compared = (before: string, after: string) => {
    const [a, b] = [factsOf(before), factsOf(after)]
    return diff(buildWorld([a], [b]).world, buildWorld([b], [a]).world, { budget: 5_000 })
  }

  test('an expression that names identities is not the same fact as one that names resources', () => {
    const before = policy({ identities: '["${var.x}"]', resources: '[{ urn: "urn:v1:eu:resource:*" }]' })
    const after = policy({ identities: '["urn:v1:eu:identity:user:*", "urn:v1:eu:identity:group:*"]', resources: '[{ urn: "${var.x}" }]' })
    expect(compared(before, after).gained.length).toBeGreaterThan(0)
    expect(compared(before, before).verdict).toBe('same')
  })

  test('an entry that differs only in its expression is shown with its expression', () => {
    const before = policy({ permissions: '{ allow: [{ action: "vps:apisvc:${var.a}" }] }' })
    const after = policy({ permissions: '{ allow: [{ action: "vps:apisvc:${var.b}" }] }' })
    const { gained } = compared(before, after)
    expect(gained.flatMap(({ causes }) => causes.map(({ what }) => what))).toContain('allow `vps:apisvc:${var.b}`')
  })
})

describe('what is wrong in a source of which not all is known', () => {
  const problems = async (yaml: string) => {
    const read = await toPolicies(sourceOf('p.yaml', yaml), readOpen('p.yaml', yaml), defaultSettings)
    return read.diagnostics.map(({ code, span }) => `${code} ${yaml.slice(span.start, span.end)}`)
  }

  test.each([
    ['nothing', { identities: '["${var.group}"]', resources: '[{ urn: "${var.r}" }]', expiredAt: '"${var.t}"' }, []],
    ['a version beside a name that is not known', { resources: '[{ urn: "urn:v2:eu:resource:vps:${var.n}" }]' }, ['resource-urn v2']],
    ['a region that is not known', { resources: '[{ urn: "urn:v1:${var.r}:resource:vps:${var.n}" }]' }, []],
    ['a kind that is not known', { identities: '["urn:v1:eu:identity:${var.kind}:ab12-svc/ann"]' }, []],
    ['another entry', { identities: '["${var.group}", "urn:v1:eu:identity:usr:ab12-svc/ann"]' }, ['identity-urn usr']],
    ['a misspelt field', { perhaps: '"${var.on}"', identites: '[]' }, ['shape identites']],
  ] as const)('%s', async (_, over, expected) => {
    expect(await problems(policy(over))).toEqual(expected)
  })

  test('every assignment to assume it is well-formed', () => {
    const { documents } = readOpen(
      'p.yaml',
      policy({
        identities: '["${a}", "urn:v1:${r}:identity:user:${b}/ann"]',
        resources: '[{ urn: "${c}" }, "${d}"]',
        permissions: '{ allow: "${e}", except: [{ action: "vps:apisvc:${f}" }, "${g}"], deny: [{ action: "${h}" }] }',
        conditions: '{ operator: AND, conditions: ["${i}", { operator: MATCH, values: { "resource.Name": "${j}" } }] }',
        expiredAt: '"${k}"',
      }),
    )
    for (const assignment of assignments) {
      const read = readFacts(
        documents.flatMap((each) => filledDocument(each, { assignment, settings: defaultSettings, written: writtenIn(documents) }) ?? []),
        defaultSettings,
      )
      expect([assignment, read.diagnostics.map(({ message }) => message), read.misshapen.length]).toEqual([assignment, [], 0])
    }
  })
})
