import { expect, test } from 'vitest'
import { matrixCsv, matrixJson, matrixLines, matrixMarkdown, matrixText } from '../../src/answers/matrix.ts'
import { Budget } from '../../src/budget.ts'
import { svgFile } from '../../src/picture/file.ts'
import { matrixHtml, matrixSvg } from '../../src/picture/matrix.ts'
import type { World } from '../../src/policy.ts'
import { paint } from '../../src/report/colour.ts'
import { Names } from '../../src/report/names.ts'
import { decide } from '../../src/simulate/decide.ts'
import { type KnownNames, knownNamesIn } from '../../src/symbolic/described.ts'
import { always, evaluate } from '../../src/symbolic/formula.ts'
import { beyondCells, type Column, type MatrixCell, matrix } from '../../src/symbolic/matrix.ts'
import { Windows } from '../../src/symbolic/windows.ts'
import { accounts, catalogue, contextsFor, fewActions, fewReads, readMark, someAccount } from '../support/claims.ts'
import { effort, untilSeen } from '../support/effort.ts'
import { levelOf } from '../support/levels.ts'
import { type Random, randomOf, worldOf } from '../support/worlds.ts'

/**
 * No cell of `matrix` says more than decisions do: of every format the cells are read back, and held against the JSON and against every
 * action on every resource in contexts that meet each condition and miss it.
 */

const times = { at: undefined, from: Date.UTC(2026, 0), time: always, windows: new Windows() }

interface MatrixJson {
  readonly columns: readonly Column[]
  readonly rows: readonly {
    readonly identity: string
    readonly cells: readonly {
      readonly level: string
      readonly unconditional: string
      readonly conditional: boolean
      readonly certain: boolean
      readonly resources: number
      readonly condition: string | null
      readonly partly: boolean
      readonly reason: string
      readonly policies: readonly { readonly policy: string }[]
    }[]
  }[]
}

interface BeyondJson {
  readonly undescribed?: readonly { readonly identities: readonly string[] }[]
}

const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)

/** The actions about its type that decisions allow on each resource of a column, in each context. */
function allowedOn(world: World, identity: string, { name, type }: Column, resources: readonly string[]) {
  const own = resources.filter((each) => (name === type ? each.split(':')[4] === type : each === name))
  return own.map((resource) =>
    contextsFor(world, resource).map((context) =>
      fewActions.of(type).filter((action) => decide(world, { identity, resource, action, groups: [], ...context }).verdict === 'allow'),
    ),
  )
}

const rankOf = (level: string) => ['none', 'read', 'write', 'all'].indexOf(level)

const extra = (name: string, on: string, action: string, values?: object) => ({
  name,
  identities: ['urn:v1:eu:identity:user:ab/bob'],
  resources: [{ urn: `urn:v1:eu:resource:${on}` }],
  permissions: { allow: [{ action }] },
  ...(values && { conditions: { operator: 'MATCH', values } }),
})
/** All actions about a type, and at no time all of them. */
const byDayAndNight = [
  extra('night', 'account:ab', 'account:apisvc:iam/policy/edit', { 'date(UTC).Hour.LT': '6' }),
  extra('day', 'account:ab', 'account:apisvc:me/identity/user/edit', { 'date(UTC).Hour.GE': '6' }),
]
/** The same action on two resources, on one of them under a condition. */
const byPlace = [
  extra('one', 'vps:web-1', 'vps:apisvc:reboot', { 'request.IP.IN_RANGE': '192.0.2.0/24' }),
  extra('two', 'vps:web-2', 'vps:apisvc:reboot'),
]

/** Accounts with cells in which resources or actions differ in their conditions. */
function* mixedAccounts(seed: number, count: number) {
  const random = randomOf(seed)
  for (let i = 0; i < count; i++) {
    const [account] = someAccount(random)
    const more = [random() < 0.15 ? byDayAndNight : [], random() < 0.3 ? byPlace : []].flat()
    yield worldOf({ ...account, policies: [...account.policies, ...more] })
  }
}

