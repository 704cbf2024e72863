import type { Diagnostic } from '../../diagnostic.ts'
import type { Difference } from '../../diff/diff.ts'
import { atInstant } from '../../diff/instant.ts'
import { policyEntries } from '../../history/effects.ts'
import { partOf, partsOfFindings } from '../../history/finding-parts.ts'
import type { Settings } from '../../names.ts'
import type { PageUses } from '../../page/build.ts'
import type { Policy, World } from '../../policy.ts'
import { callsNotes, denialWords, useWords } from '../../report/call-use.ts'
import { Names } from '../../report/names.ts'
import { shown } from '../../report/safe.ts'
import { GrantUses } from '../../review/use.ts'
import { rules } from '../../rules/index.ts'
import type { Rule } from '../../rules/rule.ts'
import { CallCounter, type CallTotals, type CallUse } from '../../usage/counting.ts'
import { recordCounter } from '../../usage/tally.ts'
import { ChangeTargets, deniesOnly, policyTarget } from '../../usage/targets.ts'
import type { Io } from '../app/io.ts'
import type { CallOptions } from './call-uses.ts'
import { findingsWithUse } from './finding-calls.ts'
import { readRecords } from './records.ts'

/** All of a page that recorded calls may be about. */
interface CallsOfPage {
  readonly world: World
  readonly before: World | undefined
  /** The only instant at which access is shown. */
  readonly at: number | undefined
  readonly findings: readonly Diagnostic[]
  readonly ownRules: readonly Rule[]
  readonly difference: Difference | undefined
  /** The world of the review. */
  readonly reviewed: World
  readonly now: number
}

/** Reads the records of `--calls` once, for all that a page shows of them. */
export async function callsOfPage(
  options: CallOptions,
  { world, before, at, findings, ownRules, difference, reviewed, now }: CallsOfPage,
  settings: Settings,
  io: Io,
): Promise<{ readonly findings: readonly Diagnostic[]; readonly uses: PageUses; readonly grants: GrantUses }> {
  const counter = new CallCounter(world, ...(before ? [before] : []))
  const asked = findingsWithUse(findings, partsOfFindings(world, [...rules, ...ownRules]), counter, world)
  const entries = new Map<object, { readonly isDeny: boolean; readonly use: () => CallUse }>()
  for (const policy of world.policies)
    for (const [entry, part] of partsOf(policy)) {
      entries.set(entry, { isDeny: deniesOnly(part), use: counter.ask(policyTarget(part, world)) })
    }
  const instant = (one: World) => (at === undefined ? one : atInstant(one, at))
  const targets = before && new ChangeTargets(instant(before), instant(world))
  const changes = new Map<object, { readonly isNew: boolean; readonly use: () => CallUse }>()
  for (const side of ['gained', 'lost'] as const)
    for (const row of difference?.described?.[side] ?? [])
      if (targets) changes.set(row, { isNew: side === 'gained', use: counter.ask(targets.of(row, side)) })
  const tallies = recordCounter()
  const passed = await readRecords(options.calls, options, settings, io, (record) => {
    counter.add(record)
    tallies.add(record)
  })
  const totals: CallTotals = counter.end()
  const names = new Names([world])
  return {
    findings: asked(totals, names),
    grants: new GrantUses(reviewed, tallies.end(), now),
    uses: {
      notes: callsNotes({ ...totals, ...passed }).map(shown),
      change: (change) => {
        const counted = changes.get(change)
        return counted ? useWords(counted.use(), totals, names, counted.isNew) : []
      },
      entry: (_, entry) => {
        const counted = entries.get(entry)
        if (!counted) return undefined
        const use = counted.use()
        return {
          words: (counted.isDeny ? denialWords : useWords)(use, totals, names),
          count: counted.isDeny ? use.refused.count : use.used.count,
        }
      },
    },
  }
}

/** The entries of a policy that grant or deny something, each with its part of the policy. */
function partsOf(policy: Policy): readonly (readonly [entry: object, part: Policy])[] {
  return policyEntries(policy).flatMap(({ list, text, nth }) => {
    if (list !== 'allow' && list !== 'deny') return []
    const entry = policy.permissions[list].filter(({ value }) => value.text === text)[nth]
    return entry ? [[entry, partOf(policy, { list, text })] as const] : []
  })
}
