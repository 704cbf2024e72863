import type { Diagnostic } from '../diagnostic.ts'
import { defaultSettings, type Settings } from '../names.ts'
import type { World } from '../policy.ts'
import { type Notation, notationOf, type Source, sourceOf } from '../source.ts'
import { Zones } from '../zones.ts'
import type { ReadSource } from './read.ts'
import { readSource } from './read-source.ts'
import { buildWorld } from './world.ts'

/** A text to read, with its name in messages, and its notation where the name does not give it (`.json`, `.yaml`, `.yml`). */
export interface SourceGiven {
  readonly path: string
  readonly text: string
  readonly notation?: Notation
}

/** The result of reading several sources. */
export interface WorldRead {
  /**
   * Everything the sources say, together. Undefined where one of them has an error: the part that was not understood may
   * hold the deny, so that nothing is to be decided (docs/semantics.md, Unknown).
   */
  readonly world: World | undefined
  /** The sources that were read, each with what was understood of it: what `suggest` and `minimise` edit. */
  readonly files: readonly { readonly source: Source; readonly read: ReadSource }[]
  /** Problems of the sources of all severities, in their order. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Read sources to one world: policies, groups and inventory. Never rejects for what is in a text. */
export async function readWorld(sources: readonly SourceGiven[], settings: Settings = defaultSettings): Promise<WorldRead> {
  const ownSettings = { zones: new Zones(), ...settings }
  const reads = await Promise.all(
    sources.map(async ({ path, text, notation = notationOf(path) }) => {
      if (notation === undefined) return undefined
      const source = sourceOf(path, text, notation)
      return { source, read: await readSource(source, ownSettings) }
    }),
  )
  const files = reads.flatMap((file) => file ?? [])
  const built = buildWorld(files.map(({ read }) => read.facts))
  const diagnostics = [...reads.flatMap((file, i) => file?.read.diagnostics ?? [unnamed(sources[i] as SourceGiven)]), ...built.diagnostics]
  return { world: diagnostics.some(({ severity }) => severity === 'error') ? undefined : built.world, files, diagnostics }
}

function unnamed({ path, text }: SourceGiven): Diagnostic {
  return {
    code: 'syntax',
    severity: 'error',
    message: `whether \`${path}\` is JSON or YAML cannot be determined from its name`,
    span: { source: sourceOf(path, text), start: 0, end: 0 },
    help: 'end the path in `.json`, `.yaml` or `.yml`, or give `notation`',
  }
}
