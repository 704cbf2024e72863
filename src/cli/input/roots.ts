import { resolve } from 'node:path'
import { shown } from '../../report/safe.ts'
import type { ReadFiles, RootModule } from '../../sources/files.ts'
import { within } from '../../sources/roots.ts'
import type { Io } from '../app/io.ts'
import type { RootOptions } from '../app/options.ts'
import { portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'

/** How many root modules a message lists. */
const mostListed = 8

/**
 * The world to decide over, of each of some runs: without `--root` all of it, where that is one world. Root modules that call the
 * same module of policies are several: the same for different stages or accounts, so that one has to be chosen. `how`: the
 * remedy.
 */
export function decidedOver<T extends ReadFiles>(
  reads: readonly T[],
  options: RootOptions,
  io: Io,
  how = 'choose one with `--root FOLDER`, or name its folder alone',
): readonly T[] {
  const named = options.root
  if (named.length === 0) {
    for (const { roots } of reads) {
      const variants = roots.filter(({ isVariant }) => isVariant)
      if (variants.length > 1)
        throw new Refusal(
          `${variants.length} root modules call the same module, and each is a separate configuration: ${listed(variants)}`,
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
