import { expect, test } from 'vitest'
import { riskCategories } from '../../src/actions/sensitive.ts'
import { compareAnswer } from '../../src/answers/compare.ts'
import { describedAnswer } from '../../src/answers/described.ts'
import { differenceAnswer, type RegionScope } from '../../src/answers/difference.ts'
import { escalationAnswer, escalationsAnswer } from '../../src/answers/escalation.ts'
import { whatAnswer } from '../../src/answers/what.ts'
import { whoAnswer } from '../../src/answers/who.ts'
import { compareIdentities } from '../../src/diff/compare.ts'
import { diff } from '../../src/diff/diff.ts'
import { escalation } from '../../src/escalation/escalation.ts'
import { certaintyOf, ReachIndex } from '../../src/page/reach.ts'
import { Tables } from '../../src/page/tables.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { actionsMatching, describedAccess } from '../../src/symbolic/described-access.ts'
import { always } from '../../src/symbolic/formula.ts'
import { what } from '../../src/symbolic/what.ts'
import { who } from '../../src/symbolic/who.ts'
import { Windows } from '../../src/symbolic/windows.ts'
import { accounts, actions, catalogue, counted, lineOf, machine, printed } from '../support/claims.ts'
import { effort, untilSeen } from '../support/effort.ts'
import { pageOf } from '../support/page.ts'

/**
 * A summary says no more than its rows: over generated accounts, every claim that an answer prints is held against the rows under it, as
 * machines read them.
 */

interface Member {
  readonly identity: string
  readonly verdict: string
}

interface WhoJson {
  readonly who: readonly {
    readonly identity: string
    readonly reason: string
    readonly members?: readonly Member[]
  }[]
  readonly unknown: readonly { readonly identity: string; readonly members?: readonly Member[] }[]
  readonly denied: readonly { readonly identity: string }[]
  readonly complete: boolean
}

