import type { Catalogue } from './catalogue.ts'
import type { Operation } from './operations.ts'
import { isFirstWord } from './paths.ts'

/**
 * The month, `YYYY-MM`, as of which messages say that no operation has a path: the one in which most operations of its branch and
 * first segment were last seen, of two with as many the earlier one. Newer operations of other products do not count. Those of a branch
 * of which all are known are as of the month in which they are. Without any such operation, it is that month, or the catalogue's.
 * `branch`: undefined for operations of all branches.
 */
export function comparedMonth(
  operations: readonly Operation[],
  { branch, first }: { readonly branch: Operation['branch'] | undefined; readonly first: string | undefined },
  { seen: newest, complete = {} }: Pick<Catalogue, 'seen' | 'complete'>,
): string {
  const counts = new Map<string, number>()
  for (const { branch: its, path, seen } of operations)
    if (first !== undefined && (branch ?? its) === its && isFirstWord(path, first)) {
      const month = complete[its] ?? seen
      counts.set(month, (counts.get(month) ?? 0) + 1)
    }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? complete[branch ?? ''] ?? newest
}
