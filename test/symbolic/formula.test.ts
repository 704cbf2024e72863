import { describe, expect, test } from 'vitest'
import type { Allowance } from '../../src/budget.ts'
import { readAddress } from '../../src/conditions/address.ts'
import type { Test } from '../../src/conditions/test.ts'
import {
  allOf,
  always,
  anyOf,
  atomsOf,
  comparison,
  compound,
  conjunction,
  emptyModel,
  evaluate,
  type Formula,
  factsIn,
  formulaOf,
  groupDecides,
  hasOpenFacts,
  isMember,
  isTimed,
  type Model,
  negation,
  never,
  noneOf,
  notBefore,
  openFact,
  openText,
  printFormula,
  satisfy,
  settled,
  tooMany,
  until,
  withTime,
} from '../../src/symbolic/formula.ts'
import { testOf } from '../support/condition-tests.ts'
import { type ConditionJson, pick, type Random, randomOf, worldOf } from '../support/worlds.ts'

const compare = (key: string, value: string) => comparison(testOf(key, value))
const and = (...operands: Formula[]) => compound('and', operands)
const or = (...operands: Formula[]) => compound('or', operands)
const none = (...operands: Formula[]) => compound('not', operands)
const fact = (name: string) => isMember(`urn:v1:eu:resourceGroup:${name}`)
const factKey = (name: string) => `resourceGroup:urn:v1:eu:resourceGroup:${name}`
const [a, b, c] = ['a', 'b', 'c'].map(fact) as [Formula, Formula, Formula]
const isX = compare('resource.Tag(k)', 'x')
const startsX = compare('resource.Tag(k).STARTS_WITH', 'x')
const named = compare('resource.Name', 'n')
const typed = compare('resource.Type', 't')
const home = compare('request.IP', '192.0.2.1')
const morning = compare('date().Hour.LT', '9')
const expiry = Date.UTC(2026, 5, 1, 12)
const inTime = until(expiry)

describe('the text of a formula', () => {
  const different = [
    ...[isX, startsX, compare('resource.Tag(k)', 'y'), compare('resource.Tag(e)', 'x'), compare('resource.Tag(k).ENDS_WITH', 'x')],
    ...[named, compare('resource.Name', 'x'), compare('resource.Type', 'n'), compare('resource.Name.IN', 'n, m')],
    ...[home, compare('request.IP', '192.0.2.2'), compare('request.IP.IN', '192.0.2.1,192.0.2.2')],
    ...[compare('request.IP.IN_RANGE', '192.0.2.0/24'), compare('request.IP.IN_RANGE', '192.0.2.0/25')],
    ...[compare('request.IP', '::102:304'), compare('request.IP', '1.2.3.4')],
    ...[morning, compare('date().Hour.LT', '8'), compare('date(Europe/Paris).Hour.LT', '9'), compare('date().Hour.LE', '9')],
    ...[inTime, until(expiry + 1), a, b, groupDecides('urn:v1:eu:permissionsGroup:svc:r', 'allow')],
    ...[groupDecides('urn:v1:eu:permissionsGroup:svc:r', 'deny'), openFact({ kind: 'condition', text: 'c', holds: true })],
    ...[and(a, b), or(a, b), none(a, b), and(b, a), and(a), none(a), always, never, and(and(a, b)), and(a, or(b))],
  ]

  test('is another one for each formula', () => {
    const texts = different.map(printFormula)
    expect(new Set(texts).size).toBe(different.length)
    expect(texts.filter((text) => typeof text !== 'string' || /undefined|null/.test(text))).toEqual([])
  })

  test('is the same for equal ones', () => {
    const again = [
      [isX, compare('resource.Tag(k)', 'x')],
      [home, compare('request.IP', '::ffff:192.0.2.1')],
      [compare('request.IP.IN_RANGE', '192.0.2.9/24'), compare('request.IP.IN_RANGE', '192.0.2.0/24')],
      [morning, compare('date(UTC).Hour.LT', '09')],
      [and(a, isX), and(fact('a'), compare('resource.Tag(k)', 'x'))],
    ] as const
    for (const [one, other] of again) expect(printFormula(one)).toBe(printFormula(other))
    const first = printFormula(and(a, b))
    expect([first, first]).toEqual(['and("resourceGroup:urn:v1:eu:resourceGroup:a","resourceGroup:urn:v1:eu:resourceGroup:b")', first])
  })

  test('of a fact names it, and what a permissions group does', () => {
    const group = 'urn:v1:eu:permissionsGroup:svc:r'
    expect(openText({ kind: 'permissionsGroup', urn: group, outcome: 'allow' })).toBe(`permissionsGroup:${group} allows it`)
    expect(openText({ kind: 'permissionsGroup', urn: group, outcome: 'deny' })).toBe(`permissionsGroup:${group} denies it`)
    expect(openText({ kind: 'resourceGroup', urn: 'urn:v1:eu:resourceGroup:a', isMember: true })).toBe(factKey('a'))
    expect(openText({ kind: 'condition', text: 'request.Mood = good', holds: true })).toBe('request.Mood = good')
    expect([fact('a'), groupDecides(group, 'deny')].map((each) => each.kind === 'fact' && each.is)).toEqual([
      { kind: 'resourceGroup', urn: 'urn:v1:eu:resourceGroup:a', isMember: true },
      { kind: 'permissionsGroup', urn: group, outcome: 'deny' },
    ])
  })
})

