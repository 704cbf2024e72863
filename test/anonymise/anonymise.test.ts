import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { anonymised, type Reproduction } from '../../src/anonymise/anonymise.ts'
import { portraitOf } from '../../src/anonymise/portrait.ts'
import { readBack } from '../../src/anonymise/proof.ts'
import { Budget } from '../../src/budget.ts'
import type { World } from '../../src/policy.ts'
import { explain } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { compile } from '../../src/simulate/engine.ts'
import { factText } from '../../src/simulate/facts.ts'
import { withKnownTags } from '../../src/simulate/question.ts'
import { counted } from '../support/counted.ts'
import { effort, untilSeen } from '../support/effort.ts'
import { type Case, caseOf, cases, type PolicyJson, type QuestionJson, take, type WorldJson, worldOf } from '../support/worlds.ts'

type More = Partial<Parameters<typeof anonymised>[0]> & { readonly run?: Budget }

async function madeOf({ world, question, written }: Case, { run, ...more }: More = {}): Promise<Reproduction> {
  const text = JSON.stringify(written)
  const made = await anonymised({ world, question, texts: [text], brand: 'svc', ...more }, run)
  if ('problem' in made) throw new Error(`${made.problem}\n${text}`)
  return made
}

/** The world that the files of a reproduction give. */
async function readOf({ policies, world, asked }: Reproduction) {
  const read = await readBack({ policies, asked, ...(world !== undefined && { world }) })
  if (typeof read === 'string') throw new Error(read)
  return read
}

/** An answer by the names in it, with all that has to be the same. */
const answerOf = (world: World, asked: Question): string =>
  portraitOf(world, asked, {
    policy: ({ name }) => name.value,
    entry: ({ list, entry }) => [list, entry.value.text],
    part: (_, part) => ('kind' in part ? part.span.source.text.slice(part.span.start, part.span.end) : part.value.text),
    fact: factText,
    urn: (urn) => urn,
    isTraced: () => false,
  })

/** An answer without names: verdict, reason, lists, kinds of missing facts, and what explains it. */
const outlineOf = (world: World, asked: Question): string => {
  const { decision, nearest, byAddress } = explain(world, withKnownTags(asked, world))
  const { verdict, reason, caveats, clauses, missing } = decision
  return JSON.stringify([
    verdict,
    reason,
    caveats,
    clauses.map(({ list, group }) => [list, group !== undefined]).sort(),
    missing.map(({ fact }) => (fact.kind === 'expression' ? 'condition' : fact.kind)).sort(),
    nearest.slice(0, 4).map(({ stoppedAt, excepted }) => [stoppedAt, excepted.length]),
    byAddress?.map((each) => each.verdict),
  ])
}

/** A text with the place where each of its words first is in the place of the word: equal for texts that differ in names alone. */
function shapeOf(text: string): string {
  const places = new Map<string, number>()
  return text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => {
    if (!places.has(word)) places.set(word, places.size)
    return `<${places.get(word)}>`
  })
}

/** Longer names for those of generated worlds, which are single letters: `a` is `ann`, in every name that is not an action. */
function spelt(written: Case['written']): Case['written'] {
  const letters: Readonly<Record<string, string>> = {
    a: 'anneke',
    b: 'bo7rt',
    g: 'Guild',
    k: 'kost',
    t: 'Tool',
    s: 'sub',
    u: 'unit',
    h: 'hull',
    e: 'exem',
    n: 'nova',
    v: 'vast',
    r: 'rest',
    d: 'dune',
    m: 'mist',
    i: 'iron',
    f: 'foss',
    o: 'oaks',
    1: '123',
    2: '245',
    9: '987',
  }
  const long = (text: string) =>
    text.replace(/(?<!oauth2|oauth|oaut|oau|oa|o)[abgktsuhenvrdmifo129](?!auth2)/g, (letter) => letters[letter] ?? letter)
  const name = (text: string): string => {
    const urn = /^(urn:v1:[^:]*:(?:identity:\w+|resource|resourceGroup|permissionsGroup):)(.*)$/s.exec(text)
    return urn ? `${urn[1]}${(urn[2] as string).split('oauth2-').map(long).join('oauth2-')}` : text
  }
  const visit = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') {
      if (['operator', 'action', 'at', 'ip', 'expiredAt'].includes(key)) return value
      if (/^(?:date|request)/.test(key)) return value
      return value.startsWith('urn:') ? name(value) : long(value)
    }
    if (Array.isArray(value)) return value.map((item) => visit(item, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([inner, item]) => {
        const isTag = key === 'tags'
        const renamed = isTag ? long(inner) : inner.replace(/^resource\.Tag\((\w+)\)/, (_, tag: string) => `resource.Tag(${long(tag)})`)
        return [renamed, visit(item, isTag ? '' : inner)]
      }),
    )
  }
  return visit(written) as Case['written']
}

