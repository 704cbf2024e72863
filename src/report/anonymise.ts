import type { Left, Reproduction } from '../anonymise/anonymise.ts'
import type { Reason } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import { shown } from './safe.ts'
import { firstFew, linesText, plural, presentParts, quoted } from './words.ts'

/** Words about a reproduction. Its names are not those of the input. */

/** The paths of the policies and facts of a reproduction in its folder. */
export const reproductionPaths = ({ world }: Reproduction): readonly string[] =>
  world === undefined ? ['policies.yaml'] : ['policies.yaml', 'world.yaml']

/** The words between a verdict and its grounds, by the reason. */
const reasons: Readonly<Record<Reason, string>> = {
  granted: 'granted by',
  denied: 'explicitly denied by',
  default: 'no policy grants it',
  root: 'the account owns the resource',
  unknown: 'depends on',
}

/** The verdict and what it rests on, in a line. */
function verdictLine({ decision: { verdict, reason, clauses, missing, caveats } }: Reproduction): string {
  const by = reason === 'unknown' ? missing.map(({ fact }) => factText(fact)) : [...new Set(clauses.map(({ policy }) => policy.name.value))]
  const noted = caveats.length > 0 ? ` (${caveats.join(', ')})` : ''
  return `${verdict}: ${[reasons[reason], by.join(', ')].filter((text) => text !== '').join(' ')}${noted}`
}

/** The lines at the head of a file: how to ask the question, and the answer. `paths`: of the policies. */
export function headLines(made: Reproduction, paths: readonly string[]): string {
  return linesText(`# ${made.command(paths)}`, `# ${verdictLine(made)}`)
}

/** The files that were written, how much of the input is in them, and the answer. */
export function reproductionText(made: Reproduction, files: readonly string[]): string {
  return linesText(
    `${files.map(shown).join(', ')}: ${leftWords(made.left)}`,
    `  ${verdictLine(made)}`,
    `  ${made.command(reproductionPaths(made))}`,
    `  ${made.isMinimal ? 'the answer is the same, and needs all of it' : 'the answer is the same'}`,
  )
}

function leftWords({ policies, entries, facts }: Left): string {
  const of = ([left, all]: readonly [number, number], noun: string) => `${left} of ${plural(all, noun)}`
  return [of(policies, 'policy'), of(entries, 'entry'), of(facts, 'description')].join(', ')
}

/** How many names are listed in a note. */
const mostListed = 5

/** Notes for the user who shares a reproduction. */
export function reproductionNotes({ isMinimal, isByLetters, unknownActions, decision, left }: Reproduction): readonly string[] {
  const isEmpty = decision.reason === 'default' && left.policies[0] === 0
  const actions = firstFew(unknownActions.map(quoted), mostListed)
  return presentParts(
    !isMinimal && 'not everything was tried in one run: there may be parts that do not matter',
    isByLetters && 'names and patterns are replaced letter by letter, since words would not match alike: their lengths are shown',
    unknownActions.length > 0 &&
      `names of actions that the catalogue does not have are kept: ${actions}; \`--rename-actions\` renames them`,
    isEmpty && left.policies[1] > 0 && 'no policy would nearly grant it, and none is left: name the one that should with `--keep`',
  )
}
