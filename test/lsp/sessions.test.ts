import { expect, test } from 'vitest'
import { isDeep, some } from '../support/effort.ts'
import { replay } from './replay.ts'
import { sessions } from './sessions.ts'

test('there are sessions enough, each of its own name', () => {
  expect(new Set(sessions.map(({ name }) => name)).size).toBe(sessions.length)
  expect(sessions.length).toBeGreaterThanOrEqual(60)
})

test.each((isDeep ? sessions : some(sessions, 4)).map((session) => [session.name, session] as const))('%s', async (_, session) => {
  expect(await replay(session)).toEqual([])
})
