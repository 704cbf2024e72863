import type { Glob } from '../../glob.ts'
import type { ListName, PermissionSet, Policy } from '../../policy.ts'
import type { Located } from '../../source.ts'
import type { MapNode } from '../../tree.ts'
import type { Check, Finding, RuleContext } from '../rule.ts'
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
export function everySet(check: (set: WrittenSet, context: RuleContext) => Iterable<Finding>): Check {
  return {
    policy: (policy, context) => check(new SetOfPolicy(policy), context),
    group: ({ permissions, node }, context) => check({ permissions, written: mapAt(node, 'permissions'), whole: true }, context),
  }
}

/** The permission set of a policy. How it is written is found out when it is asked for: most rules never do. */
class SetOfPolicy implements WrittenSet {
  readonly permissions: PermissionSet
  private readonly node: MapNode

  constructor({ permissions, node }: Policy) {
    this.permissions = permissions
    this.node = node
  }

  get written(): MapNode | undefined {
    return mapAt(this.node, 'permissions')
  }

  get whole(): boolean {
    return listNames.every((list) => this.permissions[list].length === countWritten(this.node, 'permissions', list))
  }
}

/** A check of the entries of permission sets, one by one. `concerns`: a quick test for those that it may find something in. */
export function everyEntry(
  check: (entry: Located<Glob>, list: ListName, context: RuleContext) => Iterable<Finding>,
  lists: readonly ListName[] = listNames,
  concerns: (entry: Located<Glob>, context: RuleContext) => boolean = () => true,
): Check {
  const checkSet = ({ permissions }: Pick<Policy, 'permissions'>, context: RuleContext): readonly Finding[] => {
    let findings: Finding[] | undefined
    for (const list of lists) {
      for (const entry of permissions[list]) {
        if (!concerns(entry, context)) continue
        findings ??= []
        findings.push(...check(entry, list, context))
      }
    }
    return findings ?? nothing
  }
  return { policy: checkSet, group: checkSet }
}

const nothing: readonly never[] = []