describe('over generated worlds', () => {
  test('the answer is the same, for the engine and the reference, and no word of the input is left', async () => {
    const seen = { granted: 0, denied: 0, default: 0, unknown: 0, root: 0 }
    for (const { written } of untilSeen(seen, 1200, (count) => take(counted(count), cases(41)))) {
      const long = spelt(written)
      const { world, question } = caseOf(long.world, long.question)
      const made = await madeOf({ world, question, written: long })
      const read = await readOf(made)
      expect(outlineOf(read.world, read.question), JSON.stringify(long)).toBe(outlineOf(world, question))
      const byEngine = compile(read.world).decide(withKnownTags(read.question, read.world))
      expect([byEngine.verdict, byEngine.reason]).toEqual([made.decision.verdict, made.decision.reason])
      seen[made.decision.reason]++
      const output = [made.whole, made.test, made.command(['policies.yaml'])].join('\n')
      for (const word of ['anneke', 'bo7rt', 'guild', 'kost', 'tool', 'hull', 'nova', 'oaks', '123', '245', '987'])
        expect(output.toLowerCase(), `${word} in\n${output}`).not.toContain(word)
      expect(made.isByLetters).toBe(false)
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0)
  })

  test('each part that is left is needed', async () => {
    let tried = 0
    for (const c of take(effort(1000, 50), cases(42))) {
      const made = await madeOf(c)
      expect(made.isMinimal).toBe(true)
      const { question } = await readOf(made)
      const whole = parse(made.whole) as WorldJson
      const answer = answerOf(worldOf(whole), question)
      for (const smaller of smallerWorlds(whole)) {
        const world = readable(smaller)
        if (!world) continue
        tried++
        expect(answerOf(world, question), `${JSON.stringify(smaller)} of ${JSON.stringify(c.written)}`).not.toBe(answer)
      }
      for (const smaller of smallerQuestions(question)) {
        tried++
        expect(answerOf(worldOf(whole), smaller), JSON.stringify(c.written)).not.toBe(answer)
      }
    }
    expect(tried).toBeGreaterThan(50)
  })

  test('a reproduction of a reproduction is the same but for names', async () => {
    for (const c of take(effort(1500, 75), cases(43))) {
      const first = await madeOf(c)
      const read = await readOf(first)
      const texts = [first.whole, first.test]
      const second = await anonymised({ ...read, texts, brand: 'svc' })
      if ('problem' in second) throw new Error(`${second.problem}\n${first.whole}`)
      expect(shapeOf(second.whole)).toBe(shapeOf(first.whole))
      expect(shapeOf(second.test)).toBe(shapeOf(first.test))
    }
  })

  test('the same input gives the same output', async () => {
    for (const c of take(effort(200, 50), cases(44))) expect((await madeOf(c)).whole).toBe((await madeOf(c)).whole)
  })
})

function readable(written: WorldJson): World | undefined {
  try {
    return worldOf(written)
  } catch {
    return undefined
  }
}

