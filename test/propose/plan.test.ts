import { expect, test } from 'vitest'
import { applied, type Edit, joined, type Membership, nothing, type Plan } from '../../src/propose/plan.ts'
import { worldOf } from '../support/worlds.ts'

const [ann, ops] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:identity:group:ab12-svc/ops']
const policy = (name: string) => ({ name, identities: [ops], resources: [], permissions: { allow: [] } })
const world = worldOf({
  policies: [policy('a'), policy('b')],
  permissionsGroups: [],
  resourceGroups: [],
  resources: [],
  identities: [{ urn: ann, groups: [ops] }],
})

test('what two plans both call for is done once, and the second may be about what the first leaves', () => {
  const leave: Edit = { kind: 'leave', list: 'identities', text: ann, group: ops }
  const membership: Membership = { of: 'identity', member: ann, group: ops, isMember: false }
  const leaving: Plan = { edits: [leave], revision: new Map(), memberships: [membership] }
  const twice = joined(leaving, { ...leaving, edits: [{ ...leave }], memberships: [{ ...membership }] })
  expect([twice.edits, twice.memberships]).toEqual([[leave], [membership]])
  expect(joined(nothing, twice).edits).toEqual([leave])
  expect(applied(world, twice).identities.get(ann)?.groups).toEqual([])
  const [a, b] = world.policies
  if (!a || !b) throw new Error('no policies')
  const [once, gone] = [
    { ...a, resources: [] },
    joined({ edits: [], revision: new Map([[a, a]]) }, { edits: [], revision: new Map([[a, undefined]]) }),
  ]
  expect(applied(world, gone).policies).toEqual([b])
  const both = joined({ edits: [], revision: new Map([[a, once]]) }, { edits: [], revision: new Map([[once, undefined]]) })
  expect([...both.revision]).toEqual([[a, undefined]])
})
