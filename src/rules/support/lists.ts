import type { ListName } from '../../policy.ts'

/** The lists of a permission set, in the order in which they are usually written. */
export const listNames: readonly ListName[] = ['allow', 'except', 'deny']
