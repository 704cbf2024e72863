import { diff } from '../../src/diff/diff.ts'
import { defaultSettings } from '../../src/names.ts'
import type { PageData } from '../../src/page/data.ts'
import { ReachIndex } from '../../src/page/reach.ts'
import { Tables } from '../../src/page/tables.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { ActionsByType } from '../../src/symbolic/described.ts'
import { addresses, contextsFor, fewActions, fewCatalogue, fewReads, someAccount, unknownGroup } from './claims.ts'
import { inPlaceOfBrowser, leavePage, PlainElement } from './elements.ts'
import { pageOf } from './page.ts'
import { weekHolds } from './timed.ts'
import { randomOf, worldOf } from './worlds.ts'

/** Accounts whose pages are held against decisions (`test/answers/claims-page.deep.test.ts`), and the views of a page on plain elements. */

inPlaceOfBrowser()

export interface View {
  readonly show: (place: PlainElement, route: { name: string; part: string; query: URLSearchParams }, page: unknown) => unknown
}
/** A module of the page, which is written for the types of a browser. */
export const moduleOf = <T = Record<string, View>>(folder: 'app' | 'ask' | 'engine', name: string) =>
  import(`../../src/web/${folder}/${name}.ts`) as Promise<T>

const knownTypes = ['account', 'domain', 'vps']
export const about = { of: (type: string) => fewActions.of(type), types: () => knownTypes } as unknown as ActionsByType
export const everyAction = knownTypes.flatMap((type) => about.of(type))

const night = { operator: 'MATCH', values: { 'date(UTC).Hour.GE': '1', 'date(UTC).Hour.LT': '5' } }
export const day = { operator: 'NOT', conditions: [night] }
const grant = (name: string, who: string, on: string, action: string, conditions: object) => ({
  name,
  identities: [`urn:v1:eu:identity:user:ab/${who}`],
  resources: [{ urn: `urn:v1:eu:resource:${on}` }],
  permissions: { allow: [{ action }] },
  conditions,
})
/** By day the one and by night the other: something at each time, and nothing at all times. */
const dayAndNight = [
  grant('night', 'bob', 'account:ab', 'account:apisvc:iam/policy/edit', night),
  grant('day', 'bob', 'account:ab', 'account:apisvc:me/identity/user/edit', day),
]

const clientMay = (action: string, on: string) => ({
  ...grant(`may ${action}`, '', on, action, {}),
  identities: ['urn:v1:eu:identity:credential:ab/oauth2-9'],
  conditions: undefined,
})
/** A service account that only reads one server, and may do everything with a domain. */
const readAndAll = [clientMay('vps:apisvc:get', 'vps:web-1'), clientMay('domain:*', 'domain:a.example')]

/** Access by a permissions group that no account describes. */
const perhaps = {
  ...grant('perhaps', 'ann', 'account:ab', '', {}),
  conditions: undefined,
  permissions: {},
  permissionsGroups: [{ urn: unknownGroup }],
}

const swapped = { ...perhaps, name: 'swapped', permissionsGroups: [] }

/** Changes of servers in turn, where a third action is left. */
const changesInTurn = [
  grant('reboots', 'bob', 'vps:web-2', 'vps:apisvc:reboot', night),
  grant('ends', 'bob', 'vps:web-2', 'vps:apisvc:terminate', day),
]

export interface Case {
  readonly world: World
  readonly data: PageData
  readonly page: unknown
  readonly tables: Tables
  /** The actions about its type that decisions allow, and those that they leave open, in each context. */
  readonly on: (identity: number, resource: number) => readonly { readonly allowed: readonly string[]; readonly open: readonly string[] }[]
}

export function inContexts(world: World, identity: string, resource: string) {
  return contextsFor(world, resource).map((context) => {
    const of = (wanted: string) =>
      about
        .of(resource.split(':')[4] as string)
        .filter((each) => decide(world, { identity, resource, action: each, groups: [], ...context }).verdict === wanted)
    return { ...context, allowed: of('allow'), open: of('unknown') }
  })
}

/** The part of a page that views have without a browser. */
export function plainPage(data: PageData) {
  const tables = new Tables(data)
  const link = (_: string, name: string, text?: string) => {
    const element = new PlainElement('a')
    element.append(text ?? tables.shortNames.get(name) ?? name)
    return element
  }
  const page = { data, tables, reaches: new ReachIndex(tables), link, has: () => false, go: () => undefined, onLeave: () => undefined }
  return { tables, page }
}

