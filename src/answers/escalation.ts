import { printAddress } from '../conditions/address.ts'
import { type Escalation, type Example, type Step, tagsText } from '../diff/escalation.ts'
import type { World } from '../policy.ts'
import type { Paint } from '../report/colour.ts'
import { conditionWords, formulaJson } from '../report/conditions.ts'
import { clauseJson } from '../report/decision.ts'
import { type Times, timesJson, timesWords, whenWords } from '../report/matrix.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { linesText, placedEntry, placeWords, plural, policyJson, policyWords, said, some } from '../report/words.ts'
import { anyAddress, anyInstant, questionJson } from '../symbolic/witness.ts'
import { typeAndName } from '../urn/resource.ts'
import { owning, unknownPermissionsGroup } from './sentences.ts'
import { throughOf } from './wording.ts'

/** Reports of `escalate`: as JSON, as a line each, and for people. */

export interface Asked {
  readonly world: World
  readonly identity: string
  readonly times: Times
}

const reaches = {
  any: 'any right',
  undenied: 'any right that no policy denies',
  more: 'more rights',
  none: 'no further right',
} as const

export function escalationJson(
  { reach, certain, path, steps, denies, gains, example, notFollowed }: Escalation,
  { world, identity, times }: Asked,
) {
  const stepJson = (step: Step) => ({
    action: step.action,
    reason: step.reason,
    resource: step.resource,
    as: step.as,
    groups: step.groups,
    tags: Object.fromEntries(step.tags),
    condition: formulaJson(step.condition),
    certain: step.certain,
    root: step.isRoot,
    policies: step.policies.map(policyJson),
    grants: step.grants.map((clause) => ({ ...clauseJson(clause), through: throughOf(clause, step.as, world) })),
    after: step.after.map(({ action }) => action),
  })
  return {
    ...timesJson(times),
    identity,
    escalates: reach !== 'none',
    reach,
    certain,
    gains: gains ?? null,
    example: example
      ? { question: questionJson(example.question), groups: example.groups ?? null, tags: Object.fromEntries(example.tags) }
      : null,
    path: path.map(stepJson),
    denies: denies.map(clauseJson),
    others: steps.filter((step) => !path.includes(step)).map(stepJson),
    notFollowed,
  }
}

/** That no way was found, where there may be one among what was not followed. */
function noneFound(notFollowed: Escalation['notFollowed']): string {
  const actions = new Set(notFollowed.flatMap((each) => each.actions))
  const [first] = notFollowed
  return `no path found; ${actions.size > 0 || !first ? `${plural(actions.size, 'action')} not checked` : first.because}`
}

export function escalationLines({ reach, certain, path, notFollowed }: Escalation, { identity, times }: Asked): string {
  const none = certain ? 'cannot raise its rights' : noneFound(notFollowed)
  const head = `${shown(identity)} · ${reach === 'none' ? none : `${certain ? 'can' : 'can perhaps'} give itself ${reaches[reach]}`}`
  const lines = path.map((step) => {
    const when = whenWords(step.condition, times)
    const by = step.isRoot ? 'owning the account' : some([...new Set(step.grants.map(({ entry }) => placeWords(entry.span)))], 3)
    const what = `${shown(step.action)}${isOfAccount(step) ? '' : ` on ${shown(step.resource)}`}`
    return said(what, when !== undefined && `when ${when}`, by !== '' && `by ${by}`).join(' · ')
  })
  return linesText(head, lines)
}

const isOfAccount = ({ resource }: Step) => typeAndName(resource).type === 'account'

/** What tags have to be, and some that are so: `vps:web-1 so that tag env not prod, for example env = dev`. */
function tagsWords({ question, tags, tagsBeing }: Example, names: Names, windows: Times['windows']): string {
  const being = conditionWords(tagsBeing, windows)
  return `${names.resource(question.resource)} ${being === undefined ? 'with' : `so that ${being}, for example`} ${shown(tagsText(tags))}`
}

/** How many entries of a step, and other steps, are shown. */
const [mostEntries, mostOthers] = [3, 4]

