import { printAddress } from '../conditions/address.ts'
import { type Escalation, type Example, type Step, tagsText } from '../escalation/escalation.ts'
import type { World } from '../policy.ts'
import { conditionWords } from '../report/conditions.ts'
import { fieldsJson } from '../report/fields.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { firstFew, placedEntry, plural, presentParts } from '../report/words.ts'
import { simplified } from '../symbolic/simplify.ts'
import { anyAddress, anyInstant, questionJson } from '../symbolic/witness.ts'
import { shellWord } from '../texts.ts'
import { typeAndName } from '../urn/resource.ts'
import { type Answer, counted, plainLines, type Row, rowOf, section, type Wording } from './model.ts'
import { grantedBy, type Times, throughEntries, throughJson, timesJson, timesWords } from './wording.ts'

/** Answers of `escalate`: of one identity its steps, of several what each can do. */

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

/** The reach in words that claim no more than was followed. `when`: at which times. */
function reachWords(answer: Escalation, when = ''): string {
  const { reach, certain } = answer
  if (reach !== 'none') return `${certain ? 'can' : 'can perhaps'} give itself ${reaches[reach]}`
  if (certain) return `has no way${when} to raise its own rights through policies, groups, tags, users or credentials`
  return `no way found${when}, but ${openWords(answer)}`
}

function openWords({ notFollowed }: Escalation): string {
  const actions = new Set(notFollowed.flatMap((each) => each.actions))
  const [first] = notFollowed
  return actions.size > 0 || !first ? `${plural(actions.size, 'action')} not checked` : first.because
}

/** The answer about one identity. A row is a step. */
export function escalationAnswer(answer: Escalation, asked: Asked): Answer {
  const { reach, certain, path, steps, denies, gains, example, notFollowed } = answer
  const { world, identity, times } = asked
  const isNone = reach === 'none'
  const others = steps.filter((step) => !path.includes(step))
  const actions = others.map(({ action }) => shown(action))
  const titles = firstFew(actions, isNone ? undefined : 4)
  return {
    subject: ({ names }) => [names.identity(identity), reachWords(answer, ` (${timesWords(times)})`)],
    summary: (wording) =>
      plainLines(
        isNone && others.length > 0 && `it may do ${titles}, which gives it nothing that is described`,
        !isNone && gains !== undefined && `gains  ${shown(gains)}`,
        !isNone && example && example.tags.length > 0 && `tags   ${tagsWords(example, wording.names, times.windows)}`,
        !isNone && example?.isReplayed && isNamed(example, world) && `try    ${shown(replay(example, world, wording.names))}`,
        denies.slice(0, 1).map((deny) => `a policy denies it to edit policies: ${placedEntry(deny, wording.names)}`),
      ).map(({ text, tone }) => ({ text: `  ${text}`, tone })),
    sections: [
      section('', 'plain', isNone ? [rowOf({})] : path.map((step) => stepRow(step, asked)), {
        isOrdered: true,
        name: `${shown(identity)} · ${reachWords(answer)}`,
      }),
    ],
    notes: presentParts(
      !isNone && !certain && 'the way depends on facts that are not known',
      !isNone && others.length > 0 && `${plural(others.length, 'more action')} of this kind: ${titles}`,
      notFollowed.map(({ actions, because }) =>
        actions.length === 0 ? `not checked: ${because}` : `not checked: ${firstFew(actions.map(shown), 3)}, because ${because}`,
      ),
    ),
    lead: 'actions',
    given: ['who'],
    json: () => ({
      ...timesJson(times),
      identity,
      escalates: !isNone,
      reach,
      certain,
      gains: gains ?? null,
      example: example
        ? { question: questionJson(example.question), groups: example.groups ?? null, tags: Object.fromEntries(example.tags) }
        : null,
      path: path.map((step) => stepJson(step, world)),
      ...fieldsJson(answer, 'denies'),
      others: others.map((step) => stepJson(step, world)),
      notFollowed,
    }),
  }
}

const stepJson = (step: Step, world: World) => ({
  ...fieldsJson(step, 'action', 'reason', 'resource', 'as', 'groups'),
  tags: Object.fromEntries(step.tags),
  ...fieldsJson(step, 'condition', 'certain'),
  root: step.isRoot,
  ...fieldsJson(step, 'policies'),
  grants: throughJson(step.grants, step.as, world),
  after: step.after.map(({ action }) => action),
})