/** The world without one part of it: an item of a list, or a key. Those that no reproduction leaves out stay. */
function* smallerWorlds(world: WorldJson): Generator<WorldJson> {
  for (const path of pathsIn(world)) {
    const copy = structuredClone(world)
    let holder: unknown = copy
    for (const key of path.slice(0, -1)) holder = (holder as Record<string, unknown>)[key]
    const key = path.at(-1) as string
    const size = Object.keys(holder as object).length
    const list = path.at(-2)
    // A policy has identities and resources, and a condition something that it is about.
    if (size === 1 && ['values', 'conditions'].includes(list ?? '')) continue
    if (size === 1 && path[0] === 'policies' && ['identities', 'resources'].includes(list ?? '')) continue
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else if (
      ['name', 'urn', 'action', 'operator', 'identities', 'resources', 'permissions', 'groups', 'values', 'policies', 'id'].includes(key)
    )
      continue
    else if (key === 'conditions' && path[0] === 'policies' && path.length > 3) continue
    else delete (holder as Record<string, unknown>)[key]
    yield copy
  }
}

function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) yield* pathsIn(item, [...path, key])
}

function* smallerQuestions({ ip, tags, owner, groups, ...bare }: Question): Generator<Question> {
  const all = { ...bare, groups, ...(ip && { ip }), ...(tags && { tags }), ...(owner !== undefined && { owner }) }
  for (const key of ['ip', 'tags', 'owner'] as const) {
    if (all[key] === undefined) continue
    const { [key]: _, ...rest } = all
    yield rest
  }
  for (const group of groups) yield { ...all, groups: groups.filter((other) => other !== group) }
  if (tags && tags.size > 1) for (const key of tags.keys()) yield { ...all, tags: new Map([...tags].filter(([other]) => other !== key)) }
}

const ann = 'urn:v1:eu:identity:user:zx90-svc/jane.roe'
const ops = 'urn:v1:eu:identity:group:zx90-svc/Site Reliability'
const server = 'urn:v1:eu:resource:vps:frontend-42'
const reboot = 'vps:apisvc:reboot'
const at = '2026-05-04T10:00:00Z'

function policy(name: string, permissions: object, more: Partial<PolicyJson> = {}): PolicyJson {
  return { name, identities: [ann], resources: [{ urn: 'urn:v1:eu:resource:vps:front*' }], permissions, ...more }
}
const allow = (...actions: readonly string[]) => ({ allow: actions.map((action) => ({ action })) })
const deny = (...actions: readonly string[]) => ({ deny: actions.map((action) => ({ action })) })

function given(policies: readonly PolicyJson[], more: Partial<WorldJson> = {}, question: Partial<QuestionJson> = {}): Case {
  const world: WorldJson = { policies: [...policies], permissionsGroups: [], resourceGroups: [], resources: [], identities: [], ...more }
  return caseOf(world, { identity: ann, action: reboot, resource: server, at, ...question })
}

