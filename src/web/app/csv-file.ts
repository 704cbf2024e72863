/** A CSV file from its lines, with the mark by which spreadsheets know UTF-8. */
export const csvFile = (lines: readonly string[]): Blob => new Blob(['\ufeff', ...lines], { type: 'text/csv;charset=utf-8' })
