import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  claimDetails,
  claimLine,
  commitMessage,
  isDescription,
  type Proposal,
  proposalJson,
  proposalMarkdown,
  proposalText,
} from '../../answers/proposal.ts'
import { readInstant } from '../../conditions/time.ts'
import { noCommits } from '../../deployment/facts.ts'
import type { Difference } from '../../diff/diff.ts'
import { readSource } from '../../parser/read-source.ts'
import type { World } from '../../policy.ts'
import { claimOf, type GrantTime, type RefusedAccess } from '../../propose/claim.ts'
import { accessSlug } from '../../propose/grant-policy.ts'
import type { Read } from '../../propose/write.ts'
import { callWords, type GrantReport, grantJson, grantText } from '../../report/call.ts'
import { paint } from '../../report/colour.ts'
import { isoWords } from '../../report/instants.ts'
import { Names } from '../../report/names.ts'
import { json, shown } from '../../report/safe.ts'
import { firstFew, plural } from '../../report/words.ts'
import { decide } from '../../simulate/decide.ts'
import type { Question } from '../../simulate/decision.ts'
import { notationOf, sourceOf } from '../../source.ts'
import { readSuiteText } from '../../suite/read-text.ts'
import { runSuite, type Status } from '../../suite/run.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, type Io, ioWith } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { type Reason, Refusal } from '../app/refusal.ts'
import { addedFindings } from '../input/added-findings.ts'
import type { Config } from '../input/config.ts'
import { changedDeployment } from '../input/deployed.ts'
import { readHorizon } from '../input/horizon.ts'
import { catalogueFor } from '../input/known.ts'
import { inPlaces } from '../input/places.ts'
import { pathsOf, policySelection } from '../input/policies.ts'
import {
  type BranchName,
  type CommittedFile,
  checkAuthor,
  differingFrom,
  type Head,
  readBranchName,
  readHead,
  setBranch,
  signsCommits,
  writeCommit,
  writeTree,
} from '../input/proposed-branch.ts'
import { type Edited, editOf, type PolicyTest, testOf } from '../input/proposed-edit.ts'
import { kindAt, readText } from '../input/read-file.ts'
import { withScratchObjects } from '../input/scratch-objects.ts'
import { suppositionOf } from '../input/suppose.ts'
import { assumedEqual, withTaken } from '../input/taken.ts'
import { checkTargets, guardInputs, refuseRead } from '../input/targets.ts'
import { quoted } from '../input/words.ts'
import { decidable, decidedOf, type FilesRead, type LoadedWorld, openWorld, readFiles, refuseOpen, worldIn } from '../input/world.ts'
import { wrapLines } from '../output/fit.ts'
import { coloursOf } from '../output/outputs.ts'
import { writeFile } from '../output/write.ts'

/** `call --from-403 FILE --propose`: a branch with the smallest edit that allows the refused call, and a proof of what it changes. */

/** How long access lasts unless `--expires` says otherwise. */
const usualExpiry = '14d'

/** The state of HEAD, before anything is proposed. */
export interface Proposing {
  readonly head: Head
  readonly expires: number | undefined
  /** The options, with the policies as HEAD has them. */
  readonly options: Options<'call'>
  readonly load: (wrong: Parameters<typeof worldIn>[3]) => Promise<LoadedWorld | undefined>
  /** The files that were read for the world. */
  readonly read: () => FilesRead
}

