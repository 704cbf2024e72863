import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { suggestionDiff, suggestText } from '../../src/answers/suggest.ts'
import { type Difference, type DiffRegion, diff } from '../../src/diff/diff.ts'
import { glob, matches } from '../../src/glob.ts'
import { factsText } from '../../src/lint/prove.ts'
import type { World } from '../../src/policy.ts'
import { type Suggested, type Suggestion, suggest, type Wish } from '../../src/propose/suggest.ts'
import { paint } from '../../src/report/colour.ts'
import { Names } from '../../src/report/names.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { atomsOf, evaluate, type Formula } from '../../src/symbolic/formula.ts'
import { typeAndName } from '../../src/urn/resource.ts'
import { effort } from '../support/effort.ts'
import { filesOf, read, worldOf } from '../support/files.ts'
import { generate, questionOf, randomOf, usualKnobs } from '../support/worlds.ts'

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
const carol = 'urn:v1:eu:identity:user:ab12-svc/carol'
const server = 'urn:v1:eu:resource:vps:vps-1'
const at = '2026-07-01T12:00:00Z'

/** A few actions of the resources that tests mention. */
/** No misspelt action is corrected: `test/cli/suggest-correct.scenario` has those. */
const intended = () => undefined

const actions = new ActionsByType({
  products: ['vps', 'dns', 'p', 'q'],
  typesOf: (product) => ({ vps: ['vps'], dns: ['dnsZone'], p: ['t', 't/s'], q: ['u'] })[product] ?? [],
  actionsOf: (product) => ['get', 'reboot', 'stop', 'a', 'b', 'a/b'].map((path) => `${product}:apisvc:${path}`),
})

const policy = (name: string, permissions: object, more: object = {}) => ({
  name,
  identities: [bob, ann],
  resources: [{ urn: server }],
  permissions,
  ...more,
})
const allow = (...actions: readonly string[]) => ({ allow: actions.map((action) => ({ action })) })
const deny = (...actions: readonly string[]) => ({ deny: actions.map((action) => ({ action })) })

async function ask(policies: readonly object[] | object, wish?: Wish, more: object = {}): Promise<Suggested> {
  const files = await filesOf({ 'p.json': JSON.stringify(policies) })
  const question = questionOf({ identity: ann, action: 'vps:apisvc:reboot', resource: server, at, ...more })
  return suggest(files, worldOf(files), question, wish, read, { intended, actions })
}

/** The edits of each suggestion, `=` where nothing else changes. */
const editsIn = ({ suggestions }: Suggested) =>
  suggestions.map(
    ({ edits, others }) =>
      `${others.verdict === 'same' ? '= ' : ''}${edits.map(({ kind, list, text, policy: of }) => [kind, ...(of ? [of.name.value] : []), ...(list ? [list, text] : [])].join(' ')).join(', ')}`,
  )

