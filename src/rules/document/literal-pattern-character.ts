import { inside, type Located } from '../../source.ts'
import type { Finding, Rule } from '../rule.ts'
import { listNames } from '../support/lists.ts'
import { quote } from '../support/text.ts'

/** Pattern syntax of other notations. */
export const notations = [
  { pattern: /\$\{[^{}]*\}/, says: 'variables are not replaced', inAction: true },
  { pattern: /\{[^{}]*\}/, says: 'this is neither a set of alternatives nor a placeholder', inAction: true },
  { pattern: /\[[^[\]]*\]/, says: 'this is not a character class', inAction: true },
  { pattern: /\?/, says: 'this does not match any one character', inAction: false },
] as const

export const literalPatternCharacter: Rule = {
  code: 'literal-pattern-character',
  section: 'document',
  severity: 'warning',
  yieldsToInner: ['placeholder-in-urn'],
  yieldsToOuter: ['placeholder-in-urn'],
  summary: 'A `?`, `[…]` or `{…}`, which is not a wildcard here.',
  why:
    '`*` is the only wildcard in policies. Every other character stands for itself, and placeholders are not replaced. The entry only ' +
    'matches names that contain these characters, so it usually matches nothing: it grants nothing, or denies nothing. Write the names ' +
    'out, or use `*`.',
  needs: 'sign',
  *policy({ identities, resources, permissions }) {
    yield* literals(identities, false)
    yield* literals(resources, false)
    for (const list of listNames) yield* literals(permissions[list], true)
  },
  *group({ permissions }) {
    for (const list of listNames) yield* literals(permissions[list], true)
  },
}

function* literals(entries: readonly Located<{ readonly text: string }>[], isAction: boolean): Iterable<Finding> {
  for (const { value, span } of entries) yield* literal({ value: value.text, span }, isAction)
}

/** The first such place of a text. In an action the `?` starts the parameter. */
function* literal(text: Located<string>, isAction: boolean): Iterable<Finding> {
  for (const { pattern, says, inAction } of notations) {
    const match = isAction && !inAction ? null : pattern.exec(text.value)
    if (!match) continue
    yield {
      span: inside(text, match.index, match.index + match[0].length),
      message: `${quote(match[0])} stands for itself: ${says}`,
      help: 'write the names out, or use `*`, the only wildcard',
    }
    return
  }
}