/** Begin a proposal: read the state that a branch starts from. */
export function startProposal(options: Options<'call'>, config: Config, around: Io): Proposing {
  const io = ioWith(around, { git: new GitMemory() })
  if (options.from403 === undefined)
    throw new Refusal(
      '`--propose` requires `--from-403 FILE`',
      'a proposal is about a call that the service refused: name the body of the response',
    )
  if (suppositionOf(options) !== undefined)
    throw new Refusal(
      '`--propose` starts from HEAD, and cannot be combined with what is supposed of policies',
      'omit `--with`, `--without`, `--member` and `--assume-tag`',
    )
  const odd = options.policies.find((path) => path === '-' || path.startsWith('git:'))
  if (odd !== undefined)
    throw new Refusal(
      `\`--propose\` reads the policies of HEAD, and \`-p ${odd}\` names others`,
      'name files and folders of the repository',
    )
  if (options.description !== undefined) checkTargets([{ option: '--description', file: resolve(io.cwd, options.description) }], io)
  const expires = readExpiry(options.expires ?? usualExpiry, io.now())
  const head = readHead(io)
  if (!options.dryRun) checkAuthor(io)
  const policies = pathsAt(head.commit, options.policies)
  const ofHead = { ...options, policies }
  let read: FilesRead | undefined
  return {
    head,
    expires,
    options: ofHead,
    load: async (wrong) => {
      const opened = await openWorld(ofHead, io, config)
      read = opened.read
      return worldIn(opened, ofHead, io, wrong)
    },
    read: () => read as FilesRead,
  }
}

/** The paths of policies as a commit or a tree has them. */
const pathsAt = (state: string, paths: readonly string[]) =>
  paths.length === 0 ? [`git:${state}`] : paths.map((path) => `git:${state}:${path}`)

/** `--expires`: a length of time from now on, an instant, a day, which counts to its end in UTC, or `never`; in whole seconds. */
function readExpiry(text: string, now: number): number | undefined {
  if (text === 'never') return undefined
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) && readInstant(`${text}T23:59:59Z`) !== undefined
  const instant = readHorizon(day ? `${text}T23:59:59Z` : text, now, '--expires')
  return Math.floor(instant / 1000) * 1000
}

/** Options that only `--propose` takes. */
const ofProposals = {
  branch: '--branch',
  expires: '--expires',
  file: '--file',
  test: '--test',
  description: '--description',
  replace: '--replace',
  force: '--force',
  dryRun: '--dry-run',
} as const

/** Refuse options that have no effect without `--propose`. */
export function refuseIdle(options: Options<'call'>): void {
  for (const [key, flag] of Object.entries(ofProposals) as [keyof typeof ofProposals, string][])
    if (options[key] !== undefined && options[key] !== false)
      throw new Refusal(`\`${flag}\` requires \`--propose\``, `add \`--propose\`, or omit \`${flag}\``)
}

/** Why nothing is proposed. */
interface Blocked extends Reason {
  readonly code: ExitCode
  /** Lines about the changes that the edit would make. */
  readonly lines?: readonly string[]
}

