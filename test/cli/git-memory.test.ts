import { expect, test } from 'vitest'
import { GitMemory } from '../../src/cli/app/git-memory.ts'

test('a question is asked once, whatever its answer is, and other questions are asked as well', () => {
  const memory = new GitMemory()
  const asked: string[] = []
  const ask = (name: string) => () => {
    asked.push(name)
    return undefined
  }
  for (let i = 0; i < 2; i++) {
    memory.once('tree', ['/a', 'main'], ask('tree of main in a'))
    memory.once('tree', ['/b', 'main'], ask('tree of main in b'))
    memory.once('commit', ['/a', 'main'], ask('commit of main in a'))
    memory.once('tree', ['/a main'], ask('tree of another name'))
  }
  expect(asked).toEqual(['tree of main in a', 'tree of main in b', 'commit of main in a', 'tree of another name'])
})

test('what is refused is asked again', () => {
  const memory = new GitMemory()
  const refuse = () => {
    throw new Error('refused')
  }
  expect(() => memory.once('tree', ['/a'], refuse)).toThrow('refused')
  expect(memory.once('tree', ['/a'], () => 'b')).toBe('b')
})
