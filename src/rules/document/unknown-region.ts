import { nearest } from '../../nearest.ts'
import type { Located } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { insideUrn } from '../support/conditions.ts'
import { replacement, withPart } from '../support/fixes.ts'
import { didYouMean, quote, some } from '../support/text.ts'

const regionStart = 'urn:v1:'.length

export const unknownRegion: Rule = {
  code: 'unknown-region',
  section: 'document',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'A URN in a region that is not configured.',
  why:
    'A URN only matches within its own region. With a region that does not exist, an `allow` grants nothing and a `deny` denies ' +
    'nothing. The known regions are listed under `regions` in the configuration; add new ones there.',
  needs: 'mayBeUnlisted',
  *policy({ identities, resources, permissionsGroups }, { settings: { regions } }) {
    const isOdd = ({ value }: Located<{ readonly text: string; readonly region: string }>) => !regions.includes(value.region)
    for (const urn of [...identities.filter(isOdd), ...resources.filter(isOdd), ...permissionsGroups.filter(isOdd)]) {
      const { region } = urn.value
      const suggested = nearest(region, regions)
      yield {
        span: insideUrn(urn, regionStart, regionStart + region.length),
        message: `unknown region ${quote(region)}: the known regions are ${some(regions)}`,
        help: suggested ? didYouMean(suggested) : 'if the region exists, add it to `regions` in the configuration',
        ...replacement(urn.span, withPart(urn.value.text, regionStart, region.length, suggested), false),
      }
    }
  },
}
