import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { PageData, PageReview } from '../../src/page/data.ts'
import { savedReview } from '../../src/page/review.ts'
import type { Choice } from '../../src/review/model.ts'
import { mainIn } from '../support/in-process.ts'
import { cleanUp } from '../support/scenario.ts'

/** The page saves a review as `grantwise review` records it: the same decisions give the same file, and it passes `--check`. */

const example = fileURLToPath(new URL('../../examples/access-review', import.meta.url))
const at = ['--at', '2026-12-01T09:00:00Z']
const date = '2026-12-01'

/** Run something in a copy of the example. */
async function inExample<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-review-'))
  try {
    cpSync(example, folder, { recursive: true })
    return await act(folder)
  } finally {
    cleanUp(folder)
  }
}

async function pageOf(folder: string, ...more: readonly string[]): Promise<PageReview> {
  const { exit, stdout, stderr } = await mainIn(['report', 'policies', '--review', 'review.yaml', '-o', '-', ...at, ...more], folder)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'grantwise: note: no world file: people and resources are unknown\n' })
  const [, data] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(stdout) ?? []
  const { review } = JSON.parse(data as string) as PageData
  return review as PageReview
}

const isReady = async (folder: string) => await mainIn(['review', '--check', '-p', 'policies', ...at, '--format', 'json'], folder)

/** A file in which the rows of some grants are filled in, in order. */
function filled(text: string, decisions: readonly (Choice | undefined)[]): string {
  let i = 0
  return text.replace(/ {4}decision:\n {4}by:\n/g, (blank) => {
    const decision = decisions[i++]
    if (decision === undefined) return blank
    const until = decision === 'shorten' ? '    until: "2027-03-31"\n' : ''
    return `    decision: ${decision}\n${until}    by: kim\n    date: "${date}"\n    reason: "it's time: #1"\n`
  })
}

const draft = (decision: Choice) => ({
  decision,
  ...(decision === 'shorten' && { until: '2027-03-31' }),
  by: 'kim',
  date,
  reason: "it's time: #1",
})

test.each<readonly [string, readonly (Choice | undefined)[], readonly string[]]>([
  ['some open grants', ['keep', undefined, 'shorten'], []],
  ['all open grants', ['keep', 'remove', 'ask'], []],
  ['a grant that was decided already', ['keep', 'keep', 'keep', 'remove'], ['--reopen', 'web *']],
])('decisions about %s give the same file', (_, decisions, reopen) =>
  inExample(async (folder) => {
    const page = await pageOf(folder)
    const drafts = new Map(decisions.flatMap((decision, i) => (decision ? [[i, draft(decision)] as const] : [])))
    const saved = savedReview(page, drafts)
    if (reopen.length > 0) await mainIn(['review', '-p', 'policies', ...at, ...reopen], folder)
    writeFileSync(join(folder, 'review.yaml'), filled(readFileSync(join(folder, 'review.yaml'), 'utf8'), decisions))
    const { exit } = await mainIn(['review', '-p', 'policies', ...at], folder)
    expect(exit).toBe(0)
    const recorded = readFileSync(join(folder, 'review.yaml'), 'utf8')
    // A grant that is to be asked about is listed again, with the decision: the page leaves that to the next run.
    if (!decisions.includes('ask')) expect(saved).toBe(recorded)
    writeFileSync(join(folder, 'review.yaml'), saved)
    const { broken, counts } = JSON.parse((await isReady(folder)).stdout)
    expect(broken).toEqual([])
    expect(counts.undecided + counts.changed).toBe(decisions.filter((each) => each === undefined).length)
    await mainIn(['review', '-p', 'policies', ...at], folder)
    expect(readFileSync(join(folder, 'review.yaml'), 'utf8')).toBe(recorded)
  }),
)

test('the page has each grant with its access, and since it was decided what changed', () =>
  inExample(async (folder) => {
    const { rows, review, isOverdue, notes } = await pageOf(folder, '--calls', 'calls.ndjson')
    expect(rows.map(({ short, policy, status, isOpen, used }) => [short, policy, status, isOpen, used?.split(';')[0]])).toEqual([
      ['group/ops', 'server operation', 'changed', true, 'in no recorded call'],
      ['user/heidi', 'server operation', 'changed', true, '2 times, last on 2026-11-21'],
      ['user/lena', 'shop restores', 'undecided', true, 'in no recorded call'],
      ['group/dev', 'web development', 'decided', false, 'in no recorded call'],
    ])
    expect(rows[0]?.changed[0]).toMatch(/^gained: group\/ops may vps:apisvc:re\* on vps:\*; except .*vps:apisvc:reboot/)
    expect(rows[3]?.access).toEqual(['webHosting:apisvc:get, webHosting:apisvc:website/deploy on webHosting:shop.example'])
    expect([review.round, review.decisions.length, isOverdue, notes]).toEqual([
      '2026-Q4',
      3,
      false,
      ['not listed: 1 policy that only denies'],
    ])
  }))

test('a page refuses a review that was edited', () =>
  inExample(async (folder) => {
    const text = readFileSync(join(folder, 'review.yaml'), 'utf8')
    writeFileSync(join(folder, 'review.yaml'), text.replace('decision: keep', 'decision: remove'))
    const edited = await mainIn(['report', 'policies', '--review', 'review.yaml', '-o', '-', ...at], folder)
    expect([edited.exit, edited.stdout]).toEqual([2, ''])
    expect(edited.stderr).toContain('the chain of decisions is broken')
  }))
