import { plainMatch, plainVerdict } from './plain-evaluator.ts'
import type { ConditionJson, QuestionJson, WorldJson } from './worlds.ts'

/**
 * Whether a question is in a region, read from the JSON that `diff` prints and from nothing else: patterns, and conditions
 * in words (docs/formats.md). What the region is made of is not looked at.
 */

export interface RegionJson {
  readonly identities: readonly string[]
  readonly groups?: readonly string[]
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly narrower?: readonly Narrower[]
  readonly condition: string | null
  readonly except: readonly {
    readonly why: string
    readonly identities: readonly string[] | null
    readonly actions: readonly string[] | null
    readonly resources: readonly string[] | null
    readonly narrower?: readonly Narrower[]
    readonly unless?: readonly { readonly dimension: string; readonly pattern: string }[]
    readonly condition: string | null
  }[]
}

interface Narrower {
  readonly resource: string
  readonly type: string
  readonly name?: string
}

/** `q` gives its address and its tags; `granting` and `other`: the side with the new access and the other one. */
export function inRegionJson(region: RegionJson, q: QuestionJson, granting: WorldJson, other: WorldJson): boolean {
  const membersIn = (world: WorldJson) => [
    q.identity,
    ...(q.groups ?? []),
    ...world.identities.filter(({ urn }) => urn === q.identity).flatMap(({ groups }) => groups),
  ]
  const [here, there] = [membersIn(granting), membersIn(other)]
  const isMember = (group: string) => [here, there].every((members) => members.some((one) => plainMatch(group, one)))
  const [type = '', ...rest] = q.resource.split(':').slice(4)
  const name = rest.join(':')
  const isAbout = (resources: readonly string[], narrower: readonly Narrower[] = []) =>
    resources.some((pattern, i) => {
      // A pattern that is there several times has as many lines that narrow it.
      const own = narrower.filter(({ resource }) => resource === pattern)
      const before = resources.slice(0, i).filter((each) => each === pattern).length
      const only = own[before]
      return plainMatch(pattern, q.resource) && (!only || (plainMatch(only.type, type) && plainMatch(only.name ?? '*', name)))
    })
  const when = (words: string | null) => words === null || holdsInWords(words, q)
  return (
    region.identities.some((one) => (one.includes(':identity:group:') ? isMember(one) : plainMatch(one, q.identity))) &&
    (region.groups ?? []).every(isMember) &&
    region.actions.some((action) => plainMatch(action, q.action)) &&
    isAbout(region.resources, region.narrower) &&
    when(region.condition) &&
    !region.except.some(({ why, identities, actions, resources, narrower, unless = [], condition }) => {
      const who = why === 'apart' ? [q.identity] : why === 'already' ? there : here
      const texts: Record<string, string> = { action: q.action, type, name }
      return (
        (!identities || identities.some((one) => who.some((member) => plainMatch(one, member)))) &&
        (!actions || actions.some((action) => plainMatch(action, q.action))) &&
        (!resources || isAbout(resources, narrower)) &&
        !unless.some(({ dimension, pattern }) => plainMatch(pattern, texts[dimension] ?? '')) &&
        when(condition)
      )
    })
  )
}

/** Whether a condition in words holds: `a and (b or not (c))`, comparisons as they are written, and instants. */
export function holdsInWords(words: string, q: QuestionJson): boolean {
  let at = 0
  const take = (text: string) => {
    if (!words.startsWith(text, at)) return false
    at += text.length
    return true
  }
  const until = (end: string) => {
    const from = at
    at = words.indexOf(end, from)
    if (at < 0) throw new Error(`no ${end} in ${words} after ${from}`)
    return words.slice(from, at)
  }
  const instant = () => {
    const [text] = /^[-0-9T:.]+Z/.exec(words.slice(at)) ?? []
    if (text === undefined) throw new Error(`no instant in ${words} at ${at}`)
    at += text.length
    return Date.parse(text)
  }
  const one = (): boolean => {
    if (take('not ()')) return true
    if (take('not (')) {
      const inner = any()
      if (!take(')')) throw new Error(`no end in ${words} at ${at}`)
      return !inner
    }
    if (take('(')) {
      const inner = any()
      if (!take(')')) throw new Error(`no end in ${words} at ${at}`)
      return inner
    }
    if (take('always')) return true
    if (take('never')) return false
    if (take('not after ')) return Date.parse(q.at) <= instant()
    if (take('after ')) return Date.parse(q.at) > instant()
    if (!take('`')) throw new Error(`what is ${words.slice(at)}`)
    const key = until('`')
    if (!take('` = `')) throw new Error(`no value in ${words} at ${at}`)
    const value = until('`')
    at++
    return holdsPlainly({ operator: 'MATCH', values: { [key]: value } }, q)
  }
  // A list is of one kind: parts of the other one are in parentheses.
  const any = (): boolean => {
    let holds = one()
    for (;;) {
      if (take(' and ')) holds = [one(), holds].every((each) => each)
      else if (take(' or ')) holds = [one(), holds].some((each) => each)
      else return holds
    }
  }
  const holds = any()
  if (at !== words.length) throw new Error(`what is ${words.slice(at)}`)
  return holds
}

/** One comparison, as another program reads it. */
function holdsPlainly(conditions: ConditionJson, q: QuestionJson): boolean {
  const policy = {
    name: 'p',
    identities: [q.identity],
    resources: [{ urn: q.resource }],
    permissions: { allow: [{ action: q.action }] },
    conditions,
  }
  const world = { policies: [policy], permissionsGroups: [], resourceGroups: [], resources: [], identities: [] }
  return plainVerdict(world, { tags: {}, ...q }, new Map()) === 'allow'
}
