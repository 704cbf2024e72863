import fc from 'fast-check'
import { Budget } from '../../src/budget.ts'
import { diff } from '../../src/diff/diff.ts'
import { together } from '../../src/diff/together.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import { type Notation, notationOf, sourceOf } from '../../src/source.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { testSettings } from './settings.ts'

/** Generated edits of policies by two sides, and what a merge of both has to hold. */

/** A policy: the entries of its lists, and its fields with one value. */
export interface Drafted extends Readonly<Record<List, readonly string[]>> {
  readonly description?: string
  /** The tag that a resource must have. */
  readonly tag?: string
  /** Entries that have a comment behind them, as `LIST ENTRY`. */
  readonly notes: readonly string[]
}
/** Policies by their names. */
export type File = Readonly<Record<string, Drafted>>
type List = 'identities' | 'resources' | 'allow' | 'except' | 'deny'
const permissionLists = ['allow', 'except', 'deny'] as const
const lists = ['identities', 'resources', ...permissionLists] as const

const names = ['a', 'b', 'c: d', 'é']
const actions = ['vps:apisvc:get', 'vps:apisvc:re*', 'vps:apisvc:reboot', 'vps:*']
export const identity = 'urn:v1:eu:identity:user:ab12-svc/ann'
export const resource = 'urn:v1:eu:resource:vps:x'
const choices: Readonly<Record<List, readonly string[]>> = {
  identities: [identity, 'urn:v1:eu:identity:group:ab12-svc/ops'],
  resources: ['urn:v1:eu:resource:vps:*', resource],
  allow: actions,
  except: actions,
  deny: actions,
}

const entries = fc.subarray(actions)
const policy: fc.Arbitrary<Drafted> = fc
  .record({
    allow: entries,
    except: fc.subarray(actions, { maxLength: 1 }),
    deny: fc.subarray(actions, { maxLength: 2 }),
    identities: fc.subarray([...choices.identities], { minLength: 1 }),
    resources: fc.subarray([...choices.resources], { minLength: 1 }),
    description: fc.constantFrom(undefined, undefined, 'first'),
    tag: fc.constantFrom(undefined, undefined, undefined, 'dev'),
    isNoted: fc.boolean(),
  })
  .map(({ isNoted, description, tag, ...rest }) => ({
    ...rest,
    ...(description !== undefined && { description }),
    ...(tag !== undefined && { tag }),
    notes: isNoted ? rest.allow.slice(0, 1).map((each) => `allow ${each}`) : [],
  }))
const file = fc.dictionary(fc.constantFrom(...names), policy, { minKeys: 1, maxKeys: 3, noNullPrototype: true })

