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
  for (let lineIndex = 0; lineIndex < lines.length; ) {
    // Empty lines are none.
    if (row.length === 0 && lines[lineIndex] === '\n') {
      lineIndex++
      continue
    }
    let field = ''
    if (lines[lineIndex] === '"') {
      lineIndex++
      for (;;) {
        const quote = lines.indexOf('"', lineIndex)
        if (quote < 0) return undefined
        field += lines.slice(lineIndex, quote)
        lineIndex = quote + 1
        if (lines[lineIndex] !== '"') break
        field += '"'
        lineIndex++
      }
      if (lineIndex < lines.length && lines[lineIndex] !== ',' && lines[lineIndex] !== '\n') return undefined
    } else {
      const start = lineIndex
      while (lineIndex < lines.length && lines[lineIndex] !== ',' && lines[lineIndex] !== '\n') lineIndex++
      field = lines.slice(start, lineIndex)
      if (field.includes('"')) return undefined
    }
    row.push(field)
    if (lines[lineIndex] === ',') {
      lineIndex++
      if (lineIndex < lines.length && lines[lineIndex] !== '\n') continue
      row.push('')
    }
    lineIndex++
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
    const [valueList, names, search] = lists ?? []
    if (!valueList || !isList(valueList) || !names || !search) return undefined
    const common = commonType([names, search].map(typeOf))
    const [keys, wanted] = common ? [names, search].map((list) => itemsOf(convert(list, common))) : []
    if (!keys || !wanted || valueList.items.length !== keys.length) return undefined
    spend(frame.budget, keys.length + wanted.length, span)
    const wantedKeys = new Set(wanted.map(keyOf))
    const matching = valueList.items.filter((_, i) => wantedKeys.has(keyOf(keys[i] as Node)))
    return listOf(span, valueList.type.of, matching)
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
