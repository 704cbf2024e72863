import { expect, test } from 'vitest'
import { levels } from '../../src/actions/reads.ts'
import { riskCategories } from '../../src/actions/sensitive.ts'
import type { PageData } from '../../src/page/data.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { fewActions, fewReads, readMark } from '../support/claims.ts'
import {
  about,
  type Case,
  cases,
  cellsOf,
  changes,
  changesOf,
  moduleOf,
  numberIn,
  plainPage,
  shown,
  type View,
} from '../support/claims-page.ts'
import { effort } from '../support/effort.ts'
import { happens, type PlainElement } from '../support/elements.ts'
import { levelOf } from '../support/levels.ts'
import { pageOf } from '../support/page.ts'
import { expectSame } from '../support/same.ts'
import { pick, type Random, randomOf, worldOf } from '../support/worlds.ts'

/** The grid of the page's matrix, on the screen and on paper: letters, words, filters, what is left out and what changes, against decisions. */

const { matrix } = await moduleOf<{ matrix: View }>('app', 'matrix')

interface GridCell {
  /** `W* 1/2` */
  readonly text: string
  /** `change, under conditions, on 1 of 2` */
  readonly words: string
}

/** The tables of the matrix: rows by the names of identities, cells by the names of columns. */
function gridOf(tables: readonly PlainElement[]) {
  const rows = new Map<string, Map<string, GridCell>>()
  const columns = new Set<string>()
  for (const table of tables) {
    const titles = cellsOf(table.all('thead')[0]?.all('tr')[0] as PlainElement).slice(1)
    for (const title of titles) columns.add(title)
    for (const row of table.all('tbody')[0]?.all('tr') ?? []) {
      const [name] = row.all('th')
      if (!name) continue
      const cells = row.all('td').map((cell, j) => [titles[j] as string, cellOf(cell)] as const)
      rows.set(name.textContent, new Map([...(rows.get(name.textContent) ?? []), ...cells]))
    }
  }
  return { rows, columns }
}

function cellOf(cell: PlainElement): GridCell {
  const [mark = '', ...rest] = cell.childNodes.map(({ textContent }) => textContent)
  return { text: [mark, ...rest.filter((part) => / \d/.test(part))].join(''), words: cell.attributes.get('aria-label') ?? '' }
}

const levelNames = { 'no access': 'none', read: 'read', change: 'write', everything: 'all' } as const
const rankOf = (level: string) => levels.indexOf(level as (typeof levels)[number])

/** `read in any case; change, under conditions, on 1 of 2` */
function readWords(words: string) {
  const [, sure, level = '', mark, on] =
    /^(?:(.*) in any case; )?(.*?)(?:, (under conditions|perhaps))?(?:, on +(\d+) of \d+)?$/.exec(words) ?? []
  const rank = rankOf(levelNames[level as keyof typeof levelNames])
  if (rank < 0) throw new Error(`no level: ${words}`)
  const own = sure === undefined ? (mark === undefined ? rank : 0) : rankOf(levelNames[sure as keyof typeof levelNames])
  return { rank, mark, sure: own, on: on === undefined ? undefined : Number(on) }
}

/** The verdicts of decisions on a pair: the level that is reached in each context, in some, and with all that is open. */
function truthOf({ data, on }: Case, identity: number, resource: number) {
  const contexts = on(identity, resource)
  const of = about.of(data.types[data.resources[resource]?.type as number]?.name as string)
  const rank = (actions: readonly string[]) => rankOf(levelOf([...new Set(actions)], of, fewReads))
  const allowed = contexts.flatMap((context) => context.allowed)
  const open = contexts.flatMap((context) => context.open)
  return {
    least: Math.min(...contexts.map((context) => rank(context.allowed))),
    most: rank(allowed),
    perhaps: rank([...allowed, ...open]),
    allowed: new Set(allowed),
    possible: new Set([...allowed, ...open]),
  }
}
type Truth = ReturnType<typeof truthOf>

const filters = {
  level: ['', '', 'read', 'write', 'all', 'none'],
  risk: ['', '', ...riskCategories.slice(0, 2)],
  conditional: ['', '', 'only'],
  sort: ['', 'most', 'least'],
  type: ['', '*', 'vps'],
} as const

