import type { Diagnostic } from '../diagnostic.ts'
import type { Facts } from '../parser/policy.ts'
import { buildWorld } from '../parser/world.ts'
import type { World } from '../policy.ts'
import type { ReadFiles } from './files.ts'

/** The world that files make, or the errors for which nothing is decided over them. */
export type Decidable =
  | { readonly world: World; readonly errors?: undefined }
  | { readonly world?: undefined; readonly errors: readonly Diagnostic[] }

/** `compared`: see `buildWorld`. */
export function decidableWorld(
  { facts, diagnostics, unread, isPartial }: Pick<ReadFiles, 'facts' | 'diagnostics' | 'unread' | 'isPartial'>,
  compared: readonly Facts[] = [],
): Decidable {
  const built = buildWorld(facts, compared)
  const errors = [...diagnostics, ...built.diagnostics, ...unread].filter(({ severity }) => severity === 'error')
  return errors.length === 0 && !isPartial ? { world: built.world } : { errors }
}
