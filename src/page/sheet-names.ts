/** The tables of a page for other programs (`sheets.ts`), in a separate file: the command line names them. */
/** Those that a CSV file may have. */
export const sheetNames = ['access', 'sensitive', 'changes', 'policies', 'review', 'findings', 'files'] as const
/** And the state, which a workbook has as well. */
export type SheetName = (typeof sheetNames)[number] | 'state'