describe('the formula of a condition', () => {
  const read = (conditions: ConditionJson) => {
    const { policies } = worldOf({
      policies: [
        {
          name: 'p',
          identities: ['urn:v1:eu:identity:user:a/u'],
          resources: [{ urn: 'urn:v1:eu:resource:t:a' }],
          permissions: { allow: [{ action: 'p:apisvc:a' }] },
          conditions,
        },
      ],
    })
    const condition = policies[0]?.condition
    if (!condition) throw new Error('no condition')
    return formulaOf(condition)
  }
  const match = (key: string, value: string) => ({ operator: 'MATCH', values: { [key]: value } })

  test('has the same operators, comparisons and unknown facts', () => {
    const tag = match('resource.Tag(k)', 'x')
    expect(printFormula(read(tag))).toBe(printFormula(isX))
    expect(printFormula(read({ operator: 'AND', conditions: [tag, match('request.IP', '192.0.2.1')] }))).toBe(printFormula(and(isX, home)))
    expect(printFormula(read({ operator: 'OR', conditions: [tag, tag] }))).toBe(printFormula(or(isX, isX)))
    expect(printFormula(read({ operator: 'NOT', conditions: [tag, { operator: 'OR', conditions: [] }] }))).toBe(
      printFormula(none(isX, never)),
    )
    const unknown = read(match('request.Mood', 'good'))
    expect(unknown.kind === 'fact' && unknown.is).toEqual({ kind: 'condition', text: expect.stringContaining('request.Mood'), holds: true })
  })
})

