import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { PageData } from '../../src/page/data.ts'
import { ReachIndex } from '../../src/page/reach.ts'
import { accessSheet, allSheets, changesSheet, fieldText, type Sheet, type SheetField } from '../../src/page/sheets.ts'
import { Tables } from '../../src/page/tables.ts'
import { csvParts, jsonParts } from '../../src/page/written.ts'
import { workbook } from '../../src/page/xlsx.ts'
import { fewReads } from '../support/claims.ts'
import { cases, changes, everyAction } from '../support/claims-page.ts'
import { effort } from '../support/effort.ts'

/** The tables of a page for other programs. */

const inputOf = (data: PageData) => {
  const tables = new Tables(data)
  return { data, tables, reaches: new ReachIndex(tables) }
}

/** The fields of a CSV file, read as RFC 4180 says. */
function csvFields(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  let field = ''
  for (let i = 0, isQuoted = false; i < text.length; i++) {
    const c = text[i] as string
    if (isQuoted && c === '"' && text[i + 1] === '"') field += text[++i]
    else if (c === '"') isQuoted = !isQuoted
    else if (isQuoted || (c !== ',' && c !== '\n')) field += c
    else {
      rows.at(-1)?.push(field)
      field = ''
      if (c === '\n') rows.push([])
    }
  }
  return rows.slice(0, -1)
}

const isSeen = (count: number) => count > 0

const csvOf = (sheet: Sheet) => csvFields([...csvParts(sheet)].join(''))

test('the access has each action that decisions allow, and none as always allowed that some context denies', () => {
  const seen = { always: 0, conditions: 0, unknown: 0 }
  for (const { data, on } of cases(881, effort(600, 30))) {
    const rows = [...accessSheet(inputOf(data)).rows()]
    const listed = (identity: string, resource: string, sure: readonly string[]) =>
      new Set(
        rows.flatMap(([who, , what, , , how, , actions]) =>
          who === identity && what === resource && sure.includes(how as string) ? (actions as readonly string[]) : [],
        ),
      )
    for (const [, , resource, , level, , , actions] of rows) {
      const isRead = (actions as readonly string[]).every((action) => fewReads.has(action))
      expect({ resource, actions, isRead: level === 'read' }).toEqual({ resource, actions, isRead })
    }
    data.identities.forEach(({ urn: identity }, i) => {
      data.resources.forEach(({ urn: resource }, j) => {
        const contexts = on(i, j)
        const [always, sometimes] = [
          listed(identity, resource, ['without conditions']),
          listed(identity, resource, ['without conditions', 'under conditions']),
        ]
        const unknown = listed(identity, resource, ['unknown'])
        for (const action of everyAction) {
          const allowedIn = contexts.filter(({ allowed }) => allowed.includes(action)).length
          const where = { identity, resource, action }
          if (always.has(action)) expect({ ...where, allowedIn }).toEqual({ ...where, allowedIn: contexts.length })
          if (allowedIn > 0) expect({ ...where, isListed: sometimes.has(action) }).toEqual({ ...where, isListed: true })
          if (contexts.some(({ open }) => open.includes(action)) && allowedIn === 0)
            expect({ ...where, isListed: unknown.has(action) || sometimes.has(action) }).toEqual({ ...where, isListed: true })
        }
        seen.always += always.size
        seen.conditions += sometimes.size - always.size
        seen.unknown += unknown.size
      })
    })
  }
  expect(seen).toEqual({ always: expect.toSatisfy(isSeen), conditions: expect.toSatisfy(isSeen), unknown: expect.toSatisfy(isSeen) })
})

test('CSV, JSON and the workbook have the same rows', () => {
  let rows = 0
  for (const { data } of cases(4, 6)) rows += sameRows(data)
  expect(rows).toBeGreaterThan(20)
})

/** How many rows the tables have, which are the same in each format. */
function sameRows(data: PageData): number {
  const input = inputOf(data)
  const json = JSON.parse([...jsonParts(input)].join('')) as Record<string, readonly Record<string, unknown>[]>
  const files = unzipSync(workbook(allSheets(input)))
  let rows = 0
  allSheets(input).forEach((sheet, i) => {
    const fromCsv = csvOf(sheet)
    // Categories are words of the program: JSON has their names, the others their titles.
    const fromJson = (json[sheet.name] ?? []).map((row) =>
      sheet.columns.map((column) => String(fieldText(column, row[column[0]] as SheetField))),
    )
    expect(fromCsv.slice(1)).toEqual(fromJson)
    const xml = strFromU8(files[`xl/worksheets/sheet${i + 1}.xml`] as Uint8Array)
    const lines = xml.match(/<row .*?<\/row>/g) ?? []
    expect(lines.length).toBe(fromCsv.length)
    expect([...(lines[1] ?? '').matchAll(/<(?:t xml:space="preserve"|v)>(.*?)<\/(?:t|v)>/g)].map(([, text]) => text)).toEqual(
      (fromCsv[1] ?? []).filter((text) => text !== ''),
    )
    rows += fromCsv.length - 1
  })
  return rows
}

test('changes are in the table with the actions and the side that the page has', () => {
  let count = 0
  for (const { data } of changes(71, effort(60, 24))) {
    const rows = [...changesSheet(inputOf(data)).rows()]
    const sides = (['gained', 'lost'] as const).flatMap((side) => (data.difference?.[side] ?? []).map(({ actions }) => [side, actions]))
    expect(rows.map(([side, , , , , actions]) => [side, actions])).toEqual(sides)
    count += rows.length
  }
  expect(count).toBeGreaterThan(0)
})

describe('names that mean something to spreadsheets', () => {
  const sheet = (text: string): Sheet => ({ name: 'policies', title: 'P & <Q>', columns: [['policy', 'Policy']], rows: () => [[text]] })
  test.each([
    ['=HYPERLINK("http://x")', `'=HYPERLINK("http://x")`],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['a,b "c"', 'a,b "c"'],
    ['two\nlines', 'two\\u{a}lines'],
  ])('%j is text in CSV', (name, field) => {
    expect(csvOf(sheet(name))).toEqual([['Policy'], [field]])
  })

  test.each([
    ['=1+1', '=1+1'],
    ['<b>&"', '&lt;b&gt;&amp;&quot;'],
    ['_x0041_', '_x005F_x0041_'],
    ['\u0001', '\\u{1}'],
  ])('%j is text in a workbook', (name, text) => {
    const files = unzipSync(workbook([sheet(name)]))
    expect(strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array)).toContain(
      `<c r="A2" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`,
    )
    expect(strFromU8(files['xl/workbook.xml'] as Uint8Array)).toContain('name="P &amp; &lt;Q&gt;"')
  })

  test('a workbook has a filter over all rows, columns of a width that can be read, and cells of a length that is taken', () => {
    const text = (rows: readonly string[]) =>
      strFromU8(
        unzipSync(workbook([{ name: 'policies', title: 'A', columns: [['policy', 'Policy']], rows: () => rows.map((row) => [row]) }]))[
          'xl/worksheets/sheet1.xml'
        ] as Uint8Array,
      )
    expect(text(['a', 'b'])).toContain('<autoFilter ref="A1:A3"/>')
    expect(['a', 'a'.repeat(20), 'a'.repeat(90)].map((row) => /width="(\d+)"/.exec(text([row]))?.[1])).toEqual(['8', '22', '60'])
    expect(/<c r="A2"[^>]*><is><t[^>]*>(.*?)<\/t>/.exec(text(['a'.repeat(40_000)]))?.[1]).toBe(`${'a'.repeat(32_766)}…`)
  })
})
