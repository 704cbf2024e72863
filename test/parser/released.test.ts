import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { readJson, releaseLists } from '../../src/parser/json.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { itemCount, type ListNode, type MapNode, type Node } from '../../src/tree.ts'
import { effort } from '../support/effort.ts'
import { generate, randomOf, usualKnobs } from '../support/worlds.ts'

/** Lists whose items are read again when they are asked for: they are those of the list as it was read. */

const top = fileURLToPath(new URL('../../', import.meta.url))
const written = ['examples/mistakes', 'test/corpus'].flatMap((folder) =>
  readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => sourceOf(name, readFileSync(join(top, folder, name), 'utf8'))),
)
const random = randomOf(20261129)
const generated = Array.from({ length: effort(100, 20) }, (_, i) =>
  sourceOf(`w${i}.json`, JSON.stringify(generate(random, 0, usualKnobs).world, null, i % 3)),
)
const others = [
  sourceOf('a.jsonc', '{ "a": [ // one\n "x", /* two */ { "é": [1, null, true] }, ], "b": [] }'),
  sourceOf('a.json', '\ufeff{ "a": ["\\u00e9\\n", [], {}], "b": [[["é"]]] }'),
]

function mapsIn(node: Node): readonly MapNode[] {
  if (node.kind === 'list') return node.items.flatMap(mapsIn)
  return node.kind === 'map' ? [node, ...node.entries.flatMap(({ value }) => mapsIn(value))] : []
}

const listsOf = (map: MapNode) => map.entries.flatMap(({ value }) => (value.kind === 'list' ? [value] : []))
const mapsOf = (source: Source) => readJson(source).documents.flatMap(mapsIn)

describe('released lists', () => {
  it('have the same items, and as many, in every map of a text without problems', () => {
    let count = 0
    for (const source of [...written, ...generated, ...others]) {
      if (readJson(source).diagnostics.length > 0) continue
      const expected = mapsOf(source).map((map) => listsOf(map))
      const maps = mapsOf(source)
      for (const map of maps) releaseLists(map)
      const found = maps.map((map) => listsOf(map))
      expect(found.map((lists) => lists.map(itemCount))).toEqual(expected.map((lists) => lists.map(({ items }) => items.length)))
      expect(found.map((lists) => lists.map(({ items }) => items))).toEqual(expected.map((lists) => lists.map(({ items }) => items)))
      count += found.flat().length
    }
    expect(count).toBeGreaterThan(300)
  })

  it('are those of policies in JSON without problems', async () => {
    const text =
      '{"name":"a","identities":["urn:v1:eu:identity:user:a/b"],"resources":[{"urn":"urn:v1:eu:resource:vps:x"}],"permissions":{"allow":[]}}'
    const resourcesIn = async (source: Source) => {
      const { facts } = await readSource(source, defaultSettings)
      return listsOf(facts.policies[0]?.node as MapNode)[1] as ListNode
    }
    const list = await resourcesIn(sourceOf('a.json', text))
    expect(list.count).toBe(1)
    expect(list.items).toBe(list.items)
    expect((await resourcesIn(sourceOf('a.json', text.replace('vps:x', 'vps:')))).count).toBeUndefined()
    expect((await resourcesIn(sourceOf('a.yaml', text))).count).toBeUndefined()
  })
})
