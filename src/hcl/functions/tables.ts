import { compareText } from '../../diagnostic.ts'
import type { Entry, Node } from '../../tree.ts'
import { convert } from '../convert.ts'
import { spend } from '../frame.ts'
import { anyType, collectionOf, objectOf, stringType } from '../types.ts'
import { commonType } from '../unify.ts'
import { isList, keyOf, listOf, longestText, mapAt, mapOf, sortedEntries, textNode, typeOf } from '../values.ts'
import { allKnown, type Builtin, builtin, itemsOf, ofMap, ofTexts, text, whole, withReaders } from './support.ts'

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

const anyList = collectionOf('list', anyType)
const textList = collectionOf('list', stringType)

export const tableFunctions: Readonly<Record<string, Builtin>> = {
  csvdecode: ofTexts(([written = ''], { span, frame }) => {
    if (written.includes('\r') && /\r(?!\n)/.test(written)) return 'unknown'
    const [head, ...rows] = rowsOf(written) ?? []
    if (!head || new Set(head).size < head.length || rows.some((row) => row.length !== head.length)) return undefined
    spend(frame.budget, rows.length * head.length, span)
    const entries = (row: readonly string[]) => head.map((name, i) => ({ key: textNode(span, name), value: textNode(span, row[i] ?? '') }))
    const records = rows.map((row) => mapAt(span, entries(row)))
    return listOf(span, objectOf(new Map(head.map((name) => [name, stringType]))), records)
  }),
  indent: withReaders([whole, text], ([spaces, given], { span }, [, value]) => {
    if (spaces < 0 || given.length + spaces * given.split('\n').length > longestText) return 'unknown'
    return given.includes('\n') && spaces > 0 ? textNode(span, given.replaceAll('\n', `\n${' '.repeat(spaces)}`)) : value
  }),
  matchkeys: builtin('whole', (values, { span, frame }) => {
    const lists = allKnown(values.map((value) => (value.kind === 'list' ? convert(value, anyList) : undefined)))
    const [given, names, search] = lists ?? []
    if (!given || !isList(given) || !names || !search) return undefined
    const common = commonType([names, search].map(typeOf))
    const [keys, wanted] = common ? [names, search].map((list) => itemsOf(convert(list, common))) : []
    if (!keys || !wanted || given.items.length !== keys.length) return undefined
    spend(frame.budget, keys.length + wanted.length, span)
    const found = new Set(wanted.map(keyOf))
    const kept = given.items.filter((_, i) => found.has(keyOf(keys[i] as Node)))
    return listOf(span, given.type.of, kept)
  }),
  transpose: ofMap((map, { span, frame }) => {
    const columns = new Map<string, string[]>()
    for (const { key, value: list } of sortedEntries(map)) {
      const names = itemsOf(list)?.map(text)
      if (!names || names.includes(undefined)) return undefined
      spend(frame.budget, names.length, span)
      for (const name of names as string[]) {
        const keys = columns.get(name) ?? []
        columns.set(name, keys)
        keys.push(key.value)
      }
    }
    const entries = [...columns]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, keys]): Entry => {
        const texts = keys.map((key) => textNode(span, key))
        return { key: textNode(span, name), value: listOf(span, stringType, texts) }
      })
    return mapOf(span, textList, entries)
  }, 'whole'),
}
