import { describe, expect, it } from 'vitest'
import type { Edit } from '../src/diagnostic.ts'
import { applyEdits, hoist, removeEntries, removeItems, reorderItems, unwrap, wrapInList, wrapInObject } from '../src/edits.ts'
import { readTree } from '../src/parser/tree.ts'
import { readYaml } from '../src/parser/yaml.ts'
import { type Source, sourceOf } from '../src/source.ts'
import { type Edits, quote, renameKey, replaceText } from '../src/texts.ts'
import { type ListNode, type MapNode, type Node, plainValue, type TextNode } from '../src/tree.ts'
import { type Plain, someValue, type Written, writeDocument } from './support/documents.ts'
import { effort } from './support/effort.ts'
import { expectSame } from './support/same.ts'
import { pick, type Random, randomOf, shuffled } from './support/worlds.ts'

function read(source: Source): { readonly root: Node | undefined; readonly problems: readonly string[] } {
  const { documents, diagnostics } = readTree(source, readYaml)
  return { root: documents[0], problems: diagnostics.map(({ message }) => message) }
}

/** The plain value with ordinary objects, so that it can be compared. */
const plainOf = (node: Node): Plain => JSON.parse(JSON.stringify(plainValue(node)))

type Path = readonly (string | number)[]

/** Every node with the path to it. */
function* nodesOf(node: Node, path: Path = []): Generator<readonly [Node, Path]> {
  yield [node, path]
  if (node.kind === 'list') for (const [i, item] of node.items.entries()) yield* nodesOf(item, [...path, i])
  if (node.kind === 'map') for (const { key, value } of node.entries) yield* nodesOf(value, [...path, key.value])
}

/** A copy with another value at a path. */
function changed(value: Plain, path: Path, change: (old: Plain) => Plain): Plain {
  const [first, ...rest] = path
  if (first === undefined) return change(value)
  if (Array.isArray(value)) return value.with(first as number, changed(value[first as number] as Plain, rest, change))
  const map = value as { [key: string]: Plain }
  return Object.fromEntries(Object.entries(map).map(([key, item]) => [key, key === first ? changed(item, rest, change) : item]))
}

