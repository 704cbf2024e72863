import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { editorHost } from '../../src/cli/live/editor-host.ts'
import { type Analyser, Analysis, type Report } from '../../src/lsp/analysis.ts'
import { usualSettings } from '../../src/lsp/settings.ts'
import { ioIn } from '../support/in-process.ts'
import { until } from '../support/patience.ts'
import { inProcess, uriOf } from './client.ts'

const policy = (action: string) => `name: operators
identities: ["urn:v1:eu:identity:user:ab12-svc/bob"]
resources: [{ urn: "urn:v1:eu:resource:vps:web-1" }]
permissions: { allow: [{ action: ${action} }] }
`
let folder = ''
const begin = () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-interrupt-')))
  writeFileSync(join(folder, 'policy.yaml'), policy('vps:apisvc:rebot'))
  writeFileSync(join(folder, 'other.yaml'), policy('vps:apisvc:get'))
}
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const codesOf = (report: Report | undefined) => report?.files.flatMap(({ found }) => found.map(({ code }) => code)).sort()

test('a run that another thread interrupts between two files or rules gives no report, and the next one a complete one', async () => {
  begin()
  /** At which of its looks a run learns that it is not wanted; a large number: never. */
  const lintUpTo = async (last: number) => {
    let looks = 0
    const analysis = new Analysis(editorHost(ioIn(folder, {}).io), () => looks++ === last)
    analysis.setUp('utf-16', [{ root: folder, settings: usualSettings }])
    const first = await analysis.lint()
    return { first, looks, next: await analysis.lint() }
  }
  const complete = await lintUpTo(Number.MAX_SAFE_INTEGER)
  const [codes, looks] = [['duplicate-name', 'unknown-action'], complete.looks]
  expect(codesOf(complete.first)).toEqual(codes)
  expect(codesOf(complete.next)).toEqual(codes)
  for (let last = 0; last < looks; last++) {
    const { first, next } = await lintUpTo(last)
    expect(first).toBeUndefined()
    expect(codesOf(next)).toEqual(codes)
  }
})

test('an edit interrupts a run, but a run is completed in the end however often the text is edited', async () => {
  begin()
  const uri = uriOf(join(folder, 'policy.yaml'))
  let [runs, interrupted] = [0, 0]
  let release = () => {}
  const client = inProcess(folder, Date.now, (host): Analyser => {
    const analysis = new Analysis(host)
    let interrupt = () => {}
    return {
      setUp: (encoding, folders) => analysis.setUp(encoding, folders),
      put: (texts) => analysis.put(texts),
      drop: (uris) => analysis.drop(uris),
      lint: async () => {
        runs++
        const isInterrupted = await new Promise<boolean>((done) => {
          interrupt = () => done(true)
          release = () => done(false)
        })
        if (isInterrupted) interrupted++
        return isInterrupted ? undefined : analysis.lint()
      },
      interrupt: () => interrupt(),
      close: () => {},
    }
  })
  await client.start([folder])
  await client.open(uri, policy('vps:apisvc:rebot'))
  // Each edit comes while a run is under way.
  for (let edits = 1; edits <= 8; edits++) {
    const before = runs
    await until(() => runs > 0)
    await client.change(uri, [{ text: `# ${edits}\n${policy('vps:apisvc:rebot')}` }])
    await until(() => runs > before || interrupted === 5)
  }
  expect(interrupted).toBe(5)
  while (client.published.get(uri)?.length !== 2) {
    release()
    await new Promise((done) => setTimeout(done, 5))
  }
  await client.end()
})

test('an open text that is that of its file is not linted again; another text is', async () => {
  begin()
  const file = join(folder, 'policy.yaml')
  let asked = 0
  const analysis = new Analysis(editorHost(ioIn(folder, {}).io), () => {
    asked++
    return false
  })
  const lint = async () => {
    asked = 0
    return codesOf(await analysis.lint())
  }
  analysis.setUp('utf-16', [{ root: folder, settings: usualSettings }])
  const codes = await lint()
  const looks = asked
  analysis.put([{ uri: uriOf(file), file, path: file, text: policy('vps:apisvc:rebot'), notation: 'yaml' }])
  expect(await lint()).toEqual(codes)
  // Files are looked at, and no rule.
  expect(asked).toBeLessThan(looks / 2)
  analysis.put([{ uri: uriOf(file), file, path: file, text: policy('vps:apisvc:reboot'), notation: 'yaml' }])
  expect(await lint()).toEqual(['duplicate-name'])
  writeFileSync(join(folder, '.grantwise.yaml'), 'rules: { duplicate-name: off }\n')
  expect(await lint()).toEqual([])
})
