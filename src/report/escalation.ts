import { place } from '../diagnostic.ts'
import type { Escalation, Step } from '../diff/escalation.ts'
import type { World } from '../policy.ts'
import type { Paint } from './colour.ts'
import { throughOf } from './compare.ts'
import { formulaWords } from './conditions.ts'
import { clauseJson } from './decision.ts'
import { policyJson, policyWords, type Times, timesJson, timesWords, whenWords } from './matrix.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { placedEntry, plural, some } from './words.ts'

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

export function escalationJson({ reach, certain, path, steps, denies, gains }: Escalation, { world, identity, times }: Asked) {
  const stepJson = (step: Step) => ({
    action: step.action,
    reason: step.reason,
    resource: step.resource,
    as: step.as,
    groups: step.groups,
    condition: formulaWords(step.condition) ?? null,
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
    path: path.map(stepJson),
    denies: denies.map(clauseJson),
    others: steps.filter((step) => !path.includes(step)).map(stepJson),
  }
}

export function escalationLines({ reach, certain, path }: Escalation, { identity, times }: Asked): string {
  const head = `${shown(identity)} · ${reach === 'none' ? 'cannot raise its rights' : `${certain ? 'can' : 'can perhaps'} give itself ${reaches[reach]}`}`
  const lines = path.map((step) => {
    const when = whenWords(step.condition, times)
    const by = step.isRoot ? 'owning the account' : some([...new Set(step.grants.map(({ entry }) => shown(place(entry.span))))], 3)
    return [shown(step.action), ...(when === undefined ? [] : [`when ${when}`]), ...(by === '' ? [] : [`by ${by}`])].join(' · ')
  })
  return [head, ...lines].map((line) => `${line}\n`).join('')
}

/** How many entries of a step, and other steps, are shown. */
const [mostEntries, mostOthers] = [3, 4]

export function escalationText(answer: Escalation, { world, identity, times }: Asked, names: Names, paint: Paint): string {
  const { reach, certain, path, steps, denies, gains } = answer
  const name = names.identity(identity)
  if (reach === 'none') {
    const none = `${paint.bold(name)} cannot raise its own rights through policies, groups, users or credentials, ${timesWords(times)}`
    const left =
      steps.length === 0 ? [] : [`  it may do ${some(steps.map(({ action }) => shown(action)))}, which gives it nothing that is described`]
    return `${[none, ...left, '  not followed: changes of tags, and the users and rights that products have of their own'].join('\n')}\n`
  }
  const verb = certain ? 'can give itself' : 'can perhaps give itself'
  const stepLines = (step: Step, i: number) => {
    const when = whenWords(step.condition, times)
    const entries = step.grants.slice(0, mostEntries).map((clause) => {
      const through = [...throughOf(clause, step.as, world), ...step.groups].map((each) => names.identity(each))
      return `${placedEntry(clause)}${through.length > 0 ? ` through ${some([...new Set(through)], 3)}` : ''}`
    })
    const unknown = step.policies.slice(0, mostEntries).map((policy) => `${policyWords(policy)}: a permissions group that is not known`)
    const granted = entries.length > 0 ? entries : unknown
    const by = step.isRoot ? ['owning the account: the owning account cannot be restricted'] : granted
    const who = step.as === identity ? '' : `as ${names.identity(step.as)}: `
    return [
      `  ${i + 1}. ${who}${paint.bold(shown(step.action))}${step.reason === '' ? '' : `: ${step.reason}`}`,
      ...by.map((text) => `     by    ${text}`),
      ...(step.grants.length > mostEntries ? [`           and ${step.grants.length - mostEntries} more`] : []),
      ...(when === undefined ? [] : [`     when  ${when}`]),
    ]
  }
  const others = steps.filter((step) => !path.includes(step))
  const lines = [
    `${paint.bold(name)} ${paint.error(verb)} ${reaches[reach]} through:`,
    ...path.flatMap(stepLines),
    ...(gains === undefined ? [] : [`  gains  ${shown(gains)}`]),
    ...(denies.length > 0 ? [`  a policy denies it to edit policies: ${placedEntry(denies[0] as (typeof denies)[number])}`] : []),
    ...(certain ? [] : [`${paint.warning('note:')} the way depends on facts that are not known`]),
    ...(others.length > 0
      ? [
          `${plural(others.length, 'more action')} of this kind: ${some(
            others.map(({ action }) => shown(action)),
            mostOthers,
          )}`,
        ]
      : []),
  ]
  return `${lines.join('\n')}\n`
}
