import { compareDiagnostics, type Diagnostic } from '../diagnostic.ts'
import { madeOnce } from '../memo.ts'
import { defaultSettings } from '../names.ts'
import { buildWorld } from '../parser/world.ts'
import { rules as builtIn } from '../rules/index.ts'
import type { Rule, RuleContext } from '../rules/rule.ts'
import { Zones } from '../zones.ts'
import { type LintRun, offered, recommended, suppress } from './lint-files.ts'
import { lintByProfile } from './profile.ts'
import { watching } from './remembered.ts'
import { isLocal } from './run.ts'

/** Rules that look at one policy, whatever is around it: `whole` ones are silent where a group in another file is not read. */
const local = builtIn.flatMap((rule) => ('policy' in rule && !rule.whole && isLocal(rule) ? [rule] : []))
const readers = builtIn.filter((rule) => 'reader' in rule)

/** The codes that may remove a finding of a rule. */
const takersOf = ({ yieldsToInner = [], yieldsToOuter = [] }: Rule) => [...yieldsToInner, ...yieldsToOuter]

/**
 * The findings in one file that no other file can add to, change or remove, sorted. None in a file whose meaning depends on others
 * or on values that are not known.
 */
export function lintSingleFile(run: LintRun): readonly Diagnostic[] {
  const { files, catalogue, settings: asked = defaultSettings, now, profileOf = () => recommended } = run
  if (files.each.some(({ read }) => read.kind !== 'policies' || read.open)) return []
  const settings = { zones: new Zones(), ...asked }
  const { world } = buildWorld(files.facts)
  /** Rules that looked at more than the policy, and so may find something else among other files. */
  const unsure = new Set<string>()
  const watched = local.map(
    ({ group, ...rule }): Rule => ({
      ...rule,
      policy: (policy, context) => {
        const { watched, hasLooked } = watching(context)
        // Values made once for a run are made of the watched context, so that a look at the world is noticed there, too.
        const ownContext: RuleContext = Object.create(watched, { once: { get: () => once } })
        const once = madeOnce(ownContext)
        const findings = [...rule.policy(policy, ownContext)]
        if (hasLooked()) unsure.add(rule.code)
        return findings
      },
    }),
  )
  const allFindings = lintByProfile(watched, files.files, files.diagnostics, profileOf, { world, catalogue, settings, now })
  const certain = new Map<string, Rule>([...local, ...readers].flatMap((rule) => (unsure.has(rule.code) ? [] : [[rule.code, rule]])))
  const isCertain = ({ code }: Diagnostic) => {
    const rule = certain.get(code)
    return rule !== undefined && takersOf(rule).every((taker) => certain.has(taker))
  }
  return [...suppress(run, builtIn, offered(files, allFindings.filter(isCertain))).kept].sort(compareDiagnostics)
}
