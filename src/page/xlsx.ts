import { strToU8, zipSync } from 'fflate'
import { cut, shown } from '../report/safe.ts'
import { fieldText, type Sheet, type SheetColumn } from './sheets.ts'

/** A workbook in Office Open XML, as spreadsheets read it: a sheet for each table, its heading fixed, with filters. */

/** The most rows of a sheet, its heading included, and the most characters of a cell: the limits of the format's programs. */
export const mostRows = 1_048_576
const mostCharacters = 32_767
/** The width of the widest column, in characters. */
const widest = 60

/** The bytes of a workbook. Texts are cells of text: none is a formula. */
export function workbook(sheets: readonly Sheet[]): Uint8Array {
  const files: Record<string, Uint8Array> = {
    '[Content_Types].xml': xml(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>${sheets
        .map((_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`)
        .join('')}</Types>`,
    ),
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets
        .map(({ title }, i) => `<sheet name="${escaped(title)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relations([
      ...sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': xml(styles),
  }
  sheets.forEach((sheet, i) => {
    files[`xl/worksheets/sheet${i + 1}.xml`] = strToU8(sheetXml(sheet))
  })
  // The same tables give the same bytes.
  return zipSync(files, { level: 6, mtime: '1980-01-01T00:00:00' })
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const xml = (text: string): Uint8Array => strToU8(`${declaration}${text}`)

const relations = (of: readonly (readonly [type: string, target: string])[]): Uint8Array =>
  xml(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${of
      .map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
  )

/** Two formats of cells: text, and the bold text of headings. */
const styles = `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

function sheetXml({ columns, rows }: Sheet): string {
  const lines = [
    rowXml(
      columns.map(([, title]) => title),
      1,
      ' s="1"',
    ),
  ]
  const widths = columns.map(([, title]) => title.length)
  for (const row of rows()) {
    const cells = row.map((field, i) => fieldText(columns[i] as SheetColumn, field))
    cells.forEach((text, i) => {
      widths[i] = Math.max(widths[i] as number, String(text).length)
    })
    lines.push(rowXml(cells, lines.length + 1, ''))
  }
  const last = `${columnName(columns.length - 1)}${lines.length}`
  return `${declaration}<worksheet xmlns="${main}"><dimension ref="A1:${last}"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths
    .map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${Math.min(widest, width + 2)}" customWidth="1"/>`)
    .join('')}</cols><sheetData>${lines.join('')}</sheetData><autoFilter ref="A1:${last}"/></worksheet>`
}

const rowXml = (row: readonly (string | number)[], number: number, style: string): string =>
  `<row r="${number}">${row.map((value, i) => cellXml(value, `${columnName(i)}${number}`, style)).join('')}</row>`

function cellXml(value: string | number, at: string, style: string): string {
  if (typeof value === 'number') return `<c r="${at}"${style}><v>${value}</v></c>`
  if (value === '') return ''
  return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(cut(shown(value), mostCharacters))}</t></is></c>`
}

/** `A`, …: no table has more than 26 columns. */
const columnName = (number: number): string => String.fromCharCode(65 + number)

/** `_x0041_` in a text would be read as the character of that number. */
const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
