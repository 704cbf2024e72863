import { assumptionKey } from '../coverage.ts'
import { type Diagnostic, findingKey, withoutDuplicates } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import type { OpenReading, ReadConfigured } from '../parser/read.ts'
import { allFacts, type FileRead, type ReadFiles, type RootModule, withReads } from './files.ts'

/** A run with the configurations that begin in some folders, and all that belongs to none. */
export function within<T extends ReadFiles>(run: T, roots: ReadonlySet<string>): T {
  if (run.roots.every(({ path }) => roots.has(path))) return run
  const each = run.each.flatMap((file): FileRead[] => {
    const configurations = file.read.kind === 'configuration' ? file.read.configurations : undefined
    if (!configurations) return [file]
    const parts = [...configurations].flatMap(([root, read]) => (roots.has(root) ? [read] : []))
    return parts.length === 0 ? [] : [{ ...file, read: parts.length === configurations.size ? file.read : together(parts) }]
  })
  const dropped = run.roots.filter(({ path }) => !roots.has(path))
  const droppedUnread = new Set(dropped.flatMap(({ unread }) => unread))
  // A resource that is created by a kept root module stays, even if others create it too.
  const usedRoots = run.roots.filter(({ path }) => roots.has(path))
  const assumed = new Set(usedRoots.flatMap(({ assumptions }) => assumptions.map(assumptionKey)))
  const droppedAssumptions = new Set(dropped.flatMap(({ assumptions }) => assumptions.map(assumptionKey)))
  return {
    ...withReads(run, each),
    roots: usedRoots,
    unread: run.unread.filter((problem) => !droppedUnread.has(problem)),
    assumptions: run.assumptions.filter((each) => assumed.has(assumptionKey(each)) || !droppedAssumptions.has(assumptionKey(each))),
  }
}

/** The readings of a file in several configurations, combined. */
function together(parts: readonly ReadConfigured[]): ReadConfigured {
  const [first, ...others] = parts as [ReadConfigured, ...ReadConfigured[]]
  if (others.length === 0) return first
  const opens = parts.flatMap(({ open }) => open ?? [])
  const never = parts.flatMap(({ uncreated }) => uncreated ?? [])
  const facts: OpenReading['facts'] = (assignment) => allFacts(parts.map((part) => part.open?.facts(assignment) ?? part.facts))
  return {
    ...first,
    facts: allFacts(parts.map(({ facts }) => facts)),
    diagnostics: withoutDuplicates(parts.flatMap(({ diagnostics }) => diagnostics)),
    ...(never[0] && { uncreated: { ...never[0], each: never.flatMap(({ each }) => each) } }),
    ...(opens[0] && {
      open: {
        holes: opens.flatMap(({ holes }) => holes),
        texts: opens.flatMap(({ texts }) => texts),
        perhaps: opens.flatMap(({ perhaps }) => perhaps),
        paths: new Set(opens.flatMap(({ paths }) => [...paths])),
        words: opens.flatMap(({ words }) => words),
        unknowns: opens.flatMap(({ unknowns }) => unknowns),
        facts,
        choices: (assignment) => keyOf(...opens.map(({ choices }) => choices(assignment))),
      },
    }),
  }
}

/** A part of a run that holds by itself, and the root module whose findings it has; none where the run is not divided. */
export interface Variant {
  readonly root?: RootModule
  readonly run: ReadFiles
}

/** A run as its parts: each configuration without its variants, and with all other files. */
export function variantsOf(run: ReadFiles): readonly Variant[] {
  const variants = run.roots.filter(({ isVariant }) => isVariant)
  if (variants.length < 2) return [{ run }]
  const others = run.roots.flatMap(({ path, isVariant }) => (isVariant ? [] : [path]))
  return variants.map((root) => ({ root, run: within(run, new Set([...others, root.path])) }))
}

/** The findings of all variants, each once. A finding in only some of the configurations that a file is part of names them. */
export function inAllVariants(
  run: ReadFiles,
  variants: readonly (Pick<Variant, 'root'> & { readonly findings: readonly Diagnostic[] })[],
): readonly Diagnostic[] {
  const roots = variants.flatMap(({ root }) => root ?? [])
  const all = variants.flatMap(({ findings }) => findings)
  if (roots.length === 0) return all
  const names = new Map<string, Set<string>>()
  for (const { root, findings } of variants)
    for (const finding of findings) {
      const key = findingKey(finding)
      names.set(key, (names.get(key) ?? new Set()).add(root?.name ?? ''))
    }
  const uses = new Map(
    run.each.map(({ source, read }) => {
      const own = roots.filter(({ path }) => read.kind === 'configuration' && read.configurations?.has(path)).length
      return [source, own === 0 ? roots.length : own] as const
    }),
  )
  return withoutDuplicates(all).map((finding) => {
    const where = names.get(findingKey(finding)) as ReadonlySet<string>
    if (where.size >= (uses.get(finding.span.source) ?? 0)) return finding
    return { ...finding, message: `${finding.message} (in ${[...where].map((name) => `\`${name}\``).join(', ')})` }
  })
}
