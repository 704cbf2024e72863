import { visible } from '../../names.ts'
import { inside } from '../../source.ts'
import { isSpelling } from '../../spelling.ts'
import type { Rule } from '../rule.ts'
import { replacement } from '../support/fixes.ts'
import { quote } from '../support/text.ts'
import { nodeAt } from '../support/written.ts'

const longest = 255

export const policyName: Rule = {
  code: 'policy-name',
  section: 'document',
  severity: 'error',
  fixes: ['safe'],
  summary: 'A policy name that is empty, too long, padded, unprintable or reserved.',
  why:
    'People and reports refer to a policy by its name. An empty name, or one with invisible or surrounding whitespace characters, ' +
    'cannot be distinguished from others. The service reserves names that start with the brand word and `-`, and names have at most 255 ' +
    'characters.',
  needs: 'mayBeOdd',
  *policy({ name, node, readOnly }, { settings }) {
    // The readers report a name of the wrong type.
    if (nodeAt(node, 'name')?.kind !== 'text') return
    const { value, span } = name
    // The readers report characters in the file itself; this is about those written as escapes.
    const written = span.source.text.slice(span.start, span.end)
    const strange = [...value.matchAll(/\P{ASCII}|[\0-\x1f\x7f]/gu)].find(
      ({ 0: c, index }) => visible(c) !== c && !isSpelling(value, index) && !written.includes(c),
    )
    const reserved = `${settings.brand}-`
    if (value.trim() === '') yield { span, message: 'the policy has no name', help: 'name it after what it grants, and to whom' }
    else if (strange) {
      yield {
        span: inside(name, strange.index, strange.index + strange[0].length),
        message: `${quote(strange[0])} in a policy name is invisible`,
        help: 'remove it',
        ...replacement(span, seen(value), seen(value) !== ''),
      }
    } else if (value.trim() !== value)
      yield {
        span,
        message: `the name ${quote(value)} starts or ends with a space`,
        help: `write ${quote(value.trim())}`,
        ...replacement(span, value.trim(), true),
      }
    else if (value.length > longest)
      yield { span, message: `the name has ${value.length} characters: the limit is ${longest}`, help: 'shorten the name' }
    else if (value.startsWith(reserved) && !readOnly) {
      yield {
        span: inside(name, 0, reserved.length),
        message: `names that start with ${quote(reserved)} are reserved for policies managed by the service`,
        help: 'choose another name',
      }
    }
  },
}

/** A name without invisible characters. */
function seen(name: string): string {
  return name.replace(/\P{ASCII}|[\0-\x1f\x7f]/gu, (c, at: number) => (visible(c) === c || isSpelling(name, at) ? c : '')).trim()
}
