import type { Paint } from '../report/colour.ts'
import { changeDiff } from '../report/diff.ts'
import { endWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { firstFew, linesText, placeJson, placeWords, plural, quoted, quotedPolicy, titleWords } from '../report/words.ts'
import type { Applied, Proof, ReviewEdit } from '../review/apply.ts'
import type { JudgedGrant } from '../review/status.ts'
import { sidesJson } from './difference.ts'
import type { Wording } from './model.ts'
import { differenceSentences } from './review.ts'

/** The edits that carry out a review, as text, as JSON and as a diff. */

export const appliedDiff = ({ files }: Applied): string => files.map(({ path, before, after }) => changeDiff(path, before, after)).join('')

const proofs: Readonly<Record<Proof, string>> = {
  proved: 'proved: nothing is gained, and nothing is lost but what was decided, over all identities, actions, resources and contexts',
  undecided: 'not proved within limits: compare the policies before and after with `grantwise diff`',
  gained: 'nothing is proposed: the edits may give access that is denied today',
  lost: 'nothing is proposed: the edits may take away other access than was decided',
  early: 'nothing is proposed: the edits may end access before its last day',
}

const reasons = {
  'read-only': 'its policy is read-only',
  layout: 'its file has a layout in which single entries cannot be edited',
} as const

/** Whether the edits can be made: a proof does not speak against them. */
export const isProposed = ({ proof }: Pick<Applied, 'proof'>): boolean => proof === 'proved' || proof === 'undecided'

/** The text format, without the diff. */
export function appliedText(applied: Applied, paint: Paint, wording: Wording): string {
  const { endings, edits, left, still, difference, proof } = applied
  if (endings.length + left.length === 0)
    return `${paint.good('nothing to carry out')}: no grant is decided to be removed or shortened and is still granted\n`
  const isGood = isProposed(applied)
  const changes = differenceSentences(difference, wording)
  return linesText(
    endings.length === 0
      ? paint.bold('no decision can be carried out by edits')
      : `${paint.bold(`${plural(endings.length, 'decision')} to carry out`)}: \`--format diff\` prints the edits for \`git apply\``,
    isGood && edits.map((edit) => `  ${editWords(edit, wording)}`),
    changes.length > 0 && ['access', ...changes.map((each) => `  ${each}`)],
    still.map(({ judged, isWhole, by }) => {
      const others = firstFew(by.map(quotedPolicy))
      return `${paint.warning('note:')} ${grantWords(judged, wording)} ${isWhole ? 'is still granted in full by' : 'may still be granted in part by'} ${others}`
    }),
    left.map(({ judged, why }) => `${paint.warning('left:')} ${grantWords(judged, wording)}: ${reasons[why]}`),
    endings.length > 0 && (proof === 'proved' ? proofs[proof] : `${paint.warning('note:')} ${proofs[proof]}`),
  )
}

const grantWords = ({ grant }: JudgedGrant, { names }: Wording): string =>
  `${names.identity(grant.key.identity)} by ${quoted(grant.key.policy)}`

function editWords(edit: ReviewEdit, { names }: Wording): string {
  const head = `${placeWords(edit.policy.name.span)}  ${titleWords(edit.policy)}: `
  switch (edit.kind) {
    case 'remove-identity':
      return `${head}remove ${names.identity(edit.identity)}`
    case 'remove-policy':
      return `${head}remove the policy: no identity remains in it`
    case 'expire':
      return `${head}until ${endWords(edit.end)}`
    case 'new-policy':
      return `${head}a new policy ${quoted(edit.name)}${edit.isDeny ? ' keeps what it denies' : edit.end === undefined ? '' : ` until ${endWords(edit.end)}`}`
  }
}

export function appliedJson(applied: Applied) {
  const { endings, edits, left, still, difference, proof } = applied
  const grant = ({ grant: { key } }: JudgedGrant) => ({ policy: key.policy, identity: key.identity })
  return {
    version: 1,
    proof,
    decisions: endings.map(({ judged, end }) => ({ ...grant(judged), end: end === undefined ? null : new Date(end).toISOString() })),
    edits: edits.map((edit) => ({
      kind: edit.kind,
      ...placeJson(edit.policy.name.span),
      policy: shown(edit.policy.name.value),
      identity: edit.kind === 'remove-identity' ? edit.identity : null,
      name: edit.kind === 'new-policy' ? edit.name : null,
    })),
    still: still.map(({ judged, isWhole, by }) => ({
      ...grant(judged),
      whole: isWhole,
      by: by.map(({ name }) => ({ ...placeJson(name.span), policy: name.value })),
    })),
    left: left.map(({ judged, why }) => ({ ...grant(judged), reason: why })),
    ...sidesJson(difference),
    diff: isProposed(applied) ? appliedDiff(applied) : '',
  }
}
