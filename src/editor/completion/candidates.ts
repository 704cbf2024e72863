import type { Catalogue } from '../../actions/catalogue.ts'
import { sensitiveAmong, sensitiveRows } from '../../actions/sensitive.ts'
import { addTo } from '../../collections.ts'
import { type Operator, operators, readConditionKey, type SubjectKind, subjects, valueWords } from '../../conditions/test.ts'
import { weekdays } from '../../conditions/time.ts'
import { compareText } from '../../diagnostic.ts'
import { glob } from '../../glob.ts'
import { folderOf, pathBetween } from '../../hcl/paths.ts'
import { levels } from '../../lint/config.ts'
import { longestName, visible } from '../../names.ts'
import { cut } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { rules } from '../../rules/index.ts'
import { presets } from '../../rules/rule.ts'
import { isGroupName } from '../../urn/identity.ts'
import { Zones } from '../../zones.ts'
import type { Cursor } from '../cursor.ts'
import type { EditorFile, NameKind, Workspace } from '../model.ts'
import { distanceWords } from '../time.ts'
import { methodCandidates, methodIn, pathCandidates } from './access-rules.ts'
import type { Candidate } from './candidate.ts'

/** The most candidates that are given together: editors ask again with every letter. */
export const mostCandidates = 200

/** The strings that may be written at a cursor. `typed`: the text in front of it. */
export function candidatesAt(workspace: Workspace, file: EditorFile, cursor: Cursor, typed: string): readonly Candidate[] {
  const { shape } = cursor
  const ofRole = shape.role === undefined ? [] : byRole(workspace, file, cursor, typed)
  if (ofRole.length > 0) return ofRole
  return shape.choices.map((value, i): Candidate => ({ value, kind: 'value', rank: i }))
}

function byRole(workspace: Workspace, file: EditorFile, cursor: Cursor, typed: string): readonly Candidate[] {
  const { catalogue, settings, now } = workspace
  switch (cursor.shape.role) {
    case 'action':
      return actionCandidates(catalogue, typed, settings.brand)
    case 'identity':
      return [...named(workspace, 'identity', typed), ...urnStarts(workspace, identityKinds)]
    case 'group':
      return named(workspace, 'identity', typed).filter(({ value }) => isGroupName(value))
    case 'resource':
      return resourceCandidates(workspace, cursor, typed)
    case 'permissionsGroup':
      return named(workspace, 'permissionsGroup', typed)
    case 'resourceGroupId':
      return named(workspace, 'resourceGroup', typed)
    case 'resourceType':
      return catalogue.types.map((value) => ({ value, kind: 'value' }))
    case 'policyName':
      return cursor.shape.isDefinition ? [] : named(workspace, 'policy', typed)
    case 'account':
      return [...accountsOf(workspace)].map((value) => ({ value, kind: 'name' }))
    case 'conditionOperator':
      return operatorWords.map(([value, detail], rank) => ({ value, detail, kind: 'keyword', rank }))
    case 'conditionKey':
      return conditionKeys(workspace)
    case 'conditionValue':
      return conditionValues(workspace, cursor)
    case 'instant':
      return [7, 30, 90, 365].map((days, rank) => instantCandidate(now, days, rank))
    case 'day':
      return [7, 30, 90].map((days, rank) => ({
        value: new Date(now + days * day).toISOString().slice(0, 10),
        detail: `in ${days} days`,
        kind: 'value',
        rank,
      }))
    case 'address':
      return addressesOf(workspace).map((value) => ({ value, kind: 'value' }))
    case 'tagKey':
      return [...tagsOf(workspace).keys()].map((value) => ({ value, kind: 'name' }))
    case 'tagValue':
      return tagValues(workspace, cursor.entry?.key.value)
    case 'region':
      return settings.regions.map((value) => ({ value, kind: 'value' }))
    case 'path':
    case 'module':
      return pathsFrom(workspace, file, cursor.shape.role)
    case 'extends':
      return [
        ...presets.map((value, rank): Candidate => ({ value, kind: 'keyword', detail: 'preset', rank })),
        ...pathsFrom(workspace, file, 'extends'),
      ]
    case 'ruleCode':
      return ruleCandidates(cursor.at === 'key' ? undefined : false)
    case 'ruleLevel':
      return levels.map((value, rank) => ({ value, kind: 'keyword', rank }))
    case 'method':
      return methodCandidates(workspace.operations())
    case 'accessPath':
      return pathCandidates(workspace.operations(), methodIn(cursor.around.at(-1)), typed)
    default:
      return []
  }
}

