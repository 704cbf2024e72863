// Many questions over one world: `compile` builds tables once, and each answer is a few look-ups.
import { compile, readWorld } from 'grantwise'

const policies = ['ann', 'bob', 'eve'].map((login, i) => ({
  name: `servers of ${login}`,
  identities: [`urn:v1:eu:identity:user:ab12-svc/${login}`],
  resources: [{ urn: `urn:v1:eu:resource:vps:vps-${i}*` }],
  permissions: { allow: [{ action: 'vps:*' }], except: [{ action: 'vps:apisvc:reinstall' }] },
}))
const { world, diagnostics } = await readWorld([{ path: 'policies.json', text: JSON.stringify(policies) }])
if (!world) throw new Error(diagnostics[0].message)

const engine = compile(world)
const at = Date.UTC(2026, 0, 1)
for (const login of ['ann', 'bob', 'eve']) {
  const allowed = Array.from({ length: 30 }, (_, i) => `urn:v1:eu:resource:vps:vps-${i}`).filter((resource) => {
    const question = { identity: `urn:v1:eu:identity:user:ab12-svc/${login}`, action: 'vps:apisvc:reboot', resource, at }
    return engine.verdict(question) === 'allow'
  })
  console.log(`${login} may reboot ${allowed.length} of 30`)
}
