import { groupedBy } from '../collections.ts'
import { keyOf } from '../keys.ts'
import { endItems } from '../report/conditions.ts'
import { fieldsJson } from '../report/fields.ts'
import { shown } from '../report/safe.ts'
import { firstFew, placedEntry, titleWords } from '../report/words.ts'
import { ownerUnknown } from '../symbolic/known.ts'
import { type DeniedRow, type ExceptedIdentity, type Member, type Who, type WhoRow, withoutListed } from '../symbolic/who.ts'
import {
  type Answer,
  type Detail,
  decided,
  isOwner,
  type Line,
  presentDetails,
  type Row,
  type RowUses,
  type Section,
  say,
  section,
  type Wording,
} from './model.ts'
import { lineWords, whenPhrase } from './wording.ts'

export function whoAnswer(action: string, resource: string, answer: Who, instant: number | undefined, uses?: RowUses): Answer {
  const { who, unknown, denied, reasons, isCut } = answer
  const asked = { actions: [action], on: [resource] }
  // The owning account may do everything: no call of it is a use of a policy.
  for (const row of [...who, ...unknown])
    if (row.reason !== 'root') uses?.askNames(row, { ...asked, identities: [row.identity], resources: asked.on, except: row.except })
  const rowOf = (row: WhoRow): Row => ({
    ...asked,
    ...decided(row),
    who: [row.identity],
    members: row.members.filter(({ verdict }) => verdict === row.verdict).map(({ identity }) => identity),
    details: (wording) => [...detailsOf(row, wording), ...presentDetails(uses?.detail(row, wording))],
  })
  const deniedRow = (row: DeniedRow): Row => ({ ...asked, ...decided({ ...row, verdict: 'deny', reason: 'denied' }), who: [row.identity] })
  const listed = withoutListed([...who, ...unknown])
  const rowsOf = (rows: readonly WhoRow[], isOthers: boolean) =>
    rows.filter((row) => listed.has(row) && isOfOthers(row) === isOthers).map(rowOf)
  return {
    subject: ({ names }) => [shown(action), names.resource(resource)],
    summary: (wording) => membersNotAllowed(answer, wording),
    given: ['actions', 'on'],
    sections: accessSections(rowsOf(who, false), rowsOf(unknown, false), denied.map(deniedRow), isCut, [
      section(otherMembers, 'warning', rowsOf([...who, ...unknown], true), { name: otherMembers }),
    ]),
    ...(who.length + unknown.length === 0 && { none: noneLine(say.nobody, isCut, reasons) }),
    notes: reasons,
    at: instant,
    json: () => whoJson(answer, uses),
  }
}

/** Of groups and patterns whose described members are all denied. */
const otherMembers = 'only other members than are described'

const isOfOthers = ({ members }: WhoRow) => members.length > 0 && members.every(({ verdict }) => verdict === 'deny')

type Rows = readonly Row[]

/** The sections of an answer about who may do something. `others`: about groups and patterns of which no described member is allowed. */
export function accessSections(allowed: Rows, unknown: Rows, denied: Rows, isCut: boolean, others: readonly Section[]): readonly Section[] {
  const isOwners = allowed.length > 0 && allowed.every(isOwner)
  const isOwnersOnly = !isCut && isOwners && unknown.length === 0 && others.every(({ rows }) => rows.length === 0)
  const allowing = isOwnersOnly ? section(say.onlyOwners, 'error', allowed) : section('allowed', 'good', allowed)
  const open = [section('perhaps', 'warning', unknown, { may: 'perhaps' }), ...others]
  return [...(isOwners ? [...open, allowing] : [allowing, ...open]), section('explicitly denied', 'error', denied, { may: 'denied' })]
}

const ownerReasons: ReadonlySet<string> = new Set(Object.values(ownerUnknown))

/** The line in the place of rows: no more is claimed than was looked at, and is known. */
export function noneLine(none: string, isCut: boolean, reasons: readonly string[]): Line {
  if (isCut) return { text: say.notLooked, tone: 'warning' }
  if (none === say.nobody && reasons.length > 0 && reasons.every((reason) => ownerReasons.has(reason)))
    return { text: say.onlyOwners, tone: 'error' }
  return reasons.length === 0 ? { text: none, tone: 'error' } : { text: `${none}, as far as is known`, tone: 'warning' }
}

