/** The tables of a page for other programs (`sheets.ts`), in a file of their own: the command line names them. */
export const sheetNames = ['access', 'sensitive', 'changes', 'policies', 'findings', 'files'] as const
export type SheetName = (typeof sheetNames)[number]
