// Stands for the tests of a client: gets a token, makes calls, and fails if an answer is not as expected.
const { API_URL, CLIENT_ID, CLIENT_SECRET } = process.env

const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: CLIENT_ID, client_secret: CLIENT_SECRET, scope: 'all' })
const { access_token } = await (await fetch(`${API_URL}/auth/oauth2/token`, { method: 'POST', body: form })).json()
const headers = { Authorization: `Bearer ${access_token}` }

const expected = [
  ['GET', '/v1/hosting/web/example.org', 200],
  ['GET', '/v1/hosting/web/shop.example.org', 403],
  ['POST', '/v1/hosting/web/example.org/terminate', 403],
]
for (const [method, path, status] of expected) {
  const answer = await fetch(`${API_URL}${path}`, { method, headers })
  console.log(`${answer.status} ${method} ${path}`)
  if (answer.status !== status) process.exitCode = 1
}
