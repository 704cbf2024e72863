import { describe, expect, test } from 'vitest'
import type { Catalogue } from '../../src/actions/catalogue.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { type Glob, glob, matches } from '../../src/glob.ts'
import type { World } from '../../src/policy.ts'
import { catalogueActions, type RowMember, type What, type WhatQuestion, type WhatRow, what } from '../../src/symbolic/what.ts'
import { causesOf, clauseLines, formulaLine, owned, rowLine, shortUrns } from '../support/answer-lines.ts'
import { identityOf, match, resourceOf, type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'

/** All that answers to `what` say, for small worlds: what `user:a/u` may do. */

const actions = ['p:x:a', 'p:x:b', 'p:x:c', 'p:y:a', 'q:x:a']
const catalogue: Pick<Catalogue, 'expand'> = { expand: (pattern: Glob) => actions.filter((action) => matches(pattern, action)) }

const memberLine = ({ identity, has, clauses }: RowMember) => `${identity} ${has}${clauses.length > 0 ? ` (${clauseLines(clauses)})` : ''}`

const whatLine = (row: WhatRow) =>
  `${row.resource}: ${rowLine({
    [row.verdict === 'allow' ? row.reason : `${row.verdict} ${row.reason}`]: true,
    do: row.actions.join(', '),
    except: row.except.join(', '),
    unless: row.unless
      .map(
        (leaving) =>
          `${leaving.actions.join(' ')} on ${leaving.resource}${formulaLine(leaving.condition) && ` if ${formulaLine(leaving.condition)}`}`,
      )
      .join(', '),
    ...causesOf(row),
    members: row.members.map(memberLine).join(', '),
    known: row.known.actions.join(' '),
    conditional: row.known.conditional === 0 ? '' : `${row.known.conditional}`,
  })}`

function linesOf({ what: rows, complete, reasons }: What): readonly string[] {
  expect(complete).toBe(reasons.length === 0)
  return [...rows.map(whatLine), ...reasons.map((reason) => `! ${reason}`)].map(shortUrns)
}

const noon = Date.parse('2026-07-01T12:00:00Z')

interface Asked extends Partial<Omit<WhatQuestion, 'at' | 'identity'>> {
  readonly identity?: string
  readonly at?: number | undefined
  readonly within?: string
  /** With the actions of a catalogue. */
  readonly counted?: boolean
}

/** At noon, where nothing else is said. */
function lines(world: World, { identity = 'user:a/u', within, counted, ...more }: Asked = {}): readonly string[] {
  const asked = { groups: [], at: noon, ...more, identity: identityOf(identity) } as WhatQuestion
  return linesOf(what(world, asked, within === undefined ? undefined : glob(resourceOf(within)), counted ? catalogue : undefined))
}

interface Row {
  readonly name: string
  readonly policies: readonly ShortPolicy[]
  readonly world?: ShortWorld
  readonly asked?: Asked
  readonly says: readonly string[]
}

const tag = (key: string, value: string) => ({ [`resource.Tag(${key})`]: value })
const not = (values: Record<string, string>) => ({ operator: 'NOT', conditions: [match(values)] })
const hour = (from: number, to: number) => ({ 'date(UTC).Hour.GE': `${from}`, 'date(UTC).Hour.LT': `${to}` })
const past = '2026-06-01T00:00:00Z'
const future = '2026-12-01T00:00:00Z'

const groups: readonly Row[] = [
  {
    name: 'a wholly excepted entry is none',
    policies: [{ name: 'some', allow: ['p:x:a', 'q:*'], except: ['p:x:*'] }],
    says: ['t:*: granted; do: q:*; by: some allow q:*'],
  },
  {
    name: 'entries that except different actions',
    policies: [
      { name: 'one', allow: ['p:*'], except: ['p:x:a'] },
      { name: 'two', allow: ['p:*'], except: ['p:x:b'] },
    ],
    says: ['t:*: granted; do: p:*; except: p:x:a; by: one allow p:*', 't:*: granted; do: p:*; except: p:x:b; by: two allow p:*'],
  },
  {
    name: 'an exception that touches one of two actions',
    policies: [
      { name: 'one', allow: ['p:*', 'n:x:c'] },
      { name: 'two', allow: ['o:*'], except: ['*:a'] },
    ],
    says: ['t:*: granted; do: n:x:c, p:*; by: one allow p:*, one allow n:x:c', 't:*: granted; do: o:*; except: *:a; by: two allow o:*'],
  },
  {
    name: 'what comes before something wider',
    policies: [
      { name: 'narrow', on: ['t:a*', 't:ab'], allow: ['p:*'] },
      { name: 'wide', on: ['t:*'], allow: ['p:*'] },
    ],
    says: ['t:*: granted; do: p:*; by: wide allow p:*'],
  },
  {
    name: 'two of three members of a group are denied',
    policies: [
      { name: 'group', on: ['#m'], allow: ['p:x:a'] },
      { name: 'one', on: ['t:a'], deny: ['p:x:a'] },
      { name: 'two', on: ['t:b'], deny: ['p:x:a'] },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b', 't:c'] } },
    says: ['#m: granted; do: p:x:a; unless: p:x:a on t:a, p:x:a on t:b; by: group allow p:x:a'],
  },
  {
    name: 'a pattern is nobody',
    policies: [{ name: 'groups', who: ['group:a/*'], allow: ['p:*'] }],
    world: { members: { 'user:a/u': ['group:a/g'] } },
    asked: { identity: 'group:a/*' },
    says: ['t:*: granted; do: p:*; by: groups allow p:*'],
  },
  {
    name: 'facts of denies that are about something else do not count',
    policies: [
      { name: 'if', on: ['#m'], allow: ['p:*'], when: tag('k', 'a') },
      { name: 'else', on: ['t:*'], deny: ['o:*'], when: tag('z', 'a') },
      { name: 'far', on: ['#far'], deny: ['o:*'] },
      { name: 'wider', on: ['#m*'], deny: ['p:x:a'], when: tag('e', 'a') },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b'] } },
    says: [
      '#m: unknown unknown; do: p:*; unless: p:x:a on #m if ["tag","e","EQ",["a"]]; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(e), resource.Tag(k); by: if allow p:*',
    ],
  },
  {
    name: 'denied on the whole and on a part',
    policies: [
      { name: 'all', allow: ['p:*'] },
      { name: 'whole', deny: ['p:x:a'] },
      { name: 'part', on: ['t:b'], deny: ['p:x:a'] },
    ],
    says: ['t:*: granted; do: p:*; except: p:x:a; by: all allow p:*'],
  },
  {
    name: 'denied in an unknown group, one entry of two',
    policies: [
      { name: 'all', allow: ['p:x:a'] },
      { name: 'perhaps', on: ['#far'], deny: ['p:x:a', 'q:*'] },
    ],
    says: ['t:*: unknown unknown; do: p:x:a; unless: p:x:a on #far; missing: resourceGroup:#far; by: all allow p:x:a'],
  },
  {
    name: 'denied in an unknown group, under a condition on the name',
    policies: [
      { name: 'all', allow: ['p:x:a'] },
      { name: 'perhaps', on: ['#far'], deny: ['p:x:a'], when: { 'resource.Name.STARTS_WITH': 'a' } },
    ],
    says: ['t:*: granted; do: p:x:a; unless: p:x:a on #far if ["name","","STARTS_WITH",["a"]]; by: all allow p:x:a'],
  },
  {
    name: 'one action of two is certain',
    policies: [
      { name: 'all', allow: ['p:x:a', 'q:x:a'] },
      { name: 'perhaps', on: ['#far'], deny: ['p:x:a'] },
    ],
    says: ['t:*: granted; do: p:x:a, q:x:a; unless: p:x:a on #far; by: all allow p:x:a, all allow q:x:a'],
  },
  {
    name: 'nothing',
    policies: [{ who: ['user:a/v'], allow: ['*'] }, { deny: ['*'] }],
    says: [],
  },
  {
    name: 'rows are sorted by resource and actions',
    policies: [
      { on: ['u:*', 't:b', 'ca/t:a'], allow: ['q:*', 'p:x:b', 'p:x:a'] },
      { on: ['t:b'], allow: ['p:y:*'], when: tag('k', 'a') },
      { on: ['t:b'], allow: ['o:*'], when: tag('k', 'b') },
    ],
    says: [
      'urn:v1:ca:resource:t:a: granted; do: p:x:a, p:x:b, q:*; by: p0 allow q:*, p0 allow p:x:b, p0 allow p:x:a',
      't:b: unknown unknown; do: o:*; if: ["tag","k","EQ",["b"]]; missing: resource.Tag(k); by: p2 allow o:*',
      't:b: granted; do: p:x:a, p:x:b, q:*; by: p0 allow q:*, p0 allow p:x:b, p0 allow p:x:a',
      't:b: unknown unknown; do: p:y:*; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: p1 allow p:y:*',
      'u:*: granted; do: p:x:a, p:x:b, q:*; by: p0 allow q:*, p0 allow p:x:b, p0 allow p:x:a',
    ],
  },
  {
    name: 'the same entry twice is one, with the clauses of both',
    policies: [
      { name: 'one', allow: ['p:*', 'p:*'], except: ['p:x:a', 'p:x:b*'] },
      { name: 'two', allow: ['p:*'], except: ['p:x:b*', 'p:x:a'] },
    ],
    says: ['t:*: granted; do: p:*; except: p:x:a, p:x:b*; by: one allow p:*, one allow p:*, two allow p:*'],
  },
  {
    name: 'what something wider grants as well is left out',
    policies: [
      { name: 'wide', on: ['t:*'], allow: ['p:*'] },
      { name: 'narrow', on: ['t:a*', 't:a', 'u:a'], allow: ['p:x:*', 'p:*', 'q:*'] },
      { name: 'narrower', on: ['t:*'], allow: ['p:x:a'], when: tag('k', 'a') },
      { name: 'other', on: ['t:*'], allow: ['q:x:a'], when: tag('k', 'a') },
    ],
    says: [
      't:*: granted; do: p:*; by: wide allow p:*',
      't:*: unknown unknown; do: q:x:a; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: other allow q:x:a',
      't:a*: granted; do: q:*; by: narrow allow q:*',
      'u:a: granted; do: p:*, q:*; by: narrow allow p:*, narrow allow q:*',
    ],
  },
  {
    name: 'under more conditions, under others, and under fewer',
    policies: [
      { name: 'both', on: ['t:a'], allow: ['p:x:a'], when: { ...tag('k', 'a'), ...tag('e', 'a') } },
      { name: 'one', allow: ['p:*'], when: tag('k', 'a') },
      { name: 'other', on: ['t:a'], allow: ['p:x:b'], when: tag('e', 'b') },
      { name: 'same', on: ['t:a*'], allow: ['p:x:c'], when: tag('k', 'a') },
    ],
    says: [
      't:*: unknown unknown; do: p:*; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: one allow p:*',
      't:a: unknown unknown; do: p:x:b; if: ["tag","e","EQ",["b"]]; missing: resource.Tag(e); by: other allow p:x:b',
    ],
  },
  {
    name: 'of groups that hold the same the first stays',
    policies: [
      { name: 'one', on: ['#m'], allow: ['p:*'] },
      { name: 'two', on: ['#n'], allow: ['p:*'] },
      { name: 'part', on: ['#o'], allow: ['p:x:*'] },
      { name: 'own', on: ['t:a', 't:c', '#o'], allow: ['p:x:a'] },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b'], '#n': ['t:b', 't:a'], '#o': ['t:b'] } },
    says: ['t:c: granted; do: p:x:a; by: own allow p:x:a', '#m: granted; do: p:*; by: one allow p:*'],
  },
  {
    name: 'of groups that hold the same, in any order of what they grant',
    policies: [
      { name: 'narrow', on: ['#n'], allow: ['p:x:*'] },
      { name: 'wide', on: ['#m'], allow: ['p:*'] },
      { name: 'if', on: ['#m'], allow: ['q:*'], when: tag('k', 'a') },
      { name: 'always', on: ['#n'], allow: ['q:*'] },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b'], '#n': ['t:b', 't:a'] } },
    says: ['#m: granted; do: p:*; by: wide allow p:*', '#n: granted; do: q:*; by: always allow q:*'],
  },
  {
    name: 'a group within a pattern, and a pattern with its wildcard elsewhere',
    policies: [
      { name: 'group', on: ['#m', '#n'], allow: ['p:x:a'] },
      { name: 'pattern', on: ['t:*a'], allow: ['p:*'] },
      { name: 'deep', on: ['t:xa', 't:x*a', 't:x'], allow: ['p:x:b'] },
      { name: 'everywhere', on: ['*'], allow: ['q:x:a'] },
      { name: 'somewhere', on: ['t:*', 'ca/t:a'], allow: ['q:*'] },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:ba'], '#n': ['t:a', 't:b'] } },
    says: [
      'urn:v1:ca:resource:t:a: granted; do: q:*; by: somewhere allow q:*',
      '*: granted; do: q:x:a; by: everywhere allow q:x:a',
      't:*: granted; do: q:*; by: somewhere allow q:*',
      't:*a: granted; do: p:*; by: pattern allow p:*',
      't:x: granted; do: p:x:b; by: deep allow p:x:b',
      '#n: granted; do: p:x:a; by: group allow p:x:a',
    ],
  },
  {
    name: 'what the entries except',
    policies: [
      { name: 'all', allow: ['p:*', 'q:*'], except: ['p:x:a', '*:a', 'o:*'] },
      { name: 'none', allow: ['p:x:a'], except: ['p:x:*'] },
      { name: 'back', allow: ['p:x:a'] },
      { name: 'again', on: ['t:a'], allow: ['p:x:*'], except: ['p:x:a', 'p:x:b'] },
      { name: 'more', on: ['t:a'], allow: ['p:*'], except: ['p:x:a'] },
    ],
    says: [
      't:*: granted; do: p:*, q:*; except: *:a; by: all allow p:*, all allow q:*',
      't:*: granted; do: p:x:a; by: back allow p:x:a',
      't:a: granted; do: p:*; except: p:x:a; by: more allow p:*',
    ],
  },
  {
    name: 'exceptions that touch what another entry grants make rows of their own',
    policies: [
      { name: 'one', allow: ['p:*'], except: ['*:a'] },
      { name: 'two', allow: ['q:*'], except: ['*:b'] },
      { name: 'three', allow: ['o:*'], except: ['*:a'] },
      { name: 'four', allow: ['n:x:c'] },
      { name: 'five', allow: ['m:*'], except: ['m:x:*', '*:a'] },
    ],
    says: [
      't:*: granted; do: m:*, n:x:c, o:*, p:*; except: *:a, m:x:*; by: one allow p:*, three allow o:*, four allow n:x:c, five allow m:*',
      't:*: granted; do: q:*; except: *:b; by: two allow q:*',
    ],
  },
  {
    name: 'denied everywhere, on a part, and under a condition',
    policies: [
      { name: 'all', allow: ['*'] },
      { name: 'whole', on: ['*', 't:*'], deny: ['p:x:*', 'p:x:a'] },
      { name: 'part', on: ['t:b*', 't:a*'], deny: ['q:x:a', 'q:*', 'p:x:b'] },
      { name: 'if', on: ['t:*'], deny: ['o:*', 'o:x:x'], when: tag('k', 'b') },
      { name: 'also', on: ['t:*'], deny: ['n:*'], when: tag('k', 'b') },
      { name: 'other', on: ['*'], deny: ['m:*'], when: tag('k', 'a') },
      { name: 'past', deny: ['p:*'], until: past },
      { name: 'elsewhere', on: ['u:*'], deny: ['*'] },
    ],
    says: [
      't:*: granted; do: *; except: p:x:*; unless: m:* on t:* if ["tag","k","EQ",["a"]], n:* o:* on t:* if ["tag","k","EQ",["b"]], q:* on t:a*, q:* on t:b*; by: all allow *',
    ],
  },
  {
    name: 'a deny that cannot meet the condition of the row',
    policies: [
      { name: 'all', allow: ['p:*', 'q:*'], when: tag('k', 'a') },
      { name: 'never', deny: ['p:*'], when: tag('k', 'b') },
      { name: 'always', deny: ['p:x:a'], when: tag('k', 'a') },
      { name: 'perhaps', deny: ['q:x:*'], when: tag('e', 'a') },
    ],
    says: [
      't:*: unknown unknown; do: p:*, q:*; unless: q:x:* on t:* if ["tag","e","EQ",["a"]], p:x:a on t:* if ["tag","k","EQ",["a"]]; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(e), resource.Tag(k); by: all allow p:*, all allow q:*',
    ],
  },
  {
    name: 'what is denied wherever it is granted is not there',
    policies: [
      { name: 'all', allow: ['p:x:a', 'p:x:b', 'q:*'] },
      { name: 'no', deny: ['p:x:*', 'o:*'] },
      { name: 'half', on: ['t:a'], deny: ['*'], when: tag('k', 'a') },
      { name: 'other', on: ['t:a'], allow: ['r:*'], when: tag('k', 'a') },
    ],
    says: ['t:*: granted; do: q:*; unless: * on t:a if ["tag","k","EQ",["a"]]; by: all allow q:*'],
  },
  {
    name: 'each member of a group is denied',
    policies: [
      { name: 'group', on: ['#m'], allow: ['p:x:a', 'p:x:b', 'q:*'] },
      { name: 'one', on: ['t:a'], deny: ['p:x:a', 'p:x:b'] },
      { name: 'two', on: ['t:b'], deny: ['o:*', 'p:x:a'] },
      { name: 'perhaps', on: ['t:b'], deny: ['p:x:b'], when: tag('k', 'a') },
      { name: 'past', on: ['t:b'], deny: ['q:*'], until: past },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b'] } },
    says: [
      '#m: granted; do: p:x:b, q:*; unless: p:x:b on t:a, p:x:b on t:b if ["tag","k","EQ",["a"]]; by: group allow p:x:b, group allow q:*',
    ],
  },
  {
    name: 'groups with members that are not known',
    policies: [
      { name: 'open', on: ['#far', '#m*'], allow: ['p:x:a'] },
      { name: 'known', on: ['#m'], allow: ['q:*'] },
      { name: 'no', on: ['t:a'], deny: ['p:*'] },
      { name: 'far', on: ['#far'], deny: ['q:x:a'] },
      { name: 'all', on: ['t:*'], allow: ['o:*'] },
      { name: 'not all', on: ['#far'], deny: ['o:*'] },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b'] } },
    says: [
      't:*: unknown unknown; do: o:*; unless: o:* on #far; missing: resourceGroup:#far; by: all allow o:*',
      '#far: unknown unknown; do: p:x:a; unless: p:* on t:a; missing: resourceGroup:#far; by: open allow p:x:a',
      '#m: granted; do: q:*; unless: q:x:a on #far; by: known allow q:*',
      '#m*: granted; do: p:x:a; unless: p:* on t:a; by: open allow p:x:a',
    ],
  },
  {
    name: 'denied in a group of which nothing is known',
    policies: [
      { name: 'all', on: ['t:*', 't:a'], allow: ['p:x:a'] },
      { name: 'perhaps', on: ['#far'], deny: ['p:x:a', 'q:*'] },
      { name: 'far', on: ['#other'], deny: ['q:*'] },
      { name: 'if', on: ['#far'], deny: ['p:*'], when: tag('k', 'a') },
    ],
    says: [
      't:*: unknown unknown; do: p:x:a; unless: p:* on #far if ["tag","k","EQ",["a"]], p:x:a on #far; missing: resource.Tag(k), resourceGroup:#far; by: all allow p:x:a',
    ],
  },
  {
    name: 'permissions groups that are not known',
    policies: [
      { name: 'far', groups: ['svc:z', 'svc:far'] },
      { name: 'known', allow: ['p:*'], groups: ['svc:r'] },
    ],
    world: { permissionsGroups: { 'svc:r': { allow: ['q:*'], except: ['q:x:a'], deny: ['p:x:b'] } } },
    says: [
      't:*: unknown unknown; do: *; except: p:x:b; unless: * on t:* if "permissionsGroup:svc:far denies it", * on t:* if "permissionsGroup:svc:z denies it"; if: "permissionsGroup:svc:z allows it"; missing: permissionsGroup:svc:far, permissionsGroup:svc:z',
      't:*: unknown unknown; do: *; except: p:x:b; unless: * on t:* if "permissionsGroup:svc:far denies it", * on t:* if "permissionsGroup:svc:z denies it"; if: "permissionsGroup:svc:far allows it"; missing: permissionsGroup:svc:far, permissionsGroup:svc:z',
      't:*: unknown unknown; do: p:*, q:*; except: p:x:b, q:x:a; unless: * on t:* if "permissionsGroup:svc:far denies it", * on t:* if "permissionsGroup:svc:z denies it"; missing: permissionsGroup:svc:far, permissionsGroup:svc:z; by: known allow p:*, known allow q:* (svc:r)',
      '! permissions group `svc:far` is not described: it may allow or deny anything',
      '! permissions group `svc:z` is not described: it may allow or deny anything',
    ],
  },
  {
    name: 'a condition on the name holds for some resource, and one on a tag for one that is described',
    policies: [
      { name: 'name', on: ['t:*'], allow: ['p:x:a'], when: { 'resource.Name.STARTS_WITH': 'web-' } },
      { name: 'tag', on: ['t:*', 'u:*'], allow: ['p:x:b'], when: tag('k', 'a') },
      { name: 'two', on: ['t:*'], allow: ['p:x:c', 'q:*'], when: tag('k', 'b') },
      { name: 'no', on: ['t:b'], deny: ['p:x:c'] },
    ],
    world: { resources: { 't:a': { k: 'a' }, 't:b': { k: 'b' }, 'v:c': { k: 'b' } } },
    says: [
      't:*: granted; do: p:x:a; if: ["name","","STARTS_WITH",["web-"]]; by: name allow p:x:a',
      't:*: granted; do: p:x:b; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: tag allow p:x:b',
      't:*: granted; do: p:x:c, q:*; unless: p:x:c on t:b; if: ["tag","k","EQ",["b"]]; missing: resource.Tag(k); by: two allow p:x:c, two allow q:*',
      'u:*: unknown unknown; do: p:x:b; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: tag allow p:x:b',
    ],
  },
  {
    name: 'one resource and its tags',
    policies: [
      { name: 'a', on: ['t:a'], allow: ['p:x:a'], when: tag('k', 'a') },
      { name: 'b', on: ['t:a'], allow: ['p:x:b'], when: tag('k', 'b') },
      { name: 'no', on: ['t:*'], deny: ['p:*'], when: not(tag('k', 'a')) },
    ],
    world: { resources: { 't:a': { k: 'a' } } },
    says: ['t:a: granted; do: p:x:a; by: a allow p:x:a'],
  },
  {
    name: 'members of a group, some with other tags',
    policies: [
      { name: 'if', on: ['#m'], allow: ['p:*'], when: tag('k', 'a') },
      { name: 'if not', on: ['#m'], allow: ['q:*'], when: tag('k', 'c') },
      { name: 'no', on: ['t:a'], deny: ['p:*'], when: tag('k', 'b') },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b'] }, resources: { 't:a': { k: 'a' }, 't:b': { k: 'b' }, 't:c': { k: 'c' } } },
    says: [
      '#m: granted; do: p:*; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: if allow p:*',
      '#m: unknown unknown; do: q:*; if: ["tag","k","EQ",["c"]]; missing: resource.Tag(k); by: if not allow q:*',
    ],
  },
  {
    name: 'within a pattern',
    policies: [
      { name: 'all', on: ['t:*', 'u:*', '*', '#m', '#n'], allow: ['p:*'] },
      { name: 'no', on: ['t:ab', 't:b'], deny: ['p:x:a'] },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b'], '#n': ['u:a'] } },
    asked: { within: 't:a*' },
    says: ['t:a*: granted; do: p:*; unless: p:x:a on t:ab; by: all allow p:*, all allow p:*'],
  },
  {
    name: 'within a single resource',
    policies: [
      { name: 'all', on: ['t:*', 'u:*', '#m'], allow: ['p:*'] },
      { name: 'if', on: ['*'], allow: ['q:*'], when: tag('k', 'a') },
      { name: 'no', on: ['t:ab', 't:a'], deny: ['p:x:a'] },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b'] }, resources: { 't:a': { k: 'a' } } },
    asked: { within: 't:a' },
    says: ['t:a: granted; do: p:*, q:*; except: p:x:a; by: all allow p:*, if allow q:*'],
  },
  {
    name: 'what is given of the request',
    policies: [
      { name: 'net', allow: ['p:*'], when: { 'request.IP.IN_RANGE': '192.0.2.0/24' } },
      { name: 'group', who: ['group:a/g'], allow: ['q:*'], when: tag('k', 'a') },
      { name: 'other', who: ['group:a/h'], allow: ['o:*'] },
    ],
    asked: {
      ip: readAddress('192.0.2.4') as NonNullable<ReturnType<typeof readAddress>>,
      tags: new Map([['k', 'a']]),
      groups: [identityOf('group:a/g')],
    },
    says: [
      't:*: granted; do: p:*, q:*; by: net allow p:*, group allow q:*',
      '! a member of `group:a/h` would be allowed more: give the groups of the identity with `--group` to be sure (groups-unknown)',
    ],
  },
  {
    name: 'by the groups of the inventory',
    policies: [
      { name: 'group', who: ['group:a/g'], allow: ['q:*'] },
      { name: 'other', who: ['group:a/h'], deny: ['*'] },
    ],
    world: { members: { 'user:a/u': ['group:a/g'] } },
    says: ['t:*: granted; do: q:*; by: group allow q:*'],
  },
]

const more = (group: string, would = 'would', turn = 'allowed more') =>
  `! a member of \`${group}\` ${would} be ${turn}: give the groups of the identity with \`--group\` to be sure (groups-unknown)`

const undescribed: readonly Row[] = [
  {
    name: 'nothing, and more in a group',
    policies: [{ name: 'group', who: ['group:a/g'], allow: ['q:*'] }],
    says: [more('group:a/g')],
  },
  {
    name: 'perhaps more in a group, by a permissions group that is not described',
    policies: [{ name: 'group', who: ['group:a/g'], groups: ['svc:far'] }],
    says: [more('group:a/g', 'might')],
  },
  {
    name: 'more in the first group that brings any',
    policies: [
      { name: 'first', who: ['group:a/f'], allow: ['q:*'], deny: ['*'] },
      { name: 'second', who: ['group:a/g'], allow: ['p:*'], when: tag('k', 'a') },
      { name: 'third', who: ['group:a/h'], allow: ['q:*'] },
    ],
    says: [more('group:a/g', 'might')],
  },
  {
    name: 'no more in a group that grants the same, and less in one that denies',
    policies: [
      { name: 'user', allow: ['p:*'] },
      { name: 'same', who: ['group:a/g'], allow: ['p:*'] },
      { name: 'less', who: ['group:a/h'], deny: ['p:apisvc:x'], allow: ['p:*'] },
      { name: 'none', who: ['group:a/i'], deny: ['p:apisvc:y'] },
      { name: 'other', who: ['group:b/g'], allow: ['q:*'] },
    ],
    says: ['t:*: granted; do: p:*; by: user allow p:*', more('group:a/h', 'would', 'denied some of it')],
  },
  {
    name: 'no less by a deny of something else, perhaps less under a condition, and more',
    policies: [
      { name: 'user', allow: ['p:*'] },
      { name: 'none', who: ['group:a/f'], deny: ['q:*'] },
      { name: 'if', who: ['group:a/g'], deny: ['p:*'], when: tag('k', 'a') },
      { name: 'more', who: ['group:a/h'], allow: ['q:*'] },
    ],
    says: ['t:*: granted; do: p:*; by: user allow p:*', more('group:a/h'), more('group:a/g', 'might', 'denied some of it')],
  },
  {
    name: 'no more and no less where the inventory says the groups',
    policies: [
      { name: 'user', allow: ['p:*'] },
      { name: 'group', who: ['group:a/g'], allow: ['q:*'], deny: ['p:*'] },
    ],
    world: { members: { 'user:a/u': [] } },
    says: ['t:*: granted; do: p:*; by: user allow p:*'],
  },
]

test.each(undescribed)('where no file describes the groups of an identity: $name', ({ policies, world, asked, says }) => {
  expect(lines(shortWorld(policies, world), asked)).toEqual(says)
})

describe('what an identity may do', () => {
  test.each(groups)('$name', ({ policies, world, asked, says }) => {
    expect(lines(shortWorld(policies, world), asked)).toEqual(says)
  })
})

const anyTime: readonly Row[] = [
  {
    name: 'what the time decides',
    policies: [
      { name: 'night', allow: ['p:x:a'], when: hour(1, 5) },
      { name: 'contract', allow: ['p:x:b'], until: future },
      { name: 'old', allow: ['*'], until: past },
      { name: 'tag', allow: ['p:x:c'], when: { ...hour(1, 5), ...tag('k', 'a') } },
      { name: 'day', deny: ['p:*'], when: hour(8, 18) },
      { name: 'early', deny: ['p:x:a'], when: hour(0, 3) },
    ],
    says: [
      't:*: granted; do: p:x:a; unless: p:x:a on t:* if and(["hour","UTC","GE",[0]],["hour","UTC","LT",[3]]); if: and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]); by: night allow p:x:a; known: p:x:a; conditional: 1',
      't:*: granted; do: p:x:b; unless: p:* on t:* if and(["hour","UTC","GE",[8]],["hour","UTC","LT",[18]]); if: until 1796083200000; by: contract allow p:x:b; known: p:x:b; conditional: 1',
      't:*: unknown unknown; do: p:x:c; if: and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]],["tag","k","EQ",["a"]]); missing: resource.Tag(k); by: tag allow p:x:c; known: p:x:c',
    ],
  },
  {
    name: 'denied at all times of a grant',
    policies: [
      { name: 'night', allow: ['p:x:a', 'q:*'], when: hour(1, 5) },
      { name: 'no', deny: ['p:*'], when: hour(0, 6) },
      { name: 'over', deny: ['q:*'], until: past },
    ],
    says: ['t:*: granted; do: q:*; if: and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]); by: night allow q:*; known: q:x:a'],
  },
]

describe('what an identity may do at some time', () => {
  test.each(anyTime)('$name', ({ policies, world, says }) => {
    expect(lines(shortWorld(policies, world), { at: undefined, from: noon, counted: true })).toEqual(says)
  })

  test('counts what has ended where no first instant is given', () => {
    const world = shortWorld([{ name: 'old', allow: ['p:x:a'], until: past }])
    expect(lines(world, { at: undefined })).toEqual([`t:*: granted; do: p:x:a; if: until ${Date.parse(past)}; by: old allow p:x:a`])
    expect(lines(world, { at: undefined, from: noon })).toEqual([])
    expect(lines(world)).toEqual([])
  })

  test('is certain where the time alone is enough, at whatever instant', () => {
    const either = { operator: 'OR', conditions: [match(hour(1, 5)), match(tag('k', 'a'))] }
    const world = shortWorld([{ name: 'either', allow: ['p:x:a'], when: either }])
    expect(lines(world, { at: undefined })).toEqual([
      't:*: granted; do: p:x:a; if: or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),["tag","k","EQ",["a"]]); missing: resource.Tag(k); by: either allow p:x:a',
    ])
  })
})

const members: readonly Row[] = [
  {
    name: 'what the members have of the rows of a group',
    policies: [
      { name: 'group', who: ['group:a/g'], allow: ['p:*', 'q:x:a'] },
      { name: 'if', who: ['group:a/g'], on: ['u:*'], allow: ['p:x:a', 'p:x:b'], when: tag('k', 'a') },
      { name: 'on', who: ['group:a/g'], on: ['#m'], allow: ['o:x:x', 'o:x:y'] },
      { name: 'own', who: ['group:a/g', 'user:a/e'], deny: ['p:x:c'] },
      { name: 'all', who: ['user:a/a'], on: ['*'], deny: ['*'] },
      { name: 'some', who: ['user:a/b'], deny: ['n:*', 'p:x:a', 'p:x:b', 'q:*'] },
      { name: 'part', who: ['user:a/c'], on: ['t:a'], deny: ['q:*', 'p:*'] },
      { name: 'when', who: ['group:a/h'], on: ['*'], deny: ['p:*', 'q:*'], when: tag('k', 'a') },
      { name: 'never', who: ['user:a/e'], on: ['u:*'], deny: ['*'], when: tag('k', 'b') },
      { name: 'first', who: ['user:a/f'], on: ['t:a'], deny: ['o:*', '*:y'] },
      { name: 'second', who: ['user:a/f'], on: ['t:b', 'v:*'], deny: ['o:*'] },
      { name: 'grants', who: ['user:a/f'], allow: ['*'] },
      { name: 'over', who: ['user:a/g'], deny: ['*'], until: past },
    ],
    world: {
      resourceGroups: { '#m': ['t:a', 't:b'] },
      members: {
        'user:a/a': ['group:a/g'],
        'user:a/b': ['group:a/g'],
        'user:a/c': ['group:a/g'],
        'user:a/d': ['group:a/g', 'group:a/h'],
        'user:a/e': ['group:a/g'],
        'user:a/f': ['group:a/h', 'group:a/g'],
        'user:a/g': ['group:a/g'],
        'user:a/z': ['group:a/h'],
      },
    },
    asked: { identity: 'group:a/g' },
    says: [
      't:*: granted; do: p:*, q:x:a; except: p:x:c; by: group allow p:*, group allow q:x:a; members: user:a/a none (all deny *), user:a/b some (some deny p:x:a, some deny p:x:b, some deny q:*), user:a/c some (part deny q:*, part deny p:*), user:a/d some (when deny p:*, when deny q:*), user:a/e all, user:a/f some (when deny p:*, when deny q:*, first deny *:y), user:a/g all',
      'u:*: unknown unknown; do: p:x:a, p:x:b; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: if allow p:x:a, if allow p:x:b; members: user:a/a none (all deny *), user:a/b all, user:a/c all, user:a/d none (when deny p:*), user:a/e all, user:a/f none (when deny p:*), user:a/g all',
      '#m: granted; do: o:x:x, o:x:y; by: on allow o:x:x, on allow o:x:y; members: user:a/a none (all deny *), user:a/b all, user:a/c all, user:a/d all, user:a/e all, user:a/f none (first deny o:*, first deny *:y, second deny o:*), user:a/g all',
    ],
  },
  {
    name: 'a member denied in a group of which nothing is known',
    policies: [
      { name: 'group', who: ['group:a/g'], on: ['#far', 't:*'], allow: ['p:*'] },
      { name: 'no', who: ['user:a/a'], on: ['#far'], deny: ['p:*'] },
    ],
    world: { members: { 'user:a/a': ['group:a/g'] } },
    asked: { identity: 'group:a/g' },
    says: [
      't:*: granted; do: p:*; by: group allow p:*; members: user:a/a some (no deny p:*)',
      '#far: unknown unknown; do: p:*; missing: resourceGroup:#far; by: group allow p:*; members: user:a/a none (no deny p:*)',
    ],
  },
]

describe('members', () => {
  test.each(members)('$name', ({ policies, world, asked, says }) => {
    expect(lines(shortWorld(policies, world), asked)).toEqual(says)
  })
})

const known: readonly Row[] = [
  {
    name: 'denied for one of two entries, and names in order',
    policies: [
      { name: 'all', allow: ['p:*', 'q:*'] },
      { name: 'no', deny: ['p:x:b', 'z:*'] },
      { name: 'part', on: ['t:a'], deny: ['p:x:a', 'q:*'] },
    ],
    says: [
      't:*: granted; do: p:*, q:*; except: p:x:b; unless: p:x:a q:* on t:a; by: all allow p:*, all allow q:*; known: p:x:a p:x:c p:y:a q:x:a; conditional: 2',
    ],
  },
  {
    name: 'conditions on the name',
    policies: [
      { name: 'all', allow: ['p:*'], when: { 'resource.Name.STARTS_WITH': 'web-' } },
      { name: 'no', deny: ['p:x:a'], when: { 'resource.Name.STARTS_WITH': 'web' } },
      { name: 'some', deny: ['p:x:b'], when: { 'resource.Name.STARTS_WITH': 'web-1' } },
    ],
    says: [
      't:*: granted; do: p:*; unless: p:x:a on t:* if ["name","","STARTS_WITH",["web"]], p:x:b on t:* if ["name","","STARTS_WITH",["web-1"]]; if: ["name","","STARTS_WITH",["web-"]]; by: all allow p:*; known: p:x:b p:x:c p:y:a; conditional: 1',
    ],
  },
  {
    name: 'the actions of each row',
    policies: [
      { name: 'p', allow: ['p:*'], except: ['*:a'] },
      { name: 'q', on: ['u:*'], allow: ['q:*', 'p:y:*', 'p:x:b'] },
      { name: 'none', on: ['v:*'], allow: ['z:*'] },
    ],
    says: [
      't:*: granted; do: p:*; except: *:a; by: p allow p:*; known: p:x:b p:x:c',
      'u:*: granted; do: p:x:b, p:y:*, q:*; by: q allow q:*, q allow p:y:*, q allow p:x:b; known: p:x:b p:y:a q:x:a',
      'v:*: granted; do: z:*; by: none allow z:*',
    ],
  },
  {
    name: 'without what is denied, and how many rest on something',
    policies: [
      { name: 'all', allow: ['*'] },
      { name: 'whole', deny: ['p:x:a', 'z:*'] },
      { name: 'part', on: ['t:a'], deny: ['p:x:b', 'o:*'] },
      { name: 'if', deny: ['q:*'], when: tag('k', 'a') },
      { name: 'if not', deny: ['q:x:a'], when: not(tag('k', 'a')) },
      { name: 'perhaps', deny: ['p:y:*'], when: tag('k', 'a') },
      { name: 'past', deny: ['p:x:c'], until: past },
      { name: 'far', on: ['#far'], deny: ['p:x:c'] },
    ],
    says: [
      't:*: granted; do: *; except: p:x:a, z:*; unless: p:y:* q:* on t:* if ["tag","k","EQ",["a"]], q:x:a on t:* if not(["tag","k","EQ",["a"]]), o:* p:x:b on t:a, p:x:c on #far; by: all allow *; known: p:x:b p:x:c p:y:a; conditional: 3',
    ],
  },
  {
    name: 'denied on each member of a group',
    policies: [
      { name: 'group', on: ['#m', '#far'], allow: ['p:*'], when: tag('k', 'a') },
      { name: 'one', on: ['t:a'], deny: ['p:x:*'] },
      { name: 'two', on: ['t:b'], deny: ['p:x:a', 'p:x:b'] },
      { name: 'three', on: ['t:b'], deny: ['p:x:c'], when: tag('k', 'a') },
      { name: 'four', on: ['t:b'], deny: ['p:y:a'] },
      { name: 'five', on: ['t:a'], deny: ['p:y:a'], when: tag('k', 'b') },
    ],
    world: { resourceGroups: { '#m': ['t:a', 't:b'] }, resources: { 't:a': { k: 'a' }, 't:b': { k: 'c' } } },
    says: [
      '#far: unknown unknown; do: p:*; unless: p:x:* on t:a, p:x:a p:x:b p:y:a on t:b; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k), resourceGroup:#far; by: group allow p:*; known: p:x:a p:x:b p:x:c p:y:a; conditional: 4',
      '#m: granted; do: p:*; unless: p:x:* on t:a, p:x:a p:x:b p:y:a on t:b; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: group allow p:*; known: p:y:a; conditional: 1',
    ],
  },
  {
    name: 'a deny that never meets the condition of the row',
    policies: [
      { name: 'all', allow: ['p:*'], when: tag('k', 'a') },
      { name: 'no', deny: ['p:x:*'], when: tag('k', 'b') },
      { name: 'yes', deny: ['p:x:b'], when: tag('k', 'a') },
    ],
    says: [
      't:*: unknown unknown; do: p:*; unless: p:x:b on t:* if ["tag","k","EQ",["a"]]; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: all allow p:*; known: p:x:a p:x:c p:y:a',
    ],
  },
]

describe('the actions of a catalogue', () => {
  test.each(known)('$name', ({ policies, world, says }) => {
    expect(lines(shortWorld(policies, world), { counted: true })).toEqual(says)
  })

  test('that a row holds', () => {
    const of = (some: readonly string[], except: readonly string[]) => catalogueActions({ actions: some, except }, catalogue)
    expect(of(['q:*', 'p:*', 'p:x:a'], ['*:b', 'p:y:*'])).toEqual(['p:x:a', 'p:x:c', 'q:x:a'])
    expect(of(['*'], [])).toEqual(actions)
    expect(of(['*'], ['*'])).toEqual([])
  })
})

describe('what an account may do with what it owns', () => {
  const policies: readonly ShortPolicy[] = [{ name: 'more', who: ['account:ab'], on: ['a:*', 't:a'], allow: ['p:*'] }]
  const world = shortWorld(policies, { resources: { 't:a': {}, 't:b': {}, 'u:a': {} } })
  const asked = { identity: 'account:ab' }
  const more = ['a:*: granted; do: p:*; by: more allow p:*', 't:a: granted; do: p:*; by: more allow p:*']
  const unknown = '! the account is always allowed everything on what it owns, and the owner is not known'

  test.each<[string, World, Asked, readonly string[]]>([
    ['the owner is not known', world, {}, [...more, unknown]],
    ['it owns all', owned(world, { account: 'ab' }), {}, ['*: root; do: *', ...more]],
    ['another owns all', owned(world, { account: 'cd' }), {}, more],
    [
      'others own some',
      owned(world, { account: 'ab', owners: { 't:a': 'cd', 't:b': 'ab', 'u:a': 'ef' } }),
      {},
      ['*: root; do: *; unless: * on t:a, * on u:a', ...more],
    ],
    ['it owns some', owned(world, { account: 'cd', owners: { 't:b': 'ab', 'u:a': 'ef' } }), {}, ['t:b: root; do: *', ...more]],
    [
      'it owns several',
      owned(world, { account: 'cd', owners: { 't:b': 'ab', 'u:a': 'ab', 't:a': 'ab' } }),
      {},
      ['t:a: root; do: *', 't:b: root; do: *', 'u:a: root; do: *', ...more],
    ],
    ['it owns some, and the others are not known', owned(world, { owners: { 't:b': 'ab' } }), {}, ['t:b: root; do: *', ...more, unknown]],
    [
      'the question says that it owns it',
      owned(world, { account: 'cd', owners: { 't:a': 'cd' } }),
      { owner: 'ab' },
      ['*: root; do: *', ...more],
    ],
    ['the question says that another owns it', owned(world, { account: 'ab', owners: { 't:a': 'ab' } }), { owner: 'cd' }, more],
    [
      'within a pattern',
      owned(world, { account: 'ab', owners: { 't:a': 'cd', 'u:a': 'cd' } }),
      { within: 't:*' },
      ['t:*: root; do: *; unless: * on t:a', 't:a: granted; do: p:*; by: more allow p:*'],
    ],
    [
      'within a pattern, some',
      owned(world, { account: 'cd', owners: { 't:b': 'ab', 'u:a': 'ab' } }),
      { within: 'u:*' },
      ['u:a: root; do: *'],
    ],
    ['a resource of the account of the world', owned(world, { account: 'ab' }), { within: 't:b' }, ['t:b: root; do: *']],
    ['a resource of its own', owned(world, { account: 'cd', owners: { 't:b': 'ab' } }), { within: 't:b' }, ['t:b: root; do: *']],
    ['a resource of another', owned(world, { account: 'ab', owners: { 't:b': 'cd' } }), { within: 't:b' }, []],
    [
      'a resource that the question says is its own',
      owned(world, { account: 'cd', owners: { 't:b': 'cd' } }),
      { within: 't:b', owner: 'ab' },
      ['t:b: root; do: *'],
    ],
    ['a resource of which the owner is not known', world, { within: 't:b' }, [unknown]],
    ['a resource that is not described', owned(world, { account: 'ab' }), { within: 'z:a' }, ['z:a: root; do: *']],
    ['a resource that is not described, and nothing known', world, { within: 'z:a' }, [unknown]],
    [
      'with the actions of a catalogue',
      owned(world, { account: 'ab' }),
      { within: 't:b', counted: true },
      [`t:b: root; do: *; known: ${actions.join(' ')}`],
    ],
    ['of another region', owned(world, { account: 'ab' }), { identity: 'account:cd' }, []],
    ['no account, but a pattern over them', world, { identity: 'account:*' }, []],
    ['somebody who is no account', owned(world, { account: 'ab' }), { identity: 'user:ab/u' }, []],
  ])('%s', (_, given, question, says) => {
    expect(lines(given, { ...asked, ...question })).toEqual(says)
  })
})

describe('limits', () => {
  const list = (head: string, count: number) => Array.from({ length: count }, (_, i) => `${head}${i}`)
  const actionsOf = (policies: readonly ShortPolicy[]) =>
    what(shortWorld(policies), { identity: identityOf('user:a/u'), groups: [], at: noon }).what.map((row) => row.actions.length)

  test('what repeats another is looked for in up to five million pairs', () => {
    // At one place each is compared with each.
    expect(actionsOf([{ allow: ['p:*', ...list('p:x:a', 2235)] }])).toEqual([1])
    expect(actionsOf([{ allow: ['p:*', ...list('p:x:a', 2236)] }])).toEqual([2237])
  })

  test('what repeats another is looked for until five million pairs are compared', () => {
    // 2,000 at a place with the 500 of one around it are five million; then nothing is left for these.
    const around: ShortPolicy = { on: ['t:*'], allow: ['p:*', ...list('p:x:b', 499)] }
    expect(actionsOf([{ on: ['t:a*'], allow: list('p:x:a', 2000) }, around])).toEqual([500])
  })

  test('two thousand described resources are tried', () => {
    const world = (count: number) =>
      shortWorld([{ allow: ['p:*'], when: tag('k', 'a') }], {
        resources: Object.fromEntries(Array.from({ length: count + 1 }, (_, i) => [`t:r${i}`, { k: i === count ? 'a' : 'b' }])),
      })
    const verdicts = (count: number) =>
      what(world(count), { identity: identityOf('user:a/u'), groups: [], at: noon }).what.map(({ verdict }) => verdict)
    expect(verdicts(1999)).toEqual(['allow'])
    expect(verdicts(2000)).toEqual(['unknown'])
  })
})
