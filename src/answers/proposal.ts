import type { Diagnostic } from '../diagnostic.ts'
import type { Claim, GrantTime, RefusedAccess, Remaining } from '../propose/claim.ts'
import type { GrantEdit } from '../propose/grant-policy.ts'
import type { Changed } from '../propose/suggest.ts'
import type { Paint } from '../report/colour.ts'
import { conditionPhrase, conditionTexts, conditionWords, formulaJson } from '../report/conditions.ts'
import { changeDiff } from '../report/diff.ts'
import { isoWords, momentWords, sinceWords } from '../report/instants.ts'
import { andList } from '../report/lists.ts'
import { codeSpan, prose } from '../report/markdown.ts'
import type { Names } from '../report/names.ts'
import { cut, shown } from '../report/safe.ts'
import { firstFew, linesText, placeJson, placeWords, plural, presentParts, quoted } from '../report/words.ts'
import type { Question } from '../simulate/decision.ts'
import type { Status } from '../suite/run.ts'
import { Windows } from '../symbolic/windows.ts'
import { rowSentence, sectionsOf, sidesJson, tooManyWords } from './difference.ts'

/** Branches that allow a refused call: as text, as the message of a commit, as Markdown for a pull request, and as data. */

/** A finding of lint that the branch has and HEAD does not. */
export type NewFinding = Pick<Diagnostic, 'code' | 'severity' | 'message' | 'span'>

export interface Proposal {
  readonly access: RefusedAccess
  readonly time: GrantTime
  /** The call and the answer of the service, in words; undefined where no call was given. */
  readonly call: string | undefined
  readonly message: string
  readonly edit: GrantEdit
  /** The files with policies that the branch changes. */
  readonly files: readonly Changed[]
  readonly claim: Claim
  /** The file of policy tests, and its results with the policies of HEAD and of the branch. */
  readonly test: { readonly path: string; readonly before: Status; readonly after: Status }
  readonly findings: readonly NewFinding[]
  readonly notes: readonly string[]
  readonly branch: string
  /** The command that compares both again. */
  readonly compare: string | undefined
  /** The commit that it starts from. */
  readonly base: string
  /** The new commit; undefined where it is not written. */
  readonly commit: string | undefined
}

interface View {
  readonly names: Names
  /** The zone-free words for conditions count instants from here on. */
  readonly from: number
}

/** A part of the description: sentences, and below them lines that are code. */
interface Part {
  readonly title: string
  readonly items: readonly string[]
  readonly code?: string
}

const mostListed = 8

/** The line that says what is allowed, and until when: for the subject of a commit, and the title of a pull request. */
export function proposalTitle({ access, time }: Pick<Proposal, 'access' | 'time'>, names: Names): string {
  const until = time.expires === undefined ? '' : ` until ${isoWords(time.expires).slice(0, 10)}`
  return `Allow ${names.identity(access.identity)} ${actionsIn(access, 1)}${until}`
}

function actionsIn({ questions }: RefusedAccess, most = mostListed): string {
  const actions = [...new Set(questions.map(({ action }) => shown(action)))]
  return firstFew(actions, most)
}

const pairsIn = ({ questions }: RefusedAccess, names: Names): readonly string[] => {
  const resources = [...new Set(questions.map(({ resource }) => resource))]
  return resources.map((resource) => {
    const actions = questions.filter((each) => each.resource === resource).map(({ action }) => quoted(action))
    return `${andList([...new Set(actions)])} on ${quoted(names.resource(resource))}`
  })
}

/** When access ends, in words. */
const untilWords = ({ expires }: GrantTime) => (expires === undefined ? 'without an expiry' : `until ${momentWords(expires)}`)

