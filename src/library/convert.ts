import { type Target, targets } from '../convert/convert.ts'
import { cannotExpress } from '../convert/findings.ts'
import type { Conversion } from '../convert/sources.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { readSources } from '../lint/library.ts'
import { defaultSettings, type Settings } from '../names.ts'
import type { SourceGiven } from '../parser/read-world.ts'
import { type Source, sourceOf } from '../source.ts'
import { decidableWorld } from '../sources/decidable.ts'
import type { Problem } from '../sources/limits.ts'

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
 * same. It rejects for no text, but with a `RangeError` where no source is given, or `urns` has an address that no group has.
 */
export async function convert(inputs: readonly SourceGiven[], options: ConvertOptions): Promise<Converted> {
  const { to, settings = defaultSettings, urns = new Map() } = options
  if (!targets.includes(to)) throw new RangeError(`convert: \`to\` is one of ${targets.join(', ')}, not \`${to}\``)
  if (inputs.length === 0) throw new RangeError('convert: no source is given')
  const named = inputs.map(({ path, text, notation }) => ({ source: sourceOf(path, text, notation), isNamed: true }))
  const read = await readSources(named, settings)
  const { errors } = decidableWorld(read)
  if (errors) {
    const diagnostics = [...errors, ...read.problems.flatMap((problem) => unread(problem, named))]
    return { text: undefined, notes: [], comments: 0, diagnostics }
  }
  const prefix = settings.resourcePrefix ?? settings.brand
  const sources = read.each.flatMap(({ source, read: { holdsPolicies } }) => (holdsPolicies ? [source] : []))
  // The readers of configurations are loaded when something is converted.
  const { convertSources } = await import('../convert/sources.ts')
  const { text, refused, notes, comments, unused } = await convertSources(sources, to, { prefix, urns })
  if (unused.length > 0) throw new RangeError(`urns: no group has the address \`${unused[0]}\`, which is TYPE.NAME`)
  return { text, notes, comments, diagnostics: refused }
}

/** A source that was not read, or holds no policy. */
function unread({ path, message }: Problem, sources: readonly { readonly source: Source }[]): readonly Diagnostic[] {
  return sources.flatMap(({ source }) =>
    source.path === path ? [cannotExpress({ source, start: 0, end: 0 }, message, 'give files that hold policies, or omit this one')] : [],
  )
}
