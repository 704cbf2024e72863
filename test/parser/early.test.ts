import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { readJson } from '../../src/parser/json.ts'
import { type ReadSource, toKnownPolicies } from '../../src/parser/read.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { type Source, type Span, sourceOf } from '../../src/source.ts'
import { field, type ListNode, type MapNode, type Node, plainValue } from '../../src/tree.ts'
import { effort } from '../support/effort.ts'
import { generate, pick, randomOf, usualKnobs } from '../support/worlds.ts'

/** Policies of JSON that are read before the rest of their file: what is read is the same as when the whole tree is there first. */

const top = fileURLToPath(new URL('../../', import.meta.url))
const written = ['examples/mistakes', 'test/corpus'].flatMap((folder) =>
  readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonc?$/.test(name))
    .map((name) => sourceOf(name, readFileSync(join(top, folder, name), 'utf8'))),
)
const random = randomOf(20261130)
const generated = Array.from({ length: effort(200, 20) }, (_, i) => {
  const { world } = generate(random, 0, usualKnobs)
  return sourceOf(`w${i}.json`, JSON.stringify(i % 2 === 0 ? world : (world as { policies: unknown }).policies, null, i % 3))
})

/** A text with a piece of it left out, given twice or replaced. */
function damaged({ path, text }: Source): Source {
  const start = Math.floor(random() * text.length)
  const end = Math.min(text.length, start + 1 + Math.floor(random() * pick(random, [2, 40])))
  const piece = pick(random, [text.slice(start, end).repeat(2), '', ',', '"', '}', ']', '{"a":1},', 'null', '\\', 'é'])
  return sourceOf(path, text.slice(0, start) + piece + text.slice(end))
}

/** All that a reading says, as text: nodes as their values, places as their offsets. */
const said = (read: ReadSource) =>
  JSON.stringify(
    read,
    (key, value) => {
      if (value instanceof Map) return [...value]
      if (value instanceof Set) return [...value]
      if (typeof value === 'bigint') return String(value)
      if (key === 'node') return [(value as Node).start, (value as Node).end, plainValue(value as Node)]
      const { start, end, source, offsets } = (value ?? {}) as Span
      return key === 'span' && source ? [start, end, offsets] : key === 'source' ? undefined : value
    },
    1,
  )

const whole = async (source: Source) => said(await toKnownPolicies(source, readJson(source), defaultSettings, 'json'))

describe('policies that are read early', () => {
  it('say the same, with the same problems, in files as they are written and in damaged ones', async () => {
    const isPlain = ({ text }: Source) => !/\{\{|\{%|<%|%\{|\$\{|@@|#\{|\$\(|format_version|apiVersion|"steps"/.test(text)
    let problems = 0
    for (const source of [...written, ...generated].filter(isPlain)) {
      for (const each of [source, damaged(source), damaged(source)]) {
        const read = await readSource(each, defaultSettings)
        if (read.kind !== 'policies') continue
        problems += read.diagnostics.length
        expect(said(read), each.text).toBe(await whole(each))
      }
    }
    expect(problems).toBeGreaterThan(30)
  })

  const policy = (name: string, resource = 'vps:x') =>
    `{"name":"${name}","identities":["urn:v1:eu:identity:user:a/b"],"resources":[{"urn":"urn:v1:eu:resource:${resource}"}],"permissions":{"allow":[{"action":"vps:apisvc:get"}]}}`
  const resources = (map: MapNode) => field(map, 'resources') as ListNode
  const nodes = async (text: string) => {
    const { facts } = await readSource(sourceOf('a.json', text), defaultSettings)
    return facts.policies.map(({ node }) => node)
  }

  it('do not keep their trees, whatever comes behind them', async () => {
    for (const around of [(list: string) => `[${list}]`, (list: string) => `{"identities":[],"policies":[${list}]}`]) {
      const [first, second] = await nodes(around(`${policy('one')},${policy('two', 'vps:')}`))
      expect([resources(first as MapNode).count, resources(second as MapNode).count]).toEqual([1, undefined])
      const [item] = resources(first as MapNode).items
      expect(plainValue(item as Node)).toEqual({ urn: 'urn:v1:eu:resource:vps:x' })
    }
  })

  it('are read again where the notation is broken behind them', async () => {
    const source = sourceOf('a.json', `[${policy('one')},${policy('two')}`)
    const { facts, diagnostics } = await readSource(source, defaultSettings)
    expect(diagnostics.map(({ code }) => code)).toEqual(['syntax'])
    expect(facts.policies.map(({ name }) => name.value)).toEqual(['one', 'two'])
  })
})