/** The claim about the difference of access, which is no more than was proved. */
export function claimLine({ access, time, claim }: Pick<Proposal, 'access' | 'time' | 'claim'>, names: Names): string {
  const wanted = `${names.identity(access.identity)} may ${pairsIn(access, names).join(', and ')} ${untilWords(time)}`
  switch (claim.kind) {
    case 'exact':
      return `gains exactly: ${wanted}${claim.already.length > 0 ? ', where that was denied' : ''}; nothing else changes`
    case 'narrower':
      return `gains no more than: ${wanted}; nothing else changes, and some of it remains denied`
    case 'wider':
      return `changes more than the request, which is: ${wanted}`
    case 'undecided':
      return `it is not proved that nothing changes but: ${wanted}`
  }
}

/** How a claim is proved; nothing for one that is none. */
const proofWords = ({ kind }: Claim, from: number) =>
  (kind === 'exact' || kind === 'narrower') &&
  `proved over all identities, actions, resources, addresses and tags, at all times ${sinceWords(from)}, as \`grantwise diff\` compares them`

/** The other changes of the branch, and the part of the call that remains denied. */
export function claimDetails({ claim, time }: Pick<Proposal, 'claim' | 'time'>, { names, from }: View): readonly string[] {
  const { difference, others, remaining, already } = claim
  const windows = new Windows({ from })
  const wording = { names, when: conditionTexts(windows), isOfEdit: true }
  const listed = (side: 'gained' | 'lost', title: string) => {
    const regions = side === 'gained' ? others : difference.lost
    const section = sectionsOf({ difference: { ...difference, [side]: regions } }, 'everything').find(({ name }) => name === side)
    const rows = section?.rows ?? []
    return [
      ...rows.slice(0, mostListed).map((row) => `${title}: ${rowSentence(row, section?.may ?? 'may', wording)}`),
      ...(rows.length > mostListed ? [`${title}: ${plural(rows.length - mostListed, 'more change')}`] : []),
    ]
  }
  const culprits = difference.undecided.flatMap((each) => each.culprits)
  return presentParts(
    proofWords(claim, time.from),
    listed('gained', 'also gained'),
    listed('lost', 'lost'),
    remaining.map((each) => partWords('remains denied', each, windows, names)),
    already.map((each) => partWords('allowed before as well', each, windows, names)),
    difference.undecided.length > 0 && `not fully compared: ${tooManyWords(culprits)}`,
    (difference.taken ?? []).length > 0 && `compared as if the same on both sides: ${firstFew((difference.taken ?? []).map(shown), 3)}`,
    (difference.deployment ?? []).map(({ path, why }) => `what is deployed may differ by ${shown(path)}: ${shown(why)}`),
  )
}

function partWords(title: string, { question, when }: Remaining, windows: Windows, names: Names): string {
  const words = when && conditionWords(when, windows)
  return `${title}: ${accessText(question, names)}, ${words === undefined ? 'in some circumstances' : conditionPhrase(words)}`
}

const accessText = ({ action, resource }: Question, names: Names) => `${quoted(action)} on ${quoted(names.resource(resource))}`

const editWords = (edit: GrantEdit): readonly string[] =>
  edit.kind === 'renewal'
    ? [`the policy ${quoted(edit.policy.name.value)}, which allowed this and has expired, gets another expiry`]
    : edit.policies.map(({ name }) => `a new policy ${quoted(String(name))}`)

const statusWords: Readonly<Record<Status, string>> = { passed: 'passes', failed: 'fails', undecided: 'is undecided' }