const day = 86_400_000

function instantCandidate(now: number, days: number, rank: number): Candidate {
  const value = `${new Date(now + days * day).toISOString().slice(0, 10)}T23:59:59Z`
  return { value, detail: distanceWords(Date.parse(value), now), kind: 'value', rank }
}

/** The rules by their codes. `isReader`: whether those that find what cannot be read are among them. */
export function ruleCandidates(isReader?: boolean): readonly Candidate[] {
  return rules
    .filter((rule) => isReader !== false || !('reader' in rule || 'upkeep' in rule))
    .map(({ code, summary, why, section }) => ({ value: code, kind: 'rule', detail: section, documentation: `${summary}\n\n${why}` }))
}

const operatorWords = [
  ['MATCH', 'compares: all of its `values` must hold'],
  ['AND', 'all of its `conditions` must hold'],
  ['OR', 'at least one of its `conditions` must hold'],
  ['NOT', 'none of its `conditions` may hold'],
] as const

// Actions.

/**
 * Actions by their segments: the products, the next segments of a path, and what fits the letters that were typed. A pattern for
 * all below says how many actions it designates.
 */
export function actionCandidates(catalogue: Catalogue, typed: string, brand: string): readonly Candidate[] {
  const colon = typed.indexOf(':')
  const product = colon < 0 ? undefined : typed.slice(0, colon)
  if (product !== undefined && catalogue.seenOf(product) !== undefined) return ofProduct(catalogue, product, typed, brand)
  const products = catalogue.products.flatMap((each): readonly Candidate[] => {
    const rank = typed === '' ? 5 : fuzzy(typed, each)
    if (rank === undefined) return []
    const count = catalogue.actionsOf(each).length
    return [
      { value: `${each}:api${brand}:`, kind: 'action', detail: `${plural(count, 'action')}, by segment`, rank, isOpen: true },
      { value: `${each}:*`, kind: 'action', detail: `all ${plural(count, 'action')} of ${each}`, rank: rank + 1 },
    ]
  })
  return typed.length < 3 ? products : [...products, ...fitting(catalogue, typed, brand)]
}

function ofProduct(catalogue: Catalogue, product: string, typed: string, brand: string): readonly Candidate[] {
  const actions = catalogue.actionsOf(product)
  const sensitive = new Map(sensitiveAmong(actions, sensitiveRows(brand, product)).map((each) => [each.action, each]))
  const base = Math.max(typed.lastIndexOf('/'), typed.lastIndexOf(':')) + 1
  const head = typed.slice(0, base)
  const byValue = new Map<string, Candidate>()
  const add = (candidate: Candidate) => {
    if (!byValue.has(candidate.value)) byValue.set(candidate.value, candidate)
  }
  const below = actions.filter((action) => action.startsWith(head))
  const branches = new Map<string, number>()
  for (const action of below) {
    const slash = action.indexOf('/', Math.max(base, product.length + brand.length + 5))
    if (slash > 0) branches.set(action.slice(0, slash + 1), (branches.get(action.slice(0, slash + 1)) ?? 0) + 1)
  }
  const all = base > product.length + 1 ? `${head}*` : `${product}:*`
  if (below.length > 1)
    add({ value: all, kind: 'action', detail: `all ${plural(catalogue.expand(glob(all)).length, 'action')} below`, rank: 1 })
  for (const [branch, count] of branches) {
    if (count > 1) add({ value: `${branch}*`, kind: 'action', detail: plural(count, 'action'), rank: 3 })
  }
  const whole = below.length > 0 ? below : actions.filter((action) => fuzzy(typed, action) !== undefined)
  for (const action of whole) {
    const danger = sensitive.get(action)
    const isHere = !action.slice(base).includes('/')
    add({
      value: action,
      kind: 'action',
      rank: isHere ? 2 : 4,
      ...(danger && { detail: danger.category, documentation: `${danger.category}: with it, ${danger.reason}` }),
    })
  }
  return [...byValue.values()]
}