/** Whether a pair has to be counted with filters, and whether it may be. */
function countsWith(query: URLSearchParams, data: PageData, { least, most, perhaps, allowed, possible }: Truth) {
  const level = Math.max(1, rankOf(query.get('level') ?? ''))
  const risky = new Set(data.sensitive.flatMap(([number, risk]) => (risk === query.get('risk') ? [data.actions[number] as string] : [])))
  const has = (actions: ReadonlySet<string>) => !query.has('risk') || [...actions].some((action) => risky.has(action))
  const isOnly = query.has('conditional')
  return {
    must: most >= level && has(allowed) && (!isOnly || least < most),
    may: perhaps >= level && has(possible) && (!isOnly || least < perhaps),
  }
}

function someQuery(random: Random) {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(filters)) {
    const value = pick(random, values as readonly string[])
    if (value !== '') query.set(name, value)
  }
  if (random() < 0.2) query.set('text', pick(random, ['ann', 'ops', 'zed']))
  if (random() < 0.2) query.set('on-text', pick(random, ['vps', 'web', 'domain']))
  return query
}

test('the grid: levels in letters and words, and what filters leave', () => {
  const seen = new Map<string, number>()
  const note = (key: string) => seen.set(key, (seen.get(key) ?? 0) + 1)
  const random = randomOf(422)
  let run = 0
  for (const each of cases(421, effort(200, 10))) {
    const { data, page } = each
    // Some are shown whole, so that all kinds of cells occur.
    const kind = run++ % 5
    const whole = random() < 0.5 ? '' : 'type=*'
    const fixed: Readonly<Record<number, string>> = {
      1: 'level=all&type=*',
      2: 'risk=escalation&type=*',
      3: whole,
      4: 'level=read&on-text=vps',
    }
    const query = fixed[kind] === undefined ? someQuery(random) : new URLSearchParams(fixed[kind])
    const place = shown(matrix, '', page, query.toString())
    happens('beforeprint')
    const status = place.all('p').find(({ attributes }) => attributes.get('role') === 'status')?.textContent ?? ''
    const isByType = !query.has('type')
    const [, rowCount, allRows, columnCount, allColumns] =
      /^(\d+) of (\d+) identit(?:y|ies), (\d+) of (\d+) (?:resource type|resource)s?$/.exec(status)?.map(Number) ?? []
    const sheets = place.all('table').filter(({ attributes }) => attributes.get('role') !== 'grid')
    const grid = gridOf(sheets)
    const onScreen = gridOf(place.all('table').filter(({ attributes }) => attributes.get('role') === 'grid'))
    const where = () => `${query} ${status}`
    const resources = data.resources.flatMap(({ type }, j) => (query.get('type') !== 'vps' || data.types[type]?.name === 'vps' ? [j] : []))
    expect([rowCount, allRows, columnCount, allColumns], where()).toEqual([
      columnCount === 0 ? rowCount : grid.rows.size,
      data.identities.length,
      grid.columns.size,
      isByType ? data.types.length : resources.length,
    ])
    if (grid.rows.size > 0 && grid.columns.size > 0) expect(onScreen, where()).toEqual(grid)
    else expect(place.textContent).toContain('Nothing matches.')
    note(grid.rows.size === 0 ? 'no rows' : grid.rows.size < data.identities.length ? 'some rows' : 'all rows')
    // The columns that names leave, each with its resources.
    const onText = query.get('on-text') ?? ''
    const named = (
      isByType
        ? data.types.map(({ name }, type) => ({ name, urn: name, own: resources.filter((j) => data.resources[j]?.type === type) }))
        : resources.map((j) => ({ name: data.resources[j]?.short as string, urn: data.resources[j]?.urn as string, own: [j] }))
    ).filter(({ name, urn }) => `${name} ${urn}`.includes(onText))
    const isUnfiltered = ['level', 'risk', 'conditional'].every((name) => !query.has(name)) || query.get('level') === 'none'
    const columnsMay = new Set<string>()
    const columnsMust = new Set<string>()
    for (const [i, { short, urn, groups }] of data.identities.entries()) {
      const names = `${short} ${urn} ${groups.map((group) => data.groups[group]?.short).join(' ')}`
      if (!names.includes(query.get('text') ?? '')) {
        expect(grid.rows.has(short), where()).toBe(false)
        continue
      }
      const columns = named.map((column) => {
        const truths = column.own.map((j) => truthOf(each, i, j))
        const counted = truths.map((truth) => countsWith(query, data, truth))
        return { ...column, truths, must: counted.some(({ must }) => must), may: counted.some(({ may }) => may) }
      })
      for (const { name, must, may } of columns) {
        if (must) columnsMust.add(name)
        if (may) columnsMay.add(name)
      }
      const row = grid.rows.get(short)
      const about = () => `${where()} ${short} ${JSON.stringify(columns.map(({ name, must, may }) => [name, must, may]))}`
      if (isUnfiltered) expectSame(row !== undefined || grid.columns.size === 0, true, about)
      else if (columns.some(({ must }) => must)) expectSame(row !== undefined, true, about)
      else if (columns.every(({ may }) => !may)) expectSame(row, undefined, about)
      for (const { name, own, truths, must, may } of columns) {
        const cell = row?.get(name)
        if (!cell) continue
        const said = () => `${about()}\n${name} ${JSON.stringify(cell)} ${JSON.stringify(truths)}`
        const [most, least] = [Math.max(...truths.map((truth) => truth.most)), truths.map((truth) => truth.least)]
        if (cell.words === 'filtered out') {
          note('filtered out')
          expectSame(must || cell.text !== '', false, said)
          continue
        }
        const { rank, mark, sure, on } = readWords(cell.words)
        // Letters and words say the same.
        const read = readMark(cell.text, own.length)
        expectSame(
          read,
          { level: levels[rank], confidence: !mark ? 'always' : mark === 'perhaps' ? 'perhaps' : 'sometimes', resources: on ?? own.length },
          said,
        )
        note(`${levels[rank]} ${mark}`)
        if (rank === 0) {
          expectSame(Math.max(...truths.map(({ perhaps }) => perhaps)), 0, said)
          continue
        }
        expectSame(may, true, said)
        if (mark === 'perhaps') expectSame(most <= rank, true, said)
        else expectSame([most, truths.filter((truth) => truth.most === rank).length], [rank, read.resources], said)
        expectSame(Math.max(...least) >= sure, true, said)
        if (mark === undefined) expectSame(least.filter((each) => each === rank).length, read.resources, said)
        if (on !== undefined) note('part')
      }
    }
    if (isUnfiltered) expect([...grid.columns], where()).toEqual(rowCount === 0 ? [...grid.columns] : named.map(({ name }) => name))
    else {
      expect(
        [...grid.columns].filter((name) => !named.some((column) => column.name === name)),
        where(),
      ).toEqual([])
      for (const { name } of named) {
        if (columnsMust.has(name)) expectSame(grid.columns.has(name), true, () => `${name} ${where()}`)
        if (grid.columns.has(name)) expectSame(columnsMay.has(name), true, () => `${name} ${where()}`)
      }
    }
  }
  for (const key of ['no rows', 'some rows', 'all rows', 'filtered out', 'part', 'none undefined', 'read undefined', 'write undefined'])
    expect(seen.get(key) ?? 0, key).toBeGreaterThan(0)
  for (const key of ['all undefined', 'write under conditions', 'all under conditions', 'all perhaps'])
    expect(seen.get(key) ?? 0, key).toBeGreaterThan(0)
})