describe('simplifying', () => {
  test('one formula gives it back as it is', () => {
    const twice = and(a, a)
    expect(allOf([twice])).toBe(twice)
    expect(anyOf([twice])).toBe(twice)
    expect(allOf([always, a])).toBe(a)
    expect(conjunction(always, twice)).toBe(twice)
    expect(conjunction(twice, always)).toBe(twice)
    expect(printFormula(conjunction(a, never))).toBe(printFormula(and(a, never)))
  })

  test.each<[string, () => Formula, Formula]>([
    ['nothing', () => allOf([]), always],
    ['no choice', () => anyOf([]), never],
    ['what always holds among all', () => allOf([a, always, b]), and(a, b)],
    ['what never holds among choices', () => anyOf([a, never, b]), or(a, b)],
    ['what never holds among all', () => allOf([a, and(b, never)]), never],
    ['what always holds among choices', () => anyOf([a, or(b, always)]), always],
    ['what always holds, one level down', () => allOf([and(always, a), b]), and(a, b)],
    ['what never holds, one level down', () => anyOf([or(never, a), b]), or(a, b)],
    ['the same twice, one level down', () => allOf([a, and(b, a)]), and(a, b)],
    ['another operator inside', () => allOf([a, or(b, c), none(b)]), and(a, or(b, c), none(b))],
    ['a choice that has another part whole', () => allOf([or(a, b), c, b]), and(c, b)],
    ['a conjunction that has another choice whole', () => anyOf([and(a, b), c, b]), or(c, b)],
    ['a choice beside choices', () => anyOf([or(a, b), c]), or(a, b, c)],
    ['a conjunction that no choice is a part of', () => anyOf([and(a, b), c]), or(and(a, b), c)],
    ['a negation that has another part in it', () => allOf([none(a, b), a]), and(none(a, b), a)],
    ['one that is left', () => allOf([or(a, b), a]), a],
    ['the negation of always', () => noneOf(always), never],
    ['the negation of never', () => noneOf(never), always],
    ['the negation of a negation', () => noneOf(none(a)), a],
    ['the negation of none of two', () => noneOf(none(a, b)), none(none(a, b))],
    ['the plain negation of always', () => negation(always), none(always)],
    ['the plain negation of a choice of one', () => negation(or(a)), none(or(a))],
    ['the plain negation of a negation', () => negation(none(and(a, b))), and(a, b)],
  ])('%s', (_, make, expected) => {
    expect(printFormula(make())).toBe(printFormula(expected))
  })

  test('a decided comparison leaves the rest', () => {
    const holds = (which: Formula, truth: boolean) => (each: Test) =>
      printFormula(comparison(each)) === printFormula(which) ? truth : undefined
    const settle = (formula: Formula, which: Formula, truth: boolean) => printFormula(settled(formula, holds(which, truth)))
    expect(settle(and(isX, home, a), isX, true)).toBe(printFormula(and(home, a)))
    expect(settle(and(isX, home, a), isX, false)).toBe(printFormula(never))
    expect(settle(or(isX, home), isX, true)).toBe(printFormula(always))
    expect(settle(or(isX, home), isX, false)).toBe(printFormula(home))
    expect(settle(none(isX, home), isX, true)).toBe(printFormula(never))
    expect(settle(none(isX, home), isX, false)).toBe(printFormula(none(home)))
    expect(settle(none(and(isX, inTime)), isX, true)).toBe(printFormula(none(inTime)))
    expect(settled(a, () => true)).toBe(a)
    expect(settled(inTime, () => true)).toBe(inTime)
    expect(settled(home, () => undefined)).toBe(home)
  })

  test('an instant decides expiries, the last one included', () => {
    const at = (instant: number) => printFormula(settled(and(inTime, none(until(expiry - 10)), a), () => undefined, instant))
    expect([expiry - 10, expiry - 9, expiry, expiry + 1].map(at)).toEqual([never, a, a, never].map(printFormula))
    expect(printFormula(settled(or(inTime, a), () => undefined, 0))).toBe(printFormula(always))
  })
})

describe('what a formula looks at', () => {
  const all = and(isX, or(home, none(named, a)), typed, inTime, morning, groupDecides('g', 'allow'))

  test('are its comparisons, expiries and facts, in order', () => {
    expect([...atomsOf(all)].map(printFormula)).toEqual(
      [isX, home, named, a, typed, inTime, morning, groupDecides('g', 'allow')].map(printFormula),
    )
    expect([...atomsOf(always)]).toEqual([])
    expect([...atomsOf(isX)]).toEqual([isX])
  })

  test('are facts, where the question need not give it', () => {
    expect([...factsIn(all)]).toEqual([
      { kind: 'tag', key: 'k' },
      { kind: 'address' },
      { kind: 'resourceGroup', urn: 'urn:v1:eu:resourceGroup:a', isMember: true },
      { kind: 'permissionsGroup', urn: 'g', outcome: 'allow' },
    ])
  })

  test('may be the time, or a fact that cannot be known', () => {
    const table: readonly (readonly [Formula, boolean, boolean])[] = [
      [isX, false, false],
      [none(inTime), true, false],
      [or(isX, morning), true, false],
      [or(isX, and(a)), false, true],
      [all, true, true],
      [always, false, false],
      [compare('date().Date', '2026-01-01'), true, false],
      [compare('date().WeekDay', 'Monday'), true, false],
      [home, false, false],
    ]
    for (const [formula, timed, open] of table)
      expect([printFormula(formula), isTimed(formula), hasOpenFacts(formula)]).toEqual([printFormula(formula), timed, open])
  })

  test('is held against the instants that count only where it looks at the time', () => {
    const window = and(inTime, notBefore(0))
    const kept = [isX, a]
    expect(withTime(kept, window)).toBe(kept)
    const timed = [isX, morning]
    expect(withTime(timed, always)).toBe(timed)
    expect(withTime(timed, window)).toEqual([isX, morning, window])
    expect(withTime([], window)).toEqual([])
  })

  test('from one instant on: that one is the first', () => {
    const at = (instant: number) => evaluate(notBefore(expiry), { ...emptyModel, at: instant })
    expect([expiry - 1, expiry, expiry + 1].map(at)).toEqual([false, true, true])
  })
})

