import { isParameter } from '../../actions/paths.ts'
import { quote } from '../model/errors.ts'
import type { HostRegion } from '../model/exchange.ts'
import type { Service } from '../model/service.ts'
import type { RecordChange } from '../model/state.ts'
import { deepestState, isState, newAsset, retarget, taskType } from '../model/tasks.ts'
import type { AssetKind } from './asset-kinds.ts'
import { changesOf, keyOf } from './asset-tasks.ts'
import { wordsOf } from './route.ts'

export interface AssetSeed {
  readonly urn: string
  /** With its branch: `/v2/vrackServices/resource/vrs-1`. */
  readonly path: string
  readonly region: HostRegion
  readonly account: string
  readonly currentState: unknown
  /** Absent: the current state. Where it differs, a task to reach it begins immediately. */
  readonly targetSpec?: unknown
}

export function seedAsset(
  kinds: readonly AssetKind[],
  { chance, clock }: Service['ports'],
  { urn, path, region, account, currentState, targetSpec = currentState }: AssetSeed,
):
  | { readonly changes: readonly RecordChange[]; readonly problem?: undefined }
  | { readonly changes?: undefined; readonly problem: string } {
  // Half a surrogate pair cannot be percent-encoded, so that no call has it in its path.
  const words = path.startsWith('/') && !/\p{Cs}/u.test(path) ? wordsOf(path) : undefined
  const isOf = (template: readonly string[]) =>
    template.length === words?.length && template.every((word, i) => (isParameter(word) ? words[i] !== '' : word === words[i]))
  if (words === undefined || !kinds.some((kind) => isOf(kind.path.slice(1).split('/'))))
    return { problem: `\`path\` is not that of a resource with a target state: ${kinds.map((kind) => quote(kind.path)).join(', ')}` }
  if (!isState(currentState)) return { problem: `\`currentState\` is not an object of at most ${deepestState} levels` }
  if (!isState(targetSpec)) return { problem: `\`targetSpec\` is not an object of at most ${deepestState} levels` }
  const encoded = `/${words.map(encodeURIComponent).join('/')}`
  const asset = newAsset({ urn, path: encoded, region, account, currentState }, clock.now())
  const move = retarget(asset, targetSpec, { id: chance.uuid(), type: taskType(asset) }, clock.now())
  return { changes: move ? changesOf(asset, move) : [{ kind: 'asset', key: keyOf(region, encoded), value: asset }] }
}
