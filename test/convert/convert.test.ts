import { describe, expect, it } from 'vitest'
import { converted, simplestNotation, type Target } from '../../src/convert/convert.ts'
import { canonicalText } from '../../src/convert/hcl.ts'
import { beyondLiteral } from '../../src/convert/literal.ts'
import { convertSources } from '../../src/convert/sources.ts'
import { type Folder, readConfiguration } from '../../src/hcl/module.ts'
import { readingOf } from '../../src/hcl/read.ts'
import { defaultSettings } from '../../src/names.ts'
import { commentsIn } from '../../src/parser/comments.ts'
import { readFacts } from '../../src/parser/policy.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { type Span, sourceOf } from '../../src/source.ts'
import { type Node, plainValue } from '../../src/tree.ts'
import { writeDocument } from '../support/documents.ts'
import { effort } from '../support/effort.ts'
import { hclFile } from '../support/hcl.ts'
import { type ConditionJson, generate, pick, type Random, randomOf, type WorldJson } from '../support/worlds.ts'

interface Text {
  readonly notation: Target
  readonly text: string
}

interface Read {
  readonly documents: readonly Node[]
  readonly comments: readonly Span[]
}

function read({ notation, text }: Text, urns: ReadonlyMap<string, string> = new Map()): Read {
  if (notation === 'hcl') {
    const file = hclFile(text)
    const folder: Folder = { path: '', name: '.', files: [file], values: [] }
    const reading = readingOf(file, [readConfiguration(folder, new Map(), { prefix: 'svc' })])
    expect(reading.diagnostics).toEqual([])
    return { documents: reading.documents.map((each) => simplestNotation(each, urns)), comments: file.comments }
  }
  const source = sourceOf(`d.${notation}`, text)
  const { documents, diagnostics } = readTree(source, readYaml)
  expect(diagnostics, text).toEqual([])
  return { documents, comments: notation === 'yaml' ? commentsIn(source, documents) : [] }
}

function convert(
  from: Text,
  to: Target,
  urns?: ReadonlyMap<string, string>,
): Text & { readonly notes: readonly string[]; readonly dropped: number } {
  const given = read(from, urns)
  const result = converted(given, to, 'svc')
  expect(
    result.refused.map(({ message }) => message),
    from.text,
  ).toEqual([])
  const text = result.text as string
  expect(result.isRight(read({ notation: to, text }).documents), `${from.text}\n--- ${to}\n${text}`).toBe(true)
  return { notation: to, text, notes: result.notes.map(({ message }) => message), dropped: result.comments }
}

