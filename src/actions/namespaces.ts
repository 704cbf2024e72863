/**
 * The namespaces of actions besides that of the API, by product: those of the programs that a product is made of, which
 * check their own calls. As seen in public documents; a product may have others.
 */
const namespaces: ReadonlyMap<string, readonly string[]> = new Map([
  ['ldp', ['graylog', 'opensearch']],
  ['okms', ['apikms', 'kmip']],
  ['pccVMware', ['vSphere']],
  ['publicCloudProject', ['ai', 'openstack']],
])

/** The known namespaces of a product besides that of the API; empty where none is known. */
export function namespacesOf(product: string): readonly string[] {
  return namespaces.get(product) ?? []
}
