import type { Target } from '../convert/convert.ts'
import type { Conversion } from '../convert/sources.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { readSources } from '../lint/library.ts'
import { defaultSettings, type Settings } from '../names.ts'
import type { SourceGiven } from '../parser/read-world.ts'
import { sourceOf } from '../source.ts'
import { decidableWorld } from '../sources/decidable.ts'

/** How policies are converted. */
export interface ConvertOptions {
  readonly to: Target
  readonly settings?: Settings
  /** The URNs that the service gave to groups of a configuration, by their addresses: `svc_iam_permissions_group.readers`. */
  readonly urns?: ReadonlyMap<string, string>
}

/** Policies in another notation. */
export interface Converted extends Pick<Conversion, 'text' | 'notes' | 'comments'> {
  /** Why nothing is converted: what cannot be read, and what the notation cannot express. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Policies, groups and inventory together in another notation, as `grantwise convert` writes them: what is read from the text says the
 * same. Never rejects for what is in a text.
 */
export async function convert(given: readonly SourceGiven[], options: ConvertOptions): Promise<Converted> {
  const { to, settings = defaultSettings, urns = new Map() } = options
  const named = given.map(({ path, text, notation }) => ({ source: sourceOf(path, text, notation), isNamed: true }))
  const read = await readSources(named, settings)
  const { errors } = decidableWorld(read)
  if (errors) return { text: undefined, notes: [], comments: 0, diagnostics: errors }
  const prefix = settings.resourcePrefix ?? settings.brand
  const sources = read.each.flatMap(({ source, read: { holdsPolicies } }) => (holdsPolicies ? [source] : []))
  // The readers of configurations are loaded when something is converted.
  const { convertSources } = await import('../convert/sources.ts')
  const { text, refused, notes, comments, unused } = await convertSources(sources, to, { prefix, urns })
  if (unused.length > 0) throw new RangeError(`urns: no group has the address \`${unused[0]}\`, which is TYPE.NAME`)
  return { text, notes, comments, diagnostics: refused }
}
