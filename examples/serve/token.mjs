// Gets a token with a standard OAuth 2.0 client library, and prints the answer of the token endpoint as JSON.
//
//   CLIENT_ID=… CLIENT_SECRET=… node token.mjs http://127.0.0.1:8765/eu
//
// A refusal goes to standard error as `error: description`, with exit code 1.
import * as oauth from 'oauth4webapi'

const [authUrl] = process.argv.slice(2)
const { CLIENT_ID: id, CLIENT_SECRET: secret } = process.env
if (!authUrl || !id || !secret) throw new Error('usage: CLIENT_ID=… CLIENT_SECRET=… node token.mjs {auth_url}')

const server = { issuer: authUrl, token_endpoint: `${authUrl}/auth/oauth2/token` }
const client = { client_id: id }
// The interface takes the client in the form. The emulator uses plain HTTP, on this machine only.
const options = { [oauth.allowInsecureRequests]: true }
const response = await oauth.clientCredentialsGrantRequest(
  server,
  client,
  oauth.ClientSecretPost(secret),
  new URLSearchParams({ scope: 'all' }),
  options,
)
try {
  const answer = await oauth.processClientCredentialsResponse(server, client, response)
  console.log(JSON.stringify(answer))
} catch (error) {
  // An error of RFC 6749, in the body or in a `WWW-Authenticate` header; anything else is unexpected.
  if (!(error instanceof oauth.ResponseBodyError)) throw error
  console.error(`${error.error}: ${error.error_description}`)
  process.exitCode = 1
}
