import type { Rule } from '../rule.ts'
import { insideUrn } from '../support/conditions.ts'
import { some } from '../support/text.ts'
import { countWritten } from '../support/written.ts'

const regionStart = 'urn:v1:'.length

export const mixedRegions: Rule = {
  code: 'mixed-regions',
  section: 'document',
  severity: 'warning',
  summary: 'An identity or resource in a region that the other side of the policy does not use.',
  why:
    'An account, its identities and its resources are all in one region. A policy that gives identities of one region access to ' +
    'resources of another never applies. Usually the URN was copied from a policy for the other region.',
  *policy({ identities, resources, node }, { settings }) {
    const region = identities[0]?.value.region
    if (identities.every(({ value }) => value.region === region) && resources.every(({ value }) => value.region === region)) return
    // An entry that could not be read may be the one that meets the others.
    if (identities.length !== countWritten(node, 'identities') || resources.length !== countWritten(node, 'resources')) return
    const knownRegions = (urns: typeof identities | typeof resources) =>
      urns.filter((urn) => settings.regions.includes(urn.value.region)).map((urn) => urn.value.region)
    const [theirs, ours] = [new Set(knownRegions(identities)), new Set(knownRegions(resources))]
    if (theirs.size === 0 || ours.size === 0) return
    const strangeResources = resources.filter((urn) => ours.has(urn.value.region) && !theirs.has(urn.value.region))
    for (const urn of strangeResources) {
      yield {
        span: insideUrn(urn, regionStart, regionStart + urn.value.region.length),
        message: `this resource is in another region than all identities of the policy, which are in ${some([...theirs])}`,
        help: 'correct the region, or move the resource to a policy for its region',
      }
    }
    // If nothing matches, reporting one side is enough.
    if (strangeResources.length === resources.length) return
    for (const urn of identities.filter((urn) => theirs.has(urn.value.region) && !ours.has(urn.value.region))) {
      yield {
        span: insideUrn(urn, regionStart, regionStart + urn.value.region.length),
        message: `this identity is in another region than all resources of the policy, which are in ${some([...ours])}`,
        help: 'correct the region, or move the identity to a policy for its region',
      }
    }
  },
}
