import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { answerText, type TextStyle } from '../../src/answers/text.ts'
import { whatAnswer } from '../../src/answers/what.ts'
import { whoAnswer } from '../../src/answers/who.ts'
import { type Address, readAddress } from '../../src/conditions/address.ts'
import { glob, matches } from '../../src/glob.ts'
import type { World } from '../../src/policy.ts'
import { paint } from '../../src/report/colour.ts'
import { conditionTexts } from '../../src/report/conditions.ts'
import { Names } from '../../src/report/names.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question, Verdict } from '../../src/simulate/decision.ts'
import { nothingAssumed, testHolds } from '../../src/simulate/facts.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { describedAccess, ownersOf } from '../../src/symbolic/described-access.ts'
import {
  allOf,
  always,
  anyOf,
  evaluate,
  type Formula,
  isTimed,
  type Model,
  never,
  noneOf,
  notBefore,
  satisfy,
  withTime,
} from '../../src/symbolic/formula.ts'
import { Judge } from '../../src/symbolic/known.ts'
import { memberships } from '../../src/symbolic/place.ts'
import { catalogueActions, type What, what } from '../../src/symbolic/what.ts'
import { type Who, who } from '../../src/symbolic/who.ts'
import { type ResourceGroupUrn, readResourceGroup } from '../../src/urn/resource.ts'
import { inResourceGroup } from '../../src/world.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { generate, pick, type QuestionJson, questionOf, type Random, randomOf, shown, worldOf } from '../support/worlds.ts'

/** A formula with the comparisons that a question decides put in. */
function given(formula: Formula, world: World, question: Question): Formula {
  switch (formula.kind) {
    case 'and':
      return allOf(formula.operands.map((part) => given(part, world, question)))
    case 'or':
      return anyOf(formula.operands.map((part) => given(part, world, question)))
    case 'not':
      return noneOf(anyOf(formula.operands.map((part) => given(part, world, question))))
    case 'test': {
      const truth = testHolds(formula.test, world, question, nothingAssumed)
      return truth === undefined ? formula : truth ? always : never
    }
    default:
      return formula
  }
}

function verdictOf(formula: Formula): Verdict {
  const judge = new Judge()
  const judged = judge.certainty(formula)
  expect(judge.isApproximate).toBe(false)
  return judged === 'always' ? 'allow' : judged === 'never' ? 'deny' : 'unknown'
}

/** The owning account is the same in each region. */
const anyRegion = (urn: string | undefined) => urn?.replace(/^urn:v1:[^:]*/, '')

/** The verdict in the rows of `who` for a caller with these identities. */
function byWho(answer: Who, members: readonly string[], isKnown: boolean): Formula {
  const [self] = members
  const hits = (pattern: string) => members.some((member) => matches(glob(pattern), member))
  return anyOf(
    [...answer.who, ...answer.unknown]
      .filter((row) => {
        if (row.reason === 'root') return anyRegion(row.identity) === anyRegion(self)
        return row.isKnown ? isKnown && row.identity === self : hits(row.identity)
      })
      .map((row) =>
        allOf([
          row.except.some(hits) ? never : always,
          row.condition,
          noneOf(anyOf(row.unless.filter(({ identity }) => hits(identity)).map(({ condition }) => condition))),
        ]),
      ),
  )
}

/** The verdict in the rows of `what` for an action on a resource. */
function byWhat(answer: What, world: World, question: Question): Formula {
  const groups = answer.what
    .flatMap(({ resource, unless }) => [resource, ...unless.map((leaving) => leaving.resource)])
    .flatMap((text): ResourceGroupUrn[] => [readResourceGroup(text, { pattern: true }).value ?? []].flat())
  const unknown = groups.filter((urn) => inResourceGroup(world, urn, question.resource) === undefined)
  const holds = (text: string): Formula => {
    const group = readResourceGroup(text, { pattern: true }).value
    if (!group) return matches(glob(text), question.resource) ? always : never
    const member = inResourceGroup(world, group, question.resource)
    return member === undefined ? anyOf(memberships(group, unknown)) : member ? always : never
  }
  const hits = (patterns: readonly string[]) => patterns.some((pattern) => matches(glob(pattern), question.action))
  return anyOf(
    answer.what
      .filter(({ actions, except }) => hits(actions) && !hits(except))
      .map(({ resource, condition, unless }) =>
        given(
          allOf([
            holds(resource),
            condition,
            noneOf(
              anyOf(unless.filter(({ actions }) => hits(actions)).map((leaving) => allOf([holds(leaving.resource), leaving.condition]))),
            ),
          ]),
          world,
          question,
        ),
      ),
  )
}

const plain = paint(false)

function whoText(action: string, resource: string, answer: Who, names: Names, width?: number): string {
  return answerText(whoAnswer(action, resource, answer, undefined), { paint: plain, wording: { names, when: conditionTexts() }, width })
}

function whatText(identity: string, answer: What, names: Names, style: Partial<TextStyle>): string {
  const asked = { identity, expand: false, catalogue: loadCatalogue(), at: undefined }
  return answerText(whatAnswer(asked, answer), { paint: plain, wording: { names, when: conditionTexts() }, ...style })
}

const letter = '\u{ffff}'