/** Actions of all products that fit some letters, the best first. */
function fitting(catalogue: Catalogue, typed: string, brand: string): readonly Candidate[] {
  const ranked: { readonly action: string; readonly rank: number }[] = []
  for (const product of catalogue.products) {
    for (const action of catalogue.actionsOf(product)) {
      const rank = fuzzy(typed, action.replace(`:api${brand}:`, ':'))
      if (rank !== undefined) ranked.push({ action, rank })
    }
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || compareText(a.action, b.action))
    .slice(0, 100)
    .map(({ action, rank }) => ({ value: action, kind: 'action', rank: 10 + rank }))
}

/**
 * How well letters fit a string that has them in this order, in any case: 0 at best; undefined where it does not. Letters that
 * begin a segment or follow the last one fit well.
 */
export function fuzzy(typed: string, text: string): number | undefined {
  let gaps = 0
  let index = 0
  let last = -1
  const lower = text.toLowerCase()
  for (const letter of typed.toLowerCase()) {
    const letterIndex = lower.indexOf(letter, index)
    if (letterIndex < 0) return undefined
    if (letterIndex !== last + 1 && letterIndex > 0 && !/[:/._-]/.test(lower[letterIndex - 1] as string)) gaps++
    last = letterIndex
    index = letterIndex + 1
  }
  return gaps
}

// Names.

/** The names of a kind in all files, with what is known of each. */
function named({ world, names }: Workspace, kind: NameKind, typed: string): readonly Candidate[] {
  const candidates: Candidate[] = []
  for (const value of names(kind)) {
    if (value.length > longestName || visible(value) !== value || (typed !== '' && fuzzy(typed, value) === undefined)) continue
    candidates.push({ value, kind: 'name', ...detailOf(value, kind, world) })
    if (candidates.length === mostCandidates) break
  }
  return candidates
}

function detailOf(value: string, kind: NameKind, world: Workspace['world']): { readonly detail?: string } {
  if (kind === 'identity') {
    const groups = world.identities.get(value)?.groups ?? []
    return groups.length > 0 ? { detail: cut(`in ${groups.map((each) => each.slice(each.lastIndexOf('/') + 1)).join(', ')}`, 80) } : {}
  }
  if (kind === 'resource') {
    const tags = world.resources.get(value)?.tags
    return tags && tags.size > 0 ? { detail: cut([...tags].map(([key, tag]) => `${key}=${tag}`).join(', '), 80) } : {}
  }
  if (kind === 'permissionsGroup') {
    const name = world.permissionsGroups.get(value)?.name
    return name ? { detail: cut(name, 80) } : {}
  }
  return {}
}

const identityKinds = ['user', 'group', 'credential', 'account']

/** The starts of URNs that are not known yet, in each region. */
function urnStarts(workspace: Workspace, kinds: readonly string[]): readonly Candidate[] {
  const [account] = accountsOf(workspace)
  const starts = (region: string, rank: number) =>
    kinds.flatMap((kind): readonly Candidate[] => {
      const head = `urn:v1:${region}:identity:${kind}:`
      if (kind === 'account')
        return account === undefined ? [] : [{ value: head + account, kind: 'keyword', detail: 'the account itself', rank }]
      const value = `${head}${account === undefined ? '' : `${account}/`}`
      return [{ value, kind: 'keyword', detail: `a ${kind === 'credential' ? 'service account' : kind}`, rank, isOpen: true }]
    })
  return workspace.settings.regions.flatMap((region, i) => starts(region, 20 + i))
}

