import { describe, expect, test } from 'vitest'
import { type Glob, glob, matches } from '../../src/glob.ts'
import { isMember, printFormula } from '../../src/symbolic/formula.ts'
import {
  holdsResource,
  memberships,
  openGroups,
  type Place,
  patternPlace,
  placeOf,
  placesWithin,
  relation,
} from '../../src/symbolic/place.ts'
import { type ResourceGroupUrn, readResourcePattern } from '../../src/urn/resource.ts'
import { resourceOf, shortName, shortWorld } from '../support/short.ts'
import { randomOf } from '../support/worlds.ts'

const described: Readonly<Record<string, readonly string[]>> = { '#ab': ['t:a', 't:b'], '#a': ['t:a'], '#none': [], '#u': ['u:a'] }
const known = shortWorld([], { resourceGroups: { ...described, '#part': ['t:a'] } })
const part = known.resourceGroups.get(resourceOf('#part'))
if (!part) throw new Error('no group')
/** Of `#part` some members are not known, of `#o` none is. */
const world = { ...known, resourceGroups: new Map(known.resourceGroups).set(part.urn.value, { ...part, complete: false }) }

function entryOf(short: string) {
  const { value } = readResourcePattern(resourceOf(short))
  if (!value) throw new Error(short)
  return value
}
const placeAt = (short: string) => placeOf(entryOf(short), world)
const groupAt = (short: string) => entryOf(short) as ResourceGroupUrn
const shown = (place: Place) =>
  place.kind === 'pattern'
    ? shortName(place.glob.text)
    : `${shortName(place.text)}: ${[...place.members].map(shortName).join(' ')}${place.isOpen ? ' …' : ''}`

const entries = ['*', 't:*', 't:a*', 't:a', 't:c', 'u:*', '#ab', '#a', '#none', '#part', '#u', '#o', '#p*', '#*']
const resources = ['t:a', 't:b', 't:ac', 'u:a']

describe('the place of an entry', () => {
  test('is what its pattern matches, or the members that are known', () => {
    expect(entries.map((entry) => shown(placeAt(entry)))).toEqual([
      ...['*', 't:*', 't:a*', 't:a', 't:c', 'u:*'],
      ...['#ab: t:a t:b', '#a: t:a', '#none: ', '#part: t:a …', '#u: u:a', '#o:  …', '#p*: t:a …', '#*: t:a t:b u:a …'],
    ])
    expect(patternPlace(glob('a*'))).toEqual({ kind: 'pattern', text: 'a*', glob: glob('a*') })
    expect(placeAt('t:a*')).toEqual(patternPlace(glob(resourceOf('t:a*'))))
    expect(placeAt('#a')).toEqual({
      kind: 'group',
      text: resourceOf('#a'),
      urn: groupAt('#a'),
      members: new Set([resourceOf('t:a')]),
      isOpen: false,
    })
  })

  test('holds a resource, does not, or may', () => {
    const line = (entry: string) =>
      resources.map((each) => {
        const holds = holdsResource(placeAt(entry), resourceOf(each))
        return holds === undefined ? '?' : holds ? 'yes' : 'no'
      })
    expect(Object.fromEntries(entries.map((entry) => [entry, line(entry).join(' ')]))).toEqual({
      '*': 'yes yes yes yes',
      't:*': 'yes yes yes no',
      't:a*': 'yes no yes no',
      't:a': 'yes no no no',
      't:c': 'no no no no',
      'u:*': 'no no no yes',
      '#ab': 'yes yes no no',
      '#a': 'yes no no no',
      '#none': 'no no no no',
      '#part': 'yes ? ? ?',
      '#u': 'no no no yes',
      '#o': '? ? ? ?',
      '#p*': 'yes ? ? ?',
      '#*': 'yes yes ? yes',
    })
  })
})

describe('the parts of a place within a pattern', () => {
  const within = (entry: string, pattern: Glob) => placesWithin(placeAt(entry), pattern).map(shown)

  test('are what both match', () => {
    expect(within('t:*', glob(resourceOf('*:a'))).sort()).toEqual(['t:*:a', 't:a'])
    expect(within('t:*', glob(resourceOf('t:a*')))).toEqual(['t:a*'])
    expect(within('t:a', glob(resourceOf('t:*')))).toEqual(['t:a'])
    expect(within('t:a', glob(resourceOf('u:*')))).toEqual([])
  })

  test('are the members that it matches', () => {
    const pattern = glob(resourceOf('*:a'))
    expect(['#ab', '#a', '#none', '#part', '#u', '#o', '#*'].map((entry) => within(entry, pattern))).toEqual([
      ['#ab: t:a'],
      ['#a: t:a'],
      [],
      ['#part: t:a …'],
      ['#u: u:a'],
      ['#o:  …'],
      ['#*: t:a u:a …'],
    ])
    expect(['#ab', '#part', '#u'].map((entry) => within(entry, glob(resourceOf('u:*'))))).toEqual([[], ['#part:  …'], ['#u: u:a']])
    const place = placeAt('#ab')
    expect(placesWithin(place, glob(resourceOf('t:b')))).toEqual([{ ...place, members: new Set([resourceOf('t:b')]) }])
    expect(place).toEqual(placeAt('#ab'))
  })

  test('are the whole of it where the patterns meet in too many ways', () => {
    const stack = (letter: string) => glob(`*${Array.from({ length: 8 }, (_, i) => `${letter}${i}`).join('*')}*`)
    const place = patternPlace(stack('a'))
    expect(placesWithin(place, stack('b'))).toEqual([place])
  })
})

