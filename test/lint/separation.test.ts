import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { matches } from '../../src/glob.ts'
import { dutiesIn } from '../../src/lint/separation.ts'
import { worldOf } from '../support/worlds.ts'

/** The duties of a guardrail over the catalogue are held over its actions, and those over everything over all that there may be. */

test('duties have an action that the catalogue lacks only where they are over everything', () => {
  const catalogue = loadCatalogue()
  const { policies } = worldOf({
    policies: ['vps:apisvc:snapshot/*', 'vps:apisvc:terminate'].map((action) => ({
      name: action,
      identities: ['urn:v1:eu:identity:user:*'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action }] },
    })),
  })
  const separation = { duties: policies, identities: [], except: [], sameResource: false, steps: true } as const
  for (const over of ['all', 'catalogue'] as const) {
    const { duties } = dutiesIn({ ...separation, over }, { catalogue })
    const has = (action: string) => duties.some(({ permissions }) => permissions.allow.some(({ value }) => matches(value, action)))
    expect([over, has('vps:apisvc:snapshot/newest')]).toEqual([over, over === 'all'])
    for (const action of [...catalogue.actionsOf('vps')].filter((each) => /snapshot\/|terminate$/.test(each)))
      expect([action, has(action)]).toEqual([action, true])
  }
})
