import { resolve } from 'node:path'
import { type Diagnostic, eachOnce, findingKey } from '../../diagnostic.ts'
import type { Facts } from '../../parser/policy.ts'
import type { OpenReading, ReadConfigured } from '../../parser/read.ts'
import { shown } from '../../report/safe.ts'
import type { Io } from '../app/io.ts'
import type { RootOptions } from '../app/options.ts'
import { portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import type { RootModule } from './terraform.ts'
import { type FileRead, type ReadFiles, withReads } from './world.ts'

/** How many root modules a message lists. */
const mostListed = 8

/**
 * What is decided over of each of some runs: without `--root` all of it, where that is one world. Root modules that call the
 * same module of policies are several: the same for different stages or accounts, so that one is asked for. `how`: what to do.
 */
export function decidedOver(
  reads: readonly ReadFiles[],
  options: RootOptions,
  io: Io,
  how = 'choose one with `--root FOLDER`, or name its folder alone',
): readonly ReadFiles[] {
  const named = options.root
  if (named.length === 0) {
    for (const { roots } of reads) {
      const variants = roots.filter(({ isVariant }) => isVariant)
      if (variants.length > 1)
        throw new Refusal(
          `${variants.length} root modules call the same module, and each is a configuration of its own: ${listed(variants)}`,
          how,
        )
    }
    return reads
  }
  const all = new Map(reads.flatMap(({ roots }) => roots.map((root) => [root.path, root] as const)))
  const chosen = new Set(
    named.map((name) => {
      const path = portable(resolve(io.cwd, name))
      if (all.has(path)) return path
      throw new Refusal(
        `--root \`${name}\`: no root module with policies is read from this folder`,
        all.size > 0 ? `there are ${listed([...all.values()])}` : 'none is read at all: it is for configurations of Terraform',
      )
    }),
  )
  return reads.map((read) => within(read, chosen))
}

function listed(roots: readonly RootModule[]): string {
  const names = roots.slice(0, mostListed).map(({ name }) => `\`${shown(name)}\``)
  return roots.length > mostListed ? `${names.join(', ')} and ${roots.length - mostListed} more` : names.join(', ')
}

/** A run with the configurations that begin in some folders, and all that belongs to none. */
function within(run: ReadFiles, roots: ReadonlySet<string>): ReadFiles {
  if (run.roots.every(({ path }) => roots.has(path))) return run
  const each = run.each.flatMap((file): FileRead[] => {
    const configurations = file.read.kind === 'configuration' ? file.read.configurations : undefined
    if (!configurations) return [file]
    const parts = [...configurations].flatMap(([root, read]) => (roots.has(root) ? [read] : []))
    return parts.length === 0 ? [] : [{ ...file, read: parts.length === configurations.size ? file.read : together(parts) }]
  })
  const left = new Set(run.roots.flatMap(({ path, unread }) => (roots.has(path) ? [] : unread)))
  return {
    ...withReads(run, each),
    files: each.map(({ source }) => source.path),
    roots: run.roots.filter(({ path }) => roots.has(path)),
    unread: run.unread.filter((problem) => !left.has(problem)),
  }
}

/** What a file says in several configurations. */
function together(parts: readonly ReadConfigured[]): ReadConfigured {
  const [first, ...others] = parts as [ReadConfigured, ...ReadConfigured[]]
  if (others.length === 0) return first
  const opens = parts.flatMap(({ open }) => open ?? [])
  const never = parts.flatMap(({ uncreated }) => uncreated ?? [])
  const facts: OpenReading['facts'] = (way) => allFacts(parts.map((part) => part.open?.facts(way) ?? part.facts))
  return {
    ...first,
    facts: allFacts(parts.map(({ facts }) => facts)),
    diagnostics: eachOnce(parts.flatMap(({ diagnostics }) => diagnostics)),
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
      },
    }),
  }
}

function allFacts(parts: readonly Facts[]): Facts {
  return {
    policies: parts.flatMap(({ policies }) => policies),
    permissionsGroups: parts.flatMap(({ permissionsGroups }) => permissionsGroups),
    resourceGroups: parts.flatMap(({ resourceGroups }) => resourceGroups),
    resources: parts.flatMap(({ resources }) => resources),
    identities: parts.flatMap(({ identities }) => identities),
    accounts: parts.flatMap(({ accounts }) => accounts),
  }
}

/**
 * What is found in a run: in each configuration apart from its variants, and with all else. What is found in some of those
 * that a file is part of and not in the others says in which.
 */
export function inEachConfiguration(run: ReadFiles, findIn: (run: ReadFiles) => readonly Diagnostic[]): readonly Diagnostic[] {
  const variants = run.roots.filter(({ isVariant }) => isVariant)
  if (variants.length < 2) return findIn(run)
  const others = run.roots.flatMap(({ path, isVariant }) => (isVariant ? [] : [path]))
  const found = variants.map((root) => ({ root, findings: findIn(within(run, new Set([...others, root.path]))) }))
  const names = new Map<string, Set<string>>()
  for (const { root, findings } of found)
    for (const finding of findings) {
      const key = findingKey(finding)
      names.set(key, (names.get(key) ?? new Set()).add(root.name))
    }
  const uses = new Map(
    run.each.map(({ source, read }) => {
      const own = variants.filter(({ path }) => read.kind === 'configuration' && read.configurations?.has(path)).length
      return [source, own === 0 ? variants.length : own] as const
    }),
  )
  return eachOnce(found.flatMap(({ findings }) => findings)).map((finding) => {
    const where = names.get(findingKey(finding)) as ReadonlySet<string>
    if (where.size >= (uses.get(finding.span.source) ?? 0)) return finding
    return { ...finding, message: `${finding.message} (in ${[...where].map((name) => `\`${name}\``).join(', ')})` }
  })
}