describe('a context', () => {
  const ip = readAddress('192.0.2.1') as NonNullable<ReturnType<typeof readAddress>>
  const other = readAddress('192.0.2.2') as NonNullable<ReturnType<typeof readAddress>>
  const at = Date.UTC(2026, 5, 1, 8)

  test('decides what it says something of, and leaves the rest', () => {
    const tagged = (text: string | null): Model => ({ ...emptyModel, tags: new Map([['k', text]]) })
    const table: readonly (readonly [Formula, Model, boolean | undefined])[] = [
      [isX, emptyModel, undefined],
      [isX, tagged(null), false],
      [none(isX), tagged(null), true],
      [isX, tagged('x'), true],
      [startsX, tagged('xy'), true],
      [isX, tagged('xy'), false],
      [named, tagged('n'), undefined],
      [named, { ...emptyModel, tags: new Map([['\0name', 'n']]) }, true],
      [named, { ...emptyModel, tags: new Map([['\0type', 'n']]) }, undefined],
      [typed, { ...emptyModel, tags: new Map([['\0type', 'n']]) }, false],
      [home, emptyModel, undefined],
      [home, { ...emptyModel, ip }, true],
      [home, { ...emptyModel, ip: other }, false],
      [morning, emptyModel, undefined],
      [morning, { ...emptyModel, at }, true],
      [morning, { ...emptyModel, at: expiry }, false],
      [inTime, emptyModel, undefined],
      [inTime, { ...emptyModel, at: expiry }, true],
      [inTime, { ...emptyModel, at: expiry + 1 }, false],
      [a, emptyModel, undefined],
      [a, { ...emptyModel, assumed: new Map([[factKey('a'), false]]) }, false],
      [b, { ...emptyModel, assumed: new Map([[factKey('a'), true]]) }, undefined],
    ]
    for (const [formula, model, truth] of table)
      expect([printFormula(formula), evaluate(formula, model)]).toEqual([printFormula(formula), truth])
  })

  test('is joined in three-valued logic', () => {
    const truths = [true, false, undefined]
    const facts = [a, b, c]
    for (const x of truths)
      for (const y of truths)
        for (const z of truths) {
          const list = [x, y, z]
          const assumed = new Map(list.flatMap((truth, i) => (truth === undefined ? [] : [[factKey('abc'.charAt(i)), truth] as const])))
          const every = list.includes(false) ? false : list.includes(undefined) ? undefined : true
          const some = list.includes(true) ? true : list.includes(undefined) ? undefined : false
          const found = [and(...facts), or(...facts), none(...facts)].map((formula) => evaluate(formula, { tags: new Map(), assumed }))
          expect(found).toEqual([every, some, some === undefined ? undefined : !some])
        }
    expect([always, never, none()].map((formula) => evaluate(formula, emptyModel))).toEqual([true, false, true])
  })
})

