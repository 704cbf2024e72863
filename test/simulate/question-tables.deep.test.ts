import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'
import { wordsOf } from '../support/scenario.ts'

// The tables of questions that a reader copies commands from: each runs where the page says, and answers.

const root = new URL('../../', import.meta.url)
const acme = fileURLToPath(new URL('examples/acme', root))

/** Commands that start something that goes on, or write a file into the folder or a branch into the repository. */
const apart = /^grantwise (repl|report|graph|explore|serve)\b|--propose\b/

const commandsIn = (page: string) =>
  [...readFileSync(new URL(page, root), 'utf8').matchAll(/^\|[^|]*\?[^|]*\| `(grantwise [^`]+)`/gm)]
    .map(([, command = '']) => command)
    .filter((command) => !apart.test(command))

test.each(['README.md', 'docs/questions.md'])('the commands in the table of %s run as they are printed', async (page) => {
  const commands = commandsIn(page)
  expect(commands.length).toBeGreaterThan(8)
  for (const command of commands) {
    const { exit, stderr } = await mainIn(wordsOf(command).slice(1), acme)
    expect({ command, stderr: exit === 2 ? stderr : '' }).toEqual({ command, stderr: '' })
  }
})