function stepRow(step: Step, { world, identity, times }: Asked): Row {
  const { action, reason, resource, as, groups, tags, condition, grants, policies } = step
  return rowOf({
    who: [as],
    actions: [action],
    on: typeAndName(resource).type === 'account' ? [] : [resource],
    condition: simplified(condition, times.time),
    by: grantedBy(throughEntries(grants, as, world, groups), policies),
    details: ({ names }) => [
      { label: 'as', items: as === identity ? [] : [names.identity(as)] },
      { label: 'so that', items: reason === '' ? [] : [reason], isList: true },
      { label: 'once', items: tags.length === 0 ? [] : [`${names.resource(resource)} has ${shown(tagsText(tags))}`], isList: true },
    ],
  })
}

/** The tags that an example needs: `vps:web-1 so that tag env not prod, for example env = dev`. */
function tagsWords({ question, tags, tagsBeing }: Example, names: Wording['names'], windows: Times['windows']): string {
  const being = conditionWords(tagsBeing, windows)
  return `${names.resource(question.resource)} ${being === undefined ? 'with' : `so that ${being}, for example`} ${shown(tagsText(tags))}`
}

/** Whether the identity of an example exists today. */
const isNamed = ({ question: { identity } }: Example, { identities, policies }: World) =>
  identities.has(identity) || policies.some((policy) => policy.identities.some(({ value }) => value.text === identity))

/** The command that shows an example. */
function replay({ question, groups, tags }: Example, world: World, names: Pick<Names, 'identity' | 'resource'>): string {
  const [who, on] = [names.identity(question.identity), names.resource(question.resource)]
  const ownGroups = world.identities.get(question.identity)?.groups ?? []
  const moves = presentParts(
    groups?.filter((group) => !ownGroups.includes(group)).map((group) => `+${names.identity(group)}`),
    groups && ownGroups.filter((group) => !groups.includes(group)).map((group) => `-${names.identity(group)}`),
  )
  return presentParts(
    ['grantwise', 'can', who, question.action, on],
    moves.length > 0 && ['--member', `${who}=${moves.join()}`],
    tags.map(([key, value]) => ['--assume-tag', `${on}=${value === null ? `-${key}` : `${key}=${value}`}`]),
    question.ip && question.ip !== anyAddress && ['--ip', printAddress(question.ip)],
    question.at !== anyInstant && ['--at', new Date(question.at).toISOString()],
  )
    .map(shellWord)
    .join(' ')
}

function raisingWords(all: readonly Escalation[]): string {
  const can = all.filter(({ reach }) => reach !== 'none')
  const [sure, of] = [can.filter(({ certain }) => certain).length, plural(all.length, 'identity')]
  if (can.length === 0) return `no way was found for any of ${of} to raise its rights`
  const more = sure > 0 && sure < can.length ? `, and ${can.length - sure} more perhaps` : ''
  return `${sure || can.length} of ${of} ${sure > 0 ? 'can' : 'perhaps can'} raise ${(sure || can.length) === 1 ? 'its' : 'their'} rights${more}`
}

/** The answer about several identities: those that can raise their rights, those of whom it is not known, and those that cannot. */
export function escalationsAnswer(escalations: readonly { readonly answer: Escalation; readonly asked: Asked }[], all = false): Answer {
  const lineOf = ({ answer, asked }: (typeof escalations)[number]): Row => {
    const { path, reach, certain } = answer
    const first = path[0] ? `: ${shown(path[0].action)}` : ''
    const more = path.length > 1 ? ` and ${plural(path.length - 1, 'more step')}` : ''
    const words = reach !== 'none' ? reaches[reach] : !certain && openWords(answer)
    const items = presentParts(words && `${words}${first}${more}`)
    return rowOf({ who: [asked.identity], details: () => [{ label: reach === 'none' ? '' : 'gains', items, isList: true }] })
  }
  const those = (isNone: boolean, isCertain: boolean) =>
    escalations.filter(({ answer }) => (answer.reach === 'none') === isNone && answer.certain === isCertain).map(lineOf)
  return {
    subject: () => [raisingWords(escalations.map(({ answer }) => answer))],
    sections: [
      counted('can give themselves more rights', 'error', those(false, true)),
      counted('can perhaps give themselves more rights', 'warning', those(false, false)),
      counted('no way found, but not all checked', 'warning', those(true, false)),
      counted('no way through policies, groups, tags, users or credentials', 'plain', those(true, true)),
    ],
    rest: all ? [] : ['`--all` shows the steps of each'],
    notes: [],
    json: () => ({}),
  }
}
