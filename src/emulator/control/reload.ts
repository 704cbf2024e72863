import type { RecordChange, State } from '../model/state.ts'
import { type Control, reset } from './control.ts'
import type { Reloaded, Reread, Seed } from './seed.ts'
import type { GeneratedSecret } from './seed-draft.ts'

/** The parts of a reload besides the control that it changes. */
export interface ReloadParts {
  readonly reread: () => Promise<Reread>
  /** The secrets that clients may ask for, by client id: kept in line with the service accounts. */
  readonly secrets: Map<string, string>
  /** Each is called after a reload. */
  readonly listeners: ReadonlySet<(reloaded: Reloaded) => void>
}

/** A function that reads the seed again and begins again with it; calls wait for each other. */
export function reloader(control: () => Control, { reread, secrets, listeners }: ReloadParts): () => Promise<Reloaded> {
  let last: Promise<unknown> = Promise.resolve()
  const reload = async (): Promise<Reloaded> => {
    const read = await reread()
    const reloaded = 'problems' in read ? read : { generated: begin(control(), read.seed, secrets) }
    for (const listener of listeners) listener(reloaded)
    return reloaded
  }
  return () => {
    const next = last.then(reload)
    last = next.catch(() => {})
    return next
  }
}

/** Begin again with a seed. Returns the secrets that no service account had before. */
function begin(control: Control, seed: Seed, secrets: Map<string, string>): readonly GeneratedSecret[] {
  const { state } = control.service
  const before = control.seed
  control.seed = withKept(seed, state)
  try {
    reset(control)
  } catch (error) {
    control.seed = before
    throw error
  }
  const accounts = state.table('serviceAccount')
  const { sha256 } = control.service.ports.digest
  const isSecretOf = (clientId: string, secret: string) => accounts.get(clientId)?.secretDigest === sha256(secret)
  const generated = seed.madeUp.filter(({ clientId, secret }) => isSecretOf(clientId, secret))
  for (const [clientId, secret] of [...secrets]) if (!isSecretOf(clientId, secret)) secrets.delete(clientId)
  for (const { clientId, secret } of generated) secrets.set(clientId, secret)
  return generated
}

/** The records of a seed in which service accounts keep the secrets that were generated and printed before, where it gives none. */
export function withKept({ changes, madeUp }: Pick<Seed, 'changes' | 'madeUp'>, state: State): readonly RecordChange[] {
  const madeUpAccounts = [...state.table('serviceAccount').all()].filter((each) => each.isMadeUp)
  const named = new Set(madeUp.flatMap(({ clientId, isNamed }) => (isNamed ? [clientId] : [])))
  return changes.flatMap((change): readonly RecordChange[] => {
    if (change.kind !== 'serviceAccount' || !change.value?.isMadeUp) return [change]
    const { key, value } = change
    if (named.has(key)) {
      const { secretDigest = value.secretDigest } = madeUpAccounts.find(({ clientId }) => clientId === key) ?? {}
      return [{ ...change, value: { ...value, secretDigest } }]
    }
    const sameAccount = madeUpAccounts.filter(({ account }) => account === value.account)
    return sameAccount.length === 0 ? [change] : sameAccount.map((each) => ({ kind: 'serviceAccount', key: each.clientId, value: each }))
  })
}
