import type { Operation } from '../actions/operations.ts'
import { withoutBranch, withoutSlash } from '../actions/paths.ts'
import { glob, matches } from '../glob.ts'
import type { AccessRule } from '../policy.ts'
import type { Verdict } from '../simulate/decision.ts'
import type { Call } from './match.ts'

export interface Gate {
  /** Unknown: it depends on how the service writes the path before it compares it. */
  readonly verdict: Verdict
  /** The first rule that allows the call, as written; undefined where none does. */
  readonly rule: AccessRule | undefined
}

/**
 * Hold a call against access rules: one of them must have its method and match its path. Paths are compared without branch;
 * a rule that names a branch is about calls to that branch. A path that is percent-encoded, ends with a slash, or whose
 * branch is not known is compared in every form it may have: only where all agree is the verdict certain.
 */
export function accessGate(rules: readonly AccessRule[], call: Call, branch: Operation['branch'] | undefined): Gate {
  const branches: readonly Operation['branch'][] = branch === undefined ? ['v1', 'v2'] : [branch]
  const coveringRules = [...formsOf(call)].flatMap((path) =>
    branches.map((each) => rules.find((rule) => grants(rule, call.method, each, path))),
  )
  const rule = coveringRules.find((each) => each !== undefined)
  if (coveringRules.every((each) => each !== undefined)) return { verdict: 'allow', rule }
  return { verdict: rule === undefined ? 'deny' : 'unknown', rule }
}

/** Every form in which the service may compare the path of a call, without branch. */
export function formsOf({ sent, words }: Call): ReadonlySet<string> {
  return new Set([sent, withoutSlash(sent), `/${words.join('/')}`])
}

function grants({ method, path }: AccessRule, called: string, branch: Operation['branch'], sent: string): boolean {
  if (method.value !== called) return false
  const written = withoutBranch(path.value)
  return (written.branch === undefined || written.branch === branch) && matches(glob(written.rest), sent)
}
