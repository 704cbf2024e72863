import { describe, expect, test } from 'vitest'
import { loadOperations } from '../../src/actions/operations.ts'
import { readCall } from '../../src/calls/match.ts'
import { judge, type Plans, refusedByRules } from '../../src/emulator/auth/rights.ts'
import type { Caller, ServiceRequest } from '../../src/emulator/model/exchange.ts'
import { testAccount, testService } from '../support/service.ts'

/** Decisions about the right to a call: by remembered needs, and by the rules of a key. */

const requestOf = (method: string, path: string): ServiceRequest => ({
  region: 'eu',
  method,
  url: `http://localhost/eu${path}`,
  path,
  query: new Map(),
  headers: {},
  body: '',
  ip: '192.0.2.1',
})

function callOf(method: string, path: string) {
  const { call } = readCall(method, path)
  if (!call) throw new Error(`${method} ${path} is no call`)
  return call
}

test('needs that are remembered are those of the same identity in the same account', () => {
  const other = 'cd34-svc'
  const account = { kind: 'account', key: other, value: { id: other, region: 'eu', schemasVersion: 1 } } as const
  const { service } = testService({ state: [account] })
  const [ann, bob] = ['ann', 'bob'].map((name) => `urn:v1:eu:identity:user:${testAccount}/${name}`) as [string, string]
  const callers: readonly Caller[] = [
    { identity: ann, account: testAccount },
    { identity: ann, account: other },
    { identity: bob, account: other },
    { identity: bob, account: testAccount },
    { identity: ann, account: testAccount },
  ]
  const resourcesOf = (caller: Caller, method: string, path: string, plans?: Plans) =>
    judge(service, caller, requestOf(method, path), callOf(method, path), plans).requirements.map(({ action, resource }) => [
      action,
      resource,
    ])
  const differing = new Set<string>()
  for (const { branch, method, path: written } of loadOperations().slice(0, 400)) {
    const path = `/${branch}${written.replace(/\{\w+\}/g, 'one')}`
    const plans: Plans = new Map()
    const fresh = callers.map((caller) => resourcesOf(caller, method, path))
    expect(
      callers.map((caller) => resourcesOf(caller, method, path, plans)),
      `${method} ${path}`,
    ).toEqual(fresh)
    if (JSON.stringify(fresh[0]) !== JSON.stringify(fresh[1])) differing.add(path)
  }
  expect(differing.size).toBeGreaterThan(0)
})

describe('a call that needs a session only', () => {
  const refused = (sent: string, rule: string) =>
    refusedByRules(
      {
        identity: `urn:v1:eu:identity:user:${testAccount}/ann`,
        account: testAccount,
        credential: { consumerKey: 'c1', rules: [{ method: 'GET', path: rule }] },
      },
      callOf('GET', sent),
    )?.status

  test('is refused outside the rules of its key', () => {
    expect(refused('/v1/auth/currentCredential', '/auth/currentCredential')).toBeUndefined()
    expect(refused('/v1/auth/currentCredential', '/me')).toBe(403)
  })
  test('is not let through where a rule has only one form of its path', () => {
    expect(refused('/v1/auth/currentCredential/', '/auth/currentCredential')).toBe(501)
    expect(refused('/auth/currentCredential', '/v2/auth/currentCredential')).toBe(501)
  })
  test('is let through without a key', () => {
    expect(refusedByRules({ identity: 'i', account: testAccount }, callOf('GET', '/v1/auth/currentCredential'))).toBeUndefined()
  })
})
