import type { AccessToApprove, Approvals } from '../diff/approvers.ts'
import { conditionTexts } from '../report/conditions.ts'
import { fieldsJson } from '../report/fields.ts'
import { codeSpan, prose } from '../report/markdown.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { firstFew, linesText, placeWords, plural, presentParts } from '../report/words.ts'

/** The words of `approvers`. */

/** An approver, and the access to approve. `name` is undefined where no one is named who may approve it. */
export interface Approver {
  readonly name: string | undefined
  /** It is the fallback that approves it. */
  readonly isFallback: boolean
  readonly access: readonly AccessToApprove[]
  /** Undefined where it was not asked who approved. */
  readonly isApproved: boolean | undefined
}

export interface ApproversReport {
  readonly approvers: readonly Approver[]
  /** Also lost access takes an approval. */
  readonly withLost: boolean
  /** The patterns at which the search was given up, and facts that cannot be known. */
  readonly undecided: readonly string[]
}

export type ApproversVerdict = 'none' | 'needed' | 'approved' | 'missing' | 'undecided'

export function approversVerdict({ approvers, undecided }: ApproversReport): ApproversVerdict {
  if (approvers.some(({ isApproved }) => isApproved === false)) return 'missing'
  if (undecided.length > 0 || approvers.some(({ name }) => name === undefined)) return 'undecided'
  if (approvers.length === 0) return 'none'
  return approvers.every(({ isApproved }) => isApproved) ? 'approved' : 'needed'
}

/**
 * The approvers of owners, and those of the rest: each fallback approves it, as owners of one resource each do. An owner who is a fallback, too, is
 * listed once.
 */
export function approversOf(
  all: readonly Approvals[],
  fallback: readonly string[],
  approvedBy: readonly string[] | undefined,
): readonly Approver[] {
  const byName = new Map<string, { access: AccessToApprove[]; isFallback: boolean }>()
  const add = (name: string, access: readonly AccessToApprove[], isFallback: boolean) => {
    const known = byName.get(name) ?? { access: [], isFallback }
    byName.set(name, { access: [...known.access, ...access], isFallback: known.isFallback && isFallback })
  }
  for (const { owners } of all) for (const { owner, access } of owners) add(owner, access, false)
  const others = all.flatMap((each) => each.others)
  if (others.length > 0) for (const name of fallback) add(name, others, true)
  const named = [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]): Approver => ({ name, ...each, isApproved: approvedBy?.includes(name) }))
  const isUnassigned = others.length > 0 && fallback.length === 0
  return isUnassigned ? [...named, { name: undefined, isFallback: true, access: others, isApproved: undefined }] : named
}

const noApprover = 'no approver: these resources have no owner, and no fallback is named'

const headlines: Readonly<Record<ApproversVerdict, string>> = {
  none: 'no approval is needed: no new access was found',
  needed: '',
  approved: 'all approvals are there',
  missing: 'approvals are missing',
  undecided: 'not all approvals can be determined',
}

function headline(report: ApproversReport): string {
  const verdict = approversVerdict(report)
  const needed = report.approvers.flatMap(({ name }) => name ?? [])
  const missing = report.approvers.flatMap(({ name, isApproved }) => (name !== undefined && isApproved === false ? [name] : []))
  if (verdict === 'none') return report.withLost ? 'no approval is needed: neither new nor lost access was found' : headlines.none
  const who = needed.length > 0 && `${plural(needed.length, 'approval')} needed: ${firstFew(needed.map(shown), 8)}`
  return presentParts(
    verdict === 'missing' ? `${plural(missing.length, 'approval')} missing: ${firstFew(missing.map(shown), 8)}` : who,
    (verdict === 'approved' || verdict === 'undecided') && headlines[verdict],
  ).join('; ')
}

interface Style {
  readonly names: Names
  readonly from: number
  /** How many items of a list are shown. */
  readonly most: number
}

const verb = (side: AccessToApprove['side']): string => (side === 'lost' ? 'could' : 'may')

