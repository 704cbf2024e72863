import type { Diagnostic } from '../diagnostic.ts'
import { fingerprints } from '../lint/fingerprint.ts'
import type { Policy } from '../policy.ts'
import { accessCodes, restsOnOthers } from '../rules/access.ts'
import type { RuleFacts } from '../rules/rule.ts'
import type { Question } from '../simulate/decision.ts'
import type { Span } from '../source.ts'
import type { NewAccess } from './new-access.ts'

/**
 * Why a finding is new: the access that it is about was not there, or it cannot be decided whether it was; or, of a finding that is not about
 * access, that its text was not there.
 */
export type NewReason = 'access' | 'undecided' | 'text'

/** `question`: a request of the new access. */
export interface Reason {
  readonly reason: NewReason
  readonly question?: Question
}

export interface NewFinding extends Reason {
  readonly finding: Diagnostic
}

/** A state of the policies and an earlier one, to compare findings by. */
export interface NewFindingsInput {
  readonly rules: readonly Pick<RuleFacts, 'code' | 'section'>[]
  /** Codes of guardrails about what must not be granted. */
  readonly guardrails: ReadonlySet<string>
  /** The findings of the earlier state, with the present rules. */
  readonly before: readonly Diagnostic[]
  /** Undefined where the policies of the present state were not understood. */
  readonly access: NewAccess | undefined
  readonly partsOf: (finding: Diagnostic) => readonly Policy[]
  readonly policiesAt: (span: Span) => readonly Policy[]
  /** Of a place in a permissions group: what policies grant by it. */
  readonly byGroup: (span: Span) => readonly Policy[]
  /** Whether a file had the same text, and was it read for the earlier findings. */
  readonly fileOf: (path: string) => { readonly isSame: boolean; readonly wasRead: boolean }
}

/** The findings that are new since the earlier state. What cannot be compared is new. */
export function newFindings(findings: readonly Diagnostic[], input: NewFindingsInput): readonly NewFinding[] {
  const { rules, guardrails, before } = input
  const about = accessCodes(rules, guardrails)
  const earlierFingerprints = new Set(fingerprints(before))
  const laterFingerprints = fingerprints(findings)
  return findings.flatMap((finding, i) => {
    const isKnown = earlierFingerprints.has(laterFingerprints[i] as string)
    const reason = about.has(finding.code) ? reasonOfAccess(finding, isKnown, input) : reasonOfText(finding, isKnown, input)
    return reason === undefined ? [] : [{ finding, ...reason }]
  })
}

function reasonOfText({ span }: Diagnostic, isKnown: boolean, { fileOf }: NewFindingsInput): Reason | undefined {
  const { isSame, wasRead } = fileOf(span.source.path)
  return isKnown || (!wasRead && isSame) ? undefined : { reason: 'text' }
}

function reasonOfAccess(
  finding: Diagnostic,
  isKnown: boolean,
  { access, partsOf, policiesAt, byGroup, fileOf }: NewFindingsInput,
): Reason | undefined {
  if (!access) return { reason: 'undecided' }
  const findingParts = partsOf(finding)
  const parts = findingParts.length > 0 ? findingParts : byGroup(finding.span)
  if (parts.length === 0) {
    const { isSame, wasRead } = fileOf(finding.span.source.path)
    // Policies that nothing decides over, as in a document: they grant nothing new where their text is the same.
    return isSame && (isKnown || !wasRead) ? undefined : { reason: 'undecided' }
  }
  const rests = restsOnOthers.has(finding.code)
  const others = rests ? (finding.related ?? []).flatMap(({ span }) => policiesAt(span)) : []
  const novelties = [...parts, ...others].map((each) => access.of(each))
  for (const each of novelties) if (each.kind === 'new') return { reason: 'access', question: each.question }
  if (rests && !isKnown) return { reason: 'access' }
  return novelties.some(({ kind }) => kind === 'undecided') ? { reason: 'undecided' } : undefined
}
