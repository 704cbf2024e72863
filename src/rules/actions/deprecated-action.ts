import type { Deprecation } from '../../actions/catalogue.ts'
import { type Glob, isPattern, matches } from '../../glob.ts'
import type { ListName } from '../../policy.ts'
import type { Located } from '../../source.ts'
import type { Clock } from '../clock.ts'
import type { Finding, Rule, RuleContext } from '../rule.ts'
import { replacement } from '../support/fixes.ts'
import { everySet } from '../support/sets.ts'
import { quote, some } from '../support/text.ts'

export const deprecatedAction: Rule = {
  code: 'deprecated-action',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'A deprecated action.',
  why:
    'When a deprecated action is removed, an `allow` entry for it grants nothing, and a `deny` or `except` entry does not stop its ' +
    'replacement. An action is deprecated if every known operation that needs it is. The built-in catalogue knows some deprecations, and one built ' +
    'with `grantwise catalogue import` all that the descriptions state. An entry in `deny` or `except` is only reported if the replacement ' +
    'is not in the same list, and a wildcard only if it matches nothing else.',
  needs: 'mayBeDeprecated',
  ...everySet(function* ({ permissions }, context) {
    for (const list of ['allow', 'except', 'deny'] as const)
      for (const entry of permissions[list]) {
        const finding = judge(entry, list, permissions[list], context)
        if (finding) yield finding
      }
  }),
}

function judge(
  entry: Located<Glob>,
  list: ListName,
  entries: readonly Located<Glob>[],
  { catalogue, clock }: RuleContext,
): Finding | undefined {
  // The parameter after `?` is free text and no part of the catalogue's names.
  const text = entry.value.text
  const [name = ''] = text.split('?', 1)
  const actions = isPattern(entry.value) ? deprecatedBy(entry.value, catalogue) : [name]
  const deprecations = actions.flatMap((action) => catalogue.deprecationOf(action) ?? [])
  const [first] = deprecations
  if (!first || deprecations.length < actions.length) return undefined
  const replacedBy = [...new Set(deprecations.flatMap((each) => each.replacedBy))].sort()
  const missing = replacedBy.filter((action) => !entries.some(({ value }) => matches(value, action)))
  const products = new Set(actions.map(productOf))
  const subject =
    actions.length === 1
      ? `${quote(actions[0] as string)} is deprecated`
      : `all ${actions.length} actions that ${quote(text)} matches are deprecated`
  const when = actions.length === 1 ? whenOf(first, clock) : ''
  if (list !== 'allow') {
    // An action of another product is about other resources: the policy need not be about them.
    const open = missing.filter((action) => products.has(productOf(action)))
    if (open.length === 0) return undefined
    return {
      span: entry.span,
      message: `${subject}${when}, and its replacement is not in \`${list}\`: ${some(open)}`,
      help: `add ${some(open)} to \`${list}\``,
    }
  }
  const [only, second] = missing
  return {
    span: entry.span,
    message: `${subject}${when}: it will grant nothing once it is removed`,
    help:
      replacedBy.length === 0
        ? 'the catalogue names no replacement: see the documentation of the API'
        : missing.length === 0
          ? `${some(replacedBy)} replaces it and is also allowed: remove this entry when it is no longer used`
          : `use ${some(missing)}`,
    ...replacement(entry.span, second === undefined && name === text && only && products.has(productOf(only)) ? only : undefined, false),
  }
}

function productOf(action: string): string {
  return action.slice(0, action.indexOf(':'))
}

/** The actions that a pattern matches, if the deprecated ones among them may be all. */
function deprecatedBy(pattern: Glob, { deprecated, deprecationOf, actionsOf, expand }: RuleContext['catalogue']): readonly string[] {
  const deprecatedActions = deprecated.filter((action) => matches(pattern, action))
  const products = new Set(deprecatedActions.map(productOf))
  // A wide pattern matches others of the first product: it is not held against the whole catalogue.
  const isWider = [...products].some((product) => actionsOf(product).some((action) => matches(pattern, action) && !deprecationOf(action)))
  return deprecatedActions.length === 0 || isWider ? [] : expand(pattern)
}

function whenOf({ from, until }: Deprecation, clock: Clock): string {
  const since = from === undefined ? '' : ` since ${from}`
  if (until === undefined) return since
  return `${since}, ${clock.isAfter(Date.parse(`${until}T00:00:00Z`) - 1) ? 'was to be removed' : 'to be removed'} on ${until}`
}