/** Identities near what the policies write: each pattern's own point, those known, those asked about. */
function someIdentity(random: Random, world: World, question: Question): string {
  const written = world.policies.flatMap(({ identities }) =>
    identities.map(({ value }) => value.text.replace('*', pick(random, ['x', letter, 'a']))),
  )
  return pick(random, [question.identity, pick(random, written), ...world.identities.keys()])
}

// covers: M51
describe('agreement with can', () => {
  const minimum = { allow: 400, deny: 1000, unknown: 150 }

  test('who: in both directions, for all identities', () => {
    const seen: Record<Verdict, number> = { allow: 0, deny: 0, unknown: 0 }
    const random = randomOf(2026)
    for (let i = counted(effort(1000, 30)); i > 0; i--) {
      const { world: written, questions } = generate(random, 1)
      const world = worldOf(written)
      for (const each of questions) {
        const { identity: _, groups: __, ...asked } = questionOf(each)
        const shared = random() < 0.15 ? [pick(random, ['urn:v1:eu:identity:group:ab/g', 'urn:v1:eu:identity:group:ab/ga'])] : []
        const answer = who(world, { ...asked, groups: shared })
        for (let k = 0; k < 3; k++) {
          const identity = someIdentity(random, world, questionOf(each))
          const isKnown = world.identities.has(identity)
          const more =
            !isKnown && random() < 0.5 ? [someIdentity(random, world, questionOf(each))].filter((urn) => urn.includes(':group:')) : []
          const groups = [...shared, ...more]
          const question: Question = { ...asked, identity, groups }
          const decision = decide(world, question)
          if (decision.caveats.includes('approximate')) continue
          seen[decision.verdict]++
          const said = verdictOf(byWho(answer, [identity, ...groups, ...(world.identities.get(identity)?.groups ?? [])], isKnown))
          if (said !== decision.verdict)
            throw new Error(
              `can says ${decision.verdict}, who ${said}\n${shown({ world, question, written: { world: written, question: { ...each, identity: question.identity, action: question.action, resource: question.resource, groups: [...question.groups] } } })}`,
            )
        }
      }
    }
    for (const verdict of ['allow', 'deny', 'unknown'] as const)
      expect(seen[verdict], verdict).toBeGreaterThan(effort(minimum[verdict], 30))
  })

  test('who: accounts of several regions, and who owns the resource', () => {
    const random = randomOf(2027)
    const accounts = ['eu', 'ca', 'us'].flatMap((region) => ['ab', 'ba'].map((id) => `urn:v1:${region}:identity:account:${id}`))
    let [owning, others] = [0, 0]
    for (let i = counted(effort(400, 30)); i > 0; i--) {
      const { world: written, questions } = generate(random, 1)
      // Some are described, some named by a policy, and some only asked about: of these, the one of the resource's region.
      const [described, named] = [accounts.filter(() => random() < 0.3), accounts.filter(() => random() < 0.3)]
      const world = worldOf({
        ...written,
        ...(random() < 0.5 && { account: pick(random, ['ab', 'ba']) }),
        identities: [...written.identities.filter(({ urn }) => !described.includes(urn)), ...described.map((urn) => ({ urn, groups: [] }))],
        policies: written.policies.map((policy, j) => (j === 0 ? { ...policy, identities: [...policy.identities, ...named] } : policy)),
      })
      const { identity: _, groups: __, ...asked } = questionOf(questions[0] as QuestionJson)
      const answer = who(world, { ...asked, groups: [] })
      for (const identity of accounts) {
        const isKnown = world.identities.has(identity)
        if (!isKnown && !named.includes(identity) && identity.split(':')[2] !== asked.resource.split(':')[2]) continue
        const decision = decide(world, { ...asked, identity, groups: [] })
        if (decision.caveats.includes('approximate')) continue
        const said = verdictOf(byWho(answer, [identity], isKnown))
        expect([identity, said], JSON.stringify({ written, described, named, asked: questions[0] })).toEqual([identity, decision.verdict])
        if (decision.reason === 'root') owning++
        else others++
      }
    }
    expect(Math.min(owning, others)).toBeGreaterThan(effort(200, 30))
  })

  test('what: in both directions, whatever is asked', () => {
    const seen: Record<Verdict, number> = { allow: 0, deny: 0, unknown: 0 }
    let [certain, onlyTogether] = [0, 0]
    const random = randomOf(51)
    for (let i = counted(effort(1000, 30)); i > 0; i--) {
      const { world: written, questions } = generate(random, 1)
      const world = worldOf(written)
      for (const each of questions) {
        const first = questionOf(each)
        const { action: _, resource: __, ...asked } = { ...first, identity: someIdentity(random, world, first) }
        const within = random() < 0.25 ? first.resource : undefined
        const answer = what(world, asked, within === undefined ? undefined : glob(within))
        const actions = world.policies.flatMap(({ permissions: p }) =>
          [...p.allow, ...p.except, ...p.deny].map(({ value }) => value.text.replaceAll('*', pick(random, ['a', letter, '']))),
        )
        const resources = world.policies.flatMap(({ resources }) =>
          resources.flatMap(({ value }) =>
            value.kind === 'resource' ? [value.text.replaceAll('*', pick(random, ['a', 'x:y', 'b']))] : [],
          ),
        )
        for (let k = 0; k < 3; k++) {
          const action = pick(random, [first.action, ...actions])
          const resource = within ?? pick(random, [first.resource, ...resources, ...world.resources.keys()])
          if (resource.split(':').length < 6) continue
          const question: Question = { ...asked, action, resource }
          const decision = decide(world, question)
          if (decision.caveats.includes('approximate')) continue
          seen[decision.verdict]++
          if (decision.verdict === 'allow') {
            certain++
            if (!answer.what.some(({ verdict }) => verdict === 'allow')) onlyTogether++
          }
          const said = verdictOf(byWhat(answer, world, question))
          if (said !== decision.verdict)
            throw new Error(
              `can says ${decision.verdict}, what ${said}\n${shown({ world, question, written: { world: written, question: { ...each, identity: question.identity, action: question.action, resource: question.resource, groups: [...question.groups] } } })}`,
            )
        }
      }
    }
    // Access that several regions allow only together, each in its own case, is rare.
    expect(onlyTogether / certain).toBeLessThan(0.02)
    for (const verdict of ['allow', 'deny', 'unknown'] as const)
      expect(seen[verdict], verdict).toBeGreaterThan(effort(minimum[verdict], 30))
  })
})