/** One change: of an entry, of a field, of the order, or of a policy. */
const change = fc.record({
  name: fc.constantFrom(...names),
  list: fc.constantFrom(...lists, ...permissionLists),
  index: fc.nat(3),
  kind: fc.nat(11),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

const fresh: Drafted = { allow: [], except: [], deny: [], identities: [identity], resources: ['urn:v1:eu:resource:vps:*'], notes: [] }

export function changed(file: File, changes: readonly Change[]): File {
  let out = file
  for (const { name, list, index, kind } of changes) {
    const old = out[name] ?? fresh
    const { [name]: _, ...rest } = out
    if (kind === 0) out = Object.keys(rest).length > 0 ? rest : out
    else out = { ...out, [name]: edited(old, { list, index, kind }) }
  }
  return out
}

function edited(old: Drafted, { list, index, kind }: Omit<Change, 'name'>): Drafted {
  if (kind === 1) return { ...old, [list]: old[list].toReversed() }
  if (kind === 2) return withField(old, 'description', [undefined, 'first', 'second', 'third'][index])
  if (kind === 3) return withField(old, 'tag', [undefined, 'dev', 'test', 'prod'][index])
  const entry = choices[list][index % choices[list].length] as string
  const note = `${list} ${entry}`
  if (kind === 4) return old[list].includes(entry) ? { ...old, notes: toggled(old.notes, note) } : old
  const now = toggled(old[list], entry)
  const isNeeded = now.length === 0 && (list === 'identities' || list === 'resources')
  return isNeeded ? old : { ...old, [list]: now, notes: old.notes.filter((each) => each !== note) }
}

const toggled = (items: readonly string[], item: string) =>
  items.includes(item) ? items.filter((each) => each !== item) : [...items, item]

function withField(old: Drafted, field: 'description' | 'tag', value: string | undefined): Drafted {
  const { [field]: _, ...rest } = old
  return value === undefined ? rest : { ...rest, [field]: value }
}

export const triple = fc.tuple(file, fc.array(change, { minLength: 1, maxLength: 3 }), fc.array(change, { minLength: 1, maxLength: 3 }))

/** An allow that one side adds below a deny that the other removes, among other edits. */
export const crossing: typeof triple = fc.tuple(triple, fc.constantFrom(...names), fc.nat(3)).map(([[base, one, two], name, index]) => {
  const own = { ...fresh, deny: [actions[index] as string] }
  const edit = (list: List): Change => ({ name, list, index, kind: 11 })
  return [{ ...base, [name]: own }, [...one.slice(0, 1), edit('allow')], [...two.slice(0, 1), edit('deny')]]
})

/** The comment behind an entry. */
const noteOf = (name: string, note: string) => `# why ${name}: ${note}`

export const styles = {
  json: (file: File) => JSON.stringify({ policies: plainOf(file) }, null, 2),
  flat: (file: File) => `${JSON.stringify({ policies: plainOf(file) })}\n`,
  yaml: (file: File) =>
    [
      '# The policies.',
      'policies:',
      ...Object.entries(file).flatMap(([name, each]) => [
        `  # About ${name}`,
        ...block(name, each).map((line, i) => `  ${i === 0 ? '- ' : '  '}${line}`),
      ]),
      '',
    ].join('\n'),
  documents: (file: File) =>
    Object.entries(file)
      .map(([name, each]) => [`# About ${name}`, ...block(name, each), ''].join('\n'))
      .join('---\n'),
  flow: (file: File) =>
    Object.entries(file)
      .map(([name, each]) =>
        [`# About ${name}`, ...inBrackets(name, each).map((line, i) => `${i === 0 ? '- ' : '  '}${line}`), ''].join('\n'),
      )
      .join(''),
  hcl: (file: File) =>
    ['variable "stage" {}', ...Object.entries(file).map(([name, each]) => resourceOf(name, each).join('\n')), '']
      .join('\n\n')
      .trimEnd()
      .concat('\n'),
} as const
export type Style = keyof typeof styles

/** How the files of a style end. */
export const endingOf = (style: Style) => (style === 'json' || style === 'flat' ? 'json' : style === 'hcl' ? 'tf' : 'yaml')
export const notationIn = (style: Style) => notationOf(`p.${endingOf(style)}`) as Notation

const itemOf = (list: List, entry: string) => (list === 'identities' ? entry : list === 'resources' ? { urn: entry } : { action: entry })

function fieldsOf(name: string, each: Drafted) {
  const of = (list: List) => each[list].map((entry) => itemOf(list, entry))
  return {
    name,
    ...(each.description !== undefined && { description: each.description }),
    identities: of('identities'),
    resources: of('resources'),
    permissions: Object.fromEntries(permissionLists.map((list) => [list, of(list)])),
    ...(each.tag !== undefined && { conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': each.tag } } }),
  }
}

const plainOf = (file: File) => Object.entries(file).map(([name, each]) => fieldsOf(name, each))

/** A policy with a line for each entry. */
function block(name: string, each: Drafted): readonly string[] {
  const of = (list: List, indent: string) =>
    each[list].length === 0
      ? [`${indent}${list}: []`]
      : [`${indent}${list}:`, ...each[list].map((entry) => `${indent}  - ${keyOf(list)}"${entry}"${behind(name, each, list, entry)}`)]
  const { conditions } = fieldsOf(name, each)
  return [
    `name: ${JSON.stringify(name)}`,
    ...(each.description === undefined ? [] : [`description: ${each.description}`]),
    ...of('identities', ''),
    ...of('resources', ''),
    'permissions:',
    ...permissionLists.flatMap((list) => of(list, '  ')),
    ...(conditions ? ['conditions:', '  operator: MATCH', '  values:', `    resource.Tag(env): ${each.tag}`] : []),
  ]
}

/** A policy with its lists in brackets; those with comments have a line for each entry. */
function inBrackets(name: string, each: Drafted): readonly string[] {
  const of = (list: List, indent: string) => {
    const items = each[list].map((entry) => (list === 'identities' ? `"${entry}"` : `{ ${keyOf(list)}"${entry}" }`))
    const isNoted = each[list].some((entry) => behind(name, each, list, entry) !== '')
    if (!isNoted) return [`${indent}${list}: [${items.join(', ')}]`]
    return [
      `${indent}${list}: [`,
      ...items.map((item, i) => `${indent}  ${item},${behind(name, each, list, each[list][i] as string)}`),
      `${indent}]`,
    ]
  }
  const { conditions } = fieldsOf(name, each)
  return [
    `name: ${JSON.stringify(name)}`,
    ...(each.description === undefined ? [] : [`description: ${each.description}`]),
    ...of('identities', ''),
    ...of('resources', ''),
    'permissions:',
    ...permissionLists.flatMap((list) => of(list, '  ')),
    ...(conditions ? [`conditions: ${JSON.stringify(conditions)}`] : []),
  ]
}

/** A policy as a resource; longer lists, and those with comments, have a line for each entry. */
function resourceOf(name: string, each: Drafted): readonly string[] {
  const of = (list: List) => {
    const items = each[list].map((entry) => `"${entry}"`)
    const isNoted = each[list].some((entry) => behind(name, each, list, entry) !== '')
    if (!isNoted && items.length < 2) return [`  ${list} = [${items.join(', ')}]`]
    return [`  ${list} = [`, ...items.map((item, i) => `    ${item},${behind(name, each, list, each[list][i] as string)}`), '  ]']
  }
  return [
    `# About ${name}`,
    `resource "svc_iam_policy" "${names.indexOf(name)}" {`,
    `  name = ${JSON.stringify(name)}`,
    ...(each.description === undefined ? [] : [`  description = "${each.description}"`]),
    ...lists.flatMap(of),
    ...(each.tag === undefined
      ? []
      : ['  conditions {', '    operator = "MATCH"', `    values   = { "resource.Tag(env)" = "${each.tag}" }`, '  }']),
    '}',
  ]
}

const keyOf = (list: List) => (list === 'identities' ? '' : list === 'resources' ? 'urn: ' : 'action: ')

const behind = (name: string, { notes }: Drafted, list: List, entry: string) =>
  notes.includes(`${list} ${entry}`) ? ` ${noteOf(name, `${list} ${entry}`)}` : ''

/** A list as both sides lead to it: what both have, and what a side adds. */
const mergedList = (base: readonly string[], ours: readonly string[], theirs: readonly string[]) =>
  [...new Set([...ours, ...theirs])].filter((each) => {
    const [old, mine, other] = [base, ours, theirs].map((list) => list.includes(each))
    return mine === old ? other : mine
  })

const mergedField = (base: string | undefined, ours: string | undefined, theirs: string | undefined) => (ours === base ? theirs : ours)

/** The policies that a merge without a conflict has to hold. The only one of a file by itself may have another name. */
export function wantedOf([base, ours, theirs]: readonly [File, File, File], isWholeFile: boolean): File {
  const [old, mine, other] = [base, ours, theirs].map((each) => Object.entries(each)) as [[string, Drafted][], ...[string, Drafted][][]]
  const [[one], [first], [second]] = [old, mine ?? [], other ?? []]
  if (isWholeFile && one && first && second && [old, mine, other].every((all) => all?.length === 1))
    return { [mergedField(one[0], first[0], second[0]) as string]: mergedPolicy(one[1], first[1], second[1]) }
  const all = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
  return Object.fromEntries(
    all.flatMap((name): [string, Drafted][] => {
      const [old, mine, other] = [base[name], ours[name], theirs[name]]
      if (!old) return [[name, (mine ?? other) as Drafted]]
      return mine && other ? [[name, mergedPolicy(old, mine, other)]] : []
    }),
  )
}

function mergedPolicy(base: Drafted, ours: Drafted, theirs: Drafted): Drafted {
  const part = (list: List | 'notes') => mergedList(base[list], ours[list], theirs[list])
  const [description, tag] = (['description', 'tag'] as const).map((field) => mergedField(base[field], ours[field], theirs[field]))
  return {
    identities: part('identities'),
    resources: part('resources'),
    allow: part('allow'),
    except: part('except'),
    deny: part('deny'),
    notes: part('notes'),
    ...(description !== undefined && { description }),
    ...(tag !== undefined && { tag }),
  }
}

/** The differences of a merged world from what it has to hold: none where no edit is lost. */
export function lostIn(world: World, wanted: File): readonly string[] {
  const strange = world.policies.filter(({ name }) => !wanted[name.value]).map(({ name }) => `${name.value}: unexpected`)
  const lost = Object.entries(wanted).flatMap(([name, want]) => {
    const found = world.policies.filter((each) => each.name.value === name)
    const [policy] = found
    if (found.length !== 1 || !policy) return [`${name}: ${found.length} times`]
    const { identities, resources, permissions, description } = policy
    const now: Readonly<Record<List, readonly string[]>> = {
      identities: identities.map(({ value }) => value.text),
      resources: resources.map(({ value }) => value.text),
      allow: permissions.allow.map(({ value }) => value.text),
      except: permissions.except.map(({ value }) => value.text),
      deny: permissions.deny.map(({ value }) => value.text),
    }
    const said =
      description?.value === want.description ? [] : [`${name}: described as ${description?.value}, expected ${want.description}`]
    const wrong = lists.filter((list) => JSON.stringify([...now[list]].sort()) !== JSON.stringify([...want[list]].sort()))
    return [...said, ...wrong.map((list) => `${name}: ${list} ${now[list]}, expected ${want[list]}`)]
  })
  return [...strange, ...lost]
}

/** The comments of a merge that a text does not have: those of entries and policies that it has to hold. */
export function commentsLostIn(text: string, wanted: File): readonly string[] {
  const comments = Object.entries(wanted).flatMap(([name, each]) => [
    `# About ${name}\n`,
    ...each.notes
      .filter((note) => lists.some((list) => each[list].some((entry) => note === `${list} ${entry}`)))
      .map((note) => `${noteOf(name, note)}\n`),
  ])
  return comments.filter((comment) => !text.includes(comment))
}

/** Faults of a merge without a conflict of three versions in a style: nothing, where it has all edits and grants nothing new. */
export async function faultsOf(text: string, versions: readonly [File, File, File], style: Style): Promise<readonly string[]> {
  const wanted = wantedOf(versions, style === 'documents')
  const { world, errors } = await readMerged(text, notationIn(style))
  if (errors.length > 0) return errors
  const [ours, theirs, both] = await Promise.all(
    [versions[1], versions[2], wanted].map(async (file) => (await readMerged(styles[style](file), notationIn(style))).world),
  )
  const isNew = together(world, [ours, theirs] as [World, World], ['ours', 'theirs'], { run: new Budget() }).verdict !== 'same'
  const isOther = diff(world, both as World).verdict !== 'same'
  return [
    ...lostIn(world, wanted),
    ...(endingOf(style) !== 'json' ? commentsLostIn(text, wanted) : []),
    ...(isNew ? ['it grants what neither side grants'] : []),
    ...(isOther ? ['its access is not the one of the entries of both sides'] : []),
  ]
}

async function readMerged(text: string, notation: Notation) {
  const source = sourceOf(notation === 'hcl' ? 'merged.tf' : 'merged', text, notation)
  const { facts, diagnostics } = await readSources([{ source, isNamed: true }], testSettings, allReaders)
  const { world, diagnostics: further } = buildWorld(facts)
  return { world, errors: [...diagnostics, ...further].filter(({ severity }) => severity === 'error').map(({ message }) => message) }
}