describe('satisfying', () => {
  const solve = (formulas: readonly Formula[], assume = true, allowance: Allowance = { left: 10_000 }) =>
    satisfy(formulas, { assume, allowance })

  test.each<[string, readonly Formula[], Model | undefined]>([
    ['nothing', [], emptyModel],
    ['always', [always, always], emptyModel],
    ['never', [never], undefined],
    ['a tag', [isX], { ...emptyModel, tags: new Map([['k', 'x']]) }],
    ['no such tag', [none(startsX)], { ...emptyModel, tags: new Map([['k', null]]) }],
    ['a tag, but not one', [startsX, none(isX)], { ...emptyModel, tags: new Map([['k', 'xy']]) }],
    [
      'two tags',
      [isX, compare('resource.Tag(e)', 'z')],
      {
        ...emptyModel,
        tags: new Map([
          ['k', 'x'],
          ['e', 'z'],
        ]),
      },
    ],
    ['a tag that is two texts', [isX, compare('resource.Tag(k)', 'z')], undefined],
    [
      'a name and a type',
      [named, typed],
      {
        ...emptyModel,
        tags: new Map([
          ['\0name', 'n'],
          ['\0type', 't'],
        ]),
      },
    ],
    ['an address', [home], { ...emptyModel, ip: readAddress('192.0.2.1') as NonNullable<Model['ip']> }],
    ['an address that is two', [home, compare('request.IP', '192.0.2.2')], undefined],
    ['an expiry', [inTime, none(until(expiry - 1))], { ...emptyModel, at: expiry }],
    ['an expiry that is over', [inTime, none(until(expiry))], undefined],
    [
      'a fact',
      [a, none(b)],
      {
        ...emptyModel,
        assumed: new Map([
          [factKey('a'), true],
          [factKey('b'), false],
        ]),
      },
    ],
    ['a fact and its opposite', [a, none(a)], undefined],
    ['a fact or a tag: nothing needless is assumed', [or(a, isX)], { ...emptyModel, tags: new Map([['k', 'x']]) }],
    ['a tag or an address: one of them', [or(isX, home)], { ...emptyModel, ip: readAddress('192.0.2.1') as NonNullable<Model['ip']> }],
    ['an address or a time: one of them', [or(home, inTime)], { ...emptyModel, at: expect.any(Number) }],
    ['a time or nothing', [or(inTime, always), isX], { ...emptyModel, tags: new Map([['k', 'x']]) }],
  ])('%s', (_, formulas, expected) => {
    expect(satisfy(formulas)).toEqual(expected)
  })

  test('an hour, and a zone', () => {
    const model = satisfy([morning, compare('date(Europe/Paris).Hour.GE', '10')])
    if (!model || model === tooMany) throw new Error('none')
    expect(Object.keys(model).sort()).toEqual(['assumed', 'at', 'tags'])
    expect(new Date(model.at as number).getUTCHours()).toBe(8)
    expect(satisfy([morning, compare('date(Europe/Paris).Hour.GE', '11')])).toBeUndefined()
  })

  test('where no fact may be assumed: whatever these are', () => {
    expect(solve([a], false)).toBeUndefined()
    expect(solve([or(a, none(a))], false)).toBeUndefined()
    expect(solve([or(a, isX)], false)).toEqual({ ...emptyModel, tags: new Map([['k', 'x']]) })
    expect(solve([or(a, inTime)], false)).toEqual({ ...emptyModel, at: expect.any(Number) })
    expect(solve([none(and(a, home))], false)).toEqual({ ...emptyModel, ip: { family: 4, value: 0n } })
  })

  const keys = ['a', 'b'].map(factKey)
  const atoms = [a, b, isX, startsX, home, morning, inTime, named]
  const contexts: readonly Model[] = [null, 'x', 'xy', 'q'].flatMap((text) =>
    ['n', 'm'].flatMap((name) =>
      [ip4('192.0.2.1'), ip4('192.0.2.2')].flatMap((ip) =>
        [expiry - 4 * 3_600_000, expiry, expiry + 20 * 3_600_000, expiry + 1].flatMap((at) =>
          [0, 1, 2, 3].map((bits) => ({
            ip,
            at,
            tags: new Map([
              ['k', text],
              ['\0name', name],
            ]),
            assumed: new Map(keys.map((key, i) => [key, ((bits >> i) & 1) === 1])),
          })),
        ),
      ),
    ),
  )
  function ip4(text: string) {
    return readAddress(text) as NonNullable<Model['ip']>
  }
  function random(of: Random, depth: number): Formula {
    if (depth === 0 || of() < 0.35) return of() < 0.08 ? pick(of, [always, never]) : pick(of, atoms)
    return compound(
      pick(of, ['and', 'or', 'not']),
      Array.from({ length: Math.floor(of() * 4) }, () => random(of, depth - 1)),
    )
  }
  /** A model with one of its facts left out. */
  function* smaller(model: Model): Generator<Model> {
    const without = <T>(map: ReadonlyMap<string, T>, key: string) => new Map([...map].filter(([k]) => k !== key))
    const { ip, at, ...rest } = model
    if (ip) yield { ...rest, ...(at !== undefined && { at }) }
    if (at !== undefined) yield { ...rest, ...(ip && { ip }) }
    for (const key of model.tags.keys()) yield { ...model, tags: without(model.tags, key) }
    for (const key of model.assumed.keys()) yield { ...model, assumed: without(model.assumed, key) }
  }

  for (const seed of [1, 2, 3]) {
    test(`finds a context exactly where there is one, and all of it matters, seed ${seed}`, () => {
      const of = randomOf(seed)
      let found = 0
      for (let i = 0; i < 60; i++) {
        const formulas = Array.from({ length: 1 + Math.floor(of() * 3) }, () => random(of, 2))
        const about = formulas.map(printFormula).join('\n')
        const holding = contexts.filter((context) => formulas.every((formula) => evaluate(formula, context) === true))
        const model = satisfy(formulas)
        if (model === tooMany) throw new Error(about)
        expect(model !== undefined, about).toBe(holding.length > 0)
        const sure = satisfy(formulas, { assume: false })
        if (sure === tooMany) throw new Error(about)
        for (const each of [model, sure]) {
          if (!each) continue
          found++
          expect(
            formulas.map((formula) => evaluate(formula, each)),
            about,
          ).toEqual(formulas.map(() => true))
          for (const less of smaller(each))
            expect(
              formulas.every((formula) => evaluate(formula, less) === true),
              about,
            ).toBe(false)
        }
        // Whatever the facts are: as plain three-valued logic sees it.
        const blind = contexts.some((context) =>
          formulas.every((formula) => evaluate(formula, { ...context, assumed: new Map() }) === true),
        )
        expect(sure !== undefined, about).toBe(blind)
        if (sure) expect(sure.assumed.size).toBe(0)
      }
      expect(found).toBeGreaterThan(40)
    })
  }

  test.each<[string, readonly Formula[], boolean, number]>([
    // One step for the start, and one for each value of a fact that is tried.
    ['a fact that must hold', [a], true, 3],
    ['a fact that must not', [none(a)], true, 2],
    ['never', [never], true, 1],
    ['always', [always], true, 0],
    ['a fact against itself', [a, none(a)], true, 3],
    ['facts behind one that does not hold', [a, b, none(a), c], true, 3],
    ['a fact that may not be assumed', [a], false, 1],
    ['a tag', [isX], true, 3],
    ['a tag that there is not', [none(isX)], true, 2],
  ])('takes so many steps, and no more than it is allowed: %s', (_, formulas, assume, steps) => {
    const allowance = { left: 50 }
    expect(solve(formulas, assume, allowance)).not.toBe(tooMany)
    expect(50 - allowance.left).toBe(steps)
    expect(solve(formulas, assume, { left: steps })).not.toBe(tooMany)
    if (steps > 0) expect(solve(formulas, assume, { left: steps - 1 })).toBe(tooMany)
  })

  test('is given up where the facts are more than a thousand', () => {
    const facts = (count: number) => Array.from({ length: count }, (_, i) => fact(String(i)))
    expect(satisfy([none(and(...facts(1_000)))])).toEqual({ ...emptyModel, assumed: new Map([[factKey('0'), false]]) })
    expect(satisfy([none(and(...facts(1_001)))])).toBe(tooMany)
  })
})
