import { expect, test } from 'vitest'
import { breaksOf, chained, departureFrom } from '../../src/review/chain.ts'
import type { Decision, Unchained } from '../../src/review/model.ts'
import { reviewText } from '../../src/review/text.ts'
import { emptyReview, reread } from '../support/reviewing.ts'

/** The chain of decisions: no single edit of what was recorded passes, and reading and writing change nothing. */

const decision = (i: number): Unchained => ({
  policy: `policy ${i}`,
  identity: `urn:v1:eu:identity:user:ab12-svc/user-${i}`,
  owner: 'kim',
  access: [
    {
      name: 'allow',
      identities: [`urn:v1:eu:identity:user:ab12-svc/user-${i}`],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action: `vps:apisvc:action${i}` }] },
    },
  ],
  decision: i % 2 === 0 ? 'keep' : 'shorten',
  ...(i % 2 === 1 && { until: '2027-03-31' }),
  by: 'kim',
  date: '2026-12-01',
  reason: `reason: "${i}" # not a comment`,
  round: '2026-Q4',
  lock: '0'.repeat(64),
})

const decisions = chained([], [0, 1, 2, 3, 4].map(decision))
const chain = decisions.at(-1)?.hash as string

/** Every list that comes of one edit: a field changed or removed, a decision removed, repeated, inserted, or moved. */
function* edits(): Generator<readonly [what: string, decisions: readonly Decision[]]> {
  const at = (i: number, change: (each: Decision) => Decision) => decisions.map((each, j) => (i === j ? change(each) : each))
  for (const [i, each] of decisions.entries()) {
    for (const field of Object.keys(each) as (keyof Decision)[]) {
      yield [`${field} of ${i} changed`, at(i, (old) => ({ ...old, [field]: field === 'access' ? [] : `${old[field]}x` }))]
      yield [`${field} of ${i} removed`, at(i, ({ [field]: _, ...old }) => old as Decision)]
    }
    yield [`${i} removed`, decisions.filter((_, j) => i !== j)]
    yield [`${i} repeated`, decisions.toSpliced(i, 0, each)]
    yield [`a decision inserted before ${i}`, decisions.toSpliced(i, 0, { ...decision(9), hash: 'f'.repeat(64) })]
    // With the hash that it would have there.
    yield [
      `a decision inserted before ${i} with its hash`,
      decisions.toSpliced(i, 0, chained(decisions.slice(0, i), [decision(9)])[i] as Decision),
    ]
    for (let j = i + 1; j < decisions.length; j++)
      yield [`${i} and ${j} swapped`, decisions.with(i, decisions[j] as Decision).with(j, each)]
  }
  yield ['all removed', []]
  yield ['one added', [...decisions, ...chained(decisions, [decision(9)]).slice(-1)]]
}

test('what was recorded passes', () => {
  expect(breaksOf({ decisions, chain })).toEqual([])
  expect(breaksOf({ decisions: [] })).toEqual([])
})

test('every single edit of recorded decisions is noticed', () => {
  const all = [...edits()]
  expect(all.length).toBeGreaterThan(100)
  expect(all.filter(([, edited]) => breaksOf({ decisions: edited, chain }).length === 0).map(([what]) => what)).toEqual([])
})

test('an edited decision is named, and no other one', () => {
  const edited = decisions.with(2, { ...(decisions[2] as Decision), by: 'omar' })
  expect(breaksOf({ decisions: edited, chain })).toEqual([{ kind: 'decision', index: 2 }])
  expect(breaksOf({ decisions: decisions.slice(0, 3), chain })).toEqual([{ kind: 'end' }])
})

test('a file whose last hash was taken out is noticed, however many decisions are left', () => {
  for (let length = 1; length <= decisions.length; length++)
    expect(breaksOf({ decisions: decisions.slice(0, length) }), `${length}`).toEqual([{ kind: 'end' }])
})

test('a review that is written and read again is the same, and so is its chain', async () => {
  const review = { ...emptyReview, round: '2026-Q4', due: '2026-12-31', owners: [{ policies: 'web *', owner: 'on' }], decisions, chain }
  const { review: read, places } = await reread(review)
  expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(review)))
  expect(breaksOf(read)).toEqual([])
  expect(reviewText(read)).toBe(reviewText(review))
  expect(places.map(({ source, start }) => source.text.slice(start, start + 6))).toEqual(decisions.map(() => 'policy'))
})

test('the order of fields does not matter', () => {
  const turned = decisions.map((each) => Object.fromEntries(Object.entries(each).reverse()) as unknown as Decision)
  expect(breaksOf({ decisions: turned, chain })).toEqual([])
})

test('a chain that was written anew is noticed by an earlier version, and one that was added to is not', () => {
  expect(departureFrom(decisions, chained(decisions, [decision(9)]))).toBeUndefined()
  expect(departureFrom([], decisions)).toBeUndefined()
  for (const [what, edited] of edits()) {
    const anew = chained([], edited)
    expect(breaksOf({ decisions: anew, chain: anew.at(-1)?.hash as string }), what).toEqual([])
    // The last one repeated is one more behind it, and hashes are made anew.
    const isAddition = /^(one added|4 repeated|hash of \d)/.test(what)
    expect(departureFrom(decisions, anew) === undefined, what).toBe(isAddition)
  }
})
