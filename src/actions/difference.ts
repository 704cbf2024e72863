import { pushTo } from '../collections.ts'
import type { CatalogueRecord } from './record.ts'

/** How the actions of two catalogues differ; names sorted. */
export interface ActionDifference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Those that both have, and what is different of each. */
  readonly changed: readonly { readonly name: string; readonly how: string }[]
}

/** Compare two catalogues by their actions: which there are, which are deprecated, and which operations need them. */
export function actionDifference(before: CatalogueRecord, after: CatalogueRecord): ActionDifference {
  const [callsBefore, callsAfter] = [callsOf(before), callsOf(after)]
  const names = (from: CatalogueRecord, to: CatalogueRecord) => [...from.actions.keys()].filter((name) => !to.actions.has(name))
  const changed = [...after.actions].flatMap(([name, { deprecated }]) => {
    const recordBefore = before.actions.get(name)
    if (!recordBefore) return []
    const calls = [callsBefore.get(name) ?? [], callsAfter.get(name) ?? []].map((each) => [...each].sort().join('\n'))
    const how = [
      ...(deprecated && !recordBefore.deprecated ? ['deprecated'] : []),
      ...(!deprecated && recordBefore.deprecated ? ['no longer deprecated'] : []),
      ...(deprecated && recordBefore.deprecated && JSON.stringify(deprecated) !== JSON.stringify(recordBefore.deprecated)
        ? ['deprecated otherwise']
        : []),
      ...(calls[0] === calls[1] ? [] : ['needed by other calls']),
    ]
    return how.length > 0 ? [{ name, how: how.join(', ') }] : []
  })
  return { added: names(after, before), removed: names(before, after), changed }
}

function callsOf({ operations }: CatalogueRecord): ReadonlyMap<string, readonly string[]> {
  const calls = new Map<string, string[]>()
  for (const { branch, method, path, actions } of operations)
    for (const { name, required } of actions) pushTo(calls, name, `${branch} ${method} ${path.replace(/\{[^{}]*\}/g, '{}')} ${required}`)
  return calls
}
