import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { historyChanges, type Repository, withRepository } from '../support/histories.ts'
import { mainIn } from '../support/in-process.ts'

/** `lint --new-since` over generated repositories, compared with `diff --since` of the same commit. */

interface Finding {
  readonly code: string
  readonly new: { readonly reason: string; readonly witness: object | null }
}

async function agrees({ folder, commits }: Repository, seen: Set<string>): Promise<void> {
  execFileSync('git', ['checkout', '--quiet', '--force', 'main'], { cwd: folder })
  const first = commits[0]?.id as string
  const found = await mainIn(['lint', '--new-since', first, '--preset', 'auditor', '--only', 'risk', '--format', 'json'], folder)
  const compared = await mainIn(['diff', '--since', first, '--format', 'json'], folder)
  if (compared.exit === 2) {
    // A state that cannot be read is an error, or all findings are new: never that nothing is.
    const findings: readonly Finding[] = found.exit === 2 ? [] : JSON.parse(found.stdout).findings
    expect(findings.every((each) => each.new.reason !== 'access')).toBe(true)
    seen.add('unread')
    return
  }
  // A file that the configuration no longer names would not be seen: an error here, and no pass of the comparison.
  if (found.exit === 2 && found.stderr.includes('does not name it any more')) {
    expect(compared.exit).not.toBe(0)
    seen.add('left out')
    return
  }
  if (found.stdout === '' || compared.stdout === '')
    throw new Error(`${first}: ${found.stderr}\n${compared.stderr}\n${found.exit} ${compared.exit}`)
  const { gained, described = { gained: [] }, undecided } = JSON.parse(compared.stdout)
  const { findings } = JSON.parse(found.stdout) as { readonly findings: readonly Finding[] }
  const ofAccess = findings.filter((each) => each.new.reason === 'access' && each.new.witness)
  if (gained.length + described.gained.length + undecided.length === 0)
    expect(findings.filter((each) => each.new.reason !== 'text')).toEqual([])
  seen.add(ofAccess.length > 0 ? 'new' : 'old')
  for (const each of ofAccess.slice(0, 3)) {
    const {
      identity,
      action,
      resource,
      groups = [],
      ip,
      at,
    } = each.new.witness as { identity: string; action: string; resource: string; groups?: string[]; ip?: string; at: string }
    const question = [identity, action, resource, ...groups.flatMap((group) => ['--group', group]), ...(ip ? ['--ip', ip] : []), '--at', at]
    // At a commit without policies nothing is asked.
    const verdict = async (...more: readonly string[]) => {
      const { stdout } = await mainIn(['can', ...question, '--format', 'json', ...more], folder)
      return stdout === '' ? 'deny' : JSON.parse(stdout).verdict
    }
    expect(await verdict()).not.toBe('deny')
    expect(await verdict('-p', `git:${first}`)).not.toBe('allow')
  }
}

test('new findings are within the new access of diff, and none is new where there is none', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(historyChanges({ minLength: 3, maxLength: 10 }), (changes) =>
      withRepository(changes, (repository) => agrees(repository, seen)),
    ),
    { numRuns: effort(120, 10) },
  )
  expect([...seen]).toContain('new')
}, 600_000)

interface Aged {
  readonly code: string
  readonly line: number
  readonly file: string
  readonly since?: {
    readonly kind: string
    readonly commit: { readonly id: string } | null
    readonly orEarlier?: true
    readonly unread?: readonly object[]
  }
}

/** A finding since a commit is new to the one before it, and what is not committed is new to the last one. */
async function isNewBefore({ folder, commits }: Repository, seen: Set<string>): Promise<void> {
  execFileSync('git', ['checkout', '--quiet', '--force', 'main'], { cwd: folder })
  const rule = ['--preset', 'auditor', '--only', 'risk', '--format', 'json']
  const aged = await mainIn(['lint', '--age', ...rule], folder)
  if (aged.stdout === '' || aged.exit === 2) return
  const { findings } = JSON.parse(aged.stdout) as { readonly findings: readonly Aged[] }
  for (const { code, file, line, since } of findings.slice(0, 4)) {
    if (since?.kind !== 'since' || since.orEarlier || (since.unread ?? []).length > 0) continue
    const place = commits.findIndex(({ id }) => id === since.commit?.id)
    const parent = commits[commits[place]?.parents[0] ?? -1]
    if (!parent) continue
    const found = await mainIn(['lint', '--new-since', parent.id, ...rule], folder)
    if (found.exit === 2) continue
    const all = JSON.parse(found.stdout).findings as readonly Aged[]
    expect(all.some((each) => each.code === code && each.file === file && each.line === line)).toBe(true)
    seen.add('aged')
  }
}

test('a finding since a commit is new to the commit before it', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(historyChanges({ minLength: 3, maxLength: 10 }), (changes) =>
      withRepository(changes, (repository) => isNewBefore(repository, seen)),
    ),
    { numRuns: effort(120, 10) },
  )
  expect([...seen]).toContain('aged')
}, 600_000)
