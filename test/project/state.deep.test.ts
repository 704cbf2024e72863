import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stateIn } from '../support/state.ts'

/** Faults of one file, next to another one that it may import from. */
const found = (text: string) =>
  stateIn([
    { file: 'memo.ts', text },
    { file: 'other/made.ts', text: other },
  ]).map((each) => each.replace('memo.ts: ', ''))

const other = `
export const list: string[] = []
export function remembered<T>(find: (text: string) => T) {
  const known = new Map<string, T>()
  return (text: string) => {
    const found = known.get(text) ?? find(text)
    known.set(text, found)
    return found
  }
}
export function counted(words: readonly string[]) {
  const counts = new Map<string, number>()
  words.forEach((word) => counts.set(word, (counts.get(word) ?? 0) + 1))
  return counts
}
export class Counter {
  private count = 0
  next() {
    return this.count++
  }
}
`

test('no module of `src` keeps state: what is remembered belongs to an object that a caller made', () => {
  const root = new URL('../../src/', import.meta.url)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[jt]s$/.test(file))
  expect(files.length).toBeGreaterThan(300)
  const modules = files.sort().map((file) => ({ file, text: readFileSync(new URL(file, root), 'utf8') }))
  expect(stateIn(modules)).toEqual([])
})

test.each([
  ['a variable', 'let last = 0', '`last` may be assigned to'],
  ['a variable of a block', '{ var last = 0 }', '`last` may be assigned to'],
  ['several at once', 'export let [first, { second }] = given', '`first, second` may be assigned to'],
  ['a static variable', 'class Names { static last = 0 }', 'static `last` may be assigned to'],
  ['a map', 'const known = new Map<string, string>()', '`known` is a Map: expected a ReadonlyMap'],
  ['a set of a class', 'class Names { static readonly known = new Set() }', '`known` is a Set: expected a ReadonlySet'],
  ['a weak map, whatever its type', 'const known: ReadonlyMap<object, string> = new WeakMap()', '`known` is a WeakMap'],
  ['a weak set', 'const known = new WeakSet()', '`known` is a WeakSet'],
  ['a list that grows', 'const all: string[] = []\nexport function note(text: string) { all.push(text) }', '`all` is changed'],
  ['a list sorted in place', 'const all = [2, 1]\nexport const sorted = () => all.sort()', '`all` is changed'],
  ['a part of a table', 'const table = new Foo()\nconst f = () => table.get("a")?.list.push(1)', '`table` is changed'],
  ['an object that is assigned to', 'const view = { at: 0 }\nexport const move = () => { view.at += 1 }', '`view` is changed'],
  ['a counter', 'const count = { n: 0 }\nexport const next = () => count.n++', '`count` is changed'],
  ['a place in a list', 'const flags = [false]\nexport const set = (i: number) => { flags[i] = true }', '`flags` is changed'],
  ['a field that goes', 'const view: any = {}\nexport const reset = () => { delete view.at }', '`view` is changed'],
  ['an object that is written over', 'const view = {}\nexport const set = (to: object) => Object.assign(view, to)', '`view` is changed'],
  ['a property of a function', 'function find() {}\nexport const keep = (x: any) => { (find as any).last = x }', '`find` is changed'],
  ['what another module declares', "import { list } from '../other/made.ts'\nexport const f = () => list.push('')", '`list` is changed'],
  [
    'a function that remembers',
    "import { remembered as memo } from '../other/made.ts'\nexport const find = memo((text) => text)",
    'what `memo` makes has state',
  ],
  [
    'such a function of the file',
    'const once = (f: any) => { let got: any; return () => (got ??= f()) }\nconst all = once(load)',
    'what `once` makes has state',
  ],
  [
    'methods that remember',
    'function made() { const list: any[] = []; const add = (x: any) => list.push(x); return { add } }\nexport const log = made()',
    'what `made` makes has state',
  ],
  ['a function called at once', 'export const next = (() => { let n = 0; return () => ++n })()', 'what a function makes has state'],
  [
    'an object that changes itself',
    "import { Counter } from '../other/made.ts'\nexport const ids = [new Counter()]",
    'what `Counter` makes has state',
  ],
  [
    'a class that fills itself in',
    'class Late { #all?: any; get all() { this.#all ??= load(); return this.#all } }\nexport const late = new Late()',
    'what `Late` makes has state',
  ],
])('%s is state', (_, text, what) => {
  expect(found(text)).toEqual([what])
})

test.each([
  ['tables', 'const words: ReadonlyMap<string, number> = new Map([["a", 1]])\nexport const of = (word: string) => words.get(word)'],
  ['a copy that is sorted', 'const all = [2, 1]\nexport const sorted = () => [...all].sort()'],
  [
    'a variable of the same name',
    'const all: string[] = []\nexport const f = (all: string[]) => all.push("")\nexport const g = () => { const all = [1]; all.push(2) }',
  ],
  [
    'what a function remembers while it runs',
    "import { remembered } from '../other/made.ts'\nexport const f = (all: string[]) => all.map(remembered((x) => x))",
  ],
  ['what is counted once', "import { counted } from '../other/made.ts'\nexport const counts = counted(['a'])"],
  [
    'what an object holds',
    'export class Names { private readonly known = new Map<string, string>()\n add(name: string) { this.known.set(name, name) } }',
  ],
])('%s: no state', (_, text) => {
  expect(found(text)).toEqual([])
})
