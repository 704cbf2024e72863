import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { joinedCharts, type TimelineChart, type TimelineRow, timelineChart } from '../../src/picture/timeline.ts'
import { sourceOf } from '../../src/source.ts'
import { utc } from '../../src/zones.ts'

const row = (label: string, bars: TimelineRow['bars'], end?: number): TimelineRow => ({
  policy: 0,
  label,
  who: 'user/ann',
  effect: 'allow',
  bars,
  ...(end !== undefined && { end }),
})
const chart = (from: number, to: number, rows: readonly TimelineRow[], ended: readonly string[] = []): TimelineChart => ({
  from,
  to,
  zone: utc,
  rows,
  ended,
})

test('a policy has one row over the times of several commits, its bars without joints', () => {
  const first = chart(0, 10, [row('a', [{ from: 0, to: 10 }], 30), row('b', [{ from: 2, to: 5 }], 5), row('c', [{ from: 0, to: 10 }], 12)])
  const second = chart(10, 20, [
    row(
      'a',
      [
        { from: 10, to: 15, isConditional: true },
        { from: 15, to: 20 },
      ],
      30,
    ),
    row('c', [{ from: 10, to: 13 }], 12),
    row('d', [{ from: 12, to: 14 }]),
  ])
  const last = chart(20, 40, [row('a', [{ from: 20, to: 30 }], 29)], ['b', 'e'])
  const { from, to, rows, ended, marks } = joinedCharts([first, second, last], [])
  expect([from, to, ended, marks]).toEqual([0, 40, ['e'], []])
  expect(rows.map(({ label, bars, end }) => [label, bars, end])).toEqual([
    ['b', [{ from: 2, to: 5 }], 5],
    ['c', [{ from: 0, to: 13 }], 12],
    [
      'a',
      [
        { from: 0, to: 10 },
        { from: 10, to: 15, isConditional: true },
        { from: 15, to: 30 },
      ],
      29,
    ],
    ['d', [{ from: 12, to: 14 }], undefined],
  ])
})

test('an end that a later commit may have changed is none', () => {
  const first = chart(0, 10, [row('a', [{ from: 0, to: 10 }], 30)])
  const { rows } = joinedCharts([first, chart(10, 40, [])], [])
  expect(rows.map(({ label, end }) => [label, end])).toEqual([['a', undefined]])
})

test('a policy still has a row at the last instant of its expiry, and has ended after it', async () => {
  const expiredAt = '2026-01-01T00:00:00Z'
  const identities = ['urn:v1:eu:identity:user:ab12-svc/ann']
  const text = JSON.stringify({
    ...{ name: 'a', identities, resources: [{ urn: 'urn:v1:eu:resource:vps:*' }], expiredAt },
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
  })
  const { facts } = await readSource(sourceOf('a.json', text), defaultSettings)
  const { world } = buildWorld([facts])
  const at = (from: number) => timelineChart(world, { from, to: from + 1000 })
  const end = Date.parse(expiredAt)
  expect([at(end), at(end + 1)].map(({ rows, ended }) => [rows.map(({ bars }) => bars.length), ended])).toEqual([
    [[1], []],
    [[], ['a']],
  ])
})
