import { compareText } from '../../diagnostic.ts'
import type { Entry } from '../../tree.ts'
import { spend } from '../frame.ts'
import { unified } from '../unify.ts'
import { keyOf, listAt, longestText, mapAt, sortedEntries, textAt } from '../values.ts'
import { type Builtin, itemsOf, ofMap, ofTexts, readBy, text, whole } from './support.ts'

/** Lines and fields of comma-separated values (RFC 4180), as the reader of the language takes them; undefined where it refuses them. */
function rowsOf(written: string): readonly (readonly string[])[] | undefined {
  const lines = written.replaceAll('\r\n', '\n')
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < lines.length; ) {
    // Empty lines are none.
    if (row.length === 0 && lines[at] === '\n') {
      at++
      continue
    }
    let field = ''
    if (lines[at] === '"') {
      at++
      for (;;) {
        const quote = lines.indexOf('"', at)
        if (quote < 0) return undefined
        field += lines.slice(at, quote)
        at = quote + 1
        if (lines[at] !== '"') break
        field += '"'
        at++
      }
      if (at < lines.length && lines[at] !== ',' && lines[at] !== '\n') return undefined
    } else {
      const start = at
      while (at < lines.length && lines[at] !== ',' && lines[at] !== '\n') at++
      field = lines.slice(start, at)
      if (field.includes('"')) return undefined
    }
    row.push(field)
    if (lines[at] === ',') {
      at++
      if (at < lines.length && lines[at] !== '\n') continue
      row.push('')
    }
    at++
    rows.push(row)
    row = []
  }
  return rows
}

export const tableFunctions: Readonly<Record<string, Builtin>> = {
  csvdecode: ofTexts(([written = ''], { span, frame }) => {
    if (written.includes('\r') && /\r(?!\n)/.test(written)) return 'unknown'
    const [head, ...rows] = rowsOf(written) ?? []
    if (!head || new Set(head).size < head.length || rows.some((row) => row.length !== head.length)) return undefined
    spend(frame.budget, rows.length * head.length, span)
    const entries = (row: readonly string[]) => head.map((name, i) => ({ key: textAt(span, name), value: textAt(span, row[i] ?? '') }))
    const records = rows.map((row) => mapAt(span, entries(row)))
    return listAt(span, records)
  }),
  indent: readBy([whole, text], ([spaces, given], { span }, [, value]) => {
    if (spaces < 0 || given.length + spaces * given.split('\n').length > longestText) return 'unknown'
    return given.includes('\n') && spaces > 0 ? textAt(span, given.replaceAll('\n', `\n${' '.repeat(spaces)}`)) : value
  }),
  matchkeys: readBy([itemsOf, itemsOf, itemsOf], ([all, names, search], { span, frame }) => {
    if (all.length !== names.length) return undefined
    spend(frame.budget, names.length + search.length, span)
    const keyed = unified([...names, ...search]).map(keyOf)
    const found = new Set(keyed.slice(names.length))
    const kept = unified(all).filter((_, i) => found.has(keyed[i] as string))
    return listAt(span, kept)
  }),
  transpose: ofMap((map, { span, frame }) => {
    const found = new Map<string, string[]>()
    for (const { key, value: list } of sortedEntries(map)) {
      const names = itemsOf(list)?.map(text)
      if (!names || names.includes(undefined)) return undefined
      spend(frame.budget, names.length, span)
      for (const name of names as string[]) {
        const keys = found.get(name) ?? []
        found.set(name, keys)
        keys.push(key.value)
      }
    }
    const entries = [...found]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, keys]): Entry => {
        const texts = keys.map((key) => textAt(span, key))
        return { key: textAt(span, name), value: listAt(span, texts) }
      })
    return mapAt(span, entries)
  }, 'whole'),
}
