import { basename } from 'node:path'
import { accessSentences, decisionWords, differenceSentences, unlistedWords, useWords } from '../../answers/review.ts'
import { type Times, wordingOf } from '../../answers/wording.ts'
import type { Budget } from '../../budget.ts'
import { policyEntries } from '../../history/effects.ts'
import type { Settings } from '../../names.ts'
import type { EntryHistory, ReviewOfPage } from '../../page/build.ts'
import type { Policy } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { shown } from '../../report/safe.ts'
import { presentParts } from '../../report/words.ts'
import type { GrantUses } from '../../review/use.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import type { ReviewFacts } from './review-facts.ts'
import { brokenIn, isToDecide, type ListedGrant, openRow, recordsAccess, refuseManyGrants, renewedReview, reviewAt } from './reviewed.ts'
import { type LoadedWorld, refuseOpen } from './world.ts'

interface PageWorld extends Pick<LoadedWorld, 'sources' | 'world'> {
  readonly settings: Settings
  readonly times: Times
  readonly history: EntryHistory | undefined
  readonly run: Budget
  /** The use of grants in recorded calls, where there are any. */
  readonly uses: GrantUses | undefined
}

/** The review of access that a page shows: what is filled in is recorded, and each grant has what reviewers want to know of it. */
export async function reviewOfPage(
  options: { readonly review: string },
  { world, sources, settings, times, history, run, uses }: PageWorld,
  io: Io,
): Promise<ReviewOfPage> {
  refuseOpen('--review', { sources }, recordsAccess)
  refuseManyGrants(world, times.at ?? times.from)
  const disk = await reviewAt(options.review, settings, io)
  const [broken] = brokenIn(disk)
  if (broken)
    throw new Refusal(
      `${disk.path}: the chain of decisions is broken`,
      '`grantwise review --check` lists where; take the decisions from an earlier version of the file',
    )
  const instant = times.at ?? times.from
  const since: ReviewFacts['since'] =
    history &&
    (({ policies, key }) =>
      policies
        .flatMap(policyEntries)
        .flatMap((entry) => (entry.list === 'identities' && entry.text === key.identity ? (history.of(entry) ?? []) : []))[0])
  const names = new Names([world])
  const wording = wordingOf(names, instant)
  const renewed = await renewedReview(disk, { world, settings, at: instant, facts: { uses, since }, run }, () => true)
  const { review, lock, isOverdue, rows } = renewed
  const rowOf = (each: ListedGrant): ReviewOfPage['rows'][number] => {
    const { grant, status, owner, access, difference, use, since } = each
    const { policy, identity } = grant.key
    return {
      row: openRow(each)[0] ?? null,
      policy,
      identity,
      short: names.identity(identity),
      span: (grant.policies[0] as Policy).name.span,
      status: status.kind,
      isOpen: isToDecide(each),
      decided: 'by' in status ? decisionWords(status.by.decision) : '',
      access: access ? accessSentences(access, wording) : [],
      changed: difference ? differenceSentences(difference, wording, 8) : [],
      ...(owner !== undefined && { owner: shown(owner) }),
      ...(use && { used: useWords(use) }),
      ...(since !== undefined && { since }),
    }
  }
  return {
    file: basename(disk.file),
    review: { ...review, open: [] },
    lock: lock ?? null,
    isOverdue,
    notes: presentParts(unlistedWords(renewed)),
    rows: rows.map(rowOf),
  }
}
