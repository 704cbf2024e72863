import { describe, expect, test } from 'vitest'
import { readAddress } from '../../src/conditions/address.ts'
import type { World } from '../../src/policy.ts'
import { describedMembers, type Member, type Who, type WhoQuestion, type WhoRow, who } from '../../src/symbolic/who.ts'
import { readIdentity } from '../../src/urn/identity.ts'
import { causesOf, clauseLines, formulaLine, owned, rowLine, shortUrns } from '../support/answer-lines.ts'
import { identityOf, match, resourceOf, type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'
import { worldOf } from '../support/worlds.ts'

/** All that answers to `who` say, for small worlds: who may do `p:x:a` on `t:a`. */

const memberLine = ({ identity, verdict, clauses }: Member) =>
  `${identity} ${verdict}${clauses.length > 0 ? ` (${clauseLines(clauses)})` : ''}`

const whoLine = (row: WhoRow) =>
  `${row.identity}: ${rowLine({
    [row.verdict === 'allow' ? row.reason : `${row.verdict} ${row.reason}`]: true,
    ...causesOf(row),
    except: row.except.join(', '),
    unless: row.unless.map(({ identity, condition }) => `${identity} if ${formulaLine(condition) || 'always'}`).join(', '),
    known: row.isKnown,
    groups: row.groups.join(', '),
    members: row.members.map(memberLine).join(', '),
  })}`

function linesOf({ who: allowed, unknown, denied, complete, reasons }: Who): readonly string[] {
  expect(complete).toBe(reasons.length === 0)
  expect(allowed.every(({ verdict }) => verdict === 'allow')).toBe(true)
  return [
    ...allowed.map(whoLine),
    ...unknown.map((row) => `? ${whoLine(row)}`),
    ...denied.map((row) => `- ${row.identity}: ${rowLine({ [row.verdict]: true, ...causesOf(row) })}`),
    ...reasons.map((reason) => `! ${reason}`),
  ].map(shortUrns)
}

const noon = Date.parse('2026-07-01T12:00:00Z')

type Question = Partial<Omit<WhoQuestion, 'at'>> & { readonly at?: number | undefined }

/** At noon, about what the account `ab` owns, where nothing else is said. */
const lines = (world: World, more: Question = {}) =>
  linesOf(who({ account: 'ab', ...world }, { action: 'p:x:a', resource: resourceOf('t:a'), groups: [], at: noon, ...more } as WhoQuestion))
const root = 'account:ab: root; known'

interface Row {
  readonly name: string
  readonly policies: readonly ShortPolicy[]
  readonly world?: ShortWorld
  readonly asked?: Question
  readonly says: readonly string[]
}

const allow = ['p:x:a']
const deny = ['p:x:a']
const everybody: ShortPolicy = { name: 'all', who: ['user:*'], allow }
const hour = (from: number, to: number) => ({ 'date(UTC).Hour.GE': `${from}`, 'date(UTC).Hour.LT': `${to}` })

const table: readonly Row[] = [
  {
    name: 'a described group is a row of its own',
    policies: [{ name: 'own', who: ['group:a/g', 'user:a/g'], allow }],
    world: { members: { 'group:a/g': [], 'user:a/g': [], 'user:a/u': ['group:a/g'] } },
    says: [
      'account:ab: root; known',
      'group:a/g: granted; by: own allow p:x:a; members: user:a/u allow',
      'user:a/g: granted; by: own allow p:x:a; known',
      'user:a/u: granted; by: own allow p:x:a; known; groups: group:a/g',
    ],
  },
  {
    name: 'a described group that is in a group',
    policies: [{ name: 'own', who: ['group:a/g', 'group:a/h'], allow }],
    world: { members: { 'group:a/g': ['group:a/h'] } },
    says: [
      'account:ab: root; known',
      'group:a/g: granted; by: own allow p:x:a',
      'group:a/g: granted; by: own allow p:x:a; known; groups: group:a/h',
      'group:a/h: granted; by: own allow p:x:a; members: group:a/g allow',
    ],
  },
  {
    name: 'the owner is first, though it is named and others sort before it',
    policies: [{ who: ['account:ab', 'account:aa', 'account:zz'], allow }],
    says: ['account:ab: root; known', 'account:aa: granted; by: p0 allow p:x:a', 'account:zz: granted; by: p0 allow p:x:a'],
  },
  {
    name: 'a group counts where it grants',
    policies: [
      { name: 'grants', who: ['group:a/g'], allow },
      { name: 'denies', who: ['group:a/c'], deny, when: { 'resource.Tag(k)': 'a' } },
    ],
    world: { members: { 'user:a/u': ['group:a/c', 'group:a/g', 'group:a/z'] } },
    says: [
      'account:ab: root; known',
      'group:a/g: granted; by: grants allow p:x:a; unless: group:a/c if ["tag","k","EQ",["a"]]; members: user:a/u unknown',
      '? user:a/u: unknown unknown; if: not(["tag","k","EQ",["a"]]); missing: resource.Tag(k); by: grants allow p:x:a, denies deny p:x:a; known; groups: group:a/g',
      '- group:a/c: unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: denies deny p:x:a',
    ],
  },
  {
    name: 'two conditions of which one always holds',
    policies: [
      { name: 'is', allow, when: { 'resource.Tag(k)': 'a' } },
      { name: 'is not', allow: ['p:*'], when: { operator: 'NOT', conditions: [match({ 'resource.Tag(k)': 'a' })] } },
    ],
    says: ['account:ab: root; known', 'user:a/u: granted; by: is allow p:x:a, is not allow p:*'],
  },
  {
    name: 'granted in any case, and denied perhaps',
    policies: [
      { name: 'all', allow },
      { name: 'tag', allow: ['p:*'], when: { 'resource.Tag(k)': 'a' } },
      { name: 'no', deny, when: { 'resource.Tag(e)': 'a' } },
    ],
    says: [
      'account:ab: root; known',
      '? user:a/u: unknown unknown; if: not(["tag","e","EQ",["a"]]); missing: resource.Tag(e); by: all allow p:x:a, tag allow p:*, no deny p:x:a',
      '- user:a/u: unknown; if: ["tag","e","EQ",["a"]]; missing: resource.Tag(e); by: no deny p:x:a',
    ],
  },
  {
    name: 'a member denied in any case, and perhaps',
    policies: [
      { name: 'grants', who: ['group:a/g'], allow },
      { name: 'no', who: ['user:a/u'], deny },
      { name: 'perhaps', who: ['user:a/u'], deny: ['p:*'], when: { 'resource.Tag(k)': 'a' } },
    ],
    world: { members: { 'user:a/u': ['group:a/g'] } },
    says: [
      'account:ab: root; known',
      'group:a/g: granted; by: grants allow p:x:a; except: user:a/u; members: user:a/u deny (no deny p:x:a)',
      '- user:a/u: deny; by: no deny p:x:a',
    ],
  },
  {
    name: 'patterns within patterns',
    policies: [
      { name: 'wide', who: ['user:a*'], allow },
      { name: 'narrow', who: ['user:a/u*', 'user:a/u'], allow: ['p:*'] },
      { name: 'long', who: ['user:a/uvw*'], allow: ['*'] },
    ],
    says: [
      'account:ab: root; known',
      'user:a*: granted; by: wide allow p:x:a',
      'user:a/u: granted; by: wide allow p:x:a, narrow allow p:*',
      'user:a/u*: granted; by: wide allow p:x:a, narrow allow p:*',
      'user:a/uvw*: granted; by: wide allow p:x:a, narrow allow p:*, long allow *',
    ],
  },
  { name: 'nobody but the owner', policies: [], says: ['account:ab: root; known'] },
  {
    name: 'the owner is first, though another name sorts before it',
    policies: [{ who: ['account:aa', 'account:zz', 'account:ab'], allow }],
    says: ['account:ab: root; known', 'account:aa: granted; by: p0 allow p:x:a', 'account:zz: granted; by: p0 allow p:x:a'],
  },
  {
    name: 'several entries of a policy, its permissions groups, and another policy',
    policies: [
      { who: ['user:a/u', 'user:a/u', 'user:a/v'], allow: ['p:x:a', 'p:*', 'q:*'], groups: ['svc:r', 'svc:w', 'svc:n'] },
      { who: ['user:a/v'], allow: ['*'], deny: ['p:x:b'] },
    ],
    world: {
      permissionsGroups: { 'svc:r': { allow: ['*:a'] }, 'svc:w': { allow: ['p:x:*'], except: ['*:a'] }, 'svc:n': { deny: ['p:x:b'] } },
    },
    says: [
      'account:ab: root; known',
      'user:a/u: granted; by: p0 allow p:x:a, p0 allow p:*, p0 allow *:a (svc:r)',
      'user:a/v: granted; by: p0 allow p:x:a, p0 allow p:*, p1 allow *, p0 allow *:a (svc:r)',
    ],
  },
  {
    name: 'what is granted for certain stands behind it alone',
    policies: [
      { name: 'tag', allow, when: { 'resource.Tag(k)': 'a' } },
      { name: 'sure', allow: ['*'] },
      { name: 'also', allow: ['p:*'] },
    ],
    says: ['account:ab: root; known', 'user:a/u: granted; by: sure allow *, also allow p:*'],
  },
  {
    name: 'what is not certain rests on all that may grant or deny it',
    policies: [
      { name: 'tag', allow, when: { 'resource.Tag(k)': 'a' } },
      { name: 'other', allow: ['*'], when: { 'resource.Tag(e)': 'a' } },
      { name: 'past', allow: ['*'], until: '2026-01-01T00:00:00Z' },
      { name: 'no', deny: ['*:a'], when: { 'resource.Tag(k)': 'b' } },
      { name: 'elsewhere', deny: ['*'], on: ['u:*'] },
    ],
    says: [
      'account:ab: root; known',
      '? user:a/u: unknown unknown; if: and(or(["tag","k","EQ",["a"]],["tag","e","EQ",["a"]]),not(["tag","k","EQ",["b"]])); missing: resource.Tag(e), resource.Tag(k); by: tag allow p:x:a, other allow *, no deny *:a',
      '- user:a/u: unknown; if: ["tag","k","EQ",["b"]]; missing: resource.Tag(k); by: no deny *:a',
    ],
  },
  {
    name: 'a condition that is certain with the denies of it',
    policies: [
      { name: 'all', allow },
      { name: 'no', deny, when: { 'resource.Tag(k)': 'b' } },
    ],
    says: [
      'account:ab: root; known',
      '? user:a/u: unknown unknown; if: not(["tag","k","EQ",["b"]]); missing: resource.Tag(k); by: all allow p:x:a, no deny p:x:a',
      '- user:a/u: unknown; if: ["tag","k","EQ",["b"]]; missing: resource.Tag(k); by: no deny p:x:a',
    ],
  },
  {
    name: 'denied in any case, or perhaps',
    policies: [
      { name: 'no', who: ['user:a/u', 'user:a/*'], deny: ['p:*', 'p:x:a', 'q:*'] },
      { name: 'perhaps', who: ['user:a/v'], deny, when: { 'resource.Tag(k)': 'a' } },
      { name: 'never', who: ['user:a/w'], deny, when: { 'resource.Type': 'u' } },
      { name: 'sure too', who: ['user:a/u'], deny, when: { 'resource.Tag(k)': 'a' } },
      { name: 'either', who: ['user:a/x'], deny, when: { 'resource.Tag(k)': 'a' } },
      { name: 'or', who: ['user:a/x'], deny: ['*'], when: { operator: 'NOT', conditions: [match({ 'resource.Tag(k)': 'a' })] } },
    ],
    says: [
      'account:ab: root; known',
      '- user:a/*: deny; by: no deny p:*, no deny p:x:a',
      '- user:a/u: deny; by: no deny p:*, no deny p:x:a',
      '- user:a/v: unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: perhaps deny p:x:a',
      '- user:a/x: deny; by: either deny p:x:a, or deny *',
    ],
  },
  {
    name: 'exceptions: narrower patterns, any group, and none twice',
    policies: [
      everybody,
      { name: 'some', who: ['user:a/t*', 'user:a/temp*', 'user:a/temp', 'user:b/*', 'group:a/g*', 'group:a/g', 'group:b/h'], deny },
      { name: 'others', who: ['credential:a/oauth2-u', 'account:*'], deny },
    ],
    says: [
      'account:ab: root; known',
      'user:*: granted; by: all allow p:x:a; except: group:a/g, group:a/g*, group:b/h, user:a/t*, user:b/*',
      '- account:*: deny; by: others deny p:x:a',
      '- credential:a/oauth2-u: deny; by: others deny p:x:a',
      '- group:a/g: deny; by: some deny p:x:a',
      '- group:a/g*: deny; by: some deny p:x:a',
      '- group:b/h: deny; by: some deny p:x:a',
      '- user:a/t*: deny; by: some deny p:x:a',
      '- user:a/temp: deny; by: some deny p:x:a',
      '- user:a/temp*: deny; by: some deny p:x:a',
      '- user:b/*: deny; by: some deny p:x:a',
    ],
  },
  {
    name: 'a group and one user: whoever may come with it',
    policies: [
      { name: 'grants', who: ['group:a/g', 'user:a/u', 'user:a/u*'], allow },
      { name: 'no', who: ['user:a/u', 'user:a/v', 'user:a/u1*', 'group:a/h'], deny },
    ],
    says: [
      'account:ab: root; known',
      'group:a/g: granted; by: grants allow p:x:a; except: group:a/h, user:a/u, user:a/u1*, user:a/v',
      'user:a/u*: granted; by: grants allow p:x:a; except: group:a/h, user:a/u, user:a/u1*',
      '- group:a/h: deny; by: no deny p:x:a',
      '- user:a/u: deny; by: no deny p:x:a',
      '- user:a/u1*: deny; by: no deny p:x:a',
      '- user:a/v: deny; by: no deny p:x:a',
    ],
  },
  {
    name: 'what denies the row itself is no exception',
    policies: [everybody, { name: 'no', who: ['user:*', 'user:a/*'], deny, when: { 'resource.Tag(k)': 'a' } }],
    says: [
      'account:ab: root; known',
      '? user:*: unknown unknown; if: not(["tag","k","EQ",["a"]]); missing: resource.Tag(k); by: all allow p:x:a, no deny p:x:a',
      '- user:*: unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: no deny p:x:a',
      '- user:a/*: unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: no deny p:x:a',
    ],
  },
  {
    name: 'under a condition, where it can meet that of the row',
    policies: [
      { name: 'all', who: ['user:*'], allow, when: { 'resource.Tag(k)': 'a' } },
      { name: 'same', who: ['user:a/u'], deny, when: { 'resource.Tag(k)': 'a' } },
      { name: 'other', who: ['user:a/v'], deny, when: { 'resource.Tag(k)': 'b' } },
      { name: 'apart', who: ['user:a/w'], deny, when: { 'resource.Tag(e)': 'b' } },
    ],
    says: [
      'account:ab: root; known',
      '? user:*: unknown unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: all allow p:x:a; unless: user:a/u if ["tag","k","EQ",["a"]], user:a/w if ["tag","e","EQ",["b"]]',
      '- user:a/u: unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: same deny p:x:a',
      '- user:a/v: unknown; if: ["tag","k","EQ",["b"]]; missing: resource.Tag(k); by: other deny p:x:a',
      '- user:a/w: unknown; if: ["tag","e","EQ",["b"]]; missing: resource.Tag(e); by: apart deny p:x:a',
    ],
  },
  {
    name: 'whom the inventory describes: by name, by pattern, by group',
    policies: [
      { name: 'own', who: ['user:a/u'], allow },
      { name: 'staff', who: ['group:a/g', 'group:a/h'], allow: ['p:*'] },
      { name: 'pattern', who: ['user:b/*'], allow: ['*'] },
      { name: 'guests', who: ['group:a/n'], deny: ['*'] },
    ],
    world: {
      members: {
        'user:a/u': [],
        'user:a/v': ['group:a/h', 'group:a/z', 'group:a/g', 'group:a/h'],
        'user:a/w': ['group:a/g', 'group:a/n'],
        'user:a/x': ['group:a/z'],
        'user:b/u': [],
        'user:b/v': ['group:a/n'],
        'user:b/w': ['group:a/g'],
      },
    },
    says: [
      'account:ab: root; known',
      'group:a/g: granted; by: staff allow p:*; except: group:a/n; members: user:a/v allow, user:a/w deny (guests deny *), user:b/w allow',
      'group:a/h: granted; by: staff allow p:*; except: group:a/n; members: user:a/v allow',
      'user:a/u: granted; by: own allow p:x:a; known',
      'user:a/v: granted; by: staff allow p:*; known; groups: group:a/g, group:a/h',
      'user:b/*: granted; by: pattern allow *; except: group:a/n; members: user:b/u allow, user:b/v deny (guests deny *), user:b/w allow',
      'user:b/u: granted; by: pattern allow *; known',
      'user:b/w: granted; by: staff allow p:*, pattern allow *; known; groups: group:a/g',
      '- group:a/n: deny; by: guests deny *',
    ],
  },
  {
    name: 'members of a pattern over groups, and of a group with a condition',
    policies: [
      { name: 'groups', who: ['group:a/*'], allow, when: { 'resource.Tag(k)': 'a' } },
      { name: 'own', who: ['user:a/v'], allow: ['p:*'] },
      { name: 'no', who: ['user:a/w', 'group:b/h'], deny: ['p:*', '*:a'] },
      { name: 'perhaps', who: ['user:a/x'], deny, when: { 'resource.Tag(e)': 'a' } },
    ],
    world: {
      members: {
        'user:a/z': ['group:a/g', 'group:a/h'],
        'user:a/v': ['group:a/h'],
        'user:a/w': ['group:a/g'],
        'user:a/x': ['group:a/g'],
        'user:a/y': ['group:b/g', 'group:a/g', 'group:b/h'],
      },
    },
    says: [
      'account:ab: root; known',
      'user:a/v: granted; by: own allow p:*; known; groups: group:a/h',
      '? group:a/*: unknown unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: groups allow p:x:a; except: group:b/h, user:a/w; unless: user:a/x if ["tag","e","EQ",["a"]]; members: user:a/v allow, user:a/w deny (no deny p:*, no deny *:a), user:a/x unknown, user:a/y deny (no deny p:*, no deny *:a), user:a/z unknown',
      '? user:a/x: unknown unknown; if: and(["tag","k","EQ",["a"]],not(["tag","e","EQ",["a"]])); missing: resource.Tag(e), resource.Tag(k); by: groups allow p:x:a, perhaps deny p:x:a; known; groups: group:a/g',
      '? user:a/z: unknown unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: groups allow p:x:a; known; groups: group:a/g, group:a/h',
      '- group:b/h: deny; by: no deny p:*, no deny *:a',
      '- user:a/w: deny; by: no deny p:*, no deny *:a',
      '- user:a/x: unknown; if: ["tag","e","EQ",["a"]]; missing: resource.Tag(e); by: perhaps deny p:x:a',
    ],
  },
  {
    name: 'the account that owns it is described, too',
    policies: [{ name: 'own', who: ['account:ab', 'account:b'], allow }],
    world: { members: { 'account:ab': ['group:a/g'], 'account:b': [] } },
    says: ['account:ab: root; known', 'account:b: granted; by: own allow p:x:a; known'],
  },
  {
    name: 'groups that are given',
    policies: [
      { name: 'grant', who: ['group:a/g'], allow },
      { name: 'own', who: ['user:a/u', 'user:b/*'], allow },
      { name: 'no', who: ['user:a/v', 'group:a/h'], deny },
    ],
    world: { members: { 'user:a/v': ['group:a/g'], 'user:a/w': [] } },
    asked: { groups: [identityOf('group:a/g')] },
    says: [
      'account:ab: root; known',
      'group:a/g: granted; by: grant allow p:x:a; except: group:a/h, user:a/v; members: user:a/v deny (no deny p:x:a)',
      'user:a/u: granted; by: grant allow p:x:a, own allow p:x:a; except: group:a/h',
      'user:a/w: granted; by: grant allow p:x:a; known',
      'user:b/*: granted; by: grant allow p:x:a, own allow p:x:a; except: group:a/h',
      '- group:a/h: deny; by: no deny p:x:a',
      '- user:a/v: deny; by: no deny p:x:a',
    ],
  },
  {
    name: 'a group that is given and denied',
    policies: [everybody, { name: 'no', who: ['group:a/g'], deny }],
    world: { members: { 'user:a/v': ['group:a/g'] } },
    asked: { groups: [identityOf('group:a/g')] },
    says: ['account:ab: root; known', '- group:a/g: deny; by: no deny p:x:a'],
  },
  {
    name: 'permissions groups that are not known',
    policies: [
      { name: 'far', who: ['user:a/u'], groups: ['svc:z', 'svc:far'] },
      { name: 'also', who: ['user:a/v'], allow, groups: ['svc:far'] },
    ],
    says: [
      'account:ab: root; known',
      '? user:a/u: unknown unknown; if: and(or("permissionsGroup:svc:z allows it","permissionsGroup:svc:far allows it"),not(or("permissionsGroup:svc:z denies it","permissionsGroup:svc:far denies it"))); missing: permissionsGroup:svc:far, permissionsGroup:svc:z',
      '? user:a/v: unknown unknown; if: not("permissionsGroup:svc:far denies it"); missing: permissionsGroup:svc:far; by: also allow p:x:a',
      '- user:a/u: unknown; if: or("permissionsGroup:svc:z denies it","permissionsGroup:svc:far denies it"); missing: permissionsGroup:svc:far, permissionsGroup:svc:z',
      '- user:a/v: unknown; if: "permissionsGroup:svc:far denies it"; missing: permissionsGroup:svc:far',
      '! permissions group `svc:far` is not described: it may allow or deny',
      '! permissions group `svc:z` is not described: it may allow or deny',
    ],
  },
  {
    name: 'a resource group of which not all is known',
    policies: [
      { name: 'in', who: ['user:a/u'], on: ['#m'], allow },
      { name: 'known', who: ['user:a/v'], on: ['#n'], allow },
    ],
    world: { resourceGroups: { '#n': ['t:a'] } },
    says: [
      'account:ab: root; known',
      'user:a/v: granted; by: known allow p:x:a',
      '? user:a/u: unknown unknown; if: "resourceGroup:#m"; missing: resourceGroup:#m; by: in allow p:x:a',
    ],
  },
  {
    name: 'an address that is given',
    policies: [
      { name: 'net', allow, when: { 'request.IP.IN_RANGE': '192.0.2.0/24' } },
      { name: 'other', who: ['user:a/v'], allow, when: { 'request.IP': '10.0.0.1' } },
    ],
    asked: { ip: readAddress('192.0.2.4') as NonNullable<ReturnType<typeof readAddress>> },
    says: ['account:ab: root; known', 'user:a/u: granted; by: net allow p:x:a'],
  },
]

describe('who may do something', () => {
  test.each(table)('$name', ({ policies, world, asked, says }) => {
    expect(lines(shortWorld(policies, world), asked)).toEqual(says)
  })
})

const anyTime: readonly Row[] = [
  {
    name: 'granted at a time, and denied perhaps',
    policies: [
      { name: 'night', allow, when: hour(1, 5) },
      { name: 'tag', allow: ['p:*'], when: { 'resource.Tag(k)': 'a' } },
      { name: 'no', deny, when: { 'resource.Tag(e)': 'a' } },
    ],
    says: [
      'account:ab: root; known',
      '? user:a/u: unknown unknown; if: and(or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),["tag","k","EQ",["a"]]),not(["tag","e","EQ",["a"]])); missing: resource.Tag(e), resource.Tag(k); by: night allow p:x:a, tag allow p:*, no deny p:x:a',
      '- user:a/u: unknown; if: ["tag","e","EQ",["a"]]; missing: resource.Tag(e); by: no deny p:x:a',
    ],
  },
  {
    name: 'granted, and denied at a time or perhaps',
    policies: [
      { name: 'all', allow: ['p:*'] },
      { name: 'night', deny, when: hour(1, 5) },
      { name: 'tag', deny: ['p:*'], when: { ...hour(3, 8), 'resource.Tag(k)': 'a' } },
    ],
    says: [
      'account:ab: root; known',
      'user:a/u: granted; if: not(or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),and(["hour","UTC","GE",[3]],["hour","UTC","LT",[8]],["tag","k","EQ",["a"]]))); missing: resource.Tag(k); by: all allow p:*, night deny p:x:a, tag deny p:*',
      '- user:a/u: deny; if: or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),and(["hour","UTC","GE",[3]],["hour","UTC","LT",[8]],["tag","k","EQ",["a"]])); missing: resource.Tag(k); by: night deny p:x:a',
    ],
  },
  {
    name: 'what the time alone decides',
    policies: [
      { name: 'night', allow, when: hour(1, 5) },
      { name: 'tag', allow: ['p:*'], when: { 'resource.Tag(k)': 'a' } },
      { name: 'contract', who: ['user:a/v'], allow, until: '2026-12-01T00:00:00Z' },
      { name: 'old', who: ['user:a/v', 'user:a/w'], allow: ['*'], until: '2026-06-01T00:00:00Z' },
    ],
    says: [
      'account:ab: root; known',
      'user:a/u: granted; if: or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),["tag","k","EQ",["a"]]); missing: resource.Tag(k); by: night allow p:x:a',
      'user:a/v: granted; if: until 1796083200000; by: contract allow p:x:a',
    ],
  },
  {
    name: 'two times, and one that covers both',
    policies: [
      { name: 'night', allow, when: hour(1, 5) },
      { name: 'day', allow: ['p:*'], when: hour(8, 18) },
      { name: 'always', who: ['user:a/v'], allow },
      { name: 'sometimes', who: ['user:a/v'], allow: ['*'], when: hour(8, 18) },
    ],
    says: [
      'account:ab: root; known',
      'user:a/u: granted; if: or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),and(["hour","UTC","GE",[8]],["hour","UTC","LT",[18]])); by: night allow p:x:a, day allow p:*',
      'user:a/v: granted; by: always allow p:x:a',
    ],
  },
  {
    name: 'denied at a time, for good, and in the past',
    policies: [
      { name: 'all', who: ['user:*'], allow },
      { name: 'night', who: ['user:a/u'], deny, when: hour(1, 5) },
      { name: 'tag', who: ['user:a/u', 'user:a/x'], deny: ['p:*'], when: { 'resource.Tag(k)': 'a' } },
      { name: 'old', who: ['user:a/v'], deny, until: '2026-06-01T00:00:00Z' },
      { name: 'contract', who: ['user:a/w'], deny, until: '2026-12-01T00:00:00Z' },
    ],
    says: [
      'account:ab: root; known',
      'user:*: granted; by: all allow p:x:a; unless: user:a/u if or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),["tag","k","EQ",["a"]]), user:a/w if until 1796083200000, user:a/x if ["tag","k","EQ",["a"]]',
      '- user:a/u: deny; if: or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),["tag","k","EQ",["a"]]); missing: resource.Tag(k); by: night deny p:x:a',
      '- user:a/w: deny; if: until 1796083200000; by: contract deny p:x:a',
      '- user:a/x: unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: tag deny p:*',
    ],
  },
  {
    name: 'what is over is no reason',
    policies: [
      { name: 'all', allow },
      { name: 'old', deny, until: '2026-06-01T00:00:00Z', when: { 'resource.Tag(k)': 'a' } },
      { name: 'day', deny: ['p:*'], when: hour(8, 18) },
    ],
    says: [
      'account:ab: root; known',
      'user:a/u: granted; if: not(and(["hour","UTC","GE",[8]],["hour","UTC","LT",[18]])); by: all allow p:x:a, day deny p:*',
      '- user:a/u: deny; if: and(["hour","UTC","GE",[8]],["hour","UTC","LT",[18]]); by: day deny p:*',
    ],
  },
]

describe('who may do something at some time', () => {
  test.each(anyTime)('$name', ({ policies, world, says }) => {
    expect(lines(shortWorld(policies, world), { at: undefined, from: noon })).toEqual(says)
  })

  test('counts what has ended where no first instant is given', () => {
    const world = shortWorld([{ name: 'old', who: ['user:a/v'], allow, until: '2026-06-01T00:00:00Z' }])
    expect(lines(world, { at: undefined })).toEqual([root, 'user:a/v: granted; if: until 1780272000000; by: old allow p:x:a'])
    expect(lines(world, { at: undefined, from: noon })).toEqual([root])
  })

  test('is certain where the time alone is enough, at whatever instant', () => {
    const world = shortWorld([
      { name: 'night', allow, when: hour(1, 5) },
      { name: 'tag', allow, when: { 'resource.Tag(k)': 'a' } },
    ])
    expect(lines(world, { at: undefined })).toEqual([
      root,
      'user:a/u: granted; if: or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),["tag","k","EQ",["a"]]); missing: resource.Tag(k); by: night allow p:x:a',
    ])
  })
})

describe('the owner', () => {
  const world = shortWorld([], { resources: { 't:a': {}, 't:b': {}, 'ca/t:a': {} } })
  const rootOf = (given: World, more: Question = {}) =>
    linesOf(who(given, { action: 'p:x:a', resource: resourceOf('t:a'), groups: [], at: noon, ...more } as WhoQuestion))
  const unknown = '! the account that owns the resource is always allowed, and it is not known which one that is'

  test.each<[string, World, Question, readonly string[]]>([
    ['is not known', world, {}, [unknown]],
    ['is the account of the world', owned(world, { account: 'ab' }), {}, ['account:ab: root; known']],
    ['is the one of the resource before that', owned(world, { account: 'ab', owners: { 't:a': 'cd' } }), {}, ['account:cd: root; known']],
    ['is the one of this resource', owned(world, { account: 'ab', owners: { 't:b': 'cd' } }), {}, ['account:ab: root; known']],
    [
      'is the one of the question before all',
      owned(world, { account: 'ab', owners: { 't:a': 'cd' } }),
      { owner: 'ef' },
      ['account:ef: root; known'],
    ],
    [
      'is of the region of the resource',
      owned(world, { account: 'ab' }),
      { resource: resourceOf('ca/t:a') },
      ['urn:v1:ca:identity:account:ab: root; known'],
    ],
    [
      'of a resource that is not described is that of the world',
      owned(world, { account: 'ab' }),
      { resource: resourceOf('t:z') },
      ['account:ab: root; known'],
    ],
  ])('%s', (_, given, more, says) => {
    expect(rootOf(given, more)).toEqual(says)
  })

  test('is named in each region that the world knows it of, and no other account is', () => {
    const identities = ['urn:v1:ca:identity:account:ab', 'urn:v1:us:identity:account:cd'].map((urn) => ({ urn, groups: [] }))
    const given = owned(worldOf({ policies: [], identities }), { account: 'ab' })
    expect([...rootOf(given)].sort()).toEqual(['account:ab: root; known', 'urn:v1:ca:identity:account:ab: root; known'])
  })
})

test('exceptions are listed up to half a million of them', () => {
  const denied = Array.from({ length: 500 }, (_, i) => `group:a/d${i}`)
  const of = (rows: number) => {
    const world = shortWorld([
      { name: 'all', who: Array.from({ length: rows }, (_, i) => `group:b/g${i}`), allow },
      { name: 'no', who: denied, deny },
    ])
    const found = who({ ...world, account: 'ab' }, { action: 'p:x:a', resource: resourceOf('t:a'), groups: [], at: noon })
    return { complete: found.complete, reasons: found.reasons, counts: found.who.map(({ except }) => except.length) }
  }
  expect(of(1000)).toEqual({ complete: true, reasons: [], counts: [0, ...Array.from({ length: 1000 }, () => 500)] })
  const { reasons, counts } = of(1001)
  expect(reasons).toEqual(['there are too many exceptions to list them in each row: whoever is in `denied` is not allowed'])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(500_000)
  expect(counts.filter((count) => count === 500)).toHaveLength(1000)
})

describe('described members', () => {
  const world = shortWorld([], {
    members: {
      'user:a/v': ['group:a/h', 'group:a/g'],
      'user:a/u': ['group:a/h', 'group:a/h', 'group:b/g'],
      'user:b/w': ['group:b/g'],
      'credential:a/oauth2-u': ['group:a/g'],
      'user:a/x': [],
    },
  })

  test.each<[string, readonly string[]]>([
    ['group:a/h', ['user:a/u', 'user:a/v']],
    ['group:a/g', ['credential:a/oauth2-u', 'user:a/v']],
    ['group:a/z', []],
    ['group:a/*', ['credential:a/oauth2-u', 'user:a/u', 'user:a/v']],
    ['group:*', ['credential:a/oauth2-u', 'user:a/u', 'user:a/v', 'user:b/w']],
    ['user:a/*', ['user:a/u', 'user:a/v', 'user:a/x']],
    ['user:*', ['user:a/u', 'user:a/v', 'user:a/x', 'user:b/w']],
    ['credential:b/*', []],
    ['user:a/u', []],
  ])('of %s', (short, expected) => {
    const urn = readIdentity(identityOf(short), { pattern: true }).value
    if (!urn) throw new Error(short)
    expect(describedMembers(world)(urn).map(shortUrns)).toEqual(expected)
  })
})