const marks: Readonly<Record<string, string>> = {
  '+': 'some of it gained',
  '−': 'some lost',
  '±': 'some gained and some lost',
  '+?': 'perhaps some of it gained',
  '−?': 'perhaps some lost',
  '±?': 'perhaps some gained and some lost',
}

test('the marks of what changes in the grid', () => {
  const seen = new Map<string, number>()
  for (const { data, page, worlds } of changes(423, effort(120, 20))) {
    const { identities, resources } = knownNamesIn([worlds.gained[1]])
    const found = (side: 'gained' | 'lost', identity: string, own: readonly string[]) => {
      const all = own.flatMap((resource) => changesOf(worlds[side], identity, resource).map(({ change }) => change))
      return {
        sure: all.includes('sure'),
        any: all.some((change) => change !== 'none'),
        some: all.some((change) => change === 'sure' || change === 'perhaps'),
      }
    }
    for (const query of ['', 'type=*']) {
      const place = shown(matrix, '', page, query)
      happens('beforeprint')
      for (const row of place.all('table').flatMap((table) => table.all('tbody')[0]?.all('tr') ?? [])) {
        const name = row.all('th')[0]?.textContent
        const identity = data.identities.find(({ short }) => short === name)?.urn
        if (identity === undefined || !identities.includes(identity)) continue
        const columns = query === '' ? data.types.map(({ name }) => name) : data.resources.map(({ urn }) => urn)
        for (const [j, cell] of row.all('td').entries()) {
          const column = columns[j] as string
          const own = query === '' ? resources.filter((urn) => urn.split(':')[4] === column) : [column]
          const mark = cell.all('small').find(({ attributes }) => attributes.get('class')?.startsWith('mark'))?.textContent
          const words = cell.attributes.get('aria-label') ?? ''
          const [gained, lost] = [found('gained', identity, own), found('lost', identity, own)]
          const where = () => `${identity} ${column} ${mark} ${words} ${JSON.stringify({ gained, lost })}`
          if (mark === undefined) {
            expectSame(data.difference?.isOpen || !(gained.some || lost.some), true, where)
            expectSame(/gained|lost/.test(words), false, where)
            continue
          }
          seen.set(mark, (seen.get(mark) ?? 0) + 1)
          expectSame(words.endsWith(`, ${marks[mark]}`), true, where)
          const isSure = !mark.endsWith('?')
          if (/^[+±]/.test(mark)) expectSame(isSure ? gained.sure : gained.any, true, where)
          if (/^[−±]/.test(mark)) expectSame(isSure ? lost.sure : lost.any, true, where)
          if (mark.startsWith('+')) expectSame(lost.some && !data.difference?.isOpen, false, where)
          if (mark.startsWith('−')) expectSame(gained.some && !data.difference?.isOpen, false, where)
        }
      }
    }
  }
  for (const mark of Object.keys(marks).slice(0, 5)) expect(seen.get(mark) ?? 0, mark).toBeGreaterThan(0)
})

