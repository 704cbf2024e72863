import { countUpTo, type Sheet, stateSheet } from '../../page/sheets.ts'
import { boundedParts, csvParts } from '../../page/written.ts'
import { el, fill, saveFile } from '../dom.ts'
import { csvFile } from './csv-file.ts'
import type { Page } from './page.ts'

/** Buttons that save a table for another program. */

interface Xlsx {
  readonly workbook: (sheets: readonly Sheet[]) => Uint8Array<ArrayBuffer>
  readonly mostRows: number
}

/** Buttons for CSV and, where the page can make one, a workbook. `sheets`: made when one is pressed; the first is the CSV file. */
export function downloads(page: Page, sheets: () => readonly Sheet[]): HTMLElement {
  const note = el('span', { role: 'status' })
  const save = async (kind: string, make: (all: readonly Sheet[]) => Promise<Blob>) => {
    const all = sheets()
    try {
      saveFile(`${all[0]?.name ?? 'table'}.${kind}`, await make(all))
      fill(note)
    } catch (error) {
      fill(note, `Not saved: ${error instanceof Error ? error.message : String(error)}.`)
    }
  }
  const button = (text: string, title: string, act: () => void) =>
    el('button', { type: 'button', class: 'quiet', title, onclick: act }, text)
  return el(
    'p',
    { class: 'downloads' },
    'Save as ',
    button(
      'CSV',
      'All rows that are shown, with actions and conditions',
      () => void save('csv', (all) => Promise.resolve(csvOf(all[0] as Sheet))),
    ),
    page.has('workbook') &&
      button('Excel', 'The same as a workbook', () => {
        void save('xlsx', async (all) => {
          const { workbook, mostRows } = await page.load<Xlsx>('workbook')
          for (const sheet of all) refuseLong(sheet, mostRows)
          return new Blob([workbook([...all, stateSheet(page.data)])], {
            type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          })
        })
      }),
    note,
  )
}

/** The most characters of a file: browsers hold it in memory. */
const mostCharacters = 128 * 2 ** 20

/** A table as CSV, as far as a browser can hold it. */
function csvOf(sheet: Sheet): Blob {
  const parts = boundedParts(csvParts(sheet), mostCharacters)
  if (!parts) throw new Error('the table is too large for this page: filter it, or use `grantwise report --format csv`')
  return csvFile(parts)
}

function refuseLong(sheet: Sheet, mostRows: number): void {
  if (countUpTo(sheet, mostRows - 1) >= mostRows)
    throw new Error(`the table has more than ${mostRows - 1} rows, the most that a sheet may have: filter it`)
}
