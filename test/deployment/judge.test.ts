import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { gateCases, gitEnvironment, makeRepository } from '../support/gate-cases.ts'
import { mainIn } from '../support/in-process.ts'

/** A change does not say of itself what counts, and a pattern leaves out little: cases of test/bypass that each run has. */

const titles =
  /^(?:the change names all files|a file that the configuration extends|the configuration extends another|a configuration of another name|files that the configuration leaves out|the configuration of the base cannot be read|a budget that no longer counts a server|a tag opens what a condition asks for, and)/
const [ownChecks = [], ignored = []] = ['own-checks.yaml', 'ignored.yaml'].map((file) => gateCases().get(file))
const cases = [...ownChecks.filter(({ title }) => titles.test(title)), ...ignored]

test('there are such cases', () => expect(cases).toHaveLength(12 + ignored.length))

test.each(cases.map((each) => [each.title, each] as const))('%s', async (_, each) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-judge-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  makeRepository(each, folder)
  for (const { run, exit, says = [] } of each.commands) {
    const outcome = await mainIn(run.split(' ').slice(1), folder, { PATH: process.env.PATH ?? '', ...gitEnvironment })
    expect([run, outcome.exit]).toEqual([run, exit])
    for (const words of says) expect(outcome.stdout + outcome.stderr).toContain(words)
  }
})
