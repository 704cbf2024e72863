import { expect, test } from 'vitest'
import type { View } from '../../src/answers/difference.ts'
import { answerMarkdown } from '../../src/answers/markdown.ts'
import { answerLines, answerText } from '../../src/answers/text.ts'
import { timelineAnswer, timelineJson } from '../../src/answers/timeline.ts'
import { fullNameWording, wordingOf } from '../../src/answers/wording.ts'
import { recurring } from '../../src/diff/recurring.ts'
import { type Timeline, timeline } from '../../src/diff/timeline.ts'
import type { World } from '../../src/policy.ts'
import { paint } from '../../src/report/colour.ts'
import { Names } from '../../src/report/names.ts'
import { decide } from '../../src/simulate/decide.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { contextsFor, fewActions } from '../support/claims.ts'
import { effort, untilSeen } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { day, days, daysIn, from, hour, instantIn, longDays, shownIn, timedAccounts, to, weekIn } from '../support/timed.ts'
import { type QuestionJson, questionOf, worldOf } from '../support/worlds.ts'

/**
 * Claims of `timeline` in words, read back: each opening and closing is in a row and happens to the question that the row gives, a window
 * is open and closed when it says, and after the last access there is none.
 */

interface ChangeJson {
  readonly certain: boolean
  readonly witness: QuestionJson
}
interface TimelineJson {
  readonly verdict: string
  readonly until: string
  readonly changes: readonly {
    readonly at: string
    readonly pattern: { readonly count: number; readonly first: string; readonly last: string } | null
    readonly gained: readonly ChangeJson[]
    readonly lost: readonly ChangeJson[]
    readonly undecided: readonly object[]
    readonly described?: { readonly gained: readonly ChangeJson[]; readonly lost: readonly ChangeJson[] }
  }[]
}

const timelineText = (found: Timeline, view: View, all = false) =>
  answerText(timelineAnswer(found, view), { paint: paint(false), wording: wordingOf(view.names, undefined, view.actions), all })

// The words, read back.

interface Block {
  readonly what: string
  /** When it is said to happen; of a window, when it begins. */
  readonly instants: readonly number[]
  /** The hours of a window and its zone, and the days that it misses. */
  readonly window?: { readonly week: readonly boolean[]; readonly zone: string; readonly skipped: readonly string[] }
}

/** The heads of a text, each with what it says happens. */
function blocksIn(text: string): readonly Block[] {
  return text.split('\n').flatMap((line): readonly Block[] => {
    const window = /^(\S.*) (\S+), (\d+) times? from (\w{3} [-\d]+ [:\d]+) to (\w{3} [-\d]+ [:\d]+)(?: except (.*))? {2}(\S.*)$/.exec(line)
    if (window) {
      const [, words = '', zone = '', count, first = '', last = '', except, what = ''] = window
      const week = weekIn(words)
      const skipped = except?.split(', ') ?? []
      const isOpen = what.endsWith('open')
      const isIn = (at: number) => {
        const [name = '', , time = ''] = shownIn(zone, at).split(' ')
        return week[days.indexOf(name) * 24 + Number(time.slice(0, 2))] === true
      }
      const begins = (at: number) => isIn(at) && !isIn(at - 1)
      const instants: number[] = []
      for (let at = instantIn(zone, first); at <= instantIn(zone, last); at += hour)
        if (begins(at) && !skipped.includes(shownIn(zone, at).slice(0, 14))) instants.push(at)
      expect(instants.length, `${line} ${isOpen}`).toBe(Number(count))
      return [{ what, instants, window: { week, zone, skipped } }]
    }
    const every = /^every (.+) (\d\d:\d\d) (\S+), (\d+) times? from \w{3} ([-\d]+) to \w{3} ([-\d]+) {2}(\S.*)$/.exec(line)
    if (every) {
      const [, names = '', time = '', zone = '', count, first = '', last = '', what = ''] = every
      const own = daysIn(names).map((i) => longDays[i]?.slice(0, 3))
      const instants: number[] = []
      for (let at = Date.parse(`${first}T00:00Z`); at <= Date.parse(`${last}T00:00Z`); at += day) {
        const date = new Date(at).toISOString().slice(0, 10)
        if (own.includes(shownIn('UTC', at).slice(0, 3))) instants.push(instantIn(zone, `${date} ${time}`))
      }
      expect(instants.length, line).toBe(Number(count))
      return [{ what, instants }]
    }
    const once = /^(after )?(\w{3} [-\d]+ [:\d]+) ([\w/]+)(?: \([^)]*UTC\))? {2}(\S.*)$/.exec(line)
    if (!once) return []
    const [, after, local = '', zone = '', what = ''] = once
    return [{ what, instants: [instantIn(zone, local) + (after === undefined ? 0 : 1)] }]
  })
}

