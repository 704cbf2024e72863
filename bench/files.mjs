import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The bare program, which only reads and parses the files. */
export const bareName = 'bare.mjs'
const bareProgram = `import { readdirSync, readFileSync } from 'node:fs'
let values = 0
for (const name of readdirSync('policies', { recursive: true }))
  if (name.endsWith('.json')) values += JSON.parse(readFileSync('policies/' + name, 'utf8')).resources.length
console.log(values)
`

/**
 * Writes files of 1 to 4 KB into `policies`, a policy in each, a hundred in a folder: in the usual layout, with no finding in any.
 * Next to it the bare program. The length of all files.
 */
export function writeFiles(top, count) {
  const actions = ['get', 'reboot', 'start', 'stop', 'ips/get', 'disks/get', 'snapshot/get', 'serviceInfos/get', 'option/get', 'tasks/get']
  let seed = 1
  const random = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  let size = 0
  for (let i = 0; i < count; i++) {
    const place = join(top, 'policies', `team-${String(Math.floor(i / 100)).padStart(3, '0')}`)
    if (i % 100 === 0) mkdirSync(place, { recursive: true })
    const resources = 8 + random(48)
    const users = 2 + random(6)
    const policy = {
      name: `policy-${i}`,
      description: `What group ${i} does with its servers, and nothing else.`,
      identities: Array.from({ length: users }, (_, k) => `urn:v1:eu:identity:user:ab12-svc/user-${i}-${k}`).sort(),
      resources: Array.from({ length: resources }, (_, k) => ({ urn: `urn:v1:eu:resource:vps:vps-${i}-${String(k).padStart(2, '0')}` })),
      permissions: {
        allow: actions
          .slice(0, 3 + random(7))
          .sort()
          .map((path) => ({ action: `vps:apisvc:${path}` })),
      },
    }
    const text = `${JSON.stringify(policy, null, 2)}\n`
    size += text.length
    writeFileSync(join(place, `policy-${i}.json`), text)
  }
  writeFileSync(join(top, bareName), bareProgram)
  return size
}
