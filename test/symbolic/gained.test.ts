import { describe, expect, test } from 'vitest'
import { glob } from '../../src/glob.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { boxText } from '../../src/symbolic/boxes.ts'
import { firstNewAccess } from '../../src/symbolic/covers.ts'
import { type Formula, negation, printFormula, until } from '../../src/symbolic/formula.ts'
import { actionText, findNewAccess, type GainedRegion, holdsQuestion } from '../../src/symbolic/gained.ts'
import { type Caller, mayAssume } from '../../src/symbolic/search.ts'
import { type Side, sideOf, sideWith } from '../../src/symbolic/side.ts'
import type { Statement } from '../../src/symbolic/statements.ts'
import { witnessOf } from '../../src/symbolic/witness.ts'
import { inRegion } from '../support/in-region.ts'
import { identityOf, match, resourceOf, type ShortPolicy, type ShortWorld, shortName, shortWorld } from '../support/short.ts'
import { questionOf } from '../support/worlds.ts'

const callerLine = ({ self, groups }: Caller) => [...(self ? [self] : []), ...groups].map(({ text }) => shortName(text)).join('+')
const formulaLine = (formula: Formula) =>
  printFormula(formula)
    .replace(/\["tag","(\w+)","EQ",\["(\w+)"\]\]/g, '$1=$2')
    .replace(/"resourceGroup:urn:v1:eu:resourceGroup:([^"]*)"/g, '#$1')
const texts = (list: readonly { readonly text: string }[]) => list.map(({ text }) => shortName(text)).join(' ')

/** A region in one line, with how many pieces of new access it has, and one more for each thing that it leaves out. */
function lines({ callers, actions, boxes, formulas, excluded, certain, newAccess: newParts }: GainedRegion): readonly string[] {
  const when = formulas.length > 0 ? ` if ${formulas.map(formulaLine).join(' and ')}` : ''
  return [
    `${callers.map(callerLine).join(' ')} do ${texts(actions)} on ${boxes.map(boxText).join(' ')}${when}${certain ? '' : ' perhaps'} (${newParts.length})`,
    ...excluded.map(({ why, identities, actions: which, boxes: where, exclusions, formula }) =>
      [
        ` - ${why}`,
        ...(identities ? [texts(identities)] : []),
        ...(which ? [`do ${texts(which)}`] : []),
        ...(where ? [`on ${where.map(boxText).join(' ')}`] : []),
        ...(exclusions.length > 0 ? [`but ${exclusions.map((e) => `${e.dimension} ${e.pattern.text}`).join(', ')}`] : []),
        ...(printFormula(formula) === 'and()' ? [] : [`if ${formulaLine(formula)}`]),
      ].join(' '),
    ),
  ]
}

const domain = {
  identities: ['user:a/u', 'user:a/v', 'user:b/w'],
  groups: [[], ['group:a/g'], ['group:a/h'], ['group:a/g', 'group:a/h']],
  actions: ['p:x:a', 'p:x:b', 'p:x:ab', 'p:y:a', 'q:x:a', 'r:x:z'],
  resources: ['t:a', 't:b', 't:ab', 'u:a', 'ca/t:a'],
}

/** Every question of the domain, in some contexts: read once for all tests. */
const asked = new Map<string, readonly Question[]>()
function questionsIn(tags: readonly Record<string, string>[], instants: readonly string[]): readonly Question[] {
  const key = JSON.stringify([tags, instants])
  const found =
    asked.get(key) ??
    domain.identities.flatMap((identity) =>
      domain.groups.flatMap((groups) =>
        domain.actions.flatMap((action) =>
          domain.resources.flatMap((resource) =>
            tags.flatMap((tag) =>
              instants.map((at) => {
                const names = { identity: identityOf(identity), groups: groups.map(identityOf), action, resource: resourceOf(resource) }
                return { ...questionOf({ ...names, at, ip: '192.0.2.1', tags: tag }), owner: 'zz' }
              }),
            ),
          ),
        ),
      ),
    )
  asked.set(key, found)
  return found
}

/** The questions that policies may distinguish: in several contexts only where one has a condition or an end. */
function questions(policies: readonly ShortPolicy[]): readonly Question[] {
  const isConditional = JSON.stringify(policies).includes('resource.Tag')
  const tags = isConditional ? [{}, { k: 'x' }, { k: 'y', e: 'z' }, { k: 'x', e: 'z' }] : [{}]
  const instants = ['1970-01-01T00:00:01Z', '1970-01-01T00:00:03Z']
  return questionsIn(tags, policies.some(({ until }) => until) ? instants : instants.slice(0, 1))
}

/** The regions hold exactly the questions of the domain that `a` allows and `b` does not, and all new access has a witness. */
function expectExact(regions: readonly GainedRegion[], [a, b]: readonly [World, World], policies: readonly ShortPolicy[]) {
  const wrong: string[] = []
  for (const question of questions(policies)) {
    const isGained = decide(a, question).verdict === 'allow' && decide(b, question).verdict !== 'allow'
    if (isGained !== regions.some((region) => inRegion(region, question, a, b)))
      wrong.push(
        `${isGained ? 'missing' : 'too much'}: ${shortName(question.identity)} ${question.groups.map(shortName)} ${question.action} ${shortName(question.resource)}`,
      )
  }
  expect(wrong.slice(0, 5)).toEqual([])
  for (const region of regions)
    for (const part of region.newAccess) {
      const question = witnessOf(part)
      expect([decide(a, question).verdict, decide(b, question).verdict]).toEqual(['allow', 'deny'])
      expect(inRegion(region, question, a, b)).toBe(true)
    }
}

interface Pair {
  readonly a: readonly ShortPolicy[]
  readonly b: readonly ShortPolicy[]
  readonly here?: ShortWorld
  readonly there?: ShortWorld
}

function found({ a, b, here = {}, there = here }: Pair, budget?: number) {
  const worlds = [shortWorld(a, here), shortWorld(b, there)] as const
  const sides = [sideOf(worlds[0], worlds[1]), sideOf(worlds[1], worlds[0])] as const
  return { worlds, sides, ...findNewAccess(...sides, budget) }
}

function expectRegions(pair: Pair, expected: readonly string[]) {
  const { worlds, sides, regions, culprits } = found(pair)
  expect(culprits).toEqual([])
  expect(regions.flatMap(lines)).toEqual(expected)
  expect(firstNewAccess(...sides).kind).toBe(expected.length > 0 ? 'new' : 'none')
  if (!mayAssume(...sides)) expectExact(regions, worlds, [...pair.a, ...pair.b])
}

const not = (...conditions: ReturnType<typeof match>[]) => ({ operator: 'NOT', conditions })
const or = (...conditions: ReturnType<typeof match>[]) => ({ operator: 'OR', conditions })
const tagged = match({ 'resource.Tag(k)': 'x' })
const other = match({ 'resource.Tag(e)': 'z' })

