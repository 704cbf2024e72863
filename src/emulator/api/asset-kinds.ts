import type { Operation } from '../../actions/operations.ts'
import { isParameter } from '../../actions/paths.ts'

/** The operations on one kind of resource, as the API has them. Paths are with their branch. */
export interface AssetKind {
  /** `/v2/vrackServices/resource/{vrackServicesId}`. */
  readonly path: string
  readonly list: string | undefined
  readonly hasEvents: boolean
  readonly hasOneTask: boolean
  readonly isDeletable: boolean
}

/** The kinds of resources that can be read and written and have a `/task` route below them. */
export function assetKinds(operations: readonly Operation[]): readonly AssetKind[] {
  const operationKeys = new Set(operations.map(({ branch, method, path }) => `${method} /${branch}${path}`))
  return operations.flatMap(({ branch, method, path: template }): readonly AssetKind[] => {
    const path = `/${branch}${template}`
    const end = path.lastIndexOf('/')
    const isOne = branch === 'v2' && method === 'PUT' && isParameter(path.slice(end + 1))
    if (!isOne || !operationKeys.has(`GET ${path}`) || !operationKeys.has(`GET ${path}/task`)) return []
    const list = path.slice(0, end)
    return [
      {
        path,
        list: operationKeys.has(`GET ${list}`) ? list : undefined,
        hasEvents: operationKeys.has(`GET ${path}/event`),
        hasOneTask: operationKeys.has(`GET ${path}/task/{taskId}`),
        isDeletable: operationKeys.has(`DELETE ${path}`),
      },
    ]
  })
}
