import assert from 'node:assert/strict'
import test from 'node:test'
import { startEmulator } from 'grantwise/emulator'

test('a service account without a policy is refused', async (t) => {
  const emulator = await startEmulator()
  t.after(() => emulator.close())
  const [{ clientId, clientSecret }] = emulator.serviceAccounts
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'all', client_id: clientId, client_secret: clientSecret })
  const { access_token } = await (await fetch(emulator.regions.eu.token, { method: 'POST', body })).json()
  const answer = await fetch(`${emulator.regions.eu.url}/v1/vps/web-1`, { headers: { authorization: `Bearer ${access_token}` } })
  assert.equal(answer.status, 403)
})
