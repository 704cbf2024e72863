/** `a`, `a and b`, `a, b and c`. */
export const andList = (items: readonly string[], word = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`

/** `a`, `a or b`, `a, b or c`; past so many the rest is counted. */
export const orList = (items: readonly string[], most = Number.POSITIVE_INFINITY): string =>
  andList(items.length > most ? [...items.slice(0, most), `${items.length - most} more`] : items, 'or')