describe('a file with memberships and with a condition on the address', () => {
  const ops = 'urn:v1:eu:identity:group:ab12-svc/ops'
  const world = (range: string) => ({
    identities: [
      { urn: ann, groups: [] },
      { urn: bob, groups: [ops] },
    ],
    resources: [{ urn: server, tags: {} }],
    policies: [
      { ...policy('ops', allow('vps:apisvc:reboot')), identities: [ops] },
      { ...policy('office', allow('vps:apisvc:get')), conditions: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': range } } },
    ],
  })

  test('is edited: the identity joins the group', async () => {
    const found = await ask(world('203.0.113.0/24'))
    expect(found.suggestions.length).toBeGreaterThan(1)
    const joins = found.suggestions.find(({ edits }) => edits.some(({ kind }) => kind === 'join'))
    const { identities } = JSON.parse(joins?.files[0]?.after ?? '{}')
    expect(identities).toEqual([
      { urn: ann, groups: [ops] },
      { urn: bob, groups: [ops] },
    ])
  })

  test('has a text of its own for each address', async () => {
    const texts = ['203.0.113.0/24', '203.0.113.0/25', '203.0.112.0/24', '2001:db8::/24'].map(async (range) => {
      const [file] = await filesOf({ 'p.json': JSON.stringify(world(range)) })
      return factsText(file?.read.facts ?? {})
    })
    expect(new Set(await Promise.all(texts)).size).toBe(4)
  })
})

describe('to allow', () => {
  test('the action, the resource or the identity is added, and what changes least comes first', async () => {
    const found = await ask([
      policy('actions', allow('vps:apisvc:get'), { identities: [ann, carol] }),
      policy('names', allow('vps:apisvc:reboot'), { identities: [bob] }),
      policy('places', allow('vps:apisvc:reboot'), { identities: [ann], resources: [{ urn: 'urn:v1:eu:resource:vps:vps-2' }] }),
    ])
    expect(editsIn(found)).toEqual([
      '= add places resources urn:v1:eu:resource:vps:vps-1',
      '= add names identities urn:v1:eu:identity:user:ab12-svc/ann',
      '= new-policy',
      'add actions allow vps:apisvc:reboot',
    ])
    expect(found.suggestions.at(-1)?.others.gained.map(({ identities, actions }) => [...identities, ...actions])).toEqual([
      [carol, 'vps:apisvc:reboot'],
    ])
  })

  test('a new policy has a name that no other one has', async () => {
    const others = ['allow ann reboot', 'allow ann reboot 2'].map((name) => policy(name, deny('dns:apisvc:get')))
    const { suggestions } = await ask(others)
    const names = suggestions.flatMap(({ edits }) => edits.flatMap(({ kind, text }) => (kind === 'new-policy' ? [text] : [])))
    expect(new Set(names)).toEqual(new Set(['allow ann reboot 3']))
  })

  test('lines that are added end as those of the file do', async () => {
    const text = `- name: p\n  identities:\n    - ${bob}\n  resources:\n    - urn: ${server}\n  permissions:\n    allow:\n      - action: vps:apisvc:reboot\n`
    const files = await filesOf({ 'p.yaml': text.replaceAll('\n', '\r\n') })
    const question = questionOf({ identity: ann, action: 'vps:apisvc:reboot', resource: server, at })
    const { suggestions } = await suggest(files, worldOf(files), question, 'allow', read, { intended, actions })
    const written = suggestions.flatMap((each) => each.files.flatMap(({ before, after }) => (before ? [after ?? ''] : [])))
    expect(written.length).toBeGreaterThan(0)
    for (const after of written) expect(after.replaceAll('\r\n', '')).not.toContain('\n')
  })

  test('of many policies that may be edited, the narrowest are', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `${bob}${i}`)
    const policies = [6, 5, 4, 3, 2, 1].map((count) =>
      policy(`of ${count}`, allow('vps:apisvc:get'), { identities: [ann, ...names(count)] }),
    )
    const edited = editsIn(await ask(policies)).flatMap((edits) => /^add (of \d)/.exec(edits)?.[1] ?? [])
    expect(edited[0]).toBe('of 1')
    expect(edited.some((name) => ['of 6', 'of 5', 'of 4'].includes(name))).toBe(false)
  })

  test('an `except` or an expiry that is over is taken out', async () => {
    const excepted = await ask([policy('most', { ...allow('vps:*'), except: [{ action: 'vps:apisvc:reboot' }] }, { identities: [ann] })])
    expect(editsIn(excepted)[0]).toBe('= remove most except vps:apisvc:reboot')
    const over = await ask([policy('over', allow('vps:apisvc:reboot'), { identities: [ann], expiredAt: '2025-01-01T00:00:00Z' })])
    expect(editsIn(over)).toContain('= remove-expiry over')
  })

  test('what denies it is taken out, and then it is granted where nothing grants it', async () => {
    const blocked = await ask([policy('all', allow('vps:*')), policy('stop', deny('vps:apisvc:reboot'))])
    expect(editsIn(blocked)).toEqual(['= remove stop identities urn:v1:eu:identity:user:ab12-svc/ann'])
    const both = await ask([policy('stop', deny('vps:apisvc:reboot', 'vps:apisvc:stop'))])
    expect(editsIn(both)).toContain('= remove stop identities urn:v1:eu:identity:user:ab12-svc/ann, new-policy')
  })

  test('a condition that does not hold is reported, and widened only by what the question gives', async () => {
    const office = { conditions: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } } }
    const found = await ask([policy('office', allow('vps:*'), office)], undefined, { ip: '203.0.113.7' })
    expect(found.conditional.map(({ policy: of }) => of.name.value)).toEqual(['office'])
    expect(found.suggestions.flatMap(({ edits }) => edits.flatMap(({ kind, text }) => (kind === 'widen' ? [text] : [])))).toEqual([
      'request.IP 203.0.113.7',
    ])
    const grouped = await ask([policy('ops', allow('vps:*'), { identities: ['urn:v1:eu:identity:group:ab12-svc/ops'] })])
    expect(grouped.membership).toEqual({ group: 'urn:v1:eu:identity:group:ab12-svc/ops', verdict: 'allow' })
  })
})

describe('to deny', () => {
  test('an entry is taken out, or an `except` is put next to a wildcard', async () => {
    expect(editsIn(await ask([policy('own', allow('vps:apisvc:reboot', 'vps:apisvc:get'), { identities: [ann] })]))).toEqual([
      '= remove own allow vps:apisvc:reboot',
      '= new-policy',
      'remove-policy own',
    ])
    const wide = await ask([policy('all', allow('vps:*'), { identities: [ann] })])
    expect(editsIn(wide).slice(0, 2)).toEqual(['= add all except vps:apisvc:reboot', '= new-policy'])
    expect(JSON.parse(wide.suggestions[0]?.files[0]?.after ?? '')[0].permissions).toEqual({
      allow: [{ action: 'vps:*' }],
      except: [{ action: 'vps:apisvc:reboot' }],
    })
  })

  test('the owning account cannot be denied', async () => {
    const identity = 'urn:v1:eu:identity:account:ab12-svc'
    expect((await ask({ account: 'ab12-svc', policies: [] }, 'deny', { identity })).kind).toBe('root')
  })
})