describe('how places relate to each other', () => {
  const short = { whole: 'all', part: 'some', unknown: '?', apart: '-' } as const
  const table: Readonly<Record<string, string>> = {
    //       *    t:*  t:a* t:a  t:c  u:*  #ab  #a   #none #part #u  #o   #p*  #*
    '*': 'all  all  all  all  all  all  all  all  all  some all  some some some',
    't:*': 'some all  all  all  all  -    all  all  all  some -    some some some',
    't:a*': 'some some all  all  -    -    some all  all  some -    some some some',
    't:a': 'some some some all  -    -    some all  all  some -    some some some',
    't:c': 'some some -    -    all  -    -    -    all  some -    some some some',
    'u:*': 'some -    -    -    -    all  -    -    all  some all  some some some',
    '#ab': 'some some some all  -    -    all  all  all  some -    some some some',
    '#a': 'some some some all  -    -    some all  all  some -    some some some',
    '#none': '-    -    -    -    -    -    -    -    all  some -    some some some',
    '#part': '?    ?    ?    all  ?    ?    ?    all  all  all  ?    ?    ?    ?',
    '#u': 'some -    -    -    -    some -    -    all  some all  some some some',
    '#o': '?    ?    ?    ?    ?    ?    ?    ?    all  ?    ?    all  ?    ?',
    '#p*': '?    ?    ?    all  ?    ?    ?    all  all  all  ?    ?    all  ?',
    '#*': '?    ?    ?    all  ?    ?    all  all  all  all  all  all  all  all',
  }

  test.each(Object.entries(table))('%s', (outer, line) => {
    expect(entries.map((inner) => short[relation(placeAt(outer), placeAt(inner))])).toEqual(line.split(/ +/))
  })

  test('is so whatever the members are that are not known', () => {
    const random = randomOf(1)
    const all = ['t:a', 't:b', 't:c', 't:ac', 'u:a', 'u:b'].map(resourceOf)
    const some = () => all.filter(() => random() < 0.4)
    for (let i = 0; i < 15; i++) {
      const groups = new Map(
        [...Object.entries(described), ['#part', ['t:a']]].map(([name, list]) => [name as string, (list as string[]).map(resourceOf)]),
      )
      for (const name of ['#part', '#o', '#p2', '#z']) groups.set(name, [...(groups.get(name) ?? []), ...some()])
      const held = (entry: string) => {
        const { kind, glob: pattern } = entryOf(entry)
        if (kind === 'resource') return all.filter((each) => matches(pattern, each))
        return [...groups].filter(([name]) => matches(pattern, resourceOf(name))).flatMap(([, list]) => list)
      }
      for (const outer of entries) {
        for (const inner of entries) {
          const says = relation(placeAt(outer), placeAt(inner))
          const [wide, narrow] = [held(outer), held(inner)]
          const count = narrow.filter((each) => wide.includes(each)).length
          if (says === 'whole') expect([outer, inner, count]).toEqual([outer, inner, narrow.length])
          if (says === 'apart') expect([outer, inner, count]).toEqual([outer, inner, 0])
        }
      }
    }
  })
})

describe('open groups', () => {
  const policies = shortWorld([
    { on: ['t:*', '#o', '#ab'], allow: ['p:x:a'] },
    { on: ['#part', '#p*', '#o'], allow: ['p:x:a'] },
  ]).policies

  test('are those of which the world does not know all members, each once', () => {
    expect(openGroups(policies, world)).toEqual([groupAt('#o'), groupAt('#part'), groupAt('#p*')])
    expect(openGroups([], world)).toEqual([])
  })

  test('bring their members to those that an entry names with them', () => {
    const open = ['#o', '#part', '#p*'].map(groupAt)
    const facts = (...names: string[]) => names.map((name) => printFormula(isMember(resourceOf(name))))
    const of = (entry: string) => memberships(groupAt(entry), open).map(printFormula)
    expect(['#*', '#p*', '#part', '#ab', '#o'].map(of)).toEqual([
      facts('#*', '#o', '#p*', '#part'),
      facts('#p*', '#part'),
      facts('#part'),
      facts('#ab'),
      facts('#o'),
    ])
    expect(memberships(groupAt('#p*'), [groupAt('#part'), groupAt('#pa')]).map(printFormula)).toEqual(facts('#p*', '#pa', '#part'))
  })
})