test('no cell of `matrix` is above what is allowed, nor guaranteed', () => {
  const seen = new Map<string, number>()
  for (const world of mixedAccounts(21, effort(500))) {
    const things = knownNamesIn([world])
    const options = { actions: fewActions, reads: fewReads, byResource: false }
    for (const byResource of [false, true]) {
      const answer = matrix(world, things, { ...options, byResource })
      const { columns, rows } = JSON.parse(JSON.stringify(matrixJson(answer, times))) as MatrixJson
      for (const { identity, cells } of rows)
        for (const [j, cell] of cells.entries()) {
          const column = columns[j] as Column
          const found = allowedOn(world, identity, column, things.resources)
          const reached = found
            .map((contexts) => [...new Set(contexts.flat())])
            .map((all) => rankOf(levelOf(all, fewActions.of(column.type), fewReads)))
          const level = rankOf(cell.level)
          const where = `${identity} ${column.name} ${JSON.stringify(cell)}`
          expect(found.length, where).toBe(column.resources)
          // Nothing is allowed beyond the cell, in any context and on any resource.
          expect(Math.max(...reached), where).toBeLessThanOrEqual(level)
          if (cell.certain)
            expect(reached.filter((each) => each === level).length, where).toBe(level === 0 ? column.resources : cell.resources)
          // A claim that is made for any case holds in each context, on as many resources.
          const least = found.map((contexts) =>
            Math.min(...contexts.map((own) => rankOf(levelOf(own, fewActions.of(column.type), fewReads)))),
          )
          const isSure = cell.certain && !cell.conditional
          if (isSure) expect(least.filter((each) => each >= level).length, where).toBe(level === 0 ? column.resources : cell.resources)
          else if (cell.certain) expect(least.filter((each) => each >= level).length, where).toBeLessThan(cell.resources)
          const key = `${cell.level} ${isSure ? 'always' : cell.certain ? 'sometimes' : 'perhaps'}`
          seen.set(key, (seen.get(key) ?? 0) + 1)
        }
    }
  }
  for (const key of [
    'none always',
    'read always',
    'read sometimes',
    'write always',
    'write sometimes',
    'all always',
    'all sometimes',
    'all perhaps',
  ])
    expect(seen.get(key), key).toBeGreaterThan(0)
})

/** The facts of a context as a formula sees them. */
const modelOf = ({ at, ip, tags }: ReturnType<typeof contextsFor>[number]) => ({
  at,
  ip,
  tags: new Map([['env', tags?.get('env') ?? null]]),
  assumed: new Map<string, boolean>(),
})

