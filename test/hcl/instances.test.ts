import { describe, expect, test } from 'vitest'
import { neverApplied } from '../../src/hcl/module.ts'
import { field, plainValue, symbolOf } from '../../src/tree.ts'
import { configuration, toolsWith } from '../support/hcl.ts'
import { shownConfiguration } from '../support/hcl-shown.ts'

const group = (label: string, how: string, name = '"g"') =>
  `resource "svc_iam_resource_group" "${label}" {\n  ${how}\n  name = ${name}\n}\n`
const messages = (files: Readonly<Record<string, string>>) => configuration(files).diagnostics.map(({ message }) => message)
const addresses = (files: Readonly<Record<string, string>>) => [...configuration(files).found.values()].flat().map(({ address }) => address)

describe('how many instances there may be', () => {
  test.each([
    ['as many as are read', group('g', 'count = 10000'), []],
    ['one more', group('g', 'count = 10001'), ['more than 10000 instances']],
    ['of all together', group('g', 'count = 9999') + group('h', ''), []],
    ['one more of all together', group('g', 'count = 9999') + group('h', 'count = 2'), ['more than 10000 modules and resources']],
  ])('%s', (_, text, expected) => expect(messages({ 'main.tf': text })).toEqual(expected))

  const chain = (length: number) =>
    Object.fromEntries(
      Array.from({ length: length + 1 }, (_, i) => [
        i === 0 ? 'main.tf' : `m${i}/main.tf`,
        i === length ? group('g', '') : `module "m" {\n  source = "${i === 0 ? '.' : '..'}/m${i + 1}"\n}\n`,
      ]),
    )
  test('modules inside one another', () => {
    expect(messages(chain(16))).toEqual([])
    expect(addresses(chain(16))).toEqual([`${'module.m.'.repeat(16)}svc_iam_resource_group.g`])
    expect(messages(chain(17))).toEqual(['more than 16 modules inside one another'])
    expect(addresses(chain(17))).toEqual([])
  })
})

describe('what is not known of instances', () => {
  const names = (text: string, which: 'found' | 'uncreated') =>
    [...configuration({ 'main.tf': text })[which].values()].flat().map(({ node }) => {
      const name = field(node, 'name')
      return name?.kind === 'unknown' ? symbolOf(name) : name
    })
  test.each([
    ['for_each = {}', 'each.key', 'uncreated'],
    ['for_each = {}', 'each.value', 'uncreated'],
    ['count = 0', 'count.index', 'uncreated'],
    ['for_each = var.all', 'each.key', 'found'],
    ['count = var.all', 'count.index', 'found'],
  ] as const)('%s, %s', (how, name, which) => {
    const [one, other] = names(group('g', how, name) + group('h', how, name), which)
    expect(one).toEqual(expect.any(String))
    // Two that go through the same go through the same keys; of none each is alone.
    expect(one === other).toBe(which === 'found')
    const [key, ...others] = names(group('g', how, 'each.key') + group('g2', how, 'each.value') + group('g3', how, 'count.index'), which)
    expect(others).not.toContain(key)
  })

  test('keeps what is known of the texts', () => {
    const shown = (items: string) => shownConfiguration({ 'main.tf': group('g', `for_each = toset(${items})`, '"<${each.key}>"') })
    expect(shown('["a-${var.x}", var.y]').map((line) => line.replace(/.*name: /, ''))).toEqual([
      '?<each.key> <3:10 "<${each.key}>">(pieces <a-|>) }',
      '?<${each.key}> <3:10 "<${each.key}>">(pieces <|>) }',
    ])
    expect(shown('["${var.x}-a"]').map((line) => line.replace(/.*name: /, ''))).toEqual([
      '?<each.key> <3:10 "<${each.key}>">(pieces <|-a>) }',
    ])
    const chosen = shownConfiguration({ 'main.tf': group('g', 'for_each = toset(var.on ? ["a"] : [])', '"<${each.key}>"') })
    expect(chosen.map((line) => line.replace(/.*name: /, ''))).toEqual(['"<a>" <3:10 "<${each.key}>"> }'])
  })
})

test('instances for numbers go by their texts', () => {
  const use =
    'resource "svc_iam_policy" "p" {\n  name = "p"\n  identities = []\n  resources = concat(values(svc_iam_resource_group.g)[*].urn, [svc_iam_resource_group.g["2"].urn])\n}\n'
  const { found } = configuration({ 'main.tf': group('g', 'for_each = toset([2, 1])') + use })
  const [, , policy] = [...found.values()].flat()
  expect(policy && (plainValue(policy.node) as { resources: unknown }).resources).toEqual([
    { urn: 'svc_iam_resource_group.g[1].urn' },
    { urn: 'svc_iam_resource_group.g[2].urn' },
    { urn: 'svc_iam_resource_group.g[2].urn' },
  ])
})

test('a configuration that is never applied describes all that it makes, and what it does not make anyhow', () => {
  const read = configuration({
    'a.tf': group('made', '') + group('none', 'count = 0') + group('two', 'count = 2'),
    'b.tf': group('empty', 'for_each = {}'),
    'c.tf': `${group('other', '')}module "m" {\n  source = "./gone"\n}\n`,
  })
  const never = neverApplied(read, 'it is a test')
  expect(never.found.size).toBe(0)
  expect(
    [...never.uncreated].map(([source, list]) => [source.path, ...list.map(({ address, why, kind }) => `${address}: ${why} (${kind})`)]),
  ).toEqual([
    [
      'a.tf',
      'svc_iam_resource_group.none: `count` is 0 (resourceGroup)',
      'svc_iam_resource_group.made: it is a test (resourceGroup)',
      'svc_iam_resource_group.two[0]: it is a test (resourceGroup)',
      'svc_iam_resource_group.two[1]: it is a test (resourceGroup)',
    ],
    ['b.tf', 'svc_iam_resource_group.empty: `for_each` is empty (resourceGroup)'],
    ['c.tf', 'svc_iam_resource_group.other: it is a test (resourceGroup)'],
  ])
  expect(never.unread).toEqual(read.unread)
  expect([...never.called]).toEqual(['gone'])
  // Facts that were read stay as they were.
  expect([...read.uncreated.values()].flat()).toHaveLength(2)
})

test('files are those below the configuration', () => {
  const value = (path: string) => {
    const { found } = configuration(
      { 'main.tf': group('g', '', `file("${path}")`) },
      'svc',
      toolsWith({ 'etc/x': 'known', 'a/x': 'known' }),
    )
    const [record] = [...found.values()].flat()
    return record && (plainValue(record.node) as { name: unknown }).name
  }
  expect(['a/x', './a/../a/x', '/etc/x', '~/etc/x', 'a\\\\x', 'etc/x'].map(value)).toEqual([
    'known',
    'known',
    'file("/etc/x")',
    'file("~/etc/x")',
    'file("a\\\\x")',
    'known',
  ])
})

test('the permissions of a policy are where its actions are', () => {
  const text = `resource "svc_iam_policy" "p" {\n  deny = ["b"]\n  name = "p"\n  identities = []\n  resources = []\n  allow = ["a"]\n}\n`
  const [record] = [...configuration({ 'main.tf': text }).found.values()].flat()
  const permissions = record && field(record.node, 'permissions')
  expect(permissions && text.slice(permissions.start, permissions.end)).toBe(text.slice(text.indexOf('deny'), text.indexOf('\n}')))
})