/** One piece of access, as lines. */
function accessLines(
  { side, identities, actions, resources, condition, certain, causes, isOpen }: AccessToApprove,
  { names, from, most }: Style,
) {
  const few = (list: readonly string[]) => firstFew(list, most)
  const when = conditionTexts({ from })(condition)
  return presentParts(
    `${few(identities.map((each) => names.identity(each)))} ${verb(side)}${certain ? '' : ' perhaps'} ${few(actions.map(shown))} on ${few(resources.map((each) => names.resource(each)))}`,
    when !== undefined && `when ${when}`,
    isOpen && 'also for resources that no world file describes',
    causes.slice(0, most).map(({ span, what, change }) => `by   ${placeWords(span)}  ${shown(what)} ${change}`),
  )
}

const titleOf = ({ name, isFallback, isApproved }: Approver): string =>
  presentParts(
    name === undefined ? noApprover : shown(name),
    name !== undefined && isFallback && '(fallback)',
    isApproved === true && 'approved',
    isApproved === false && 'missing',
  ).join(' ')

export function approversText(report: ApproversReport, style: Style): string {
  return `${presentParts(
    headline(report),
    report.undecided.length > 0 && `not decided: ${firstFew(report.undecided.map(shown), style.most)}`,
    report.approvers.map((approver) => [
      '',
      titleOf(approver),
      approver.access
        .slice(0, style.most)
        .map((access) => accessLines(access, style).map((line, i) => `${i === 0 ? '  ' : '    '}${line}`)),
      approver.access.length > style.most && `  and ${approver.access.length - style.most} more`,
    ]),
  ).join('\n')}\n`
}

/** For a comment on a pull request: a row for each piece of access. */
export function approversMarkdown(report: ApproversReport, { names, from, most }: Style): string {
  const few = (list: readonly string[]) => firstFew(list.map(codeSpan), most)
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const row = (approver: Approver, { side, identities, actions, resources, condition, certain, isOpen }: AccessToApprove) => {
    const when = conditionTexts({ from })(condition)
    const cells = [
      prose(titleOf(approver)),
      few(identities.map((each) => names.identity(each))),
      `${side === 'lost' ? 'no longer ' : ''}${certain ? '' : 'perhaps '}${few(actions)}`,
      `${few(resources.map((each) => names.resource(each)))}${isOpen ? ', also if not described' : ''}`,
      prose(when ?? ''),
    ]
    return `| ${cells.map(cell).join(' | ')} |`
  }
  const rows = report.approvers.flatMap((approver) => approver.access.map((access) => row(approver, access)))
  return linesText(
    '## grantwise approvers\n',
    `${prose(headline(report))}\n`,
    report.undecided.length > 0 && `Not decided: ${few(report.undecided)}\n`,
    rows.length > 0 && ['| approver | who | may | on | when |', '|---|---|---|---|---|', ...rows.slice(0, mostRows)],
    rows.length > mostRows && `\n${rows.length - mostRows} more rows: \`grantwise approvers\` lists them`,
  )
}

const mostRows = 200

/** Only the names, one a line, for a program that asks for reviews. */
export function approversNames({ approvers }: ApproversReport): string {
  const names = approvers.flatMap(({ name, isApproved }) => (name === undefined || isApproved === true ? [] : [name]))
  return names.map((name) => `${shown(name)}\n`).join('')
}

export function approversJson(report: ApproversReport): object {
  return {
    version: 1,
    verdict: approversVerdict(report),
    approvers: report.approvers.map(({ name, isFallback, isApproved, access }) => ({
      name: name ?? null,
      fallback: isFallback,
      approved: isApproved ?? null,
      access: access.map((each) => ({
        ...fieldsJson(each, 'side', 'identities', 'actions', 'resources', 'condition', 'certain'),
        undescribed: each.isOpen,
        ...fieldsJson(each, 'witness', 'causes'),
      })),
    })),
    undecided: report.undecided,
  }
}
