import type { PageData, PageIdentity, Ref } from './data.ts'

/** Kinds of identities in the order in which lists have them: users first, service accounts last. */
const kinds = ['user', 'group', 'account', 'credential'] as const satisfies readonly PageIdentity['kind'][]

/** The identities of a kind, as a heading; and one of them, in a column. */
export const kindWords: Readonly<Record<PageIdentity['kind'], readonly [heading: string, one: string]>> = {
  user: ['Users', 'user'],
  group: ['Groups', 'group'],
  account: ['Accounts', 'account'],
  credential: ['Service accounts', 'service account'],
}

/** The kind of an identity, as a place in the order of kinds. */
export const kindRank = ({ kind }: Pick<PageIdentity, 'kind'>): number => kinds.indexOf(kind)

/** Identities by number, those of each kind together: users first, service accounts last. Within a kind the order is kept. */
export const byKind = ({ identities }: Pick<PageData, 'identities'>, numbers: readonly Ref[]): readonly Ref[] =>
  kinds.flatMap((kind) => numbers.filter((number) => identities[number]?.kind === kind))