describe('agreement with can for what is described, at each time and from each address', () => {
  const actions = ['p', 'q'].flatMap((product) => ['a', 'b', 'a/b', 'b/a', 'ab'].map((path) => `${product}:apisvc:${path}`))
  const addresses = ['192.0.2.4', '192.0.2.5', '192.0.3.1', '10.0.0.1', '2001:db8::1'].map((text) => readAddress(text) as Address)
  const instants = [
    '2026-03-29T00:59:59.999Z',
    '2026-03-29T01:00:00Z',
    '2026-06-30T22:00:00Z',
    '2026-07-01T12:00:00Z',
    '2026-10-25T02:30:00Z',
    '2027-01-03T03:00:00Z',
  ].map((text) => Date.parse(text))
  const allKnown = { policies: 6, conditions: 0.8, missing: 0, groups: 0.2 }
  const noTags = new Map<string, string>()

  /** A world of which all is described, what is in it, and the instant from which on it is asked about. */
  function account(random: Random) {
    const { world: written } = generate(random, 0, allKnown)
    const { identities: named = [], resources: on = [] } = written.policies[0] ?? {}
    const guard = { name: 'guard', identities: named, resources: on, permissions: { deny: [{ action: pick(random, ['*a', 'p:*']) }] } }
    const world = worldOf({
      ...written,
      policies: random() < 0.4 ? [...written.policies, guard] : written.policies,
      resources: written.resources.map((each) => ({ tags: {}, ...each })),
    })
    const { identities, resources } = knownNamesIn([world])
    // An identity that nothing describes has no groups.
    return { world, identities, resources, from: pick(random, [0, ...instants]) }
  }

  /** The verdicts of `can` on a grid, next to the contexts as formulas are asked about them. */
  function* grid(world: World, from: number, identity: string, action: string, resource: string) {
    // A resource that is not described has tags that are not known: here it has none.
    const tags = world.resources.get(resource)?.tags ? {} : { tags: noTags }
    for (const at of instants.filter((each) => each >= from)) {
      for (const ip of addresses) {
        const question: Question = { identity, action, resource, groups: [], at, ip, ...tags }
        const model = { ip, at, tags: new Map<string, null>(['k', 'env'].map((key) => [key, null])), assumed: new Map() }
        yield { question, model, isAllowed: decide(world, question).verdict === 'allow' }
      }
    }
  }

  // covers: M51
  test('who and what about patterns: each combination is in the rows that allow it, and in no other', () => {
    const random = randomOf(77)
    let [allowed, denied, timed] = [0, 0, 0]
    for (let i = counted(effort(150, 5)); i > 0; i--) {
      const { world, identities, resources, from } = account(random)
      const everybody = [...new Set([...identities, ...ownersOf(world, resources, undefined)])]
      const { rows } = describedAccess(world, { identities: everybody, resources, actionsOf: () => actions, from })
      for (const identity of everybody) {
        for (const resource of resources) {
          for (const action of actions) {
            const own = rows.filter(
              (row) => row.identities.includes(identity) && row.resources.includes(resource) && row.actions.includes(action),
            )
            expect(own.length).toBeLessThan(2)
            for (const { question, model, isAllowed } of grid(world, from, identity, action, resource)) {
              const said = own.some(({ verdict, condition }) => verdict !== 'deny' && evaluate(condition, model) === true)
              if (said !== isAllowed) expect({ question, said }).toEqual({ question, said: isAllowed })
              if (isAllowed) allowed++
            }
          }
        }
      }
      for (const row of rows) {
        const [identity, action, resource] = [row.identities[0], row.actions[0], row.resources[0]] as [string, string, string]
        if (row.verdict === 'deny') {
          denied++
          expect(row.clauses.every(({ list }) => list === 'deny')).toBe(true)
          continue
        }
        if (isTimed(row.condition)) timed++
        // Listed access is allowed at some instant that counts.
        const found = satisfy(withTime([row.condition], notBefore(from)), { assume: false }) as Model
        const own = new Map([...found.tags].flatMap(([key, text]) => (text === null ? [] : [[key, text] as const])))
        const tags = world.resources.get(resource)?.tags ? {} : { tags: own }
        const question = {
          identity,
          action,
          resource,
          groups: [],
          at: found.at ?? from,
          ip: found.ip ?? (addresses[0] as Address),
          ...tags,
        }
        expect(question.at).toBeGreaterThanOrEqual(from)
        expect({ question, verdict: decide(world, question).verdict }).toEqual({ question, verdict: 'allow' })
      }
    }
    expect(allowed).toBeGreaterThan(effort(20_000, 5))
    expect(denied).toBeGreaterThan(effort(40, 5))
    expect(timed).toBeGreaterThan(effort(40, 5))
  })

  // covers: M51
  test('who and what about one identity or resource, over all times', () => {
    const random = randomOf(78)
    let [allowed, rowsInTime] = [0, 0]
    for (let i = counted(effort(100, 5)); i > 0; i--) {
      const { world, identities, resources, from } = account(random)
      for (const resource of resources) {
        const tags = world.resources.get(resource)?.tags ? {} : { tags: noTags }
        for (const action of actions.filter(() => random() < 0.4)) {
          const answer = who(world, { action, resource, groups: [], from, ...tags })
          rowsInTime += answer.who.filter(({ condition }) => isTimed(condition)).length
          for (const identity of identities) {
            const groups = world.identities.get(identity)?.groups ?? []
            const byRows = byWho(answer, [identity, ...groups], world.identities.has(identity))
            const own = what(world, { identity, groups: [], from, ...tags }, glob(resource))
            for (const { question, model, isAllowed } of grid(world, from, identity, action, resource)) {
              expect({ question, said: evaluate(byRows, model) === true }).toEqual({ question, said: isAllowed })
              expect({ question, said: evaluate(byWhat(own, world, question), model) === true }).toEqual({ question, said: isAllowed })
              if (isAllowed) allowed++
            }
          }
        }
      }
    }
    expect(allowed).toBeGreaterThan(effort(3_000, 5))
    expect(rowsInTime).toBeGreaterThan(effort(60, 5))
  })
})

