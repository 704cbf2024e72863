import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Client, type ClientPorts, clientLimits, openClient } from '../../src/cli/live/api-client.ts'
import { type AccountServer, clientId, clientSecret, type Fault, json, startAccount } from '../support/account-server.ts'

let server: AccountServer
let now: number
let pauses: number[]
beforeEach(async () => {
  server = await startAccount({ policies: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] })
  now = 1_800_000_000_000
  pauses = []
})
afterEach(() => server.close())

function client(
  settings: { retries?: number; timeout?: number; pageSize?: number; baseUrl?: string } = {},
  ports: Partial<ClientPorts> = {},
): Client {
  return openClient(
    { baseUrl: server.url, authUrl: server.url, clientId, clientSecret, retries: 5, timeout: 5000, ...settings },
    {
      fetch,
      now: () => now,
      pause: async (milliseconds) => {
        pauses.push(milliseconds)
        now += milliseconds
      },
      random: () => 1 - Number.EPSILON,
      ...ports,
    },
  )
}

const list = (some = client()) => some.list('/v2/iam/policy')
const onList =
  (fault: Fault): Fault =>
  (request, response, count) =>
    request.url === '/v2/iam/policy' && fault(request, response, count)
const calls = (url: string) => server.seen.filter((request) => request.url === url).length