test('what is as wished, or not known, is not edited', async () => {
  expect((await ask([policy('all', allow('vps:*'))], 'allow')).kind).toBe('already')
  const tagged = { conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } } }
  expect((await ask([policy('all', allow('vps:*'), tagged)], 'allow')).kind).toBe('unknown')
})

test('a new policy goes where policies are, else into a separate file', async () => {
  const texts = { 'team/a.yaml': `${JSON.stringify(policy('one', allow('vps:apisvc:get')))}\n` }
  const files = await filesOf(texts)
  const question = questionOf({ identity: ann, action: 'dns:apisvc:get', resource: server, at })
  const { suggestions } = await suggest(files, worldOf(files), question, 'allow', read, { intended, actions })
  expect(suggestions.flatMap((each) => each.files.map(({ path, before }) => [path, before === undefined]))).toContainEqual([
    'team/new-policy.yaml',
    true,
  ])
})

describe('what is not described behind a deny', () => {
  const open = 'urn:v1:eu:resourceGroup:99999999-9999-9999-9999-999999999999'
  const guard = policy('guard', deny('vps:apisvc:reboot'), { identities: [ann] })
  const unrelated = policy('beside', allow('vps:apisvc:get'), { identities: [bob] })
  const verdicts = ({ suggestions }: Suggested) => [...new Set(suggestions.map(({ decision }) => decision.verdict))]

  test('an allow that may not be about the resource is joined by one that is', async () => {
    const perhaps = policy('perhaps', allow('vps:apisvc:reboot'), { identities: [ann], resources: [{ urn: open }] })
    const found = await ask([perhaps, guard, unrelated])
    expect(verdicts(found)).toEqual(['allow'])
    expect(editsIn(found)).toContain('= remove-policy guard, add perhaps resources urn:v1:eu:resource:vps:vps-1')
  })

  test('a deny that may be about the resource goes too', async () => {
    const all = policy('all', allow('vps:*'), { identities: [ann] })
    const perhaps = policy('perhaps', deny('vps:apisvc:reboot', 'vps:apisvc:stop'), { identities: [ann, bob], resources: [{ urn: open }] })
    const found = await ask([all, perhaps, policy('guard', deny('vps:apisvc:reboot'))])
    expect(verdicts(found)).toEqual(['allow'])
    expect(editsIn(found)[0]).toMatch(/remove guard identities .*remove perhaps /)
  })

  test('where that cannot go, the edit that ends the denial says what is unknown', async () => {
    const all = policy('all', allow('vps:*'), { identities: [ann] })
    const perhaps = policy('perhaps', deny('vps:apisvc:reboot'), { identities: [ann], resources: [{ urn: open }], readOnly: true })
    const found = await ask([all, perhaps, policy('guard', deny('vps:apisvc:reboot'))])
    expect(verdicts(found)).toEqual(['unknown'])
    expect(editsIn(found)[0]).toContain(`remove guard identities ${ann}`)
    const text = suggestText(questionOf({ identity: ann, action: 'vps:apisvc:reboot', resource: server, at }), found, {
      names: new Names([], true),
      paint: paint(false),
      over: 'known',
    })
    expect(text).toContain('edits after which it would be allowed: 0')
    expect(text).toContain(`with this edit the answer is unknown, because not all members of resource group \`${open}\` are described`)
    expect(text).not.toContain('layout')
  })
})

test('what an edit opens has the reasons of its exceptions, where they are many', async () => {
  const own = ['a', 'b', 'c', 'd', 'e'].map((name) => policy(`own ${name}`, allow(`p:apisvc:${name}`), { identities: [ann] }))
  const guards = ['get', 'stop'].map((path) => policy(`no ${path}`, deny(`vps:apisvc:${path}`), { identities: [ann] }))
  const all = policy('all', allow('*'), { identities: [bob], resources: [{ urn: 'urn:v1:eu:resource:*' }] })
  const found = await ask([...own, ...guards, all], 'allow')
  const pick = editsIn(found).indexOf(`add all identities ${ann}`) + 1
  const view = { names: new Names([]), paint: paint(false), over: 'everything', pick } as const
  const question = questionOf({ identity: ann, action: 'vps:apisvc:reboot', resource: server, at })
  const exceptions = ', with 7 exceptions: still denied (no get, no stop), allowed before (own a, own b, own c and 2 more)'
  expect(suggestText(question, found, view)).toContain(exceptions)
  expect(suggestText(question, found, { ...view, all: true })).not.toContain('with 7 exceptions')
})