test('columns that are not on paper are counted', () => {
  const seen = { whole: 0, cut: 0 }
  for (const [many, wide] of [
    [3, 43],
    [2001, 21],
  ] as const) {
    const identities = Array.from({ length: many }, (_, i) => ({ urn: `urn:v1:eu:identity:user:ab/u-${i}`, groups: [] }))
    const resources = Array.from({ length: wide }, (_, i) => ({ urn: `urn:v1:eu:resource:vps:web-${i}` }))
    const { page } = plainPage(
      pageOf(worldOf({ identities, resources, policies: [] }), { ...about, of: fewActions.of } as typeof about, fewReads),
    )
    const place = shown(matrix, '', page, 'type=*')
    happens('beforeprint')
    const sheets = place.all('table').filter(({ attributes }) => attributes.get('role') !== 'grid')
    const printed = gridOf(sheets)
    const left = numberIn(place.textContent, /(\d+) of \d+ columns are not on paper/)
    expect([printed.rows.size, printed.columns.size + left]).toEqual([many, wide])
    seen[left > 0 ? 'cut' : 'whole']++
    let next = 1
    for (const sheet of sheets) {
      const [from, to, of] =
        /^Columns (\d+) to (\d+) of (\d+)$/
          .exec(sheet.all('caption')[0]?.textContent ?? '')
          ?.slice(1)
          .map(Number) ?? []
      expect([from, to, of]).toEqual([next, next + cellsOf(sheet.all('tr')[0] as PlainElement).length - 2, wide])
      next = (to as number) + 1
    }
  }
  expect(seen).toEqual({ whole: 1, cut: 1 })
})
