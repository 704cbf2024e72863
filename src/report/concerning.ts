import { place } from '../diagnostic.ts'
import { type Glob, writtenAs } from '../glob.ts'
import { titled, type World } from '../policy.ts'
import type { Concern, Effect, Subject } from '../symbolic/concerning.ts'
import type { Paint } from './colour.ts'
import { formulaWords } from './conditions.ts'
import { isoWords, momentWords } from './instants.ts'
import { policyJson, type Times, timesJson, timesWords, whenWords } from './matrix.ts'
import { type Names, permissionsGroupName } from './names.ts'
import { shown } from './safe.ts'
import { plural, some } from './words.ts'

/** Reports of `policies`: as JSON, as a line each, and for people. */

export interface Concerning {
  readonly world: World
  readonly subject: Subject
  readonly times: Times
}

/** A policy denies, grants, or has no entry about the subject. */
type Kind = 'denies' | 'grants' | 'neither'

function kindOf({ effects }: Concern): Kind {
  if (effects.some(({ deny, isKnown }) => isKnown && deny.length > 0)) return 'denies'
  return effects.length > 0 ? 'grants' : 'neither'
}

const texts = (list: readonly Glob[]) => list.map(writtenAs)

export function concerningJson(concerns: readonly Concern[], { subject, times, world }: Concerning) {
  const groups = subject.kind === 'identity' ? { groups: world.identities.get(subject.urn)?.groups ?? [] } : {}
  return {
    ...timesJson(times),
    about: { kind: subject.kind, urn: subject.urn, ...groups },
    total: world.policies.length,
    policies: concerns.map((concern) => ({
      ...policyJson(concern.policy),
      effect: kindOf(concern),
      state: concern.state,
      certain: concern.certain && concern.effects.every(({ isKnown }) => isKnown),
      identities: concern.identities,
      resources: concern.resources,
      permissions: concern.effects.map(({ group, isKnown, allow, except, deny }) => ({
        permissionsGroup: group ?? null,
        known: isKnown,
        allow: isKnown ? texts(allow) : [],
        except: texts(except),
        deny: isKnown ? texts(deny) : [],
      })),
      condition: formulaWords(concern.condition) ?? null,
      expiresAt: concern.policy.expiresAt ? isoWords(concern.policy.expiresAt.value) : null,
    })),
  }
}

/** How many lines of policies, how many policies of each section, and how many names of a list are shown. */
const [mostLines, mostRows, mostNames] = [34, 8, 5]

function effectWords({ group = '', isKnown, allow, except, deny }: Effect, nameOf: (group: string) => string): readonly string[] {
  const from = group === '' ? '' : ` (permissions group ${nameOf(group)})`
  if (!isKnown) return [`may grant or deny anything: permissions group ${nameOf(group)} is not known`]
  const list = (globs: readonly Glob[]) => some(texts(globs).map(shown), mostNames)
  return [
    ...(allow.length > 0 ? [`grants  ${list(allow)}${except.length > 0 ? ` except ${list(except)}` : ''}${from}`] : []),
    ...(deny.length > 0 ? [`denies  ${list(deny)}${from}`] : []),
  ]
}

/** On what, or to whom, and through which entries. */
function scopeWords({ identities, resources, certain }: Concern, { subject }: Concerning, names: Pick<Names, 'identity' | 'resource'>) {
  const who = identities.map((each) => names.identity(each))
  const what = resources.map((each) => names.resource(each))
  if (subject.kind === 'identity') {
    const through = identities.flatMap((each, i) => (each === subject.urn ? [] : [who[i] as string]))
    const isDirect = through.length < identities.length
    return `on      ${some(what, mostNames)}${isDirect ? '' : `, through ${some(through, 3)}`}`
  }
  const through = resources.flatMap((each, i) => (each === subject.urn ? [] : [what[i] as string]))
  const isDirect = through.length < resources.length
  return `to      ${some(who, mostNames)}${isDirect ? '' : `, ${certain ? 'through' : 'if it is in'} ${some(through, 3)}`}`
}

const whole = { identity: shown, resource: shown }

function stateWords({ state, policy }: Concern): string {
  if (state === 'expired') return `expired ${momentWords(policy.expiresAt?.value ?? 0)}`
  return state === 'never' ? 'its condition never holds' : ''
}

export function concerningLines(concerns: readonly Concern[], answer: Concerning): string {
  return concerns
    .filter((concern) => kindOf(concern) !== 'neither')
    .map((concern) => {
      const when = concern.state === 'applies' ? whenWords(concern.condition, answer.times) : stateWords(concern)
      const parts = [
        `${shown(place(concern.policy.name.span))} ${shown(titled(concern.policy.name.value, concern.policy.address))}`,
        ...concern.effects.flatMap((effect) => effectWords(effect, permissionsGroupName)),
        scopeWords(concern, answer, whole),
        ...(when === undefined ? [] : [concern.state === 'applies' ? `when ${when}` : when]),
      ]
      return `${parts.map((part) => part.replace(/ {2,}/g, ' ')).join(' · ')}\n`
    })
    .join('')
}

export function concerningText(concerns: readonly Concern[], answer: Concerning, names: Names, paint: Paint): string {
  const { subject, world, times } = answer
  const name = subject.kind === 'identity' ? names.identity(subject.urn) : names.resource(subject.urn)
  const groups = subject.kind === 'identity' ? (world.identities.get(subject.urn)?.groups ?? []).map((each) => names.identity(each)) : []
  const rows = (list: readonly Concern[], most: number) => [
    ...list.slice(0, most).flatMap((concern) => {
      const { policy, state, condition } = concern
      const when = state === 'applies' ? whenWords(condition, times) : undefined
      const mark = stateWords(concern)
      return [
        `  ${shown(place(policy.name.span))}  ${paint.bold(shown(titled(policy.name.value, policy.address)))}${mark === '' ? '' : `  ${mark}`}`,
        ...concern.effects.flatMap((effect) => effectWords(effect, (group) => names.permissionsGroup(group))).map((text) => `    ${text}`),
        `    ${scopeWords(concern, answer, names)}`,
        ...(when === undefined ? [] : [`    when    ${when}`]),
      ]
    }),
    ...(list.length > most ? [`  and ${plural(list.length - most, 'more policy')}: \`--format compact\` lists all`] : []),
  ]
  const of = (kind: Kind) => concerns.filter((concern) => concern.state === 'applies' && kindOf(concern) === kind)
  const idle = concerns.filter((concern) => concern.state !== 'applies' && kindOf(concern) !== 'neither')
  const neither = concerns.filter((concern) => kindOf(concern) === 'neither').length
  const section = (title: string, list: readonly Concern[], most: number) =>
    list.length === 0 ? [] : [`${title} (${list.length})`, ...rows(list, most)]
  const sections = (most: number): readonly string[] => {
    const lines = [
      ...section(paint.error('denying'), of('denies'), most),
      ...section(paint.good('granting'), of('grants'), most),
      ...section(paint.dim('not applying'), idle, most),
    ]
    return most > 1 && lines.length > mostLines ? sections(most - 1) : lines
  }
  const lines = [
    `${paint.bold(name)}: ${concerns.length} of ${plural(world.policies.length, 'policy')}, ${timesWords(times)}${groups.length > 0 ? `; in ${some(groups)}` : ''}`,
    ...sections(mostRows),
    ...(neither > 0 ? [`${plural(neither, 'policy')} about it without an action that concerns it`] : []),
  ]
  return `${lines.join('\n')}\n`
}
