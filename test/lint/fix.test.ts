import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { fixTexts } from '../../src/lint/fix.ts'
import type { FixFile, FixLevel } from '../../src/lint/may-fix.ts'
import { isEquivalent } from '../../src/lint/prove.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import type { Facts } from '../../src/parser/policy.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { readTree } from '../../src/parser/tree.ts'
import { buildWorld, worldsOfOne } from '../../src/parser/world.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import { decide } from '../../src/simulate/decide.ts'
import { notationOf, type Source, sourceOf } from '../../src/source.ts'
import { plainValue } from '../../src/tree.ts'
import { counted } from '../support/counted.ts'
import { type Plain, writeDocument } from '../support/documents.ts'
import { effort, some } from '../support/effort.ts'
import { examplesOf, readExample } from '../support/examples.ts'
import { generate, pick, questionOf, type Random, randomOf, type WorldJson, worldOf } from '../support/worlds.ts'

const shipped = loadCatalogue()
/** The catalogue that is shipped, in which one action has been deprecated. */
const catalogue: typeof shipped = {
  ...shipped,
  deprecated: ['vps:apisvc:openConsoleAccess'],
  deprecationOf: (action) => (action === 'vps:apisvc:openConsoleAccess' ? { replacedBy: ['vps:apisvc:getConsoleUrl'] } : undefined),
}
/** A catalogue that knows every name: what the generated worlds mention is not in the real one. */
const permissive: typeof catalogue = {
  ...catalogue,
  has: () => true,
  actionsOf: () => ['a', 'b'],
  expand: () => ['a:apisvc:a', 'b:apisvc:b'],
}
const now = Date.UTC(2026, 0, 15, 12)

const read = (source: Source) => readSource(source, defaultSettings)

function find(files: readonly FixFile[], known = catalogue, from = rules) {
  const { world, diagnostics } = buildWorld(files.map((file) => file.read.facts))
  const context = ruleContext({ world, catalogue: known, settings: defaultSettings, now })
  return lint(from, context, [...files.flatMap((file) => file.read.diagnostics), ...diagnostics], levelsOf('auditor'))
}

async function fix(sources: readonly Source[], level: FixLevel = 'safe', known = catalogue) {
  const files = await Promise.all(sources.map(async (source) => ({ source, read: await read(source) })))
  return fixTexts(files, level, { read, find: (some) => find(some, known, known === permissive ? fixable : rules) })
}

/** The text after fixing, and the number of fixes. */
async function fixText(text: string, path = 'p.yaml', level: FixLevel = 'safe') {
  const { files, count, findings } = await fix([sourceOf(path, text)], level)
  return { text: files[0]?.after.source.text as string, count, findings }
}

const valueOfText = (path: string, text: string): unknown => {
  const { documents } = readTree(sourceOf(path, text), readYaml)
  return documents[0] && JSON.parse(JSON.stringify(plainValue(documents[0])))
}

