import type { Catalogue } from './catalogue.ts'
import type { Operation } from './operations.ts'

/**
 * The month, `YYYY-MM`, as of which messages say that no operation has a path: the one in which most operations of its branch and
 * first segment were last seen, of two with as many the earlier one. Newer operations of other products do not count. Without any
 * such operation, it is the month of the catalogue. `branch`: undefined for operations of all branches.
 */
export function comparedMonth(
  operations: readonly Operation[],
  { branch, first }: { readonly branch: Operation['branch'] | undefined; readonly first: string | undefined },
  catalogue: Pick<Catalogue, 'seen'>,
): string {
  const counts = new Map<string, number>()
  for (const { branch: its, path, seen } of operations)
    if (path.split('/')[1] === first && (branch ?? its) === its) counts.set(seen, (counts.get(seen) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? catalogue.seen
}