describe('names', () => {
  test('a pattern that ends within a word matches as before, and case is kept', async () => {
    const { whole } = await madeOf(
      given([
        policy('nightly restarts', allow(reboot)),
        policy('FRONT', deny('vps:*'), { resources: [{ urn: 'urn:v1:eu:resource:vps:Front*' }] }),
      ]),
    )
    expect(whole).toContain('urn:v1:eu:resource:vps:delta*')
    expect(whole).not.toContain('FRONT')
  })

  test('case, blanks, letters beyond ASCII and identifiers keep their kinds', async () => {
    const group = 'urn:v1:eu:identity:group:zx90-svc/Équipe RUN'
    const resourceGroup = 'urn:v1:eu:resourceGroup:3f2504e0-4f89-11d3-9a0c-0305e82c3301'
    const c = given(
      [policy('p', allow(reboot), { identities: [group], resources: [{ urn: resourceGroup }] })],
      { resourceGroups: [{ urn: resourceGroup, name: 'x', resources: [{ urn: server }] }] },
      { groups: [group] },
    )
    const { whole, asked } = await madeOf(c)
    expect(asked.groups).toEqual(['urn:v1:eu:identity:group:alfa-svc/Echoé FOXTROT'])
    expect(whole).toContain('urn:v1:eu:resourceGroup:00000000-0000-4000-8000-000000000001')
  })

  test('a word that begins within another in another case is not taken for it', async () => {
    const c = given([policy('p', allow(reboot), { resources: [{ urn: 'urn:v1:eu:resource:vps:FRONT*' }] })])
    const { decision, whole } = await madeOf(c)
    expect(decision.reason).toBe('default')
    expect(whole).toMatch(/resource:vps:[A-Z]+\*/)
  })

  test('words that hold a word of the input are not used', async () => {
    const c = given([policy('p', allow(reboot))])
    const { asked } = await madeOf(c, { texts: ['# brav, and golfers; indi'] })
    expect(asked.identity).toBe('urn:v1:eu:identity:user:alfa-svc/charlie.delta')
  })

  test('a word in two replacements together is avoided', async () => {
    // `front|end` is cut, and its parts would be `deltaecho`.
    const c = given([policy('p', allow(reboot))])
    expect((await madeOf(c)).asked.resource).toBe('urn:v1:eu:resource:vps:deltaecho-1')
    const { asked, whole } = await madeOf(c, { texts: ['taec'] })
    expect(`${asked.resource}${whole}`).not.toContain('taec')
  })

  test('where no word may be used, letters are replaced by letters', async () => {
    const [consonants, vowels] = [[...'bdfgklmnprstvz'], [...'aeiou']]
    const texts = consonants.flatMap((a) => vowels.flatMap((b) => consonants.map((c) => `${a}${b}${c}`)))
    const spoken = 'alf brav cha elt ech fox gol hot ind juli kil lim mik nov osc pap que rom sie tan uni vic whi yan zul'.split(' ')
    const made = await madeOf(given([policy('qqq', allow(reboot))]), { texts: [...texts, ...spoken] })
    expect(made.isByLetters).toBe(true)
    expect(made.decision.reason).toBe('granted')
    expect(made.asked.resource).toMatch(/^urn:v1:eu:resource:vps:[a-z]{8}-\d\d$/)
    expect(made.whole).not.toContain('front')
  })

  test('actions that the catalogue does not have are named, or renamed', async () => {
    const c = given([policy('p', allow('vps:apisvc:hushhush/*'))], {}, { action: 'vps:apisvc:hushhush/run' })
    expect((await madeOf(c)).unknownActions).toEqual(['vps:apisvc:hushhush/run', 'vps:apisvc:hushhush/*'])
    const made = await madeOf(c, { actions: true })
    expect(made.unknownActions).toEqual([])
    expect(made.asked.action).toMatch(/^vps:apisvc:[a-z]+\/[a-z]+$/)
    expect(made.whole).not.toContain('hushhush')
    expect(made.decision.reason).toBe('granted')
  })

  test('types that the catalogue does not have are renamed', async () => {
    const resource = 'urn:v1:eu:resource:hushThing:x'
    const c = given([policy('p', allow(reboot), { resources: [{ urn: 'urn:v1:eu:resource:hush*' }] })], {}, { resource })
    const made = await madeOf(c)
    expect(made.asked.resource).not.toMatch(/hush/i)
    expect(made.decision.reason).toBe('granted')
  })

  test('a condition that is not understood is written as one that is not', async () => {
    const conditions = { operator: 'MATCH', values: { 'request.Realm': 'hush' } }
    const made = await madeOf(given([policy('p', allow(reboot), { conditions })]))
    expect(made.decision.missing.map(({ fact }) => factText(fact))).toEqual([
      expect.stringMatching(/^condition:request\.[A-Z][a-z]+=[a-z]+$/),
    ])
    const number = { operator: 'MATCH', values: { 'date.Hour': '99' } }
    const other = await madeOf(given([policy('p', allow(reboot), { conditions: number })]))
    expect(other.decision.missing.map(({ fact }) => factText(fact))).toEqual(['condition:unknown.fact1=x'])
  })
})

