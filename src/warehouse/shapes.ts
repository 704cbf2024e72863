/**
 * Names and values of the plain forms that SQL recognises, as regular expressions of the common subset: without backslashes and
 * without quotes. Each is narrower than the grammar of the product, or equal; what has another form is left to the engine, which
 * decides about it or refuses it.
 */

/** Blanks may be within a name, not around it. */
const name = '[!-)+-~]([ -)+-~]*[!-)+-~])?'
const urn = 'urn:v1:[a-z][a-z0-9-]*'

export const identityShape = `${urn}:identity:((user|group|credential):[A-Za-z0-9_.-]+/${name}|account:[!-)+-.0-9;-~]+)`
export const groupShape = `${urn}:identity:group:[A-Za-z0-9_.-]+/${name}`
export const resourceShape = `${urn}:resource:[A-Za-z][A-Za-z0-9_-]*(/[A-Za-z0-9_-]+)*:${name}`
export const actionShape = '[a-z][A-Za-z0-9]*:[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*([?][!-)+-~]*)?'
export const ownerShape = '[!-)+-.0-9;-~]+'

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
export const v4Shape = `${byte}[.]${byte}[.]${byte}[.]${byte}`

const group = '[0-9a-fA-F]{1,4}'
const repeated = (part: string, from: number, to: number) => (to === 0 ? '' : `(${part}){${from === to ? from : `${from},${to}`}}`)

/** After `::`, at most so many groups of 16 bits, of which an IPv4 address takes two. */
function afterGap(most: number): string {
  if (most === 0) return ''
  const groups = `${repeated(`${group}:`, 0, most - 1)}${group}`
  return most < 2 ? `(${groups})?` : `(${groups}|${repeated(`${group}:`, 0, most - 2)}${v4Shape})?`
}

export const v6Shape = [
  `${repeated(`${group}:`, 7, 7)}${group}`,
  `${repeated(`${group}:`, 6, 6)}${v4Shape}`,
  `::${afterGap(7)}`,
  ...[1, 2, 3, 4, 5, 6, 7].map((before) => `${group}${repeated(`:${group}`, before - 1, before - 1)}::${afterGap(7 - before)}`),
].join('|')

/** A JSON object of strings without escapes and brackets: some engines read others otherwise, or not. */
const string = '"[ !#-Z^-~]*"'
const blank = '[ ]*'
export const tagsShape = `[{]${blank}(${string}${blank}:${blank}${string}(${blank},${blank}${string}${blank}:${blank}${string})*)?${blank}[}]`
