import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nextChange } from '../../src/cli/live/watch.ts'

/** Folders in which no file was read yet. In a file of its own: where they are not watched, tests of `--watch` wait in vain. */

/** Whether a change is noticed, with the time that a slow machine takes. */
async function isNoticed({ happened, stop }: ReturnType<typeof nextChange>): Promise<boolean> {
  const seen = await Promise.race([happened.then(() => true), new Promise<boolean>((done) => setTimeout(() => done(false), 20_000))])
  stop()
  return seen
}

test('folders that appeared are watched with those in them, and one that is gone again is none', async () => {
  const work = mkdtempSync(join(tmpdir(), 'grantwise-watch-'))
  onTestFinished(() => rmSync(work, { recursive: true, force: true }))
  const file = join(work, 'a.yaml')
  writeFileSync(file, '')
  mkdirSync(join(work, 'new/inner'), { recursive: true })
  await new Promise((done) => setTimeout(done, 20))
  const appeared = new Set(['new', 'gone'].map((name) => join(work, name)))
  for (const name of ['new/b.yaml', 'new/inner/c.yaml']) {
    const change = nextChange({ files: [file], folders: [] }, new Set(), Date.now(), appeared)
    writeFileSync(join(work, name), '')
    expect([name, await isNoticed(change)]).toEqual([name, true])
  }
})