test('of `who`', () => {
  const seen = { owners: 0, counts: 0, members: 0 }
  for (const { world, question } of untilSeen(seen, 2000, (count) => accounts(1, count))) {
    const answer = whoAnswer(question.action, question.resource, who(world, { ...question, groups: [] }), undefined)
    const [text, rows] = [printed(answer), machine<WhoJson>(answer)]
    const lines = text.split('\n')
    const allowed = [...rows.who, ...rows.unknown]
    // The resource has an owner, any one.
    expect(lines).not.toContain('nobody')
    if (lines.includes('nobody but the owning account')) {
      seen.owners++
      expect(rows.unknown).toEqual([])
      expect(rows.who.every(({ reason }) => reason === 'root')).toBe(true)
    }
    if (/^no described /m.test(text)) {
      for (const row of allowed) for (const { verdict } of row.members ?? []) expect(verdict).toBe('deny')
    }
    for (const [title, own, verdict] of [
      ['allowed (', rows.who, 'allow'],
      ['perhaps (', rows.unknown, 'unknown'],
      ['explicitly denied (', rows.denied, 'deny'],
    ] as const) {
      const line = lineOf(text, title)
      if (line === undefined) continue
      seen.counts++
      // Members are counted once, and those that have the access of their group.
      const members = own.flatMap((row) => ('members' in row ? (row.members ?? []) : [])).filter((each) => each.verdict === verdict)
      const listed = Number(/; members: (\d+) \S+\)$/.exec(line)?.[1] ?? 0)
      if (listed > 0) seen.members++
      expect(listed, text).toBeLessThanOrEqual(new Set(members.map((each) => each.identity)).size)
      // An identity that the row of a group lists has no separate row.
      expect(counted(line)).toBeLessThanOrEqual(new Set(own.map(({ identity }) => identity)).size)
      expect(counted(line)).toBeGreaterThan(0)
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})

test('of `what`', () => {
  let nothings = 0
  for (const { world, identities } of accounts(2, effort(1000, 30)))
    for (const identity of identities.slice(0, 2)) {
      const found = what(world, { identity, groups: [] }, undefined, catalogue)
      const answer = whatAnswer({ identity, expand: false, catalogue, at: undefined }, found)
      const [text, rows] = [
        printed(answer),
        machine<{ what: readonly { actions: readonly string[]; verdict: string }[]; complete: boolean }>(answer),
      ]
      if (text.split('\n').includes('nothing')) {
        nothings++
        expect([rows.what, rows.complete]).toEqual([[], true])
      }
      // Access that only may be allowed is nowhere said to be.
      const sure = rows.what.filter(({ verdict }) => verdict === 'allow').length
      expect(text.split('\n').filter((line) => line.startsWith('    may  ')).length).toBeLessThanOrEqual(sure)
    }
  expect(nothings).toBeGreaterThan(0)
})

test('of questions about patterns', () => {
  let [compared, folded] = [0, 0]
  for (const { world, identities } of accounts(3, effort(600, 30))) {
    const { resources } = knownNamesIn([world])
    const found = describedAccess(world, { identities, resources, actionsOf: actionsMatching(actions, '*', (name) => catalogue.has(name)) })
    const answer = describedAnswer({ action: '*', resource: '*', isEmpty: resources.length === 0, at: undefined }, found, [])
    const text = printed(answer)
    const rows = machine<Record<'who' | 'unknown' | 'denied', readonly { identities: readonly string[]; reason: string }[]>>(answer)
    if (text.split('\n').includes('nobody')) expect([...rows.who, ...rows.unknown]).toEqual([])
    // Shortened to a line, a row still says what is denied.
    const short = printed(answer, false).split('\n')
    const from = short.findIndex((line) => line.startsWith('explicitly denied ('))
    for (const line of from < 0 ? [] : short.slice(from + 1).filter((each) => each.includes(' · on '))) {
      folded++
      expect(line).toMatch(/^ {2}\S.* {2}denied \S+:\S+/)
    }
    for (const [title, own] of [
      ['allowed (', rows.who],
      ['perhaps (', rows.unknown],
      ['explicitly denied (', rows.denied],
    ] as const) {
      const line = lineOf(text, title)
      if (line === undefined) continue
      compared++
      expect(counted(line)).toBe(new Set(own.flatMap((row) => row.identities)).size)
    }
  }
  expect(compared).toBeGreaterThan(effort(100, 30))
  expect(folded).toBeGreaterThan(0)
})

test('of `compare`', () => {
  const seen = { same: 0, may: 0, perhaps: 0, mixed: 0 }
  for (const { world, identities } of untilSeen(seen, 800, (count) => accounts(4, count))) {
    const [one, two] = identities
    if (one === undefined || two === undefined) continue
    const times = { at: undefined, from: 0, time: always, windows: new Windows() }
    const found = compareIdentities(world, [one, two], knownNamesIn([world]).resources, { actions })
    const answer = compareAnswer(found, { world, identities: [one, two], times })
    const text = printed(answer)
    const rows = machine<Record<'first' | 'second', { identity: string; only: readonly { certain: boolean }[] }> & { undecided: boolean }>(
      answer,
    )
    if (text.includes('may do the same on everything described')) {
      seen.same++
      expect([rows.first.only, rows.second.only, rows.undecided]).toEqual([[], [], false])
    }
    for (const [{ identity, only }, other] of [
      [rows.first, two],
      [rows.second, one],
    ] as const) {
      const title = text.split('\n').find((line) => line.includes(`${identity} may and `) && line.endsWith(`${other} may not`))
      expect(title !== undefined).toBe(only.length > 0)
      if (title === `${identity} may and ${other} may not`) {
        seen.may++
        expect(only.every(({ certain }) => certain)).toBe(true)
      }
      if (title === `perhaps ${identity} may and ${other} may not`) {
        seen.perhaps++
        expect(only.some(({ certain }) => certain)).toBe(false)
      }
      if (title === `perhaps, or surely, ${identity} may and ${other} may not`) seen.mixed++
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})

test('of `diff`', () => {
  const seen = { same: 0, sentences: 0, rest: 0, named: 0 }
  for (const { world, after } of untilSeen(seen, 300, (count) => accounts(5, count))) {
    const difference = diff(world, after, { catalogue, described: actions })
    for (const over of ['known', 'everything'] satisfies RegionScope[]) {
      const answer = differenceAnswer({ difference }, over)
      const lines = printed(answer).split('\n')
      interface Side {
        readonly identities: readonly string[]
        readonly condition: string | null
        readonly certain: boolean
        readonly except?: readonly object[]
      }
      const rows = machine<{
        verdict: string
        gained: Side[]
        lost: Side[]
        undecided: object[]
        described: { gained: Side[]; lost: Side[] }
      }>(answer)
      if (lines[0]?.startsWith('the same access')) {
        seen.same++
        expect([rows.verdict, rows.gained, rows.lost, rows.undecided]).toEqual(['same', [], [], []])
      }
      const rest = answer.rest?.[0] ?? ''
      for (const side of ['gained', 'lost'] as const) {
        // Of what is not described all are counted but those that are listed, and these name whom they concern.
        const others = rows[side].filter((_, i) => !difference[side][i]?.isDescribed)
        const named = others.filter(({ identities }) => identities.every((identity) => !identity.includes('*')))
        const listed = others.length - Number(new RegExp(`(\\d+) ${side}`).exec(rest)?.[1] ?? 0)
        if (over === 'known') expect(listed).toBeLessThanOrEqual(named.length)
        if (over === 'known' && listed > 0) seen.named++
        const known = [...rows.described[side], ...named]
        const own = over === 'known' ? known : rows[side].length > 0 ? rows[side] : rows.described[side]
        const count = over === 'known' ? rows.described[side].length + listed : own.length
        const sentence = lines.find((part) => part.startsWith(`access ${side}`) && part.includes(': '))
        if (count === 0) expect(sentence).toBeUndefined()
        if (sentence === undefined) continue
        seen.sentences++
        // One row, with its condition and its exceptions, as sure as it is.
        const isIt = ({ identities, condition, certain, except = [] }: Side) =>
          sentence.includes(identities[0] as string) &&
          / perhaps (?:may|could) /.test(sentence) === !certain &&
          (condition === null || !/ on [^ ]+$/.test(sentence.replace(/, and \d+ more changes?$/, ''))) &&
          (except.length === 0 || sentence.includes(`with ${except.length} exception`))
        expect(own.some(isIt), `${sentence}\n${JSON.stringify(own)}`).toBe(true)
        const more = Number(/, and (\d+) more changes?$/.exec(sentence)?.[1] ?? 0)
        expect(more).toBe(count - 1)
      }
      const sides = [...rest.matchAll(/(\d+) (?:gained|lost)/g)].map(([, many]) => Number(many))
      if (rest !== '') seen.rest++
      expect(Number(/^\d+/.exec(rest)?.[0] ?? 0)).toBe(sides.reduce((sum, many) => sum + many, 0))
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})

test('of `escalate`', () => {
  const seen = { cannot: 0, open: 0, can: 0, several: 0 }
  const times = { at: undefined, from: 0, time: always, windows: new Windows() }
  for (const { world, identities } of accounts(6, effort(300, 30))) {
    const several = identities.slice(0, 2).map((identity) => ({
      answer: escalation(world, identity, { actions, brand: 'svc', runsAs: [] }),
      asked: { world, identity, times },
    }))
    // Of several it is counted how many can, and how many only perhaps can.
    const all = printed(escalationsAnswer(several))
    const line = all.split('\n')[0] ?? ''
    for (const [heading, isNone, isCertain] of [
      ['can give themselves more rights', false, true],
      ['can perhaps give themselves more rights', false, false],
      ['no way found, but not all checked', true, false],
      ['no way through policies, groups, tags, users or credentials', true, true],
    ] as const) {
      const [, listed = '0'] = new RegExp(`^${heading} \\((\\d+)\\)$`, 'm').exec(all) ?? []
      const those = several.filter(({ answer }) => (answer.reach === 'none') === isNone && answer.certain === isCertain)
      expect(Number(listed), all).toBe(those.length)
    }
    const can = several.filter(({ answer }) => answer.reach !== 'none')
    const sure = can.filter(({ answer }) => answer.certain).length
    const [, first, isPerhaps, more = '0'] =
      /^(\d+) of \d+ \S+( perhaps)? can raise \S+ rights(?:, and (\d+) more perhaps)?$/.exec(line) ?? []
    if (first !== undefined) seen.several++
    const counted = isPerhaps ? [0, Number(first)] : [Number(first ?? 0), Number(more)]
    expect(counted, line).toEqual([sure, can.length - sure])
    for (const { answer: found, asked } of several) {
      const { identity } = asked
      const text = printed(escalationAnswer(found, { world, identity, times }))
      const json = machine<{ readonly escalates: boolean }>(escalationAnswer(found, { world, identity, times }))
      expect(json.escalates).toBe(found.reach !== 'none')
      if (text.includes(' to raise its own rights')) {
        seen.cannot++
        expect([found.reach, found.certain, found.notFollowed.flatMap((each) => each.actions)]).toEqual(['none', true, []])
      } else if (text.includes('no way found')) seen.open++
      if (text.includes(' can give itself ')) {
        seen.can++
        expect(found.path.every(({ certain }) => certain)).toBe(true)
      }
    }
  }
  for (const kind of ['cannot', 'several'] as const) expect(seen[kind]).toBeGreaterThan(0)
})

test('of the report', () => {
  const seen = { always: 0, mixed: 0, sometimes: 0, perhaps: 0, nobody: 0 }
  for (const { world } of accounts(7, effort(300, 30))) {
    const data = pageOf(world, actions)
    const tables = new Tables(data)
    const found = new ReachIndex(tables)
    for (const risk of riskCategories) {
      const { identities, perhaps, always: sure, resources, of } = found.of(risk)
      const wanted = data.sensitive.flatMap(([action, category]) => (category === risk ? [action] : []))
      // Claims of the cells about each identity, resource and sensitive action.
      const onResource = (i: number, j: number) => {
        const cell = tables.cell(i, j)
        const own = tables.actionsIn(data.types[data.resources[j]?.type ?? -1]?.actions ?? -1).filter((action) => wanted.includes(action))
        if (!cell || own.length === 0) return []
        if (cell.isRoot) return ['always' as const]
        const confidences = cell.parts
          .filter((part) => own.some((action) => tables.hasAction(part.actions, action)))
          .map(({ confidence }) => confidence)
        const best = (['always', 'sometimes', 'perhaps'] as const).find((each) => confidences.includes(each))
        return best === undefined ? [] : [best]
      }
      const truth = data.identities.map((_, i) => data.resources.flatMap((_, j) => onResource(i, j)))
      const isCertainlyOn = (i: number, j: number) => onResource(i, j).some((each) => each !== 'perhaps')
      const can = truth.flatMap((own, i) => (own.some((each) => each !== 'perhaps') ? [i] : []))
      if (can.length === 0) seen.nobody++
      expect([...identities].sort((a, b) => a - b)).toEqual(can)
      expect([...perhaps].sort((a, b) => a - b)).toEqual(truth.flatMap((own, i) => (own.length > 0 && !can.includes(i) ? [i] : [])))
      expect([...sure].sort((a, b) => a - b)).toEqual(truth.flatMap((own, i) => (own.includes('always') ? [i] : [])))
      for (const i of [...identities, ...perhaps]) {
        const certainty = certaintyOf(of(i))
        seen[certainty]++
        if (certainty === 'always') expect(new Set(truth[i])).toEqual(new Set(['always']))
        if (certainty === 'sometimes') expect(truth[i]).not.toContain('always')
        if (certainty === 'perhaps') expect(new Set(truth[i])).toEqual(new Set(['perhaps']))
      }
      const reached = data.resources.flatMap((_, j) => (can.some((i) => isCertainlyOn(i, j)) ? [j] : []))
      const certainlyOn = identities.flatMap((i) =>
        of(i)
          .on()
          .flatMap(({ resource, confidence }) => (confidence === 'perhaps' ? [] : [resource])),
      )
      expect([...new Set(certainlyOn)].sort((a, b) => a - b)).toEqual(reached)
      expect(resources).toBe(reached.length)
    }
  }
  expect(seen).toEqual({
    always: expect.any(Number),
    mixed: expect.any(Number),
    sometimes: expect.any(Number),
    perhaps: expect.any(Number),
    nobody: expect.any(Number),
  })
  for (const count of [seen.always, seen.sometimes, seen.perhaps, seen.nobody]) expect(count).toBeGreaterThan(0)
})
