import { describe, expect, test } from 'vitest'
import {
  accountMajor,
  assetVersions,
  chooseVersion,
  firstVersion,
  type SchemaHistory,
  servedVersions,
  setSchemasVersion,
} from '../../src/emulator/model/schemas.ts'
import { testAccount, testService } from '../support/service.ts'

const history: SchemaHistory = [
  { major: 1, minor: 0, releasedAt: '2024-01-01T00:00:00.000Z', withdrawnAt: '2025-06-01T00:00:00.000Z', changelog: 'first version' },
  { major: 1, minor: 1, releasedAt: '2024-03-01T00:00:00.000Z', withdrawnAt: '2025-06-01T00:00:00.000Z', changelog: 'adds a field' },
  { major: 2, minor: 0, releasedAt: '2025-01-01T00:00:00.000Z', changelog: 'breaking: moves a field' },
  { major: 3, minor: 0, releasedAt: '2025-05-01T00:00:00.000Z', changelog: 'breaking: renames a field' },
]
const majorsAt = (at: string) => servedVersions(history, at).map(({ major, minor }) => `${major}.${minor}`)

test('versioning, rules 2 and 3: every version has two incrementing numbers and a changelog', () => {
  for (const versions of [firstVersion, assetVersions]) {
    for (const [i, { major, minor, changelog, releasedAt }] of versions.entries()) {
      expect(changelog).not.toBe('')
      const before = versions[i - 1]
      if (!before) expect([major, minor]).toEqual([1, 0])
      else {
        expect(releasedAt > before.releasedAt).toBe(true)
        expect([
          [before.major, before.minor + 1],
          [before.major + 1, 0],
        ]).toContainEqual([major, minor])
        expect(changelog.startsWith('breaking: ')).toBe(minor === 0)
      }
    }
  }
})

test('versioning, rule 4: several major versions are served in parallel, each with its latest minor', () => {
  expect(majorsAt('2024-02-01T00:00:00.000Z')).toEqual(['1.0'])
  expect(majorsAt('2025-05-31T23:59:59.999Z')).toEqual(['1.1', '2.0', '3.0'])
  expect(majorsAt('2025-06-01T00:00:00.000Z')).toEqual(['2.0', '3.0'])
  expect(servedVersions(assetVersions, '2026-01-01T00:00:00.000Z').length).toBeGreaterThan(1)
})

describe('versioning, rule 6: the header selects a major version for one call', () => {
  const at = '2025-05-15T00:00:00.000Z'
  test('the header wins over the account', () => {
    expect(chooseVersion(history, '3', 2, at)).toEqual({ major: 3, minor: 0 })
    expect(chooseVersion(history, '1', 2, at)).toEqual({ major: 1, minor: 1 })
  })
  test('without the header the version of the account applies', () => {
    expect(chooseVersion(history, undefined, 2, at)).toEqual({ major: 2, minor: 0 })
  })
  test('a version that is not served, or is no major version, is refused with those that are', () => {
    for (const header of ['4', '0', '', '1.1', '-1', 'latest', '1, 2', ' 1', '1e0', '０', '9'.repeat(400)]) {
      const choice = chooseVersion(history, header, 2, at)
      expect(choice).toMatchObject({ served: [1, 2, 3], refused: expect.stringContaining('served here: 1, 2, 3') })
      expect(String(choice.refused).length).toBeLessThan(200)
    }
    expect(chooseVersion(history, '1', undefined, '2025-06-01T00:00:00.000Z')).toMatchObject({ served: [2, 3] })
  })
})

test('versioning, rule 8: an account whose version is withdrawn is moved to the latest, not before', () => {
  expect(accountMajor(history, 1, '2025-05-31T23:59:59.999Z')).toBe(1)
  expect(accountMajor(history, 1, '2025-06-01T00:00:00.000Z')).toBe(3)
  expect(accountMajor(history, 2, '2025-06-01T00:00:00.000Z')).toBe(2)
  expect(accountMajor(history, undefined, '2025-01-15T00:00:00.000Z')).toBe(1)
  // An account's choice that a route has not reached yet: the latest of that route.
  expect(accountMajor(firstVersion, 2, '2026-01-01T00:00:00.000Z')).toBe(1)
})

test('versioning, rule 5: the customer chooses the major version of the account, among those that are served', () => {
  const { service } = testService()
  const chosen = () => service.state.table('account').get(testAccount)?.schemasVersion
  expect(setSchemasVersion(service, testAccount, '2')).toBeUndefined()
  expect(chosen()).toBe(2)
  for (const wrong of ['3', '', '1.0']) expect(setSchemasVersion(service, testAccount, wrong)).toContain('served here: 1, 2')
  expect(setSchemasVersion(service, 'nobody', '1')).toContain('no account')
  expect(chosen()).toBe(2)
})
