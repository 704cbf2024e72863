import type { Located } from '../../source.ts'
import type { Finding, Rule } from '../rule.ts'
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
  needs: 'mayBeUnlisted',
  *policy({ identities, resources, node }, { settings }) {
    // An entry that could not be read may be the one that meets the others.
    if (identities.length !== countWritten(node, 'identities') || resources.length !== countWritten(node, 'resources')) return
    const knownRegions = (urns: readonly Urn[]) =>
      new Set(urns.map(({ value }) => value.region).filter((region) => settings.regions.includes(region)))
    const [theirs, ours] = [knownRegions(identities), knownRegions(resources)]
    if (theirs.size === 0 || ours.size === 0) return
    const isStrange = ({ value: { region } }: Urn) => theirs.has(region) !== ours.has(region)
    const strangeResources = resources.filter((urn) => isStrange(urn) && ours.has(urn.value.region))
    for (const urn of strangeResources) yield inOtherRegion(urn, 'resource', 'identities', theirs)
    // If nothing matches, reporting one side is enough.
    if (strangeResources.length === resources.length) return
    for (const urn of identities)
      if (isStrange(urn) && theirs.has(urn.value.region)) yield inOtherRegion(urn, 'identity', 'resources', ours)
  },
}

type Urn = Located<{ readonly text: string; readonly region: string }>

function inOtherRegion(urn: Urn, kind: string, others: string, regions: ReadonlySet<string>): Finding {
  return {
    span: insideUrn(urn, regionStart, regionStart + urn.value.region.length),
    message: `this ${kind} is in another region than all ${others} of the policy, which are in ${some([...regions])}`,
    help: `correct the region, or move the ${kind} to a policy for its region`,
  }
}