/** The description as parts, without the heading. */
function partsOf(proposal: Proposal, view: View): readonly Part[] {
  const { access, call, message, edit, files, claim, test, findings, notes } = proposal
  const { names } = view
  const replay = claim.replay.map(
    ({ question, before, after }) => `${momentWords(question.at)}: ${accessText(question, names)}: ${before} before, ${after} after`,
  )
  return [
    {
      title: 'Refused',
      items: presentParts(
        `${names.identity(access.identity)}: status 403${call === undefined ? '' : ` for ${quoted(call)}`}, ${quoted(message)}`,
      ),
    },
    {
      title: 'Edit',
      items: editWords(edit),
      code: files.map(({ path, before, after }) => changeDiff(path, before, after)).join(''),
    },
    { title: 'Access', items: [claimLine(proposal, names), ...claimDetails(proposal, view)] },
    { title: 'Decisions', items: replay },
    {
      title: 'Checks',
      items: [
        `policy test ${quoted(test.path)}: ${statusWords[test.before]} without this change, ${statusWords[test.after]} with it`,
        ...(findings.length === 0
          ? ['lint: no new finding']
          : findings
              .slice(0, mostListed)
              .map(({ span, severity, code, message: text }) => `lint: ${placeWords(span)} ${severity} ${code}: ${text}`)),
        ...(findings.length > mostListed ? [`lint: ${plural(findings.length - mostListed, 'more new finding')}`] : []),
      ],
    },
    ...(notes.length > 0 ? [{ title: 'Notes', items: notes }] : []),
  ]
}

/** The description as plain text: for the terminal, and the message of the commit. */
export function proposalText(proposal: Proposal, view: View, paint: Paint): string {
  const parts = partsOf(proposal, view)
  return linesText(
    paint.bold(proposalTitle(proposal, view.names)),
    parts.flatMap(({ title, items, code = '' }) => [
      '',
      paint.bold(title),
      ...items.map((item) => `  ${item}`),
      ...codeLines(code, '    '),
    ]),
  )
}

const longestSubject = 72

/** The message of the commit. Its subject has at most 72 characters. */
export function commitMessage(proposal: Proposal, view: View, plain: Paint): string {
  const [, ...body] = proposalText(proposal, view, plain).split('\n')
  return [cut(proposalTitle(proposal, view.names), longestSubject), ...body].join('\n')
}

/** The description of a pull request. */
export function proposalMarkdown(proposal: Proposal, view: View): string {
  return linesText(
    `## ${prose(proposalTitle(proposal, view.names))}`,
    partsOf(proposal, view).flatMap(({ title, items, code = '' }) => [
      '',
      `### ${title}`,
      '',
      ...items.map((item) => `- ${prose(item)}`),
      ...(code === '' ? [] : ['', ...fenced(code)]),
    ]),
    proposal.compare !== undefined && ['', `Compare again with ${codeSpan(proposal.compare)}.`],
  )
}

const codeLines = (code: string, indent = ''): readonly string[] =>
  code === ''
    ? []
    : code
        .trimEnd()
        .split('\n')
        .map((line) => (line === '' ? '' : `${indent}${shown(line)}`))

/** Whether a text is a description of an earlier proposal. */
export const isDescription = (text: string): boolean => /^## Allow [^\n]*\n\n### Refused\n/.test(text)

/** A diff as a block of code, in a fence that is longer than any in it. */
function fenced(code: string): readonly string[] {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}diff`, ...codeLines(code), fence]
}

/** The proposal as data. */
export function proposalJson(proposal: Proposal) {
  const { access, time, edit, files, claim, test, findings, notes, branch, base, commit } = proposal
  const { difference, remaining, already, replay } = claim
  return {
    branch,
    base,
    commit: commit ?? null,
    claim: claim.kind,
    identity: access.identity,
    expires: time.expires === undefined ? null : isoWords(time.expires),
    edit: edit.kind,
    policies: edit.kind === 'renewal' ? [edit.policy.name.value] : edit.policies.map(({ name }) => String(name)),
    files: files.map(({ path, before, after }) => ({ path, diff: changeDiff(path, before, after) })),
    difference: {
      ...sidesJson(difference),
      undecided: difference.undecided.map(({ side, culprits }) => ({ side, patterns: culprits })),
    },
    remaining: remaining.map(partJson),
    already: already.map(partJson),
    replay: replay.map(({ question: { action, resource, at }, before, after }) => ({ action, resource, at: isoWords(at), before, after })),
    test,
    findings: findings.map(({ code, severity, message, span }) => ({ code, severity, message, ...placeJson(span) })),
    notes,
  }
}

const partJson = ({ question: { action, resource }, when }: Remaining) => ({ action, resource, when: when ? formulaJson(when) : null })