/** Write a branch that allows the refused call, or say why there is none. */
export async function propose(
  proposing: Proposing,
  report: GrantReport,
  loaded: LoadedWorld,
  options: Options<'call'>,
  around: Io,
): Promise<ExitCode> {
  const io = ioWith(around, { git: new GitMemory() })
  const blocked = blockedBy(report)
  if (blocked) return writeBlocked(blocked, report, options, around)
  refuseOpen('call --propose', loaded)
  const { expires } = proposing
  const { needed } = report.grant
  const questions = needed.flatMap(({ asked, verdict }) => (asked && verdict !== 'allow' ? [inSeconds(asked.question, loaded.world)] : []))
  const [first] = questions
  if (!first) throw new Refusal('nothing was refused')
  const access: RefusedAccess = { identity: first.identity, questions }
  const time: GrantTime = { from: first.at, expires }
  if (expires !== undefined && expires < time.from)
    throw new Refusal(`--expires: ${isoWords(expires)} is before the time of the request`, 'give a later end, or omit `--at`')
  const branch = readBranchName(options.branch ?? `grantwise/${accessSlug(access)}`, options.replace, io)
  const read: Read = (source) => readSource(source, loaded.settings)
  const description = report.refused.call ? (report.grant.policies[0]?.description ?? '') : 'For a call that was refused'
  const made = { head: proposing.head, loaded, access, time, given: options, io }
  const edited = await editOf({ ...made, description, read })
  const test = testOf(edited, made)
  const scratch = mkdtempSync(join(tmpdir(), 'grantwise-propose-'))
  try {
    return await compared({ proposing, report, loaded, given: options, access, time, branch, edited, test, scratch }, io, around)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** A question at a whole second, as expiries are written, where it is answered alike. */
function inSeconds(question: Question, world: World): Question {
  const rounded = { ...question, at: Math.ceil(question.at / 1000) * 1000 }
  return decide(world, rounded).verdict === decide(world, question).verdict ? rounded : question
}

/** The reason why no new policy allows the call; undefined where one may. */
function blockedBy({ forbidden, grant, next }: GrantReport): Blocked | undefined {
  const { gate, byAuthentication } = forbidden
  if (gate === 'credential')
    return {
      code: exit.failure,
      message: 'the rules of the consumer key refused the call, which no policy changes',
      help: 'request a credential with the access rule above',
    }
  if (byAuthentication.length > 0)
    return {
      code: exit.failure,
      message: 'the authentication does not carry the action, which no policy changes',
      help: 'use a token or consumer key that does',
    }
  if (grant.obstacles.length > 0) {
    const [denied] = grant.needed.flatMap(({ action, resource, verdict }) =>
      verdict === 'deny' && resource !== undefined ? [{ action, resource }] : [],
    )
    const help = denied && next ? `\`${next.suggest(denied.action, denied.resource)}\` lists edits of what denies it` : undefined
    return { code: exit.failure, message: 'a deny statement covers the call, and no new policy allows it', help }
  }
  if (grant.missing.length > 0)
    return {
      code: exit.unknown,
      message: 'it depends on what is not known whether a new policy would allow the call',
      help: 'give the facts that are listed above',
    }
  if (grant.needed.length === 0)
    return { code: exit.unknown, message: 'the call is not known to need any action', help: 'name the action with `--action`' }
  if (grant.needed.every(({ verdict }) => verdict === 'allow'))
    return {
      code: exit.failure,
      message: 'the policies of HEAD allow the call: they are not the ones in force, or the call was about another resource',
      help: 'apply them, or check the call',
    }
  return undefined
}

function writeBlocked({ code, message, help, lines = [] }: Blocked, report: GrantReport, options: Options<'call'>, io: Io): ExitCode {
  if (options.format === 'json' || options.format === 'ndjson') {
    const proposal = { written: false, reason: message, help: help ?? null }
    io.stdout.write(`${json({ ...grantJson(report), proposal })}\n`)
  } else if (options.format === 'compact') io.stdout.write(`no branch: ${shown(message)}\n`)
  else {
    const colours = coloursOf(options, io)
    io.stdout.write(wrapLines(grantText(report, colours), io.stdout.width?.()))
    const more = [
      `${colours.error('no branch is written:')} ${message}`,
      ...lines.map((line) => `  ${line}`),
      ...(help === undefined ? [] : [`  help: ${help}`]),
    ]
    io.stdout.write(wrapLines(`\n${more.join('\n')}\n`, io.stdout.width?.()))
  }
  return code
}

interface Comparing {
  readonly proposing: Proposing
  readonly report: GrantReport
  readonly loaded: LoadedWorld
  readonly given: Options<'call'>
  readonly access: RefusedAccess
  readonly time: GrantTime
  readonly branch: BranchName
  readonly edited: Edited
  readonly test: PolicyTest
  readonly scratch: string
}

/** Compare HEAD with what the branch would be, and write it where only that is new which was refused. */
async function compared(comparing: Comparing, io: Io, around: Io): Promise<ExitCode> {
  const { proposing, report, loaded, given, access, time, branch, edited, test, scratch } = comparing
  const { head } = proposing
  const { config, settings, world: before, names } = loaded
  const committed = [...edited.committed, test]
  // Nothing is written to the repository until all is compared.
  const trial = ioWith(withScratchObjects(io, scratch), { git: new GitMemory() })
  const tree = writeTree(head, committed, trial)
  const paths = [proposing.options.policies, pathsAt(tree, given.policies)] as const
  const readAfter = await readFiles(await policySelection(paths[1], config, trial), settings, trial)
  const reads = inPlaces(await decidedOf([proposing.read(), readAfter], given, trial), paths, io.cwd, given.root.length > 1) as [
    FilesRead,
    FilesRead,
  ]
  const after = decidable(reads[1], trial, { compared: reads.flatMap(({ facts }) => facts) })
  if (!after) return exit.error
  const complete = async (difference: Difference) =>
    withTaken(
      difference,
      assumedEqual(reads),
      // The branch is one commit, which changes nothing back.
      await changedDeployment(paths, reads, { ...config, settings }, trial, difference.verdict === 'same', noCommits),
    )
  const claim = await claimOf(before, after, access, time, { run: budgetFor(io), complete })
  const view = { names: new Names([before, after], given.fullUrns), from: time.from }
  const proposal = { access, time, claim }
  const refuse = (code: ExitCode, message: string, help: string) =>
    writeBlocked({ code, message, help, lines: [claimLine(proposal, names), ...claimDetails(proposal, view)] }, report, given, around)
  const isAllowed = claim.replay.slice(0, access.questions.length).every((each) => each.after === 'allow')
  if (!isAllowed)
    return refuse(
      exit.failure,
      `with ${edited.changes.map(({ path }) => `\`${path}\``).join(', ')} changed, the policies of the branch do not allow the call: the file is not among those that are read`,
      'name a file that is: `--file FILE`',
    )
  const isForced = given.force
  if (claim.kind === 'wider' && !isForced)
    return refuse(
      exit.failure,
      'the edit changes more than the refused call',
      '`--force` writes the branch all the same, with a description that lists what else changes',
    )
  if (claim.kind === 'undecided' && !isForced)
    return refuse(
      exit.unknown,
      'it is not proved that the edit changes nothing but the refused call',
      '`--force` writes the branch all the same, with a description that says so',
    )
  const findings = await addedFindings(reads, given, time.from, trial)
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.length > 0 && !isForced)
    return writeBlocked(
      {
        code: exit.failure,
        message: `the edit would add ${plural(errors.length, 'error')} of lint`,
        lines: errors.slice(0, 5).map(({ code, message, span }) => `${shown(span.source.path)}: ${code}: ${shown(message)}`),
        help: '`--force` writes the branch all the same, with a description that lists them',
      },
      report,
      given,
      around,
    )
  const catalogue = await catalogueFor(config, io)
  const tested = async (world: World): Promise<Status> => {
    const { suite } = await readSuiteText(sourceOf(test.shownPath, test.text, 'yaml'), time.from, settings)
    const results = suite ? runSuite(suite, world, catalogue) : []
    return results.some(({ status }) => status === 'failed')
      ? 'failed'
      : results.some(({ status }) => status === 'undecided')
        ? 'undecided'
        : 'passed'
  }
  const whole: Proposal = {
    ...proposal,
    call: callWords(report.refused),
    message: report.forbidden.message,
    edit: edited.edit,
    files: edited.changes,
    test: { path: test.shownPath, before: await tested(before), after: await tested(after) },
    findings,
    notes: notesOf(comparing, io),
    branch: branch.name,
    base: head.commit,
    compare: compareWords(head, branch, given.policies),
    commit: undefined,
  }
  if (whole.test.before === 'passed' || whole.test.after !== 'passed')
    throw new Refusal('the policy test of the proposal does not hold: this is an error of grantwise', 'report it with the policies')
  return finish(whole, view, comparing, tree, committed, reads, io, around)
}

/** The command that compares HEAD and the branch again; undefined where it takes more than two paths. */
function compareWords({ commit }: Head, { name }: BranchName, [path, ...others]: readonly string[]): string | undefined {
  if (others.length > 0) return undefined
  const side = (state: string) => quoted(`git:${state}${path === undefined ? '' : `:${path}`}`)
  return `grantwise diff ${side(commit.slice(0, 12))} ${side(name)}`
}

/** Further remarks for reviewers. */
function notesOf({ proposing, report, loaded, given }: Comparing, io: Io): readonly string[] {
  const { head } = proposing
  const differing = [...differingFrom(head, pathsOf(given.policies, loaded.config), io)].map((file) => displayPath(file, io.cwd))
  const allowed = report.grant.needed.filter(({ verdict }) => verdict === 'allow').map(({ action }) => `\`${action}\``)
  const policies = differing.filter((path) => notationOf(path) !== undefined)
  return [
    ...report.grant.notes,
    ...(allowed.length > 0
      ? [`HEAD allows ${allowed.join(', ')} already, which the service refused as well: its policies may not be the ones in force`]
      : []),
    ...(policies.length > 0 ? [`not looked at, since they differ from HEAD: ${firstFew(policies, 5)}`] : []),
    ...(signsCommits(io) ? ['the commit is not signed'] : []),
  ]
}

