import { expect, test } from 'vitest'
import { testService } from '../support/service.ts'

test('from a token to a refused and an allowed call', () => {
  const { call, allow } = testService()
  const refused = call('GET', '/v1/hosting/web/example.org')
  expect(refused).toMatchObject({
    status: 403,
    origin: 'document',
    body: { class: 'Client::Forbidden', message: 'User not granted for this request' },
  })
  allow(['webHosting:apisvc:get'])
  expect(call('GET', '/v1/hosting/web/example.org')).toMatchObject({ status: 200, body: { serviceName: 'example.org' } })
  expect(call('GET', '/1.0/hosting/web/example.org').status).toBe(200)
  expect(call('GET', '/v1/hosting/web/example.org', { region: 'ca' }).status).toBe(401)
})