export function* cases(seed: number, count: number): Generator<Case> {
  const random = randomOf(seed)
  for (let i = 0; i < count; i++) {
    const [account] = someAccount(random)
    const owner = random() < 0.2 || i % 8 === 6 ? [{ urn: 'urn:v1:eu:identity:account:ab' }] : []
    const more = random() < 0.2 ? [...dayAndNight, ...changesInTurn] : [1, 3].includes(i % 8) ? readAndAll : []
    const world = worldOf({ ...account, identities: [...account.identities, ...owner], policies: [...account.policies, ...more] })
    const data = pageOf(world, about, fewReads)
    const { tables, page } = plainPage(data)
    const known = new Map<string, ReturnType<Case['on']>>()
    const on = (who: number, what: number) => {
      const key = `${who} ${what}`
      const found = known.get(key) ?? inContexts(world, data.identities[who]?.urn as string, data.resources[what]?.urn as string)
      known.set(key, found)
      return found
    }
    yield { world, data, page, tables, on }
  }
}

export const shown = (view: View, part: string, page: unknown, query = '') => {
  leavePage()
  const place = new PlainElement('main')
  view.show(place, { name: '', part, query: new URLSearchParams(query) }, page)
  return place
}
export const cellsOf = (row: PlainElement) => row.childNodes.map(({ textContent }) => textContent)
export const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)

/** Whether a condition in words holds; undefined for words that are not simple. */
export function conditionHolds(
  words: string,
  { at, ip, tags }: { at: number; ip: unknown; tags: ReadonlyMap<string, string> | undefined },
) {
  let all = true
  for (const part of words.replace(/^when /, '').split(', ')) {
    if (/^from 192\S+$/.test(part)) all &&= ip === addresses[0]
    else if (/^tag env = \w+$/.test(part)) all &&= tags?.get('env') === part.slice('tag env = '.length)
    else if (/^daily \S+ UTC$/.test(part)) all &&= weekHolds(part, at)
    else return undefined
  }
  return all
}

/** Identities and resources that are described before a change only. */
const gone = { identity: 'urn:v1:eu:identity:user:ab/old', resource: 'urn:v1:eu:resource:vps:old' }
/** More identities than are listed. */
const crowd = Array.from({ length: 9 }, (_, i) => ({ urn: `urn:v1:eu:identity:user:ab/many-${i}`, groups: [] }))

/** Two states of an account, with the page of the second that compares it with the first. */
export function* changes(seed: number, count: number) {
  const random = randomOf(seed)
  for (let i = 0; i < count; i++) {
    const [before, after] = someAccount(random)
    const isCrowd = i % 12 === 3
    const isOpen = i % 12 === 5
    const identities = [...before.identities, ...(isCrowd ? crowd : [])]
    // One action for another.
    const turned = (action: string) => (i % 6 === 4 ? [{ ...swapped, permissions: { allow: [{ action }] } }] : [])
    const old = i % 5 === 2
    const first = worldOf({
      ...before,
      identities: [...identities, ...(old ? [{ urn: gone.identity, groups: [] }] : [])],
      resources: [...before.resources, ...(old ? [{ urn: gone.resource }] : [])],
      policies: [...before.policies, ...(i % 8 === 1 ? [perhaps] : []), ...turned('account:apisvc:iam/policy/edit')],
    })
    const second = worldOf({
      ...after,
      identities,
      policies: [...after.policies, ...(i % 8 === 5 ? [perhaps] : []), ...turned('account:apisvc:me/identity/user/edit')],
    })
    const difference = diff(first, second, { described: about, ...(isOpen && { budget: 1 }) })
    const data = pageOf(second, about, fewReads, { label: 'before', difference, sources: [] })
    yield { worlds: { gained: [first, second], lost: [second, first] }, data, ...plainPage(data) } as const
  }
}

/** Access that a side has at a moment and the other has not: certainly, perhaps or not. Where both are unknown, the facts may be the same. */
function changeAt([without, having]: readonly World[], question: Parameters<typeof decide>[1]) {
  const [was, is] = [without, having].map((world) => decide(world as World, question).verdict)
  if (was === 'unknown' && is === 'unknown') return 'open'
  return was === 'allow' || is === 'deny' ? 'none' : is === 'allow' && was === 'deny' ? 'sure' : 'perhaps'
}

/** Every change of one identity on one resource, by action and context. */
export function changesOf(worlds: readonly World[], identity: string, resource: string) {
  return about.of(resource.split(':')[4] as string).flatMap((action) =>
    contextsFor(worlds[1] as World, resource).map((context) => {
      const tags = context.tags ?? worlds[1]?.resources.get(resource)?.tags
      const change = changeAt(worlds, { identity, resource, action, groups: [], ...context })
      return { ...context, tags, action, change }
    }),
  )
}

/** When the engine of a page is asked, and the one file that it has. */
export const ofEngine = { now: Date.UTC(2026, 5, 1, 12), path: 'p.json' } as const

/** The input of the engine of a page for one file of policies. */
export const engineGiven = (text: string) => ({
  settings: defaultSettings,
  now: ofEngine.now,
  sources: [{ path: ofEngine.path, text, notation: 'json', profile: 0 }],
  profiles: [],
  ignores: [],
  catalogue: fewCatalogue,
})