const user = 'urn:v1:eu:identity:user:ab/'
const group = 'urn:v1:eu:identity:group:ab/'
const vps = 'urn:v1:eu:resource:vps:'
const at = { at: 0, groups: [] }

function policy(name: string, identities: readonly string[], resources: readonly string[], permissions: object, more: object = {}) {
  const lists = Object.fromEntries(
    Object.entries(permissions).map(([list, actions]) => [list, (actions as string[]).map((action) => ({ action }))]),
  )
  return { name, identities, resources: resources.map((urn) => ({ urn })), permissions: lists, ...more }
}
const ifTag = (key: string, value: string) => ({ conditions: { operator: 'MATCH', values: { [`resource.Tag(${key})`]: value } } })
const worldWith = (policies: readonly object[], more: object = {}) => worldOf({ account: 'ab', policies, ...more })

const whoIn = (world: World, more: object = {}) => who(world, { ...at, action: 'vps:apisvc:reboot', resource: `${vps}a`, ...more })
const identities = (rows: readonly { readonly identity: string }[]) => rows.map(({ identity }) => identity)

describe('who', () => {
  const allow = { allow: ['vps:*'] }
  const root = 'urn:v1:eu:identity:account:ab'

  test('a deny of narrower identities, and of any group, is taken away', () => {
    const world = worldWith([
      policy('all', [`${user}*`], [`${vps}*`], allow),
      policy('not these', [`${user}temp*`, `${user}temp-1`, `${group}guests`, 'urn:v1:eu:identity:user:ba/x'], [`${vps}*`], {
        deny: ['*'],
      }),
    ])
    const { who: rows, unknown, denied, complete } = whoIn(world)
    expect(identities(rows)).toEqual([root, `${user}*`])
    expect(rows[1]).toMatchObject({ except: [`${group}guests`, `${user}temp*`], unless: [], reason: 'granted' })
    expect(rows[1]?.clauses.map(({ entry }) => entry.value.text)).toEqual(['vps:*'])
    expect(unknown).toEqual([])
    expect(denied).toHaveLength(4)
    expect(complete).toBe(true)
  })

  test('a known identity comes by a group, and with all of them', () => {
    const world = worldWith(
      [policy('ops', [`${group}ops`], [`${vps}*`], allow), policy('no', [`${group}guests`], [`${vps}*`], { deny: ['*'] })],
      {
        identities: [
          { urn: `${user}ann`, groups: [`${group}ops`] },
          { urn: `${user}bob`, groups: [`${group}ops`, `${group}guests`] },
          { urn: `${user}cleo`, groups: [] },
        ],
      },
    )
    const { who: rows } = whoIn(world)
    expect(identities(rows)).toEqual([root, `${group}ops`, `${user}ann`])
    expect(rows[2]).toMatchObject({ isKnown: true, groups: [`${group}ops`], except: [] })
  })

  test('conditions that leave no way out are none, and what is not given stays', () => {
    const world = worldWith([
      policy('one', [`${user}a`], [`${vps}*`], allow, ifTag('env', 'prod')),
      policy('other', [`${user}*`], [`${vps}*`], allow, { conditions: { operator: 'NOT', conditions: [ifTag('env', 'prod').conditions] } }),
    ])
    const answer = whoIn(world)
    expect(identities(answer.who)).toEqual([root, `${user}a`])
    expect(identities(answer.unknown)).toEqual([`${user}*`])
    expect(answer.unknown[0]).toMatchObject({ missing: [{ kind: 'tag', key: 'env' }] })
    expect(identities(whoIn(world, { tags: new Map([['env', 'prod']]) }).who)).toEqual([root, `${user}a`])
    // The entry for one of them does not apply then: the pattern covers it.
    expect(identities(whoIn(world, { tags: new Map() }).who)).toEqual([root, `${user}*`])
  })

  test('a deny under a condition is shown next to the row that it may affect', () => {
    const world = worldWith([
      policy('all', [`${user}*`], [`${vps}*`], allow),
      policy('sometimes', [`${user}temp*`], [`${vps}*`], { deny: ['*'] }, ifTag('env', 'prod')),
    ])
    const [, row] = whoIn(world).who
    expect(row).toMatchObject({ identity: `${user}*`, except: [] })
    expect(row?.unless.map(({ identity }) => identity)).toEqual([`${user}temp*`])
  })

  test('what is not known of owner and permissions groups makes it incomplete', () => {
    const world = worldOf({
      policies: [policy('far', [`${user}*`], [`${vps}*`], {}, { permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:svc:far' }] })],
    })
    const answer = whoIn(world)
    expect(answer).toMatchObject({ who: [], complete: false })
    expect(answer.reasons).toHaveLength(2)
    expect(answer.unknown).toMatchObject([
      { identity: `${user}*`, missing: [{ kind: 'permissionsGroup', urn: 'urn:v1:eu:permissionsGroup:svc:far' }] },
    ])
  })

  test('everybody asked about is in the groups that are given', () => {
    const world = worldWith([
      policy('all', [`${user}*`], [`${vps}*`], allow),
      policy('no', [`${group}guests`], [`${vps}*`], { deny: ['*'] }),
    ])
    expect(identities(whoIn(world, { groups: [`${group}guests`] }).who)).toEqual([root])
    expect(whoIn(world, { groups: [`${group}staff`] }).who).toHaveLength(2)
  })
})

const whatIn = (world: World, more: object = {}, within?: string) =>
  what(world, { ...at, identity: `${user}a`, ...more }, within === undefined ? undefined : glob(within))
const regions = ({ what: rows }: What) =>
  rows.map(({ resource, actions, except, unless }) => [resource, actions, except, unless.map((u) => [u.resource, u.actions])])

describe('what', () => {
  test('what a wider region holds is not said again', () => {
    const world = worldWith([
      policy('wide', [`${user}a`], [`${vps}*`], {
        allow: ['vps:apisvc:*', 'vps:apisvc:reboot'],
        except: ['vps:apisvc:terminate', 'dns:*'],
      }),
      policy('narrow', [`${user}*`], [`${vps}b`], { allow: ['vps:apisvc:get', 'vps:apisvc:terminate'] }),
      policy('again', [`${user}a`], [`${vps}*`], { allow: ['vps:apisvc:*'], except: ['vps:apisvc:terminate'] }),
    ])
    expect(regions(whatIn(world))).toEqual([
      [`${vps}*`, ['vps:apisvc:*'], ['vps:apisvc:terminate'], []],
      [`${vps}b`, ['vps:apisvc:terminate'], [], []],
    ])
    expect(whatIn(world).what[0]?.clauses.map((clause) => clause.policy.name.value)).toEqual(['wide', 'again'])
  })

  test('denies: on the whole of a region, on a part of it, under a condition', () => {
    const world = worldWith([
      policy('wide', [`${user}a`], [`${vps}*`], { allow: ['vps:*'] }),
      policy('whole', [`${user}a`], ['urn:v1:eu:resource:*'], { deny: ['*:terminate'] }),
      policy('part', [`${user}a`], [`${vps}prod-*`], { deny: ['vps:apisvc:reinstall'] }),
      policy('at times', [`${user}a`], [`${vps}*`], { deny: ['vps:apisvc:reboot'] }, ifTag('env', 'prod')),
      policy('elsewhere', [`${user}a`], ['urn:v1:eu:resource:dnsZone:*'], { deny: ['*'] }),
    ])
    expect(regions(whatIn(world))).toEqual([
      [
        `${vps}*`,
        ['vps:*'],
        ['*:terminate'],
        [
          [`${vps}*`, ['vps:apisvc:reboot']],
          [`${vps}prod-*`, ['vps:apisvc:reinstall']],
        ],
      ],
    ])
    const one = whatIn(world, { tags: new Map([['env', 'prod']]) }, `${vps}prod-1`)
    expect(regions(one)).toEqual([[`${vps}prod-1`, ['vps:*'], ['*:terminate', 'vps:apisvc:reboot', 'vps:apisvc:reinstall'], []]])
  })

  test('what is denied whenever it is granted is not there', () => {
    const world = worldWith([
      policy('allow', [`${user}a`], [`${vps}*`], { allow: ['vps:*', 'dns:*'] }, ifTag('env', 'prod')),
      policy('deny', [`${user}a`], ['urn:v1:eu:resource:*'], { deny: ['vps:*'] }, ifTag('env', 'prod')),
    ])
    expect(regions(whatIn(world))).toMatchObject([[`${vps}*`, ['dns:*'], [], []]])
    expect(whatIn(world).what[0]).toMatchObject({ verdict: 'unknown', missing: [{ kind: 'tag', key: 'env' }] })
  })

  test('members of a group: known ones, denied ones, and unknown ones', () => {
    const urn = 'urn:v1:eu:resourceGroup:g1'
    const groups = { resourceGroups: [{ urn, name: 'g', resources: [{ urn: `${vps}a` }, { urn: `${vps}b` }] }] }
    const allow = policy('g', [`${user}a`], [urn], { allow: ['vps:*'] })
    expect(whatIn(worldWith([allow], groups)).what).toMatchObject([{ resource: urn, verdict: 'allow' }])
    expect(whatIn(worldWith([allow])).what).toMatchObject([
      { resource: urn, verdict: 'unknown', missing: [{ kind: 'resourceGroup', urn }] },
    ])
    const denies = ['a', 'b'].map((name) => policy(name, [`${user}a`], [`${vps}${name}`], { deny: ['vps:*'] }))
    expect(whatIn(worldWith([allow, ...denies.slice(1)], groups)).what).toMatchObject([{ unless: [{ resource: `${vps}b` }] }])
    expect(whatIn(worldWith([allow, ...denies], groups)).what).toEqual([])
  })

  test('a deny on a group with unknown members leaves nothing certain', () => {
    const urn = 'urn:v1:eu:resourceGroup:g9'
    const world = worldWith([
      policy('all', [`${user}a`], [`${vps}*`], { allow: ['vps:*'] }),
      policy('not', [`${user}a`], [urn], { deny: ['vps:*'] }),
    ])
    expect(whatIn(world).what).toMatchObject([
      { verdict: 'unknown', missing: [{ kind: 'resourceGroup', urn }], unless: [{ resource: urn }] },
    ])
  })

  test('a deny of a wider pattern is as certain as the tags of the one resource that a row is about', () => {
    const policies = [
      policy('own', [`${user}a`], [`${vps}b`], { allow: ['vps:*'] }),
      policy('guard', [`${user}*`], [`${vps}*`], { deny: ['*:terminate'] }, ifTag('env', 'prod')),
    ]
    const rowWith = (env: string) => whatIn(worldWith(policies, { resources: [{ urn: `${vps}b`, tags: { env } }] })).what[0]
    expect(rowWith('prod')).toMatchObject({ except: ['*:terminate'], unless: [] })
    expect(rowWith('test')).toMatchObject({ except: [], unless: [] })
  })

  test('a condition on the name is certain for some resource, one on a tag for one that is described', () => {
    const onName = { conditions: { operator: 'MATCH', values: { 'resource.Name.STARTS_WITH': 'b' } } }
    const verdicts = (world: World) => whatIn(world).what.map(({ verdict }) => verdict)
    expect(verdicts(worldWith([policy('b', [`${user}a`], ['urn:v1:eu:resource:*'], { allow: ['vps:*'] }, onName)]))).toEqual(['allow'])
    expect(verdicts(worldWith([policy('b', [`${user}a`], [`${vps}a*`], { allow: ['vps:*'] }, onName)]))).toEqual([])
    const tagged = policy('prod', [`${user}a`], [`${vps}*`], { allow: ['vps:*'] }, ifTag('env', 'prod'))
    expect(verdicts(worldWith([tagged], { resources: [{ urn: `${vps}b`, tags: { env: 'test' } }] }))).toEqual(['unknown'])
    expect(verdicts(worldWith([tagged], { resources: [{ urn: `${vps}b`, tags: { env: 'prod' } }] }))).toEqual(['allow'])
  })

  test('a condition with more combinations than can be tried is left as it is, and said so', () => {
    // Nothing fulfils it, which shows only once every tag has a value.
    const free = { operator: 'OR', conditions: Array.from({ length: 25 }, (_, i) => ifTag(`k${i}`, 'x').conditions) }
    const never = [ifTag('z', 'x').conditions, { operator: 'NOT', conditions: [ifTag('z', 'x').conditions] }]
    const world = worldWith([
      policy('many', [`${user}a`], [`${vps}*`], { allow: ['vps:*'] }, { conditions: { operator: 'AND', conditions: [free, ...never] } }),
    ])
    for (const answer of [whatIn(world), whoIn(world)]) {
      expect(answer.complete).toBe(false)
      expect(answer.reasons.join()).toContain('too many combinations')
    }
    expect(whatIn(world).what).toMatchObject([{ verdict: 'unknown' }])
    expect(whoIn(world).unknown).toHaveLength(1)
  })

  test('the owning account may do everything on what it owns', () => {
    const world = worldWith([], { resources: [{ urn: `${vps}lent`, owner: 'ba' }] })
    const account = (id: string) => ({ identity: `urn:v1:eu:identity:account:${id}` })
    expect(regions(whatIn(world, account('ab')))).toEqual([['*', ['*'], [], [[`${vps}lent`, ['*']]]]])
    expect(regions(whatIn(world, account('ba')))).toEqual([[`${vps}lent`, ['*'], [], []]])
    expect(whatIn(worldOf({ policies: [] }), account('ab'))).toMatchObject({ what: [], complete: false })
  })

  test('the catalogue actions of a region', () => {
    const catalogue = loadCatalogue()
    const all = catalogueActions({ actions: ['vps:apisvc:snapshot/*'], except: [] }, catalogue)
    expect(all).toContain('vps:apisvc:snapshot/delete')
    const fewer = catalogueActions({ actions: ['vps:apisvc:snapshot/*', 'vps:apisvc:snapshot/delete'], except: ['*/delete'] }, catalogue)
    expect(fewer).toEqual(all.filter((action) => !action.endsWith('/delete')))
  })
})

describe('at any time from an instant on', () => {
  const noon = Date.parse('2026-07-01T12:00:00Z')
  const open = { at: undefined, from: noon }
  const ifHour = (from: number, to: number) => ({
    conditions: { operator: 'MATCH', values: { 'date(UTC).Hour.GE': `${from}`, 'date(UTC).Hour.LT': `${to}` } },
  })
  const allow = { allow: ['vps:*'] }
  const night = policy('night', [`${user}a`], [`${vps}*`], allow, ifHour(1, 5))
  const contract = policy('contract', [`${user}b`], [`${vps}*`], allow, { expiredAt: '2026-12-01T00:00:00Z' })
  const old = policy('old', [`${user}c`], [`${vps}*`], allow, { expiredAt: '2026-06-30T00:00:00Z' })
  const summary = (world: World) => {
    const answer = whoIn(world, open)
    const when = conditionTexts({ from: noon })
    return [...answer.who, ...answer.unknown].map(({ identity, verdict, condition }) => [identity, verdict, when(condition)])
  }
  const root = ['urn:v1:eu:identity:account:ab', 'allow', undefined]

  test('what the time alone decides is allowed, and what has ended is not there', () => {
    expect(summary(worldWith([night, contract, old]))).toEqual([
      root,
      [`${user}a`, 'allow', 'daily 01:00–05:00 UTC'],
      [`${user}b`, 'allow', 'until Tue 2026-12-01 00:00 UTC'],
    ])
    expect(whatIn(worldWith([night]), open).what).toMatchObject([{ resource: `${vps}*`, verdict: 'allow', reason: 'granted' }])
    expect(whatIn(worldWith([night])).what.map(({ verdict }) => verdict)).toEqual([])
    expect(whatIn(worldWith([old]), { ...open, identity: `${user}c` }).what).toEqual([])
  })

  test('at one instant, a policy counts up to the instant of its expiry', () => {
    const ends = policy('ends', [`${user}d`], [`${vps}*`], allow, { expiredAt: '2026-07-01T12:00:00Z' })
    const world = worldWith([contract, old, ends])
    const allowedAt = (instant: number) => identities(whoIn(world, { at: instant }).who)
    expect(allowedAt(noon)).toEqual([root[0], `${user}b`, `${user}d`])
    expect(allowedAt(noon + 1)).toEqual([root[0], `${user}b`])
    expect(whatIn(world, { at: noon, identity: `${user}d` }).what).toHaveLength(1)
    expect(whatIn(world, { at: noon + 1, identity: `${user}d` }).what).toEqual([])
  })

  test('a deny that has ended takes nothing away, and one that comes back leaves the rest of the time', () => {
    const denied = (more: object) => policy('no', [`${user}a`], [`${vps}*`], { deny: ['*'] }, more)
    expect(summary(worldWith([night, denied({ expiredAt: '2026-06-30T00:00:00Z' })]))).toEqual([
      root,
      [`${user}a`, 'allow', 'daily 01:00–05:00 UTC'],
    ])
    expect(summary(worldWith([night, denied(ifHour(0, 4))]))).toEqual([root, [`${user}a`, 'allow', 'daily 04:00–05:00 UTC']])
    expect(summary(worldWith([night, denied(ifHour(0, 5))]))).toEqual([root])
    expect(whatIn(worldWith([night, denied(ifHour(0, 5))]), open).what).toEqual([])
  })

  test('in addition to an address, the time must be enough at some instant', () => {
    const ip = { operator: 'MATCH', values: { 'request.IP': '192.0.2.4' } }
    const either = (operator: string) =>
      worldWith([
        policy('night', [`${user}a`], [`${vps}*`], allow, { conditions: { operator, conditions: [ifHour(1, 5).conditions, ip] } }),
      ])
    expect(summary(either('OR'))[1]?.[1]).toBe('allow')
    expect(summary(either('AND'))[1]?.[1]).toBe('unknown')
    expect(whatIn(either('OR'), open).what[0]?.verdict).toBe('allow')
    expect(whatIn(either('AND'), open).what[0]?.verdict).toBe('unknown')
  })
})

describe('described members', () => {
  const [alice, carol, bob] = ['alice', 'carol', 'bob'].map((name) => `${user}${name}`) as [string, string, string]
  const [audit, temps] = [`${group}audit`, `${group}temps`]
  const guard = policy('guard', [alice, temps], [`${vps}*`], { deny: ['*:reboot'] })
  const audits = policy('audit', [audit], [`${vps}*`], { allow: ['vps:apisvc:get', 'vps:apisvc:reboot'] })
  const account = (more: readonly { readonly urn: string; readonly groups: readonly string[] }[] = []) =>
    worldWith([audits, guard], { identities: [{ urn: alice, groups: [audit] }, { urn: carol, groups: [audit, temps] }, ...more] })
  const withBob = account([{ urn: bob, groups: [audit] }])
  const names = new Names([withBob])

  test('of a group in who: those who are allowed, and by what the others are denied', () => {
    const members = whoIn(withBob).who.find(({ identity }) => identity === audit)?.members
    expect(members).toMatchObject([
      { identity: alice, verdict: 'deny', clauses: [{ list: 'deny', policy: { name: { value: 'guard' } } }] },
      { identity: bob, verdict: 'allow', clauses: [] },
      { identity: carol, verdict: 'deny' },
    ])
    const lines = whoText('vps:apisvc:reboot', `${vps}a`, whoIn(withBob), names).split('\n')
    expect(lines).toContain('    members user/bob')
    expect(lines.filter((line) => line.startsWith('    denied'))).toEqual([
      expect.stringMatching(/^ {4}denied {2}user\/alice, user\/carol {2}0\.json:.*guard {2}deny `\*:reboot`$/),
    ])
    // The row of the group says all that one of its own would.
    expect(lines.filter((line) => line === '  user/bob')).toEqual([])
  })

  test('all denied: the answer begins with that', () => {
    const text = whoText('vps:apisvc:reboot', `${vps}a`, whoIn(account()), names)
    expect(text.split('\n')[1]).toMatch(
      /^no described user can: user\/alice, user\/carol are in group\/audit, denied by guard \(0\.json:1\)$/,
    )
    expect(whoText('vps:apisvc:reboot', `${vps}a`, whoIn(withBob), names)).not.toContain('no described')
  })

  test('of a group in what: who has all of a row, some, or nothing', () => {
    const rowsOf = (world: World) => whatIn(world, { identity: audit }).what.map(({ members }) => members.map(({ has }) => has))
    expect(rowsOf(withBob)).toEqual([['some', 'all', 'some']])
    const all = policy('all', [temps], [`${vps}*`], { deny: ['*'] })
    expect(rowsOf(worldWith([audits, all], { identities: [{ urn: carol, groups: [audit, temps] }] }))).toEqual([['none']])
    const elsewhere = policy('elsewhere', [temps], ['urn:v1:eu:resource:dnsZone:*'], { deny: ['*'] })
    expect(rowsOf(worldWith([audits, elsewhere], { identities: [{ urn: carol, groups: [audit, temps] }] }))).toEqual([['all']])
  })
})

describe('counts', () => {
  const catalogue = loadCatalogue()
  const restores = catalogue.expand(glob('vps:apisvc:snapshot/*'))
  const count = (world: World) =>
    what(world, { ...at, identity: `${user}a` }, undefined, catalogue).what.map(({ known }) => [known.actions.length, known.conditional])
  const allow = policy('allow', [`${user}a`], [`${vps}*`], { allow: ['vps:apisvc:snapshot/*'] })
  const urn = 'urn:v1:eu:resourceGroup:g1'
  const groups = { resourceGroups: [{ urn, name: 'g', resources: [{ urn: `${vps}a` }, { urn: `${vps}b` }] }] }

  test('leave out what is denied wherever and whenever a row holds', () => {
    expect(count(worldWith([allow]))).toEqual([[restores.length, 0]])
    const each = policy('each', [`${user}a`], [`${vps}*`], { deny: restores })
    expect(count(worldWith([allow, each]))).toEqual([[0, 0]])
    const prod = policy('prod', [`${user}a`], [`${vps}*`], { allow: ['vps:apisvc:snapshot/*'] }, ifTag('env', 'prod'))
    expect(count(worldWith([prod, policy('no', [`${user}a`], [`${vps}*`], { deny: restores.slice(1) }, ifTag('env', 'prod'))]))).toEqual([
      [1, 0],
    ])
  })

  test('say how many depend on the resource or on a condition', () => {
    const part = (more: object) => policy('part', [`${user}a`], [`${vps}prod-*`], { deny: restores.slice(0, 2) }, more)
    expect(count(worldWith([allow, part({})]))).toEqual([[restores.length, 2]])
    const some = policy('some', [`${user}a`], [`${vps}*`], { deny: restores.slice(0, 1) }, ifTag('env', 'prod'))
    expect(count(worldWith([allow, some]))).toEqual([[restores.length, 1]])
  })

  test('look at each member of a group whose members are all known', () => {
    const onGroup = policy('g', [`${user}a`], [urn], { allow: ['vps:apisvc:snapshot/*'] })
    const deny = (name: string) => policy(name, [`${user}a`], [`${vps}${name}`], { deny: restores.slice(0, 1) })
    expect(count(worldWith([onGroup, deny('a')], groups))).toEqual([[restores.length, 1]])
    expect(count(worldWith([onGroup, deny('a'), deny('b')], groups))).toEqual([[restores.length - 1, 0]])
  })
})

describe('for users', () => {
  const names = new Names([], true)

  test('rows that say the same are together, and long lists are counted', () => {
    const many = Array.from({ length: 30 }, (_, i) => `${user}u${i}`)
    const world = worldWith([policy('all', many, [`${vps}*`], { allow: ['vps:*'] })])
    const text = whoText('vps:apisvc:reboot', `${vps}a`, whoIn(world), names, 80)
    expect(text).toContain('allowed (30 people and 1 account)')
    expect(text).toContain('and 22 more')
    expect(text.match(/by .*all.*allow/g)).toHaveLength(1)
  })

  test('lists are broken to the width of the terminal', () => {
    const actions = Array.from({ length: 12 }, (_, i) => `vps:apisvc:action${i}`)
    const answer = whatIn(worldWith([policy('all', [`${user}a`], [`${vps}*`], { allow: actions })]))
    const widths = [60, 100].map((width) => {
      const lines = whatText(`${user}a`, answer, names, { width }).split('\n')
      return Math.max(...lines.filter((line) => /^ +(may +)?vps/.test(line)).map((line) => line.length))
    })
    expect(widths[0]).toBeLessThanOrEqual(60)
    expect(widths[1]).toBeLessThanOrEqual(100)
    expect(widths[1]).toBeGreaterThan(effort(60, 30))
  })
})
