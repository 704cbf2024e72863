import { expect, test } from 'vitest'
import { type RiskCategory, riskCategories } from '../../src/actions/sensitive.ts'
import type { PageData } from '../../src/page/data.ts'
import { fewReads } from '../support/claims.ts'
import {
  about,
  type Case,
  cases,
  cellsOf,
  conditionHolds,
  everyAction,
  inContexts,
  moduleOf,
  numberIn,
  shown,
  type View,
} from '../support/claims-page.ts'
import { effort, untilSeen } from '../support/effort.ts'
import { PlainElement } from '../support/elements.ts'
import { levelOf } from '../support/levels.ts'
import { expectSame } from '../support/same.ts'

/**
 * Claims of the views of the page, in words, held against decisions: the views that the browser runs, on elements that are no more than
 * their text.
 */

const [{ summary }, { reach, action }, { identity, resource }, { panelOf }] = await Promise.all([
  moduleOf<Record<'summary', View>>('app', 'summary'),
  moduleOf<Record<'reach' | 'action', View>>('app', 'reach'),
  moduleOf<Record<'identity' | 'resource', View>>('app', 'entities'),
  moduleOf<{ panelOf: Panel }>('app', 'matrix-panel'),
])
type Panel = (place: PlainElement, page: unknown, identity: number, on: string, close: () => void, hrefOf: () => string) => void

/** Which actions count for a title of the summary. */
function counting(data: PageData, reached: 'change' | RiskCategory): ReadonlySet<string> {
  if (reached === 'change') return new Set(everyAction.filter((each) => !fewReads.has(each)))
  return new Set(data.sensitive.flatMap(([number, risk]) => (risk === reached ? [data.actions[number] as string] : [])))
}

/** On which resources an identity reaches some of the actions: at some time, at every time, or where something is not known. */
function reachedBy({ data, on }: Case, who: number, wanted: ReadonlySet<string>, isInTurn: boolean) {
  return data.resources.map((_, what) => {
    const contexts = on(who, what)
    const has = (list: readonly string[]) => list.some((each) => wanted.has(each))
    return {
      some: contexts.some(({ allowed }) => has(allowed)),
      // Changes count in turn, one at this time and another at that; other actions each for itself.
      always: isInTurn
        ? contexts.every(({ allowed }) => has(allowed))
        : [...wanted].some((each) => contexts.every(({ allowed }) => allowed.includes(each))),
      open: contexts.some(({ open }) => has(open)),
    }
  })
}

const titles: Readonly<Record<string, 'change' | RiskCategory>> = {
  Change: 'change',
  Delete: 'destruction',
  Pay: 'spend',
  Grant: 'escalation',
  Credentials: 'credentials',
  'Take data out': 'exfiltration',
  Expose: 'exposure',
  'Hide traces': 'audit',
  Tags: 'tagging',
}

