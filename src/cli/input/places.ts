import { resolve } from 'node:path'
import type { Policy } from '../../policy.ts'
import type { ReadFiles, RootModule } from '../../sources/files.ts'
import { isWithin, portable } from '../app/paths.ts'

/**
 * Compared sides, with the policies of their configurations matched by place: each root module is applied separately, so that a
 * policy that moves to another one goes to another account, unless the provider names the account. The named folders correspond
 * to each other. `paths`: the named paths of each side; `isOne`: all root modules are of one account.
 */
export function inPlaces<T extends ReadFiles>(
  reads: readonly T[],
  paths: readonly (readonly string[])[],
  cwd: string,
  isOne: boolean,
): T[] {
  return reads.map((read, i) => {
    const places = new Map(read.roots.map((root) => [root.name, isOne ? '' : placeOf(root, paths[i] ?? [], cwd)]))
    const placed = (policy: Policy): Policy => {
      const { account } = policy
      const scope = account && places.get(account.scope)
      return account && scope !== undefined && scope !== account.scope ? { ...policy, account: { ...account, scope } } : policy
    }
    const isPlaced = read.facts.some(({ policies }) => policies.some((policy) => placed(policy) !== policy))
    return isPlaced ? { ...read, facts: read.facts.map((facts) => ({ ...facts, policies: facts.policies.map(placed) })) } : read
  })
}

/** Where a root module is, from what is named of its side. */
function placeOf({ path, name }: RootModule, named: readonly string[], cwd: string): string {
  for (const each of named.length > 0 ? named : ['.']) {
    const plain = each.startsWith('git:') ? each.split(':').slice(2).join(':') || '.' : each
    const folder = portable(resolve(cwd, plain))
    if (path === folder || isWithin(folder, path)) return ''
    if (isWithin(path, folder)) return path.slice(folder.length + 1)
  }
  return name
}