/** Whether a question is allowed at an instant. */
const isAllowed = (world: World, witness: QuestionJson, at: number) => decide(world, { ...questionOf(witness), at }).verdict === 'allow'

/** The instants of all changes of a side, by the rows; and of them, those with a row that is certain. */
function instantsOf(found: Timeline, side: 'gained' | 'lost', isSure: boolean): readonly number[] {
  return found.entries.flatMap(({ instants, difference }) => (difference[side].some(({ certain }) => certain || !isSure) ? instants : []))
}

const sideOf = { open: 'gained', opens: 'gained', closed: 'lost', closes: 'lost' } as const

test('what opens and closes, and how often', () => {
  const seen = { same: 0, window: 0, pattern: 0, once: 0, perhaps: 0, skipped: 0, closed: 0 }
  for (const { account } of untilSeen(seen, 200, (count) => timedAccounts(31, count))) {
    const world = worldOf(account)
    const found = timeline(world, { from, to, described: fewActions })
    const json = JSON.parse(JSON.stringify(timelineJson(found, undefined))) as TimelineJson
    const view: View = { over: 'everything', names: new Names([world]) }
    const text = timelineText(found, view, true)
    const [summary = ''] = text.split('\n')
    // In one line: how often, by the rows.
    const total = (side: 'gained' | 'lost', isSure: boolean) =>
      json.changes.reduce(
        (sum, change) => sum + (change[side].some(({ certain }) => certain || !isSure) ? (change.pattern?.count ?? 1) : 0),
        0,
      )
    if (summary.startsWith('access stays the same')) {
      seen.same++
      expect([json.verdict, json.changes]).toEqual(['same', []])
      const { identities, resources } = knownNamesIn([world])
      for (const identity of identities)
        for (const resource of resources)
          for (const action of fewActions.of(resource.split(':')[4] as string))
            for (const { ip, tags } of contextsFor(world, resource)) {
              const asked = { identity, resource, action, groups: [], ip, ...(tags && { tags }) }
              const verdicts = Array.from({ length: 7 }, (_, i) => decide(world, { ...asked, at: from + ((to - from) * i) / 7 }).verdict)
              expect(new Set(verdicts).size).toBe(1)
            }
    } else {
      const [, opens, maybeOpen, closes, maybeClose] =
        /access opens (\d+) times?(?: \(perhaps (\d+) more\))? and closes (\d+) times?(?: \(perhaps (\d+) more\))?(?:;|$)/.exec(summary) ??
        []
      expect([opens, closes].map(Number), text).toEqual([total('gained', true), total('lost', true)])
      expect([maybeOpen ?? 0, maybeClose ?? 0].map(Number)).toEqual([
        total('gained', false) - total('gained', true),
        total('lost', false) - total('lost', true),
      ])
    }
    expect(summary.includes('not fully decided')).toBe(json.changes.some(({ undecided }) => undecided.length > 0))
    const blocks = blocksIn(text)
    const claimed = { gained: [] as number[], lost: [] as number[] }
    for (const { what, instants, window } of blocks) {
      seen[window ? 'window' : instants.length > 1 ? 'pattern' : 'once']++
      const isPerhaps = what.includes('perhaps')
      if (isPerhaps) seen.perhaps++
      if (window) {
        const side = sideOf[what.replace('perhaps ', '') as 'open' | 'closed']
        if (window.skipped.length > 0) seen.skipped++
        if (side === 'lost') seen.closed++
        for (const at of instants)
          expect(instantsOf(found, side, !isPerhaps), `${what} ${new Date(at).toISOString()}\n${text}`).toContain(at)
        // The question of a row is allowed throughout the window that is open, and at no time of one that is closed.
        if (isPerhaps) continue
        const changes = json.changes.filter(({ at }) => Date.parse(at) === instants[0])
        const rows = changes.flatMap((change) => change[side].filter(({ certain }) => certain))
        const [first, last] = [instants[0] as number, instants.at(-1) as number]
        const within: number[] = []
        for (let at = first; at <= last; at += hour) {
          const [name = '', , time = ''] = shownIn(window.zone, at).split(' ')
          const isIn = window.week[days.indexOf(name) * 24 + Number(time.slice(0, 2))] === true
          const isSkipped = window.skipped.includes(shownIn(window.zone, at).slice(0, 14))
          // Outside of it another block may say the same.
          if (isIn && !isSkipped) within.push(at)
        }
        // Of what changes at the first instant each certain row is in one of the windows that begin then.
        const isSo = ({ witness }: (typeof rows)[number]) => within.every((at) => isAllowed(world, witness, at) === (side === 'gained'))
        expectSame(rows.some(isSo), true, () => `${what} ${shownIn(window.zone, first)}\n${text}`)
        continue
      }
      for (const [word, side] of [
        ['opens', 'gained'],
        ['closes', 'lost'],
      ] as const) {
        if (!what.includes(word)) continue
        const isMaybe = what.includes(`perhaps ${word}`)
        claimed[side].push(...instants)
        for (const at of instants) {
          expect(instantsOf(found, side, !isMaybe), `${what} ${new Date(at).toISOString()}\n${text}`).toContain(at)
          const change = json.changes.find(
            ({ at: first, pattern }) =>
              Date.parse(first) <= at && at <= Date.parse(pattern?.last ?? first) && Date.parse(first) === instants[0],
          )
          const row = change?.[side].find(({ certain }) => certain)
          expect(row !== undefined, text).toBe(!isMaybe)
          // The question of a row turns at each of the instants, and the way that is said.
          if (row)
            expect(
              [at - 1, at].map((each) => isAllowed(world, row.witness, each)),
              text,
            ).toEqual([side === 'lost', side === 'gained'])
        }
      }
    }
    // Lines and Markdown have the same heads.
    const heads = (all: string) => new Set(all.split('\n').map((line) => line.split(' · ')[0] as string))
    const inText = new Set(
      text.split('\n').flatMap((line) => (/^\S.* {2}\S/.test(line) && blocksIn(line).length > 0 ? [line.split('  ')[0] as string] : [])),
    )
    expect(heads(answerLines(timelineAnswer(found, view), fullNameWording(), true).trimEnd())).toEqual(
      found.entries.length === 0 ? new Set(['']) : inText,
    )
    const markdown = answerMarkdown(timelineAnswer(found, view), {
      title: 'grantwise timeline',
      wording: wordingOf(view.names, undefined, view.actions),
    })
    for (const { what } of blocks) expect(markdown).toContain(`: ${what}`)
    expect(markdown.replace(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)))).toContain(summary)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('after the last access of a policy there is none', () => {
  const seen = { access: 0, denial: 0 }
  for (const { account } of untilSeen(seen, 250, (count) => timedAccounts(32, count))) {
    const world = worldOf(account)
    const found = timeline(world, { from, to })
    const lines = timelineText(found, { over: 'everything', names: new Names([], true) }).split('\n')
    for (const line of lines) {
      const [, name, kind, words = ''] = /^\S+ {2}(\S+): last (access|denial) (.*), then none$/.exec(line) ?? []
      if (name === undefined) continue
      seen[kind as keyof typeof seen]++
      const [, date = '', time, zone = ''] = /^\w{3} ([-\d]+)(?: (\d\d:\d\d))? \(?([\w/]+)\)?/.exec(words) ?? []
      // The day that is named is the last one.
      const end =
        time === undefined
          ? instantIn(zone, `${new Date(Date.parse(date) + day).toISOString().slice(0, 10)} 00:00`)
          : instantIn(zone, `${date} ${time}`)
      const policy = world.policies.find((each) => each.name.value === name)
      // The policy by itself, in an account that owns none of the resources: what it grants and denies there is decided by its entries.
      const alone: World = { ...world, account: 'other', policies: policy ? [policy] : [] }
      const { identities, resources } = knownNamesIn([world])
      const saysAnything = (at: number) =>
        resources.some((resource) =>
          contextsFor(world, resource)
            .filter((context) => context.at === contextsFor(world, resource)[0]?.at)
            .some(({ ip, tags }) =>
              fewActions.of(resource.split(':')[4] as string).some((action) =>
                identities.some((identity) => {
                  const question = { identity, resource, action, groups: [], ip, at, owner: 'other', ...(tags && { tags }) }
                  const { verdict, clauses } = decide(alone, question)
                  return verdict === 'unknown' || clauses.length > 0
                }),
              ),
            ),
        )
      const later = Array.from({ length: 6 }, (_, i) => end + Math.floor((i * i * day) / 3))
      for (const at of later) expectSame(saysAnything(at), false, () => `${line} ${new Date(at).toISOString()}`)
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('how many changes are for what is described, and how many are listed', () => {
  const seen = { described: 0, none: 0, aside: 0, folded: 0, left: 0 }
  // Days that make no pattern, so that there are more changes than the short form lists.
  const dates = ['06', '07'].flatMap((month) => ['03', '05', '09', '14', '18', '22', '27', '30'].map((date) => `2026-${month}-${date}`))
  for (const { account, random } of timedAccounts(33, effort(80, 30))) {
    const scattered = {
      name: 'scattered',
      identities: ['urn:v1:eu:identity:user:ab/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
      conditions: { operator: 'MATCH', values: { 'date(UTC).Date.IN': dates.join(',') } },
    }
    const world = worldOf({ ...account, policies: [...account.policies, ...(random() < 0.5 ? [scattered] : [])] })
    const found = timeline(world, { from, to: from + 90 * day, described: fewActions })
    const view: View = { over: 'known', names: new Names([world]) }
    const whole = timelineText(found, view, true)
    const everything = blocksIn(timelineText(found, { ...view, over: 'everything' }, true))
    const listed = blocksIn(whole)
    const [, windows, others] =
      /^for what is described: (?:no change|(?:(\d+) windows? that comes? back)?(?:(?: and )?(\d+) (?:other )?changes?)?)$/m.exec(whole) ??
      []
    const known = windows === undefined && others === undefined ? undefined : Number(windows ?? 0) + Number(others ?? 0)
    const [, more] = /^(\d+) more changes? concerns? no known action, resource or member: /m.exec(whole) ?? []
    if (/^for what is described: /m.test(whole)) {
      seen[known === undefined ? 'none' : 'described']++
      if (more !== undefined) seen.aside++
      const undecided = listed.filter(({ what }) => !/open|close/.test(what)).length
      expect(listed.length - undecided, whole).toBe(known ?? 0)
      const asides = recurring(found.entries).filter((each) => {
        const { verdict, described } = ('kind' in each ? each.entry : each).difference
        return verdict === 'changed' && described?.gained.length === 0 && described.lost.length === 0
      })
      expect(asides.length, whole).toBe(Number(more ?? 0))
      if (asides.length > 0) expect(everything.length, whole).toBeGreaterThan(0)
    }
    // Rows that the short form leaves out are counted.
    const short = timelineText(found, view)
    const folded = /^shortened(?:, and (\d+) more changes?)?: /m.exec(short)
    const shown = blocksIn(short)
    expect(shown.length + Number(folded?.[1] ?? 0), short).toBe(listed.length)
    if (folded) seen.folded++
    if (folded?.[1] !== undefined) seen.left++
    expect(listed.map(({ what }) => what).slice(0, shown.length)).toEqual(shown.map(({ what }) => what))
  }
  for (const kind of ['described', 'aside', 'folded', 'left'] as const) expect(seen[kind], kind).toBeGreaterThan(0)
})
