import { describe, expect, test } from 'vitest'
import type { DiffRegion } from '../src/diff/diff.ts'
import { glob, matches } from '../src/glob.ts'
import { type Suggested, suggest, type Wish } from '../src/propose/suggest.ts'
import { decide } from '../src/simulate/decide.ts'
import type { Question } from '../src/simulate/decision.ts'
import { effort } from './support/effort.ts'
import { filesOf, read, worldOf } from './support/files.ts'
import { generate, questionOf, randomOf, usualKnobs } from './support/worlds.ts'

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
const carol = 'urn:v1:eu:identity:user:ab12-svc/carol'
const server = 'urn:v1:eu:resource:vps:vps-1'
const at = '2026-07-01T12:00:00Z'

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
  return suggest(files, worldOf(files), question, wish, read)
}

/** What is done in each suggestion, `=` where nothing else changes. */
const editsIn = ({ suggestions }: Suggested) =>
  suggestions.map(
    ({ edits, others }) =>
      `${others.verdict === 'same' ? '= ' : ''}${edits.map(({ kind, list, text, policy: of }) => [kind, ...(of ? [of.name.value] : []), ...(list ? [list, text] : [])].join(' ')).join(', ')}`,
  )

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

  test('an `except` or an expiry that is over is taken out', async () => {
    const excepted = await ask([policy('most', { ...allow('vps:*'), except: [{ action: 'vps:apisvc:reboot' }] }, { identities: [ann] })])
    expect(editsIn(excepted)[0]).toBe('= remove most except vps:apisvc:reboot')
    const over = await ask([policy('over', allow('vps:apisvc:reboot'), { identities: [ann], expiredAt: '2025-01-01T00:00:00Z' })])
    expect(editsIn(over)).toContain('= remove-expiry over')
  })

  test('what denies it is taken out, and then it is granted where nothing grants it', async () => {
    const blocked = await ask([policy('all', allow('vps:*')), policy('stop', deny('vps:apisvc:reboot'))])
    expect(editsIn(blocked)).toEqual(['= remove stop identities urn:v1:eu:identity:user:ab12-svc/ann', 'remove-policy stop'])
    const both = await ask([policy('stop', deny('vps:apisvc:reboot', 'vps:apisvc:stop'))])
    expect(editsIn(both)).toContain('= remove stop identities urn:v1:eu:identity:user:ab12-svc/ann, new-policy')
  })

  test('a condition is reported, not edited, and so is a group', async () => {
    const office = { conditions: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } } }
    const found = await ask([policy('office', allow('vps:*'), office)], undefined, { ip: '203.0.113.7' })
    expect(found.conditional.map(({ policy: of }) => of.name.value)).toEqual(['office'])
    const grouped = await ask([policy('ops', allow('vps:*'), { identities: ['urn:v1:eu:identity:group:ab12-svc/ops'] })])
    expect(grouped.membership).toEqual({ group: 'urn:v1:eu:identity:group:ab12-svc/ops', verdict: 'allow' })
  })
})

describe('to deny', () => {
  test('an entry is taken out, or an `except` is put beside a wildcard', async () => {
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

test('a new policy goes where policies stand, else into a file of its own', async () => {
  const texts = { 'team/a.yaml': `${JSON.stringify(policy('one', allow('vps:apisvc:get')))}\n` }
  const files = await filesOf(texts)
  const question = questionOf({ identity: ann, action: 'dns:apisvc:get', resource: server, at })
  const { suggestions } = await suggest(files, worldOf(files), question, 'allow', read)
  expect(suggestions.flatMap((each) => each.files.map(({ path, before }) => [path, before === undefined]))).toContainEqual([
    'team/new-policy.yaml',
    true,
  ])
})

/** Whether a question lies in a region, what it leaves out and its condition aside. */
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

describe('random worlds', () => {
  test('every suggestion grants what it says, and changes nothing that it does not report', { timeout: 60_000 }, async () => {
    const random = randomOf(5)
    const hit = { allow: 0, deny: 0, same: 0, changed: 0, differing: 0, none: 0 }
    for (let i = 0; i < effort(60, 3); i++) {
      const { world: written, questions } = generate(random, 60, { ...usualKnobs, policies: 5, conditions: 0.3, missing: 0, groups: 0.1 })
      const { policies, ...inventory } = written
      const files = await filesOf({ 'p.json': JSON.stringify({ policies }), 'w.json': JSON.stringify(inventory) })
      const world = worldOf(files)
      const asked = questions.map(questionOf)
      const [question] = asked as [Question]
      const { suggestions, kind, wish } = await suggest(files, world, question, undefined, read)
      if (kind === 'edits' && suggestions.length === 0) hit.none++
      for (const suggestion of suggestions) {
        hit[wish]++
        const texts = Object.fromEntries(files.map(({ source }) => [source.path, source.text]))
        for (const { path, after } of suggestion.files) texts[path] = after ?? '[]'
        const edited = worldOf(await filesOf(texts))
        expect(decide(edited, question).verdict).toBe(wish)
        const { verdict, gained, lost, undecided } = suggestion.others
        if (verdict !== 'undecided') hit[verdict]++
        for (const other of asked.slice(1)) {
          const own = [world, edited].flatMap(({ identities }) => identities.get(other.identity)?.groups ?? [])
          const members = [other.identity, ...other.groups, ...own]
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
    expect(hit.allow).toBeGreaterThan(effort(40, 3))
    expect(hit.deny).toBeGreaterThan(effort(20, 3))
    expect(hit.same).toBeGreaterThan(effort(30, 3))
    expect(hit.changed).toBeGreaterThan(effort(30, 3))
    expect(hit.differing).toBeGreaterThan(effort(100, 3))
  })
})
