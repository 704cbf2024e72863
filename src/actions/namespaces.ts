/**
 * The namespaces of actions other than that of the API, by product: those of the programs that a product consists of, which check
 * their own calls. From public documents; a product may have more.
 */
const namespaces: ReadonlyMap<string, readonly string[]> = new Map([
  ['ldp', ['graylog', 'opensearch']],
  ['okms', ['apikms', 'kmip']],
  ['pccVMware', ['vSphere']],
  ['publicCloudProject', ['ai', 'openstack']],
])

/** The known namespaces of a product other than that of the API. */
export function namespacesOf(product: string): readonly string[] {
  return namespaces.get(product) ?? []
}
