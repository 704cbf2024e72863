import { expect, test } from 'vitest'
import { isDeep, some } from '../support/effort.ts'
import { longestWait } from '../support/patience.ts'
import { runBinary } from '../support/scenario.ts'
import { started } from './client.ts'
import { replay, type Sides } from './replay.ts'
import { sessions } from './sessions.ts'

/** The sessions that are replayed with the built programs: one of each kind of edit, and all that depend on other files. */
const names = [
  'a comment that suppresses',
  'type an action letter by letter',
  'undo several changes',
  'half-written YAML',
  'astral characters in UTF-8',
  'a file of a megabyte',
  'access rules',
  'a policy that another one makes redundant',
  'rename a group in one file after the other',
  'a file deleted outside of the editor',
  'a branch is switched',
  'rename a file',
  'two folders',
  'the configuration is edited',
  'a configuration that is refused while it is written',
  'a configuration in a folder',
  'a baseline that hides what was there before',
  'a profile of the configuration, and what it extends',
  'Markdown that is open',
  'a configuration of Terraform with a module',
  'values of variables in a file beside',
  'two root modules that call one module',
  'a list of actions',
]

const programs: Sides = {
  client: (folder) => started(folder).client,
  lint: async (args, cwd) => (await runBinary(['lint', ...args], cwd)).stdout,
  again: async (times) => {
    await new Promise((done) => setTimeout(done, 250))
    return times < longestWait / 250
  },
}

test('each session that is replayed with the programs exists', () => {
  expect(names.filter((name) => !sessions.some((each) => each.name === name))).toEqual([])
})

test.each(isDeep ? some(names, 8) : names.slice(0, 1))('the built server shows what the built command line reports: %s', async (name) => {
  const session = sessions.find((each) => each.name === name)
  expect(session && (await replay(session, programs))).toEqual([])
})