const deniedJson = (row: DeniedRow) => fieldsJson(row, 'identity', 'verdict', 'condition', 'missing', 'clauses')

const rowJson = (row: WhoRow, uses: RowUses | undefined) => ({
  ...fieldsJson(row, 'identity', 'verdict', 'reason', 'condition', 'missing', 'except'),
  unless: row.unless.map((each) => fieldsJson(each, 'identity', 'condition')),
  ...fieldsJson(row, 'clauses'),
  ...(row.isKnown && row.reason !== 'root' && { groups: row.groups }),
  ...membersJson(row.members),
  ...uses?.json(row),
})

/** The answer as `grantwise who --format json` prints it: conditions and facts in words, entries with their places. */
export const whoJson = ({ who, unknown, denied, complete, reasons }: Who, uses?: RowUses) => ({
  who: who.map((row) => rowJson(row, uses)),
  unknown: unknown.map((row) => rowJson(row, uses)),
  denied: denied.map(deniedJson),
  complete,
  reasons,
})

/** Members with the entries that decide about them; no field where there are none. */
export const membersJson = <T extends Pick<Member, 'clauses'>>(members: readonly T[]) =>
  members.length > 0 && { members: members.map((member) => ({ ...member, ...fieldsJson(member, 'clauses') })) }

function detailsOf({ verdict, condition, except, unless, groups, members }: WhoRow, wording: Wording): readonly Detail[] {
  const { names, when } = wording
  const identity = (urn: string) => names.identity(urn)
  const unlessWords = (each: ExceptedIdentity) => `${identity(each.identity)}${whenPhrase(when(each.condition))}`
  const memberWords = (member: Member) =>
    `${identity(member.identity)}${member.verdict === verdict ? '' : member.verdict === 'allow' ? ' (allowed)' : ' (perhaps)'}`
  const denied = members.filter((member) => member.verdict === 'deny')
  return [
    { label: 'ends', items: endItems(condition, wording.from), isList: true },
    { label: 'except', items: except.map(identity) },
    { label: 'but not', items: unless.map(unlessWords), isList: true },
    { label: 'through', items: groups.map(identity), isAside: true },
    { label: 'members', items: members.filter((member) => member.verdict !== 'deny').map(memberWords), isAside: true },
    { label: 'denied', items: deniedItems(denied, wording), isList: true, isAside: true },
  ]
}

/** Described identities by the entries that deny them, a line for each entry. */
export function deniedItems(members: readonly Pick<Member, 'identity' | 'clauses'>[], { names }: Wording): readonly string[] {
  const byCause = groupedBy(members, ({ clauses }) => keyOf(clauses.map((clause) => placedEntry(clause, names))))
  return [...byCause].flatMap(([, sameCause]) => {
    const who = firstFew(sameCause.map(({ identity }) => names.identity(identity)))
    const clauses = sameCause[0]?.clauses ?? []
    const lines = clauses.map((clause, i) => `${i === 0 ? who : ''.padEnd(who.length)}  ${placedEntry(clause, names)}`)
    return lines.length === 0 ? [who] : lines
  })
}

/** That groups are allowed, and none of those who are known to be in them. */
function membersNotAllowed({ who, unknown }: Who, { names }: Wording): readonly Line[] {
  const rows = [...who, ...unknown].filter(({ reason }) => reason !== 'root')
  const members = rows.flatMap((row) => row.members)
  if (members.length === 0 || members.some(({ verdict }) => verdict !== 'deny') || rows.some(({ isKnown }) => isKnown)) return []
  const noun = members.every(({ identity }) => identity.includes(':identity:user:')) ? 'user' : 'identity'
  const listing = rows.filter((row) => row.members.length > 0)
  const parts = listing.map(({ identity, members }) => {
    const clauses = new Set(members.flatMap((member) => member.clauses))
    const causes = [...new Set([...clauses].map(({ policy, entry }) => `${titleWords(policy)} (${lineWords(entry.span)})`))]
    const are = `${firstFew(members.map((member) => names.identity(member.identity)))} ${members.length === 1 ? 'is' : 'are'} in ${names.identity(identity)}`
    return causes.length === 0 ? are : `${are}, denied by ${firstFew(causes, 3)}`
  })
  return [{ text: `no described ${noun} can: ${parts.join('; ')}`, tone: 'warning' }]
}
