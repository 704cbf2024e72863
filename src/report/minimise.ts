import type { Policy } from '../policy.ts'
import type { Minimised, OpenStep, Reason, Size, Step } from '../propose/minimise.ts'
import { minimiseVerdict } from '../propose/minimise.ts'
import type { Span } from '../source.ts'
import { formulaOf } from '../symbolic/formula.ts'
import type { Paint } from './colour.ts'
import { conditionWords, formulaWords } from './conditions.ts'
import { changeDiff } from './diff.ts'
import { momentWords } from './instants.ts'
import { shown } from './safe.ts'
import { linesText, listWords, placeJson, placeWords, plural, quoted, quotedPolicy } from './words.ts'

export const minimiseDiff = ({ files }: Minimised): string =>
  files.map(({ before: { source }, after }) => changeDiff(source.path, source.text, after?.source.text)).join('')

/** The text format, without the diff. */
export function minimiseText(result: Minimised, paint: Paint, isNow = false): string {
  const { steps, undecided, left, certificate } = result
  const isProved = certificate.gained === 'none' && certificate.lost === 'none' && certificate.denied === 'same'
  const since = result.from === undefined ? '' : isNow ? 'from now on, ' : `from ${momentWords(result.from)} on, `
  const proof = isProved
    ? `proved: ${since}access stays the same, over all identities, actions, resources and contexts`
    : `proved step by step: ${since}access stays the same; all steps together are too complex to prove again`
  const stepWords = (step: Step | OpenStep) => `${placeWords(spanOf(step))}  ${nameOf(step)}`
  return linesText(
    removedWords(result, paint),
    steps.map((step) => `  ${stepWords(step)}  ${reasonWords(step, result.from)}`),
    steps.length > 0 && proof,
    undecided.map(
      (step) => `${paint.warning('undecided:')} ${stepWords(step)}: too many combinations of ${step.culprits.map(quoted).join(', ')}`,
    ),
    left.map(({ source }) => `${paint.warning('left:')} ${shown(source.path)} has a layout from which single entries cannot be removed`),
  )
}

function removedWords(result: Minimised, paint: Paint): string {
  const { steps, before, after, readOnly } = result
  const needed =
    readOnly === 0 ? ', all needed' : `; ${plural(readOnly, 'read-only policy')} left as ${readOnly === 1 ? 'it is' : 'they are'}`
  const verdict = minimiseVerdict(result)
  if (verdict === 'undecided') return `nothing was removed: ${sizeWords(before)}`
  if (verdict === 'smallest') return `${paint.good('nothing can be removed')}: ${sizeWords(before)}${needed}`
  const branches = steps.filter(({ reason }) => reason.kind === 'branch').length
  const [was, is, parts] = [sizeWords(before), sizeWords(after), branches > 0 && `${plural(branches, 'part')} of conditions`]
  const what = was === is ? `${parts} can be removed, of ${was}` : `${was} can become ${is}${parts ? `, without ${parts}` : ''}`
  return `${paint.bold(what)}: \`--format diff\` prints the changes for \`git apply\``
}

export function minimiseJson(result: Minimised) {
  const { steps, undecided, before, after, left, certificate } = result
  return {
    version: 1,
    verdict: minimiseVerdict(result),
    before,
    after,
    ...(result.from !== undefined && { from: new Date(result.from).toISOString() }),
    steps: steps.map((step) => ({
      ...stepJson(step),
      reason: step.reason.kind,
      by: coversOf(step.reason),
      message: reasonWords(step, result.from),
    })),
    undecided: undecided.map((step) => ({ ...stepJson(step), culprits: step.culprits })),
    left: left.map(({ source }) => source.path),
    certificate,
    diff: minimiseDiff(result),
  }
}

const stepJson = (step: Step | OpenStep) => ({
  ...placeJson(spanOf(step)),
  policy: step.policy.name.value,
  list: step.list ?? null,
  entry: step.entry?.value.text ?? null,
})

function coversOf(reason: Reason): readonly object[] {
  if (reason.kind === 'entry') return [{ ...placeJson(reason.by.span), entry: reason.by.value.text }]
  const policies = reason.kind === 'merge' ? [reason.into] : 'by' in reason ? reason.by : []
  return policies.map(({ name }) => ({ ...placeJson(name.span), policy: name.value }))
}

function spanOf(step: Step | OpenStep): Span {
  const { entry, policy } = step
  return 'reason' in step && step.reason.kind === 'branch' ? step.reason.condition.span : (entry?.span ?? policy.name.span)
}

function nameOf(step: Step | OpenStep): string {
  const { policy, list, entry } = step
  if ('reason' in step && step.reason.kind === 'branch') return `part of the condition of ${quoted(policy.name.value)}`
  const of = list && entry ? `${listWords[list][1]} ${quoted(entry.value.text)} of` : 'policy'
  return `${of} ${quoted(policy.name.value)}`
}

function reasonWords({ policy, entry, reason }: Step, from: number | undefined): string {
  switch (reason.kind) {
    case 'entry':
      return entry?.value.text === reason.by.value.text
        ? `is listed twice: ${placeWords(reason.by.span)}`
        : `is covered by ${quoted(reason.by.value.text)} (${placeWords(reason.by.span)})`
    case 'policies':
      if (reason.by.length === 0) return 'is covered by other policies together'
      return reason.by.length === 1 && reason.by[0] === policy
        ? 'is covered by the rest of its policy'
        : `is covered by ${reason.by.map(quotedPolicy).join(', ')}`
    case 'denied':
      return `allows nothing: ${reason.by.length === 0 ? 'other policies deny' : `${reason.by.map(quotedPolicy).join(', ')} denies`} all of it`
    case 'over':
      return overWords(policy, from)
    case 'branch': {
      const words = formulaWords(formulaOf(reason.condition)) ?? 'always'
      return `${reason.isOver ? 'changes nothing any more' : 'changes nothing'}: ${words}`
    }
    case 'merge':
      return `can be merged with ${quotedPolicy(reason.into)}: only their ${listWords[reason.list][0]} differ`
    default:
      return 'has no effect: it grants and denies nothing'
  }
}

function overWords({ condition, expiresAt }: Policy, from = 0): string {
  if (expiresAt && expiresAt.value < from) return `can never apply again: it expired at ${momentWords(expiresAt.value)}`
  const words = condition && conditionWords(formulaOf(condition))
  return `can never apply again: its condition held ${words ?? 'before'}`
}

const sizeWords = ({ policies, entries }: Size): string => `${plural(policies, 'policy')} and ${plural(entries, 'entry')}`
