import { isSlip } from '../../nearest.ts'
import type { Rule } from '../rule.ts'
import { insideUrn } from '../support/conditions.ts'
import { withPart } from '../support/fixes.ts'
import { suggestion } from '../support/suggest.ts'
import { unknownFinding } from '../support/unknown.ts'

export const unknownType: Rule = {
  code: 'unknown-type',
  section: 'resources',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'A resource type that is not in the catalogue.',
  why:
    'A resource URN with a misspelt type matches no resource: an `allow` grants nothing, and a `deny` protects nothing. A type is not ' +
    'always the name of the product: the actions of `ipLoadbalancing` apply to resources of type `loadbalancer`. The service may have ' +
    'newer types than the catalogue: a name one typo away from a known one is a warning, any other name is info.',
  needs: 'mayBeUnlisted',
  *policy({ resources }, context) {
    const { catalogue } = context
    let lastKnown: string | undefined
    for (const urn of resources) {
      if (urn.value.kind !== 'resource' || urn.value.type.includes('*')) continue
      const { type, region } = urn.value
      if (type === lastKnown) continue
      if (catalogue.types.includes(type)) {
        lastKnown = type
        continue
      }
      // A product without known types has the type of its name.
      if (catalogue.products.includes(type) && catalogue.typesOf(type).length === 0) continue
      const start = `urn:v1:${region}:resource:`.length
      const suggested = suggestion(context, 'type', type)
      yield unknownFinding(
        { value: type, span: insideUrn(urn, start, start + type.length) },
        {
          subject: 'type',
          suggested,
          isSlip: suggested !== undefined && (isSlip(type, suggested) || catalogue.products.includes(type)),
          so: 'this may match no resource',
          seen: catalogue.seen,
          whole: { span: urn.span, text: withPart(urn.value.text, start, type.length, suggested) },
        },
      )
    }
  },
}
