/**
 * Inputs that once took a command minutes, each in any size: bench/limits.mjs measures them at the size at which they were
 * found, and the tests count steps at smaller ones. Files by name, as text.
 */

const user = (i) => `urn:v1:eu:identity:user:ab12-svc/u${i}`
const group = (i) => `urn:v1:eu:identity:group:ab12-svc/g${i}`
const resource = (i) => `urn:v1:eu:resource:vps:v${i}`
const named = (names) => names.map((action) => ({ action }))
const policies = (list) => JSON.stringify({ policies: list })
/** One policy about all servers and one user; `edit` changes it. */
const policy = (name, edit = {}) => ({
  name,
  identities: [user(0)],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: { allow: named(['vps:apisvc:reboot']) },
  ...edit,
})
const match = (values) => ({ operator: 'MATCH', values })
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** Teams over described users and servers: each policy has its own mixture of both and of actions. */
export function described(count, users = 80) {
  const actions = [
    'vps:*',
    'vps:apisvc:get',
    'vps:apisvc:re*',
    'dnsZone:*',
    'vps:apisvc:terminate',
    'webHosting:*',
    'publicCloudProject:*',
    '*:apisvc:get',
  ]
  const world = {
    identities: Array.from({ length: users }, (_, i) => ({ urn: user(i), groups: [group(i % 9), group(i % 7)] })),
    resources: Array.from({ length: users }, (_, i) => ({ urn: resource(i), tags: { env: ['dev', 'prod', 'test'][i % 3] } })),
  }
  return {
    'before.json': policies([]),
    'after.json': JSON.stringify({
      ...world,
      policies: Array.from({ length: count }, (_, i) =>
        policy(`p${i}`, {
          identities: [group(i % 9), ...Array.from({ length: i % 5 }, (_, k) => user((i * 7 + k * 13) % users))],
          resources: [
            { urn: i % 3 === 0 ? 'urn:v1:eu:resource:*' : resource(`${i % 7}*`) },
            { urn: `urn:v1:eu:resource:dnsZone:z${i % 11}` },
          ],
          permissions: {
            allow: named([actions[i % actions.length], actions[(i * 3 + 1) % actions.length]]),
            ...(i % 4 === 0 && { except: named([`vps:apisvc:x${i}*`]) }),
            ...(i % 6 === 5 && { deny: named([actions[(i + 2) % actions.length]]) }),
          },
          ...(i % 5 === 2 && { conditions: match({ 'resource.Tag(env)': ['dev', 'prod', 'test'][i % 3] }) }),
        }),
      ),
    }),
  }
}

/** One policy with many actions, all different. */
export function actions(count) {
  return {
    'before.json': policies([]),
    'after.json': policies([
      policy('many', { permissions: { allow: named(Array.from({ length: count }, (_, i) => `vps:apisvc:a${i}/b`)) } }),
    ]),
  }
}

/** One policy with many identities, all different. */
export function identities(count) {
  return {
    'before.json': policies([]),
    'after.json': policies([policy('many', { identities: Array.from({ length: count }, (_, i) => user(i)) })]),
  }
}

/** A condition on the hour in each of many time zones. */
export function zones(all) {
  const conditions = {
    operator: 'OR',
    conditions: all.map((zone, i) => match({ [`date(${zone}).Hour`]: `${i % 24}`, [`date(${zone}).Date`]: '2026-03-29' })),
  }
  return { 'before.json': policies([]), 'after.json': policies([policy('zones', { conditions })]) }
}

const tag = (key, value) => match({ [`resource.Tag(${key})`]: value })
const or = (...conditions) => ({ operator: 'OR', conditions })
const and = (...conditions) => ({ operator: 'AND', conditions })

/** A condition that is one AND of many ORs of two tags each. */
export function pairsOfOr(count) {
  return {
    'before.json': policies([]),
    'after.json': policies([
      policy('pairs', { conditions: and(...Array.from({ length: count }, (_, i) => or(tag(`a${i}`, 'x'), tag(`b${i}`, 'y')))) }),
    ]),
  }
}

/** A condition of many pairs of two ORs. */
export function orOfPairs(count) {
  return {
    'before.json': policies([]),
    'after.json': policies([
      policy('pairs', {
        conditions: or(
          ...Array.from({ length: count }, (_, i) =>
            and(or(tag(`a${i}`, 'x'), tag(`b${i}`, 'y')), or(tag(`c${i}`, 'x'), tag(`d${i}`, 'y'))),
          ),
        ),
      }),
    ]),
  }
}

/** A condition of many blocks, each with one value. */
export function blocks(count) {
  return {
    'before.json': policies([]),
    'after.json': policies([policy('blocks', { conditions: or(...Array.from({ length: count }, (_, i) => tag(`k${i % 30}`, `v${i}`))) })]),
  }
}

/** Many policies of one user on all servers, each where a tag has a value of its own; every other one denies. */
export function tagged(count) {
  return {
    'before.json': policies([]),
    'after.json': policies(
      Array.from({ length: count }, (_, i) =>
        policy(`p${i}`, {
          permissions: { [i % 2 === 0 ? 'allow' : 'deny']: named(['vps:apisvc:reboot', `vps:apisvc:x${i}`]) },
          conditions: tag('env', `v${i}`),
        }),
      ),
    ),
  }
}

/** Many comments that suppress nothing. */
export function comments(count) {
  return {
    'many.yaml': `${Array.from({ length: count }, (_, i) => `# grantwise-ignore impossible-condition: reason ${i}\n`).join('')}name: p\nidentities: ["${user(0)}"]\nresources: [{urn: "urn:v1:eu:resource:vps:*"}]\npermissions: {allow: [{action: vps:apisvc:reboot}]}\n`,
  }
}

/** Excepts with inner wildcards, stacked, which nothing decides quickly. */
export function stacked(count = 16) {
  return {
    'before.json': policies(
      [...letters.slice(0, count)].map((letter) =>
        policy(letter, { permissions: { allow: named(['p:apisvc:*']), except: named([`*Z${letter}*`]) } }),
      ),
    ),
    'after.json': policies([
      policy('all', { permissions: { allow: named(['p:apisvc:*']) } }),
      policy('no', { permissions: { deny: named(['*Zo*Zp*', '*Zp*Zo*']) } }),
    ]),
  }
}
