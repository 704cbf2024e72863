/** The kinds of values of attributes of the provider's resources and data sources: by type without the prefix, then by attribute. */
const table: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  me: { urn: 'account' },
  me_api_oauth2_client: { identity: 'serviceAccount' },
  me_identity_group: { urn: 'group' },
  me_identity_user: { urn: 'user' },
  iam_permissions_group: { urn: 'permissionsGroup' },
  iam_resource_group: { urn: 'resourceGroup' },
  cloud_project: { urn: 'publicCloudProject', 'iam.urn': 'publicCloudProject' },
  dbaas_logs_cluster: { urn: 'ldp' },
  dedicated_server: { urn: 'dedicatedServer', 'iam.urn': 'dedicatedServer' },
  domain_zone: { urn: 'dnsZone', 'iam.urn': 'dnsZone' },
  iploadbalancing: { urn: 'loadbalancer', 'iam.urn': 'loadbalancer' },
  okms: { 'iam.urn': 'okms' },
  vps: { urn: 'vps', 'iam.urn': 'vps' },
  vrack: { urn: 'vrack', 'iam.urn': 'vrack' },
}

/** The kinds of attributes of every type, where the table has no entry. */
const everywhere: Readonly<Record<string, Kind>> = { 'iam.urn': 'resource' }

/** The shapes of URNs by kind: the literal strings around the region and the names. */
const shapes = {
  account: ['urn:v1:', ':resource:account:', ''],
  group: ['urn:v1:', ':identity:group:', '/', ''],
  user: ['urn:v1:', ':identity:user:', '/', ''],
  serviceAccount: ['urn:v1:', ':identity:credential:', '/oauth2-', ''],
  permissionsGroup: ['urn:v1:', ':permissionsGroup:', ':', ''],
  resourceGroup: ['urn:v1:', ':resourceGroup:', ''],
  resource: ['urn:v1:', ':resource:', ':', ''],
  dedicatedServer: ['urn:v1:', ':resource:dedicatedServer:', ''],
  dnsZone: ['urn:v1:', ':resource:dnsZone:', ''],
  ldp: ['urn:v1:', ':resource:ldp:', ''],
  loadbalancer: ['urn:v1:', ':resource:loadbalancer:', ''],
  okms: ['urn:v1:', ':resource:okms:', ''],
  publicCloudProject: ['urn:v1:', ':resource:publicCloudProject:', ''],
  vps: ['urn:v1:', ':resource:vps:', ''],
  vrack: ['urn:v1:', ':resource:vrack:', ''],
} as const

type Kind = keyof typeof shapes

/** The shape of what a reference yields: of `svc_me_identity_group.x.urn` that of a group's URN. Undefined: nothing is known. */
export function shapeOfReference(address: readonly string[], prefix: string): readonly string[] | undefined {
  const [type = '', , ...attributes] = address[0] === 'data' ? address.slice(1) : address
  if (!type.startsWith(`${prefix}_`)) return undefined
  // A single block is a list of one: `iam[0].urn` and `iam.0.urn` are the same.
  const attribute = attributes.filter((name) => !/^\d+$/.test(name)).join('.')
  const kindsOfAttributes = table[type.slice(prefix.length + 1)]
  const kind =
    kindsOfAttributes && Object.hasOwn(kindsOfAttributes, attribute)
      ? kindsOfAttributes[attribute]
      : Object.hasOwn(everywhere, attribute)
        ? everywhere[attribute]
        : undefined
  return kind && shapes[kind]
}

/** The kinds of URNs by their shapes, in words, and the lists of a policy that take them. */
const families = [
  [':identity:', 'an identity', ['identities']],
  [':resource:', 'a resource', ['resources']],
  [':resourceGroup:', 'a resource group', ['resources']],
  [':permissionsGroup:', 'a permissions group', ['permissionsGroups']],
] as const

/** The kind of a shape that a list of a policy does not take; undefined where it does, or is no list of names. */
export function disallowedShape(list: string, shape: readonly string[]): string | undefined {
  const family = families.find(([start]) => shape[1]?.startsWith(start))
  const isNames = families.some(([, , lists]) => (lists as readonly string[]).includes(list))
  return family && isNames && !(family[2] as readonly string[]).includes(list) ? family[1] : undefined
}

/** The shape of the URN of something whose name is known: only the region and the account are missing. */
export function shapeCalled(shape: readonly string[], name: string): readonly string[] {
  return [...shape.slice(0, -2), `${shape.at(-2)}${name}`]
}
