import { madeIn } from '../../collections.ts'
import { type Glob, glob, matches, overlaps } from '../../glob.ts'
import type { RuleContext } from '../rule.ts'

/**
 * Kinds of actions by the last word of their names. The catalogue says no more, so that an action is only called writing where
 * its name leaves no doubt.
 */

const writing: ReadonlySet<string> = new Set(
  (
    'create delete edit put post add remove attach detach enable disable reset revoke grant terminate confirmTermination restore start stop ' +
    'restart reboot reinstall rebuild move update upgrade destroy purge transfer pay renew import lock unlock suspend replace'
  ).split(' '),
)
const writingStart = /^(?:set|change|reset|delete|create|update|add|remove|enable|disable|restore)[A-Z]/

/** Whether the name of an action leaves no doubt that it changes something. */
export function isWriting(action: string): boolean {
  const verb = lastWord(action)
  return writing.has(verb) || writingStart.test(verb)
}

/** The last word of the path: `create` of `vps:apisvc:snapshot/create`. */
export function lastWord(action: string): string {
  const name = action.split('?', 1)[0] as string
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1)
}

/** How many patterns over several products may be expanded in one run: each is held against the whole catalogue. */
const mostExpansions = 300

const nothingExpanded = () => new Set<string>()
const nothingKnown = () => new Map<string, readonly string[]>()

/**
 * The catalogue actions that a pattern designates. Remembered for the run; empty for a pattern over several products
 * once many of them have been looked up in a world, so that nothing is said of the rest.
 */
export function expansion(context: RuleContext, pattern: Glob): readonly string[] {
  const seen = context.once(nothingExpanded)
  if (!seen.has(pattern.text)) {
    if (seen.size >= mostExpansions && !(pattern.pieces[0] as string).includes(':')) return []
    seen.add(pattern.text)
  }
  // The parameter after `?` is no part of the catalogue's names.
  return madeIn(context.shared(nothingKnown), pattern.text, (text) => context.catalogue.expand(glob(text.split('?', 1)[0] as string)))
}

/** How many matches may be tried for one entry. */
const mostMatches = 1_000_000

/**
 * The catalogue actions that an entry grants, without those that `taken` removes. An action the catalogue lacks counts as itself.
 * Empty where finding out would take too long.
 */
export function grantedActions(context: RuleContext, entry: Glob, taken: readonly Glob[]): readonly string[] {
  const actions = entry.pieces.length === 1 ? [entry.text] : expansion(context, entry)
  const overlapping = taken.filter((pattern) => overlaps(pattern, entry))
  if (actions.length * overlapping.length > mostMatches) return []
  return overlapping.length === 0 ? actions : actions.filter((action) => !overlapping.some((pattern) => matches(pattern, action)))
}
