import { reviewAnswer, reviewFindings, reviewRules, reviewVerdict } from '../../answers/review.ts'
import { wordingOf } from '../../answers/wording.ts'
import { glob, matches } from '../../glob.ts'
import { nearestName } from '../../nearest.ts'
import type { World } from '../../policy.ts'
import { cut, shown } from '../../report/safe.ts'
import { plural, presentParts, someQuoted } from '../../report/words.ts'
import type { Owner, Review } from '../../review/model.ts'
import { isDay } from '../../review/read.ts'
import type { JudgedGrant } from '../../review/status.ts'
import { reviewText } from '../../review/text.ts'
import type { Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { choice, pair } from '../app/options.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { readAt } from '../input/question.ts'
import { departedFrom } from '../input/review-before.ts'
import { readReviewFacts } from '../input/review-facts.ts'
import {
  brokenIn,
  isToDecide,
  type ReviewOnDisk,
  recordsAccess,
  refuseManyGrants,
  refuseUnreadable,
  renewedReview,
  reviewAt,
  reviewedIn,
} from '../input/reviewed.ts'
import { type LoadedWorld, loadWorld, refuseOpen } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'
import { wrapLines } from '../output/fit.ts'
import { writingOf } from '../output/writing.ts'

const exits: Readonly<Record<ReturnType<typeof reviewVerdict>, ExitCode>> = {
  done: exit.success,
  open: exit.failure,
  undecided: exit.unknown,
}

/** `review`: who has which access, and what reviewers decided about it, in a file; `--check`: what of it is open. */
export const run: Run<'review'> = async ([path = 'review.yaml'], options, io) => {
  const instant = readAt(options, io)
  checkOptions(options)
  const owners = ownersIn(options)
  const loaded = await loadWorld(options, io)
  if (!loaded) return exit.error
  refuseOpen('review', loaded, recordsAccess)
  refuseManyGrants(loaded.world, instant)
  const disk = await reviewAt(path, loaded.settings, io)
  if (options.apply || options.check) {
    if (disk.text === undefined) throw new Refusal(`${disk.path}: there is no such file`, 'create it with `grantwise review`')
    if (!options.apply) return check(disk, loaded, instant, options, io)
    refuseBroken(disk, 'nothing of it is carried out')
    return (await import('./review-apply.ts')).applyReview(disk, loaded, instant, options, io)
  }
  return renew(disk, loaded, instant, { ...options, owners }, io)
}

function checkOptions({ check, apply, round, due, owner, reopen, follows, format, dryRun, diff }: Options<'review'>): void {
  if (!check && follows !== undefined) throw new Refusal('`--follows` requires `--check`', 'add `--check`, or omit `--follows`')
  const mode = check ? '`--check`' : apply ? '`--apply`' : undefined
  if (check && apply) throw new Refusal('`--check` and `--apply` cannot be combined', 'omit one of the two')
  if (mode && (round !== undefined || due !== undefined || owner.length + reopen.length > 0))
    throw new Refusal(`\`--round\`, \`--due\`, \`--owner\` and \`--reopen\` change the review, and ${mode} writes nothing`, `omit ${mode}`)
  if (mode && (dryRun || diff)) throw new Refusal(`${mode} writes nothing`, `omit ${mode}`)
  if (!mode && format !== undefined)
    throw new Refusal('`--format` requires `--check` or `--apply`', 'add one of the two, or omit `--format`')
  if (due !== undefined && !isDay(due)) throw new Refusal(`--due \`${due}\`: not a day`, 'write year, month and day, such as `2026-12-31`')
}

function ownersIn({ owner }: Pick<Options<'review'>, 'owner'>): readonly Owner[] {
  return owner.map((text) => {
    const [policies, name] = pair('--owner', text, 'PATTERN=OWNER')
    return { policies, owner: name }
  })
}

async function check(disk: ReviewOnDisk, loaded: LoadedWorld, instant: number, options: Options<'review'>, io: Io): Promise<ExitCode> {
  const facts = await readReviewFacts(options, loaded.world, instant, loaded.settings, io)
  const reviewed = await reviewedIn(loaded.world, disk.read, instant, loaded.settings, budgetFor(io), facts)
  const departed = options.follows === undefined ? [] : await departedFrom(options.follows, disk, loaded.settings, io)
  const report = { ...reviewed, path: disk.path, breaks: [...brokenIn(disk), ...departed] }
  const format = choice('--format', options.format ?? 'pretty', ['pretty', 'compact', 'json', 'markdown', 'github'] as const)
  if (format === 'github') {
    const { formats } = await import('../../report/formats.ts')
    const findings = reviewFindings(report, wordingOf(loaded.names, instant))
    const lint = { files: [], findings, suppressed: [], showSuppressed: false, hidden: 0, rules: reviewRules, version }
    const { guardAnnotations } = await import('../../report/safe.ts')
    io.stdout.write(formats.github(lint), guardAnnotations)
  } else writeAnswer(reviewAnswer(report), { names: loaded.names, from: instant }, { ...options, format, title: 'grantwise review' }, io)
  return exits[reviewVerdict(report)]
}

/** Refuse a review whose decisions are not those that were recorded. */
function refuseBroken(disk: ReviewOnDisk, nothing: string): void {
  const [broken] = brokenIn(disk)
  if (!broken) return
  throw new Refusal(
    `${disk.path}: the chain of decisions is broken${broken.key ? ` at the one about \`${shown(broken.key.policy)}\`` : ''}: ${nothing}`,
    '`grantwise review --check` lists where; take the decisions from an earlier version of the file',
  )
}

interface Renewal extends Omit<Options<'review'>, 'owner'> {
  readonly owners: readonly Owner[]
}

/** Record what is filled in, and list what is open under the present policies. */
async function renew(disk: ReviewOnDisk, loaded: LoadedWorld, instant: number, options: Renewal, io: Io): Promise<ExitCode> {
  const { world, settings } = loaded
  const writing = writingOf(options, io)
  refuseBroken(disk, 'nothing is added to it')
  const facts = await readReviewFacts(options, world, instant, settings, io)
  refuseUnmatched(options, world)
  const patterns = options.reopen.map(glob)
  const isListed = (judged: JudgedGrant) => isToDecide(judged) || patterns.some((pattern) => matches(pattern, judged.grant.key.policy))
  const change = (review: Review) => withHead(review, options)
  const { review, rows, count } = await renewedReview(disk, { world, settings, at: instant, facts, run: budgetFor(io) }, isListed, change)
  const unclear = rows.filter(isListed).filter(({ written }) => written === undefined)
  const text = reviewText(review)
  const notes = writing.diffOption === undefined ? io.stdout : io.stderr
  if (text === disk.text) notes.write(`${shown(disk.path)}: up to date, not changed\n`)
  else {
    await refuseUnreadable(disk.path, text)
    await writing.write(disk.file, text)
    if (!writing.isDry) io.stdout.write(wrapLines(`${shown(disk.path)}: ${renewedWords(disk, review, count)}\n`, io.stdout.width?.()))
  }
  if (unclear.length > 0)
    io.stderr.write(
      `grantwise: note: the access of ${plural(unclear.length, 'grant')} cannot be determined within limits, and is not listed: ${someQuoted(unclear.map(({ grant }) => grant.key.policy))}\n`,
    )
  return writing.exitCode(unclear.length > 0 ? exit.unknown : exit.success)
}

/** Refuse a pattern that no policy matches: nothing would be listed again for it, or belong to its owner. */
function refuseUnmatched({ reopen, owners }: Renewal, { policies }: World): void {
  const names = [...new Set(policies.map(({ name }) => name.value))]
  const unmatched = [
    ...reopen.map((pattern) => ['--reopen', pattern] as const),
    ...owners.map((owner) => ['--owner', owner.policies] as const),
  ].filter(([, pattern]) => !names.some((name) => matches(glob(pattern), name)))
  refuseProblems(
    unmatched.map(([option, pattern]) => {
      const suggested = nearestName(pattern, names)
      return {
        message: `${option} \`${shown(cut(pattern, 80))}\`: no policy has this name`,
        ...(names.length > 0 && {
          help: suggested === undefined ? `policies are ${someQuoted(names)}` : `did you mean \`${shown(suggested)}\`?`,
        }),
      }
    }),
  )
}

function renewedWords({ text }: ReviewOnDisk, { open, decisions, chain }: Review, count: number): string {
  return presentParts(
    text === undefined ? 'written' : 'renewed',
    `${plural(open.length, 'grant')} open`,
    count > 0 && `${plural(count, 'decision')} recorded`,
    chain !== undefined && `${decisions.length} in all, last hash ${chain}`,
  ).join(', ')
}

/** A review with what the command line says of its head. Owners that are given come first. */
function withHead(review: Review, { round = review.round, due = review.due, owners }: Renewal): Review {
  const ownerPolicies = new Set(owners.map(({ policies }) => policies))
  return {
    ...review,
    ...(round !== undefined && { round }),
    ...(due !== undefined && { due }),
    owners: [...owners, ...review.owners.filter(({ policies }) => !ownerPolicies.has(policies))],
  }
}