/** Resources, their groups, and patterns over the types that the actions of the same policy are about. */
function resourceCandidates(workspace: Workspace, cursor: Cursor, typed: string): readonly Candidate[] {
  const { catalogue, settings } = workspace
  const resources = named(workspace, 'resource', typed)
  const isDefinition = cursor.shape.isDefinition
  const groups = isDefinition
    ? []
    : [...workspace.world.resourceGroups].map(
        ([urn, { name }]): Candidate => ({
          value: urn.replace('urn:v1:*', `urn:v1:${settings.regions[0] ?? 'eu'}`),
          kind: 'name',
          ...(name !== undefined && { detail: cut(name, 80) }),
        }),
      )
  const region = /^urn:v1:([a-z][a-z0-9-]*):/.exec(typed)?.[1] ?? settings.regions[0] ?? 'eu'
  const regions = settings.regions
    .filter((each) => each !== region)
    .map((each): Candidate => ({ value: `urn:v1:${each}:resource:`, kind: 'keyword', detail: `in ${each}`, rank: 30, isOpen: true }))
  const types = catalogue.types.map(
    (type): Candidate => ({
      value: `urn:v1:${region}:resource:${type}:${isDefinition ? '' : '*'}`,
      kind: 'keyword',
      detail: isDefinition ? type : `every ${type}`,
      rank: 20,
      ...(isDefinition && { isOpen: true }),
    }),
  )
  return [...resources, ...groups, ...types, ...regions]
}

