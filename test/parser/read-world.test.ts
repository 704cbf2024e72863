import { describe, expect, it } from 'vitest'
import { defaultSettings, type Settings } from '../../src/names.ts'
import { readWorld } from '../../src/parser/read-world.ts'

describe('readWorld', () => {
  const policy = (name: string, action: string) =>
    JSON.stringify({
      name,
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
      permissions: { allow: [{ action }] },
    })

  it('makes one world of all sources', async () => {
    const { world, diagnostics } = await readWorld([
      { path: 'a.json', text: policy('a', 'vps:*') },
      { path: 'b.yaml', text: policy('b', 'dns:*') },
      { path: 'standard input', notation: 'json', text: policy('c', 'ip:*') },
    ])
    expect(diagnostics).toEqual([])
    expect(world?.policies.map(({ name }) => name.value)).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['a syntax error', 'b.json', '{"name": '],
    ['an entry that is not understood', 'b.json', policy('b', 'vps:*').replace('urn:v1:eu:resource:vps:vps-1', '*')],
    ['a name that gives no notation', 'b.txt', policy('b', 'vps:*')],
  ])('gives no world, and says where, for %s', async (_, path, text) => {
    const { world, diagnostics } = await readWorld([
      { path: 'a.json', text: policy('a', 'vps:*') },
      { path, text },
    ])
    expect(world).toBeUndefined()
    expect(new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ span }) => span.source.path))).toEqual(new Set([path]))
  })

  it('gives no world for what is described twice, and differently', async () => {
    const [a, b] = ['ab12-svc', 'cd34-svc'].map((account, i) => ({ path: `${i}.json`, text: JSON.stringify({ account }) }))
    const { world, diagnostics } = await readWorld([a, b].filter((each) => each !== undefined))
    expect(world).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'duplicate-definition' }])
  })

  it('keeps the world where something is only a warning, and gives the findings in the order of the sources', async () => {
    const { world, diagnostics } = await readWorld([
      { path: 'a.json', text: policy('a', 'vps:*').replace('"a"', '"a", "description": "a\u00adb"') },
      { path: 'b.json', text: `\ufeff${policy('b', 'vps:*')}` },
    ])
    expect(world?.policies).toHaveLength(2)
    expect(diagnostics.map(({ severity, span }) => [severity, span.source.path])).toEqual([
      ['warning', 'a.json'],
      ['warning', 'b.json'],
    ])
  })

  it('says where a name gives no notation, and what to do', async () => {
    const { diagnostics } = await readWorld([{ path: 'b.txt', text: policy('b', 'vps:*') }])
    expect(diagnostics).toMatchObject([{ code: 'syntax', severity: 'error', span: { start: 0, end: 0, source: { path: 'b.txt' } } }])
    expect(diagnostics[0]?.message).toContain('`b.txt`')
    expect(diagnostics[0]?.help).toContain('`notation`')
  })

  it('reads by the settings that are given', async () => {
    const read = (settings?: Settings) => readWorld([{ path: 'a.json', text: policy('a', 'vps:*') }], settings)
    expect((await read()).diagnostics).toEqual([])
    expect((await read({ ...defaultSettings, formatIn: 'tfplan' })).diagnostics).toMatchObject([{ severity: 'error' }])
  })
})