describe('the smallest edit', () => {
  const ops = 'urn:v1:eu:identity:group:ab12-svc/ops'
  const audit = 'urn:v1:eu:identity:group:ab12-svc/audit'
  const web = 'urn:v1:eu:resourceGroup:11111111-1111-1111-1111-111111111111'
  const second = 'urn:v1:eu:resource:vps:vps-2'
  const inventory = [
    'resourceGroups:',
    `  - urn: ${web}`,
    '    name: web',
    `    resources: [{ urn: "${server}" }, { urn: "${second}" }] # both`,
    'resources:',
    `  - urn: ${server}`,
    `  - urn: ${second}`,
    'identities:',
    `  - urn: ${ann} # of both`,
    '    groups:',
    `      - ${ops}`,
    `      - ${audit}`,
    `  - urn: ${bob}`,
    `    groups: [${ops}, ${audit}]`,
    `  - urn: ${carol}`,
    '',
  ].join('\n')
  const all = policy('all', allow('vps:*'), { identities: [ops], resources: [{ urn: 'urn:v1:eu:resource:vps:*' }] })

  async function among(policies: readonly object[], wish?: Wish, more: object = {}, allTimes = false) {
    const texts: Record<string, string> = { 'p.yaml': policies.map((each) => `- ${JSON.stringify(each)}\n`).join(''), 'w.yaml': inventory }
    const files = await filesOf(texts)
    const question = questionOf({ identity: ann, action: 'vps:apisvc:reboot', resource: server, at, ...more })
    return { texts, found: await suggest(files, worldOf(files), question, wish, read, { intended, actions, allTimes }) }
  }
  const kindsIn = ({ suggestions }: Suggested) => suggestions.map(({ edits }) => edits.map(({ kind }) => kind).join(', '))
  const opened = ({ suggestions }: Suggested, kind: string) => {
    const { gained, lost } = suggestions.find(({ edits }) => edits[0]?.kind === kind)?.others.described ?? { gained: [], lost: [] }
    return [gained, lost].map((changes) =>
      changes.flatMap(({ identities, actions, resources }) =>
        identities.flatMap((identity) => actions.flatMap((action) => resources.map((resource) => [identity, action, resource].join(' ')))),
      ),
    )
  }

  test('a member leaves a group that is denied, a resource its group, or a condition leaves it out', async () => {
    const guard = policy('guard', deny('vps:apisvc:reboot', 'vps:apisvc:stop'), { identities: [audit], resources: [{ urn: web }] })
    const { found } = await among([all, guard])
    expect(kindsIn(found).sort()).toEqual(['expand, new-policy', 'expand, new-policy', 'leave', 'narrow', 'remove'])
    expect(opened(found, 'narrow')).toEqual([
      [`${ann} vps:apisvc:stop ${server}`, `${bob} vps:apisvc:reboot ${server}`, `${bob} vps:apisvc:stop ${server}`],
      [],
    ])
    expect(opened(found, 'expand')).toEqual([[`${ann} vps:apisvc:reboot ${second}`], []])
    expect(kindsIn(found)[0]).toBe('expand, new-policy')
  })

  test('a guard is deleted only where nothing else will do', async () => {
    const guard = policy('guard', deny('vps:apisvc:reboot'), { identities: [ops] })
    const { found } = await among([all, guard])
    expect(kindsIn(found)).not.toContain('remove-policy')
    const only = policy('guard', deny('vps:apisvc:reboot'), { identities: [`${ann.slice(0, -3)}*`] })
    expect(kindsIn((await among([policy('all', allow('vps:*'), { identities: [ann] }), only])).found)).toEqual(['remove-policy'])
  })

  test('an identity or a resource joins a group', async () => {
    const few = policy('few', allow('vps:apisvc:reboot'), { identities: [ops], resources: [{ urn: server }] })
    const { found } = await among([few], 'allow', { identity: carol })
    expect(kindsIn(found).sort()).toEqual(['add', 'join', 'new-policy'])
    const own = policy('own', allow('vps:*'), { identities: [carol], resources: [{ urn: web }] })
    const third = 'urn:v1:eu:resource:vps:vps-3'
    expect(kindsIn((await among([own], 'allow', { identity: carol, resource: third })).found)).toContain('join')
  })

  test('one identity of a policy gets a policy of its own, with its condition', async () => {
    const conditions = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } }
    const both = policy('both', allow('vps:apisvc:get', 'vps:apisvc:reboot'), { conditions, resources: [{ urn: web }] })
    const { found } = await among([both], 'deny', { ip: '192.0.2.7' })
    const split = found.suggestions.find(({ edits }) => edits.length === 2)
    expect(split?.edits.map(({ kind, text }) => `${kind} ${text}`)).toEqual([`remove ${ann}`, 'new-policy both for ann'])
    expect(split?.files[0]?.after).toContain('"192.0.2.0/24"')
    expect(opened(found, 'remove')[0]).toEqual([])
  })

  test('a condition is added to one that is there, in each way to write it', async () => {
    const wide = { identities: [ann], resources: [{ urn: 'urn:v1:eu:resource:vps:*' }] }
    const block = (condition: readonly string[]) =>
      [
        '- name: all',
        `  identities: [${ann}]`,
        '  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]',
        '  permissions: { allow: [{ action: "vps:*" }] }',
        '  conditions:',
        ...condition.map((line) => `    ${line}`),
        '',
      ].join('\n')
    const match = ['operator: MATCH', 'values: # two', '  request.IP.IN_RANGE: 192.0.2.0/24', '  resource.Type: vps']
    const nested = match.map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`)
    const texts = [
      block(match),
      block(['operator: AND', 'conditions:', ...nested]),
      block(['operator: OR', 'conditions:', ...nested]),
      block(['{ operator: MATCH, values: { request.IP: 192.0.2.7 } }']),
      JSON.stringify([
        policy('all', allow('vps:*'), { ...wide, conditions: { operator: 'MATCH', values: { 'request.IP': '192.0.2.7' } } }),
      ]),
    ]
    for (const [i, text] of texts.entries()) {
      const files = await filesOf({ [i === 4 ? 'p.json' : 'p.yaml']: text })
      const question = questionOf({ identity: ann, action: 'vps:apisvc:reboot', resource: server, at, ip: '192.0.2.7' })
      const { suggestions } = await suggest(files, worldOf(files), question, 'deny', read, { intended, actions })
      const narrow = suggestions.find(({ edits }) => edits[0]?.kind === 'narrow')
      expect(narrow?.others.gained, text).toEqual([])
      expect(narrow?.others.described.lost.map(({ resources }) => resources)).toEqual([[server]])
      expect(narrow?.decision.verdict).toBe('deny')
    }
  })

  test('without an instant the answer is over all times, and says when it changes by itself', async () => {
    const conditions = { operator: 'MATCH', values: { 'date(UTC).WeekDay.IN': 'Saturday,Sunday' } }
    const freeze = policy('freeze', deny('vps:*'), { conditions, identities: [ops] })
    const saturday = '2026-07-04T12:00:00Z'
    const { found } = await among([all, freeze], undefined, { at: saturday }, true)
    expect([found.wish, found.change?.at]).toEqual(['allow', Date.parse('2026-07-06T00:00:00Z')])
    expect(found.suggestions.length).toBeGreaterThan(0)
    for (const { when } of found.suggestions) expect(when).toBeUndefined()
    // On a Wednesday it is allowed; that it always is has to be brought about.
    const later = (await among([all, freeze], 'allow', {}, true)).found
    expect([later.kind, later.at, later.suggestions.length > 0]).toEqual(['edits', Date.parse('2026-07-04T00:00:00Z'), true])
    expect((await among([all, freeze], 'allow')).found.kind).toBe('already')
    const soon = policy('soon', allow('vps:apisvc:stop'), { identities: [carol], expiredAt: '2026-08-01T00:00:00Z' })
    const short = (await among([soon], 'allow', { identity: carol }, true)).found
    const added = short.suggestions.find(({ edits }) => edits[0]?.kind === 'add')
    expect([added?.when !== undefined, short.suggestions[0]?.when]).toEqual([true, undefined])
  })

  test('every diff is one that git applies', async () => {
    const guard = policy('guard', deny('vps:apisvc:reboot', 'vps:apisvc:stop'), { identities: [audit], resources: [{ urn: web }] })
    const answers = [await among([all, guard]), await among([all], 'deny'), await among([all], 'allow', { identity: carol })]
    let count = 0
    for (const { texts, found } of answers) {
      for (const suggestion of found.suggestions) {
        const folder = mkdtempSync(join(tmpdir(), 'grantwise-suggest-'))
        for (const [path, text] of Object.entries(texts)) writeFileSync(join(folder, path), text)
        execFileSync('git', ['apply', '-'], { cwd: folder, input: suggestionDiff(suggestion) })
        for (const { path, after } of suggestion.files) expect(readFileSync(join(folder, path), 'utf8')).toBe(after)
        rmSync(folder, { recursive: true })
        count++
      }
    }
    expect(count).toBeGreaterThan(8)
  })
})

/** Whether a question is in a region, what it leaves out and its condition aside. */
function isNear(
  { identities, actions, resources }: DiffRegion,
  { identity, groups, action, resource }: Question,
  own: readonly string[],
): boolean {
  const hit = (patterns: readonly string[], ...texts: readonly string[]) =>
    patterns.some((pattern) => texts.some((text) => matches(glob(pattern), text)))
  return (
    hit(identities, identity, ...groups, ...own) &&
    hit(actions, action) &&
    hit(
      resources.map(({ pattern }) => pattern),
      resource,
    )
  )
}

/** The value of a formula at a point; undefined where it depends on unknown facts. */
function holdsAt(formula: Formula, { at: instant, ip, tags }: Question): boolean | undefined {
  const keys = [...atomsOf(formula)].flatMap((atom) =>
    atom.kind === 'test' && atom.test.subject.kind === 'tag' ? [atom.test.subject.parameter] : [],
  )
  const known = new Map(keys.map((key) => [key, tags?.get(key) ?? null]))
  return evaluate(formula, { at: instant, ...(ip && { ip }), tags: known, assumed: new Map() })
}

/** Compare what a suggestion changes for described things with both worlds, point by point; how many points differ. */
function sameAsBruteForce(suggestion: Suggestion, question: Question, before: World, after: World): number {
  const { described } = suggestion.others
  if (described.undecided) return 0
  const { identities, resources } = knownNamesIn([before, after])
  let count = 0
  for (const identity of identities) {
    const members = [identity, ...[before, after].flatMap((world) => world.identities.get(identity)?.groups ?? [])]
    for (const resource of resources) {
      for (const action of actions.of(typeAndName(resource).type)) {
        if (members.includes(question.identity) && action === question.action && resource === question.resource) continue
        for (const instant of [question.at, question.at + 86_400_000 * 30]) {
          const point: Question = { ...question, groups: [], identity, resource, action, at: instant, tags: question.tags ?? new Map() }
          const isTagged = [before, after].some((world) => world.resources.get(resource)?.tags)
          const { tags: _, ...untagged } = point
          const asked: Question = isTagged ? untagged : point
          const [old, now] = [decide(before, asked).verdict, decide(after, asked).verdict]
          for (const [side, holds] of [
            ['gained', now === 'allow' && old === 'deny'],
            ['lost', old === 'allow' && now === 'deny'],
          ] as const) {
            const about = described[side].filter(
              (change) => change.identities.includes(identity) && change.actions.includes(action) && change.resources.includes(resource),
            )
            const truths = about.map(({ condition }) => holdsAt(condition, point))
            if (old === 'unknown' || now === 'unknown' || truths.includes(undefined)) continue
            expect([side, identity, action, resource, truths.includes(true)]).toEqual([side, identity, action, resource, holds])
            if (holds) count++
          }
        }
      }
    }
  }
  return count
}

/** The difference of a suggestion as the comparison of two worlds finds it that share no policy. */
async function readAnew({ others }: Suggestion, { identity, action, resource, at }: Question, world: World, edited: World) {
  const aside = { name: asideName, identities: [identity], resources: [{ urn: resource }], permissions: deny(action) }
  const { policies } = worldOf(await filesOf({ 'q.json': JSON.stringify([aside]) }))
  const [before, after] = [world, edited].map((each): World => ({ ...each, policies: [...each.policies, ...policies] })) as [World, World]
  return diff(before, after, { budget: 20_000, within: { from: at }, found: others.described })
}

const asideName = 'the question'

/** The parts of a difference that are shown. */
function shownOf({ verdict, gained, lost, undecided }: Difference) {
  const regions = (list: readonly DiffRegion[]) =>
    list.map(({ except, causes, ...region }) => ({
      ...region,
      causes: causes.map(({ span, ...cause }) => ({ ...cause, place: [span.source.path, span.start, span.end] })),
      except: except.flatMap(({ policy, ...rest }) =>
        policy?.name.value === asideName ? [] : [[policy?.name.value, policy?.name.span.source.path, policy?.name.span.start, rest]],
      ),
    }))
  return { verdict, gained: regions(gained), lost: regions(lost), undecided }
}

describe('random worlds', () => {
  test('every suggestion grants what it says, and changes nothing that it does not report', async () => {
    const random = randomOf(5)
    const hit = { allow: 0, deny: 0, same: 0, changed: 0, differing: 0, none: 0, triples: 0 }
    for (let i = 0; i < effort(60, 12); i++) {
      const { world: written, questions } = generate(random, 60, { ...usualKnobs, policies: 5, conditions: 0.5, missing: 0, groups: 0.1 })
      const { policies, ...inventory } = written
      const files = await filesOf({ 'p.json': JSON.stringify({ policies }), 'w.json': JSON.stringify(inventory) })
      const world = worldOf(files)
      const asked = questions.map(questionOf)
      const [question] = asked as [Question]
      const { suggestions, kind, wish } = await suggest(files, world, question, undefined, read, { intended, actions })
      if (kind === 'edits' && suggestions.length === 0) hit.none++
      for (const suggestion of suggestions) {
        hit[wish]++
        const texts = Object.fromEntries(files.map(({ source }) => [source.path, source.text]))
        for (const { path, after } of suggestion.files) texts[path] = after ?? '[]'
        const edited = worldOf(await filesOf(texts))
        expect(decide(edited, question).verdict).toBe(wish)
        const { verdict, gained, lost, undecided } = suggestion.others
        if (verdict !== 'undecided') hit[verdict]++
        expect(shownOf(suggestion.others)).toEqual(shownOf(await readAnew(suggestion, question, world, edited)))
        hit.triples += sameAsBruteForce(suggestion, question, world, edited)
        for (const other of asked.slice(1)) {
          const own = [world, edited].flatMap(({ identities }) => identities.get(other.identity)?.groups ?? [])
          const members = [other.identity, ...other.groups, ...own]
          // Access that ended before the instant of the question does not count.
          if (other.at < question.at) continue
          if (members.includes(question.identity) && other.action === question.action && other.resource === question.resource) continue
          const [before, after] = [decide(world, other).verdict, decide(edited, other).verdict]
          if (before === after || before === 'unknown' || after === 'unknown') continue
          hit.differing++
          expect(verdict).not.toBe('same')
          const regions = after === 'allow' ? gained : lost
          expect(undecided.length > 0 || regions.some((region) => isNear(region, other, own))).toBe(true)
        }
      }
    }
    expect(hit.allow).toBeGreaterThan(effort(40, 16))
    expect(hit.deny).toBeGreaterThan(effort(20, 16))
    expect(hit.same).toBeGreaterThan(effort(30, 16))
    expect(hit.changed).toBeGreaterThan(effort(30, 16))
    expect(hit.differing).toBeGreaterThan(effort(100, 16))
    expect(hit.triples).toBeGreaterThan(effort(60, 16))
  })

  test('every condition that is widened or narrowed brings what is wished', async () => {
    const random = randomOf(11)
    const hit = { widen: 0, exclude: 0 }
    for (let i = 0; i < effort(120, 8); i++) {
      const { world: written, questions } = generate(random, 1, { ...usualKnobs, policies: 3, conditions: 1, missing: 0, groups: 0 })
      const [question] = questions.map(questionOf) as [Question]
      const about = { identities: [question.identity], resources: [{ urn: question.resource }] }
      const [first, ...others] = written.policies as unknown as readonly Record<string, unknown>[]
      const { account: _, ...inventory } = { ...written, policies: undefined }
      const decisive = { ...first, ...about, permissions: i % 2 ? allow(question.action) : deny(question.action) }
      const rest = i % 2 ? [] : [policy('rest', allow(question.action), about)]
      const files = await filesOf({ 'p.json': JSON.stringify([decisive, ...rest, ...others]), 'w.json': JSON.stringify(inventory) })
      const { suggestions, wish } = await suggest(files, worldOf(files), question, 'allow', read, { intended, actions })
      for (const { edits, files: changed } of suggestions) {
        const texts = Object.fromEntries(files.map(({ source }) => [source.path, source.text]))
        for (const { path, after } of changed) texts[path] = after ?? '[]'
        expect(decide(worldOf(await filesOf(texts)), question).verdict).toBe(wish)
        for (const { kind } of edits) if (kind === 'widen' || kind === 'exclude') hit[kind]++
      }
    }
    expect(hit.widen).toBeGreaterThan(effort(10, 10))
    expect(hit.exclude).toBeGreaterThan(effort(10, 10))
  })
})

describe('conditions', () => {
  /** A YAML file with one policy, whose condition is written in these lines. */
  const file = (effect: 'allow' | 'deny', condition: readonly string[]) =>
    [
      '# first',
      '- name: one # the only one',
      `  identities: [${ann}]`,
      `  resources: [{ urn: "${server}" }]`,
      `  permissions: { ${effect}: [{ action: "vps:*" }] }`,
      ...(condition[0]?.startsWith('expiredAt') ? condition : ['conditions:', ...condition.map((line) => `  ${line}`)]).map(
        (line) => `  ${line}`,
      ),
      ...(effect === 'deny'
        ? [
            '- name: rest',
            `  identities: [${ann}]`,
            `  resources: [{ urn: "${server}" }]`,
            '  permissions: { allow: [{ action: "vps:*" }] }',
          ]
        : []),
      '',
    ].join('\n')

  /** The lines that an edit of the condition changes, and what it says; undefined without one. */
  async function edited(effect: 'allow' | 'deny', condition: readonly string[], more: object = {}, allTimes = false) {
    const files = await filesOf({ 'p.yaml': file(effect, condition) })
    const question = questionOf({ identity: ann, action: 'vps:apisvc:reboot', resource: server, at, ...more })
    const { suggestions } = await suggest(files, worldOf(files), question, 'allow', read, { intended, actions, allTimes })
    const kinds = ['widen', 'exclude', 'extend-expiry']
    return suggestions
      .filter(({ edits }) => edits.some(({ kind }) => kinds.includes(kind)))
      .map((suggestion) => {
        expect(suggestion.decision.verdict).toBe('allow')
        const lines = suggestionDiff(suggestion).split('\n')
        const changed = lines.filter((line) => /^[+-](?![+-])/.test(line)).map((line) => line[0] + line.slice(1).trim())
        return [suggestion.edits.map(({ kind, text }) => `${kind} ${text}`).join(', '), ...changed]
      })
  }
  const ip = '203.0.113.7'
  const match = (...values: readonly string[]) => ['operator: MATCH', 'values: # these', ...values.map((value) => `  ${value}`)]

  test.each([
    [
      match('request.IP.IN: 192.0.2.1, 192.0.2.2 # two'),
      'request.IP 203.0.113.7',
      ['-request.IP.IN: 192.0.2.1, 192.0.2.2 # two', '+request.IP.IN: 192.0.2.1, 192.0.2.2, 203.0.113.7 # two'],
    ],
    [
      match("request.IP: '192.0.2.1'", 'resource.Type: vps'),
      'request.IP 203.0.113.7',
      ["-request.IP: '192.0.2.1'", "+request.IP.IN: '192.0.2.1,203.0.113.7'"],
    ],
    [
      [
        'operator: OR',
        'conditions:',
        '  - operator: MATCH',
        '    values: { request.IP.IN_RANGE: 192.0.2.0/24 }',
        '  - operator: MATCH',
        '    values: { request.IP.IN_RANGE: 192.0.3.0/24 } # last',
      ],
      'request.IP 203.0.113.7',
      ['+- { operator: MATCH, values: { request.IP: "203.0.113.7" } }'],
    ],
    [
      match('date(UTC).Hour.AFTER: "13"', 'date(UTC).Hour.BEFORE: "18"'),
      'date(UTC).Hour 12',
      ['-date(UTC).Hour.AFTER: "13"', '+date(UTC).Hour.AFTER: "12"'],
    ],
    [
      match('date(UTC).Hour.GE: "06"', 'date(UTC).Hour.LT: "09" # early'),
      'date(UTC).Hour 12',
      ['-date(UTC).Hour.LT: "09" # early', '+date(UTC).Hour.LT: "13" # early'],
    ],
    [
      match('date(UTC).WeekDay.IN: Saturday,Sunday'),
      'date(UTC).WeekDay Wednesday',
      ['-date(UTC).WeekDay.IN: Saturday,Sunday', '+date(UTC).WeekDay.IN: Saturday,Sunday,Wednesday'],
    ],
    [
      match('date(UTC).Date.BEFORE: "2026-07-01"'),
      'date(UTC).Date 2026-07-01',
      ['-date(UTC).Date.BEFORE: "2026-07-01"', '+date(UTC).Date.BEFORE: "2026-07-02"'],
    ],
    [
      ['operator: NOT', 'conditions:', '  - operator: MATCH', '    values: { request.IP.IN: "203.0.113.7, 192.0.2.1" }'],
      'request.IP 203.0.113.7',
      ['-values: { request.IP.IN: "203.0.113.7, 192.0.2.1" }', '+values: { request.IP.IN: "192.0.2.1" }'],
    ],
  ])('an allow is widened where it is written: %#', async (condition, text, lines) => {
    expect(await edited('allow', condition, { ip })).toEqual([[`widen ${text}`, ...lines]])
  })

  test('a value that cannot be in a list is put next to the comparison', async () => {
    const [tagged] = await edited('allow', match('resource.Tag(env): dev', 'request.IP.IN_RANGE: 192.0.2.0/24'), {
      ip,
      tags: { env: 'prod' },
    })
    expect(tagged?.[0]).toBe('widen resource.Tag(env) prod, request.IP 203.0.113.7')
    expect(tagged?.at(-1)).toBe('+- { operator: MATCH, values: { resource.Tag(env): prod, request.IP: "203.0.113.7" } }')
  })

  test('an expiry is moved beyond the last second of a day', async () => {
    const [[edit] = []] = await edited('allow', ['expiredAt: 2026-06-30T12:00:00Z'], { at: '2026-07-01T23:59:59.500Z' })
    expect(edit).toBe('extend-expiry 2026-07-02T23:59:59Z')
  })

  test('an expiry is moved to the end of the day', async () => {
    expect(await edited('allow', ['expiredAt: 2026-06-30T12:00:00Z # soon'])).toEqual([
      ['extend-expiry 2026-07-01T23:59:59Z', '-expiredAt: 2026-06-30T12:00:00Z # soon', '+expiredAt: 2026-07-01T23:59:59Z # soon'],
    ])
  })

  test.each([
    [match('request.IP.IN_RANGE: 203.0.113.0/24'), 'request.IP 203.0.113.7'],
    [match('request.IP.IN: 192.0.2.1,203.0.113.7'), 'request.IP 203.0.113.7'],
    [match('date(UTC).Hour.GE: "12"', 'date(UTC).Hour.LT: "18"'), 'date(UTC).Hour 12'],
    [match('date(UTC).Hour.LT: "18"'), 'date(UTC).Hour 12'],
    [match('date(UTC).WeekDay.IN: Monday,wednesday'), 'date(UTC).WeekDay Wednesday'],
    [match('date(UTC).Date.AFTER: "2026-07-01"'), 'date(UTC).Date 2026-07-01'],
    [match('resource.Tag(env).STARTS_WITH: pro'), 'resource.Tag(env) prod'],
  ])('a deny is narrowed: %#', async (condition, text) => {
    const found = await edited('deny', condition, { ip, tags: { env: 'prod' } })
    expect(found.map(([first]) => first)).toEqual([`exclude ${text}`])
  })

  test('a deny of one value alone is not narrowed, nor one of what is not known', async () => {
    expect(await edited('deny', match('request.IP: 203.0.113.7'), { ip })).toEqual([])
    const late = match('date(UTC).Hour.GE: "13"')
    expect(await edited('allow', late, {}, true)).toEqual([])
    expect((await edited('allow', late)).length).toBe(1)
  })
})