/** A policy without fixable findings, with parts of it replaced; `undefined` leaves one out. */
function policy(parts: { readonly [key: string]: Plain | undefined } = {}): Plain {
  const whole: { readonly [key: string]: Plain | undefined } = {
    name: 'web readers',
    description: 'what the web team may look at',
    identities: ['urn:v1:eu:identity:group:ab12-svc/web'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1.example.net' }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    ...parts,
  }
  return Object.fromEntries(Object.entries(whole).filter((entry): entry is [string, Plain] => entry[1] !== undefined))
}

const actions = (...names: string[]) => names.map((action) => ({ action }))
const urns = (...names: string[]) => names.map((urn) => ({ urn }))
const match = (values: { [key: string]: Plain }) => ({ operator: 'MATCH', values })
const vps = 'urn:v1:eu:resource:vps:vps-1.example.net'
const web = 'urn:v1:eu:identity:group:ab12-svc/web'
const office = { 'request.IP.IN_RANGE': '203.0.113.0/24' }

type Case = readonly [code: string, about: string, bad: Plain, good: Plain]

/** Mistakes with a safe fix: each written in many ways. */
const safeCases: readonly Case[] = [
  [
    'redundant-action',
    'a covered action',
    policy({ permissions: { allow: actions('vps:apisvc:ips/get', 'vps:apisvc:ips/*') } }),
    policy({ permissions: { allow: actions('vps:apisvc:ips/*') } }),
  ],
  [
    'redundant-action',
    'an action listed three times',
    policy({ permissions: { allow: actions('vps:apisvc:get', 'vps:apisvc:get', 'vps:apisvc:get') } }),
    policy(),
  ],
  [
    'redundant-action',
    'in a deny list',
    policy({ permissions: { deny: actions('vps:apisvc:*', 'vps:apisvc:terminate') } }),
    policy({ permissions: { deny: actions('vps:apisvc:*') } }),
  ],
  [
    'redundant-resource',
    'a covered resource',
    policy({ resources: urns('urn:v1:eu:resource:vps:*', vps) }),
    policy({ resources: urns('urn:v1:eu:resource:vps:*') }),
  ],
  [
    'redundant-identity',
    'a covered identity',
    policy({ identities: ['urn:v1:eu:identity:group:ab12-svc/*', web] }),
    policy({ identities: ['urn:v1:eu:identity:group:ab12-svc/*'] }),
  ],
  [
    'idle-except',
    'one of two',
    policy({ permissions: { allow: actions('vps:apisvc:ips/*'), except: actions('vps:apisvc:ips/get', 'vps:apisvc:reboot') } }),
    policy({ permissions: { allow: actions('vps:apisvc:ips/*'), except: actions('vps:apisvc:ips/get') } }),
  ],
  [
    'idle-except',
    'both of two: the list goes',
    policy({ permissions: { allow: actions('vps:apisvc:get'), except: actions('vps:apisvc:stop', 'vps:apisvc:reboot') } }),
    policy(),
  ],
  ['empty-list', 'beside another list', policy({ permissions: { allow: actions('vps:apisvc:get'), deny: [] } }), policy()],
  [
    'empty-list',
    'all lists',
    policy({
      permissions: { allow: [], except: [], deny: [] },
      permissionsGroups: urns('urn:v1:eu:permissionsGroup:svc:globalReadAccess'),
    }),
    policy({ permissions: {}, permissionsGroups: urns('urn:v1:eu:permissionsGroup:svc:globalReadAccess') }),
  ],
  ['empty-list', 'of permissions groups', policy({ permissionsGroups: [] }), policy()],
  ['server-field', 'two of them', policy({ id: '6e2a1d0c-7f5b-4c7e-9a51-0d1f7c3b2a10', createdAt: '2025-03-01T09:00:00Z' }), policy()],
  ['policy-name', 'padded', policy({ name: ' web readers ' }), policy()],
  [
    'unsorted-list',
    'of actions',
    policy({ permissions: { allow: actions('vps:apisvc:get', 'dnsZone:apisvc:get', 'dnsZone:apisvc:record/get') } }),
    policy({ permissions: { allow: actions('dnsZone:apisvc:get', 'dnsZone:apisvc:record/get', 'vps:apisvc:get') } }),
  ],
  [
    'range-host-bits',
    'a block',
    policy({ conditions: match({ 'request.IP.IN_RANGE': '203.0.113.7/24' }) }),
    policy({ conditions: match(office) }),
  ],
  [
    'needless-nesting',
    'AND over one',
    policy({ conditions: { operator: 'AND', conditions: [match(office)] } }),
    policy({ conditions: match(office) }),
  ],
  [
    'needless-nesting',
    'NOT over NOT',
    policy({ conditions: { operator: 'NOT', conditions: [{ operator: 'NOT', conditions: [match(office)] }] } }),
    policy({ conditions: match(office) }),
  ],
  [
    'redundant-condition',
    'a looser bound',
    policy({ conditions: match({ 'date(Europe/Paris).Hour.LT': '18', 'date(Europe/Paris).Hour.LE': '20' }) }),
    policy({ conditions: match({ 'date(Europe/Paris).Hour.LT': '18' }) }),
  ],
  [
    'redundant-condition',
    'a repeated weekday',
    policy({ conditions: match({ 'date(UTC).WeekDay.IN': 'Monday, Tuesday, monday' }) }),
    policy({ conditions: match({ 'date(UTC).WeekDay.IN': 'Monday, Tuesday' }) }),
  ],
  [
    'redundant-range',
    'a repeated address',
    policy({ conditions: match({ 'request.IP.IN': '203.0.113.7, 203.0.113.9,203.0.113.7' }) }),
    policy({ conditions: match({ 'request.IP.IN': '203.0.113.7, 203.0.113.9' }) }),
  ],
  [
    'redundant-range',
    'a block within another',
    policy({
      conditions: {
        operator: 'OR',
        conditions: [match(office), match({ 'request.IP.IN_RANGE': '203.0.113.64/26' }), match({ 'resource.Tag(env)': 'prod' })],
      },
    }),
    policy({ conditions: { operator: 'OR', conditions: [match(office), match({ 'resource.Tag(env)': 'prod' })] } }),
  ],
  ['shape', 'texts for objects', policy({ resources: [vps], permissions: { allow: ['vps:apisvc:get'] } }), policy()],
  ['shape', 'one text for a list of objects', policy({ resources: vps, permissions: { allow: 'vps:apisvc:get' } }), policy()],
  ['shape', 'one text for a list of texts', policy({ identities: web }), policy()],
  ['shape', 'one object for a list', policy({ resources: { urn: vps }, permissions: { allow: { action: 'vps:apisvc:get' } } }), policy()],
  ['shape', 'objects for texts', policy({ identities: urns(web) }), policy()],
  [
    'shape',
    'a number for a text',
    policy({ conditions: match({ 'date(Europe/Paris).Hour.LT': 18 }) }),
    policy({ conditions: match({ 'date(Europe/Paris).Hour.LT': '18' }) }),
  ],
  ['shape', 'a field in another case', policy({ expiredat: '2030-01-01T00:00:00Z' }), policy({ expiredAt: '2030-01-01T00:00:00Z' })],
  [
    'shape',
    'another form of the word',
    policy({ permissions: { allowed: actions('vps:apisvc:get'), denies: actions('vps:apisvc:stop') } }),
    policy({ permissions: { allow: actions('vps:apisvc:get'), deny: actions('vps:apisvc:stop') } }),
  ],
  ['shape', 'another word for it', policy({ expiresAt: '2030-01-01T00:00:00Z' }), policy({ expiredAt: '2030-01-01T00:00:00Z' })],
  [
    'stray-character',
    'blanks around names',
    policy({ identities: [` ${web}`], resources: urns(`${vps} `), permissions: { allow: actions(' vps:apisvc:get ') } }),
    policy(),
  ],
  ['stray-character', 'a blank inside an action', policy({ permissions: { allow: actions('vps: apisvc:get') } }), policy()],
  ['stray-character', 'a character that cannot be seen', policy({ permissions: { allow: actions('vps:apisvc\u200b:get') } }), policy()],
  ['stray-character', 'one that turns the text round', policy({ description: 'what the web \u202eteam may look at' }), policy()],
  ['stray-character', 'a letter and its accent', policy({ description: 'e\u0301quipe' }), policy({ description: 'équipe' })],
  ['expiry-date', 'a blank for the T', policy({ expiredAt: '2030-01-01 00:00:00Z' }), policy({ expiredAt: '2030-01-01T00:00:00Z' })],
]

/** The rules that the random worlds are made for; the others take their time. */
const fixable = rules.filter((rule) => 'reader' in rule || safeCases.some(([code]) => code === rule.code))

/** Fixes that are only likely to be meant: applied when asked for. */
const suggestedCases: readonly Case[] = [
  [
    'deprecated-action',
    'what takes its place',
    policy({ permissions: { allow: actions('vps:apisvc:openConsoleAccess') } }),
    policy({ permissions: { allow: actions('vps:apisvc:getConsoleUrl') } }),
  ],
  [
    'wildcard-for-one-action',
    'the one action',
    policy({ permissions: { allow: actions('vps:apisvc:reinst*') } }),
    policy({ permissions: { allow: actions('vps:apisvc:reinstall') } }),
  ],
  [
    'inner-wildcard',
    'the one known action',
    policy({ permissions: { deny: actions('vps:*:reinstall') } }),
    policy({ permissions: { deny: actions('vps:apisvc:reinstall') } }),
  ],
  [
    'unknown-action',
    'a slip',
    policy({ permissions: { allow: actions('vps:apisvc:rebooot') } }),
    policy({ permissions: { allow: actions('vps:apisvc:reboot') } }),
  ],
  [
    'unknown-protected-action',
    'a slip',
    policy({ permissions: { deny: actions('vps:apisvc:rebooot') } }),
    policy({ permissions: { deny: actions('vps:apisvc:reboot') } }),
  ],
  [
    'wildcard-without-action',
    'the namespace left out',
    policy({ permissions: { allow: actions('vps:reinstall*') } }),
    policy({ permissions: { allow: actions('vps:apisvc:reinstall') } }),
  ],
  [
    'unknown-product',
    'a slip',
    policy({ permissions: { allow: actions('webHostin:apisvc:*') } }),
    policy({ permissions: { allow: actions('webHosting:apisvc:*') } }),
  ],
  ['unknown-region', 'a slip', policy({ identities: ['urn:v1:eru:identity:group:ab12-svc/web'] }), policy()],
  [
    'unknown-type',
    'a slip',
    policy({ resources: urns('urn:v1:eu:resource:webHostin:*') }),
    policy({ resources: urns('urn:v1:eu:resource:webHosting:*') }),
  ],
  [
    'unknown-condition-type',
    'a slip',
    policy({ conditions: { operator: 'MATCH', values: { 'resource.Type': 'webHostin' } } }),
    policy({ conditions: { operator: 'MATCH', values: { 'resource.Type': 'webHosting' } } }),
  ],
  [
    'resource-wildcard',
    'a type and everything after it',
    policy({ resources: urns('urn:v1:eu:resource:vps*') }),
    policy({ resources: urns('urn:v1:eu:resource:vps:*') }),
  ],
  [
    'service-account-name',
    'the prefix left out',
    policy({ identities: ['urn:v1:eu:identity:credential:ab12-svc/0123456789abcdef'] }),
    policy({ identities: ['urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef'] }),
  ],
  ['identity-urn', 'a slip', policy({ identities: ['urn:v1:eu:identity:grup:ab12-svc/web'] }), policy()],
  [
    'resource-urn',
    'the name left out',
    policy({ resources: urns('urn:v1:eu:resource:vps') }),
    policy({ resources: urns('urn:v1:eu:resource:vps:*') }),
  ],
  ['action-pattern', 'a capital letter', policy({ permissions: { allow: actions('Vps:apisvc:get') } }), policy()],
  ['stray-character', 'a letter of another script', policy({ permissions: { allow: actions('v\u0440s:apisvc:get') } }), policy()],
  ['shape', 'a slip in a field', policy({ permissions: { alow: actions('vps:apisvc:get') } }), policy()],
  ['expiry-date', 'no offset', policy({ expiredAt: '2030-01-01T00:00:00' }), policy({ expiredAt: '2030-01-01T00:00:00Z' })],
  ['expiry-date', 'a day', policy({ expiredAt: '2030-01-01' }), policy({ expiredAt: '2030-01-01T23:59:59Z' })],
  [
    'condition-key',
    'another case',
    policy({ conditions: match({ 'request.ip': '203.0.113.7' }) }),
    policy({ conditions: match({ 'request.IP': '203.0.113.7' }) }),
  ],
  [
    'list-under-equality',
    'a list of names',
    policy({ conditions: match({ 'resource.Name': 'vps-1, vps-2' }) }),
    policy({ conditions: match({ 'resource.Name.IN': 'vps-1, vps-2' }) }),
  ],
  [
    'condition-operator',
    'a slip',
    policy({ conditions: match({ 'request.IP.INRANGE': '203.0.113.0/24' }) }),
    policy({ conditions: match(office) }),
  ],
  [
    'condition-timezone',
    'a slip',
    policy({ conditions: match({ 'date(Europe/Pari).Hour.LT': '18' }) }),
    policy({ conditions: match({ 'date(Europe/Paris).Hour.LT': '18' }) }),
  ],
  [
    'condition-value',
    'a short weekday',
    policy({ conditions: match({ 'date().WeekDay.IN': 'mon, Tuesday' }) }),
    policy({ conditions: match({ 'date().WeekDay.IN': 'Monday, Tuesday' }) }),
  ],
  [
    'condition-value',
    'blanks around',
    policy({ conditions: match({ 'request.IP': ' 203.0.113.7' }) }),
    policy({ conditions: match({ 'request.IP': '203.0.113.7' }) }),
  ],
  [
    'condition-shape',
    'small letters',
    policy({ conditions: { operator: 'not', conditions: [match(office)] } }),
    policy({ conditions: { operator: 'NOT', conditions: [match(office)] } }),
  ],
]

/** How many layouts each mistake is written in: JSON and YAML, block and flow, with comments, either line end. */
const layouts = effort(12, 4)

describe.each([
  ['safe', safeCases],
  ['suggested', suggestedCases],
] as const)('what is %s is fixed in every notation', (level, cases) => {
  it.each(cases)('%s: %s', async (code, about, bad, good) => {
    const random = randomOf(code.length * 1000 + about.length)
    for (let i = 0; i < layouts; i++) {
      const { path, text } = writeDocument(random, bad, i < 4)
      const first = await fixText(text, path, level)
      const shown = `layout ${i}\n${text}\n--- after\n${first.text}`
      // Where it is not plain what a comment is about, nothing is moved around it.
      if (first.count === 0 && /# [cs]/.test(text) && ['unsorted-list', 'needless-nesting'].includes(code)) continue
      expect(valueOfText(path, first.text), shown).toEqual(good)
      expect(first.count, shown).toBeGreaterThan(0)
      expect(
        first.findings.filter((finding) => finding.code === code && finding.fix?.safe === (level === 'safe')),
        shown,
      ).toEqual([])
      expect(await fixText(first.text, path, level), shown).toMatchObject({ text: first.text, count: 0 })
    }
  })

  if (level === 'suggested') {
    it.each(cases)('%s: %s, and not without being asked', async (code, about, bad) => {
      const { path, text } = writeDocument(randomOf(about.length), bad)
      const { text: after, findings } = await fixText(text, path)
      expect(after).toBe(text)
      expect(findings.filter((finding) => finding.code === code).map((finding) => finding.fix?.safe)).toContain(false)
    })
  }
})

describe('what cannot be read is fixed first', () => {
  const rest = `"identities":["${web}"],"resources":[{"urn":"${vps}"}],"permissions":{"allow":[{"action":"vps:apisvc:get"}]}}`
  it.each([
    ['a trailing comma', 'p.json', `{"name":"a",${rest.slice(0, -1)},}`, `{"name":"a",${rest}`],
    ['single quotes', 'p.json', `{'name':'its',${rest}`, `{"name":"its",${rest}`],
    ['a key without quotes', 'p.json', `{name:"a",${rest}`, `{"name":"a",${rest}`],
    ['an equals sign', 'p.json', `{"name"="a",${rest}`, `{"name":"a",${rest}`],
    ['a comma too many', 'p.json', `{"name":"a",,${rest}`, `{"name":"a",${rest}`],
    ['a byte order mark', 'p.json', `\ufeff{"name":"a",${rest}`, `{"name":"a",${rest}`],
    [
      'a wildcard without quotes',
      'p.yaml',
      `name: a\nidentities: [${web}]\nresources: [{ urn: ${vps} }]\npermissions:\n  deny:\n    - action: *:apisvc:terminate # all\n`,
      `name: a\nidentities: [${web}]\nresources: [{ urn: ${vps} }]\npermissions:\n  deny:\n    - action: "*:apisvc:terminate" # all\n`,
    ],
  ])('%s', async (_, path, text, expected) => {
    expect((await fixText(text, path)).text).toBe(expected)
  })

  it('and what rules find in it is not, as long as something is left that cannot be read', async () => {
    const text = `name: a
identities: [${web}, ${web}]
resources: ["${vps}"]
permissions: { allow: [{ action: "vps:apisvc:get" }], deny: [{ action: "vps" }] }
`
    const fixed = await fixText(text)
    expect(fixed.text).toBe(text.replace(`["${vps}"]`, `[{ urn: "${vps}" }]`))
    // No help repeats a fix that was not made.
    const twice = fixed.findings.filter(({ code }) => code === 'redundant-identity')
    expect(twice.map(({ fix }) => fix?.safe)).toEqual([false])
  })

  it('and a field that would then be there twice is left to its author', async () => {
    const text = `name: a
identities: [${web}]
resources: [{ urn: "${vps}" }]
permissions:
  allow: [{ action: "vps:apisvc:get" }]
  allows: [{ action: "vps:apisvc:stop" }]
`
    expect(await fixText(text)).toMatchObject({ text, count: 0 })
  })
})

describe('the rest of the file stays as it is written', () => {
  it('in YAML', async () => {
    const text = `# who looks after the web servers
name:   'web readers'   # padded on purpose
id: 6e2a1d0c-7f5b-4c7e-9a51-0d1f7c3b2a10 # from the service

identities:
- "${web}"
resources: [ {urn: "${vps}"} ]   # one server
permissions:
    allow:
    # everything
    - action: vps:apisvc:*

    # and this, once more
    - action: 'vps:apisvc:get'   # not needed
    - { action: "dnsZone:apisvc:get" }
    except: []
`
    expect((await fixText(text)).text).toBe(
      text
        .replace('id: 6e2a1d0c-7f5b-4c7e-9a51-0d1f7c3b2a10 # from the service\n', '')
        .replace("    - action: 'vps:apisvc:get'   # not needed\n", '')
        .replace('    except: []\n', ''),
    )
  })

  it('with the line ends of Windows, and without one at the end', async () => {
    const text = `name: a\r\nidentities:\r\n- ${web}\r\n- ${web}\r\nresources: ["${vps}"]\r\npermissions:\r\n  allow: [vps:apisvc:get]`
    expect((await fixText(text)).text).toBe(
      `name: a\r\nidentities:\r\n- ${web}\r\nresources: [{ urn: "${vps}" }]\r\npermissions:\r\n  allow: [{ action: vps:apisvc:get }]`,
    )
  })

  it('in JSON', async () => {
    const text = `{
    "name" : "a", "identities": [ "${web}"
    , "${web}" ],
\t"resources": ["${vps}"],
    "permissions": {"allow": [
        {"action": "vps:apisvc:get"},
        {"action": "vps:apisvc:*"}
    ], "deny": []}
}
`
    expect((await fixText(text, 'p.json')).text).toBe(`{
    "name" : "a", "identities": [ "${web}" ],
\t"resources": [{ "urn": "${vps}" }],
    "permissions": {"allow": [
        {"action": "vps:apisvc:*"}
    ]}
}
`)
  })
})

describe('what would change anything is not done', () => {
  const withSets = (permissions: string, more = '') => `name: a
identities: [${web}]
resources: [{ urn: "${vps}" }]
permissions: ${permissions}
${more}`

  it.each([
    [
      'a plain action does not come to rest on a wildcard of unknown meaning',
      withSets('{ allow: [{ action: "vps:*/get" }, { action: "vps:apisvc:ips/get" }] }'),
    ],
    [
      'nor a resource',
      withSets('{ allow: [{ action: "vps:apisvc:get" }] }').replace('{ urn:', '{ urn: "urn:v1:eu:resource:vps*" }, { urn:'),
    ],
    [
      'an exception that is probably misspelt is not lost',
      withSets('{ allow: [{ action: "vps:apisvc:reinstall" }], except: [{ action: "vps:apisvc:reinstal" }] }'),
    ],
  ])('%s', async (_, text) => {
    const { text: after, findings } = await fixText(text)
    expect(after).toBe(text)
    expect(findings.some((finding) => finding.fix?.safe === false)).toBe(true)
  })

  it('a fix that cannot be proved is taken back, the others stay, and it is no longer called safe', async () => {
    const text = withSets('{ allow: [{ action: "vps:apisvc:get" }, { action: "vps:apisvc:get" }], except: [{ action: "vps:apisvc:get" }] }')
    const source = sourceOf('p.yaml', text)
    const file = { source, read: await read(source) }
    const except = text.indexOf('except')
    const findWrong = (files: readonly FixFile[]) => {
      const found = find(files).filter(({ code }) => code === 'redundant-action')
      const [first] = files
      const at = first?.source.text.indexOf(', except') ?? -1
      if (!first || at < 0) return found
      const span = { source: first.source, start: at, end: first.source.text.indexOf(']', at) + 1 }
      const wrong = {
        code: 'redundant-action',
        severity: 'info',
        message: 'says too much',
        span,
        fix: { description: 'remove it', safe: true, edits: [{ span, text: '' }] },
      } as const
      return [...found, wrong]
    }
    const { files, count, findings } = await fixTexts([file], 'safe', { read, find: findWrong })
    expect(except).toBeGreaterThan(0)
    expect(files[0]?.after.source.text).toBe(
      text.replace('{ action: "vps:apisvc:get" }, ', '').replace('{ action: "vps:apisvc:get" }] ', '{ action: "vps:apisvc:get" }] '),
    )
    expect(count).toBe(1)
    expect(findings.map(({ code, fix }) => [code, fix?.safe])).toEqual([['redundant-action', false]])
  })

  it('a file that would no longer be read is left as it is', async () => {
    const text = withSets('{ allow: [{ action: "vps:apisvc:get" }] }')
    const source = sourceOf('p.yaml', text)
    const findWrong = (files: readonly FixFile[]) =>
      files.map(({ source }) => {
        const span = { source, start: 0, end: 5 }
        return {
          code: 'redundant-action',
          severity: 'info',
          message: 'x',
          span,
          fix: { description: 'x', safe: false, edits: [{ span, text: '[' }] },
        } as const
      })
    const { files, count } = await fixTexts([{ source, read: await read(source) }], 'suggested', { read, find: findWrong })
    expect([files[0]?.after.source.text, count]).toEqual([text, 0])
  })
})

// Random worlds.

/** Take policies apart a little, in ways that have a safe fix. How many ways were found. */
function plant(random: Random, world: WorldJson): { readonly valid: Plain; readonly broken: Plain; readonly planted: number } {
  let planted = 0
  const sometimes = (chance: number) => random() < chance && ++planted > 0
  const valid = JSON.parse(JSON.stringify(world)) as WorldJson
  for (const each of valid.policies) {
    if (sometimes(0.3)) each.identities.push(pick(random, each.identities))
    if (sometimes(0.3)) each.resources.push({ ...pick(random, each.resources) })
    for (const list of ['allow', 'except', 'deny'] as const) {
      const entries = each.permissions[list]
      const roll = random()
      if (roll < 0.4) planted++
      if (!entries) {
        if (roll < 0.15) each.permissions[list] = list === 'except' ? [{ action: 'zz:apisvc:q' }] : []
      } else if (roll < 0.25)
        entries.splice(Math.floor(random() * entries.length), 0, { action: pick(random, entries).action.replace(/[^*:]$/, '*') })
      else if (roll < 0.4) entries.push({ ...pick(random, entries) })
    }
    if (sometimes(0.1)) Object.assign(each, { id: '6e2a1d0c', updatedAt: null })
    const { conditions } = each
    const roll = conditions ? random() : 1
    if (conditions && roll < 0.6) {
      planted++
      if (roll < 0.2) each.conditions = { operator: pick(random, ['AND', 'OR']), conditions: [conditions] }
      else if (roll < 0.4) each.conditions = { operator: 'NOT', conditions: [{ operator: 'NOT', conditions: [conditions] }] }
      else each.conditions = { operator: 'AND', conditions: [conditions, conditions] }
    }
  }
  const broken = JSON.parse(JSON.stringify(valid)) as { policies: { [key: string]: Plain }[] }
  for (const each of broken.policies) {
    if (sometimes(0.15)) each.identities = (each.identities as string[]).map((urn) => (random() < 0.5 ? { urn } : urn))
    else if (sometimes(0.1) && (each.identities as string[]).length === 1) each.identities = (each.identities as string[])[0] as string
    if (sometimes(0.15)) each.resources = (each.resources as { urn: string }[]).map(({ urn }) => urn)
    if (sometimes(0.1) && each.expiredAt) Object.assign(each, { expiresAt: each.expiredAt, expiredAt: undefined })
    const permissions = each.permissions as { [key: string]: { action: string }[] }
    for (const list of Object.keys(permissions)) {
      const entries = permissions[list] as { action: string }[]
      const roll = random()
      if (roll < 0.2) planted++
      if (roll < 0.1) (permissions as { [key: string]: Plain })[list] = entries.map(({ action }) => (random() < 0.5 ? action : { action }))
      else if (roll < 0.2)
        for (const entry of entries) entry.action = pick(random, [` ${entry.action}`, `${entry.action}\u200b`, `${entry.action} `])
      if (sometimes(0.1)) {
        permissions[{ allow: 'allows', except: 'Except', deny: 'denied' }[list] as string] = permissions[list] as { action: string }[]
        delete permissions[list]
      }
    }
  }
  const withoutUndefined = (value: object) => JSON.parse(JSON.stringify(value)) as Plain
  return { valid: withoutUndefined(valid), broken: withoutUndefined(broken), planted }
}

// covers: M48
describe('fixing never changes who may do what', () => {
  const worlds = effort(300, 80)
  const questionsEach = 24

  it.each([
    [1, 'what was understood before', 'valid'],
    [2, 'what was not', 'broken'],
  ] as const)('%i: %s', async (seed, _, kind) => {
    const random = randomOf(seed)
    counted(worlds)
    let fixes = 0
    let fixed = 0
    let planted = 0
    const verdicts = new Map<string, number>()
    for (let i = 0; i < worlds; i++) {
      const { world, questions } = generate(random, questionsEach)
      const changed = plant(random, world)
      planted += changed.planted
      const before = worldOf(changed.valid as object)
      const { path, text } = writeDocument(random, changed[kind])
      const source = sourceOf(path, text)
      const { files, count } = await fix([source], 'safe', permissive)
      const after = files[0]?.after as FixFile
      const about = `seed ${seed}, world ${i}\n${source.text}\n--- after\n${after.source.text}`
      expect(
        after.read.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message),
        about,
      ).toEqual([])
      fixes += count
      if (count > 0) fixed++
      const now = buildWorld([after.read.facts]).world
      for (const written of questions) {
        const question = questionOf(written)
        const { verdict } = decide(before, question)
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
        expect(decide(now, question).verdict, `${about}\n${JSON.stringify(written)}`).toBe(verdict)
      }
      const again = await fix([after.source], 'safe', permissive)
      expect([again.count, again.files[0]?.after.source.text], about).toEqual([0, after.source.text])
    }
    // The worlds must try what they are meant to.
    expect(fixed).toBeGreaterThan(worlds * 0.8)
    expect(fixes).toBeGreaterThan(planted * 0.5)
    for (const verdict of ['allow', 'deny', 'unknown']) expect(verdicts.get(verdict)).toBeGreaterThan(worlds * questionsEach * 0.02)
  })
})

// covers: M48
describe('the proof that a file says the same', () => {
  const factsOf = async (text: string) => (await read(sourceOf('p.json', text))).facts

  it('holds of no file that decides a question otherwise', async () => {
    const random = randomOf(3)
    let same = 0
    let other = 0
    for (let i = counted(effort(400)); i > 0; i--) {
      const { world, questions } = generate(random, 20)
      const changed = JSON.parse(JSON.stringify(world)) as WorldJson
      // Leave something out, or say something twice.
      const each = pick(random, [...changed.policies, ...changed.permissionsGroups])
      const lists = [
        each.permissions.allow,
        each.permissions.except,
        each.permissions.deny,
        'resources' in each ? each.resources : undefined,
      ]
      const list = pick(
        random,
        lists.filter((some): some is { action: string }[] => some !== undefined && some.length > 0),
      )
      if (!list) continue
      if (random() < 0.3) list.push({ ...pick(random, list) })
      else list.splice(Math.floor(random() * list.length), 1)
      const [before, after] = [await factsOf(JSON.stringify(world)), await factsOf(JSON.stringify(changed))]
      if (!isEquivalent(before, after, worldsOfOne([before]))) {
        other++
        continue
      }
      same++
      const [a, b] = [worldOf(world), worldOf(changed)]
      for (const written of questions) {
        const question = questionOf(written)
        expect(decide(b, question).verdict, JSON.stringify([world, changed, written])).toBe(decide(a, question).verdict)
      }
    }
    expect(same).toBeGreaterThan(effort(60))
    expect(other).toBeGreaterThan(effort(60))
  })

  it('does not hold where what is known of resources changes', async () => {
    const inventory = (tag: string) => `{"policies": [], "resources": [{"urn": "${vps}", "tags": {"env": "${tag}"}}]}`
    const [before, after, spaced] = await Promise.all([inventory('prod'), inventory('dev'), ` ${inventory('prod')}`].map(factsOf))
    const worldWith = worldsOfOne([before as Facts])
    expect(isEquivalent(before as Facts, after as Facts, worldWith)).toBe(false)
    expect(isEquivalent(before as Facts, spaced as Facts, worldWith)).toBe(true)
  })
})

describe('the examples of rules', () => {
  const examples = rules.flatMap(({ code }) => examplesOf(code).bad.map((example) => ({ code, example })))

  it('are fixed without being read worse', async () => {
    let fixed = 0
    for (const { code, example } of some(examples, 40)) {
      const { exampleSet: source } = readExample(example)
      if (!notationOf(source.path) || source.path.startsWith('.') || source.path === 'baseline.json') continue
      for (const level of ['safe', 'suggested'] as const) {
        const { text, count } = await fixText(source.text, source.path, level)
        fixed += count
        const worse = (await read(sourceOf(source.path, text))).diagnostics.filter((each) => each.code === 'syntax').length
        expect(worse, `${code}\n${source.text}\n--- after\n${text}`).toBeLessThanOrEqual(
          (await read(source)).diagnostics.filter((each) => each.code === 'syntax').length,
        )
        expect((await fixText(text, source.path, level)).text, code).toBe(text)
      }
    }
    expect(fixed).toBeGreaterThan(effort(60, 40))
  })
})

describe('docs/fixes.md', () => {
  const rows = [
    ...readFileSync(fileURLToPath(new URL('../../docs/fixes.md', import.meta.url)), 'utf8').matchAll(
      /^\| .* \| (safe|suggested) \| (.*) \|$/gm,
    ),
  ]
    .flatMap(([, level, codes = '']) => codes.split(', ').map((code) => `${code} ${level}`))
    .sort()

  it('lists what is tried here', () => {
    const tried = [...safeCases.map(([code]) => `${code} safe`), ...suggestedCases.map(([code]) => `${code} suggested`), 'syntax safe']
    expect(rows).toEqual([...new Set(tried)].sort())
  })

  it('is what the rules say of themselves', () => {
    const said = rules.flatMap(({ code, fixes = [] }) => fixes.map((fix) => `${code} ${fix}`))
    expect([...new Set(rows)]).toEqual(said.sort())
  })

  it('lists the fixes for the examples of the rules', async () => {
    const offered = new Set<string>()
    for (const rule of rules) {
      for (const example of examplesOf(rule.code).bad) {
        const { exampleSet: source } = readExample(example)
        if (!notationOf(source.path) || source.path.startsWith('.') || source.path === 'baseline.json') continue
        const found = find([{ source, read: await read(source) }])
        for (const { code, fix } of found) if (fix) offered.add(`${code} ${fix.safe ? 'safe' : 'suggested'}`)
      }
    }
    // Rows whose fixes are only sometimes less than safe say so in the text.
    const sometimes = ['idle-except suggested', 'redundant-action suggested', 'redundant-resource suggested']
    expect([...offered].filter((each) => !rows.includes(each) && !sometimes.includes(each))).toEqual([])
  })
})
