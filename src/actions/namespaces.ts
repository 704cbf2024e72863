import { unfold } from './unfold.ts'

/**
 * The namespaces of actions other than that of the API, by product, with the actions known in each: those of the programs that a product
 * consists of, which check their own calls. From public documents and policies, read in November 2026; a product may have more of both.
 */
const namespaces: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  [
    'ldp',
    {
      graylog: 'dashboard(read,update),stream/read',
      opensearch: 'alias(create,delete,read),index(create,delete,read,write),osd(get,update)',
    },
  ],
  [
    'okms',
    {
      apikms: 'secret(create,get,version(create,getData)),secretConfig/get,serviceKey(create,dataKey(create,decrypt),decrypt,encrypt,get)',
      kmip: 'decrypt,destroy,encrypt,get,getAttributes,locate,rekey',
    },
  ],
  ['pccVMware', { vSphere: 'assumeRole' }],
  [
    'publicCloudProject',
    {
      ai: 'aiTrainingOperator,aiTrainingRead,endpoints/call',
      openstack:
        'administrator,backupOperator,computeOperator,imageOperator,infrastructureSupervisor,networkOperator,networkSecurityOperator,' +
        'objectstoreOperator,volumeOperator',
    },
  ],
])

/** The known namespaces of a product other than that of the API. */
export function namespacesOf(product: string): readonly string[] {
  return Object.keys(namespaces.get(product) ?? {})
}

/** The known actions of a product in other namespaces than that of the API. */
export function programActionsOf(product: string): readonly string[] {
  return Object.entries(namespaces.get(product) ?? {}).flatMap(([namespace, folded]) =>
    unfold(folded).map((path) => `${product}:${namespace}:${path}`),
  )
}

/** The products that have actions in other namespaces than that of the API. */
export function programProducts(): readonly string[] {
  return [...namespaces.keys()]
}
