import { expect, test } from 'vitest'
import { replay } from './replay.ts'
import { sessions } from './sessions.ts'

test('there are sessions enough, each of its own name', () => {
  expect(new Set(sessions.map(({ name }) => name)).size).toBe(sessions.length)
  expect(sessions.length).toBeGreaterThanOrEqual(60)
})

test.each(sessions.map((session) => [session.name, session] as const))('%s', async (_, session) => {
  expect(await replay(session)).toEqual([])
})
