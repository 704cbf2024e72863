import type { Address } from '../conditions/address.ts'
import { type Glob, writtenAs } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import { fieldsJson } from '../report/fields.ts'
import { isoWords, momentWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { operandWords } from '../report/why.ts'
import { firstFew, plural, policyJson, presentParts, titleWords } from '../report/words.ts'
import type { Operand } from '../simulate/why.ts'
import { type Concern, type Effect, effectOf, isCertain, type Subject, unmetOperands } from '../symbolic/concerning.ts'
import type { AccessRow } from '../symbolic/described-access.ts'
import { always } from '../symbolic/formula.ts'
import type { Covered, Overlap } from '../symbolic/overlap.ts'
import { simplified } from '../symbolic/simplify.ts'
import { cellsOf } from './described.ts'
import type { Answer, Basis, Detail, Row, Tone, Wording } from './model.ts'
import { counted, policyBasis, rowOf, say, section } from './model.ts'
import { type Times, timesJson, timesWords } from './wording.ts'

export interface Concerning {
  readonly world: World
  readonly subject: Subject
  readonly times: Times
  readonly ip?: Address | undefined
}

/** The answer of `policies NAME`: which policies concern an identity or a resource, and how. A row is a policy. */
export function policiesAnswer(concerns: readonly Concern[], about: Concerning): Answer {
  const { subject, world, times } = about
  const groups = subject.kind === 'identity' ? (world.identities.get(subject.urn)?.groups ?? []) : []
  const rowOf = (concern: Concern): Row => ({
    verdict: isCertain(concern) ? (effectOf(concern) === 'denies' ? 'deny' : 'allow') : 'unknown',
    who: concern.identities,
    actions: [],
    on: concern.resources,
    condition: concern.state === 'applies' ? simplified(concern.condition, times.time) : always,
    by: [policyBasis(concern.policy, titleOf(concern, unmetBy(concern, about)))],
    details: (wording) => [
      ...concern.effects.flatMap((effect) => effectDetails(effect, wording)),
      scopeDetail(concern, about, wording),
      { label: 'because', items: unmetBy(concern, about, wording), isList: true },
    ],
  })
  const part = (title: string, tone: Tone, isIn: (concern: Concern) => boolean) => counted(title, tone, concerns.filter(isIn).map(rowOf))
  const applies = ({ state }: Concern) => state === 'applies'
  const neither = concerns.filter((concern) => effectOf(concern) === 'neither').length
  return {
    subject: ({ names }) => {
      const name = subject.kind === 'identity' ? names.identity(subject.urn) : names.resource(subject.urn)
      const within = groups.length === 0 ? '' : `; in ${firstFew(groups.map((each) => names.identity(each)))}`
      return [`${name}`, `${concerns.length} of ${plural(world.policies.length, 'policy')}, ${timesWords(times)}${within}`]
    },
    sections: [
      part('denying', 'error', (each) => applies(each) && isCertain(each) && effectOf(each) === 'denies'),
      part('granting', 'good', (each) => applies(each) && isCertain(each) && effectOf(each) === 'grants'),
      part('perhaps', 'warning', (each) => applies(each) && !isCertain(each) && effectOf(each) !== 'neither'),
      part('not applying', 'dim', (each) => !applies(each) && effectOf(each) !== 'neither'),
    ],
    notes: presentParts(neither > 0 && `${plural(neither, 'policy')} about it without an action that concerns it`),
    lead: 'by',
    given: ['who', 'on'],
    json: () => ({
      ...timesJson(times),
      about: { kind: subject.kind, urn: subject.urn, ...(subject.kind === 'identity' && { groups }) },
      total: world.policies.length,
      policies: concerns.map(concernJson),
    }),
  }
}

const texts = (list: readonly Glob[]) => list.map(writtenAs)

const concernJson = (concern: Concern) => ({
  ...policyJson(concern.policy),
  effect: effectOf(concern),
  state: concern.state,
  certain: concern.certain && concern.effects.every(({ isKnown }) => isKnown),
  ...fieldsJson(concern, 'identities', 'resources'),
  permissions: concern.effects.map(({ group, isKnown, allow, except, deny }) => ({
    permissionsGroup: group ?? null,
    known: isKnown,
    allow: isKnown ? texts(allow) : [],
    except: texts(except),
    deny: isKnown ? texts(deny) : [],
  })),
  ...fieldsJson(concern, 'condition'),
  expiresAt: concern.policy.expiresAt ? isoWords(concern.policy.expiresAt.value) : null,
})

function titleOf({ policy, state }: Concern, unmet: readonly string[]): string {
  const expired = state === 'expired' ? `  expired ${momentWords(policy.expiresAt?.value ?? 0)}` : ''
  const never = unmet.length > 0 ? '  condition not met' : '  its condition never holds'
  return `${titleWords(policy)}${state === 'never' ? never : expired}`
}

/** The comparisons for which a condition does not hold. Of facts of the resource it is said which one has them. */
function unmetBy(concern: Concern, { world, subject, times, ip }: Concerning, wording?: Wording): readonly string[] {
  const { operands, resource } = unmetOperands(concern, subject, world, { at: times.at, from: times.from, ip })
  const of = ({ leaf }: Operand) =>
    wording && resource && leaf.kind === 'match' && ['tag', 'type', 'name'].includes(leaf.test.subject.kind)
      ? ` (${wording.names.resource(resource)})`
      : ''
  return [...new Set(operands.map((operand) => `${operandWords(operand)}${of(operand)}`))]
}

function effectDetails({ group, isKnown, allow, except, deny }: Effect, { names }: Wording): readonly Detail[] {
  const of = group === undefined ? '' : ` (permissions group ${names.permissionsGroup(group)})`
  if (!isKnown) return [{ label: 'may', items: [`grant or deny anything: ${say.unknownPermissionsGroup}${of}`], isList: true }]
  const items = (globs: readonly Glob[]) => texts(globs).map((text, i) => `${shown(text)}${i === globs.length - 1 ? of : ''}`)
  return [
    { label: 'grants', items: items(allow) },
    { label: 'except', items: texts(except).map(shown) },
    { label: 'denies', items: items(deny) },
  ]
}

/** On what, or to whom, and through which entries where none names the subject. */
function scopeDetail({ identities, resources, certain }: Concern, { subject }: Concerning, { names }: Wording): Detail {
  const who = identities.map((each) => names.identity(each))
  const on = resources.map((each) => names.resource(each))
  const isIdentity = subject.kind === 'identity'
  const isNamed = (isIdentity ? identities : resources).includes(subject.urn)
  const through = isNamed ? [] : [`${isIdentity || certain ? 'through' : 'if it is in'} ${firstFew(isIdentity ? who : on, 3)}`]
  return isIdentity ? { label: 'on', items: [...on, ...through] } : { label: 'to', items: [...who, ...through] }
}

/** The answer of `policies --overlap`: which policies grant the same to whom. A row is a set of policies. */
export function overlapAnswer({ rows, covered, reasons, isCut }: Overlap, { policies }: World, times: Times): Answer {
  const [sure, perhaps] = [rows.filter(({ verdict }) => verdict === 'allow'), rows.filter(({ verdict }) => verdict === 'unknown')]
  const involved = new Set(sure.flatMap(policiesIn))
  const more = new Set(perhaps.flatMap(policiesIn).filter((policy) => !involved.has(policy))).size
  const [verb, rest] = [involved.size === 1 ? 'grants' : 'grant', more === 0 ? '' : `, ${more} more perhaps`]
  return {
    subject: () => [
      `${involved.size} of ${plural(policies.length, 'policy')} ${verb} something that another one grants as well${rest} (${timesWords(times)})`,
    ],
    sections: [
      section('over what is described, others grant all that it grants', 'warning', covered.map(coveredRow), { name: 'covered' }),
      section('this access would stay without any one of its policies', 'good', sure.map(overlapRow), { name: 'overlap' }),
      section('perhaps', 'warning', perhaps.map(overlapRow), { name: 'overlap', may: 'perhaps' }),
    ],
    none: isCut
      ? { text: say.notLooked, tone: 'warning' }
      : { text: 'no two policies grant the same to a described identity on a described resource', tone: 'good' },
    notes: reasons,
    lead: 'by',
    json: () => ({
      ...timesJson(times),
      total: policies.length,
      covered: covered.map(coveredJson),
      overlaps: rows.map(rowJson),
      complete: reasons.length === 0,
      reasons,
    }),
  }
}

const policiesIn = ({ policies = [] }: AccessRow) => policies

const basisOf = (policy: Policy): Basis => policyBasis(policy, titleWords(policy))

const overlapRow = (row: AccessRow): Row => ({ ...cellsOf(row), by: policiesIn(row).map(basisOf) })

const rowJson = (row: AccessRow) => ({
  policies: policiesIn(row).map(policyJson),
  ...fieldsJson(row, 'identities', 'actions', 'resources', 'condition'),
  certain: row.verdict === 'allow',
})

const coveredRow = (each: Covered) =>
  rowOf({
    by: [basisOf(each.policy)],
    details: () => [
      { label: 'others', items: each.by.map(titleWords) },
      { label: 'but', items: denies(each.policy) ? ['it also denies'] : [] },
    ],
  })

const coveredJson = ({ policy, by }: Covered) => ({ ...policyJson(policy), by: by.map(policyJson), denies: denies(policy) })

/** Whether it may deny something: of a permissions group that it names that is not said. */
const denies = ({ permissions, permissionsGroups }: Policy) => permissions.deny.length > 0 || permissionsGroups.length > 0