export function escalationText(answer: Escalation, { world, identity, times }: Asked, names: Names, paint: Paint): string {
  const { windows } = times
  const { reach, certain, path, steps, denies, gains, example, notFollowed } = answer
  const name = names.identity(identity)
  const open = notFollowed.map(({ actions, because }) =>
    actions.length === 0 ? `  not checked: ${because}` : `  not checked: ${some(actions.map(shown), 3)}, because ${because}`,
  )
  if (reach === 'none') {
    const cannot = ' cannot raise its own rights through policies, groups, tags, users or credentials'
    return linesText(
      `${paint.bold(name)}${certain ? cannot : `: ${noneFound(notFollowed)}`}, ${timesWords(times)}`,
      steps.length > 0 && `  it may do ${some(steps.map(({ action }) => shown(action)))}, which gives it nothing that is described`,
      open,
    )
  }
  const verb = certain ? 'can give itself' : 'can perhaps give itself'
  const stepLines = (step: Step, i: number) => {
    const when = whenWords(step.condition, times)
    const entries = step.grants.slice(0, mostEntries).map((clause) => {
      const through = [...throughOf(clause, step.as, world), ...step.groups].map((each) => names.identity(each))
      return `${placedEntry(clause, names)}${through.length > 0 ? ` through ${some([...new Set(through)], 3)}` : ''}`
    })
    const unknown = step.policies.slice(0, mostEntries).map((policy) => `${policyWords(policy)}: ${unknownPermissionsGroup}`)
    const by = step.isRoot ? [owning] : entries.length > 0 ? entries : unknown
    const [who, on] = [step.as === identity ? '' : `as ${names.identity(step.as)}: `, names.resource(step.resource)]
    return said(
      `  ${i + 1}. ${who}${paint.bold(shown(step.action))}${isOfAccount(step) ? '' : ` on ${on}`}${step.reason === '' ? '' : `: ${step.reason}`}`,
      by.map((text) => `     by    ${text}`),
      step.grants.length > mostEntries && `           and ${step.grants.length - mostEntries} more`,
      step.tags.length > 0 && `     once  ${on} has ${shown(tagsText(step.tags))}`,
      when !== undefined && `     when  ${when}`,
    )
  }
  const others = steps.filter((step) => !path.includes(step)).map(({ action }) => shown(action))
  return linesText(
    `${paint.bold(name)} ${paint.error(verb)} ${reaches[reach]} through:`,
    path.map(stepLines),
    gains !== undefined && `  gains  ${shown(gains)}`,
    example && example.tags.length > 0 && `  tags   ${tagsWords(example, names, windows)}`,
    example?.isReplayed && isNamed(example, world) && `  try    ${shown(replay(example, world, names))}`,
    denies.slice(0, 1).map((deny) => `  a policy denies it to edit policies: ${placedEntry(deny, names)}`),
    !certain && `${paint.warning('note:')} the way depends on facts that are not known`,
    others.length > 0 && `${plural(others.length, 'more action')} of this kind: ${some(others, mostOthers)}`,
    open,
  )
}

/** Whether an example asks as somebody who exists today. */
function isNamed({ question: { identity } }: Example, { identities, policies }: World): boolean {
  return identities.has(identity) || policies.some((policy) => policy.identities.some(({ value }) => value.text === identity))
}

/** The command that shows an example. */
function replay({ question, groups, tags }: Example, world: World, names: Names): string {
  const [who, on] = [names.identity(question.identity), names.resource(question.resource)]
  const own = world.identities.get(question.identity)?.groups ?? []
  const moves = said(
    groups?.filter((group) => !own.includes(group)).map((group) => `+${names.identity(group)}`),
    groups && own.filter((group) => !groups.includes(group)).map((group) => `-${names.identity(group)}`),
  )
  return said(
    ['grantwise', 'can', who, question.action, on],
    moves.length > 0 && ['--member', `${who}=${moves.join()}`],
    tags.map(([key, value]) => ['--assume-tag', `${on}=${value === null ? `-${key}` : `${key}=${value}`}`]),
    question.ip && question.ip !== anyAddress && ['--ip', printAddress(question.ip)],
    question.at !== anyInstant && ['--at', new Date(question.at).toISOString()],
  )
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

/** Answers about several identities: a line for each that can raise its rights, those of whom it is not known, and how many cannot. */
export function escalationsText(
  found: readonly { readonly answer: Escalation; readonly asked: Asked }[],
  names: Names,
  paint: Paint,
): string {
  const lineOf = ({ answer, asked }: (typeof found)[number]) => {
    const [step, ...more] = answer.path
    const first = step ? `: ${shown(step.action)}${more.length > 0 ? ` and ${plural(more.length, 'more step')}` : ''}` : ''
    return `  ${paint.bold(names.identity(asked.identity))}  ${answer.reach === 'none' ? noneFound(answer.notFollowed) : `${reaches[answer.reach]}${first}`}`
  }
  const groups: readonly (readonly [title: string, isIn: (answer: Escalation) => boolean])[] = [
    [paint.error('can give themselves'), ({ reach, certain }) => certain && reach !== 'none'],
    [paint.warning('can perhaps give themselves'), ({ reach, certain }) => !certain && reach !== 'none'],
    [paint.warning('no path found, and not all checked'), ({ reach, certain }) => !certain && reach === 'none'],
  ]
  const lines = groups.flatMap(([title, isIn]) => {
    const own = found.filter(({ answer }) => isIn(answer))
    return own.length === 0 ? [] : [`${title} (${own.length})`, ...own.map(lineOf)]
  })
  const cannot = found.filter(({ answer }) => answer.certain && answer.reach === 'none').map(({ asked }) => names.identity(asked.identity))
  return linesText(
    lines,
    cannot.length > 0 && [`cannot raise their own rights (${cannot.length})`, `  ${some(cannot)}`],
    paint.dim('`--all` shows the steps of each'),
  )
}
