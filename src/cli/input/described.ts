import type { DeploymentChange } from '../../deployment/facts.ts'
import { glob, matches } from '../../glob.ts'
import { keyOf } from '../../keys.ts'
import type { Policy } from '../../policy.ts'
import type { Span } from '../../source.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { plainValue } from '../../tree.ts'

/** A statement of a file about a group: what it holds, or a user that is in it. */
interface Described {
  readonly group: string
  readonly path: string
  readonly mark: string
}

/**
 * Descriptions of groups that came with other policies which depend on them: a group that is only described as smaller, or as one with
 * more of those to whom something is denied, seems to give less than it does. Those of configurations are deployed with their policies.
 */
export function describedAnew([before, after]: readonly ReadFiles[]): readonly DeploymentChange[] {
  if (!before || !after) return []
  const policies = policiesOf(after)
  const old = new Set(textsOf(policiesOf(before)))
  if (textsOf(policies).every((text) => old.has(text))) return []
  const named = [...new Set(policies.flatMap(groupsIn))].map(glob)
  const earlier = new Set(descriptionsIn(before).map(({ mark }) => mark))
  const changes = new Map<string, DeploymentChange>()
  for (const { group, path, mark } of descriptionsIn(after))
    if (!earlier.has(mark) && !changes.has(path) && named.some((each) => matches(each, group)))
      changes.set(path, { path, why: `it describes \`${group}\` otherwise than before, and policies that may depend on it change with it` })
  return [...changes.values()]
}

const policiesOf = ({ each }: ReadFiles): readonly Policy[] => each.flatMap(({ read }) => read.facts.policies)

const textsOf = (policies: readonly Policy[]): readonly string[] => policies.map(({ node }) => JSON.stringify(plainValue(node)))

/** The groups that a policy names, in any region: of some only the id is known. */
const groupsIn = ({ identities, resources, permissionsGroups }: Policy): readonly string[] =>
  [...identities, ...resources, ...permissionsGroups].map(({ value }) => value.text.replace(/^(urn:v1:)[^:]*/, '$1*'))

function descriptionsIn({ each }: ReadFiles): readonly Described[] {
  return each.flatMap(({ read }) => {
    if (read.kind !== 'policies') return []
    const { permissionsGroups, resourceGroups, identities, resources } = read.facts
    const described = (group: string, { source }: Span, ...content: readonly string[]): Described => ({
      group,
      path: source.path,
      mark: keyOf(group, ...content),
    })
    return [
      ...permissionsGroups.map(({ urn, node, span }) => described(urn.value.text, span, JSON.stringify(plainValue(node)))),
      ...resourceGroups.map(({ urn, members, ids, span }) => {
        const ofIds = resources.flatMap((resource) => (resource.id !== undefined && ids.includes(resource.id) ? resource.urn.value : []))
        return described(urn.value, span, ...[...members, ...ids, ...ofIds].map(String).sort())
      }),
      ...identities.flatMap(({ urn, groups, span }) => groups.map((group) => described(group, span, String(urn.value)))),
    ]
  })
}