function accountsOf({ world, names }: Workspace): ReadonlySet<string> {
  const accounts = new Set<string>(world.account === undefined ? [] : [world.account])
  for (const urn of names('identity')) {
    const owner = /^urn:v1:[^:]*:identity:[^:]*:([^/*]+)/.exec(urn)?.[1]
    if (owner !== undefined) accounts.add(owner)
    if (accounts.size > 50) break
  }
  return accounts
}

// Conditions.

function conditionKeys(workspace: Workspace): readonly Candidate[] {
  const tags = [...tagsOf(workspace).keys()].slice(0, 50)
  return (Object.entries(subjects) as [SubjectKind, (typeof subjects)[SubjectKind]][]).flatMap(
    ([kind, { text, operators: ownOperators }], i) => {
      const parameters = kind === 'tag' ? (tags.length > 0 ? tags : ['env']) : text.includes('<zone>') ? zonesOf(workspace) : ['']
      return parameters.flatMap((parameter) =>
        ownOperators.map((operator, j): Candidate => {
          const subject = text.replace(/<.*?>/, () => parameter)
          return {
            value: operator === 'EQ' ? subject : `${subject}.${operator}`,
            kind: 'keyword',
            detail: `${valueWords(kind, operator)}${noteOn(kind, operator)}`,
            rank: i * 20 + j,
          }
        }),
      )
    },
  )
}

function noteOn(kind: SubjectKind, operator: Operator): string {
  if (operators[operator].isList) return ', several with commas'
  return kind === 'date' && operator === 'AFTER' ? ', that day included' : ''
}

/** The time zones in use, and UTC. */
function zonesOf({ world }: Workspace): readonly string[] {
  const zones = new Set<string>()
  for (const { condition } of world.policies) {
    if (condition) for (const key of keysIn(condition)) zones.add(/^date\(([^()]+)\)/.exec(key)?.[1] ?? 'UTC')
    if (zones.size > 5) break
  }
  return [...zones.add('UTC')]
}

type Condition = NonNullable<Workspace['world']['policies'][number]['condition']>

function keysIn(condition: Condition): readonly string[] {
  if (condition.kind === 'match') return [condition.key.value]
  return condition.kind === 'opaque' ? [] : condition.operands.flatMap(keysIn)
}

function conditionValues(workspace: Workspace, cursor: Cursor): readonly Candidate[] {
  const key = readConditionKey(cursor.entry?.key.value ?? '', workspace.settings.zones ?? new Zones()).value
  if (!key) return []
  const { kind, parameter } = key.subject
  switch (kind) {
    case 'tag':
      return tagValues(workspace, parameter)
    case 'type':
      return workspace.catalogue.types.map((value) => ({ value, kind: 'value' }))
    case 'name':
      return [...workspace.world.resources.keys()]
        .slice(0, mostCandidates)
        .map((urn) => ({ value: urn.split(':').slice(5).join(':'), detail: urn, kind: 'name' }))
    case 'weekday':
      return weekdays.map((value, rank) => ({ value, kind: 'value', rank }))
    case 'hour':
      return Array.from({ length: 24 }, (_, hour) => ({
        value: String(hour),
        detail: `${String(hour).padStart(2, '0')}:00`,
        kind: 'value',
        rank: hour,
      }))
    case 'date':
      return [0, 1, 7, 30].map((days, rank) => ({
        value: new Date(workspace.now + days * day).toISOString().slice(0, 10),
        detail: days === 0 ? 'today' : `in ${plural(days, 'day')}`,
        kind: 'value',
        rank,
      }))
    case 'ip':
      return addressesOf(workspace)
        .filter((value) => value.includes('/') === (operators[key.operator].isRange === true))
        .map((value) => ({ value, kind: 'value' }))
  }
}

/** The addresses and ranges that conditions of the world compare with. */
function addressesOf({ world }: Workspace): readonly string[] {
  const addresses = new Set<string>()
  const add = (condition: Condition): void => {
    if (condition.kind === 'match') {
      if (condition.key.value.startsWith('request.IP')) for (const each of condition.value.value.split(',')) addresses.add(each.trim())
    } else if (condition.kind !== 'opaque') for (const each of condition.operands) add(each)
  }
  for (const { condition } of world.policies) {
    if (condition) add(condition)
    if (addresses.size > 50) break
  }
  return [...addresses]
}

// Tags.

/** The tags of described resources, each with its values. */
function tagsOf({ world }: Workspace): ReadonlyMap<string, ReadonlySet<string>> {
  const valuesByKey = new Map<string, Set<string>>()
  for (const { tags } of world.resources.values()) {
    for (const [key, value] of tags ?? []) {
      addTo(valuesByKey, key, value)
    }
  }
  return valuesByKey
}

function tagValues(workspace: Workspace, key: string | undefined): readonly Candidate[] {
  return [...(tagsOf(workspace).get(key ?? '') ?? [])].slice(0, mostCandidates).map((value) => ({ value, kind: 'value' }))
}

// Files.

/** The other files of the workspace and their folders, as they are named from one. */
function pathsFrom({ files }: Workspace, file: EditorFile, role: 'path' | 'extends' | 'module'): readonly Candidate[] {
  const from = folderOf(file.path)
  const byValue = new Map<string, Candidate>()
  const add = (path: string, detail: string) => {
    const relative = pathBetween(from, path)
    const value = role === 'module' && !relative.startsWith('.') ? `./${relative}` : relative
    if (value !== '.' && visible(value) === value && !byValue.has(value)) byValue.set(value, { value, kind: 'file', detail })
  }
  for (const { path, purpose, source } of files.values()) {
    if (byValue.size >= mostCandidates) break
    if (path === file.path) continue
    if (role === 'module') {
      if (source.notation === 'hcl') add(folderOf(path), 'module')
    } else if (role === 'extends') {
      if (purpose === 'configuration') add(path, 'configuration')
    } else if (purpose === 'policies') {
      if (folderOf(path) !== '') add(folderOf(path), 'folder')
      add(path, 'file')
    }
  }
  return [...byValue.values()]
}
