import { isSlipForAction } from '../../actions/suggest.ts'
import type { Located, Span } from '../../source.ts'
import type { Finding, RuleContext } from '../rule.ts'
import { replacement } from './fixes.ts'
import { suggestion } from './suggest.ts'
import { didYouMean, quote } from './text.ts'

/**
 * The finding for a name that the catalogue does not know. Where it is certainly a typo of a known one that is a warning, with
 * the known one as replacement. Else it may be newer than the catalogue: the finding says so, and is only information.
 */
export function unknownFinding(
  { value, span }: Located<string>,
  {
    subject,
    suggested: nearName,
    isSlip,
    so,
    seen,
    whole,
  }: {
    /** The word for it: `product`, `type`; none for an action. */
    readonly subject?: string
    readonly suggested: string | undefined
    readonly isSlip: boolean
    /** The consequence if it does not exist. */
    readonly so: string
    readonly seen: string
    /** The replaced place and its replacement, where that is more than the name. */
    readonly whole?: { readonly span: Span; readonly text: string | undefined }
  },
): Finding {
  const named = subject === undefined ? quote(value) : `${subject} ${quote(value)}`
  if (nearName !== undefined && isSlip)
    return {
      span,
      message: `${named} is not in the catalogue of ${seen}: ${so}`,
      help: didYouMean(nearName),
      ...(whole ? replacement(whole.span, whole.text, false) : replacement(span, nearName, false)),
    }
  return { span, ...mayBeNewer(`${named} is not in`, seen, so, nearName) }
}

/** The message about a name that may be newer than the catalogue: the catalogue's age, and how to get a newer one. */
export function mayBeNewer(
  what: string,
  seen: string,
  so: string,
  nearName?: string,
): Required<Pick<Finding, 'severity' | 'message' | 'help'>> {
  const advice = nearName === undefined ? 'compare it with the API console' : `unless it is a newer name, ${didYouMean(nearName)}`
  return {
    severity: 'info',
    message: `${what} the catalogue of ${seen}: it may be newer, otherwise ${so}`,
    help: `${advice}; \`grantwise catalogue import\` builds a newer catalogue`,
  }
}

/** The same for an action. */
export function unknownActionFinding(entry: Located<string>, context: RuleContext, so: string): Finding {
  const suggested = suggestion(context, 'action', entry.value)
  const isSlip = suggested !== undefined && isSlipForAction(entry.value, suggested)
  return unknownFinding(entry, { suggested, isSlip, so, seen: context.catalogue.seen })
}
