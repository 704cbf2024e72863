import { place } from '../diagnostic.ts'
import type { World } from '../policy.ts'
import type { Edit, Suggested, Suggestion, Wish } from '../propose/suggest.ts'
import type { Question } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import type { Paint } from './colour.ts'
import { decisionJson, traceWords } from './decision.ts'
import { regionJson, regionWords } from './difference.ts'
import { fileDiff } from './minimise.ts'
import { shown } from './safe.ts'
import { listWords, more, placeJson, quoted } from './words.ts'

/** What would turn the answer to a question, for people and for programs. */

/** An edit in a sentence. */
function editWords({ kind, policy, list, text = '' }: Edit): string {
  const name = policy ? quoted(policy.name.value) : ''
  switch (kind) {
    case 'add':
      return `add ${quoted(text)} to the ${list ? listWords[list][0] : 'policy'} of ${name}`
    case 'remove':
      return `remove ${list ? listWords[list][1] : ''} ${quoted(text)} from ${name}`
    case 'remove-policy':
      return `remove the policy ${name}: nothing else remains of it`
    case 'remove-expiry':
      return `remove the expiry of ${name}, which has passed`
    default:
      return `a new policy ${quoted(text)} for this only`
  }
}

/** The changes of a suggestion as one diff. */
export function suggestionDiff({ files }: Suggestion): string {
  return files
    .map(({ path, before, after }) =>
      before === undefined ? fileDiff(path, '', after).replace(/^--- .*$/m, '--- /dev/null') : fileDiff(path, before, after),
    )
    .join('')
}

const done: Readonly<Record<Wish, string>> = { allow: 'allowed', deny: 'denied' }

/** For people. `diffs`: how a diff is to be printed. */
export function suggestText(question: Question, suggested: Suggested, world: World, paint: Paint, diffs: (diff: string) => string): string {
  const { today, wish, kind, suggestions, conditional, membership } = suggested
  const title = `${shown(question.identity)}  ${paint.bold(shown(question.action))}  ${shown(question.resource)}`
  const lines = [title]
  if (kind === 'already') lines.push(`  ${paint.good(`it is ${done[wish]} as it is`)}: \`can\` explains it`)
  if (kind === 'root') lines.push('  it cannot be denied: the account owns the resource, and the owning account cannot be restricted')
  if (kind === 'unknown') {
    lines.push(`  ${paint.warning('it depends on what is not known')}: before editing policies, specify`)
    for (const { fact } of today.missing) lines.push(`    ${shown(factText(fact))}`)
  }
  if (kind === 'edits') {
    lines.push(
      `  it is ${done[today.verdict === 'allow' ? 'allow' : 'deny']} today; edits after which it would be ${done[wish]}: ${suggestions.length}`,
    )
    if (suggestions.length === 0)
      lines.push('  none was found: the deciding entries are in read-only policies, or in a layout that is not understood')
  }
  for (const { policy, ...trace } of conditional) {
    lines.push(
      `  ${paint.info('without an edit:')} ${quoted(policy.name.value)} (${shown(place(policy.name.span))}) would allow it if its condition held; it ${traceWords({ policy, ...trace }, world, question)}`,
    )
  }
  if (membership)
    lines.push(
      `  ${paint.info('without an edit:')} a member of ${quoted(membership.group)} ${membership.verdict === 'allow' ? 'is' : 'may be'} allowed: add the identity to it, or state with --group that it is a member`,
    )
  for (const [i, suggestion] of suggestions.entries()) lines.push('', ...suggestionLines(suggestion, i + 1, paint, diffs))
  return `${lines.join('\n')}\n`
}

/** How many regions of what else changes are shown. */
const mostRegions = 6

function suggestionLines(suggestion: Suggestion, number: number, paint: Paint, diffs: (diff: string) => string): readonly string[] {
  const { edits, others } = suggestion
  const [main, ...rest] = edits.map((edit) => `${edit.span ? `${shown(place(edit.span))}  ` : ''}${editWords(edit)}`)
  const regions = [
    ...others.gained.map((region) => [paint.warning('gained:'), regionWords('gained', region)] as const),
    ...others.lost.map((region) => [paint.info('lost:'), regionWords('lost', region)] as const),
  ]
  return [
    `${paint.bold(`${number}.`)} ${main ?? ''}`,
    ...rest.map((line) => `   ${line}`),
    ...(others.verdict === 'same' ? [`   ${paint.good('nothing else changes')}, for anybody`] : []),
    ...regions
      .slice(0, mostRegions)
      .flatMap(([title, [first = '', ...left]]) => [`   ${title} ${first}`, ...left.map((line) => `     ${line}`)]),
    ...more(regions.length - mostRegions, '   '),
    ...(others.undecided.length > 0
      ? [
          `   ${paint.warning('not fully decided what else changes:')} too many combinations of ${[...new Set(others.undecided.flatMap(({ culprits }) => culprits))].map(quoted).join(', ')}`,
        ]
      : []),
    ...diffs(suggestionDiff(suggestion)).replace(/\n$/, '').split('\n'),
  ]
}

/** For programs. */
export function suggestJson(question: Question, { today, wish, kind, suggestions, conditional, membership }: Suggested, world: World) {
  const { identity, action, resource } = question
  return {
    version: 1,
    question: { identity, action, resource },
    to: wish,
    answer: kind,
    today: decisionJson(today),
    suggestions: suggestions.map((suggestion) => ({
      edits: suggestion.edits.map((edit) => ({
        change: edit.kind,
        policy: edit.policy?.name.value ?? null,
        list: edit.list ?? null,
        text: edit.text ?? null,
        ...(edit.span && placeJson(edit.span)),
        message: editWords(edit),
      })),
      decision: decisionJson(suggestion.decision),
      others: {
        verdict: suggestion.others.verdict,
        gained: suggestion.others.gained.map(regionJson),
        lost: suggestion.others.lost.map(regionJson),
        undecided: suggestion.others.undecided,
      },
      diff: suggestionDiff(suggestion),
    })),
    conditional: conditional.map((trace) => ({
      policy: trace.policy.name.value,
      ...placeJson(trace.policy.name.span),
      message: traceWords(trace, world, question),
    })),
    membership: membership ?? null,
  }
}
