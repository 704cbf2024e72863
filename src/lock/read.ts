import type { Diagnostic } from '../diagnostic.ts'
import { type Settings, visible } from '../names.ts'
import { readFacts } from '../parser/policy.ts'
import { treeOf } from '../parser/tree.ts'
import { buildWorld } from '../parser/world.ts'
import type { World } from '../policy.ts'
import type { Source, Span } from '../source.ts'
import { type MapNode, type Node, plainValue } from '../tree.ts'
import { formatKey, formatVersion } from './text.ts'

/** The reading of a lockfile. The world is undefined if there is any error in it. */
export interface LockRead {
  readonly world: World | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Read a lockfile: the version of its format, then a list of policies. Everything that is not understood is an error, since
 * it might be what forbids. Never rejects for what is in the text.
 */
export async function readLock(source: Source, settings: Settings): Promise<LockRead> {
  const reading = await treeOf(source)
  const wrong = reading.diagnostics.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) return { world: undefined, diagnostics: wrong.map(withHelp) }
  const [document, second] = reading.documents
  if (document?.kind !== 'map' || document.entries[0]?.key.value !== formatKey) {
    const span = document?.kind === 'map' ? (document.entries[0]?.key ?? document) : (document ?? { source, start: 0, end: 0 })
    return refused(span, `no lockfile: it does not begin with \`${formatKey}\``, 'name another file with `-o`, or remove this one')
  }
  const version = document.entries[0].value
  if (version.kind !== 'number' || !Number.isInteger(version.value) || version.value < 1)
    return refused(
      version,
      `\`${visible(JSON.stringify(plainValue(version)))}\` is no version of the format: expected \`${formatVersion}\``,
      again,
    )
  if (version.value > formatVersion) {
    return refused(
      version,
      `the lockfile is in format ${version.value}: this version of grantwise reads format ${formatVersion}`,
      'use the newer version that wrote it, or remove the file and run `grantwise lock` again',
    )
  }
  const extra = document.entries.find(({ key }, i) => i > 0 && key.value !== 'policies')
  if (extra || second) return refused(extra?.key ?? (second as Node), 'a lockfile holds one list of `policies` and nothing else', again)
  if (document.entries.length < 2 || document.entries[1]?.value.kind !== 'list')
    return refused(document.entries[1]?.value ?? document.entries[0].key, 'a lockfile holds a list of `policies`', again)

  const body: MapNode = { ...document, entries: document.entries.slice(1) }
  const { facts, diagnostics, misshapen } = readFacts([body], settings)
  const problems = [...diagnostics]
  if (misshapen.length > 0) {
    const { shapeProblems } = await import('../parser/shape.ts')
    problems.push(...misshapen.flatMap((part) => shapeProblems(part)))
  }
  const errors = problems.filter(({ severity }) => severity === 'error')
  return errors.length > 0 ? { world: undefined, diagnostics: errors.map(withHelp) } : { world: buildWorld([facts]).world, diagnostics: [] }
}

const again = 'remove the file and run `grantwise lock` again'

/** The help of a reader is about policies, not about lockfiles. */
function withHelp({ code, severity, message, span }: Diagnostic): Diagnostic {
  return { code, severity, message, span, help: again }
}

function refused(span: Span, message: string, help: string): LockRead {
  return { world: undefined, diagnostics: [{ code: 'lockfile', severity: 'error', message, span, help }] }
}
