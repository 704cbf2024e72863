import { expect, test } from 'vitest'
import { pageHeaders } from '../../src/emulator/api/pagination.ts'
import type { RecordChange } from '../../src/emulator/model/state.ts'
import { decide } from '../../src/simulate/decide.ts'
import { factText } from '../../src/simulate/facts.ts'
import { effort } from '../support/effort.ts'
import { keepable, type TestService, testAccount, testService } from '../support/service.ts'
import { generate, pick, questionOf, type Random, randomOf, type WorldJson, worldOf, worldOfTexts } from '../support/worlds.ts'

/** A world as the emulator keeps it: every policy and group with the fields that the service adds. */
function kept({ policies, permissionsGroups, resourceGroups, resources, identities }: WorldJson): readonly RecordChange[] {
  const common = { account: testAccount, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null }
  return [
    ...policies.map(({ readOnly = false, ...written }, i): RecordChange => {
      const id = `p${i}`
      return { kind: 'policy', key: id, value: { ...common, id, written, readOnly } }
    }),
    ...permissionsGroups.map(
      ({ urn, ...written }): RecordChange => ({
        kind: 'permissionsGroup',
        key: urn,
        value: { ...common, id: urn, urn, written, readOnly: false },
      }),
    ),
    ...resourceGroups.map(({ urn = '', id: _, ...written }): RecordChange => {
      const id = urn.split(':').at(-1) ?? ''
      return { kind: 'resourceGroup', key: urn, value: { ...common, id, urn, written, readOnly: false } }
    }),
    ...resources.map(({ urn, owner = null, tags = null }): RecordChange => ({ kind: 'inventory', key: urn, value: { urn, owner, tags } })),
    ...identities.map((value): RecordChange => ({ kind: 'identity', key: value.urn, value })),
  ]
}

/** Everything that a list answers, by pages of any size; undefined where the world forbids the reading. */
function listed({ call }: TestService, path: string, random: Random): readonly object[] | undefined {
  const all: object[] = []
  let cursor: string | undefined
  do {
    const headers = {
      'x-pagination-size': String(pick(random, [1, 2, 3, 50])),
      ...(cursor !== undefined && { 'x-pagination-cursor': cursor }),
    }
    const page = call('GET', path, { headers })
    if (page.status === 403 || page.status === 501) return undefined
    expect(page.status).toBe(200)
    // A client reads text.
    all.push(...(JSON.parse(JSON.stringify(page.body)) as readonly object[]))
    cursor = page.headers?.[pageHeaders.next]
  } while (cursor !== undefined)
  return all
}

test('policies that come, change and go: the account decides at each step as one that was just loaded', () => {
  const random = randomOf(20261126)
  const verdicts = new Set<string>()
  let followed = 0
  for (let i = 0; i < effort(30, 15); i++) {
    const generated = generate(random, 6)
    const world = keepable(generated.world)
    const { service } = testService({ state: kept(world) })
    const written = [...world.policies]
    const record = (id: string, { readOnly = false, ...body }: WorldJson['policies'][number]): RecordChange => ({
      kind: 'policy',
      key: id,
      value: { account: testAccount, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null, id, written: body, readOnly },
    })
    for (let step = 0; step < 12; step++) {
      const ids = [...service.state.table('policy').entries()].map(([key]) => key)
      const [id, body] = [random() < 0.3 || ids.length === 0 ? `new${i}-${step}` : pick(random, ids), pick(random, written)]
      const { engine: before } = service.worldOf(testAccount)
      service.state.commit([random() < 0.3 ? { kind: 'policy', key: id } : record(id, body)])
      // Other facts that decisions rest on change as well, now and then.
      if (step % 5 === 4) service.state.commit(kept({ ...world, policies: [] }).slice(0, 1))
      const { decide: decideNow, engine } = service.worldOf(testAccount)
      if (engine === before) followed++
      const fresh = testService().service
      fresh.state.replace([
        { kind: 'account', key: testAccount, value: { id: testAccount, region: 'eu', schemasVersion: 1 } },
        ...(['policy', 'permissionsGroup', 'resourceGroup', 'inventory', 'identity'] as const).flatMap((kind) =>
          [...service.state.table(kind).entries()].map(([key, value]) => ({ kind, key, value }) as RecordChange),
        ),
      ])
      for (const asked of generated.questions) {
        const question = questionOf(asked)
        const wanted = fresh.worldOf(testAccount).decide(question)
        const got = decideNow(question)
        const plain = ({ verdict, reason, caveats, clauses }: typeof wanted) => [
          [verdict, reason, caveats],
          clauses.map(({ policy, list, entry }) => [policy.span.source.path, list, entry.value.text]),
        ]
        expect(plain(got), JSON.stringify({ question: asked, step })).toEqual(plain(wanted))
        verdicts.add(got.verdict)
      }
    }
  }
  expect([...verdicts].sort()).toEqual(['allow', 'deny', 'unknown'])
  expect(followed).toBeGreaterThan(effort(150, 20))
})

