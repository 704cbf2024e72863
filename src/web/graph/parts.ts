import { glob } from '../../glob.ts'
import type { PageData } from '../../page/data.ts'
import type { Tables } from '../../page/tables.ts'
import { type GraphParts, type GraphPolicy, isPartlyLeft, policyState } from '../../picture/graph.ts'
import { titled, type World } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { shown } from '../../report/safe.ts'
import { position } from '../../source.ts'

/** The input of a graph, from the tables of a page. */
export function partsOf(data: PageData, tables: Tables): GraphParts {
  const groups = new Set(data.groups.map(({ urn }) => urn))
  const identityUrns = new Set(data.identities.map(({ urn }) => urn))
  const names = namesOf(data)
  const accounts = data.identities.flatMap(({ kind, urn }, i) => (kind === 'account' ? [[i, urn] as const] : []))
  const ownerOf = (resource: number) => accounts.find(([account]) => tables.cell(account, resource)?.isRoot)?.[1]
  return {
    identities: [
      ...data.groups
        .filter(({ urn }) => !identityUrns.has(urn))
        .map(({ urn, short }) => ({ urn, label: short, isGroup: true, groups: [] })),
      ...data.identities.map(({ urn, short, groups: groupNumbers }) => ({
        urn,
        label: short,
        isGroup: groups.has(urn),
        groups: groupNumbers.flatMap((number) => data.groups[number]?.urn ?? []),
      })),
    ],
    resources: data.resources.map(({ urn, short, type }, i) => {
      const owner = ownerOf(i)
      return { urn, label: short, type: data.types[type]?.name ?? '', ...(owner !== undefined && { owner }) }
    }),
    resourceGroups: data.resourceGroups.map(({ urn, short, members, isComplete }) => ({
      urn,
      label: short,
      members: members.flatMap((number) => data.resources[number]?.urn ?? []),
      isComplete,
    })),
    policies: data.policies.map((_, i) => policyPart(data, tables, i)),
    identityLabel: (urn) => names.identity(urn),
    resourceLabel: (urn) => names.resource(urn),
  }
}

/** Short names of what is no described thing: patterns. */
function namesOf({ identities, resources, resourceGroups, policies }: PageData): Names {
  const texts = (list: readonly (readonly [text: string, ...unknown[]])[]) => list.map(([text]) => ({ value: { text } }))
  const world = {
    identities: new Map(identities.map(({ urn }) => [urn, { groups: [] }])),
    resources: new Map(resources.map(({ urn }) => [urn, {}])),
    resourceGroups: new Map(resourceGroups.map(({ urn, short }) => [urn, { name: short === urn ? undefined : short }])),
    policies: policies.map((policy) => ({ identities: texts(policy.identities), resources: texts(policy.resources) })),
  }
  return new Names([world as unknown as World])
}

function policyPart(data: PageData, tables: Tables, number: number): GraphPolicy {
  const { name, address, place, identities, resources, entries, permissionsGroups, when, expires } = data.policies[
    number
  ] as PageData['policies'][number]
  const file = data.files[place[0]]
  const all = entries.map((entry) => data.entries[entry] as PageData['entries'][number])
  const held = new Set(all.map(({ group }) => group))
  const globsOf = (list: string, of: string | undefined) =>
    all.flatMap(({ text, group, list: own }) => (own === list && group === of ? [glob(text)] : []))
  const isOpen = permissionsGroups.some((group) => !held.has(group))
  return {
    label: shown(titled(name, address)),
    type: file?.path ?? '',
    line: position(tables.source(place[0]), place[1]).line,
    ...policyState({
      at: data.at ?? data.made,
      when: data.texts[when],
      isNever: data.texts[when] === 'never',
      expires,
      isOpen,
    }),
    identities: identities.map(([text]) => text),
    resources: resources.map(([text]) => text),
    isConditional: when >= 0,
    allows: isOpen || [...held].some((group) => isPartlyLeft(globsOf('allow', group), globsOf('except', group))),
    denies: all.some(({ list }) => list === 'deny'),
  }
}