describe('what is kept', () => {
  const others = Array.from({ length: 300 }, (_, i) => policy(`other ${i}`, allow('dnsZone:*'), { identities: [`${ann}${i}`] }))

  test('a denial keeps what denies, an allow what grants', async () => {
    const world = [...others, policy('yes', allow(reboot, 'vps:apisvc:get')), policy('no', deny('vps:*'), { identities: [ann, ops] })]
    const made = await madeOf(given(world))
    expect(made.left).toEqual({ policies: [1, 302], entries: [3, 908], facts: [0, 0] })
    expect(made.decision.reason).toBe('denied')
  })

  test('a default denial keeps the policies that nearly grant it', async () => {
    const conditions = {
      operator: 'AND',
      conditions: [
        { operator: 'MATCH', values: { 'request.IP': '10.1.2.3' } },
        { operator: 'MATCH', values: { 'resource.Name': 'frontend-42' } },
      ],
    }
    const made = await madeOf(given([...others, policy('near', allow(reboot), { conditions })], {}, { ip: '10.1.2.4' }))
    expect(parse(made.whole)).toEqual({
      policies: [
        {
          name: 'policy-1',
          identities: ['urn:v1:eu:identity:user:alfa-svc/bravo.charlie'],
          resources: [{ urn: 'urn:v1:eu:resource:vps:delta*' }],
          permissions: { allow: [{ action: reboot }] },
          conditions: { operator: 'MATCH', values: { 'request.IP': '192.0.2.65' } },
        },
      ],
    })
    expect(made.asked.ip).toBe('192.0.2.129')
  })

  test('a policy that is named stays whole', async () => {
    const kept = policy('the one', allow(reboot, 'vps:apisvc:get'), { identities: [ops, `${ann}x`] })
    const made = await madeOf(given([...others, kept, policy('no', deny('vps:*'))]), { isKept: ({ name }) => name.value === 'the one' })
    expect(made.left.policies).toEqual([2, 302])
    expect(made.left.entries[0]).toBe(8)
  })

  test('times keep their order alone where only that matters', async () => {
    const over = policy('over', allow(reboot), { expiredAt: '2019-12-31T23:59:59Z' })
    const { whole, asked } = await madeOf(given([over]))
    expect(asked.at).toBe('2030-01-07T12:00:00Z')
    expect(whole).toContain('expiredAt: "2030-01-06T12:00:00Z"')
  })

  test('dates before and after the time of the question stay so, several in one zone', async () => {
    const between = (zone: string) => ({ [`${zone}.Date.AFTER`]: '2026-01-01', [`${zone}.Date.BEFORE`]: '2027-01-01' })
    const conditions = { operator: 'MATCH', values: { ...between('date(UTC)'), ...between('date(Europe/Paris)') } }
    const made = await madeOf(given([policy('p', allow(reboot), { conditions })]), { isKept: () => true })
    expect(made.decision.reason).toBe('granted')
    expect(made.whole.match(/date\(.*/g)).toEqual([
      'date(UTC).Date.AFTER: "2030-01-06"',
      'date(UTC).Date.BEFORE: "2030-01-08"',
      'date(Europe/Paris).Date.AFTER: "2030-01-06"',
      'date(Europe/Paris).Date.BEFORE: "2030-01-08"',
    ])
  })

  test('the owner that a question names is in its command line and its policy test', async () => {
    const c = given([policy('p', allow(reboot))], {}, { identity: 'urn:v1:eu:identity:account:zx90-svc' })
    const { decision, asked, test, command } = await madeOf({ ...c, question: { ...c.question, owner: 'zx90-svc' } })
    expect([decision.reason, asked.owner]).toEqual(['root', 'alfa-svc'])
    expect(parse(test).tests[0].owner).toBe('alfa-svc')
    expect(command([])).toContain(' --owner alfa-svc ')
  })

  test('an hour in a zone with summer time is the same hour', async () => {
    const conditions = { operator: 'MATCH', values: { 'date(Europe/Paris).Hour': '12', 'date(Europe/Paris).WeekDay': 'Monday' } }
    const { asked, decision } = await madeOf(given([policy('p', allow(reboot), { conditions })]))
    expect(decision.verdict).toBe('allow')
    expect(asked.at).toBe('2030-04-01T10:00:00Z')
  })

  test('where there is too much to try it says so, and the answer is the same', async () => {
    const world = [...others, policy('yes', allow(reboot)), ...Array.from({ length: 50 }, (_, i) => policy(`y${i}`, allow('vps:*')))]
    const made = await madeOf(given(world), { run: new Budget(10) })
    expect(made.isMinimal).toBe(false)
    expect(made.decision.reason).toBe('granted')
  })
})