describe('what one side grants and another does not', () => {
  test.each<[string, Pair, readonly string[]]>([
    ['nothing', { a: [], b: [{ allow: ['p:*'] }] }, []],
    [
      'two actions on two resources, beside a deny for others',
      {
        a: [
          { allow: ['p:x:a', 'p:x:b'], on: ['t:a', 't:b'] },
          { deny: ['p:*'], who: ['user:b/*'] },
        ],
        b: [],
      },
      ['user:a/u do p:x:a p:x:b on eu:t:a eu:t:b (3)'],
    ],
    [
      'two actions on two resources, beside a grant to others',
      { a: [{ allow: ['p:x:a', 'p:x:b'], on: ['t:a', 't:b'] }], b: [{ allow: ['p:*'], who: ['user:b/*'] }] },
      ['user:a/u do p:x:a p:x:b on eu:t:a eu:t:b (3)'],
    ],
    [
      'two actions on two resources, beside a grant on another',
      { a: [{ allow: ['p:x:a', 'p:x:b'], on: ['t:a', 't:b'] }], b: [{ allow: ['p:*'], on: ['u:*'] }] },
      ['user:a/u do p:x:a p:x:b on eu:t:a eu:t:b (3)'],
    ],
    [
      'callers in another order',
      {
        a: [
          { allow: ['p:x:a'], who: ['user:a/u', 'user:a/v'], on: ['t:a', 't:b'] },
          { allow: ['p:x:b'], who: ['user:a/v', 'user:a/u'], on: ['t:a'] },
          { allow: ['p:x:b'], who: ['user:a/v', 'user:a/u'], on: ['t:b'] },
        ],
        b: [],
      },
      ['user:a/u user:a/v do p:x:a p:x:b on eu:t:a eu:t:b (8)'],
    ],
    [
      'a narrower grant with the same condition',
      {
        a: [
          { allow: ['p:*'], when: tagged },
          { allow: ['p:x:a'], when: tagged, on: ['t:a'] },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:* if k=x (1)'],
    ],
    [
      'a narrower grant to two, beside a wider one to one of them, in parts',
      {
        a: [
          { allow: ['p:*'], on: ['t:a'] },
          { allow: ['p:*'], on: ['t:b'] },
          { allow: ['p:x:a'], on: ['t:a', 't:b'], who: ['user:a/u', 'user:a/v'] },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:a eu:t:b (2)', 'user:a/u user:a/v do p:x:a on eu:t:a eu:t:b (4)'],
    ],
    [
      'a narrower grant to one, beside a wider one to two, in parts',
      {
        a: [
          { allow: ['p:*'], on: ['t:a'], who: ['user:a/v', 'user:a/u'] },
          { allow: ['p:*'], on: ['t:b'], who: ['user:a/v', 'user:a/u'] },
          { allow: ['p:x:a'], on: ['t:a', 't:b'] },
        ],
        b: [],
      },
      ['user:a/v user:a/u do p:*:* on eu:t:a eu:t:b (4)'],
    ],
    [
      'a narrower grant beside what a wider one leaves out',
      {
        a: [
          { allow: ['p:*'], except: ['p:x:a'] },
          { allow: ['p:x:b'], on: ['t:a'] },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - except do p:x:a'],
    ],
    [
      'a name left out of one box of two',
      { a: [{ allow: ['p:*'], on: ['t:a*', 't:b'], when: not(match({ 'resource.Name': 'ab' })) }], b: [] },
      ['user:a/u do p:*:* on eu:t:a* eu:t:b (2)', ' - except on *:*:ab'],
    ],
    [
      'a deny whose names look like actions',
      { a: [{ allow: ['p:*'] }, { deny: ['p:x:a'], when: not(match({ 'resource.Name.STARTS_WITH': 'p' })) }], b: [] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - denied user:a/u do p:x:a on eu:t:* but name p*'],
    ],
    [
      'a deny for others, too',
      { a: [{ allow: ['p:*'] }, { deny: ['p:x:a'], who: ['user:a/v', 'user:a/u'] }, { deny: ['p:x:b'], who: ['user:a/v'] }], b: [] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - denied user:a/v user:a/u do p:x:a on eu:t:*'],
    ],
    [
      'an exclusion that leaves out names in a wider one that does not',
      { a: [{ allow: ['p:*'] }, { deny: ['p:x:a'], when: not(match({ 'resource.Name': 'a' })) }, { deny: ['p:x:*'] }], b: [] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - denied user:a/u do p:x:* on eu:t:*'],
    ],
    [
      'a deny for one group of many',
      {
        a: [{ allow: ['p:*'], who: ['user:a/v', 'group:a/*'] }],
        b: [
          { allow: ['p:*'], who: ['user:a/v', 'group:a/*'] },
          { deny: ['p:x:a'], who: ['group:a/g'] },
        ],
      },
      ['group:a/*+group:a/g do p:x:a on eu:t:* (1)'],
    ],
    ['the same', { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:*'] }] }, []],
    ['all of a grant', { a: [{ allow: ['p:*', 'q:x:a'], on: ['t:a', 'u:*'] }], b: [] }, ['user:a/u do p:*:* q:x:a on eu:t:a eu:u:* (3)']],
    [
      'a grant for whom the other does not name',
      { a: [{ allow: ['p:*'], who: ['user:a/u', 'user:a/v', 'group:a/g'] }], b: [{ allow: ['p:*'], who: ['user:a/v'] }] },
      ['user:a/u group:a/g do p:*:* on eu:t:* (2)', ' - already user:a/v do p:* on eu:t:*'],
    ],
    [
      'what a pattern covers counts once',
      { a: [{ allow: ['p:x:a', 'p:*', 'p:x:*'], on: ['t:a', 't:*'], who: ['user:a/u', 'user:a/*'] }], b: [] },
      ['user:a/* do p:*:* on eu:t:* (1)'],
    ],
    [
      'a grant wider than the other',
      { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:x:*'] }] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - already user:a/u do p:x:* on eu:t:*'],
    ],
    ['a grant that the other covers', { a: [{ allow: ['p:x:a'] }], b: [{ allow: ['p:x:*'], who: ['user:*'], on: ['*'] }] }, []],
    [
      'what its own side denies is left out',
      { a: [{ allow: ['p:*'] }, { deny: ['p:x:a'] }, { deny: ['q:*'] }], b: [] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - denied user:a/u do p:x:a on eu:t:*'],
    ],
    ['nothing of what its own side denies', { a: [{ allow: ['p:x:a', 'p:x:b'] }, { deny: ['p:x:*'] }], b: [] }, []],
    [
      'one of two actions that its own side denies',
      { a: [{ allow: ['p:x:a', 'p:x:b'], on: ['t:a', 't:b'] }, { deny: ['p:x:b'] }], b: [] },
      ['user:a/u do p:x:a on eu:t:a eu:t:b (2)'],
    ],
    [
      'what it excepts',
      { a: [{ allow: ['p:*'], except: ['p:x:a', 'p:x:b*', 'q:*'] }], b: [] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - except do p:x:a', ' - except do p:x:b*'],
    ],
    [
      'an except that takes an action whole',
      { a: [{ allow: ['p:x:a', 'p:y:a'], except: ['p:x:*'] }], b: [] },
      ['user:a/u do p:y:a on eu:t:* (1)'],
    ],
    ['an except that takes all', { a: [{ allow: ['p:x:a'], except: ['p:*'] }], b: [] }, []],
    [
      'an except that only one side has',
      { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:*'], except: ['p:x:a', 'q:*'] }] },
      ['user:a/u do p:x:a on eu:t:* (1)'],
    ],
    [
      'of two excepts what both leave out',
      {
        a: [{ allow: ['p:*'] }],
        b: [
          { allow: ['p:*'], except: ['p:x:a*', 'p:y:*'] },
          { allow: ['p:*'], except: ['p:x:ab*'] },
        ],
      },
      ['user:a/u do p:x:ab* on eu:t:* (1)'],
    ],
    [
      'the same with other excepts',
      { a: [{ allow: ['p:*'], except: ['p:x:b'] }], b: [{ allow: ['p:*'], except: ['p:x:a', 'p:x:b'] }] },
      ['user:a/u do p:x:a on eu:t:* (1)'],
    ],
    [
      'names that a condition leaves out',
      { a: [{ allow: ['p:*'], when: not(match({ 'resource.Name': 'a' })) }], b: [] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - except on *:*:a'],
    ],
    [
      'a box that a condition leaves out whole',
      { a: [{ allow: ['p:*'], on: ['t:ab', 't:b'], when: not(match({ 'resource.Name.STARTS_WITH': 'a' })) }], b: [] },
      ['user:a/u do p:*:* on eu:t:b (1)'],
    ],
    ['all boxes left out', { a: [{ allow: ['p:*'], on: ['t:ab'], when: not(match({ 'resource.Name.STARTS_WITH': 'a' })) }], b: [] }, []],
    [
      'a name that looks like an action',
      { a: [{ allow: ['p:*'], when: not(match({ 'resource.Name.STARTS_WITH': 'p:' })) }], b: [] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - except on *:*:p:*'],
    ],
    [
      'a name that looks like a box',
      {
        a: [
          { allow: ['p:x:a', 'q:x:a'], except: ['*a'], on: ['t:a'] },
          { allow: ['q:*'], except: ['q:*b'], on: ['t:b'] },
        ],
        b: [],
      },
      ['user:a/u do q:*:* on eu:t:b (1)', ' - except do q:*b'],
    ],
    [
      'a type left out',
      { a: [{ allow: ['p:*'], on: ['*'], when: not(match({ 'resource.Type': 't' })) }], b: [{ allow: ['p:*'], on: ['u:*'] }] },
      ['user:a/u do p:*:* on eu:*:* (1)', ' - except on *:t:*', ' - already user:a/u do p:* on eu:u:*'],
    ],
    [
      'names that the other leaves out',
      { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:*'], when: not(match({ 'resource.Name': 'a' })) }] },
      ['user:a/u do p:*:* on eu:t:a (1)'],
    ],
    [
      'a deny of the other side',
      { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:*'] }, { deny: ['p:x:a'] }] },
      ['user:a/u do p:x:a on eu:t:* (1)'],
    ],
    [
      'a deny of the other side where it grants nothing',
      { a: [{ allow: ['p:*'] }], b: [{ deny: ['p:x:a'] }] },
      ['user:a/u do p:*:* on eu:t:* (1)'],
    ],
    [
      'a deny of the other side among several grants',
      { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:*'] }, { allow: ['q:*'] }, { deny: ['p:x:a'] }] },
      ['user:a/u do p:x:a on eu:t:* (1)'],
    ],
    [
      'a deny of one action of two',
      { a: [{ allow: ['p:x:a', 'q:x:a'] }], b: [{ allow: ['p:x:a', 'q:x:a'] }, { deny: ['q:*'] }] },
      ['user:a/u do q:x:a on eu:t:* (1)'],
    ],
    [
      'a deny for whoever is in a group',
      { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:*'] }, { deny: ['p:x:a'], who: ['group:a/h'] }] },
      ['user:a/u+group:a/h do p:x:a on eu:t:* (1)'],
    ],
    [
      'a deny for some of a pattern',
      {
        a: [{ allow: ['p:*'], who: ['user:a/*'] }],
        b: [
          { allow: ['p:*'], who: ['user:a/*'] },
          { deny: ['p:x:a'], who: ['user:a/u', 'user:b/*'] },
        ],
      },
      ['user:a/u do p:x:a on eu:t:* (1)'],
    ],
    ['a deny that both sides have', { a: [{ allow: ['p:*'] }, { deny: ['p:x:a'] }], b: [{ allow: ['p:*'] }, { deny: ['p:x:a'] }] }, []],
    [
      'a deny that leaves out names',
      { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:*'] }, { deny: ['p:x:*'], when: not(match({ 'resource.Name': 'a' })) }] },
      ['user:a/u do p:x:* on eu:t:* (1)', ' - except on *:*:a'],
    ],
    [
      'two denies, one of which leaves out names',
      {
        a: [{ allow: ['p:*'], on: ['t:*'] }],
        b: [{ allow: ['p:*'] }, { deny: ['p:x:*'], when: not(match({ 'resource.Name': 'a' })) }, { deny: ['p:x:a'] }],
      },
      ['user:a/u do p:x:* on eu:t:* (1)', ' - except on *:*:a', 'user:a/u do p:x:a on eu:t:* (1)'],
    ],
    [
      'two denies of the same with other names left out',
      {
        a: [{ allow: ['p:*'] }],
        b: [
          { allow: ['p:*'] },
          { deny: ['p:x:a'], when: not(match({ 'resource.Name': 'a' })) },
          { deny: ['p:x:a'], when: not(match({ 'resource.Name': 'b' })) },
        ],
      },
      ['user:a/u do p:x:a on eu:t:* (1)', ' - except on *:*:a', 'user:a/u do p:x:a on eu:t:* (1)', ' - except on *:*:b'],
    ],
    [
      'a deny that is gone from a part',
      { a: [{ allow: ['p:*'] }, { deny: ['p:x:*'], when: not(match({ 'resource.Name': 'a' })) }], b: [] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - denied user:a/u do p:x:* on eu:t:* but name a'],
    ],
    ['a condition', { a: [{ allow: ['p:*'], when: tagged }], b: [] }, ['user:a/u do p:*:* on eu:t:* if k=x (1)']],
    [
      'a condition that only the other has',
      { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:*'], when: tagged }] },
      ['user:a/u do p:*:* on eu:t:* if not(k=x) (1)'],
    ],
    [
      'a deny with a condition',
      { a: [{ allow: ['p:*'] }, { deny: ['p:*'], when: tagged }], b: [{ allow: ['p:x:a'] }] },
      ['user:a/u do p:*:* on eu:t:* if not(k=x) (1)', ' - already user:a/u do p:x:a on eu:t:*'],
    ],
    [
      'two conditions of the other',
      {
        a: [{ allow: ['p:*'] }],
        b: [
          { allow: ['p:*'], when: tagged },
          { allow: ['p:*'], when: other },
        ],
      },
      ['user:a/u do p:*:* on eu:t:* if not(k=x) and not(e=z) (1)'],
    ],
    [
      'conditions that leave nothing',
      {
        a: [{ allow: ['p:*'], when: tagged }],
        b: [
          { allow: ['p:*'], when: tagged, until: '1970-01-01T00:00:02Z' },
          { allow: ['p:*'], when: or(tagged, other) },
        ],
      },
      [],
    ],
    [
      'an end',
      { a: [{ allow: ['p:*'] }], b: [{ allow: ['p:*'], until: '1970-01-01T00:00:02Z' }] },
      ['user:a/u do p:*:* on eu:t:* if not(until 2000) (1)'],
    ],
    [
      'a conditional grant that leaves out names',
      {
        a: [{ allow: ['p:*'] }],
        b: [{ allow: ['p:*'], when: { operator: 'AND', conditions: [tagged, not(match({ 'resource.Name': 'a' }))] } }],
      },
      ['user:a/u do p:*:* on eu:t:* if not(k=x) (1)', 'user:a/u do p:*:* on eu:t:a (1)'],
    ],
    [
      'two conditional grants that leave out names',
      {
        a: [{ allow: ['p:*'], on: ['t:*'] }],
        b: [
          { allow: ['p:*'], when: { operator: 'AND', conditions: [tagged, not(match({ 'resource.Name': 'a' }))] } },
          { allow: ['p:*'], when: { operator: 'AND', conditions: [not(tagged), not(match({ 'resource.Name': 'b' }))] } },
        ],
      },
      ['user:a/u do p:*:* on eu:t:a if k=x (1)', 'user:a/u do p:*:* on eu:t:b if not(k=x) (1)'],
    ],
    [
      'a deny whose condition cannot be met there',
      {
        a: [
          { allow: ['p:*'], when: tagged },
          { deny: ['p:x:a'], when: not(tagged) },
          { deny: ['p:x:b'], when: other },
        ],
        b: [
          { allow: ['p:x:ab'], when: not(tagged) },
          { allow: ['p:y:a'], when: other },
        ],
      },
      [
        'user:a/u do p:*:* on eu:t:* if k=x (1)',
        ' - denied user:a/u do p:x:b on eu:t:* if e=z',
        ' - already user:a/u do p:y:a on eu:t:* if e=z',
      ],
    ],
    [
      'a deny that leaves out where it meets',
      {
        a: [
          { allow: ['p:*'], on: ['t:a', 't:ab'] },
          { deny: ['p:x:a'], on: ['*'], when: not(match({ 'resource.Name.STARTS_WITH': 'a' })) },
          { deny: ['p:x:b'], on: ['*'], when: not(match({ 'resource.Name': 'a' })) },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:a eu:t:ab (2)', ' - denied user:a/u do p:x:b on eu:*:* but name a'],
    ],
    [
      'a deny that leaves out the type of one and the name of another',
      {
        a: [
          { allow: ['p:*'], on: ['t:b', 'u:a'] },
          { deny: ['p:x:*'], on: ['*'], when: not(match({ 'resource.Type': 't' }), match({ 'resource.Name': 'a' })) },
          { deny: ['p:y:*'], on: ['*'], when: not(match({ 'resource.Type': 't' })) },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:b eu:u:a (2)', ' - denied user:a/u do p:y:* on eu:*:* but type t'],
    ],
    [
      'a grant of the other that excepts all of it',
      {
        a: [{ allow: ['p:x:*'] }],
        b: [
          { allow: ['p:*'], except: ['p:x:*'] },
          { allow: ['p:x:ab'], except: ['p:x:b'] },
        ],
      },
      ['user:a/u do p:x:* on eu:t:* (1)', ' - already user:a/u do p:x:ab on eu:t:* but action p:x:b'],
    ],
    [
      'a grant of the other that excepts one of two',
      { a: [{ allow: ['p:x:*', 'p:y:*'] }], b: [{ allow: ['p:*', '*a'], except: ['p:x:*'], on: ['t:a'] }] },
      ['user:a/u do p:x:* p:y:* on eu:t:* (2)', ' - already user:a/u do p:* *a on eu:t:a but action p:x:*'],
    ],
    [
      'policies that grant the same in another order',
      {
        a: [
          { allow: ['p:x:b', 'p:x:a'], on: ['t:a'] },
          { allow: ['p:x:a', 'p:x:b'], on: ['t:b'] },
        ],
        b: [],
      },
      ['user:a/u do p:x:b p:x:a on eu:t:a eu:t:b (4)'],
    ],
    [
      'resources in another order',
      {
        a: [
          { allow: ['p:x:a'], on: ['t:b', 't:a'] },
          { allow: ['p:x:b'], on: ['t:a', 't:b'] },
        ],
        b: [],
      },
      ['user:a/u do p:x:a p:x:b on eu:t:b eu:t:a (4)'],
    ],
    [
      'excepts in another order',
      {
        a: [
          { allow: ['p:*'], except: ['p:x:b', 'p:x:a'], on: ['t:a'] },
          { allow: ['p:*'], except: ['p:x:a', 'p:x:b'], on: ['t:b'] },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:a eu:t:b (2)', ' - except do p:x:b', ' - except do p:x:a'],
    ],
    [
      'conditions in another order',
      {
        a: [
          { allow: ['p:*'], when: tagged, on: ['t:a'] },
          { deny: ['p:*'], when: not(other), on: ['t:a'] },
          { allow: ['p:*'], when: other, on: ['t:b'] },
          { deny: ['p:*'], when: not(tagged), on: ['t:b'] },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:a eu:t:b if k=x and e=z (2)'],
    ],
    [
      'what is one only once another is one',
      {
        a: [
          { allow: ['p:x:a'], on: ['t:a'] },
          { allow: ['p:x:a'], on: ['t:b'] },
          { allow: ['p:x:b'], on: ['t:a', 't:b'] },
        ],
        b: [],
      },
      ['user:a/u do p:x:a p:x:b on eu:t:a eu:t:b (4)'],
    ],
    [
      'other conditions stay apart',
      {
        a: [
          { allow: ['p:x:a'], on: ['t:a'] },
          { allow: ['p:x:a'], on: ['t:b'], when: tagged },
          { allow: ['p:x:b'], on: ['t:a'], except: ['p:x:b*b'] },
        ],
        b: [],
      },
      ['user:a/u do p:x:a on eu:t:a (1)', 'user:a/u do p:x:a on eu:t:b if k=x (1)', 'user:a/u do p:x:b on eu:t:a (1)'],
    ],
    [
      'a narrower grant is no region of its own',
      {
        a: [
          { allow: ['p:x:a'], on: ['t:a'] },
          { allow: ['p:*'], on: ['t:*', 'u:*'], who: ['user:a/u', 'user:a/v'] },
          { allow: ['p:x:a', 'p:x:b'], on: ['t:b'], when: tagged },
        ],
        b: [],
      },
      ['user:a/u user:a/v do p:*:* on eu:t:* eu:u:* (4)'],
    ],
    [
      'a narrower grant beside a wider one with a condition',
      {
        a: [
          { allow: ['p:*'], when: tagged },
          { allow: ['p:x:a'] },
          { allow: ['p:x:b'], when: { operator: 'AND', conditions: [tagged, other] } },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:* if k=x (1)', 'user:a/u do p:x:a on eu:t:* (1)', 'user:a/u do p:x:b on eu:t:* if and(k=x,e=z) (1)'],
    ],
    [
      'a narrower grant beside a wider one that leaves it out',
      {
        a: [
          { allow: ['p:*'], except: ['p:x:a', 'q:*'] },
          { allow: ['p:x:a', 'p:x:b'], on: ['t:a'] },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - except do p:x:a', 'user:a/u do p:x:a p:x:b on eu:t:a (2)'],
    ],
    [
      'a narrower grant with the same excepts',
      {
        a: [
          { allow: ['p:*'], except: ['p:x:a'] },
          { allow: ['p:x:*'], except: ['p:x:a'], on: ['t:a'] },
          { allow: ['p:x:*'], except: ['p:x:b'], on: ['t:b'] },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - except do p:x:a', 'user:a/u do p:x:* on eu:t:b (1)', ' - except do p:x:b'],
    ],
    [
      'a grant to a group beside one to its members',
      {
        a: [
          { allow: ['p:*'], who: ['group:a/*'] },
          { allow: ['p:x:a'], who: ['group:a/g'] },
          { allow: ['p:x:a'], who: ['user:a/u'] },
        ],
        b: [],
      },
      ['group:a/* do p:*:* on eu:t:* (1)', 'user:a/u do p:x:a on eu:t:* (1)'],
    ],
    [
      'what a deny closes beside what nothing grants',
      {
        a: [{ allow: ['p:*'], on: ['t:*'] }],
        b: [
          { allow: ['p:*'], on: ['t:a'] },
          { deny: ['p:x:a'], on: ['t:*'] },
        ],
      },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - already user:a/u do p:* on eu:t:a', 'user:a/u do p:x:a on eu:t:* (1)'],
    ],
    [
      'exclusions that others cover',
      {
        a: [
          { allow: ['p:*'], except: ['p:x:a'] },
          { deny: ['p:x:*'], on: ['t:a'] },
          { deny: ['p:x:a'], on: ['t:a'] },
          { deny: ['p:x:a'], who: ['user:*'] },
        ],
        b: [{ allow: ['p:x:a'] }, { allow: ['p:x:b'] }, { allow: ['p:x:b', 'p:x:ab'], on: ['t:*', 'u:*'] }],
      },
      [
        'user:a/u do p:*:* on eu:t:* (1)',
        ' - except do p:x:a',
        ' - denied user:a/u do p:x:* on eu:t:a',
        ' - already user:a/u do p:x:b p:x:ab on eu:t:* eu:u:*',
      ],
    ],
    [
      'exclusions that leave something out',
      {
        a: [
          { allow: ['p:*'] },
          { deny: ['p:x:*'], when: not(match({ 'resource.Name': 'a' })) },
          { deny: ['p:x:a'], when: not(match({ 'resource.Name': 'a' })) },
          { deny: ['p:x:b'], when: not(match({ 'resource.Name': 'b' })) },
          { deny: ['p:x:ab'] },
        ],
        b: [],
      },
      [
        'user:a/u do p:*:* on eu:t:* (1)',
        ' - denied user:a/u do p:x:* on eu:t:* but name a',
        ' - denied user:a/u do p:x:b on eu:t:* but name b',
        ' - denied user:a/u do p:x:ab on eu:t:*',
      ],
    ],
    [
      'exclusions that leave out the same in another order',
      {
        a: [
          { allow: ['p:*'] },
          { deny: ['p:x:*'], when: not(match({ 'resource.Name.IN': 'a,b' })) },
          { deny: ['p:x:a'], when: not(match({ 'resource.Name.IN': 'b,a' })) },
        ],
        b: [],
      },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - denied user:a/u do p:x:* on eu:t:* but name a, name b'],
    ],
    [
      'exclusions with conditions',
      {
        a: [
          { allow: ['p:*'] },
          { deny: ['p:x:*'], when: tagged },
          { deny: ['p:x:a'], when: tagged },
          { deny: ['p:x:b'], when: other },
          { deny: ['p:x:ab'] },
        ],
        b: [{ allow: ['p:y:*'] }, { allow: ['p:y:a'], when: tagged }],
      },
      [
        'user:a/u do p:*:* on eu:t:* (1)',
        ' - denied user:a/u do p:x:* on eu:t:* if k=x',
        ' - denied user:a/u do p:x:b on eu:t:* if e=z',
        ' - denied user:a/u do p:x:ab on eu:t:*',
        ' - already user:a/u do p:y:* on eu:t:*',
      ],
    ],
    [
      'a deny and a grant of the same are two exclusions',
      { a: [{ allow: ['p:*'] }, { deny: ['p:x:a'] }], b: [{ allow: ['p:x:a'] }] },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - denied user:a/u do p:x:a on eu:t:*', ' - already user:a/u do p:x:a on eu:t:*'],
    ],
    ['an unknown group', { a: [{ allow: ['p:*'], on: ['#m'] }], b: [] }, ['user:a/u do p:*:* on *:*:* if or(#m) perhaps (1)']],
    [
      'an unknown group, or a tag',
      {
        a: [
          { allow: ['p:*'], on: ['#m'] },
          { allow: ['p:x:a'], on: ['*'] },
        ],
        b: [{ allow: ['p:*'], on: ['#n'] }],
      },
      ['user:a/u do p:*:* on *:*:* if or(#m) and not(or(#n)) perhaps (1)', 'user:a/u do p:x:a on eu:*:* if not(or(#n)) perhaps (1)'],
    ],
  ])('%s', (_, pair, expected) => expectRegions(pair, expected))
})

describe('where inventories differ, one who', () => {
  const G = (groups: readonly string[]): ShortWorld => ({ members: { 'user:a/u': groups.map((name) => `group:a/${name}`) } })

  test.each<[string, Pair, readonly string[]]>([
    ['is described only once', { a: [], b: [], here: G([]), there: {} }, []],
    [
      'is granted elsewhere, among two',
      { a: [{ allow: ['p:*'], who: ['user:a/*', 'user:b/w'] }], b: [{ allow: ['p:*'], who: ['user:a/u'] }], here: G(['g']), there: G([]) },
      ['user:a/* user:b/w do p:*:* on eu:t:* (2)', ' - already user:a/u do p:* on eu:t:*', ' - apart user:a/u'],
    ],
    [
      'is denied in each of two groups, and in one of them before',
      {
        a: [{ allow: ['p:*'], who: ['group:a/g', 'group:a/h'] }],
        b: [
          { allow: ['p:*'], who: ['user:*'] },
          { deny: ['p:x:a'], who: ['group:a/g', 'group:a/h'] },
        ],
        here: G(['g']),
        there: G([]),
      },
      [
        'group:a/g group:a/h do p:*:* on eu:t:* (2)',
        ' - already user:* do p:* on eu:t:*',
        ' - apart user:a/u',
        'group:a/g group:a/h do p:x:a on eu:t:* (2)',
        ' - apart user:a/u',
        'user:a/u+group:a/g user:a/u+group:a/h do p:x:a on eu:t:* (2)',
      ],
    ],
    [
      'is denied in a group that only the other side knows',
      {
        a: [{ allow: ['p:*'], who: ['group:a/g', 'group:a/h'] }],
        b: [
          { allow: ['p:*'], who: ['user:*'] },
          { deny: ['p:x:a'], who: ['group:a/g'] },
        ],
        here: G([]),
        there: G(['g']),
      },
      [
        'group:a/g group:a/h do p:*:* on eu:t:* (2)',
        ' - already user:* do p:* on eu:t:*',
        ' - apart user:a/u',
        'group:a/g do p:x:a on eu:t:* (1)',
        ' - apart user:a/u',
        'user:a/u+group:a/g user:a/u+group:a/h do p:x:a on eu:t:* (2)',
      ],
    ],
    [
      'has a group more',
      { a: [{ allow: ['p:*'], who: ['group:a/g'] }], b: [{ allow: ['p:*'], who: ['group:a/g'] }], here: G(['g']), there: G([]) },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - already group:a/g do p:* on eu:t:*'],
    ],
    [
      'has a group less',
      { a: [{ allow: ['p:*'], who: ['group:a/g'] }], b: [{ allow: ['p:*'], who: ['group:a/g'] }], here: G([]), there: G(['g']) },
      [],
    ],
    [
      'has a group less that is denied',
      {
        a: [
          { allow: ['p:*'], who: ['user:*'] },
          { deny: ['p:x:a'], who: ['group:a/g'] },
        ],
        b: [
          { allow: ['p:*'], who: ['user:*'] },
          { deny: ['p:x:a'], who: ['group:a/g'] },
        ],
        here: G([]),
        there: G(['g']),
      },
      ['user:a/u do p:x:a on eu:t:* (1)', ' - denied group:a/g do p:x:a on eu:t:*'],
    ],
    [
      'has a group more that is denied',
      {
        a: [
          { allow: ['p:*'], who: ['user:*'] },
          { deny: ['p:x:a'], who: ['group:a/g'] },
        ],
        b: [
          { allow: ['p:*'], who: ['user:*'] },
          { deny: ['p:x:a'], who: ['group:a/g'] },
        ],
        here: G(['g']),
        there: G([]),
      },
      [],
    ],
    [
      'has one group for another',
      {
        a: [
          { allow: ['p:*'], who: ['group:a/g'] },
          { allow: ['q:*'], who: ['group:a/h'] },
        ],
        b: [
          { allow: ['p:*'], who: ['group:a/g'] },
          { allow: ['q:*'], who: ['group:a/h'] },
        ],
        here: G(['g']),
        there: G(['h']),
      },
      ['user:a/u do p:*:* on eu:t:* (1)', ' - already group:a/g do p:* on eu:t:*'],
    ],
    [
      'has the same groups in another order',
      { a: [{ allow: ['p:*'], who: ['group:a/g'] }], b: [], here: G(['g', 'h']), there: G(['h', 'g']) },
      ['group:a/g do p:*:* on eu:t:* (1)'],
    ],
    [
      'is named, and in a group',
      {
        a: [{ allow: ['p:*'], who: ['user:a/u', 'user:a/v', 'group:a/g'] }],
        b: [{ allow: ['p:x:*'], who: ['group:a/g'] }],
        here: G(['g']),
        there: G([]),
      },
      ['user:a/v group:a/g user:a/u do p:*:* on eu:t:* (3)', ' - already group:a/g do p:x:* on eu:t:*'],
    ],
    [
      'is one of many',
      { a: [{ allow: ['p:*'], who: ['user:*'] }], b: [{ allow: ['p:x:*'], who: ['group:a/g'] }], here: G(['g']), there: G([]) },
      ['user:* user:a/u do p:*:* on eu:t:* (2)', ' - already group:a/g do p:x:* on eu:t:*'],
    ],
    [
      'is one of many who lose it',
      { a: [{ allow: ['p:*'], who: ['user:*'] }], b: [{ allow: ['p:x:*'], who: ['group:a/g'] }], here: G([]), there: G(['g']) },
      ['user:* user:a/u do p:*:* on eu:t:* (2)', ' - already group:a/g do p:x:* on eu:t:*'],
    ],
    [
      'is one of many, and denied in a group',
      {
        a: [
          { allow: ['p:*'], who: ['user:*', 'group:a/h'] },
          { deny: ['p:x:*'], who: ['group:a/g'] },
        ],
        b: [],
        here: G([]),
        there: G(['g']),
      },
      ['user:* group:a/h user:a/u do p:*:* on eu:t:* (3)', ' - denied group:a/g do p:x:* on eu:t:*'],
    ],
    [
      'is one of many, and denied in a group only before',
      {
        a: [
          { allow: ['p:*'], who: ['user:*', 'group:a/h'] },
          { deny: ['p:x:*'], who: ['group:a/g'] },
        ],
        b: [],
        here: G(['g']),
        there: G([]),
      },
      ['user:* group:a/h user:a/u do p:*:* on eu:t:* (3)', ' - denied group:a/g do p:x:* on eu:t:*'],
    ],
    [
      'is two, each with other groups',
      {
        a: [{ allow: ['p:*'], who: ['user:*', 'group:a/g'] }],
        b: [{ allow: ['p:x:*'], who: ['group:a/h'] }],
        here: { members: { 'user:a/u': ['group:a/g'], 'user:a/v': ['group:a/h'] } },
        there: { members: { 'user:a/u': ['group:a/h'], 'user:a/v': [] } },
      },
      ['user:* group:a/g user:a/u user:a/v do p:*:* on eu:t:* (4)', ' - already group:a/h do p:x:* on eu:t:*'],
    ],
    [
      'keeps what another entry grants',
      { a: [{ allow: ['p:*'], who: ['user:a/u', 'group:a/g'] }], b: [{ allow: ['p:*'], who: ['user:a/u'] }], here: G(['g']), there: G([]) },
      ['group:a/g do p:*:* on eu:t:* (1)', ' - already user:a/u do p:* on eu:t:*', ' - apart user:a/u'],
    ],
    [
      'gets a deny by a group beside a new deny',
      {
        a: [{ allow: ['p:*'], who: ['user:*'] }],
        b: [
          { allow: ['p:*'], who: ['user:*'] },
          { deny: ['p:x:a'], who: ['group:a/g'] },
          { deny: ['p:x:b'], who: ['group:a/h'] },
        ],
        here: G([]),
        there: G(['g']),
      },
      [
        'user:*+group:a/g user:a/u do p:x:a on eu:t:* (2)',
        'user:*+group:a/h do p:x:b on eu:t:* (1)',
        ' - apart user:a/u',
        'user:a/u+group:a/h do p:x:b on eu:t:* (1)',
      ],
    ],
    [
      'is in a further group on both sides',
      {
        a: [
          { allow: ['p:*'], who: ['group:a/h'] },
          { deny: ['p:x:a'], who: ['group:a/g'] },
        ],
        b: [],
        here: G(['g']),
        there: G([]),
      },
      [
        'group:a/h do p:*:* on eu:t:* (1)',
        ' - denied group:a/g do p:x:a on eu:t:*',
        ' - apart user:a/u',
        'user:a/u+group:a/h do p:*:* on eu:t:* (1)',
        ' - denied group:a/g do p:x:a on eu:t:*',
      ],
    ],
    [
      'is in a group that a pattern names',
      { a: [{ allow: ['p:*'], who: ['group:a/*'] }], b: [{ allow: ['p:*'], who: ['group:a/h'] }], here: G(['g']), there: G(['h']) },
      ['group:a/* do p:*:* on eu:t:* (1)', ' - already group:a/h do p:* on eu:t:*', ' - apart user:a/u'],
    ],
    [
      'is described the same, among others',
      {
        a: [{ allow: ['p:*'], who: ['group:a/g', 'user:a/*'] }],
        b: [{ allow: ['p:x:a'], who: ['group:a/g'] }],
        here: { members: { 'user:a/u': ['group:a/g'], 'user:a/v': ['group:a/h'] } },
        there: { members: { 'user:a/u': ['group:a/g'], 'user:a/v': ['group:a/g'] } },
      },
      ['group:a/g user:a/* user:a/v do p:*:* on eu:t:* (3)', ' - already group:a/g do p:x:a on eu:t:*'],
    ],
    [
      'has other groups, where the groups grant with a condition',
      {
        a: [
          { allow: ['p:*'], who: ['group:a/g'], when: tagged },
          { allow: ['p:*'], who: ['user:*'] },
        ],
        b: [{ allow: ['p:*'], who: ['group:a/*'], when: tagged }],
        here: G(['g']),
        there: G([]),
      },
      ['user:* user:a/u do p:*:* on eu:t:* (2)', ' - already group:a/* do p:* on eu:t:* if k=x'],
    ],
    [
      'gains in two groups, and by itself',
      {
        a: [
          { allow: ['p:x:a'], who: ['group:a/g', 'group:a/h', 'user:a/u'] },
          { allow: ['p:x:b'], who: ['user:a/v'] },
        ],
        b: [{ deny: ['q:*'] }],
        here: G(['g']),
        there: G([]),
      },
      ['group:a/g group:a/h user:a/u do p:x:a on eu:t:* (3)', 'user:a/v do p:x:b on eu:t:* (1)'],
    ],
    [
      'gains the same as those with other groups',
      {
        a: [
          { allow: ['p:*'], who: ['user:a/v', 'user:a/u', 'user:b/*'] },
          { deny: ['p:x:a'], who: ['group:a/g'] },
        ],
        b: [],
        here: { members: { 'user:a/u': ['group:a/g'], 'user:a/v': ['group:a/g'] } },
        there: { members: { 'user:a/v': ['group:a/g'] } },
      },
      ['user:a/v user:b/* user:a/u do p:*:* on eu:t:* (3)', ' - denied group:a/g do p:x:a on eu:t:*'],
    ],
  ])('%s', (_, pair, expected) => expectRegions(pair, expected))
})

describe('a comparison', () => {
  const stack = (letter: string) => `p:x:*${Array.from({ length: 7 }, (_, i) => `${letter}${i}`).join('*')}*`
  /** The exclusions of the other side meet it in too many ways. */
  const hopeless: Pair = { a: [{ allow: [stack('a')] }, { allow: ['q:*'] }], b: [{ allow: ['*'], except: [stack('b'), 'q:*'] }] }
  const outcome = (pair: Pair, budget?: number) => {
    const { regions, culprits } = found(pair, budget)
    return [regions.flatMap(lines), culprits] as const
  }
  const open = (name: string): ShortPolicy => ({ allow: [`${name}:*`], when: match({ [`request.${name.toUpperCase()}`]: '1' }) })

  test('goes on where one grant cannot be decided, and names the patterns', () => {
    const whole = ['user:a/u do q:*:* on eu:t:* (1)']
    expect(outcome(hopeless)).toEqual([whole, [stack('a'), stack('b')]])
    expect(outcome({ ...hopeless, a: hopeless.a.toReversed() })).toEqual([whole, [stack('a'), stack('b')]])
  })

  test('needs no steps where nothing is split', () => {
    expect(outcome({ ...hopeless, b: [{ allow: ['p:*'], except: [stack('b')] }] }, 0)).toEqual([
      ['user:a/u do q:*:* on eu:t:* (1)'],
      [stack('a'), stack('b')],
    ])
    expect(
      outcome(
        {
          a: [{ allow: ['p:x:a'] }, { allow: ['p:x:b'], on: ['t:a'] }],
          b: [
            { allow: ['*a'], on: ['t:a'] },
            { deny: ['p:x:*'], on: ['t:*'] },
          ],
        },
        0,
      ),
    ).toEqual([['user:a/u do p:x:a on eu:t:* (1)', 'user:a/u do p:x:b on eu:t:a (1)'], []])
  })

  test('ends where the steps are used up', () => {
    const split: Pair = { a: [{ allow: ['p:*'] }, { allow: ['q:*'], on: ['u:a'] }], b: [{ allow: ['p:*'], except: ['p:x:a', 'p:x:b'] }] }
    expect(outcome(split, 2)).toEqual([['user:a/u do p:x:a p:x:b on eu:t:* (2)', 'user:a/u do q:*:* on eu:u:a (1)'], []])
    expect(outcome(split, 1)).toEqual([['user:a/u do p:x:a on eu:t:* (1)'], ['p:x:b']])
    expect(outcome(split, 0)).toEqual([[], ['p:x:a']])
  })

  test('takes a step for each group that one with other groups may come in', () => {
    const pair: Pair = {
      a: [{ allow: ['p:*'], who: ['group:a/g', 'group:a/h'] }],
      b: [],
      here: { members: { 'user:a/u': ['group:a/g'] } },
      there: {},
    }
    const all = ['group:a/g group:a/h user:a/u do p:*:* on eu:t:* (3)']
    expect(outcome(pair, 2)).toEqual([all, []])
    expect(outcome(pair, 1)[1]).toEqual([identityOf('user:a/u'), identityOf('group:a/h')])
  })

  test('ends where the steps in contexts are used up', () => {
    const pair: Pair = {
      a: [
        { allow: ['p:*'], when: { operator: 'AND', conditions: ['A', 'B', 'C'].map((key) => match({ [`resource.Tag(${key})`]: 'x' })) } },
        { allow: ['q:*'] },
      ],
      b: [],
    }
    const all = ['A', 'B', 'C'].map((key) => `${key}=x`).join(',')
    // Two steps for each tag, and one for the start: once to find the context, and once to find one that is certain.
    expect(outcome(pair, 4)).toEqual([
      [`user:a/u do p:*:* on eu:t:* if and(${all})(1)`.replace(')(', ') ('), 'user:a/u do q:*:* on eu:t:* (1)'],
      [],
    ])
    expect(outcome(pair, 3)).toEqual([[`user:a/u do p:*:* on eu:t:* if and(${all}) perhaps (1)`, 'user:a/u do q:*:* on eu:t:* (1)'], []])
    expect(outcome(pair, 1)).toEqual([[], ['conditions']])
  })

  test('looks at a part once, whichever way leads there', () => {
    const excepts = ['p:x:a*', '*z'].map((except) => ({ allow: ['p:*'], when: tagged, except: [except] }))
    const names = [{ 'resource.Name.STARTS_WITH': 'a' }, { 'resource.Name.ENDS_WITH': 'z' }, { 'resource.Type': 't' }].map((name) => ({
      allow: ['p:*'],
      on: ['*'],
      when: { operator: 'AND', conditions: [tagged, not(match(name as Record<string, string>))] },
    }))
    // Five parts that overlap: 80 ways lead to their 32 combinations, and more than 300 to each in every order.
    const { regions, culprits } = found(
      { a: [{ allow: ['p:*'], on: ['*'] }], b: [...excepts.map((each) => ({ ...each, on: ['*'] })), ...names] },
      100,
    )
    expect(culprits).toEqual([])
    expect(regions.length).toBeGreaterThan(1)
  })

  test('takes the grant first that leaves out least', () => {
    const pair: Pair = {
      a: [{ allow: ['p:*'] }],
      b: [
        { allow: ['p:*'], except: ['p:x:a*', 'p:x:b', 'p:y:*'] },
        { allow: ['p:*'], except: ['p:x:ab'] },
        { allow: ['p:*'], except: ['p:x:*', 'p:y:*'] },
      ],
    }
    expect(outcome(pair, 1)).toEqual([['user:a/u do p:x:ab on eu:t:* (1)'], []])
  })

  test('is about the instants that count', () => {
    const [a, b] = [[{ allow: ['p:*'], until: '1970-01-01T00:00:02Z' }], []] as const
    const sides = [sideOf(shortWorld(a)), sideOf(shortWorld(b))] as const
    expect(findNewAccess(...sides, undefined, negation(until(1_999))).regions.flatMap(lines)).toEqual([
      'user:a/u do p:*:* on eu:t:* if until 2000 (1)',
    ])
    expect(findNewAccess(...sides, undefined, negation(until(2_000))).regions).toEqual([])
  })

  test('marks what rests on facts that cannot be known, and gives a certain context where there is one', () => {
    const mood = match({ 'request.Mood': 'good' })
    const pair: Pair = {
      a: [
        { allow: ['p:*'], when: mood },
        { allow: ['q:*'], when: or(not(mood), tagged) },
      ],
      b: [],
    }
    const { regions } = found(pair)
    expect(
      regions.map(({ certain, newAccess: newParts }) => [
        certain,
        newParts.map((part) => [part.certain, part.model.assumed.size, part.model.tags.get('k')]),
      ]),
    ).toEqual([
      [false, [[false, 1, undefined]]],
      [true, [[true, 0, 'x']]],
    ])
    expect(outcome({ a: [open('p')], b: [open('p')] })).toEqual([[], []])
  })

  test('keeps one region of each identity, and sixty others', () => {
    const allow = Array.from({ length: 40 }, (_, i) => `p:x:n${i}`)
    const { regions, worlds } = found({ a: [{ allow, who: ['user:a/u', 'user:a/v', 'group:a/g'] }], b: [] })
    expect(regions.length).toBe(1)
    const newParts = (regions[0] as GainedRegion).newAccess
    const asked = newParts.map(({ region: { caller, action } }) => `${callerLine(caller)} ${action.text.slice(4)}`)
    const who = ['user:a/u', 'user:a/v', 'group:a/g']
    const all = who.flatMap((each) => allow.map((action) => `${each} ${action.slice(4)}`))
    const first = who.map((each) => `${each} n0`)
    expect(asked).toEqual([...first, ...all.filter((each) => !first.includes(each)).slice(0, 60)])
    for (const part of newParts) expect(decide(worlds[0], witnessOf(part)).verdict).toBe('allow')
  })
})

describe('very many', () => {
  const [one] = sideOf(shortWorld([{ allow: ['p:*'] }])).allows.statements as [Statement]
  const nothing = sideOf(shortWorld([]))
  /** A copy of a statement for an action, and a resource of its own. */
  const copy = (i: number, effect: 'allow' | 'deny' = 'allow', actions = [`p:x:n${i}`], name = `n${i}`): Statement => {
    const { policy, group, identities, exclusions, formula, boxes } = one
    const span = one.actions[0]?.span as Statement['actions'][number]['span']
    return {
      ...{ effect, policy, group, identities, exclusions, formula },
      boxes: boxes.map((box) => ({ ...box, name: glob(name) })),
      actions: actions.map((text) => ({ value: glob(text), span })),
      key: `${effect} ${i}`,
    }
  }
  const side = (statements: readonly Statement[]): Side => sideWith(nothing, statements)
  const copies = (count: number) => Array.from({ length: count }, (_, i) => copy(i))

  test('pieces: the search ends, and names the first patterns of what it did not look at', () => {
    const many = Array.from({ length: 10 }, (_, i) => `q:x:m${i}`)
    const { regions, culprits } = findNewAccess(side([...copies(20_000), copy(20_000, 'allow', many), copy(20_001)]), nothing)
    expect([regions.length, culprits]).toEqual([20_000, many.slice(0, 8)])
  })

  test('pieces: those that others cover stay where there are more than two thousand', () => {
    const covered = (count: number) =>
      findNewAccess(side([...copies(count - 1), copy(count, 'allow', ['p:x:n7', 'p:x:n7b'], 'n7*')]), nothing).regions.length
    expect([covered(2_000), covered(2_001)]).toEqual([1_999, 2_001])
  })

  test('exclusions: those that others cover stay where there are more than five hundred', () => {
    const excluded = (count: number) => {
      const denies = Array.from({ length: count }, (_, i) => copy(i, 'deny', ['p:x:a'], 'a'))
      return findNewAccess(side([one, ...denies]), nothing).regions.map((region) => region.excluded.length)
    }
    expect([excluded(500), excluded(501)]).toEqual([[1], [501]])
  })

  test('what is wrong otherwise is no answer', () => {
    const broken: Statement = {
      ...copy(0),
      get actions(): Statement['actions'] {
        throw new RangeError('broken')
      },
    }
    expect(() => findNewAccess(side([broken]), nothing)).toThrow(RangeError)
  })
})

describe('a question is in a region', () => {
  const ask = (identity: string, action: string, groups: readonly string[] = []): Question => ({
    ...questionOf({
      identity: identityOf(identity),
      groups: groups.map(identityOf),
      action,
      resource: resourceOf('t:a'),
      at: '1970-01-01T00:00:01Z',
      ip: '192.0.2.1',
      tags: {},
    }),
    owner: 'zz',
  })

  test('unless what is left out of it has the action', () => {
    const { regions, sides } = found({
      a: [{ who: ['user:a/u'], allow: ['p:x:*'], on: ['t:a'] }],
      b: [{ who: ['user:a/u'], allow: ['p:x:b'], on: ['t:a'] }],
    })
    const isIn = (action: string) => regions.some((region) => holdsQuestion(region, ask('user:a/u', action), ...sides))
    expect([isIn('p:x:a'), isIn('p:x:b')]).toEqual([true, false])
  })

  test('of a group only for who is in it on both sides', () => {
    const a = [{ who: ['group:a/g'], allow: ['p:x:a'], on: ['t:a'] }]
    const { regions, sides } = found({ a, b: [], here: { members: { 'user:a/u': ['group:a/g'] } }, there: { members: { 'user:a/u': [] } } })
    const ofGroup = regions.map((region) => ({ ...region, callers: region.callers.filter(({ self }) => self === undefined) }))
    expect(ofGroup.flatMap(({ callers }) => callers.map(callerLine))).toEqual(['group:a/g'])
    const isIn = (question: Question) => ofGroup.some((region) => holdsQuestion(region, question, ...sides))
    expect([isIn(ask('user:a/v', 'p:x:a', ['group:a/g'])), isIn(ask('user:a/u', 'p:x:a'))]).toEqual([true, false])
  })
})

test('an action pattern is written without the colons that every action has', () => {
  const written = ['*:*:*', 'p:*:*', 'p*:*:*', 'p:x:*', 'p:x*:*', 'p:x:a', '*:x:*', 'p:*:*a', 'p:x:*:*', '*:*:*?*:*:*'].map((text) =>
    actionText(glob(text)),
  )
  expect(written).toEqual(['*', 'p:*', 'p*', 'p:x:*', 'p:x*', 'p:x:a', '*:x:*', 'p:*:*a', 'p:x:*:*', '*:*:*?*:*:*'])
})

test('of many exclusions those are left that no other covers, and of equal ones the first', () => {
  const names = Array.from({ length: 12 }, (_, i) => `t:${String.fromCharCode(97 + i)}`)
  const grants: readonly ShortPolicy[] = [
    // Twice the same: the second is within the first.
    ...['first', 'second'].flatMap((of) => names.map((on) => ({ name: of, who: ['user:a/u', 'user:a/v'], allow: ['p:x:a'], on: [on] }))),
    // Within those by its action, its resource, its identity; and not within any, by one of each.
    { who: ['user:a/u'], allow: ['p:x:a'], on: ['t:a'] },
    { who: ['user:a/*'], allow: ['p:x:a'], on: ['t:b', 't:z'] },
    { who: ['user:a/u'], allow: ['p:x:a', 'p:x:b'], on: ['t:c'] },
    // Later, and wider than three of them.
    { who: ['user:*'], allow: ['p:x:*'], on: ['t:d', 't:e', 't:f'] },
  ]
  const wide: ShortPolicy = { who: ['user:a/u', 'user:a/v'], allow: ['p:*'], on: ['t:*'] }
  const { regions } = findNewAccess(sideOf(shortWorld([wide])), sideOf(shortWorld(grants)))
  const policies = regions.flatMap(({ excluded }) => excluded.map(({ statement }) => statement?.policy.name.value))
  expect(policies).not.toContain('second')
  expect(regions.flatMap(lines)).toEqual([
    'user:a/u user:a/v do p:*:* on eu:t:* (2)',
    ...[0, 2, 6, 7, 8, 9, 10, 11].map((i) => ` - already user:a/u user:a/v do p:x:a on eu:${names[i]}`),
    ' - already user:a/* do p:x:a on eu:t:b eu:t:z',
    ' - already user:a/u do p:x:a p:x:b on eu:t:c',
    ' - already user:* do p:x:* on eu:t:d eu:t:e eu:t:f',
  ])
})
