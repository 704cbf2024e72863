import { stringify } from 'yaml'
import { loadCatalogue } from '../../src/actions/load.ts'
import { sourceOf } from '../../src/source.ts'
import { pick, type Random, shuffled } from './worlds.ts'

/** A well-formed policy as its author would write it, and the file that it is in. */
export interface WellFormed {
  readonly path: string
  readonly policy: PolicyJson
}

export interface PolicyJson {
  name: string
  description?: string
  identities: string[]
  resources: { urn: string }[]
  permissions: { allow?: { action: string }[]; except?: { action: string }[]; deny?: { action: string }[] }
  permissionsGroups?: { urn: string }[]
  conditions?: ConditionJson
  expiredAt?: string
}

export interface ConditionJson {
  operator: string
  values?: Record<string, string>
  conditions?: ConditionJson[]
}

const catalogue = loadCatalogue()
/** Products whose actions are about resources of a known type, with enough actions to choose from. */
/** The actions of a product that are not deprecated. */
const actionsOf = (product: string) => catalogue.actionsOf(product).filter((action) => !catalogue.deprecationOf(action))
const products = catalogue.products.filter(
  (product) => product !== 'account' && catalogue.typesOf(product).length > 0 && actionsOf(product).length >= 12,
)

/** Names in the generated policies: permissions groups and resource groups, as a world file describes them. */
export function inventory(count: number) {
  return {
    permissionsGroups: Array.from({ length: count }, (_, i) => {
      const product = products[i % products.length] as string
      const actions = actionsOf(product)
      return {
        urn: `urn:v1:eu:permissionsGroup:ab12-svc:care-${i}`,
        name: `care-${i}`,
        permissions: { allow: [{ action: actions[0] as string }, { action: actions[1] as string }] },
      }
    }),
    resourceGroups: Array.from({ length: count }, (_, i) => ({
      urn: `urn:v1:eu:resourceGroup:fleet-${i}`,
      name: `fleet ${i}`,
      resources: [{ urn: `urn:v1:eu:resource:${catalogue.typesOf(products[i % products.length] as string)[0]}:member-${i}.example.net` }],
    })),
  }
}

const groups = 40

/** One policy: every feature of the language turns up, with names of the catalogue. `index` keeps policies apart from each other. */
export function wellFormed(random: Random, index: number): PolicyJson {
  const chance = (share: number) => random() < share
  const region = chance(0.8) ? 'eu' : 'ca'
  const product = pick(random, products)
  const type = pick(random, catalogue.typesOf(product))
  const actions = shuffled(random, actionsOf(product)).filter((action) => !action.includes('?'))
  const account = `acc${index}-svc`
  const identities = shuffled(random, [
    `urn:v1:${region}:identity:group:${account}/ops team`,
    `urn:v1:${region}:identity:user:${account}/ann.lee@example.org`,
    `urn:v1:${region}:identity:user:${account}/idp/bob`,
    `urn:v1:${region}:identity:credential:${account}/oauth2-EU.0123456789abcdef`,
  ]).slice(0, 1 + Math.floor(random() * 2))
  const wildcard = actions
    .map((action) => `${action.slice(0, action.lastIndexOf('/') + 1)}*`)
    .find((pattern) => pattern.includes('/') && actionsOf(product).filter((a) => a.startsWith(pattern.slice(0, -1))).length >= 3)
  const under = wildcard ? actionsOf(product).filter((action) => action.startsWith(wildcard.slice(0, -1))) : []
  const allow = wildcard && chance(0.5) ? [wildcard] : []
  const own = actions.filter((action) => !under.includes(action))
  allow.push(...own.slice(0, 1 + Math.floor(random() * 4)))
  if (allow.length === 0) allow.push(actions[0] as string)
  const permissions: PolicyJson['permissions'] = { allow: allow.map((action) => ({ action })) }
  if (allow[0] === wildcard && wildcard && chance(0.5)) permissions.except = [{ action: under[0] as string }]
  const denied = own.slice(6, 7 + Math.floor(random() * 2))
  if (denied.length > 0 && chance(0.25)) permissions.deny = denied.map((action) => ({ action }))
  const names = shuffled(random, [
    `host-${index}.example.net`,
    `site-${index}.example.org`,
    `198.51.100.${index % 250}/32`,
    `2001:db8:${(index % 9999).toString(16)}::/64`,
  ])
  const resources = names.slice(0, 1 + Math.floor(random() * 3)).map((name) => ({ urn: `urn:v1:${region}:resource:${type}:${name}` }))
  if (chance(0.2)) resources.push({ urn: `urn:v1:${region}:resource:${type}:fleet-${index}-*` })
  const policy: PolicyJson = { name: `policy ${index}`, identities, resources, permissions }
  if (chance(0.4)) policy.description = `Day to day work of team ${index}.`
  if (region === 'eu' && chance(0.15)) {
    const group = products.indexOf(product) % groups
    if (
      products[group] === product &&
      !allow.some((a) => actionsOf(product).slice(0, 2).includes(a)) &&
      allow[0] !== wildcard &&
      !permissions.deny
    )
      policy.permissionsGroups = [{ urn: `urn:v1:eu:permissionsGroup:ab12-svc:care-${group}` }]
  }
  if (region === 'eu' && chance(0.1)) {
    const group = products.indexOf(product)
    if (group < groups && catalogue.typesOf(product)[0] === type) resources.push({ urn: `urn:v1:eu:resourceGroup:fleet-${group}` })
  }
  if (chance(0.45)) policy.conditions = condition(random, index)
  else if (chance(0.1)) {
    // A test on the type says something where the resources are of every type.
    policy.resources = [{ urn: `urn:v1:${region}:resource:*` }]
    policy.conditions = { operator: 'MATCH', values: { 'resource.Type.IN': type } }
  } else if (resources.length > 1 && chance(0.3))
    policy.conditions = { operator: 'MATCH', values: { 'resource.Name.STARTS_WITH': (names[0] as string).slice(0, 3) } }
  if (chance(0.2)) policy.expiredAt = pick(random, ['2034-01-31T23:59:59Z', '2035-06-30T12:00:00+02:00', '2036-12-31T00:00:00.500Z'])
  // A deny that expires opens access on that day, which is worth a word and therefore not well-formed here.
  if (policy.expiredAt) delete policy.permissions.deny
  return policy
}

