import { diff, differenceText, readWorld } from 'grantwise'

const worldOf = async (path, allow) => {
  const identities = ['urn:v1:eu:identity:group:ab12-svc/operations']
  const policy = { name: 'servers', identities, resources: [{ urn: 'urn:v1:eu:resource:vps:*' }], permissions: { allow } }
  const { world, diagnostics } = await readWorld([{ path, text: JSON.stringify(policy) }])
  if (!world) throw new Error(diagnostics[0].message)
  return world
}
const before = await worldOf('before.json', [{ action: 'vps:apisvc:reboot' }])
const after = await worldOf('after.json', [{ action: 'vps:*' }])
const difference = diff(before, after)
console.log(difference.verdict, difference.gained.length, difference.lost.length)
console.log(differenceText(difference, { worlds: [before, after] }).trimEnd())