/** Write the branch and the description, and print the answer. */
async function finish(
  whole: Proposal,
  view: Parameters<typeof proposalText>[1],
  { proposing, report, given, branch, loaded }: Comparing,
  tree: string,
  committed: readonly CommittedFile[],
  reads: readonly FilesRead[],
  io: Io,
  around: Io,
): Promise<ExitCode> {
  const { head } = proposing
  const { description, dryRun } = given
  const markdown = proposalMarkdown(whole, view)
  const target = description === undefined ? undefined : resolve(io.cwd, description)
  if (target !== undefined) await guardDescription(target, reads, loaded, io)
  let commit: string | undefined
  if (!dryRun) {
    if (writeTree(head, committed, io) !== tree) throw new Refusal('git wrote another tree than the one that was compared')
    commit = writeCommit(tree, head.commit, commitMessage(whole, view, paint(false)), io.now(), io)
    const branching = () => setBranch(branch, commit as string, io)
    if (target === undefined) branching()
    else withFile(target, markdown, io, branching)
  }
  const written = { ...whole, commit }
  const { format } = given
  const state =
    commit === undefined
      ? `no branch is written: --dry-run`
      : `branch ${branch.name} is written: commit ${commit.slice(0, 12)} on ${head.commit.slice(0, 12)}; nothing is pushed`
  if (format === 'json' || format === 'ndjson')
    around.stdout.write(`${json({ ...grantJson(report), proposal: { written: commit !== undefined, ...proposalJson(written) } })}\n`)
  else if (format === 'compact') around.stdout.write(`${shown(state)} · ${claimLine(written, view.names)}\n`)
  else {
    const text = proposalText(written, view, coloursOf(given, around))
    around.stdout.write(wrapLines(`${text}\n${state}\n`, around.stdout.width?.()))
  }
  return exit.success
}

/** Refuse to write the description over policies. The diff in that of an earlier proposal has some as well, and is replaced. */
async function guardDescription(file: string, reads: readonly FilesRead[], { settings }: LoadedWorld, io: Io): Promise<void> {
  const targets = [{ option: '--description', file }]
  const files = reads.flatMap((read) => read.files)
  const isOwn = kindAt(file) === 'file' && isDescription(readText(file).text ?? '')
  if (isOwn)
    refuseRead(
      targets,
      files.map((path) => resolve(io.cwd, path)),
      io,
    )
  else await guardInputs(targets, { files }, [], settings, io)
}

/** Write a file and do something else, or neither. */
function withFile(file: string, text: string, { cwd }: Io, work: () => void): void {
  const isRegular = kindAt(file) === 'file'
  const before = isRegular ? readFileSync(file) : undefined
  writeFile(file, text, cwd)
  try {
    work()
  } catch (error) {
    if (before) writeFile(file, before, cwd)
    else if (kindAt(file) === 'file') rmSync(file)
    throw error
  }
}
