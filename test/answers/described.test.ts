import { expect, test } from 'vitest'
import { describedAnswer } from '../../src/answers/described.ts'
import type { Clause } from '../../src/simulate/decision.ts'
import type { AccessRow } from '../../src/symbolic/described-access.ts'
import { always } from '../../src/symbolic/formula.ts'
import { worldOf } from '../support/worlds.ts'

const { policies } = worldOf({
  name: 'p',
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:*' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }, { action: 'vps:apisvc:reboot' }] },
})
const clauses = policies.flatMap((policy): Clause[] => policy.permissions.allow.map((entry) => ({ policy, list: 'allow', entry })))
const common = { identities: ['u'], resources: ['r'], verdict: 'unknown', reason: 'unknown', condition: always, missing: [] } as const
const row = (action: string, entries: readonly Clause[]): AccessRow => ({ ...common, actions: [action], clauses: entries })
const rowsOf = (rows: readonly AccessRow[]) => {
  const asked = { resource: undefined, isEmpty: false, at: undefined }
  const { sections } = describedAnswer(asked, { rows, complete: true, reasons: [], isCut: false }, [])
  return sections.flatMap((section) => section.rows.map(({ actions, by }) => [actions, by.length]))
}

test('actions that differ in their entries are one row, those of an unknown permissions group another', () => {
  const [first, second] = clauses.map((clause) => [clause])
  expect(rowsOf([row('a', first ?? []), row('b', second ?? []), row('c', [])])).toEqual([
    [['a', 'b'], 2],
    [['c'], 0],
  ])
})
