import { expect, test } from 'vitest'
import { differences } from './decided.ts'
import { open } from './engine.ts'
import { hostileCase } from './hostile.ts'

test.each((process.env.E ?? 'duckdb').split(',') as 'duckdb'[])('%s', async (name) => {
  const engine = await open(name)
  const canary = [{ id: 1, song: "it's here" }]
  await engine.load(
    'gw_canary',
    [
      ['id', 'int'],
      ['song', 'text'],
    ],
    canary,
  )
  const each = hostileCase(engine.dialect !== 'postgres')
  const { wrong, left } = await differences(engine, each)
  console.log(each.calls.length, left, wrong.length)
  expect(await engine.all('SELECT * FROM gw_canary')).toEqual(canary)
  expect(wrong.slice(0, 10)).toEqual([])
  await engine.close()
})