function condition(random: Random, index: number): ConditionJson {
  const leaves: (() => Record<string, string>)[] = [
    () => ({ 'resource.Tag(env)': pick(random, ['prod', 'staging', 'dev']) }),
    () => ({ 'resource.Tag(team.name).STARTS_WITH': `team-${index}` }),
    () => ({ 'resource.Tag(cost centre).ENDS_WITH': '-2026' }),
    () => ({ 'request.IP.IN_RANGE': pick(random, ['203.0.113.0/24', '198.51.100.128/25', '2001:4860:4860::/48']) }),
    () => ({ 'request.IP.IN': '203.0.113.7, 198.51.100.9' }),
    () => ({ 'date(Europe/Paris).WeekDay.IN': 'Monday, Tuesday,Wednesday' }),
    () => ({ 'date(America/New_York).Hour.GE': '8', 'date(America/New_York).Hour.LT': '18' }),
    () => ({ 'date().Date.BEFORE': '2033-01-01' }),
  ]
  const leaf = (): ConditionJson => ({ operator: 'MATCH', values: pick(random, leaves)() })
  const roll = random()
  if (roll < 0.6) return leaf()
  const [first, second] = shuffled(random, [0, 1, 3, 5, 6, 7]).map((i) => (leaves[i] as () => Record<string, string>)())
  const pair: ConditionJson[] = [
    { operator: 'MATCH', values: first as Record<string, string> },
    { operator: 'MATCH', values: second as Record<string, string> },
  ]
  if (roll < 0.75) return { operator: 'AND', conditions: pair }
  if (roll < 0.9) return { operator: 'OR', conditions: pair }
  return { operator: 'NOT', conditions: [{ operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } }] }
}

/** A policy as text, in one of the layouts that users have. */
export function write(random: Random, document: unknown, index: number): { readonly path: string; readonly text: string } {
  const layouts = [
    () => sourceOf(`policies/${index}.json`, `${JSON.stringify(document, null, 2)}\n`),
    () => sourceOf(`policies/${index}.json`, JSON.stringify(document)),
    () => sourceOf(`policies/${index}.json`, `${JSON.stringify([document], null, '\t')}\r\n`),
    () => sourceOf(`policies/${index}.yaml`, `# team ${index}\n${stringify(document)}`),
    () => sourceOf(`policies/${index}.yml`, `---\n${stringify(document, { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 })}`),
    () =>
      sourceOf(
        `policies/${index}.yaml`,
        stringify({ policies: [document] }, { defaultKeyType: 'PLAIN', defaultStringType: 'QUOTE_SINGLE', lineWidth: 0 }),
      ),
  ]
  return pick(random, layouts)()
}