test('the condition of a cell is that of all that the cell says, or it is said to be of a part', () => {
  const seen = { whole: 0, part: 0 }
  for (const world of untilSeen(seen, 2000, (count) => mixedAccounts(23, count))) {
    const things = knownNamesIn([world])
    const answer = matrix(world, things, { actions: fewActions, reads: fewReads })
    const json = JSON.parse(JSON.stringify(matrixJson(answer, times))) as MatrixJson
    const lines = matrixLines(answer, times).split('\n')
    for (const [i, identity] of answer.identities.entries())
      for (const [j, column] of answer.columns.entries()) {
        const cell = answer.rows[i]?.[j] as MatrixCell
        const said = json.rows[i]?.cells[j] as MatrixJson['rows'][number]['cells'][number]
        if (cell.level === 'none' || !said.certain) continue
        const line = lines.find((each) => each.startsWith(`${identity} · ${column.name} · `)) as string
        expect(line.includes(' · in part '), line).toBe(said.partly)
        expect(/ · when /.test(line), line).toBe(!said.partly && said.condition !== null)
        seen[said.partly ? 'part' : 'whole']++
        const own = things.resources.filter((each) => each.split(':')[4] === column.type)
        const about = fewActions.of(column.type)
        // In each context, each resource with the same tags where they are not known.
        for (const tags of [new Map<string, string>(), new Map([['env', 'prod']]), new Map([['env', 'dev']])])
          for (const { at, ip } of contextsFor(world, 'urn:v1:eu:resource:vps:other')) {
            const holds = evaluate(cell.condition, modelOf({ at, ip, tags }))
            const reached = own.map((resource) => {
              const known = world.resources.get(resource)?.tags !== undefined
              const asked = { identity, resource, groups: [], at, ip, ...(!known && { tags }) }
              return rankOf(
                levelOf(
                  about.filter((action) => decide(world, { ...asked, action }).verdict === 'allow'),
                  about,
                  fewReads,
                ),
              )
            })
            const full = reached.filter((each) => each === rankOf(cell.level)).length
            const where = `${line} ${new Date(at).toISOString()} ${JSON.stringify([...tags])} ${reached.join(' ')}`
            if (holds && !said.partly) expect(full, where).toBe(cell.resources)
            if (holds && said.partly) expect(Math.max(...reached), where).toBeGreaterThan(0)
            if (holds === false) expect(full, where).toBe(0)
          }
      }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

/** A cell as it is written, of a JSON cell. */
const markOf = ({ level, conditional, certain, resources }: MatrixJson['rows'][number]['cells'][number], { resources: of }: Column) => ({
  level,
  confidence: level === 'none' ? 'always' : !certain ? 'perhaps' : conditional ? 'sometimes' : 'always',
  resources: level === 'none' ? of : resources,
})

type Marks = ReadonlyMap<string, ReturnType<typeof markOf>>
const keyOf = (identity: string, column: string) => `${identity} on ${column}`

/** The cells of a table: its titles, then a name and cells in each row; `of` the resources of each column. */
function cellsIn(titles: readonly string[], rows: readonly (readonly string[])[], of: ReadonlyMap<string, number>): Marks {
  return new Map(
    rows.flatMap(([name = '', ...cells]) =>
      cells.map((cell, j) => {
        const title = titles[j] as string
        return [keyOf(name, title), readMark(cell, of.get(title) as number)] as const
      }),
    ),
  )
}

const splitIn = (line: string) => line.trim().split(/ {2,}/)

/** The table of a text, with numbered columns named again. */
function tableIn(
  text: string,
  of: ReadonlyMap<string, number>,
): { readonly cells: Marks; readonly idle: readonly string[]; readonly columns: readonly string[] } {
  const [, , ...lines] = text.split('\n')
  const end = lines.indexOf('')
  const body = lines.slice(0, end < 0 ? lines.length : end).filter((line) => line !== '' && !line.startsWith('note:'))
  const idleLine = body.find((line) => line.startsWith('nothing:'))
  const isRest = (line: string) => /^\d+ more (?:column|row)s?\b/.test(line)
  const table = body.filter((line) => line !== idleLine && !isRest(line))
  const head = table.findIndex((line) => line.startsWith(' '))
  const numbers = new Map(
    table
      .slice(0, Math.max(head, 0))
      .join(' ')
      .split(', ')
      .flatMap((each) => (each === '' ? [] : [each.split(' ') as [string, string]])),
  )
  const titles = head < 0 ? [] : splitIn(table[head] as string).map((title) => numbers.get(title) ?? title)
  return {
    cells: cellsIn(titles, table.slice(head + 1).map(splitIn), of),
    idle: idleLine ? idleLine.slice('nothing: '.length).split(', ') : [],
    columns: titles,
  }
}

const legendMarks = [
  ['read', /^(?:read|R): /m],
  ['write', /^(?:write|W): /m],
  ['all', /^(?:all|A): /m],
  ['sometimes', /^\*: /m],
  ['perhaps', /^\?: /m],
] as const

test('every format of `matrix` has the same cells, and explains the marks that occur', () => {
  const seen = { words: 0, letters: 0, numbers: 0, one: 0, left: 0, part: 0 }
  for (const { world } of untilSeen(seen, 300, (count) => accounts(22, count))) {
    const all = knownNamesIn([world])
    const names = new Names([world])
    const some = (things: KnownNames, byResource: boolean) => {
      const answer = matrix(world, things, { actions: fewActions, reads: fewReads, byResource })
      const json = JSON.parse(JSON.stringify(matrixJson(answer, times))) as MatrixJson
      const of = new Map(
        json.columns.flatMap(({ name, resources }) => [name, names.resource(name)].map((each) => [each, resources] as const)),
      )
      const title = ({ name, type }: Column) => (name === type ? name : names.resource(name))
      const named = (identity: (urn: string) => string, column: (column: Column) => string): Marks =>
        new Map(
          json.rows.flatMap((row) =>
            row.cells.map((cell, j) => {
              const own = json.columns[j] as Column
              return [keyOf(identity(row.identity), column(own)), markOf(cell, own)] as const
            }),
          ),
        )
      const short = named((urn) => names.identity(urn), title)
      return {
        answer,
        json,
        of,
        short,
        whole: named(
          (urn) => urn,
          ({ name }) => name,
        ),
      }
    }
    for (const byResource of [false, true]) {
      const { answer, json, of, short, whole } = some(all, byResource)
      // The terminal, wide and narrow.
      for (const width of [200, 48, 30]) {
        const text = matrixText(answer, times, { names, paint: paint(false), width })
        expect(text.split('\n')[0]).toBe(
          `${json.rows.length} ${json.rows.length === 1 ? 'identity' : 'identities'}, ${json.columns.length} ${byResource ? 'resource' : 'resource type'}${json.columns.length === 1 ? '' : 's'}, now or later`,
        )
        if (json.rows.length < 2) continue
        const { cells, idle, columns } = tableIn(text, of)
        for (const [key, mark] of cells) expect(mark, `${key}\n${text}`).toEqual(short.get(key))
        // Who is said to have nothing has nothing in any cell, and each identity that has something has a row.
        const isIdle = (row: MatrixJson['rows'][number]) => row.cells.every(({ level }) => level === 'none')
        expect([...idle].sort(), text).toEqual(
          json.rows
            .filter(isIdle)
            .map(({ identity }) => names.identity(identity))
            .sort(),
        )
        const rows = json.rows.length - idle.length
        expect(cells.size).toBe(rows * columns.length)
        const left = /^(\d+) more columns? /m.exec(text)?.[1]
        if (rows > 0) expect(json.columns.length - columns.length, text).toBe(Number(left ?? 0))
        if (left !== undefined) seen.left++
        if (cells.size > 0)
          seen[text.match(/^1 \S/m) ? 'numbers' : / (?:read|write|all|none)\b/.test(text.split('\n\n')[1] ?? '') ? 'words' : 'letters']++
      }
      const explained = [
        matrixText(answer, times, { names, paint: paint(false), width: 200 }),
        matrixMarkdown(answer, times, names).replace(/^- |\\(?=\*)/gm, ''),
        matrixHtml(answer, times, names).replace(/<li>/g, '\n'),
      ]
      // A cell that names two levels has first the one that needs no condition.
      const sure = json.rows.flatMap(({ cells }) => cells.map(({ conditional, unconditional }) => (conditional ? unconditional : 'none')))
      const marks = [...short.values()].flatMap(({ level, confidence }) => (level === 'none' ? [] : [level, confidence])).concat(sure)
      for (const text of explained) {
        for (const [mark, line] of legendMarks) expect(line.test(text), `${mark}\n${text}`).toBe(marks.includes(mark))
        const isPart = json.rows.some(({ cells }) =>
          cells.some((cell, j) => cell.level !== 'none' && cell.resources < (json.columns[j] as Column).resources),
        )
        expect(/^2\/5: /m.test(text)).toBe(isPart)
        if (isPart) seen.part++
      }
      // Markdown, CSV, lines, the page and the picture.
      const bars = matrixMarkdown(answer, times, names)
        .split('\n')
        .filter((line) => line.startsWith('| '))
        .map((line) =>
          line
            .slice(2, -2)
            .split(' | ')
            .map((cell) => cell.replaceAll('\\*', '*').replace(/^`|`$/g, '')),
        )
      expect(cellsIn(bars[0]?.slice(1) ?? [], bars.slice(1), of)).toEqual(short)
      const csv = matrixCsv(answer)
        .trimEnd()
        .split('\n')
        .map((line) => line.split(','))
      expect(cellsIn(csv[0]?.slice(1) ?? [], csv.slice(1), of)).toEqual(whole)
      const lines = matrixLines(answer, times)
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(' · '))
      const something = [...whole].filter(([, { level }]) => level !== 'none')
      expect(new Map(lines.map(([who = '', on = '', cell = '']) => [keyOf(who, on), readMark(cell, of.get(on) as number)]))).toEqual(
        new Map(something),
      )
      const html = matrixHtml(answer, times, names)
      const inRow = [...html.matchAll(/<th scope="row" title="([^"]*)">.*?<\/tr>/gs)].map(([row, urn]) => [
        urn as string,
        ...[...row.matchAll(/<td class="[^"]*" title="[^"]*">([^<]*)<\/td>/g)].map(([, cell]) => cell as string),
      ])
      expect(
        cellsIn(
          json.columns.map(({ name }) => name),
          inRow,
          of,
        ),
      ).toEqual(whole)
      const titles = (text: string, find: RegExp) =>
        [...text.matchAll(find)].map(([, title = '']) => title.replace(/, by .*$/, '').replace(/: \w+ in any case; /, ': '))
      const wanted = [...short].map(
        ([key, { level, confidence }]) =>
          `${key}: ${level}${{ always: '', sometimes: ', under a condition', perhaps: ', depends on unknown facts' }[confidence]}`,
      )
      expect(titles(html, /<td class="[^"]*" title="([^"]*)"/g)).toEqual(wanted)
      expect(titles(svgFile(matrixSvg(answer, times, names)), /<title>([^<]* on [^<]*: [^<]*)<\/title>/g)).toEqual(wanted)
    }
    // One identity: each column with the same cell, and what it has nothing on.
    const { answer, json, of } = some({ ...all, identities: all.identities.slice(0, 1) }, true)
    const [row] = json.rows
    if (!row) continue
    seen.one++
    const text = matrixText(answer, times, { names, paint: paint(false), all: true })
    const own = text.split('\n').filter((line) => /^ {2}\S.* (?:read|write|all)[*?]?(?: \d+\/\d+)?(?: {2}when |$)/.test(line))
    const found = new Map(own.map(splitIn).map(([column = '', cell = '']) => [column, readMark(cell, of.get(column) as number)]))
    const wanted = row.cells.flatMap((cell, j) => {
      const column = json.columns[j] as Column
      return cell.level === 'none' ? [] : [[names.resource(column.name), markOf(cell, column)] as const]
    })
    expect(found, text).toEqual(new Map(wanted))
    const none = /^ {2}none on (.*)$/m.exec(text)?.[1]?.split(', ') ?? []
    expect(none.length).toBe(row.cells.length - wanted.length)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

/** More identities, resources, types and policies than a table shows. */
function bigAccount(random: Random, isWide: boolean) {
  const some = (most: number) => Math.ceil(random() * most)
  const urn = (kind: string, name: string) => `urn:v1:eu:identity:${kind}:ab/${name}`
  const users = Array.from({ length: 20 + some(30) }, (_, i) => urn(i % 5 === 0 ? 'group' : 'user', `n${i}`))
  const idle = Array.from({ length: 8 + some(8) }, (_, i) => urn('user', `idle${i}`))
  const resources = [
    ...Array.from({ length: 12 + some(4) }, (_, i) => `vps:web-${i}`),
    ...Array.from({ length: isWide ? 4 : 14 }, (_, i) => `type${i}:x`),
  ].map((name) => `urn:v1:eu:resource:${name}`)
  const elsewhere = Array.from({ length: isWide ? 12 : some(8) - 1 }, (_, i) => `urn:v1:eu:resource:vps:gone-${i}-*`)
  const policy = (name: string, identities: readonly string[], on: readonly string[]) => ({
    name,
    identities,
    resources: on.map((each) => ({ urn: each })),
    permissions: { allow: [{ action: 'vps:apisvc:reboot' }] },
  })
  const vps = resources.filter((each) => each.includes(':vps:'))
  return worldOf({
    identities: [...users, ...idle].map((each) => ({ urn: each, groups: [] })),
    resources: resources.map((each) => ({ urn: each })),
    policies: [
      policy('all', users, isWide ? vps : vps.slice(0, 6)),
      ...Array.from({ length: isWide ? 4 : 1 }, (_, i) => policy(`more ${i}`, users.slice(0, 6), vps.slice(0, 3))),
      ...elsewhere.map((each, i) => policy(`gone ${i}`, users.slice(0, 1 + (i % 7)), [each])),
    ],
  })
}

const kindWords: readonly (readonly [words: RegExp, kind: string])[] = [
  [/(\d+) (?:person|people|users?)\b/, 'user'],
  [/(\d+) groups?\b/, 'group'],
]

/** `a, b and 3 more` */
function readSome(words: string): { readonly listed: readonly string[]; readonly left: number } {
  const [, listed = '', left = '0'] = /^(.*?)(?: and (\d+) more)?$/.exec(words) ?? []
  return { listed: listed.split(', '), left: Number(left) }
}

test('what `matrix` leaves out of a long table is counted', () => {
  const seen = { rows: 0, columns: 0, idle: 0, cells: 0, policies: 0, none: 0, types: 0, patterns: 0, others: 0 }
  const random = randomOf(24)
  for (const run of untilSeen(seen, 80)) {
    const world = bigAccount(random, run % 2 === 1)
    const all = knownNamesIn([world])
    const names = new Names([world])
    const answerOf = (things: KnownNames) => {
      const found = matrix(world, things, { actions: fewActions, reads: fewReads, byResource: true })
      const { found: beyond } = beyondCells(found, {
        world,
        withPatterns: true,
        given: { from: times.from },
        catalogue,
        actions: fewActions,
        run: new Budget(),
      })
      const answer = { ...found, beyond }
      return { answer, json: JSON.parse(JSON.stringify(matrixJson(answer, times))) as MatrixJson & BeyondJson }
    }
    const { answer, json } = answerOf(all)
    const text = matrixText(answer, times, { names, paint: paint(false), width: 60 })
    const lines = text.split('\n')
    const isUsed = (row: MatrixJson['rows'][number]) => row.cells.some(({ level }) => level !== 'none')
    const beyond = json.undescribed ?? []
    const elsewhere = new Set(beyond.flatMap(({ identities }) => identities))
    const used = json.rows.filter(isUsed)
    const inRows = used.filter(({ identity }) => lines.some((line) => line.startsWith(`${names.identity(identity)} `)))
    const more = lines.find((line) => /^\d+ more rows?,/.test(line)) ?? ''
    expect(numberIn(more, /^(\d+)/), text).toBe(used.length - inRows.length)
    const left = used.filter((row) => !inRows.includes(row)).map(({ identity }) => identity.split(':')[4])
    for (const [words, kind] of kindWords) expect(numberIn(more, words), more).toBe(left.filter((each) => each === kind).length)
    if (more !== '') seen.rows++
    const columns = lines.find((line) => /^\d+ more columns? /.test(line)) ?? ''
    const titles = new Set(lines.flatMap((line) => [...line.matchAll(/(?:^|, )\d+ (vps:\S+?)(?=,|$)/g)].map(([, title]) => title)))
    const own = json.columns.map(({ name }) => names.resource(name))
    expect(numberIn(columns, /^(\d+)/), text).toBe(own.filter((name) => !titles.has(name)).length)
    if (columns !== '') {
      seen.columns++
      const { listed, left: others } = readSome(/ \((.*)\): /.exec(columns)?.[1] ?? '')
      expect(
        listed.every((name) => own.includes(name) && !titles.has(name)),
        columns,
      ).toBe(true)
      expect(listed.length + others).toBe(numberIn(columns, /^(\d+)/))
    }
    const idle = json.rows.filter((row) => !isUsed(row) && !elsewhere.has(row.identity)).map(({ identity }) => names.identity(identity))
    const nothing = readSome(lines.find((line) => line.startsWith('nothing: '))?.slice('nothing: '.length) ?? '')
    expect(nothing.listed.length + nothing.left, text).toBe(idle.length)
    expect(nothing.listed.every((name) => idle.includes(name))).toBe(true)
    if (nothing.left > 0) seen.idle++
    // Types that no action is about.
    const types = readSome(/^note: no action of the catalogue is about (.*): not shown$/m.exec(text)?.[1] ?? '')
    const unknown = new Set(all.resources.map((urn) => urn.split(':')[4] as string).filter((type) => fewActions.of(type).length === 0))
    expect(unknown.size === 0 ? 0 : types.listed.length + types.left, text).toBe(unknown.size)
    if (types.left > 0) seen.types++
    // Access to resources that are not described, and who has it.
    const words = /^note: not shown: grants (?:.*?): (.*); `what IDENTITY` lists them$/m.exec(text)?.[1]
    const patterns = new Set(
      world.policies.flatMap(({ resources }) => resources.map(({ value }) => value.text)).filter((urn) => urn.includes(':gone-')),
    )
    expect(words !== undefined, text).toBe(patterns.size > 0)
    const grants = [...(words ?? '').matchAll(/(?:^|, )(.*?) on (vps:gone-\d+-\*)/g)]
    const rest = Number(/ and (\d+) more$/.exec(words ?? '')?.[1] ?? 0)
    expect(grants.length + rest, words).toBe(patterns.size)
    if (rest > 0) seen.patterns++
    for (const [, who = '', on = ''] of grants) {
      const resource = `urn:v1:eu:resource:${on.replace('*', 'x')}`
      const may = all.identities.filter(
        (identity) => decide(world, { identity, resource, action: 'vps:apisvc:reboot', groups: [], at: 0 }).verdict === 'allow',
      )
      const { listed, left: others } = readSome(who)
      expect(listed.length + others, words).toBe(may.length)
      expect(listed.every((name) => may.some((urn) => names.identity(urn) === name))).toBe(true)
      if (others > 0) seen.others++
    }
    // One identity, and its policies.
    const one = answerOf({ ...all, identities: all.identities.filter((urn) => urn.endsWith('/n1')) })
    const single = matrixText(one.answer, times, { names, paint: paint(false) })
    const cells = one.json.rows[0]?.cells ?? []
    const blocks = single.split(/^(?= {2}\S)/m).filter((block) => /^ {2}vps:\S+ +(?:read|write|all)/.test(block))
    const hidden = numberIn(single, /^ {2}and (\d+) more:/m)
    expect(blocks.length + hidden, single).toBe(cells.filter(({ level }) => level !== 'none').length)
    if (hidden > 0) seen.cells++
    for (const block of blocks) {
      const column = /^ {2}(\S+)/.exec(block)?.[1]
      const cell = cells.find((_, j) => names.resource((one.json.columns[j] as Column).name) === column)
      const others = numberIn(block, /and (\d+) more polic/)
      expect([...block.matchAll(/^ {4}by /gm)].length + others, block).toBe(cell?.policies.length)
      if (others > 0) seen.policies++
    }
    const noneOn = readSome(/^ {2}none on (.*)$/m.exec(single)?.[1] ?? '')
    const none = cells.filter(({ level }) => level === 'none').length
    expect(none === 0 ? 0 : noneOn.listed.length + noneOn.left, single).toBe(none)
    if (none > 0) seen.none++
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