const commentsIn = (text: string) => text.match(/# c\d+;/g) ?? []

interface Attempt {
  readonly edits: Edits
  readonly path: Path
  readonly change: (old: Plain) => Plain
  /** The stretches whose comments may go. */
  readonly mayGo: readonly { readonly start: number; readonly end: number }[]
}

/** Make a random edit of many documents: the text must read as the value with that change, and keep its comments. */
function hold(
  seed: number,
  count: number,
  attempt: (root: Node, random: Random) => Attempt | undefined,
): { edited: number; declined: number } {
  const random = randomOf(seed)
  let edited = 0
  let declined = 0
  for (let i = 0; i < count; i++) {
    const written: Written = writeDocument(random, someValue(random, 4))
    const { root, problems } = read(sourceOf(written.path, written.text))
    if (!root || problems.length > 0) continue
    const before = plainOf(root)
    const tried = attempt(root, random)
    if (!tried) continue
    const { edits, path, change, mayGo } = tried
    if (!edits) {
      declined++
      continue
    }
    edited++
    const text = applyEdits(written.text, [edits]).text
    const about = `seed ${seed}, document ${i}\n--- before\n${written.text}\n--- after\n${text}\n---`
    const after = read(sourceOf(written.path, text))
    expect(after.problems, about).toEqual([])
    expectSame(after.root && plainOf(after.root), changed(before, path, change), () => about)
    const free: readonly string[] = commentsIn(mayGo.map(({ start, end }) => written.text.slice(start, end)).join('\n'))
    const kept = new Set(commentsIn(text))
    expect(
      commentsIn(written.text).filter((comment) => !kept.has(comment) && !free.includes(comment)),
      about,
    ).toEqual([])
    if (!/[^\r]\n/.test(written.text)) expect(text, about).not.toMatch(/[^\r]\n/)
    if (!written.text.includes('\r')) expect(text, about).not.toContain('\r')
  }
  return { edited, declined }
}

function some<T extends Node>(root: Node, random: Random, kind: T['kind'], test: (node: T) => boolean = () => true) {
  const found = [...nodesOf(root)].filter((each): each is readonly [T, Path] => each[0].kind === kind && test(each[0] as T))
  return found.length > 0 ? pick(random, found) : undefined
}

const wholeLine = ({ source: { text } }: Node, start: number, end: number) => {
  const newline = text.indexOf('\n', end)
  return { start, end: newline < 0 ? text.length : newline }
}

/** How many documents each kind of edit is tried on. */
const runs = effort(3000, 20)

describe('edits of a document change what they say and nothing else', () => {
  it('takes items out of lists', () => {
    const { edited, declined } = hold(1, runs, (root, random) => {
      const found = some<ListNode>(root, random, 'list', (list) => list.items.length > 0)
      if (!found) return undefined
      const [list, path] = found
      const gone = new Set([...list.items.keys()].filter(() => random() < 0.4))
      if (gone.size === 0) gone.add(Math.floor(random() * list.items.length))
      return {
        edits: removeItems(list, gone),
        path,
        change: (old) => (old as Plain[]).filter((_, i) => !gone.has(i)),
        mayGo: mayGo(
          list,
          list.items.map((item) => ({ start: dashBefore(list, item), end: item.end })),
          gone,
        ),
      }
    })
    expect(edited).toBeGreaterThan(runs / 4)
    expect(declined).toBeLessThan(edited / 50)
  })

  it('takes entries out of maps', () => {
    const { edited, declined } = hold(2, runs, (root, random) => {
      const found = some<MapNode>(root, random, 'map', (map) => map.entries.length > 0)
      if (!found) return undefined
      const [map, path] = found
      const gone = new Set([...map.entries.keys()].filter(() => random() < 0.4))
      if (gone.size === 0) gone.add(Math.floor(random() * map.entries.length))
      const names = map.entries.filter((_, i) => gone.has(i)).map(({ key }) => key.value)
      return {
        edits: removeEntries(map, names),
        path,
        change: (old) => Object.fromEntries(Object.entries(old as object).filter(([key]) => !names.includes(key))),
        mayGo: mayGo(
          map,
          map.entries.map(({ key, value }) => ({ start: key.start, end: Math.max(key.end, value.end) })),
          gone,
        ),
      }
    })
    expect(edited).toBeGreaterThan(runs / 4)
    expect(declined).toBeLessThan(edited / 50)
  })

  it('replaces texts', () => {
    const values = [
      'b',
      'a: b',
      '*',
      'true',
      '12',
      '',
      "it's",
      'x, y',
      '- a',
      '"',
      'é',
      'a #b',
      '[',
      '2027-01-31',
      'x ',
      'null',
      '0x1',
      'a\\b',
      '%a',
      '!a',
      'a\nb',
      '~',
      '.5',
      '1:30',
      '=',
      '<<',
    ]
    const { edited } = hold(3, runs, (root, random) => {
      const found = some<TextNode>(root, random, 'text')
      const value = pick(random, values)
      return found && { edits: [replaceText(found[0], value)], path: found[1], change: () => value, mayGo: [] }
    })
    expect(edited).toBeGreaterThan(runs / 4)
  })

  it('renames keys', () => {
    const { edited } = hold(4, runs, (root, random) => {
      const found = some<MapNode>(root, random, 'map', (map) => map.entries.length > 0)
      if (!found) return undefined
      const key = pick(random, found[0].entries).key
      const name = pick(random, ['other', 'a: b', 'x, y', 'date(Europe/Paris).Hour', '1', 'null'])
      return {
        edits: [renameKey(key, name)],
        path: found[1],
        change: (old) => Object.fromEntries(Object.entries(old as object).map(([k, v]) => [k === key.value ? name : k, v])),
        mayGo: [],
      }
    })
    expect(edited).toBeGreaterThan(runs / 4)
  })

  it('makes texts objects', () => {
    const { edited } = hold(5, runs, (root, random) => {
      const found = some<TextNode>(root, random, 'text')
      return found && { edits: [wrapInObject(found[0], 'action')], path: found[1], change: (old) => ({ action: old }), mayGo: [] }
    })
    expect(edited).toBeGreaterThan(runs / 4)
  })

  it('makes texts and objects lists', () => {
    const { edited } = hold(6, runs, (root, random) => {
      const [node, path] = pick(random, [...nodesOf(root)])
      if (node.kind !== 'text' && node.kind !== 'map') return undefined
      return { edits: wrapInList(node), path, change: (old) => [old], mayGo: [] }
    })
    expect(edited).toBeGreaterThan(runs / 4)
  })

  it('takes texts out of objects', () => {
    const { edited } = hold(7, runs, (root, random) => {
      const found = some<MapNode>(root, random, 'map', (map) => map.entries.length === 1 && map.entries[0]?.value.kind === 'text')
      return found && { edits: unwrap(found[0]), path: found[1], change: (old) => Object.values(old as object)[0] as Plain, mayGo: [] }
    })
    expect(edited).toBeGreaterThan(runs / 40)
  })

  it('puts a part of an object in its place', () => {
    const { edited } = hold(10, runs, (root, random) => {
      const found = some<MapNode>(root, random, 'map', (map) => map.entries.length > 0)
      if (!found) return undefined
      const [map, path] = found
      const [part, inner] = pick(random, [...nodesOf(map)].slice(1))
      const edits = hoist(map, part)
      if (part.kind === 'null' && part.start === part.end) return undefined
      const value = inner.reduce<Plain>((at, key) => (at as { [key: string]: Plain })[key] as Plain, plainOf(map))
      return { edits, path, change: () => value, mayGo: [] }
    })
    expect(edited).toBeGreaterThan(runs / 5)
  })

  it('quotes numbers', () => {
    const { edited } = hold(8, runs, (root, random) => {
      const found = [...nodesOf(root)].filter(([node]) => node.kind === 'number' || node.kind === 'boolean')
      if (found.length === 0) return undefined
      const [node, path] = pick(random, found)
      if (node.kind !== 'number' && node.kind !== 'boolean') return undefined
      return { edits: [quote(node)], path, change: (old) => String(old), mayGo: [] }
    })
    expect(edited).toBeGreaterThan(runs / 40)
  })

  it('puts items in another order', () => {
    const { edited, declined } = hold(9, runs, (root, random) => {
      const found = some<ListNode>(root, random, 'list', (list) => list.items.length > 1)
      if (!found) return undefined
      const order = shuffled(random, [...found[0].items.keys()])
      return {
        edits: reorderItems(found[0], order),
        path: found[1],
        change: (old) => order.map((i) => (old as Plain[])[i] as Plain),
        mayGo: [],
      }
    })
    expect(edited).toBeGreaterThan(runs / 10)
    expect(declined).toBeLessThan(edited)
  })
})

/** Where the dash of an item is; the item itself in a list without dashes. */
function dashBefore({ source: { text }, start }: ListNode, item: Node): number {
  if (text[start] !== '-') return item.start
  const column = start - text.lastIndexOf('\n', start - 1) - 1
  for (let at = item.start; ; at = text.lastIndexOf('\n', at - 1)) {
    const dash = text.lastIndexOf('\n', at - 1) + 1 + column
    if (text[dash] === '-' && dash <= item.start && /^[\s-]*$/.test(text.slice(dash - column, dash))) return dash
  }
}

/** Comments within what goes, and behind it on its line; those of all of it when nothing is left. */
function mayGo(node: ListNode | MapNode, parts: readonly { readonly start: number; readonly end: number }[], gone: ReadonlySet<number>) {
  if (gone.size === parts.length) return [wholeLine(node, node.start, node.end)]
  const first = parts.findIndex((_, i) => !gone.has(i))
  const head = node.source.text.slice(0, node.start).split('\n').at(-1) as string
  // Behind a dash the parts up to the first that stays go as one.
  const asOne = first > 0 && head.trim() !== '' ? [{ start: node.start, end: (parts[first - 1] as { end: number }).end }] : []
  return [...asOne, ...parts.filter((_, i) => gone.has(i))].map(({ start, end }) => wholeLine(node, start, end))
}

describe('applying edits', () => {
  const source = sourceOf('p.yaml', 'abcdef')
  const edit = (start: number, end: number, text: string): Edit => ({ span: { source, start, end }, text })

  it('leaves out what overlaps something before it, whole', () => {
    const applied = applyEdits(source.text, [[edit(1, 3, 'X')], [edit(5, 6, 'Y'), edit(2, 4, 'Z')], [edit(3, 4, 'W')]])
    expect(applied).toEqual({ text: 'aXWef', applied: [true, false, true] })
  })

  it('makes the same edit once', () => {
    expect(applyEdits(source.text, [[edit(1, 3, 'X')], [edit(1, 3, 'X'), edit(4, 5, '')]])).toEqual({
      text: 'aXdf',
      applied: [true, true],
    })
  })

  it('takes an insertion for a place of its own', () => {
    expect(applyEdits(source.text, [[edit(2, 2, 'X')], [edit(2, 2, 'Y')], [edit(2, 4, '')], [edit(5, 5, '!')]])).toEqual({
      text: 'abXcde!f',
      applied: [true, false, false, true],
    })
  })

  it('puts the insertion of a group before what the group replaces there', () => {
    expect(applyEdits(source.text, [[edit(1, 3, ''), edit(1, 1, 'X'), edit(4, 5, 'Y')]])).toEqual({ text: 'aXdYf', applied: [true] })
    expect(applyEdits(source.text, [[edit(1, 1, 'X'), edit(1, 3, '')]])).toEqual({ text: 'aXdef', applied: [true] })
  })

  it('leaves out what holds something before it', () => {
    expect(applyEdits(source.text, [[edit(2, 3, 'X')], [edit(1, 4, '')], [edit(2, 4, '')], [edit(1, 3, '')]])).toEqual({
      text: 'abXdef',
      applied: [true, false, false, false],
    })
  })
})

describe('a comment that leaves out findings of an entry goes with it', () => {
  it.each([
    ['allow:\n  # about b\n  # grantwise-ignore redundant-action: kept on purpose\n  - b\n  - c\n', 0, 'allow:\n  # about b\n  - c\n'],
    ['allow:\n  - a\n  # grantwise-ignore redundant-action: kept\n  - b # x', 1, 'allow:\n  - a'],
    ['allow: [\n  # about b\n  # grantwise-ignore expired: kept\n  b,\n  c\n]\n', 0, 'allow: [\n  # about b\n  c\n]\n'],
    ['allow: [\n  a,\n  # grantwise-ignore expired: kept\n  b # x\n]\n', 1, 'allow: [\n  a\n]\n'],
  ])('%j', (text, index, expected) => {
    const { root } = read(sourceOf('p.yaml', text))
    const list = (root as MapNode).entries[0]?.value as ListNode
    expect(applyEdits(text, [removeItems(list, [index]) as readonly Edit[]]).text).toBe(expected)
  })
})