test('the summary: who can change, delete, pay and grant, on how much, and under which conditions', () => {
  const seen = { nobody: 0, some: 0, depends: 0, always: 0, mixed: 0, conditional: 0, named: 0 }
  for (const each of untilSeen(seen, 600, (count) => cases(401, count))) {
    const { data, page, world } = each
    const place = shown(summary, '', page)
    const lead = place.all('p').find(({ textContent }) => /^\d+ polic/.test(textContent))?.textContent ?? ''
    const changing = data.identities.map((_, i) => reachedBy(each, i, counting(data, 'change'), true))
    expect(
      [...lead.matchAll(/(\d+) (?:polic|identit|resource)/g)].slice(0, 3).map(([, count]) => Number(count)),
      lead,
    ).toEqual([world.policies.length, data.identities.length, data.resources.length])
    expect(numberIn(lead, /(\d+) identit\w+ can change something/), lead).toBe(
      changing.filter((own) => own.some(({ some }) => some)).length,
    )
    const [table] = place.all('table')
    for (const row of table?.all('tr').slice(1) ?? []) {
      const [title = '', who = '', when = '', unknown = ''] = cellsOf(row)
      const risk = titles[title] as RiskCategory
      const wanted = counting(data, risk)
      const found = data.identities.map((_, i) => reachedBy(each, i, wanted, false))
      const where = `${title} ${who} ${when}\n${world.policies.map(({ name }) => name.value).join(' ')}`
      const certain = found.filter((own) => own.some(({ some }) => some))
      const perhaps = found.filter((own) => !own.some(({ some }) => some) && own.some(({ open }) => open))
      const bare = (i: number) => (data.identities[i]?.short ?? '').replace(/^(?:user|credential)\//, '')
      const certainNames = found.flatMap((own, i) => (own.some(({ some }) => some) ? [bare(i)] : []))
      if (who.startsWith('No identity in this report')) {
        seen.nobody++
        expect(certain.length, where).toBe(0)
      } else {
        seen.some++
        const [, names = '', more = '0', count] = /^(?:(.*?)(?: and (\d+) more)?|(\d+) identities) can /.exec(who) ?? []
        if (count === undefined) {
          seen.named++
          const listed = names.split(', ')
          expect(listed.length + Number(more), where).toBe(certain.length)
          for (const name of listed) expect(certainNames, where).toContain(name)
        } else expect(Number(count), where).toBe(certain.length)
      }
      expect(namedIn(unknown), where).toBe(perhaps.length)
      expect(numberIn(who, /on (\d+) resource/), where).toBe(data.resources.filter((_, j) => found.some((own) => own[j]?.some)).length)
      if (perhaps.length > 0) seen.depends++
      // Those who certainly reach it, on what they certainly reach it on.
      const own = certain.map((all) => all.filter(({ some, open }) => some || open))
      const isAlways = (all: (typeof own)[number]) => all.every(({ always }) => always)
      const isMixed = (all: (typeof own)[number]) => !isAlways(all) && all.some(({ always }) => always)
      const counts = {
        always: own.filter(isAlways).length,
        mixed: own.filter(isMixed).length,
        conditional: own.filter((all) => !all.some(({ always }) => always)).length,
      }
      expect(numberIn(when, /(\d+) without conditions/), where).toBe(counts.always)
      expect(numberIn(when, /(\d+) on some resources without conditions/), where).toBe(counts.mixed)
      expect(numberIn(when, /(\d+) only under conditions/), where).toBe(counts.conditional)
      for (const kind of ['always', 'mixed', 'conditional'] as const) if (counts[kind] > 0) seen[kind]++
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

/** How many identities a cell names: some and the number of more, or only the number. */
function namedIn(text: string): number {
  if (text === '') return 0
  const count = numberIn(text, /^(\d+) identities$/)
  return count > 0 ? count : text.replace(/ and \d+ more$/, '').split(', ').length + numberIn(text, / and (\d+) more$/)
}

const certainties: Readonly<Record<string, string>> = {
  'in any case': 'always',
  'under conditions': 'sometimes',
  'perhaps: it depends on facts that are not known': 'perhaps',
  'in any case on some, under conditions on others': 'mixed',
}

test('the lists behind the numbers, and who may do one action', () => {
  const seen = new Map<string, number>()
  for (const each of cases(402, effort(500, 30))) {
    const { data, page } = each
    const lists = [
      ...['change' as const, ...riskCategories].flatMap((risk) => [
        { risk, place: shown(reach, risk, page), wanted: counting(data, risk), isSure: false },
        { risk, place: shown(reach, risk, page, 'sure=yes'), wanted: counting(data, risk), isSure: true },
      ]),
      ...data.actions.map((name) => ({ risk: name, place: shown(action, name, page), wanted: new Set([name]), isSure: false })),
    ]
    for (const { risk, place, wanted, isSure } of lists) {
      const [sure, perhaps] = place.all('table').map((table) => table.all('tbody')[0]?.all('tr') ?? [])
      const found = data.identities.map((_, i) => reachedBy(each, i, wanted, risk === 'change'))
      const wantedOf = (name: string, isPerhaps: boolean) =>
        (found[data.identities.findIndex(({ short }) => short === name)] ?? []).filter(({ some, always, open }) =>
          isPerhaps ? open : isSure ? always : some || open,
        )
      const head = place.childNodes[0]?.textContent ?? ''
      const certain = found.filter((own) => own.some(({ some, always }) => (isSure ? always : some)))
      // Where an identity perhaps can, it is not said that none can.
      if (head.startsWith('No identity in this report'))
        expect([certain.length, head.includes(' is known to be able to ')], head).toEqual([0, (perhaps?.length ?? 0) > 0])
      if (/^\d+ identit/.test(head)) expect(numberIn(head, /^(\d+)/), `${risk} ${head}`).toBe(certain.length)
      expect(sure?.length ?? 0, `${risk} ${head}`).toBe(certain.length)
      for (const [rows, isPerhaps] of [
        [sure ?? [], false],
        [perhaps ?? [], true],
      ] as const)
        for (const row of rows) {
          const [name = '', count = '', , when = ''] = cellsOf(row)
          const own = wantedOf(name, isPerhaps)
          const where = `${risk} ${name} ${count} ${when} ${JSON.stringify(own)}`
          expect(Number(count), where).toBe(own.length)
          const kind = certainties[when] as string
          seen.set(kind, (seen.get(kind) ?? 0) + 1)
          if (kind === 'always')
            expect(
              own.every(({ always }) => always),
              where,
            ).toBe(true)
          if (kind === 'mixed') expect([own.some(({ always }) => always), own.every(({ always }) => always)], where).toEqual([true, false])
          if (kind === 'sometimes') expect([own.some(({ some }) => some), own.some(({ always }) => always)], where).toEqual([true, false])
          if (kind === 'perhaps')
            expect(
              own.some(({ some }) => some),
              where,
            ).toBe(false)
        }
    }
  }
  for (const kind of Object.values(certainties)) expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0)
})

const levelNames: Readonly<Record<string, string>> = { 'no access': 'none', read: 'read', change: 'write', everything: 'all' }
const ranks = ['none', 'read', 'write', 'all']

/** `read in any case; change, under conditions` */
function readAccess(words: string) {
  const [, sure, level = '', mark] = /^(?:(.*) in any case; )?(.*?)(?:, (under conditions|perhaps))?$/.exec(words) ?? []
  const rank = ranks.indexOf(levelNames[level] as string)
  if (rank < 0) throw new Error(words)
  return { rank, mark, sure: sure === undefined ? (mark === undefined ? rank : 0) : ranks.indexOf(levelNames[sure] as string) }
}

/** The level that is reached in every context, and the one of all that any of them allows. */
const levelsOn = (contexts: ReturnType<Case['on']>, type: string) => {
  const rankOf = (actions: readonly string[]) => ranks.indexOf(levelOf([...new Set(actions)], about.of(type), fewReads))
  return { least: Math.min(...contexts.map(({ allowed }) => rankOf(allowed))), most: rankOf(contexts.flatMap(({ allowed }) => allowed)) }
}

test('the pages of identities and resources: what they may do, on how many, and who may', () => {
  const seen = new Map<string, number>()
  const note = (key: string) => seen.set(key, (seen.get(key) ?? 0) + 1)
  for (const each of cases(403, effort(600, 30))) {
    const { data, page, on } = each
    const typeOf = (j: number) => data.types[data.resources[j]?.type as number]?.name as string
    const access = (i: number, j: number) => levelsOn(on(i, j), typeOf(j))
    for (const [i, { urn }] of data.identities.entries()) {
      const [section] = shown(identity, urn, page).all('section') as [PlainElement]
      const rows = section.all('tbody')[0]?.all('tr').map(cellsOf) ?? []
      expect(section.textContent.includes('Nothing, as far as is described.')).toBe(rows.length === 0)
      for (const { name } of data.types) {
        const of = [...data.resources.keys()].filter((j) => typeOf(j) === name)
        const [, words = 'no access', count = ''] = rows.find(([title]) => title === name) ?? []
        const { rank, mark, sure } = readAccess(words)
        const found = of.map((j) => access(i, j))
        const where = `${urn} ${name} ${words} ${count} ${JSON.stringify(found)}`
        note(`${rank} ${mark}`)
        const most = Math.max(...found.map((each) => each.most))
        if (mark !== 'perhaps') expect(most, where).toBe(rank)
        else expect(most, where).toBeLessThanOrEqual(rank)
        // Access in any case is access to some resource at every time.
        expect(Math.max(...found.map(({ least }) => least)), where).toBeGreaterThanOrEqual(sure)
        if (count === '') continue
        const [, some, all] = /^(\d+) of (\d+) resource/.exec(count) ?? []
        expect(Number(all), where).toBe(of.length)
        if (mark !== 'perhaps') expect(Number(some), where).toBe(found.filter((each) => each.most === rank).length)
        if (mark === undefined) expect(Number(some), where).toBe(found.filter(({ least }) => least === rank).length)
      }
    }
    for (const [j, { urn }] of data.resources.entries()) {
      const section = shown(resource, urn, page)
        .all('section')
        .find(({ textContent }) => textContent.startsWith('Who may do something with it')) as PlainElement
      const rows = section.all('tbody')[0]?.all('tr').map(cellsOf) ?? []
      for (const [i, { short }] of data.identities.entries()) {
        const [, words = 'no access', when = ''] = rows.find(([name]) => name === short) ?? []
        const { rank, mark, sure } = readAccess(words)
        const found = access(i, j)
        const where = `${urn} ${short} ${words} ${when} ${JSON.stringify(found)}`
        note(`${rank} ${mark}`)
        if (mark !== 'perhaps') expect(found.most, where).toBe(rank)
        else expect(found.most, where).toBeLessThanOrEqual(rank)
        expect(found.least, where).toBeGreaterThanOrEqual(sure)
        if (mark === 'under conditions') expect(found.least, where).toBeLessThan(rank)
      }
    }
  }
  for (const key of ['0 undefined', '1 undefined', '2 undefined', '3 undefined', '2 under conditions', '3 under conditions', '3 perhaps'])
    expect(seen.get(key) ?? 0, key).toBeGreaterThan(0)
})

test('the panel of a cell: which actions, when, and what would take them away', () => {
  const seen = { part: 0, when: 0, one: 0, several: 0, open: 0, nothing: 0, shared: 0, owner: 0 }
  for (const each of untilSeen(seen, 500, (count) => cases(404, count))) {
    const { data, page, world, on } = each
    for (const [i, { urn: who }] of data.identities.entries())
      for (const [j, { urn: what }] of data.resources.entries()) {
        const place = new PlainElement('aside')
        panelOf(
          place,
          page,
          i,
          what,
          () => undefined,
          () => '',
        )
        const text = place.textContent
        const contexts = inContexts(world, who, what)
        const where = () => `${who} ${what}\n${text}`
        if (text.includes('no policy can restrict it')) {
          seen.owner++
          expectSame(
            contexts.every(({ allowed }) => allowed.length === about.of(what.split(':')[4] as string).length),
            true,
            where,
          )
          continue
        }
        if (/No policy is about both|These policies are about both/.test(text)) {
          seen[text.includes('No policy is about both') ? 'nothing' : 'shared']++
          expectSame(
            contexts.every(({ allowed, open }) => allowed.length + open.length === 0),
            true,
            where,
          )
          continue
        }
        // Each group of actions holds when it is said to.
        for (const part of place.all('section').filter(({ attributes }) => attributes.get('class') === 'part')) {
          const [, count, when = ''] = /^(\d+) actions?, (.*)$/.exec(part.all('h3')[0]?.textContent ?? '') ?? []
          const actions =
            part
              .all('ul')[0]
              ?.all('a')
              .map(({ textContent }) => textContent) ?? []
          expect(actions.length, where()).toBe(Number(count))
          seen.part++
          for (const context of contexts)
            for (const each of actions) {
              const is = context.allowed.includes(each)
              if (when === 'in any case') expectSame(is, true, where)
              else if (!when.startsWith('perhaps')) {
                const known = world.resources.get(what)?.tags
                const said = conditionHolds(when, { ...context, tags: context.tags ?? known })
                if (said === undefined) continue
                seen.when++
                // A policy that names a group that is not known may leave it open.
                if (!context.open.includes(each)) expectSame(is, said, () => `${when} ${each} ${where()}`)
              }
            }
        }
        const mayBe =
          /(?:nothing is left of it|all have to change: [^.]*), but for what a permissions group that is not described may allow\./.test(
            text,
          )
        if (mayBe) seen.open++
        const without = (names: readonly string[], isOpenLeft = mayBe) =>
          inContexts({ ...world, policies: world.policies.filter(({ name }) => !names.includes(name.value)) }, who, what).every(
            ({ allowed, open }) => allowed.length + (isOpenLeft ? 0 : open.length) === 0,
          )
        const one = /everything here comes from one policy, (\S+)\. Without/.exec(text)?.[1]
        const several =
          /Less: (\d+) policies grant parts of it, so that all have to change: ([^.]*?)(?:, but for what [^.]*)?\. One deny/.exec(text)
        if (one !== undefined) {
          seen.one++
          expectSame(without([one]), true, where)
        } else if (several) {
          seen.several++
          const names = several[2]?.split(', ') ?? []
          if (names.length === Number(several[1])) expectSame(without(names), true, where)
          for (const name of names) expectSame(without([name], false), false, () => `${name} ${where()}`)
        }
        expectSame(
          on(i, j).some(({ allowed, open }) => allowed.length + open.length > 0),
          true,
          where,
        )
      }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