/** The contents of a text, without places. */
function facts({ documents }: Read): unknown {
  const found = readFacts(documents, defaultSettings)
  expect(found.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return JSON.parse(
    JSON.stringify(found.facts, (key, value: unknown) =>
      key === 'span' || key === 'node' || key === 'expanded'
        ? undefined
        : value instanceof Map || value instanceof Set
          ? [...value]
          : typeof value === 'bigint'
            ? `${value}`
            : value,
    ),
  )
}

const odd = [
  'a',
  'web "readers"',
  '${x}',
  '$${x}',
  '$$$${x}',
  '%{if a}',
  '%%%{x',
  '$',
  '%',
  'a\nb',
  'a\r\nb\tc',
  '\\',
  '\\u0041 \\',
  'é日本',
  '😀',
  '\u0001\u001f\u007f',
  '\u200b\u2028\ufeff',
  '#no',
  '//no',
  '/* no */',
  '<<EOT',
  ' a ',
  '',
  'true',
  'null',
  '12',
  '- a',
  'a: b',
  "it's",
  '{a}',
  '[a',
  '&a',
  '*',
  '!x',
  '|',
  '2031-01-31',
  '~',
]

/** Invisible characters by their numbers, as the readers want it. */
const visible = (json: string) =>
  json.replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
const ascii = (value: unknown) => visible(JSON.stringify(value))

/** A list of no conditions is as if absent, and HCL cannot say it. */
function withoutEmpty(condition: ConditionJson | undefined): void {
  if (condition?.conditions?.length === 0) delete condition.conditions
  for (const each of condition?.conditions ?? []) withoutEmpty(each)
}

/** A world whose names, descriptions and values try what notations make of texts. */
function oddWorld(random: Random): WorldJson {
  const { world } = generate(random, 1)
  const copy = JSON.parse(JSON.stringify(world)) as WorldJson
  const text = () => (random() < 0.5 ? pick(random, odd) : pick(random, odd) + pick(random, odd))
  for (const each of copy.policies) {
    each.name = text()
    if (random() < 0.5) Object.assign(each, { description: random() < 0.3 ? null : text() })
    if (random() < 0.2) Object.assign(each, { expiredAt: null })
    if (random() < 0.3) each.permissions.deny = []
    if (random() < 0.2) Object.assign(each, { permissionsGroups: [] })
    const roll = random()
    if (roll < 0.3)
      each.conditions = {
        operator: pick(random, ['AND', 'OR', 'NOT']),
        conditions: [
          { operator: 'MATCH', values: { 'resource.Name': text(), [`resource.Tag(${pick(random, ['a', 'é', 'a b', '1'])})`]: text() } },
          ...(each.conditions ? [each.conditions] : []),
        ],
      }
    delete each.readOnly
    withoutEmpty(each.conditions)
  }
  return copy
}

describe('there and back again', () => {
  const chains: readonly (readonly Target[])[] = [
    ['yaml', 'json'],
    ['json', 'yaml', 'json', 'yaml'],
  ]

  // covers: M46
  it('json and yaml say the same values in the same order', () => {
    const random = randomOf(11)
    for (let i = 0; i < effort(200, 16); i++) {
      const { policies, permissionsGroups } = oddWorld(random)
      const world = { policies: policies.slice(0, 1), permissionsGroups: i % 5 === 0 ? permissionsGroups : [] }
      const written = writeDocument(random, JSON.parse(JSON.stringify(world)), true)
      let text: Text = { notation: 'json', text: visible(written.text) }
      const wanted = read(text).documents.map(plainValue)
      for (const to of chains[i % 2] as readonly Target[]) {
        text = convert(text, to)
        const now = read(text).documents.map(plainValue)
        expect(JSON.stringify(now), `${written.text}\n---\n${text.text}`).toBe(JSON.stringify(wanted))
      }
    }
  })

  it('hcl says the same facts, entry by entry', () => {
    const random = randomOf(12)
    for (let i = 0; i < effort(60, 12); i++) {
      const policies = oddWorld(random).policies.slice(0, 2)
      const start: Text = { notation: 'json', text: ascii(i % 3 === 0 ? policies[0] : policies) }
      const wanted = facts(read(start))
      const hcl = convert(convert(start, 'yaml'), 'hcl')
      const back = [convert(hcl, 'json'), convert(hcl, 'yaml')]
      for (const each of back) {
        expect(facts(read(each)), `${start.text}\n---\n${hcl.text}`).toEqual(wanted)
        expect(convert(each, 'hcl').text).toBe(hcl.text)
      }
    }
  })

  it('groups get their names back', () => {
    const random = randomOf(13)
    let groups = 0
    for (let i = 0; i < effort(60, 12); i++) {
      const { policies: all, permissionsGroups, resourceGroups } = oddWorld(random)
      const policies = all.slice(0, 3)
      const named = resourceGroups.filter(({ urn, resources }) => urn !== undefined && resources.every((each) => each.urn !== undefined))
      const start: Text = { notation: 'json', text: ascii({ policies, permissionsGroups, resourceGroups: named }) }
      const hcl = convert(start, 'hcl')
      const urns = new Map(
        hcl.notes.flatMap((note) => {
          const [, urn, address] = /^`(.*)` is given by the service: here it is `(.*)\.urn`$/.exec(note) ?? []
          return urn !== undefined && address !== undefined ? [[address, urn] as const] : []
        }),
      )
      groups += urns.size
      const back = convert(hcl, 'yaml', urns)
      expect(canonicalText(read(back).documents, new Map())).toBe(canonicalText(read(start).documents, new Map()))
      const [a, b] = [facts(read(back)), facts(read(start))] as { policies: unknown; permissionsGroups: unknown; resourceGroups: unknown }[]
      expect([a?.policies, a?.permissionsGroups, a?.resourceGroups]).toEqual([b?.policies, b?.permissionsGroups, b?.resourceGroups])
    }
    expect(groups).toBeGreaterThan(effort(60, 12))
  })
})

describe('comments', () => {
  const yaml = `# head

# about a
name: a # named
identities:
  # ann
  - urn:v1:eu:identity:user:ab12-svc/ann # at home
resources:
  - urn: urn:v1:eu:resource:vps:vps-1
permissions:
  allow:
    - action: vps:* # all
# the end
`
  const hcl = `# head

# about a
resource "svc_iam_policy" "a" {
  name = "a" # named
  identities = [
    # ann
    "urn:v1:eu:identity:user:ab12-svc/ann", # at home
  ]
  resources = ["urn:v1:eu:resource:vps:vps-1"]
  allow = [
    "vps:*", # all
  ]
}

# the end
`

  it('go from YAML to HCL and back', () => {
    const there = convert({ notation: 'yaml', text: yaml }, 'hcl')
    expect(there.text).toBe(hcl)
    expect(convert(there, 'yaml').text).toBe(yaml)
  })

  it('of other kinds are written with the sign of the target', () => {
    const text = hcl.replace('# ann', '// ann').replace('# about a', '/* about\n * a */').replace('# named', '/* named */')
    expect(convert({ notation: 'hcl', text }, 'yaml').text).toBe(yaml.replace('# about a', '# about\n# a').replace('# named', '# named'))
  })

  it('are all there where one line has several', () => {
    const text = hcl.replace('# named', '/* named */ /* twice */ // and again')
    expect(convert({ notation: 'hcl', text }, 'yaml').text).toBe(yaml.replace('# named\n', '# named\n# twice\n# and again\n'))
  })

  it('stay in the list that they are in, also where it has one entry', () => {
    const text = 'name: a\nidentities: []\nresources: []\npermissions:\n  allow:\n    # only this\n    - action: vps:*\n'
    expect(convert({ notation: 'yaml', text }, 'hcl').text).toContain('  allow = [\n    # only this\n    "vps:*",\n  ]\n')
  })

  it('are counted where the target has none', () => {
    expect(convert({ notation: 'yaml', text: yaml }, 'json').dropped).toBe(7)
    expect(convert({ notation: 'hcl', text: hcl }, 'json').dropped).toBe(7)
  })

  it('none is lost, whatever the layout', () => {
    const random = randomOf(14)
    let count = 0
    for (let i = 0; i < effort(60, 12); i++) {
      const { policies } = generate(random, 1).world
      for (const each of policies) delete each.readOnly
      const written = writeDocument(random, JSON.parse(JSON.stringify(policies.slice(0, 2))), false)
      const start: Text = { notation: 'yaml', text: written.text }
      const numbers = (text: string) => [...text.matchAll(/# ?(c\d+;)/g)].map((match) => match[1]).sort()
      const wanted = numbers(written.text)
      count += wanted.length
      const there = convert(start, 'hcl')
      expect(numbers(there.text), `${written.text}\n---\n${there.text}`).toEqual(wanted)
      expect(numbers(convert(start, 'yaml').text)).toEqual(wanted)
      expect(numbers(convert(there, 'yaml').text)).toEqual(wanted)
      expect(convert(start, 'json').dropped).toBe(wanted.length + [...written.text.matchAll(/# s\r?$/gm)].length)
    }
    expect(count).toBeGreaterThan(effort(60, 12))
  })
})

describe('what is not literal', () => {
  const refusals = (text: string) => {
    const { refused } = beyondLiteral(hclFile(text), 'svc')
    return refused.map(({ message, span }) => `${text.slice(0, span.start).split('\n').length}: ${message}`)
  }
  const policy = (identities: string) => `resource "svc_iam_policy" "a" {
  name       = "a"
  identities = ${identities}
  resources  = ["urn:v1:eu:resource:vps:vps-1"]
  allow      = ["vps:*"]
}
`

  it.each([
    ['var.who', '`var.who` is an expression'],
    ['[local.ann]', '`local.ann` is an expression'],
    ['["urn:${var.x}"]', '`"urn:${var.x}"` is a template'],
    ['toset(["a"])', '`toset(["a"])` is an expression'],
    ['[for x in ["a"] : x]', '`[for x in ["a"] : x]` is an expression'],
  ])('%s', (identities, message) => {
    expect(refusals(policy(identities))).toEqual([`3: ${message}: only literal values are converted`])
  })

  it('how often it is there', () => {
    expect(refusals(policy('["a"]').replace('{\n', '{\n  for_each = ["a"]\n'))).toEqual([
      '2: `for_each = ["a"]` is an expression: only literal values are converted',
    ])
  })

  it('a number of copies, and blocks that are made by an expression', () => {
    expect(refusals(policy('["a"]').replace('{\n', '{\n  count = 2\n'))).toEqual([
      '2: `count = 2` is an expression: only literal values are converted',
    ])
    expect(refusals(policy('["a"]').replace(/\}\n$/, '  dynamic "conditions" {\n    for_each = []\n    content {}\n  }\n}\n'))).toEqual([
      '6: `dynamic "conditions"` is an expression: only literal values are converted',
    ])
  })

  it('literals of all kinds are, heredocs as well', () => {
    expect(refusals(policy('[\n    "a", # a\n    <<EOT\nb\nEOT\n    ,\n  ]'))).toEqual([])
    expect(refusals(policy('[svc_iam_resource_group.x.urn]'))).toEqual([])
  })
})

it('refuses what could not be read again, with the reason', async () => {
  const policy = { name: 'p', description: 'x'.repeat(1024 * 1024), identities: [], resources: [], permissions: { allow: [] } }
  const { text, refused } = await convertSources([sourceOf('p.json', JSON.stringify(policy), 'json')], 'hcl', { prefix: 'svc' })
  expect(text).toBe(undefined)
  expect(refused.map(({ message, help }) => [message.includes('longer than 1048576 characters'), help])).toEqual([
    [true, 'split it into several files'],
  ])
})

it('puts worlds together that say the same, and refuses those that do not', async () => {
  const policies = (...names: readonly string[]) =>
    names.map((name) => ({ name, identities: [], resources: [], permissions: { allow: [{ action: 'vps:*' }] } }))
  const together = async (...worlds: readonly object[]) => {
    const sources = worlds.map((world, i) => sourceOf(`${i}.json`, JSON.stringify(world), 'json'))
    const { text, refused } = await convertSources(sources, 'json', { prefix: 'svc' })
    return text === undefined ? refused.map(({ message, span }) => `${span.source.path}: ${message}`) : JSON.parse(text)
  }
  const [a, b] = [policies('a'), policies('b')]
  expect(await together({ account: 'ab12', policies: a }, { policies: b, account: 'ab12' })).toEqual({
    account: 'ab12',
    policies: [...a, ...b],
  })
  expect(await together({ account: 'ab12', policies: null }, { account: null, policies: b })).toEqual({ account: 'ab12', policies: b })
  expect(await together({ account: 'ab12', policies: a }, { account: 'cd34', policies: b })).toEqual([
    '1.json: `account` is another one than before',
  ])
})

it('gives each resource a label of its own that HCL takes', async () => {
  const policies = ['Prod Ops', 'prod-ops', 'prod_ops', 'prod_ops 2', '1st', 'Équipe', '!'].map((name) => ({
    name,
    identities: [],
    resources: [],
    permissions: {},
  }))
  const { text = '' } = await convertSources([sourceOf('p.json', JSON.stringify(policies), 'json')], 'hcl', { prefix: 'svc' })
  expect([...text.matchAll(/^resource "svc_iam_policy" "(.*)"/gm)].map(([, label]) => label)).toEqual([
    'prod_ops',
    'prod_ops_2',
    'prod_ops_3',
    'prod_ops_2_2',
    '_1st',
    'equipe',
    'policy',
  ])
})