test('GET and POST /v2/iam/policy, and the groups and resources with it: the world that is listed decides as the world that was kept', () => {
  const random = randomOf(20261120)
  const met = { allow: 0, deny: 0, unknown: 0, forbidden: 0, sent: 0, refused: 0 }
  for (let i = 0; i < effort(120, 8); i++) {
    const generated = generate(random, 8)
    let world = keepable(generated.world)
    const isSent = i % 2 === 0
    const service = testService({ state: kept(isSent ? { ...world, policies: [] } : world) })
    // The identity that reads it all: with a right of its own on every resource, so that it sees them.
    service.allow(['account:apisvc:iam/*', 'reader:apisvc:see'])
    if (isSent) {
      // A policy may forbid to send the next one, and conditions that mean nothing are refused.
      const sent = world.policies.map(({ readOnly: _, ...body }) => ({
        body,
        status: service.call('POST', '/v2/iam/policy', { body }).status,
      }))
      const policies = sent.filter(({ status }) => status === 200).map(({ body }) => body)
      for (const { status } of sent) expect([200, 400, 403, 501]).toContain(status)
      met.sent += policies.length
      met.refused += sent.length - policies.length
      world = { ...world, policies }
    }
    const details = pick(random, ['', '?details=true'])
    const [policies, permissionsGroups, resourceGroups, resources] = [
      `/v2/iam/policy${details}`,
      '/v2/iam/permissionsGroup',
      `/v2/iam/resourceGroup${pick(random, ['', '?details=true'])}`,
      '/v2/iam/resource',
    ].map((path) => listed(service, path, random))
    if (!policies || !permissionsGroups || !resourceGroups || !resources || resources.length < world.resources.length) {
      met.forbidden++
      continue
    }
    const before = worldOf(world)
    const rest = { account: testAccount, identities: world.identities }
    // Each answer may be a file as it is.
    const after =
      i % 3 === 0
        ? worldOf({ ...rest, policies, permissionsGroups, resourceGroups, resources })
        : worldOfTexts([policies, permissionsGroups, resourceGroups, resources, rest].map((each) => JSON.stringify(each)))
    for (const written of generated.questions) {
      const question = questionOf(written)
      const wanted = decide(before, question)
      const got = decide(after, question)
      expect([got.verdict, got.reason, got.missing.map(({ fact }) => factText(fact))], JSON.stringify({ world, written }, null, 1)).toEqual(
        [wanted.verdict, wanted.reason, wanted.missing.map(({ fact }) => factText(fact))],
      )
      met[got.verdict]++
    }
  }
  expect(met.allow).toBeGreaterThan(effort(100, 10))
  expect(met.deny).toBeGreaterThan(effort(300, 10))
  expect(met.unknown).toBeGreaterThan(effort(50, 10))
  expect(met.sent).toBeGreaterThan(effort(120, 10))
  expect(met.refused).toBeGreaterThan(effort(8, 10))
  expect(met.forbidden).toBeLessThan(effort(24, 8))
})
