import type { Glob } from '../../glob.ts'
import type { ListName, PermissionSet } from '../../policy.ts'
import type { Located } from '../../source.ts'
import type { MapNode } from '../../tree.ts'
import type { Finding, Rule, RuleContext } from '../rule.ts'
import { listNames } from './lists.ts'
import { countWritten, mapAt } from './written.ts'

/** A permission set as a rule sees it. */
export interface WrittenSet {
  readonly permissions: PermissionSet
  /** The set as written; undefined where it is not written as an object. */
  readonly written: MapNode | undefined
  /** False when an entry of it could not be understood: then nothing is certain about what is not in it. */
  readonly whole: boolean
}

/** A check of permission sets: of those in policies and of those in permissions groups alike. */
export function everySet(check: (set: WrittenSet, context: RuleContext) => Iterable<Finding>): Rule['check'] {
  return {
    policy: ({ permissions, node }, context) =>
      check(
        {
          permissions,
          written: mapAt(node, 'permissions'),
          whole: listNames.every((list) => permissions[list].length === countWritten(node, 'permissions', list)),
        },
        context,
      ),
    group: ({ permissions, node }, context) => check({ permissions, written: mapAt(node, 'permissions'), whole: true }, context),
  }
}

/** A check of the entries of permission sets, one by one. */
export function everyEntry(
  check: (entry: Located<Glob>, list: ListName, context: RuleContext) => Iterable<Finding>,
  lists: readonly ListName[] = listNames,
): Rule['check'] {
  return everySet(function* ({ permissions }, context) {
    for (const list of lists) for (const entry of permissions[list]) yield* check(entry, list, context)
  })
}
