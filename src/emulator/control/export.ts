import { stateOf } from '../auth/credentials.ts'
import type { WrittenFields } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import { groupDocument, policyDocument, resourceDocument } from '../model/worlds.ts'

/** The state of a service, as a seed, with its secrets, but without tokens, open requests for access, tasks and events. */
export function exportSeed({ state, ports }: Service): WrittenFields {
  const all = <R, T>(table: { readonly all: () => IterableIterator<R> }, written: (record: R) => T): readonly T[] =>
    [...table.all()].map(written)
  const now = ports.clock.now()
  const isAlone = state.table('account').size === 1
  const accepted = [...state.table('credential').all()].filter((each) => stateOf(each, now) === 'validated' && each.identity !== null)
  return {
    policies: all(state.table('policy'), policyDocument),
    permissionsGroups: all(state.table('permissionsGroup'), groupDocument),
    resourceGroups: all(state.table('resourceGroup'), groupDocument),
    resources: all(state.table('inventory'), resourceDocument),
    identities: all(state.table('identity'), ({ urn, groups }) => ({ urn, groups })),
    standIn: {
      accounts: all(state.table('account'), ({ id, region, schemasVersion }) => ({ id, region, schemasVersion })),
      serviceAccounts: all(state.table('serviceAccount'), ({ identity, secretDigest, name }) => ({
        identity,
        secretDigest,
        ...(name !== null && { name }),
      })),
      applications: all(state.table('application'), ({ key, secret, name, description, account }) => ({
        key,
        secret,
        name,
        ...(description !== '' && { description }),
        ...(account !== undefined && { account }),
      })),
      credentials: accepted.map(({ consumerKey, application, identity, rules, expiresAt }) => ({
        consumerKey,
        application,
        identity,
        accessRules: rules,
        ...(expiresAt !== undefined && { expiresAt }),
      })),
      resources: all(state.table('asset'), ({ urn, path, account, currentState, targetSpec }) => ({
        urn,
        path,
        ...(!isAlone && { owner: account }),
        currentState,
        targetSpec,
      })),
    },
  }
}

/** A document as text that any reader takes: what is invisible or could be changed on the way is written as an escape. */
export function seedText(document: WrittenFields): string {
  return `${JSON.stringify(document, null, 2).replace(/[^\n -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