describe('waiting', () => {
  test('doubles, a bounded number of times', async () => {
    server.fault = onList((_, response) => json(response, 503, { message: 'not now' }))
    await expect(list()).rejects.toThrow('GET /v2/iam/policy: the service answers 503: not now')
    expect(pauses.map(Math.round)).toEqual([500, 1000, 2000, 4000, 8000])
    expect(calls('/v2/iam/policy')).toBe(6)
  })

  test('differs by chance, down to half', async () => {
    server.fault = onList((_, response) => json(response, 503, {}))
    await expect(list(client({ retries: 2 }, { random: () => 0 }))).rejects.toThrow()
    expect(pauses).toEqual([250, 500])
  })

  test('is as long as the service asks, in seconds or until a time', async () => {
    server.fault = onList((_, response, count) =>
      count === 0
        ? json(response, 429, {}, { 'retry-after': '7' })
        : count === 1 && json(response, 503, {}, { 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT', date: 'Fri, 20 Nov 2026 10:00:00 GMT' }),
    )
    expect(await list()).toHaveLength(3)
    expect(pauses).toEqual([7000, 30_000])
  })

  test('has an end: what would take longer is an error at once', async () => {
    server.fault = onList((_, response) => json(response, 429, {}, { 'retry-after': '50' }))
    await expect(list()).rejects.toThrow('the service answers 429, and asks to wait for 50 s; tried 3 times')
    expect(pauses.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(clientLimits.waiting)
  })

  test('is for nothing where another try would be the same', async () => {
    for (const status of [400, 404, 409, 501]) {
      server.fault = onList((_, response) => json(response, status, {}))
      await expect(list()).rejects.toThrow(`the service answers ${status}`)
    }
    expect(pauses).toEqual([])
  })

  test('covers an answer that takes too long, or is cut in its middle', async () => {
    server.fault = onList((_, response, count) => {
      if (count === 0) response.writeHead(200).write('[')
      if (count === 1) response.destroy()
      return count < 2
    })
    expect(await list(client({ timeout: 3000 }))).toHaveLength(3)
    expect(pauses).toHaveLength(2)
    server.fault = onList((_, response) => response.writeHead(200).write('[') || true)
    await expect(list(client({ timeout: 100, retries: 0 }))).rejects.toThrow('no whole answer within 0.1 s; tried 1 time')
  })

  test('covers a service that is not there', async () => {
    const { url } = server
    await server.close()
    await expect(list(client({ retries: 2, baseUrl: url }))).rejects.toThrow(/connection refused \(ECONNREFUSED\); tried 3 times/)
  })
})

describe('a list that has no end', () => {
  /** Pages that each bring something new and name a next one, but for the last. */
  const pages = (count: number): Fault => {
    let page = 0
    return onList((_, response) => {
      page++
      const next: Record<string, string> = page < count ? { 'x-pagination-cursor-next': `c${page}` } : {}
      return json(response, 200, [{ name: 'x'.repeat(1000), page }], next)
    })
  }
  const bounded = (limits: { total: number; pages: number }) =>
    openClient(
      { baseUrl: server.url, authUrl: server.url, clientId, clientSecret, retries: 0, timeout: 60_000 },
      { fetch, now: () => now, pause: async () => {}, random: () => 0 },
      limits,
    )

  test('is refused at a number of pages', async () => {
    server.fault = pages(50)
    await expect(bounded({ total: 2 ** 20, pages: 20 }).list('/v2/iam/policy')).rejects.toThrow(
      'GET /v2/iam/policy, page 20: 20 pages were read, and there is always a next one',
    )
    expect(calls('/v2/iam/policy')).toBe(20)
  })

  test('is refused at a size, that of all lists of a run together', async () => {
    const one = bounded({ total: 2 ** 15, pages: 1000 })
    server.fault = pages(20)
    expect(await one.list('/v2/iam/policy')).toHaveLength(20)
    server.fault = pages(50)
    await expect(one.list('/v2/iam/policy')).rejects.toThrow('GET /v2/iam/policy, page 13: more than 0.03125 MiB in all: the rest')
  })
})

describe('tokens', () => {
  test('are asked for once, and renewed before they end', async () => {
    const one = client()
    await one.list('/v2/iam/policy')
    await one.list('/v2/iam/policy')
    expect(calls('/auth/oauth2/token')).toBe(1)
    now += 3599_000 - 29_000
    await one.list('/v2/iam/policy')
    expect(calls('/auth/oauth2/token')).toBe(2)
    expect(one.secrets()).toEqual([clientSecret, 'token-number-1', 'token-number-2'])
  })

  test('are renewed in the middle of a list that outlives them', async () => {
    server.fault = onList(({ headers }) => {
      if (headers['x-pagination-cursor'] === '1') server.revoked.add('token-number-1')
      return false
    })
    expect(await list(client({ pageSize: 1 }))).toHaveLength(3)
    expect(calls('/auth/oauth2/token')).toBe(2)
  })

  test.each<[string, object, string]>([
    ['another type', { access_token: 'token-number-9', token_type: 'mac', expires_in: 1 }, 'not that of a token endpoint'],
    [
      'a type that is proved with a key',
      { access_token: 'token-number-9', token_type: 'DPoP', expires_in: 1 },
      'where `Bearer` is expected',
    ],
    ['no token', { token_type: 'Bearer' }, 'not that of a token endpoint'],
    [
      'a life that is no number',
      { access_token: 'token-number-9', token_type: 'Bearer', expires_in: 'long' },
      'not that of a token endpoint',
    ],
  ])('%s is an error', async (_, body, message) => {
    server.fault = ({ url }, response) => url === '/auth/oauth2/token' && json(response, 200, body)
    await expect(list()).rejects.toThrow(message)
    expect(calls('/v2/iam/policy')).toBe(0)
  })

  test('of a wrong secret are not asked for again and again', async () => {
    server.fault = ({ url }, response) => url === '/auth/oauth2/token' && json(response, 401, { error: 'invalid_client' })
    await expect(list()).rejects.toThrow('no token: `invalid_client`')
    expect(server.seen).toHaveLength(1)
  })

  test('are sent where the same host leads, and nowhere else', async () => {
    server.fault = ({ url }, response) => url === '/v2/iam/policy' && json(response, 308, {}, { location: '/v2/iam/policy?moved' })
    expect(await list()).toHaveLength(3)
    const other = await startAccount()
    server.fault = onList((_, response) => json(response, 302, {}, { location: `${other.url}/v2/iam/policy` }))
    await expect(list()).rejects.toThrow('where the token is not sent')
    server.fault = ({ url }, response) =>
      url === '/auth/oauth2/token' && json(response, 307, {}, { location: `${other.url}/auth/oauth2/token` })
    await expect(list()).rejects.toThrow('where the secret is not sent')
    expect(other.seen).toEqual([])
    await other.close()
  })
})

test('a page that repeats items of the one before it brings them once', async () => {
  server.fault = onList(({ headers }, response) =>
    headers['x-pagination-cursor'] === undefined
      ? json(response, 200, [{ name: 'a' }, { name: 'b' }], { 'x-pagination-cursor-next': 'x' })
      : json(response, 200, [{ name: 'b' }, { name: 'c' }]),
  )
  expect(await list()).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
})
