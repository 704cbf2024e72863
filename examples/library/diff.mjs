// The access that an edit adds and removes, as data.
import { diff, differenceJson, readWorld } from 'grantwise'

const policy = (permissions) => ({
  name: 'servers',
  identities: ['urn:v1:eu:identity:group:ab12-svc/operations'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions,
})
const worldOf = async (path, permissions) => {
  const { world, diagnostics } = await readWorld([{ path, text: JSON.stringify(policy(permissions)) }])
  if (!world) throw new Error(diagnostics[0].message)
  return world
}

const before = await worldOf('before.json', { allow: [{ action: 'vps:apisvc:reboot' }], deny: [{ action: 'vps:apisvc:terminate' }] })
const after = await worldOf('after.json', { allow: [{ action: 'vps:*' }], deny: [{ action: 'vps:apisvc:terminate' }] })

const { verdict, gained, lost } = differenceJson(diff(before, after))
console.log(verdict, gained.length, lost.length)
for (const { identities, actions, except, witness, causes } of gained) {
  console.log('gained', identities.join(), actions.join())
  for (const { why, actions } of except) console.log('  except', actions.join(), why)
  console.log('  such as', witness.action)
  for (const { file, line, what, change } of causes) console.log(`  ${file}:${line} ${what} ${change}`)
}
